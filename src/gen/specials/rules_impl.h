/*
 * What the two rules of placement, quota and sectors, and the step that calls them share: facts
 * about specials, compiled once per config, and the lists for the chunk that is being made.
 */
#pragma once

#include "gen/specials/rules.h"

/* The zone of a special: it stands on land, on no cell of the ground (below it, mostly), on a
 * lake or the sea, or on a river. Rule quota counts specials and keeps their spacing for each
 * zone by itself. */
typedef enum rule_zone { ZONE_LAND, ZONE_UNDER, ZONE_LAKE, ZONE_RIVER, ZONES } rule_zone;

typedef struct rule_facts {
    uint8_t zone;
    int32_t area; /* number of cells that the special takes on the ground; if that is 0, on all
                   * other levels together */
    ptl_terrain_set allows; /* union of the terrains that are allowed under the special's cells
                             * on the ground; may be NULL */
} rule_facts;

enum {
    SECTORS = SECTORS_ALONG * SECTORS_ALONG,
    /* The most cities that a chunk and its eight neighbours can have. */
    CITIES_AROUND = 9 * CITY_SITES_MAX,
    /* A special whose connections find no path is tried at no more origins than this; see
     * rule_search. */
    ORIGINS_TRIED = 16,
    AMOUNT_MAX = PTL_LEVEL_CELLS,
    /* To choose a cell from a set of at least DENSE_SET cells, random cells of the chunk are
     * tried until one is in the set. */
    DENSE_SET = PTL_LEVEL_CELLS / 32
};

/* The place of a special in the order of rule quota. */
typedef struct rule_order {
    bool first;
    int32_t priority, area;
    /* A hash of the chunk and the special. It decides the order of specials for which all
     * other members are equal. */
    uint64_t hash;
    uint32_t entry; /* index of the special's entry in the batch, the list of specials that the
                       chunk asks for */
} rule_order;

/* A special that may be placed in a sector. */
typedef struct rule_candidate {
    uint64_t hash;
    int32_t priority;
    uint32_t entry; /* index of the special's entry in the batch, the list of specials that the
                       chunk asks for */
} rule_candidate;

/* Numbers of cells of the chunk on z = 0, by kind of ground. */
typedef struct rule_census {
    int32_t lake, ocean, river; /* a cell may count as both lake and ocean */
    int32_t land; /* cells without water on which some eligible special of ZONE_LAND may lie */
} rule_census;

/* A city near which no more of a special may be placed, because it has as many of them as one
 * city may have. */
typedef struct full_city {
    int32_t city, most; /* `city`: the city's number; `most`: special_rules.valid has no more
                         * than this number of the city's cells */
} full_city;

struct special_rules {
    rule_facts *facts;  /* indexed by special */
    uint64_t *sets;     /* memory of the sets to which facts[].allows point */
    size_t set_words;   /* number of words of 64 bits in a set of terrains */
    uint64_t *eligible; /* for each special a bit: set if the chunk may ask for it */
    uint64_t *on_land;  /* for each special a bit: set if its zone is ZONE_LAND */
    uint64_t *known; /* for each special a bit, as it was when `land` was computed: set if the
                      * special was eligible and its zone was ZONE_LAND */
    /* Scratch memory for the batch of a chunk, with room for all specials. */
    batch_entry *batch;
    rule_order *orders;
    rule_candidate *candidates;
    size_t entry_words; /* number of words of 64 bits in a set of batch entries (specials that
                         * the chunk asks for) */
    /* For each sector: the set of the batch entries (specials that the chunk asks for) that may
     * have an origin in the sector, because their special had one there at first, or because
     * cells there have changed since. */
    uint64_t *here;
    uint64_t *wanted; /* the set of the batch entries (specials that the chunk asks for) whose
                       * special may be placed once more */
    uint32_t *heads, *next; /* linked lists of the batch entries whose specials have the same
                             * figure (site_figure): heads[figure] is 1 + the index of the first
                             * entry, next[entry] is 1 + the index of the following one; 0 ends
                             * a list */
    uint8_t *trail_ends; /* for each oter: 0 if it is no end of a trail, else 1 + the direction
                          * in which that end is open */
    uint32_t *counts; /* for each oter: which counters of count_row (lake, river, land, ocean)
                         grow by 1 for a cell with that oter */
    uint64_t *land; /* the set of the terrains that `counts` treats as land; scratch memory for
                     * one more such set follows it */
    bool counted;   /* whether `counts` has been filled in */
    /* About the special that is being placed: `city_counts` has for each city how often the
     * special is there already; `cities_met` lists the cities where it is; `full` lists the
     * cities that have enough of it. */
    int32_t city_counts[CITIES_AROUND], cities_met[CITIES_AROUND];
    full_city full[CITIES_AROUND];
    site_bits valid, other, pools[ZONES], used, failed;
};

/* Counts the chunk's cells on z = 0 by kind of ground. Use the count of land only from a call
 * with `again`, made when it is known which specials are eligible. */
rule_census rules_census(generator *g, bool again);

/* rules_unit returns a number in [0, 1) with 53 random bits. rules_round rounds up or down at
 * random, so that the mean is the value. */
double rules_unit(rng *r);
int32_t rules_round(double value, rng *r);

/* Reports to g->trace what was decided about the special, if the trace follows this special. */
void rules_verdict(const generator *g, uint16_t special, ptl_verdict verdict);

/* Reports to g->trace which origins of the special have passed the test, if the trace follows
 * this special. */
void rules_origins(const generator *g, uint16_t special, ptl_why_test test,
                   const site_bits *left);

/* Sets `out` to the origins at which the special passes all tests: ground, connections, cities.
 * Sets the members `ground`, `linked` and `city` of *attempt and reports to g->trace; if
 * attempt is NULL, it does neither. */
void rules_valid(generator *g, uint16_t special, gen_attempt *attempt, site_bits *out);

/* Returns the hash key of a special in this chunk. */
uint64_t rules_key(const generator *g, uint16_t special);

/* An origin that was chosen at random, with a rotation. */
typedef struct rule_spot {
    int32_t x, y;
    int rotation; /* -1: none */
} rule_spot;

/* A search for an origin of one special. At each of the first ORIGINS_TRIED origins a mutable
 * special may try as many growths as its place_order allows, and one growth at each further
 * origin, until too many of its growths were undone in the chunk. Searching paths takes long,
 * so the search also ends after ORIGINS_TRIED origins at which a connection found no path. A
 * fixed special gets ORIGINS_TRIED tries in all. */
typedef struct rule_search {
    /* `tries`: at how many origins the special was tried so far. `wayless`: at how many of them
     * no path was found for one of its connections. */
    int tries, wayless;
} rule_search;
/* May the special be tried at another origin? */
bool rules_go_on(const generator *g, uint16_t special, const rule_search *search);

/* Returns a rotation in which the special of a batch entry may stand at (x, y) without
 * bringing its monsters near SAFE_AT_WORLDGEN specials (place_keeps_peace); -1 if there is
 * none. */
int rules_rotation(generator *g, batch_entry *e, int32_t x, int32_t y, rng *r);

/* rules_place places the special of a batch entry (a special that the chunk asks for) and
 * counts it. It returns false if the special did not grow. If no_way is not NULL, it also
 * returns false if no path was found for one of the special's connections. `search` counts
 * origins at which that happened; `used` gets the cells that the special has taken. Each of the
 * three members may be NULL. */
typedef struct rule_placing {
    rule_search *search;
    place_used *used;
    bool *no_way;
} rule_placing;
bool rules_place(generator *g, batch_entry *e, rule_spot spot, const rule_placing *how);
