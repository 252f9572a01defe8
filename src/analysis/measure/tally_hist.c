/*
 * Histograms of whole numbers and what is computed from them. Counts are exact; a mean or a
 * variance is computed from them in order of the values, so that it does not depend on the
 * order of adding.
 */
#include "analysis/measure/tally_impl.h"

#include <stdlib.h>
#include <string.h>

enum { HIST_LEAST = 8 };

/* Sizes are powers of two, so that they depend on the largest value alone. */
static bool hist_grow(ptl_hist *h, size_t value)
{
    size_t size = h->size ? h->size : HIST_LEAST;
    while (size <= value)
        size *= 2;
    if (size == h->size)
        return true;
    uint64_t *counts = realloc(h->counts, size * sizeof *counts);
    if (!counts)
        return false;
    memset(counts + h->size, 0, (size - h->size) * sizeof *counts);
    h->counts = counts;
    h->size = size;
    return true;
}

bool hist_add(ptl_hist *h, int64_t value, uint64_t times)
{
    if (value < 0) {
        h->none += times;
        return true;
    }
    if (!hist_grow(h, (size_t)value))
        return false;
    h->counts[value] += times;
    return true;
}

bool hist_fill(ptl_hist *h, uint64_t total)
{
    const uint64_t have = ptl_hist_total(h);
    return have >= total || hist_add(h, 0, total - have);
}

void ptl_hist_dispose(ptl_hist *h)
{
    free(h->counts);
    *h = (ptl_hist){0};
}

uint64_t ptl_hist_total(const ptl_hist *h)
{
    uint64_t total = 0;
    for (size_t v = 0; v < h->size; v++)
        total += h->counts[v];
    return total;
}

double ptl_hist_mean(const ptl_hist *h)
{
    const uint64_t total = ptl_hist_total(h);
    double sum = 0;
    for (size_t v = 0; v < h->size; v++)
        sum += (double)v * (double)h->counts[v];
    return total ? sum / (double)total : 0;
}

double ptl_hist_variance(const ptl_hist *h)
{
    const uint64_t total = ptl_hist_total(h);
    const double mean = ptl_hist_mean(h);
    double squares = 0;
    for (size_t v = 0; v < h->size; v++) {
        const double d = (double)v - mean;
        squares += d * d * (double)h->counts[v];
    }
    return total > 1 ? squares / (double)(total - 1) : 0;
}

int64_t ptl_hist_quantile(const ptl_hist *h, double share)
{
    const double wanted = share * (double)ptl_hist_total(h);
    uint64_t so_far = 0;
    int64_t last = -1;
    for (size_t v = 0; v < h->size; v++) {
        if (!h->counts[v])
            continue;
        so_far += h->counts[v];
        last = (int64_t)v;
        if ((double)so_far >= wanted)
            break;
    }
    return last;
}
