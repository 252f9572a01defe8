/* Runs: where they begin, on all paths, and the palette, against a plain reading of the cells;
 * many varints at once against one by one. */
#include "codec/level_kernels.h"
#include "codec/level_runs.h"
#include "codec/level_starts.h"
#include "core/hash.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static level_runs *runs;
static ptl_oter *cells;

static void setup(void)
{
    runs = level_runs_new();
    cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    ck_assert(runs && cells);
}

static void teardown(void)
{
    level_runs_free(runs);
    free(cells);
}

/* Runs of 1 to `longest` cells of up to `kinds` oters, from the whole range of them. */
static void make_cells(uint64_t seed, uint32_t longest, uint32_t kinds)
{
    for (uint32_t i = 0, run = 0; i < PTL_LEVEL_CELLS; run++) {
        const uint64_t h = hash_mix(hash_mix(seed) + run);
        const ptl_oter oter = (ptl_oter)(h % kinds * (UINT16_MAX / kinds));
        for (uint32_t left = 1 + (uint32_t)(h >> 32) % longest; left > 0; left--)
            if (i < PTL_LEVEL_CELLS)
                cells[i++] = oter;
    }
}

/* Test i of a loop: by the kernels for any processor, or the fastest ones. */
static const level_kernels *kernels_of(int i)
{
    return i == 0 ? &level_kernels_base : level_kernels_best();
}

/* The runs must give the cells, be as few as can be, and number oters as they appear. */
static void assert_runs(const level_kernels *kernels)
{
    size_t at = 0, entries = 0, wrong = 0;
    kernels->scan(runs, cells);
    for (size_t i = 0; i < runs->run_count; i++) {
        const level_run run = runs->runs[i];
        wrong += run.symbol > entries || (i > 0 && run.symbol == runs->runs[i - 1].symbol);
        entries += run.symbol == entries;
        wrong += run.length == 0 || at + run.length > PTL_LEVEL_CELLS;
        for (size_t k = 0; k < run.length && at < PTL_LEVEL_CELLS; k++)
            wrong += cells[at++] != runs->palette[run.symbol];
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(at, PTL_LEVEL_CELLS);
    ck_assert_uint_eq(entries, runs->palette_count);
    uint8_t *seen = calloc(UINT16_MAX + 1, 1);
    ck_assert_ptr_nonnull(seen);
    for (size_t i = 0; i < entries; i++)
        wrong += seen[runs->palette[i]]++ > 0;
    free(seen);
    ck_assert_uint_eq(wrong, 0);
}

START_TEST(both_paths_find_the_same_starts)
{
    static const uint32_t longest[] = {1, 2, 3, 8, 40, 200, 5000};
    size_t wrong = 0;
    for (uint64_t seed = 0; seed < 70; seed++) {
        make_cells(seed, longest[seed % 7], 2 + (uint32_t)seed % 5 * 90);
        for (size_t i = 1; i + STARTS_AT_ONCE <= PTL_LEVEL_CELLS; i += 61)
            wrong += level_starts(cells + i) != level_starts_plain(cells + i);
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Each bit alone: one cell that differs from the rest makes it and the next one starts. */
START_TEST(one_cell_sets_two_bits)
{
    size_t wrong = 0;
    memset(cells, 0xff, PTL_LEVEL_CELLS * sizeof *cells);
    for (unsigned k = 0; k < STARTS_AT_ONCE; k++) {
        cells[1 + k] = 0x7fff;
        const uint64_t bits = UINT64_C(3) << k;
        wrong += level_starts(cells + 1) != bits || level_starts_plain(cells + 1) != bits;
        cells[1 + k] = 0xffff;
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(runs_are_the_cells)
{
    static const uint32_t longest[] = {1, 2, 7, 64, 65, 400, PTL_LEVEL_CELLS};
    for (uint64_t seed = 0; seed < 42; seed++) {
        make_cells(seed + 1000, longest[seed % 7], seed < 21 ? 3 : UINT16_MAX);
        assert_runs(kernels_of(_i));
    }
}
END_TEST

/* A run that begins at each of the places around which 64 cells are looked at, and at the end.
 */
START_TEST(runs_begin_anywhere)
{
    for (size_t at = 1; at < PTL_LEVEL_CELLS; at += at < 200 || at > 32200 ? 1 : 997) {
        memset(cells, 0, PTL_LEVEL_CELLS * sizeof *cells);
        for (size_t i = at; i < PTL_LEVEL_CELLS; i++)
            cells[i] = UINT16_MAX;
        kernels_of(_i)->scan(runs, cells);
        if (runs->run_count != 2 || runs->runs[0].length != at ||
            runs->runs[1].length != PTL_LEVEL_CELLS - at || runs->palette[1] != UINT16_MAX)
            ck_abort_msg("a run that begins at cell %zu", at);
    }
}
END_TEST

START_TEST(all_cells_differ)
{
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        cells[i] = (ptl_oter)(i + 30000);
    assert_runs(kernels_of(_i));
    ck_assert_uint_eq(runs->run_count, PTL_LEVEL_CELLS);
    ck_assert_uint_eq(runs->palette_count, PTL_LEVEL_CELLS);
}
END_TEST

/* Numbers of one, two and three bytes, here mostly of one kind, there mixed, in lists of any
 * length; nothing is written outside the room that they have. */
START_TEST(varints_are_the_same)
{
    enum { MOST = 70, ROOM = 3 * MOST + LEVEL_VARINTS_PAD };
    uint16_t numbers[MOST];
    uint8_t out[ROOM + 16], expected[ROOM];
    rng r = rng_from_key(77);
    size_t wrong = 0;
    for (int n = 0; n < 20000; n++) {
        const size_t count = rng_below(&r, MOST + 1);
        const uint32_t kinds = rng_below(&r, 3);
        for (size_t i = 0; i < count; i++) {
            const uint32_t bits = kinds > 0 ? 1 + rng_below(&r, 7 * kinds) : 16;
            numbers[i] = (uint16_t)(rng_next(&r) & ((UINT32_C(1) << bits) - 1));
            if (rng_one_in(&r, 200))
                numbers[i] = UINT16_MAX;
        }
        uint8_t *end = expected;
        for (size_t i = 0; i < count; i++)
            end = level_put_varint(end, numbers[i]);
        memset(out, 0xa5, sizeof out);
        const uint8_t *made = kernels_of(_i)->put_varints(out, numbers, count);
        wrong += made - out != end - expected;
        wrong += memcmp(out, expected, (size_t)(end - expected)) != 0;
        for (size_t i = 3 * count + LEVEL_VARINTS_PAD; i < sizeof out; i++)
            wrong += out[i] != 0xa5;
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("level runs");
    TCase *tc = tcase_create("runs");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, both_paths_find_the_same_starts);
    tcase_add_test(tc, one_cell_sets_two_bits);
    tcase_add_loop_test(tc, runs_are_the_cells, 0, 2);
    tcase_add_loop_test(tc, runs_begin_anywhere, 0, 2);
    tcase_add_loop_test(tc, all_cells_differ, 0, 2);
    tcase_add_loop_test(tc, varints_are_the_same, 0, 2);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
