/* Declarations for the steps of ptl_repair that generate chunks. */
#pragma once

#include "store/sqlite/repair/repair.h"
#include "world/world.h"

typedef struct world_repair {
    repairer r;
    /* The world that was opened last; NULL: none. */
    ptl_world *world;
    int64_t world_id;
    char why[PTL_ERROR_MESSAGE_SIZE]; /* why the last attempt to open a world, or to generate a
                                       * chunk, failed */
    repair_learner *learner;          /* owned; NULL except while lost rows of the dictionaries
                                       * are restored */
    /* The step of ptl_repair that runs now runs for the second time, after the chunks were
     * repaired. */
    bool last;
    bool unsound; /* the file's dictionaries are damaged, so the steps of ptl_repair that follow
                   * do not run */
} world_repair;

/* Lists the ids of the chunks or edges on which a step of ptl_repair works, as a new array. */
typedef ptl_status repair_ids_of(int64_t **ids, size_t *count, repairer *r, ptl_error *err);

typedef ptl_status repair_one(world_repair *w, int64_t id, ptl_error *err);

/* Place and ids of a chunk that is generated again. */
typedef struct repair_place {
    ptl_chunk_pos pos;
    int64_t id, run_id;
    char last_step[32]; /* name of the last step of generation that ran for the chunk; "" if all
                         * steps ran */
} repair_place;

/* Decides whether a chunk that was generated again is the same as the stored, damaged one. */
typedef bool repair_proof(const repair_chunk *before, const repair_chunk *made);

/* Opens the world, so that its chunks can be generated. If that fails, *ready is false and
 * w->why has the reason. */
ptl_status repair_world_open(world_repair *w, int64_t world_id, bool *ready, ptl_error *err);

/* Decides whether a damaged chunk can be generated again. If not, *can is false and w->why has
 * the reason. */
ptl_status repair_can_make(world_repair *w, const repair_said *said, bool *can, ptl_error *err);

void repair_place_of(repair_place *out, int64_t id, const repair_said *said);

/* Generates the chunk at a place of the open world again. If `proof` accepts the new chunk,
 * this chunk replaces all rows that have the chunk's id. Otherwise *proved is false, nothing
 * has changed, and w->why has the reason. */
ptl_status repair_make(world_repair *w, const repair_place *place, const repair_chunk *before,
                       repair_proof *proof, bool *proved, ptl_error *err);

/* ---- edges (repair_edges.c) ---- */

/* Repairs an edge. The new edge is accepted in three cases: it is planned again and has the
 * stored checksum; or it is the stored edge with another value in a column, and then its
 * checksum is right; or it is planned again, and a chunk beside it is then generated again as
 * it was stored. */
ptl_status repair_edge(world_repair *w, int64_t id, ptl_error *err);

/* Restores edges that are missing beside stored chunks. It runs before the chunks are repaired,
 * since they depend on edges. It runs once more afterwards (w->last), since a repaired chunk
 * may show that an edge was planned as it had been. */
ptl_status repair_missing_edges(world_repair *w, ptl_error *err);
/* Reports an edge that is still damaged as unrepaired. */
ptl_status repair_name_edge(world_repair *w, int64_t id, ptl_error *err);
