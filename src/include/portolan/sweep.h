/*
 * Sweeps: overmaps of many seeds are made in memory and measured. Only counts are kept in the
 * file: hundreds of numbers for each overmap, instead of its 680,400 OMTs. These counts can be
 * read with SQL (tables sweep and sweep_chunk), and portolan/sample.h adds them up.
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
    /* The settings that the overmaps are made from; the seed in them is ignored. NULL: the
     * settings of the sweep if it exists already, else the defaults. */
    const ptl_world_options *settings;
    uint64_t seed_first, seed_last; /* the first and the last seed, both included; from one to
                                     * the other there are at most PTL_SWEEP_SEEDS_MAX seeds */
    /* Places of the chunks to make of each seed, without repetitions; position_count is
     * 1..PTL_SWEEP_CHUNKS_MAX. */
    const ptl_chunk_pos *positions;
    size_t position_count;
    /* Called after each commit, at least every second; progress counts overmaps. Returning
     * false stops cleanly: what was committed stays, and the call returns PTL_ERR_CANCELLED.
     * May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    int32_t jobs;     /* number of threads that generate chunks, 1..64; 0 means 1 */
    bool replace;     /* true: remove an existing sweep of this name that has other settings,
                       * content or generator */
    bool keep_worlds; /* true: also save the overmaps of each seed as a world NAME/SEED */
    bool reserved[2]; /* must be false */
    /* Of the seeds, only those of shard number `shard`, 1..shards, are used, so that several
     * programs can share a sweep, each with a file of its own. The seeds are divided into
     * `shards` parts, each of seeds that follow each other; of two parts' sizes none is more
     * than 1 above the other, and a part may be empty. shards is at most PTL_SHARDS_MAX; both
     * are 0 to use all seeds. */
    int32_t shard, shards;
} ptl_sweep_options;

#define PTL_SWEEP_OPTIONS_INIT PTL_SIZED(ptl_sweep_options)

typedef struct ptl_sweep_report {
    size_t size;
    uint64_t done;    /* overmaps that this call has counted and committed */
    uint64_t skipped; /* requested overmaps that the sweep had already */
    uint64_t total;   /* requested overmaps (those of the shard) */
    double seconds;   /* seconds that the whole call took */
    double write_seconds;
} ptl_sweep_report;

#define PTL_SWEEP_REPORT_INIT PTL_SIZED(ptl_sweep_report)

/*
 * Makes the sweep if there is none of this name. Then, of the overmaps that the options ask
 * for, makes and counts those that the sweep lacks. So, if a call was stopped or killed, the
 * same call goes on where it ended; and a call with other seeds adds to the sweep. The stored
 * rows do not depend on the number of threads. name must be valid as a world's name
 * (ptl_world_create); with keep_worlds it has at most 79 bytes. report may be NULL.
 *
 * PTL_ERR_EXISTS: replace is false, and the sweep of this name has other settings, or another
 * generator or content; or keep_worlds would make a world that exists already and is
 * different. The message says which. PTL_ERR_CONTENT: the file has no content yet.
 * PTL_ERR_ARGUMENT: an option is out of its range.
 */
PTL_API ptl_status ptl_sweep_run(ptl_sweep_report *report, ptl_store *store, const char *name,
                                 const ptl_sweep_options *options, ptl_error *err);

/* Removes a sweep with its overmaps, in one transaction; worlds made by keep_worlds stay. name
 * may be NULL if the file holds exactly one sweep. PTL_ERR_NOT_FOUND if there is no such
 * sweep; the message lists the sweeps of the file. */
PTL_API ptl_status ptl_sweep_remove(ptl_store *store, const char *name, ptl_error *err);

/* Writes the first n places of a square spiral around chunk (0, 0) to out: the centre, then
 * ring by ring, each clockwise from its north-western corner. out must have room for n
 * places. */
PTL_API void ptl_sweep_spiral(ptl_chunk_pos *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
