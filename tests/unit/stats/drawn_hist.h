/* Histograms of a test: of given values, and of drawn ones. */
#ifndef UNIT_STATS_DRAWN_HIST_H
#define UNIT_STATS_DRAWN_HIST_H

#include "clients/stats/inference/inference.h"
#include "core/distribution.h"
#include "core/hash.h"
#include "portolan/sample.h"

#include <string.h>

enum { VALUES = 64 };

/* A histogram on the stack. */
typedef struct sample_hist {
    uint64_t cells[VALUES];
    ptl_hist h;
} sample_hist;

static inline void hist_begin(sample_hist *s)
{
    memset(s, 0, sizeof *s);
    s->h = (ptl_hist){s->cells, VALUES, 0};
}

static inline void hist_of(sample_hist *s, const int *values, size_t count)
{
    hist_begin(s);
    for (size_t i = 0; i < count; i++)
        s->cells[values[i]]++;
}

static inline void poisson_hist(sample_hist *s, rng *r, double mean, int count)
{
    hist_begin(s);
    for (int i = 0; i < count; i++) {
        const int32_t k = poisson_draw(r, mean);
        s->cells[k < VALUES ? k : VALUES - 1]++;
    }
}

/* The ratio of two means of observations that have nothing to do with each other. */
static inline ptl_ratio ratio_of_strangers(ptl_moments a, ptl_moments b, double level)
{
    const dependence none = {1, INFINITY, 0};
    return blocks_ratio((known_mean){a, none}, (known_mean){b, none}, level);
}

#endif
