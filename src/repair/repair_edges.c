/* Repairs edges whose damage is more than flipped bits. Such an edge is planned again, as
 * generation would do it; the plan is accepted if it has the stored checksum, or if a chunk
 * beside the edge comes out as stored. */
#include "repair/repair_impl.h"

#include "gen/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>

static ptl_status plan_again(world_repair *w, const repair_rows *read, repair_rows *out,
                             bool *found, ptl_error *err)
{
    edge planned = {0};
    bool ready = false;
    repair_edge_said said;
    repair_edge_read_said(&said, read);
    if (!said.placed)
        return PTL_OK;
    ptl_status status = repair_world_open(w, said.world_id, &ready, err);
    if (status != PTL_OK || !ready)
        return status;
    status =
        plan_edge(&planned, w->world->config, said.place.x, said.place.y, said.place.side, err);
    THEN(status, repair_edge_plan(out, found, &w->r, read, &planned, err));
    edge_dispose(&planned);
    return status;
}

/* Generates a chunk beside the edge again, with the edge as it is in the file at this moment.
 * If the chunk comes out as stored, the edge is right. */
static ptl_status prove_by(world_repair *w, const repair_chunk *c, bool *proved, ptl_error *err)
{
    bool can = false;
    unsigned bad = 0;
    repair_said said;
    repair_place place;
    repair_chunk_read_said(&said, c);
    repair_place_of(&place, c->id, &said);
    TRY(repair_can_make(w, &said, &can, err));
    if (!can)
        return PTL_OK;
    TRY(repair_chunk_check(&w->r, c, &bad, err));
    TRY(repair_make(w, &place, c, repair_same_row, proved, err));
    return *proved ? repair_made_note(&w->r, c, bad) : PTL_OK;
}

/* Plans the edge again and writes it. *proved is true if a chunk on either side, generated
 * again with this edge, comes out as stored. */
static ptl_status put_and_prove(world_repair *w, const edge *place, int64_t world_id,
                                int64_t id, bool *proved, ptl_error *err)
{
    edge planned = {0};
    repair_ids ids = {.id = id, .world_id = world_id};
    const ptl_chunk_pos sides[2] = {
        {place->x, place->y},
        {place->x + (place->side == EDGE_EAST), place->y + (place->side == EDGE_SOUTH)}};
    repair_chunk chunks[2] = {{0}};
    bool found[2] = {false, false};
    ptl_status status = repair_edge_run(&ids.run_id, &w->r, id, err);
    const bool said = ids.run_id != 0;
    THEN(status, plan_edge(&planned, w->world->config, place->x, place->y, place->side, err));
    for (int i = 0; i < 2 && status == PTL_OK; i++)
        status = repair_chunk_find(&chunks[i], &found[i], &w->r, world_id, sides[i], err);
    for (int i = 0; i < 2; i++) /* if the edge's row names no run, the run of the older of its
                                   two chunks is taken, since that chunk wrote the edge */
        if (!said && found[i] && (!found[1 - i] || chunks[i].id < chunks[1 - i].id)) {
            repair_said first;
            repair_chunk_read_said(&first, &chunks[i]);
            ids.run_id = first.run_id;
        }
    THEN(status, repair_edge_put(&w->r, &planned, &ids, w->world->cat, err));
    for (int i = 0; i < 2 && status == PTL_OK && !*proved; i++)
        if (found[i])
            status = prove_by(w, &chunks[i], proved, err);
    repair_chunk_dispose(&chunks[0]);
    repair_chunk_dispose(&chunks[1]);
    edge_dispose(&planned);
    return status;
}

static ptl_status make_edge(world_repair *w, const edge *place, int64_t world_id, int64_t id,
                            bool *proved, ptl_error *err)
{
    bool ready = false;
    *proved = false;
    ptl_status status = repair_world_open(w, world_id, &ready, err);
    if (status != PTL_OK || !ready)
        return status;
    TRY(repair_try_begin(&w->r, err));
    status = put_and_prove(w, place, world_id, id, proved, err);
    if (status != PTL_OK && repair_is_soft(status, err)) {
        error_clear(err);
        status = PTL_OK;
        *proved = false;
    }
    return repair_try_end(&w->r, *proved && status == PTL_OK, status, err);
}

/* Repairs an edge in one of three ways: by a new plan that has the stored checksum; by trying
 * values that the columns of its row may have had, until the checksum is right; or by a new
 * plan with which a chunk beside the edge is generated again as it was stored. */
ptl_status repair_edge(world_repair *w, int64_t id, ptl_error *err)
{
    repair_rows read = {0}, planned = {0};
    bool found = false, kept = false;
    repair_edge_said said;
    char where[REPAIR_WHERE_SIZE];
    ptl_status status = repair_edge_read(&read, &w->r, id, err);
    if (status != PTL_OK || read.count == 0)
        goto out;
    repair_edge_where(where, &w->r, read.list);
    status = plan_again(w, &read, &planned, &found, err);
    if (status == PTL_OK && found)
        repair_edge_where(where, &w->r, planned.list);
    if (status == PTL_OK && found)
        status = repair_edge_write(&w->r, id, &planned, &kept, err);
    if (status == PTL_OK && !kept) {
        status = repair_edge_choose(&w->r, &read, &found, err);
        if (status == PTL_OK && found)
            status = repair_edge_write(&w->r, id, &read, &kept, err);
    }
    repair_edge_read_said(&said, &read);
    if (status == PTL_OK && !kept && said.placed && !said.foreign)
        status = make_edge(w, &said.place, said.world_id, id, &kept, err);
    if (status == PTL_OK && kept)
        status = repair_note(&w->r, PTL_REPAIR_MADE_AGAIN, where,
                             "damaged: its checksum or a chunk beside it proves the plan");
out:
    repair_rows_dispose(&read);
    repair_rows_dispose(&planned);
    return status;
}

ptl_status repair_name_edge(world_repair *w, int64_t id, ptl_error *err)
{
    repair_rows rows = {0};
    char where[REPAIR_WHERE_SIZE];
    ptl_status status = repair_edge_read(&rows, &w->r, id, err);
    if (status == PTL_OK && rows.count > 0) {
        repair_edge_where(where, &w->r, rows.list);
        status = repair_note(&w->r, PTL_REPAIR_UNREPAIRED, where,
                             "damaged, and nothing says what it was");
    }
    repair_rows_dispose(&rows);
    return status;
}

static ptl_status repair_missing_edge(world_repair *w, const repair_lost_edge *m,
                                      ptl_error *err)
{
    int64_t id = 0;
    bool proved = false, there = false;
    edge found = {0};
    char where[REPAIR_WHERE_SIZE], name[110];
    /* The edge may exist by now, because generating a chunk beside it again writes the edge,
     * too. */
    ptl_status status =
        ops(w->r.store)
            ->chunk->edge_find(&found, &there, w->r.store, m->world_id, m->place.x, m->place.y,
                               m->place.side, NULL, err);
    edge_dispose(&found);
    if (status == PTL_OK && there)
        return PTL_OK;
    if (status == PTL_ERR_CORRUPT) {
        error_clear(err);
        return PTL_OK; /* the edge has a row, which is damaged; other steps of repair report
                        * that */
    }
    THEN(status, repair_edge_free_id(&id, &w->r, err));
    THEN(status, make_edge(w, &m->place, m->world_id, id, &proved, err));
    if (status != PTL_OK || (!proved && !w->last))
        return status;
    repair_world_name(name, sizeof name, &w->r, m->world_id);
    snprintf(where, sizeof where, "world '%s', edge %d,%d %s", name, m->place.x, m->place.y,
             edge_side_text(m->place.side));
    return repair_note(&w->r, proved ? PTL_REPAIR_MADE_AGAIN : PTL_REPAIR_UNREPAIRED, where,
                       proved ? "missing: a chunk beside it proves the plan"
                              : "missing, and no chunk beside it says what it was");
}

/* Restores edges that are missing beside stored chunks. It runs before the chunks are repaired,
 * since they depend on edges. It runs once more afterwards (w->last), since a repaired chunk
 * may show that an edge was planned as it had been. */
ptl_status repair_missing_edges(world_repair *w, ptl_error *err)
{
    repair_lost_edge *list = NULL;
    size_t count = 0;
    ptl_status status = repair_edges_missing(&list, &count, &w->r, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = repair_missing_edge(w, &list[i], err);
        THEN(status, repair_breathe(&w->r, false, err));
    }
    free(list);
    return status;
}
