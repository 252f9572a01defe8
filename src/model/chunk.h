/* A chunk in memory: 21 levels, each uniform until something else is written to it. */
#ifndef MODEL_CHUNK_H
#define MODEL_CHUNK_H

#include "portolan/world.h"

#include <stdbool.h>

typedef struct level {
    ptl_oter *cells; /* index y * 180 + x; NULL while uniform; owned, unless in a block */
    ptl_oter fill;   /* the one oter of a uniform level */
    bool in_block;   /* the cells are part of the chunk's block */
} level;

struct ptl_chunk {
    ptl_chunk_pos pos;
    level levels[PTL_LEVELS]; /* index z + 10 */
    ptl_oter *block;          /* owned: cells of several levels; or NULL */
};

static inline level *chunk_level(ptl_chunk *chunk, int32_t z)
{
    return &chunk->levels[z - PTL_Z_MIN];
}

/* Returns a new chunk, or NULL when memory is out. Every level is uniform with oter 0. */
ptl_chunk *chunk_new(ptl_chunk_pos pos);
/* Gives the levels of a mask (bit z + 10) cells that the caller writes: in one block, which is
 * got and given back faster than many. Once, of a new chunk; false when memory is out. */
bool chunk_take_cells(ptl_chunk *chunk, uint32_t mask);
/* Makes the level uniform and frees its cells. */
void level_fill(level *l, ptl_oter oter);
/* The level's cells, expanded if it was uniform; NULL when memory is out. */
ptl_oter *level_cells(level *l);
/* Do all of a level's cells hold one oter? Where they don't, that is mostly seen at once. */
bool level_is_even(const ptl_oter cells[PTL_LEVEL_CELLS]);
/* Lists which of a level's cells hold one of `count` oters from the first on, in order; returns
 * how many. */
int32_t level_find(int32_t list[PTL_LEVEL_CELLS], const ptl_oter cells[PTL_LEVEL_CELLS],
                   ptl_oter first, uint16_t count);
/* Back to the uniform form where all cells are equal. */
void level_compact(level *l);

#endif
