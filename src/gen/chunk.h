/* A chunk in memory: 21 levels, each uniform until something else is written to it. */
#ifndef GEN_CHUNK_H
#define GEN_CHUNK_H

#include "portolan/world.h"

typedef struct level {
    ptl_oter *cells; /* owned, index y * 180 + x; NULL while uniform */
    ptl_oter fill;   /* the one oter of a uniform level */
} level;

struct ptl_chunk {
    ptl_chunk_pos pos;
    level levels[PTL_LEVELS]; /* index z + 10 */
};

static inline level *chunk_level(ptl_chunk *chunk, int32_t z)
{
    return &chunk->levels[z - PTL_Z_MIN];
}

/* new; NULL when memory is out. Every level is uniform with oter 0. */
ptl_chunk *chunk_new(ptl_chunk_pos pos);
/* Makes the level uniform and frees its cells. */
void level_fill(level *l, ptl_oter oter);
/* The level's cells, expanded if it was uniform; NULL when memory is out. */
ptl_oter *level_cells(level *l);
/* Lists which of a level's cells hold the oter, in order; returns how many. */
int32_t level_find(int32_t list[PTL_LEVEL_CELLS], const ptl_oter cells[PTL_LEVEL_CELLS],
                   ptl_oter oter);
/* Back to the uniform form where all cells are equal. */
void level_compact(level *l);

#endif
