/*
 * Statistical inference on counts: tests, ratios, sample sizes, and the intervals of
 * portolan/stats.h. Distribution functions are the GNU Scientific Library's. Nothing here knows
 * what is counted.
 */
#ifndef STATS_INFERENCE_INFERENCE_H
#define STATS_INFERENCE_INFERENCE_H

#include "portolan/stats.h"

/* Whether a proportion is p: two-sided exact binomial test (sum of the outcomes that are no
 * more likely). */
double binomial_test(uint64_t successes, uint64_t trials, double p);

ptl_moments hist_moments(const ptl_hist *h);

/* How much a sample tells whose observations are alike within blocks. */
typedef struct dependence {
    double effect;  /* variance of its mean over that of as many strangers: Kish's (1965) design
                     * effect */
    double freedom; /* degrees of freedom that it is known by; infinite: they are strangers */
    uint64_t blocks; /* lots of blocks that it was made of; 0: of none */
} dependence;

/*
 * Returns it from the sum and the number of observations of each lot of blocks (Cochran 1977,
 * 6.3, a ratio estimate); variance is that of the single observations. Fewer lots with
 * observations than eight tell too little: then observations are strangers.
 */
dependence lots_dependence(const uint64_t *sums, const uint64_t *counts, size_t lots,
                           double variance);

/* The same of a tally's lots; strangers where its overmaps don't lie side by side. sums NULL:
 * all are 0. */
dependence tally_dependence(const ptl_tally *tally, const uint64_t *sums,
                            const uint64_t *counts, double variance);

/* Whether a proportion of such observations is p, two-sided: the binomial test of strangers,
 * and of others that of which share_interval's are the p that it lets pass. */
double share_test(uint64_t successes, uint64_t trials, double p, dependence d);

/* The intervals of portolan/stats.h, of such observations. */
ptl_interval share_interval(uint64_t successes, uint64_t trials, dependence d, double level);
ptl_interval poisson_interval(uint64_t sum, uint64_t observations, dependence d, double level);
ptl_interval mean_interval(ptl_moments m, dependence d, double level);

/* Smaller p-values are not told apart. */
#define INFERENCE_P_LEAST 1e-30

/* Steps that ptl_counts_test spends on an exact test at most; some 50 ms. */
enum { INFERENCE_WORK = 1 << 25 };

/* The three tests by name: permutation_test does at most `work` steps; *done is false if it
 * takes more, and then *p is unchanged. */
double fisher_test(uint64_t successes_a, uint64_t trials_a, uint64_t successes_b,
                   uint64_t trials_b);
ptl_status permutation_test(double *p, bool *done, const ptl_hist *a, const ptl_hist *b,
                            uint64_t work, ptl_error *err);
ptl_test_outcome chi_square_test(const ptl_hist *a, const ptl_hist *b);
/*
 * Does Welch's test (1947). Its normal distributions are an approximation, so p is never below
 * least_p: of few observations none can tell more. Two samples that are each of one value are
 * tested by Fisher's test.
 */
ptl_test_outcome welch_test(ptl_moments a, ptl_moments b);

/* A sample's mean and how surely it is known. */
typedef struct known_mean {
    ptl_moments m;
    dependence d;
} known_mean;

/* The same of observations that may be alike within blocks: least_p is then that of so many
 * lots of blocks. */
ptl_test_outcome blocks_test(known_mean a, known_mean b);

ptl_ratio blocks_ratio(known_mean a, known_mean b, double level);

/* Correct p-values for their number, in place of the list's order: Holm's way (family-wise),
 * and that of Benjamini and Hochberg (false discovery rate). adjusted may be p. False when
 * memory is out. */
bool adjust_holm(double *adjusted, const double *p, size_t count);
bool adjust_fdr(double *adjusted, const double *p, size_t count);

/* Overmaps needed until an interval is no wider than +- half_width: of a proportion near p (by
 * Wilson's interval), of a mean with this variance. UINT64_MAX: no number does. */
uint64_t overmaps_for_proportion(double p, double half_width, double level);
uint64_t overmaps_for_mean(double variance, double half_width, double level);
/* The least p that an exact two-sided test of na and nb observations can have: that of the
 * choice in which all of one sample lie above all of the other. */
double least_p(uint64_t na, uint64_t nb);

/*
 * Overmaps needed on each side to find a change of the mean by this factor, up and down, each
 * in four of five comparisons, tested at `level`. is_share: each observation is 0 or 1.
 * UINT64_MAX where no number does: the mean is 0, the factor is not above 1, or a share would
 * rise above 1.
 */
uint64_t overmaps_for_change(ptl_moments m, bool is_share, double factor, double level);

#endif
