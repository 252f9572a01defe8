/* The parts of ptl_repair that generate. */
#ifndef REPAIR_REPAIR_IMPL_H
#define REPAIR_REPAIR_IMPL_H

#include "store/sqlite/repair/repair.h"
#include "world/world.h"

typedef struct world_repair {
    repairer r;
    ptl_world *world; /* the one that was needed last; NULL: none */
    int64_t world_id;
    char why[PTL_ERROR_MESSAGE_SIZE]; /* what was tried last could not be done */
    repair_learner *learner;          /* while dictionaries are learnt */
    bool last;                        /* the part runs for the second time, behind the chunks */
    bool unsound;                     /* dictionaries are damaged: no further part runs */
} world_repair;

/* Opens the world, ready to generate; w->why says why not where *ready is false. */
ptl_status repair_world_open(world_repair *w, int64_t world_id, bool *ready, ptl_error *err);
void repair_world_close(world_repair *w);

/* Can this chunk be made again? */
ptl_status repair_can_make(world_repair *w, const repair_said *said, bool *can, ptl_error *err);

/* Lists what a part is about: new. */
typedef ptl_status repair_ids_of(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
typedef ptl_status repair_one(world_repair *w, int64_t id, ptl_error *err);
/* Repairs each of the list, and commits in between. */
ptl_status repair_each(world_repair *w, repair_ids_of *list, repair_one *one, ptl_error *err);

/* What is written again. */
typedef struct repair_place {
    ptl_chunk_pos pos;
    int64_t id, run_id;
    char last_step[32]; /* as in chunk_info */
} repair_place;

void repair_place_of(repair_place *out, int64_t id, const repair_said *said);

/* A proof that what was made is what was there: true where it is. */
typedef bool repair_proof(const repair_chunk *before, const repair_chunk *made);

/* Makes the chunk at a place of the open world and writes it in the place of all rows of its
 * id, if the proof holds. *proved false: nothing changed; w->why says what went wrong. */
ptl_status repair_make(world_repair *w, const repair_place *place, const repair_chunk *before,
                       repair_proof *proof, bool *proved, ptl_error *err);
/* Makes the chunk by what its row says and writes nothing; *done false: not possible. Dispose
 * out. */
ptl_status repair_make_only(world_repair *w, const repair_chunk *c, made_chunk *out, bool *done,
                            ptl_error *err);
/* A chunk without a row that could be believed. */
ptl_status repair_lost_chunk(world_repair *w, repair_chunk *c, ptl_error *err);

/* ---- parts ---- */

/* Rows of the dictionaries that are gone. */
ptl_status repair_names(world_repair *w, ptl_error *err);
/* Damaged edges whose crossings can be planned again. */
ptl_status repair_planned_edges(world_repair *w, ptl_error *err);
/* Edges that chunks lack: before the chunks, which are made within them, and once more after
 * them (w->last), when more of them can prove an edge. */
ptl_status repair_missing_edges(world_repair *w, ptl_error *err);
ptl_status repair_chunks(world_repair *w, ptl_error *err);
ptl_status repair_orphans(world_repair *w, ptl_error *err);
/* Spills of local maps become what is found anew. */
ptl_status repair_spills(world_repair *w, ptl_error *err);

#endif
