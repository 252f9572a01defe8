/*
 * The noise kernels, to be included once per instruction set with NOISE_KERNELS defined to the
 * name of the table. Vectors are GCC's and Clang's portable vector types: eight lanes, which
 * the compiler splits where registers are narrower.
 */
#include "gen/noise.h"

#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef int32_t v8i __attribute__((vector_size(32)));
typedef uint32_t v8u __attribute__((vector_size(32)));
typedef float v8f __attribute__((vector_size(32)));

/* Vectors go by pointer: the calling convention for them depends on the instruction set. */
#define INLINE static inline __attribute__((always_inline))

enum { UNIT = 3 << NOISE_FRACTION_BITS }; /* one lattice cell in skewed fixed point */

static const v8i LANES = {0, 1, 2, 3, 4, 5, 6, 7};

#define PRIME_U 0x8da6b343u
#define PRIME_V 0xd8163841u
#define PRIME_W 0xcb1ab31fu

/* As the arrays of a grid are: aligned to their elements only. */
typedef int32_t loose_v8i __attribute__((vector_size(32), aligned(4), may_alias));

typedef struct axis {
    v8i fraction; /* 0 .. UNIT - 1 */
    v8u hash;     /* lattice cell times the axis' prime */
} axis;

/* Where eight OMTs lie: from (x, y) on, `advance` OMTs apart; or, if in_grid, in the grid's
 * row; `first` is the grid's index of the layer's first octave. in_grid is a constant wherever
 * this is inlined. */
typedef struct place {
    int64_t x, y;
    int32_t advance;
    const noise_grid *grid;
    int row, first;
    bool in_grid;
} place;

INLINE place single_row(int64_t x, int64_t y)
{
    return (place){.x = x, .y = y, .advance = 1};
}

INLINE place grid_row(const noise_grid *grid, int row, int first)
{
    return (place){.grid = grid, .row = row, .first = first, .in_grid = true};
}

/* One skewed coordinate of eight OMTs: start and advance per lane in units of 1 / UNIT. */
INLINE void split_axis(axis *out, int64_t start, int64_t advance, uint32_t prime)
{
    /* floor(start / UNIT): an arithmetic shift, then a floored division by 3. */
    int64_t high = start >> NOISE_FRACTION_BITS;
    int64_t cell = high / 3 - (high % 3 < 0);
    int32_t fraction = (int32_t)(start - cell * UNIT);
    v8i at = fraction + LANES * (int32_t)advance;
    /* at < 2^31, so its high part is below 128, where this product is an exact third. */
    v8i cells = ((at >> NOISE_FRACTION_BITS) * 171) >> 9;
    out->fraction = at - cells * UNIT;
    out->hash = ((uint32_t)cell + (v8u)cells) * prime;
}

/* One skewed coordinate in a grid: what the column and the row add to it. */
INLINE void join_axis(axis *out, const noise_grid *grid, int octave, int which, int row,
                      uint32_t prime)
{
    const noise_lanes *column = &grid->column[octave];
    const noise_lines *rows = &grid->rows[octave];
    v8i at = *(const loose_v8i *)column->fraction[which] + rows->fraction[which][row];
    v8i over = at > UNIT - 1;
    out->fraction = at - (over & UNIT);
    out->hash = (v8u) * (const loose_v8i *)column->hash[which] + rows->hash[which][row] +
                ((v8u)over & prime);
}

INLINE void find_axes(axis out[3], const noise_octave *o, int i, const place *p)
{
    if (p->in_grid) {
        join_axis(&out[0], p->grid, p->first + i, 0, p->row, PRIME_U);
        join_axis(&out[1], p->grid, p->first + i, 1, p->row, PRIME_V);
        join_axis(&out[2], p->grid, p->first + i, 2, p->row, PRIME_W);
        return;
    }
    int64_t fx = o->step * p->x, fy = o->step * p->y, advance = o->step * p->advance;
    split_axis(&out[0], 4 * fx + fy + o->plane, 4 * advance, PRIME_U);
    split_axis(&out[1], fx + 4 * fy + o->plane, advance, PRIME_V);
    split_axis(&out[2], fx + fy + 4 * o->plane, advance, PRIME_W);
}

/* The lanes of b where the mask (all ones or all zeros) is set, else those of a. */
INLINE void pick(v8f *out, const v8i *mask, const v8f *b, const v8f *a)
{
#ifdef __AVX2__
    *out = (v8f)_mm256_blendv_ps((__m256)*a, (__m256)*b, (__m256)*mask);
#else
    *out = (v8f)((*mask & (v8i)*b) | (~*mask & (v8i)*a));
#endif
}

INLINE void pick_hash(v8u *out, const v8i *mask, const v8u *b, const v8u *a)
{
    v8f value;
    pick(&value, mask, (const v8f *)b, (const v8f *)a);
    *out = (v8u)value;
}

/* (h >> 16) * 12 >> 16, the gradient, in the upper half of each lane. */
INLINE void choose_gradient(v8u *out, const v8u *h)
{
#ifdef __AVX2__
    *out = (v8u)_mm256_mulhi_epu16((__m256i)*h, _mm256_set1_epi32(12 << 16));
#else
    *out = (((*h >> 16) * 12u) >> 16) << 16;
#endif
}

/* max(t, +0) */
INLINE void not_negative(v8f *t)
{
#ifdef __AVX2__
    *t = (v8f)_mm256_max_ps((__m256)*t, _mm256_setzero_ps());
#else
    v8i inside = *t > 0.0f;
    *t = (v8f)((v8i)*t & inside);
#endif
}

/* Adds a corner's part: t^4 times the dot product of its gradient and its offset. */
INLINE void add_corner(v8f *sum, const v8u *hash, const v8f *x, const v8f *y, const v8f *z)
{
    v8u h = *hash, gradient;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    choose_gradient(&gradient, &h);
    /* 0..3: x and y, 4..7: x and z, 8..11: y and z */
    v8i is_yz = (v8i)gradient > (8 << 16) - 1, has_z = (v8i)gradient > (4 << 16) - 1;
    v8f a, b;
    pick(&a, &is_yz, y, x);
    pick(&b, &has_z, z, y);
    a = (v8f)((v8u)a ^ (gradient << 15)); /* nothing is left of it but the lowest bit */
    b = (v8f)((v8u)b ^ ((gradient << 14) & 0x80000000u));
    v8f t = ((0.6f - *x * *x) - *y * *y) - *z * *z;
    not_negative(&t);
    v8f t2 = t * t;
    *sum += (t2 * t2) * (a + b);
}

INLINE void offset(v8f *out, const v8f *origin, const v8i *mask, float unskew)
{
    const v8i one = (v8i)(v8f){1, 1, 1, 1, 1, 1, 1, 1};
    *out = (*origin - (v8f)(*mask & one)) + unskew;
}

/* The hashes of the lattice cell, and of the one that is a step farther, on each axis. */
typedef struct corner_hashes {
    v8u u[2], v[2], w[2];
} corner_hashes;

INLINE void mix_hashes(v8u *out, const corner_hashes *c, const v8i *i, const v8i *j,
                       const v8i *k)
{
    v8u u, v, w;
    pick_hash(&u, i, &c->u[1], &c->u[0]);
    pick_hash(&v, j, &c->v[1], &c->v[0]);
    pick_hash(&w, k, &c->w[1], &c->w[0]);
    *out = u ^ v ^ w;
}

/* Octave i of a layer, not scaled by its amplitude. */
INLINE void simplex(v8f *out, const noise_octave *o, int i, const place *p)
{
    axis at[3];
    find_axes(at, o, i, p);
    const v8i *u = &at[0].fraction, *v = &at[1].fraction, *w = &at[2].fraction;
    const float to_cells = 1.0f / (float)UNIT;
    v8f fu = __builtin_convertvector(*u, v8f) * to_cells;
    v8f fv = __builtin_convertvector(*v, v8f) * to_cells;
    v8f fw = __builtin_convertvector(*w, v8f) * to_cells;
    v8f unskew = ((fu + fv) + fw) * (1.0f / 6.0f);
    v8f x0 = fu - unskew, y0 = fv - unskew, z0 = fw - unskew;

    v8i uv = *u >= *v, uw = *u >= *w, vw = *v >= *w;
    v8i i1 = uv & uw, j1 = ~uv & vw, k1 = ~(i1 | j1);
    v8i i2 = uv | uw, j2 = ~uv | vw, k2 = ~(uw & vw), all = ~(v8i){0};
    const corner_hashes c = {
        {at[0].hash, at[0].hash + PRIME_U},
        {at[1].hash, at[1].hash + PRIME_V},
        {at[2].hash ^ o->key, (at[2].hash + PRIME_W) ^ o->key},
    };

    v8f sum = {0}, cx, cy, cz;
    v8u hash = c.u[0] ^ c.v[0] ^ c.w[0];
    add_corner(&sum, &hash, &x0, &y0, &z0);
    offset(&cx, &x0, &i1, 1.0f / 6.0f);
    offset(&cy, &y0, &j1, 1.0f / 6.0f);
    offset(&cz, &z0, &k1, 1.0f / 6.0f);
    mix_hashes(&hash, &c, &i1, &j1, &k1);
    add_corner(&sum, &hash, &cx, &cy, &cz);
    offset(&cx, &x0, &i2, 2.0f / 6.0f);
    offset(&cy, &y0, &j2, 2.0f / 6.0f);
    offset(&cz, &z0, &k2, 2.0f / 6.0f);
    mix_hashes(&hash, &c, &i2, &j2, &k2);
    add_corner(&sum, &hash, &cx, &cy, &cz);
    offset(&cx, &x0, &all, 3.0f / 6.0f);
    offset(&cy, &y0, &all, 3.0f / 6.0f);
    offset(&cz, &z0, &all, 3.0f / 6.0f);
    hash = c.u[1] ^ c.v[1] ^ c.w[1];
    add_corner(&sum, &hash, &cx, &cy, &cz);

    *out = sum * 32.0f;
}

/* Adds octave i; the amplitude is a power of two, so the product is exact. */
INLINE void add_octave(v8f *sum, const noise_layer *layer, int i, const place *p)
{
    v8f value;
    simplex(&value, &layer->octave[i], i, p);
    *sum += value * (1.0f / (float)(1 << i));
}

/* An octave sum to [0, 1]. */
INLINE void normalise(v8f *out, const v8f *sum, const noise_layer *layer)
{
    *out = (*sum * layer->scale + 1.0f) * 0.5f;
}

INLINE bool any(const v8i *mask)
{
#ifdef __AVX2__
    return _mm256_movemask_ps((__m256)*mask) != 0; /* lanes are all ones or all zeros */
#else
    int32_t bits = 0;
    for (int i = 0; i < NOISE_BLOCK; i++)
        bits |= (*mask)[i];
    return bits != 0;
#endif
}

static void octaves_block(const noise_layer *layer, int64_t x, int64_t y,
                          float out[NOISE_BLOCK])
{
    const place at = single_row(x, y);
    v8f sum = {0}, value;
    for (int i = 0; i < layer->octaves; i++)
        add_octave(&sum, layer, i, &at);
    normalise(&value, &sum, layer);
    for (int i = 0; i < NOISE_BLOCK; i++)
        out[i] = value[i];
}

static void lake_block(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    const noise_layer *layer = &land->lake;
    const place at = single_row(x, y);
    v8f sum = {0}, value;
    for (int i = 0; i < layer->octaves; i++) {
        add_octave(&sum, layer, i, &at);
        float rest = layer->rest[i + 1];
        v8i can = sum + rest >= land->lake_needed;
        v8i can_not = sum - rest <= land->lake_enough;
        if (!any(&can) || !any(&can_not)) {
            bool lake = any(&can);
            for (int k = 0; k < NOISE_BLOCK; k++)
                out[k] = lake;
            return;
        }
    }
    normalise(&value, &sum, layer);
    v8f squared = value * value;
    v8i lake = squared * squared > land->lake_threshold;
    for (int k = 0; k < NOISE_BLOCK; k++)
        out[k] = lake[k] != 0;
}

/* Octave i at the upper and the lower corners of a row of squares. */
INLINE void add_corner_rows(v8f sum[2], const noise_layer *layer, int i, int64_t x, int64_t y)
{
    for (int row = 0; row < 2; row++) {
        const place at = {.x = x, .y = y + row * NOISE_SQUARE, .advance = NOISE_SQUARE};
        add_octave(&sum[row], layer, i, &at);
    }
}

/* The largest (sign 1) or smallest (sign -1) of each square's four corners, and its sign. */
INLINE void extreme(v8f *out, const v8f sum[2], float sign)
{
    const v8f upper = sum[0] * sign, lower = sum[1] * sign;
    for (int k = 0; k < NOISE_SQUARES; k++) {
        float left = upper[k] > lower[k] ? upper[k] : lower[k];
        float right = upper[k + 1] > lower[k + 1] ? upper[k + 1] : lower[k + 1];
        (*out)[k] = left > right ? left : right;
    }
}

static void lake_squares(const noise_land *land, int64_t x, int64_t y,
                         uint8_t out[NOISE_SQUARES])
{
    const noise_layer *layer = &land->lake;
    v8f sum[2] = {{0}, {0}}, most = {0}, least = {0};
    float apart = 0.0f;
    int i = 0;
    /* Octaves that bend too much within a square tell too little. */
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
        const bool below = most[k] + apart < land->lake_needed;
        const bool above = -least[k] - apart > land->lake_enough;
        out[k] = below ? NOISE_ALL_BELOW : above ? NOISE_ALL_ABOVE : NOISE_MIXED;
    }
}

/* The class of a wide and a fine value: 0, -1 or -2 (sums of masks). */
INLINE void forest_class(v8i *out, const noise_land *land, const v8f *wide_squared,
                         const v8f *fine, float margin)
{
    v8f cube = (*fine * *fine) * *fine;
    v8f value = (*wide_squared - 0.5f * cube) + margin;
    not_negative(&value);
    *out = (value > land->forest_threshold) + (value > land->thick_threshold);
}

/* Can what is left of the fine noise, after this sum of octaves, change any class? */
INLINE bool forest_open(const noise_land *land, const v8f *wide_squared, const v8f *sum,
                        float rest)
{
    const float margin = 0.0001f; /* far above the rounding of the few operations */
    const float half = land->forest_fine.scale * 0.5f;
    v8f middle = *sum * half + 0.5f;
    v8f low = middle - rest * half, high = middle + rest * half;
    v8i most, least;
    forest_class(&most, land, wide_squared, &low, margin);
    forest_class(&least, land, wide_squared, &high, -margin);
    v8i open = most != least;
    return any(&open);
}

INLINE void forest(const noise_land *land, const place *wide_at, const place *fine_at,
                   uint8_t out[NOISE_BLOCK])
{
    const noise_layer *wide = &land->forest_wide, *fine = &land->forest_fine;
    v8f sum = {0}, value, squared;
    v8i class;
    for (int i = 0; i < wide->octaves; i++) {
        add_octave(&sum, wide, i, wide_at);
        /* The fine noise only takes away. */
        v8i can = sum + wide->rest[i + 1] >= land->forest_needed;
        if (i > 0 && !any(&can)) {
            memset(out, 0, NOISE_BLOCK);
            return;
        }
    }
    normalise(&value, &sum, wide);
    squared = value * value;
    sum = (v8f){0};
    for (int i = 0; i < fine->octaves; i++) {
        add_octave(&sum, fine, i, fine_at);
        if (i > 0 && i < fine->octaves - 1 &&
            !forest_open(land, &squared, &sum, fine->rest[i + 1]))
            break;
    }
    normalise(&value, &sum, fine);
    forest_class(&class, land, &squared, &value, 0.0f);
    for (int k = 0; k < NOISE_BLOCK; k++)
        out[k] = (uint8_t) - class[k];
}

static void forest_block(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    const place at = single_row(x, y);
    forest(land, &at, &at, out);
}

static void forest_row(const noise_land *land, const noise_grid *grid, int row,
                       uint8_t out[NOISE_BLOCK])
{
    const place wide = grid_row(grid, row, 0);
    const place fine = grid_row(grid, row, land->forest_wide.octaves);
    forest(land, &wide, &fine, out);
}

INLINE bool floodplain(const noise_land *land, const float needed[NOISE_BLOCK], const place *at,
                       float out[NOISE_BLOCK])
{
    const noise_layer *layer = &land->floodplain;
    v8f sum = {0}, value, limit;
    memcpy(&limit, needed, sizeof limit);
    limit -= 0.0001f;
    for (int i = 0; i < layer->octaves; i++) {
        add_octave(&sum, layer, i, at);
        v8f most = sum + layer->rest[i + 1];
        normalise(&value, &most, layer);
        v8i can = value * value > limit;
        if (!any(&can))
            return false;
    }
    normalise(&value, &sum, layer);
    value *= value;
    memcpy(out, &value, sizeof value);
    return true;
}

static bool floodplain_block(const noise_land *land, const float needed[NOISE_BLOCK], int64_t x,
                             int64_t y, float out[NOISE_BLOCK])
{
    const place at = single_row(x, y);
    return floodplain(land, needed, &at, out);
}

static bool floodplain_row(const noise_land *land, const float needed[NOISE_BLOCK],
                           const noise_grid *grid, int row, float out[NOISE_BLOCK])
{
    const place at = grid_row(grid, row, 0);
    return floodplain(land, needed, &at, out);
}

static void grid_rows(noise_grid *grid, int index, const noise_layer *layer, int64_t y)
{
    for (int i = 0; i < layer->octaves; i++)
        for (int row = 0; row < NOISE_GRID_ROWS; row += NOISE_BLOCK) {
            const noise_octave *o = &layer->octave[i];
            noise_lines *lines = &grid->rows[index + i];
            const int64_t fy = o->step * (y + row);
            axis at[3];
            split_axis(&at[0], fy + o->plane, o->step, PRIME_U);
            split_axis(&at[1], 4 * fy + o->plane, 4 * o->step, PRIME_V);
            split_axis(&at[2], fy + 4 * o->plane, o->step, PRIME_W);
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
        split_axis(&at[0], 4 * fx, 4 * o->step, PRIME_U);
        split_axis(&at[1], fx, o->step, PRIME_V);
        split_axis(&at[2], fx, o->step, PRIME_W);
        for (int k = 0; k < 3; k++) {
            memcpy(lanes->fraction[k], &at[k].fraction, sizeof at[k].fraction);
            memcpy(lanes->hash[k], &at[k].hash, sizeof at[k].hash);
        }
    }
}

const noise_kernels NOISE_KERNELS = {
    .lake = lake_block,
    .lake_squares = lake_squares,
    .forest = forest_block,
    .floodplain = floodplain_block,
    .octaves = octaves_block,
    .grid_rows = grid_rows,
    .grid_column = grid_column,
    .forest_row = forest_row,
    .floodplain_row = floodplain_row,
};
