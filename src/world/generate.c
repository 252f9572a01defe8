/*
 * ptl_generate: many chunks. One thread, the caller's, reads edges and writes; the pool's
 * threads generate and encode. Results are gathered in memory and written in short
 * transactions, so that other processes get their turn while this one is generating.
 */
#include "core/error.h"
#include "world/pool.h"

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

size_t ptl_step_count(void)
{
    return pipeline_step_count();
}

const char *ptl_step_name(size_t index)
{
    const step_info *info = pipeline_step(index);
    return info ? info->name : NULL;
}

typedef struct rate_point {
    double at;
    uint64_t done;
} rate_point;

typedef struct run {
    ptl_world *world;
    const ptl_generate_options *options;
    ptl_generate_report report;
    ptl_chunk_pos *positions; /* owned, without repetitions, in the order asked for */
    size_t position_count, next;
    size_t step_count;
    int32_t jobs;
    int64_t run_id;
    pool *pool;
    pool_task *batch[BATCH_MAX];
    size_t batch_count;
    double started, batch_started;
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
    size_t n = r->options->position_count, kept = 0;
    const int32_t most = PTL_CHUNK_COORD_MAX;
    indexed *list = calloc(n ? n : 1, sizeof *list);
    r->positions = calloc(n ? n : 1, sizeof *r->positions);
    ptl_status status = list && r->positions ? PTL_OK : error_nomem(err);
    for (size_t i = 0; status == PTL_OK && i < n; i++) {
        ptl_chunk_pos p = r->options->positions[i];
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
        r->report.progress.total = kept;
    }
    free(list);
    return status;
}

static ptl_status find_step(run *r, ptl_error *err)
{
    r->step_count = pipeline_step_count();
    const char *name = r->options->stop_after;
    if (!name)
        return PTL_OK;
    for (size_t i = 0; i < pipeline_step_count(); i++)
        if (strcmp(pipeline_step(i)->name, name) == 0) {
            r->step_count = i + 1;
            return PTL_OK;
        }
    return error_set(err, PTL_ERR_ARGUMENT, "there is no generation step '%s'", name);
}

/* ---- progress ---- */

static void measure(run *r)
{
    ptl_progress *p = &r->report.progress;
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
    if (r->options->on_progress &&
        !r->options->on_progress(r->options->payload, &r->report.progress))
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

static ptl_status write_batch(run *r, ptl_error *err)
{
    if (r->batch_count == 0)
        return PTL_OK;
    double before = world_clock();
    uint64_t written_count = 0, events = 0;
    ptl_status status = store_begin(r->world->store, err);
    if (status != PTL_OK)
        return status;
    for (size_t i = 0; i < r->batch_count && status == PTL_OK; i++) {
        bool written = false;
        status = world_write_chunk(r->world, &r->batch[i]->made, r->run_id, r->step_count,
                                   &written, err);
        written_count += written;
        events += written ? r->batch[i]->made.event_count : 0;
    }
    if (status == PTL_OK)
        status = store_commit(r->world->store, err);
    if (status != PTL_OK) {
        store_rollback(r->world->store);
        return status;
    }
    r->report.progress.done += written_count;
    r->report.progress.skipped += r->batch_count - written_count;
    r->report.events += events;
    drop_batch(r);
    r->report.write_seconds += world_clock() - before;
    return tell(r, err);
}

/* ---- the loop ---- */

/* Gives the pool the next chunk that is not saved yet; *given false at the end of the list. */
static ptl_status give_next(run *r, bool *given, ptl_error *err)
{
    *given = false;
    while (r->next < r->position_count) {
        ptl_chunk_pos pos = r->positions[r->next++];
        bool has = false;
        ptl_status status = world_has_chunk(r->world, pos, r->step_count, &has, err);
        if (status != PTL_OK)
            return status;
        if (has) {
            r->report.progress.skipped++;
            continue;
        }
        pool_task *task = calloc(1, sizeof *task);
        if (!task)
            return error_nomem(err);
        task->pos = pos;
        status = world_edges(r->world, pos, task->made.edges, err);
        if (status != PTL_OK) {
            pool_task_free(task);
            return status;
        }
        pool_give(r->pool, task);
        *given = true;
        return PTL_OK;
    }
    return PTL_OK;
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

/* Keeps the loop's own error if the run can't be closed either. */
static ptl_status end_run(run *r, ptl_status outcome, ptl_error *err)
{
    const char *word = outcome == PTL_OK              ? "done"
                       : outcome == PTL_ERR_CANCELLED ? "cancelled"
                                                      : "failed";
    ptl_status status = run_row_end(r->world->store, r->run_id, r->report.progress.done,
                                    r->report.progress.seconds, word, err);
    return outcome != PTL_OK ? outcome : status;
}

static_assert((int)GEN_STEPS_MAX <= (int)PTL_STEPS_MAX, "a report has room for every step");

static void add_times(run *r)
{
    generator_times times = {0};
    pool_add_times(r->pool, &times, &r->report.encode_seconds);
    for (size_t i = 0; i < GEN_STEPS_MAX; i++)
        r->report.step_seconds[i] = times.seconds[i];
}

ptl_status ptl_generate(ptl_world *world, const ptl_generate_options *options,
                        ptl_generate_report *report, ptl_error *err)
{
    error_clear(err);
    run r = {.world = world, .options = options, .started = world_clock()};
    r.jobs = options->jobs == 0 ? 1 : options->jobs;
    ptl_status status = PTL_OK;
    if (r.jobs < 1 || r.jobs > JOBS_MAX)
        status = error_set(err, PTL_ERR_ARGUMENT, "jobs must be 1 to %d", JOBS_MAX);
    if (status == PTL_OK)
        status = find_step(&r, err);
    if (status == PTL_OK)
        status = collect_positions(&r, err);
    if (status == PTL_OK)
        status = world_prepare(world, err);
    if (status == PTL_OK)
        status = pool_new(&r.pool, world->config, r.jobs, r.step_count, err);
    if (status == PTL_OK)
        status = run_row_begin(&r.run_id, world->store, world->row.id, "generate", err);
    if (status == PTL_OK) {
        r.rates[r.rate_count++] = (rate_point){world_clock(), 0};
        status = loop(&r, err);
        measure(&r);
        status = end_run(&r, status, err);
    }
    drop_batch(&r);
    if (r.pool) {
        /* Threads still at work are waited for before their times are read. */
        while (pool_pending(r.pool) > 0 && r.jobs > 1 && status != PTL_OK) {
            pool_task *task = pool_take(r.pool, 1.0);
            pool_task_free(task);
        }
        add_times(&r);
    }
    pool_free(r.pool);
    free(r.positions);
    if (report)
        *report = r.report;
    return status;
}
