/* The files of a save: which names are overmaps, and lists of them. */
#include "core/array.h"
#include "core/error.h"
#include "exchange/exchange.h"
#include "os/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a decimal number without spare signs or zeros; moves *at past it. */
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

/* The games write a character's name in letters, digits and a few signs, mostly after a '#'. */
bool save_name_parse_seen(const char *name, size_t *character, ptl_chunk_pos *out)
{
    char overmap[40];
    const char *seen = strstr(name, ".seen.");
    if (!seen || seen == name)
        return false;
    *character = (size_t)(seen - name);
    if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789#+=_-") !=
        *character)
        return false;
    const int size = snprintf(overmap, sizeof overmap, "o.%s", seen + strlen(".seen."));
    return size > 0 && (size_t)size < sizeof overmap && save_name_parse(overmap, out);
}

void save_form_name(char out[SAVE_NAME_SIZE], const save_form *form, ptl_chunk_pos pos)
{
    snprintf(out, SAVE_NAME_SIZE, "o.%d.%d%s", pos.x, pos.y,
             form->packer ? SAVE_PACKED_SUFFIX : "");
}

static int by_place(const void *pa, const void *pb)
{
    const ptl_chunk_pos *a = pa, *b = pb;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->y < b->y ? -1 : a->y > b->y;
}

static ptl_status add(save_list *list, ptl_chunk_pos pos, ptl_error *err)
{
    if (list->count >= SAVE_FILES_MAX)
        return error_set(err, PTL_ERR_LIMIT, "more than %d overmaps in one directory",
                         SAVE_FILES_MAX);
    if (!ARRAY_ROOM(list->positions, list->capacity, list->count + 1))
        return error_nomem(err);
    list->positions[list->count++] = pos;
    return PTL_OK;
}

ptl_status save_list_read(save_list *out, const char *directory, ptl_error *err)
{
    *out = (save_list){NULL, 0, 0};
    folder_list *list = folder_list_open(directory);
    if (!list)
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            directory);
    ptl_status status = PTL_OK;
    for (const char *name; status == PTL_OK && (name = folder_list_next(list)) != NULL;) {
        ptl_chunk_pos pos;
        if (save_name_parse_any(name, &pos))
            status = add(out, pos, err);
    }
    if (status == PTL_OK && errno != 0)
        status = error_system(err, PTL_ERR_IO, errno, "%s", directory);
    folder_list_close(list);
    if (status == PTL_OK && out->count > 1)
        qsort(out->positions, out->count, sizeof *out->positions, by_place);
    for (size_t i = 1; i < out->count && status == PTL_OK; i++)
        if (by_place(&out->positions[i - 1], &out->positions[i]) == 0)
            status = error_set(err, PTL_ERR_CONTENT, "%s: both o.%d.%d and o.%d.%d%s are there",
                               directory, out->positions[i].x, out->positions[i].y,
                               out->positions[i].x, out->positions[i].y, SAVE_PACKED_SUFFIX);
    return status;
}

void save_list_dispose(save_list *list)
{
    free(list->positions);
    *list = (save_list){NULL, 0, 0};
}

char *save_path(const char *directory, ptl_chunk_pos pos, const char *prefix,
                const char *suffix)
{
    size_t room = strlen(directory) + strlen(prefix) + strlen(suffix) + 32;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s/%so.%d.%d%s", directory, prefix, pos.x, pos.y, suffix);
    return path;
}
