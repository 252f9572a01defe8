/* What becomes of stored local maps when their chunk is made anew. */
#ifndef WORLD_LOCAL_STALE_H
#define WORLD_LOCAL_STALE_H

#include "world/world.h"

/* An edited map in whose place another terrain is now. */
typedef struct stale_map {
    ptl_omt at;
    char *was;       /* owned: id of the terrain that it was made for */
    const char *now; /* the catalogue's */
} stale_map;

/* Zero it before use. */
typedef struct stale_maps {
    stale_map *list; /* owned */
    size_t count, room;
    uint64_t dropped; /* maps that nobody had edited */
} stale_maps;

void stale_maps_clear(stale_maps *maps);

/* All maps of a chunk that are edited. */
map_area world_maps_of(ptl_chunk_pos pos);

/* How many OMTs from a chunk the spills of maps may depend on its tiles (local_spill.h). */
enum { WORLD_SPILLS_AROUND = 7 };
/* All maps whose spills do. */
map_area world_spills_of(ptl_chunk_pos pos);

/* Removes the maps of a chunk that was just replaced, in the same transaction, but for edited
 * ones, of which those that it changed are added to the list. Spills that depend on it go. */
ptl_status world_maps_follow(stale_maps *maps, ptl_world *world, ptl_chunk_pos pos,
                             ptl_error *err);

#endif
