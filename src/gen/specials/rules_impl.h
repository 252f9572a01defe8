/*
 * What the two rules of placement, quota and sectors, and the step that calls them share: facts
 * about specials, compiled once per config, and the lists for the chunk that is being made.
 */
#pragma once

#include "gen/specials/rules.h"

/* The zone in which a special lies. Rule quota keeps numbers and spacing for each zone
 * apart. */
typedef enum rule_zone { ZONE_LAND, ZONE_UNDER, ZONE_LAKE, ZONE_RIVER, ZONES } rule_zone;

typedef struct rule_facts {
    uint8_t zone;
    int32_t area; /* number of cells that the special takes on the ground; if it takes none
                   * there, on all other levels */
    ptl_terrain_set allows; /* union of the terrains that its cells on the ground allow; may be
                             * NULL */
} rule_facts;

enum {
    SECTORS = SECTORS_ALONG * SECTORS_ALONG,
    CITIES_AROUND = 9 * CITY_SITES_MAX, /* the most cities of a chunk and those around it */
    /* A special whose connections find no path is tried at no more origins than this; see
     * rule_search. */
    ORIGINS_TRIED = 16,
    AMOUNT_MAX = PTL_LEVEL_CELLS,
    /* If a set has at least so many cells, a draw from it first tries random cells of the
     * chunk. */
    DENSE_SET = PTL_LEVEL_CELLS / 32
};

/* The place of a special in the order of rule quota. */
typedef struct rule_order {
    bool first;
    int32_t priority, area;
    /* Hash of chunk and special, by which specials are ordered that are equal in all other
     * members. */
    uint64_t hash;
    uint32_t entry; /* index into the batch */
} rule_order;

/* A special that may be placed in a sector. */
typedef struct rule_candidate {
    uint64_t hash;
    int32_t priority;
    uint32_t entry; /* index into the batch */
} rule_candidate;

/* Numbers of cells of the chunk on z = 0, by kind of ground. */
typedef struct rule_census {
    int32_t lake, ocean, river; /* a cell may count as both lake and ocean */
    int32_t land;               /* cells without water that some eligible land special allows */
} rule_census;

/* A city that has enough of a special. */
typedef struct full_city {
    int32_t city, most; /* the city's number; upper bound of how many cells in
                         * special_rules.valid belong to it */
} full_city;

struct special_rules {
    rule_facts *facts;  /* by special */
    uint64_t *sets;     /* memory of facts[].allows */
    size_t set_words;   /* words of 64 bits that a set of terrains takes */
    uint64_t *eligible; /* bit per special: the chunk may ask for it, if chance allows */
    uint64_t *on_land;  /* bit per special: its zone is ZONE_LAND */
    uint64_t *known;    /* bit per special: it was eligible and on land when `land` was made */
    batch_entry *batch; /* scratch memory, as are the lists below; has room for all specials */
    rule_order *orders;
    rule_candidate *candidates;
    size_t entry_words; /* words of 64 bits that a set of entries of the batch takes */
    /* By sector: set of the entries whose special had an origin in it or may have got one. */
    uint64_t *here;
    uint64_t *wanted;       /* set of the entries whose special may be placed once more */
    uint32_t *heads, *next; /* lists of entries with the same figure: heads, by figure, has 1 +
                             * the first entry; next, by entry, 1 + the next one; 0: none */
    uint8_t *trail_ends; /* by oter: 1 + the direction in which an end of a trail is open; 0: it
                          * is no end */
    uint32_t *counts;    /* by oter: what a cell adds to the counters of count_row */
    uint64_t *land; /* the terrains that `counts` treats as land; scratch memory of the same
                       size follows */
    bool counted;   /* `counts` has been made */
    /* For the special that is being placed: by city, how many of it the city has; which cities
     * have some; which cities have enough. */
    int32_t city_counts[CITIES_AROUND], cities_met[CITIES_AROUND];
    full_city full[CITIES_AROUND];
    site_bits valid, other, pools[ZONES], used, failed;
};

/* Counts the chunk's ground. Pass `again` once it is known which specials are eligible; before,
 * the count of land means nothing. */
rule_census rules_census(generator *g, bool again);

/* rules_unit returns a number in [0, 1) with 53 random bits. rules_round rounds up or down at
 * random, so that the mean is the value. */
double rules_unit(rng *r);
int32_t rules_round(double value, rng *r);

/* Reports the verdict on a special to g->trace, if the trace follows this special. */
void rules_verdict(const generator *g, uint16_t special, ptl_verdict verdict);

/* Reports the origins left after a test to g->trace, if that follows this special. */
void rules_origins(const generator *g, uint16_t special, ptl_why_test test,
                   const site_bits *left);

/* Finds into `out` the origins at which the special passes all tests: ground, connections,
 * cities. Fills the first three numbers of *attempt and reports to g->trace; if attempt is
 * NULL, it does neither. */
void rules_valid(generator *g, uint16_t special, gen_attempt *attempt, site_bits *out);

/* Returns the hash key of a special in this chunk. */
uint64_t rules_key(const generator *g, uint16_t special);

/* An origin that was drawn, with a rotation. */
typedef struct rule_spot {
    int32_t x, y;
    int rotation; /* -1: none */
} rule_spot;

/* A search for an origin of one special. At the first ORIGINS_TRIED origins a mutable special
 * may try all its draws of growth; at each further origin it gets a single draw, until too much
 * of its growth was undone in the chunk. After ORIGINS_TRIED origins that lacked a way the
 * search is given up, because seeking ways takes too long. A fixed special gets ORIGINS_TRIED
 * tries in all. */
typedef struct rule_search {
    /* Number of tries so far; how many of them failed because no path was found for a
     * connection. */
    int tries, wayless;
} rule_search;
/* May the special be tried at another origin? */
bool rules_go_on(const generator *g, uint16_t special, const rule_search *search);

/* Returns a rotation in which the entry's special may stand at (x, y) without endangering safe
 * specials; -1 if there is none. */
int rules_rotation(generator *g, batch_entry *e, int32_t x, int32_t y, rng *r);

/* Places the entry's special and counts it. False if it did not grow or, if no_way is not NULL,
 * if no path was found for a connection; `search` counts these failures. search and used may be
 * NULL. */
typedef struct rule_placing {
    rule_search *search;
    place_used *used;
    bool *no_way;
} rule_placing;
bool rules_place(generator *g, batch_entry *e, rule_spot spot, const rule_placing *how);
