/*
 * Local maps of two worlds that differ. Not all of them can be made: of each terrain that both
 * have in the same places some are, on all levels, nearest to the ground first; of those that
 * are concerned as many as may be, then of all terrains one after the other.
 */
#ifndef WATCH_LOCALS_H
#define WATCH_LOCALS_H

#include "clients/watch/concerned.h"
#include "core/emit.h"
#include "portolan/world.h"

enum {
    LOCALS_OF_TERRAIN = 16,      /* maps of each, at most */
    LOCALS_MAX = 20000,          /* in all, at most */
    LOCALS_LISTED_TERRAINS = 500 /* all are counted */
};

typedef struct locals_report {
    uint64_t terrains;  /* that both have */
    uint64_t compared;  /* maps */
    uint64_t concerned; /* of the terrains */
    uint64_t unseen;    /* terrains of which no map was compared: there would be too many */
    uint64_t changed;   /* of those compared */
    uint64_t changed_terrains;
} locals_report;

typedef struct locals_options {
    ptl_chunk_pos from, to; /* both included */
    size_t most;            /* maps, 1..LOCALS_MAX */
    const concerned *concerned;
    int32_t jobs;
    /* Told how many of how many maps are made, now and then, and 0 of 0 before and
     * afterwards. False ends it:
     * PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload;
} locals_options;

/*
 * Makes the maps, which both files then hold (their worlds must be writable), and puts an
 * object: "terrains", "concerned", "unseen", "compared", "changed", and "rows" of terrains with
 * changed maps, those that are concerned first: id, how many were compared and changed, and
 * "places": x, y, z, how many tiles and how many things differ. Places within 3 OMTs of the
 * rectangle's border are left out, as maps there depend on overmaps beyond.
 */
ptl_status locals_put(emitter *j, locals_report *out, ptl_world *before, ptl_world *now,
                      const locals_options *options, ptl_error *err);

#endif
