#include "gen/chunk.h"

#include <stdlib.h>
#include <string.h>

ptl_chunk *chunk_new(ptl_chunk_pos pos)
{
    ptl_chunk *chunk = calloc(1, sizeof *chunk);
    if (chunk)
        chunk->pos = pos;
    return chunk;
}

void ptl_chunk_free(ptl_chunk *chunk)
{
    if (!chunk)
        return;
    for (int i = 0; i < PTL_LEVELS; i++)
        free(chunk->levels[i].cells);
    free(chunk);
}

void level_fill(level *l, ptl_oter oter)
{
    free(l->cells);
    l->cells = NULL;
    l->fill = oter;
}

ptl_oter *level_cells(level *l)
{
    if (!l->cells) {
        l->cells = malloc(PTL_LEVEL_CELLS * sizeof *l->cells);
        for (int i = 0; l->cells && i < PTL_LEVEL_CELLS; i++)
            l->cells[i] = l->fill;
    }
    return l->cells;
}

void level_compact(level *l)
{
    if (!l->cells)
        return;
    for (int i = 1; i < PTL_LEVEL_CELLS; i++)
        if (l->cells[i] != l->cells[0])
            return;
    level_fill(l, l->cells[0]);
}

ptl_chunk_pos ptl_chunk_position(const ptl_chunk *chunk)
{
    return chunk->pos;
}

ptl_oter ptl_chunk_oter(const ptl_chunk *chunk, int32_t x, int32_t y, int32_t z)
{
    if (x < 0 || x >= PTL_CHUNK_SIZE || y < 0 || y >= PTL_CHUNK_SIZE || z < PTL_Z_MIN ||
        z > PTL_Z_MAX)
        return UINT16_MAX;
    const level *l = &chunk->levels[z - PTL_Z_MIN];
    return l->cells ? l->cells[y * PTL_CHUNK_SIZE + x] : l->fill;
}

void ptl_chunk_copy_level(const ptl_chunk *chunk, int32_t z, ptl_oter cells[PTL_LEVEL_CELLS])
{
    const level *l = z < PTL_Z_MIN || z > PTL_Z_MAX ? NULL : &chunk->levels[z - PTL_Z_MIN];
    if (l && l->cells) {
        memcpy(cells, l->cells, PTL_LEVEL_CELLS * sizeof *cells);
        return;
    }
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        cells[i] = l ? l->fill : UINT16_MAX;
}
