/*
 * Worker threads: tasks go in, are run, come out, in no order. What a task is its giver says
 * (pool_kind). With one job there is no thread: a task is done when it is given. Only the
 * thread that made the pool uses it.
 */
#ifndef OS_POOL_H
#define OS_POOL_H

#include "portolan/status.h"

#include <stddef.h>
#include <stdint.h>

/* The head of every task: tasks are structs of the giver's that begin with it. */
typedef struct pool_task {
    ptl_status status; /* set by run, with err */
    ptl_error err;
    uint64_t number;        /* for whoever gives the tasks */
    struct pool_task *next; /* the pool's */
} pool_task;

/* Workers are made and freed by the pool's own thread, one for each job. */
typedef struct pool_kind {
    void *(*worker_new)(void *context); /* new; NULL when memory is out */
    void (*worker_free)(void *worker);  /* of those that worker_new made */
    void (*run)(void *worker, pool_task *task);
    void (*task_free)(pool_task *task);
    void *context;
} pool_kind;

typedef struct pool pool;

/* Makes a new pool and starts its threads. */
ptl_status pool_new(pool **out, const pool_kind *kind, int32_t jobs, ptl_error *err);
/* Waits for running tasks, drops waiting ones, ends the threads. Tasks given and not taken
 * are freed. */
void pool_free(pool *p);

/* Gives a task (owned by the pool until it is taken). */
void pool_give(pool *p, pool_task *task);
/* How many tasks were given and not taken. */
size_t pool_pending(const pool *p);
/* Takes a finished task, in no order; NULL if none is finished within `seconds`. */
pool_task *pool_take(pool *p, double seconds);

#endif
