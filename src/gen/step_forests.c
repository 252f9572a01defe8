/*
 * Forests. Reads: forest noise of the chunk's own cells. Writes: z = 0, only where the ground
 * is still the region's default terrain. Noise is world-wide, so forests cross borders.
 */
#include "gen/generator.h"

#include <string.h>

/* g->mask: all bits where the cell still is ground. */
static void find_ground(generator *g)
{
    const ptl_oter ground = g->config->region->default_ter;
    const ptl_oter *restrict cells = g->ground;
    uint8_t *restrict mask = g->mask;
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        mask[i] = (uint8_t) - (cells[i] == ground);
}

/* Eight bytes at once, of which n are there. */
static inline uint64_t read_row(const uint8_t *row, size_t n)
{
    uint64_t bytes = 0;
    memcpy(&bytes, row, n);
    return bytes;
}
_Static_assert(NOISE_BLOCK == sizeof(uint64_t), "a block's row is eight bytes");

/* Of the n columns from x on: what was ground becomes its class, in g->mask. A constant n
 * spares the copying of single bytes. */
static inline void forest_column(generator *g, int32_t x, size_t n)
{
    noise_column *c = g->noise_column;
    uint8_t rows[NOISE_GRID_ROWS];
    int count = 0;
    for (int32_t y = 0; y < SIZE; y++) {
        rows[count] = (uint8_t)y;
        count += read_row(&g->mask[y * SIZE + x], n) != 0;
    }
    memcpy(c->rows, rows, sizeof rows);
    c->count = count;
    noise_forest_column(g, x);
    for (int i = 0; i < count; i++) {
        uint8_t *mask = &g->mask[rows[i] * SIZE + x];
        const uint64_t class = read_row(mask, n) & read_row(c->class[rows[i]], n);
        memcpy(mask, &class, n);
    }
}

/* Writes the classes in g->mask: 0 is no forest. */
static void plant(generator *g)
{
    const ptl_oter plain = g->config->oters->forest, thick = g->config->oters->forest_thick;
    ptl_oter *restrict cells = g->ground;
    const uint8_t *restrict class = g->mask;
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        const ptl_oter forest = class[i] == 1 ? plain : thick;
        cells[i] = class[i] == 0 ? cells[i] : forest;
    }
}

void step_forests(generator *g)
{
    int32_t x = 0;
    find_ground(g);
    noise_forest_rows(g);
    for (; x + NOISE_BLOCK <= SIZE; x += NOISE_BLOCK)
        forest_column(g, x, NOISE_BLOCK);
    if (x < SIZE)
        forest_column(g, x, (size_t)(SIZE - x));
    plant(g);
}
