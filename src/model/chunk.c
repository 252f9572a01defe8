#include "model/chunk.h"

#include "core/lanes.h"

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
        level_fill(&chunk->levels[i], 0);
    free(chunk->block);
    free(chunk);
}

bool chunk_take_cells(ptl_chunk *chunk, uint32_t mask)
{
    size_t count = 0;
    for (int i = 0; i < PTL_LEVELS; i++)
        count += mask >> i & 1;
    if (count == 0)
        return true;
    chunk->block = malloc(count * PTL_LEVEL_CELLS * sizeof *chunk->block);
    if (!chunk->block)
        return false;
    ptl_oter *at = chunk->block;
    for (int i = 0; i < PTL_LEVELS; i++) {
        if (!(mask >> i & 1))
            continue;
        chunk->levels[i] = (level){.cells = at, .in_block = true};
        at += PTL_LEVEL_CELLS;
    }
    return true;
}

void level_fill(level *l, ptl_oter oter)
{
    if (!l->in_block)
        free(l->cells);
    *l = (level){.fill = oter};
}

ptl_oter *level_cells(level *l)
{
    if (!l->cells) {
        ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
        /* The loop uses a copy of l->fill, because the compiler can't know that writing
         * cells does not change l->fill. */
        const ptl_oter fill = l->fill;
        for (int i = 0; cells && i < PTL_LEVEL_CELLS; i++)
            cells[i] = fill;
        l->cells = cells;
    }
    return l->cells;
}

_Static_assert((int)PTL_LEVEL_CELLS % (int)LANES == 0, "a level is whole lanes");
bool level_is_even(const ptl_oter cells[PTL_LEVEL_CELLS])
{
    /* All cells are equal if each cell equals the cell before it, so the array is compared
     * with itself, shifted by one cell. */
    return memcmp(cells, cells + 1, (PTL_LEVEL_CELLS - 1) * sizeof *cells) == 0;
}

int32_t level_find(int32_t list[PTL_LEVEL_CELLS], const ptl_oter cells[PTL_LEVEL_CELLS],
                   ptl_oter first, uint16_t count)
{
    int32_t found = 0;
    if ((uint16_t)(cells[0] - first) >= count && level_is_even(cells))
        return 0;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i += LANES) {
        if (!lanes_any(lanes_within(lanes_load(cells + i), first, count)))
            continue;
        for (int32_t k = i; k < i + LANES; k++) {
            list[found] = k;
            found += (uint16_t)(cells[k] - first) < count;
        }
    }
    return found;
}

void level_compact(level *l)
{
    if (l->cells && level_is_even(l->cells))
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
    return level_oter(l, y * PTL_CHUNK_SIZE + x);
}

void ptl_chunk_level(ptl_oter cells[PTL_LEVEL_CELLS], const ptl_chunk *chunk, int32_t z)
{
    const level *l = z < PTL_Z_MIN || z > PTL_Z_MAX ? NULL : &chunk->levels[z - PTL_Z_MIN];
    if (l && l->cells) {
        memcpy(cells, l->cells, PTL_LEVEL_CELLS * sizeof *cells);
        return;
    }
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        cells[i] = l ? l->fill : UINT16_MAX;
}

size_t chunk_first_from(const ptl_chunk_pos *list, size_t count, int64_t x, int64_t y)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const ptl_chunk_pos c = list[middle];
        if (c.y < y || (c.y == y && c.x < x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
