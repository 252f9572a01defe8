/* What becomes of the stored local maps of a chunk that is generated anew. */
#ifndef WORLD_LOCAL_STALE_H
#define WORLD_LOCAL_STALE_H

#include "world/world.h"

/* A map that a game has edited and whose OMT has got another terrain since. */
typedef struct stale_map {
    ptl_omt at;
    char *was;       /* owned: id of the oter that the map was made for */
    const char *now; /* id of the present oter, borrowed from the catalogue */
} stale_map;

/* A list of such maps. Zero it before use; stale_maps_clear frees its items. */
typedef struct stale_maps {
    stale_map *list; /* owned */
    size_t count, room;
    uint64_t dropped; /* number of removed maps, which nobody had edited */
} stale_maps;

/* Frees the items; the list is empty and can be used again. */
void stale_maps_clear(stale_maps *maps);

/* The area of all edited maps of a chunk. */
map_area world_maps_of(ptl_chunk_pos pos);

/* The spills of a map may depend on the terrain of OMTs that are so far away
 * (local_spill.h). */
enum { WORLD_SPILLS_AROUND = 7 };
/* The area of all maps whose spills may depend on a chunk. */
map_area world_spills_of(ptl_chunk_pos pos);

/* Follows the replacing of a chunk, in the same transaction. Maps that nobody has edited are
 * removed. Edited ones stay; those whose OMT has another terrain now are added to the list.
 * Stored spills that depend on the chunk are removed. */
ptl_status world_maps_follow(stale_maps *maps, ptl_world *world, ptl_chunk_pos pos,
                             ptl_error *err);

#endif
