/* Statistics of two worlds that differ: `portolan compare`'s rows, as JSON. */
#ifndef WATCH_RATES_H
#define WATCH_RATES_H

#include "core/emit.h"
#include "portolan/store.h"
#include "portolan/world.h"

/* Terrains that are called, or drawn, otherwise in one world's content than in another's: it
 * changes no place, and is a change all the same. */

/* How many are listed at most: all are counted. */
enum { LOOKS_LISTED_MAX = 200 };

/* Puts keys "looks", a list of id and of name, color and symbol "before" and "now", and
 * "looks_count". Terrains that only one of the two has are none of them. */
void looks_put(emitter *j, uint64_t *count, const ptl_world *before, const ptl_world *now);

/* Rows that are put at most: all are counted. */
enum { RATES_LISTED_MAX = 500 };

typedef struct rates_world {
    ptl_store *store;
    const char *name;
} rates_world;

/*
 * Puts an object: `overmaps` of both, `rows` of what is not as often in `now` as it was (or
 * defined to be as often): kind, id, sums before and now, means of an overmap (null where none
 * can be told), the change's name, p (of the test, and corrected for all tests), and whether
 * the change is significant at 0.95; `count` of such rows, and `significant` ones. *significant
 * and *count tell both, too.
 */
ptl_status rates_put(emitter *j, uint64_t *count, uint64_t *significant, rates_world before,
                     rates_world now, ptl_error *err);

#endif
