/*
 * The ocean's plan. A cell is sea if noise + 0.0005 * d is above the threshold, d being how
 * many OMTs it lies behind the line that it is farthest behind; before all lines there is no
 * sea. Noise is oct^4, of octaves as those of lakes (generation.md 3).
 */
#include "gen/plan/ocean.h"

#include <string.h>

enum { SIZE = PTL_CHUNK_SIZE, SIDES = 4 };

static const double GRADIENT = 0.0005;

void ocean_plan_init(ocean_plan *out, uint64_t seed, const cat_ocean *settings,
                     const noise_kernels *kernels)
{
    const bool *begins = settings->begins;
    const bool any = begins[0] || begins[1] || begins[2] || begins[3];
    out->settings = any ? settings : NULL;
    out->kernels = kernels;
    if (out->settings)
        noise_layer_init(&out->noise, seed, "ocean", 8, 0.002);
}

/* How far the cell lies behind the line of a side: north, east, south, west. */
static int64_t behind_side(const cat_ocean *o, int side, int64_t x, int64_t y)
{
    const int64_t start = (int64_t)SIZE * o->start[side];
    switch (side) {
    case 0:
        return SIZE - start - y;
    case 1:
        return x - start;
    case 2:
        return y - start;
    default:
        return SIZE - start - x;
    }
}

/* How far it lies behind the line that it is farthest behind; 0 if there is none. */
static int64_t behind(const cat_ocean *o, int64_t x, int64_t y)
{
    int64_t most = 0;
    for (int side = 0; side < SIDES; side++) {
        const int64_t d = o->begins[side] ? behind_side(o, side, x, y) : 0;
        most = d > most ? d : most;
    }
    return most;
}

/* What noise must be above, so far behind a line; sea lies behind one only. */
static double threshold_at(const cat_ocean *o, int64_t distance)
{
    return distance > 0 ? o->threshold - GRADIENT * (double)distance : 2.0;
}

/* The least and the most that cells of a rectangle can lie behind a line. The least is that
 * of one side: a cell may lie farther behind another. */
static void behind_in(const cat_ocean *o, const int64_t x[2], const int64_t y[2],
                      int64_t *least, int64_t *most)
{
    *least = *most = 0;
    for (int side = 0; side < SIDES; side++) {
        if (!o->begins[side])
            continue;
        const int64_t one = behind_side(o, side, x[0], y[0]);
        const int64_t other = behind_side(o, side, x[1], y[1]);
        const int64_t low = one < other ? one : other, high = one < other ? other : one;
        *least = low > *least ? low : *least;
        *most = high > *most ? high : *most;
    }
}

ocean_share ocean_in(const ocean_plan *plan, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    if (!plan->settings)
        return OCEAN_NONE;
    int64_t least, most;
    behind_in(plan->settings, (int64_t[]){x0, x1}, (int64_t[]){y0, y1}, &least, &most);
    if (threshold_at(plan->settings, most) >= 1.0)
        return OCEAN_NONE;
    return threshold_at(plan->settings, least) < 0.0 ? OCEAN_ALL : OCEAN_MIXED;
}

ocean_share ocean_in_chunk(const ocean_plan *plan, ptl_chunk_pos pos)
{
    const int64_t x = (int64_t)pos.x * SIZE, y = (int64_t)pos.y * SIZE;
    return ocean_in(plan, x, y, x + SIZE - 1, y + SIZE - 1);
}

/* What the noise must be within a rectangle, both ends included. */
static noise_bounds bounds_in(const ocean_plan *plan, int64_t x0, int64_t y0, int64_t x1,
                              int64_t y1)
{
    int64_t least, most;
    behind_in(plan->settings, (int64_t[]){x0, x1}, (int64_t[]){y0, y1}, &least, &most);
    return noise_fourth_bounds(&plan->noise, threshold_at(plan->settings, most),
                               threshold_at(plan->settings, least));
}

/* Is a cell sea whose noise is known, at least as far as bounds_in asks? */
static bool is_above(const ocean_plan *plan, float noise, int64_t x, int64_t y)
{
    if (noise == NOISE_LITTLE || noise == NOISE_MUCH)
        return noise == NOISE_MUCH;
    return (double)noise > threshold_at(plan->settings, behind(plan->settings, x, y));
}

void ocean_block(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    const ocean_share share = ocean_in(plan, x, y, x + NOISE_BLOCK - 1, y);
    for (int i = 0; i < NOISE_BLOCK; i++)
        out[i] = share == OCEAN_ALL;
    if (share != OCEAN_MIXED)
        return;
    float noise[NOISE_BLOCK];
    plan->kernels->fourth(&plan->noise, bounds_in(plan, x, y, x + NOISE_BLOCK - 1, y), x, y,
                          noise);
    for (int i = 0; i < NOISE_BLOCK; i++)
        out[i] = is_above(plan, noise[i], x + i, y);
}

void ocean_square(const ocean_plan *plan, int64_t x, int64_t y,
                  uint8_t out[NOISE_SQUARE][NOISE_SQUARE])
{
    const int64_t x1 = x + NOISE_SQUARE - 1, y1 = y + NOISE_SQUARE - 1;
    const ocean_share share = ocean_in(plan, x, y, x1, y1);
    memset(out, share == OCEAN_ALL, NOISE_SQUARE * sizeof *out);
    if (share != OCEAN_MIXED)
        return;
    float noise[NOISE_SQUARE][NOISE_SQUARE];
    noise_columns_best()->fourth_square(&plan->noise, bounds_in(plan, x, y, x1, y1), x, y,
                                        noise);
    for (int row = 0; row < NOISE_SQUARE; row++)
        for (int i = 0; i < NOISE_SQUARE; i++)
            out[row][i] = is_above(plan, noise[row][i], x + i, y + row);
}

/* The first lane of a block decides for one cell: lanes don't know of each other. */
bool ocean_at(const ocean_plan *plan, int64_t x, int64_t y)
{
    uint8_t lanes[NOISE_BLOCK];
    ocean_block(plan, x, y, lanes);
    return lanes[0];
}

void ocean_squares(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_SQUARES])
{
    const int64_t x1 = x + NOISE_SQUARES * NOISE_SQUARE - 1, y1 = y + NOISE_SQUARE - 1;
    const ocean_share share = ocean_in(plan, x, y, x1, y1);
    if (share != OCEAN_MIXED) {
        for (int i = 0; i < NOISE_SQUARES; i++)
            out[i] = share == OCEAN_ALL ? NOISE_ALL_ABOVE : NOISE_ALL_BELOW;
        return;
    }
    plan->kernels->squares(&plan->noise, bounds_in(plan, x, y, x1, y1), x, y, out);
}

bool ocean_deep(const ocean_plan *plan, int64_t x, int64_t y)
{
    const double factor = 1.25, needed = factor * plan->settings->threshold;
    const double above = GRADIENT * (double)behind(plan->settings, x, y);
    if (above > needed)
        return true; /* whatever the noise */
    float noise[NOISE_BLOCK];
    plan->kernels->fourth(&plan->noise,
                          noise_fourth_bounds(&plan->noise, needed - above, needed - above), x,
                          y, noise);
    return (double)noise[0] + above > needed;
}
