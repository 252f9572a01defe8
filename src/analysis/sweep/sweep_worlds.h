/*
 * Worlds of a sweep that keeps its tiles: seed S of sweep NAME is world NAME/S, an ordinary
 * world with ordinary chunks, made with its first one in the same transaction.
 */
#ifndef ANALYSIS_SWEEP_SWEEP_WORLDS_H
#define ANALYSIS_SWEEP_SWEEP_WORLDS_H

#include "world/seed_maker.h"

typedef struct sweep_worlds {
    ptl_store *store;
    const char *name;      /* of the sweep; borrowed */
    const seed_base *base; /* borrowed */
    /* The world that was used last, and its run in this transaction. */
    bool known;
    uint64_t seed, run_chunks;
    int64_t world_id, run_id;
} sweep_worlds;

/* Is the name short enough to have seeds added? */
ptl_status sweep_worlds_check(const char *name, ptl_error *err);
void sweep_worlds_init(sweep_worlds *out, ptl_store *store, const char *name,
                       const seed_base *base);
/* A transaction begins anew: what the last one made may be gone. */
void sweep_worlds_forget(sweep_worlds *w);
/* Is the chunk saved, complete? */
ptl_status sweep_worlds_have(bool *has, sweep_worlds *w, uint64_t seed, ptl_chunk_pos pos,
                             ptl_error *err);
/* Writes in a transaction of the caller's. PTL_ERR_EXISTS if a world of this name has another
 * seed or other settings. */
ptl_status sweep_worlds_write(sweep_worlds *w, uint64_t seed, const made_chunk *made,
                              ptl_error *err);

#endif
