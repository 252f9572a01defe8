/*
 * River banks (reference 3.14). Reads: z = 0, and just beyond the borders the edges' strips
 * and the lake field. Writes: z = 0, river_center -> the river terrain with its banks, or
 * forest_water where a cell has too little water beside it. Decided from a snapshot, not while
 * scanning, so that the result depends on no order and both sides of a border agree.
 */
#include "gen/generator.h"

/* g->mask holds the chunk's water. */
static bool water(generator *g, int32_t x, int32_t y)
{
    if (inside(x, y))
        return g->mask[y * SIZE + x];
    return strip_river(g, x, y) || lake_is(g, x, y);
}

/* Index = bit 0 north, 1 east, 2 south, 3 west is water. -1: swamp; 0..3: river_side with land
 * at N, E, S, W; 4..7: river_corner with land at NE, SE, SW, NW; 8: all four. */
static const int BANKS[16] = {
    [15] = 8, [13] = 1, [11] = 2, [14] = 0, [7] = 3,  [9] = 5,  [12] = 4, [3] = 6,
    [6] = 7,  [0] = -1, [1] = -1, [2] = -1, [4] = -1, [5] = -1, [8] = -1, [10] = -1,
};

static ptl_oter bank(generator *g, int32_t x, int32_t y)
{
    const gen_oters *o = g->config->oters;
    int mask = water(g, x, y - 1) | water(g, x + 1, y) << 1 | water(g, x, y + 1) << 2 |
               water(g, x - 1, y) << 3;
    int kind = BANKS[mask];
    if (kind < 0)
        return o->forest_water;
    if (kind < 4)
        return o->river_side[kind];
    if (kind < 8)
        return o->river_corner[kind - 4];
    if (!water(g, x - 1, y - 1))
        return o->river_inner[3];
    if (!water(g, x + 1, y - 1))
        return o->river_inner[0];
    if (!water(g, x - 1, y + 1))
        return o->river_inner[2];
    if (!water(g, x + 1, y + 1))
        return o->river_inner[1];
    return o->river_center;
}

void step_river_banks(generator *g)
{
    const ptl_oter centre = g->config->oters->river_center;
    const uint32_t any_water = CAT_FLAG_RIVER | CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE;
    if (centre == CAT_NONE)
        return;
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        g->mask[i] = (g->config->cat->oters[g->ground[i]].flags & any_water) != 0;
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x++)
            if (g->ground[y * SIZE + x] == centre)
                g->ground[y * SIZE + x] = bank(g, x, y);
}
