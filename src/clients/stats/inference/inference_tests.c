/*
 * Tests of two samples of counts. The exact permutation test asks how the sum of the smaller
 * sample is distributed if its observations are chosen at random from the observations of both
 * samples. To compute this, each observation is put into the smaller sample independently of
 * the others; the probability is the smaller sample's size divided by the size of both
 * samples. Of all outcomes, only those count in which the smaller sample gets the right size;
 * these are equally likely. So there is a table with a probability for each number of chosen
 * observations and each sum. The observations are added to it value by value, with binomial
 * probabilities, which neither overflow nor cancel. Probabilities below TINY are cut from the
 * ends of the table's rows. The most frequent value needs no place in the table: how often it
 * is chosen follows from the number of other observations that are chosen.
 */
#include "clients/stats/inference/inference.h"
#include "core/error.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* Two probabilities count as equal if their ratio is at most this, because rounding may cause
 * such a difference. */
static const double EQUAL = 1 + 1e-7;
/* Probabilities below this are dropped from the tables; it is far below INFERENCE_P_LEAST. */
static const double TINY = 1e-45;

enum { CELLS_MAX = 1 << 22, EXPECTED_LEAST = 5 };

const char *ptl_test_kind_name(ptl_test_kind kind)
{
    static const char *const names[] = {"none", "fisher", "permutation", "chi-square", "welch"};
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

static double bounded(double p)
{
    return fmin(1, fmax(INFERENCE_P_LEAST, p));
}

/* ---- exact tests of one and of two proportions ---- */

/* Returns the probability of an outcome. The function `unlikely` adds up the probabilities of
 * the outcomes lo..hi that are no more likely than `seen`. */
typedef double outcome_chance(const void *model, uint64_t outcome);

static double unlikely(outcome_chance *chance, const void *model, uint64_t lo, uint64_t hi,
                       uint64_t seen)
{
    const double limit = chance(model, seen) * EQUAL;
    double sum = 0;
    for (uint64_t i = lo; i <= hi; i++) {
        const double p = chance(model, i);
        if (p <= limit)
            sum += p;
    }
    return fmin(1, sum);
}

typedef struct binomial {
    uint64_t trials;
    double p;
} binomial;

static double binomial_chance(const void *model, uint64_t outcome)
{
    const binomial *m = model;
    return gsl_ran_binomial_pdf((unsigned)outcome, m->p, (unsigned)m->trials);
}

double binomial_test(uint64_t successes, uint64_t trials, double p)
{
    const binomial model = {trials, p};
    (void)gsl_set_error_handler_off();
    return unlikely(binomial_chance, &model, 0, trials, successes);
}

typedef struct two_by_two {
    /* How many observations of both samples together are successes, and how many are failures.
     * `drawn` is how many observations the first sample has. */
    uint64_t successes, failures, drawn;
} two_by_two;

static double hypergeometric_chance(const void *model, uint64_t outcome)
{
    const two_by_two *m = model;
    return gsl_ran_hypergeometric_pdf((unsigned)outcome, (unsigned)m->successes,
                                      (unsigned)m->failures, (unsigned)m->drawn);
}

double fisher_test(uint64_t successes_a, uint64_t trials_a, uint64_t successes_b,
                   uint64_t trials_b)
{
    const uint64_t successes = successes_a + successes_b;
    const two_by_two model = {successes, trials_a + trials_b - successes, trials_a};
    const uint64_t lo = trials_a > model.failures ? trials_a - model.failures : 0;
    const uint64_t hi = successes < trials_a ? successes : trials_a;
    (void)gsl_set_error_handler_off();
    return bounded(unlikely(hypergeometric_chance, &model, lo, hi, successes_a));
}

/* ---- the two samples joined ---- */

typedef struct pool {
    size_t size;      /* the values are 0..size - 1 */
    uint64_t *counts; /* owned; for each value: how many observations of both samples have it */
    uint64_t na, nb, distinct;
    /* The least, the greatest and the most frequent value in both samples. */
    size_t low, high, common;
} pool;

static uint64_t count_of(const ptl_hist *h, size_t value)
{
    return value < h->size ? h->counts[value] : 0;
}

static bool pool_make(pool *p, const ptl_hist *a, const ptl_hist *b)
{
    *p = (pool){.size = a->size > b->size ? a->size : b->size};
    p->counts = calloc(p->size ? p->size : 1, sizeof *p->counts);
    if (!p->counts)
        return false;
    p->na = ptl_hist_total(a);
    p->nb = ptl_hist_total(b);
    for (size_t v = 0; v < p->size; v++) {
        p->counts[v] = count_of(a, v) + count_of(b, v);
        if (p->counts[v] == 0)
            continue;
        if (p->distinct++ == 0)
            p->low = v;
        p->high = v;
        if (p->counts[v] > p->counts[p->common])
            p->common = v;
    }
    return true;
}

/* ---- the exact permutation test ---- */

/* Row k of the table is about all ways to choose k observations: it has the probability of each
 * sum that the chosen observations may have, from `low` to `high`. The row is empty if high <
 * low. */
typedef struct row {
    int64_t low, high;
} row;

typedef struct table {
    row *rows;     /* owned; a row for each number of chosen observations, 0..most */
    double *cells; /* owned; the cells of the rows, `width` cells for each row */
    /* Owned; chances[j] is the chance that j of the observations of one value are chosen. */
    double *chances;
    size_t most, width;
    int64_t low;  /* the least sum that any row can have */
    double share; /* probability with which each observation is chosen: the size of the smaller
                     sample, divided by the size of both samples */
    uint64_t work, work_max;
} table;

/* Returns a pointer to the cell of row k for the sum 0. It may be indexed with negative sums as
 * well. */
static double *row_cells(const table *t, size_t k)
{
    return t->cells + k * t->width + (size_t)-t->low;
}

/* Allocates the table of the sums of up to `na` chosen observations. If it would take too much
 * memory, it is not allocated, and *fits becomes false. The caller must dispose of the table in
 * any case. */
static ptl_status table_make(table *t, bool *fits, const pool *p, uint64_t na, ptl_error *err)
{
    const uint64_t n = p->na + p->nb, others = n - p->counts[p->common];
    int64_t high = 0;
    t->most = (size_t)(others < na ? others : na);
    t->share = (double)na / (double)n;
    /* Computes the least and the greatest sum of up to t->most observations. Each observation
     * counts relative to the most frequent value, so that this value adds 0. */
    uint64_t left = t->most;
    t->low = 0;
    for (size_t v = 0; v < p->common && left > 0; v++) {
        const uint64_t m = p->counts[v] < left ? p->counts[v] : left;
        t->low -= (int64_t)m * (int64_t)(p->common - v);
        left -= m;
    }
    left = t->most;
    for (size_t v = p->size; v-- > p->common + 1 && left > 0;) {
        const uint64_t m = p->counts[v] < left ? p->counts[v] : left;
        high += (int64_t)m * (int64_t)(v - p->common);
        left -= m;
    }

    t->width = (size_t)(high - t->low) + 1;
    *fits = t->width <= CELLS_MAX && (t->most + 1) <= CELLS_MAX / t->width;
    if (!*fits)
        return PTL_OK;
    t->rows = calloc(t->most + 1, sizeof *t->rows);
    t->cells = calloc((t->most + 1) * t->width, sizeof *t->cells);
    t->chances = calloc(t->most + 1, sizeof *t->chances);
    if (!t->rows || !t->cells || !t->chances)
        return error_nomem(err);
    for (size_t k = 1; k <= t->most; k++)
        t->rows[k].low = 1;
    *row_cells(t, 0) = 1;
    return PTL_OK;
}

/* Adds the row `from` to the row k: each probability is multiplied by `factor` and added at the
 * sum that is greater by `shift`. The cells outside of a row's bounds are always 0. */
static void row_add(table *t, size_t k, size_t from, int64_t shift, double factor)
{
    const row *in = &t->rows[from];
    row *to = &t->rows[k];
    const int64_t count = in->high - in->low + 1;
    if (count <= 0)
        return;
    double *restrict into = row_cells(t, k) + in->low + shift;
    const double *restrict cells = row_cells(t, from) + in->low;
    for (int64_t i = 0; i < count; i++)
        into[i] += factor * cells[i];
    const bool empty = to->high < to->low;
    if (empty || in->low + shift < to->low)
        to->low = in->low + shift;
    if (empty || in->high + shift > to->high)
        to->high = in->high + shift;
    t->work += (uint64_t)count;
}

/* Adds `count` observations of one value to the table of the permutation test. The value is
 * greater by `shift` than the most frequent value. Rows are updated from the last to the first,
 * because each row is computed from earlier rows, which must still be unchanged. */
static void table_add(table *t, uint64_t count, int64_t shift)
{
    for (uint64_t j = 0; j <= count && j <= t->most; j++)
        t->chances[j] = gsl_ran_binomial_pdf((unsigned)j, t->share, (unsigned)count);
    for (size_t k = t->most + 1; k-- > 0 && t->work <= t->work_max;) {
        const uint64_t most = count < k ? count : k;
        double *cells = row_cells(t, k);
        row *r = &t->rows[k];
        for (int64_t s = r->low; s <= r->high; s++)
            cells[s] *= t->chances[0];
        for (uint64_t j = 1; j <= most; j++)
            if (t->chances[j] > TINY)
                row_add(t, k, k - j, shift * (int64_t)j, t->chances[j]);
        for (; r->low <= r->high && cells[r->low] < TINY; r->low++)
            cells[r->low] = 0;
        for (; r->low <= r->high && cells[r->high] < TINY; r->high--)
            cells[r->high] = 0;
    }
}

/* The test chooses `na` of the n observations of both samples at random. The mean of their sum
 * is then na * total / n. This function returns the probability that the sum is at least as far
 * from that mean as `seen` is. The table has only the observations that do not have the most
 * frequent value. If fewer than `na` of these are chosen, the rest are observations with that
 * value, which add 0 to the sum. Both distances are multiplied by n, so that whole numbers are
 * compared. */
static double table_tail(const table *t, const pool *p, uint64_t na, int64_t seen,
                         int64_t total)
{
    const int64_t n = (int64_t)(p->na + p->nb), middle = (int64_t)na * total;
    const int64_t far = llabs(n * seen - middle);
    const uint64_t common = p->counts[p->common];
    double tail = 0, all = 0;
    for (size_t k = 0; k <= t->most; k++) {
        const row *r = &t->rows[k];
        const double *cells = row_cells(t, k);
        if (na - k > common)
            continue;
        const double chance =
            gsl_ran_binomial_pdf((unsigned)(na - k), t->share, (unsigned)common);
        for (int64_t s = r->low; s <= r->high; s++) {
            const double mass = chance * cells[s];
            all += mass;
            if (llabs(n * s - middle) >= far)
                tail += mass;
        }
    }
    return all > 0 ? tail / all : 1;
}

/* Adds up a sample's observations, each relative to `base`. */
static int64_t sum_above(const uint64_t *counts, size_t size, size_t base)
{
    int64_t sum = 0;
    for (size_t v = 0; v < size; v++)
        sum += (int64_t)counts[v] * ((int64_t)v - (int64_t)base);
    return sum;
}

/* Runs the permutation test on the smaller sample. *done is false if it would take more than
 * `work` steps or too much memory. */
static ptl_status permute(double *out, bool *done, const pool *p, const ptl_hist *small,
                          uint64_t work, ptl_error *err)
{
    table t = {.work_max = work};
    const uint64_t na = ptl_hist_total(small);
    ptl_status status = table_make(&t, done, p, na, err);
    for (size_t v = 0; v < p->size && status == PTL_OK && *done; v++) {
        if (v != p->common && p->counts[v] > 0)
            table_add(&t, p->counts[v], (int64_t)v - (int64_t)p->common);
        *done = t.work <= work;
    }
    if (status == PTL_OK && *done)
        *out = bounded(table_tail(&t, p, na, sum_above(small->counts, small->size, p->common),
                                  sum_above(p->counts, p->size, p->common)));
    free(t.rows);
    free(t.cells);
    free(t.chances);
    return status;
}

ptl_status permutation_test(double *p, bool *done, const ptl_hist *a, const ptl_hist *b,
                            uint64_t work, ptl_error *err)
{
    pool both;
    (void)gsl_set_error_handler_off();
    if (!pool_make(&both, a, b))
        return error_nomem(err);
    ptl_status status = permute(p, done, &both, both.na <= both.nb ? a : b, work, err);
    free(both.counts);
    return status;
}

/* ---- the chi-square test ---- */

typedef struct bin {
    double a, b;
} bin;

static double bin_part(const bin *x, double na, double nb)
{
    const double n = na + nb, expected_a = (x->a + x->b) * na / n,
                 expected_b = (x->a + x->b) * nb / n;
    return (x->a - expected_a) * (x->a - expected_a) / expected_a +
           (x->b - expected_b) * (x->b - expected_b) / expected_b;
}

/* Compares the distributions of two samples by the chi-square test. Neighbouring values are put
 * together into one bin, until the bin is so large that EXPECTED_LEAST observations of each
 * sample are expected in it. */
ptl_test_outcome chi_square_test(const ptl_hist *a, const ptl_hist *b)
{
    const double na = (double)ptl_hist_total(a), nb = (double)ptl_hist_total(b);
    /* A bin is full when it has so many observations of both samples together. */
    const double least = EXPECTED_LEAST * (na + nb) / fmin(na, nb);
    const size_t size = a->size > b->size ? a->size : b->size;
    ptl_test_outcome out = {PTL_TEST_NONE, 1, 0, 0};
    /* `open` is the bin that is being filled, `last` the full bin before it. `last` is counted
     * only when the next bin is full, or at the end, together with what is then in `open`. */
    bin last = {0, 0}, open = {0, 0};
    size_t bins = 0;
    for (size_t v = 0; v < size && na > 0 && nb > 0; v++) {
        open.a += (double)count_of(a, v);
        open.b += (double)count_of(b, v);
        if (open.a + open.b < least)
            continue;
        if (bins++ > 0)
            out.statistic += bin_part(&last, na, nb);
        last = open;
        open = (bin){0, 0};
    }
    if (bins < 2)
        return (ptl_test_outcome){PTL_TEST_NONE, 1, 0, 0};
    last.a += open.a;
    last.b += open.b;
    out.statistic += bin_part(&last, na, nb);
    out.kind = PTL_TEST_CHI_SQUARE;
    out.freedom = (double)(bins - 1);
    (void)gsl_set_error_handler_off();
    out.p = gsl_cdf_chisq_Q(out.statistic, out.freedom);
    return out;
}

/* ---- choosing the test ---- */

ptl_status ptl_counts_test(ptl_test_outcome *out, const ptl_hist *a, const ptl_hist *b,
                           ptl_error *err)
{
    pool p;
    bool done = false;
    ptl_status status = PTL_OK;
    *out = (ptl_test_outcome){PTL_TEST_NONE, 1, 0, 0};
    if (!pool_make(&p, a, b))
        return error_nomem(err);
    (void)gsl_set_error_handler_off();
    if (p.na > 0 && p.nb > 0 && p.distinct == 2) {
        /* Fisher's test needs successes and failures: the greater of the two values is a
         * success. */
        out->p = fisher_test(count_of(a, p.high), p.na, count_of(b, p.high), p.nb);
        out->kind = PTL_TEST_FISHER;
    } else if (p.na > 0 && p.nb > 0 && p.distinct > 2) {
        status = permute(&out->p, &done, &p, p.na <= p.nb ? a : b, INFERENCE_WORK, err);
        out->kind = PTL_TEST_PERMUTATION;
        if (status == PTL_OK && !done)
            *out = chi_square_test(a, b);
        if (out->kind == PTL_TEST_NONE) /* the smaller sample has too few observations for a
                                           chi-square test with two bins */
            *out = welch_test(hist_moments(a), hist_moments(b));
    }
    free(p.counts);
    return status;
}

/* Returns how many independent units a sample has. A unit is an observation or, if the
 * observations depend on each other, a lot (a group of blocks of neighbouring overmaps). */
static double units(known_mean a)
{
    return isinf(a.d.freedom) ? (double)a.m.count : a.d.freedom + 1;
}

/* A unit of a sample is an observation, or a lot if the observations depend on each other. If a
 * sample has only a few units, they may be alike by chance, and then their variance is too
 * small. So the variance that is pooled from both samples is used for each of them if it makes
 * the variance of the difference greater. The degrees of freedom are still computed from the
 * number of units. */
difference known_difference(known_mean a, known_mean b)
{
    const double na = units(a), nb = units(b), sa = a.m.variance * a.d.effect,
                 sb = b.m.variance * b.d.effect, ca = (double)a.m.count, cb = (double)b.m.count;
    const double pooled = ((na - 1) * sa + (nb - 1) * sb) / (na + nb - 2);
    const bool hidden = pooled * (1 / ca + 1 / cb) > (sa / ca + sb / cb) * EQUAL;
    const double va = (hidden ? pooled : sa) / ca, vb = (hidden ? pooled : sb) / cb;
    return (difference){va + vb,
                        (va + vb) * (va + vb) / (va * va / (na - 1) + vb * vb / (nb - 1)),
                        least_p((uint64_t)na, (uint64_t)nb)};
}

/* If neither sample varies, the t statistic is undefined. Then p is d.least_p, the least value
 * that this number of observations or lots allows, or 1 if the means are equal. */
ptl_test_outcome blocks_test(known_mean a, known_mean b)
{
    ptl_test_outcome out = {PTL_TEST_NONE, 1, 0, 0};
    if (a.m.count < 2 || b.m.count < 2)
        return out;
    const difference d = known_difference(a, b);
    if (!(d.variance > 0)) {
        if (a.m.mean < b.m.mean || a.m.mean > b.m.mean)
            out = (ptl_test_outcome){PTL_TEST_FISHER, d.least_p, 0, 0};
        return out;
    }
    out.kind = PTL_TEST_WELCH;
    out.statistic = (b.m.mean - a.m.mean) / sqrt(d.variance);
    out.freedom = d.freedom;
    (void)gsl_set_error_handler_off();
    out.p = fmin(1, 2 * gsl_cdf_tdist_Q(fabs(out.statistic), out.freedom));
    out.p = fmax(out.p, d.least_p);
    return out;
}

ptl_test_outcome welch_test(ptl_moments a, ptl_moments b)
{
    static const dependence strangers = {1, INFINITY, 0};
    return blocks_test((known_mean){a, strangers}, (known_mean){b, strangers});
}
