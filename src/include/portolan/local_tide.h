/*
 * Tides of a world's sea. A world has tides if the terrain of its sea names the mapgen
 * `shoals` (schema/shoals.md). The tide is a pure function of the game's time: it is not
 * stored, and no map is rewritten for it. What a game has changed on a map does not change
 * with the tide.
 */
#ifndef PORTOLAN_LOCAL_TIDE_H
#define PORTOLAN_LOCAL_TIDE_H

#include "portolan/local.h"
#include "portolan/tide.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Gives the height of the tide at a turn of the game. It is ptl_tide_height(turn / n), where n
 * is the number of turns that one step of the tide takes, as the world's region states it.
 * PTL_ERR_ARGUMENT if turn is below 0, PTL_ERR_NOT_FOUND if the world's sea has no tides.
 */
PTL_API ptl_status ptl_local_tide(int32_t *out, const ptl_world *world, int64_t turn,
                                  ptl_error *err);

/* Returns how many turns of the game one step of the tide takes; 0 if the world has no
 * tides. */
PTL_API int64_t ptl_local_tide_turns(const ptl_world *world);

/*
 * A local tide: a game makes the sea rise around a tile of level 0. The local tide acts within
 * 8 tiles (the larger of the distances along x and y) on the water that comes from the sea. At
 * the tile itself this water rises in each step of the tide by 5 (in units of ptl_tide_height),
 * until it is 50 higher than without the local tide; for each tile of distance the rise is 3
 * less. Where several local tides overlap, the highest counts. The raised water passes over
 * ground that is lower than itself, and so over barriers that the tide alone does not reach,
 * but it still comes only from the open sea.
 *
 * The beginning and the end count by whole steps of the tide: the local tide lasts from the
 * first to the last step that it touches. Only its tile and its two turns are stored.
 * ptl_local_get and all calls of this header that have a parameter turn take it into account,
 * in whatever order a caller goes through the turns.
 */
typedef struct ptl_local_surge {
    size_t size;
    int64_t x, y;         /* absolute tiles; an OMT has 24 along each side */
    int64_t begins, ends; /* turns of the game; ends is the first turn after the local tide */
} ptl_local_surge;

#define PTL_LOCAL_SURGE_INIT PTL_SIZED(ptl_local_surge)

/*
 * Stores a local tide, in a transaction of its own. A world may have any number of them. They
 * stay stored when they are over, so that earlier turns look as they did; the view v_surge
 * lists them in SQL. PTL_ERR_EXISTS: another local tide begins at the same tile and turn.
 * PTL_ERR_ARGUMENT: the tile is outside of all chunks, `begins` is below 0, or `ends` is not
 * after it. PTL_ERR_NOT_FOUND: the world's sea has no tides.
 */
PTL_API ptl_status ptl_local_surge_add(ptl_world *world, const ptl_local_surge *surge,
                                       ptl_error *err);
/*
 * Changes the end of a stored local tide to surge->ends, which may be earlier or later than
 * before. The local tide is the one that begins at the tile and the turn of *surge. If `ends`
 * is not after `begins`, the local tide is removed as if it had never been. PTL_ERR_NOT_FOUND
 * if there is no such local tide.
 */
PTL_API ptl_status ptl_local_surge_end(ptl_world *world, const ptl_local_surge *surge,
                                       ptl_error *err);

/* The state of a tile of the sea, of an island or of the shore. */
typedef struct ptl_local_water {
    size_t size;
    int32_t height, spill; /* height and spill of the tile, as in ptl_tide_spill; spill is
                            * INT32_MIN for the open sea and INT32_MAX where the sea never
                            * comes */
    int32_t tide;          /* water level of the open sea, as in ptl_tide_height */
    int32_t depth;         /* depth of the water on the tile, in the unit of its height; 0 if
                            * the tile is dry */
    ptl_shoals_ground ground;
    int32_t lag; /* how many steps of the tide ago the tile's water left the open sea, 0..24;
                  * -1 if the tile is cut off from the sea */
} ptl_local_water;

#define PTL_LOCAL_WATER_INIT PTL_SIZED(ptl_local_water)

/*
 * Tells the state of a tile of level 0 at a turn. The state is computed from the heights of the
 * ground. Where the content or a game has put terrain on the sea, the tile has the height of
 * that terrain (schema/shoals.md, "What stands on the sea"); things that lie on the tile do not
 * matter. Stored maps around the tile are read; maps that are not stored are made for this and
 * not stored. Chunks that they need are generated and saved before. x and y are absolute tiles;
 * an OMT has 24 along each side. PTL_ERR_NOT_FOUND: the tile's OMT is neither sea nor shore, or
 * the world's sea has no tides. Other errors as for ptl_local_get.
 */
PTL_API ptl_status ptl_local_water_get(ptl_local_water *out, ptl_world *world, int64_t x,
                                       int64_t y, int64_t turn, ptl_error *err);

/*
 * Checks the heights and spills (see ptl_tide_spill) that are stored with local maps of the
 * coast and that ptl_local_water_get uses (schema/shoals.md, "Spills"): computes both again for
 * all stored maps and compares them. on_problem (may be NULL) is called for each map with
 * different numbers. Older programs stored maps without these numbers, which is no problem: the
 * numbers are computed when they are needed. *checked and *problems (both may be NULL) count
 * maps. Left out are maps that another generator version or content made, and maps around which
 * a chunk is not saved. Nothing is written; ptl_repair replaces wrong numbers.
 */
PTL_API ptl_status ptl_local_spills_verify(uint64_t *checked, uint64_t *problems,
                                           ptl_world *world,
                                           void (*on_problem)(void *payload,
                                                              const ptl_problem *problem),
                                           void *payload, ptl_error *err);

/* Limits of ptl_local_ford_find. PTL_LOCAL_FORD_SIDE is the longest side, in OMTs, of the
 * rectangle that the two places may span. PTL_LOCAL_FORD_AROUND is how many OMTs a way may lead
 * outside of this rectangle. PTL_LOCAL_FORD_WINDOWS is how many windows (ranges of turns in
 * which a way is open) one period of the tide may have. */
enum {
    PTL_LOCAL_FORD_SIDE = 64,
    PTL_LOCAL_FORD_AROUND = 3,
    PTL_LOCAL_FORD_WINDOWS = PTL_TIDE_PERIOD / 2
};

/* When a way is open between two places, in turns of the game. */
typedef struct ptl_local_ford {
    size_t size;
    int64_t period; /* length of the tide's period, in turns; a way that is open at some turns
                     * of one period is open at the same turns of each later one, if no local
                     * tide changes that */
    int32_t tide;   /* how high the open sea may stand at most for the way to be open; below
                       PTL_TIDE_LOW if it is never open */
    int32_t count;  /* number of windows (ranges of turns in which a way is open). Window i has
                     * the turns from[i]..to[i], both included; windows are in the order of
                     * turns */
    int64_t from[PTL_LOCAL_FORD_WINDOWS], to[PTL_LOCAL_FORD_WINDOWS];
} ptl_local_ford;

#define PTL_LOCAL_FORD_INIT PTL_SIZED(ptl_local_ford)

/*
 * Finds when one can walk from one tile of level 0 to another without swimming, during one
 * period of the tide: the one that begins with the step in which `turn` lies. A way goes from
 * tile to tile, to any of the eight neighbours, over land and shallow water; only heights
 * count. A window is a range of turns during which a whole way is open. (x0, y0) and (x1, y1)
 * are absolute tiles. OMTs that are neither sea nor shore count as land, except rivers and
 * lakes, which no way can cross. If the sea's profile is PTL_TIDE_GENTLE, the tide does not
 * matter: a way is open at all times or never.
 *
 * Nothing is generated. The search takes 37 bytes of memory for each tile. PTL_ERR_LIMIT: the
 * places are more than PTL_LOCAL_FORD_SIDE OMTs apart. PTL_ERR_NOT_FOUND: a chunk is not saved,
 * or the world has no tides. PTL_ERR_ARGUMENT: turn is below 0.
 */
PTL_API ptl_status ptl_local_ford_find(ptl_local_ford *out, ptl_world *world, int64_t x0,
                                       int64_t y0, int64_t x1, int64_t y1, int64_t turn,
                                       ptl_error *err);

/*
 * Washes the stored map of an OMT at a turn: moves what stands or lies in deep water to a tile
 * beside it. This only happens in a world whose sea has the profile PTL_TIDE_FULL.
 *
 * First, each walking creature in deep water moves to one of its eight neighbouring tiles: the
 * highest of those that one can stand on, that are not deep, and that have no creature. Of
 * equally high tiles it takes the first, clockwise from the north. Then each item (with its
 * contents), item group, corpse and vehicle in deep water moves in the same way, but a
 * creature on the new tile does not matter. A group of items or monsters that covers a
 * rectangle shrinks to the smallest rectangle around those of its tiles that one can stand on;
 * if there are none, it moves to the highest tile beside it. A vehicle counts as standing on
 * the single tile at which the map has it.
 *
 * A creature or thing that finds no such tile stays where it is. Where a walking creature
 * stays, the water counts as no deeper than shallow, so that items there stay, too;
 * ptl_local_get shows this water as shallow. Monsters whose type has the flag SWIMS, FLIES or
 * AQUATIC do not move, nor do monster groups with such a monster, nor vehicles with a part
 * that has the flag FLOATS.
 *
 * The new tile may belong to a neighbouring OMT; its map is made if it is not stored. Things
 * that move there get the last numbers among that map's entities. All changed maps are stored
 * in one transaction, as by ptl_local_put. If moved is not NULL, *moved becomes the number of
 * things that moved.
 *
 * PTL_ERR_NOT_FOUND: the OMT's map is not stored. PTL_ERR_EXISTS as for ptl_local_put; nothing
 * has moved then. PTL_ERR_MISMATCH and PTL_ERR_CONTENT as for ptl_local_get.
 */
PTL_API ptl_status ptl_local_wash(size_t *moved, ptl_world *world, ptl_omt at, int64_t turn,
                                  ptl_error *err);

#ifdef __cplusplus
}
#endif

#endif
