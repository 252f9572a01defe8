/*
 * Statistical inference on counts: tests, ratios, sample sizes, and the intervals of
 * portolan/stats.h. Nothing here knows what is counted. Observations are called strangers
 * if they are independent; overmaps side by side are not, since they share lakes and
 * rivers. Blocks of overmaps, counted in lots (portolan/sample.h), measure how much they
 * depend on each other.
 */
#pragma once

#include "portolan/stats.h"

/* Tests whether a proportion is p: the two-sided exact binomial test, whose p-value is the sum
 * over all outcomes that are no more likely than the observed one. */
double binomial_test(uint64_t successes, uint64_t trials, double p);

ptl_moments hist_moments(const ptl_hist *h);

/* How much less a sample tells because observations within a block are alike. */
typedef struct dependence {
    double effect;   /* design effect (Kish 1965): variance of the mean, divided by that of as
                        many independent observations */
    double freedom;  /* degrees of freedom of that variance; infinite: the observations are
                        independent */
    uint64_t blocks; /* number of lots it was computed from; 0: none */
} dependence;

/*
 * Computes the dependence from the sum and the number of observations in each lot of
 * blocks (Cochran 1977, 6.3, a ratio estimate). `variance` is that of the single
 * observations. Fewer than eight lots with observations tell too little: the observations
 * are then taken as independent.
 */
dependence lots_dependence(const uint64_t *sums, const uint64_t *counts, size_t lots,
                           double variance);

/* Does the same with the lots of a tally, if it has blocks: its overmaps must lie side by
 * side, else they are independent. sums may be NULL: all are 0. */
dependence tally_dependence(const ptl_tally *tally, const uint64_t *sums,
                            const uint64_t *counts, double variance);

/* Tests whether a proportion is p, two-sided. Independent observations get the exact binomial
 * test. Dependent ones get the t-test that matches share_interval: the interval holds just
 * those p that the test does not reject. */
double share_test(uint64_t successes, uint64_t trials, double p, dependence d);

/* The intervals of portolan/stats.h, widened for dependent observations. */
ptl_interval share_interval(uint64_t successes, uint64_t trials, dependence d, double level);
ptl_interval poisson_interval(uint64_t sum, uint64_t observations, dependence d, double level);
ptl_interval mean_interval(ptl_moments m, dependence d, double level);

/* The tests return this for all smaller p-values, which rounding makes unreliable. */
#define INFERENCE_P_LEAST 1e-30

/* Most steps that ptl_counts_test spends on an exact test; about 50 ms. */
enum { INFERENCE_WORK = 1 << 25 };

/* Three tests of two samples. permutation_test gives up after `work` steps: *done is then
 * false and *p unchanged. */
double fisher_test(uint64_t successes_a, uint64_t trials_a, uint64_t successes_b,
                   uint64_t trials_b);
ptl_status permutation_test(double *p, bool *done, const ptl_hist *a, const ptl_hist *b,
                            uint64_t work, ptl_error *err);
ptl_test_outcome chi_square_test(const ptl_hist *a, const ptl_hist *b);
/*
 * Welch's test (1947). It approximates by normal distributions, which could claim more than
 * few observations can show, so p is never below least_p. If each sample has only one value,
 * the result is that of Fisher's test.
 */
ptl_test_outcome welch_test(ptl_moments a, ptl_moments b);

/* A sample's mean and variance, with the dependence of its observations. */
typedef struct known_mean {
    ptl_moments m;
    dependence d;
} known_mean;

/* How sure the difference of two means is. */
typedef struct difference {
    double variance, freedom; /* its variance; degrees of freedom (Welch and Satterthwaite) */
    double least_p;           /* the least p of a test; each lot of blocks is one observation */
} difference;

/* Computes it; each sample has at least two observations. */
difference known_difference(known_mean a, known_mean b);

/* Welch's test of observations that may be dependent within blocks. */
ptl_test_outcome blocks_test(known_mean a, known_mean b);

/* The ratio of the means b / a with its confidence interval, computed on the logarithm. */
ptl_ratio blocks_ratio(known_mean a, known_mean b, double level);

/* Correct `count` p-values for the number of tests: Holm's method (family-wise error rate),
 * and that of Benjamini and Hochberg (false discovery rate). The order of the list stays.
 * adjusted may be the same array as p. Both return false when memory is out. */
bool adjust_holm(double *adjusted, const double *p, size_t count);
bool adjust_fdr(double *adjusted, const double *p, size_t count);

/* Number of overmaps needed until the interval is no wider than +- half_width: for a
 * proportion near p (by Wilson's interval), and for a mean with this variance. UINT64_MAX: no
 * number is enough. */
uint64_t overmaps_for_proportion(double p, double half_width, double level);
uint64_t overmaps_for_mean(double variance, double half_width, double level);
/* The least p that an exact two-sided test of na and nb observations can give: when all
 * observations of one sample lie above all of the other. */
double least_p(uint64_t na, uint64_t nb);

/*
 * Number of overmaps needed on each side to detect that the mean changed by this factor, up or
 * down, with a power of 0.8 at `level`. is_share: each observation is 0 or 1. UINT64_MAX if no
 * number is enough: the mean is 0, the factor is not above 1, or a share would rise above 1.
 */
uint64_t overmaps_for_change(ptl_moments m, bool is_share, double factor, double level);
