/*
 * Makes a chunk again in place of damaged rows. A chunk is a pure function of what its row and
 * its edges say, so the result is right if it has the stored checksum or digests.
 */
#include "core/error.h"
#include "repair/repair_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
