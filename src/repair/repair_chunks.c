/*
 * Repairs chunks one after the other: the row from what other rows tell, the rest by making
 * the chunk again, or by flipping single bits. What can't be repaired is set aside.
 */
#include "repair/repair_impl.h"

#include "core/error.h"

#include <stdio.h>

static ptl_status repair_damaged(world_repair *w, repair_chunk *c, unsigned bad, ptl_error *err)
{
    bool ready = true;
    if (bad & REPAIR_BAD_ROW)
        TRY(repair_chunk_by_others(&w->r, c, &bad, err));
    if (bad == 0)
        return PTL_OK;
    if (bad & REPAIR_BAD_ROW)
        return repair_lost_chunk(w, c, err);
    repair_said said;
    repair_place place;
    bool can = false, proved = false;
    repair_chunk_read_said(&said, c);
    TRY(repair_can_make(w, &said, &can, err));
    if (can) {
        repair_place_of(&place, c->id, &said);
        snprintf(w->why, sizeof w->why, "made again, it comes out otherwise");
        TRY(repair_make(w, &place, c, repair_same_row, &proved, err));
    }
    if (proved)
        return repair_made_note(&w->r, c, bad);
    TRY(repair_chunk_by_bits(&w->r, c, &bad, err));
    if (bad == 0)
        return PTL_OK;
    repair_chunk_read_said(&said, c);
    TRY(repair_world_open(w, said.world_id, &ready, err));
    if (!ready) /* a later repair may still succeed */
        return repair_left_note(&w->r, c, bad, w->why);
    return repair_chunk_give_up(&w->r, c, bad, w->why, err);
}

static ptl_status visit_chunk(void *payload, int64_t id, ptl_error *err)
{
    world_repair *w = payload;
    repair_chunk c;
    unsigned bad = 0;
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    if (status == PTL_OK && c.row.count == 1)
        status = repair_chunk_check(&w->r, &c, &bad, err);
    if (status == PTL_OK && bad != 0)
        status = repair_damaged(w, &c, bad, err);
    repair_chunk_dispose(&c);
    TRY(status);
    w->r.done++;
    w->r.report.chunks++;
    return repair_breathe(&w->r, false, err);
}

ptl_status repair_chunks(world_repair *w, ptl_error *err)
{
    TRY(repair_chunks_count(&w->r.total, &w->r, err));
    return repair_chunks_each(&w->r, visit_chunk, w, err);
}

/* ---- numbers of dictionaries whose rows are gone: chunks that use one are made again, and
 * so tell what it means ---- */

static ptl_status learn_chunk(world_repair *w, int64_t id, ptl_error *err)
{
    repair_chunk c;
    bool wanted = false;
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    if (status == PTL_OK && c.row.count == 1)
        status = repair_learner_wants(&wanted, w->learner, &c, err);
    if (status == PTL_OK && wanted) {
        /* It learns names from a chunk only if it comes out with its stored digests. */
        made_chunk made;
        bool done = false;
        status = repair_make_only(w, &c, &made, &done, err);
        if (status == PTL_OK && done &&
            repair_chunk_has_digests(&c, &made.encoded.tiles, &made.features.digest))
            status = repair_learner_take(w->learner, &c, &made.encoded, &made.features,
                                         w->world->cat, err);
        made_chunk_dispose(&made);
    }
    repair_chunk_dispose(&c);
    return status;
}

ptl_status repair_names(world_repair *w, ptl_error *err)
{
    ptl_status status = repair_learner_new(&w->learner, &w->r, err);
    THEN(status, repair_each(w, repair_chunk_ids, learn_chunk, err));
    THEN(status, repair_learner_tell(w->learner));
    repair_learner_free(w->learner);
    w->learner = NULL;
    return status;
}
