/*
 * Tides of a world's sea, where its terrain names the mapgen `shoals` (schema/shoals.md): pure
 * functions of the world's time. No tide is stored, no map rewritten; what a game has changed
 * on a map does not change with the tide.
 */
#ifndef PORTOLAN_LOCAL_TIDE_H
#define PORTOLAN_LOCAL_TIDE_H

#include "portolan/local.h"
#include "portolan/tide.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Gives the height of the tide at a turn of the game: ptl_tide_height of the turn divided by
 * what the world's region says of turns in one step of the tide. PTL_ERR_ARGUMENT for a turn
 * below 0, PTL_ERR_NOT_FOUND where the world's sea has no tides.
 */
PTL_API ptl_status ptl_local_tide(int32_t *out, const ptl_world *world, int64_t turn,
                                  ptl_error *err);

/* Returns how many turns of the game one step of the tide takes; 0: the world has no tides. */
PTL_API int64_t ptl_local_tide_turns(const ptl_world *world);

/*
 * A local tide: a game calls the sea to a tile of level 0. Within 8 tiles of it (the larger of
 * both distances) the water that comes from the sea stands higher: at the tile by 5 more in
 * each step of the tide since it began, up to 50, and by 3 less for each tile of distance; of
 * several the highest counts. It passes over what is lower than it is then, so it comes over
 * bars that the tide does not reach, yet from the open sea alone. Begin and end count by whole
 * steps of the tide: the first and the last one that it touches. Nothing but this event is
 * stored: ptl_local_get and all else here that takes a turn follow it, whatever the order of
 * turns.
 */
typedef struct ptl_local_surge {
    size_t size;
    int64_t x, y;         /* absolute tiles, 24 a side of an OMT */
    int64_t begins, ends; /* turns of the game; ends is the first one after it */
} ptl_local_surge;

#define PTL_LOCAL_SURGE_INIT PTL_SIZED(ptl_local_surge)

/*
 * Stores a local tide, in a transaction of its own. SQL lists them: view v_surge. A world may
 * have any number; those that are over stay, so that earlier turns look as they did.
 * PTL_ERR_EXISTS if one begins at that tile and turn; PTL_ERR_ARGUMENT for a tile outside of
 * all chunks, a begin below 0 and an end that is not after it; PTL_ERR_NOT_FOUND where the
 * world's sea has no tides.
 */
PTL_API ptl_status ptl_local_surge_add(ptl_world *world, const ptl_local_surge *surge,
                                       ptl_error *err);
/*
 * Makes the local tide of that tile and beginning end at another turn, earlier or later; if
 * `ends` is not after `begins` it is removed, and never was. PTL_ERR_NOT_FOUND if there is
 * none.
 */
PTL_API ptl_status ptl_local_surge_end(ptl_world *world, const ptl_local_surge *surge,
                                       ptl_error *err);

/* A tile of the sea, of an island or of the shore. */
typedef struct ptl_local_water {
    size_t size;
    int32_t height, spill; /* as of ptl_tide_spill; spill INT32_MIN: the open sea; INT32_MAX:
                            * the sea never comes there */
    int32_t tide;          /* how high the open sea stands */
    int32_t depth;         /* of the water; 0: the tile is dry */
    ptl_shoals_ground ground;
    int32_t lag; /* steps of the tide since the water that the tile has left the open sea,
                  * 0..24; -1: it is cut off from the sea */
} ptl_local_water;

#define PTL_LOCAL_WATER_INIT PTL_SIZED(ptl_local_water)

/*
 * Says how a tile of level 0 is at a turn, by its height, which is that of what content or a
 * game has put there where that is not as the sea was made (schema/shoals.md, "What stands on
 * the sea"): stored maps around are read, others are made and not stored. What lies on the
 * tile is not asked. x, y are absolute tiles, 24 a side of an OMT. Chunks that this depends on
 * are generated and saved before. PTL_ERR_NOT_FOUND for a tile of an OMT that is no sea or
 * shore, or of a world whose sea names no shoals; else as ptl_local_get.
 */
PTL_API ptl_status ptl_local_water_get(ptl_local_water *out, ptl_world *world, int64_t x,
                                       int64_t y, int64_t turn, ptl_error *err);

/*
 * Finds the heights and spills of all stored maps of the world's coast again and compares them
 * with those that are stored with the maps (schema/shoals.md, "Spills"): what
 * ptl_local_water_get gives of these. on_problem (may be NULL) is called for each map that has
 * others; of maps without any, as older programs stored them, it is not: theirs are found when
 * they are asked for. *checked and *problems (may be NULL) count maps. Maps that another
 * generator version or content made, or whose chunks around are not saved, are left out.
 * Nothing is written; ptl_repair writes them anew.
 */
PTL_API ptl_status ptl_local_spills_verify(uint64_t *checked, uint64_t *problems,
                                           ptl_world *world,
                                           void (*on_problem)(void *payload,
                                                              const ptl_problem *problem),
                                           void *payload, ptl_error *err);

/* The longest side of the rectangle of OMTs that two places may span, how many OMTs around it a
 * way may lead through, and how many windows a period may have. */
enum {
    PTL_LOCAL_FORD_SIDE = 64,
    PTL_LOCAL_FORD_AROUND = 3,
    PTL_LOCAL_FORD_WINDOWS = PTL_TIDE_PERIOD / 2
};

/* When a way is open between two places, in turns of the game. */
typedef struct ptl_local_ford {
    size_t size;
    int64_t period; /* turns; the same comes again after it, but for local tides */
    int32_t tide;   /* how high the open sea stands at most while the way is open; below
                     * PTL_TIDE_LOW: it is never open */
    int32_t count;  /* of windows, in their order: turns from..to, both included */
    int64_t from[PTL_LOCAL_FORD_WINDOWS], to[PTL_LOCAL_FORD_WINDOWS];
} ptl_local_ford;

#define PTL_LOCAL_FORD_INIT PTL_SIZED(ptl_local_ford)

/*
 * Finds when one can go from a tile of level 0 to another without swimming, in the period of
 * the tide that begins with the step in which `turn` lies: over land and shallow water, tile by
 * tile to eight neighbours, by heights alone. A window has the turns at which all of one way is
 * open. x, y are absolute tiles. OMTs that are neither sea nor shore count as land, or as no
 * way where they are other water. Where the profile of the sea is gentle the tide changes no
 * way: it is open always or never. Nothing is generated; 37 bytes a tile are taken.
 * PTL_ERR_LIMIT for places more than PTL_LOCAL_FORD_SIDE OMTs apart, PTL_ERR_NOT_FOUND where
 * chunks are not saved or the world has no tides, PTL_ERR_ARGUMENT for a turn below 0.
 */
PTL_API ptl_status ptl_local_ford_find(ptl_local_ford *out, ptl_world *world, int64_t x0,
                                       int64_t y0, int64_t x1, int64_t y1, int64_t turn,
                                       ptl_error *err);

/*
 * Washes the stored map of an OMT at a turn, where the profile of the sea is full: each
 * creature that walks and stands in deep water comes to the highest of the eight tiles beside
 * it that can be stood on, is not deep and has no creature, the first from north on clockwise
 * of equal ones; then each item, item group, corpse and vehicle in deep water does, an item
 * with all that lies in it, whether there is a creature or not. What lies in a rectangle,
 * groups of items or of monsters, comes to the smallest one around its tiles that can be stood
 * on; if it has none, to the highest tile beside it. Where there is no such tile it stays; a
 * tile where a walker stays is no deeper than shallow, so its items stay, too, and
 * ptl_local_get shows it so. Monsters whose type has the flag SWIMS, FLIES or AQUATIC stay
 * where they are, and so do groups that have such a monster, and vehicles with a part that has
 * the flag FLOATS. A vehicle is where its map has it, by one tile.
 *
 * The tile may be one of the OMT beside it: that one's map is made if it is not stored. What
 * comes there lies behind all else there. The maps that have changed are stored together, as by
 * ptl_local_put, and *moved (may be NULL) is how many things were. PTL_ERR_NOT_FOUND if the map
 * is not stored; PTL_ERR_EXISTS as ptl_local_put: nothing has moved then; PTL_ERR_MISMATCH and
 * PTL_ERR_CONTENT as ptl_local_get.
 */
PTL_API ptl_status ptl_local_wash(size_t *moved, ptl_world *world, ptl_omt at, int64_t turn,
                                  ptl_error *err);

#ifdef __cplusplus
}
#endif

#endif
