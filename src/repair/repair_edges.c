/*
 * Repairs edges that flipped bits don't explain. A planned edge is a function of its place:
 * planned again, it must have the stored checksum. If that is damaged, too, or the row is
 * gone, a chunk beside the edge must come out with its stored digests when it is made again.
 */
#include "core/error.h"
#include "gen/plan/plan.h"
#include "repair/repair_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- by the edge's own checksum ---- */

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

/* ---- by a chunk beside it ---- */

/* Makes the chunk again with the edge as it stands in the file now. */
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

/* Plans the edge, writes it, and keeps it if a chunk on either side comes out again. */
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
    for (int i = 0; i < 2; i++) /* the chunk that was made first wrote the edge */
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

/* ---- damaged edges ---- */

/* Repairs an edge: by planning it again, by choosing among the values that its columns may
 * have had, or by a chunk beside it. */
static ptl_status repair_edge(world_repair *w, int64_t id, ptl_error *err)
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

ptl_status repair_planned_edges(world_repair *w, ptl_error *err)
{
    return repair_each(w, repair_edges_damaged, repair_edge, err);
}

/* ---- missing edges ---- */

static ptl_status repair_missing(world_repair *w, const repair_lost_edge *m, ptl_error *err)
{
    int64_t id = 0;
    bool proved = false, there = false;
    edge found = {0};
    char where[REPAIR_WHERE_SIZE], name[110];
    /* It may be there by now, if a chunk beside it was made again. */
    ptl_status status =
        ops(w->r.store)
            ->chunk->edge_find(&found, &there, w->r.store, m->world_id, m->place.x, m->place.y,
                               m->place.side, NULL, err);
    edge_dispose(&found);
    if (status == PTL_OK && there)
        return PTL_OK;
    if (status == PTL_ERR_CORRUPT) {
        error_clear(err);
        return PTL_OK; /* it is there but damaged, which is reported elsewhere */
    }
    THEN(status, repair_edge_free_id(&id, &w->r, err));
    THEN(status, make_edge(w, &m->place, m->world_id, id, &proved, err));
    if (status != PTL_OK || (!proved && !w->last))
        return status;
    repair_world_name(name, sizeof name, &w->r, m->world_id);
    snprintf(where, sizeof where, "world '%s', edge %d,%d %s", name, m->place.x, m->place.y,
             edge_side_text(m->place.side));
    if (proved)
        return repair_note(&w->r, PTL_REPAIR_MADE_AGAIN, where,
                           "missing: a chunk beside it proves the plan");
    return repair_note(&w->r, PTL_REPAIR_UNREPAIRED, where,
                       "missing, and no chunk beside it says what it was");
}

ptl_status repair_missing_edges(world_repair *w, ptl_error *err)
{
    repair_lost_edge *list = NULL;
    size_t count = 0;
    ptl_status status = repair_edges_missing(&list, &count, &w->r, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = repair_missing(w, &list[i], err);
        THEN(status, repair_breathe(&w->r, false, err));
    }
    free(list);
    return status;
}

/*
 * Makes a chunk again in place of damaged rows. A chunk is a pure function of what its row and
 * its edges say, so the result is right if it has the stored checksum or digests.
 */

/* Turns a failure that concerns one chunk into w->why; other failures stay failures. */
static ptl_status soften(world_repair *w, ptl_status status, ptl_error *err)
{
    if (status == PTL_OK || !repair_is_soft(status, err))
        return status;
    snprintf(w->why, sizeof w->why, "%s", err->message);
    error_clear(err);
    return PTL_OK;
}

/* ---- worlds ---- */

void repair_world_close(world_repair *w)
{
    ptl_world_close(w->world);
    w->world = NULL;
    w->world_id = 0;
}

ptl_status repair_world_open(world_repair *w, int64_t world_id, bool *ready, ptl_error *err)
{
    *ready = true;
    if (w->world && w->world_id == world_id)
        return PTL_OK;
    repair_world_close(w);
    static const ptl_world_open_options options = {.size = sizeof options,
                                                   .accept_content = true};
    char *name = NULL;
    ptl_status status = repair_world_find(&name, &w->r, world_id, err);
    THEN(status, ptl_world_open(&w->world, w->r.store, name, &options, err));
    free(name);
    if (status == PTL_OK && w->world->row.id != world_id)
        status = error_set(err, PTL_ERR_CORRUPT, "its world can't be told from another");
    THEN(status, world_prepare(w->world, err));
    if (status == PTL_OK) {
        w->world_id = world_id;
        return PTL_OK;
    }
    *ready = false;
    repair_world_close(w);
    return soften(w, status, err);
}

ptl_status repair_can_make(world_repair *w, const repair_said *said, bool *can, ptl_error *err)
{
    *can = false;
    if (!said->generated) {
        snprintf(w->why, sizeof w->why, "it was imported from a game's save");
        return PTL_OK;
    }
    TRY(repair_world_open(w, said->world_id, can, err));
    if (!*can)
        return PTL_OK;
    *can = false;
    if (said->generator_version != PTL_GENERATOR_VERSION)
        snprintf(w->why, sizeof w->why, "generator version %lld made it, this is %d",
                 (long long)said->generator_version, PTL_GENERATOR_VERSION);
    else if (said->content_id != w->world->cat->content_id)
        snprintf(w->why, sizeof w->why, REPAIR_OTHER_CONTENT);
    else
        *can = true;
    return PTL_OK;
}

/* ---- making ---- */

/* Returns the number of steps up to the named one; 0 if this version has no such step. */
static size_t steps_of(const char *last_step)
{
    if (!last_step[0])
        return pipeline_step_count(&overmap_pipeline);
    for (size_t i = 0; i < pipeline_step_count(&overmap_pipeline); i++)
        if (strcmp(pipeline_step(&overmap_pipeline, i)->name, last_step) == 0)
            return i + 1;
    return 0;
}

static ptl_status make(made_chunk *made, world_repair *w, const repair_place *place,
                       ptl_error *err)
{
    ptl_world *world = w->world;
    chunk_maker maker = {.config = world->config,
                         .gen = world->gen,
                         .codec = world->codec,
                         .step_count = steps_of(place->last_step)};
    if (maker.step_count == 0)
        return error_set(err, PTL_ERR_MISMATCH, "there is no generation step '%s'",
                         place->last_step);
    TRY(world_edges(world, place->pos, made->edges, err));
    return world_make_chunk(made, NULL, &maker, place->pos, err);
}

void repair_place_of(repair_place *out, int64_t id, const repair_said *said)
{
    *out = (repair_place){.pos = said->pos, .id = id, .run_id = said->run_id};
    memcpy(out->last_step, said->last_step, sizeof out->last_step);
}

ptl_status repair_make_only(world_repair *w, const repair_chunk *c, made_chunk *out, bool *done,
                            ptl_error *err)
{
    repair_said said;
    repair_place place;
    memset(out, 0, sizeof *out);
    repair_chunk_read_said(&said, c);
    ptl_status status = repair_can_make(w, &said, done, err);
    if (status != PTL_OK || !*done)
        return status;
    repair_place_of(&place, c->id, &said);
    status = make(out, w, &place, err);
    *done = status == PTL_OK;
    return soften(w, status, err);
}

ptl_status repair_make(world_repair *w, const repair_place *place, const repair_chunk *before,
                       repair_proof *proof, bool *proved, ptl_error *err)
{
    made_chunk made = {0};
    *proved = false;
    ptl_status status = make(&made, w, place, err);
    if (status != PTL_OK) {
        made_chunk_dispose(&made);
        return soften(w, status, err);
    }
    status = repair_try_begin(&w->r, err);
    if (status == PTL_OK) {
        /* Writes the chunk and checks the proof, in a part of the transaction that is undone
         * without proof. */
        repair_chunk after = {0};
        chunk_write write = {.encoded = made.encoded,
                             .generator_version = PTL_GENERATOR_VERSION,
                             .content_id = w->world->cat->content_id,
                             .last_step = place->last_step,
                             .features = &made.features,
                             .events = made.events,
                             .event_count = made.event_count};
        for (int i = 0; i < 4; i++)
            write.edges[i] = &made.edges[i];
        const repair_ids ids = {
            .id = place->id, .world_id = w->world_id, .run_id = place->run_id};
        status = repair_chunk_put(&w->r, &ids, &write, w->world->cat, err);
        THEN(status, repair_chunk_read(&after, w->r.store, place->id, err));
        if (status == PTL_OK)
            *proved = after.row.count == 1 && proof(before, &after);
        repair_chunk_dispose(&after);
        status = soften(w, status, err);
        *proved = *proved && status == PTL_OK;
        status = repair_try_end(&w->r, *proved, status, err);
    }
    made_chunk_dispose(&made);
    return status;
}
