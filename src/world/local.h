/* The mapgen of an open world, compiled when a local map is asked for first. */
#ifndef WORLD_LOCAL_H
#define WORLD_LOCAL_H

#include "mapgen/run/run.h"
#include "world/world.h"

typedef struct world_mapgen {
    id_pool *pool;
    arena *memory;
    mapgen_library *library;
} world_mapgen;

/* Compiles all; *out is new. PTL_ERR_CONTENT where there is none that can be compiled. */
ptl_status world_mapgen_load(world_mapgen **out, ptl_store *store, ptl_error *err);

#endif
