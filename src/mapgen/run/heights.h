/*
 * On which levels the maps of terrains put something: pieces and chunks with a `z` lie on
 * another OMT's map of the same column. What is said of a terrain is an upper bound: what is
 * drawn may be less.
 */
#ifndef MAPGEN_RUN_HEIGHTS_H
#define MAPGEN_RUN_HEIGHTS_H

#include "mapgen/compile/library.h"

enum { MAPGEN_HEIGHT_MAX = 20 }; /* levels that two OMTs of a column may be apart */

typedef struct mapgen_heights mapgen_heights; /* remembers what was asked; for one thread */

/* The library is borrowed. NULL when memory is out. */
mapgen_heights *mapgen_heights_new(mapgen_library *library);
void mapgen_heights_free(mapgen_heights *heights);
/* May a map of that key (its entries') put something on the map `up` levels above it, or below
 * if `up` is negative? `up` is not 0. Also true when memory is out. */
bool mapgen_heights_reach(mapgen_heights *heights, uint32_t key, int up);
/* Is that so of any other level? */
bool mapgen_heights_reach_any(mapgen_heights *heights, uint32_t key);
/* On which levels entries of an update may put something: bit MAPGEN_HEIGHT_MAX + n is n levels
 * above the map that is updated. All of them when memory is out. It is found out anew each
 * time. */
uint64_t mapgen_heights_of_update(mapgen_heights *heights, uint32_t update);

#endif
