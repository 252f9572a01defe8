/* The mapgen of an open world, compiled when a local map is asked for first. */
#ifndef WORLD_LOCAL_H
#define WORLD_LOCAL_H

#include "mapgen/run/run.h"
#include "portolan/local.h"
#include "world/world.h"

typedef struct world_mapgen {
    id_pool *pool;
    arena *memory;
    mapgen_library *library;
    mapgen_tiles *tiles;
    ground_settings settings; /* of the world's region */
} world_mapgen;

/* What the public calls work with. */
struct ptl_local_map {
    stored_map stored; /* as the store gave it, and changed since */
    int64_t world_id;
};

/* Compiles all; *out is new. PTL_ERR_CONTENT where there is none that can be compiled. */
ptl_status world_mapgen_load(world_mapgen **out, const ptl_world *world, ptl_error *err);

/* local_site.c: */
/* Reads what the content says of terrain, furniture and the world's region. */
ptl_status world_mapgen_surface(world_mapgen *mapgen, const ptl_world *world, ptl_error *err);
/* Where ground is made; the world's mapgen is there. Texts are borrowed from the catalogue. */
ground_site world_site(const ptl_world *world, ptl_omt at, const ptl_oter around[9],
                       ptl_oter above, ptl_oter below);

/* Makes the map of an OMT into an initialised one, whose ids are numbers of world->mapgen->pool
 * then, and says what is known of it; its turn and revision are the caller's. */
ptl_status world_local_make(local_map *out, map_info *info, ptl_world *world, ptl_omt at,
                            ptl_error *err);

#endif
