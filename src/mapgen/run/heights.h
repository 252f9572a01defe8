/*
 * Finds out on which levels the maps of terrains put something: pieces and chunks with a `z`
 * lie on another OMT's map of the same column. The answers are upper bounds, as less may be
 * drawn.
 */
#ifndef MAPGEN_RUN_HEIGHTS_H
#define MAPGEN_RUN_HEIGHTS_H

#include "mapgen/compile/library.h"

enum { MAPGEN_HEIGHT_MAX = 20 }; /* most levels between two OMTs of a column */

typedef struct mapgen_heights mapgen_heights; /* remembers its answers; for one thread */

/* Returns a new object, which borrows the library; NULL when memory is out. */
mapgen_heights *mapgen_heights_new(mapgen_library *library);
void mapgen_heights_free(mapgen_heights *heights);
/* May a map with this key of entries put something on the map `up` levels above it, or below
 * if `up` is negative? `up` must not be 0. Also true when memory is out. */
bool mapgen_heights_reach(mapgen_heights *heights, uint32_t key, int up);
/* May it put something on any other level? */
bool mapgen_heights_reach_any(mapgen_heights *heights, uint32_t key);
/* Returns the levels on which an update may put something: bit MAPGEN_HEIGHT_MAX + n is n
 * levels above the updated map. All levels when memory is out. The answer is not
 * remembered. */
uint64_t mapgen_heights_of_update(mapgen_heights *heights, uint32_t update);

#endif
