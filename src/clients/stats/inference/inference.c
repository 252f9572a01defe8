/*
 * Confidence intervals, ratios, sample sizes and corrections for many tests. Quantiles and
 * distribution functions come from the GNU Scientific Library (GSL). Its default error handler
 * ends the process, even for a result that is merely too small for a double. So the handler is
 * switched off before each call that may cause that; the values that GSL then returns (0 or
 * NaN) are handled here. Tests of two samples are in inference_tests.c.
 */
#include "clients/stats/inference/inference.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* ---- intervals ---- */

/* Computes Wilson's score interval of a proportion. z is the quantile of the normal
 * distribution for the confidence level. The number of trials need not be whole. */
static ptl_interval wilson_share(double share, double trials, double z)
{
    const double zz = z * z;
    const double centre = (share + zz / (2 * trials)) / (1 + zz / trials);
    const double half =
        z / (1 + zz / trials) * sqrt(share * (1 - share) / trials + zz / (4 * trials * trials));
    return (ptl_interval){fmax(0, centre - half), fmin(1, centre + half)};
}

/* The dependence of observations that do not depend on each other: the design effect is 1, and
 * the degrees of freedom are infinite. */
static const dependence STRANGERS = {1, INFINITY, 0};

double share_test(uint64_t successes, uint64_t trials, double p, dependence d)
{
    if (isinf(d.freedom) || trials == 0 || !(p > 0 && p < 1))
        return binomial_test(successes, trials, p);
    const double n = (double)trials, off = fabs((double)successes / n - p);
    (void)gsl_set_error_handler_off();
    return 2 * gsl_cdf_tdist_Q(off / sqrt(p * (1 - p) * d.effect / n), d.freedom);
}

dependence lots_dependence(const uint64_t *sums, const uint64_t *counts, size_t lots,
                           double variance)
{
    enum { BLOCKS_MIN = 8 };
    double blocks = 0, sum = 0, count = 0, squares = 0;
    for (size_t i = 0; i < lots; i++) {
        blocks += counts[i] > 0;
        sum += (double)sums[i];
        count += (double)counts[i];
    }
    if (blocks < BLOCKS_MIN)
        return STRANGERS;
    for (size_t i = 0; i < lots; i++) {
        const double off = (double)sums[i] - sum / count * (double)counts[i];
        squares += off * off;
    }
    const double effect = squares * blocks / (blocks - 1) / (count * variance);
    return (dependence){variance > 0 && effect > 0 ? effect : 1, blocks - 1, (uint64_t)blocks};
}

dependence tally_dependence(const ptl_tally *tally, const uint64_t *sums,
                            const uint64_t *counts, double variance)
{
    static const uint64_t none[PTL_TALLY_LOTS];
    return tally->has_blocks
               ? lots_dependence(sums ? sums : none, counts, PTL_TALLY_LOTS, variance)
               : STRANGERS;
}

/* Returns half the width of the interval, in standard errors. It is a quantile of Student's t
 * if the variance was measured on few lots (groups of blocks of overmaps), otherwise of the
 * normal distribution. */
static double dependent_width(dependence d, double level)
{
    (void)gsl_set_error_handler_off();
    return isinf(d.freedom) ? gsl_cdf_ugaussian_Pinv(0.5 + level / 2)
                            : gsl_cdf_tdist_Pinv(0.5 + level / 2, d.freedom);
}

ptl_interval share_interval(uint64_t successes, uint64_t trials, dependence d, double level)
{
    if (trials == 0)
        return (ptl_interval){0, 1};
    const double n = (double)trials;
    ptl_interval out =
        wilson_share((double)successes / n, n / d.effect, dependent_width(d, level));
    /* Without any success the formula gives exactly 0 for the lower end, and if all trials are
     * successes exactly 1 for the upper end. Rounding must not move these ends. */
    if (successes == 0)
        out.low = 0;
    if (successes == trials)
        out.high = 1;
    return out;
}

ptl_interval ptl_wilson_interval(uint64_t successes, uint64_t trials, double level)
{
    return share_interval(successes, trials, STRANGERS, level);
}

ptl_interval poisson_interval(uint64_t sum, uint64_t observations, dependence d, double level)
{
    const double z = dependent_width(d, level), n = (double)observations / d.effect,
                 s = (double)sum / d.effect;
    if (observations == 0)
        return (ptl_interval){0, INFINITY};
    const double middle = s + z * z / 2, half = z * sqrt(s + z * z / 4);
    return (ptl_interval){sum == 0 ? 0 : (middle - half) / n, (middle + half) / n};
}

ptl_interval ptl_poisson_interval(uint64_t sum, uint64_t observations, double level)
{
    return poisson_interval(sum, observations, STRANGERS, level);
}

ptl_interval mean_interval(ptl_moments m, dependence d, double level)
{
    double half = 0;
    if (isinf(d.freedom))
        d.freedom = (double)m.count - 1; /* independent: as many as a t-test has */
    if (m.count >= 2)
        half = dependent_width(d, level) * sqrt(m.variance * d.effect / (double)m.count);
    return (ptl_interval){m.mean - half, m.mean + half};
}

ptl_interval ptl_mean_interval(const ptl_hist *h, double level)
{
    return mean_interval(hist_moments(h), STRANGERS, level);
}

ptl_moments hist_moments(const ptl_hist *h)
{
    return (ptl_moments){ptl_hist_total(h), ptl_hist_mean(h), ptl_hist_variance(h)};
}

/* ---- ratios ---- */

/* Returns the mean with another variance: that of the logarithm of the mean, which is var(mean)
 * / mean^2 by the delta method. */
static known_mean log_mean(known_mean a)
{
    a.m.variance /= a.m.mean * a.m.mean;
    return a;
}

/* Returns Cohen's d: the difference of the two means, divided by the standard deviation that is
 * pooled from both samples. */
static double cohen_d(ptl_moments a, ptl_moments b)
{
    if (a.count + b.count < 3)
        return 0;
    const double na = (double)a.count - 1, nb = (double)b.count - 1;
    const double pooled = (fmax(na, 0) * a.variance + fmax(nb, 0) * b.variance) / (na + nb);
    return pooled > 0 ? (b.mean - a.mean) / sqrt(pooled) : 0;
}

ptl_ratio blocks_ratio(known_mean a, known_mean b, double level)
{
    ptl_ratio out = {1, {0, INFINITY}, cohen_d(a.m, b.m)};
    if (a.m.mean > 0)
        out.ratio = b.m.mean / a.m.mean;
    else if (b.m.mean > 0)
        out.ratio = INFINITY;
    if (a.m.mean > 0 && b.m.mean > 0 && a.m.count >= 2 && b.m.count >= 2) {
        const difference d = known_difference(log_mean(a), log_mean(b));
        (void)gsl_set_error_handler_off();
        const double factor =
            d.variance > 0
                ? exp(gsl_cdf_tdist_Pinv(0.5 + level / 2, d.freedom) * sqrt(d.variance))
            : d.least_p > 1 - level ? INFINITY
                                    : 1;
        out.range = (ptl_interval){out.ratio / factor, out.ratio * factor};
    }
    return out;
}

/* ---- corrections for many tests ---- */

/* Returns a new list with the indices of the p-values in ascending order of p; NULL when memory
 * is out. */
static size_t *ranks(const double *p, size_t count)
{
    size_t *list = calloc(count + 1, sizeof *list);
    if (list && count > 0)
        gsl_sort_index(list, p, 1, count);
    return list;
}

bool adjust_holm(double *adjusted, const double *p, size_t count)
{
    size_t *list = ranks(p, count);
    double least = 0;
    if (!list)
        return false;
    for (size_t i = 0; i < count; i++) {
        least = fmax(least, fmin(1, p[list[i]] * (double)(count - i)));
        adjusted[list[i]] = least;
    }
    free(list);
    return true;
}

bool adjust_fdr(double *adjusted, const double *p, size_t count)
{
    size_t *list = ranks(p, count);
    double most = 1;
    if (!list)
        return false;
    for (size_t i = count; i-- > 0;) {
        most = fmin(most, p[list[i]] * (double)count / (double)(i + 1));
        adjusted[list[i]] = most;
    }
    free(list);
    return true;
}

/* ---- sample sizes ---- */

typedef struct wanted {
    /* `spread` is the proportion if a proportion is to be measured, and the variance of the
     * observations if a mean is to be measured. */
    double spread, half_width, level;
} wanted;

/* Finds by bisection the least n in 1..2^53 for which enough(n) is true; enough must then be
 * true for all larger n as well. Returns UINT64_MAX if there is no such n. */
static uint64_t least_number(bool (*enough)(const void *, double), const void *w)
{
    uint64_t low = 0, high = (uint64_t)1 << 53;
    if (!enough(w, (double)high))
        return UINT64_MAX;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (enough(w, (double)middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static bool proportion_enough(const void *wish, double n)
{
    const wanted *w = wish;
    const ptl_interval range =
        wilson_share(w->spread, n, gsl_cdf_ugaussian_Pinv(0.5 + w->level / 2));
    return range.high - range.low <= 2 * w->half_width;
}

uint64_t overmaps_for_proportion(double p, double half_width, double level)
{
    const wanted w = {fmin(fmax(p, 0), 1), half_width, level};
    (void)gsl_set_error_handler_off();
    return half_width > 0 ? least_number(proportion_enough, &w) : UINT64_MAX;
}

static bool mean_enough(const void *wish, double n)
{
    const wanted *w = wish;
    return n >= 2 &&
           gsl_cdf_tdist_Pinv(0.5 + w->level / 2, n - 1) * sqrt(w->spread / n) <= w->half_width;
}

uint64_t overmaps_for_mean(double variance, double half_width, double level)
{
    const wanted w = {variance, half_width, level};
    (void)gsl_set_error_handler_off();
    return half_width > 0 ? least_number(mean_enough, &w) : UINT64_MAX;
}

double least_p(uint64_t na, uint64_t nb)
{
    const double a = (double)na, b = (double)nb;
    const double ways = lgamma(a + b + 1) - lgamma(a + 1) - lgamma(b + 1);
    return fmin(1, (na == nb ? 2 : 1) * exp(-ways));
}

typedef struct change {
    /* `mean` has the means before and after the change; `variance` is the sum of the two
     * variances. */
    double mean[2], variance, level;
    /* The sum of the two variances under the hypothesis that a test checks: that the means are
     * equal. */
    double unchanged;
} change;

/* Returns whether a test with n observations in each sample would detect the change with a
 * power of 0.8. The difference of the means is reduced by 1 / n, by which two means that are
 * possible differ at least. This is the continuity correction of Casagrande, Pike and Smith
 * (1978) for Fisher's test. */
static bool change_found(const void *wish, double n)
{
    /* The power of the test: four of five tests find the change. */
    static const double FOUND = 0.8;
    const change *c = wish;
    const double seen = fabs(c->mean[1] - c->mean[0]) - 1 / n;
    if (n < 2 || seen <= 0 || least_p((uint64_t)n, (uint64_t)n) > 1 - c->level)
        return false;
    return sqrt(n) * seen >=
           gsl_cdf_tdist_Pinv(0.5 + c->level / 2, 2 * n - 2) * sqrt(c->unchanged) +
               gsl_cdf_tdist_Pinv(FOUND, 2 * n - 2) * sqrt(c->variance);
}

/* Describes a change of the mean by `factor`. The variance after the change is not known: it
 * may grow with the factor (more independent placements) or with its square (a stretched range
 * of numbers). The larger value is assumed. */
static change changed(ptl_moments m, bool is_share, double factor, double level)
{
    const double mean = m.mean * factor, middle = (m.mean + mean) / 2;
    const double variance =
        m.variance +
        (is_share ? mean * (1 - mean) : m.variance * fmax(factor, factor * factor));
    const double unchanged = is_share ? 2 * middle * (1 - middle) : variance;
    return (change){{m.mean, mean}, variance, level, unchanged};
}

uint64_t overmaps_for_ratio(ptl_moments m, bool is_share, double ratio, double level)
{
    (void)gsl_set_error_handler_off();
    if (!(m.mean > 0) || !(ratio > 0) || ratio == 1 || (is_share && m.mean * ratio > 1))
        return UINT64_MAX;
    const change to = changed(m, is_share, ratio, level);
    return least_number(change_found, &to);
}

uint64_t overmaps_for_change(ptl_moments m, bool is_share, double factor, double level)
{
    const uint64_t up =
        factor > 1 ? overmaps_for_ratio(m, is_share, factor, level) : UINT64_MAX;
    const uint64_t down =
        up < UINT64_MAX ? overmaps_for_ratio(m, is_share, 1 / factor, level) : UINT64_MAX;
    return up > down ? up : down;
}
