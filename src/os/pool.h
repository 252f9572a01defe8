/*
 * Threads that work beside the thread that made them: a pool of workers, and a ticker.
 *
 * A pool runs tasks: its user gives it tasks, worker threads run them, and the user takes
 * finished tasks back, in any order. The user says by a pool_kind what the tasks do. A pool
 * with one job has no thread: it runs a task when the task is given. Only the thread that made
 * the pool may use it.
 */
#pragma once

#include "portolan/status.h"

#include <stddef.h>
#include <stdint.h>

/* The beginning of every task: the structs of the pool's users have this as their first
 * member. */
typedef struct pool_task {
    ptl_status status; /* set by pool_kind.run, together with err */
    ptl_error err;
    /* The pool does not use this number: whoever gives the task may number tasks with it. */
    uint64_t number;
    struct pool_task *next; /* used by the pool alone */
} pool_task;

/* How a pool makes its workers (one for each of its threads) and runs its tasks. The thread
 * that made the pool makes and frees the workers. */
typedef struct pool_kind {
    /* Returns a new worker; NULL when memory is out. NULL in place of the function: `context`
     * is the worker of all threads, and worker_free is not called. */
    void *(*worker_new)(void *context);
    void (*worker_free)(void *worker); /* frees a worker that worker_new made */
    void (*run)(void *worker, pool_task *task);
    void (*task_free)(pool_task *task);
    void *context;
} pool_kind;

typedef struct pool pool;

/* Makes a new pool and starts its threads. */
ptl_status pool_new(pool **out, const pool_kind *kind, int32_t jobs, ptl_error *err);
/* Waits for running tasks, drops waiting tasks and ends the threads. Tasks that were given but
 * not taken are freed. */
void pool_free(pool *p);

/* Gives a task to the pool, which owns the task until it is taken back. */
void pool_give(pool *p, pool_task *task);
/* Returns how many tasks were given to the pool and not taken back yet. */
size_t pool_pending(const pool *p);
/* Takes a finished task out of the pool, in no particular order; NULL if no task finishes
 * within `seconds`. */
pool_task *pool_take(pool *p, double seconds);

/* A thread that calls a function every few milliseconds while another thread works. */
typedef struct ticker ticker;

/* Starts a thread that calls tick every `milliseconds`. Returns NULL if there is no memory or
 * no thread for that; tick is then never called. The first call comes after one pause, and no
 * two calls overlap. */
ticker *ticker_begin(int milliseconds, void (*tick)(void *payload), void *payload);
/* Ends the thread. After ticker_end has returned, tick is not called. Does nothing for NULL. */
void ticker_end(ticker *t);
