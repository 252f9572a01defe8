/*
 * Work that flows through threads into the file. The caller's thread says what is to be made
 * and writes the results; the threads of a pool make them. Tasks are written in the order in
 * which they were given, so that rows and their numbers do not depend on the number of
 * threads. Transactions are short, so that other processes get their turn while this one is
 * generating.
 */
#pragma once

#include "os/pool.h"
#include "portolan/generate.h"

enum { FLOW_JOBS_MAX = 64 };

typedef struct flow {
    ptl_store *store;
    int32_t jobs;   /* number of threads; 0 means 1 */
    pool_kind kind; /* how the pool makes tasks and workers */
    void *context;  /* goes to the callbacks below, which all run in the caller's thread */
    /* Makes the next task; *out is NULL at the end of the work. Places for which it makes no
     * task it has to count in the progress itself. */
    ptl_status (*next)(void *context, pool_task **out, ptl_error *err);
    /* A transaction begins. What the context has counted since the last commit is void: other
     * processes held up the transaction before, and the same tasks are written again. May be
     * NULL. */
    void (*begin)(void *context);
    /* Writes a task inside the flow's transaction. *written false: there was no need to. */
    ptl_status (*write)(void *context, const pool_task *task, bool *written, ptl_error *err);
    /* All tasks of a transaction are written, and it is about to be committed. last: no task
     * will follow. seconds: time since flow_begin. May be NULL. */
    ptl_status (*close)(void *context, uint64_t written, bool last, double seconds,
                        ptl_error *err);
    void (*committed)(void *context); /* after each commit; may be NULL */
    /* Called after each commit, and from time to time while other processes hold the file.
     * False stops the work. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    ptl_progress *progress; /* borrowed; the caller sets its total */
    double write_seconds;   /* result: time spent in writing */
    bool held;              /* result: writing was given up, as other processes held the file */
    struct flow_state *state; /* owned by the flow */
} flow;

/* Starts the threads. Call flow_loop once after it; flow_end must follow in any case, also if
 * either of them failed. */
ptl_status flow_begin(flow *f, ptl_error *err);
/* Does all the work. PTL_ERR_CANCELLED if on_progress returned false, or if a task ended so
 * because the store's caller stops the work: what was made before is committed and stays. */
ptl_status flow_loop(flow *f, ptl_error *err);
/* Waits for running tasks and ends the threads, which frees their workers. */
void flow_end(flow *f);

/* Runs a transaction of the caller's, which gets the flow, between flow_begin and flow_end. It
 * is tried again until other processes let it through, as on_progress can stop the waiting
 * (ops(store)->transaction->retry). If writing was given up before (held), it is tried once.
 * The store's own stop counts only while other processes hold the file. */
ptl_status flow_patiently(flow *f, ptl_status (*transaction)(void *flow, ptl_error *err),
                          ptl_error *err);
