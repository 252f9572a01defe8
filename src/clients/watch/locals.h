/*
 * Differences between the local maps of two worlds. Not all maps can be made, so a sample is:
 * places where both worlds have the same oter, on all levels, those nearest to the ground
 * first. Concerned terrains get as many maps as possible, then all other terrains in turn.
 */
#pragma once

#include "clients/watch/files.h"
#include "core/emit.h"
#include "portolan/world.h"

enum {
    LOCALS_OF_TERRAIN = 16,      /* the most maps of one terrain */
    LOCALS_MAX = 20000,          /* the most maps of all terrains */
    LOCALS_LISTED_TERRAINS = 500 /* the most terrains that are listed; all are counted */
};

/* Counts of a comparison. */
typedef struct locals_report {
    uint64_t terrains;  /* terrains that both worlds have in the same place */
    uint64_t compared;  /* pairs of maps */
    uint64_t concerned; /* of `terrains`: those that are concerned */
    /* Of `terrains`: those of which no map was compared, because of the limits. */
    uint64_t unseen;
    uint64_t changed; /* of `compared`: pairs that differ */
    uint64_t changed_terrains;
} locals_report;

/* Which places to compare, and how many. */
typedef struct locals_options {
    ptl_chunk_pos from, to; /* the rectangle of chunks; both included */
    size_t most;            /* the most maps to make in each world, 1..LOCALS_MAX */
    const concerned *concerned;
    int32_t jobs;
    /* Called now and then with how many of how many maps are made, and with 0 of 0 before and
     * after making them. False ends the work with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload;
} locals_options;

/*
 * Makes the maps, which are stored in both files (the worlds must be writable), and puts an
 * object: "terrains", "concerned", "unseen", "compared", "changed", and "rows". Rows are
 * terrains with changed maps, concerned ones first: id, how many maps were compared and how
 * many have changed, and "places": x, y, z, how many tiles and how many things differ. Places
 * within 3 OMTs of the rectangle's border are left out, because maps there depend on overmaps
 * beyond it.
 */
ptl_status locals_put(emitter *j, locals_report *out, ptl_world *before, ptl_world *now,
                      const locals_options *options, ptl_error *err);
