/* How well a sample knows its rates: each row against figures worked out here. */
#include "analysis/sample/sample.h"
#include "clients/stats/inference/inference.h"
#include "portolan/stats.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cat_special specials[] = {
    {.id = "common", .occurrences_max = 9},
    {.id = "global", .occurrences_max = 5, .flags = PTL_SPECIAL_GLOBALLY_UNIQUE},
    {.id = "half", .occurrences_min = 1, .occurrences_max = 2, .flags = PTL_SPECIAL_UNIQUE},
    {.id = "house", .occurrences_max = 5, .building = true},
    {.id = "never", .occurrences_min = -1},
    {.id = "unique", .occurrences_max = 100, .flags = PTL_SPECIAL_UNIQUE}};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static catalogue cat;
static ptl_sample all;
static ptl_tally t;
static ptl_error err;
static ptl_precision *p;

static void setup(void)
{
    memset(&t, 0, sizeof t);
    memset(&err, 0, sizeof err);
    cat = (catalogue){.specials = specials, .special_count = SPECIALS};
    all = (ptl_sample){.cat = &cat};
    ck_assert_int_eq(sample_describe(&all, &err), PTL_OK);
    ck_assert(tally_init(&t));
}

static void teardown(void)
{
    tally_dispose(&t);
    ptl_precision_free(p);
    p = NULL;
    free(all.definitions);
    free(all.list);
}

/* Overmaps with so many of a special each; the rows that follow, for a precision of 0.1. */
static void measure(const char *id, const int *placed, size_t overmaps)
{
    for (size_t i = 0; i < overmaps; i++) {
        summary_special one = {.id = id, .asked = placed[i], .placed = placed[i]};
        const summary sum = {.specials = &one,
                             .special_count = placed[i] > 0,
                             .parts = PTL_COUNT_SPECIALS,
                             .pos = {(int32_t)i, 0}};
        ck_assert_int_eq(tally_add(&t, &sum, &err), PTL_OK);
    }
    ck_assert_int_eq(tally_finish(&t, &err), PTL_OK);
    const ptl_precision_options wish = {
        .size = sizeof wish, .only = &id, .only_count = 1, .wanted = 0.1, .level = 0.95};
    ck_assert_int_eq(ptl_precision_new(&p, &all, &t, &wish, &err), PTL_OK);
    ck_assert_uint_eq(p->count, 1);
    ck_assert_str_eq(p->rows[0]->id, id);
    ck_assert_uint_eq(p->rows[0]->overmaps, overmaps);
}

START_TEST(rates)
{
    /* mean 3, variance 4; Student's t of 3 degrees at 0.975 is 3.182446 */
    static const int placed[] = {1, 2, 4, 5};
    measure("common", placed, 4);
    ck_assert(!p->rows[0]->is_share);
    ck_assert_double_eq_tol(p->rows[0]->estimate, 3, 1e-12);
    const double half = 3.182446 * sqrt(10.0 / 3 / 4);
    ck_assert_double_eq_tol(p->rows[0]->half_width, half / 3, 1e-5);
    /* 1.96 * sqrt(10/3 / n) <= 0.3 from n = 143; with Student's t a few more */
    ck_assert_uint_ge(p->rows[0]->needed, 143);
    ck_assert_uint_le(p->rows[0]->needed, 147);
    ck_assert_uint_eq(p->needed, p->rows[0]->needed);
    ck_assert_uint_eq(p->unknown, 0);
}
END_TEST

/* Nothing varies among equal ones: there is no more to know. */
START_TEST(equal_ones)
{
    static const int placed[] = {2, 2, 2};
    measure("common", placed, 3);
    ck_assert_double_eq_tol(p->rows[0]->half_width, 0, 1e-12);
    ck_assert_uint_eq(p->rows[0]->needed, 3);
}
END_TEST

/* One overmap says nothing about how far the next one is: how many it takes can't be told. Nor
 * can it where none was placed. */
START_TEST(what_can_not_be_told)
{
    static const int one[] = {2}, none[] = {0, 0, 0};
    if (_i == 0)
        measure("common", one, 1);
    else
        measure("common", none, 3);
    ck_assert(isinf(p->rows[0]->half_width));
    ck_assert_uint_eq(p->rows[0]->needed, 0);
    ck_assert_uint_eq(p->needed, 0);
    ck_assert_uint_eq(p->unknown, 1);
}
END_TEST

/* Wilson's interval of 1 in 4 at 95 %: 0.0456 to 0.6994. */
START_TEST(shares)
{
    static const int placed[] = {0, 1, 0, 0};
    measure(_i == 0 ? "unique" : "global", placed, 4);
    ck_assert(p->rows[0]->is_share);
    ck_assert(p->rows[0]->is_global == (_i == 1));
    ck_assert_double_eq_tol(p->rows[0]->estimate, 0.25, 1e-12);
    ck_assert_double_eq_tol(p->rows[0]->range.low, 0.0456, 1e-4);
    ck_assert_double_eq_tol(p->rows[0]->range.high, 0.6994, 1e-4);
    ck_assert_double_eq_tol(p->rows[0]->half_width, (0.6994 - 0.0456) / 2, 1e-4);
    ck_assert_uint_ge(p->rows[0]->needed, 68);
    ck_assert_uint_le(p->rows[0]->needed, 75);
}
END_TEST

/* All that may be asked for, in order, and no others. */
START_TEST(who_has_a_row)
{
    static const char *const wanted[] = {"common", "global", "half", "unique"};
    static const int placed[] = {1, 2};
    const ptl_precision_options wish = {.size = sizeof wish, .wanted = 0.1};
    measure("common", placed, 2);
    ptl_precision_free(p);
    ck_assert_int_eq(ptl_precision_new(&p, &all, &t, &wish, &err), PTL_OK);
    ck_assert_uint_eq(p->count, 4);
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        ck_assert_str_eq(p->rows[i]->id, wanted[i]);
        most = p->rows[i]->needed > most ? p->rows[i]->needed : most;
    }
    ck_assert_uint_eq(p->needed, most);
    ck_assert_uint_eq(p->unknown, 0); /* a share of none is known, too */
}
END_TEST

/* Seven of eight blocks, a row of 4 overmaps each, have one (or two) in every overmap. */
static void measure_blocks(const char *id, int each)
{
    int placed[32] = {0};
    for (int i = 0; i < 28; i++)
        placed[i] = each;
    t.has_blocks = true;
    measure(id, placed, 32);
}

/* The half widths and numbers of overmaps of as many strangers, but for the design effect. Of
 * the sums, 7 of 4 and one of 0 (mean 3.5), the squares sum up to 7 * 0.25 + 12.25 = 14. */
START_TEST(neighbours)
{
    static const double T_7 = 2.364624; /* Student's t of 7 degrees at 0.975 */
    const double variance = 28.0 * 4 / 32 / 31, effect = 14 * 8.0 / 7 / (32 * variance);
    if (_i == 0) {
        measure_blocks("common", 2);
        ck_assert_double_eq_tol(p->rows[0]->estimate, 1.75, 1e-12);
        ck_assert_double_eq_tol(p->rows[0]->half_width,
                                T_7 * sqrt(4 * variance * effect / 32) / 1.75, 1e-5);
    } else {
        measure_blocks("half", 1);
        const ptl_interval range = share_interval(28, 32, (dependence){effect, 7, 8}, 0.95);
        ck_assert_double_eq_tol(p->rows[0]->range.low, range.low, 1e-9);
        ck_assert_double_eq_tol(p->rows[0]->range.high, range.high, 1e-9);
    }
    const uint64_t needed = p->rows[0]->needed;
    const ptl_precision_options wish = {.size = sizeof wish, .wanted = 0.1};
    t.has_blocks = false;
    ptl_precision_free(p);
    ck_assert_int_eq(ptl_precision_new(&p, &all, &t, &wish, &err), PTL_OK);
    const uint64_t strangers = p->rows[_i == 0 ? 0 : 2]->needed;
    ck_assert_uint_eq(needed, (uint64_t)ceil((double)strangers * effect - 1e-9));
}
END_TEST

/* 28 of 32 are more than half of strangers; seven blocks of eight may be chance. */
START_TEST(unique_ones_of_neighbours)
{
    ptl_facts *facts = NULL;
    measure_blocks("half", 1);
    for (size_t i = 0; i < SPECIALS; i++)
        if (strcmp(all.definitions[i].id, "half") == 0)
            all.definitions[i].chance = 0.5; /* of a region, which there is none of here */
    for (int i = 0; i < 2; i++) {
        t.has_blocks = i == 0;
        ck_assert_int_eq(ptl_facts_new(&facts, &all, &t, 0.95, &err), PTL_OK);
        const ptl_special_facts *f = ptl_facts_find(facts, "half");
        ck_assert_double_eq_tol(f->expected, 0.5, 1e-12);
        ck_assert_int_eq(f->verdict, i == 0 ? PTL_RATE_AS_STATED : PTL_RATE_MORE);
        ck_assert_double_eq_tol(f->p, i == 0 ? 0.0836 : 1.93e-5, i == 0 ? 1e-3 : 1e-7);
        ptl_facts_free(facts);
    }
}
END_TEST

START_TEST(bad_options)
{
    static const int placed[] = {1, 2};
    ptl_precision_options o = PTL_PRECISION_OPTIONS_INIT;
    measure("common", placed, 2);
    ptl_precision_free(p);
    o.level = 1;
    ck_assert_int_eq(ptl_precision_new(&p, &all, &t, &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(p);
    o.level = 0;
    o.size = 0;
    ck_assert_int_eq(ptl_precision_new(&p, &all, &t, &o, &err), PTL_ERR_ARGUMENT);
    t.parts = PTL_COUNT_TERRAINS;
    ck_assert_int_eq(ptl_precision_new(&p, &all, &t, NULL, &err), PTL_ERR_ARGUMENT);
    t.parts = PTL_COUNT_SPECIALS;
    ck_assert_int_eq(ptl_precision_new(&p, &all, &t, NULL, &err), PTL_OK);
    ck_assert_uint_eq(p->count, 4);
    ck_assert_uint_eq(p->needed, 0); /* for no precision at all */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("precision");
    TCase *tests = tcase_create("precision");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, rates);
    tcase_add_test(tests, equal_ones);
    tcase_add_loop_test(tests, what_can_not_be_told, 0, 2);
    tcase_add_loop_test(tests, shares, 0, 2);
    tcase_add_loop_test(tests, neighbours, 0, 2);
    tcase_add_test(tests, unique_ones_of_neighbours);
    tcase_add_test(tests, who_has_a_row);
    tcase_add_test(tests, bad_options);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
