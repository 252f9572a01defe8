/*
 * Work on many chunks: a list of places, a test that says which of them are to be made,
 * threads, batches, progress, a row in `run`. ptl_generate and ptl_regenerate are such work.
 */
#ifndef WORLD_BULK_H
#define WORLD_BULK_H

#include "world/local_stale.h"

/* Is the chunk to be made? Asked in a transaction, by the writing thread, some chunks before it
 * is made; it may still be saved by another process before it is written. *reason: text that
 * stays, for bulk_keep; else left alone. */
typedef ptl_status bulk_wants(void *context, ptl_chunk_pos pos, bool *wanted,
                              const char **reason, ptl_error *err);
/* The chunk is left as it is, for the reason that bulk_wants gave or because its edges can't be
 * used with this content (PTL_ERR_MISMATCH). Told in the order of places, outside transactions.
 */
typedef void bulk_keep(void *context, ptl_chunk_pos pos, const char *reason);

/* What became of the local maps of chunks that were replaced; told after each commit. */
typedef void bulk_maps(void *context, const stale_maps *maps);

typedef struct bulk {
    ptl_world *world;
    const char *command; /* for the run's row */
    const ptl_chunk_pos *list;
    size_t count; /* repetitions are fine */
    int32_t jobs; /* 0: 1 */
    size_t step_count;
    bool replace; /* generated chunks that are there are replaced; step_count is that of all */
    bulk_wants *wants;
    bulk_keep *keep; /* NULL: edges that can't be used end the work; no reasons are given */
    bulk_maps *maps; /* where chunks are replaced */
    void *context;
    bool (*on_progress)(void *payload, const ptl_progress *progress); /* may be NULL */
    void *payload;
    /* What came of it. */
    ptl_progress progress;
    ptl_generate_report report;
    uint64_t changed; /* replaced chunks that came out otherwise than they were */
} bulk;

/* The caller has prepared the world (world_prepare) and zeroed the results. */
ptl_status bulk_run(bulk *work, ptl_error *err);

#endif
