/*
 * Comparing two samples: what is more frequent, rarer, new or gone in B against A. Every
 * special that either sample or either content has is tested (inference.h), and the p-values
 * are corrected for their number; terrains, cities and roads are a family of their own. Nothing
 * here reads a file: tallies and definitions come in, rows go out.
 */
#ifndef STATS_COMPARISON_COMPARISON_H
#define STATS_COMPARISON_COMPARISON_H

#include "analysis/sample/sample.h"
#include "stats/inference/inference.h"

/* One of the two. All of it is borrowed and outlives the comparison, whose ids point into it.
 */
typedef struct comparison_input {
    const tally *tally;
    const sample_special *specials; /* that the content defines; sorted by id */
    size_t special_count;
} comparison_input;

typedef enum comparison_kind {
    COMPARE_SPECIAL, /* placed in an overmap */
    COMPARE_TERRAIN, /* cells in an overmap, all levels */
    COMPARE_CITY,    /* "cities" in an overmap; "buildings" in a city */
    COMPARE_LINE     /* cells of a connection in an overmap */
} comparison_kind;
const char *comparison_kind_name(comparison_kind kind);

typedef enum comparison_change {
    CHANGE_NONE,
    CHANGE_MORE,
    CHANGE_FEWER,
    CHANGE_SPREAD, /* as many on average, but otherwise distributed */
    CHANGE_NEW,    /* A's content does not have it, and there is none in A */
    CHANGE_GONE
} comparison_change;
const char *comparison_change_name(comparison_change change);

typedef struct comparison_side {
    const sample_special *definition; /* NULL: none */
    uint64_t sum;                     /* specials, or cells, ... of all overmaps */
    moments each;                     /* of an overmap; of a city for its buildings */
    double none;                      /* share of overmaps without; NAN: not known */
} comparison_side;

typedef struct comparison_row {
    comparison_kind kind;
    const char *id;
    comparison_side a, b;
    ratio_estimate ratio; /* b / a */
    test_outcome test;
    double adjusted; /* p for the number of tests of its family */
    bool significant;
    bool beyond; /* a special that changed significantly by more than max_change */
    comparison_change change;
    uint64_t needed; /* of a special: overmaps on each side to see a change by options.notable,
                      * corrected for the number of tests; UINT64_MAX: none are enough */
} comparison_row;

typedef struct comparison_options {
    double level;            /* of confidence; 0.95 where it is 0 */
    double max_change;       /* above 1: rows are `beyond`; else none is */
    double notable;          /* a factor, for `needed`; 1.5 where it is 0 */
    bool fdr;                /* Benjamini and Hochberg's correction; else Holm's */
    bool terrains;           /* terrains, cities and roads too */
    const char *const *only; /* ids of specials; the correction is for these alone */
    size_t only_count;       /* 0: all */
} comparison_options;

/* A family of tests. */
typedef struct comparison_counts {
    size_t rows, tested, significant, beyond;
    size_t unseen; /* rows that would need more overmaps for options.notable than there are */
} comparison_counts;

typedef struct comparison {
    comparison_row *rows; /* owned; specials, then the others, each by (p, id) */
    size_t count;
    comparison_counts specials, others;
} comparison;

/* *out is new; dispose it also after an error. PTL_ERR_NOT_FOUND names an `only` that neither
 * has.
 */
ptl_status comparison_make(comparison *out, const comparison_input *a,
                           const comparison_input *b, const comparison_options *options,
                           ptl_error *err);
void comparison_dispose(comparison *c);

/* What differs between two samples but for their overmaps: content, generator, settings. */
typedef struct comparison_difference {
    const char *what; /* "content", "placement", ... */
    char a[100], b[100];
} comparison_difference;
enum { COMPARISON_DIFFERENCES = 16 };
/* Returns how many. contents: digests of what the samples were made with. */
size_t comparison_differences(comparison_difference out[COMPARISON_DIFFERENCES],
                              const world_row *a, const world_row *b, const char *content_a,
                              const char *content_b);

#endif
