/* Local maps read one by one: the stored one of a place, else one that is made and thrown away.
 * Nothing is written. */
#ifndef WORLD_LOCAL_READER_H
#define WORLD_LOCAL_READER_H

#include "model/local_map.h"
#include "portolan/area.h"
#include "portolan/local_tide.h"
#include "world/world.h"

typedef struct local_reader local_reader;

/* A map: borrowed until the next call with the reader. */
typedef struct local_read {
    const local_map *map; /* NULL: none is stored */
    const id_pool *pool;  /* of its ids and texts */
    const char *oter;     /* the terrain that it was made for */
    bool fallback;
} local_read;

/* Returns a new one; NULL when memory is out. The world is borrowed. */
local_reader *local_reader_new(ptl_world *world);
void local_reader_free(local_reader *reader); /* NULL is fine */

/* The stored map alone: *out has no map where there is none. */
ptl_status local_reader_stored(local_read *out, local_reader *reader, ptl_omt at,
                               ptl_error *err);
/* The stored map, else what would be made for turn 0. PTL_ERR_NOT_FOUND if a chunk that it
 * depends on is not saved with all steps; else as ptl_local_get. */
ptl_status local_reader_get(local_read *out, local_reader *reader, ptl_omt at, ptl_error *err);
/* From now on maps are shown at the tide of a turn. */
ptl_status local_reader_show(local_reader *reader, int64_t turn, ptl_error *err);
/* Says what the sea is at an OMT at a turn. PTL_ERR_NOT_FOUND as of local_reader_get. */
struct local_sea;
ptl_status local_reader_sea_at(struct local_sea *out, local_reader *reader, ptl_omt at,
                               int64_t turn, ptl_error *err);
/* ptl_local_water_get of saved chunks alone: PTL_ERR_NOT_FOUND likewise. */
ptl_status local_reader_water(ptl_local_water *out, ptl_world *world, int64_t x, int64_t y,
                              int64_t turn, ptl_error *err);
/* Gives a maker over the reader, which it borrows, as it does the mapgen; NULL: the world's.
 * Its looks fail with PTL_ERR_NOT_FOUND where chunks are not saved. */
struct local_maker;
struct world_mapgen;
ptl_status local_reader_maker(struct local_maker *out, local_reader *reader,
                              struct world_mapgen *mapgen, ptl_error *err);
/* How many were made. */
uint64_t local_reader_made(const local_reader *reader);

#endif
