/* What the parts of ptl_repair that generate share. */
#ifndef REPAIR_REPAIR_IMPL_H
#define REPAIR_REPAIR_IMPL_H

#include "store/sqlite/repair/repair.h"
#include "world/world.h"

typedef struct world_repair {
    repairer r;
    /* The world that was opened last; NULL: none. */
    ptl_world *world;
    int64_t world_id;
    char why[PTL_ERROR_MESSAGE_SIZE]; /* why the last attempt failed */
    repair_learner *learner;          /* while dictionaries are learned */
    /* The part runs for the second time, after the chunks were repaired. */
    bool last;
    bool unsound; /* dictionaries are damaged, so no further part runs */
} world_repair;

/* Lists the ids that a part works on, as a new array. */
typedef ptl_status repair_ids_of(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
typedef ptl_status repair_one(world_repair *w, int64_t id, ptl_error *err);

/* The place and ids of a chunk that is written again. */
typedef struct repair_place {
    ptl_chunk_pos pos;
    int64_t id, run_id;
    char last_step[32]; /* as in chunk_info */
} repair_place;

/* Decides whether a chunk that was made again is the one that was there. */
typedef bool repair_proof(const repair_chunk *before, const repair_chunk *made);

/* ---- parts ---- */

/* Restores lost rows of the dictionaries. */
ptl_status repair_names(world_repair *w, ptl_error *err);

#endif
