#include "world/flow.h"

#include "os/clock.h"
#include "world/world.h"

#include <stdlib.h>

enum {
    BATCH_MAX = 64,  /* most tasks whose results one transaction writes */
    BATCH_LEAST = 4, /* at the end of the work batches are written before they are full; they
                        have at least so many tasks */
    /* How many tasks for each thread may wait in the queue. They keep the threads busy while a
     * batch is written. */
    QUEUE_PER_JOB = 16,
    RATE_POINTS = 16
};
/* A batch of finished tasks is written after this many seconds. The documentation promises a
 * commit at least once a second; this is half of that time. */
static const double BATCH_SECONDS = 0.5;

typedef struct rate_point {
    double at;
    uint64_t done;
} rate_point;

typedef struct flow_state {
    pool *pool;
    /* How many tasks there may be at most in the pool: waiting, running, or finished but not
     * yet moved to `batch`. */
    size_t room;
    /* Owned; a ring buffer with `room` slots, for finished tasks that can't be written yet
     * because earlier tasks are not finished. */
    pool_task **ready;
    /* `given`: number of the next task that is given to the pool. `due`: number of the next
     * task that is written. */
    uint64_t given, due;
    bool exhausted;
    pool_task *batch[BATCH_MAX];
    size_t batch_count;
    uint64_t written; /* number of tasks that the open transaction has written */
    bool last;        /* no task follows this batch */
    double started, batch_started, asked;
    /* A ring buffer of the last measurements of how much was done at which time, from which the
     * speed is computed. When it is full, a new measurement overwrites the oldest one. */
    rate_point rates[RATE_POINTS];
    size_t rate_count;
} flow_state;

/* ---- progress ---- */

static void measure(flow *f)
{
    flow_state *s = f->state;
    ptl_progress *p = f->progress;
    double now = clock_seconds();
    p->seconds = now - s->started;
    rate_point *oldest = &s->rates[0];
    if (s->rate_count >= RATE_POINTS)
        oldest = &s->rates[s->rate_count % RATE_POINTS];
    if (s->rate_count > 0 && now > oldest->at)
        p->rate = (double)(p->done - oldest->done) / (now - oldest->at);
    s->rates[s->rate_count++ % RATE_POINTS] = (rate_point){now, p->done};
}

/* ---- writing ---- */

static void drop_batch(flow *f)
{
    flow_state *s = f->state;
    for (size_t i = 0; i < s->batch_count; i++)
        f->kind.task_free(s->batch[i]);
    s->batch_count = 0;
}

static bool ask_patiently(void *payload, double seconds)
{
    /* Called while other processes lock the file. Returns whether the transaction may go on
     * waiting for the lock. Reports progress at most once in each BATCH_SECONDS. */
    flow *f = payload;
    const double now = clock_seconds();
    (void)seconds;
    if (!f->on_progress || now - f->state->asked < BATCH_SECONDS)
        return true;
    f->state->asked = now;
    measure(f);
    return f->on_progress(f->payload, f->progress);
}

static bool ask_no_more(void *payload, double seconds)
{
    (void)payload, (void)seconds;
    return false;
}

ptl_status flow_patiently(flow *f, ptl_status (*transaction)(void *flow, ptl_error *err),
                          ptl_error *err)
{
    const patient_work work = {transaction,
                               f->held          ? ask_no_more
                               : f->on_progress ? ask_patiently
                                                : NULL,
                               f};
    /* The tasks of the batch are finished. So they are written even if the caller has asked to
     * stop meanwhile: until the transaction ends, the store ignores requests to stop. */
    ops(f->store)->transaction->deafen(f->store, true);
    ptl_status status = ops(f->store)->transaction->retry(f->store, &work, err);
    ops(f->store)->transaction->deafen(f->store, false);
    return status;
}

static ptl_status write_transaction(void *payload, ptl_error *err)
{
    flow *f = payload;
    flow_state *s = f->state;
    s->written = 0;
    if (f->begin)
        f->begin(f->context);
    ptl_status status = ops(f->store)->transaction->begin(f->store, err);
    if (status != PTL_OK)
        return status;
    for (size_t i = 0; i < s->batch_count && status == PTL_OK; i++) {
        bool written = false;
        status = f->write(f->context, s->batch[i], &written, err);
        s->written += written;
    }
    if (status == PTL_OK && f->close)
        status = f->close(f->context, s->written, s->last, clock_seconds() - s->started, err);
    return world_end_writing(f->store, status, err);
}

static ptl_status write_batch(flow *f, ptl_error *err)
{
    flow_state *s = f->state;
    if (s->batch_count == 0)
        return PTL_OK;
    const double before = clock_seconds();
    ptl_status status = flow_patiently(f, write_transaction, err);
    f->held = status == PTL_ERR_CANCELLED || status == PTL_ERR_BUSY;
    if (status != PTL_OK)
        return status;
    f->progress->done += s->written;
    f->progress->skipped += s->batch_count - s->written;
    if (f->committed)
        f->committed(f->context);
    drop_batch(f);
    f->write_seconds += clock_seconds() - before;
    measure(f);
    if (f->on_progress && !f->on_progress(f->payload, f->progress))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; what was committed stays");
    return PTL_OK;
}

/* ---- the loop over all tasks ---- */

static ptl_status fill_pool(flow *f, ptl_error *err)
{
    flow_state *s = f->state;
    ptl_status status = PTL_OK;
    while (status == PTL_OK && !s->exhausted && s->given - s->due < s->room) {
        pool_task *task = NULL;
        status = f->next(f->context, &task, err);
        s->exhausted = status == PTL_OK && !task;
        if (status != PTL_OK || !task)
            return status;
        task->number = s->given++;
        pool_give(s->pool, task);
    }
    return status;
}

/* Takes a finished task from the pool. It stays in its slot of the ring until all tasks before
 * it are in a batch. If a batch must be written first, no task is taken. */
static ptl_status take_finished(flow *f, ptl_error *err)
{
    flow_state *s = f->state;
    double wait = BATCH_SECONDS;
    if (s->batch_count > 0)
        wait -= clock_seconds() - s->batch_started;
    pool_task *task = pool_take(s->pool, wait);
    if (!task)
        return PTL_OK;
    if (task->status != PTL_OK) {
        const ptl_status status = task->status;
        if (err)
            *err = task->err;
        f->kind.task_free(task);
        return status;
    }
    s->ready[task->number % s->room] = task;
    return PTL_OK;
}

/* Ends the loop after the caller has asked to stop. The tasks that are already finished are
 * still written. */
static ptl_status stopped(flow *f, ptl_error *err)
{
    ptl_error own = {0};
    f->state->last = false;
    const ptl_status status = write_batch(f, &own);
    if (status == PTL_OK || status == PTL_ERR_CANCELLED)
        return PTL_ERR_CANCELLED;
    if (err)
        *err = own;
    return status;
}

ptl_status flow_loop(flow *f, ptl_error *err)
{
    flow_state *s = f->state;
    ptl_status status = PTL_OK;
    s->rates[s->rate_count++] = (rate_point){clock_seconds(), f->progress->done};
    while (status == PTL_OK && !s->last) {
        status = fill_pool(f, err);
        if (status == PTL_OK && pool_pending(s->pool) > 0)
            status = take_finished(f, err);
        /* Puts finished tasks into the batch, in the order in which the tasks were given out,
         * until the batch is full. */
        pool_task **slot = &s->ready[s->due % s->room];
        while (*slot && s->batch_count < BATCH_MAX) {
            if (s->batch_count == 0)
                s->batch_started = clock_seconds();
            s->batch[s->batch_count++] = *slot;
            *slot = NULL;
            s->due++;
            slot = &s->ready[s->due % s->room];
        }
        if (status == PTL_ERR_CANCELLED) {
            status = stopped(f, err);
            break;
        }
        s->last = s->exhausted && s->given == s->due;
        /* At the end of the work no task is left to give out. From then on a batch is written
         * as soon as it has at least as many tasks as are still waiting or running. So the
         * threads still work while it is written. Otherwise they would be idle while one large
         * last batch is written. */
        const bool share = s->room > 1 && s->exhausted && s->batch_count >= BATCH_LEAST &&
                           s->batch_count >= s->given - s->due;
        if (status == PTL_OK &&
            (s->last || share || s->batch_count == BATCH_MAX ||
             (s->batch_count > 0 && clock_seconds() - s->batch_started >= BATCH_SECONDS)))
            status = write_batch(f, err);
    }
    measure(f);
    return status;
}

ptl_status flow_begin(flow *f, ptl_error *err)
{
    const int32_t jobs = f->jobs == 0 ? 1 : f->jobs;
    f->write_seconds = 0;
    f->state = NULL;
    if (jobs < 1 || jobs > FLOW_JOBS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "jobs must be 1 to %d", FLOW_JOBS_MAX);
    flow_state *s = f->state = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->started = clock_seconds();
    s->room = jobs == 1 ? 1 : (size_t)jobs * QUEUE_PER_JOB;
    s->ready = calloc(s->room, sizeof(pool_task *));
    if (!s->ready)
        return error_nomem(err);
    return pool_new(&s->pool, &f->kind, jobs, err);
}

void flow_end(flow *f)
{
    flow_state *s = f->state;
    if (!s)
        return;
    drop_batch(f);
    for (size_t i = 0; s->ready && i < s->room; i++)
        if (s->ready[i])
            f->kind.task_free(s->ready[i]);
    pool_free(s->pool);
    free(s->ready);
    free(s);
    f->state = NULL;
}
