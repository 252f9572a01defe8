/*
 * Monster groups, before they are spread over their radius (generation.md 11): per city what
 * lives in its sewers and below them; per 7 x 7 block with much water what lives in rivers; a
 * few worms anywhere. Positions are in submaps. As in the games with their default options
 * there are no hordes of wanderers and no groups of swamps; the groups of specials come with
 * the specials. Nothing stands on the tiles of specials that are safe (SAFE_AT_WORLDGEN). Reads
 * z = 0 and the cities; writes groups; no reach beyond the chunk; can't fail but for memory.
 */
#include "gen/steps/cell_kinds.h"
#include "gen/steps/steps.h"
#include "gen/work/generator.h"

#include <string.h>

enum {
    BLOCK = 7,            /* of water; blocks lie side by side from the north-west corner */
    BLOCK_CELLS_MIN = 25, /* water cells from which on a block has a group */
    WORMS_MAX = 3
};

static void add_group(generator *g, gen_group group)
{
    if (g->safe[group.y / 2 * SIZE + group.x / 2] >> (group.z - PTL_Z_MIN) & 1)
        return;
    gen_group *added = features_add_group(&g->features);
    if (added)
        *added = group;
    else
        g->failed = true;
}

/* Sizes are the games': a group covers the city, that of the sewers also what lies around. */
static void add_city_groups(generator *g, const gen_city *city)
{
    rng r =
        cell_stream(g, step_key(g, "monster_groups/city"), city->planned_x, city->planned_y);
    const int16_t x = (int16_t)(2 * city->x), y = (int16_t)(2 * city->y);
    for (int8_t z = -1; z >= -2; z--)
        if (rng_one_in(&r, 3))
            add_group(g, (gen_group){.type = "GROUP_CHUD",
                                     .x = x,
                                     .y = y,
                                     .z = z,
                                     .radius = city->size,
                                     .population = 20 * city->size});
    if (!rng_one_in(&r, 8))
        add_group(g, (gen_group){.type = "GROUP_SEWER",
                                 .x = x,
                                 .y = y,
                                 .z = -1,
                                 .radius = (int16_t)(7 * city->size / 2),
                                 .population = 70 * city->size});
}

enum { BLOCKS = SIZE / BLOCK };

/* By block: its cells of fresh water, and of sea. */
typedef struct water_counts {
    uint8_t fresh[BLOCKS][BLOCKS], sea[BLOCKS][BLOCKS];
} water_counts;

static void count_block(const uint8_t *kinds, const ptl_oter *first, uint8_t *fresh,
                        uint8_t *sea)
{
    unsigned water = 0, ocean = 0;
    for (int32_t y = 0; y < BLOCK; y++)
        for (int32_t x = 0; x < BLOCK; x++) {
            const unsigned kind = kinds[first[y * SIZE + x]];
            water += (kind & CELL_WATER) != 0;
            ocean += (kind & CELL_OCEAN) != 0;
        }
    *fresh = (uint8_t)(water - ocean); /* all of the sea is water */
    *sea = (uint8_t)ocean;
}

static water_counts count_water(const generator *g)
{
    water_counts out = {0};
    if (cell_kinds_all_sea(g->config->cell_kinds, g->ground)) {
        memset(out.sea, BLOCK * BLOCK, sizeof out.sea);
        return out;
    }
    for (int32_t y = 0; y < BLOCKS; y++)
        for (int32_t x = 0; x < BLOCKS; x++)
            count_block(g->config->cell_kinds, &g->ground[y * BLOCK * SIZE + x * BLOCK],
                        &out.fresh[y][x], &out.sea[y][x]);
    return out;
}

static void add_block_group(generator *g, uint64_t key, const char *type, int32_t x, int32_t y,
                            int32_t count)
{
    rng r = cell_stream(g, key, x, y);
    add_group(g, (gen_group){.type = type,
                             .x = (int16_t)(2 * x),
                             .y = (int16_t)(2 * y),
                             .radius = 3,
                             .population = rng_range(&r, 8 * count, 25 * count)});
}

static void add_river_groups(generator *g, const water_counts *counts)
{
    const uint64_t key = step_key(g, "monster_groups/river");
    for (int32_t y = 0; y < BLOCKS; y++)
        for (int32_t x = 0; x < BLOCKS; x++)
            if (counts->fresh[y][x] >= BLOCK_CELLS_MIN)
                add_block_group(g, key, "GROUP_RIVER", x * BLOCK + BLOCK / 2,
                                y * BLOCK + BLOCK / 2, counts->fresh[y][x]);
}

/* The sea has its own, other ones where it is deep. */
static void add_ocean_groups(generator *g, const water_counts *counts)
{
    const uint64_t key = step_key(g, "monster_groups/ocean");
    const ocean_plan *plan = &g->config->ocean;
    for (int32_t y = 0; y < BLOCKS && plan->settings; y++)
        for (int32_t x = 0; x < BLOCKS; x++) {
            if (counts->sea[y][x] < BLOCK_CELLS_MIN)
                continue;
            const int32_t cx = x * BLOCK + BLOCK / 2, cy = y * BLOCK + BLOCK / 2;
            const bool deep = ocean_deep(plan, (int64_t)g->chunk->pos.x * SIZE + cx,
                                         (int64_t)g->chunk->pos.y * SIZE + cy);
            add_block_group(g, key, deep ? "GROUP_OCEAN_DEEP" : "GROUP_OCEAN_SHORE", cx, cy,
                            counts->sea[y][x]);
        }
}

static void add_worms(generator *g)
{
    rng r = step_stream(g, "monster_groups/worms");
    for (int32_t n = rng_range(&r, 0, WORMS_MAX); n > 0; n--) {
        gen_group worms = {.type = "GROUP_WORM"};
        worms.x = (int16_t)rng_range(&r, 0, 2 * SIZE - 1);
        worms.y = (int16_t)rng_range(&r, 0, 2 * SIZE - 1);
        worms.radius = (int16_t)rng_range(&r, 20, 40);
        worms.population = rng_range(&r, 30, 50);
        add_group(g, worms);
    }
}

static void run(generator *g)
{
    for (size_t i = 0; i < g->features.city_count; i++)
        add_city_groups(g, &g->features.cities[i]);
    const water_counts counts = count_water(g);
    add_river_groups(g, &counts);
    add_ocean_groups(g, &counts);
    add_worms(g);
}

const gen_step step_monster_groups = {
    .info = {"monster_groups", 0, false},
    .run = run,
};
