/*
 * Repairing chunks, one after the other: a row by what the others say, the rest by making it
 * again or by single bits; what is left is set aside.
 */
#include "repair/repair_impl.h"

#include "core/error.h"

#include <stdio.h>

static ptl_status make_again(world_repair *w, const repair_chunk *c, unsigned *bad, char *why,
                             bool *can, ptl_error *err)
{
    repair_said said;
    repair_place place;
    bool proved = false;
    repair_chunk_read_said(&said, c);
    TRY(repair_can_make(w, &said, can, why, err));
    if (!*can)
        return PTL_OK;
    repair_place_of(&place, c->id, &said);
    snprintf(why, PTL_ERROR_MESSAGE_SIZE, "made again, it comes out otherwise");
    TRY(repair_make(w, &place, c, repair_same_row, &proved, why, err));
    if (!proved)
        return PTL_OK;
    TRY(repair_made_note(&w->r, c, *bad));
    *bad = 0;
    return PTL_OK;
}

static ptl_status repair_damaged(world_repair *w, repair_chunk *c, unsigned bad, ptl_error *err)
{
    char why[PTL_ERROR_MESSAGE_SIZE] = "";
    bool can = false, ready = true;
    if (bad & REPAIR_BAD_ROW)
        TRY(repair_chunk_by_others(&w->r, c, &bad, err));
    if (bad == 0)
        return PTL_OK;
    if (bad & REPAIR_BAD_ROW)
        return repair_lost_chunk(w, c, err);
    TRY(make_again(w, c, &bad, why, &can, err));
    if (bad != 0)
        TRY(repair_chunk_by_bits(&w->r, c, &bad, err));
    if (bad == 0)
        return PTL_OK;
    char closed[PTL_ERROR_MESSAGE_SIZE];
    repair_said said;
    repair_chunk_read_said(&said, c);
    TRY(repair_world_open(w, said.world_id, &ready, closed, err));
    if (!ready) /* nothing is lost by waiting */
        return repair_left_note(&w->r, c, bad, closed);
    return repair_chunk_give_up(&w->r, c, bad, why, err);
}

static ptl_status repair_chunk_of(world_repair *w, int64_t id, ptl_error *err)
{
    repair_chunk c;
    unsigned bad = 0;
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    if (status == PTL_OK && c.row.count == 1)
        status = repair_chunk_check(&w->r, &c, &bad, err);
    if (status == PTL_OK && bad != 0)
        status = repair_damaged(w, &c, bad, err);
    repair_chunk_dispose(&c);
    return status;
}

static ptl_status visit_chunk(void *payload, int64_t id, ptl_error *err)
{
    world_repair *w = payload;
    TRY(repair_chunk_of(w, id, err));
    w->r.done++;
    w->r.report.chunks++;
    return repair_breathe(&w->r, false, err);
}

ptl_status repair_chunks(world_repair *w, ptl_error *err)
{
    TRY(repair_chunks_count(&w->r.total, &w->r, err));
    return repair_chunks_each(&w->r, visit_chunk, w, err);
}
