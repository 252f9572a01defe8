/*
 * Locations, as sets of terrain types, and unions of them: what a tile or a connection may be
 * put on. There are few different unions, so that equal ones are found by the list of their
 * locations and shared.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/array.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static ptl_status read_location(loader *l, const void *values, void *payload)
{
    const overmap_location_row *s = values;
    size_t *room = payload, at = l->cat->location_count;
    if (at == *room)
        return loader_corrupt(l, "more locations than counted:", s->id);
    l->cat->location_count++;
    l->locations[at].terrains = l->own_sets + at * l->words;
    return loader_id(l, &l->locations[at].id, s->id, at > 0 ? l->locations[at - 1].id : NULL);
}

/* Rows of one location come together. */
static ptl_status read_terrain(loader *l, const void *values, void *payload)
{
    const overmap_location_terrain_row *s = values;
    uint16_t *last = payload;
    const char *id = s->location;
    if (*last == CAT_NONE || strcmp(l->locations[*last].id, id) != 0)
        *last =
            catalogue_find_id(l->locations, l->cat->location_count, sizeof *l->locations, id);
    if (*last == CAT_NONE)
        return loader_corrupt(l, "terrain of unknown location", id);
    uint16_t terrain = catalogue_terrain(l->cat, s->terrain);
    if (terrain == CAT_NONE)
        return loader_corrupt(l, "unknown terrain of a location", s->terrain);
    loader_set_add(l->own_sets + *last * l->words, terrain);
    return PTL_OK;
}

ptl_status load_locations(loader *l)
{
    size_t room = 0;
    ptl_status status = loader_count(l, CONTENT_LOCATIONS, &room);
    if (status == PTL_OK && room > CATALOGUE_INDEX_MAX)
        status = error_set(l->err, PTL_ERR_LIMIT, "the content has more than %d locations",
                           CATALOGUE_INDEX_MAX);
    if (status != PTL_OK)
        return status;
    l->words = catalogue_all_terrains(l->cat) / 64 + 1;
    l->locations = arena_calloc(l->arena, room + 1, sizeof *l->locations);
    l->own_sets = arena_calloc(l->arena, room + 1, l->words * sizeof *l->own_sets);
    l->list.items = arena_calloc(l->arena, room + 1, sizeof *l->list.items);
    if (!l->locations || !l->own_sets || !l->list.items)
        return error_nomem(l->err);
    l->cat->locations = l->locations;
    status = loader_rows(l, CONTENT_LOCATIONS, NULL, read_location, &room);
    uint16_t last = CAT_NONE;
    if (status == PTL_OK)
        status = loader_rows(l, CONTENT_LOCATION_TERRAINS, "", read_terrain, &last);
    return status;
}

/* ---- unions ---- */

static int compare_numbers(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static void list_make_set(location_list *list)
{
    size_t kept = 0;
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare_numbers);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->items[kept - 1] != list->items[i])
            list->items[kept++] = list->items[i];
    list->count = kept;
}

ptl_status loader_add_location(loader *l, const char *id)
{
    uint16_t location =
        catalogue_find_id(l->locations, l->cat->location_count, sizeof *l->locations, id);
    if (location == CAT_NONE)
        return loader_corrupt(l, "no such location", id);
    /* The room is for one more than there are different ones. */
    if (l->list.count > l->cat->location_count)
        list_make_set(&l->list);
    l->list.items[l->list.count++] = location;
    return PTL_OK;
}

/* Returns what names a union: its locations and the further terrain. In the arena. */
static const char *union_key(loader *l, uint16_t terrain)
{
    enum { DIGITS = 4 };
    size_t size = (l->list.count + 1) * DIGITS + 1, at = 0;
    char *key = arena_alloc(l->arena, size);
    if (!key)
        return NULL;
    for (size_t i = 0; i <= l->list.count; i++, at += DIGITS)
        snprintf(key + at, size - at, "%04x",
                 (unsigned)(i == 0 ? terrain : l->list.items[i - 1]));
    return key;
}

static ptl_terrain_set make_union(loader *l, uint16_t terrain)
{
    uint64_t *set = arena_calloc(l->arena, l->words, sizeof *set);
    if (!set)
        return NULL;
    for (size_t i = 0; i < l->list.count; i++) {
        const uint64_t *own = l->own_sets + l->list.items[i] * l->words;
        for (size_t w = 0; w < l->words; w++)
            set[w] |= own[w];
    }
    if (terrain != CAT_NONE)
        loader_set_add(set, terrain);
    return set;
}

static bool remember_union(loader *l, const char *key, ptl_terrain_set set)
{
    if (!ARRAY_ROOM(l->sets, l->set_room, l->set_count + 1))
        return false;
    l->sets[l->set_count] = set;
    return strmap_put(&l->set_index, key, (uint32_t)l->set_count++) == 0;
}

ptl_terrain_set loader_close_set(loader *l, uint16_t terrain)
{
    list_make_set(&l->list);
    ptl_terrain_set set = NULL;
    if (l->list.count == 1 && terrain == CAT_NONE) {
        set = l->own_sets + l->list.items[0] * l->words;
    } else {
        const char *key = union_key(l, terrain);
        uint32_t found = key ? strmap_get(&l->set_index, key) : STRMAP_NONE;
        if (found != STRMAP_NONE)
            set = l->sets[found];
        else if (key)
            set = make_union(l, terrain);
        if (set && found == STRMAP_NONE && !remember_union(l, key, set))
            set = NULL;
    }
    l->list.count = 0;
    return set;
}

ptl_status loader_gathered(loader *l, ptl_terrain_set **open)
{
    if (!*open)
        return PTL_OK;
    **open = loader_close_set(l, CAT_NONE);
    ptl_status status = **open ? PTL_OK : error_nomem(l->err);
    *open = NULL;
    return status;
}

ptl_status loader_gather(loader *l, ptl_terrain_set **open, ptl_terrain_set *set,
                         const char *location)
{
    ptl_status status = *open == set ? PTL_OK : loader_gathered(l, open);
    *open = set;
    return status == PTL_OK ? loader_add_location(l, location) : status;
}

ptl_terrain_set loader_carries(loader *l, uint16_t connection, uint16_t terrain)
{
    enum { KEY_SIZE = 16 };
    ptl_terrain_set own = l->cat->connections[connection].terrains;
    if (terrain == CAT_NONE || cat_terrain_in(own, terrain))
        return own;
    char *key = arena_alloc(l->arena, KEY_SIZE);
    if (!key)
        return NULL;
    /* The keys of unions are hexadecimal numbers of four digits each. */
    snprintf(key, KEY_SIZE, "+%04x%04x", (unsigned)connection, (unsigned)terrain);
    uint32_t found = strmap_get(&l->set_index, key);
    if (found != STRMAP_NONE)
        return l->sets[found];
    uint64_t *set = arena_calloc(l->arena, l->words, sizeof *set);
    if (!set)
        return NULL;
    memcpy(set, own, l->words * sizeof *set);
    loader_set_add(set, terrain);
    return remember_union(l, key, set) ? set : NULL;
}

void loader_dispose_sets(loader *l)
{
    strmap_dispose(&l->set_index);
    free(l->sets);
}
