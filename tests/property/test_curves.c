/*
 * Curved rivers, those of DDA since 2025, over many seeds: as many borders are crossed as the
 * region's frequency says, springs and ends are few, strips belong to edges and everything else
 * keeps off them, a chunk's river is one piece, and steps keep to their reach.
 */
#include "gen/pipeline.h"
#include "gen/steps/waters.h"
#include "support/chunk_maker.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <string.h>

static const char *const REGIONS[] = {"curves", "rare curves"};
enum { SEEDS = 12, BLOCK = 24, CHUNKS = 20, RIVERS = 1, LAKES = 2, SWAMPS = 5 };

static maker maker_of(uint64_t seed, const char *region)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = region;
    return maker_new(land_catalogue(), &options);
}

/* What flows into and out of a chunk. */
static void count_flows(const gen_config *config, ptl_chunk_pos pos, int *in, int *out)
{
    *in = *out = 0;
    for (int d = 0; d < 4; d++) {
        int32_t x, y;
        edge_side side;
        edge e;
        plan_edge_of_chunk(pos, d, &x, &y, &side);
        if (plan_edge(&e, config, x, y, side, NULL) != PTL_OK)
            ck_abort_msg("memory is out");
        const bool own = d == 1 || d == 2;
        for (size_t i = 0; i < e.count; i++) {
            *((e.crossings[i].direction > 0) == own ? out : in) += 1;
        }
        edge_dispose(&e);
    }
}

typedef struct tally {
    int chunks, crossings, springs, ends, touched;
} tally;

static void count_block(tally *t, const gen_config *config)
{
    int many = 0;
    for (int32_t i = 0; i < BLOCK * BLOCK; i++) {
        int in, out;
        count_flows(config, (ptl_chunk_pos){i % BLOCK, i / BLOCK}, &in, &out);
        many += out > 1;
        t->chunks++;
        t->crossings += out;
        t->springs += out > 0 && in == 0;
        t->ends += in > 0 && out == 0;
        t->touched += in + out > 0;
    }
    ck_assert_int_eq(many, 0);
}

/* Two edges to a chunk. What one seed has hangs together, so the tolerance is that of the means
 * of seeds; a fifth of them, as slow builds have, would not tell how far these lie apart. */
START_TEST(as_many_crossings_as_the_frequency_says)
{
    const double wanted[] = {0.185, 0.185 / 3};
    tally t = {0};
    double square = 0, sum = 0;
    const int wished = test_seeds(SEEDS), seeds = wished > SEEDS ? wished : SEEDS;
    for (int seed = 0; seed < seeds; seed++) {
        const int before = t.crossings;
        maker m = maker_of((uint64_t)seed, REGIONS[_i]);
        ck_assert_uint_eq(m.config->river_crossings, _i == 0 ? 185000 : 61666);
        count_block(&t, m.config);
        const double share = (t.crossings - before) / (2.0 * BLOCK * BLOCK);
        sum += share;
        square += share * share;
        maker_free(&m);
    }
    const double mean = sum / seeds, variance = (square - seeds * mean * mean) / (seeds - 1);
    ck_assert_double_eq_tol(mean, wanted[_i], 4 * sqrt(variance / seeds));
    ck_assert_int_lt(10 * (t.springs + t.ends), t.chunks);
    ck_assert_int_lt(t.touched, t.crossings + t.ends + 1);
}
END_TEST

START_TEST(springs_by_crossings)
{
    ck_assert_uint_eq(plan_river_springs(0), 0);
    ck_assert_uint_eq(plan_river_springs(500000), UINT64_C(1) << 32);
    ck_assert_uint_eq(plan_river_springs(1000000), UINT64_C(1) << 32);
    ck_assert_uint_eq(plan_river_springs(100000) / 1000, (UINT64_C(1) << 32) / 100 / 1000);
    for (uint32_t crossings = 500; crossings <= 500000; crossings += 500)
        ck_assert_uint_gt(plan_river_springs(crossings), plan_river_springs(crossings - 500));
}
END_TEST

/* How far a cell lies behind the nearest border: 0 at it. */
static int32_t depth_of(int32_t x, int32_t y)
{
    const int32_t dx = x < SIZE - 1 - x ? x : SIZE - 1 - x;
    const int32_t dy = y < SIZE - 1 - y ? y : SIZE - 1 - y;
    return dx < dy ? dx : dy;
}

/* One piece of water: from a crossing's cell on, over sides and corners. */
static void flood(const ptl_chunk *chunk, uint8_t *seen, int32_t start)
{
    static int32_t queue[SIZE * SIZE];
    size_t head = 0, tail = 0;
    queue[tail++] = start;
    seen[start] = 1;
    while (head < tail) {
        const int32_t x = queue[head] % SIZE, y = queue[head] / SIZE;
        head++;
        for (int i = 0; i < 9; i++) {
            const int32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;
            if (!inside(nx, ny) || seen[ny * SIZE + nx])
                continue;
            const ptl_oter oter = ptl_chunk_oter(chunk, nx, ny, 0);
            if (land_catalogue()->oters[oter].flags & CAT_FLAG_RIVER) {
                seen[ny * SIZE + nx] = 1;
                queue[tail++] = ny * SIZE + nx;
            }
        }
    }
}

/* After the step of rivers. What lies within R of a border is in the strip of an edge, and the
 * strips are painted; all hangs together. */
static void check_chunk(maker *m, ptl_chunk_pos pos)
{
    static uint8_t seen[SIZE * SIZE];
    ptl_chunk *chunk = make(m, pos.x, pos.y, RIVERS);
    bool begun = false;
    int32_t wrong = -1, apart = -1; /* Check is slow where it is asked of every cell */
    memset(seen, 0, sizeof seen);
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        const int32_t x = i % SIZE, y = i / SIZE;
        const ptl_oter oter = ptl_chunk_oter(chunk, x, y, 0);
        const bool river = land_catalogue()->oters[oter].flags & CAT_FLAG_RIVER;
        if (depth_of(x, y) < REACH) {
            const bool strip =
                (y < REACH && m->gen->strips[0][(y + REACH) * SIZE + x]) ||
                (x >= SIZE - REACH && m->gen->strips[1][(x - SIZE + REACH) * SIZE + y]) ||
                (y >= SIZE - REACH && m->gen->strips[2][(y - SIZE + REACH) * SIZE + x]) ||
                (x < REACH && m->gen->strips[3][(x + REACH) * SIZE + y]);
            wrong = strip == river ? wrong : i;
        }
        if (river && !begun)
            flood(chunk, seen, i);
        begun = begun || river;
        apart = !river || seen[i] ? apart : i;
    }
    ck_assert_msg(wrong < 0, "%d,%d: strip at %d,%d", pos.x, pos.y, wrong % SIZE, wrong / SIZE);
    ck_assert_msg(apart < 0, "%d,%d: apart at %d,%d", pos.x, pos.y, apart % SIZE, apart / SIZE);
    ptl_chunk_free(chunk);
}

START_TEST(strips_belong_to_edges_and_rivers_are_one_piece)
{
    for (int seed = 0; seed < test_seeds(SEEDS); seed++) {
        maker m = maker_of((uint64_t)seed, REGIONS[_i]);
        for (int32_t n = 0; n < CHUNKS; n++)
            check_chunk(&m, (ptl_chunk_pos){n % 7 - 3, n / 7 - 3});
        maker_free(&m);
    }
}
END_TEST

/* Is all river within so many steps, diagonal ones too, off the border? */
static bool wide_around(const ptl_oter *cells, int32_t x, int32_t y, int32_t steps)
{
    for (int32_t ny = y - steps; ny <= y + steps; ny++)
        for (int32_t nx = x - steps; nx <= x + steps; nx++)
            if (!(land_catalogue()->oters[cells[ny * SIZE + nx]].flags & CAT_FLAG_RIVER))
                return false;
    return true;
}

/* The game's own overmaps: of a river's cells 60 in 100 have river on all eight sides, 24 two
 * cells of it on all sides, so a river is five to seven wide. Discs that are cut at the radius
 * itself give 42 and 2. */
START_TEST(as_wide_as_the_games)
{
    int cells = 0, inner = 0, middle = 0;
    for (int seed = 0; seed < test_seeds(SEEDS); seed++) {
        maker m = maker_of((uint64_t)seed, "curves");
        for (int32_t n = 0; n < CHUNKS; n++) {
            static ptl_oter ground[PTL_LEVEL_CELLS];
            ptl_chunk *chunk = make(&m, n % 7 - 3, n / 7 - 3, RIVERS);
            ptl_chunk_level(ground, chunk, 0);
            ptl_chunk_free(chunk);
            for (int32_t i = 0; i < SIZE * SIZE; i++) {
                const int32_t x = i % SIZE, y = i / SIZE;
                if (depth_of(x, y) < 2 || !wide_around(ground, x, y, 0))
                    continue;
                cells++;
                inner += wide_around(ground, x, y, 1);
                middle += wide_around(ground, x, y, 2);
            }
        }
        maker_free(&m);
    }
    ck_assert_int_gt(cells, 1000);
    ck_assert_msg(inner > cells * 55 / 100 && inner < cells * 67 / 100, "%d of %d", inner,
                  cells);
    ck_assert_msg(middle > cells * 18 / 100 && middle < cells * 32 / 100, "%d of %d", middle,
                  cells);
}
END_TEST

/* A cell is in a disc if its distance, cut to a whole number, is at most the radius. */
START_TEST(discs_are_cut_as_distances_are)
{
    for (int32_t radius = 0; radius < 9; radius++)
        for (int32_t dy = -radius; dy <= radius; dy++)
            for (int32_t dx = 0; dx <= radius; dx++)
                ck_assert_int_eq(dx <= plan_disc_row(radius, dy),
                                 (int32_t)sqrt((double)(dx * dx + dy * dy)) <= radius);
}
END_TEST

static bool equal_ground(const ptl_chunk *a, const ptl_chunk *b)
{
    static ptl_oter ca[PTL_LEVEL_CELLS], cb[PTL_LEVEL_CELLS];
    ptl_chunk_level(ca, a, 0);
    ptl_chunk_level(cb, b, 0);
    return memcmp(ca, cb, sizeof ca) == 0;
}

START_TEST(steps_keep_to_their_reach)
{
    maker m = maker_of((uint64_t)_i, "curves");
    for (int32_t n = 0; n < 6; n++)
        for (size_t steps = RIVERS; steps <= SWAMPS; steps++) {
            generator_scramble(m.gen, false);
            ptl_chunk *a = make(&m, n, 3 - n, steps);
            generator_scramble(m.gen, true);
            ptl_chunk *b = make(&m, n, 3 - n, steps);
            ck_assert(equal_ground(a, b));
            ptl_chunk_free(a);
            ptl_chunk_free(b);
        }
    maker_free(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("curves");
    TCase *tcase = tcase_create("curved rivers");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, as_many_crossings_as_the_frequency_says, 0, 2);
    tcase_add_test(tcase, springs_by_crossings);
    tcase_add_loop_test(tcase, strips_belong_to_edges_and_rivers_are_one_piece, 0, 2);
    tcase_add_test(tcase, as_wide_as_the_games);
    tcase_add_test(tcase, discs_are_cut_as_distances_are);
    tcase_add_loop_test(tcase, steps_keep_to_their_reach, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
