/*
 * The texts of a save's overmaps, from plain files or compressed ones (.zzip), and where a save
 * has them: 0.F in its folder, 0.I in `overmaps` below it, with the dictionary beside that.
 */
#include "codec/zzip.h"
#include "core/error.h"
#include "exchange/exchange.h"
#include "os/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DICTIONARY_MAX = 16 << 20 };

struct save_files {
    char *directory;
    char *dictionary; /* its path; NULL: none was found */
    zzip *packed;     /* made for the first compressed file */
    file_id world;
    bool has_world;
};

/* The directory itself for the name "". */
static char *join(const char *directory, const char *name)
{
    const size_t room = strlen(directory) + strlen(name) + 2;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s%s%s", directory, *name ? "/" : "", name);
    return path;
}

static bool is_there(const char *path, file_kind kind)
{
    file_facts facts = {.size = 0};
    return path && file_look(&facts, path) && facts.kind == kind;
}

/* directory/name if it is there and of that kind, else NULL; *failed: memory is out. */
static char *find(const char *directory, const char *name, file_kind kind, bool *failed)
{
    char *path = join(directory, name);
    *failed = *failed || !path;
    if (is_there(path, kind))
        return path;
    free(path);
    return NULL;
}

ptl_status save_files_open(save_files **out, const char *directory, const char *world,
                           ptl_error *err)
{
    bool failed = false;
    save_files *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return error_nomem(err);
    s->has_world = world && file_id_of_path(&s->world, world);
    s->directory = find(directory, "overmaps", FILE_FOLDER, &failed);
    if (!s->directory && !failed)
        s->directory = join(directory, "");
    s->dictionary = find(directory, "overmaps.dict", FILE_REGULAR, &failed);
    if (!s->dictionary && !failed)
        s->dictionary = find(directory, "../overmaps.dict", FILE_REGULAR, &failed);
    return failed || !s->directory ? error_nomem(err) : PTL_OK;
}

void save_files_close(save_files *s)
{
    if (!s)
        return;
    zzip_free(s->packed);
    free(s->directory);
    free(s->dictionary);
    free(s);
}

const char *save_files_folder(const save_files *s)
{
    return s->directory;
}

/* ---- bytes ---- */

/* A regular file, or none. The world file is not opened: to close it again would drop the locks
 * that SQLite has on it. */
static ptl_status open_file(FILE **out, uint64_t *size, const save_files *s, const char *path,
                            ptl_error *err)
{
    file_facts facts = {.size = 0};
    ptl_status status = PTL_OK;
    int fd = -1;
    bool good = file_look(&facts, path);
    *out = NULL;
    if (good && s->has_world && file_id_same(&facts.id, &s->world))
        return error_set(err, PTL_ERR_ARGUMENT, "%s is the world file itself", path);
    if (good) {
        fd = file_open_any(path);
        good = fd >= 0 && file_look_open(&facts, fd);
    }
    *size = facts.size;
    if (good && facts.kind != FILE_REGULAR)
        status = error_set(err, PTL_ERR_IO, "%s: not a file", path);
    else if (!good || !(*out = fdopen(fd, "rb")))
        status = error_system(err, PTL_ERR_IO, errno, "%s", path);
    if (status != PTL_OK)
        file_close(fd);
    return status;
}

/* All of it, and a NUL behind. */
static ptl_status read_bytes(char **out, size_t *size, const save_files *s, const char *path,
                             size_t most, ptl_error *err)
{
    FILE *file;
    uint64_t length = 0;
    *out = NULL;
    ptl_status status = open_file(&file, &length, s, path, err);
    if (status != PTL_OK)
        return status;
    if (length > most)
        status = error_set(err, PTL_ERR_LIMIT, "%s: more than %zu bytes", path, most);
    if (status == PTL_OK) {
        *size = (size_t)length;
        *out = malloc(*size + 1);
        if (!*out)
            status = error_nomem(err);
        else if (fread(*out, 1, *size, file) != *size)
            status = ferror(file) ? error_system(err, PTL_ERR_IO, errno, "%s", path)
                                  : error_set(err, PTL_ERR_IO,
                                              "%s: it got shorter while it was read", path);
        else
            (*out)[*size] = '\0';
    }
    fclose(file);
    return status;
}

ptl_status save_text_read(char **text, size_t *size, const char *path, ptl_error *err)
{
    const save_files none = {.has_world = false};
    return read_bytes(text, size, &none, path, SAVE_FILE_MAX, err);
}

static ptl_status prepare_packed(save_files *s, ptl_error *err)
{
    char *data = NULL;
    size_t size = 0;
    ptl_status status = PTL_OK;
    if (s->packed)
        return PTL_OK;
    if (s->dictionary)
        status = read_bytes(&data, &size, s, s->dictionary, DICTIONARY_MAX, err);
    if (status == PTL_OK) {
        s->packed = zzip_new(data, size);
        if (!s->packed)
            status = s->dictionary ? error_set(err, PTL_ERR_CORRUPT,
                                               "%s: not a dictionary of zstd", s->dictionary)
                                   : error_nomem(err);
    }
    free(data);
    return status;
}

static ptl_status read_packed(char **out, size_t *size, save_files *s, const char *path,
                              ptl_chunk_pos pos, ptl_error *err)
{
    char entry[40], *data = NULL;
    size_t length = 0;
    bytes text;
    bytes_init(&text);
    snprintf(entry, sizeof entry, "o.%d.%d", pos.x, pos.y);
    ptl_status status = prepare_packed(s, err);
    THEN(status, read_bytes(&data, &length, s, path, SAVE_FILE_MAX, err));
    if (status == PTL_OK) {
        status = zzip_read(s->packed, &text, data, length, entry, SAVE_FILE_MAX, err);
        if (status != PTL_OK)
            error_prefix(err, status, "%s", path);
    }
    free(data);
    if (status == PTL_OK) {
        *out = (char *)text.data;
        *size = text.size;
    } else {
        bytes_dispose(&text);
    }
    return status;
}

ptl_status save_files_read(char **text, size_t *size, char **path, save_files *s,
                           ptl_chunk_pos pos, ptl_error *err)
{
    *text = NULL;
    *path = save_path(s->directory, pos, "", SAVE_PACKED_SUFFIX);
    if (!*path)
        return error_nomem(err);
    if (is_there(*path, FILE_REGULAR))
        return read_packed(text, size, s, *path, pos, err);
    (*path)[strlen(*path) - strlen(SAVE_PACKED_SUFFIX)] = '\0';
    return read_bytes(text, size, s, *path, SAVE_FILE_MAX, err);
}
