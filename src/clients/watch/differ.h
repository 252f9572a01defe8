/*
 * What stands otherwise in one world than in another, beside their terrain: specials, cities
 * and the cities' buildings. Both are compared overmap by overmap; what stands in the same
 * place is the same, and of the rest those of one id in one overmap that lie nearest to each
 * other have moved.
 */
#ifndef WATCH_DIFFER_H
#define WATCH_DIFFER_H

#include "core/emit.h"
#include "portolan/world.h"

typedef enum differ_thing {
    DIFFER_SPECIAL,
    DIFFER_CITY,
    DIFFER_BUILDING,
    DIFFER_THINGS
} differ_thing;

typedef enum differ_change {
    DIFFER_MOVED, /* or it has another rotation; a city: another size */
    DIFFER_ADDED, /* the second world alone has it */
    DIFFER_LOST,
    DIFFER_CHANGES
} differ_change;

/* Where one stands, in absolute OMTs. */
typedef struct differ_place {
    const char *id; /* of a city its name; borrowed */
    int64_t x, y;
    int32_t z;
    int32_t turn; /* rotation 0..3; of a city its size */
} differ_place;

typedef struct differ_row {
    differ_thing thing;
    differ_change change;
    const differ_place *before, *now; /* NULL: not there */
} differ_row;

typedef struct differ_options {
    ptl_chunk_pos from, to; /* both included */
    /* Called with each difference, overmap by overmap, in the order of rows, and there in the
     * order of things and ids. False ends it: PTL_ERR_CANCELLED. */
    bool (*on_row)(void *payload, const differ_row *row);
    void *payload;
} differ_options;

/* What it came to. */
typedef struct differ_report {
    uint64_t chunks; /* that both have: the others are not compared */
    uint64_t same[DIFFER_THINGS], count[DIFFER_THINGS][DIFFER_CHANGES];
} differ_report;

/* The worlds may be of two files. */
ptl_status differ_worlds(differ_report *out, ptl_world *before, ptl_world *now,
                         const differ_options *options, ptl_error *err);

/* ---- as JSON ---- */

/* How many differences of each thing are listed at most: all are counted. */
enum { DIFFER_LISTED_MAX = 2000 };

/* Puts keys "chunks" and, for "specials", "cities" and "buildings", how many are the "same" and
 * lists "moved" (id, x, y, z, turn as it was and as it is), "added" and "lost" (id, x, y, z,
 * turn) with the "..._count" of each. */
ptl_status differ_put(emitter *j, differ_report *out, ptl_world *before, ptl_world *now,
                      ptl_chunk_pos from, ptl_chunk_pos to, ptl_error *err);

#endif
