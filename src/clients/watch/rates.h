/* Statistics of two worlds that differ: the rows of `portolan compare`, as JSON. */
#ifndef WATCH_RATES_H
#define WATCH_RATES_H

#include "core/emit.h"
#include "portolan/store.h"
#include "portolan/world.h"

/* Terrains whose name or drawing differs between two worlds' contents. Such a change moves
 * nothing on the map, and so is found only here. */

/* The most terrains that are listed. All are counted. */
enum { LOOKS_LISTED_MAX = 200 };

/* Puts the keys "looks" and "looks_count". "looks" lists the id, and name, color and symbol
 * "before" and "now". Terrains that only one of the contents has do not count. */
void looks_put(emitter *j, uint64_t *count, const ptl_world *before, const ptl_world *now);

/* The most rows that are put. All are counted. */
enum { RATES_LISTED_MAX = 500 };

/* A world in an open file. */
typedef struct rates_world {
    ptl_store *store;
    const char *name;
} rates_world;

/*
 * Puts an object: the number of overmaps in each world, and `rows` of everything that is not
 * as frequent in `now` as in `before`, or is defined to be. A row has kind, id, the sums
 * before and now, the means for one overmap (null if unknown), the name of the change, p of
 * the test (plain, and adjusted for the number of tests), and whether the change is
 * significant at 0.95. `count` is the number of such rows and `significant` that of
 * significant ones; *count and *significant get them, too.
 */
ptl_status rates_put(emitter *j, uint64_t *count, uint64_t *significant, rates_world before,
                     rates_world now, ptl_error *err);

#endif
