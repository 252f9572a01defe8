/*
 * Tiles of a growth and the demands on them. Every level has a map from cells to tiles, which
 * is cleared through the list of tiles. Open demands stand in one list for each join, so that
 * the most urgent ones are found, and one of them is drawn, without a search.
 */
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>

enum { SIDE_BITS = 3 };

void growth_faces_none(growth_facing faces[PTL_SIDES], int32_t x, int32_t y, int32_t z)
{
    for (int side = 0; side < PTL_SIDES; side++) {
        int32_t bx = x, by = y, bz = z;
        growth_beyond(side, &bx, &by, &bz);
        const bool in = growth_inside(bx, by, bz);
        faces[side] = (growth_facing){in ? GROWTH_FACES_NOTHING : GROWTH_FACES_BORDER, 0};
    }
}

int32_t growth_tile_make(growth *w, int32_t x, int32_t y, int32_t z)
{
    uint16_t **spots = &w->spots[z - PTL_Z_MIN];
    if (!*spots)
        *spots = calloc(SIZE * SIZE, sizeof **spots);
    if (!*spots ||
        !growth_room(&w->tiles, &w->tile_room, w->tile_count + 1, sizeof *w->tiles)) {
        w->nomem = true;
        return GROWTH_NO_TILE;
    }
    uint16_t *spot = &(*spots)[y * SIZE + x];
    if (*spot)
        return *spot - 1;
    if (w->tile_count >= GROWTH_TILES_MAX) {
        w->full = true;
        return GROWTH_NO_TILE;
    }
    growth_tile *tile = &w->tiles[w->tile_count++];
    tile->x = (int16_t)x;
    tile->y = (int16_t)y;
    tile->z = (int8_t)z;
    tile->mandatory = 0;
    tile->postponed = tile->used = false;
    for (int i = 0; i < PTL_SIDES; i++) {
        tile->sides[i] = NULL;
        tile->demand[i] = GROWTH_NO_JOIN;
    }
    growth_faces_none(tile->faces, x, y, z);
    *spot = (uint16_t)w->tile_count;
    return (int32_t)w->tile_count - 1;
}

void growth_use_tile(growth *w, int32_t tile)
{
    if (!growth_room(&w->used, &w->used_room, w->used_count + 1, sizeof *w->used)) {
        w->nomem = true;
        return;
    }
    w->tiles[tile].used = true;
    w->used[w->used_count++] = (uint16_t)tile;
}
_Static_assert((int)GROWTH_TILES_MAX <= (int)UINT16_MAX, "a tile's number has 16 bits");

static void list_demand(growth *w, int32_t tile, int side)
{
    growth_list *list = &w->open[w->tiles[tile].demand[side]];
    if (!growth_room(&list->demands, &list->room, list->count + 1, sizeof *list->demands)) {
        w->nomem = true;
        return;
    }
    w->tiles[tile].slot[side] = (int32_t)list->count;
    list->demands[list->count++] = tile * (1 << SIDE_BITS) + side;
    w->open_count++;
}

/* The list's last one takes the place. */
static void unlist_demand(growth *w, int32_t tile, int side)
{
    growth_list *list = &w->open[w->tiles[tile].demand[side]];
    const int32_t slot = w->tiles[tile].slot[side];
    const int32_t last = list->demands[--list->count];
    list->demands[slot] = last;
    w->tiles[last >> SIDE_BITS].slot[last & ((1 << SIDE_BITS) - 1)] = slot;
    w->open_count--;
}

void growth_demand_add(growth *w, int32_t tile, int side, int16_t join, bool mandatory)
{
    growth_tile *t = &w->tiles[tile];
    if (!t->used)
        growth_use_tile(w, tile);
    if (t->demand[side] != GROWTH_NO_JOIN)
        growth_demand_remove(w, tile, side); /* of a piece that another has come to lie on */
    t->demand[side] = join;
    t->mandatory = (uint8_t)(t->mandatory | (mandatory ? 1u << side : 0u));
    list_demand(w, tile, side);
}

void growth_demand_remove(growth *w, int32_t tile, int side)
{
    growth_tile *t = &w->tiles[tile];
    if (t->demand[side] == GROWTH_NO_JOIN)
        return;
    if (!t->postponed)
        unlist_demand(w, tile, side);
    t->demand[side] = GROWTH_NO_JOIN;
    t->mandatory = (uint8_t)(t->mandatory & ~(1u << side));
}

void growth_postpone(growth *w, int32_t tile)
{
    growth_tile *t = &w->tiles[tile];
    for (int side = 0; side < PTL_SIDES; side++)
        if (t->demand[side] != GROWTH_NO_JOIN && !t->postponed)
            unlist_demand(w, tile, side);
    t->postponed = true;
}

void growth_restore(growth *w, int32_t tile)
{
    growth_tile *t = &w->tiles[tile];
    if (!t->postponed)
        return;
    t->postponed = false;
    for (int side = 0; side < PTL_SIDES && !w->nomem; side++)
        if (t->demand[side] != GROWTH_NO_JOIN)
            list_demand(w, tile, side);
}

void growth_restore_all(growth *w)
{
    for (size_t i = 0; i < w->used_count; i++)
        growth_restore(w, w->used[i]);
}

int32_t growth_pick(growth *w)
{
    size_t join = 0;
    while (w->open[join].count == 0)
        join++;
    const growth_list *list = &w->open[join];
    return list->demands[rng_below(&w->random, list->count)] >> SIDE_BITS;
}

void growth_clear(growth *w)
{
    for (size_t i = 0; i < w->tile_count; i++) {
        const growth_tile *t = &w->tiles[i];
        w->spots[t->z - PTL_Z_MIN][t->y * SIZE + t->x] = 0;
    }
    for (size_t i = 0; i < w->list_room; i++)
        w->open[i].count = 0;
    w->tile_count = w->used_count = w->piece_count = w->join_count = w->open_count = 0;
}
