/* Reads local maps one by one. A map that is not stored is made and thrown away again;
 * nothing is written. */
#pragma once

#include "portolan/area.h"
#include "portolan/local_tide.h"
#include "world/world.h"

typedef struct local_reader local_reader;

/* A map that a reader gives. It is borrowed until the next call with the reader. */
typedef struct local_read {
    const local_map *map; /* NULL: no map is stored there */
    const id_pool *pool;  /* the pool that its ids and texts are numbers of */
    const char *oter;     /* id of the oter that the map was made for */
    bool fallback;
} local_read;

/* Returns a new reader, or NULL when memory is out. The world is borrowed. */
local_reader *local_reader_new(ptl_world *world);
void local_reader_free(local_reader *reader); /* NULL is fine */

/* Gives the stored map; out->map is NULL if there is none. */
ptl_status local_reader_stored(local_read *out, local_reader *reader, ptl_omt at,
                               ptl_error *err);
/* Gives the stored map, or else the one that would be made for turn 0. PTL_ERR_NOT_FOUND if
 * the latter depends on a chunk that is not saved with all steps; other errors as for
 * ptl_local_get. */
ptl_status local_reader_get(local_read *out, local_reader *reader, ptl_omt at, ptl_error *err);
/* From now on maps are shown at the tide of this turn. Errors as for ptl_local_tide. */
ptl_status local_reader_show(local_reader *reader, int64_t turn, ptl_error *err);
/* Tells about the sea at an OMT and turn, as world_local_sea_at does. PTL_ERR_NOT_FOUND as
 * for local_reader_get. */
struct local_sea;
ptl_status local_reader_sea_at(struct local_sea *out, local_reader *reader, ptl_omt at,
                               int64_t turn, ptl_error *err);
/* The same as ptl_local_water_get, but generates no chunk: PTL_ERR_NOT_FOUND if one is not
 * saved. */
ptl_status local_reader_water(ptl_local_water *out, ptl_world *world, int64_t x, int64_t y,
                              int64_t turn, ptl_error *err);
/* Gives a maker that looks through the reader, which it borrows, as it does the mapgen (NULL:
 * the world's). Its looks fail with PTL_ERR_NOT_FOUND where a chunk is not saved. */
struct local_maker;
struct world_mapgen;
ptl_status local_reader_maker(struct local_maker *out, local_reader *reader,
                              struct world_mapgen *mapgen, ptl_error *err);
/* Returns how many maps were made and thrown away. */
uint64_t local_reader_made(const local_reader *reader);
