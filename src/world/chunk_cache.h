/* Inside the cache of chunks (portolan/area.h). */
#ifndef WORLD_CHUNK_CACHE_H
#define WORLD_CHUNK_CACHE_H

#include "portolan/area.h"

/* Of a cache's chunk: borrowed until the next call with the cache. */
typedef struct cached_chunk {
    const ptl_chunk *chunk; /* NULL: not saved */
    bool whole;             /* all steps ran */
    bool read;              /* from the file, just now */
} cached_chunk;

/* The chunk that is held, else the saved one, which is held then. Counts as used last. again:
 * one that is held with some steps only is read again, as it may be finished now. */
ptl_status cache_fetch(cached_chunk *out, ptl_cache *cache, ptl_chunk_pos pos, bool again,
                       ptl_error *err);

/* Is it held, with all steps? Does not count as use. */
bool cache_has(const ptl_cache *cache, ptl_chunk_pos pos);

/* Chunks to be made where they are missing. */
typedef struct missing_chunks {
    const ptl_cache *cache; /* what it holds is not missing; may be NULL */
    ptl_chunk_pos *list;    /* room for count; reordered */
    size_t count;
    int32_t jobs;
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    uint64_t generated; /* by world_make_missing */
} missing_chunks;

/* Generates and saves what is not saved; writes nothing where all is. */
ptl_status world_make_missing(ptl_world *world, missing_chunks *missing, ptl_error *err);

/* Can there be such a chunk? */
static inline bool chunk_pos_in_range(int64_t x, int64_t y)
{
    const int64_t most = PTL_CHUNK_COORD_MAX;
    return x >= -most && x <= most && y >= -most && y <= most;
}

#endif
