/*
 * Generating threads: tasks go in with their edges, come out encoded. With one job there is no
 * thread: a task is done when it is given. Only the thread that made the pool uses it.
 */
#ifndef WORLD_POOL_H
#define WORLD_POOL_H

#include "world/world.h"

typedef struct pool_task {
    ptl_chunk_pos pos;
    made_chunk made; /* edges set by the giver, the rest by the pool */
    ptl_status status;
    ptl_error err;
    struct pool_task *next; /* the pool's */
} pool_task;

typedef struct pool pool;

/* new. config is borrowed and shared by the threads. */
ptl_status pool_new(pool **out, const gen_config *config, int32_t jobs, size_t step_count,
                    ptl_error *err);
/* Waits for running tasks, drops waiting ones, ends the threads. Tasks given and not taken
 * are disposed and freed. */
void pool_free(pool *p);

/* Gives a task (malloc'ed; owned by the pool until it is taken). */
void pool_give(pool *p, pool_task *task);
/* How many tasks were given and not taken. */
size_t pool_pending(const pool *p);
/* A finished task, in no order; NULL if none is finished within `seconds`. */
pool_task *pool_take(pool *p, double seconds);

void pool_task_free(pool_task *task);

/* Sums over all threads, after the last task was taken. */
void pool_add_times(const pool *p, generator_times *times, double *encode_seconds);

#endif
