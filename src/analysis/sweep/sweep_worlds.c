#include "analysis/sweep/sweep_worlds.h"

#include "core/error.h"
#include "core/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SEED_DIGITS = 20, NAME_MAX_BYTES = 100, NAME_SIZE = NAME_MAX_BYTES + 1 };

ptl_status sweep_worlds_check(const char *name, ptl_error *err)
{
    const size_t most = NAME_MAX_BYTES - SEED_DIGITS - 1;
    if (strlen(name) <= most)
        return PTL_OK;
    return error_set(err, PTL_ERR_ARGUMENT,
                     "a sweep that keeps its tiles has a name of at most %zu bytes: its worlds "
                     "are named NAME/SEED",
                     most);
}

void sweep_worlds_init(sweep_worlds *out, ptl_store *store, const char *name,
                       const seed_base *base)
{
    *out = (sweep_worlds){.store = store, .name = name, .base = base};
}

void sweep_worlds_forget(sweep_worlds *w)
{
    w->known = false;
}

static void world_name(const sweep_worlds *w, uint64_t seed, char out[NAME_SIZE])
{
    snprintf(out, NAME_SIZE, "%s/%" PRIu64, w->name, seed);
}

static bool same_world(const world_row *a, const world_row *b)
{
    const ptl_world_options x = world_row_options(a), y = world_row_options(b);
    bool same = a->seed == b->seed && a->generator_version == b->generator_version &&
                a->content_id == b->content_id;
    for (size_t i = 0; i < SETTINGS_OF_SWEEPS && same; i++)
        same = setting_is_same(&x, &y, &setting_rows[i]);
    return same;
}

/* *found false: there is no such world. A world that is there must be one of this sweep's. */
static ptl_status find(sweep_worlds *w, uint64_t seed, bool *found, ptl_error *err)
{
    char name[NAME_SIZE];
    world_row there = {0};
    ptl_error own = {0};
    world_name(w, seed, name);
    ptl_world_options options = w->base->config->options;
    options.seed = seed;
    const world_row asked = world_row_of(name, &options, w->base->cat->content_id);
    ptl_status status = store_world_find(&there, w->store, name, &own);
    *found = status == PTL_OK;
    if (status == PTL_ERR_NOT_FOUND)
        return PTL_OK;
    if (status == PTL_OK && !same_world(&there, &asked))
        status = error_set(&own, PTL_ERR_EXISTS,
                           "there is a world '%s' that is not this sweep's: its seed, settings "
                           "or content differ",
                           name);
    w->world_id = there.id;
    world_row_dispose(&there);
    if (status != PTL_OK && err)
        *err = own;
    return status;
}

static ptl_status make(sweep_worlds *w, uint64_t seed, ptl_error *err)
{
    char name[NAME_SIZE];
    world_name(w, seed, name);
    ptl_world_options options = w->base->config->options;
    options.seed = seed;
    const world_row row = world_row_of(name, &options, w->base->cat->content_id);
    return store_world_insert(&w->world_id, w->store, &row, err);
}

static ptl_world light_world(sweep_worlds *w)
{
    return (ptl_world){.store = w->store, .row = {.id = w->world_id}, .cat = w->base->cat};
}

ptl_status sweep_worlds_have(bool *has, sweep_worlds *w, uint64_t seed, ptl_chunk_pos pos,
                             ptl_error *err)
{
    bool found = w->known && w->seed == seed;
    ptl_status status = PTL_OK;
    if (!found) {
        w->known = false;
        status = find(w, seed, &found, err);
    }
    *has = false;
    if (status != PTL_OK || !found)
        return status;
    ptl_world world = light_world(w);
    return world_has_chunk(&world, pos, pipeline_step_count(&overmap_pipeline), has, err);
}

/* Makes w->world_id that of the seed, and begins a run in it. */
static ptl_status go_to(sweep_worlds *w, uint64_t seed, ptl_error *err)
{
    bool found = false;
    ptl_status status = find(w, seed, &found, err);
    if (status == PTL_OK && !found)
        status = make(w, seed, err);
    if (status == PTL_OK)
        status = store_run_begin(&w->run_id, w->store, w->world_id, "sweep", err);
    w->known = status == PTL_OK;
    w->seed = seed;
    w->run_chunks = 0;
    return status;
}

ptl_status sweep_worlds_write(sweep_worlds *w, uint64_t seed, const made_chunk *made,
                              ptl_error *err)
{
    bool written = false;
    ptl_status status = w->known && w->seed == seed ? PTL_OK : go_to(w, seed, err);
    if (status != PTL_OK)
        return status;
    ptl_world world = light_world(w);
    status = world_write_chunk(&world, made, w->run_id, pipeline_step_count(&overmap_pipeline),
                               &written, err);
    w->run_chunks += written;
    if (status == PTL_OK)
        status = store_run_end(w->store, w->run_id, w->run_chunks, 0, "done", err);
    return status;
}
