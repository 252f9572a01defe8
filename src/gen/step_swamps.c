/*
 * Swamps. Reads: the chunk's river cells, and those that the edges' strips paint within R - 1
 * OMTs beyond the borders (where no lake lies over them); floodplain noise of its own cells.
 * Writes: z = 0, forest -> forest_water. Each river cell floods a square whose radius is drawn
 * from a stream of its absolute position, so two neighbours count the same floods. (Strips
 * keep R from corners and radii end at R - 1: cells diagonally across a corner have no say.)
 */
#include "gen/generator.h"

#include <string.h>

enum { ROW = SIZE + 1 };

/* Adds one to every cell of the square, as corners of a difference array. */
static void flood_square(int32_t *flood, int32_t x, int32_t y, int32_t radius)
{
    int32_t x0 = x - radius < 0 ? 0 : x - radius,
            x1 = x + radius + 1 > SIZE ? SIZE : x + radius + 1;
    int32_t y0 = y - radius < 0 ? 0 : y - radius,
            y1 = y + radius + 1 > SIZE ? SIZE : y + radius + 1;
    if (x0 >= x1 || y0 >= y1)
        return;
    flood[y0 * ROW + x0]++;
    flood[y0 * ROW + x1]--;
    flood[y1 * ROW + x0]--;
    flood[y1 * ROW + x1]++;
}

static void flood_from(generator *g, uint64_t key, int32_t x, int32_t y)
{
    rng r = cell_stream(g, key, x, y);
    int32_t radius =
        rng_range(&r, g->config->region->floodplain_min, g->config->region->floodplain_max);
    flood_square(g->flood, x, y, radius);
}

/* River cells of the strips beyond the borders. */
static void flood_from_neighbours(generator *g, uint64_t key)
{
    for (int32_t along = 0; along < SIZE; along++)
        for (int32_t out = 1; out < REACH; out++) {
            const point cells[4] = {
                {along, -out}, {SIZE - 1 + out, along}, {along, SIZE - 1 + out}, {-out, along}};
            for (int i = 0; i < 4; i++) {
                point p = cells[i];
                if (strip_river(g, p.x, p.y) && !lake_is(g, p.x, p.y))
                    flood_from(g, key, p.x, p.y);
            }
        }
}

static void sum_up(int32_t *flood)
{
    for (int32_t y = 0; y < ROW; y++)
        for (int32_t x = 1; x < ROW; x++)
            flood[y * ROW + x] += flood[y * ROW + x - 1];
    for (int32_t y = 1; y < ROW; y++)
        for (int32_t x = 0; x < ROW; x++)
            flood[y * ROW + x] += flood[(y - 1) * ROW + x];
}

static bool is_forest(const generator *g, ptl_oter oter)
{
    return oter == g->config->oters->forest || oter == g->config->oters->forest_thick;
}

static bool swampy(generator *g, uint64_t key, int32_t x, int32_t y, float noise)
{
    const cat_region *region = g->config->region;
    int32_t flood = g->flood[y * ROW + x];
    if (noise > (float)region->swamp_isolated_threshold)
        return true;
    if (flood <= 1 || !(noise > (float)region->swamp_adjacent_threshold))
        return false;
    rng r = cell_stream(g, key, x, y);
    return !rng_one_in(&r, flood);
}

/* Eight cells from x on: noise is asked for only where it can matter. */
static void swamp_block(generator *g, uint64_t key, int32_t x, int32_t y)
{
    const cat_region *region = g->config->region;
    const float isolated = (float)region->swamp_isolated_threshold;
    const float adjacent = (float)region->swamp_adjacent_threshold;
    int32_t n = SIZE - x < NOISE_BLOCK ? SIZE - x : NOISE_BLOCK;
    ptl_oter *cell = &g->ground[y * SIZE + x];
    bool forest = false, flooded = false;
    for (int32_t i = 0; i < n; i++) {
        forest |= is_forest(g, cell[i]);
        flooded |= g->flood[y * ROW + x + i] > 1;
    }
    if (!forest)
        return;
    float noise[NOISE_BLOCK];
    noise_floodplain(g, flooded && adjacent < isolated ? adjacent : isolated, x, y, noise);
    for (int32_t i = 0; i < n; i++)
        if (is_forest(g, cell[i]) && swampy(g, key, x + i, y, noise[i]))
            cell[i] = g->config->oters->forest_water;
}

void step_swamps(generator *g)
{
    const uint64_t flood_key = step_key(g, "flood"), swamp_key = step_key(g, "swamp");
    memset(g->flood, 0, ROW * ROW * sizeof *g->flood);
    if (g->config->river_width > 0) {
        for (int32_t i = 0; i < SIZE * SIZE; i++)
            if (g->ground[i] == g->config->oters->river_center)
                flood_from(g, flood_key, i % SIZE, i / SIZE);
        flood_from_neighbours(g, flood_key);
    }
    sum_up(g->flood);
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x += NOISE_BLOCK)
            swamp_block(g, swamp_key, x, y);
}
