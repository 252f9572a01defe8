/*
 * Swamps. Reads: the river cells of the chunk; those river cells that its edges plan up to R -
 * 1 OMTs beyond the borders (R = PLAN_REACH), unless lake or sea covers them; floodplain noise
 * of the chunk's own cells. Writes: z = 0, forest -> forest_water. Each river cell floods a
 * square whose radius comes from a random stream of the cell's absolute position, so that two
 * neighbours count the same floods. (Planned rivers keep R from corners, and a radius is at
 * most R - 1. So no river in a chunk that touches only a corner of this one has any influence.)
 */
#include "core/lanes.h"
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

#include <string.h>

/* Width of a row of `floods`, rounded up to whole vectors of LANES numbers. */
enum { ROW = (SIZE / LANES + 1) * LANES };

/* The step's own memory. */
typedef struct swamps_scratch {
    /* How many floods (squares around river cells) cover each cell. At first the array has
     * differences (flood_from), later their sums (sum_up). 16 bits are enough, since a cell
     * lies in at most (2 * REACH)^2 squares. */
    uint16_t floods[(SIZE + 1) * ROW];
    /* For each cell, which limit its noise must exceed for it to become a swamp: NEVER,
     * ISOLATED or FLOODED. */
    uint8_t needs[SIZE * SIZE];
    int32_t rivers[SIZE * SIZE]; /* the chunk's river cells */
} swamps_scratch;

static swamps_scratch *scratch(const generator *g)
{
    return g->scratch;
}

/* Adds the square of cells that a river cell floods. The river cell may lie outside of the
 * chunk. */
static void flood_from(generator *g, const cell_keys *keys, int32_t x, int32_t y)
{
    rng r = cell_keys_stream(keys, x, y);
    int32_t radius =
        rng_range(&r, g->config->region->floodplain_min, g->config->region->floodplain_max);
    /* Add one flood to every cell of the square. `floods` does not hold the numbers of floods,
     * but differences: sum_up adds them along rows and columns later. So only the differences
     * at the square's four corners change. */
    uint16_t *flood = scratch(g)->floods;
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

/* Adds the squares that river cells beyond the chunk's borders flood. These river cells are in
 * the outer rows of the four strips. Returns whether there were any such cells. */
static bool flood_from_neighbours(generator *g, const cell_keys *keys)
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
                if (still_water_is(g, x, y))
                    continue;
                flood_from(g, keys, x, y);
                any = true;
            }
        }
    return any;
}

/* `flood` has, for each cell, a difference. Replaces it by the sum of the differences of all
 * cells that lie neither east nor south of the cell, which is the number of floods that reach
 * the cell. The sum of differences within a row may be below 0; the final sums are not. */
static void sum_up(uint16_t *flood)
{
    for (int32_t y = 0; y < SIZE; y++) {
        uint16_t *row = &flood[y * ROW];
        lanes before = lanes_all(0);
        for (int32_t x = 0; x < ROW; x += LANES) {
            lanes sum = lanes_load(row + x);
            sum = lanes_sum(sum, LANES_FROM_BEFORE(sum, 1));
            sum = lanes_sum(sum, LANES_FROM_BEFORE(sum, 2));
            sum = lanes_sum(sum, LANES_FROM_BEFORE(sum, 4));
            if (LANES == 16)
                sum = lanes_sum(sum, lanes_eight_before(sum));
            sum = lanes_sum(sum, before);
            before = lanes_last(sum);
            lanes_store(row + x, y > 0 ? lanes_sum(sum, lanes_load(row + x - ROW)) : sum);
        }
    }
}

/* How much noise a cell needs to become a swamp, as an index of swamp_limits.needed. NEVER: it
 * is no forest, so it can't become one. FLOODED: the floods of two or more river cells cover
 * it. ISOLATED: fewer do. */
enum { NEVER, ISOLATED, FLOODED, NEEDS };

/* What the swamps of all cells of a chunk share: keys of random numbers, and limits of the
 * noise. */
typedef struct swamp_limits {
    cell_keys keys;
    float needed[NEEDS];
} swamp_limits;

/* Fills the array `needs` of the scratch memory: for each cell, which kind of limit its
 * noise must exceed for the cell to become a swamp. */
static void find_needs(generator *g)
{
    const ptl_oter plain = g->config->oters->forest, thick = g->config->oters->forest_thick;
    for (int32_t y = 0; y < SIZE; y++) {
        const ptl_oter *restrict cell = &g->ground[y * SIZE];
        const uint16_t *restrict flood = &scratch(g)->floods[y * ROW];
        uint8_t *restrict needs = &scratch(g)->needs[y * SIZE];
        for (int32_t x = 0; x < SIZE; x++) {
            const bool forest = (cell[x] == plain) | (cell[x] == thick);
            needs[x] = (uint8_t)(forest + (forest & (flood[x] > 1)));
        }
    }
}

/* Returns whether a forest cell becomes a swamp; the caller has found that its noise exceeds
 * the cell's own limit (`needs`). It does if the noise also exceeds the limit for isolated
 * swamps, and otherwise the more likely, the more floods of rivers cover it. */
static bool swampy(generator *g, const swamp_limits *limits, int32_t x, int32_t y, float noise)
{
    if (noise > limits->needed[ISOLATED])
        return true;
    rng r = cell_keys_stream(&limits->keys, x, y);
    return !rng_one_in(&r, scratch(g)->floods[y * ROW + x]);
}

/* Returns whether noise must be computed for any cell of a patch (4 x 2 cells). If so, fills
 * in, for each cell of the patch, the limit that its noise must exceed. */
static inline bool patch_needs(float needed[NOISE_BLOCK], const uint8_t *needs,
                               const swamp_limits *limits)
{
    uint32_t rows[NOISE_PATCH_Y];
    memcpy(&rows[0], needs, sizeof rows[0]);
    memcpy(&rows[1], needs + SIZE, sizeof rows[1]);
    if ((rows[0] | rows[1]) == NEVER)
        return false;
    for (int32_t i = 0; i < NOISE_BLOCK; i++)
        needed[i] = limits->needed[needs[i % NOISE_PATCH_Y * SIZE + i / NOISE_PATCH_Y]];
    return true;
}
_Static_assert(NEVER == 0 && NOISE_PATCH_X == sizeof(uint32_t) && NOISE_PATCH_Y == 2,
               "a patch that needs nothing is two rows of four zeros");

/* Makes the swamps of a column of patches (4 x 2 cells each), from x on. Noise is computed
 * only where it can matter. */
static void swamp_column(generator *g, const swamp_limits *limits, int32_t x)
{
    noise_column *c = g->noise_column;
    int count = 0;
    for (int32_t patch = 0; patch < SIZE / NOISE_PATCH_Y; patch++) {
        c->patches[count] = (uint8_t)patch;
        count += patch_needs(c->needed[patch],
                             &scratch(g)->needs[patch * NOISE_PATCH_Y * SIZE + x], limits);
    }
    c->count = count;
    noise_floodplain_column(g, x);
    for (int n = 0; n < c->count; n++) {
        const int32_t patch = c->patches[n];
        const float *noise = c->value[patch], *needed = c->needed[patch];
        for (int32_t i = 0; i < NOISE_BLOCK; i++) {
            const int32_t cx = x + i / NOISE_PATCH_Y;
            const int32_t cy = patch * NOISE_PATCH_Y + i % NOISE_PATCH_Y;
            if (noise[i] > needed[i] && swampy(g, limits, cx, cy, noise[i]))
                g->ground[cy * SIZE + cx] = g->config->oters->forest_water;
        }
    }
}

static void run(generator *g)
{
    /* Swamps replace forest, so without any forest there is nothing to do. */
    const ptl_oter plain = g->config->oters->forest, thick = g->config->oters->forest_thick;
    const ptl_oter *restrict cells = g->ground;
    unsigned any = (unsigned)(cells[0] == plain) | (unsigned)(cells[0] == thick);
    if (!any && level_is_even(cells))
        return;
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        any |= (unsigned)(cells[i] == plain) | (unsigned)(cells[i] == thick);
    if (any == 0)
        return;
    const cat_region *region = g->config->region;
    const float isolated = (float)region->swamp_isolated_threshold;
    const float adjacent = (float)region->swamp_adjacent_threshold;
    /* The limit NEVER is greater than the noise of any cell, which is at most 1. */
    swamp_limits limits = {.needed = {[NEVER] = 2.0f,
                                      [ISOLATED] = isolated,
                                      [FLOODED] = adjacent < isolated ? adjacent : isolated}};
    cell_keys_init(&limits.keys, g, step_key(g, "swamp"));
    memset(scratch(g)->floods, 0, (SIZE + 1) * ROW * sizeof *scratch(g)->floods);
    if (g->config->river_width != 0) {
        cell_keys keys;
        cell_keys_init(&keys, g, step_key(g, "flood"));
        const int32_t count =
            level_find(scratch(g)->rivers, g->ground, g->config->oters->river_center, 1);
        for (int32_t i = 0; i < count; i++)
            flood_from(g, &keys, scratch(g)->rivers[i] % SIZE, scratch(g)->rivers[i] / SIZE);
        if (flood_from_neighbours(g, &keys) || count > 0)
            sum_up(scratch(g)->floods);
    }
    find_needs(g);
    noise_floodplain_rows(g);
    for (int32_t x = 0; x < SIZE; x += NOISE_PATCH_X)
        swamp_column(g, &limits, x);
}
_Static_assert(SIZE % NOISE_PATCH_X == 0 && SIZE % NOISE_PATCH_Y == 0,
               "a chunk is whole patches");

const gen_step step_swamps = {
    .info = {"swamps", REACH - 1, true},
    .run = run,
    .scratch = sizeof(swamps_scratch),
    .needs = {&water_fields_part, &noise_columns_part},
};
