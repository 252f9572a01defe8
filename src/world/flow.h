/*
 * Makes things in threads and writes them to the file. The caller's thread says what is to be
 * made and writes the results; the threads of a pool make them. Tasks are written in the order
 * in which they were given out, so that rows and their numbers do not depend on the number of
 * threads. Transactions are short, so that other processes can write while this one is
 * generating.
 */
#pragma once

#include "os/pool.h"
#include "portolan/generate.h"

enum { FLOW_JOBS_MAX = 64 };

typedef struct flow {
    ptl_store *store;
    int32_t jobs;   /* number of threads; 0 means 1 */
    pool_kind kind; /* how the pool of threads makes its workers and runs tasks */
    /* Passed to the callbacks below, which are all called in the caller's thread. */
    void *context;
    /* Makes the next task; *out is NULL at the end of the work. If a place needs no task, the
     * callback itself must count the place as done. */
    ptl_status (*next)(void *context, pool_task **out, ptl_error *err);
    /* Called when a transaction begins. The callback must set all counts in `context` back to
     * their values at the last commit. If the previous transaction was rolled back because
     * other processes locked the file, its tasks are written again. May be NULL. */
    void (*begin)(void *context);
    /* Writes the result of a task into the database, inside the flow's transaction. The
     * function sets *written to false if there was nothing to write for the task. */
    ptl_status (*write)(void *context, const pool_task *task, bool *written, ptl_error *err);
    /* Called before each commit, when all tasks of the transaction are written. `last` is true
     * if these were the last tasks; `seconds` is the time since flow_begin. May be NULL. */
    ptl_status (*close)(void *context, uint64_t written, bool last, double seconds,
                        ptl_error *err);
    void (*committed)(void *context); /* called after each commit; may be NULL */
    /* Called after each commit, and from time to time while other processes lock the file. The
     * work stops if it returns false. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    ptl_progress *progress; /* borrowed; the caller sets `total` in it */
    double write_seconds;   /* set by flow_loop: seconds that writing took */
    bool held; /* set by flow_loop: writing was given up, because other processes locked the
                  file */
    struct flow_state *state; /* the flow's own state, only used in flow.c, which frees it */
} flow;

/* Starts the threads. The caller must call flow_loop once after it, and flow_end in any case,
 * also if one of the two has failed. */
ptl_status flow_begin(flow *f, ptl_error *err);
/* Does all the work. Returns PTL_ERR_CANCELLED if on_progress returned false, or if the
 * function should_stop, which the store's caller has set, stopped a task. What was committed
 * before stays in the file. */
ptl_status flow_loop(flow *f, ptl_error *err);
/* Waits for running tasks and ends the threads, which frees their workers. */
void flow_end(flow *f);

/* Calls `transaction`, which the caller supplies, inside a transaction of the store. It may
 * be called between flow_begin and flow_end. While other processes lock the file, it is
 * tried again and again, until on_progress stops the waiting
 * (ops(store)->transaction->retry). If writing was given up before (`held` is true), it is
 * tried only once. The store's own stop callback counts only while other processes lock the
 * file. */
ptl_status flow_patiently(flow *f, ptl_status (*transaction)(void *flow, ptl_error *err),
                          ptl_error *err);
