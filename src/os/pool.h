/*
 * Threads that work beside the one that made them: a pool of workers, and a ticker.
 *
 * A pool runs tasks: tasks go in, are run, and come out in any order. Who gives the tasks says
 * what they do (pool_kind). With one job there is no thread: a task is run when it is given.
 * Only the thread that made the pool may use it.
 */
#pragma once

#include "portolan/status.h"

#include <stddef.h>
#include <stdint.h>

/* The beginning of every task: the giver's own structs begin with it. */
typedef struct pool_task {
    ptl_status status; /* set by run, with err */
    ptl_error err;
    uint64_t number;        /* for the giver of the tasks */
    struct pool_task *next; /* for the pool */
} pool_task;

/* What tasks are. The pool's own thread makes and frees the workers, one for each job. */
typedef struct pool_kind {
    void *(*worker_new)(void *context); /* new; NULL when memory is out */
    void (*worker_free)(void *worker);  /* frees what worker_new made */
    void (*run)(void *worker, pool_task *task);
    void (*task_free)(pool_task *task);
    void *context;
} pool_kind;

typedef struct pool pool;

/* Makes a new pool and starts its threads. */
ptl_status pool_new(pool **out, const pool_kind *kind, int32_t jobs, ptl_error *err);
/* Waits for running tasks, drops waiting ones and ends the threads. Tasks that were given
 * but not taken are freed. */
void pool_free(pool *p);

/* Gives a task to the pool, which owns it until it is taken. */
void pool_give(pool *p, pool_task *task);
/* Returns how many tasks were given and not taken yet. */
size_t pool_pending(const pool *p);
/* Takes a finished task, in no particular order; NULL if none finishes within `seconds`. */
pool_task *pool_take(pool *p, double seconds);

/* A thread that calls a function every few milliseconds while another thread works. */
typedef struct ticker ticker;

/* Returns a new ticker; NULL if there is no memory or no thread for it, and then nobody
 * calls tick. The first call comes after one pause, and no two calls overlap. */
ticker *ticker_begin(int milliseconds, void (*tick)(void *payload), void *payload);
/* Ends the thread. Once it returns, tick is not called any more. NULL is fine. */
void ticker_end(ticker *t);
