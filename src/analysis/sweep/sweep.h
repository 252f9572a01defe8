/*
 * Sweeps: overmaps of many seeds are made in memory, measured, and only their summaries are
 * kept (store/store.h, "sweeps"). Threads generate, measure and encode; the caller's
 * writes, in order of seed and place, so that the rows are the same for every number of
 * threads. What is there already is passed over.
 */
#ifndef ANALYSIS_SWEEP_SWEEP_H
#define ANALYSIS_SWEEP_SWEEP_H

#include "portolan/generate.h"
#include "store/store.h"

enum { SWEEP_SEEDS_MAX = 100 * 1000 * 1000, SWEEP_CHUNKS_MAX = 10000 };

typedef struct sweep_options {
    const char *name;
    /* Its seed means nothing. NULL: those of the sweep that is there, else the defaults. */
    const ptl_world_options *settings;
    uint64_t seed_first, seed_last; /* both included */
    const ptl_chunk_pos *positions; /* of each seed, without repetitions */
    size_t position_count;
    int32_t jobs;    /* 0: 1 */
    bool replace;    /* a sweep of this name that was made otherwise goes first */
    bool keep_tiles; /* each seed becomes a world NAME/SEED as well */
    /* Called after each commit; false stops with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} sweep_options;

typedef struct sweep_report {
    ptl_progress progress; /* in overmaps */
    double write_seconds;
} sweep_report;

/*
 * Makes the sweep if there is none of this name, and what it lacks. PTL_ERR_MISMATCH says in
 * which settings, generator or content the sweep of this name differs. What was committed stays
 * after an error.
 */
ptl_status sweep_run(ptl_store *store, const sweep_options *options, sweep_report *report,
                     ptl_error *err);

/* Removes a sweep with its overmaps, in one transaction; worlds of --keep-tiles stay. */
ptl_status sweep_remove(ptl_store *store, const char *name, ptl_error *err);

/* The first n chunks of a square spiral around 0,0: the centre, then ring by ring from its
 * north-west corner on, clockwise. out has room for n. */
void sweep_spiral(ptl_chunk_pos *out, size_t n);

#endif
