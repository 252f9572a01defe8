/*
 * Finds and reads the JSON files of the given directories, in bytewise order of their paths.
 * Content comes from anyone: folders are opened one below the other without following symbolic
 * links, so that nothing leads out of a given directory; only regular files are read, and only
 * as much as the limits allow. Names that begin with a dot are passed over.
 */
#include "content/import/builtin.h"
#include "content/import/source.h"
#include "core/bytes.h"
#include "core/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry {
    char *name; /* owned; a folder's ends in '/', which sorts whole paths bytewise */
    bool is_link;
} entry;

typedef struct entry_list {
    entry *items;
    size_t count, capacity;
} entry_list;

static void entries_dispose(entry_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].name);
    free(list->items);
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* "parent/name", or what is not empty of the two. */
static const char *path_below(import *im, const char *parent, const char *name)
{
    size_t length = strlen(parent), name_length = strlen(name);
    bool slash = length > 0 && name_length > 0 && parent[length - 1] != '/';
    char *out = arena_alloc(im->arena, length + name_length + 2);
    if (!out)
        return NULL;
    memcpy(out, parent, length);
    if (slash)
        out[length++] = '/';
    memcpy(out + length, name, name_length + 1);
    return out;
}

static ptl_status nomem(import *im)
{
    return error_nomem(im->err);
}

/* A remark on a path; the import goes on. */
#define REMARK(im, severity, path_, ...)                                                       \
    diagnostic_add(im, severity, (diagnostic_place){.path = (path_)}, __VA_ARGS__)

static ptl_status add_file(import *im, size_t root, const char *path, const char *relative,
                           char *text, size_t size)
{
    import_source *source = im->source;
    found_file *f = arena_alloc(im->arena, sizeof *f);
    if (!f || !source_grow(im, (void **)&source->files, source->file_count,
                           &source->file_capacity, sizeof(found_file *))) {
        free(text);
        return nomem(im);
    }
    /* A byte order mark is no part of the text. */
    size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    f->file.path = path;
    f->file.text = text + mark;
    f->file.size = size - mark;
    f->relative = relative;
    f->text = text;
    f->root = root;
    source->files[source->file_count++] = f;
    source->total_size += size;
    return PTL_OK;
}

/* Whether a file of that size may be read; else it is remarked on. */
static bool within_limits(import *im, const char *path, uint64_t size)
{
    if (size > JSON_TEXT_MAX)
        REMARK(im, PTL_ERROR, path, "the file is too large: %llu bytes, at most %d are read",
               (unsigned long long)size, (int)JSON_TEXT_MAX);
    else if (im->source->total_size + size > SOURCE_TOTAL_MAX)
        REMARK(im, PTL_ERROR, path, "the files are too large: at most %d bytes in all are read",
               (int)SOURCE_TOTAL_MAX);
    else if (im->source->file_count >= SOURCE_FILES_MAX)
        REMARK(im, PTL_ERROR, path, "too many files: at most %d are read",
               (int)SOURCE_FILES_MAX);
    else
        return true;
    return false;
}

/* Reads up to size bytes; a file that shrank gives what there is. -1 with errno on failure. */
static ssize_t read_whole(int fd, char *out, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = read(fd, out + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static ptl_status read_open_file(import *im, size_t root, const char *path,
                                 const char *relative, int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        REMARK(im, PTL_ERROR, path, "can't be read: %s", strerror(errno));
        return PTL_OK;
    }
    if (!S_ISREG(info.st_mode)) {
        REMARK(im, PTL_ERROR, path, "not a regular file");
        return PTL_OK;
    }
    if (!within_limits(im, path, (uint64_t)info.st_size))
        return PTL_OK;
    char *text = malloc((size_t)info.st_size + 1);
    if (!text)
        return nomem(im);
    ssize_t size = read_whole(fd, text, (size_t)info.st_size);
    if (size < 0) {
        REMARK(im, PTL_ERROR, path, "can't be read: %s", strerror(errno));
        free(text);
        return PTL_OK;
    }
    text[size] = '\0';
    return add_file(im, root, path, relative, text, (size_t)size);
}

/* The world file is not even opened: to close it again would drop the locks that SQLite has on
 * it. */
static bool is_world(import *im, const struct stat *info, const char *path)
{
    const file_id id = {info->st_dev, info->st_ino};
    if (!im->has_world || !file_id_same(&id, &im->world))
        return false;
    REMARK(im, PTL_ERROR, path, "this is the world file itself");
    return true;
}

/* O_NONBLOCK: a named pipe must not make the import wait for a writer. */
static ptl_status read_file(import *im, size_t root, int folder, const char *name,
                            const char *path, const char *relative)
{
    struct stat info;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && is_world(im, &info, path))
        return PTL_OK;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        REMARK(im, PTL_ERROR, path, "can't be read: %s", strerror(errno));
        return PTL_OK;
    }
    ptl_status status = read_open_file(im, root, path, relative, fd);
    close(fd);
    return status;
}

/* Adds a name of a folder to the list, if there is something to read under it. path is the
 * folder's. */
static ptl_status add_entry(import *im, entry_list *list, int folder, const char *path,
                            const char *name)
{
    struct stat info;
    if (name[0] == '.')
        return PTL_OK;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        const int code = errno;
        const char *where = code == ENOENT ? "" : path_below(im, path, name);
        if (!where)
            return nomem(im);
        if (code != ENOENT) /* else it has just been removed */
            REMARK(im, PTL_ERROR, where, "can't be read: %s", strerror(code));
        return PTL_OK;
    }
    bool is_link = S_ISLNK(info.st_mode);
    if (is_link && fstatat(folder, name, &info, 0) != 0)
        info.st_mode = 0; /* it leads nowhere */
    bool is_folder = S_ISDIR(info.st_mode);
    if (!is_folder && !ends_with(name, ".json"))
        return PTL_OK;
    size_t length = strlen(name);
    char *copy = malloc(length + 2);
    if (!copy || !source_grow(im, (void **)&list->items, list->count, &list->capacity,
                              sizeof *list->items)) {
        free(copy);
        return nomem(im);
    }
    memcpy(copy, name, length + 1);
    if (is_folder)
        memcpy(copy + length, "/", 2);
    list->items[list->count++] = (entry){copy, is_link};
    return PTL_OK;
}

static ptl_status list_folder(import *im, entry_list *list, int folder, const char *path)
{
    int again = dup(folder); /* closedir closes it */
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    if (!dir) {
        int code = errno;
        if (again >= 0)
            close(again);
        if (code == ENOMEM)
            return nomem(im);
        REMARK(im, PTL_ERROR, path, "can't be listed: %s", strerror(code));
        return PTL_OK;
    }
    ptl_status status = PTL_OK;
    errno = 0;
    for (struct dirent *d; status == PTL_OK && (d = readdir(dir)) != NULL; errno = 0)
        status = add_entry(im, list, folder, path, d->d_name);
    if (status == PTL_OK && errno != 0)
        REMARK(im, PTL_ERROR, path, "can't be listed: %s", strerror(errno));
    closedir(dir);
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare);
    return status;
}

/* The folders between a given directory and where the walk is. */
typedef struct walk_place {
    size_t root;
    int folder;
    const char *path, *relative;
    int depth;
} walk_place;

static ptl_status walk_folder(import *im, walk_place place);

static ptl_status enter_folder(import *im, walk_place place, int parent, const char *name)
{
    if (place.depth > SOURCE_FOLDER_DEPTH_MAX) {
        REMARK(im, PTL_ERROR, place.path, "folders nested more than %d deep",
               (int)SOURCE_FOLDER_DEPTH_MAX);
        return PTL_OK;
    }
    place.folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place.folder < 0) {
        REMARK(im, PTL_ERROR, place.path, "can't be listed: %s", strerror(errno));
        return PTL_OK;
    }
    ptl_status status = walk_folder(im, place);
    close(place.folder);
    return status;
}

static ptl_status walk_folder(import *im, walk_place place)
{
    entry_list list = {NULL, 0, 0};
    ptl_status status = list_folder(im, &list, place.folder, place.path);
    for (size_t i = 0; i < list.count && status == PTL_OK; i++) {
        char *name = list.items[i].name;
        size_t length = strlen(name);
        bool is_folder = name[length - 1] == '/';
        if (is_folder)
            name[length - 1] = '\0';
        walk_place inner = {place.root, -1, path_below(im, place.path, name),
                            path_below(im, place.relative, name), place.depth + 1};
        if (!inner.path || !inner.relative)
            status = nomem(im);
        else if (list.items[i].is_link)
            REMARK(im, PTL_WARNING, inner.path, "a symbolic link: not read");
        else if (is_folder)
            status = enter_folder(im, inner, place.folder, name);
        else
            status = read_file(im, place.root, place.folder, name, inner.path, inner.relative);
    }
    entries_dispose(&list);
    return status;
}

/* A directory or a file that the caller named: a symbolic link is followed here. */
static ptl_status walk_root(import *im, size_t root, const char *directory)
{
    struct stat info;
    if (stat(directory, &info) == 0 && is_world(im, &info, directory))
        return PTL_OK;
    int fd = open(directory, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        int code = errno;
        if (fd >= 0)
            close(fd);
        return error_system(im->err, code == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, code,
                            "%s", directory);
    }
    size_t before = im->source->file_count;
    uint64_t errors = im->report->errors;
    ptl_status status;
    const char *path = path_below(im, directory, "");
    if (!path)
        status = nomem(im);
    else if (S_ISDIR(info.st_mode))
        status = walk_folder(im, (walk_place){root, fd, path, "", 0});
    else
        status = read_open_file(im, root, path, "", fd);
    close(fd);
    if (status == PTL_OK && im->source->file_count == before && im->report->errors == errors)
        REMARK(im, PTL_ERROR, directory, "no JSON files in it");
    return status;
}

static ptl_status add_builtin(import *im)
{
    for (size_t i = 0; i < builtin_file_count; i++) {
        const struct builtin_file *b = &builtin_files[i];
        const char *path = path_below(im, "builtin:", b->path);
        char *text = malloc(b->size + 1);
        if (!path || !text) {
            free(text);
            return nomem(im);
        }
        memcpy(text, b->data, b->size);
        text[b->size] = '\0';
        ptl_status status = add_file(im, 0, path, b->path, text, b->size);
        if (status != PTL_OK)
            return status;
    }
    return PTL_OK;
}

ptl_status walk_all(import *im)
{
    const ptl_import_options *options = im->options;
    ptl_status status = options->builtin ? add_builtin(im) : PTL_OK;
    for (size_t i = 0; i < options->directory_count && status == PTL_OK; i++)
        status = walk_root(im, i + (options->builtin ? 1 : 0), options->directories[i]);
    return status;
}
