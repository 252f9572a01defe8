/* What the parts of ptl_repair that generate share. */
#pragma once

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

/* Opens the world for generating. If it can't be, *ready is false and w->why tells the
 * reason. */
ptl_status repair_world_open(world_repair *w, int64_t world_id, bool *ready, ptl_error *err);

/* Can this chunk be made again? */
ptl_status repair_can_make(world_repair *w, const repair_said *said, bool *can, ptl_error *err);

void repair_place_of(repair_place *out, int64_t id, const repair_said *said);

/* Makes the chunk at a place of the open world. If the proof holds, it replaces all rows of
 * its id; otherwise *proved is false, nothing has changed, and w->why tells the reason. */
ptl_status repair_make(world_repair *w, const repair_place *place, const repair_chunk *before,
                       repair_proof *proof, bool *proved, ptl_error *err);

/* ---- edges (repair_edges.c) ---- */

/* Repairs an edge: by planning it again, by choosing among the values that its columns may
 * have had, or by a chunk beside it. */
ptl_status repair_edge(world_repair *w, int64_t id, ptl_error *err);

/* Restores edges that chunks lack: before the chunks, which depend on them, and again after
 * them (w->last), when more chunks can prove an edge. */
ptl_status repair_missing_edges(world_repair *w, ptl_error *err);
/* Names an edge that is still damaged. */
ptl_status repair_name_edge(world_repair *w, int64_t id, ptl_error *err);
