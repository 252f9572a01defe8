/*
 * Repairs chunks that have no trustworthy row. A chunk is made at each free place that it
 * could have had; if it comes out as the levels and packs that are left, its place is found.
 * Also handles rows that belong to no chunk.
 */
#include "repair/repair_impl.h"

#include "core/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places that it could have had ---- */

static ptl_status try_place(world_repair *w, const repair_chunk *c, const repair_free_place *at,
                            bool *proved, ptl_error *err)
{
    bool ready = false;
    repair_place place = {.pos = at->pos, .id = c->id};
    repair_said said = {.run_id = 0};
    if (c->row.count)
        repair_chunk_read_said(&said, c);
    TRY(repair_world_open(w, at->world_id, &ready, err));
    if (!ready)
        return PTL_OK;
    TRY(repair_place_run(&place.run_id, &w->r, at, said.run_id, c->id, err));
    memcpy(place.last_step, said.last_step, sizeof place.last_step);
    TRY(repair_make(w, &place, c, repair_same_leftovers, proved, err));
    if (*proved || !place.last_step[0])
        return PTL_OK;
    place.last_step[0] = '\0';
    return repair_make(w, &place, c, repair_same_leftovers, proved, err);
}

static ptl_status find_place(world_repair *w, const repair_chunk *c, bool *proved,
                             ptl_error *err)
{
    repair_free_place *places = NULL;
    size_t count = 0;
    char where[REPAIR_WHERE_SIZE], name[110];
    *proved = false;
    ptl_status status = repair_places_free(&places, &count, &w->r, c->id, err);
    for (size_t i = 0; i < count && status == PTL_OK && !*proved; i++) {
        status = try_place(w, c, &places[i], proved, err);
        if (status == PTL_OK && *proved)
            status = repair_chunk_run(&w->r, c, err);
        if (status != PTL_OK || !*proved)
            continue;
        repair_world_name(name, sizeof name, &w->r, places[i].world_id);
        snprintf(where, sizeof where, "world '%s', chunk %d,%d", name, places[i].pos.x,
                 places[i].pos.y);
        status = repair_note(&w->r, PTL_REPAIR_MADE_AGAIN, where,
                             "its row was lost: its levels prove the place");
    }
    free(places);
    return status;
}

ptl_status repair_lost_chunk(world_repair *w, repair_chunk *c, ptl_error *err)
{
    bool proved = false;
    char where[REPAIR_WHERE_SIZE];
    if (repair_chunk_id_fits(c->id))
        TRY(find_place(w, c, &proved, err));
    if (proved)
        return PTL_OK;
    if (c->row.count)
        repair_chunk_where(where, &w->r, c->row.list);
    else
        snprintf(where, sizeof where, "chunk with id %" PRId64, c->id);
    TRY(repair_id_set_aside(&w->r, c->id, "its row is damaged or lost", err));
    return repair_note(&w->r, PTL_REPAIR_SET_ASIDE, where,
                       "its row is damaged or lost, and no chunk that can be made has its "
                       "levels");
}

/* ---- rows that belong to no chunk ---- */

/* Handles rows with the id of no chunk: copies of rows that stand elsewhere are dropped;
 * what is left is a lost chunk, or is set aside. */
static ptl_status repair_orphan(world_repair *w, int64_t id, ptl_error *err)
{
    repair_chunk c;
    size_t left = 0;
    char where[REPAIR_WHERE_SIZE];
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    const repair_rows *const lists[] = {&c.levels, &c.features, &c.events};
    for (int i = 0; i < 3 && status == PTL_OK; i++)
        status = repair_drop_copies(&w->r, lists[i], &left, err);
    snprintf(where, sizeof where, "chunk with id %" PRId64, id);
    if (status == PTL_OK && left == 0) {
        status =
            repair_note(&w->r, PTL_REPAIR_CORRECTED, where,
                        "rows that stood under a wrong number: they are where they belong");
    } else if (status == PTL_OK && repair_chunk_has_blobs(&c)) {
        status = repair_lost_chunk(w, &c, err);
    } else if (status == PTL_OK) {
        status = repair_id_set_aside(&w->r, id, "it belongs to no chunk", err);
        if (status == PTL_OK)
            status =
                repair_note(&w->r, PTL_REPAIR_SET_ASIDE, where, "rows that belong to no chunk");
    }
    repair_chunk_dispose(&c);
    return status;
}

ptl_status repair_orphans(world_repair *w, ptl_error *err)
{
    return repair_each(w, repair_orphan_ids, repair_orphan, err);
}
