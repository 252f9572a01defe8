/*
 * Overviews against a plain statement of format.md, "Overviews", over grounds of few and many
 * kinds; their bytes, and what is refused.
 */
#include "codec/overview.h"
#include "core/hash.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = PTL_OVERVIEW_CELLS, SIDE = PTL_OVERVIEW_SIDE, LIMIT = 70000 };

static ptl_oter ground[PTL_LEVEL_CELLS];
static uint16_t scratch[PTL_LEVEL_CELLS];
static level_runs *runs;

static void setup(void)
{
    runs = level_runs_new();
    ck_assert(runs != NULL);
}

static void teardown(void)
{
    level_runs_free(runs);
}

/* Squares of `side` cells, each of one of `kinds` oters, with some noise. */
static void make_ground(rng *r, uint32_t kinds, int side)
{
    ptl_oter of[PTL_CHUNK_SIZE][PTL_CHUNK_SIZE];
    for (int y = 0; y < PTL_CHUNK_SIZE; y++)
        for (int x = 0; x < PTL_CHUNK_SIZE; x++)
            of[y][x] = (ptl_oter)rng_below(r, kinds);
    for (int i = 0; i < PTL_LEVEL_CELLS; i++) {
        const int x = i % PTL_CHUNK_SIZE, y = i / PTL_CHUNK_SIZE;
        ground[i] =
            rng_below(r, 8) == 0 ? (ptl_oter)rng_below(r, kinds) : of[y / side][x / side];
    }
}

static bool is_in(int cell, int i)
{
    const int x = i % PTL_CHUNK_SIZE, y = i / PTL_CHUNK_SIZE;
    const int cx = cell % SIDE, cy = cell / SIDE;
    return x >= cx * PTL_CHUNK_SIZE / SIDE && x < (cx + 1) * PTL_CHUNK_SIZE / SIDE &&
           y >= cy * PTL_CHUNK_SIZE / SIDE && y < (cy + 1) * PTL_CHUNK_SIZE / SIDE;
}

/* Counts each oter of the cell; the first of those that most of it has and `may` allows, or
 * UINT32_MAX. */
static uint32_t most_of(int cell, const bool *may)
{
    static int counts[UINT16_MAX + 1];
    uint32_t best = UINT32_MAX;
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        counts[ground[i]] += is_in(cell, i);
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        if (is_in(cell, i) && (!may || may[ground[i]]) &&
            (best == UINT32_MAX || counts[ground[i]] > counts[best]))
            best = ground[i];
    return best;
}

/* Returns how many kinds there were before the rarest were replaced. */
static int plainly(uint32_t out[CELLS])
{
    static bool may[UINT16_MAX + 1];
    int kinds = 0;
    uint32_t commonest = 0;
    int left[CELLS] = {0};
    for (int i = 0; i < CELLS; i++)
        out[i] = most_of(i, NULL);
    for (int i = 0; i < CELLS; i++) {
        int first = 0;
        while (out[first] != out[i])
            first++;
        kinds += first == i;
        left[first]++;
    }
    if (kinds <= OVERVIEW_KINDS)
        return kinds;
    memset(may, 0, sizeof may);
    for (int n = 0; n < OVERVIEW_KINDS; n++) {
        int best = 0;
        for (int i = 1; i < CELLS; i++)
            if (left[i] > left[best])
                best = i;
        may[out[best]] = true;
        left[best] = 0;
        if (n == 0)
            commonest = out[best];
    }
    for (int i = 0; i < CELLS; i++)
        if (!may[out[i]]) {
            out[i] = most_of(i, may);
            if (out[i] == UINT32_MAX)
                out[i] = commonest;
        }
    return kinds;
}

static const struct {
    uint32_t kinds;
    int side;
    bool reduced;
} grounds[] = {{1, 180, false}, {2, 60, false}, {4, 23, false},  {9, 30, false},
               {90, 22, true},  {90, 1, true},  {30000, 7, true}};

START_TEST(an_overview_is_what_most_of_each_cell_has)
{
    uint32_t expected[CELLS];
    overview made;
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 3; n++) {
        make_ground(&r, grounds[_i].kinds, grounds[_i].side);
        const int kinds = plainly(expected);
        ck_assert_int_eq(kinds > OVERVIEW_KINDS, grounds[_i].reduced);
        level_runs_scan(runs, ground);
        overview_of(&made, runs, scratch);
        for (int i = 0; i < CELLS; i++)
            ck_assert_uint_eq(made.cells[i], expected[i]);
        /* What it counts with is as it was. */
        for (int i = 0; i <= UINT16_MAX; i++)
            ck_assert_uint_eq(runs->index_of[i], 0);
    }
}
END_TEST

/* Other numbers for the same oters give the same picture: files and catalogues agree. */
START_TEST(numbers_do_not_matter)
{
    overview before, after;
    rng r = rng_from_key((uint64_t)_i);
    make_ground(&r, grounds[_i].kinds, grounds[_i].side);
    level_runs_scan(runs, ground);
    overview_of(&before, runs, scratch);
    for (size_t i = 0; i < runs->palette_count; i++)
        runs->palette[i] = 90000 - runs->palette[i];
    overview_of(&after, runs, scratch);
    for (int i = 0; i < CELLS; i++)
        ck_assert_uint_eq(after.cells[i], 90000 - before.cells[i]);
}
END_TEST

/* From memory of exactly that size, for the address sanitizer. */
static ptl_status parse(overview *out, const uint8_t *data, size_t size, size_t limit)
{
    uint8_t *copy = malloc(size + 1);
    ptl_error err;
    ck_assert(copy != NULL);
    memcpy(copy + 1, data, size);
    const ptl_status status = overview_parse(out, copy + 1, size, limit, &err);
    free(copy);
    return status;
}

/* Makes one of `kinds` numbers, all of which appear. */
static void draw(overview *o, rng *r, uint32_t kinds)
{
    const uint32_t first = 1 + rng_below(r, LIMIT - kinds - 1);
    for (int i = 0; i < CELLS; i++)
        o->cells[i] = first + ((uint32_t)i < kinds ? (uint32_t)i : rng_below(r, kinds));
}

START_TEST(bytes_give_it_back_and_nothing_else_does)
{
    rng r = rng_from_key((uint64_t)_i);
    overview o, back;
    bytes blob, again;
    bytes_init(&blob);
    bytes_init(&again);
    for (int n = 0; n < 200; n++) {
        draw(&o, &r, 1 + (uint32_t)_i);
        bytes_clear(&blob);
        overview_build(&blob, &o);
        ck_assert_uint_le(blob.size, OVERVIEW_SIZE_MAX);
        ck_assert_int_eq(parse(&back, blob.data, blob.size, LIMIT), PTL_OK);
        ck_assert_int_eq(memcmp(&back, &o, sizeof o), 0);
        ck_assert_int_eq(parse(&back, blob.data, rng_below(&r, (uint32_t)blob.size), LIMIT),
                         PTL_ERR_CORRUPT);
        ck_assert_int_eq(parse(&back, blob.data, blob.size, o.cells[0]), PTL_ERR_CORRUPT);
        /* Another byte is damage, or the one form of another overview. */
        blob.data[rng_below(&r, (uint32_t)blob.size)] ^= (uint8_t)(1U << rng_below(&r, 8));
        if (parse(&back, blob.data, blob.size, LIMIT) == PTL_OK) {
            bytes_clear(&again);
            overview_build(&again, &back);
            ck_assert_uint_eq(again.size, blob.size);
            ck_assert_int_eq(memcmp(again.data, blob.data, blob.size), 0);
        }
        bytes_put_u8(&blob, 0);
        ck_assert_int_eq(parse(&back, blob.data, blob.size, LIMIT), PTL_ERR_CORRUPT);
    }
    bytes_dispose(&blob);
    bytes_dispose(&again);
}
END_TEST

/* Numbers of five bytes each: the most that one can take. */
START_TEST(the_largest_fits)
{
    overview o;
    bytes blob;
    bytes_init(&blob);
    for (int i = 0; i < CELLS; i++)
        o.cells[i] = UINT32_MAX - (uint32_t)(i % OVERVIEW_KINDS);
    overview_build(&blob, &o);
    ck_assert_uint_eq(blob.size, 1 + 5 * OVERVIEW_KINDS + CELLS / 2);
    ck_assert_uint_le(blob.size, OVERVIEW_SIZE_MAX);
    bytes_dispose(&blob);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("overview");
    TCase *c = tcase_create("overviews");
    const int count = (int)(sizeof grounds / sizeof grounds[0]);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, an_overview_is_what_most_of_each_cell_has, 0, count);
    tcase_add_loop_test(c, numbers_do_not_matter, 0, count);
    tcase_add_loop_test(c, bytes_give_it_back_and_nothing_else_does, 0, OVERVIEW_KINDS);
    tcase_add_test(c, the_largest_fits);
    suite_add_tcase(s, c);
    return suite_run(s);
}
