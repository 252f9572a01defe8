/* Levels and cells: what looks at many of them at once, against one after another. */
#include "core/lanes.h"
#include "gen/steps/steps.h"
#include "gen/work/generator.h"
#include "model/chunk.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <string.h>

enum { SEEDS = 10 };

/* Runs of a few oters, some of them side by side. */
static void fill_cells(ptl_oter cells[PTL_LEVEL_CELLS], rng *r)
{
    const ptl_oter some[] = {0, 1, 4000, 4001, 4005, 60000};
    ptl_oter oter = 0;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        if (rng_one_in(r, 20))
            oter = some[rng_below(r, sizeof some / sizeof some[0])];
        cells[i] = oter;
    }
}

START_TEST(cells_are_found)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    static int32_t list[PTL_LEVEL_CELLS];
    rng r = rng_from_key((uint64_t)_i);
    fill_cells(cells, &r);
    for (int n = 0; n < 20; n++) {
        const ptl_oter first = cells[rng_below(&r, PTL_LEVEL_CELLS)];
        const uint16_t count = (uint16_t)rng_range(&r, 1, 6);
        const int32_t found = level_find(list, cells, first, count);
        int32_t expected = 0, wrong = 0;
        for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
            const bool wanted = cells[i] >= first && cells[i] < first + count;
            wrong += wanted && (expected >= found || list[expected] != i);
            expected += wanted;
        }
        ck_assert_int_eq(found, expected);
        ck_assert_int_eq(wrong, 0);
    }
}
END_TEST

/* A level of one oter but for a cell, if any, wherever that is: it is even only without it. */
START_TEST(odd_cells_are_seen)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    static int32_t list[PTL_LEVEL_CELLS];
    rng r = rng_from_key((uint64_t)_i);
    const ptl_oter oter = (ptl_oter)rng_below(&r, UINT16_MAX);
    const ptl_oter other = (ptl_oter)(oter + 1);
    const int32_t spots[] = {0, 1, PTL_LEVEL_CELLS - 1, PTL_LEVEL_CELLS - 2,
                             (int32_t)rng_below(&r, PTL_LEVEL_CELLS)};
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
        cells[i] = oter;
    ck_assert(level_is_even(cells));
    ck_assert_int_eq(level_find(list, cells, other, 1), 0);
    ck_assert_int_eq(level_find(list, cells, oter, 1), PTL_LEVEL_CELLS);
    ck_assert_int_eq(list[PTL_LEVEL_CELLS - 1], PTL_LEVEL_CELLS - 1);
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
        cells[spots[i]] = other;
        ck_assert(!level_is_even(cells));
        ck_assert_int_eq(level_find(list, cells, other, 1), 1);
        ck_assert_int_eq(list[0], spots[i]);
        cells[spots[i]] = oter;
    }
}
END_TEST

/* A level goes back to the short form if all of its cells are equal, and only then. */
START_TEST(uniform_levels_are_compact)
{
    rng r = rng_from_key((uint64_t)_i);
    level l = {.cells = NULL};
    level_fill(&l, (ptl_oter)rng_below(&r, UINT16_MAX));
    const ptl_oter fill = l.fill;
    const int32_t other = (int32_t[]){0, PTL_LEVEL_CELLS - 1, 179, 5000}[_i % 4];
    ck_assert(level_cells(&l) != NULL);
    l.cells[other] = (ptl_oter)(fill + 1);
    level_compact(&l);
    ck_assert(l.cells != NULL);
    ck_assert_uint_eq(l.cells[other], (ptl_oter)(fill + 1));
    l.cells[other] = fill;
    level_compact(&l);
    ck_assert(l.cells == NULL);
    ck_assert_uint_eq(l.fill, fill);
}
END_TEST

/* Levels whose cells lie in one block: apart from each other, and left one by one. */
START_TEST(cells_of_a_block)
{
    rng r = rng_from_key((uint64_t)_i);
    const uint32_t mask = (uint32_t)rng_below(&r, UINT32_C(1) << PTL_LEVELS);
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){1, 2});
    ck_assert(chunk && chunk_take_cells(chunk, mask));
    for (uint32_t i = 0; i < PTL_LEVELS; i++) {
        ck_assert_int_eq(chunk->levels[i].cells != NULL, mask >> i & 1);
        for (int32_t k = 0; k < PTL_LEVEL_CELLS && chunk->levels[i].cells; k++)
            chunk->levels[i].cells[k] = (ptl_oter)i;
    }
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        level *l = chunk_level(chunk, z);
        const ptl_oter at = l->cells ? (ptl_oter)(z - PTL_Z_MIN) : 0;
        ck_assert_uint_eq(ptl_chunk_oter(chunk, 0, 0, z), at);
        ck_assert_uint_eq(ptl_chunk_oter(chunk, 179, 179, z), at);
        if (rng_below(&r, 2))
            level_compact(l);
        if (rng_below(&r, 2)) /* cells of its own again if it had become uniform */
            ck_assert(level_cells(l) != NULL);
        ck_assert_uint_eq(ptl_chunk_oter(chunk, 90, 0, z), at);
    }
    ptl_chunk_free(chunk);
}
END_TEST

START_TEST(streams_of_cells_are_the_same)
{
    rng r = rng_from_key((uint64_t)_i);
    ptl_chunk chunk = {.pos = {rng_range(&r, -4000000, 4000000), rng_range(&r, -3, 3)}};
    const generator g = {.chunk = &chunk};
    const uint64_t key = rng_next(&r);
    cell_keys keys;
    cell_keys_init(&keys, &g, key);
    for (int n = 0; n < 2000; n++) {
        const int32_t x = rng_range(&r, -REACH, SIZE + REACH - 1);
        const int32_t y = rng_range(&r, -REACH, SIZE + REACH - 1);
        ck_assert(cell_keys_stream(&keys, x, y).state == cell_stream(&g, key, x, y).state);
    }
}
END_TEST

/* The first whose running sum is above what was drawn. Sums that stay the same are of entries
 * without weight, which never come. */
START_TEST(weights_are_drawn_alike)
{
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 300; n++) {
        uint32_t upto[40] = {0}, sum = 0;
        const size_t count = 1 + rng_below(&r, 40);
        for (size_t i = 0; i < count; i++)
            upto[i] = sum += rng_one_in(&r, 3) && i + 1 < count ? 0 : 1 + rng_below(&r, 50);
        for (int k = 0; k < 20; k++) {
            rng copy = r;
            const uint32_t at = rng_below(&copy, sum);
            size_t expected = 0;
            while (expected + 1 < count && upto[expected] <= at)
                expected++;
            ck_assert_uint_eq(rng_by_weight(&r, upto, count), expected);
            ck_assert(r.state == copy.state);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("level");
    TCase *tcase = tcase_create("level");
    tcase_add_loop_test(tcase, cells_are_found, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, odd_cells_are_seen, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, cells_of_a_block, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, uniform_levels_are_compact, 0, 8);
    tcase_add_loop_test(tcase, streams_of_cells_are_the_same, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, weights_are_drawn_alike, 0, test_seeds(SEEDS));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
