/*
 * Searches seeds. Seeds go to the workers of a pool, each of which makes all overmaps of one
 * seed and searches them. Results wait in a ring until all earlier seeds have been reported,
 * so that matches come in the order of seeds.
 */
#include "analysis/search/search_impl.h"
#include "os/clock.h"
#include "os/pool.h"
#include "world/scratch.h"

#include <stdlib.h>

enum { QUEUE_PER_JOB = 4, RATE_POINTS = 64 };
static const double PROGRESS_SECONDS = 0.25;

typedef struct seed_task {
    pool_task head; /* its number counts seeds from 0 */
    uint64_t seed;
    search_found found;
} seed_task;

typedef struct worker {
    const ptl_search *search;
    seed_maker *maker;
    finder *finder;   /* if a relation is searched */
    scratch *scratch; /* if SQL is searched; borrowed from the state */
    codec *codec;
    made_chunk *made; /* owned; chunk_count of them */
} worker;

typedef struct rate_point {
    double at;
    uint64_t done;
} rate_point;

typedef struct state {
    ptl_search *search;
    pool *pool;
    pool_task **ready; /* owned: a ring with room for `room` results */
    size_t room;
    /* Numbers of tasks: given to the pool, next to be reported, all (0: 2^64, which can't
     * be counted). */
    uint64_t given, due, total;
    double started, next_progress;
    rate_point rates[RATE_POINTS];
    size_t rate_count;
    /* Owned: one for each worker that asks SQL. They are made in the caller's thread, which
     * owns the store that they copy from. */
    scratch **scratches;
    int32_t worker_count;
} state;

/* ---- workers ---- */

static void worker_free(void *own)
{
    worker *w = own;
    seed_maker_free(w->maker);
    finder_free(w->finder);
    codec_free(w->codec);
    free(w->made);
    free(w);
}

static void *worker_new(void *context)
{
    state *st = context;
    const ptl_search *s = st->search;
    worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->search = s;
    w->maker = seed_maker_new(&s->base);
    if (s->relation) {
        w->finder = finder_new(s->relation);
    } else {
        w->scratch = st->scratches[st->worker_count++];
        w->codec = codec_new();
        w->made = calloc(s->chunk_count, sizeof *w->made);
    }
    if (w->maker && (w->finder || (w->codec && w->made)))
        return w;
    worker_free(w);
    return NULL;
}

static ptl_status find_relation(worker *w, seed_task *task, ptl_error *err)
{
    const ptl_search *s = w->search;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < s->chunk_count && status == PTL_OK; i++) {
        ptl_chunk *chunk;
        edge edges[4];
        status = seed_maker_run(&chunk, edges, w->maker, task->seed, s->chunks[i], err);
        THEN(status, finder_add(w->finder, chunk, generator_features(w->maker->gen), err));
        ptl_chunk_free(chunk);
        for (int side = 0; side < 4; side++)
            edge_dispose(&edges[side]);
    }
    return status == PTL_OK ? search_ask_relation(&task->found, w->finder, task->seed, err)
                            : status;
}

static ptl_status find_sql(worker *w, seed_task *task, ptl_error *err)
{
    const ptl_search *s = w->search;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < s->chunk_count && status == PTL_OK; i++) {
        made_chunk *made = &w->made[i];
        const ptl_chunk_pos pos = s->chunks[i];
        ptl_chunk *chunk;
        status = seed_maker_run(&chunk, made->edges, w->maker, task->seed, pos, err);
        THEN(status,
             world_encode_chunk(made, w->codec, &w->maker->config, chunk, w->maker->gen, err));
        ptl_chunk_free(chunk);
    }
    THEN(status,
         scratch_fill(w->scratch, &w->maker->config.options, w->made, s->chunk_count, err));
    for (size_t i = 0; i < s->chunk_count; i++)
        made_chunk_dispose(&w->made[i]);
    return status == PTL_OK ? search_ask_sql(&task->found, scratch_store(w->scratch), s->where,
                                             task->seed, err)
                            : status;
}

static void run(void *own, pool_task *head)
{
    worker *w = own;
    seed_task *task = (seed_task *)head;
    task->found.most = search_most(w->search);
    head->status = w->search->relation ? find_relation(w, task, &head->err)
                                       : find_sql(w, task, &head->err);
}

static void task_free(pool_task *head)
{
    seed_task *task = (seed_task *)head;
    if (task)
        free(task->found.list);
    free(task);
}

/* ---- the caller's side ---- */

static ptl_status tell_progress(state *st, ptl_error *err)
{
    ptl_search *s = st->search;
    const double now = clock_seconds();
    const rate_point *from =
        &st->rates[st->rate_count >= RATE_POINTS ? st->rate_count % RATE_POINTS : 0];
    s->progress.done = s->report.seeds;
    s->progress.total = st->total;
    s->progress.seconds = now - st->started;
    if (now < st->next_progress)
        return PTL_OK;
    st->next_progress = now + PROGRESS_SECONDS;
    if (st->rate_count > 0 && now > from->at)
        s->progress.rate = (double)(s->report.seeds - from->done) / (now - from->at);
    st->rates[st->rate_count++ % RATE_POINTS] = (rate_point){now, s->report.seeds};
    if (s->o.on_progress && !s->o.on_progress(s->o.payload, &s->progress))
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    return PTL_OK;
}

/* Reports the results that come next in order. */
static ptl_status tell_ready(state *st, bool *stop, ptl_error *err)
{
    ptl_search *s = st->search;
    ptl_status status = PTL_OK;
    pool_task **slot = &st->ready[st->due % st->room];
    while (*slot && status == PTL_OK && !*stop) {
        seed_task *task = (seed_task *)*slot;
        if (task->head.status != PTL_OK) {
            if (err)
                *err = task->head.err;
            return task->head.status;
        }
        *slot = NULL;
        st->due++;
        s->report.seeds++;
        s->report.next_seed = task->seed + 1;
        status = search_tell(s, &task->found, stop, err);
        task_free(&task->head);
        slot = &st->ready[st->due % st->room];
    }
    return status;
}

static ptl_status loop(state *st, ptl_error *err)
{
    bool stop = false;
    for (;;) {
        while ((st->total == 0 || st->given < st->total) && st->given - st->due < st->room) {
            seed_task *task = calloc(1, sizeof *task);
            if (!task)
                return error_nomem(err);
            task->head.number = st->given;
            task->seed = st->search->o.seed_first + st->given++;
            pool_give(st->pool, &task->head);
        }
        pool_task *task = pool_take(st->pool, PROGRESS_SECONDS);
        if (task)
            st->ready[task->number % st->room] = task;
        ptl_status status = tell_ready(st, &stop, err);
        THEN(status, tell_progress(st, err));
        if (status != PTL_OK || stop ||
            (st->total > 0 && st->given == st->total && st->due == st->given))
            return status;
    }
}

static ptl_status make_scratches(state *st, ptl_error *err)
{
    const ptl_search *s = st->search;
    st->scratches = calloc((size_t)s->o.jobs, sizeof(scratch *));
    if (!st->scratches)
        return error_nomem(err);
    for (int32_t i = 0; i < s->o.jobs; i++)
        TRY(scratch_new(&st->scratches[i], s->store, s->base.cat, s->scratch_folder,
                        s->world_name, err));
    return PTL_OK;
}

static ptl_status begin(state *st, ptl_error *err)
{
    ptl_search *s = st->search;
    const pool_kind kind = {worker_new, worker_free, run, task_free, st};
    s->report.next_seed = s->o.seed_first;
    st->total = s->o.seed_last - s->o.seed_first + 1; /* 0 stands for all 2^64 */
    st->started = clock_seconds();
    st->next_progress = st->started + PROGRESS_SECONDS;
    st->rates[st->rate_count++] = (rate_point){st->started, 0};
    st->room = s->o.jobs == 1 ? 1 : (size_t)s->o.jobs * QUEUE_PER_JOB;
    st->ready = calloc(st->room, sizeof(pool_task *));
    if (!st->ready)
        return error_nomem(err);
    ptl_status status = s->relation ? PTL_OK : make_scratches(st, err);
    return status == PTL_OK ? pool_new(&st->pool, &kind, s->o.jobs, err) : status;
}

ptl_status search_run_seeds(ptl_search *s, ptl_error *err)
{
    state st = {.search = s};
    ptl_status status = begin(&st, err);
    THEN(status, loop(&st, err));
    for (size_t i = 0; st.ready && i < st.room; i++)
        if (st.ready[i])
            task_free(st.ready[i]);
    pool_free(st.pool);
    for (int32_t i = 0; st.scratches && i < s->o.jobs; i++)
        scratch_free(st.scratches[i]);
    free(st.scratches);
    free(st.ready);
    if (status == PTL_OK && s->report.seeds == st.total)
        s->report.next_seed = 0;
    s->report.seconds = clock_seconds() - st.started;
    return status;
}
