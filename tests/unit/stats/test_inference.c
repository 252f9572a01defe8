/* Intervals, tests and sample sizes: textbook values, brute force, and many samples of the null
 * hypothesis, under which p must keep its promise. */
#include "clients/stats/inference/inference.h"
#include "core/hash.h"
#include "core/poisson.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VALUES = 64 };

/* A histogram on the stack. */
typedef struct sample_hist {
    uint64_t cells[VALUES];
    ptl_hist h;
} sample_hist;

static void hist_begin(sample_hist *s)
{
    memset(s, 0, sizeof *s);
    s->h = (ptl_hist){s->cells, VALUES, 0};
}

static void hist_of(sample_hist *s, const int *values, size_t count)
{
    hist_begin(s);
    for (size_t i = 0; i < count; i++)
        s->cells[values[i]]++;
}

static void poisson_hist(sample_hist *s, rng *r, double mean, int count)
{
    hist_begin(s);
    for (int i = 0; i < count; i++) {
        const int32_t k = poisson_draw(r, mean);
        s->cells[k < VALUES ? k : VALUES - 1]++;
    }
}

static void assert_interval(ptl_interval got, double low, double high, double tolerance)
{
    ck_assert_double_eq_tol(got.low, low, tolerance);
    ck_assert_double_eq_tol(got.high, high, tolerance);
}

/* ---- intervals ---- */

/* Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I. */
START_TEST(intervals_of_proportions)
{
    static const uint64_t CASES[][2] = {{81, 263}, {15, 148}, {0, 20}, {1, 29}};
    static const double WILSON[][2] = {
        {0.2553, 0.3662}, {0.0624, 0.1605}, {0, 0.1611}, {0.0061, 0.1718}};
    for (size_t i = 0; i < 4; i++) {
        const uint64_t k = CASES[i][0], n = CASES[i][1];
        assert_interval(ptl_wilson_interval(k, n, 0.95), WILSON[i][0], WILSON[i][1], 6e-5);
    }
    assert_interval(ptl_wilson_interval(0, 0, 0.95), 0, 1, 1e-15);
    ck_assert(ptl_wilson_interval(7, 7, 0.99).high >= 1);
}
END_TEST

START_TEST(interval_of_a_mean)
{
    static const int DATA[] = {2, 4, 4, 4, 5, 5, 7, 9}; /* mean 5, variance 32 / 7, t 2.36462 */
    sample_hist s;
    hist_of(&s, DATA, 8);
    const double half = 2.364624 * sqrt(32.0 / 7 / 8);
    assert_interval(ptl_mean_interval(&s.h, 0.95), 5 - half, 5 + half, 1e-6);
    hist_of(&s, DATA, 1);
    assert_interval(ptl_mean_interval(&s.h, 0.95), 2, 2, 1e-15);
    hist_of(&s, DATA, 0);
    assert_interval(ptl_mean_interval(&s.h, 0.95), 0, 0, 1e-15);
}
END_TEST

/* ---- tests, against values of R ---- */

START_TEST(tests_of_proportions)
{
    ck_assert_double_eq_tol(binomial_test(682, 925, 0.75), 0.3825, 5e-5); /* Mendel's peas */
    ck_assert_double_eq_tol(binomial_test(0, 10, 0.5), 2.0 / 1024, 1e-12);
    ck_assert_double_eq_tol(binomial_test(5, 10, 0.5), 1, 1e-12);
    ck_assert_double_eq_tol(binomial_test(0, 10, 0), 1, 1e-12);
    ck_assert_double_eq_tol(binomial_test(1, 10, 0), 0, 1e-12);
    ck_assert_double_eq_tol(fisher_test(3, 4, 1, 4), 34.0 / 70, 1e-12); /* tea or milk first */
    ck_assert_double_eq_tol(fisher_test(10, 13, 2, 17), 0.0005367, 5e-8); /* convictions */
    ck_assert_double_eq_tol(fisher_test(2, 17, 10, 13), 0.0005367, 5e-8);
    ck_assert_double_eq_tol(fisher_test(0, 50, 0, 3), 1, 1e-12);
    ck_assert_double_ge(fisher_test(0, 5000, 5000, 5000), INFERENCE_P_LEAST);
}
END_TEST

START_TEST(chi_square)
{
    sample_hist a, b;
    hist_begin(&a);
    hist_begin(&b);
    a.cells[0] = 20, a.cells[1] = 30, a.cells[2] = 50;
    b.cells[0] = 30, b.cells[1] = 30, b.cells[2] = 40;
    ptl_test_outcome r = chi_square_test(&a.h, &b.h);
    ck_assert_int_eq(r.kind, PTL_TEST_CHI_SQUARE);
    ck_assert_double_eq_tol(r.statistic, 2 + 10.0 / 9, 1e-12);
    ck_assert_double_eq_tol(r.freedom, 2, 1e-15);
    ck_assert_double_eq_tol(r.p, exp(-r.statistic / 2), 1e-12); /* 2 degrees: an exponential */
    /* 4 more observations go into the last bin, 4 less than that makes one of their own. */
    a.cells[20] = 2, b.cells[40] = 2;
    ck_assert_double_eq_tol(chi_square_test(&a.h, &b.h).freedom, 2, 1e-15);
    a.cells[20] = 5, b.cells[40] = 5;
    ck_assert_double_eq_tol(chi_square_test(&a.h, &b.h).freedom, 3, 1e-15);
    /* What is expected of each sample in a bin is 5 at least: 9 of both wait for more, 10 do
     * not. */
    hist_begin(&a);
    hist_begin(&b);
    a.cells[0] = 6, a.cells[1] = 4, a.cells[2] = 10;
    b.cells[0] = 4, b.cells[1] = 5, b.cells[2] = 11;
    r = chi_square_test(&a.h, &b.h);
    ck_assert_double_eq_tol(r.freedom, 1, 1e-15);
    ck_assert_double_eq_tol(r.statistic, 2.0 / 5 + 2.0 / 15, 1e-12);
    /* What is left at the end goes into the last bin. */
    hist_begin(&a);
    hist_begin(&b);
    a.cells[0] = 10, a.cells[1] = 20, a.cells[2] = 3;
    b.cells[0] = 20, b.cells[1] = 10, b.cells[2] = 1;
    r = chi_square_test(&a.h, &b.h);
    const double first = 30 * 33.0 / 64, rest = 34 * 33.0 / 64;
    const double parts = (10 - first) * (10 - first) * (1 / first + 1 / (30 - first)) +
                         (23 - rest) * (23 - rest) * (1 / rest + 1 / (34 - rest));
    ck_assert_double_eq_tol(r.freedom, 1, 1e-15);
    ck_assert_double_eq_tol(r.statistic, parts, 1e-12);
    hist_begin(&a);
    hist_begin(&b);
    a.cells[0] = 1000, b.cells[5] = 1000;
    ck_assert_double_lt(chi_square_test(&a.h, &b.h).p, 1e-100);
    hist_begin(&b);
    ck_assert_int_eq(chi_square_test(&a.h, &b.h).kind, PTL_TEST_NONE);
}
END_TEST

/* Student's sleep data: two drugs, hours of extra sleep. */
START_TEST(welch)
{
    const ptl_moments a = {10, 0.75, 3.200556}, b = {10, 2.33, 4.009};
    const ptl_test_outcome r = welch_test(a, b);
    ck_assert_double_eq_tol(r.statistic, 1.8608, 5e-5);
    ck_assert_double_eq_tol(r.freedom, 17.776, 5e-4);
    ck_assert_double_eq_tol(r.p, 0.07939, 5e-6);
    ck_assert_int_eq(welch_test((ptl_moments){1, 3, 0}, b).kind, PTL_TEST_NONE);
    ck_assert_int_eq(welch_test(a, (ptl_moments){1, 3, 0}).kind, PTL_TEST_NONE);
    ck_assert_int_eq(welch_test((ptl_moments){9, 3, 0}, (ptl_moments){9, 3, 0}).kind,
                     PTL_TEST_NONE);
    ck_assert_double_eq_tol(welch_test((ptl_moments){9, 3, 0}, (ptl_moments){9, 4, 0}).p,
                            2.0 / 48620, 1e-15);
}
END_TEST

/* ---- the permutation test, by trying every choice ---- */

static double brute_force(const int *values, int n, int na)
{
    int total = 0, seen = 0;
    long far = 0, all = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    for (int i = 0; i < na; i++)
        seen += values[i];
    const int least = abs(n * seen - na * total);
    for (unsigned set = 0; set < 1u << n; set++) {
        int sum = 0, size = 0;
        for (int i = 0; i < n; i++) {
            sum += set >> i & 1 ? values[i] : 0;
            size += (int)(set >> i & 1);
        }
        all += size == na;
        far += size == na && abs(n * sum - na * total) >= least;
    }
    return (double)far / (double)all;
}

START_TEST(permutation_is_every_choice)
{
    const int cases = test_seeds(60);
    int wrong = 0;
    rng r = rng_from_key(11);
    for (int i = 0; i < cases; i++) {
        int values[13];
        const int n = 2 + (int)(rng_next(&r) % 12),
                  na = 1 + (int)(rng_next(&r) % (uint64_t)(n - 1));
        for (int j = 0; j < n; j++) {
            const int32_t k = poisson_draw(&r, i % 3 == 0 ? 0.4 : i % 3 == 1 ? 3 : 20);
            values[j] = k < VALUES ? k : VALUES - 1;
        }
        sample_hist a, b;
        bool done;
        double p = -1;
        hist_of(&a, values, (size_t)na);
        hist_of(&b, values + na, (size_t)(n - na));
        ck_assert(permutation_test(&p, &done, &a.h, &b.h, INFERENCE_WORK, NULL) == PTL_OK);
        if (!done || fabs(p - brute_force(values, n, na)) > 1e-9)
            wrong++;
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* With two values and equally large samples it is Fisher's test. */
START_TEST(permutation_of_two_values_is_fisher)
{
    int wrong = 0, otherwise = 0;
    for (uint64_t ka = 0; ka <= 30; ka++) {
        for (uint64_t kb = ka % 3; kb <= 30; kb += 3) {
            sample_hist a, b;
            bool done;
            double p = -1;
            ptl_test_outcome r;
            hist_begin(&a);
            hist_begin(&b);
            a.cells[0] = 30 - ka, a.cells[1] = ka;
            b.cells[0] = 30 - kb, b.cells[1] = kb;
            (void)permutation_test(&p, &done, &a.h, &b.h, INFERENCE_WORK, NULL);
            wrong += !done || fabs(p - fisher_test(ka, 30, kb, 30)) > 1e-9;
            (void)ptl_counts_test(&r, &a.h, &b.h, NULL);
            const bool all_equal = ka + kb == 0 || ka + kb == 60;
            otherwise +=
                r.kind != (all_equal ? PTL_TEST_NONE : PTL_TEST_FISHER) || fabs(p - r.p) > 1e-9;
        }
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(otherwise, 0);
}
END_TEST

/* Adding a constant, or reading the values from the other end, changes nothing; nor does which
 * of the samples comes first. */
START_TEST(permutation_is_symmetric)
{
    rng r = rng_from_key(5);
    int wrong = 0;
    for (int i = 0; i < test_seeds(40); i++) {
        sample_hist a, b, c, d;
        bool done = true;
        double p[4] = {-1, -2, -3, -4};
        poisson_hist(&a, &r, 1.5, 20 + i);
        poisson_hist(&b, &r, 2, 35);
        hist_begin(&c);
        hist_begin(&d);
        for (size_t v = 0; v < 30; v++) {
            c.cells[v + 7] = a.cells[v];
            d.cells[v + 7] = b.cells[v];
        }
        (void)permutation_test(&p[0], &done, &a.h, &b.h, INFERENCE_WORK, NULL);
        (void)permutation_test(&p[1], &done, &b.h, &a.h, INFERENCE_WORK, NULL);
        (void)permutation_test(&p[2], &done, &c.h, &d.h, INFERENCE_WORK, NULL);
        hist_begin(&c);
        hist_begin(&d);
        for (size_t v = 0; v < 30; v++) {
            c.cells[40 - v] = a.cells[v];
            d.cells[40 - v] = b.cells[v];
        }
        (void)permutation_test(&p[3], &done, &c.h, &d.h, INFERENCE_WORK, NULL);
        for (int j = 1; j < 4; j++)
            wrong += fabs(p[j] - p[0]) > 1e-9 * p[0];
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* ---- under the null hypothesis ---- */

typedef struct null_case {
    double mean;
    int na, nb;
    ptl_test_kind kind;
} null_case;

/*
 * How often p <= 0.05 and p <= 0.3 come up where nothing differs. An exact test never exceeds
 * that (5 sigma of chance allowed), and is not so cautious as to be useless; chi-square is
 * near.
 */
static void check_null(const null_case *c, int samples)
{
    rng r = rng_from_key(hash_add(77, (uint64_t)(c->mean * 100) + (uint64_t)c->na));
    int low = 0, middle = 0, other = 0;
    for (int i = 0; i < samples; i++) {
        sample_hist a, b;
        ptl_test_outcome t;
        poisson_hist(&a, &r, c->mean, c->na);
        poisson_hist(&b, &r, c->mean, c->nb);
        (void)ptl_counts_test(&t, &a.h, &b.h, NULL);
        low += t.p <= 0.05;
        middle += t.p <= 0.3;
        other += t.kind != c->kind;
    }
    const double n = samples, sigma_low = sqrt(n * 0.05 * 0.95), sigma = sqrt(n * 0.3 * 0.7);
    ck_assert_int_eq(other, 0);
    ck_assert_msg(low <= 0.05 * n + 5 * sigma_low, "mean %g: %d of %d", c->mean, low, samples);
    ck_assert_msg(middle <= 0.3 * n + 5 * sigma, "mean %g: %d of %d", c->mean, middle, samples);
    ck_assert_msg(middle >= 0.2 * n - 5 * sigma, "mean %g: %d of %d", c->mean, middle, samples);
}

START_TEST(p_keeps_its_promise)
{
    static const null_case CASES[] = {
        {0.8, 40, 60, PTL_TEST_PERMUTATION},
        {3, 25, 25, PTL_TEST_PERMUTATION},
        {3, 100, 15, PTL_TEST_PERMUTATION},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        check_null(&CASES[i], test_seeds(300));
}
END_TEST

/* The same for chi-square, which exact_too_dear shows is what huge samples get. */
START_TEST(chi_square_keeps_its_promise)
{
    rng r = rng_from_key(123);
    const int samples = test_seeds(500);
    int low = 0, middle = 0;
    for (int i = 0; i < samples; i++) {
        sample_hist a, b;
        poisson_hist(&a, &r, 2, 150);
        poisson_hist(&b, &r, 2, 100);
        const ptl_test_outcome t = chi_square_test(&a.h, &b.h);
        low += t.p <= 0.05;
        middle += t.p <= 0.3;
    }
    const double n = samples;
    ck_assert_double_eq_tol(low, 0.05 * n, 5 * sqrt(n * 0.05 * 0.95));
    ck_assert_double_eq_tol(middle, 0.3 * n, 5 * sqrt(n * 0.3 * 0.7));
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
        const ptl_interval p = at_most_one
                                   ? ptl_poisson_interval(h.cells[1], (uint64_t)overmaps, 0.95)
                                   : ptl_mean_interval(&h.h, 0.95);
        held += p.low <= mean && mean <= p.high;
    }
    printf("covered: %d overmaps, mean %g: %.3f\n", overmaps, mean, (double)held / samples);
    fflush(stdout);
    ck_assert_double_ge((double)held / samples, 0.9);
    ck_assert_double_eq_tol(ptl_poisson_interval(10, 1, 0.95).low, 5.43, 0.01);
    ck_assert_double_eq_tol(ptl_poisson_interval(10, 1, 0.95).high, 18.41, 0.01);
    ck_assert_double_eq_tol(ptl_poisson_interval(0, 2, 0.95).high, 1.92, 0.01);
}
END_TEST

/* ---- power, by simulation: schema/measured.md, "What statistics keep" ---- */

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
    const struct power_case *c = &POWER[_i];
    const int samples = test_seeds(300);
    const double share_variance = c->mean * (1 - c->mean), top = floor(2 * c->mean + 1);
    const double variance = c->shape == POISSON ? c->mean
                            : c->shape == SHARE ? share_variance
                                                : (top * top - 1) / 12;
    const ptl_moments known = {1000, c->mean, variance};
    const uint64_t needed = overmaps_for_change(known, c->shape == SHARE, c->factor, c->level);
    rng r = rng_from_key(9 + (uint64_t)_i);
    const double slack = 4 * sqrt(0.16 / samples);
    ck_assert_uint_lt(needed, 5000);
    const int up = found_of(c, c->factor, (int)needed, samples, &r);
    const int down = found_of(c, 1 / c->factor, (int)needed, samples, &r);
    printf("power %d: %d overmaps, up %.3f, down %.3f\n", _i, (int)needed, (double)up / samples,
           (double)down / samples);
    fflush(stdout);
    ck_assert_double_ge((double)up / samples, 0.8 - slack);
    ck_assert_double_ge((double)down / samples, 0.8 - slack);
    const int half_up = found_of(c, c->factor, (int)needed / 2, samples, &r);
    const int half_down = found_of(c, 1 / c->factor, (int)needed / 2, samples, &r);
    ck_assert_double_lt(fmin(half_up, half_down) / samples, 0.8);
}
END_TEST

/* Nothing is promised that no outcome could show. */
START_TEST(nothing_is_promised_in_vain)
{
    const ptl_moments often = {100, 0.7, 0.21}, seldom = {100, 0.3, 0.21}, fixed = {100, 3, 0};
    ck_assert_uint_eq(overmaps_for_change(often, true, 1.5, 0.95), UINT64_MAX);
    ck_assert_uint_lt(overmaps_for_change(often, true, 1.25, 0.95), UINT64_MAX);
    ck_assert_uint_lt(overmaps_for_change(seldom, true, 1.5, 0.95), UINT64_MAX);
    ck_assert_uint_lt(overmaps_for_change(often, false, 1.5, 0.95), UINT64_MAX);
    /* 4 of a side: 2 in 70 at best; 3: 2 in 20. */
    ck_assert_uint_eq(overmaps_for_change(fixed, false, 1.5, 0.95), 4);
    ck_assert_double_eq_tol(least_p(2, 2), 1.0 / 3, 1e-12);
    ck_assert_double_eq_tol(least_p(2, 3), 0.1, 1e-12);
    ck_assert_double_eq_tol(least_p(4, 4), 2.0 / 70, 1e-12);
    /* As one of 73 tests: 2 in C(2 n, n). */
    const uint64_t many = overmaps_for_change(fixed, false, 1.5, 1 - 0.05 / 73);
    ck_assert_double_le(least_p(many, many), 0.05 / 73);
    ck_assert_double_gt(least_p(many - 1, many - 1), 0.05 / 73);
}
END_TEST

/* Comparisons of equals, however few, hardly ever find a difference: of terrains, whose counts
 * are large and often the same in all overmaps of a side. */
START_TEST(few_overmaps_are_no_alarm)
{
    const int samples = test_seeds(300), terrains = 100;
    rng r = rng_from_key(77 + (uint64_t)_i);
    const int overmaps = 2 + _i;
    int alarms = 0;
    for (int i = 0; i < samples; i++) {
        bool alarm = false;
        for (int t = 0; t < terrains; t++) {
            ptl_moments side[2];
            for (int s = 0; s < 2; s++) {
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
            alarm |= welch_test(side[0], side[1]).p * terrains / 3 <= 0.05;
        }
        alarms += alarm;
    }
    ck_assert_double_le((double)alarms / samples, 0.05 + 4 * sqrt(0.05 * 0.95 / samples));
}
END_TEST

START_TEST(exact_too_dear)
{
    rng r = rng_from_key(4);
    sample_hist a, b;
    ptl_test_outcome t;
    poisson_hist(&a, &r, 20, 3000);
    poisson_hist(&b, &r, 20, 3000);
    const clock_t start = clock();
    ck_assert(ptl_counts_test(&t, &a.h, &b.h, NULL) == PTL_OK);
    ck_assert_int_eq(t.kind, PTL_TEST_CHI_SQUARE);
    ck_assert_double_gt(t.p, 0.001);
    ck_assert_double_lt((double)(clock() - start) / CLOCKS_PER_SEC, 3);
    /* Rare ones stay exact however many overmaps there are. */
    poisson_hist(&a, &r, 0.01, 20000);
    poisson_hist(&b, &r, 0.01, 20000);
    a.cells[2] = 3;
    ck_assert(ptl_counts_test(&t, &a.h, &b.h, NULL) == PTL_OK);
    ck_assert_int_eq(t.kind, PTL_TEST_PERMUTATION);
}
END_TEST

/* Where the work is more than was granted nothing is said: half a table is no table. */
START_TEST(exact_within_its_work)
{
    static const uint64_t works[] = {1, 50, 1u << 20};
    rng r = rng_from_key(5);
    sample_hist a, b;
    poisson_hist(&a, &r, 3, 60);
    poisson_hist(&b, &r, 3, 60);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        bool done = i < 2;
        double p = -1;
        ck_assert(permutation_test(&p, &done, &a.h, &b.h, works[i], NULL) == PTL_OK);
        ck_assert(done == (i == 2));
        ck_assert(done ? p > 0 && p <= 1 : p < 0);
    }
}
END_TEST

/* Three against 5,000 values that all differ: too dear to be exact, too few for two bins. */
START_TEST(few_against_many_values)
{
    enum { MANY = 5000 };
    static uint64_t few[MANY], many[MANY];
    const ptl_hist a = {few, MANY, 0}, b = {many, MANY, 0};
    ptl_test_outcome t;
    few[1000] = few[2500] = few[3800] = 1;
    for (int i = 0; i < MANY; i++)
        many[i] = 1;
    ck_assert(ptl_counts_test(&t, &a, &b, NULL) == PTL_OK);
    ck_assert_int_eq(t.kind, PTL_TEST_WELCH);
    ck_assert_double_gt(t.p, 0.3);
}
END_TEST

START_TEST(nothing_to_test)
{
    sample_hist a, b;
    ptl_test_outcome t;
    hist_begin(&a);
    hist_begin(&b);
    ck_assert(ptl_counts_test(&t, &a.h, &b.h, NULL) == PTL_OK);
    ck_assert_int_eq(t.kind, PTL_TEST_NONE);
    a.cells[3] = 10;
    ck_assert(ptl_counts_test(&t, &a.h, &b.h, NULL) == PTL_OK);
    ck_assert_int_eq(t.kind, PTL_TEST_NONE);
    b.cells[3] = 10;
    ck_assert(ptl_counts_test(&t, &a.h, &b.h, NULL) == PTL_OK);
    ck_assert_int_eq(t.kind, PTL_TEST_NONE);
    ck_assert_double_eq_tol(t.p, 1, 1e-15);
    b.cells[3] = 0, b.cells[9] = 10;
    ck_assert(ptl_counts_test(&t, &a.h, &b.h, NULL) == PTL_OK);
    ck_assert_int_eq(t.kind, PTL_TEST_FISHER);
    ck_assert_double_eq_tol(t.p, 2.0 / 184756, 1e-12);
}
END_TEST

/* ---- ratios ---- */

START_TEST(ratios)
{
    const ptl_moments a = {100, 2, 2}, b = {100, 3, 3};
    const ptl_ratio r = moments_ratio(a, b, 0.95);
    const double factor = exp(1.959964 * sqrt(0.005 + 1.0 / 300));
    ck_assert_double_eq_tol(r.ratio, 1.5, 1e-12);
    assert_interval(r.range, 1.5 / factor, 1.5 * factor, 1e-6);
    ck_assert_double_eq_tol(r.cohen_d, 1 / sqrt(2.5), 1e-12);
    const ptl_moments none = {100, 0, 0};
    ck_assert_double_eq_tol(moments_ratio(none, none, 0.95).ratio, 1, 1e-15);
    ck_assert(isinf(moments_ratio(none, b, 0.95).ratio));
    ck_assert_double_eq_tol(moments_ratio(a, none, 0.95).ratio, 0, 1e-15);
    ck_assert(isinf(moments_ratio(a, none, 0.95).range.high));
    const ptl_moments one = {100, 1, 0}, two = {100, 2, 0};
    assert_interval(moments_ratio(one, two, 0.95).range, 2, 2, 1e-15);
}
END_TEST

/* 95 % of the intervals hold the true ratio. */
START_TEST(ratio_intervals_cover)
{
    const int samples = test_seeds(500);
    rng r = rng_from_key(21);
    int held = 0;
    for (int i = 0; i < samples; i++) {
        sample_hist a, b;
        poisson_hist(&a, &r, 1, 60);
        poisson_hist(&b, &r, 1.6, 60);
        const ptl_ratio e = moments_ratio(hist_moments(&a.h), hist_moments(&b.h), 0.95);
        held += e.range.low <= 1.6 && 1.6 <= e.range.high;
    }
    ck_assert_double_eq_tol((double)held / samples, 0.95,
                            0.01 + 4 * sqrt(0.05 * 0.95 / samples));
}
END_TEST

/* ---- many tests, and sizes ---- */

START_TEST(corrections)
{
    static const double P[] = {0.01, 0.04, 0.03, 0.005}, HOLM[] = {0.03, 0.06, 0.06, 0.02},
                        FDR[] = {0.02, 0.04, 0.04, 0.02};
    double got[4], ones[3] = {1, 0.9, 1};
    ck_assert(adjust_holm(got, P, 4));
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(got[i], HOLM[i], 1e-12);
    ck_assert(adjust_fdr(got, P, 4));
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(got[i], FDR[i], 1e-12);
    ck_assert(adjust_holm(ones, ones, 3));
    ck_assert_double_ge(ones[0] + ones[1] + ones[2], 3);
    ck_assert(adjust_holm(got, P, 0) && adjust_fdr(got, P, 0));
}
END_TEST

START_TEST(sample_sizes)
{
    /* n + z^2 = (z / 2h)^2 at p = 1/2. */
    ck_assert_uint_eq(overmaps_for_proportion(0.5, 0.05, 0.95), 381);
    ck_assert_uint_eq(overmaps_for_proportion(0.5, 0, 0.95), UINT64_MAX);
    for (int i = 1; i < 20; i++) {
        const double p = i / 40.0, h = 0.004 * i;
        const uint64_t n = overmaps_for_proportion(p, h, 0.95);
        const uint64_t k = (uint64_t)(p * (double)n + 0.5);
        const ptl_interval w = ptl_wilson_interval(k, n, 0.95);
        ck_assert_double_le(w.high - w.low, 2 * h * 1.02);
        ck_assert_double_ge(w.high - w.low, 2 * h * 0.93);
    }
    /* z-based: 4 * (1.96 / 0.5)^2 = 61.5; Student's t asks for two more. */
    ck_assert_uint_eq(overmaps_for_mean(4, 0.5, 0.95), 64);
    ck_assert_uint_eq(overmaps_for_mean(0, 0.5, 0.95), 2);
    const ptl_moments rare = {100, 0.1, 0.1};
    ck_assert_uint_eq(overmaps_for_change((ptl_moments){9, 0, 1}, false, 2, 0.95), UINT64_MAX);
    ck_assert_uint_eq(overmaps_for_change((ptl_moments){9, 1, 1}, false, 1, 0.95), UINT64_MAX);
    ck_assert_uint_gt(overmaps_for_change(rare, false, 1.5, 0.99),
                      overmaps_for_change(rare, false, 1.5, 0.95));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("inference");
    TCase *t = tcase_create("inference");
    tcase_add_test(t, intervals_of_proportions);
    tcase_add_test(t, interval_of_a_mean);
    tcase_add_test(t, tests_of_proportions);
    tcase_add_test(t, chi_square);
    tcase_add_test(t, welch);
    tcase_add_test(t, permutation_is_every_choice);
    tcase_add_test(t, permutation_of_two_values_is_fisher);
    tcase_add_test(t, permutation_is_symmetric);
    tcase_add_test(t, p_keeps_its_promise);
    tcase_add_test(t, chi_square_keeps_its_promise);
    tcase_add_loop_test(t, few_counts_are_covered, 0, 9);
    tcase_add_loop_test(t, change_is_found, 0, (int)(sizeof POWER / sizeof POWER[0]));
    tcase_add_test(t, nothing_is_promised_in_vain);
    tcase_add_loop_test(t, few_overmaps_are_no_alarm, 0, 4);
    tcase_add_test(t, exact_too_dear);
    tcase_add_test(t, exact_within_its_work);
    tcase_add_test(t, few_against_many_values);
    tcase_add_test(t, nothing_to_test);
    tcase_add_test(t, ratios);
    tcase_add_test(t, ratio_intervals_cover);
    tcase_add_test(t, corrections);
    tcase_add_test(t, sample_sizes);
    suite_add_tcase(s, t);
    return suite_run(s);
}
