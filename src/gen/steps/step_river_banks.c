/*
 * River banks (generation.md 5.10). Reads: z = 0; just beyond the borders, the rivers that the
 * edges plan, and which cells are lake or sea by noise. Writes: on z = 0, each OMT
 * `river_center` becomes a river with the right banks, or `forest_water` (swamp) if it has too
 * little water beside it. What each cell becomes is decided before any cell is written, so that
 * the result does not depend on the order of cells, and both sides of a border agree.
 */
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

/* The step's own memory. */
typedef struct river_banks_scratch {
    int32_t cells[SIZE * SIZE]; /* cells of rivers */
    int32_t banks[SIZE * SIZE]; /* for each river cell: the oter that it becomes */
} river_banks_scratch;

/* The bank of a river cell, by the water beside the cell. In the index, bits 0 to 3 are set if
 * there is water to the north, east, south, west. The values mean: -1 swamp; 0 to 3 river_side
 * with land to the north, east, south, west; 4 to 7 river_corner with land to the north-east,
 * south-east, south-west, north-west; 8 water on all four sides. */
static const int BANKS[16] = {
    [15] = 8, [13] = 1, [11] = 2, [14] = 0, [7] = 3,  [9] = 5,  [12] = 4, [3] = 6,
    [6] = 7,  [0] = -1, [1] = -1, [2] = -1, [4] = -1, [5] = -1, [8] = -1, [10] = -1,
};

/* A number has a bit for each of the eight cells around a cell. First come north, east, south
 * and west, so that the lowest four bits are an index of BANKS; then north-west, north-east,
 * south-west, south-east. */
enum { AROUND = 8, ALL_WATER = (1 << AROUND) - 1 };
static const int8_t AROUND_X[AROUND] = {0, 1, 0, -1, -1, 1, -1, 1};
static const int8_t AROUND_Y[AROUND] = {-1, 0, 1, 0, -1, -1, 1, 1};

static unsigned water_around(generator *g, int32_t cell)
{
    const int32_t x = cell % SIZE, y = cell / SIZE;
    const uint8_t *kinds = g->config->cell_kinds;
    unsigned mask = 0;
    if (x > 0 && x < SIZE - 1 && y > 0 && y < SIZE - 1) {
        const ptl_oter *at = &g->ground[cell];
        for (int i = 0; i < AROUND; i++)
            mask |= (kinds[at[AROUND_Y[i] * SIZE + AROUND_X[i]]] & (unsigned)CELL_WATER) << i;
        return mask;
    }
    for (int i = 0; i < AROUND; i++) {
        const int32_t nx = x + AROUND_X[i], ny = y + AROUND_Y[i];
        const bool water = inside(nx, ny) ? kinds[g->ground[ny * SIZE + nx]] & CELL_WATER
                                          : water_is_planned(g, nx, ny);
        mask |= (unsigned)water << i;
    }
    return mask;
}
_Static_assert(CELL_WATER == 1, "the bit that is shifted to its place");

/* Returns the oter of a river cell. `around` has a bit for each cell around it, set for water.
 * A cell with water on all four sides has a bank only at a corner beyond which there is land.
 */
static ptl_oter bank(const gen_oters *o, unsigned around)
{
    const int kind = BANKS[around & 15];
    if (around == ALL_WATER)
        return o->river_center;
    if (kind < 0)
        return o->forest_water;
    if (kind < 4)
        return o->river_side[kind];
    if (kind < 8)
        return o->river_corner[kind - 4];
    if (!(around & 16))
        return o->river_inner[3];
    if (!(around & 32))
        return o->river_inner[0];
    return o->river_inner[around & 64 ? 1 : 2];
}

/* Decides all river banks first, and only then writes them, so that each bank is decided from
 * the unchanged map. */
static void run(generator *g)
{
    const ptl_oter centre = g->config->oters->river_center;
    if (centre == CAT_NONE)
        return;
    river_banks_scratch *scratch = g->scratch;
    const int32_t count = level_find(scratch->cells, g->ground, centre, 1);
    for (int32_t i = 0; i < count; i++)
        scratch->banks[i] = bank(g->config->oters, water_around(g, scratch->cells[i]));
    for (int32_t i = 0; i < count; i++)
        g->ground[scratch->cells[i]] = (ptl_oter)scratch->banks[i];
}

const gen_step step_river_banks = {
    .info = {"river_banks", 1, true},
    .run = run,
    .scratch = sizeof(river_banks_scratch),
    .needs = {&water_fields_part},
};
