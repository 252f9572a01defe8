/*
 * Coasts, over many seeds: the sea goes on across borders, whoever comes first; what is surface
 * and what shore; lakes that meet it; what lies below; patches that are too small; steps that
 * keep to their reach.
 */
#include "core/hash.h"
#include "gen/pipeline.h"
#include "gen/steps/waters.h"
#include "support/chunk_maker.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <string.h>

/* Chunks from x = 1 on have sea, from x = 4 on nothing else. */
enum { SEEDS = 6, ACROSS = 5, DOWN = 2, CHUNKS = ACROSS * DOWN };

static maker maker_of(uint64_t seed)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = "coast";
    return maker_new(land_catalogue(), &options);
}

static const char *id_at(const ptl_chunk *chunk, int32_t x, int32_t y, int32_t z)
{
    return land_catalogue()->oters[ptl_chunk_oter(chunk, x, y, z)].id;
}

static uint32_t flags_at(const ptl_chunk *chunk, int32_t x, int32_t y)
{
    return land_catalogue()->oters[ptl_chunk_oter(chunk, x, y, 0)].flags;
}

static const uint32_t LAKE = CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE;
static const uint32_t WATER = CAT_FLAGS_OCEAN | LAKE | CAT_FLAG_RIVER;

static bool is_sea(const ptl_chunk *chunk, int32_t x, int32_t y)
{
    return flags_at(chunk, x, y) & CAT_FLAGS_OCEAN;
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

/* In an order that the seed shuffles. */
static void make_all(maker *m, uint64_t seed, ptl_chunk *out[CHUNKS])
{
    int order[CHUNKS];
    rng r = rng_from_key(seed);
    for (int i = 0; i < CHUNKS; i++) {
        const int k = (int)rng_below(&r, (uint64_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < CHUNKS; i++)
        out[order[i]] = make(m, 1 + order[i] % ACROSS, order[i] / ACROSS, GEN_STEPS_MAX);
}

static void free_all(ptl_chunk *chunks[CHUNKS])
{
    for (int i = 0; i < CHUNKS; i++)
        ptl_chunk_free(chunks[i]);
}

START_TEST(any_order_gives_the_same_coast)
{
    maker m = maker_of((uint64_t)_i);
    ptl_chunk *first[CHUNKS], *again[CHUNKS];
    make_all(&m, 2 * (uint64_t)_i, first);
    make_all(&m, 2 * (uint64_t)_i + 1, again);
    for (int i = 0; i < CHUNKS; i++)
        ck_assert(equal(first[i], again[i]));
    free_all(first);
    free_all(again);
    maker_free(&m);
}
END_TEST

/* Asks for all squares of a chunk and none of its cells: sees what they say of each cell. */
static void ask_squares(generator *g, uint8_t sea[SIZE * SIZE])
{
    for (int32_t y = 0; y < SIZE; y += NOISE_SQUARE)
        for (int32_t x = 0; x < SIZE; x += NOISE_SQUARE) {
            water_square square;
            memset(square, 2, sizeof square);
            water_square_of(g, &g->oceans, x, y, square);
            for (int32_t i = 0; i < NOISE_SQUARE * NOISE_SQUARE; i++) {
                const int32_t cx = x + i % NOISE_SQUARE, cy = y + i / NOISE_SQUARE;
                const uint8_t is = square[i / NOISE_SQUARE][i % NOISE_SQUARE];
                ck_assert((is == 2) == (cx >= SIZE || cy >= SIZE));
                if (is != 2)
                    sea[cy * SIZE + cx] = is;
            }
        }
}

/* What is said of squares is true of their cells, whichever is asked first; and most squares
 * need no more. */
START_TEST(squares_tell_of_their_cells)
{
    static const step_info step = {"test", 1, true};
    edge edges[4] = {{0}}, *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
    maker m = maker_of((uint64_t)_i);
    int count[3] = {0};
    uint8_t sea[SIZE * SIZE];
    m.gen->running = &step;
    for (int32_t n = 0; n < 2 * CHUNKS; n++) {
        ptl_chunk *chunk = chunk_new((ptl_chunk_pos){1 + n / 2 % ACROSS, n / 2 / ACROSS});
        ck_assert_ptr_nonnull(chunk);
        m.gen->chunk = chunk;
        m.gen->edges = list;
        water_fields_reset(m.gen);
        if (n % 2 == 0) {
            ask_squares(m.gen, sea);
            water_fields_reset(m.gen);
        }
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            const int32_t x = i % SIZE, y = i / SIZE;
            const int32_t sx = x - x % NOISE_SQUARE, sy = y - y % NOISE_SQUARE;
            const bool first = n % 2 && ocean_is(m.gen, x, y);
            const water_share share = water_share_of(m.gen, &m.gen->oceans, sx, sy);
            const bool is = ocean_is(m.gen, x, y);
            ck_assert(n % 2 == 0 || first == is);
            ck_assert_int_eq(sea[i], is);
            ck_assert_int_ne(share, is ? WATER_NONE : WATER_ALL);
            count[share]++;
        }
        m.gen->chunk = NULL;
        m.gen->edges = NULL;
        ptl_chunk_free(chunk);
    }
    ck_assert_int_gt(count[WATER_NONE], 0);
    ck_assert_int_gt(count[WATER_SOME], 0);
    ck_assert_int_gt(count[WATER_ALL], count[WATER_SOME]);
    maker_free(&m);
}
END_TEST

/* Cell by cell: sea has sea beside it, across a border, and water water. */
START_TEST(the_sea_goes_on_across_borders)
{
    maker m = maker_of((uint64_t)_i);
    ptl_chunk *c[CHUNKS];
    int cells = 0;
    make_all(&m, (uint64_t)_i, c);
    for (int n = 0; n < CHUNKS; n++)
        for (int32_t i = 0; i < SIZE; i++) {
            if (n % ACROSS < ACROSS - 1) {
                ck_assert_int_eq(is_sea(c[n], SIZE - 1, i), is_sea(c[n + 1], 0, i));
                cells += is_sea(c[n], SIZE - 1, i);
            }
            if (n < CHUNKS - ACROSS)
                ck_assert_int_eq(is_sea(c[n], i, SIZE - 1), is_sea(c[n + ACROSS], i, 0));
        }
    ck_assert_int_gt(cells, 0);
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        ck_assert(is_sea(c[ACROSS - 1], i % SIZE, i / SIZE));
    free_all(c);
    maker_free(&m);
}
END_TEST

/* Of a cell with its neighbours in the chunk, as the sea was drawn: before the forests. */
static bool wet_all_round(const ptl_chunk *chunk, int32_t x, int32_t y)
{
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if (!(flags_at(chunk, x + dx, y + dy) & WATER))
                return false;
    return true;
}

static void check_column(const ptl_chunk *chunk, int32_t x, int32_t y)
{
    const bool surface = flags_at(chunk, x, y) & CAT_FLAG_OCEAN;
    for (int32_t z = -1; z >= PTL_Z_MIN; z--) {
        const char *expected = !surface || z < -9 ? "empty_rock"
                               : z == -9          ? "ocean_bed"
                                                  : "ocean_water_cube";
        ck_assert_str_eq(id_at(chunk, x, y, z), expected);
    }
}

START_TEST(surface_shore_and_what_lies_below)
{
    enum { RIVERS_LAKES_OCEANS = 3 };
    maker m = maker_of((uint64_t)_i);
    int surface = 0, shore = 0;
    for (int32_t n = 0; n < 3; n++) {
        ptl_chunk *chunk = make(&m, 1 + n, -1, RIVERS_LAKES_OCEANS);
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            const int32_t x = i % SIZE, y = i / SIZE;
            if (!is_sea(chunk, x, y))
                continue;
            check_column(chunk, x, y);
            const bool deep = flags_at(chunk, x, y) & CAT_FLAG_OCEAN;
            surface += deep;
            shore += !deep;
            /* A river that links the sea was drawn after the shore. */
            if (x > 0 && x < SIZE - 1 && y > 0 && y < SIZE - 1 && deep)
                ck_assert(wet_all_round(chunk, x, y));
        }
        ptl_chunk_free(chunk);
    }
    ck_assert_int_gt(surface, 0);
    ck_assert_int_gt(shore, 0);
    maker_free(&m);
}
END_TEST

/* The cell that lies on the other side of a border is planned as it is drawn there. */
static uint32_t flags_around(ptl_chunk *const chunks[2], int32_t x, int32_t y)
{
    return flags_at(chunks[x >= SIZE], x % SIZE, y);
}

static bool beside(ptl_chunk *const chunks[2], int32_t x, int32_t y, uint32_t flags, int count)
{
    for (int k = 0; k < 9; k++)
        count -= (flags_around(chunks, x + k % 3 - 1, y + k / 3 - 1) & flags) != 0;
    return count <= 0;
}

/* Where the sea begins behind its line a lake may lie, and goes on in the sea: a shore has land
 * beside it, whatever water it is of. Also over the border of two chunks. */
START_TEST(a_lake_joins_the_sea)
{
    enum { RIVERS_LAKES_OCEANS = 3, PAIRS = 12, EITHER = 1, ALL = 9 };
    maker m = maker_of((uint64_t)_i);
    int open = 0;
    m.config->river_width = 0; /* rivers that link water to water are drawn behind it */
    for (int32_t n = 0; n < PAIRS; n++) {
        ptl_chunk *pair[2] = {make(&m, n % 2, n / 2, RIVERS_LAKES_OCEANS),
                              make(&m, n % 2 + 1, n / 2, RIVERS_LAKES_OCEANS)};
        for (int32_t y = 1; y < SIZE - 1; y++)
            for (int32_t x = 1; x < 2 * SIZE - 1; x++) {
                const uint32_t flags = flags_around(pair, x, y);
                if (!(flags & (LAKE | CAT_FLAGS_OCEAN)))
                    continue;
                const bool surface = flags & (CAT_FLAG_LAKE | CAT_FLAG_OCEAN);
                const bool meets = beside(pair, x, y, LAKE, EITHER) &&
                                   beside(pair, x, y, CAT_FLAGS_OCEAN, EITHER);
                open += meets && surface;
                ck_assert(!meets || surface == beside(pair, x, y, WATER, ALL));
            }
        ptl_chunk_free(pair[0]);
        ptl_chunk_free(pair[1]);
    }
    ck_assert(_i > 0 || open > 0);
    maker_free(&m);
}
END_TEST

/* The number of cells of a component inside a chunk; 0 if it comes to a border. Counted cells
 * are marked. */
static int32_t component(const ptl_chunk *chunk, uint8_t *seen, int32_t start)
{
    static int32_t queue[SIZE * SIZE];
    int32_t count = 0;
    bool border = false;
    queue[count++] = start;
    seen[start] = 1;
    for (int32_t head = 0; head < count; head++) {
        const int32_t x = queue[head] % SIZE, y = queue[head] / SIZE;
        const point next[4] = {{x, y - 1}, {x + 1, y}, {x, y + 1}, {x - 1, y}};
        border = border || x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
        for (int i = 0; i < 4; i++) {
            const int32_t at = next[i].y * SIZE + next[i].x;
            if (inside(next[i].x, next[i].y) && !seen[at] &&
                is_sea(chunk, next[i].x, next[i].y)) {
                seen[at] = 1;
                queue[count++] = at;
            }
        }
    }
    return border ? 0 : count;
}

/* Patches of the planned sea that have fewer cells than the region wants are no sea. */
START_TEST(small_patches_are_left_out)
{
    static uint8_t seen[SIZE * SIZE];
    maker m = maker_of((uint64_t)_i);
    const ocean_plan *plan = &m.config->ocean;
    int left_out = 0;
    for (int32_t cx = 1; cx <= 3; cx++) {
        ptl_chunk *chunk = make(&m, cx, 1, GEN_STEPS_MAX);
        memset(seen, 0, sizeof seen);
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            const int32_t x = i % SIZE, y = i / SIZE;
            const bool planned = ocean_at(plan, (int64_t)cx * SIZE + x, SIZE + y);
            const bool border = x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
            ck_assert(planned || border || !is_sea(chunk, x, y));
            left_out += planned && !is_sea(chunk, x, y);
            if (!seen[i] && is_sea(chunk, x, y)) {
                const int32_t count = component(chunk, seen, i);
                ck_assert(count == 0 || count >= 100);
            }
        }
        ptl_chunk_free(chunk);
    }
    ck_assert_int_ge(left_out, 0);
    maker_free(&m);
}
END_TEST

START_TEST(nothing_but_sea)
{
    maker m = maker_of((uint64_t)_i);
    const ptl_chunk_pos places[] = {
        {4, 0}, {100, 7}, {-600, 3}, {2, -9}, {PTL_CHUNK_COORD_MAX, -PTL_CHUNK_COORD_MAX}};
    for (size_t n = 0; n < sizeof places / sizeof *places; n++) {
        ptl_chunk *chunk = make(&m, places[n].x, places[n].y, GEN_STEPS_MAX);
        size_t events = 0;
        (void)generator_events(m.gen, &events);
        ck_assert_uint_eq(events, 0);
        for (int32_t i = 0; i < SIZE * SIZE; i += 7) {
            ck_assert_str_eq(id_at(chunk, i % SIZE, i / SIZE, 0), "ocean_surface");
            check_column(chunk, i % SIZE, i / SIZE);
        }
        ptl_chunk_free(chunk);
    }
    maker_free(&m);
}
END_TEST

START_TEST(steps_keep_to_their_reach)
{
    enum { OCEANS_AND_WHO_ASKS = 5 }; /* up to the swamps */
    maker m = maker_of((uint64_t)_i);
    const int32_t x = 1 + _i % 3, y = -3 + _i;
    for (size_t steps = 1; steps <= OCEANS_AND_WHO_ASKS; steps++) {
        generator_scramble(m.gen, false);
        ptl_chunk *a = make(&m, x, y, steps);
        generator_scramble(m.gen, true);
        ptl_chunk *b = make(&m, x, y, steps);
        ck_assert_msg(equal(a, b), "step %s reads beyond its reach",
                      pipeline_step(&overmap_pipeline, steps - 1)->name);
        ptl_chunk_free(a);
        ptl_chunk_free(b);
    }
    maker_free(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coast");
    TCase *tcase = tcase_create("coasts");
    const int seeds = test_seeds(SEEDS);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, any_order_gives_the_same_coast, 0, seeds);
    tcase_add_loop_test(tcase, squares_tell_of_their_cells, 0, seeds);
    tcase_add_loop_test(tcase, the_sea_goes_on_across_borders, 0, seeds);
    tcase_add_loop_test(tcase, surface_shore_and_what_lies_below, 0, seeds);
    tcase_add_loop_test(tcase, a_lake_joins_the_sea, 0, seeds);
    tcase_add_loop_test(tcase, small_patches_are_left_out, 0, seeds);
    tcase_add_loop_test(tcase, nothing_but_sea, 0, 3);
    tcase_add_loop_test(tcase, steps_keep_to_their_reach, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
