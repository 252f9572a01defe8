/*
 * Locations as sets of terrain types, and unions of them: what a tile or a connection may be
 * placed on. Many unions are equal. They are therefore looked up by the list of their
 * locations, and equal ones share one set.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/array.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static ptl_status read_location(loader *l, const void *values)
{
    const overmap_location_row *s = values;
    cat_location *location = &l->locations[l->cat->location_count++];
    location->terrains = l->own_sets + l->row * l->words;
    return loader_id(l, &location->id, s->id, l->row > 0 ? location[-1].id : NULL);
}

static uint16_t find_location(const loader *l, const char *id)
{
    return catalogue_find_id(l->locations, l->cat->location_count, sizeof *l->locations, id);
}

/* Reads a terrain of a location; rows of one location come together. */
static ptl_status read_terrain(loader *l, const void *values)
{
    const overmap_location_terrain_row *s = values;
    if (l->owner == CAT_NONE || strcmp(l->locations[l->owner].id, s->location) != 0)
        l->owner = find_location(l, s->location);
    if (l->owner == CAT_NONE)
        return loader_corrupt(l, "terrain of unknown location", s->location);
    const uint16_t terrain = catalogue_terrain(l->cat, s->terrain);
    if (terrain == CAT_NONE)
        return loader_corrupt(l, "unknown terrain of a location", s->terrain);
    loader_set_add(l->own_sets + l->owner * l->words, terrain);
    return PTL_OK;
}

ptl_status load_locations(loader *l)
{
    size_t count;
    TRY(loader_count(l, CONTENT_LOCATIONS, &count));
    if (count > CATALOGUE_INDEX_MAX)
        return error_set(l->err, PTL_ERR_LIMIT, "the content has more than %d locations",
                         CATALOGUE_INDEX_MAX);
    l->words = catalogue_all_terrains(l->cat) / 64 + 1;
    TRY(LOADER_ROOM(l, l->locations, count));
    TRY(LOADER_ROOM(l, l->own_sets, count * l->words));
    TRY(LOADER_ROOM(l, l->list.items, count));
    l->cat->locations = l->locations;
    TRY(loader_rows(l, CONTENT_LOCATIONS, NULL, read_location, NULL));
    return loader_rows(l, CONTENT_LOCATION_TERRAINS, "", read_terrain, NULL);
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
    const uint16_t location = find_location(l, id);
    if (location == CAT_NONE)
        return loader_corrupt(l, "no such location", id);
    /* The list has room for one more than there are different locations, so it is reduced to
     * those when it is full. */
    if (l->list.count > l->cat->location_count)
        list_make_set(&l->list);
    l->list.items[l->list.count++] = location;
    return PTL_OK;
}

/* Returns the key of a union, in the arena. It is made of the numbers of its locations and of
 * the additional terrain. */
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

/* Keeps a new set under its key. NULL if set is NULL or memory is out; then l->no_memory is
 * set. */
static ptl_terrain_set keep_set(loader *l, const char *key, ptl_terrain_set set)
{
    if (!set || !ARRAY_ROOM(l->sets, l->set_room, l->set_count + 1) ||
        strmap_put(&l->set_index, key, (uint32_t)l->set_count) != 0) {
        l->no_memory = true;
        return NULL;
    }
    return l->sets[l->set_count++] = set;
}

ptl_terrain_set loader_close_set(loader *l, uint16_t terrain)
{
    ptl_terrain_set set;
    list_make_set(&l->list);
    if (l->list.count == 1 && terrain == CAT_NONE) {
        set = l->own_sets + l->list.items[0] * l->words;
    } else {
        const char *key = union_key(l, terrain);
        const uint32_t found = key ? strmap_get(&l->set_index, key) : STRMAP_NONE;
        set = found != STRMAP_NONE ? l->sets[found]
                                   : keep_set(l, key, key ? make_union(l, terrain) : NULL);
    }
    l->list.count = 0;
    return set;
}

void loader_gathered(loader *l)
{
    if (l->open)
        *l->open = loader_close_set(l, CAT_NONE);
    l->open = NULL;
}

ptl_status loader_gather(loader *l, ptl_terrain_set *set, const char *location)
{
    if (l->open != set)
        loader_gathered(l);
    l->open = set;
    return loader_add_location(l, location);
}

ptl_terrain_set loader_carries(loader *l, uint16_t connection, uint16_t terrain)
{
    enum { KEY_SIZE = 16 };
    ptl_terrain_set own = l->cat->connections[connection].terrains;
    if (terrain == CAT_NONE || cat_terrain_in(own, terrain))
        return own;
    /* A union's key is a string of hexadecimal numbers of four digits each. */
    char key[KEY_SIZE];
    snprintf(key, sizeof key, "+%04x%04x", (unsigned)connection, (unsigned)terrain);
    const uint32_t found = strmap_get(&l->set_index, key);
    if (found != STRMAP_NONE)
        return l->sets[found];
    uint64_t *set = arena_copy(l->arena, own, l->words * sizeof *set);
    if (set)
        loader_set_add(set, terrain);
    return keep_set(l, loader_keep(l, key), set);
}

void loader_dispose_sets(loader *l)
{
    strmap_dispose(&l->set_index);
    free(l->sets);
}
