/*
 * Reads the texts of a save's overmaps, plain or compressed (.zzip), and knows the names of
 * their files. In 0.F these files lie in the save's folder, in 0.I in the folder `overmaps`
 * below it. The dictionary for compressed overmaps lies in the save's folder. A save of Bright
 * Nights may have a database in place of the files.
 */
#include "core/array.h"
#include "exchange/database/save_database.h"
#include "exchange/exchange.h"
#include "os/file.h"
#include "os/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { DICTIONARY_MAX = 16 << 20 };

/* How overmaps are read from the place where a save keeps them: from a folder, or from a
 * database. */
typedef struct place_sort {
    /* Adds the overmaps to the list, in any order. */
    ptl_status (*list)(save_list *out, save_files *s, ptl_error *err);
    /* Reads the text of an overmap, as save_files_read does. */
    ptl_status (*read)(char **text, size_t *size, char **path, save_files *s, ptl_chunk_pos pos,
                       ptl_error *err);
} place_sort;

struct save_files {
    const place_sort *sort;
    char *directory; /* owned; path of the folder that has the overmaps; if they lie in a
                        database, path of the save */
    save_database *database; /* owned; NULL if the overmaps lie in a folder */
    char *dictionary;        /* owned; path of the dictionary; NULL: none was found */
    zzip *packed;            /* owned; NULL until the first compressed file is read */
    file_id world;
    bool has_world;
};

char *save_text(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

static bool is_there(const char *path, file_kind kind)
{
    file_facts facts = {.size = 0};
    return path && file_look(&facts, path) && facts.kind == kind;
}

/* Returns the path directory/name, new, if it exists and is of that kind, else NULL. *failed
 * becomes true when memory is out. */
static char *find(const char *directory, const char *name, file_kind kind, bool *failed)
{
    char *path = save_text("%s/%s", directory, name);
    *failed = *failed || !path;
    if (is_there(path, kind))
        return path;
    free(path);
    return NULL;
}

void save_files_close(save_files *s)
{
    if (!s)
        return;
    zzip_free(s->packed);
    save_database_close(s->database);
    free(s->directory);
    free(s->dictionary);
    free(s);
}

const char *save_files_place(const save_files *s)
{
    return s->database ? save_database_path(s->database) : s->directory;
}

/* ---- bytes ---- */

/* Reads the text of a file, which must be a regular one, and puts a NUL behind it. The world
 * file is refused before it is opened, because closing it would drop the locks that SQLite
 * holds on it in this process. */
static ptl_status read_bytes(char **out, size_t *size, const save_files *s, const char *path,
                             size_t most, ptl_error *err)
{
    file_facts facts;
    int64_t count = 0;
    ptl_status status = PTL_OK;
    *out = NULL;
    if (!file_look(&facts, path))
        return error_system(err, PTL_ERR_IO, errno, "%s", path);
    if (s->has_world && file_id_same(&facts.id, &s->world))
        return error_set(err, PTL_ERR_ARGUMENT, "%s is the world file itself", path);
    const int fd = file_open_any(path);
    const bool opened = fd >= 0 && file_look_open(&facts, fd);
    if (opened && facts.kind != FILE_REGULAR)
        status = error_set(err, PTL_ERR_IO, "%s: not a file", path);
    else if (opened && facts.size > most)
        status = error_set(err, PTL_ERR_LIMIT, "%s: more than %zu bytes", path, most);
    else if (opened && !(*out = malloc((size_t)facts.size + 1)))
        status = error_nomem(err);
    else if (!*out || (count = file_read(fd, *out, (size_t)facts.size)) < 0)
        status = error_system(err, PTL_ERR_IO, errno, "%s", path);
    else if ((uint64_t)count < facts.size)
        status = error_set(err, PTL_ERR_IO, "%s: it got shorter while it was read", path);
    else {
        *size = (size_t)count;
        (*out)[count] = '\0';
    }
    file_close(fd);
    return status;
}

ptl_status save_text_read(char **text, size_t *size, const char *path, ptl_error *err)
{
    const save_files none = {.has_world = false};
    return read_bytes(text, size, &none, path, SAVE_FILE_MAX, err);
}

/* Reads and unpacks a compressed overmap. The dictionary is read only once, with the first
 * such overmap. */
static ptl_status read_packed(char **out, size_t *size, save_files *s, const char *path,
                              ptl_chunk_pos pos, ptl_error *err)
{
    char entry[40], *dictionary = NULL, *data = NULL;
    size_t length = 0;
    bytes text = {.size = 0};
    ptl_status status = PTL_OK;
    if (!s->packed && s->dictionary)
        status = read_bytes(&dictionary, &length, s, s->dictionary, DICTIONARY_MAX, err);
    if (!s->packed && status == PTL_OK) {
        s->packed = zzip_new(dictionary, length);
        if (!s->packed)
            status = s->dictionary ? error_set(err, PTL_ERR_CORRUPT,
                                               "%s: not a dictionary of zstd", s->dictionary)
                                   : error_nomem(err);
    }
    free(dictionary);
    snprintf(entry, sizeof entry, "o.%d.%d", pos.x, pos.y);
    THEN(status, read_bytes(&data, &length, s, path, SAVE_FILE_MAX, err));
    if (status == PTL_OK) {
        status = zzip_read(s->packed, &text, data, length, entry, SAVE_FILE_MAX, err);
        if (status != PTL_OK)
            error_prefix(err, status, "%s", path);
    }
    free(data);
    if (status != PTL_OK) {
        bytes_dispose(&text);
        return status;
    }
    *out = (char *)text.data;
    *size = text.size;
    return PTL_OK;
}

static ptl_status read_in_folder(char **text, size_t *size, char **path, save_files *s,
                                 ptl_chunk_pos pos, ptl_error *err)
{
    *path = save_path(s->directory, pos, "", SAVE_PACKED_SUFFIX);
    if (!*path)
        return error_nomem(err);
    if (is_there(*path, FILE_REGULAR))
        return read_packed(text, size, s, *path, pos, err);
    (*path)[strlen(*path) - strlen(SAVE_PACKED_SUFFIX)] = '\0';
    return read_bytes(text, size, s, *path, SAVE_FILE_MAX, err);
}

static ptl_status read_in_database(char **text, size_t *size, char **path, save_files *s,
                                   ptl_chunk_pos pos, ptl_error *err)
{
    *path = save_path(save_database_path(s->database), pos, "", "");
    return *path ? save_database_read(text, size, s->database, strrchr(*path, '/') + 1,
                                      SAVE_FILE_MAX, err)
                 : error_nomem(err);
}

ptl_status save_files_read(char **text, size_t *size, char **path, save_files *s,
                           ptl_chunk_pos pos, ptl_error *err)
{
    *text = *path = NULL;
    return s->sort->read(text, size, path, s, pos, err);
}

/* ---- names of a save's files, and lists of its overmaps ---- */

/* Reads a decimal number, and moves *at past it. A number with a sign or zeros that it does not
 * need is refused. */
static bool parse_number(const char **at, int32_t *out)
{
    const char *s = *at;
    bool negative = *s == '-';
    int32_t value = 0;
    s += negative;
    if (*s < '0' || *s > '9' || (s[0] == '0' && (negative || (s[1] >= '0' && s[1] <= '9'))))
        return false;
    for (; *s >= '0' && *s <= '9'; s++) {
        value = value * 10 + (*s - '0');
        if (value > PTL_CHUNK_COORD_MAX)
            return false;
    }
    *out = negative ? -value : value;
    *at = s;
    return true;
}

bool save_name_parse(const char *name, ptl_chunk_pos *out)
{
    if (strncmp(name, "o.", 2) != 0)
        return false;
    name += 2;
    if (!parse_number(&name, &out->x) || *name++ != '.')
        return false;
    return parse_number(&name, &out->y) && *name == '\0';
}

bool save_name_parse_any(const char *name, ptl_chunk_pos *out)
{
    char plain[64];
    const size_t length = strlen(name), suffix = strlen(SAVE_PACKED_SUFFIX);
    if (length <= suffix || length >= sizeof plain ||
        strcmp(name + length - suffix, SAVE_PACKED_SUFFIX) != 0)
        return save_name_parse(name, out);
    memcpy(plain, name, length - suffix);
    plain[length - suffix] = '\0';
    return save_name_parse(plain, out);
}

/* Returns whether the first `size` bytes of a name can be the CHARACTER in the name of a game's
 * file. All of them must be characters that the games use there: letters, digits and a few
 * signs. Mostly CHARACTER begins with '#'. */
static bool is_character(const char *name, size_t size)
{
    return size > 0 && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                    "0123456789#+=_-") == size;
}

bool save_name_parse_database(const char *name, size_t *character)
{
    *character = strcspn(name, ".");
    return is_character(name, *character) &&
           strcmp(name + *character, SAVE_DATABASE_TAIL) == 0 &&
           strcmp(name, SAVE_DATABASE) != 0;
}

bool save_name_parse_inner_seen(const char *name, ptl_chunk_pos *out)
{
    static const char begin[] = ".seen.";
    char overmap[40];
    if (strncmp(name, begin, sizeof begin - 1) != 0)
        return false;
    const int size = snprintf(overmap, sizeof overmap, "o.%s", name + sizeof begin - 1);
    return size > 0 && (size_t)size < sizeof overmap && save_name_parse(overmap, out);
}

bool save_name_parse_seen(const char *name, size_t *character, ptl_chunk_pos *out)
{
    const char *seen = strstr(name, ".seen.");
    *character = seen ? (size_t)(seen - name) : 0;
    return is_character(name, *character) && save_name_parse_inner_seen(seen, out);
}

void save_form_name(char out[SAVE_NAME_SIZE], const save_form *form, ptl_chunk_pos pos)
{
    snprintf(out, SAVE_NAME_SIZE, "o.%d.%d%s", pos.x, pos.y,
             form->packer ? SAVE_PACKED_SUFFIX : "");
}

int save_place_order(const void *pa, const void *pb)
{
    const ptl_chunk_pos *a = pa, *b = pb;
    return ORDER_BY(a->x, b->x, a->y, b->y);
}

/* Adds an overmap to the list if the name is that of an overmap's file. */
static ptl_status list_add(save_list *out, bool is_overmap, ptl_chunk_pos pos, ptl_error *err)
{
    if (!is_overmap)
        return PTL_OK;
    if (out->count >= SAVE_FILES_MAX)
        return error_set(err, PTL_ERR_LIMIT, "more than %d overmaps in one directory",
                         SAVE_FILES_MAX);
    if (!ARRAY_ROOM(out->positions, out->capacity, out->count + 1))
        return error_nomem(err);
    out->positions[out->count++] = pos;
    return PTL_OK;
}

static ptl_status list_folder(save_list *out, const char *directory, ptl_error *err)
{
    folder_list *list = folder_list_open(directory);
    if (!list)
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            directory);
    ptl_status status = PTL_OK;
    for (const char *name; status == PTL_OK && (name = folder_list_next(list)) != NULL;) {
        ptl_chunk_pos pos = {0, 0};
        const bool is_overmap = save_name_parse_any(name, &pos);
        status = list_add(out, is_overmap, pos, err);
    }
    if (status == PTL_OK && errno != 0)
        status = error_system(err, PTL_ERR_IO, errno, "%s", directory);
    folder_list_close(list);
    return status;
}

/* Sorts the list. `where` is the place of the overmaps, for messages. */
static ptl_status list_finish(save_list *out, const char *where, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (out->count > 1)
        qsort(out->positions, out->count, sizeof *out->positions, save_place_order);
    for (size_t i = 1; i < out->count && status == PTL_OK; i++)
        if (save_place_order(&out->positions[i - 1], &out->positions[i]) == 0)
            status = error_set(err, PTL_ERR_CONTENT, "%s: both o.%d.%d and o.%d.%d%s are there",
                               where, out->positions[i].x, out->positions[i].y,
                               out->positions[i].x, out->positions[i].y, SAVE_PACKED_SUFFIX);
    return status;
}

ptl_status save_list_read(save_list *out, const char *directory, ptl_error *err)
{
    *out = (save_list){NULL, 0, 0};
    TRY(list_folder(out, directory, err));
    return list_finish(out, directory, err);
}

static ptl_status list_in_folder(save_list *out, save_files *s, ptl_error *err)
{
    return list_folder(out, s->directory, err);
}

/* Files of other dimensions are in the database, too, below `dimensions`; they are left out. */
static ptl_status on_name(void *payload, const char *name, ptl_error *err)
{
    ptl_chunk_pos pos = {0, 0};
    const bool is_overmap = save_name_parse(name, &pos);
    return list_add(payload, is_overmap, pos, err);
}

static ptl_status list_in_database(save_list *out, save_files *s, ptl_error *err)
{
    return save_database_names(s->database, on_name, out, err);
}

ptl_status save_files_list(save_list *out, save_files *s, ptl_error *err)
{
    *out = (save_list){NULL, 0, 0};
    TRY(s->sort->list(out, s, err));
    return list_finish(out, save_files_place(s), err);
}

void save_list_dispose(save_list *list)
{
    free(list->positions);
    *list = (save_list){NULL, 0, 0};
}

char *save_path(const char *directory, ptl_chunk_pos pos, const char *prefix,
                const char *suffix)
{
    return save_text("%s/%so.%d.%d%s", directory, prefix, pos.x, pos.y, suffix);
}

/* ---- opening a save ---- */

static const place_sort in_folder = {list_in_folder, read_in_folder};
static const place_sort in_database = {list_in_database, read_in_database};

bool save_has_database(const char *directory, bool *failed)
{
    char *path = find(directory, SAVE_DATABASE, FILE_REGULAR, failed);
    free(path);
    return path != NULL;
}

/* Opens the database of the save; but not if it is the world file. */
static ptl_status open_database(save_files *s, stop_hook stop, ptl_error *err)
{
    file_id own;
    char *path = save_text("%s/" SAVE_DATABASE, s->directory);
    ptl_status status = path ? PTL_OK : error_nomem(err);
    if (path && s->has_world && file_id_of_path(&own, path) && file_id_same(&own, &s->world))
        status = error_set(err, PTL_ERR_ARGUMENT, "%s is the world file itself", path);
    THEN(status, save_database_open(&s->database, path, stop, err));
    free(path);
    return status;
}

ptl_status save_files_open(save_files **out, const char *directory, const char *world,
                           stop_hook stop, ptl_error *err)
{
    bool failed = false;
    save_files *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return error_nomem(err);
    s->has_world = world && file_id_of_path(&s->world, world);
    if (save_has_database(directory, &failed)) {
        s->sort = &in_database;
        s->directory = strdup(directory);
        return s->directory ? open_database(s, stop, err) : error_nomem(err);
    }
    s->sort = &in_folder;
    s->directory = find(directory, "overmaps", FILE_FOLDER, &failed);
    if (!s->directory && !failed)
        s->directory = strdup(directory);
    s->dictionary = find(directory, "overmaps.dict", FILE_REGULAR, &failed);
    if (!s->dictionary && !failed)
        s->dictionary = find(directory, "../overmaps.dict", FILE_REGULAR, &failed);
    return failed || !s->directory ? error_nomem(err) : PTL_OK;
}
