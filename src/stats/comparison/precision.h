/*
 * How well a sample knows each special's rate, and how many overmaps it would take to know it
 * better. Of UNIQUE specials (at most one in an overmap, by chance) the rate is the share of
 * overmaps that have it, and a precision is a half width of that share's interval (Wilson); of
 * the others it is the mean number per overmap, and a precision is relative: half the
 * interval's width (Student's t) over the mean.
 */
#ifndef STATS_COMPARISON_PRECISION_H
#define STATS_COMPARISON_PRECISION_H

#include "analysis/sample/sample.h"
#include "stats/inference/inference.h"

typedef struct precision_row {
    const char *id;    /* the catalogue's */
    bool is_share;     /* else a mean */
    bool is_global;    /* GLOBALLY_UNIQUE: a share of chunks, of which one is its home */
    uint64_t overmaps; /* of the sample */
    double estimate;
    interval range;
    double half_width; /* of the share, or relative to the mean; infinite where the mean is 0 */
    uint64_t needed; /* overmaps in all for the wanted precision; 0: can't be told, as none was
                      * placed */
} precision_row;

typedef struct precision_wish {
    const char *const *only; /* ids; only_count 0: all specials */
    size_t only_count;
    double wanted;     /* the precision; 0: needed is 0 throughout */
    double confidence; /* e.g. 0.95 */
} precision_wish;

/*
 * A row for each special that the rule may ask for (occurrences_max > 0), in order of ids. *out
 * is new: free it. The tally is of SUMMARY_SPECIALS at least.
 */
ptl_status precision_rows(precision_row **out, size_t *count, const sample *s, const tally *t,
                          const precision_wish *wish, ptl_error *err);

/* The most that any row needs. *unknown counts the rows that can't be told. */
uint64_t precision_needed(const precision_row *rows, size_t count, size_t *unknown);

#endif
