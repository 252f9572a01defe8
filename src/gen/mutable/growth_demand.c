/*
 * Tiles of a growth and the demands on them. Every level has a map from cells to tiles, which
 * is cleared through the list of tiles. Open demands stand in one list for each join, so that
 * the most urgent ones are found, and one of them is drawn, without a search.
 */
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>
#include <string.h>

void growth_faces_none(growth_facing faces[PTL_SIDES], int32_t x, int32_t y, int32_t z)
{
    for (int side = 0; side < PTL_SIDES; side++) {
        int32_t bx = x, by = y, bz = z;
        growth_beyond(side, &bx, &by, &bz);
        const bool in = growth_inside(bx, by, bz);
        faces[side] = (growth_facing){.join = in ? GROWTH_FACES_NOTHING : GROWTH_FACES_BORDER};
    }
}

/* What a tile faces that nothing has come to, far from the border. */
#define NOTHING                                                                                \
    {                                                                                          \
        .join = GROWTH_FACES_NOTHING                                                           \
    }
static const growth_facing LONE[PTL_SIDES] = {NOTHING, NOTHING, NOTHING,
                                              NOTHING, NOTHING, NOTHING};
_Static_assert(PTL_SIDES == 6, "each of a lone tile's sides is stated");

/* Is nothing beside the cell beyond the border? */
static bool is_far(int32_t x, int32_t y, int32_t z)
{
    return growth_inside(x - 1, y - 1, z - 1) && growth_inside(x + 1, y + 1, z + 1);
}

/* Returns the map of a level that has none yet; NULL when memory is out. */
static __attribute__((noinline)) uint16_t *make_spots(growth *w, int32_t z)
{
    uint16_t *spots = calloc(SIZE * SIZE, sizeof *spots);
    w->nomem = w->nomem || !spots;
    w->spots[z - PTL_Z_MIN] = spots;
    return spots;
}

/* What is beside a cell near the border. */
static __attribute__((noinline)) void face_border(growth_tile *t)
{
    growth_faces_none(t->faces, t->x, t->y, t->z);
}

int32_t growth_tile_new(growth *w, int32_t x, int32_t y, int32_t z)
{
    uint16_t *spots = w->spots[z - PTL_Z_MIN];
    if (!spots)
        spots = make_spots(w, z);
    if (!spots)
        return GROWTH_NO_TILE;
    const size_t number = w->tile_count++; /* there is room for those of all pieces */
    const uint32_t cell = (uint32_t)(y * SIZE + x);
    growth_tile *tile = &w->tiles[number];
    w->cells[number] = (uint32_t)(z - PTL_Z_MIN) << GROWTH_CELL_BITS | cell;
    spots[cell] = (uint16_t)(number + 1);
    memcpy(tile->faces, LONE, sizeof LONE);
    tile->x = (int16_t)x;
    tile->y = (int16_t)y;
    tile->z = (int8_t)z;
    tile->mandatory = tile->asked = 0;
    tile->postponed = tile->used = false;
    if (!is_far(x, y, z))
        face_border(tile);
    return (int32_t)number;
}
_Static_assert((int)GROWTH_TILES_MAX <= (int)UINT16_MAX, "a tile's number has 16 bits");

void growth_postpone(growth *w, int32_t tile)
{
    growth_tile *t = &w->tiles[tile];
    for (int side = 0; side < PTL_SIDES; side++)
        if (t->asked >> side & 1 && !t->postponed)
            growth_unlist_demand(w, t, side);
    t->postponed = true;
}

void growth_take_up(growth *w, int32_t tile)
{
    growth_tile *t = &w->tiles[tile];
    t->postponed = false;
    for (int side = 0; side < PTL_SIDES && !w->nomem; side++)
        if (t->asked >> side & 1)
            growth_list_demand(w, tile, t, side);
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
    return list->demands[rng_below(&w->random, list->count)] >> GROWTH_SIDE_BITS;
}

void growth_clear(growth *w)
{
    for (size_t i = 0; i < w->tile_count; i++) {
        const uint32_t cell = w->cells[i];
        w->spots[cell >> GROWTH_CELL_BITS][cell & ((1u << GROWTH_CELL_BITS) - 1)] = 0;
    }
    for (size_t i = 0; i < w->list_room; i++)
        w->open[i].count = 0;
    w->tile_count = w->used_count = w->piece_count = w->join_count = w->open_count = 0;
}
