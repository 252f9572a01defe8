/* Searching a world that is stored. */
#include "analysis/search/search_impl.h"
#include "core/error.h"
#include "os/clock.h"

#include <stdlib.h>

/* Reads one chunk, its tiles and its features from the same moment. */
static ptl_status read_chunk(ptl_chunk **out, gen_features *features, ptl_world *world,
                             ptl_chunk_pos pos, ptl_error *err)
{
    chunk_info info;
    bool found = false;
    *out = NULL;
    ptl_status status = store_begin_read(world->store, err);
    if (status != PTL_OK)
        return status;
    status = store_chunk_read(out, world->store, world->row.id, pos, world->cat, &info, err);
    if (status == PTL_OK && *out)
        status = store_features_read_all(features, &found, world->store, world->row.id, pos,
                                         world->cat, err);
    store_rollback(world->store);
    if (status != PTL_OK || !found) {
        ptl_chunk_free(*out);
        *out = NULL;
    }
    return status;
}

static ptl_status add_chunks(ptl_search *s, finder *f, ptl_error *err)
{
    gen_features features = {0};
    const double started = clock_seconds();
    ptl_status status = PTL_OK;
    s->progress = (ptl_progress){.size = sizeof s->progress, .total = s->chunk_count};
    for (size_t i = 0; i < s->chunk_count && status == PTL_OK; i++) {
        ptl_chunk *chunk;
        status = read_chunk(&chunk, &features, s->world, s->chunks[i], err);
        if (status == PTL_OK && chunk)
            status = finder_add(f, chunk, &features, err);
        ptl_chunk_free(chunk);
        s->progress.done = i + 1;
        s->progress.seconds = clock_seconds() - started;
        s->progress.rate = (double)(i + 1) / s->progress.seconds;
        if (status == PTL_OK && s->o.on_progress &&
            !s->o.on_progress(s->o.payload, &s->progress))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped");
    }
    s->report.seconds = s->progress.seconds;
    features_dispose(&features);
    return status;
}

/* The chunks that are saved by now. */
static ptl_status list_chunks(ptl_search *s, ptl_error *err)
{
    const chunk_filter all = CHUNK_FILTER_ALL;
    if (s->o.chunks)
        return PTL_OK;
    free(s->chunks);
    s->chunks = NULL;
    s->chunk_count = 0;
    ptl_status status =
        store_chunk_list(&s->chunks, &s->chunk_count, s->store, s->world->row.id, &all, err);
    search_order_chunks(s);
    return status;
}

static ptl_status ask_relation(search_found *found, ptl_search *s, ptl_error *err)
{
    finder *f = finder_new(s->relation);
    if (!f)
        return error_nomem(err);
    ptl_status status = list_chunks(s, err);
    if (status == PTL_OK)
        status = add_chunks(s, f, err);
    if (status == PTL_OK)
        status = search_ask_relation(found, f, s->world->row.seed, err);
    finder_free(f);
    return status;
}

ptl_status search_run_world(ptl_search *s, ptl_error *err)
{
    search_found found = {.most = search_most(s)};
    bool stop = false;
    ptl_status status =
        s->relation ? ask_relation(&found, s, err)
                    : search_ask_sql(&found, s->store, s->where, s->world->row.seed, err);
    if (status == PTL_OK)
        status = search_tell(s, &found, &stop, err);
    s->report.seeds = 1;
    free(found.list);
    return status;
}
