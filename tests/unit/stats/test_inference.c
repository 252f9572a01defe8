/* Intervals, tests and sample sizes: textbook values and brute force. What they promise is
 * simulated in test_calibration.c. */
#include "clients/stats/inference/inference.h"
#include "core/distribution.h"
#include "core/hash.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/stats/drawn_hist.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

START_TEST(interval_of_counts)
{
    assert_interval(ptl_poisson_interval(10, 1, 0.95), 5.43, 18.41, 0.01);
    ck_assert_double_eq_tol(ptl_poisson_interval(0, 2, 0.95).high, 1.92, 0.01);
}
END_TEST

/* Lots of one observation each are strangers; of which two and two are the same, they tell
 * half; a lot that is larger than others counts by its size. */
START_TEST(lots_tell_less)
{
    static const uint64_t single[] = {0, 1, 1, 0, 2, 5, 0, 3, 1, 0},
                          ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                          pairs[] = {0, 2, 2, 0, 4, 10, 0, 6, 2, 0},
                          twos[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    sample_hist s;
    hist_begin(&s);
    for (int i = 0; i < 10; i++)
        s.cells[single[i]]++;
    const double variance = ptl_hist_variance(&s.h);
    const dependence one = lots_dependence(single, ones, 10, variance);
    ck_assert_double_eq_tol(one.effect, 1, 1e-12);
    ck_assert(one.blocks == 10 && one.freedom == 9);
    /* Each value twice: the same spread over n = 20, of which 10 are worth something. */
    const dependence two = lots_dependence(pairs, twos, 10, variance * 9 / 10 * 20 / 19);
    ck_assert_double_eq_tol(two.effect, 2.0 * 10 / 9 * 19 / 20, 1e-12);
    const ptl_interval range = mean_interval((ptl_moments){20, 1.3, 4}, two, 0.95);
    assert_interval(range, 1.3 - 2.262157 * sqrt(4 * two.effect / 20),
                    1.3 + 2.262157 * sqrt(4 * two.effect / 20), 1e-6);
    assert_interval(share_interval(9, 30, (dependence){3, INFINITY, 9}, 0.95),
                    ptl_wilson_interval(3, 10, 0.95).low, ptl_wilson_interval(3, 10, 0.95).high,
                    1e-12);
    assert_interval(poisson_interval(9, 30, (dependence){3, INFINITY, 9}, 0.95),
                    ptl_poisson_interval(3, 10, 0.95).low,
                    ptl_poisson_interval(3, 10, 0.95).high, 1e-12);
    /* Uneven lots: Cochran's ratio estimate by hand. */
    static const uint64_t sums[] = {3, 0, 1, 1, 2, 0, 0, 1},
                          counts[] = {4, 1, 1, 2, 3, 2, 1, 2};
    double squares = 0;
    for (int i = 0; i < 8; i++)
        squares += pow((double)sums[i] - 0.5 * (double)counts[i], 2);
    ck_assert_double_eq_tol(lots_dependence(sums, counts, 8, 0.5).effect,
                            8.0 / 7 * squares / 16 / 0.5, 1e-12);
    /* Of seven nothing is known, and of what never varies. */
    ck_assert(isinf(lots_dependence(sums, counts, 7, 0.5).freedom));
    ck_assert_uint_eq(lots_dependence(sums, counts, 7, 0.5).blocks, 0);
    ck_assert_double_eq(lots_dependence(twos, ones, 10, 0).effect, 1);
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
    /* Two that are alike among many that vary: Student's pooled variance, 399 / 400 of 4. */
    const ptl_test_outcome few = welch_test((ptl_moments){2, 1, 0}, (ptl_moments){400, 3, 4});
    ck_assert_double_eq_tol(few.statistic, 2 / sqrt(3.99 * (0.5 + 0.0025)), 1e-12);
    ck_assert_double_eq_tol(few.freedom, 0.5025 * 0.5025 / (0.25 + 0.0025 * 0.0025 / 399),
                            1e-9);
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
    const ptl_ratio r = ratio_of_strangers(a, b, 0.95);
    const double factor = exp(1.972503 * sqrt(0.005 + 1.0 / 300)); /* t of 190.4 */
    ck_assert_double_eq_tol(r.ratio, 1.5, 1e-12);
    assert_interval(r.range, 1.5 / factor, 1.5 * factor, 1e-6);
    ck_assert_double_eq_tol(r.cohen_d, 1 / sqrt(2.5), 1e-12);
    const ptl_moments none = {100, 0, 0};
    ck_assert_double_eq_tol(ratio_of_strangers(none, none, 0.95).ratio, 1, 1e-15);
    ck_assert(isinf(ratio_of_strangers(none, b, 0.95).ratio));
    ck_assert_double_eq_tol(ratio_of_strangers(a, none, 0.95).ratio, 0, 1e-15);
    ck_assert(isinf(ratio_of_strangers(a, none, 0.95).range.high));
    const ptl_moments one = {100, 1, 0}, two = {100, 2, 0};
    assert_interval(ratio_of_strangers(one, two, 0.95).range, 2, 2, 1e-15);
    /* Three a side that are alike by accident (1 in 10) do not make a ratio certain. */
    const ptl_moments ones = {3, 1, 0}, twos = {3, 2, 0};
    ck_assert(isinf(ratio_of_strangers(ones, twos, 0.95).range.high));
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
    tcase_add_test(t, interval_of_counts);
    tcase_add_test(t, lots_tell_less);
    tcase_add_test(t, tests_of_proportions);
    tcase_add_test(t, chi_square);
    tcase_add_test(t, welch);
    tcase_add_test(t, permutation_is_every_choice);
    tcase_add_test(t, permutation_of_two_values_is_fisher);
    tcase_add_test(t, permutation_is_symmetric);
    tcase_add_test(t, nothing_is_promised_in_vain);
    tcase_add_test(t, exact_too_dear);
    tcase_add_test(t, exact_within_its_work);
    tcase_add_test(t, few_against_many_values);
    tcase_add_test(t, nothing_to_test);
    tcase_add_test(t, ratios);
    tcase_add_test(t, corrections);
    tcase_add_test(t, sample_sizes);
    suite_add_tcase(s, t);
    return suite_run(s);
}
