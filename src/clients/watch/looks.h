/* Terrains that are called, or drawn, otherwise in one world's content than in another's: it
 * changes no place, and is a change all the same. */
#ifndef WATCH_LOOKS_H
#define WATCH_LOOKS_H

#include "core/emit.h"
#include "portolan/world.h"

/* How many are listed at most: all are counted. */
enum { LOOKS_LISTED_MAX = 200 };

/* Puts keys "looks", a list of id and of name, color and symbol "before" and "now", and
 * "looks_count". Terrains that only one of the two has are none of them. */
void looks_put(emitter *j, uint64_t *count, const ptl_world *before, const ptl_world *now);

#endif
