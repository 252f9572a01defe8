/*
 * What statistics promise, by simulation: how often tests find what is not there (false
 * alarms), how often intervals hold what they are of (coverage), and how often a change is
 * found by as many overmaps as are said to be needed (power). Each promise is a row; with
 * PORTOLAN_CALIBRATION=FILE rows are appended there, as lines of the table in
 * schema/calibration.md (tools/soak).
 */
#include "analysis/measure/tally.h"
#include "clients/stats/inference/inference.h"
#include "core/hash.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/stats/drawn_hist.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Bounds of a promise. */
typedef struct promise {
    const char *kind, *words;
    double low, high;
} promise;

static const promise ALARM_5 = {"false alarms", "at most 5 %", 0, 0.05},
                     ALARM_30 = {"false alarms", "20 to 30 %", 0.2, 0.3},
                     COVERED = {"coverage", "between 93.5 and 96.5 %", 0.935, 0.965},
                     COVERED_FEW = {"coverage", "at least 90 %", 0.9, 1},
                     BESIDE = {"coverage", "nothing: the row is for comparison", 0, 1},
                     FOUND = {"power", "at least 80 %", 0.8, 1};

/* Writes a row; what was seen is within the bounds, but for five sigmas of chance. */
static void keep(promise p, const char *what, int hits, int of)
{
    const double share = (double)hits / of, low = p.low, high = p.high;
    const char *name = getenv("PORTOLAN_CALIBRATION");
    FILE *file = name ? fopen(name, "a") : NULL;
    fprintf(file ? file : stdout, "| %s | %s | %s | %.1f %% | %d |\n", p.kind, what, p.words,
            100 * share, of);
    if (file)
        ck_assert_int_eq(fclose(file), 0);
    fflush(stdout);
    ck_assert_msg(share >= low - 5 * sqrt(low * (1 - low) / of), "%s: %g", what, share);
    ck_assert_msg(share <= high + 5 * sqrt(high * (1 - high) / of), "%s: %g", what, share);
}

static bool holds(ptl_interval range, double truth)
{
    return range.low <= truth && truth <= range.high;
}

/* ---- false alarms ---- */

static const struct null_case {
    double mean;
    int na, nb;
    bool exact; /* else chi-square, which test_inference's exact_too_dear shows huge samples get
                 */
} NULL_CASES[] = {
    {0.8, 40, 60, true}, {3, 25, 25, true}, {3, 100, 15, true}, {2, 150, 100, false}};

/* How often p <= 0.05 and p <= 0.3 come up where nothing differs. An exact test never exceeds
 * that, and is not so cautious as to be useless. */
START_TEST(tests_of_equals)
{
    const struct null_case *c = &NULL_CASES[_i];
    const int samples = test_seeds(300);
    rng r = rng_from_key(hash_add(77, (uint64_t)_i));
    int low = 0, middle = 0, other = 0;
    for (int i = 0; i < samples; i++) {
        sample_hist a, b;
        ptl_test_outcome t;
        poisson_hist(&a, &r, c->mean, c->na);
        poisson_hist(&b, &r, c->mean, c->nb);
        if (c->exact)
            (void)ptl_counts_test(&t, &a.h, &b.h, NULL);
        else
            t = chi_square_test(&a.h, &b.h);
        low += t.p <= 0.05;
        middle += t.p <= 0.3;
        other += c->exact && t.kind != PTL_TEST_PERMUTATION;
    }
    char what[320];
    ck_assert_int_eq(other, 0);
    snprintf(what, sizeof what,
             "%s of two samples with counts of the same mean %g in %d and %d overmaps: p <= %s",
             c->exact ? "permutation test" : "chi-square test", c->mean, c->na, c->nb, "0.05");
    keep(c->exact ? ALARM_5 : (promise){"false alarms", "about 5 %", 0.04, 0.06}, what, low,
         samples);
    memcpy(what + strlen(what) - strlen("0.05"), "0.3", sizeof "0.3");
    keep(c->exact ? ALARM_30 : (promise){"false alarms", "about 30 %", 0.28, 0.32}, what,
         middle, samples);
}
END_TEST

/* Overmaps of each side: few and as few, or few beside many. */
static const int FEW[][2] = {{2, 2},  {3, 3},   {4, 4},   {5, 5},
                             {4, 20}, {2, 400}, {3, 400}, {10, 400}};
enum { FEW_CASES = sizeof FEW / sizeof FEW[0] };

/* Comparisons of equals, however few, hardly ever find a difference: of terrains, whose counts
 * are large and often the same in all overmaps of a side. */
START_TEST(few_overmaps_are_no_alarm)
{
    enum { TERRAINS = 100, VARY = 34 };
    const int samples = test_seeds(300);
    rng r = rng_from_key(77 + (uint64_t)_i);
    int alarms = 0;
    for (int i = 0; i < samples; i++) {
        bool alarm = false;
        for (int t = 0; t < TERRAINS; t++) {
            ptl_moments side[2];
            for (int s = 0; s < 2; s++) {
                const int overmaps = FEW[_i][s];
                double sum = 0, squares = 0;
                for (int o = 0; o < overmaps; o++) {
                    /* Steps of 50 cells: one special more or less. */
                    const double cells = 50.0 * (double)rng_below(&r, 3) * (t % 3 == 0);
                    sum += cells;
                    squares += cells * cells;
                }
                const double mean = sum / overmaps;
                side[s] = (ptl_moments){(uint64_t)overmaps, mean,
                                        fmax(0, squares - sum * mean) / (overmaps - 1)};
            }
            alarm |= welch_test(side[0], side[1]).p * VARY <= 0.05;
        }
        alarms += alarm;
    }
    char what[320];
    snprintf(what, sizeof what,
             "Welch's test, with Holm's correction, of %d terrains in two samples of %d and %d "
             "overmaps: a difference in any terrain",
             TERRAINS, FEW[_i][0], FEW[_i][1]);
    keep(ALARM_5, what, alarms, samples);
}
END_TEST

/* Of sixty UNIQUE specials that come as stated none is said to depart. */
START_TEST(unique_specials_as_stated)
{
    enum { SPECIALS = 60, OVERMAPS = 400 };
    const int samples = test_seeds(100);
    rng r = rng_from_key(60);
    int alarms = 0;
    for (int i = 0; i < samples; i++) {
        double p[SPECIALS];
        for (int k = 0; k < SPECIALS; k++) {
            const uint32_t chance = (uint32_t)(5 + 10 * (k % 10)); /* in 100 */
            uint64_t with = 0;
            for (int o = 0; o < OVERMAPS; o++)
                with += rng_below(&r, 100) < chance;
            p[k] = binomial_test(with, OVERMAPS, chance / 100.0);
        }
        bool alarm = false;
        ck_assert(adjust_holm(p, p, SPECIALS));
        for (int k = 0; k < SPECIALS; k++)
            alarm |= p[k] < 0.05;
        alarms += alarm;
    }
    keep(ALARM_5,
         "binomial test, with Holm's correction, of 60 UNIQUE specials in 400 overmaps: "
         "a difference in any special",
         alarms, samples);
}
END_TEST

/* Points at random are seldom beyond what 199 patterns show. */
START_TEST(points_at_random)
{
    enum { OVERMAPS = 20, POINTS = 6, RADIUS_20 = 3 };
    static const char *const id = "x";
    const int samples = test_seeds(300);
    rng r = rng_from_key(199);
    int alarms = 0;
    for (int i = 0; i < samples; i++) {
        summary_place places[POINTS];
        const summary s = {.places = places, .place_count = POINTS, .parts = PTL_COUNT_PLACES};
        ptl_tally t = {0};
        ck_assert(tally_init(&t) && tally_ripleys(&t, &id, 1, NULL) == PTL_OK);
        for (int o = 0; o < OVERMAPS; o++) {
            for (int k = 0; k < POINTS; k++)
                places[k] = (summary_place){.id = id,
                                            .around = "",
                                            .x = (int16_t)rng_below(&r, PTL_CHUNK_SIZE),
                                            .y = (int16_t)rng_below(&r, PTL_CHUNK_SIZE)};
            ck_assert_int_eq(tally_add(&t, &s, NULL), PTL_OK);
        }
        const ptl_ripley k = ptl_ripley_at(t.ripleys[0], RADIUS_20, 0.95);
        alarms += k.k < k.low || k.k > k.high;
        tally_dispose(&t);
    }
    keep((promise){"false alarms", "about 5 %", 0.035, 0.06},
         "Ripley's K at a distance of 20 OMTs, of 6 random points in each of 20 overmaps: "
         "K outside of the range of random points",
         alarms, samples);
}
END_TEST

/* ---- worlds whose neighbours share lakes ---- */

static const struct world_case {
    int blocks;
    double lakes; /* half of all overmaps have one, of a block's this more or less */
    bool counts;  /* else at most one in an overmap */
} WORLDS[] = {{25, 0, false},   {25, 0.15, false}, {64, 0.15, false},
              {25, 0.3, false}, {9, 0.15, true},   {25, 0.15, true}};
enum { WORLD_CASES = sizeof WORLDS / sizeof WORLDS[0], UNIQUE_CASES = WORLD_CASES - 1 };

/* A world's overmaps, each with so many of a special that needs a lake. */
typedef struct world_draw {
    sample_hist h;
    uint64_t sums[PTL_TALLY_LOTS], counts[PTL_TALLY_LOTS]; /* of its blocks */
} world_draw;

/* mean: in an overmap; in one with a lake, twice that. */
static known_mean draw_world(world_draw *w, rng *r, const struct world_case *c, double mean)
{
    enum { BLOCK = 16 };
    double lake = 0; /* share of the block's overmaps that have one */
    memset(w, 0, sizeof *w);
    hist_begin(&w->h);
    for (int o = 0; o < c->blocks * BLOCK; o++) {
        if (o % BLOCK == 0)
            lake = 0.5 + (rng_below(r, 2) ? c->lakes : -c->lakes);
        const bool has_lake = rng_below(r, 1000) < (uint64_t)(1000 * lake);
        const int32_t here = !has_lake   ? 0
                             : c->counts ? poisson_draw(r, 2 * mean)
                                         : rng_below(r, 1u << 20) < 2 * mean * (1u << 20);
        w->h.cells[here]++;
        w->sums[o / BLOCK] += (uint64_t)here;
        w->counts[o / BLOCK]++;
    }
    const ptl_moments m = hist_moments(&w->h.h);
    return (known_mean){m, lots_dependence(w->sums, w->counts, PTL_TALLY_LOTS, m.variance)};
}

static const dependence STRANGERS = {1, INFINITY, 0};

/* Writes the row of what was made by blocks, and beside it that by overmaps. */
static void keep_both(promise p, char *what, const int hits[2], int samples)
{
    static const char *const blocks = "; blocks are treated as independent",
                             *const overmaps = "; single overmaps are treated as independent";
    const size_t length = strlen(what);
    memcpy(what + length, blocks, strlen(blocks) + 1);
    keep(p, what, hits[0], samples);
    memcpy(what + length, overmaps, strlen(overmaps) + 1);
    keep((promise){p.kind, BESIDE.words, 0, 1}, what, hits[1], samples);
}

/* Of sixty UNIQUE specials that need a lake, and come as stated, none is said to depart. */
START_TEST(unique_specials_of_a_world)
{
    enum { SPECIALS = 60 };
    const struct world_case c = {WORLDS[_i].blocks, WORLDS[_i].lakes, false};
    const int samples = test_seeds(100) / 5 + 1;
    rng r = rng_from_key(61 + (uint64_t)_i);
    int alarms[2] = {0};
    for (int i = 0; i < samples; i++) {
        double p[2][SPECIALS];
        for (int k = 0; k < SPECIALS; k++) {
            world_draw w;
            const double share = 0.05 * (1 + k % 9); /* to 0.45 */
            const known_mean a = draw_world(&w, &r, &c, share);
            p[0][k] = share_test(w.h.cells[1], a.m.count, share, a.d);
            p[1][k] = share_test(w.h.cells[1], a.m.count, share, STRANGERS);
        }
        for (int by = 0; by < 2; by++) {
            bool alarm = false;
            ck_assert(adjust_holm(p[by], p[by], SPECIALS));
            for (int k = 0; k < SPECIALS; k++)
                alarm |= p[by][k] < 0.05;
            alarms[by] += alarm;
        }
    }
    char what[320];
    snprintf(what, sizeof what,
             "the test of shares, with Holm's correction, says of at least one of 60 UNIQUE "
             "specials "
             "that it does not come as often as it states, though all do; a world of %d "
             "blocks, with "
             "lakes in 50 %% of a block's overmaps (standard deviation between blocks: %g %%)",
             c.blocks, 100 * c.lakes);
    keep_both(ALARM_5, what, alarms, samples);
}
END_TEST

/* Two worlds that are alike but for their seeds are hardly ever told apart. */
START_TEST(worlds_that_are_alike)
{
    const struct world_case *c = &WORLDS[_i];
    const int samples = test_seeds(300);
    rng r = rng_from_key(63 + (uint64_t)_i);
    int alarms[2] = {0};
    for (int i = 0; i < samples; i++) {
        world_draw w;
        const known_mean a = draw_world(&w, &r, c, c->counts ? 0.5 : 0.25),
                         b = draw_world(&w, &r, c, c->counts ? 0.5 : 0.25);
        alarms[0] += blocks_test(a, b).p <= 0.05;
        alarms[1] += welch_test(a.m, b.m).p <= 0.05;
    }
    char what[320];
    snprintf(what, sizeof what,
             "Welch's test of the %s of a special in two worlds of %d blocks, with lakes in "
             "50 +- %g %% of the overmaps of a block: p <= 0.05",
             c->counts ? "mean count" : "share", c->blocks, 100 * c->lakes);
    keep_both((promise){"false alarms", "at most 5 % (the test allows 6 %)", 0, 0.06}, what,
              alarms, samples);
}
END_TEST

/* ---- coverage ---- */

START_TEST(shares_are_covered)
{
    const double share = (double[]){0.02, 0.1, 0.5}[_i];
    const int samples = 10 * test_seeds(300), overmaps = 400;
    rng r = rng_from_key(31 + (uint64_t)_i);
    int held = 0;
    for (int i = 0; i < samples; i++) {
        uint64_t with = 0;
        for (int o = 0; o < overmaps; o++)
            with += rng_below(&r, 1000) < (uint64_t)(1000 * share);
        held += holds(ptl_wilson_interval(with, (uint64_t)overmaps, 0.95), share);
    }
    char what[320];
    snprintf(
        what, sizeof what,
        "Wilson's interval of a share whose true value is %g, from a sample of %d overmaps",
        share, overmaps);
    keep(COVERED, what, held, samples);
}
END_TEST

/* The means of few overmaps of 0, 1, 2, ... are covered, also where none has more than one:
 * there an interval of a share, which ends at 1, held 84 of 100 (three overmaps). */
START_TEST(few_counts_are_covered)
{
    const double mean = (double[]){0.2, 0.5, 1}[_i % 3];
    const int overmaps = (int[]){3, 5, 12}[_i / 3], samples = 20 * test_seeds(300);
    rng r = rng_from_key(5 + (uint64_t)_i);
    int held = 0;
    for (int i = 0; i < samples; i++) {
        sample_hist h;
        poisson_hist(&h, &r, mean, overmaps);
        const bool at_most_one = h.cells[0] + h.cells[1] == (uint64_t)overmaps;
        held += holds(at_most_one ? ptl_poisson_interval(h.cells[1], (uint64_t)overmaps, 0.95)
                                  : ptl_mean_interval(&h.h, 0.95),
                      mean);
    }
    char what[320];
    snprintf(
        what, sizeof what,
        "interval of the mean of counts whose true mean is %g, from a sample of %d overmaps",
        mean, overmaps);
    keep(COVERED_FEW, what, held, samples);
}
END_TEST

/* Overmaps of each side of which the ratio of the means is covered. */
static const int RATIO_CASES[][2] = {{60, 60}, {2, 2},    {3, 3}, {5, 5},
                                     {2, 400}, {10, 400}, {4, 20}};

START_TEST(ratios_are_covered)
{
    const int samples = test_seeds(500), *n = RATIO_CASES[_i];
    rng r = rng_from_key(21);
    int held = 0;
    for (int i = 0; i < samples; i++) {
        sample_hist a, b;
        poisson_hist(&a, &r, 1, n[0]);
        poisson_hist(&b, &r, 1.6, n[1]);
        held +=
            holds(ratio_of_strangers(hist_moments(&a.h), hist_moments(&b.h), 0.95).range, 1.6);
    }
    char what[320];
    snprintf(
        what, sizeof what,
        "interval of the ratio of two means, truly 1.6, from samples of %d and %d overmaps",
        n[0], n[1]);
    keep(n[0] == n[1] && n[0] >= 60 ? COVERED : COVERED_FEW, what, held, samples);
}
END_TEST

/* Of specials that need a lake, in one world whose neighbours share lakes. */
START_TEST(blocks_are_covered)
{
    const struct world_case *c = &WORLDS[_i];
    const int samples = 4 * test_seeds(300);
    const double mean = c->counts ? 0.5 : 0.25;
    rng r = rng_from_key(90 + (uint64_t)_i);
    int held[2] = {0};
    for (int i = 0; i < samples; i++) {
        world_draw w;
        const known_mean a = draw_world(&w, &r, c, mean);
        for (int by = 0; by < 2; by++) {
            const dependence d = by == 0 ? a.d : STRANGERS;
            held[by] += holds(c->counts ? mean_interval(a.m, d, 0.95)
                                        : share_interval(w.h.cells[1], a.m.count, d, 0.95),
                              mean);
        }
    }
    char what[320];
    snprintf(
        what, sizeof what,
        "interval of the %s of a special in a world of %d blocks, with lakes in 50 +- %g %% of "
        "the overmaps of a block",
        c->counts ? "mean count" : "share", c->blocks, 100 * c->lakes);
    keep_both(COVERED, what, held, samples);
}
END_TEST

/* ---- power ---- */

typedef enum shape { POISSON, SHARE, UNIFORM } shape; /* UNIFORM: 0 .. twice the mean */

static void drawn_hist(sample_hist *out, rng *r, shape kind, double mean, int count)
{
    if (kind == POISSON) {
        poisson_hist(out, r, mean, count);
        return;
    }
    hist_begin(out);
    for (int i = 0; i < count; i++) {
        const double u = (double)rng_below(r, 1u << 30) / (1u << 30);
        out->cells[kind == SHARE ? (size_t)(u < mean) : (size_t)(u * (2 * mean + 1))]++;
    }
}

static const struct power_case {
    shape shape;
    double mean, factor, level;
} POWER[] = {{POISSON, 0.1, 1.5, 0.95}, {POISSON, 0.7, 1.5, 0.95}, {POISSON, 4, 1.5, 0.95},
             {POISSON, 4, 2, 0.9993},   {SHARE, 0.1, 1.5, 0.95},   {SHARE, 0.3, 1.5, 0.9993},
             {SHARE, 0.6, 1.5, 0.95},   {UNIFORM, 3, 1.5, 0.95},   {UNIFORM, 6, 1.5, 0.9993},
             {UNIFORM, 4, 2, 0.95}};

/* How many of `samples` comparisons of so many overmaps find the change. */
static int found_of(const struct power_case *c, double factor, int overmaps, int samples,
                    rng *r)
{
    int found = 0;
    for (int i = 0; i < samples; i++) {
        sample_hist a, b;
        ptl_test_outcome t;
        drawn_hist(&a, r, c->shape, c->mean, overmaps);
        drawn_hist(&b, r, c->shape, c->mean * factor, overmaps);
        ck_assert(ptl_counts_test(&t, &a.h, &b.h, NULL) == PTL_OK);
        found += t.p <= 1 - c->level;
    }
    return found;
}

/* A change is found by as many overmaps as are said to be needed in four of five comparisons at
 * least, up as well as down, and the direction that needs them is not found by half as many. */
START_TEST(change_is_found)
{
    static const char *const shapes[] = {"the mean of counts", "a share",
                                         "the mean of uniform counts"};
    const struct power_case *c = &POWER[_i];
    const int samples = test_seeds(300);
    const double share_variance = c->mean * (1 - c->mean), top = floor(2 * c->mean + 1);
    const double variance = c->shape == POISSON ? c->mean
                            : c->shape == SHARE ? share_variance
                                                : (top * top - 1) / 12;
    const ptl_moments known = {1000, c->mean, variance};
    const uint64_t needed = overmaps_for_change(known, c->shape == SHARE, c->factor, c->level);
    rng r = rng_from_key(9 + (uint64_t)_i);
    char what[320];
    ck_assert_uint_lt(needed, 5000);
    for (int up = 0; up < 2; up++) {
        snprintf(what, sizeof what,
                 "a difference in %s is found: %g in the first sample, %g %s by %g in the "
                 "second; two samples of %d overmaps each; confidence level %g",
                 shapes[c->shape], c->mean, c->mean, up ? "multiplied" : "divided", c->factor,
                 (int)needed, c->level);
        keep(FOUND, what, found_of(c, up ? c->factor : 1 / c->factor, (int)needed, samples, &r),
             samples);
    }
    const int halves = samples < 60 ? 60 : samples; /* of a few, most may be found by chance */
    const int half_up = found_of(c, c->factor, (int)needed / 2, halves, &r);
    const int half_down = found_of(c, 1 / c->factor, (int)needed / 2, halves, &r);
    ck_assert_double_lt(fmin(half_up, half_down) / halves, 0.8);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("calibration");
    TCase *t = tcase_create("calibration");
    tcase_add_loop_test(t, tests_of_equals, 0, (int)(sizeof NULL_CASES / sizeof NULL_CASES[0]));
    tcase_add_loop_test(t, few_overmaps_are_no_alarm, 0, FEW_CASES);
    tcase_add_test(t, unique_specials_as_stated);
    tcase_add_test(t, points_at_random);
    tcase_add_loop_test(t, unique_specials_of_a_world, 0, UNIQUE_CASES);
    tcase_add_loop_test(t, worlds_that_are_alike, 0, WORLD_CASES);
    tcase_add_loop_test(t, shares_are_covered, 0, 3);
    tcase_add_loop_test(t, few_counts_are_covered, 0, 9);
    tcase_add_loop_test(t, ratios_are_covered, 0,
                        (int)(sizeof RATIO_CASES / sizeof RATIO_CASES[0]));
    tcase_add_loop_test(t, blocks_are_covered, 0, WORLD_CASES);
    tcase_add_loop_test(t, change_is_found, 0, (int)(sizeof POWER / sizeof POWER[0]));
    suite_add_tcase(s, t);
    return suite_run(s);
}
