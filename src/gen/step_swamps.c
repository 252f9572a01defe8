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

/* River cells of the strips beyond the borders: the rows of each strip that lie outside. */
static bool flood_from_neighbours(generator *g, uint64_t key)
{
    bool any = false;
    for (int direction = 0; direction < 4; direction++)
        for (int32_t out = 1; out < REACH; out++) {
            const bool before = direction == 0 || direction == 3;
            const int32_t across = before ? -out : SIZE - 1 + out;
            const uint8_t *row =
                g->strips[direction] + (before ? REACH - out : REACH + out - 1) * SIZE;
            const uint8_t *end = row + SIZE, *at = row;
            for (; (at = memchr(at, 1, (size_t)(end - at))) != NULL; at++) {
                int32_t along = (int32_t)(at - row);
                int32_t x = direction % 2 ? across : along, y = direction % 2 ? along : across;
                if (lake_is(g, x, y))
                    continue;
                flood_from(g, key, x, y);
                any = true;
            }
        }
    return any;
}

static void sum_up(int32_t *flood)
{
    for (int32_t y = 0; y < SIZE; y++) {
        int32_t *row = &flood[y * ROW], sum = 0;
        for (int32_t x = 0; x < SIZE; x++)
            row[x] = sum += row[x];
        for (int32_t x = 0; y > 0 && x < SIZE; x++)
            row[x] += row[x - ROW];
    }
}

/* Fills g->flood; false if nothing is flooded. */
static bool find_floods(generator *g)
{
    const uint64_t key = step_key(g, "flood");
    const ptl_oter centre = g->config->oters->river_center;
    bool any = false;
    if (g->config->river_width == 0)
        return false;
    memset(g->flood, 0, ROW * ROW * sizeof *g->flood);
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x++)
            if (g->ground[y * SIZE + x] == centre) {
                flood_from(g, key, x, y);
                any = true;
            }
    any |= flood_from_neighbours(g, key);
    if (any)
        sum_up(g->flood);
    return any;
}

/* What is the same for all cells of a chunk. */
typedef struct swamp_rules {
    uint64_t key;
    float isolated; /* the noise is swamp by itself above it */
    float flooded;  /* flooded forest may be swamp above it */
    bool floods;    /* g->flood holds something */
    ptl_oter forest, thick;
} swamp_rules;

/* Of n forest cells: what the noise must be above to matter. No forest: false. */
static inline bool find_needed(float *needed, const swamp_rules *rules, const ptl_oter *cell,
                               const int32_t *flood, int32_t n)
{
    const float never = 2.0f; /* the noise ends at 1 */
    bool forest = false;
    for (int32_t i = 0; i < n; i++)
        forest |= cell[i] == rules->forest || cell[i] == rules->thick;
    if (!forest)
        return false;
    for (int32_t i = 0; i < n; i++) {
        float limit = rules->floods && flood[i] > 1 ? rules->flooded : rules->isolated;
        needed[i] = cell[i] == rules->forest || cell[i] == rules->thick ? limit : never;
    }
    for (int32_t i = n; i < NOISE_BLOCK; i++)
        needed[i] = never;
    return true;
}

/* A forest cell whose noise is above what it needs. */
static bool swampy(generator *g, const swamp_rules *rules, int32_t x, int32_t y, float noise)
{
    if (noise > rules->isolated)
        return true;
    rng r = cell_stream(g, rules->key, x, y);
    return !rng_one_in(&r, g->flood[y * ROW + x]);
}

/* Eight cells from x on: noise is asked for only where it can matter. */
static void swamp_block(generator *g, const swamp_rules *rules, int32_t x, int32_t y)
{
    ptl_oter *cell = &g->ground[y * SIZE + x];
    const int32_t *flood = &g->flood[y * ROW + x];
    float needed[NOISE_BLOCK], noise[NOISE_BLOCK];
    /* A constant length makes the usual case a few vector instructions. */
    bool forest = SIZE - x < NOISE_BLOCK ? find_needed(needed, rules, cell, flood, SIZE - x)
                                         : find_needed(needed, rules, cell, flood, NOISE_BLOCK);
    if (!forest || !noise_floodplain_at(g, needed, x, y, noise))
        return;
    for (int32_t i = 0; i < NOISE_BLOCK; i++)
        if (noise[i] > needed[i] && swampy(g, rules, x + i, y, noise[i]))
            cell[i] = g->config->oters->forest_water;
}

void step_swamps(generator *g)
{
    const cat_region *region = g->config->region;
    const float isolated = (float)region->swamp_isolated_threshold;
    const float adjacent = (float)region->swamp_adjacent_threshold;
    const swamp_rules rules = {.key = step_key(g, "swamp"),
                               .isolated = isolated,
                               .flooded = adjacent < isolated ? adjacent : isolated,
                               .floods = find_floods(g),
                               .forest = g->config->oters->forest,
                               .thick = g->config->oters->forest_thick};
    noise_floodplain_rows(g);
    for (int32_t x = 0; x < SIZE; x += NOISE_BLOCK) {
        noise_floodplain_column(g, x);
        for (int32_t y = 0; y < SIZE; y++)
            swamp_block(g, &rules, x, y);
    }
}
