/*
 * Sweeps: overmaps of many seeds are made in memory and measured, and only what they count is
 * kept in the file: hundreds of numbers in place of 680,400 OMTs. What a sweep has counted is
 * asked by SQL (tables sweep and sweep_chunk), or added up (portolan/sample.h).
 */
#ifndef PORTOLAN_SWEEP_H
#define PORTOLAN_SWEEP_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PTL_SWEEP_SEEDS_MAX = 100 * 1000 * 1000, PTL_SWEEP_CHUNKS_MAX = 10000 };

typedef struct ptl_sweep_options {
    size_t size;
    /* What the overmaps are made from; its seed means nothing. NULL: the settings of the sweep
     * that is there, else the defaults. */
    const ptl_world_options *settings;
    uint64_t seed_first, seed_last; /* both included; at most PTL_SWEEP_SEEDS_MAX */
    /* The chunks of each seed, without repetitions: 1..PTL_SWEEP_CHUNKS_MAX. */
    const ptl_chunk_pos *positions;
    size_t position_count;
    /* Called after each commit (at least every second), with overmaps in place of chunks.
     * Returning false stops cleanly: what was committed stays, the call returns
     * PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    int32_t jobs;     /* generating threads, 1..64; 0: 1 */
    bool replace;     /* a sweep of this name that was made otherwise is removed first */
    bool keep_worlds; /* each seed becomes a world NAME/SEED as well */
    bool reserved[2]; /* false */
} ptl_sweep_options;

#define PTL_SWEEP_OPTIONS_INIT PTL_SIZED(ptl_sweep_options)

typedef struct ptl_sweep_report {
    size_t size;
    uint64_t done;    /* overmaps counted and committed by this call: durable */
    uint64_t skipped; /* overmaps that the sweep had already */
    uint64_t total;   /* overmaps asked for */
    double seconds;   /* of all of it */
    double write_seconds;
} ptl_sweep_report;

#define PTL_SWEEP_REPORT_INIT PTL_SIZED(ptl_sweep_report)

/*
 * Makes the sweep if there is none of this name, and counts those overmaps that it lacks: the
 * same call goes on where another was stopped or killed, and other seeds add to the sweep. Rows
 * are the same for every number of threads. name: as a world's; with keep_worlds at most 79
 * bytes. report may be NULL.
 *
 * PTL_ERR_EXISTS says in which settings, generator or content the sweep of this name differs
 * (without replace), or which world of keep_worlds is another one already. PTL_ERR_CONTENT if
 * the file has no content yet, PTL_ERR_ARGUMENT for options out of their ranges.
 */
PTL_API ptl_status ptl_sweep_run(ptl_sweep_report *report, ptl_store *store, const char *name,
                                 const ptl_sweep_options *options, ptl_error *err);

/* Removes a sweep with its overmaps, in one transaction; worlds of keep_worlds stay. name may
 * be NULL if the file holds exactly one. PTL_ERR_NOT_FOUND says which there are. */
PTL_API ptl_status ptl_sweep_remove(ptl_store *store, const char *name, ptl_error *err);

/* Gives the first n chunks of a square spiral around 0,0: the centre, then ring by ring from
 * its north-west corner on, clockwise. out has room for n. */
PTL_API void ptl_sweep_spiral(ptl_chunk_pos *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
