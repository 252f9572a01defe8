/* Reads local maps one by one. If a map is not stored, it is made and thrown away afterwards.
 * Nothing is written to the file. */
#pragma once

#include "portolan/area.h"
#include "portolan/local_tide.h"
#include "world/world.h"

typedef struct local_reader local_reader;

/* A map that a reader has read. It is borrowed until the next call with the reader. */
typedef struct local_read {
    const local_map *map; /* NULL: no map is stored at the place */
    const id_pool *pool;  /* the pool of texts to which the numbers in the map belong */
    const char *oter;     /* id of the oter that the map was made for */
    bool fallback;
} local_read;

/* Returns a new reader, or NULL when memory is out. The world is borrowed. */
local_reader *local_reader_new(ptl_world *world);
void local_reader_free(local_reader *reader); /* freeing NULL does nothing */

/* Gives the stored map of an OMT; out->map is NULL if there is none. */
ptl_status local_reader_stored(local_read *out, local_reader *reader, ptl_omt at,
                               ptl_error *err);
/* Gives the stored map, or else the map that would be made for turn 0. PTL_ERR_NOT_FOUND if
 * making it needs a chunk that is not saved with all steps; other errors as for
 * ptl_local_get. */
ptl_status local_reader_get(local_read *out, local_reader *reader, ptl_omt at, ptl_error *err);
/* Makes the reader give all later maps with or without the damage of riots, except those that a
 * game has edited. PTL_RIOT_DAMAGE_OF_CONTENT: as the world has it. */
void local_reader_damage(local_reader *reader, ptl_riot_damage damage);
/* Makes the reader show all later maps with the tide of this turn. Errors as for
 * ptl_local_tide. */
ptl_status local_reader_show(local_reader *reader, int64_t turn, ptl_error *err);
/* Describes the sea at an OMT and turn, as world_local_sea_at does. PTL_ERR_NOT_FOUND in the
 * same cases as local_reader_get. */
struct local_sea;
ptl_status local_reader_sea_at(struct local_sea *out, local_reader *reader, ptl_omt at,
                               int64_t turn, ptl_error *err);
/* Describes the water on a tile, as ptl_local_water_get does, but generates no chunk:
 * PTL_ERR_NOT_FOUND if a chunk that it needs is not saved. */
ptl_status local_reader_water(ptl_local_water *out, ptl_world *world, int64_t x, int64_t y,
                              int64_t turn, ptl_error *err);
/* Gives a local_maker (which makes local maps) that reads the surroundings of OMTs through
 * the reader. The maker borrows the reader and the mapgen (NULL: the world's own). Its
 * function `look` returns PTL_ERR_NOT_FOUND if a chunk is not saved. */
struct local_maker;
struct world_mapgen;
ptl_status local_reader_maker(struct local_maker *out, local_reader *reader,
                              struct world_mapgen *mapgen, ptl_error *err);
/* Returns how many maps this reader has made and thrown away. */
uint64_t local_reader_made(const local_reader *reader);
