/*
 * Files of a save: its folder with the lock, what the names in it mean, and lists of files
 * with sizes and digests. Everything goes through descriptors of folders and never follows a
 * link below SAVE, so that nothing outside of SAVE can be touched.
 */
#include "core/array.h"
#include "exchange/into_impl.h"
#include "os/folder.h"
#include "os/lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

ptl_status into_failed(const char *where, const char *name, const char *what, ptl_error *err)
{
    const int code = errno;
    if (code == ENOMEM)
        return error_nomem(err);
    const bool refused = code == EACCES || code == EPERM || code == EROFS;
    return error_system(err, refused ? PTL_ERR_READONLY : PTL_ERR_IO, code, "%s/%s%s%s", where,
                        name, what[0] ? ": " : "", what);
}

char *into_read(int folder, const char *name, size_t most, size_t *size)
{
    file_facts facts = {.size = 0};
    const int fd = file_open_in(folder, name);
    int code = 0;
    if (fd < 0 || !file_look_open(&facts, fd))
        code = errno;
    else if (facts.kind != FILE_REGULAR || facts.size > most)
        code = facts.kind == FILE_REGULAR ? EFBIG : EINVAL;
    char *text = code == 0 ? malloc((size_t)facts.size + 1) : NULL;
    const int64_t count = text ? file_read(fd, text, (size_t)facts.size) : -1;
    if (code == 0 && count < 0)
        code = text ? errno : ENOMEM;
    file_close(fd);
    if (code != 0) {
        free(text);
        errno = code;
        return NULL;
    }
    text[count] = '\0';
    *size = (size_t)count;
    return text;
}

/* ---- SAVE ---- */

ptl_status save_folder_open(save_folder *out, const char *path, stop_hook stop, ptl_error *err)
{
    file_facts facts;
    *out = (save_folder){.path = path, .fd = -1, .stop = stop};
    if (!path || !path[0])
        return error_set(err, PTL_ERR_ARGUMENT, "no save to export into");
    out->fd = folder_open(path);
    if (out->fd < 0)
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            path);
    if (!file_look_open(&facts, out->fd))
        return into_failed(path, ".", "", err);
    out->changed = facts.changed;
    /* Some file systems cannot lock folders. There, another call of ptl_game_save_put or
     * ptl_game_save_undo can't be noticed. */
    if (!lock_take(out->fd, false) && errno == EWOULDBLOCK)
        return error_set(err, PTL_ERR_BUSY, "%s: another portolan export is at work there",
                         path);
    return PTL_OK;
}

void save_folder_close(save_folder *f)
{
    zzip_free(f->layout.form.packer);
    f->layout.form.packer = NULL;
    file_close(f->fd); /* f->fd is the folder; closing it also releases the lock */
    f->fd = -1;
}

static bool is_file(const save_folder *f, const char *name)
{
    file_facts facts;
    return file_look_in(&facts, f->fd, name) && facts.kind == FILE_REGULAR;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t size = strlen(name), tail = strlen(end);
    return size > tail && strcmp(name + size - tail, end) == 0;
}

static bool is_character(const char *name)
{
    return ends_with(name, ".sav") || ends_with(name, ".sav" SAVE_PACKED_SUFFIX);
}

bool entry_is_of_play(const char *name)
{
    return is_character(name) || ends_with(name, ".gsav");
}

/* If the folder is not a save but contains saves, sets an error that suggests the first of
 * them. */
static void suggest(const save_folder *f, const save_entries *names, ptl_error *err)
{
    for (size_t i = 0; i < names->count; i++) {
        char below[INTO_PATH_MAX];
        file_facts facts;
        const int size =
            snprintf(below, sizeof below, "%s/worldoptions.json", names->list[i].path);
        if (size > 0 && (size_t)size < sizeof below &&
            file_look_through(&facts, f->fd, below)) {
            error_set(err, PTL_ERR_ARGUMENT, "%s is no save; did you mean %s/%s?", f->path,
                      f->path, names->list[i].path);
            return;
        }
    }
}

/* Returns whether the name has only printable ASCII characters. The names that the game gives
 * to files do, and the names in the manifest must. */
static bool plain(const char *name)
{
    for (; *name; name++)
        if (*name < 0x20 || *name > 0x7e)
            return false;
    return true;
}

#define DICTIONARY "overmaps.dict"

/* Reads the version of the save from the first line of master.gsav. */
static ptl_status find_version(int *out, const save_folder *f, ptl_error *err)
{
    char line[40] = "";
    long version = 0;
    const int fd = file_open_in(f->fd, "master.gsav");
    const int64_t size = fd >= 0 ? file_read(fd, line, sizeof line - 1) : -1;
    file_close(fd);
    if (size < 0)
        return into_failed(f->path, "master.gsav", "", err);
    line[size] = '\0';
    static const char begin[] = "# version ";
    if (strncmp(line, begin, sizeof begin - 1) == 0)
        version = strtol(line + sizeof begin - 1, NULL, 10);
    const save_version *known = save_version_of(version);
    *out = known ? known->number : SAVE_VERSION;
    if (known)
        return PTL_OK;
    return error_set(err, PTL_ERR_ARGUMENT,
                     "%s: a save of version %ld; only those of Cataclysm: DDA 0.F (%d) and 0.I "
                     "(%d) and of Bright Nights (%d) are known",
                     f->path, version, SAVE_VERSION, SAVE_VERSION_0I, SAVE_VERSION_BN);
}

enum { DICTIONARY_MAX = 16 << 20 /* bytes */ };

static ptl_status open_dictionary(zzip **out, const save_folder *f, ptl_error *err)
{
    size_t size = 0;
    char *data = into_read(f->fd, DICTIONARY, DICTIONARY_MAX, &size);
    ptl_status status = PTL_OK;
    if (!data && errno == ENOENT)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "%s has compressed overmaps, and no " DICTIONARY
                         ", the dictionary that they need",
                         f->path);
    if (!data && errno != EINVAL && errno != EFBIG)
        return into_failed(f->path, DICTIONARY, "", err);
    if (size == 0)
        status =
            error_set(err, PTL_ERR_ARGUMENT, "%s/" DICTIONARY ": not a dictionary", f->path);
    else if (!(*out = zzip_new(data, size)))
        status = error_set(err, PTL_ERR_CORRUPT, "%s/" DICTIONARY ": not a dictionary of zstd",
                           f->path);
    free(data);
    return status;
}

/* Finds the form of the save's overmaps from the version in master.gsav and from the files.
 * 0.I compresses overmaps if the folder has the dictionary; otherwise, or if somebody has
 * unpacked them, they are plain texts. PTL_ERR_ARGUMENT: the version is unknown. */
static ptl_status save_layout_find(save_layout *out, const save_folder *f, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    file_facts facts;
    bool found = false, packed = false, plain = false;
    zzip_free(out->form.packer);
    *out = (save_layout){.below = false};
    ptl_status status = find_version(&out->form.version, f, err);
    out->databases = status == PTL_OK && save_version_of(out->form.version)->databases &&
                     is_file(f, SAVE_DATABASE);
    if (status != PTL_OK || !save_version_of(out->form.version)->of_0i)
        return status;
    status = folder_names_below(&names, f->fd, INTO_BELOW, f->path, &found, err);
    for (size_t i = 0; i < names.count; i++) {
        ptl_chunk_pos pos;
        const bool is_plain = save_name_parse(names.list[i].path, &pos);
        plain = plain || is_plain;
        packed = packed || (!is_plain && save_name_parse_any(names.list[i].path, &pos));
    }
    save_entries_dispose(&names);
    packed = packed || (!plain && file_look_in(&facts, f->fd, DICTIONARY));
    out->below = packed || plain;
    return status == PTL_OK && packed ? open_dictionary(&out->form.packer, f, err) : status;
}

ptl_status save_folder_check(save_folder *f, ptl_error *err)
{
    static const char *const needed[] = {"worldoptions.json", "mods.json", "master.gsav"};
    static const char *const whys[] = {
        "it is no world of the game", "it is no world of the game", "save the game in it once"};
    save_entries names = {NULL, 0, 0};
    ptl_status status = folder_names(&names, f->fd, f->path, err);
    if (status == PTL_OK && !is_file(f, needed[0])) {
        suggest(f, &names, err);
        status = err && err->status != PTL_OK ? err->status : status;
    }
    for (size_t i = 0; i < 3 && status == PTL_OK; i++)
        if (!is_file(f, needed[i]))
            status = error_set(err, PTL_ERR_ARGUMENT, "%s has no file %s: %s", f->path,
                               needed[i], whys[i]);
    bool character = false;
    for (size_t i = 0; i < names.count; i++)
        character = character || is_character(names.list[i].path);
    if (status == PTL_OK && !character)
        status = error_set(
            err, PTL_ERR_ARGUMENT,
            "%s has no character (no file *.sav or *.sav.zzip): make one and save the game",
            f->path);
    save_entries_dispose(&names);
    return status == PTL_OK ? save_layout_find(&f->layout, f, err) : status;
}

entry_kind entry_kind_of(const char *name)
{
    ptl_chunk_pos pos;
    size_t character;
    if (strcmp(name, "maps") == 0)
        return ENTRY_MAPS;
    if (strcmp(name, INTO_BELOW) == 0)
        return ENTRY_OVERMAPS;
    if (strcmp(name, SAVE_DATABASE) == 0 || save_name_parse_database(name, &character))
        return ENTRY_DATABASE;
    if (save_name_parse(name, &pos))
        return ENTRY_OVERMAP;
    /* Is it a character's memory of maps? That is the folder NAME.mm1 or, in older games, the
     * file NAME.mm; compressed if the game compresses saves. */
    static const char *const ends[] = {".mm1", ".mm", ".mm1" SAVE_PACKED_SUFFIX,
                                       ".mm" SAVE_PACKED_SUFFIX};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(name, ends[i]))
            return ENTRY_MEMORY;
    return save_name_parse_seen(name, &character, &pos) ? ENTRY_SEEN : ENTRY_OTHER;
}

/* ---- lists of entries ---- */

void save_entries_dispose(save_entries *e)
{
    for (size_t i = 0; i < e->count; i++)
        free(e->list[i].path);
    free(e->list);
    *e = (save_entries){NULL, 0, 0};
}

ptl_status save_entries_add(save_entries *e, const char *path, const save_entry *values,
                            ptl_error *err)
{
    if (e->count == INTO_ENTRIES_MAX)
        return error_set(err, PTL_ERR_LIMIT, "more than %d files", INTO_ENTRIES_MAX);
    if (!ARRAY_ROOM(e->list, e->room, e->count + 1))
        return error_nomem(err);
    save_entry *entry = &e->list[e->count];
    *entry = values ? *values : (save_entry){.path = NULL};
    entry->path = strdup(path);
    if (!entry->path)
        return error_nomem(err);
    e->count++;
    return PTL_OK;
}

static int by_path(const void *a, const void *b)
{
    const save_entry *x = a, *y = b;
    return strcmp(x->path, y->path);
}

void save_entries_sort(save_entries *e)
{
    if (e->count > 1)
        qsort(e->list, e->count, sizeof *e->list, by_path);
}

const save_entry *save_entries_find(const save_entries *e, const char *path)
{
    const save_entry key = {.path = (char *)(uintptr_t)path};
    return e->count ? bsearch(&key, e->list, e->count, sizeof *e->list, by_path) : NULL;
}

/* ---- walking ---- */

ptl_status folder_names(save_entries *out, int folder, const char *where, ptl_error *err)
{
    folder_list *list = folder_list_of(folder);
    ptl_status status = PTL_OK;
    if (!list)
        return into_failed(where, ".", "", err);
    for (const char *name; status == PTL_OK && (name = folder_list_next(list)) != NULL;)
        status = save_entries_add(out, name, NULL, err);
    if (status == PTL_OK && errno != 0)
        status = into_failed(where, ".", "", err);
    folder_list_close(list);
    save_entries_sort(out);
    return status;
}

/* Finds the size and the digest of the file, for which it reads the whole file. */
static ptl_status hash_file(save_entry *out, int fd, const entry_walk *walk, const char *name,
                            ptl_error *err)
{
    digest_state state;
    char buffer[1 << 16];
    digest_init(&state);
    out->size = 0;
    for (int64_t n = 1; n != 0;) {
        if (stop_check(walk->stop, err) != PTL_OK)
            return PTL_ERR_CANCELLED;
        n = file_read(fd, buffer, sizeof buffer);
        if (n < 0)
            return into_failed(walk->where, name, "", err);
        digest_update(&state, buffer, (size_t)n);
        out->size += (uint64_t)n;
    }
    digest_final(&state, &out->digest);
    return PTL_OK;
}

/* A file or folder that is found while a save's folders are walked through: the open folder in
 * which it lies, its name there, and its path below SAVE. */
typedef struct place {
    const entry_walk *walk;
    int folder;
    const char *name, *path;
    int depth;
} place;

/* Adds a file to the list. That it is a regular file was found by its name. This is checked
 * again once the file is open, since another program may have replaced it in between. */
static ptl_status walk_file(const place *p, ptl_error *err)
{
    file_facts facts;
    save_entry entry = {.path = NULL};
    const int fd = file_open_in(p->folder, p->name);
    if (fd < 0 || !file_look_open(&facts, fd)) {
        const ptl_status failed = into_failed(p->walk->where, p->path, "", err);
        file_close(fd);
        return failed;
    }
    ptl_status status = PTL_OK;
    if (facts.kind != FILE_REGULAR)
        status = error_set(err, PTL_ERR_ARGUMENT, "%s/%s was replaced just now", p->walk->where,
                           p->path);
    else if (p->walk->source && file_id_same(p->walk->source, &facts.id))
        status = error_set(err, PTL_ERR_ARGUMENT,
                           "%s/%s is the world file itself, which would be moved away",
                           p->walk->where, p->path);
    else
        status = hash_file(&entry, fd, p->walk, p->path, err);
    file_close(fd);
    return status == PTL_OK ? save_entries_add(p->walk->entries, p->path, &entry, err) : status;
}

static ptl_status walk_entry(const place *p, ptl_error *err);

static ptl_status walk_below(const place *p, int fd, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    ptl_status status = folder_names(&names, fd, p->walk->where, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        char path[INTO_PATH_MAX];
        const int size = snprintf(path, sizeof path, "%s/%s", p->path, names.list[i].path);
        if (size < 0 || (size_t)size >= sizeof path)
            status = error_set(err, PTL_ERR_LIMIT, "%s/%s: paths that are too long",
                               p->walk->where, p->path);
        const place below = {p->walk, fd, names.list[i].path, path, p->depth + 1};
        THEN(status, walk_entry(&below, err));
    }
    save_entries_dispose(&names);
    return status;
}

static ptl_status walk_entry(const place *p, ptl_error *err)
{
    file_facts facts;
    if (!plain(p->name))
        return error_set(err, PTL_ERR_ARGUMENT, "%s/%s: a name that no game makes",
                         p->walk->where, p->path);
    if (!file_look_in(&facts, p->folder, p->name))
        return into_failed(p->walk->where, p->path, "", err);
    if (facts.kind == FILE_FOLDER) {
        const save_entry entry = {.folder = true};
        if (p->depth == INTO_DEPTH_MAX)
            return error_set(err, PTL_ERR_LIMIT, "%s/%s: more than %d folders deep",
                             p->walk->where, p->path, INTO_DEPTH_MAX);
        const int fd = folder_open_in(p->folder, p->name);
        if (fd < 0)
            return into_failed(p->walk->where, p->path, "", err);
        ptl_status status = save_entries_add(p->walk->entries, p->path, &entry, err);
        THEN(status, walk_below(p, fd, err));
        file_close(fd);
        return status;
    }
    if (facts.kind == FILE_REGULAR)
        return walk_file(p, err);
    return error_set(err, PTL_ERR_ARGUMENT,
                     "%s/%s is neither a file nor a folder: no game makes such a thing",
                     p->walk->where, p->path);
}

ptl_status entry_walk_from(const entry_walk *w, int folder, const char *name, bool *found,
                           ptl_error *err)
{
    file_facts facts;
    *found = file_look_in(&facts, folder, name);
    if (!*found)
        return errno == ENOENT ? PTL_OK : into_failed(w->where, name, "", err);
    const place p = {w, folder, name, name, 0};
    return walk_entry(&p, err);
}

/* ---- renaming ---- */

ptl_status rename_to_free(int from, int to, const char *name, const char *where, ptl_error *err)
{
    errno = file_move_to_free(from, to, name);
    if (errno == 0)
        return PTL_OK;
    if (errno == EEXIST || errno == ENOTEMPTY)
        return error_set(err, PTL_ERR_EXISTS, "%s/%s is in the way", where, name);
    return into_failed(where, name, "", err);
}

ptl_status folder_names_below(save_entries *out, int folder, const char *name,
                              const char *where, bool *found, ptl_error *err)
{
    file_facts facts;
    *found = file_look_in(&facts, folder, name);
    if (!*found)
        return errno == ENOENT ? PTL_OK : into_failed(where, name, "", err);
    if (facts.kind != FILE_FOLDER)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "%s/%s is no folder: no game makes such a thing", where, name);
    const int fd = folder_open_in(folder, name);
    if (fd < 0)
        return into_failed(where, name, "", err);
    const ptl_status status = folder_names(out, fd, where, err);
    file_close(fd);
    return status;
}
