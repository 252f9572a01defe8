/* Comparisons of tallies that are made up: which rows come out, how they are judged, and how
 * often chance alone makes something significant. */
#include "analysis/sample/sample.h"
#include "core/distribution.h"
#include "core/hash.h"
#include "portolan/stats.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPECIALS = 20, VALUES = 64, OVERMAPS = 100 };

/* One side: specials "s00", "s01", ..., Poisson with means of their own. */
typedef struct side {
    char ids[SPECIALS][8];
    ptl_tally_special specials[SPECIALS];
    uint64_t cells[SPECIALS][VALUES];
    ptl_sample_special definitions[SPECIALS];
    ptl_tally_terrain terrains[2];
    ptl_tally_line lines[1];
    ptl_tally_special *special_list[SPECIALS];
    const ptl_sample_special *definition_list[SPECIALS];
    ptl_tally_terrain *terrain_list[2];
    ptl_tally_line *line_list[1];
    uint64_t city_cells[VALUES], line_cells[VALUES];
    ptl_tally tally;
    ptl_comparison_input input;
} side;

static void side_make(side *s, size_t count, const double *means, uint64_t overmaps, rng *r)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < count; i++) {
        snprintf(s->ids[i], sizeof s->ids[i], "s%02zu", i);
        for (uint64_t n = 0; n < overmaps; n++)
            s->cells[i][poisson_draw(r, means[i]) % VALUES]++;
        s->specials[i] =
            (ptl_tally_special){.id = s->ids[i], .per_overmap = {s->cells[i], VALUES, 0}};
        s->definitions[i] = (ptl_sample_special){.id = s->ids[i], .occurrences_max = 3};
        s->special_list[i] = &s->specials[i];
        s->definition_list[i] = &s->definitions[i];
    }
    s->terrain_list[0] = &s->terrains[0];
    s->terrain_list[1] = &s->terrains[1];
    s->line_list[0] = &s->lines[0];
    s->tally = (ptl_tally){.overmaps = overmaps,
                           .parts = PTL_COUNT_ALL,
                           .specials = s->special_list,
                           .special_count = count};
    s->tally.cities_per_overmap = (ptl_hist){s->city_cells, VALUES, 0};
    s->city_cells[4] = overmaps;
    s->input = (ptl_comparison_input){&s->tally, s->definition_list, count};
}

static const ptl_comparison_row *row_of(const ptl_comparison *c, const char *id)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->rows[i]->id, id) == 0)
            return c->rows[i];
    ck_abort_msg("no row %s", id);
    return NULL;
}

static void make(ptl_comparison **out, const side *a, const side *b,
                 const ptl_comparison_options *o)
{
    ptl_error err = {0};
    ck_assert_msg(ptl_comparison_new(out, &a->input, &b->input, o, &err) == PTL_OK, "%s",
                  err.message);
}

static void all_means(double out[SPECIALS], double mean)
{
    for (size_t i = 0; i < SPECIALS; i++)
        out[i] = mean;
}

/* Two of twenty differ: these and no others are found, both ways round. */
START_TEST(what_differs_is_found)
{
    side a, b;
    double means[SPECIALS];
    rng r = rng_from_key(3);
    ptl_comparison *c, *d;
    const ptl_comparison_options o = {.size = sizeof o, .max_change = 1.8};
    all_means(means, 1);
    side_make(&a, SPECIALS, means, OVERMAPS, &r);
    means[7] = 2.2;
    means[12] = 0.3;
    side_make(&b, SPECIALS, means, OVERMAPS, &r);
    make(&c, &a, &b, &o);
    make(&d, &b, &a, &o);
    ck_assert_uint_eq(c->count, SPECIALS);
    ck_assert_uint_eq(c->specials.rows, SPECIALS);
    ck_assert_uint_eq(c->specials.significant, 2);
    ck_assert_uint_eq(c->specials.beyond, 2);
    ck_assert_uint_eq(c->others.rows, 0);
    ck_assert_int_eq(row_of(c, "s07")->change, PTL_CHANGE_MORE);
    ck_assert_int_eq(row_of(c, "s12")->change, PTL_CHANGE_FEWER);
    ck_assert_int_eq(row_of(d, "s07")->change, PTL_CHANGE_FEWER);
    for (size_t i = 0; i < c->count; i++) {
        const ptl_comparison_row *x = c->rows[i], *y = row_of(d, x->id);
        ck_assert_double_eq_tol(x->test.p, y->test.p, 1e-9);
        ck_assert_double_eq_tol(x->ratio.ratio, 1 / y->ratio.ratio, 1e-9);
        ck_assert_double_ge(x->adjusted, x->test.p);
        ck_assert(i == 0 || c->rows[i - 1]->test.p <= x->test.p);
        ck_assert(x->ratio.range.low <= x->ratio.ratio &&
                  x->ratio.ratio <= x->ratio.range.high);
    }
    ptl_comparison_free(c);
    ptl_comparison_free(d);
}
END_TEST

/* Significant, but within what is allowed. */
START_TEST(max_change_is_about_size)
{
    side a, b;
    double means[SPECIALS];
    rng r = rng_from_key(8);
    ptl_comparison *c;
    ptl_comparison_options o = {.size = sizeof o, .max_change = 4};
    all_means(means, 2);
    side_make(&a, SPECIALS, means, OVERMAPS, &r);
    means[3] = 4;
    side_make(&b, SPECIALS, means, OVERMAPS, &r);
    make(&c, &a, &b, &o);
    ck_assert_uint_eq(c->specials.significant, 1);
    ck_assert_uint_eq(c->specials.beyond, 0);
    ptl_comparison_free(c);
    o.max_change = 0;
    make(&c, &a, &b, &o);
    ck_assert_uint_eq(c->specials.significant, 1);
    ck_assert_uint_eq(c->specials.beyond, 0);
    ptl_comparison_free(c);
    o.max_change = 1.5;
    make(&c, &a, &b, &o);
    ck_assert_uint_eq(c->specials.beyond, 1);
    ptl_comparison_free(c);
}
END_TEST

START_TEST(new_and_gone)
{
    side a, b;
    double means[SPECIALS];
    rng r = rng_from_key(5);
    ptl_comparison *c;
    const ptl_comparison_options o = {.size = sizeof o, .max_change = 1.5};
    all_means(means, 0.8);
    means[1] = means[2] = 0; /* defined, but never there */
    side_make(&a, 10, means, OVERMAPS, &r);
    side_make(&b, 12, means, OVERMAPS, &r);
    /* s00 is gone from B; s02 from its content, too, though nobody ever saw it. */
    b.input.specials = b.definition_list + 3;
    b.input.special_count = 9;
    memset(b.cells[0], 0, sizeof b.cells[0]);
    b.cells[0][0] = OVERMAPS;
    make(&c, &a, &b, &o);
    ck_assert_uint_eq(c->count, 12);
    ck_assert_int_eq(row_of(c, "s00")->change, PTL_CHANGE_GONE);
    ck_assert(row_of(c, "s00")->beyond);
    ck_assert_double_eq_tol(row_of(c, "s00")->ratio.ratio, 0, 1e-15);
    ck_assert_int_eq(row_of(c, "s02")->change, PTL_CHANGE_GONE);
    ck_assert(!row_of(c, "s02")->significant);
    ck_assert_int_eq(row_of(c, "s02")->test.kind, PTL_TEST_NONE);
    ck_assert_int_eq(row_of(c, "s10")->change, PTL_CHANGE_NEW);
    ck_assert_int_eq(row_of(c, "s11")->change, PTL_CHANGE_NEW);
    ck_assert(isinf(row_of(c, "s11")->ratio.ratio) && row_of(c, "s11")->beyond);
    ck_assert_ptr_null(row_of(c, "s11")->a.definition);
    ck_assert_ptr_nonnull(row_of(c, "s11")->b.definition);
    /* s01 and s02 can't come out in any way: the correction leaves them out. */
    ck_assert_uint_eq(c->specials.tested, 10);
    ck_assert_uint_eq(c->specials.significant, 3);
    ck_assert_uint_eq(row_of(c, "s01")->needed, UINT64_MAX);
    ptl_comparison_free(c);
}
END_TEST

START_TEST(only_some)
{
    side a, b;
    double means[SPECIALS];
    rng r = rng_from_key(6);
    ptl_comparison *c;
    ptl_error err = {0};
    const char *const two[] = {"s04", "s09"}, *const wrong[] = {"s04", "none"};
    ptl_comparison_options o = {.size = sizeof o, .only = two, .only_count = 2};
    all_means(means, 1);
    side_make(&a, SPECIALS, means, OVERMAPS, &r);
    side_make(&b, SPECIALS, means, OVERMAPS, &r);
    make(&c, &a, &b, &o);
    ck_assert_uint_eq(c->count, 2);
    ck_assert_uint_eq(c->specials.tested, 2);
    ck_assert_double_le(row_of(c, "s04")->adjusted, 2 * row_of(c, "s04")->test.p + 1e-12);
    ptl_comparison_free(c);
    o.only = wrong;
    ck_assert(ptl_comparison_new(&c, &a.input, &b.input, &o, &err) == PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "'none'"));
    ptl_comparison_free(c);
}
END_TEST

/* Equal samples: in at most 5 % of the comparisons anything is significant (Holm). */
START_TEST(chance_alone)
{
    const int comparisons = test_seeds(120);
    rng r = rng_from_key(17);
    int alarms = 0, alarms_fdr = 0;
    for (int i = 0; i < comparisons; i++) {
        side a, b;
        double means[SPECIALS];
        ptl_comparison *c;
        ptl_comparison_options o = PTL_COMPARISON_OPTIONS_INIT;
        for (size_t j = 0; j < SPECIALS; j++)
            means[j] = 0.05 * (double)(1 + j * j % 30);
        side_make(&a, SPECIALS, means, 60, &r);
        side_make(&b, SPECIALS, means, 60, &r);
        make(&c, &a, &b, &o);
        alarms += c->specials.significant > 0;
        ptl_comparison_free(c);
        o.fdr = true;
        make(&c, &a, &b, &o);
        alarms_fdr += c->specials.significant > 0;
        ptl_comparison_free(c);
    }
    const double limit = 0.05 * comparisons + 4 * sqrt(0.05 * 0.95 * comparisons);
    ck_assert_double_le(alarms, limit);
    ck_assert_double_le(alarms_fdr, limit);
    ck_assert_int_ge(alarms_fdr, alarms);
}
END_TEST

/* Large samples whose means agree, but not how they come about: every second overmap has ten,
 * or each has about five. */
START_TEST(spread)
{
    static side a, b;
    const double means[1] = {5};
    rng r = rng_from_key(31);
    ptl_comparison *c;
    const ptl_comparison_options o = {.size = sizeof o, .max_change = 1.5};
    side_make(&a, 1, means, 2000, &r);
    side_make(&b, 1, means, 0, &r);
    b.tally.overmaps = 2000;
    b.cells[0][0] = b.cells[0][10] = 1000;
    make(&c, &a, &b, &o);
    ck_assert_int_eq(c->rows[0]->test.kind, PTL_TEST_CHI_SQUARE);
    ck_assert_int_eq(c->rows[0]->change, PTL_CHANGE_SPREAD);
    ck_assert(c->rows[0]->significant && !c->rows[0]->beyond);
    ptl_comparison_free(c);
}
END_TEST

START_TEST(needed_grows_with_rarity)
{
    side a, b;
    static const double means[5] = {0, 0.01, 0.1, 1, 10};
    rng r = rng_from_key(2);
    ptl_comparison *c;
    const ptl_comparison_options o = {.size = sizeof o, .notable = 2};
    side_make(&a, 5, means, 1000, &r);
    side_make(&b, 5, means, 1000, &r);
    make(&c, &a, &b, &o);
    ck_assert_uint_gt(row_of(c, "s01")->needed, row_of(c, "s02")->needed);
    ck_assert_uint_gt(row_of(c, "s02")->needed, row_of(c, "s03")->needed);
    ck_assert_uint_gt(row_of(c, "s03")->needed, row_of(c, "s04")->needed);
    ck_assert_uint_eq(row_of(c, "s00")->needed, UINT64_MAX);
    ck_assert_uint_eq(c->specials.unseen, 1);
    ptl_comparison_free(c);
}
END_TEST

/* A change by the larger of both visible factors needs no more overmaps than there are, and a
 * smaller change needs more. What never came shows no change, and a share that is high none up.
 */
START_TEST(visible_factors_are_just_enough)
{
    side a, b;
    static const double means[4] = {0, 0.1, 1, 10};
    static const char *const ids[] = {"s01", "s02", "s03"};
    rng r = rng_from_key(2);
    ptl_comparison *c, *d;
    ptl_comparison_options o = {.size = sizeof o, .visible = true};
    side_make(&a, 4, means, 1000, &r);
    side_make(&b, 4, means, 1000, &r);
    make(&c, &a, &b, &o);
    ck_assert(isinf(row_of(c, "s00")->visible_more) && isinf(row_of(c, "s00")->visible_fewer));
    for (int i = 0; i < 3; i++) {
        const ptl_comparison_row *row = row_of(c, ids[i]);
        const double factor = fmax(row->visible_more, row->visible_fewer);
        ck_assert_double_gt(fmin(row->visible_more, row->visible_fewer), 1);
        o.notable = factor * 1.001;
        make(&d, &a, &b, &o);
        ck_assert_uint_le(row_of(d, ids[i])->needed, 1000);
        ptl_comparison_free(d);
        o.notable = factor * 0.99;
        make(&d, &a, &b, &o);
        ck_assert_uint_gt(row_of(d, ids[i])->needed, 1000);
        ptl_comparison_free(d);
    }
    ptl_comparison_free(c);
    o.visible = false;
    make(&c, &a, &b, &o);
    ck_assert_double_eq(row_of(c, "s03")->visible_more, 0);
    ptl_comparison_free(c);
}
END_TEST

/* Of a special that is there or not, a share of 0.9 can fall, but hardly rise. */
START_TEST(a_high_share_shows_only_a_fall)
{
    side a, b;
    static const double means[1] = {0.5};
    rng r = rng_from_key(3);
    ptl_comparison *c;
    const ptl_comparison_options o = {.size = sizeof o, .visible = true};
    side_make(&a, 1, means, 0, &r);
    side_make(&b, 1, means, 0, &r);
    a.tally.overmaps = b.tally.overmaps = 40;
    a.cells[0][0] = b.cells[0][0] = 4;
    a.cells[0][1] = b.cells[0][1] = 36;
    a.definitions[0].is_unique = b.definitions[0].is_unique = true;
    make(&c, &a, &b, &o);
    ck_assert(isinf(row_of(c, "s00")->visible_more));
    ck_assert_double_gt(row_of(c, "s00")->visible_fewer, 1.1);
    ck_assert_double_lt(row_of(c, "s00")->visible_fewer, 2);
    ptl_comparison_free(c);
}
END_TEST

/* Terrains, cities and roads: a second family, sorted by itself. */
START_TEST(terrains_cities_and_roads)
{
    static side a, b;
    const double means[1] = {1};
    rng r = rng_from_key(71);
    ptl_comparison *c;
    ptl_comparison_options o = {.size = sizeof o, .terrains = true, .max_change = 1.1};
    side_make(&a, 1, means, 100, &r);
    side_make(&b, 1, means, 100, &r);
    /* field: 1,000 each with deviation 100, against 1,100; swamp is new in B. */
    a.terrains[0] = (ptl_tally_terrain){.id = "field", .cells = 100000, .overmaps = 100};
    a.terrains[0].square_sum = 100 * 1e6 + 99 * 1e4;
    b.terrains[0] = (ptl_tally_terrain){.id = "field", .cells = 110000, .overmaps = 100};
    b.terrains[0].square_sum = 100 * 1.21e6 + 99 * 1e4;
    b.terrains[1] =
        (ptl_tally_terrain){.id = "swamp", .cells = 3, .overmaps = 1, .square_sum = 9};
    a.tally.terrains = a.terrain_list, a.tally.terrain_count = 1;
    b.tally.terrains = b.terrain_list, b.tally.terrain_count = 2;
    a.line_cells[30] = 100;
    a.lines[0] = (ptl_tally_line){.id = "road", .cells = {a.line_cells, VALUES, 0}};
    a.tally.lines = a.line_list, a.tally.line_count = 1;
    make(&c, &a, &b, &o);
    ck_assert_uint_eq(c->count, 1 + 2 + 2 + 1);
    ck_assert_int_eq(c->rows[0]->kind, PTL_COMPARE_SPECIAL);
    const ptl_comparison_row *field = row_of(c, "field"), *swamp = row_of(c, "swamp");
    ck_assert_double_eq_tol(field->a.each.variance, 1e4, 1e-6);
    ck_assert_double_eq_tol(field->test.statistic, 100 / sqrt(200), 1e-9);
    ck_assert(field->significant && field->change == PTL_CHANGE_MORE && !field->beyond);
    ck_assert_double_eq_tol(swamp->test.statistic, 1, 1e-9); /* one overmap has all of it */
    ck_assert(!swamp->significant);
    ck_assert_double_eq_tol(swamp->b.none, 0.99, 1e-12);
    ck_assert_int_eq(row_of(c, "road")->change, PTL_CHANGE_FEWER);
    ck_assert_int_eq(row_of(c, "cities")->test.kind, PTL_TEST_NONE);
    ck_assert_uint_eq(c->others.significant, 2);
    ck_assert_uint_eq(c->others.beyond, 0);
    ptl_comparison_free(c);
}
END_TEST

enum { BLOCKS = 10, BLOCK = 16 };

/* All overmaps of the first `full` of ten blocks have one of everything, the others nothing. */
static void side_of_blocks(side *s, uint64_t full)
{
    rng r = rng_from_key(1);
    const double means[1] = {0};
    const uint64_t count = full * BLOCK, rest = (BLOCKS - full) * BLOCK;
    side_make(s, 1, means, BLOCKS * BLOCK, &r);
    s->cells[0][0] = s->city_cells[0] = s->line_cells[0] = rest;
    s->cells[0][1] = s->city_cells[1] = s->line_cells[1] = count;
    s->city_cells[4] = 0;
    s->terrains[0] = (ptl_tally_terrain){
        .id = "lake", .cells = count, .overmaps = count, .square_sum = (double)count};
    s->lines[0] = (ptl_tally_line){.id = "road", .cells = {s->line_cells, VALUES, 0}};
    s->tally.terrains = s->terrain_list, s->tally.terrain_count = 1;
    s->tally.lines = s->line_list, s->tally.line_count = 1;
    s->tally.cities[1].buildings_per_city = s->tally.cities_per_overmap;
    s->tally.has_blocks = true;
    for (uint64_t i = 0; i < BLOCKS; i++) {
        const uint64_t here = i < full ? BLOCK : 0;
        s->tally.lots[i] = s->tally.city_lots[i] = BLOCK;
        s->tally.building_lots[i] = here;
        s->specials[0].lots[i] = s->terrains[0].lots[i] = s->lines[0].lots[i] = here;
    }
}

/* Whole blocks that have one in each overmap, three in A and seven in B, tell as much as three
 * and seven overmaps of ten: if these were 48 and 112 strangers of 160, p would be 1e-12. */
START_TEST(neighbours_are_no_strangers)
{
    static const char *const ids[] = {"s00", "lake", "road", "buildings"};
    static side a, b;
    ptl_comparison *c;
    const ptl_comparison_options o = {.size = sizeof o, .terrains = true};
    side_of_blocks(&a, 3);
    side_of_blocks(&b, 7);
    make(&c, &a, &b, &o);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        const ptl_comparison_row *row = row_of(c, ids[i]);
        const double variance =
            0.3 * 0.7 / 9; /* of each mean: of ten, of which three have it */
        ck_assert_int_eq(row->test.kind, PTL_TEST_WELCH);
        ck_assert_double_eq_tol(row->test.statistic, 0.4 / sqrt(2 * variance), 1e-9);
        ck_assert_double_eq_tol(row->test.freedom, 18, 1e-9);
        ck_assert_uint_eq(row->a.blocks, BLOCKS);
        ck_assert_double_eq_tol(row->a.design_effect, 16.0 * 159 / 160 * 10 / 9, 1e-9);
        ck_assert(!row->significant && row->test.p > 0.05);
        ck_assert(row->ratio.range.low < 1 && row->ratio.range.high > 1);
    }
    const uint64_t needed = row_of(c, "s00")->needed;
    ptl_comparison_free(c);
    a.tally.has_blocks = b.tally.has_blocks = false;
    make(&c, &a, &b, &o);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        ck_assert(row_of(c, ids[i])->significant && row_of(c, ids[i])->a.blocks == 0);
    ck_assert_double_eq_tol((double)needed / (double)row_of(c, "s00")->needed,
                            16.0 * 159 / 160 * 10 / 9, 0.1);
    ptl_comparison_free(c);
}
END_TEST

/* A sample made with these settings, and nothing in it. */
static size_t differ(ptl_comparison_difference d[PTL_COMPARISON_DIFFERENCES],
                     const world_row *a, const world_row *b, const char *content_b)
{
    static const catalogue empty;
    const world_row *rows[2] = {a, b};
    const char *contents[2] = {"c", content_b};
    ptl_sample s[2];
    for (int i = 0; i < 2; i++) {
        s[i] = (ptl_sample){.cat = (catalogue *)(uintptr_t)&empty, .settings = *rows[i]};
        snprintf(s[i].content, sizeof s[i].content, "%s", contents[i]);
        ck_assert_int_eq(sample_describe(&s[i], NULL), PTL_OK);
    }
    const size_t count = ptl_comparison_differences(d, &s[0], &s[1]);
    for (int i = 0; i < 2; i++) {
        free(s[i].definitions);
        free(s[i].list);
    }
    return count;
}

START_TEST(differences)
{
    ptl_comparison_difference d[PTL_COMPARISON_DIFFERENCES];
    char region[] = "default", other[] = "desert";
    world_row a = {.region = region, .specials_density = 1, .generator_version = 3};
    world_row b = a;
    b.seed = 9; /* no difference between kinds of overmaps */
    ck_assert_uint_eq(differ(d, &a, &b, "c"), 0);
    b.region = other;
    b.placement = PTL_PLACEMENT_SECTORS;
    b.compat = true;
    b.specials_density = 0.5;
    ck_assert_uint_eq(differ(d, &a, &b, "d"), 5);
    ck_assert_str_eq(d[0].what, "content");
    ck_assert_str_eq(d[1].b, "desert");
    ck_assert_str_eq(d[2].b, "0.5");
    ck_assert_str_eq(d[3].b, "sectors");
    ck_assert_str_eq(d[4].a, "no");
    a = (world_row){.region = NULL};
    b = (world_row){.region = other,
                    .seed = 1,
                    .city_size = 1,
                    .city_spacing = 2,
                    .specials_spacing = 3,
                    .specials_density = 4,
                    .railroads = true,
                    .placement = PTL_PLACEMENT_SECTORS,
                    .subways = true,
                    .compat = true,
                    .scale_unique = true,
                    .unique_radius = 5,
                    .generator_version = 6};
    ck_assert_uint_eq(differ(d, &a, &b, "d"), 13);
}
END_TEST

START_TEST(bad_options)
{
    static side a, b;
    const double means[1] = {1};
    rng r = rng_from_key(72);
    ptl_error err = {0};
    ptl_comparison *c = NULL;
    ptl_comparison_options o = PTL_COMPARISON_OPTIONS_INIT;
    side_make(&a, 1, means, 100, &r);
    side_make(&b, 1, means, 100, &r);
    o.level = 1;
    ck_assert_int_eq(ptl_comparison_new(&c, &a.input, &b.input, &o, &err), PTL_ERR_ARGUMENT);
    o.level = 0;
    o.size = 0;
    ck_assert_int_eq(ptl_comparison_new(&c, &a.input, &b.input, &o, &err), PTL_ERR_ARGUMENT);
    o.size = sizeof o;
    o.terrains = true;
    b.tally.parts = PTL_COUNT_SPECIALS | PTL_COUNT_TERRAINS;
    ck_assert_int_eq(ptl_comparison_new(&c, &a.input, &b.input, &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(c);
    ck_assert_int_eq(ptl_comparison_new(&c, &a.input, &b.input, NULL, &err), PTL_OK);
    ck_assert_uint_eq(c->count, 1);
    ptl_comparison_free(c);
    ptl_comparison_free(NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("comparison");
    TCase *t = tcase_create("comparison");
    tcase_add_test(t, what_differs_is_found);
    tcase_add_test(t, max_change_is_about_size);
    tcase_add_test(t, new_and_gone);
    tcase_add_test(t, only_some);
    tcase_add_test(t, chance_alone);
    tcase_add_test(t, spread);
    tcase_add_test(t, needed_grows_with_rarity);
    tcase_add_test(t, visible_factors_are_just_enough);
    tcase_add_test(t, a_high_share_shows_only_a_fall);
    tcase_add_test(t, terrains_cities_and_roads);
    tcase_add_test(t, neighbours_are_no_strangers);
    tcase_add_test(t, differences);
    tcase_add_test(t, bad_options);
    suite_add_tcase(s, t);
    return suite_run(s);
}
