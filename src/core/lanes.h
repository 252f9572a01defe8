/*
 * LANES unsigned numbers of 16 bits side by side (a vector), and what can be done to all of
 * them at once: sixteen by AVX2 where this file is compiled for it, eight by SSE2, which every
 * x86-64 processor has, elsewhere by loops. These are whole numbers only, so all three give
 * the same results. Lane 0 is the first in memory.
 */
#ifndef CORE_LANES_H
#define CORE_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <immintrin.h>

enum { LANES = 16 };
typedef __m256i lanes;

static inline lanes lanes_load(const uint16_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline __m256i lanes_load_wide(const uint32_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

/* Makes lanes of sixteen numbers of 32 bits: shifts each to the right by `shift` bits and
 * keeps the bits of `mask`, which is below 32,768. */
static inline lanes lanes_narrow(const uint32_t *from, int shift, int32_t mask)
{
    const __m256i bits = _mm256_set1_epi32(mask);
    const __m256i low = _mm256_srli_epi32(lanes_load_wide(from), shift);
    const __m256i high = _mm256_srli_epi32(lanes_load_wide(from + 8), shift);
    const __m256i packed =
        _mm256_packs_epi32(_mm256_and_si256(low, bits), _mm256_and_si256(high, bits));
    return _mm256_permute4x64_epi64(packed, 0xd8);
}

static inline lanes lanes_widen(const uint8_t *from)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from));
}

static inline void lanes_store(uint16_t *to, lanes a)
{
    _mm256_storeu_si256((__m256i *)(void *)to, a);
}

static inline lanes lanes_all(uint16_t value)
{
    return _mm256_set1_epi16((short)value);
}

/* lanes_add is a + b, cut to 65,535; lanes_less is a - b, cut to 0 (it subtracts). */
static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm256_adds_epu16(a, b);
}

static inline lanes lanes_less(lanes a, lanes b)
{
    return _mm256_subs_epu16(a, b);
}

/* a + b modulo 65,536. */
static inline lanes lanes_sum(lanes a, lanes b)
{
    return _mm256_add_epi16(a, b);
}

/* a + b, cut to 32,767; both are below 32,768. */
static inline lanes lanes_add_small(lanes a, lanes b)
{
    return _mm256_adds_epi16(a, b);
}

/* The greater number of each pair, and the lesser one; all are below 32,768. */
static inline lanes lanes_most(lanes a, lanes b)
{
    return _mm256_max_epi16(a, b);
}

static inline lanes lanes_least(lanes a, lanes b)
{
    return _mm256_min_epi16(a, b);
}

/* a * b, which must be below 65,536. */
static inline lanes lanes_times(lanes a, lanes b)
{
    return _mm256_mullo_epi16(a, b);
}

/* Sets all bits of a lane where a and b are equal, else none. */
static inline lanes lanes_equal(lanes a, lanes b)
{
    return _mm256_cmpeq_epi16(a, b);
}

static inline lanes lanes_and(lanes a, lanes b)
{
    return _mm256_and_si256(a, b);
}

static inline lanes lanes_or(lanes a, lanes b)
{
    return _mm256_or_si256(a, b);
}

static inline lanes lanes_and_not(lanes a, lanes b)
{
    return _mm256_andnot_si256(b, a);
}

/* Sets all bits of a lane where a > b, else none; both are below 32,768. */
static inline lanes lanes_above(lanes a, lanes b)
{
    return _mm256_cmpgt_epi16(a, b);
}

/* 0, 1, 2 and so on. */
static inline lanes lanes_first(void)
{
    return _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* Sets all bits of the first `count` lanes, and none of the others. */
static inline lanes lanes_below(int32_t count)
{
    return _mm256_cmpgt_epi16(_mm256_set1_epi16((short)count), lanes_first());
}

static inline bool lanes_same(lanes a, lanes b)
{
    return _mm256_movemask_epi8(_mm256_cmpeq_epi16(a, b)) == -1;
}

static inline bool lanes_any(lanes a)
{
    return !_mm256_testz_si256(a, a);
}

/* Moves lanes by n (1, 2 or 4) places inside each half of eight: each lane gets the number
 * n places before it, or behind it, and 0 from outside of its half. */
#define LANES_FROM_BEFORE(a, n) _mm256_slli_si256((a), 2 * (n))
#define LANES_FROM_BEHIND(a, n) _mm256_srli_si256((a), 2 * (n))

/* All lanes of a half get the last lane of the half before it, or the first lane of the
 * half behind it; 0 where there is no such half. */
static inline lanes lanes_eight_before(lanes a)
{
    const lanes before = _mm256_permute2x128_si256(a, a, 0x08);
    return _mm256_shuffle_epi8(before, _mm256_set1_epi16(0x0f0e));
}

static inline lanes lanes_eight_behind(lanes a)
{
    const lanes behind = _mm256_permute2x128_si256(a, a, 0x81);
    return _mm256_shuffle_epi8(behind, _mm256_set1_epi16(0x0100));
}

/* All lanes get the number of the last lane. */
static inline lanes lanes_last(lanes a)
{
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(a, 0xff), _mm256_set1_epi16(0x0f0e));
}

#elif defined(__SSE2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <emmintrin.h>

enum { LANES = 8 };
typedef __m128i lanes;

static inline lanes lanes_load(const uint16_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline __m128i lanes_load_wide(const uint32_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

/* Makes lanes of eight numbers of 32 bits: shifts each to the right by `shift` bits and
 * keeps the bits of `mask`, which is below 32,768. */
static inline lanes lanes_narrow(const uint32_t *from, int shift, int32_t mask)
{
    const __m128i bits = _mm_set1_epi32(mask);
    const __m128i low = _mm_srli_epi32(lanes_load_wide(from), shift);
    const __m128i high = _mm_srli_epi32(lanes_load_wide(from + 4), shift);
    return _mm_packs_epi32(_mm_and_si128(low, bits), _mm_and_si128(high, bits));
}

static inline lanes lanes_widen(const uint8_t *from)
{
    return _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)from),
                             _mm_setzero_si128());
}

static inline void lanes_store(uint16_t *to, lanes a)
{
    _mm_storeu_si128((__m128i *)(void *)to, a);
}

static inline lanes lanes_all(uint16_t value)
{
    return _mm_set1_epi16((short)value);
}

/* lanes_add is a + b, cut to 65,535; lanes_less is a - b, cut to 0 (it subtracts). */
static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm_adds_epu16(a, b);
}

static inline lanes lanes_less(lanes a, lanes b)
{
    return _mm_subs_epu16(a, b);
}

/* a + b modulo 65,536. */
static inline lanes lanes_sum(lanes a, lanes b)
{
    return _mm_add_epi16(a, b);
}

/* a + b, cut to 32,767; both are below 32,768. */
static inline lanes lanes_add_small(lanes a, lanes b)
{
    return _mm_adds_epi16(a, b);
}

/* The greater number of each pair, and the lesser one; all are below 32,768. */
static inline lanes lanes_most(lanes a, lanes b)
{
    return _mm_max_epi16(a, b);
}

static inline lanes lanes_least(lanes a, lanes b)
{
    return _mm_min_epi16(a, b);
}

/* a * b, which must be below 65,536. */
static inline lanes lanes_times(lanes a, lanes b)
{
    return _mm_mullo_epi16(a, b);
}

/* Sets all bits of a lane where a and b are equal, else none. */
static inline lanes lanes_equal(lanes a, lanes b)
{
    return _mm_cmpeq_epi16(a, b);
}

static inline lanes lanes_and(lanes a, lanes b)
{
    return _mm_and_si128(a, b);
}

static inline lanes lanes_or(lanes a, lanes b)
{
    return _mm_or_si128(a, b);
}

static inline lanes lanes_and_not(lanes a, lanes b)
{
    return _mm_andnot_si128(b, a);
}

/* Sets all bits of a lane where a > b, else none; both are below 32,768. */
static inline lanes lanes_above(lanes a, lanes b)
{
    return _mm_cmpgt_epi16(a, b);
}

/* 0, 1, 2 and so on. */
static inline lanes lanes_first(void)
{
    return _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
}

/* Sets all bits of the first `count` lanes, and none of the others. */
static inline lanes lanes_below(int32_t count)
{
    return _mm_cmpgt_epi16(_mm_set1_epi16((short)count), lanes_first());
}

static inline bool lanes_same(lanes a, lanes b)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi16(a, b)) == 0xffff;
}

static inline bool lanes_any(lanes a)
{
    return !lanes_same(a, _mm_setzero_si128());
}

/* Moves lanes by n (1, 2 or 4) places: each lane gets the number n places before it, or
 * behind it, and 0 from outside. */
#define LANES_FROM_BEFORE(a, n) _mm_slli_si128((a), 2 * (n))
#define LANES_FROM_BEHIND(a, n) _mm_srli_si128((a), 2 * (n))

static inline lanes lanes_eight_before(lanes a)
{
    (void)a;
    return lanes_all(0);
}

static inline lanes lanes_eight_behind(lanes a)
{
    (void)a;
    return lanes_all(0);
}

/* All lanes get the number of the last lane. */
static inline lanes lanes_last(lanes a)
{
    const lanes high = _mm_shufflehi_epi16(a, 0xff);
    return _mm_unpackhi_epi64(high, high);
}

#else

enum { LANES = 8 };
typedef struct lanes {
    uint16_t at[LANES];
} lanes;

static inline lanes lanes_load(const uint16_t *from)
{
    lanes out;
    memcpy(out.at, from, sizeof out.at);
    return out;
}

static inline lanes lanes_narrow(const uint32_t *from, int shift, uint32_t mask)
{
    lanes out;
    for (int i = 0; i < LANES; i++)
        out.at[i] = (uint16_t)(from[i] >> shift & mask);
    return out;
}

static inline lanes lanes_widen(const uint8_t *from)
{
    lanes out;
    for (int i = 0; i < LANES; i++)
        out.at[i] = from[i];
    return out;
}

static inline void lanes_store(uint16_t *to, lanes a)
{
    memcpy(to, a.at, sizeof a.at);
}

static inline lanes lanes_all(uint16_t value)
{
    lanes out;
    for (int i = 0; i < LANES; i++)
        out.at[i] = value;
    return out;
}

#define LANES_EACH(name, expression)                                                           \
    static inline lanes name(lanes a, lanes b)                                                 \
    {                                                                                          \
        for (int i = 0; i < LANES; i++) {                                                      \
            const uint32_t x = a.at[i], y = b.at[i];                                           \
            a.at[i] = (uint16_t)(expression);                                                  \
        }                                                                                      \
        return a;                                                                              \
    }

LANES_EACH(lanes_add, x + y > UINT16_MAX ? UINT16_MAX : x + y)
LANES_EACH(lanes_less, x > y ? x - y : 0)
LANES_EACH(lanes_sum, x + y)
LANES_EACH(lanes_add_small, x + y > INT16_MAX ? INT16_MAX : x + y)
LANES_EACH(lanes_most, x > y ? x : y)
LANES_EACH(lanes_least, x < y ? x : y)
LANES_EACH(lanes_times, x *y)
LANES_EACH(lanes_equal, x == y ? UINT16_MAX : 0)
LANES_EACH(lanes_and, x &y)
LANES_EACH(lanes_or, x | y)
LANES_EACH(lanes_and_not, x & ~y)
LANES_EACH(lanes_above, x > y ? UINT16_MAX : 0)

static inline lanes lanes_first(void)
{
    lanes out;
    for (int i = 0; i < LANES; i++)
        out.at[i] = (uint16_t)i;
    return out;
}

static inline lanes lanes_below(int32_t count)
{
    lanes out;
    for (int i = 0; i < LANES; i++)
        out.at[i] = i < count ? UINT16_MAX : 0;
    return out;
}

static inline bool lanes_same(lanes a, lanes b)
{
    return memcmp(a.at, b.at, sizeof a.at) == 0;
}

static inline bool lanes_any(lanes a)
{
    return !lanes_same(a, lanes_all(0));
}

static inline lanes lanes_from_before(lanes a, int n)
{
    lanes out = lanes_all(0);
    for (int i = n; i < LANES; i++)
        out.at[i] = a.at[i - n];
    return out;
}

static inline lanes lanes_from_behind(lanes a, int n)
{
    lanes out = lanes_all(0);
    for (int i = 0; i + n < LANES; i++)
        out.at[i] = a.at[i + n];
    return out;
}

#define LANES_FROM_BEFORE(a, n) lanes_from_before(a, n)
#define LANES_FROM_BEHIND(a, n) lanes_from_behind(a, n)

static inline lanes lanes_eight_before(lanes a)
{
    (void)a;
    return lanes_all(0);
}

static inline lanes lanes_eight_behind(lanes a)
{
    (void)a;
    return lanes_all(0);
}

static inline lanes lanes_last(lanes a)
{
    return lanes_all(a.at[LANES - 1]);
}

#endif

/* Sets all bits of a lane whose number is one of first .. first + count - 1, else none;
 * count is at least 1. */
static inline lanes lanes_within(lanes a, uint16_t first, uint16_t count)
{
    const lanes from_first = lanes_sum(a, lanes_all((uint16_t)-first));
    return lanes_equal(lanes_less(from_first, lanes_all((uint16_t)(count - 1))), lanes_all(0));
}

#endif
