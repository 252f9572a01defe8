/* Ids of a save that the content does not know: counted by kind and id, each with its first
 * place, and told when the file has been read. */
#include "core/array.h"
#include "core/error.h"
#include "exchange/save_json.h"
#include "json/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void save_lacks_init(save_lacks *l)
{
    memset(l, 0, sizeof *l);
    strmap_init(&l->numbers);
}

void save_lacks_dispose(save_lacks *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i].key);
    free(l->items);
    strmap_dispose(&l->numbers);
}

static save_lack *new_lack(save_lacks *l, char *key)
{
    if (!ARRAY_ROOM(l->items, l->room, l->count + 1))
        return NULL;
    if (strmap_put(&l->numbers, key, (uint32_t)l->count) != 0)
        return NULL;
    save_lack *item = &l->items[l->count++];
    *item = (save_lack){.key = key};
    return item;
}

ptl_status save_lacks_add(const save_json *j, ptl_save_unknown kind, const char *id,
                          uint64_t count, const char *pointer)
{
    save_lacks *l = j->lacks;
    const size_t size = strlen(id) + 2;
    char *key = malloc(size); /* kinds apart */
    if (!key)
        return error_nomem(j->err);
    key[0] = (char)('a' + (int)kind);
    memcpy(key + 1, id, size - 1);
    const uint32_t number = strmap_get(&l->numbers, key);
    save_lack *item = number == STRMAP_NONE ? new_lack(l, key) : &l->items[number];
    if (!item || number != STRMAP_NONE)
        free(key);
    if (!item)
        return error_nomem(j->err);
    if (number == STRMAP_NONE) {
        item->kind = kind;
        snprintf(item->pointer, sizeof item->pointer, "%s", pointer);
    }
    item->count += count;
    return PTL_OK;
}

/* "a (3), b (1)", the first few in the order of the file. */
static void list_terrains(char *out, size_t size, const save_lacks *l)
{
    enum { NAMED = 8 };
    size_t at = 0, named = 0, terrains = 0;
    out[0] = '\0';
    for (size_t i = 0; i < l->count; i++) {
        const save_lack *item = &l->items[i];
        if (item->kind != PTL_UNKNOWN_TERRAIN || terrains++ >= NAMED)
            continue;
        const int n = snprintf(out + at, size - at, "%s%s (%llu)", named ? ", " : "",
                               item->key + 1, (unsigned long long)item->count);
        if (n < 0 || (size_t)n >= size - at)
            break;
        at += (size_t)n;
        named++;
    }
    if (terrains > named && size - at > 32)
        snprintf(out + at, size - at, " and %zu more", terrains - named);
}

ptl_status save_lacks_fail(const save_json *j)
{
    const save_lacks *l = j->lacks;
    char list[400];
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].kind == PTL_UNKNOWN_TERRAIN) {
            list_terrains(list, sizeof list, l);
            return save_json_fail(j, l->items[i].pointer, "the content has no terrain %s",
                                  list);
        }
    return PTL_OK;
}

/* Places are found in the order of the text, in which they were met. */
ptl_status save_lacks_tell(const save_json *j)
{
    const save_lacks *l = j->lacks;
    const save_reader *r = j->reader;
    for (size_t i = 0; i < l->count; i++) {
        const save_lack *item = &l->items[i];
        bytes place;
        if (r->on_unknown)
            r->on_unknown(r->payload, item->kind, item->key + 1, item->count);
        if (!r->on_lack)
            continue;
        bytes_init(&place);
        save_json_place_of(&place, j, item->pointer);
        const ptl_save_lack told = {.size = sizeof told,
                                    .kind = item->kind,
                                    .id = item->key + 1,
                                    .count = item->count,
                                    .place = bytes_text(&place)};
        if (told.place)
            r->on_lack(r->payload, &told);
        bytes_dispose(&place);
        if (!told.place)
            return error_nomem(j->err);
    }
    return PTL_OK;
}
