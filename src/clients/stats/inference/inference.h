/*
 * Statistical inference on counts, whatever is counted: tests, ratios, sample sizes, and the
 * intervals of portolan/stats.h. In names of variables, `strangers` stands for independent
 * observations. Overmaps side by side are not independent, because they share lakes and
 * rivers. How much they depend on each other is found from blocks of overmaps, which are
 * counted in lots (portolan/sample.h).
 */
#pragma once

#include "portolan/stats.h"

/* Tests whether a proportion is p: the two-sided exact binomial test, whose p-value is the sum
 * over all outcomes that are no more likely than the observed one. */
double binomial_test(uint64_t successes, uint64_t trials, double p);

ptl_moments hist_moments(const ptl_hist *h);

/* How much less a sample tells because the observations within a block are alike. */
typedef struct dependence {
    /* Design effect (Kish 1965): the variance of the mean, divided by the variance that the
     * mean would have if all observations were independent. */
    double effect;
    /* Degrees of freedom of the variance; infinite if the observations are independent. */
    double freedom;
    /* How many lots (groups of blocks of overmaps) had their sums compared, to find how much
     * neighbouring overmaps depend on each other; 0: none. */
    uint64_t blocks;
} dependence;

/*
 * Finds how much neighbouring overmaps depend on each other, from the sum and the number of
 * observations in each lot. A lot is one or more blocks of neighbouring overmaps (Cochran
 * 1977, 6.3, a ratio estimate). `variance` is that of the single observations. If fewer than
 * eight lots have observations, the dependence can't be found, and the observations count as
 * independent.
 */
dependence lots_dependence(const uint64_t *sums, const uint64_t *counts, size_t lots,
                           double variance);

/* Finds how much neighbouring overmaps of a tally depend on each other. The tally's blocks of
 * neighbouring overmaps are divided into lots. `sums` has, for each lot, what its overmaps have
 * together of what is counted, and `counts` the number of its overmaps; the more the lots
 * differ, the more neighbours depend on each other. `sums` may be NULL if none of it was found.
 * A tally without blocks, whose overmaps do not lie side by side, counts as independent. */
dependence tally_dependence(const ptl_tally *tally, const uint64_t *sums,
                            const uint64_t *counts, double variance);

/* Tests, two-sided, whether the true proportion is p. Independent observations get the exact
 * binomial test. Dependent ones get the t-test that belongs to share_interval: that interval
 * has all values of p that the test does not reject. */
double share_test(uint64_t successes, uint64_t trials, double p, dependence d);

/* Compute the intervals of portolan/stats.h. If the observations depend on each other, the
 * intervals are made wider accordingly. */
ptl_interval share_interval(uint64_t successes, uint64_t trials, dependence d, double level);
ptl_interval poisson_interval(uint64_t sum, uint64_t observations, dependence d, double level);
ptl_interval mean_interval(ptl_moments m, dependence d, double level);

/* The tests return this value instead of smaller p-values, which rounding would make
 * unreliable. */
#define INFERENCE_P_LEAST 1e-30

/* The most steps that ptl_counts_test spends on an exact test; all of them take about 50 ms. */
enum { INFERENCE_WORK = 1 << 25 };

/* Three tests of two samples: Fisher's exact test, the permutation test and the chi-square
 * test. permutation_test gives up after `work` steps: then *done becomes false, and *p does not
 * change. */
double fisher_test(uint64_t successes_a, uint64_t trials_a, uint64_t successes_b,
                   uint64_t trials_b);
ptl_status permutation_test(double *p, bool *done, const ptl_hist *a, const ptl_hist *b,
                            uint64_t work, ptl_error *err);
ptl_test_outcome chi_square_test(const ptl_hist *a, const ptl_hist *b);
/*
 * Welch's test (1947) of the means of two samples. The test assumes that means are normally
 * distributed. With few observations this may give a p that is smaller than any that so few
 * observations can prove. So the p that is returned is never below least_p(). If neither
 * sample varies, p is least_p() for different means and 1 for equal ones.
 */
ptl_test_outcome welch_test(ptl_moments a, ptl_moments b);

/* A sample's mean and variance, with the dependence of its observations. */
typedef struct known_mean {
    ptl_moments m;
    dependence d;
} known_mean;

/* The uncertainty of the difference of two means. */
typedef struct difference {
    /* The variance of the difference, and the degrees of freedom of that variance (Welch and
     * Satterthwaite). */
    double variance, freedom;
    /* The least p that a test can give. For this, each lot (a group of blocks of neighbouring
     * overmaps) counts as one observation. */
    double least_p;
} difference;

/* Computes the variance of the difference of the two means, with its degrees of freedom. Each
 * sample must have at least two observations. */
difference known_difference(known_mean a, known_mean b);

/* Performs Welch's test on observations that may be dependent within blocks. */
ptl_test_outcome blocks_test(known_mean a, known_mean b);

/* Computes the ratio of the means b / a with its confidence interval, using logarithms. */
ptl_ratio blocks_ratio(known_mean a, known_mean b, double level);

/* Correct `count` p-values for the number of tests: by Holm's method (family-wise error rate),
 * and by that of Benjamini and Hochberg (false discovery rate). The order of the list stays the
 * same. `adjusted` may be the same array as p. Both return false when memory is out. */
bool adjust_holm(double *adjusted, const double *p, size_t count);
bool adjust_fdr(double *adjusted, const double *p, size_t count);

/* Return the number of overmaps that make the interval no wider than +- half_width: for a
 * proportion near p (by Wilson's interval), and for a mean with this variance. UINT64_MAX: no
 * number is enough. */
uint64_t overmaps_for_proportion(double p, double half_width, double level);
uint64_t overmaps_for_mean(double variance, double half_width, double level);
/* Returns the least p that an exact two-sided test of na and nb observations can give. It gives
 * this p if all observations of one sample are above all observations of the other sample. */
double least_p(uint64_t na, uint64_t nb);

/*
 * Returns the number of overmaps that each sample needs, so that a change of the mean to
 * `ratio` times as much is detected with a power of 0.8 at `level`. is_share: each observation
 * is 0 or 1. UINT64_MAX if no number is enough: the mean is 0, the ratio is 1 or not above 0,
 * or a share would rise above 1.
 */
uint64_t overmaps_for_ratio(ptl_moments m, bool is_share, double ratio, double level);
/*
 * Returns how many overmaps each sample needs, so that a test finds a change of the mean by
 * this factor, up or down, in four of five cases (a power of 0.8), at the confidence level
 * `level`. is_share: each observation is 0 or 1. UINT64_MAX if no number is enough: the mean
 * is 0, the factor is not above 1, or a share would rise above 1.
 */
uint64_t overmaps_for_change(ptl_moments m, bool is_share, double factor, double level);
