#include "clients/server/gather.h"

/* Returns the column (or row) of the OMT that a cell shows, counted from the first chunk's
 * corner: the middle one of the n OMTs that the cell covers. */
static int32_t sample_at(int32_t n, int32_t cell)
{
    return cell * n + n / 2;
}

void gather_samples(ptl_oter cells[PTL_LEVEL_CELLS], const ptl_oter level[PTL_LEVEL_CELLS],
                    int32_t n, int32_t x, int32_t y)
{
    for (int32_t row = 0; row < PTL_CHUNK_SIZE; row++) {
        const int32_t from_y = sample_at(n, row) - y * PTL_CHUNK_SIZE;
        if (from_y < 0 || from_y >= PTL_CHUNK_SIZE)
            continue;
        for (int32_t column = 0; column < PTL_CHUNK_SIZE; column++) {
            const int32_t from_x = sample_at(n, column) - x * PTL_CHUNK_SIZE;
            if (from_x >= 0 && from_x < PTL_CHUNK_SIZE)
                cells[row * PTL_CHUNK_SIZE + column] = level[from_y * PTL_CHUNK_SIZE + from_x];
        }
    }
}

void gather_put(bytes *out, const ptl_oter cells[PTL_LEVEL_CELLS])
{
    if (!bytes_reserve(out, 2 * (size_t)PTL_LEVEL_CELLS))
        return;
    uint8_t *at = out->data + out->size;
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        at[2 * i] = (uint8_t)(cells[i] & 0xff);
        at[2 * i + 1] = (uint8_t)(cells[i] >> 8);
    }
    out->size += 2 * (size_t)PTL_LEVEL_CELLS;
}
