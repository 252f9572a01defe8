/*
 * Ground: local maps of terrains that the games make by code, not by content. A map is a pure
 * function of its site. What two neighbours must agree on at their border (a bank, a sidewalk)
 * hangs on what both know: their terrains, and streams keyed by the border.
 */
#ifndef MAPGEN_GROUND_GROUND_H
#define MAPGEN_GROUND_GROUND_H

#include "gen/coast/coast_water.h"
#include "mapgen/ground/settings.h"
#include "model/local_map.h"

/* An OMT, as its neighbours see it. */
typedef struct ground_omt {
    const char *id;   /* with its direction; "" outside of all levels */
    const char *type; /* without; "" */
    uint8_t line;     /* of a linear one: sides that it leads to, bits N, E, S, W */
    uint8_t turns;    /* of one with a direction: quarter turns, clockwise */
    bool sidewalk;    /* it has the flag SIDEWALK */
    bool road;        /* it has the flag ROAD: roads lead into it */
    bool water;       /* it is river, lake or ocean, or their shore */
    bool way;         /* a road, a highway or a bridge: over the sea it leaves that as it is */
} ground_omt;

enum { GROUND_AROUND = 9, GROUND_MIDDLE = 4 };

/* Terrains that name the mapgen `shoals`, and the coast that they all are of. */
typedef struct ground_shoals {
    coast coast;
    const char *const *types;
    size_t type_count;
} ground_shoals;

typedef struct ground_site {
    const ground_settings *settings;
    id_pool *pool;
    int64_t x, y; /* OMT */
    int z;
    uint64_t seed_key;                /* of the world: for streams of borders */
    uint64_t key;                     /* of this tile and terrain */
    ground_omt around[GROUND_AROUND]; /* row by row from the north-west */
    ground_omt above, below;
    const ground_shoals *shoals; /* NULL: the world has none */
} ground_site;

/* Is an OMT wet, of which the overmap has that there is water, or a way? */
bool ground_shoals_wet(bool water, bool way, coast_omt planned);

/* Fills the map of a terrain, as it lies: nothing is to be turned after. `type` is the site's
 * own, or that of what it was before something was drawn over it. False: there is no generator
 * of it, and nothing was done. */
bool ground_make(local_map *map, const ground_site *site, const char *type);

#endif
