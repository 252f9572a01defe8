/*
 * Differences between two worlds in specials, cities and cities' buildings; terrain is not
 * compared. It goes overmap by overmap. Things in the same place are the same. Of the others,
 * those with the same id in the same overmap are matched by smallest distance and count as
 * moved.
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
    DIFFER_ADDED, /* only the second world has it */
    DIFFER_LOST,
    DIFFER_CHANGES
} differ_change;

/* Where a thing stands, in absolute OMTs. */
typedef struct differ_place {
    const char *id; /* borrowed; a city's name */
    int64_t x, y;
    int32_t z;
    int32_t turn; /* rotation 0..3; a city's size */
} differ_place;

/* One difference. */
typedef struct differ_row {
    differ_thing thing;
    differ_change change;
    const differ_place *before, *now; /* NULL: that world does not have it */
} differ_row;

/* What to compare, and whom to tell. */
typedef struct differ_options {
    ptl_chunk_pos from, to; /* the rectangle of chunks; both included */
    /* Called for each difference: overmap by overmap, row by row, and within an overmap
     * ordered by thing and id. False ends the comparison with PTL_ERR_CANCELLED. */
    bool (*on_row)(void *payload, const differ_row *row);
    void *payload;
} differ_options;

/* Counts of a comparison. */
typedef struct differ_report {
    uint64_t chunks; /* that both worlds have; others are not compared */
    uint64_t same[DIFFER_THINGS], count[DIFFER_THINGS][DIFFER_CHANGES];
} differ_report;

/* Compares two worlds, which may be in two files. Calls on_row for each difference. */
ptl_status differ_worlds(differ_report *out, ptl_world *before, ptl_world *now,
                         const differ_options *options, ptl_error *err);

/* ---- as JSON ---- */

/* The most differences of each thing that are listed. All are counted. */
enum { DIFFER_LISTED_MAX = 2000 };

/*
 * Puts the key "chunks" and the keys "specials", "cities" and "buildings". Each of the three
 * has the count "same", the lists "moved" (id, then x, y, z, turn before and now), "added" and
 * "lost" (id, x, y, z, turn), and the "..._count" of each list.
 */
ptl_status differ_put(emitter *j, differ_report *out, ptl_world *before, ptl_world *now,
                      ptl_chunk_pos from, ptl_chunk_pos to, ptl_error *err);
