/*
 * Finds and reads the JSON files of the given directories, in bytewise order of their paths.
 * Content may come from anybody, so nothing may lead out of a given directory: folders are
 * opened one below the other without following symbolic links. Only regular files are read, and
 * only as much as the limits allow. Names that begin with a dot are skipped.
 */
#include "content/import/ahead.h"
#include "content/import/builtin.h"
#include "content/import/sources.h"
#include "core/bytes.h"
#include "core/error.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/folder.h"
#include "json/dialect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    /* Owned; a folder's name ends in '/', so that whole paths are in bytewise order. */
    char *name;
    bool is_link;
} entry;

typedef struct entry_list {
    entry *items;
    size_t count, capacity;
} entry_list;

static int compare(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* Returns "parent/name", or one of the two if the other is empty. */
static const char *path_below(import *im, const char *parent, const char *name)
{
    const size_t length = strlen(parent);
    const bool slash = length > 0 && name[0] && parent[length - 1] != '/';
    return import_printf(im, "%s%s%s", parent, slash ? "/" : "", name);
}

/* Adds a remark about a path; the import goes on. */
#define REMARK(im, code, path_, ...)                                                           \
    diagnostic_add(im, remark_code_severity(code), (diagnostic_place){.path = (path_)}, code,  \
                   __VA_ARGS__)

/* Adds a file with its text. `kept`, if it is not NULL, owns the text. */
static void add_file(import *im, size_t root, const char *path, const char *relative,
                     char *text, size_t size, kept_source *kept)
{
    import_source *source = im->source;
    found_file *f = arena_alloc(im->arena, sizeof *f);
    if (!f || !SOURCE_ROOM(im, source->files, source->file_count, source->file_capacity)) {
        if (!kept)
            free(text);
        import_no_memory(im);
        return;
    }
    const size_t mark = dialect_mark(text, size);
    f->file.path = path;
    f->file.text = text + mark;
    f->file.size = size - mark;
    f->relative = relative;
    f->text = text;
    f->kept = kept;
    f->root = root;
    source->files[source->file_count++] = f;
    source->total_size += size;
    if (!kept)
        ahead_take(im, f);
}

/* May a file of this size be read? If not, a remark says why. */
static bool within_limits(import *im, const char *path, uint64_t size)
{
    if (size > JSON_TEXT_MAX)
        REMARK(im, FI103, path, "the file is too large: %llu bytes, at most %d are read",
               (unsigned long long)size, (int)JSON_TEXT_MAX);
    else if (im->source->total_size + size > SOURCE_TOTAL_MAX)
        REMARK(im, FI103, path, "the files are too large: at most %d bytes in all are read",
               (int)SOURCE_TOTAL_MAX);
    else if (im->source->file_count >= SOURCE_FILES_MAX)
        REMARK(im, FI103, path, "too many files: at most %d are read", (int)SOURCE_FILES_MAX);
    else
        return true;
    return false;
}

/* ---- texts that stand for files ---- */

/*
 * Adds a file whose text and objects are kept from an earlier import, without reading it.
 * Returns false if nothing is kept of it that may still be used.
 */
static bool add_kept(import *im, size_t root, const char *path, const char *relative,
                     const file_facts *facts, const ptl_file_text *text)
{
    size_t size = 0;
    kept_source *kept = sources_find(im, path, facts, text);
    char *content = kept ? sources_text(kept, &size) : NULL;
    if (kept)
        add_file(im, root, path, relative, content, size, kept);
    return kept != NULL;
}

void texts_find(import *im)
{
    const ptl_import_options *o = im->options;
    import_source *source = im->source;
    source->text_read = calloc(o->text_count + 1, sizeof *source->text_read);
    if (!source->text_read)
        import_no_memory(im);
    for (size_t i = 0; i < o->text_count && !import_ended(im); i++)
        if (strmap_put(&source->text_map, o->texts[i].path, (uint32_t)i) != 0)
            import_no_memory(im);
}

const ptl_file_text *texts_get(const import *im, const char *path)
{
    const uint32_t number = strmap_get(&im->source->text_map, path);
    return number == STRMAP_NONE ? NULL : &im->options->texts[number];
}

/* If there is a text for the path, adds it in place of a file and returns true. */
static bool add_text(import *im, size_t root, const char *path, const char *relative)
{
    const ptl_file_text *t = texts_get(im, path);
    if (!t)
        return false;
    im->source->text_read[t - im->options->texts] = true;
    if (!within_limits(im, path, t->length) || add_kept(im, root, path, relative, NULL, t))
        return true;
    char *text = malloc(t->length + 1);
    if (!text) {
        import_no_memory(im);
        return true;
    }
    if (t->length > 0)
        memcpy(text, t->text, t->length);
    text[t->length] = '\0';
    add_file(im, root, path, relative, text, t->length,
             sources_add(im, path, NULL, t, text, t->length));
    return true;
}

/* Returns whether a walk over folders would read a file of this path: its name ends in .json,
 * and none of its parts begins with a dot. */
static bool is_readable(const char *relative)
{
    static const char end[] = ".json";
    const size_t length = strlen(relative), tail = sizeof end - 1;
    int depth = 0;
    if (length <= tail || strcmp(relative + length - tail, end) != 0)
        return false;
    for (const char *part = relative; part; depth++) {
        if (*part == '.' || *part == '/')
            return false;
        const char *slash = strchr(part, '/');
        part = slash ? slash + 1 : NULL;
    }
    return depth <= SOURCE_FOLDER_DEPTH_MAX;
}

/* Adds the texts whose paths lead into a directory, but to no file there. The files of the
 * directory, from number `first` on, stay in order. */
static void add_new_texts(import *im, size_t root, const char *directory, size_t first)
{
    import_source *source = im->source;
    const char *folder = path_below(im, directory, ".");
    const size_t length = import_ended(im) ? 0 : strlen(folder) - 1;
    for (size_t i = 0; i < im->options->text_count && !import_ended(im); i++) {
        const char *path = im->options->texts[i].path;
        if (source->text_read[i] || strmap_get(&source->text_map, path) != i ||
            strncmp(path, folder, length) != 0 || !is_readable(path + length))
            continue;
        const char *copy = arena_strdup(im->arena, path);
        const size_t count = source->file_count;
        if (!copy) {
            import_no_memory(im);
            return;
        }
        add_text(im, root, copy, copy + length);
        /* The same text may belong to another of the given directories, too. */
        source->text_read[i] = false;
        for (size_t k = source->file_count - 1; source->file_count > count && k > first; k--) {
            found_file **at = &source->files[k], *moved = at[-1];
            if (strcmp(moved->relative, at[0]->relative) < 0)
                break;
            at[-1] = at[0];
            at[0] = moved;
        }
    }
}

/* Gives the facts of an open file; false, with a remark, if it may not be read. */
static bool look_at(import *im, const char *path, int fd, file_facts *facts)
{
    if (!file_look_open(facts, fd)) {
        REMARK(im, FI101, path, "can't be read: %s", strerror(errno));
        return false;
    }
    if (facts->kind != FILE_REGULAR) {
        REMARK(im, FI101, path, "not a regular file");
        return false;
    }
    return within_limits(im, path, facts->size);
}

/*
 * Reads the text of an open file, whose facts the caller has, into a new buffer with a NUL
 * behind the text. Another program may write the file at the same time. So the facts are looked
 * at again afterwards, and if they differ, the file is read anew after a pause. Returns NULL
 * after a remark if the file can't be read, or does not come to rest.
 */
static char *read_text(import *im, const char *path, int fd, file_facts *facts)
{
    /* PAUSE: the first pause in milliseconds; each next one is twice as long. */
    enum { TRIES = 5, PAUSE = 4 };
    for (int i = 0; i < TRIES; i++) {
        const file_facts before = *facts;
        char *text = malloc((size_t)before.size + 1);
        if (!text) {
            import_no_memory(im);
            return NULL;
        }
        const int64_t size = file_read_at(fd, text, (size_t)before.size, 0);
        if (size < 0 || !file_look_open(facts, fd)) {
            REMARK(im, FI101, path, "can't be read: %s", strerror(errno));
            free(text);
            return NULL;
        }
        text[size] = '\0';
        if ((uint64_t)size == before.size && file_facts_same(facts, &before))
            return text;
        free(text);
        clock_sleep(PAUSE << i);
        if (!look_at(im, path, fd, facts))
            return NULL;
    }
    REMARK(im, FI101, path, "another program changes it while it is read");
    return NULL;
}

/* Reads an open file, after checks by its descriptor, since another program may have replaced
 * the file of that name. */
static void read_open_file(import *im, size_t root, const char *path, const char *relative,
                           int fd)
{
    file_facts facts;
    if (!look_at(im, path, fd, &facts) || add_kept(im, root, path, relative, &facts, NULL))
        return;
    char *text = read_text(im, path, fd, &facts);
    if (text)
        add_file(im, root, path, relative, text, (size_t)facts.size,
                 sources_add(im, path, &facts, NULL, text, (size_t)facts.size));
}

/* Returns whether this is the world file that is to be written. That file is not even opened,
 * because closing it would drop the locks that SQLite has on it. */
static bool is_world(import *im, const file_facts *facts, const char *path)
{
    if (!im->has_world || !file_id_same(&facts->id, &im->world))
        return false;
    REMARK(im, FI101, path, "this is the world file itself");
    return true;
}

/* Adds a name in a folder to the list, if it is a folder or a JSON file. `path` is the
 * folder's path. */
static void add_entry(import *im, entry_list *list, int folder, const char *path,
                      const char *name)
{
    file_facts facts;
    if (name[0] == '.')
        return;
    if (!file_look_in(&facts, folder, name)) {
        const int code = errno;
        if (code != ENOENT) /* with ENOENT the file was removed meanwhile */
            REMARK(im, FI101, path_below(im, path, name), "can't be read: %s", strerror(code));
        return;
    }
    bool is_link = facts.kind == FILE_LINK;
    if (is_link) /* a broken link leaves `facts` as they are: those of the link */
        (void)file_look_through(&facts, folder, name);
    static const char end[] = ".json";
    const size_t length = strlen(name), tail = sizeof end - 1;
    const bool is_folder = facts.kind == FILE_FOLDER;
    if (!is_folder && (length < tail || strcmp(name + length - tail, end) != 0))
        return;
    char *copy = malloc(length + 2);
    if (!copy || !SOURCE_ROOM(im, list->items, list->count, list->capacity)) {
        free(copy);
        import_no_memory(im);
        return;
    }
    memcpy(copy, name, length + 1);
    if (is_folder)
        memcpy(copy + length, "/", 2);
    list->items[list->count++] = (entry){copy, is_link};
}

static void list_folder(import *im, entry_list *list, int folder, const char *path)
{
    folder_list *names = folder_list_of(folder);
    if (!names) {
        if (errno == ENOMEM)
            import_no_memory(im);
        REMARK(im, FI101, path, "can't be listed: %s", strerror(errno));
        return;
    }
    for (const char *name; !import_ended(im) && (name = folder_list_next(names)) != NULL;)
        add_entry(im, list, folder, path, name);
    if (!import_ended(im) && errno != 0)
        REMARK(im, FI101, path, "can't be listed: %s", strerror(errno));
    folder_list_close(names);
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare);
}

/* The place that the walk has come to: the given directory, and a folder below it. */
typedef struct walk_place {
    size_t root;
    int folder;
    const char *path, *relative;
    int depth;
} walk_place;

static void walk_folder(import *im, walk_place place);

static void enter_folder(import *im, walk_place place, int parent, const char *name)
{
    if (place.depth > SOURCE_FOLDER_DEPTH_MAX) {
        REMARK(im, FI103, place.path, "folders nested more than %d deep",
               (int)SOURCE_FOLDER_DEPTH_MAX);
        return;
    }
    place.folder = folder_open_in(parent, name);
    if (place.folder < 0) {
        REMARK(im, FI101, place.path, "can't be listed: %s", strerror(errno));
        return;
    }
    walk_folder(im, place);
    file_close(place.folder);
}

static void read_file(import *im, size_t root, int folder, const char *name, const char *path,
                      const char *relative)
{
    file_facts facts;
    const bool is_there = file_look_in(&facts, folder, name);
    if ((is_there && is_world(im, &facts, path)) || add_text(im, root, path, relative))
        return;
    /*
     * Takes the file's text from an earlier import, if that is kept and the file has not
     * changed. It is not larger than one file may be, and it is quicker than opening the file.
     */
    if (is_there && facts.kind == FILE_REGULAR &&
        im->source->total_size + facts.size <= SOURCE_TOTAL_MAX &&
        im->source->file_count < SOURCE_FILES_MAX &&
        add_kept(im, root, path, relative, &facts, NULL))
        return;
    int fd = file_open_in(folder, name);
    if (fd < 0) {
        REMARK(im, FI101, path, "can't be read: %s", strerror(errno));
        return;
    }
    read_open_file(im, root, path, relative, fd);
    file_close(fd);
}

/* Walks over the files and folders in a folder that is open, in bytewise order of their names.
 */
static void walk_folder(import *im, walk_place place)
{
    entry_list list = {NULL, 0, 0};
    list_folder(im, &list, place.folder, place.path);
    for (size_t i = 0; i < list.count && !import_ended(im); i++) {
        char *name = list.items[i].name;
        size_t length = strlen(name);
        bool is_folder = name[length - 1] == '/';
        if (is_folder)
            name[length - 1] = '\0';
        walk_place inner = {place.root, -1, path_below(im, place.path, name),
                            path_below(im, place.relative, name), place.depth + 1};
        if (import_ended(im)) /* no memory was left for the text of a path */
            break;
        if (list.items[i].is_link)
            REMARK(im, FI104, inner.path, "a symbolic link: not read");
        else if (is_folder)
            enter_folder(im, inner, place.folder, name);
        else
            read_file(im, place.root, place.folder, name, inner.path, inner.relative);
    }
    for (size_t i = 0; i < list.count; i++)
        free(list.items[i].name);
    free(list.items);
}

/* Walks a directory or a file that the caller gave; a symbolic link is followed here. */
static void walk_root(import *im, size_t root, const char *directory)
{
    file_facts facts;
    if (file_look(&facts, directory) && is_world(im, &facts, directory))
        return;
    int fd = file_open_any(directory);
    if (fd < 0 || !file_look_open(&facts, fd)) {
        int code = errno;
        file_close(fd);
        import_fail(im, error_system(im->err, code == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO,
                                     code, "%s", directory));
        return;
    }
    size_t before = im->source->file_count;
    uint64_t errors = im->report->errors;
    const char *path = path_below(im, directory, "");
    if (facts.kind == FILE_FOLDER) {
        walk_folder(im, (walk_place){root, fd, path, "", 0});
        add_new_texts(im, root, path, before);
    } else if (!add_text(im, root, path, ""))
        read_open_file(im, root, path, "", fd);
    file_close(fd);
    if (!import_ended(im) && im->source->file_count == before && im->report->errors == errors)
        REMARK(im, FI102, directory, "no JSON files in it");
}

static void add_builtin(import *im)
{
    for (size_t i = 0; i < builtin_file_count; i++) {
        const struct builtin_file *b = &builtin_files[i];
        const char *path = path_below(im, "builtin:", b->path);
        /* A built-in file never changes, so it has no time of change. */
        const file_facts never = {.size = b->size};
        if (import_ended(im) || add_kept(im, 0, path, b->path, &never, NULL))
            continue;
        char *text = malloc(b->size + 1);
        if (!text) {
            import_no_memory(im);
            return;
        }
        memcpy(text, b->data, b->size);
        text[b->size] = '\0';
        add_file(im, 0, path, b->path, text, b->size,
                 sources_add(im, path, &never, NULL, text, b->size));
    }
}

void walk_all(import *im)
{
    const import_source *source = im->source;
    for (size_t i = 0; i < source->root_count && !import_ended(im); i++) {
        if (source->roots[i].path[0])
            walk_root(im, i, source->roots[i].path);
        else
            add_builtin(im);
    }
}
