/* What other parts of the library use of the cache of chunks (public part:
 * portolan/area.h). */
#pragma once

#include "portolan/area.h"

/* A chunk of a cache; it is borrowed until the next call with the cache. */
typedef struct cached_chunk {
    const ptl_chunk *chunk; /* NULL: the chunk is not saved */
    bool whole;             /* all steps of generation ran for it */
    bool read;              /* it was read from the file by this very call */
} cached_chunk;

/* Gives the held chunk, or else reads the saved one, which the cache then holds; out->chunk
 * is NULL if neither is there. The chunk becomes the last used. again: a held chunk that
 * lacks steps is read again, as another process may have finished it. */
ptl_status cache_fetch(cached_chunk *out, ptl_cache *cache, ptl_chunk_pos pos, bool again,
                       ptl_error *err);

/* Is the chunk held, with all steps? Asking does not change the order of last use. */
bool cache_has(const ptl_cache *cache, ptl_chunk_pos pos);

/* A list of chunks, of which world_make_missing makes those that are missing. */
typedef struct missing_chunks {
    const ptl_cache *cache; /* chunks that it holds are not missing; may be NULL */
    ptl_chunk_pos *list;    /* count places; world_make_missing reorders them */
    size_t count;
    int32_t jobs;
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    uint64_t generated; /* result: number of chunks that were made */
} missing_chunks;

/* Generates and saves the chunks of the list that are not saved. If all are saved, nothing is
 * written, not even a run's row. */
ptl_status world_make_missing(ptl_world *world, missing_chunks *missing, ptl_error *err);

/* Do the coordinates lie in the range that a world may have chunks in? */
static inline bool chunk_pos_in_range(int64_t x, int64_t y)
{
    const int64_t most = PTL_CHUNK_COORD_MAX;
    return x >= -most && x <= most && y >= -most && y <= most;
}
