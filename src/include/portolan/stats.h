/*
 * What counted overmaps tell: of each special whether it comes out as its definition states and
 * what hinders it, how precisely its rate is known, and what differs between two samples. Of
 * the library libportolan-stats, which is built on libportolan and on the GNU Scientific
 * Library (distribution functions; GPL): portolan.h does not include this.
 *
 * Structs that a pointer of the library's shows carry their size (status.h) and are borrowed
 * until their owner goes; they are for reading. `level` is a confidence, such as 0.95.
 */
#ifndef PORTOLAN_STATS_H
#define PORTOLAN_STATS_H

#include "portolan/sample.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- intervals ---- */

typedef struct ptl_interval {
    double low, high;
} ptl_interval;

/* Returns Wilson's score interval (Wilson 1927) of a proportion, which is successes of trials.
 * trials 0: 0..1. */
PTL_API ptl_interval ptl_wilson_interval(uint64_t successes, uint64_t trials, double level);
/* Score interval of the mean of Poisson counts, which is sum in so many observations. For
 * counts that can be above 1, but of which none was: observations tell less than Student's t
 * asks for. observations 0: 0..infinity. */
PTL_API ptl_interval ptl_poisson_interval(uint64_t sum, uint64_t observations, double level);
/* Of the mean of a histogram's observations, by Student's t; [mean, mean] below two. */
PTL_API ptl_interval ptl_mean_interval(const ptl_hist *h, double level);

/* ---- two samples of counts ---- */

typedef enum ptl_test_kind {
    PTL_TEST_NONE,   /* too few observations, or all equal: p is 1 */
    PTL_TEST_FISHER, /* exact, of 2 x 2: two values alone, such as 0 and 1, or A's and B's */
    PTL_TEST_PERMUTATION, /* exact permutation test of the difference of the means */
    PTL_TEST_CHI_SQUARE,  /* of the two histograms, bins merged until each expects 5 */
    PTL_TEST_WELCH        /* t-test of means with variances of their own (Welch 1947); p is no
                           * lower than an exact test of so few observations could have it */
} ptl_test_kind;

typedef struct ptl_test_outcome {
    ptl_test_kind kind;
    double p;         /* two-sided; 0..1; of the exact tests never below 1e-30 */
    double statistic; /* chi-square, or t; else 0 */
    double freedom;   /* degrees of it */
} ptl_test_outcome;

/*
 * Whether two histograms, of an observation for each overmap, differ by more than chance.
 * Picks the test: exact where that is affordable (some 50 ms), else chi-square (Welch's t-test
 * where one sample is too small for two bins). Fisher's p sums the outcomes that are no more
 * likely than what was seen; the permutation test's those whose difference of means is no
 * smaller. PTL_ERR_NOMEM.
 */
PTL_API ptl_status ptl_counts_test(ptl_test_outcome *out, const ptl_hist *a, const ptl_hist *b,
                                   ptl_error *err);
/* Returns "none", "fisher", "permutation", ... */
PTL_API const char *ptl_test_kind_name(ptl_test_kind kind);

/* ---- what a tally says of each special ---- */

typedef enum ptl_rate_verdict {
    PTL_RATE_AS_STATED,  /* UNIQUE: no significant departure from its chance */
    PTL_RATE_FEWER,      /* UNIQUE: significantly fewer than its chance */
    PTL_RATE_MORE,       /* UNIQUE: significantly more */
    PTL_RATE_AS_ASKED,   /* quota: all that were asked for; sectors: never below the minimum */
    PTL_RATE_SHORT,      /* quota: fewer than asked for in some overmaps */
    PTL_RATE_BELOW,      /* sectors: fewer than the minimum in some overmaps */
    PTL_RATE_NEVER,      /* asked for, and nowhere placed */
    PTL_RATE_NOT_ASKED,  /* it may occur, and was never asked for */
    PTL_RATE_BY_OTHERS,  /* no rule asks for it: other specials or steps place it */
    PTL_RATE_ONE_A_WORLD /* GLOBALLY_UNIQUE: a world has one roll for it */
} ptl_rate_verdict;

typedef enum ptl_rate_reason {
    PTL_REASON_NONE,
    PTL_REASON_GROUND,
    PTL_REASON_LINKED,
    PTL_REASON_CITY,
    PTL_REASON_ROOM,
    PTL_REASON_GROWTH,
    PTL_REASON_OTHER,
    PTL_REASON_ASKED /* UNIQUE: it is not even asked for as often as its chance would have it */
} ptl_rate_reason;
enum { PTL_REASON_COUNT = PTL_REASON_OTHER + 1 }; /* of those that a tally counts */

typedef struct ptl_special_facts {
    size_t size;
    const char *id;                       /* the tally's or the sample's */
    const ptl_tally_special *own;         /* what the tally has; NULL: nothing */
    const ptl_sample_special *definition; /* the sample's; NULL: its content has none */
    uint64_t overmaps, placed_sum, asked_sum;
    /* Per overmap. UNIQUE: its chance; quota: mean of what was asked for, both ends alike;
     * sectors: the bounds. expected is NAN where the two differ or no rule asks for it. */
    double expected, expected_min, expected_max;
    /* Means per overmap: asked for and placed by the rule; placed by others (other specials,
     * steps); and present: all that stand, of which there are a variance and an interval. */
    double asked, placed, others, present;
    double variance;
    ptl_interval present_range;
    double without; /* share of overmaps that have none */
    ptl_interval without_range;
    /* Of UNIQUE ones: exact binomial test, where `blocks` is 0, else Student's t of blocks; by
     * Holm for all. Of others NAN. */
    double p, p_adjusted;
    double ratio;     /* placed / expected; NAN where that makes no sense */
    uint64_t missing; /* overmaps that have fewer than is due */
    ptl_rate_verdict verdict;
    ptl_rate_reason reason; /* the main one, where it is short */
    /* Intervals and p are made of so many lots of blocks of overmaps, as neighbours are alike;
     * 0: of single overmaps, since none lie side by side or there are fewer than eight blocks.
     */
    uint64_t blocks;
    double design_effect; /* variance of `present` over that of as many strangers; else NAN */
} ptl_special_facts;

typedef struct ptl_facts {
    size_t size;
    size_t count;
    ptl_special_facts **items;
} ptl_facts;

typedef enum ptl_facts_order {
    PTL_FACTS_BY_ID,
    PTL_FACTS_BY_PLACED,
    PTL_FACTS_BY_MISSING,
    PTL_FACTS_BY_RATIO
} ptl_facts_order;

/* For each special that may occur or did, by id. The tally is of that sample (or of several
 * with the same settings and content), with PTL_COUNT_SPECIALS at least; level is above 0 and
 * below 1: else PTL_ERR_ARGUMENT. *out is new: free it before the two. */
PTL_API ptl_status ptl_facts_new(ptl_facts **out, const ptl_sample *sample,
                                 const ptl_tally *tally, double level, ptl_error *err);
PTL_API void ptl_facts_free(ptl_facts *facts); /* NULL is fine */
PTL_API void ptl_facts_sort(ptl_facts *facts, ptl_facts_order order);
/* NULL if it is not in the list. */
PTL_API const ptl_special_facts *ptl_facts_find(const ptl_facts *facts, const char *id);
/* How often a special stands in the overmaps of a class, as `present` says it of all. */
typedef struct ptl_class_rate {
    uint64_t overmaps, with; /* with: that have one */
    double mean;
    ptl_interval range;
    uint64_t blocks; /* as in ptl_special_facts */
} ptl_class_rate;
/* The facts' special was somewhere (own), and classes were counted. */
PTL_API ptl_class_rate ptl_facts_rate(const ptl_special_facts *facts, const ptl_tally *tally,
                                      ptl_overmap_class which, double level);
/* Is the special short, or was it never placed? */
PTL_API bool ptl_facts_is_lacking(const ptl_special_facts *facts);

/* Returns "fewer than stated"; "ground"; "no ground: ...". */
PTL_API const char *ptl_rate_verdict_text(ptl_rate_verdict verdict);
PTL_API const char *ptl_rate_reason_key(ptl_rate_reason reason);
PTL_API const char *ptl_rate_reason_text(ptl_rate_reason reason);
/* How many overmaps are short for the reason. */
PTL_API uint64_t ptl_rate_reason_overmaps(const ptl_tally_failures *failures,
                                          ptl_rate_reason reason);

/* ---- how well rates are known ---- */

/*
 * Of UNIQUE specials (at most one in an overmap, by chance) the rate is the share of overmaps
 * that have it, and a precision is a half width of that share's interval (Wilson); of the
 * others it is the mean number per overmap, and a precision is relative: half the interval's
 * width (Student's t) over the mean. Where overmaps lie side by side, intervals are of blocks.
 */
typedef struct ptl_precision_row {
    size_t size;
    const char *id;    /* the sample's */
    bool is_share;     /* else a mean */
    bool is_global;    /* GLOBALLY_UNIQUE: a share of chunks, of which one is its home */
    uint64_t overmaps; /* of the tally */
    double estimate;
    ptl_interval range;
    double half_width; /* of the share, or relative to the mean; infinite where the mean is 0 */
    uint64_t needed;   /* overmaps in all for the wanted precision; 0: can't be told, as none
                        * was placed */
} ptl_precision_row;

typedef struct ptl_precision {
    size_t size;
    size_t count;
    ptl_precision_row **rows; /* of each special that the rule may ask for, by id */
    uint64_t needed;          /* the most that any row needs */
    size_t unknown;           /* rows that can't be told */
} ptl_precision;

typedef struct ptl_precision_options {
    size_t size;
    const char *const *only; /* ids */
    size_t only_count;       /* 0: all specials */
    double wanted;           /* the precision; 0: nothing is needed */
    double level;            /* 0: 0.95 */
} ptl_precision_options;

#define PTL_PRECISION_OPTIONS_INIT PTL_SIZED(ptl_precision_options)

/* The tally is of PTL_COUNT_SPECIALS at least: PTL_ERR_ARGUMENT. *out is new: free it before
 * the sample. options may be NULL. */
PTL_API ptl_status ptl_precision_new(ptl_precision **out, const ptl_sample *sample,
                                     const ptl_tally *tally,
                                     const ptl_precision_options *options, ptl_error *err);
PTL_API void ptl_precision_free(ptl_precision *precision); /* NULL is fine */

/* ---- what differs between two samples ---- */

typedef enum ptl_comparison_kind {
    PTL_COMPARE_SPECIAL, /* placed in an overmap */
    PTL_COMPARE_TERRAIN, /* cells in an overmap, all levels */
    PTL_COMPARE_CITY,    /* "cities" in an overmap; "buildings" in a city */
    PTL_COMPARE_LINE     /* cells of a connection in an overmap */
} ptl_comparison_kind;
PTL_API const char *ptl_comparison_kind_name(ptl_comparison_kind kind);

typedef enum ptl_comparison_change {
    PTL_CHANGE_NONE,
    PTL_CHANGE_MORE,
    PTL_CHANGE_FEWER,
    PTL_CHANGE_SPREAD, /* as many on average, but otherwise distributed */
    PTL_CHANGE_NEW,    /* A's content does not have it, and there is none in A */
    PTL_CHANGE_GONE
} ptl_comparison_change;
PTL_API const char *ptl_comparison_change_name(ptl_comparison_change change);

/* Of observations, one for each overmap. */
typedef struct ptl_moments {
    uint64_t count;
    double mean, variance; /* of the sample, n - 1 */
} ptl_moments;

typedef struct ptl_comparison_side {
    const ptl_sample_special *definition; /* NULL: none */
    uint64_t sum;                         /* specials, or cells, ... of all overmaps */
    ptl_moments each;                     /* of an overmap; of a city for its buildings */
    double none;                          /* share of overmaps without; NAN: not known */
    uint64_t blocks;                      /* these two as in ptl_special_facts */
    double design_effect;
} ptl_comparison_side;

/* Of two means b / a, with its interval (delta method on the logarithm); low and high are 0 and
 * infinity where a mean is 0. 0 / 0 is 1. */
typedef struct ptl_ratio {
    double ratio;
    ptl_interval range;
    double cohen_d; /* difference of the means over the pooled standard deviation; 0 if that is
                     * 0 */
} ptl_ratio;

typedef struct ptl_comparison_row {
    size_t size;
    ptl_comparison_kind kind;
    ptl_comparison_change change;
    const char *id;
    ptl_comparison_side a, b;
    ptl_ratio ratio;
    ptl_test_outcome test;
    double adjusted; /* p for the number of tests of its family */
    /* Of a special: overmaps on each side to see a change by options.notable, up and down,
     * corrected for the number of tests; UINT64_MAX: no number is enough (it never occurs, or a
     * UNIQUE one occurs so often that it can't rise so far). */
    uint64_t needed;
    bool significant;
    bool beyond; /* a special that changed significantly by more than max_change */
} ptl_comparison_row;

/* A family of tests. */
typedef struct ptl_comparison_family {
    size_t rows, tested, significant, beyond;
    size_t unseen; /* rows that would need more overmaps for options.notable than there are */
} ptl_comparison_family;

typedef struct ptl_comparison {
    size_t size;
    size_t count;
    ptl_comparison_row **rows; /* specials, then the others, each by (p, id) */
    ptl_comparison_family specials, others;
} ptl_comparison;

typedef struct ptl_comparison_options {
    size_t size;
    double level;            /* 0: 0.95 */
    double max_change;       /* above 1: rows are `beyond`; else none is */
    double notable;          /* a factor, for `needed`; 0: max_change where that is above 1,
                              * else 1.5 */
    const char *const *only; /* ids of specials; the correction is for these alone */
    size_t only_count;       /* 0: all */
    bool fdr;                /* Benjamini and Hochberg's correction; else Holm's */
    bool terrains;           /* terrains, cities and roads too, a family of their own */
    bool reserved[6];        /* false */
} ptl_comparison_options;

#define PTL_COMPARISON_OPTIONS_INIT PTL_SIZED(ptl_comparison_options)

/* One of the two. */
typedef struct ptl_comparison_input {
    const ptl_tally *tally;
    const ptl_sample_special *const *specials; /* definitions, by id: ptl_sample_specials */
    size_t special_count;
} ptl_comparison_input;

/*
 * What is more frequent, rarer, new or gone in B against A. Every special that either tally or
 * either content has is tested, and the p-values are corrected for their number. Where overmaps
 * of either lie side by side, in eight blocks or more, means are compared by their blocks (as
 * by Welch's test), and ratios and needed numbers are of blocks, too. *out is new,
 * and borrows both inputs: free it first. options may be NULL. PTL_ERR_NOT_FOUND names an
 * `only` that neither has; PTL_ERR_ARGUMENT if a tally lacks PTL_COUNT_SPECIALS, or with
 * terrains PTL_COUNT_TERRAINS, _CITIES or _LINES.
 */
PTL_API ptl_status ptl_comparison_new(ptl_comparison **out, const ptl_comparison_input *a,
                                      const ptl_comparison_input *b,
                                      const ptl_comparison_options *options, ptl_error *err);
PTL_API void ptl_comparison_free(ptl_comparison *comparison); /* NULL is fine */

/* What two samples were made with, where that differs: content, generator, settings. */
typedef struct ptl_comparison_difference {
    const char *what; /* "content", "placement", ... */
    char a[104], b[104];
} ptl_comparison_difference;
enum { PTL_COMPARISON_DIFFERENCES = 16 };
/* Returns how many. */
PTL_API size_t
ptl_comparison_differences(ptl_comparison_difference out[PTL_COMPARISON_DIFFERENCES],
                           const ptl_sample *a, const ptl_sample *b);

#ifdef __cplusplus
}
#endif
#endif
