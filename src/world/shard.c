#include "world/shard.h"

#include "core/array.h"
#include "core/error.h"
#include "core/pmtiles.h"
#include "portolan/generate.h"

#include <assert.h>
#include <stdlib.h>

/* The Hilbert curve fills a square with 2^BLOCK_BITS blocks on each side, as many as the
 * greatest list needs. */
enum { BLOCK_BITS = 21 };
static_assert(PTL_CHUNK_COORD_MAX % SHARD_BLOCK == 0 &&
                  2 * PTL_CHUNK_COORD_MAX / SHARD_BLOCK < 1 << BLOCK_BITS,
              "the curve has a place for each block");

typedef struct ranked {
    uint64_t block; /* number of the chunk's block on the curve */
    ptl_chunk_pos pos;
} ranked;

ptl_status shard_check(shard which, ptl_error *err)
{
    const bool whole = which.count == 0 && which.number == 0;
    if (whole ||
        (which.number >= 1 && which.number <= which.count && which.count <= PTL_SHARDS_MAX))
        return PTL_OK;
    return error_set(err, PTL_ERR_ARGUMENT,
                     "shard %d of %d: shards are numbered from 1, and there are at most %d",
                     which.number, which.count, PTL_SHARDS_MAX);
}

static int by_block(const void *pa, const void *pb)
{
    const ranked *a = pa, *b = pb;
    return ORDER_BY((int64_t)a->block, (int64_t)b->block, a->pos.y, b->pos.y, a->pos.x,
                    b->pos.x);
}

/* Returns the number of the block that a coordinate lies in, counted from the world's edge. */
static uint32_t block_of(int32_t coordinate)
{
    return (uint32_t)(coordinate + PTL_CHUNK_COORD_MAX) / SHARD_BLOCK;
}

ptl_status shard_take(ptl_chunk_pos *list, size_t *count, shard which, ptl_error *err)
{
    const size_t n = *count;
    if (which.count == 0 || n == 0)
        return PTL_OK;
    ranked *order = malloc(n * sizeof *order);
    if (!order)
        return error_nomem(err);
    uint32_t west = UINT32_MAX, north = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        const uint32_t x = block_of(list[i].x), y = block_of(list[i].y);
        west = x < west ? x : west;
        north = y < north ? y : north;
    }
    for (size_t i = 0; i < n; i++)
        order[i] = (ranked){
            pmtiles_number(BLOCK_BITS, block_of(list[i].x) - west, block_of(list[i].y) - north),
            list[i]};
    qsort(order, n, sizeof *order, by_block);
    /* A block belongs to the shard in whose share of the chunks its first chunk lies. */
    size_t taken = 0, begin = 0;
    for (size_t i = 0; i < n; i++) {
        if (order[i].block != order[begin].block)
            begin = i;
        if (begin * (size_t)which.count / n == (size_t)which.number - 1)
            list[taken++] = order[i].pos;
    }
    free(order);
    *count = taken;
    return PTL_OK;
}

bool shard_span(uint64_t *first, uint64_t *last, shard which)
{
    if (which.count == 0)
        return true;
    const uint64_t n = *last - *first + 1, shards = (uint64_t)which.count;
    const uint64_t begin = n * ((uint64_t)which.number - 1) / shards;
    const uint64_t end = n * (uint64_t)which.number / shards;
    if (begin == end)
        return false;
    *last = *first + end - 1;
    *first += begin;
    return true;
}
