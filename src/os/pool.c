#include "os/pool.h"

#include "core/error.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* ---- waiting with a time limit ---- */

/* Makes a condition variable whose timed waits use the monotonic clock. Returns 0, or another
 * number if the system refuses. */
static int init_clocked(pthread_cond_t *out)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return -1;
    int bad = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    bad |= pthread_cond_init(out, &attributes);
    pthread_condattr_destroy(&attributes);
    return bad;
}

/* Returns the time that the monotonic clock will have so many seconds from now. */
static struct timespec time_in(double seconds)
{
    struct timespec out;
    clock_gettime(CLOCK_MONOTONIC, &out);
    out.tv_sec += (time_t)seconds;
    out.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (out.tv_nsec >= 1000000000L) {
        out.tv_nsec -= 1000000000L;
        out.tv_sec++;
    }
    return out;
}

/* ---- the pool ---- */

typedef struct worker {
    pool *owner;
    void *own; /* the worker object that pool_kind.worker_new made */
    pthread_t thread;
    bool started;
} worker;

struct pool {
    pool_kind kind;
    int32_t jobs;
    worker *workers;
    /* Number of tasks that were given to the pool and not taken back. Only the thread that
     * made the pool uses this member. */
    size_t pending;
    /* The lock protects all members below. */
    pthread_mutex_t lock;
    pthread_cond_t given, finished;
    pool_task *waiting_first, *waiting_last;
    pool_task *done_first, *done_last;
    bool closing;
};

static void append(pool_task **first, pool_task **last, pool_task *task)
{
    task->next = NULL;
    if (*last)
        (*last)->next = task;
    else
        *first = task;
    *last = task;
}

static pool_task *remove_first(pool_task **first, pool_task **last)
{
    pool_task *task = *first;
    if (task) {
        *first = task->next;
        if (!*first)
            *last = NULL;
    }
    return task;
}

/* Body of a worker's thread: runs tasks until the pool closes. The lock is not held while a
 * task runs. */
static void *work(void *argument)
{
    worker *w = argument;
    pool *p = w->owner;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->waiting_first && !p->closing)
            pthread_cond_wait(&p->given, &p->lock);
        if (p->closing)
            break;
        pool_task *task = remove_first(&p->waiting_first, &p->waiting_last);
        pthread_mutex_unlock(&p->lock);
        p->kind.run(w->own, task);
        pthread_mutex_lock(&p->lock);
        append(&p->done_first, &p->done_last, task);
        pthread_cond_signal(&p->finished);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static ptl_status start_workers(pool *p, ptl_error *err)
{
    p->workers = calloc((size_t)p->jobs, sizeof *p->workers);
    if (!p->workers)
        return error_nomem(err);
    for (int32_t i = 0; i < p->jobs; i++) {
        worker *w = &p->workers[i];
        w->owner = p;
        w->own = p->kind.worker_new ? p->kind.worker_new(p->kind.context) : p->kind.context;
        if (!w->own)
            return error_nomem(err);
        if (p->jobs == 1)
            break;
        if (pthread_create(&w->thread, NULL, work, w) != 0)
            return error_set(err, PTL_ERR_NOMEM, "can't start thread %d of %d", i + 1, p->jobs);
        w->started = true;
    }
    return PTL_OK;
}

ptl_status pool_new(pool **out, const pool_kind *kind, int32_t jobs, ptl_error *err)
{
    *out = NULL;
    pool *p = calloc(1, sizeof *p);
    if (!p)
        return error_nomem(err);
    p->kind = *kind;
    p->jobs = jobs;
    int bad = pthread_mutex_init(&p->lock, NULL);
    bad |= pthread_cond_init(&p->given, NULL);
    bad |= init_clocked(&p->finished);
    if (bad != 0) {
        free(p);
        return error_nomem(err);
    }
    ptl_status status = start_workers(p, err);
    if (status != PTL_OK) {
        pool_free(p);
        return status;
    }
    *out = p;
    return PTL_OK;
}

void pool_free(pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->given);
    pthread_mutex_unlock(&p->lock);
    for (int32_t i = 0; p->workers && i < p->jobs; i++) {
        if (p->workers[i].started)
            pthread_join(p->workers[i].thread, NULL);
        if (p->workers[i].own && p->kind.worker_new)
            p->kind.worker_free(p->workers[i].own);
    }
    pool_task *task;
    while ((task = remove_first(&p->waiting_first, &p->waiting_last)))
        p->kind.task_free(task);
    while ((task = remove_first(&p->done_first, &p->done_last)))
        p->kind.task_free(task);
    pthread_cond_destroy(&p->finished);
    pthread_cond_destroy(&p->given);
    pthread_mutex_destroy(&p->lock);
    free(p->workers);
    free(p);
}

void pool_give(pool *p, pool_task *task)
{
    p->pending++;
    if (p->jobs == 1) {
        p->kind.run(p->workers[0].own, task);
        append(&p->done_first, &p->done_last, task);
        return;
    }
    pthread_mutex_lock(&p->lock);
    append(&p->waiting_first, &p->waiting_last, task);
    pthread_cond_signal(&p->given);
    pthread_mutex_unlock(&p->lock);
}

size_t pool_pending(const pool *p)
{
    return p->pending;
}

pool_task *pool_take(pool *p, double seconds)
{
    const struct timespec deadline = time_in(seconds > 0 ? seconds : 0);
    pthread_mutex_lock(&p->lock);
    while (!p->done_first && p->jobs > 1)
        if (pthread_cond_timedwait(&p->finished, &p->lock, &deadline) == ETIMEDOUT)
            break;
    pool_task *task = remove_first(&p->done_first, &p->done_last);
    pthread_mutex_unlock(&p->lock);
    if (task)
        p->pending--;
    return task;
}

/* ---- the ticker ---- */

struct ticker {
    int milliseconds;
    void (*tick)(void *payload);
    void *payload;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool over; /* the thread shall end; only read and written while `lock` is held */
};

static void *run_ticker(void *argument)
{
    ticker *t = argument;
    pthread_mutex_lock(&t->lock);
    while (!t->over) {
        const struct timespec at = time_in(t->milliseconds / 1000.0);
        if (pthread_cond_timedwait(&t->ended, &t->lock, &at) == ETIMEDOUT)
            t->tick(t->payload);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void free_ticker(ticker *t)
{
    pthread_cond_destroy(&t->ended);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

ticker *ticker_begin(int milliseconds, void (*tick)(void *payload), void *payload)
{
    ticker *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->milliseconds = milliseconds;
    t->tick = tick;
    t->payload = payload;
    int bad = pthread_mutex_init(&t->lock, NULL);
    bad |= init_clocked(&t->ended);
    if (bad != 0) {
        free(t);
        return NULL;
    }
    if (pthread_create(&t->thread, NULL, run_ticker, t) == 0)
        return t;
    free_ticker(t);
    return NULL;
}

void ticker_end(ticker *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->over = true;
    pthread_cond_signal(&t->ended);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    free_ticker(t);
}
