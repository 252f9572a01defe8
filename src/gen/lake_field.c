/*
 * The lake field: which cells are lake, for a chunk and its surroundings. A cell is lake if
 * its 4-connected component of the infinite noise field has at least lake_size_min cells; the
 * flood stops at that count, so each answer needs lake_size_min cells around it at most, and
 * two neighbours always agree. Noise is evaluated block by block when first asked for.
 *
 * The two lines of cells that meet at a border are made equal (lake if either is; at a corner,
 * if any of the four is): a lake whose rim happens to run along a border then still has water
 * opposite.
 */
#include "gen/generator.h"

#include <stdlib.h>
#include <string.h>

enum {
    LAKE_KNOWN = 1, /* the noise has been evaluated */
    LAKE_ABOVE = 2, /* it is above the threshold */
    LAKE_YES = 4,   /* its component is large enough */
    LAKE_NO = 8,    /* it is not */
    LAKE_SEEN = 16  /* visited by the flood that is running */
};

bool lake_field_init(lake_field *f, int32_t lake_size_min)
{
    f->margin = (REACH + 1 + lake_size_min + NOISE_BLOCK) / NOISE_BLOCK * NOISE_BLOCK;
    f->width = (SIZE + 2 * f->margin + NOISE_BLOCK - 1) / NOISE_BLOCK * NOISE_BLOCK;
    f->cells = malloc((size_t)f->width * (size_t)f->width);
    f->queue = malloc((size_t)lake_size_min * sizeof *f->queue);
    return f->cells && f->queue;
}

void lake_field_dispose(lake_field *f)
{
    free(f->cells);
    free(f->queue);
}

void lake_field_reset(lake_field *f)
{
    memset(f->cells, 0, (size_t)f->width * (size_t)f->width);
}

/* The cell with its noise evaluated; index in the window. */
static uint8_t cell_with_noise(generator *g, int32_t index)
{
    lake_field *f = &g->lakes;
    if (f->cells[index] & LAKE_KNOWN)
        return f->cells[index];
    uint8_t above[NOISE_BLOCK];
    int32_t start = index - index % NOISE_BLOCK;
    noise_lake(g, start % f->width - f->margin, start / f->width - f->margin, above);
    for (int i = 0; i < NOISE_BLOCK; i++)
        f->cells[start + i] = (uint8_t)(LAKE_KNOWN | (above[i] ? LAKE_ABOVE : LAKE_NO));
    return f->cells[index];
}

/* Decides the component of `start`, which is above the threshold and undecided. */
static bool flood(generator *g, int32_t start)
{
    lake_field *f = &g->lakes;
    const int32_t needed = g->config->region->lake_size_min;
    const int32_t step[4] = {-f->width, 1, f->width, -1};
    int32_t head = 0, count = 0;
    bool large = needed <= 1;
    f->queue[count++] = start;
    f->cells[start] |= LAKE_SEEN;
    while (head < count && !large) {
        int32_t at = f->queue[head++];
        for (int i = 0; i < 4 && !large; i++) {
            int32_t next = at + step[i];
            uint8_t cell = cell_with_noise(g, next);
            if (!(cell & LAKE_ABOVE) || cell & LAKE_SEEN)
                continue;
            /* A decided neighbour of the same component decides this one too. */
            large = cell & LAKE_YES || count + 1 >= needed;
            if (!large) {
                f->cells[next] |= LAKE_SEEN;
                f->queue[count++] = next;
            }
        }
    }
    for (int32_t i = 0; i < count; i++) {
        uint8_t *cell = &f->cells[f->queue[i]];
        *cell = (uint8_t)((*cell & ~LAKE_SEEN) | (large ? LAKE_YES : LAKE_NO));
    }
    return large;
}

static bool field_is(generator *g, int32_t x, int32_t y)
{
    lake_field *f = &g->lakes;
    int32_t index = (y + f->margin) * f->width + x + f->margin;
    uint8_t cell = cell_with_noise(g, index);
    if (cell & LAKE_NO)
        return false;
    return cell & LAKE_YES || flood(g, index);
}

/* The cell across the border from v, or v itself if it is on no border line. */
static int32_t across(int32_t v)
{
    switch (v) {
    case -1:
        return 0;
    case 0:
        return -1;
    case SIZE - 1:
        return SIZE;
    case SIZE:
        return SIZE - 1;
    default:
        return v;
    }
}

bool lake_is(generator *g, int32_t x, int32_t y)
{
    if (field_is(g, x, y))
        return true;
    int32_t ax = across(x), ay = across(y);
    if (ax == x && ay == y)
        return false;
    return field_is(g, ax, y) || field_is(g, x, ay) || field_is(g, ax, ay);
}

bool lake_possible(generator *g, int32_t x, int32_t y)
{
    const lake_field *f = &g->lakes;
    if (x == 0 || x + NOISE_BLOCK >= SIZE || y == 0 || y == SIZE - 1)
        return true; /* on a border line the other side has a say */
    int32_t index = (y + f->margin) * f->width + x + f->margin;
    cell_with_noise(g, index);
    uint8_t bits = 0;
    for (int i = 0; i < NOISE_BLOCK; i++)
        bits |= f->cells[index + i];
    return bits & LAKE_ABOVE;
}
