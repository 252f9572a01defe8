/*
 * Differences between two worlds in specials, cities and cities' buildings; terrain is not
 * compared. Overmaps are compared one by one. Things with the same id in the same place are the
 * same. The remaining things with the same id in the same overmap are matched by smallest
 * distance and count as moved.
 */
#pragma once

#include "core/emit.h"
#include "portolan/world.h"

/* The kinds of things that are compared. */
typedef enum differ_thing {
    DIFFER_SPECIAL,
    DIFFER_CITY,
    DIFFER_BUILDING,
    DIFFER_THINGS
} differ_thing;

typedef enum differ_change {
    DIFFER_MOVED, /* place or rotation differs; for a city: place or size */
    DIFFER_ADDED, /* only the later world has the thing */
    DIFFER_LOST,
    DIFFER_CHANGES
} differ_change;

/* The place of a thing, in absolute OMTs. */
typedef struct differ_place {
    const char *id; /* borrowed; the name of a city, otherwise an id */
    int64_t x, y;
    int32_t z;
    int32_t turn; /* rotation 0..3; for a city its size */
} differ_place;

/* One difference. */
typedef struct differ_row {
    differ_thing thing;
    differ_change change;
    const differ_place *before, *now; /* NULL: that world lacks the thing */
} differ_row;

/* What to compare, and which function gets the differences. */
typedef struct differ_options {
    ptl_chunk_pos from, to; /* the rectangle of chunks; both included */
    /* Called for each difference: overmap by overmap in rows from the north-west, and within an
     * overmap ordered by kind of thing and id. If it returns false, the comparison ends with
     * PTL_ERR_CANCELLED. */
    bool (*on_row)(void *payload, const differ_row *row);
    void *payload;
} differ_options;

/* Counts of what a comparison of two worlds found. */
typedef struct differ_report {
    uint64_t chunks; /* number of chunks that both worlds have; other chunks are not compared */
    uint64_t same[DIFFER_THINGS], count[DIFFER_THINGS][DIFFER_CHANGES];
} differ_report;

/* Compares two worlds, which may be in two files. Calls on_row for each difference. */
ptl_status differ_worlds(differ_report *out, ptl_world *before, ptl_world *now,
                         const differ_options *options, ptl_error *err);

/* ---- as JSON ---- */

/* The largest number of differences that are listed for each kind of thing. All are counted. */
enum { DIFFER_LISTED_MAX = 2000 };

/*
 * Writes the member "chunks" and the members "specials", "cities" and "buildings". Each of the
 * last three has the count "same", the lists "moved" (id, then x, y, z, turn before and now),
 * "added" and "lost" (id, x, y, z, turn), and the "..._count" of each list.
 */
ptl_status differ_put(emitter *j, differ_report *out, ptl_world *before, ptl_world *now,
                      ptl_chunk_pos from, ptl_chunk_pos to, ptl_error *err);
