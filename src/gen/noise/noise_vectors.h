/*
 * The building blocks of the noise kernels: vectors with a number (a lane) for each of
 * NOISE_LANES OMTs, one octave of simplex noise for them, and the tests whether further octaves
 * are needed. Vectors are the portable vector types of GCC and Clang, with intrinsics where the
 * compiler would not find the best instruction. They have sixteen lanes for AVX-512
 * (NOISE_WIDE), otherwise eight. All versions give the same bits. Only noise_kernels.h and
 * noise_columns.h include this file.
 */
#include "gen/noise/noise.h"

#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error                                                                                         \
    "floats have more bits here than a float: worlds would differ (i386 needs -msse2 -mfpmath=sse)"
#endif

#ifdef __AVX2__
#include <immintrin.h>
#endif

#ifdef NOISE_WIDE
enum { NOISE_LANES = 16 };
#else
enum { NOISE_LANES = 8 };
#endif

#define NOISE_VECTOR __attribute__((vector_size(4 * NOISE_LANES)))
/* NOISE_LOOSE declares a type of vectors by which the arrays of a noise_grid are read. The
 * arrays are only aligned to the size of their elements. */
#define NOISE_LOOSE __attribute__((vector_size(4 * NOISE_LANES), aligned(4), may_alias))

typedef int32_t vi NOISE_VECTOR;
typedef uint32_t vu NOISE_VECTOR;
typedef float vf NOISE_VECTOR;
typedef int64_t vl NOISE_VECTOR; /* a vector of 64-bit numbers: it has half as many numbers as
                                    `vi`, a vector of 32-bit numbers */
typedef int32_t loose_vi NOISE_LOOSE;
typedef float loose_vf NOISE_LOOSE;

/* Functions take vectors by pointer, since how vectors are passed by value depends on the
 * instruction set. */
#define INLINE static inline __attribute__((always_inline))

/* The side of a cell of the noise's lattice, in fixed point. */
enum { UNIT = 3 << NOISE_FRACTION_BITS };

#define PRIME_U 0x8da6b343u
#define PRIME_V 0xd8163841u
#define PRIME_W 0xcb1ab31fu

typedef struct axis {
    vi fraction; /* position of each OMT inside its lattice cell, 0 .. UNIT - 1 */
    vu hash;     /* number of the lattice cell times a prime number of the axis */
} axis;

/* A mask marks some lanes of a vector, those for which it is set: by one bit per lane
 * (NOISE_WIDE), or by a vector whose lanes have all bits set or none. */
#ifdef NOISE_WIDE
typedef __mmask16 mask;
#else
typedef vi mask;
#endif

INLINE void above(mask *out, const vi *a, const vi *b)
{
#ifdef NOISE_WIDE
    *out = _mm512_cmpgt_epi32_mask((__m512i)*a, (__m512i)*b);
#else
    *out = *a > *b;
#endif
}

/* Sets each lane of *out to that of b where the mask is set, else to that of a. */
INLINE void pick(vf *out, const mask *m, const vf *b, const vf *a)
{
#if defined(NOISE_WIDE)
    *out = (vf)_mm512_mask_blend_ps(*m, (__m512)*a, (__m512)*b);
#elif defined(__AVX2__)
    *out = (vf)_mm256_blendv_ps((__m256)*a, (__m256)*b, (__m256)*m);
#else
    *out = (vf)((*m & (vi)*b) | (~*m & (vi)*a));
#endif
}

INLINE void pick_hash(vu *out, const mask *m, const vu *b, const vu *a)
{
    vf value;
    pick(&value, m, (const vf *)b, (const vf *)a);
    *out = (vu)value;
}

/* Sets *out for those lanes for which a is set and b is not. */
INLINE void and_not(mask *out, const mask *a, const mask *b)
{
#ifdef NOISE_WIDE
    *out = _kandn_mask16(*b, *a);
#else
    *out = *a & ~*b;
#endif
}

/* Computes *out = a | ~b, for masks with a bit or number for each lane. */
INLINE void or_not(mask *out, const mask *a, const mask *b)
{
#ifdef NOISE_WIDE
    *out = _kor_mask16(*a, _knot_mask16(*b));
#else
    *out = *a | ~*b;
#endif
}

/* Adds the amount to the lanes where the mask is set. */
INLINE void add_where(vu *to, const mask *m, uint32_t amount)
{
#ifdef NOISE_WIDE
    *to = (vu)_mm512_mask_add_epi32((__m512i)*to, *m, (__m512i)*to,
                                    _mm512_set1_epi32((int)amount));
#else
    *to += (vu)*m & amount;
#endif
}

/* Chooses a gradient by the upper 16 bits h of each lane's hash: puts its number, h * 12 /
 * 65,536, into the upper half of the lane. */
INLINE void choose_gradient(vu *out, const vu *h)
{
#if defined(NOISE_WIDE)
    *out = (vu)_mm512_mulhi_epu16((__m512i)*h, _mm512_set1_epi32(12 << 16));
#elif defined(__AVX2__)
    *out = (vu)_mm256_mulhi_epu16((__m256i)*h, _mm256_set1_epi32(12 << 16));
#else
    *out = (((*h >> 16) * 12u) >> 16) << 16;
#endif
}

/* Sets the lanes of t whose numbers are negative to +0. */
INLINE void not_negative(vf *t)
{
#if defined(NOISE_WIDE)
    *t = (vf)_mm512_max_ps((__m512)*t, _mm512_setzero_ps());
#elif defined(__AVX2__)
    *t = (vf)_mm256_max_ps((__m256)*t, _mm256_setzero_ps());
#else
    vi inside = *t > 0.0f;
    *t = (vf)((vi)*t & inside);
#endif
}

/* Is any lane other than 0? */
INLINE bool any(const vi *lanes)
{
#if defined(NOISE_WIDE)
    return _mm512_test_epi32_mask((__m512i)*lanes, (__m512i)*lanes) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)*lanes, (__m256i)*lanes);
#else
    int32_t bits = 0;
    for (int i = 0; i < NOISE_LANES; i++)
        bits |= (*lanes)[i];
    return bits != 0;
#endif
}

/* Combines three words by exclusive or. */
INLINE void mix(vu *out, const vu *a, const vu *b, const vu *c)
{
#ifdef NOISE_WIDE
    *out = (vu)_mm512_ternarylogic_epi32((__m512i)*a, (__m512i)*b, (__m512i)*c, 0x96);
#else
    *out = *a ^ *b ^ *c;
#endif
}

/* Computes what a corner of the simplex contributes to the noise at an OMT that lies (x, y, z)
 * from it: max(0, 0.6 - squared distance)^4 times the dot product of the corner's gradient and
 * (x, y, z). */
INLINE void corner(vf *out, const vu *hash, const vf *x, const vf *y, const vf *z)
{
    const vi sevens = (vi){0} + ((8 << 16) - 1), threes = (vi){0} + ((4 << 16) - 1);
    vu h = *hash, gradient;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    choose_gradient(&gradient, &h);
    /* A gradient points along two of the three axes: gradients 0..3 along x and y, 4..7 along x
     * and z, 8..11 along y and z. */
    mask is_yz, has_z;
    above(&is_yz, (const vi *)&gradient, &sevens);
    above(&has_z, (const vi *)&gradient, &threes);
    vf a, b;
    pick(&a, &is_yz, y, x);
    pick(&b, &has_z, z, y);
    /* The gradient's lowest bit decides the sign of its first component, a. */
    a = (vf)((vu)a ^ (gradient << 15));
    b = (vf)((vu)b ^ ((gradient << 14) & 0x80000000u));
    vf t = ((0.6f - *x * *x) - *y * *y) - *z * *z;
    not_negative(&t);
    vf t2 = t * t;
    *out = (t2 * t2) * (a + b);
}

/* On each axis, the corners of a simplex lie in the OMT's lattice cell (index 0) or in the next
 * one (index 1). For both: what the lattice cell adds to a corner's hash, and how far the OMT
 * lies from the corner along the axis. */
typedef struct corners {
    vu hash[3][2];
    vf offset[3][2];
} corners;

/* A simplex has four corners. Computes what the second or the third of them contributes to the
 * noise. Along each of the lattice's axes u, v, w this corner lies in the OMT's lattice cell or
 * in the next one. It lies in the next one along u where not_u is not set, along v where v is
 * set, and along w where w is set. */
INLINE void middle(vf *out, const corners *c, const mask *not_u, const mask *v, const mask *w,
                   float unskew)
{
    vu hash, hash_v, hash_w;
    vf x, y, z;
    pick(&x, not_u, &c->offset[0][0], &c->offset[0][1]);
    pick(&y, v, &c->offset[1][1], &c->offset[1][0]);
    pick(&z, w, &c->offset[2][1], &c->offset[2][0]);
    x += unskew;
    y += unskew;
    z += unskew;
    pick_hash(&hash, not_u, &c->hash[0][0], &c->hash[0][1]);
    pick_hash(&hash_v, v, &c->hash[1][1], &c->hash[1][0]);
    pick_hash(&hash_w, w, &c->hash[2][1], &c->hash[2][0]);
    mix(&hash, &hash, &hash_v, &hash_w);
    corner(out, &hash, &x, &y, &z);
}

/* Returns the factor that an octave must be multiplied by. It is a power of two, so that the
 * product is exact. */
INLINE float scale_of(int octave)
{
    return 32.0f / (float)(1 << octave);
}

/* Computes one octave of simplex noise for the OMTs of a vector. The result is not yet
 * multiplied by the factor that scale_of gives for the octave. */
INLINE void simplex(vf *out, const axis at[3], uint32_t key)
{
    const vi *u = &at[0].fraction, *v = &at[1].fraction, *w = &at[2].fraction;
    const float to_cells = 1.0f / (float)UNIT;
    vf fu = __builtin_convertvector(*u, vf) * to_cells;
    vf fv = __builtin_convertvector(*v, vf) * to_cells;
    vf fw = __builtin_convertvector(*w, vf) * to_cells;
    vf unskew = ((fu + fv) + fw) * (1.0f / 6.0f);
    vf x = fu - unskew, y = fv - unskew, z = fw - unskew;
    const corners c = {{{at[0].hash, at[0].hash + PRIME_U},
                        {at[1].hash, at[1].hash + PRIME_V},
                        {at[2].hash ^ key, (at[2].hash + PRIME_W) ^ key}},
                       {{x, x - 1.0f}, {y, y - 1.0f}, {z, z - 1.0f}}};
    /* A simplex is a path of corners through the lattice cell, from its first corner to its
     * last one. It steps along the axis with the largest fraction first, along the one with the
     * smallest last. Of equal fractions u comes before v, v before w. */
    mask v_u, w_u, w_v;
    above(&v_u, v, u);
    above(&w_u, w, u);
    above(&w_v, w, v);
    const mask first_u = (mask)(v_u | w_u), first_w = (mask)(w_u & w_v);
    const mask then_u = (mask)(v_u & w_u), then_w = (mask)(w_u | w_v);
    mask first_v, then_v;
    and_not(&first_v, &v_u, &w_v);
    or_not(&then_v, &v_u, &w_v);

    vu hash;
    vf first, then, last;
    mix(&hash, &c.hash[0][0], &c.hash[1][0], &c.hash[2][0]);
    corner(out, &hash, &x, &y, &z);
    middle(&first, &c, &first_u, &first_v, &first_w, 1.0f / 6.0f);
    middle(&then, &c, &then_u, &then_v, &then_w, 2.0f / 6.0f);
    x = c.offset[0][1] + 3.0f / 6.0f;
    y = c.offset[1][1] + 3.0f / 6.0f;
    z = c.offset[2][1] + 3.0f / 6.0f;
    mix(&hash, &c.hash[0][1], &c.hash[1][1], &c.hash[2][1]);
    corner(&last, &hash, &x, &y, &z);
    *out = ((*out + first) + then) + last;
}

/* The sum of a layer's octaves lies between -1 / scale and 1 / scale. Maps it to a number in
 * [0, 1]. */
INLINE void normalise(vf *out, const vf *sum, const noise_layer *layer)
{
    *out = (*sum * layer->scale + 1.0f) * 0.5f;
}

/* Each lane of *sum has, for one OMT, the sum of the octaves up to number i. Returns true if
 * these sums already decide that all of the OMTs, or none of them, are in the class of noise
 * that the bounds describe. If so, sets *out to what noise_kernels.fourth gives in that
 * case. */
INLINE bool fourth_told(vf *out, const noise_layer *layer, const noise_bounds *bounds,
                        const vf *sum, int i)
{
    const float rest = layer->rest[i + 1];
    const vi can = *sum + rest >= bounds->needed, can_not = *sum - rest <= bounds->enough;
    const bool none = !any(&can), all = !any(&can_not);
    if (none || all)
        *out = (vf){0} + (none ? NOISE_LITTLE : NOISE_MUCH);
    return none || all;
}

/* Computes oct^4 from the sums of all octaves; oct is the sum scaled to [0, 1]. */
INLINE void fourth_power(vf *out, const noise_layer *layer, const vf *sum)
{
    normalise(out, sum, layer);
    *out *= *out;
    *out *= *out;
}

/* Finds the lanes in which the sum of the octaves of `land->forest_wide`, which is known up to
 * octave i, can still reach `needed`, the least sum for forest. The noise of
 * `land->forest_fine` only lowers the value, so it is ignored. */
INLINE void forest_can(vi *out, const noise_land *land, float needed, const vf *sum, int i)
{
    *out = *sum + land->forest_wide.rest[i + 1] >= needed;
}

/* Finds the class of forest in each lane, from the noise of the layers `forest_wide` (squared)
 * and `forest_fine`. Both give one value, to which `margin` is added before it is compared with
 * the thresholds. Classes are negative here: 0 no forest, -1 forest, -2 thick forest. */
INLINE void forest_class(vi *out, const noise_land *land, const vf *wide_squared,
                         const vf *fine, float margin)
{
    vf cube = (*fine * *fine) * *fine;
    vf value = (*wide_squared - 0.5f * cube) + margin;
    not_negative(&value);
    *out = (value > land->forest_threshold) + (value > land->thick_threshold);
}

/* Finds the lanes whose class of forest is not certain yet. `sum` has the octaves of
 * `land->forest_fine` up to number i; the later ones may still change the class. */
INLINE void forest_open(vi *out, const noise_land *land, const vf *wide_squared, const vf *sum,
                        int i)
{
    /* Far more than the rounding errors of the computation below. */
    const float margin = 0.0001f;
    const float half = land->forest_fine.scale * 0.5f, rest = land->forest_fine.rest[i + 1];
    vf middle = *sum * half + 0.5f;
    vf low = middle - rest * half, high = middle + rest * half;
    vi most, least;
    forest_class(&most, land, wide_squared, &low, margin);
    forest_class(&least, land, wide_squared, &high, -margin);
    *out = most != least;
}

/* Finds the lanes in which the floodplain's value may still exceed `needed`. `sum` has the
 * octaves up to number i; the later ones may add something. */
INLINE void floodplain_can(vi *out, const noise_layer *layer, const vf *needed, const vf *sum,
                           int i)
{
    vf most = *sum + layer->rest[i + 1], value;
    normalise(&value, &most, layer);
    *out = value * value > *needed - 0.0001f;
}
