/*
 * Shards: parts of a piece of work that several programs share, each with a file of its own. A
 * shard's part depends only on what is asked and on the number of shards, so programs that
 * share work need not ask each other. The parts of all shards together are what is asked, and
 * no two of them have anything in common.
 */
#pragma once

#include "portolan/types.h"

enum { SHARD_BLOCK = 8 }; /* a shard gets whole blocks of 8 x 8 chunks */

/* Which part of the work is wanted. count 0: all of it, and `number` means nothing. */
typedef struct shard {
    int32_t number, count; /* number: 1..count */
} shard;

/* Returns PTL_ERR_ARGUMENT unless this is a shard as the options of public calls have it:
 * both numbers 0, or number in 1..count and count at most PTL_SHARDS_MAX. */
ptl_status shard_check(shard which, ptl_error *err);

/*
 * Leaves in the list only the chunks of one shard, and sets *count to how many these are. No
 * chunk may stand in the list twice. Chunks are shared out by blocks of 8 x 8 chunks, whose
 * north-western corners have coordinates that 8 divides. The blocks with chunks of the list are
 * put in the order of a Hilbert curve, which begins at the north-western corner of the list's
 * rectangle, so that neighbours mostly are in one shard, and the shards get equal numbers of
 * chunks, as far as whole blocks allow. The chunks come out in that order, those of a block row
 * by row. With count 0 the list stays as it is.
 */
ptl_status shard_take(ptl_chunk_pos *list, size_t *count, shard which, ptl_error *err);

/* Moves the ends of a range of numbers, of which there are at most PTL_SWEEP_SEEDS_MAX, to
 * those of the shard's part: numbers that follow each other, equally many for each shard or one
 * more. Returns false if the part is empty; then the ends stay. */
bool shard_span(uint64_t *first, uint64_t *last, shard which);
