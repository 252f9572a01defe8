/*
 * Work on many chunks: a list of places, a rule that says which of them are to be made,
 * threads, batches, progress, a row in `run`. ptl_generate and ptl_regenerate are such work.
 */
#ifndef WORLD_BULK_H
#define WORLD_BULK_H

#include "world/world.h"

/* Is the chunk to be made? Asked once for each place, by the writing thread; the chunk may
 * still be saved by another process before it is written. */
typedef ptl_status bulk_wants(void *context, ptl_chunk_pos pos, bool *wanted, ptl_error *err);
/* The chunk's edges can't be used with this content (PTL_ERR_MISMATCH): it is left as it is. */
typedef void bulk_unusable(void *context, ptl_chunk_pos pos, const char *message);

typedef struct bulk {
    ptl_world *world;
    const char *command; /* for the run's row */
    const ptl_chunk_pos *list;
    size_t count; /* repetitions are fine */
    int32_t jobs; /* 0: 1 */
    size_t step_count;
    bool replace; /* generated chunks that are there are replaced; step_count is that of all */
    bulk_wants *wants;
    bulk_unusable *unusable; /* NULL: such a chunk ends the work */
    void *context;
    bool (*on_progress)(void *payload, const ptl_progress *progress); /* may be NULL */
    void *payload;
    /* What came of it. */
    ptl_generate_report report;
    uint64_t changed; /* replaced chunks that came out otherwise than they were */
} bulk;

/* The caller has prepared the world (world_prepare) and zeroed the results. */
ptl_status bulk_run(bulk *work, ptl_error *err);

#endif
