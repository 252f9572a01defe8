/*
 * The noise kernels for single blocks of eight OMTs. The file is included once per instruction
 * set, with NOISE_KERNELS defined as the name of the table of kernels.
 */
#include "gen/noise/noise_vectors.h"

_Static_assert((int)NOISE_LANES == (int)NOISE_BLOCK, "a block is a vector");

static const vi ALONG = {0, 1, 2, 3, 4, 5, 6, 7};
static const vi IN_PATCH = {0, 0, 1, 1, 2, 2, 3, 3};
_Static_assert((int)NOISE_PATCH_Y == 2, "so that a patch's lanes lie along x");

/* Eight OMTs whose noise is evaluated at once: the first at (x, y), each of the others
 * `advance` OMTs east of the one before it. */
typedef struct place {
    int64_t x, y;
    int32_t advance;
} place;

/* Computes, for eight OMTs, one of the three coordinates in the noise's skewed lattice: start +
 * lanes[i] * advance for OMT i, in units of 1 / UNIT of a lattice cell. Stores it as the
 * lattice cell and the position inside. */
INLINE void split_axis(axis *out, const vi *lanes, int64_t start, int64_t advance,
                       uint32_t prime)
{
    /* `cell` becomes the lattice cell of `start`, which is floor(start / UNIT). As UNIT is 3
     * times a power of two, `start` is shifted to the right first and then divided by 3,
     * rounding down. */
    int64_t high = start >> NOISE_FRACTION_BITS;
    int64_t cell = high / 3 - (high % 3 < 0);
    int32_t fraction = (int32_t)(start - cell * UNIT);
    vi at = fraction + *lanes * (int32_t)advance;
    /* `at` is below 2^31, so that at >> NOISE_FRACTION_BITS is below 128. For numbers below
     * 128, multiplying by 171 and shifting by 9 bits divides by 3 exactly. */
    vi cells = ((at >> NOISE_FRACTION_BITS) * 171) >> 9;
    out->fraction = at - cells * UNIT;
    out->hash = ((uint32_t)cell + (vu)cells) * prime;
}

/* Adds octave i of a layer to the sums of the noise at eight OMTs. */
INLINE void add_octave(vf *sum, const noise_layer *layer, int i, const place *p)
{
    const noise_octave *o = &layer->octave[i];
    const int64_t fx = o->step * p->x, fy = o->step * p->y, advance = o->step * p->advance;
    axis at[3];
    vf value;
    split_axis(&at[0], &ALONG, 4 * fx + fy + o->plane, 4 * advance, PRIME_U);
    split_axis(&at[1], &ALONG, fx + 4 * fy + o->plane, advance, PRIME_V);
    split_axis(&at[2], &ALONG, fx + fy + 4 * o->plane, advance, PRIME_W);
    simplex(&value, at, o->key);
    *sum += value * scale_of(i);
}

static void octaves_block(const noise_layer *layer, int64_t x, int64_t y,
                          float out[NOISE_BLOCK])
{
    const place at = {.x = x, .y = y, .advance = 1};
    vf sum = {0}, value;
    for (int i = 0; i < layer->octaves; i++)
        add_octave(&sum, layer, i, &at);
    normalise(&value, &sum, layer);
    for (int i = 0; i < NOISE_BLOCK; i++)
        out[i] = value[i];
}

/* Computes what noise_kernels.fourth gives: the fourth power of the sum of the layer's octaves,
 * scaled to [0, 1], for eight OMTs. Stops after the first octave that decides for all eight
 * whether they are in the class that the bounds describe. */
INLINE void fourth_lanes(vf *out, const noise_layer *layer, const noise_bounds *bounds,
                         int64_t x, int64_t y)
{
    const place at = {.x = x, .y = y, .advance = 1};
    vf sum = {0};
    for (int i = 0; i < layer->octaves; i++) {
        add_octave(&sum, layer, i, &at);
        if (fourth_told(out, layer, bounds, &sum, i))
            return;
    }
    fourth_power(out, layer, &sum);
}

static void fourth_block(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                         float out[NOISE_BLOCK])
{
    vf value;
    fourth_lanes(&value, layer, &bounds, x, y);
    memcpy(out, &value, sizeof value);
}

static void lake_block(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    vf value;
    fourth_lanes(&value, &land->lake, &land->lake_bounds, x, y);
    vi lake = value > land->lake_threshold;
    for (int k = 0; k < NOISE_BLOCK; k++)
        out[k] = lake[k] != 0;
}

/* Adds octave i of a layer to the sums at the northern (sum[0]) and the southern (sum[1])
 * corners of a row of squares. */
INLINE void add_corner_rows(vf sum[2], const noise_layer *layer, int i, int64_t x, int64_t y)
{
    for (int row = 0; row < 2; row++) {
        const place at = {.x = x, .y = y + row * NOISE_SQUARE, .advance = NOISE_SQUARE};
        add_octave(&sum[row], layer, i, &at);
    }
}

/* `sum` has the sums of octaves at the northern and at the southern corners of a row of
 * squares. Finds, for each square, the largest of the sums at its four corners (sign 1), or the
 * smallest of them times -1 (sign -1). */
INLINE void extreme(vf *out, const vf sum[2], float sign)
{
    const vf upper = sum[0] * sign, lower = sum[1] * sign;
    for (int k = 0; k < NOISE_SQUARES; k++) {
        float left = upper[k] > lower[k] ? upper[k] : lower[k];
        float right = upper[k + 1] > lower[k + 1] ? upper[k + 1] : lower[k + 1];
        (*out)[k] = left > right ? left : right;
    }
}

/* Finds for each square of OMTs whether the noise of all its OMTs is below both bounds, or
 * above both. It sums up octaves at the squares' corners only, and leaves out octaves that vary
 * much inside a square. `apart` is how far, at most, the sum of all octaves at an OMT inside a
 * square can lie beyond the sums at the corners. */
static void squares(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                    uint8_t out[NOISE_SQUARES])
{
    vf sum[2] = {{0}, {0}}, most = {0}, least = {0};
    float apart = 0.0f;
    int i = 0;
    /* Leave out octaves that may vary much within a square, since their values at the square's
     * corners say little about the OMTs inside. */
    for (; i < layer->octaves; i++) {
        const float amplitude = 1.0f / (float)(1 << i);
        const float bend = noise_bend(&layer->octave[i], NOISE_SQUARE) * amplitude;
        if (bend > 0.5f * amplitude)
            break;
        add_corner_rows(sum, layer, i, x, y);
        apart += bend;
    }
    apart += layer->rest[i];
    extreme(&most, sum, 1.0f);
    extreme(&least, sum, -1.0f);
    for (int k = 0; k < NOISE_SQUARES; k++) {
        const bool below = most[k] + apart < bounds.needed;
        const bool above = -least[k] - apart > bounds.enough;
        out[k] = below ? NOISE_ALL_BELOW : above ? NOISE_ALL_ABOVE : NOISE_MIXED;
    }
}

/* Finds the forest classes of eight OMTs. Stops when the octaves of `land->forest_wide` that
 * are computed so far exclude forest, or when the remaining octaves of `land->forest_fine` can
 * change no class. */
static void forest_block(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    const noise_layer *wide = &land->forest_wide, *fine = &land->forest_fine;
    const place at = {.x = x, .y = y, .advance = 1};
    vf sum = {0}, value, squared, ramp = {0};
    vi open;
    float needed = land->forest_needed, lanes[NOISE_BLOCK];
    if (land->ramp.any) {
        noise_ramp_block(lanes, &needed, land, x, y);
        memcpy(&ramp, lanes, sizeof ramp);
    }
    for (int i = 0; i < wide->octaves; i++) {
        add_octave(&sum, wide, i, &at);
        forest_can(&open, land, needed, &sum, i);
        if (!any(&open)) {
            memset(out, 0, NOISE_BLOCK);
            return;
        }
    }
    normalise(&value, &sum, wide);
    squared = value * value + ramp;
    sum = (vf){0};
    for (int i = 0; i < fine->octaves; i++) {
        add_octave(&sum, fine, i, &at);
        forest_open(&open, land, &squared, &sum, i);
        if (!any(&open))
            break;
    }
    normalise(&value, &sum, fine);
    vi class;
    forest_class(&class, land, &squared, &value, 0.0f);
    for (int k = 0; k < NOISE_BLOCK; k++)
        out[k] = (uint8_t) - class[k];
}

static void grid_rows(noise_grid *grid, int index, const noise_layer *layer, int64_t y)
{
    for (int i = 0; i < layer->octaves; i++)
        for (int row = 0; row < NOISE_GRID_ROWS; row += NOISE_BLOCK) {
            const noise_octave *o = &layer->octave[i];
            noise_lines *lines = &grid->rows[index + i];
            const int64_t fy = o->step * (y + row);
            axis at[3];
            split_axis(&at[0], &ALONG, fy + o->plane, o->step, PRIME_U);
            split_axis(&at[1], &ALONG, 4 * fy + o->plane, 4 * o->step, PRIME_V);
            split_axis(&at[2], &ALONG, fy + 4 * o->plane, o->step, PRIME_W);
            for (int k = 0; k < 3; k++) {
                memcpy(&lines->fraction[k][row], &at[k].fraction, sizeof at[k].fraction);
                memcpy(&lines->hash[k][row], &at[k].hash, sizeof at[k].hash);
            }
        }
}

static void grid_column(noise_grid *grid, int index, const noise_layer *layer, int64_t x)
{
    for (int i = 0; i < layer->octaves; i++) {
        const noise_octave *o = &layer->octave[i];
        noise_lanes *lanes = &grid->column[index + i];
        const int64_t fx = o->step * x;
        axis at[3];
        split_axis(&at[0], &IN_PATCH, 4 * fx, 4 * o->step, PRIME_U);
        split_axis(&at[1], &IN_PATCH, fx, o->step, PRIME_V);
        split_axis(&at[2], &IN_PATCH, fx, o->step, PRIME_W);
        for (int k = 0; k < 3; k++) {
            memcpy(lanes->fraction[k], &at[k].fraction, sizeof at[k].fraction);
            memcpy(lanes->hash[k], &at[k].hash, sizeof at[k].hash);
        }
    }
}

const noise_kernels NOISE_KERNELS = {
    .fourth = fourth_block,
    .lake = lake_block,
    .squares = squares,
    .forest = forest_block,
    .octaves = octaves_block,
    .grid_rows = grid_rows,
    .grid_column = grid_column,
};
