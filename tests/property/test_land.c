/*
 * The land, over many seeds: borders without seams, rivers that lead somewhere, steps that
 * keep to their reach, worlds that do not depend on who was made first. PORTOLAN_SOAK_SEEDS
 * raises the number of seeds.
 */
#include "gen/pipeline.h"
#include "gen/steps/waters.h"
#include "support/chunk_maker.h"
#include "support/golden.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const REGIONS[] = {"default", "wet", "thin", "dry"};
enum { REGION_COUNT = 4, SEEDS = 16, BLOCK = 3 };

static maker maker_of(uint64_t seed, const char *region)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = region;
    return maker_new(land_catalogue(), &options);
}

static bool equal(const ptl_chunk *a, const ptl_chunk *b)
{
    static ptl_oter ca[PTL_LEVEL_CELLS], cb[PTL_LEVEL_CELLS];
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        ptl_chunk_level(ca, a, z);
        ptl_chunk_level(cb, b, z);
        if (memcmp(ca, cb, sizeof ca) != 0)
            return false;
    }
    return true;
}

static bool has_flag(const ptl_chunk *chunk, int32_t x, int32_t y, int32_t z, uint32_t flags)
{
    return land_catalogue()->oters[ptl_chunk_oter(chunk, x, y, z)].flags & flags;
}

static const uint32_t LAKE = CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE;
static const uint32_t WATER = CAT_FLAG_RIVER | CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE;

/* Is cell i of the border line of `a` towards its east (or south) neighbour of these flags,
 * and the same on the neighbour's side? */
static bool at_border(const ptl_chunk *chunk, bool east, bool far_side, int32_t i,
                      uint32_t flags)
{
    int32_t line = far_side ? 0 : SIZE - 1;
    return east ? has_flag(chunk, line, i, 0, flags) : has_flag(chunk, i, line, 0, flags);
}

/* Runs of water on one line, with some of `flags` in them, without any water on the other.
 * Rivers and lakes count alike there: a shore or a swamp may hide where a river goes on. */
static int seams(const ptl_chunk *a, const ptl_chunk *b, bool east, uint32_t flags)
{
    int found = 0;
    for (int pass = 0; pass < 2; pass++) {
        const ptl_chunk *own = pass ? b : a, *other = pass ? a : b;
        for (int32_t i = 0; i < SIZE; i++) {
            bool matched = false, counts = false;
            for (; i < SIZE && at_border(own, east, pass, i, WATER); i++) {
                counts |= at_border(own, east, pass, i, flags);
                matched |= at_border(other, east, !pass, i, WATER);
            }
            found += counts && !matched;
        }
    }
    return found;
}

START_TEST(water_goes_on_across_borders)
{
    const char *region = REGIONS[_i % REGION_COUNT];
    maker m = maker_of((uint64_t)_i, region);
    ptl_chunk *chunks[BLOCK][BLOCK];
    int rivers = 0;
    for (int32_t y = 0; y < BLOCK; y++)
        for (int32_t x = 0; x < BLOCK; x++)
            chunks[y][x] = make(&m, x - 1, y - 1, GEN_STEPS_MAX);
    for (int32_t y = 0; y < BLOCK; y++)
        for (int32_t x = 0; x < BLOCK; x++)
            for (int east = 0; east < 2; east++) {
                if ((east ? x : y) == BLOCK - 1)
                    continue;
                const ptl_chunk *a = chunks[y][x];
                const ptl_chunk *b = east ? chunks[y][x + 1] : chunks[y + 1][x];
                ck_assert_int_eq(seams(a, b, east, WATER), 0);
                ck_assert_int_eq(seams(a, b, east, CAT_FLAG_RIVER), 0);
                for (int32_t i = 0; i < SIZE; i++)
                    rivers += at_border(a, east, false, i, CAT_FLAG_RIVER);
            }
    if (strcmp(region, "default") == 0)
        ck_assert_int_gt(rivers, 0);
    if (strcmp(region, "dry") == 0)
        ck_assert_int_eq(rivers, 0);
    for (int32_t i = 0; i < BLOCK * BLOCK; i++)
        ptl_chunk_free(chunks[i / BLOCK][i % BLOCK]);
    maker_free(&m);
}
END_TEST

/* Chunks that are no neighbours have seams, of rivers too. */
START_TEST(seams_can_be_found)
{
    int water = 0, rivers = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        maker m = maker_of(seed, "default");
        ptl_chunk *a = make(&m, 0, 0, GEN_STEPS_MAX), *b = make(&m, 2, 3, GEN_STEPS_MAX);
        for (int east = 0; east < 2; east++) {
            water += seams(a, b, east, WATER);
            rivers += seams(a, b, east, CAT_FLAG_RIVER);
        }
        ptl_chunk_free(a);
        ptl_chunk_free(b);
        maker_free(&m);
    }
    ck_assert_int_gt(rivers, 0);
    ck_assert_int_ge(water, rivers);
}
END_TEST

/* Flood from one cell over water; marks what it reaches. */
static void reach_water(const ptl_chunk *chunk, uint8_t *seen, int32_t start)
{
    static int32_t queue[SIZE * SIZE];
    int32_t count = 0;
    queue[count++] = start;
    seen[start] = 1;
    for (int32_t head = 0; head < count; head++) {
        int32_t x = queue[head] % SIZE, y = queue[head] / SIZE;
        for (int32_t dy = -1; dy <= 1; dy++)
            for (int32_t dx = -1; dx <= 1; dx++) {
                int32_t nx = x + dx, ny = y + dy, n = ny * SIZE + nx;
                if (inside(nx, ny) && !seen[n] && has_flag(chunk, nx, ny, 0, WATER)) {
                    seen[n] = 1;
                    queue[count++] = n;
                }
            }
    }
}

/* The border cell of a crossing on this chunk's side. */
static int32_t crossing_cell(int direction, const crossing *c)
{
    switch (direction) {
    case 0:
        return c->position;
    case 1:
        return c->position * SIZE + SIZE - 1;
    case 2:
        return (SIZE - 1) * SIZE + c->position;
    default:
        return c->position * SIZE;
    }
}

START_TEST(every_river_that_enters_leaves)
{
    maker m = maker_of((uint64_t)_i, REGIONS[_i % 3]);
    for (int32_t n = 0; n < 9; n++) {
        int32_t cx = n % 3 * 7 - 7, cy = n / 3 * 5 - 5;
        ptl_chunk *chunk = make(&m, cx, cy, GEN_STEPS_MAX);
        uint8_t *seen = calloc(1, SIZE * SIZE);
        for (int pass = 0; pass < 2; pass++) /* flood from outflows, then look at inflows */
            for (int d = 0; d < 4; d++) {
                int32_t ex, ey;
                edge_side side;
                edge e;
                plan_edge_of_chunk((ptl_chunk_pos){cx, cy}, d, &ex, &ey, &side);
                ck_assert_int_eq(plan_edge(&e, m.config, ex, ey, side, NULL), PTL_OK);
                for (size_t i = 0; i < e.count; i++) {
                    bool leaves = (e.crossings[i].direction > 0) == (d == 1 || d == 2);
                    int32_t cell = crossing_cell(d, &e.crossings[i]);
                    ck_assert(has_flag(chunk, cell % SIZE, cell / SIZE, 0, WATER));
                    if (pass == 0 && leaves)
                        reach_water(chunk, seen, cell);
                    if (pass == 1 && !leaves)
                        ck_assert_msg(seen[cell], "seed %d chunk %d,%d: a river ends inside",
                                      _i, cx, cy);
                }
                edge_dispose(&e);
            }
        free(seen);
        ptl_chunk_free(chunk);
    }
    maker_free(&m);
}
END_TEST

/* Edges of a chunk that somebody else made may bring rivers in and none out: they end in a
 * pond, every one of them, and an event says so. */
START_TEST(rivers_that_only_flow_in_end_in_a_pond)
{
    maker m = maker_of((uint64_t)_i, "default");
    crossing in[4];
    edge edges[4], *list[4];
    for (int d = 0; d < 4; d++) {
        in[d] = (crossing){.kind = CROSSING_RIVER,
                           .position = (int16_t)(40 + 25 * d),
                           .width = 1,
                           .direction = d == 1 || d == 2 ? -1 : 1};
        edges[d] = (edge){.origin = EDGE_FOREIGN, .crossings = &in[d], .count = 1};
        plan_edge_of_chunk((ptl_chunk_pos){0, 0}, d, &edges[d].x, &edges[d].y, &edges[d].side);
        list[d] = &edges[d];
    }
    ptl_chunk *chunk = NULL;
    ck_assert_int_eq(generator_run(&chunk, m.gen, (ptl_chunk_pos){0, 0}, list, GEN_STEPS_MAX,
                                   NULL, NULL, NULL),
                     PTL_OK);
    size_t count = 0;
    const gen_event *events = generator_events(m.gen, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(events[0].step, "rivers");
    ck_assert_str_eq(events[0].kind, "river_pond");
    ck_assert(has_flag(chunk, events[0].x, events[0].y, 0, WATER));
    uint8_t *seen = calloc(1, SIZE * SIZE);
    reach_water(chunk, seen, events[0].y * SIZE + events[0].x);
    for (int d = 0; d < 4; d++)
        ck_assert(seen[crossing_cell(d, &in[d])]);
    free(seen);
    ptl_chunk_free(chunk);
    maker_free(&m);
}
END_TEST

/* Some chunk, and the ends of the world. */
static const ptl_chunk_pos PLACES[] = {
    {3, -2},
    {PTL_CHUNK_COORD_MAX, -PTL_CHUNK_COORD_MAX},
    {-PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX},
    {-PTL_CHUNK_COORD_MAX, -PTL_CHUNK_COORD_MAX},
};
enum { PLACE_COUNT = 4 };

/* The lake field of a chunk without edges, by `scramble`: with the squares, or cell by cell
 * (whose reach takes in all that is asked for, so that the noise is the same). */
static void lake_cells(maker *m, ptl_chunk *chunk, bool scramble, uint8_t lake[SIZE * SIZE])
{
    static const step_info step = {"test", SIZE, true};
    edge edges[4] = {{0}}, *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
    generator_scramble(m->gen, scramble);
    m->gen->running = &step;
    m->gen->chunk = chunk;
    m->gen->edges = list;
    water_fields_reset(m->gen);
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        const int32_t x = i % SIZE, y = i / SIZE;
        lake[i] = lake_is(m->gen, x, y);
        const int32_t sx = x - x % NOISE_SQUARE, sy = y - y % NOISE_SQUARE;
        ck_assert_int_ne(water_share_of(m->gen, &m->gen->lakes, sx, sy),
                         lake[i] ? WATER_NONE : WATER_ALL);
    }
    m->gen->chunk = NULL;
    m->gen->edges = NULL;
}

START_TEST(lakes_by_squares_and_by_cells)
{
    static uint8_t squares[SIZE * SIZE], cells[SIZE * SIZE];
    maker m = maker_of((uint64_t)_i, REGIONS[_i % REGION_COUNT]);
    for (int n = 0; n < PLACE_COUNT; n++) {
        ptl_chunk *chunk = chunk_new(PLACES[n]);
        ck_assert_ptr_nonnull(chunk);
        lake_cells(&m, chunk, false, squares);
        lake_cells(&m, chunk, true, cells);
        ck_assert_mem_eq(squares, cells, sizeof squares);
        ptl_chunk_free(chunk);
    }
    maker_free(&m);
}
END_TEST

/* A catalogue with one region, like "wet" but for its lakes. */
typedef struct lake_land {
    cat_region region;
    catalogue cat;
} lake_land;

static maker maker_of_lakes(lake_land *l, uint64_t seed, double threshold, int32_t size_min)
{
    l->cat = *land_catalogue();
    l->region = *catalogue_region(&l->cat, "wet");
    l->region.lake_threshold = threshold;
    l->region.lake_size_min = size_min;
    l->cat.regions = &l->region;
    l->cat.region_count = 1;
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = "wet";
    return maker_new(&l->cat, &options);
}

/* The chunk in work, without edges, in a step that may look everywhere. */
static void stand_in(maker *m, ptl_chunk *chunk, edge *list[4])
{
    static const step_info step = {"test", SIZE, true};
    m->gen->running = &step;
    m->gen->chunk = chunk;
    m->gen->edges = list;
    water_fields_reset(m->gen);
}

enum { AROUND = 66, WINDOW = SIZE + 2 * AROUND };

/* Counts the component of a cell, up to AROUND, by looking at every cell around it. */
static int32_t component(const uint8_t *above, int32_t start)
{
    static int32_t queue[WINDOW * WINDOW];
    static uint8_t seen[WINDOW * WINDOW];
    const int32_t steps[4] = {-WINDOW, 1, WINDOW, -1};
    int32_t count = 0;
    if (above[start]) {
        queue[count++] = start;
        seen[start] = 1;
    }
    for (int32_t head = 0; head < count && count < AROUND; head++)
        for (int i = 0; i < 4; i++) {
            const int32_t next = queue[head] + steps[i];
            if (above[next] && !seen[next]) {
                queue[count++] = next;
                seen[next] = 1;
            }
        }
    for (int32_t i = 0; i < count; i++)
        seen[queue[i]] = 0;
    return count < AROUND ? count : AROUND;
}

/* Which cells of the chunk are lake, where so many are wanted: those of components as large. */
static void check_components(int seed, double threshold, int32_t size_min,
                             const int32_t *components)
{
    edge edges[4] = {{0}}, *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
    lake_land land;
    maker m = maker_of_lakes(&land, (uint64_t)seed, threshold, size_min);
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){seed, -seed});
    stand_in(&m, chunk, list);
    for (int32_t y = 1; y < SIZE - 1; y++)
        for (int32_t x = 1; x < SIZE - 1; x++)
            ck_assert_int_eq(lake_is(m.gen, x, y), components[y * SIZE + x] >= size_min);
    m.gen->chunk = NULL;
    m.gen->edges = NULL;
    ptl_chunk_free(chunk);
    maker_free(&m);
}

/* The sizes of the components that the chunk's cells are of; AROUND stands for all larger ones.
 */
static void find_components(int seed, double threshold, int32_t *components)
{
    static uint8_t above[WINDOW * WINDOW];
    edge edges[4] = {{0}}, *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
    lake_land land;
    maker m = maker_of_lakes(&land, (uint64_t)seed, threshold, 1);
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){seed, -seed});
    stand_in(&m, chunk, list);
    for (int32_t i = 0; i < WINDOW * WINDOW; i += NOISE_BLOCK)
        noise_lake(m.gen, i % WINDOW - AROUND, i / WINDOW - AROUND, above + i);
    m.gen->chunk = NULL;
    m.gen->edges = NULL;
    ptl_chunk_free(chunk);
    maker_free(&m);
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        components[i] = component(above, (i / SIZE + AROUND) * WINDOW + i % SIZE + AROUND);
}
_Static_assert(WINDOW % NOISE_BLOCK == 0, "rows of the window are whole blocks");

/* A cell is lake if its component of the noise has lake_size_min cells: one fewer is none. The
 * sizes that are tried are those of the chunk's own small components, of which a threshold has
 * few. */
START_TEST(lakes_are_the_large_components)
{
    enum { THRESHOLDS = 20 };
    static int32_t components[SIZE * SIZE];
    int tried = 0;
    for (int n = 0; n < THRESHOLDS; n++) {
        const double threshold = 0.02 * n;
        bool there[AROUND + 1] = {false};
        find_components(_i, threshold, components);
        for (int32_t i = 0; i < SIZE * SIZE; i++)
            there[components[i]] = true;
        for (int32_t size = 1; size < AROUND; size++) {
            if (!there[size])
                continue;
            check_components(_i, threshold, size, components);
            check_components(_i, threshold, size + 1, components);
            tried++;
        }
    }
    ck_assert_int_gt(tried, 0);
}
END_TEST

/* Four chunks meet in a corner: its four cells are all lake if one of them is. */
START_TEST(corners_are_equal)
{
    enum { CHUNKS = 150 };
    edge edges[4] = {{0}}, *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
    lake_land land;
    maker m = maker_of_lakes(&land, (uint64_t)_i, 0.02 * (_i % 8), 1);
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < CHUNKS; n++) {
        ptl_chunk *chunk = chunk_new(
            (ptl_chunk_pos){(int32_t)rng_below(&r, 2000), (int32_t)rng_below(&r, 2000)});
        stand_in(&m, chunk, list);
        for (int corner = 0; corner < 4; corner++) {
            const int32_t x = corner % 2 ? SIZE - 1 : 0, y = corner / 2 ? SIZE - 1 : 0;
            const int32_t ax = corner % 2 ? SIZE : -1, ay = corner / 2 ? SIZE : -1;
            uint8_t any = 0, eight[NOISE_BLOCK];
            for (int cell = 0; cell < 4; cell++) {
                noise_lake(m.gen, cell % 2 ? ax : x, cell / 2 ? ay : y, eight);
                any |= eight[0];
            }
            ck_assert_int_eq(lake_is(m.gen, x, y), any != 0);
            ck_assert_int_eq(lake_is(m.gen, ax, ay), any != 0);
        }
        m.gen->chunk = NULL;
        m.gen->edges = NULL;
        ptl_chunk_free(chunk);
    }
    maker_free(&m);
}
END_TEST

/* Everything farther away than a step declares is another world's: the bytes must not change.
 */
START_TEST(steps_keep_to_their_reach)
{
    maker m = maker_of((uint64_t)_i, REGIONS[_i % REGION_COUNT]);
    const ptl_chunk_pos pos = PLACES[_i / REGION_COUNT % PLACE_COUNT];
    for (size_t steps = 1; steps <= pipeline_step_count(&overmap_pipeline); steps++) {
        generator_scramble(m.gen, false);
        ptl_chunk *a = make(&m, pos.x, pos.y, steps);
        generator_scramble(m.gen, true);
        ptl_chunk *b = make(&m, pos.x, pos.y, steps);
        ck_assert_msg(equal(a, b), "step %s reads beyond its reach",
                      pipeline_step(&overmap_pipeline, steps - 1)->name);
        ptl_chunk_free(a);
        ptl_chunk_free(b);
    }
    maker_free(&m);
}
END_TEST

/* The scramble itself must be able to fail: with a reach that is declared too small, bytes do
 * change for some seed. */
START_TEST(scramble_can_fail)
{
    int changed = 0;
    for (uint64_t seed = 0; seed < 40 && !changed; seed++) {
        maker m = maker_of(seed, "wet");
        m.gen->scramble = false;
        ptl_chunk *a = make(&m, 0, 0, GEN_STEPS_MAX);
        static const step_info none = {"test", -8, false};
        generator_scramble(m.gen, true);
        m.gen->running = &none;
        uint8_t scrambled[NOISE_BLOCK], plain[NOISE_BLOCK];
        m.gen->chunk = a;
        for (int32_t x = 0; x < 8 && !changed; x += NOISE_BLOCK)
            for (int32_t y = 0; y < SIZE; y++) {
                noise_forest(m.gen, x, y, scrambled);
                m.gen->scramble = false;
                noise_forest(m.gen, x, y, plain);
                m.gen->scramble = true;
                changed |= memcmp(scrambled, plain, sizeof plain) != 0;
            }
        m.gen->chunk = NULL;
        ptl_chunk_free(a);
        maker_free(&m);
    }
    ck_assert(changed);
}
END_TEST

/* A generator that made other chunks before gives the same chunk as a fresh one. */
START_TEST(no_memory_of_other_chunks)
{
    const char *region = REGIONS[_i % REGION_COUNT];
    maker used = maker_of((uint64_t)_i, region), fresh = maker_of((uint64_t)_i, region);
    for (int32_t n = 0; n < 4; n++)
        ptl_chunk_free(make(&used, n * 5, -n, GEN_STEPS_MAX));
    ptl_chunk *a = make(&used, 2, 2, GEN_STEPS_MAX), *b = make(&fresh, 2, 2, GEN_STEPS_MAX);
    ck_assert(equal(a, b));
    ptl_chunk_free(a);
    ptl_chunk_free(b);
    maker_free(&used);
    maker_free(&fresh);
}
END_TEST

static bool is_oter(const ptl_chunk *chunk, int32_t x, int32_t y, int32_t z, const char *id)
{
    return strcmp(land_catalogue()->oters[ptl_chunk_oter(chunk, x, y, z)].id, id) == 0;
}

START_TEST(levels_below_and_above)
{
    maker m = maker_of((uint64_t)_i, _i % 2 ? "wet" : "default");
    const cat_region *region = m.config->region;
    ptl_chunk *chunk = make(&m, _i, 1, GEN_STEPS_MAX);
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x++) {
            bool surface = is_oter(chunk, x, y, 0, "lake_surface");
            for (int32_t z = -1; z > region->lake_depth; z--)
                ck_assert_int_eq(is_oter(chunk, x, y, z, "lake_water_cube"), surface);
            ck_assert_int_eq(is_oter(chunk, x, y, region->lake_depth, "lake_bed"), surface);
            ck_assert(is_oter(chunk, x, y, PTL_Z_MIN, "empty_rock"));
            ck_assert(is_oter(chunk, x, y, PTL_Z_MAX, "open_air"));
            bool ravine = is_oter(chunk, x, y, 0, "ravine");
            bool floor = is_oter(chunk, x, y, region->ravine_depth, "ravine_floor");
            if (!surface)
                ck_assert_int_eq(ravine, floor);
        }
    ptl_chunk_free(chunk);
    maker_free(&m);
}
END_TEST

/* No lake is smaller than lake_size_min unless it reaches the border. (Rivers that link it may
 * cut through its shore, so they are counted as water here.) */
START_TEST(lakes_are_large_enough)
{
    maker m = maker_of((uint64_t)_i, "wet");
    ptl_chunk *chunk = make(&m, -_i, _i * 2, 2); /* rivers and lakes */
    uint8_t *seen = calloc(1, SIZE * SIZE);
    int32_t *queue = malloc(SIZE * SIZE * sizeof *queue);
    for (int32_t start = 0; start < SIZE * SIZE; start++) {
        if (seen[start] || !has_flag(chunk, start % SIZE, start / SIZE, 0, LAKE))
            continue;
        int32_t count = 0;
        bool touches = false;
        queue[count++] = start;
        seen[start] = 1;
        for (int32_t head = 0; head < count; head++) {
            int32_t x = queue[head] % SIZE, y = queue[head] / SIZE;
            const point next[4] = {{x, y - 1}, {x + 1, y}, {x, y + 1}, {x - 1, y}};
            for (int i = 0; i < 4; i++) {
                int32_t n = next[i].y * SIZE + next[i].x;
                if (!inside(next[i].x, next[i].y))
                    touches = true;
                else if (!seen[n] && has_flag(chunk, next[i].x, next[i].y, 0, WATER)) {
                    seen[n] = 1;
                    queue[count++] = n;
                }
            }
        }
        ck_assert(touches || count >= m.config->region->lake_size_min);
    }
    free(queue);
    free(seen);
    ptl_chunk_free(chunk);
    maker_free(&m);
}
END_TEST

START_TEST(unknown_banks_never_stay)
{
    maker m = maker_of((uint64_t)_i, REGIONS[_i % 3]);
    ptl_chunk *chunk = make(&m, 1, -_i, GEN_STEPS_MAX);
    for (int32_t y = 1; y < SIZE - 1; y++)
        for (int32_t x = 1; x < SIZE - 1; x++) {
            if (!is_oter(chunk, x, y, 0, "river_center"))
                continue;
            /* open water on all eight sides, or what once was water and is now a swamp */
            for (int32_t dy = -1; dy <= 1; dy++)
                for (int32_t dx = -1; dx <= 1; dx++)
                    ck_assert(has_flag(chunk, x + dx, y + dy, 0, WATER) ||
                              is_oter(chunk, x + dx, y + dy, 0, "forest_water"));
        }
    ptl_chunk_free(chunk);
    maker_free(&m);
}
END_TEST

/* One line of tests/golden/land.txt: what was made, counted and hashed over id strings. */
static void describe(char *line, size_t size, int n)
{
    maker made = maker_of((uint64_t)n, REGIONS[n % REGION_COUNT]), *m = &made;
    const char *region = REGIONS[n % REGION_COUNT];
    ptl_chunk *chunk = make(m, n * 3 - 8, 5 - n, GEN_STEPS_MAX);
    uint64_t digest = 0;
    int counts[3] = {0};
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
            const cat_oter *o =
                &land_catalogue()->oters[ptl_chunk_oter(chunk, i % SIZE, i / SIZE, z)];
            digest = hash_add(digest, hash_string(o->id));
            if (z != 0)
                continue;
            counts[0] += (o->flags & CAT_FLAG_RIVER) != 0;
            counts[1] += (o->flags & LAKE) != 0;
            counts[2] += strncmp(o->id, "forest", 6) == 0;
        }
    snprintf(line, size, "%s seed %d chunk %d,%d: river %d lake %d forest %d digest %016llx\n",
             region, n, n * 3 - 8, 5 - n, counts[0], counts[1], counts[2],
             (unsigned long long)digest);
    ptl_chunk_free(chunk);
    maker_free(m);
}

/* Same inputs, same world, on every machine. */
START_TEST(golden_chunks)
{
    golden_lines("land.txt", 8, describe);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("land");
    TCase *tcase = tcase_create("land"), *golden = tcase_create("golden");
    tcase_set_tags(tcase, "seeds"); /* slow without optimisation: tools/test */
    int seeds = test_seeds(SEEDS);
    printf("land: %d seeds\n", seeds);
    tcase_set_timeout(tcase, 300);
    tcase_set_timeout(golden, 300);
    tcase_add_loop_test(tcase, water_goes_on_across_borders, 0, seeds);
    tcase_add_test(tcase, seams_can_be_found);
    tcase_add_loop_test(tcase, lakes_by_squares_and_by_cells, 0, seeds);
    tcase_add_loop_test(tcase, lakes_are_the_large_components, 0, seeds < 8 ? seeds : 8);
    tcase_add_loop_test(tcase, corners_are_equal, 0, seeds < 40 ? seeds : 40);
    tcase_add_loop_test(tcase, every_river_that_enters_leaves, 0, seeds);
    tcase_add_loop_test(tcase, rivers_that_only_flow_in_end_in_a_pond, 0, 8);
    tcase_add_loop_test(tcase, steps_keep_to_their_reach, 0, seeds < 40 ? seeds : 40);
    tcase_add_test(tcase, scramble_can_fail);
    tcase_add_test(golden, golden_chunks);
    tcase_add_loop_test(tcase, no_memory_of_other_chunks, 0, 4);
    tcase_add_loop_test(tcase, levels_below_and_above, 0, seeds < 40 ? seeds : 40);
    tcase_add_loop_test(tcase, lakes_are_large_enough, 0, seeds);
    tcase_add_loop_test(tcase, unknown_banks_never_stay, 0, seeds);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, golden);
    return suite_run(suite);
}
