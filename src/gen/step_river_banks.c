/*
 * River banks (reference 3.14). Reads: z = 0, and just beyond the borders the edges' strips
 * and the lake field. Writes: z = 0, river_center -> the river terrain with its banks, or
 * forest_water where a cell has too little water beside it. Decided from a snapshot, not while
 * scanning, so that the result depends on no order and both sides of a border agree.
 */
#include "gen/cell_kinds.h"
#include "gen/generator.h"

static bool water(generator *g, int32_t x, int32_t y)
{
    if (inside(x, y))
        return g->config->cell_kinds[g->ground[y * SIZE + x]] & CELL_WATER;
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

/* Banks are written when all are decided. */
void step_river_banks(generator *g)
{
    const ptl_oter centre = g->config->oters->river_center;
    if (centre == CAT_NONE)
        return;
    const int32_t count = level_find(g->list, g->ground, centre);
    int32_t *banks = g->flood;
    for (int32_t i = 0; i < count; i++)
        banks[i] = bank(g, g->list[i] % SIZE, g->list[i] / SIZE);
    for (int32_t i = 0; i < count; i++)
        g->ground[g->list[i]] = (ptl_oter)banks[i];
}
