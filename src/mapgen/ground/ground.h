/*
 * Ground: local maps of terrains that the games make by code, not by content. A map depends
 * only on its ground_site: the OMT with its neighbours, the world's seed and the settings. What
 * two neighbours must agree on at their border, such as a bank or a sidewalk, follows from what
 * both know: their terrains, and a random stream keyed by the border.
 */
#pragma once

#include "gen/coast/coast_window.h"
#include "mapgen/ground/settings.h"
#include "model/local_map.h"

/* An OMT as its neighbours see it. */
typedef struct ground_omt {
    const char *id;   /* id of the terrain, with its direction; "" outside of all levels */
    const char *type; /* id of the terrain, without its direction; "" outside of all levels */
    uint8_t line;     /* of a linear terrain: the sides to which it leads; the bits 0 to 3 stand
                         for north, east, south and west */
    uint8_t turns;    /* of a terrain with a direction: clockwise quarter turns */
    bool sidewalk;    /* the terrain has the flag SIDEWALK */
    bool road;        /* the terrain has the flag ROAD, so roads lead into it */
    bool water;       /* the terrain is a river, lake or ocean, or a shore of one */
    bool way; /* the terrain is a road, highway or bridge; the sea below it stays as it is */
} ground_omt;

enum { GROUND_AROUND = 9, GROUND_MIDDLE = 4 };
/* Sides of an OMT, and numbers of the bits of ground_omt.line. */
enum { GROUND_NORTH, GROUND_EAST, GROUND_SOUTH, GROUND_WEST, GROUND_SIDES };

/* The terrains that name the mapgen `shoals`, and the one coast to which all of them belong. */
typedef struct ground_shoals {
    coast coast;
    const char *const *types;
    size_t type_count;
} ground_shoals;

/* Tiles of this level that must have stairs or the like, because the map of the level above
 * (`up`) or below (`down`), which content draws, has stairs to this level there. Both ends of
 * the stairs have the same coordinates. */
enum { GROUND_GIVEN_MAX = 8 };
typedef struct ground_given {
    uint16_t cells[GROUND_GIVEN_MAX];
    /* For each tile in `cells`, the terrain that must stand there, for example stairs. */
    const char *terrains[GROUND_GIVEN_MAX];
    size_t count;
} ground_given;

typedef struct ground_site {
    const ground_settings *settings;
    id_pool *pool;
    int64_t x, y; /* place of the OMT */
    int z;
    uint64_t seed_key; /* key of the world's seed, for the random streams of
                          borders between OMTs */
    uint64_t key;      /* a number made from the world's seed, the OMT's place and
                        * its terrain: the key of this OMT's own random stream */
    ground_omt around[GROUND_AROUND]; /* the OMT and its eight neighbours, row by row from the
                                         north-west */
    ground_omt above, below;
    const ground_shoals *shoals; /* NULL: the world has no shoals */
    ground_given up, down;       /* stairs and the like that content has drawn on the map above
                                  * (`up`) and on the map below (`down`); empty if that map is
                                  * made by code or has none */
} ground_site;

/* Does water cover an OMT? It does if the overmap has water there (`water`), or a road or
 * bridge (`way`) where the plan of the coast has no land. */
bool ground_shoals_wet(bool water, bool way, coast_omt planned);

/* Fills the map of an OMT, in its final rotation. `type` is the id, without direction, of
 * the OMT's terrain, or of one that stood there before another terrain replaced it. False:
 * there is no generator of the type, and the map is as it was. */
bool ground_make(local_map *map, const ground_site *site, const char *type);

/* Is there a generator of the type, that is, code that makes its maps? */
bool ground_is_made(const char *type);
/* Returns the type whose generator makes a terrain with this id. builtin is the name of the
 * games' own mapgen that the terrain states (NULL or "": none). The id itself is returned if it
 * has a generator of its own, or if nothing has one. */
const char *ground_type_of(const char *id, const char *builtin);

/* An item group that code puts on the maps of a type: `times` times, each with a chance in
 * percent. */
typedef struct ground_thing {
    uint32_t group;
    int32_t chance, times;
} ground_thing;

enum { GROUND_THINGS_MAX = 2 };

/* Gives all things, such as items, that the generator of a type puts on a map, apart from
 * vehicles on roads, and returns how many item groups these are. -1: they depend on more than
 * the type; or there is no generator. */
int ground_things_of(ground_thing out[GROUND_THINGS_MAX], const ground_settings *settings,
                     id_pool *pool, const char *type);
/* May vehicles stand on maps of the type (ground_road_of)? */
bool ground_has_traffic(const char *type);

/* Returns a palette of the ids that maps of a forest are mostly made of (local_palette,
 * model/local_map.h), as the number of its text in the id_pool. The ids are counted on a few
 * maps that are made for this, always the same ones. ID_NONE: the type is no forest. */
uint32_t ground_palette(const ground_settings *settings, id_pool *pool, const char *type);

/* ---- ways between levels and to neighbours, also for maps that content draws ---- */

/* A tile that leads to the level above or below. */
typedef struct ground_way {
    int x, y;
    const char *terrain;
} ground_way;

enum { GROUND_WAYS = 2 * GROUND_GIVEN_MAX };

/* Gives the ways (stairs and the like) that stand on the map of this OMT: its own ways down,
 * and the lower ends of the ways that the level above has down to it. Returns how many. A way
 * down and its end on the level below have the same coordinates. */
size_t ground_ways_of(ground_way out[GROUND_WAYS], const ground_site *site);
/* Returns whether maps of this type must have stairs that match those of other levels: at each
 * tile where the map above or below, drawn by content, has stairs that lead to this level, the
 * map must have stairs or the like, too. */
bool ground_answers(const char *type);
/* Returns the terrain at the other end of a way between two levels, for example stairs up for
 * stairs down. `down`: the terrain leads to the level below; otherwise to the level above.
 * NULL: the terrain does not lead there. */
const char *ground_answer(const char *terrain, bool down);
/* Puts a thing on a rectangle of tiles, both corners included. */
void ground_add(local_map *map, int x, int y, int x2, int y2, local_entity e);
/* Turns the place of a tile clockwise with its map, by quarter turns. */
void ground_turn(int *x, int *y, int turns);
/* Returns the index in ground_site.around of the neighbour on a side. */
int ground_beside(int side);
/* Does a way lead to this side, that is, do the OMT and its neighbour there belong to the same
 * family of terrains (caves, mines, laboratories ...)? Seen from the neighbour the answer is
 * the same. */
bool ground_leads(const ground_site *site, int side);
/* Returns where tunnels and the like cross the border on a side: tile 8 to 15, counted from
 * west or north. */
int ground_crosses(const ground_site *site, int side);
/* The vehicles on a road or the like: content's names for the kind of traffic and for the
 * shape of the road, and the quarter turns by which a drawing of that shape is rotated. */
typedef struct ground_road {
    const char *spawn, *shape;
    int turns;
} ground_road;

/* Finds which vehicles come on the maps of the OMT's terrain; false: none do. `type` has the
 * same meaning as for ground_make. */
bool ground_road_of(ground_road *out, const ground_site *site, const char *type);
/* Is the type one of a laboratory? */
bool ground_is_lab(const char *type);
