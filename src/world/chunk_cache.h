/* The calls of the cache of chunks that other parts of the library use. The public calls are in
 * portolan/area.h. */
#pragma once

#include "portolan/area.h"

/* A chunk in a cache; it is borrowed until the next call with the cache. */
typedef struct cached_chunk {
    const ptl_chunk *chunk; /* NULL: the chunk is not saved */
    bool whole;             /* all steps of generation ran for the chunk */
    bool read; /* the chunk was not in memory, so this call has read it from the file */
} cached_chunk;

/* Gives the chunk from memory, or else reads the saved one, which the cache then keeps in
 * memory; out->chunk is NULL if the chunk is neither in memory nor saved. The chunk becomes the
 * last used one. If `again` is true, a chunk in memory that lacks steps is read again, because
 * another process may have finished it. */
ptl_status cache_fetch(cached_chunk *out, ptl_cache *cache, ptl_chunk_pos pos, bool again,
                       ptl_error *err);

/* Returns whether the cache has the chunk in memory, with all steps. Asking does not change the
 * order of last use. */
bool cache_has(const ptl_cache *cache, ptl_chunk_pos pos);
/* Returns whether the cache has all chunks from one corner to another, as cache_has says, and
 * as the world's last save has left them. */
bool cache_has_all(ptl_cache *cache, ptl_chunk_pos first, ptl_chunk_pos last);

/* A list of chunks; world_make_missing makes those of them that are not saved. */
typedef struct missing_chunks {
    /* NULL, or a cache: chunks that it has in memory are known to be saved, so the file need
     * not be asked. */
    const ptl_cache *cache;
    ptl_chunk_pos *list; /* an array of `count` places, which world_make_missing reorders */
    size_t count;
    int32_t jobs;
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    uint64_t generated; /* set by world_make_missing: how many chunks were made */
} missing_chunks;

/* Generates and saves those chunks of the list that are not saved. If all are saved, nothing is
 * written, not even a row in `run`. */
ptl_status world_make_missing(ptl_world *world, missing_chunks *missing, ptl_error *err);

/* Returns whether the coordinates are in the range in which a world may have chunks. */
static inline bool chunk_pos_in_range(int64_t x, int64_t y)
{
    const int64_t most = PTL_CHUNK_COORD_MAX;
    return x >= -most && x <= most && y >= -most && y <= most;
}
