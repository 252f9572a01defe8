/*
 * The noise kernels, to be included once per instruction set with NOISE_KERNELS defined to the
 * name of the table. Vectors are GCC's and Clang's portable vector types: eight lanes, which
 * the compiler splits where registers are narrower.
 */
#include "gen/noise.h"

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

typedef struct axis {
    v8i fraction; /* 0 .. UNIT - 1 */
    v8u hash;     /* lattice cell times the axis' prime */
} axis;

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

INLINE void pick(v8f *out, const v8i *mask, const v8f *a, const v8f *b)
{
    *out = (v8f)((*mask & (v8i)*a) | (~*mask & (v8i)*b));
}

/* Adds a corner's part: t^4 times the dot product of its gradient and its offset. */
INLINE void add_corner(v8f *sum, const v8u *hash, const v8f *x, const v8f *y, const v8f *z)
{
    v8u h = *hash;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    v8u gradient = ((h >> 16) * 12u) >> 16;
    v8i group = (v8i)(gradient >> 2); /* 0: x and y, 1: x and z, 2: y and z */
    v8i is_yz = group == 2, is_xy = group == 0;
    v8f a, b;
    pick(&a, &is_yz, y, x);
    pick(&b, &is_xy, y, z);
    a = (v8f)((v8u)a ^ (gradient << 31));
    b = (v8f)((v8u)b ^ ((gradient >> 1) << 31));
    v8f t = ((0.6f - *x * *x) - *y * *y) - *z * *z;
    v8i inside = t > 0.0f;
    t = (v8f)((v8i)t & inside);
    v8f t2 = t * t;
    *sum += (t2 * t2) * (a + b);
}

INLINE void offset(v8f *out, const v8f *origin, const v8i *mask, float unskew)
{
    const v8i one = (v8i)(v8f){1, 1, 1, 1, 1, 1, 1, 1};
    *out = (*origin - (v8f)(*mask & one)) + unskew;
}

INLINE void simplex(v8f *out, const noise_octave *o, int64_t x, int64_t y)
{
    int64_t fx = o->step * x, fy = o->step * y;
    axis u, v, w;
    split_axis(&u, 4 * fx + fy + o->plane, 4 * o->step, PRIME_U);
    split_axis(&v, fx + 4 * fy + o->plane, o->step, PRIME_V);
    split_axis(&w, fx + fy + 4 * o->plane, o->step, PRIME_W);

    const float to_cells = 1.0f / (float)UNIT;
    v8f fu = __builtin_convertvector(u.fraction, v8f) * to_cells;
    v8f fv = __builtin_convertvector(v.fraction, v8f) * to_cells;
    v8f fw = __builtin_convertvector(w.fraction, v8f) * to_cells;
    v8f unskew = ((fu + fv) + fw) * (1.0f / 6.0f);
    v8f x0 = fu - unskew, y0 = fv - unskew, z0 = fw - unskew;

    v8i uv = u.fraction >= v.fraction, uw = u.fraction >= w.fraction;
    v8i vw = v.fraction >= w.fraction;
    v8i i1 = uv & uw, j1 = ~uv & vw, k1 = ~(i1 | j1);
    v8i i2 = uv | uw, j2 = ~uv | vw, k2 = ~(uw & vw), all = ~(v8i){0};

    v8f sum = {0}, cx, cy, cz;
    v8u hash = (u.hash ^ v.hash ^ w.hash) ^ o->key;
    add_corner(&sum, &hash, &x0, &y0, &z0);
    offset(&cx, &x0, &i1, 1.0f / 6.0f);
    offset(&cy, &y0, &j1, 1.0f / 6.0f);
    offset(&cz, &z0, &k1, 1.0f / 6.0f);
    hash = ((u.hash + ((v8u)i1 & PRIME_U)) ^ (v.hash + ((v8u)j1 & PRIME_V)) ^
            (w.hash + ((v8u)k1 & PRIME_W))) ^
           o->key;
    add_corner(&sum, &hash, &cx, &cy, &cz);
    offset(&cx, &x0, &i2, 2.0f / 6.0f);
    offset(&cy, &y0, &j2, 2.0f / 6.0f);
    offset(&cz, &z0, &k2, 2.0f / 6.0f);
    hash = ((u.hash + ((v8u)i2 & PRIME_U)) ^ (v.hash + ((v8u)j2 & PRIME_V)) ^
            (w.hash + ((v8u)k2 & PRIME_W))) ^
           o->key;
    add_corner(&sum, &hash, &cx, &cy, &cz);
    offset(&cx, &x0, &all, 3.0f / 6.0f);
    offset(&cy, &y0, &all, 3.0f / 6.0f);
    offset(&cz, &z0, &all, 3.0f / 6.0f);
    hash = ((u.hash + PRIME_U) ^ (v.hash + PRIME_V) ^ (w.hash + PRIME_W)) ^ o->key;
    add_corner(&sum, &hash, &cx, &cy, &cz);

    sum *= 32.0f;
    const v8f one = {1, 1, 1, 1, 1, 1, 1, 1};
    v8f minus_one = -one;
    v8i above = sum > 1.0f, below = sum < -1.0f;
    pick(&sum, &above, &one, &sum);
    pick(out, &below, &minus_one, &sum);
}

/* Adds octave i; the amplitude is a power of two, so the product is exact. */
INLINE void add_octave(v8f *sum, const noise_layer *layer, int i, int64_t x, int64_t y)
{
    v8f value;
    simplex(&value, &layer->octave[i], x, y);
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
    v8f sum = {0}, value;
    for (int i = 0; i < layer->octaves; i++)
        add_octave(&sum, layer, i, x, y);
    normalise(&value, &sum, layer);
    for (int i = 0; i < NOISE_BLOCK; i++)
        out[i] = value[i];
}

static void lake_block(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    const noise_layer *layer = &land->lake;
    v8f sum = {0}, value;
    for (int i = 0; i < layer->octaves; i++) {
        add_octave(&sum, layer, i, x, y);
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

/* The class of a wide and a fine value: 0, -1 or -2 (sums of masks). */
INLINE void forest_class(v8i *out, const noise_land *land, const v8f *wide_squared,
                         const v8f *fine, float margin)
{
    v8f cube = (*fine * *fine) * *fine;
    v8f value = (*wide_squared - 0.5f * cube) + margin;
    const v8f zero = {0};
    v8i negative = value < 0.0f;
    pick(&value, &negative, &zero, &value);
    *out = (value > land->forest_threshold) + (value > land->thick_threshold);
}

static void forest_block(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    const float margin = 0.0001f; /* far above the rounding of the few operations */
    const noise_layer *wide = &land->forest_wide, *fine = &land->forest_fine;
    v8f sum = {0}, value, squared;
    v8i class;
    for (int i = 0; i < wide->octaves; i++) {
        add_octave(&sum, wide, i, x, y);
        v8f most = sum + wide->rest[i + 1];
        normalise(&value, &most, wide);
        squared = value * value;
        /* The fine noise only takes away. */
        v8i can = squared + margin > land->forest_threshold;
        if (land->forest_threshold >= 0.0f && i > 0 && !any(&can)) {
            for (int k = 0; k < NOISE_BLOCK; k++)
                out[k] = 0;
            return;
        }
    }
    normalise(&value, &sum, wide);
    squared = value * value;
    sum = (v8f){0};
    for (int i = 0; i < fine->octaves; i++) {
        add_octave(&sum, fine, i, x, y);
        if (i < 1 || i == fine->octaves - 1)
            continue;
        v8f low = sum - fine->rest[i + 1], high = sum + fine->rest[i + 1], at_low, at_high;
        v8i most, least;
        normalise(&at_low, &low, fine);
        normalise(&at_high, &high, fine);
        forest_class(&most, land, &squared, &at_low, margin);
        forest_class(&least, land, &squared, &at_high, -margin);
        v8i open = most != least;
        if (!any(&open))
            break; /* what is left can't change any class */
    }
    normalise(&value, &sum, fine);
    forest_class(&class, land, &squared, &value, 0.0f);
    for (int k = 0; k < NOISE_BLOCK; k++)
        out[k] = (uint8_t) - class[k];
}

static void floodplain_block(const noise_land *land, float needed, int64_t x, int64_t y,
                             float out[NOISE_BLOCK])
{
    const noise_layer *layer = &land->floodplain;
    v8f sum = {0}, value;
    for (int i = 0; i < layer->octaves; i++) {
        add_octave(&sum, layer, i, x, y);
        v8f most = sum + layer->rest[i + 1];
        normalise(&value, &most, layer);
        v8i can = value * value + 0.0001f > needed;
        if (!any(&can)) {
            for (int k = 0; k < NOISE_BLOCK; k++)
                out[k] = 0.0f;
            return;
        }
    }
    normalise(&value, &sum, layer);
    for (int k = 0; k < NOISE_BLOCK; k++)
        out[k] = value[k] * value[k];
}

const noise_kernels NOISE_KERNELS = {lake_block, forest_block, floodplain_block, octaves_block};
