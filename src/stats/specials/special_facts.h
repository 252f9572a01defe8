/*
 * What a tally says about each special, beside what the content wants of it: expected and
 * placed, with intervals, a verdict, and the main reason where it is short. `stats` prints
 * these and its charts draw them.
 */
#ifndef STATS_SPECIALS_SPECIAL_FACTS_H
#define STATS_SPECIALS_SPECIAL_FACTS_H

#include "analysis/sample/sample.h"
#include "stats/inference/inference.h"

typedef enum special_verdict {
    VERDICT_AS_STATED,  /* UNIQUE: no significant departure from its chance */
    VERDICT_FEWER,      /* UNIQUE: significantly fewer than its chance */
    VERDICT_MORE,       /* UNIQUE: significantly more */
    VERDICT_AS_ASKED,   /* quota: all that were asked for; sectors: never below the minimum */
    VERDICT_SHORT,      /* quota: fewer than asked for in some overmaps */
    VERDICT_BELOW,      /* sectors: fewer than the minimum in some overmaps */
    VERDICT_NEVER,      /* asked for, and nowhere placed */
    VERDICT_NOT_ASKED,  /* it may occur, and was never asked for */
    VERDICT_BY_OTHERS,  /* no rule asks for it: other specials or steps place it */
    VERDICT_ONE_A_WORLD /* GLOBALLY_UNIQUE: a world has one roll for it */
} special_verdict;

typedef enum special_reason {
    REASON_NONE,
    REASON_GROUND,
    REASON_LINKED,
    REASON_CITY,
    REASON_ROOM,
    REASON_GROWTH,
    REASON_OTHER,
    REASON_ASKED /* UNIQUE: it is not even asked for as often as its chance would have it */
} special_reason;
enum { REASON_COUNT = REASON_OTHER + 1 }; /* of those that a tally counts */

typedef struct special_facts {
    const char *id;           /* borrowed from the tally or the catalogue */
    const tally_special *own; /* what the tally has; NULL: nothing */
    sample_special definition;
    bool defined; /* the present content has it */
    uint64_t overmaps, placed_sum, asked_sum;
    /* Per overmap. UNIQUE: its chance; quota: mean of what was asked for, both ends alike;
     * sectors: the bounds. expected is NAN where the two differ or no rule asks for it. */
    double expected, expected_min, expected_max;
    double asked, others; /* means per overmap; asked: of all overmaps */
    double placed, variance;
    interval placed_range;
    double without; /* share of overmaps that have none */
    interval without_range;
    double p, p_adjusted; /* of UNIQUE ones; else NAN */
    double ratio;         /* placed / expected; NAN where that makes no sense */
    uint64_t missing;     /* overmaps that have fewer than is due */
    special_verdict verdict;
    special_reason reason; /* the main one, where it is short */
} special_facts;

typedef struct facts_list {
    special_facts *items; /* owned */
    size_t count;
} facts_list;

typedef enum facts_order {
    FACTS_BY_ID,
    FACTS_BY_PLACED,
    FACTS_BY_MISSING,
    FACTS_BY_RATIO
} facts_order;

/* One for each special that may occur or did, by id. confidence: as 0.95. Dispose it
 * also after an error. */
ptl_status facts_make(facts_list *out, const sample *s, const tally *t, double confidence,
                      ptl_error *err);
void facts_dispose(facts_list *list);
void facts_sort(facts_list *list, facts_order order);
/* NULL if it is not in the list. */
const special_facts *facts_find(const facts_list *list, const char *id);
/* Short, or never placed. */
bool facts_lacking(const special_facts *f);

/* "fewer than stated"; "no ground: ...". */
const char *verdict_text(special_verdict verdict);
const char *reason_key(special_reason reason);
const char *reason_text(special_reason reason);
/* How many overmaps are short for the reason. */
uint64_t reason_count(const tally_failures *f, special_reason reason);

#endif
