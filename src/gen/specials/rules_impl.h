/*
 * What the two rules and the step that calls them share: facts about specials compiled once
 * per config, and the lists of the chunk in work.
 */
#ifndef GEN_SPECIALS_RULES_IMPL_H
#define GEN_SPECIALS_RULES_IMPL_H

#include "core/arena.h"
#include "gen/specials/rules.h"

/* Where a special lies; the quota's ratios and spacing are kept for each. */
typedef enum rule_zone { ZONE_LAND, ZONE_UNDER, ZONE_LAKE, ZONE_RIVER, ZONES } rule_zone;

typedef struct rule_facts {
    uint8_t zone;
    int32_t area; /* cells that it asks for on the ground; of one that lies below, on all levels
                   * but that */
    ptl_terrain_set allows; /* what it takes on the ground, of all its cells; may be NULL */
} rule_facts;

enum {
    SECTORS = SECTORS_ALONG * SECTORS_ALONG,
    ORIGINS_TRIED = 16, /* for one that is asked for, where it lacks a way; see rule_search */
    AMOUNT_MAX = PTL_LEVEL_CELLS,
    DENSE_SET = PTL_LEVEL_CELLS / 32 /* cells, from which on a draw throws darts first */
};

/* The order of rule quota. */
typedef struct rule_order {
    bool first;
    int32_t priority, area;
    uint64_t hash;  /* of chunk and special: which of equals comes first */
    uint32_t entry; /* index into the batch */
} rule_order;

/* A special that may be taken in a sector. */
typedef struct rule_candidate {
    uint64_t hash;
    int32_t priority;
    uint32_t entry; /* index into the batch */
} rule_candidate;

/* Cells of the ground, by what they are. */
typedef struct rule_census {
    int32_t lake, ocean, river; /* a cell may be both of the first two */
    int32_t land;               /* none, and taken by some land special that is eligible */
} rule_census;

/* Oters that are the end of a trail: between the first and the last. */
typedef struct trail_ends {
    uint8_t *open; /* by oter: 1 + the direction to which it opens; 0: none */
    ptl_oter first, last;
    bool any;
} trail_ends;

/* A city that has enough of a special. */
typedef struct full_city {
    int32_t city, most; /* its number; cells that may be its own, at most */
} full_city;

struct special_rules {
    arena *memory;      /* of all that follows */
    rule_facts *facts;  /* by special */
    uint64_t *sets;     /* of facts[].allows */
    size_t set_words;   /* words of a set of terrains */
    uint64_t *eligible; /* by special, a bit each: asked for but for its chance */
    uint64_t *on_land;  /* likewise: those of ZONE_LAND; and behind them those that `land` is
                         * made of */
    batch_entry *batch; /* scratch, as what follows; with room for all specials */
    rule_order *orders;
    rule_candidate *candidates;
    size_t entry_words; /* of a set of entries of the batch */
    uint64_t *here;     /* by sector: entries that had an origin in it, or may have got one */
    uint64_t *wanted;   /* entries that may be placed once more */
    uint32_t *heads, *next; /* by figure, and then by entry: 1 + an entry of the figure */
    trail_ends trails;
    uint32_t *counts;                  /* by oter: what the cells count as, for rule_census */
    uint64_t *land;                    /* the set of terrains that `counts` has as land */
    bool counted;                      /* `counts` is made */
    rule_census census;                /* the latest */
    int32_t *city_counts, *cities_met; /* by number of the city */
    full_city *full;                   /* of the special that is placed */
    site_bits valid, other, pools[ZONES], used, failed;
};

/* Of the chunk in work. `again`: nothing has changed but what is eligible. */
rule_census rules_census(generator *g, bool again);

/* Returns a number in [0, 1) with 53 random bits, and whole numbers rounded up or down by
 * chance. */
double rules_unit(rng *r);
int32_t rules_round(double value, rng *r);

/* Tells whoever listens. */
void rules_verdict(const generator *g, uint16_t special, ptl_verdict verdict);

void rules_origins(const generator *g, uint16_t special, ptl_why_test test,
                   const site_bits *left);

/* Fills the attempt's first three counts, and tells whoever listens; NULL: neither. `out` are
 * the origins that pass. */
void rules_valid(generator *g, uint16_t special, gen_attempt *attempt, site_bits *out);

/* Returns the key of a special in this chunk. */
uint64_t rules_key(const generator *g, uint16_t special);

/* An origin that has been drawn. */
typedef struct rule_spot {
    int32_t x, y;
    int rotation; /* -1: none */
} rule_spot;

/* The search for an origin of one that is asked for, where it was tried in vain so far. At the
 * first ORIGINS_TRIED a growth has all its draws; then each origin that is left gets one, until
 * too much of the special was undone in the chunk. What lacks a way is not sought so far: that
 * takes too long. */
typedef struct rule_search {
    int tries, wayless; /* how many; of these for want of a way */
} rule_search;
/* May it be tried at another origin? */
bool rules_go_on(const generator *g, uint16_t special, const rule_search *search);

/* Returns a rotation in which the entry's special may stand there, in peace; -1 if there is
 * none. */
int rules_rotation(generator *g, batch_entry *e, int32_t x, int32_t y, rng *r);

/* Places the entry's special and counts it. False if it did not grow, or, where no_way is not
 * NULL, has no way for a connection; the search, which may be NULL, counts that. used may be
 * NULL. */
typedef struct rule_placing {
    rule_search *search;
    place_used *used;
    bool *no_way;
} rule_placing;
bool rules_place(generator *g, batch_entry *e, rule_spot spot, const rule_placing *how);

#endif
