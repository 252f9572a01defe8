/*
 * The loops of city_near.c that are worth vectors. They are compiled once for any processor and
 * once for those with AVX2 (city_near_base.c, city_near_avx2.c, which name NEAR_KERNELS).
 * Coordinates are whole numbers, whose squares and their sums are exact in a float, and square
 * roots are correctly rounded, so that both give the same.
 */
#ifndef GEN_CITY_NEAR_KERNELS_H
#define GEN_CITY_NEAR_KERNELS_H

#include "gen/city_near.h"

enum {
    NEAR_SMALL = 12,    /* side of a small block */
    NEAR_KEY_SHIFT = 20 /* above the square of any distance to a centre */
};

/* A square of cells. */
typedef struct near_block {
    int32_t x, y, side;
} near_block;

/* A choice of the cities, as the vector units like it. */
typedef struct near_pick {
    float *x, *y;
    int32_t *size, *city; /* city: index into near_cities.cities */
    int32_t count;
} near_pick;

typedef struct near_kernels {
    /* out[i] = the whole part of the square root of most - (dy + i)^2, which is not negative.
     */
    void (*halves)(int32_t *out, int32_t count, int32_t most, int32_t dy);
    /* The least and the greatest key that any cell of the block may have, for each city. */
    void (*bounds)(int32_t *least, int32_t *greatest, const near_pick *of, const near_block *b);
    /* The nearest of the cities with a key below the limit, or NEAR_NONE, for all cells of a
     * small block at (x, y). */
    void (*nearest)(int32_t found[NEAR_SMALL * NEAR_SMALL], const near_pick *of, int32_t x,
                    int32_t y, int32_t limit);
} near_kernels;

extern const near_kernels near_kernels_base;
extern const near_kernels near_kernels_avx2; /* equal to base where the build has no AVX2 */
/* The fastest ones that this processor can run. */
const near_kernels *near_kernels_best(void);

#endif

#ifdef NEAR_KERNELS

#include <math.h>

static void halves(int32_t *out, int32_t count, int32_t most, int32_t dy)
{
    for (int32_t i = 0; i < count; i++)
        out[i] = (int32_t)sqrtf((float)(most - (dy + i) * (dy + i)));
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Order of the nearest, of a point dx, dy from the centre. */
static inline int32_t float_key(float dx, float dy, int32_t size)
{
    const float square = dx * dx + dy * dy;
    const int32_t distance = (int32_t)sqrtf(square) - size;
    return (distance > 0 ? distance : 0) << NEAR_KEY_SHIFT | (int32_t)square;
}

static void bounds(int32_t *least, int32_t *greatest, const near_pick *of, const near_block *b)
{
    const float x0 = (float)b->x, x1 = (float)(b->x + b->side - 1);
    const float y0 = (float)b->y, y1 = (float)(b->y + b->side - 1);
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

/* One long loop rather than short ones, which compilers would not turn into vectors. */
static void nearest(int32_t found[NEAR_SMALL * NEAR_SMALL], const near_pick *of, int32_t x,
                    int32_t y, int32_t limit)
{
    enum { CELLS = NEAR_SMALL * NEAR_SMALL };
    float step_x[CELLS], step_y[CELLS];
    int32_t best[CELLS];
    for (int k = 0; k < CELLS; k++) {
        step_x[k] = (float)(x + k % NEAR_SMALL);
        step_y[k] = (float)(y + k / NEAR_SMALL);
        best[k] = limit;
        found[k] = NEAR_NONE;
    }
    for (int32_t n = 0; n < of->count; n++) {
        const float cx = of->x[n], cy = of->y[n];
        const int32_t size = of->size[n], city = of->city[n];
        for (int k = 0; k < CELLS; k++) {
            const int32_t key = float_key(step_x[k] - cx, step_y[k] - cy, size);
            const bool nearer = key < best[k];
            best[k] = nearer ? key : best[k];
            found[k] = nearer ? city : found[k];
        }
    }
}

const near_kernels NEAR_KERNELS = {.halves = halves, .bounds = bounds, .nearest = nearest};

#endif
