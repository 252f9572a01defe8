/*
 * Sections of a statistical report from hand-made tallies: facts about specials against plain
 * sums, verdicts under both rules, distances of random points against a simulation.
 */
#include "analysis/sample/sample.h"
#include "clients/cli/statistics/sections.h"
#include "core/hash.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OVERMAPS = 200, HOMES = 50 /* as of two worlds */ };

/* Sorted by id, as a catalogue has them. */
static const cat_special definitions[] = {
    {.id = "always", .occurrences_min = 1, .occurrences_max = 4},
    {.id = "coin", .occurrences_min = 50, .occurrences_max = 100, .flags = PTL_SPECIAL_UNIQUE},
    {.id = "house", .building = true, .occurrences_max = 9},
    {.id = "never", .occurrences_min = 0, .occurrences_max = 3},
    {.id = "one",
     .occurrences_min = 1,
     .occurrences_max = 2,
     .flags = PTL_SPECIAL_GLOBALLY_UNIQUE},
    {.id = "part", .occurrences_min = 0, .occurrences_max = 0},
    {.id = "rare", .occurrences_min = 50, .occurrences_max = 100, .flags = PTL_SPECIAL_UNIQUE},
    {.id = "silent", .occurrences_min = 0, .occurrences_max = 2},
};

typedef struct scene {
    cat_region region;
    catalogue cat;
    ptl_sample from;
    ptl_tally tally;
    ptl_facts *facts;
} scene;

/* What overmap i has: "always" i % 4 of 3 asked for, "coin" in every second one, "rare" in
 * every tenth, "never" asked for and never there, "part" by others. */
static void fill(summary_special out[5], int32_t i)
{
    const bool tenth = i % 10 == 0;
    out[0] = (summary_special){.id = "always",
                               .asked = 3,
                               .ground = 9,
                               .linked = 9,
                               .city = i % 4 == 0 ? 0 : 9,
                               .room = i % 4 == 0 ? 0 : 9,
                               .placed = i % 4};
    out[1] = (summary_special){.id = "coin",
                               .asked = i % 2,
                               .placed = i % 2,
                               .ground = 5,
                               .linked = 5,
                               .city = 5,
                               .room = 5};
    out[2] = (summary_special){.id = "never", .asked = 1};
    out[3] = (summary_special){.id = "part", .others = 2};
    out[4] = (summary_special){.id = "rare",
                               .asked = tenth,
                               .placed = tenth,
                               .ground = 5,
                               .linked = 5,
                               .city = 5,
                               .room = 5};
}

static void open_scene_of(scene *s, ptl_placement rule, bool levelled)
{
    ptl_error err = {0};
    memset(s, 0, sizeof *s);
    s->cat.specials = definitions;
    s->cat.special_count = sizeof definitions / sizeof definitions[0];
    s->cat.regions = &s->region;
    s->cat.region_count = 1;
    s->region = (cat_region){.id = "default", .levelled = levelled};
    s->from.cat = &s->cat;
    s->from.settings.placement = rule;
    s->from.settings.specials_density = 1;
    s->from.settings.unique_radius = 2;
    ck_assert_int_eq(sample_describe(&s->from, &err), PTL_OK);
    ck_assert(tally_init(&s->tally));
    for (int32_t i = 0; i < OVERMAPS; i++) {
        summary_special specials[5];
        fill(specials, i);
        const summary one = {
            .specials = specials, .special_count = 5, .parts = PTL_COUNT_SPECIALS};
        ck_assert_int_eq(tally_add(&s->tally, &one, &err), PTL_OK);
    }
    s->tally.homes = HOMES;
    ck_assert_int_eq(tally_finish(&s->tally, &err), PTL_OK);
    ck_assert_int_eq(ptl_facts_new(&s->facts, &s->from, &s->tally, 0.95, &err), PTL_OK);
}

static void open_scene(scene *s, ptl_placement rule)
{
    open_scene_of(s, rule, false);
}

static void close_scene(scene *s)
{
    ptl_facts_free(s->facts);
    tally_dispose(&s->tally);
    free(s->from.definitions);
    free(s->from.list);
}

static const ptl_special_facts *about(const scene *s, const char *id)
{
    const ptl_special_facts *f = ptl_facts_find(s->facts, id);
    ck_assert_ptr_nonnull(f);
    return f;
}

/* The column of that key. */
static size_t column_of(const report_table *t, const char *key)
{
    size_t i = 0;
    while (i < t->column_count && strcmp(t->columns[i].key, key) != 0)
        i++;
    return i;
}

static const report_cell *report_at(const report_table *t, size_t row, size_t column)
{
    return &t->cells[row * t->column_count + column];
}

START_TEST(facts_are_those_of_the_overmaps)
{
    scene s;
    open_scene(&s, PTL_PLACEMENT_QUOTA);
    const ptl_special_facts *f = about(&s, "always");
    ck_assert_double_eq_tol(f->present, 1.5, 1e-12);
    ck_assert_double_eq_tol(f->expected, 3, 1e-12);
    ck_assert_double_eq_tol(f->ratio, 0.5, 1e-12);
    /* 0..3 in equal shares: variance 5/4, of the sample a little more */
    ck_assert_double_eq_tol(f->variance, 1.25 * OVERMAPS / (OVERMAPS - 1), 1e-9);
    ck_assert_double_eq_tol(f->without, 0.25, 1e-12);
    ck_assert(f->present_range.low < 1.5 && f->present_range.high > 1.5);
    ck_assert(f->without_range.low < 0.25 && f->without_range.high > 0.25);
    ck_assert_uint_eq(f->missing, OVERMAPS * 3 / 4);
    ck_assert_int_eq(f->verdict, PTL_RATE_SHORT);
    ck_assert_ptr_null(ptl_facts_find(s.facts, "house"));
    ck_assert_double_eq_tol(about(&s, "part")->others, 2, 1e-12);
    ck_assert_double_eq_tol(about(&s, "part")->present, 2, 1e-12);
    close_scene(&s);
}
END_TEST

START_TEST(verdicts_follow_the_rule)
{
    static const struct {
        const char *id;
        ptl_rate_verdict quota, sectors;
        bool lacking;
    } expected[] = {{"always", PTL_RATE_SHORT, PTL_RATE_BELOW, true},
                    {"coin", PTL_RATE_AS_STATED, PTL_RATE_AS_STATED, false},
                    {"never", PTL_RATE_NEVER, PTL_RATE_NEVER, true},
                    {"one", PTL_RATE_ONE_A_WORLD, PTL_RATE_ONE_A_WORLD, true},
                    {"part", PTL_RATE_BY_OTHERS, PTL_RATE_BY_OTHERS, false},
                    {"rare", PTL_RATE_FEWER, PTL_RATE_FEWER, true},
                    {"silent", PTL_RATE_NOT_ASKED, PTL_RATE_NOT_ASKED, true}};
    for (int rule = 0; rule < 2; rule++) {
        scene s;
        open_scene(&s, rule ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA);
        ck_assert_uint_eq(s.facts->count, sizeof expected / sizeof expected[0]);
        for (size_t i = 0; i < s.facts->count; i++) {
            const ptl_special_facts *f = s.facts->items[i];
            ck_assert_str_eq(f->id, expected[i].id); /* by id */
            ck_assert_msg(f->verdict == (rule ? expected[i].sectors : expected[i].quota),
                          "%s: %s", f->id, ptl_rate_verdict_text(f->verdict));
            ck_assert_msg(ptl_facts_is_lacking(f) == expected[i].lacking, "%s", f->id);
        }
        close_scene(&s);
    }
}
END_TEST

START_TEST(expected_follows_the_rule)
{
    scene s;
    open_scene(&s, PTL_PLACEMENT_SECTORS);
    ck_assert(isnan(about(&s, "always")->expected));
    ck_assert_double_eq(about(&s, "always")->expected_min, 1);
    ck_assert_double_eq(about(&s, "always")->expected_max, 4);
    ck_assert_uint_eq(about(&s, "always")->missing, OVERMAPS / 4); /* none, of at least 1 */
    ck_assert_double_eq(about(&s, "coin")->expected, 0.5);
    ck_assert(about(&s, "coin")->p > 0.9 && about(&s, "rare")->p_adjusted < 1e-9);
    /* One roll for 5 x 5 chunks; these are 50 of the 200. */
    ck_assert_double_eq_tol(about(&s, "one")->expected * OVERMAPS, 0.5 * HOMES / 25, 1e-12);
    ck_assert(isnan(about(&s, "part")->expected_min));
    close_scene(&s);
    /* As today's games have it, nothing is rolled: its home asks for it. */
    open_scene_of(&s, PTL_PLACEMENT_SECTORS, true);
    ck_assert_double_eq_tol(about(&s, "one")->expected * OVERMAPS, HOMES / 25.0, 1e-12);
    ck_assert_double_eq(about(&s, "coin")->expected, 0.5);
    close_scene(&s);
    open_scene_of(&s, PTL_PLACEMENT_QUOTA, true);
    ck_assert_double_eq_tol(about(&s, "one")->expected * OVERMAPS, 0.5 * HOMES / 25, 1e-12);
    close_scene(&s);
}
END_TEST

START_TEST(orders)
{
    static const char *const first[] = {"always", "always", "never", "never"};
    scene s;
    open_scene(&s, PTL_PLACEMENT_QUOTA);
    for (int order = PTL_FACTS_BY_ID; order <= PTL_FACTS_BY_RATIO; order++) {
        ptl_facts_sort(s.facts, (ptl_facts_order)order);
        ck_assert_str_eq(s.facts->items[0]->id, first[order]);
    }
    close_scene(&s);
}
END_TEST

START_TEST(reasons_are_named)
{
    ptl_error err = {0};
    report_table t;
    scene s;
    open_scene(&s, PTL_PLACEMENT_QUOTA);
    ck_assert_int_eq(about(&s, "never")->reason, PTL_REASON_GROUND);
    section_init(&t, SECTION_FAILURES);
    const section_sample of = {&s.tally, "default", 0.95};
    ck_assert_int_eq(section_add_detail(&t, SECTION_FAILURES, about(&s, "always"), &of, &err),
                     PTL_OK);
    /* A quarter had no city; two quarters were crowded out. */
    ck_assert_uint_eq(report_rows(&t), 2);
    ck_assert_str_eq(report_at(&t, 0, column_of(&t, "reason"))->text, "city");
    ck_assert_int_eq(report_at(&t, 0, column_of(&t, "overmaps"))->whole, OVERMAPS / 4);
    ck_assert_str_eq(report_at(&t, 1, column_of(&t, "reason"))->text, "other");
    ck_assert_int_eq(report_at(&t, 1, column_of(&t, "overmaps"))->whole, OVERMAPS / 2);
    report_dispose(&t);
    close_scene(&s);
}
END_TEST

/* Every section has whole rows, and cells of numbers are finite. */
START_TEST(sections_are_whole)
{
    ptl_error err = {0};
    scene s;
    open_scene(&s, PTL_PLACEMENT_QUOTA);
    const section_sample of = {&s.tally, "default", 0.95};
    size_t odd = 0;
    for (int i = 0; i < SECTION_COUNT; i++) {
        const section which = (section)i;
        report_table t;
        section_init(&t, which);
        if (which == SECTION_SPECIALS)
            section_add_specials(&t, s.facts, false);
        else if (!section_is_detail(which))
            section_add_overmaps(&t, which, &s.tally, 0.95);
        for (size_t k = 0; k < s.facts->count && section_is_detail(which); k++)
            ck_assert_int_eq(section_add_detail(&t, which, s.facts->items[k], &of, &err),
                             PTL_OK);
        odd += t.failed || t.cell_count % t.column_count != 0;
        for (size_t k = 0; k < t.cell_count; k++)
            odd += t.cells[k].kind == REPORT_REAL && !isfinite(t.cells[k].real);
        ck_assert_int_eq(section_find(section_specs[which].name), which);
        report_dispose(&t);
    }
    ck_assert_uint_eq(odd, 0);
    ck_assert_int_eq(section_find("nonsense"), SECTION_COUNT);
    close_scene(&s);
}
END_TEST

START_TEST(bad_arguments)
{
    ptl_error err = {0};
    ptl_facts *facts = NULL;
    scene s;
    open_scene(&s, PTL_PLACEMENT_QUOTA);
    ck_assert_int_eq(ptl_facts_new(&facts, &s.from, &s.tally, 1, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_facts_new(&facts, &s.from, &s.tally, NAN, &err), PTL_ERR_ARGUMENT);
    s.tally.parts = PTL_COUNT_TERRAINS;
    ck_assert_int_eq(ptl_facts_new(&facts, &s.from, &s.tally, 0.9, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(facts);
    ptl_facts_free(NULL);
    close_scene(&s);
}
END_TEST

/* ---- random points ---- */

/* Adds the distances between n random points of an overmap. */
static void simulate(double counts[SUMMARY_FAR + 1], int n, rng *r)
{
    int x[32], y[32];
    for (int i = 0; i < n; i++) {
        x[i] = (int)rng_below(r, PTL_CHUNK_SIZE);
        y[i] = (int)rng_below(r, PTL_CHUNK_SIZE);
    }
    for (int i = 0; i < n; i++) {
        int least = INT32_MAX;
        for (int k = 0; k < n; k++) {
            const int square = (x[i] - x[k]) * (x[i] - x[k]) + (y[i] - y[k]) * (y[i] - y[k]);
            least = k != i && square < least ? square : least;
        }
        counts[(size_t)sqrt((double)least)]++;
    }
}

START_TEST(random_points_are_as_simulated)
{
    static const int numbers[] = {2, 5, 20};
    enum { POINTS = 60000 };
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        const int n = numbers[k];
        rng r = rng_from_key(hash_add(77, (uint64_t)n));
        uint64_t per_overmap[32] = {[0] = 3, [1] = 5};
        ptl_hist computed = {0};
        double simulated[SUMMARY_FAR + 1] = {0}, total = 0, a = 0, b = 0, worst = 0;
        per_overmap[n] = 10;
        const ptl_hist h = {.counts = per_overmap, .size = 32};
        ck_assert_int_eq(ptl_random_points(&computed, &h, NULL), PTL_OK);
        for (int i = 0; i < POINTS / n; i++)
            simulate(simulated, n, &r);
        for (size_t d = 0; d <= SUMMARY_FAR; d++)
            total += simulated[d];
        for (size_t d = 0; d <= SUMMARY_FAR; d++) {
            a += (double)computed.counts[d] / 1e9;
            b += simulated[d] / total;
            worst = fmax(worst, fabs(a - b));
        }
        ck_assert_double_eq_tol(a, 1, 1e-6);
        ck_assert_msg(worst < 0.012, "%d points: %g", n, worst);
        ptl_hist_dispose(&computed);
    }
}
END_TEST

START_TEST(no_points_no_distances)
{
    uint64_t per_overmap[2] = {3, 5};
    const ptl_hist h = {.counts = per_overmap, .size = 2};
    ptl_hist computed = {0};
    ck_assert_int_eq(ptl_random_points(&computed, &h, NULL), PTL_OK);
    ck_assert_uint_eq(ptl_hist_total(&computed), 0);
    ptl_hist_dispose(&computed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sections");
    TCase *tc = tcase_create("sections");
    tcase_add_test(tc, facts_are_those_of_the_overmaps);
    tcase_add_test(tc, verdicts_follow_the_rule);
    tcase_add_test(tc, expected_follows_the_rule);
    tcase_add_test(tc, orders);
    tcase_add_test(tc, reasons_are_named);
    tcase_add_test(tc, sections_are_whole);
    tcase_add_test(tc, bad_arguments);
    tcase_add_test(tc, random_points_are_as_simulated);
    tcase_add_test(tc, no_points_no_distances);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
