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

/* Opens the world for generating. If it can't be, *ready is false and w->why tells the
 * reason. */
ptl_status repair_world_open(world_repair *w, int64_t world_id, bool *ready, ptl_error *err);
/* Closes the world that is open, if any. */
void repair_world_close(world_repair *w);

/* Can this chunk be made again? */
ptl_status repair_can_make(world_repair *w, const repair_said *said, bool *can, ptl_error *err);

/* Lists the ids that a part works on, as a new array. */
typedef ptl_status repair_ids_of(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
typedef ptl_status repair_one(world_repair *w, int64_t id, ptl_error *err);
/* Repairs each id of the list, and commits now and then. */
ptl_status repair_each(world_repair *w, repair_ids_of *list, repair_one *one, ptl_error *err);

/* The place and ids of a chunk that is written again. */
typedef struct repair_place {
    ptl_chunk_pos pos;
    int64_t id, run_id;
    char last_step[32]; /* as in chunk_info */
} repair_place;

void repair_place_of(repair_place *out, int64_t id, const repair_said *said);

/* Decides whether a chunk that was made again is the one that was there. */
typedef bool repair_proof(const repair_chunk *before, const repair_chunk *made);

/* Makes the chunk at a place of the open world. If the proof holds, it replaces all rows of
 * its id; otherwise *proved is false, nothing has changed, and w->why tells the reason. */
ptl_status repair_make(world_repair *w, const repair_place *place, const repair_chunk *before,
                       repair_proof *proof, bool *proved, ptl_error *err);
/* Makes the chunk by what its row says, but writes nothing. *done is false if that is not
 * possible. Dispose *out. */
ptl_status repair_make_only(world_repair *w, const repair_chunk *c, made_chunk *out, bool *done,
                            ptl_error *err);

/* ---- parts ---- */

/* Restores lost rows of the dictionaries. */
ptl_status repair_names(world_repair *w, ptl_error *err);
/* Repairs damaged edges by planning their crossings again. */
ptl_status repair_planned_edges(world_repair *w, ptl_error *err);
/* Restores edges that chunks lack: before the chunks, which depend on them, and again after
 * them (w->last), when more chunks can prove an edge. */
ptl_status repair_missing_edges(world_repair *w, ptl_error *err);

#endif
