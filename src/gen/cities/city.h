/*
 * A city while it is being built: what step_cities, its streets and its buildings share.
 * Streets grow and houses rise along them in one recursion (generation.md 5.6). Each city
 * draws from a random stream of its own, so that adding or removing one city does not change
 * the others.
 */
#pragma once

#include "gen/connect/connect_impl.h"

enum {
    CITY_STREETS_MAX = 4096, /* street pieces that one city may try */
    CITY_DUE_MAX = 16,
    CITY_STREET = 1 << 30 /* flag in built[]: a street runs here; the other bits are z + 10 */
};

/* What all cities of a chunk share. */
typedef struct city_ground {
    generator *g;
    int32_t *built; /* SIZE * SIZE: bit z + 10 where a building has an OMT; CITY_STREET */
    const oter_class *road; /* classes of the road's connection, indexed by oter */
    ptl_oter isolated;      /* a street OMT without arms; CAT_NONE: no road on default ground */
    ptl_oter manhole;       /* CAT_NONE if the content has none */
    bool unique_seen;       /* the event about unique buildings has been written */
    bool urban;      /* the content has building lists for large cities (Bright Nights) */
    bool unfit_seen; /* the event about lists without a fitting building has been written */
} city_ground;

typedef struct town {
    city_ground *ground;
    rng random;
    int16_t index;      /* index in the chunk's list of cities */
    int32_t x, y, size; /* centre and nominal radius */
    bool fixed;         /* the content fixes the place, which may be at the border */
    int32_t streets;    /* street pieces that may still be tried */
    int32_t finale;     /* building places left until the finale's turn; -1 if none is due */
    uint16_t due[CITY_DUE_MAX]; /* the world's unique buildings that belong in this city */
    size_t due_count;
    int32_t due_turn; /* building places left until their turn */
} town;

/*
 * Unique buildings in levelled regions (city_buildings.c). A GLOBALLY_UNIQUE building stands
 * in one city of its home chunk: the largest planned city whose size the building accepts, the
 * first one of several equally large. city_find_due fills t->due with the buildings of this
 * site. city_tell_homeless writes an event for each building of the chunk that no site can
 * take: it is dropped.
 */
void city_find_due(town *t, const city_site *sites, size_t count, size_t site);
void city_tell_homeless(generator *g, const city_site *sites, size_t count);

/* Builds a street from (x, y) in a direction, about as long as the city's size, with all side
 * streets and buildings that grow on it. */
void city_street(town *t, int32_t x, int32_t y, int direction);

/* Tries to place a building next to the street cell (x, y), on the given side and facing the
 * street. Places nothing if none fits. */
void city_building(town *t, int32_t x, int32_t y, int side);
