/*
 * Statistical inference on counts: intervals, tests, sample sizes. Distribution functions are
 * the GNU Scientific Library's. Nothing here knows what is counted.
 */
#ifndef STATS_INFERENCE_INFERENCE_H
#define STATS_INFERENCE_INFERENCE_H

#include "analysis/measure/tally.h"

typedef struct interval {
    double low, high;
} interval;

/* Of a proportion: successes of trials, at a confidence level such as 0.95. Wilson's score
 * interval (Wilson 1927), and the exact one (Clopper and Pearson 1934). trials 0: 0..1. */
interval wilson_interval(uint64_t successes, uint64_t trials, double level);
/* Of the mean of a histogram's observations, by Student's t; [mean, mean] below two. */
interval mean_interval(const tally_hist *h, double level);

/* Whether a proportion is p: two-sided exact binomial test (sum of the outcomes that are no
 * more likely). */
double binomial_test(uint64_t successes, uint64_t trials, double p);

/* What a t-test asks of a sample. */
typedef struct moments {
    uint64_t count;
    double mean, variance; /* of the sample, n - 1 */
} moments;
moments hist_moments(const tally_hist *h);

/* Two samples of counts, one observation for each overmap, as histograms. */
typedef enum test_kind {
    TEST_NONE,        /* too few observations, or all equal: p is 1 */
    TEST_FISHER,      /* exact, of 2 x 2: two values alone, such as 0 and 1 */
    TEST_PERMUTATION, /* exact permutation test of the difference of the means */
    TEST_CHI_SQUARE,  /* of the two histograms, bins merged until each expects 5 */
    TEST_WELCH        /* t-test of means with variances of their own */
} test_kind;

const char *test_kind_name(test_kind kind); /* "none", "fisher", "permutation", ... */

typedef struct test_outcome {
    test_kind kind;
    double p;         /* two-sided; 0..1; of the exact tests never below INFERENCE_P_LEAST */
    double statistic; /* chi-square, or t; else 0 */
    double freedom;   /* degrees of it */
} test_outcome;

/* Smaller p-values are not told apart. */
#define INFERENCE_P_LEAST 1e-30

/*
 * Picks the test: exact where that is affordable (work of INFERENCE_WORK cells at most, some 50
 * ms), else chi-square (Welch's t-test where one sample is too small for two bins). Fisher's p
 * sums the outcomes that are no more likely than what was seen; the permutation test's those
 * whose difference of means is no smaller. Of two equally large samples with two values both
 * are the same.
 */
enum { INFERENCE_WORK = 1 << 25 };
ptl_status counts_test(test_outcome *out, const tally_hist *a, const tally_hist *b,
                       ptl_error *err);

/* The three by name. permutation_test does at most `work` steps; *done is false if it takes
 * more, and then *p is unchanged. */
double fisher_test(uint64_t successes_a, uint64_t trials_a, uint64_t successes_b,
                   uint64_t trials_b);
ptl_status permutation_test(double *p, bool *done, const tally_hist *a, const tally_hist *b,
                            uint64_t work, ptl_error *err);
test_outcome chi_square_test(const tally_hist *a, const tally_hist *b);
/* Welch's (1947). Both variances 0: p is 0 if the means differ. */
test_outcome welch_test(moments a, moments b);

/* Ratio of the means b / a with its confidence interval (delta method on the logarithm); low
 * and high are 0 and infinity where a mean is 0. 0 / 0 is 1. */
typedef struct ratio_estimate {
    double ratio;
    interval range;
    double cohen_d; /* difference of the means over the pooled standard deviation; 0 if that is
                       0 */
} ratio_estimate;
ratio_estimate moments_ratio(moments a, moments b, double level);

/* p-values corrected for their number, in place of the list's order: Holm (family-wise), and
 * Benjamini and Hochberg (false discovery rate). adjusted may be p. False when memory is out.
 */
bool adjust_holm(double *adjusted, const double *p, size_t count);
bool adjust_fdr(double *adjusted, const double *p, size_t count);

/* Overmaps needed until an interval is no wider than +- half_width: of a proportion near p (by
 * Wilson's interval), of a mean with this variance. UINT64_MAX: no number does. */
uint64_t overmaps_for_proportion(double p, double half_width, double level);
uint64_t overmaps_for_mean(double variance, double half_width, double level);
/*
 * Overmaps needed on each side to find a change of the mean by this factor in four of five
 * comparisons, tested at `level`; the variance is taken to grow with the mean. At least 2;
 * UINT64_MAX where the mean is 0 or the ratio 1.
 */
uint64_t overmaps_for_change(double mean, double variance, double ratio, double level);

#endif
