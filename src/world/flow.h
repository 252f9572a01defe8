/*
 * Work that flows through threads into the file. The caller's thread says what is to be made
 * and writes it; a pool's threads make it. Tasks are written in the order in which they were
 * given, whatever the number of threads, so that rows and numbers come out the same; in short
 * transactions, so that other processes get their turn while this one is generating.
 */
#ifndef WORLD_FLOW_H
#define WORLD_FLOW_H

#include "os/pool.h"
#include "portolan/generate.h"

enum { FLOW_JOBS_MAX = 64 };

typedef struct flow {
    ptl_store *store;
    int32_t jobs;   /* 0: 1 */
    pool_kind kind; /* of the tasks */
    void *context;  /* of what follows, which runs in the caller's thread */
    /* Makes the next task; *out is NULL where nothing is left. What it passes over it counts
     * itself. */
    ptl_status (*next)(void *context, pool_task **out, ptl_error *err);
    /* A transaction begins: what the context counted since the last commit was in vain (others
     * held the file up, the same tasks follow). May be NULL. */
    void (*begin)(void *context);
    /* Writes a task, in a transaction of the flow's. *written false: it was not needed. */
    ptl_status (*write)(void *context, const pool_task *task, bool *written, ptl_error *err);
    /* All of a transaction's tasks are before it is committed; last: none will follow,
     * `seconds` after flow_begin. May be NULL. */
    ptl_status (*close)(void *context, uint64_t written, bool last, double seconds,
                        ptl_error *err);
    void (*committed)(void *context); /* may be NULL */
    /* After each commit, and now and then while others hold the file up. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    ptl_progress *progress;   /* borrowed; its total is the caller's */
    double write_seconds;     /* what came of it */
    bool held;                /* likewise: others held the file up until writing was given up */
    struct flow_state *state; /* the flow's own */
} flow;

/* flow_begin, then flow_loop once, then flow_end, which must follow either, also after errors.
 */
ptl_status flow_begin(flow *f, ptl_error *err);
/* PTL_ERR_CANCELLED if on_progress says so, or a task ended so since the store's caller stops
 * the work: what was made before is committed, and stays. */
ptl_status flow_loop(flow *f, ptl_error *err);
/* Waits for running tasks and ends the threads: workers are freed here. */
void flow_end(flow *f);

/* Between flow_begin and flow_end: a transaction of the caller's, tried until others let it
 * through, as long as on_progress can stop that (store_retry); once, if writing was given up
 * before. The store's own stop is heard only while others hold it up. */
ptl_status flow_patiently(flow *f, ptl_status (*transaction)(void *payload, ptl_error *err),
                          void *payload, ptl_error *err);

#endif
