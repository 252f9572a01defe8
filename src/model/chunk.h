/* A chunk in memory: 21 levels. A level is uniform, stored as a single oter, until something
 * else is written to it. */
#pragma once

#include "portolan/world.h"

#include <stdbool.h>

typedef struct level {
    /* The level's oters, with the index y * 180 + x; NULL while the level is uniform. Owned,
     * unless `in_block` is true. */
    ptl_oter *cells;
    ptl_oter fill; /* while the level is uniform: the oter of all its cells */
    bool in_block; /* the cells lie in ptl_chunk.block */
} level;

struct ptl_chunk {
    ptl_chunk_pos pos;
    level levels[PTL_LEVELS]; /* the level z is at the index z + 10 */
    ptl_oter *block;          /* owned; cells of several levels in one allocation, or NULL */
};

/* Returns the level at z, which must be PTL_Z_MIN..PTL_Z_MAX. */
static inline level *chunk_level(ptl_chunk *chunk, int32_t z)
{
    return &chunk->levels[z - PTL_Z_MIN];
}

/* Returns the oter of a cell, y * 180 + x. */
static inline ptl_oter level_oter(const level *l, int32_t cell)
{
    return l->cells ? l->cells[cell] : l->fill;
}

/* Returns a new chunk, or NULL when memory is out. Every level is uniform with oter 0. */
ptl_chunk *chunk_new(ptl_chunk_pos pos);
/* Gives cells to the levels of a mask (bit z + 10), for the caller to fill. All cells are in
 * one block, which is faster to allocate and free than many. Call this at most once, for a new
 * chunk. False when memory is out. */
bool chunk_take_cells(ptl_chunk *chunk, uint32_t mask);
/* Makes the level uniform and frees its cells. */
void level_fill(level *l, ptl_oter oter);
/* Returns the level's cells, which a uniform level gets now; NULL when memory is out. */
ptl_oter *level_cells(level *l);
/* Do all cells have the same oter? If not, the function usually finds that out after a few
 * cells. */
bool level_is_even(const ptl_oter cells[PTL_LEVEL_CELLS]);
/* Lists the indices of the cells that hold one of the oters first .. first + count - 1, in
 * order; returns how many there are. */
int32_t level_find(int32_t list[PTL_LEVEL_CELLS], const ptl_oter cells[PTL_LEVEL_CELLS],
                   ptl_oter first, uint16_t count);
/* Makes the level uniform again if all its cells are equal. */
void level_compact(level *l);

/* In a list of chunks sorted by (y, x), returns the index of the first chunk that does not
 * come before (x, y); count if there is none. */
size_t chunk_first_from(const ptl_chunk_pos *list, size_t count, int64_t x, int64_t y);
