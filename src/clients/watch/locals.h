/*
 * Differences between the local maps of two worlds. There are too many maps to make them all,
 * so a sample is made, at places where both worlds have the same oter. It covers all levels,
 * those nearest to the ground first. Terrains that a saved file names get as many maps as
 * possible; what is left is divided among all other terrains.
 */
#pragma once

#include "clients/watch/files.h"
#include "core/emit.h"
#include "portolan/world.h"

enum {
    LOCALS_OF_TERRAIN = 16, /* the largest number of maps of one terrain */
    LOCALS_MAX = 20000,     /* the most maps made in each world, of all terrains together */
    /* The largest number of terrains that are listed; all are counted. */
    LOCALS_LISTED_TERRAINS = 500
};

/* Counts of what a comparison of the local maps of two worlds found. */
typedef struct locals_report {
    /* Number of terrains that have the same OMT in both worlds at least once. */
    uint64_t terrains;
    uint64_t compared;  /* number of pairs of maps that were compared */
    uint64_t concerned; /* number of those among `terrains` whose names stand in a file that was
                           saved */
    /* How many of the `terrains` had no map compared, because the limits were reached before.
     */
    uint64_t unseen;
    uint64_t changed; /* number of compared pairs in which the two maps differ */
    uint64_t changed_terrains;
} locals_report;

/* Which places to compare, and how many. */
typedef struct locals_options {
    ptl_chunk_pos from, to; /* the rectangle of chunks; both included */
    size_t most; /* the largest number of maps to make in each world, 1..LOCALS_MAX */
    const concerned *concerned;
    int32_t jobs;
    /* Called from time to time with the number of maps made and the number to make; also once
     * with 0 and 0 before the work begins, and once after it has ended. If it returns false,
     * the work ends with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload;
} locals_options;

/*
 * Makes the maps, which are stored in both files (the worlds must be writable), and writes a
 * JSON object with "terrains", "concerned", "unseen", "compared", "changed", and "rows". There
 * is a row for each terrain with changed maps; terrains that a saved file names come first. A
 * row has the id, how many maps were compared, how many of these have changed, and "places": x,
 * y, z, how many tiles and how many things differ. Places within 3 OMTs of the rectangle's
 * border are left out, because their maps depend on overmaps beyond it.
 */
ptl_status locals_put(emitter *j, locals_report *out, ptl_world *before, ptl_world *now,
                      const locals_options *options, ptl_error *err);
