/*
 * Ground: local maps of terrains that the games make by code, not by content. A map is a pure
 * function of its site. What two neighbours must agree on at their border (a bank, a sidewalk)
 * depends on what both know: their terrains, and streams keyed by the border.
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
/* Sides, and the bits of ground_omt.line. */
enum { GROUND_NORTH, GROUND_EAST, GROUND_SOUTH, GROUND_WEST, GROUND_SIDES };

/* Terrains that name the mapgen `shoals`, and the coast that they all are of. */
typedef struct ground_shoals {
    coast coast;
    const char *const *types;
    size_t type_count;
} ground_shoals;

/* Ways that a map drawn by content has, above to this level or below from it: what answers them
 * here stands on the same tiles. */
enum { GROUND_GIVEN_MAX = 8 };
typedef struct ground_given {
    uint16_t cells[GROUND_GIVEN_MAX];
    const char *terrains[GROUND_GIVEN_MAX]; /* what stands there on this level */
    size_t count;
} ground_given;

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
    ground_given up, down;       /* none: what is there is ground, too, or has no ways */
} ground_site;

/* Is an OMT wet, of which the overmap has that there is water, or a way? */
bool ground_shoals_wet(bool water, bool way, coast_omt planned);

/* Fills the map of a terrain, as it lies: nothing is to be turned after. `type` is the site's
 * own, or that of what it was before something was drawn over it. False: there is no generator
 * of it, and nothing was done. */
bool ground_make(local_map *map, const ground_site *site, const char *type);

/* Is there a generator of it? */
bool ground_is_made(const char *type);
/* Returns the type whose generator makes a terrain of that id, which names one of the games'
 * own mapgens (NULL or "": none): the id itself where that has one, or nothing has. */
const char *ground_type_of(const char *id, const char *builtin);

/* Gives the pool's number of what maps of a terrain are made of (model/local_palette.h): of
 * some that are made to be counted, which are always the same. ID_NONE: it is no forest. */
uint32_t ground_palette(const ground_settings *settings, id_pool *pool, const char *type);

/* ---- what ways have in common: for maps that are drawn otherwise, too ---- */

/* A tile that leads to the next level. */
typedef struct ground_way {
    int x, y;
    const char *terrain;
} ground_way;

enum { GROUND_WAYS = 2 * GROUND_GIVEN_MAX };

/* Returns how many ways down and up the site's terrain has, of its own and of the one above.
 * One down stands where, a level below, the one up does. */
size_t ground_ways_of(ground_way out[GROUND_WAYS], const ground_site *site);
/* Must a terrain of that type answer the ways of maps that content draws above and below? */
bool ground_answers(const char *type);
/* What answers a terrain that leads down, or up: on the next level, at the same place. NULL: it
 * does not lead there. */
const char *ground_answer(const char *terrain, bool down);
/* The place of the neighbour on a side, in ground_site.around. */
int ground_beside(int side);
/* Does a way lead to that side: is the neighbour of the same sort? It is the same seen from
 * there. */
bool ground_leads(const ground_site *site, int side);
/* Where ways cross the border on a side, 8..15 from west or north. */
int ground_crosses(const ground_site *site, int side);
/* Where vehicles stand on a way: the content's name of what comes there, that of its shape, and
 * how often drawings of the shape are turned. */
typedef struct ground_road {
    const char *spawn, *shape;
    int turns;
} ground_road;

/* False: vehicles come on no such terrain. `type` as of ground_make. */
bool ground_road_of(ground_road *out, const ground_site *site, const char *type);
/* Is it a laboratory of any sort? */
bool ground_is_lab(const char *type);

#endif
