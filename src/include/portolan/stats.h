/*
 * Evaluates tallies of overmaps (sample.h). For each special, the calls tell whether it is as
 * frequent as its definition states, what hinders it, and how precisely its rate is known; for
 * two samples, the calls tell what differs. This header belongs to the library
 * libportolan-stats, which is built on libportolan and on the GNU Scientific Library (for
 * distribution functions; GPL). portolan.h does not include it.
 *
 * Structs to which the library returns pointers carry their size (status.h). They are only for
 * reading, and are valid until their owner is freed. `level` is a level of confidence, such as
 * 0.95.
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

/* Returns Wilson's score interval (Wilson 1927) of the proportion successes / trials; 0..1 if
 * trials is 0. */
PTL_API ptl_interval ptl_wilson_interval(uint64_t successes, uint64_t trials, double level);
/* Returns the score interval of the mean of Poisson counts that add up to `sum` in
 * `observations` observations; 0..infinity if observations is 0. It is meant for counts that
 * could be above 1 but never were, for which Student's t is not suited. */
PTL_API ptl_interval ptl_poisson_interval(uint64_t sum, uint64_t observations, double level);
/* Returns the interval of the mean of a histogram's observations, by Student's t; [mean, mean]
 * for fewer than two observations. */
PTL_API ptl_interval ptl_mean_interval(const ptl_hist *h, double level);

/* ---- two samples of counts ---- */

typedef enum ptl_test_kind {
    PTL_TEST_NONE,   /* no test: there are too few observations, or all of them are equal; p is
                      * 1 */
    PTL_TEST_FISHER, /* Fisher's exact test of a 2 x 2 table; chosen if all observations have
                      * one of two values, such as 0 and 1 */
    PTL_TEST_PERMUTATION, /* exact permutation test of the difference of the means */
    PTL_TEST_CHI_SQUARE,  /* chi-square test of the two histograms; neighbouring bins are merged
                           * until at least 5 observations are expected in each */
    PTL_TEST_WELCH        /* t-test of means with unequal variances (Welch 1947); p is never
                           * lower than the lowest p that an exact test of as many observations
                           * can give */
} ptl_test_kind;

typedef struct ptl_test_outcome {
    ptl_test_kind kind;
    double p;         /* p of the test, two-sided, 0..1; the exact tests (Fisher, permutation)
                       * give no p below 1e-30 */
    double statistic; /* the value of chi-square or t; 0 for tests that have neither */
    double freedom;   /* degrees of freedom of the chi-square or t-test; 0 for all other
                       * tests */
} ptl_test_outcome;

/*
 * Tests whether two histograms, each with one observation for each overmap, differ by more than
 * chance. The function chooses the test: an exact one if that is affordable (some 50 ms), else
 * chi-square, or Welch's t-test if one sample is too small for two bins. The p of Fisher's test
 * is the sum of the probabilities of all outcomes that are no more likely than the outcome
 * seen. The p of the permutation test is the same sum for all outcomes in which the two means
 * differ at least as much as in the outcome seen. The only error is PTL_ERR_NOMEM.
 */
PTL_API ptl_status ptl_counts_test(ptl_test_outcome *out, const ptl_hist *a, const ptl_hist *b,
                                   ptl_error *err);
/* Returns the name of a test: "none", "fisher", "permutation" and so on. The text is a
 * constant. */
PTL_API const char *ptl_test_kind_name(ptl_test_kind kind);

/* ---- what a tally says of each special ---- */

typedef enum ptl_rate_verdict {
    PTL_RATE_AS_STATED,   /* for a UNIQUE special: its rate does not differ significantly from
                           * its stated chance */
    PTL_RATE_FEWER,       /* for a UNIQUE special: significantly fewer overmaps have it than its
                           * definition states */
    PTL_RATE_MORE,        /* for a UNIQUE special: significantly more overmaps have it than its
                           * definition states */
    PTL_RATE_AS_ASKED,    /* with the rule quota: as many of the special were placed as the rule
                           * asked for */
    PTL_RATE_SHORT,       /* with the rule quota: in some overmaps fewer of the special were
                           * placed than the rule asked for */
    PTL_RATE_BELOW,       /* with the rule sectors: some overmaps have fewer of the special than
                           * its definition states as the minimum */
    PTL_RATE_NEVER,       /* the special was asked for, but placed nowhere */
    PTL_RATE_NOT_ASKED,   /* the special may occur, but was never asked for */
    PTL_RATE_BY_OTHERS,   /* the rule of placement never asks for the special: other specials or
                             steps of generation place it */
    PTL_RATE_ONE_A_WORLD, /* for a GLOBALLY_UNIQUE special: each world decides at random only
                           * once whether to have it */
    PTL_RATE_WITHIN       /* with the rule sectors: no overmap has fewer of the special than its
                           * definition states as the minimum */
} ptl_rate_verdict;

typedef enum ptl_rate_reason {
    PTL_REASON_NONE,
    PTL_REASON_GROUND,
    PTL_REASON_LINKED,
    PTL_REASON_CITY,
    PTL_REASON_ROOM,
    PTL_REASON_GROWTH,
    PTL_REASON_OTHER,
    PTL_REASON_ASKED /* for a UNIQUE special: the rule of placement asks for the special less
                        often than the chance that its definition states */
} ptl_rate_reason;
/* Number of the values of ptl_rate_reason that a tally counts: PTL_REASON_NONE to
 * PTL_REASON_OTHER. */
enum { PTL_REASON_COUNT = PTL_REASON_OTHER + 1 };

typedef struct ptl_special_facts {
    size_t size;
    const char *id;                       /* id of the special, borrowed from the tally or the
                                           * sample */
    const ptl_tally_special *own;         /* the tally's counts of the special; NULL if no
                                           * overmap has the special */
    const ptl_sample_special *definition; /* the sample's definition of the special; NULL if
                                           * its content has none */
    uint64_t overmaps, placed_sum, asked_sum;
    /* How many of the special an overmap should have on average, and the bounds of this number.
     * For a UNIQUE special `expected` is its chance. For other specials it is, with the rule
     * quota, the mean number that the rule asked for; the bounds are equal to it. With the rule
     * sectors only the bounds are known. If the bounds differ, or if no rule asks for the
     * special, `expected` is NAN. */
    double expected, expected_min, expected_max;
    /* Four means per overmap:
     * - asked: how many of the special the rule of placement asked for
     * - placed: how many of the special the rule of placement placed
     * - others: how many of the special came in another way (ptl_tally_special)
     * - present: how many of the special there are in all
     *
     * variance and present_range are the variance and the interval of `present`. */
    double asked, placed, others, present;
    double variance;
    ptl_interval present_range;
    double without; /* share of overmaps without the special */
    ptl_interval without_range;
    /* For UNIQUE specials, p belongs to the test whether the special is as frequent as its
     * definition states. It is an exact binomial test if `blocks` is 0, else Student's t-test
     * over lots of blocks. p_adjusted is p adjusted by Holm's method for the number of
     * specials. Both are NAN for all other specials. */
    double p, p_adjusted;
    double ratio;     /* placed / expected; NAN if `expected` is not known or 0, or the special
                       * is GLOBALLY_UNIQUE */
    uint64_t missing; /* number of overmaps that have fewer of the special than they should
                       * have */
    ptl_rate_verdict verdict;
    ptl_rate_reason reason; /* if overmaps have too few of the special: the reason in most of
                             * them */
    /* Since neighbouring overmaps are alike, intervals and p are computed over this many lots
     * of blocks of overmaps (see PTL_TALLY_LOTS). 0: over single overmaps, since no two are
     * neighbours or there are fewer than eight blocks. */
    uint64_t blocks;
    double design_effect; /* variance of `present` divided by the variance that it would have if
                           * the overmaps were independent; NAN if blocks is 0 */
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

/* Gives the facts of each special that may occur in the overmaps, or that did, sorted by id.
 * The tally must be of the given sample, or of several samples with the same settings and
 * content, and must have counted PTL_COUNT_SPECIALS; level must be above 0 and below 1.
 * Otherwise PTL_ERR_ARGUMENT is returned. *out is the caller's: free it before the sample and
 * the tally. */
PTL_API ptl_status ptl_facts_new(ptl_facts **out, const ptl_sample *sample,
                                 const ptl_tally *tally, double level, ptl_error *err);
PTL_API void ptl_facts_free(ptl_facts *facts); /* freeing NULL does nothing */
PTL_API void ptl_facts_sort(ptl_facts *facts, ptl_facts_order order);
/* Returns the facts of a special; NULL if the special is not in the list. */
PTL_API const ptl_special_facts *ptl_facts_find(const ptl_facts *facts, const char *id);
/* How often a special is present in the overmaps of one class. */
typedef struct ptl_class_rate {
    uint64_t overmaps, with; /* overmaps: number of overmaps in the class (ptl_overmap_class);
                                with: how many of them have the special */
    double mean;
    ptl_interval range;
    uint64_t blocks; /* on how many lots of overmaps the interval is computed, as in
                        ptl_special_facts */
} ptl_class_rate;
/* Computes the rate of a special in one class of overmaps. The special must occur in some
 * overmap (facts->own is not NULL), and the tally must have counted PTL_COUNT_WATERS and
 * PTL_COUNT_CITIES. */
PTL_API ptl_class_rate ptl_facts_rate(const ptl_special_facts *facts, const ptl_tally *tally,
                                      ptl_overmap_class which, double level);
/* Returns whether the special was placed in too few overmaps, or in none. */
PTL_API bool ptl_facts_is_lacking(const ptl_special_facts *facts);

/* Returns a constant text: ptl_rate_verdict_text for a verdict ("fewer than stated"),
 * ptl_rate_reason_key a short text for a reason ("ground"), and ptl_rate_reason_text a long
 * one ("no ground: ..."). */
PTL_API const char *ptl_rate_verdict_text(ptl_rate_verdict verdict);
PTL_API const char *ptl_rate_reason_key(ptl_rate_reason reason);
PTL_API const char *ptl_rate_reason_text(ptl_rate_reason reason);
/* Returns in how many overmaps too few of a special were placed because of `reason`. */
PTL_API uint64_t ptl_rate_reason_overmaps(const ptl_tally_failures *failures,
                                          ptl_rate_reason reason);

/* ---- how well rates are known ---- */

/*
 * How precisely the rate of a special is known. For UNIQUE specials (at most one in an
 * overmap, by chance) the rate is the share of overmaps that have it, and the precision is
 * half the width of that share's interval (Wilson). For other specials the rate is the mean
 * number per overmap, and the precision is relative: half the width of the interval (Student's
 * t) divided by the mean. If overmaps are neighbours, intervals are computed over blocks.
 */
typedef struct ptl_precision_row {
    size_t size;
    const char *id;    /* id of the special, borrowed from the sample */
    bool is_share;     /* true: the rate is the share of overmaps that have the special; false:
                        * it is the mean number per overmap */
    bool is_global;    /* true: the special is GLOBALLY_UNIQUE; the rate is the share of those
                        * chunks that may be its home (the only chunk that may have it) */
    uint64_t overmaps; /* number of overmaps in the tally */
    double estimate;
    ptl_interval range;
    double half_width; /* the precision: half the width of the interval of a share; of a mean,
                        * that half width divided by the mean (infinite if the mean is 0) */
    uint64_t needed;   /* total number of overmaps that would give the wanted precision; 0: not
                          known, since no overmap has the special */
} ptl_precision_row;

typedef struct ptl_precision {
    size_t size;
    size_t count;
    ptl_precision_row **rows; /* one row for each special that the rule of placement may ask
                               * for, by id */
    /* The largest `needed` of all rows: with so many overmaps every rate is known as precisely
     * as wanted. */
    uint64_t needed;
    size_t unknown; /* number of rows for which `needed` is not known */
} ptl_precision;

typedef struct ptl_precision_options {
    size_t size;
    const char *const *only; /* ids of the only specials to evaluate */
    size_t only_count;       /* number of ids in `only`; 0: all specials */
    double wanted;           /* the precision (ptl_precision_row.half_width) that `needed` is
                              * computed for; 0: `needed` is not computed */
    double level;            /* level of confidence; 0 means 0.95 */
} ptl_precision_options;

#define PTL_PRECISION_OPTIONS_INIT PTL_SIZED(ptl_precision_options)

/* Computes the precision of each special's rate. options may be NULL. PTL_ERR_ARGUMENT if the
 * tally has not counted PTL_COUNT_SPECIALS. *out is the caller's: free it before the
 * sample. */
PTL_API ptl_status ptl_precision_new(ptl_precision **out, const ptl_sample *sample,
                                     const ptl_tally *tally,
                                     const ptl_precision_options *options, ptl_error *err);
PTL_API void ptl_precision_free(ptl_precision *precision); /* freeing NULL does nothing */

/* ---- what differs between two samples ---- */

typedef enum ptl_comparison_kind {
    PTL_COMPARE_SPECIAL, /* how many of a special there are per overmap */
    PTL_COMPARE_TERRAIN, /* how many cells of a terrain there are per overmap, on all levels */
    PTL_COMPARE_CITY,    /* the row "cities": cities per overmap; the row "buildings": buildings
                          * per city */
    PTL_COMPARE_LINE     /* how many cells of a connection there are per overmap */
} ptl_comparison_kind;
PTL_API const char *ptl_comparison_kind_name(ptl_comparison_kind kind);

typedef enum ptl_comparison_change {
    PTL_CHANGE_NONE,
    PTL_CHANGE_MORE,
    PTL_CHANGE_FEWER,
    PTL_CHANGE_SPREAD, /* both samples have the same mean, but different distributions */
    PTL_CHANGE_NEW,    /* neither the content nor the overmaps of the first sample (A) have what
                        * the row compares */
    PTL_CHANGE_GONE
} ptl_comparison_change;
PTL_API const char *ptl_comparison_change_name(ptl_comparison_change change);

/* Number, mean and variance of the observations in one sample; each overmap gives one
 * observation. */
typedef struct ptl_moments {
    uint64_t count;
    double mean, variance; /* mean and sample variance (divided by n - 1) */
} ptl_moments;

typedef struct ptl_comparison_side {
    const ptl_sample_special *definition; /* definition of the special in the content of this
                                           * sample; NULL if there is none */
    uint64_t sum;                         /* how many there are of what the row compares
                                           * (specials, cells and so on), in all overmaps
                                           * together */
    ptl_moments each; /* number per overmap of what the row compares (specials, cells and so
                         on); in the row of buildings, number per city */
    double none;      /* share of overmaps that have none of what the row
                       * compares; NAN: not known */
    uint64_t blocks;  /* blocks and design_effect as in
                       * ptl_special_facts */
    double design_effect;
} ptl_comparison_side;

/* The mean of the second sample (B) divided by that of the first (A), with the interval of this
 * ratio (delta method on the logarithm). The interval is 0 to infinity if a mean is 0; the
 * ratio 0 / 0 is 1. */
typedef struct ptl_ratio {
    double ratio;
    ptl_interval range;
    double cohen_d; /* difference of the two means divided by the pooled standard deviation; 0
                     * if the deviation is 0 */
} ptl_ratio;

typedef struct ptl_comparison_row {
    size_t size;
    ptl_comparison_kind kind;
    ptl_comparison_change change;
    const char *id;
    ptl_comparison_side a, b;
    ptl_ratio ratio;
    ptl_test_outcome test;
    double adjusted; /* p of the row's test, corrected for the number of tests in its family
                      * (the rows of specials, or all other rows) */
    /* For a special: how many overmaps each sample needs so that the test finds the change
     * significant if the special becomes more or less frequent by the factor `notable` of the
     * options. The correction for the number of tests is taken into account. UINT64_MAX: no
     * number is enough, since the special never occurs, or is UNIQUE and already too frequent
     * to become more frequent by this factor. */
    uint64_t needed;
    bool significant;
    bool beyond; /* true: the row is that of a special that changed significantly, and by more
                  * than the factor max_change of the options */
    /* If the option `visible` is set, and the row is that of a special: the least factors by
     * which it would have to become more frequent (visible_more) or less frequent
     * (visible_fewer), so that the test finds the change significant with as many overmaps as
     * the smaller sample has. Infinite: no factor is enough. Both are 0 in all other rows, or
     * without that option. */
    double visible_more, visible_fewer;
} ptl_comparison_row;

/* Numbers of rows in one family of tests, which is all rows of specials or all other rows. */
typedef struct ptl_comparison_family {
    size_t rows, tested, significant, beyond;
    size_t unseen; /* number of rows that need more overmaps (ptl_comparison_row.needed) than
                      the smaller sample has */
} ptl_comparison_family;

typedef struct ptl_comparison {
    size_t size;
    size_t count;
    ptl_comparison_row **rows; /* rows of specials first, then all others, each group sorted by
                                * (p, id) */
    ptl_comparison_family specials, others;
} ptl_comparison;

typedef struct ptl_comparison_options {
    size_t size;
    double level; /* level of confidence; 0 means 0.95 */
    /* If above 1: the member `beyond` is set in the rows of specials whose numbers differ
     * significantly by more than this factor. Otherwise it is set in no row. */
    double max_change;
    double notable;          /* the factor of change that ptl_comparison_row.needed is computed
                              * for; 0: max_change if that is above 1, else 1.5 */
    const char *const *only; /* ids of the only specials to test; p is corrected for the number
                              * of these */
    size_t only_count;       /* number of ids in `only`; 0: all specials */
    bool fdr;                /* true: p is corrected by Benjamini and Hochberg's method; false:
                              * by Holm's */
    bool terrains;           /* true: also compare terrains, cities and connections (such as
                              * roads), as a second family of tests */
    bool visible;            /* true: ptl_comparison_row.visible_more and visible_fewer are
                              * computed */
    bool reserved[5];        /* must be false */
} ptl_comparison_options;

#define PTL_COMPARISON_OPTIONS_INIT PTL_SIZED(ptl_comparison_options)

/* One of the two samples that are compared: its tally and its definitions. */
typedef struct ptl_comparison_input {
    const ptl_tally *tally;
    /* The definitions of the sample's specials, sorted by id, as ptl_sample_specials returns
     * them. */
    const ptl_sample_special *const *specials;
    size_t special_count;
} ptl_comparison_input;

/*
 * Compares two tallies: what is more frequent, rarer, new or gone in B compared with A. Every
 * special that one of the tallies or contents has is tested, and the p-values are corrected for
 * the number of tests. If overmaps of either side are neighbours and form eight blocks or more,
 * tests of means (such as Welch's), ratios and needed numbers are computed from blocks in place
 * of single overmaps. options may be NULL. *out is the caller's and borrows both inputs: free
 * it before both inputs. PTL_ERR_NOT_FOUND: neither side has one of the ids in `only`; the
 * message names this id. PTL_ERR_ARGUMENT: a tally has not counted PTL_COUNT_SPECIALS, or, with
 * `terrains`, PTL_COUNT_TERRAINS, PTL_COUNT_CITIES or PTL_COUNT_LINES.
 */
PTL_API ptl_status ptl_comparison_new(ptl_comparison **out, const ptl_comparison_input *a,
                                      const ptl_comparison_input *b,
                                      const ptl_comparison_options *options, ptl_error *err);
PTL_API void ptl_comparison_free(ptl_comparison *comparison); /* freeing NULL does nothing */

/* One difference in what two samples were made with: content, generator or a setting. */
typedef struct ptl_comparison_difference {
    const char *what; /* what differs: "content", "placement" and so on */
    char a[104], b[104];
} ptl_comparison_difference;
enum { PTL_COMPARISON_DIFFERENCES = 16 };
/* Lists the differences between what the samples a and b were made with (content, generator,
 * settings). Returns the number of differences. */
PTL_API size_t
ptl_comparison_differences(ptl_comparison_difference out[PTL_COMPARISON_DIFFERENCES],
                           const ptl_sample *a, const ptl_sample *b);

#ifdef __cplusplus
}
#endif
#endif
