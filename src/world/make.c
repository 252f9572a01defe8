/*
 * Makes one chunk: finds its edges, generates it, encodes it and writes it. ptl_chunk_get does
 * all of this in one call. If many chunks are made, bulk.c generates and encodes them in
 * threads.
 */
#include "core/sized.h"
#include "os/clock.h"
#include "world/bulk.h"
#include "world/edits.h"

#include <stdlib.h>

ptl_status world_end_writing(ptl_store *store, ptl_status status, ptl_error *err)
{
    THEN(status, ops(store)->transaction->commit(store, err));
    if (status != PTL_OK)
        ops(store)->transaction->rollback(store);
    return status;
}

ptl_status world_edge_find(edge *out, bool *found, const ptl_world *world, ptl_chunk_pos pos,
                           int direction, const catalogue *cat, ptl_error *err)
{
    int32_t x, y;
    edge_side side;
    plan_edge_of_chunk(pos, direction, &x, &y, &side);
    return ops(world->store)
        ->chunk->edge_find(out, found, world->store, world->row.id, x, y, side, cat, err);
}

ptl_status world_edges(ptl_world *world, ptl_chunk_pos pos, edge edges[4], ptl_error *err)
{
    bool own;
    memset(edges, 0, 4 * sizeof *edges);
    ptl_status status = ops(world->store)->transaction->begin_lookups(world->store, &own, err);
    for (int direction = 0; direction < 4 && status == PTL_OK; direction++) {
        int32_t x, y;
        edge_side side;
        bool found = false;
        status =
            world_edge_find(&edges[direction], &found, world, pos, direction, world->cat, err);
        plan_edge_of_chunk(pos, direction, &x, &y, &side);
        if (status == PTL_OK && !found)
            status = plan_edge(&edges[direction], world->config, x, y, side, err);
    }
    ops(world->store)->transaction->end_snapshot(world->store, own);
    return status;
}

ptl_status world_make_again(ptl_chunk **chunk, ptl_world *world, ptl_chunk_pos pos,
                            size_t step_count, const gen_trace *trace, ptl_error *err)
{
    edge edges[4];
    edge *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
    *chunk = NULL;
    ptl_status status = world_edges(world, pos, edges, err);
    if (status == PTL_OK) {
        generator_trace(world->gen, trace);
        status = generator_run(chunk, world->gen, pos, list, step_count, NULL, NULL, err);
        generator_trace(world->gen, NULL);
    }
    for (int i = 0; i < 4; i++)
        edge_dispose(&edges[i]);
    return status;
}

void made_chunk_dispose(made_chunk *made)
{
    for (int i = 0; i < 4; i++)
        edge_dispose(&made->edges[i]);
    encoded_chunk_dispose(&made->encoded);
    encoded_features_dispose(&made->features);
    free(made->events);
    free(made->details);
    memset(made, 0, sizeof *made);
}

ptl_status world_encode_chunk(made_chunk *made, codec *c, const gen_config *config,
                              const ptl_chunk *chunk, const generator *gen, ptl_error *err)
{
    TRY(chunk_encode(&made->encoded, c, chunk, config->defaults, config->cat, err));
    TRY(features_encode(&made->features, c, chunk->pos, generator_features(gen), config->cat,
                        err));
    /* Copies the generator's events to rows with texts of their own, because the generator's
     * next run overwrites them. */
    size_t count;
    const gen_event *events = generator_events(gen, &count);
    if (count == 0)
        return PTL_OK;
    const size_t room = sizeof events->detail;
    made->events = calloc(count, sizeof *made->events);
    made->details = malloc(count * room);
    if (!made->events || !made->details)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        char *detail = made->details + i * room;
        memcpy(detail, events[i].detail, room);
        made->events[i] = (event_row){.step = events[i].step,
                                      .kind = events[i].kind,
                                      .x = events[i].x,
                                      .y = events[i].y,
                                      .z = events[i].z,
                                      .detail = detail};
    }
    made->event_count = count;
    return PTL_OK;
}

ptl_status world_make_chunk(made_chunk *made, ptl_chunk **chunk, chunk_maker *maker,
                            ptl_chunk_pos pos, ptl_error *err)
{
    edge *edges[4] = {&made->edges[0], &made->edges[1], &made->edges[2], &made->edges[3]};
    ptl_chunk *tiles = NULL;
    ptl_status status = generator_run(&tiles, maker->gen, pos, edges, maker->step_count,
                                      clock_seconds, &maker->times, err);
    double before = clock_seconds();
    THEN(status, world_encode_chunk(made, maker->codec, maker->config, tiles, maker->gen, err));
    maker->encode_seconds += clock_seconds() - before;
    if (status == PTL_OK && chunk)
        *chunk = tiles;
    else
        ptl_chunk_free(tiles);
    return status;
}

ptl_status world_write_chunk(ptl_world *world, const made_chunk *made, int64_t run_id,
                             size_t step_count, bool *changed, bool *written, ptl_error *err)
{
    chunk_write w = {.last_step =
                         step_count < ptl_step_count() ? ptl_step_name(step_count - 1) : NULL,
                     .replace = changed != NULL,
                     .changed = changed,
                     .encoded = made->encoded,
                     .generator_version = PTL_GENERATOR_VERSION,
                     .content_id = world->cat->content_id,
                     .features = &made->features,
                     .events = made->events,
                     .event_count = made->event_count};
    for (int i = 0; i < 4; i++)
        w.edges[i] = (edge *)(uintptr_t)&made->edges[i];
    return ops(world->store)
        ->chunk->write(world->store, world->row.id, run_id, &w, world->cat, written, err);
}

size_t world_steps_to(const char *step)
{
    for (size_t i = 0; i < ptl_step_count(); i++)
        if (strcmp(ptl_step_name(i), step) == 0)
            return i + 1;
    return 0;
}

ptl_status world_has_chunk(ptl_world *world, ptl_chunk_pos pos, size_t step_count, bool *has,
                           ptl_error *err)
{
    chunk_info info;
    TRY(ops(world->store)->chunk->find(&info, has, world->store, world->row.id, pos, err));
    if (*has && info.last_step[0])
        *has = world_steps_to(info.last_step) >= step_count;
    return PTL_OK;
}

ptl_status world_check_position(ptl_chunk_pos pos, ptl_error *err)
{
    const int32_t most = PTL_CHUNK_COORD_MAX;
    if (pos.x >= -most && pos.x <= most && pos.y >= -most && pos.y <= most)
        return PTL_OK;
    return error_set(err, PTL_ERR_ARGUMENT, "chunk %d,%d lies outside -%d..%d", pos.x, pos.y,
                     most, most);
}

ptl_status ptl_chunk_load(ptl_chunk **out, ptl_world *world, ptl_chunk_pos pos, ptl_error *err)
{
    error_clear(err);
    chunk_info info;
    TRY(world_chunk_read(out, world, pos, world->cat, &info, err));
    if (!*out)
        return error_set(err, PTL_ERR_NOT_FOUND, "chunk %d,%d of world '%s' is not saved",
                         pos.x, pos.y, world->row.name);
    return PTL_OK;
}

ptl_status ptl_level_load(ptl_oter cells[PTL_LEVEL_CELLS], ptl_world *world, ptl_chunk_pos pos,
                          int32_t z, ptl_error *err)
{
    error_clear(err);
    bool found = false;
    if (z < PTL_Z_MIN || z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "level %d lies outside %d..%d", z, PTL_Z_MIN,
                         PTL_Z_MAX);
    TRY(world_level_read(cells, &found, world, pos, z, err));
    if (!found)
        return error_set(err, PTL_ERR_NOT_FOUND, "chunk %d,%d of world '%s' is not saved",
                         pos.x, pos.y, world->row.name);
    return PTL_OK;
}

static ptl_status write_alone(ptl_world *world, const made_chunk *made, bool *written,
                              ptl_error *err)
{
    int64_t run_id = world->run_id;
    TRY(ops(world->store)->transaction->begin(world->store, err));
    /* All chunks that ptl_chunk_get makes for an open world share one row of the table `run`.
     * It is begun with the first of these chunks, and completed when the world is closed. */
    ptl_status status = PTL_OK;
    if (run_id == 0)
        status = ops(world->store)
                     ->run->begin(&run_id, world->store, world->row.id, "chunk_get", err);
    THEN(status, world_write_chunk(world, made, run_id, ptl_step_count(), NULL, written, err));
    status = world_end_writing(world->store, status, err);
    if (status != PTL_OK) {
        world->run_uncertain = true;
        return status;
    }
    if (world->run_id == 0)
        world->run_started = clock_seconds();
    world->run_id = run_id;
    world->run_chunks += *written;
    return PTL_OK;
}

ptl_status ptl_chunk_get(ptl_chunk **out, ptl_world *world, ptl_chunk_pos pos, ptl_error *err)
{
    error_clear(err);
    *out = NULL;
    bool has = false, written = false;
    TRY(world_check_position(pos, err));
    TRY(world_has_chunk(world, pos, ptl_step_count(), &has, err));
    if (has)
        return ptl_chunk_load(out, world, pos, err);
    TRY(world_prepare(world, err));
    made_chunk made = {0};
    ptl_chunk *chunk = NULL;
    chunk_maker maker = {.config = world->config,
                         .gen = world->gen,
                         .codec = world->codec,
                         .step_count = ptl_step_count()};
    ptl_status status = world_edges(world, pos, made.edges, err);
    THEN(status, world_make_chunk(&made, &chunk, &maker, pos, err));
    THEN(status, write_alone(world, &made, &written, err));
    made_chunk_dispose(&made);
    if (status == PTL_OK && written) {
        /* A chunk that was removed, and is made again, still has its edits. */
        status = world_edits_show(chunk, world, world->cat, err);
        *out = status == PTL_OK ? chunk : NULL;
        if (*out)
            return PTL_OK;
    }
    ptl_chunk_free(chunk);
    /* If another process has saved the chunk in the meantime, the caller gets the saved
     * chunk. */
    return status == PTL_OK ? ptl_chunk_load(out, world, pos, err) : status;
}

/* ptl_generate: makes the chunks of a list, except those that are saved already (bulk.h). */

size_t ptl_step_count(void)
{
    return pipeline_step_count(&overmap_pipeline);
}

const char *ptl_step_name(size_t index)
{
    const step_info *info = pipeline_step(&overmap_pipeline, index);
    return info ? info->name : NULL;
}

static ptl_status wants_missing(void *context, ptl_chunk_pos pos, bool *wanted,
                                const char **reason, ptl_error *err)
{
    const bulk *work = context;
    bool has = false;
    (void)reason;
    ptl_status status = world_has_chunk(work->world, pos, work->step_count, &has, err);
    *wanted = !has;
    return status;
}

ptl_status ptl_generate(ptl_generate_report *report, ptl_world *world,
                        const ptl_generate_options *options, ptl_error *err)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_generate_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_generate_report, report, err));
    bulk work = {.world = world,
                 .command = "generate",
                 .list = o.positions,
                 .count = o.position_count,
                 .jobs = o.jobs,
                 .shard = {o.shard, o.shards},
                 .step_count = o.stop_after ? world_steps_to(o.stop_after) : ptl_step_count(),
                 .wants = wants_missing,
                 .context = &work,
                 .on_progress = o.on_progress,
                 .payload = o.payload};
    ptl_status status = work.step_count > 0
                            ? shard_check(work.shard, err)
                            : error_set(err, PTL_ERR_ARGUMENT,
                                        "there is no generation step '%s'", o.stop_after);
    THEN(status, world_prepare(world, err));
    THEN(status, bulk_run(&work, err));
    SIZED_FILL(ptl_generate_report, report, &work.report);
    return status;
}
