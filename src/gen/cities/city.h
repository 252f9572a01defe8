/*
 * A city in work: what step_cities, its streets and its buildings share. Streets grow and
 * houses rise along them in one recursion (generation.md 5.6), from the city's own stream, so
 * that one city more or less does not change the others.
 */
#ifndef GEN_CITIES_CITY_H
#define GEN_CITIES_CITY_H

#include "gen/connect/connect_impl.h"

enum {
    CITY_STREETS_MAX = 4096, /* asked for, of one city */
    CITY_DUE_MAX = 16,
    CITY_STREET = 1 << 30 /* in built: a street runs here; other bits: z + 10 */
};

/* What holds for all cities of a chunk. */
typedef struct city_ground {
    generator *g;
    int32_t *built;         /* SIZE * SIZE: levels with a building's tile, CITY_STREET */
    const oter_class *road; /* of the road's connection, by oter */
    ptl_oter isolated; /* a street's tile without arms; CAT_NONE: no road on default ground */
    ptl_oter manhole;  /* CAT_NONE if the content has none */
    bool unique_seen;  /* the event about unique buildings was written */
    bool urban;        /* large cities have lists of their own: the content is Bright Nights' */
    bool unfit_seen;   /* the one about lists that have nothing for a city */
} city_ground;

typedef struct town {
    city_ground *ground;
    rng random;
    int16_t index;      /* in the chunk's list */
    int32_t x, y, size; /* centre, nominal radius */
    bool fixed;         /* where the content says, which may be at the border */
    int32_t streets;    /* that may still be asked for */
    int32_t finale;     /* places for buildings until the finale's turn; -1 if none is due */
    uint16_t due[CITY_DUE_MAX]; /* unique buildings of the world that are to stand here */
    size_t due_count;
    int32_t due_turn; /* places until their turn */
} town;

/*
 * Unique buildings (city_buildings.c), in levelled regions. A GLOBALLY_UNIQUE one stands in one
 * city of its home chunk: the largest of the planned ones that is of a size for it, the first
 * of equals. Fills t->due with those of the site; others of the chunk are told as dropped if
 * there is no such site.
 */
void city_find_due(town *t, const city_site *sites, size_t count, size_t site);
void city_tell_homeless(generator *g, const city_site *sites, size_t count);

/* From (x, y) for the city's size in a direction, with all that grows on it. */
void city_street(town *t, int32_t x, int32_t y, int direction);

/* Places a building beside the street cell (x, y), to that side of it, facing it; or
 * nothing. */
void city_building(town *t, int32_t x, int32_t y, int side);

static inline bool city_clear(int32_t x, int32_t y)
{
    return x >= 1 && x < SIZE - 1 && y >= 1 && y < SIZE - 1;
}

#endif
