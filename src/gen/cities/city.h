/*
 * A city while it is being built: the data that step_cities shares with the code of streets and
 * buildings. Streets grow, and buildings are placed along them, in one recursion (generation.md
 * 5.6). Each city has a stream of random numbers of its own, so that adding or removing one
 * city does not change the other cities.
 */
#pragma once

#include "gen/connect/connect_impl.h"

enum {
    CITY_STREETS_MAX = 4096, /* the most straight streets that are tried for one city */
    /* The most buildings with the flag GLOBALLY_UNIQUE that may share a home chunk, the only
     * chunk of the world in which they may stand. */
    CITY_DUE_MAX = 16,
    CITY_STREET = 1 << 30 /* flag in city_ground.built: a street runs through the cell */
};

/* Data that all cities of a chunk share. */
typedef struct city_ground {
    generator *g;
    /* By cell: bit z + 10 is set if a building has an OMT there on level z; the flag
     * CITY_STREET is set if a street runs there. */
    int32_t *built;
    /* By oter: what the connection of streets draws on it, and how a street may pass it
     * (oter_class). */
    const oter_class *road;
    /* Oter of a road without arms; CAT_NONE: no road can be drawn on the default terrain. */
    ptl_oter isolated;
    /* Oter of a street crossing with a manhole; CAT_NONE if the content has none. */
    ptl_oter manhole;
    bool unique_seen; /* whether the event unique_skipped has been written for this chunk */
    /* Whether the content has lists of buildings for large cities (Bright Nights). */
    bool urban;
    bool unfit_seen; /* whether the event no_building has been written for this chunk */
    /* The largest chance, over the region's lists of buildings, that a building drawn from the
     * list is set back (city_note_set_back); in parts of 2^32. */
    uint64_t set_back;
} city_ground;

typedef struct town {
    city_ground *ground;
    rng random;
    int16_t index;      /* index in the chunk's list of cities */
    int32_t x, y, size; /* centre and nominal radius */
    bool fixed; /* whether the content gives the city's place, which may be at the border */
    int32_t streets; /* how many straight streets may still be tried */
    /* After how many more places for buildings the finale (a building that a large city gets
     * once) may be placed; -1: the city gets none. */
    int32_t finale;
    /* Buildings of which the world has only one, and which this city must get. */
    uint16_t due[CITY_DUE_MAX];
    size_t due_count;
    /* The number of places for buildings that must pass before the buildings in `due` may be
     * placed. */
    int32_t due_turn;
} town;

/*
 * Buildings that a world has once, in regions that define the terrains of all levels
 * (city_buildings.c). A building with the flag GLOBALLY_UNIQUE has a home chunk, which is
 * chosen at random by the seed. There it stands in one city: the largest planned city whose
 * size the building accepts, or the first of several that are equally large. city_find_due
 * fills t->due with the buildings of the city at this site. city_tell_homeless writes an event
 * for each building that no city of its home chunk accepts, so that the world lacks it.
 */
void city_find_due(town *t, const city_site *sites, size_t count, size_t site);
void city_tell_homeless(generator *g, const city_site *sites, size_t count);

/* Computes ground->set_back. A building is set back if it has no OMT on the ground cell beside
 * the street, such as a hotel behind its drive. It may be placed where that cell is taken. */
void city_note_set_back(city_ground *ground);

/* Builds a street from (x, y) in a direction, about as long as the city's radius, with all side
 * streets and buildings that grow on it. */
void city_street(town *t, int32_t x, int32_t y, int direction);

/* Tries to place a building next to the street cell (x, y), on the given side and facing the
 * street. Places nothing if no building fits. */
void city_building(town *t, int32_t x, int32_t y, int side);
