/*
 * Making many chunks. One thread, the caller's, reads edges and writes; the pool's threads
 * generate and encode. Results are gathered in memory and written in short transactions, so
 * that other processes get their turn while this one is generating.
 */
#include "world/bulk.h"

#include "core/error.h"
#include "store/busy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_MAX = 64, /* chunks in one transaction */
    QUEUE_PER_JOB = 4,
    JOBS_MAX = 64,
    RATE_POINTS = 16
};
static const double BATCH_SECONDS = 0.5; /* half of what is promised */

typedef struct rate_point {
    double at;
    uint64_t done;
} rate_point;

/* What one transaction did: it counts once it is committed. */
typedef struct batch_counts {
    uint64_t written, changed, events;
} batch_counts;

typedef struct run {
    bulk *work;
    ptl_world *world;
    ptl_progress *progress;   /* the report's */
    ptl_chunk_pos *positions; /* owned, without repetitions, in the order asked for */
    size_t position_count, next;
    int32_t jobs;
    int64_t run_id;
    ptl_status outcome;
    pool *pool;
    pool_task *batch[BATCH_MAX];
    size_t batch_count;
    batch_counts counts; /* of the batch's transaction */
    double started, batch_started, asked;
    rate_point rates[RATE_POINTS]; /* a ring, oldest overwritten */
    size_t rate_count;
} run;

/* ---- which chunks ---- */

typedef struct indexed {
    ptl_chunk_pos pos;
    size_t index;
} indexed;

static int by_position(const void *pa, const void *pb)
{
    const indexed *a = pa, *b = pb;
    if (a->pos.x != b->pos.x)
        return a->pos.x < b->pos.x ? -1 : 1;
    if (a->pos.y != b->pos.y)
        return a->pos.y < b->pos.y ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int by_index(const void *pa, const void *pb)
{
    const indexed *a = pa, *b = pb;
    return a->index < b->index ? -1 : a->index > b->index;
}

static ptl_status collect_positions(run *r, ptl_error *err)
{
    size_t n = r->work->count, kept = 0;
    const int32_t most = PTL_CHUNK_COORD_MAX;
    indexed *list = calloc(n ? n : 1, sizeof *list);
    r->positions = calloc(n ? n : 1, sizeof *r->positions);
    ptl_status status = list && r->positions ? PTL_OK : error_nomem(err);
    for (size_t i = 0; status == PTL_OK && i < n; i++) {
        ptl_chunk_pos p = r->work->list[i];
        if (p.x < -most || p.x > most || p.y < -most || p.y > most)
            status = error_set(err, PTL_ERR_ARGUMENT, "chunk %d,%d lies outside -%d..%d", p.x,
                               p.y, most, most);
        list[i] = (indexed){p, i};
    }
    if (status == PTL_OK) {
        qsort(list, n, sizeof *list, by_position);
        for (size_t i = 0; i < n; i++)
            if (i == 0 || list[i].pos.x != list[i - 1].pos.x ||
                list[i].pos.y != list[i - 1].pos.y)
                list[kept++] = list[i];
        qsort(list, kept, sizeof *list, by_index);
        for (size_t i = 0; i < kept; i++)
            r->positions[i] = list[i].pos;
        r->position_count = kept;
        r->progress->total = kept;
    }
    free(list);
    return status;
}

/* ---- progress ---- */

static void measure(run *r)
{
    ptl_progress *p = r->progress;
    double now = world_clock();
    p->seconds = now - r->started;
    rate_point *oldest = &r->rates[0];
    if (r->rate_count >= RATE_POINTS)
        oldest = &r->rates[r->rate_count % RATE_POINTS];
    if (r->rate_count > 0 && now > oldest->at)
        p->rate = (double)(p->done - oldest->done) / (now - oldest->at);
    r->rates[r->rate_count++ % RATE_POINTS] = (rate_point){now, p->done};
}

static ptl_status tell(run *r, ptl_error *err)
{
    measure(r);
    if (r->work->on_progress && !r->work->on_progress(r->work->payload, r->progress))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; what was committed stays");
    return PTL_OK;
}

/* ---- writing ---- */

static void drop_batch(run *r)
{
    for (size_t i = 0; i < r->batch_count; i++)
        pool_task_free(r->batch[i]);
    r->batch_count = 0;
}

static ptl_status write_task(run *r, const pool_task *task, batch_counts *counts,
                             ptl_error *err)
{
    bool written = false, changed = false;
    ptl_status status =
        r->work->replace
            ? world_replace_chunk(r->world, &task->made, r->run_id, &written, &changed, err)
            : world_write_chunk(r->world, &task->made, r->run_id, r->work->step_count, &written,
                                err);
    counts->written += written;
    counts->changed += changed;
    counts->events += written ? task->made.event_count : 0;
    return status;
}

/* While others hold a transaction up: may it wait on? */
static bool go_on_waiting(void *payload, double seconds)
{
    run *r = payload;
    const double now = world_clock();
    (void)seconds;
    if (!r->work->on_progress || now - r->asked < BATCH_SECONDS)
        return true;
    r->asked = now;
    measure(r);
    return r->work->on_progress(r->work->payload, r->progress);
}

/* A transaction that others hold up is waited for, however long, as long as somebody can stop
 * that (store.h). */
static ptl_status patiently(run *r, ptl_status (*transaction)(void *payload, ptl_error *err),
                            ptl_error *err)
{
    const patient_work work = {transaction, r->work->on_progress ? go_on_waiting : NULL, r};
    return store_patiently(r->world->store, &work, err);
}

static ptl_status write_transaction(void *payload, ptl_error *err)
{
    run *r = payload;
    r->counts = (batch_counts){0};
    ptl_status status = store_begin(r->world->store, err);
    if (status != PTL_OK)
        return status;
    for (size_t i = 0; i < r->batch_count && status == PTL_OK; i++)
        status = write_task(r, r->batch[i], &r->counts, err);
    if (status == PTL_OK)
        status = store_commit(r->world->store, err);
    if (status != PTL_OK)
        store_rollback(r->world->store);
    return status;
}

static ptl_status write_batch(run *r, ptl_error *err)
{
    if (r->batch_count == 0)
        return PTL_OK;
    const double before = world_clock();
    ptl_status status = patiently(r, write_transaction, err);
    if (status != PTL_OK)
        return status;
    const batch_counts counts = r->counts;
    r->progress->done += counts.written;
    r->progress->skipped += r->batch_count - counts.written;
    r->work->report.events += counts.events;
    r->work->changed += counts.changed;
    drop_batch(r);
    r->work->report.write_seconds += world_clock() - before;
    return tell(r, err);
}

/* ---- the loop ---- */

/* Gives the pool a chunk to make; *given false if its edges can't be used. */
static ptl_status give(run *r, ptl_chunk_pos pos, bool *given, ptl_error *err)
{
    pool_task *task = calloc(1, sizeof *task);
    if (!task)
        return error_nomem(err);
    task->pos = pos;
    ptl_status status = world_edges(r->world, pos, task->made.edges, &task->err);
    if (status == PTL_OK) {
        pool_give(r->pool, task);
        *given = true;
    } else if (status == PTL_ERR_MISMATCH && r->work->unusable) {
        r->work->unusable(r->work->context, pos, task->err.message);
        r->progress->skipped++;
        status = PTL_OK;
    } else if (err) {
        *err = task->err;
    }
    if (!*given)
        pool_task_free(task);
    return status;
}

/* Gives the pool the next chunk that is wanted; *given false at the end of the list. */
static ptl_status give_next(run *r, bool *given, ptl_error *err)
{
    ptl_status status = PTL_OK;
    *given = false;
    while (status == PTL_OK && !*given && r->next < r->position_count) {
        ptl_chunk_pos pos = r->positions[r->next++];
        bool wanted = false;
        status = r->work->wants(r->work->context, pos, &wanted, err);
        if (status == PTL_OK && !wanted)
            r->progress->skipped++;
        else if (status == PTL_OK)
            status = give(r, pos, given, err);
    }
    return status;
}

static ptl_status take_finished(run *r, ptl_error *err)
{
    double wait = BATCH_SECONDS;
    if (r->batch_count > 0)
        wait -= world_clock() - r->batch_started;
    pool_task *task = pool_take(r->pool, wait);
    if (!task)
        return PTL_OK;
    if (task->status != PTL_OK) {
        ptl_status status = task->status;
        if (err)
            *err = task->err;
        pool_task_free(task);
        return status;
    }
    if (r->batch_count == 0)
        r->batch_started = world_clock();
    r->batch[r->batch_count++] = task;
    return PTL_OK;
}

static bool batch_is_due(const run *r)
{
    return r->batch_count == BATCH_MAX ||
           (r->batch_count > 0 && world_clock() - r->batch_started >= BATCH_SECONDS);
}

static ptl_status loop(run *r, ptl_error *err)
{
    size_t room = r->jobs == 1 ? 1 : (size_t)r->jobs * QUEUE_PER_JOB;
    ptl_status status = PTL_OK;
    for (;;) {
        bool given = true;
        while (status == PTL_OK && given && pool_pending(r->pool) < room)
            status = give_next(r, &given, err);
        if (status == PTL_OK && pool_pending(r->pool) > 0)
            status = take_finished(r, err);
        bool last = pool_pending(r->pool) == 0 && r->next >= r->position_count;
        if (status == PTL_OK && (last || batch_is_due(r)))
            status = write_batch(r, err);
        if (status != PTL_OK || last)
            return status;
    }
}

static ptl_status begin_transaction(void *payload, ptl_error *err)
{
    run *r = payload;
    return run_row_begin(&r->run_id, r->world->store, r->world->row.id, r->work->command, err);
}

static ptl_status end_transaction(void *payload, ptl_error *err)
{
    const run *r = payload;
    const char *word = r->outcome == PTL_OK              ? "done"
                       : r->outcome == PTL_ERR_CANCELLED ? "cancelled"
                                                         : "failed";
    return run_row_end(r->world->store, r->run_id, r->progress->done, r->progress->seconds,
                       word, err);
}

/* Keeps the loop's own error if the run can't be closed either. */
static ptl_status end_run(run *r, ptl_status outcome, ptl_error *err)
{
    r->outcome = outcome;
    ptl_status status = patiently(r, end_transaction, err);
    return outcome != PTL_OK ? outcome : status;
}

static_assert((int)GEN_STEPS_MAX <= (int)PTL_STEPS_MAX, "a report has room for every step");

static void add_times(run *r)
{
    generator_times times = {0};
    pool_add_times(r->pool, &times, &r->work->report.encode_seconds);
    for (size_t i = 0; i < GEN_STEPS_MAX; i++)
        r->work->report.step_seconds[i] = times.seconds[i];
}

static ptl_status start(run *r, ptl_error *err)
{
    bulk *work = r->work;
    r->jobs = work->jobs == 0 ? 1 : work->jobs;
    if (r->jobs < 1 || r->jobs > JOBS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "jobs must be 1 to %d", JOBS_MAX);
    ptl_status status = collect_positions(r, err);
    if (status == PTL_OK)
        status = pool_new(&r->pool, r->world->config, r->jobs, work->step_count, err);
    if (status == PTL_OK)
        status = patiently(r, begin_transaction, err);
    return status;
}

/* Threads still at work are waited for before their times are read. */
static void stop(run *r, ptl_status status)
{
    drop_batch(r);
    if (r->pool) {
        while (pool_pending(r->pool) > 0 && r->jobs > 1 && status != PTL_OK)
            pool_task_free(pool_take(r->pool, 1.0));
        add_times(r);
    }
    pool_free(r->pool);
    free(r->positions);
}

ptl_status bulk_run(bulk *work, ptl_error *err)
{
    run r = {.work = work,
             .world = work->world,
             .progress = &work->report.progress,
             .started = world_clock()};
    ptl_status status = start(&r, err);
    if (status == PTL_OK) {
        r.rates[r.rate_count++] = (rate_point){world_clock(), 0};
        status = loop(&r, err);
        measure(&r);
        status = end_run(&r, status, err);
    }
    stop(&r, status);
    return status;
}
