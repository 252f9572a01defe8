/*
 * The loops of city_near.c that gain from vector instructions. They are compiled once for any
 * processor and once for those with AVX2 (city_near_base.c, city_near_avx2.c, which define
 * NEAR_KERNELS). Both give the same results: coordinates are whole numbers whose squares and
 * sums a float holds exactly, and square roots are correctly rounded.
 */
#ifndef GEN_CITIES_CITY_NEAR_KERNELS_H
#define GEN_CITIES_CITY_NEAR_KERNELS_H

#include "core/whole.h"
#include "gen/cities/city_near.h"

/* How many of the lowest bits of a key (see float_key) hold the squared distance from the
 * centre of the city. */
enum { NEAR_KEY_SHIFT = 20 };

/* A rectangle of cells: its north-western cell and its size. */
typedef struct near_block {
    int32_t x, y, width, height;
} near_block;

typedef struct near_kernels {
    /* Finds all cells whose distance from the centre of one of the cities is less than that
     * city's size + `distance` + 1. */
    void (*discs)(site_bits *out, const near_pick *of, int32_t distance);
    /* Computes, for each city, the least and the greatest key that it can have for a cell of
     * the block `b`. The least key marks the nearest city (float_key). */
    void (*bounds)(int32_t *least, int32_t *greatest, const near_pick *of, const near_block *b);
    /* Finds the nearest city for each cell, row by row, of the block of NEAR_WIDTH x
     * NEAR_HEIGHT cells that begins at (x, y): the city with the least key (float_key). If that
     * key is not below `limit`, the cell gets NEAR_NONE. */
    void (*nearest)(int16_t *found, const near_pick *of, int32_t x, int32_t y, int32_t limit);
} near_kernels;

extern const near_kernels near_kernels_base;
/* The same as near_kernels_base if this build has no AVX2. */
extern const near_kernels near_kernels_avx2;
/* Returns the fastest kernels that this processor can run. */
const near_kernels *near_kernels_best(void);

#endif

#ifdef NEAR_KERNELS

#include <math.h>
#include <string.h>

/* One bit for each of the 180 cells in a row of the chunk. Three words of 64 bits hold them;
 * the fourth word of this vector is unused. */
typedef uint64_t near_row __attribute__((vector_size(32)));

/* NEAR_BELOW[x] is a set of cells of one row: those in the columns before x. BELOW_IN(x, w) is
 * the set's word w, which has the columns from 64 * w to 64 * w + 63. Each of the macros below
 * gives one or more elements of NEAR_BELOW, from column x on. */
#define BELOW_IN(x, w)                                                                         \
    ((x) <= 64 * (w)        ? UINT64_C(0)                                                      \
     : (x) >= 64 * (w) + 64 ? ~UINT64_C(0)                                                     \
                            : (UINT64_C(1) << ((x)&63)) - 1)
#define BELOW(x)                                                                               \
    {                                                                                          \
        BELOW_IN(x, 0), BELOW_IN(x, 1), BELOW_IN(x, 2), 0                                      \
    }
#define BELOW_6(x)                                                                             \
    BELOW(x), BELOW((x) + 1), BELOW((x) + 2), BELOW((x) + 3), BELOW((x) + 4), BELOW((x) + 5)
#define BELOW_30(x)                                                                            \
    BELOW_6(x), BELOW_6((x) + 6), BELOW_6((x) + 12), BELOW_6((x) + 18), BELOW_6((x) + 24)
static const near_row NEAR_BELOW[SIZE + 1] = {BELOW_30(0),  BELOW_30(30),  BELOW_30(60),
                                              BELOW_30(90), BELOW_30(120), BELOW_30(150),
                                              BELOW(180)};

/* The cells of a disc, row by row: row i has the columns from first[i] to end[i] - 1. */
typedef struct near_spans {
    int32_t first[SIZE], end[SIZE];
} near_spans;

/* Says in `spans` which columns a disc has in each of `rows` rows. `square` is the square of
 * the disc's radius. Its centre is in column cx, and the first of these rows is dy rows south
 * of the centre. */
static void find_spans(near_spans *spans, int32_t cx, int32_t square, int32_t rows, int32_t dy)
{
    for (int32_t i = 0; i < rows; i++) {
        const int32_t half = (int32_t)sqrtf((float)(square - (dy + i) * (dy + i)));
        spans->first[i] = clamp(cx - half, 0, SIZE);
        spans->end[i] = clamp(cx + half + 1, 0, SIZE);
    }
}

/* Adds the cells that are less than `radius` from (cx, cy). */
static void add_disc(near_row out[SIZE], int32_t cx, int32_t cy, int32_t radius)
{
    const int32_t most = radius * radius - 1;
    /* How many columns the disc's centre lies west or east of the chunk; 0 if it lies in one of
     * its columns. */
    const int32_t aside = cx < 0 ? -cx : cx >= SIZE ? cx - SIZE + 1 : 0;
    if (most < aside * aside)
        return;
    const int32_t rows = (int32_t)sqrtf((float)(most - aside * aside));
    const int32_t y0 = clamp(cy - rows, 0, SIZE), y1 = clamp(cy + rows + 1, 0, SIZE);
    near_spans spans;
    find_spans(&spans, cx, most, y1 - y0, y0 - cy);
    for (int32_t y = y0; y < y1; y++)
        out[y] |= NEAR_BELOW[spans.end[y - y0]] ^ NEAR_BELOW[spans.first[y - y0]];
}

static void discs(site_bits *out, const near_pick *of, int32_t distance)
{
    near_row rows[SIZE];
    memset(rows, 0, sizeof rows);
    for (int32_t i = 0; i < of->count; i++)
        add_disc(rows, (int32_t)of->x[i], (int32_t)of->y[i], distance + of->size[i] + 1);
    for (int32_t y = 0; y < SIZE; y++)
        memcpy(&out->words[y * SITE_WORDS], &rows[y], SITE_WORDS * sizeof out->words[0]);
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Returns a city's key for the cell that lies (dx, dy) from its centre. Keys order cities by
 * nearness: first by how far the cell lies outside of the city's radius `size`, then by the
 * square of its distance from the centre. */
static inline int32_t float_key(float dx, float dy, int32_t size)
{
    const float square = dx * dx + dy * dy;
    const int32_t distance = (int32_t)sqrtf(square) - size;
    return (distance > 0 ? distance : 0) << NEAR_KEY_SHIFT | (int32_t)square;
}

static void bounds(int32_t *least, int32_t *greatest, const near_pick *of, const near_block *b)
{
    const float x0 = (float)b->x, x1 = (float)(b->x + b->width - 1);
    const float y0 = (float)b->y, y1 = (float)(b->y + b->height - 1);
    const float *xs = of->x, *ys = of->y;
    const int32_t *sizes = of->size;
    for (int32_t i = 0; i < of->count; i++) {
        const float x = xs[i], y = ys[i];
        const float dx = larger(larger(x0 - x, x - x1), 0);
        const float dy = larger(larger(y0 - y, y - y1), 0);
        least[i] = float_key(dx, dy, sizes[i]);
        greatest[i] = float_key(larger(x - x0, x1 - x), larger(y - y0, y1 - y), sizes[i]);
    }
}

/* Goes over all cells of the block in one long loop, which compilers turn into vector
 * instructions; they would not do so for short loops. */
static void nearest(int16_t *found, const near_pick *of, int32_t x, int32_t y, int32_t limit)
{
    enum { CELLS = NEAR_CELLS };
    float step_x[CELLS], step_y[CELLS];
    int32_t best[CELLS], cities[CELLS];
    for (int k = 0; k < CELLS; k++) {
        const int32_t column = k % NEAR_WIDTH, row = k / NEAR_WIDTH;
        step_x[k] = (float)(x + column);
        step_y[k] = (float)(y + row);
        best[k] = limit;
        cities[k] = NEAR_NONE;
    }
    for (int32_t n = 0; n < of->count; n++) {
        const float cx = of->x[n], cy = of->y[n];
        const int32_t size = of->size[n], city = of->city[n];
        for (int k = 0; k < CELLS; k++) {
            const int32_t key = float_key(step_x[k] - cx, step_y[k] - cy, size);
            const bool nearer = key < best[k];
            best[k] = nearer ? key : best[k];
            cities[k] = nearer ? city : cities[k];
        }
    }
    for (int k = 0; k < CELLS; k++)
        found[k] = (int16_t)cities[k];
}

const near_kernels NEAR_KERNELS = {.discs = discs, .bounds = bounds, .nearest = nearest};

#endif
