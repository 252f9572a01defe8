/*
 * A vector of LANES unsigned numbers of 16 bits, and functions that work on all of them at
 * once. A vector has sixteen numbers where this file is compiled for AVX2, and eight with SSE2,
 * which every x86-64 processor has. On other machines the functions are loops. These are whole
 * numbers only, so all three give the same results. Lane 0 is the first in memory.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && !defined(PORTOLAN_PLAIN_LANES)

/* LANES_DO(x) is the name of the compiler's function for the instruction x on vectors, such as
 * _mm_x. LANES_AS_BITS(x) is that name for instructions that take the whole vector as one row
 * of bits, such as _mm_x_si128. */
#ifdef __AVX2__
#include <immintrin.h>
#define LANES_DO(operation)      _mm256_##operation
#define LANES_AS_BITS(operation) _mm256_##operation##_si256
enum { LANES = 16 };
typedef __m256i lanes;
#else
#include <emmintrin.h>
#define LANES_DO(operation)      _mm_##operation
#define LANES_AS_BITS(operation) _mm_##operation##_si128
enum { LANES = 8 };
typedef __m128i lanes;
#endif

static inline lanes lanes_load(const uint16_t *from)
{
    return LANES_AS_BITS(loadu)((const lanes *)(const void *)from);
}

static inline lanes lanes_load_wide(const uint32_t *from)
{
    return LANES_AS_BITS(loadu)((const lanes *)(const void *)from);
}

static inline void lanes_store(uint16_t *to, lanes a)
{
    LANES_AS_BITS(storeu)((lanes *)(void *)to, a);
}

static inline lanes lanes_all(uint16_t value)
{
    return LANES_DO(set1_epi16)((short)value);
}

/* Defines a function `name` that applies one instruction of the processor to two vectors. */
#define LANES_EACH(name, operation)                                                            \
    static inline lanes name(lanes a, lanes b)                                                 \
    {                                                                                          \
        return operation(a, b);                                                                \
    }

/* lanes_add is a + b, or 65,535 where the sum is larger. lanes_less is a - b, or 0 where b is
 * larger. */
LANES_EACH(lanes_add, LANES_DO(adds_epu16))
LANES_EACH(lanes_less, LANES_DO(subs_epu16))
/* a + b modulo 65,536. */
LANES_EACH(lanes_sum, LANES_DO(add_epi16))
/* lanes_add_small is a + b, or 32,767 where the sum is larger; all numbers in a and b must be
 * below 32,768. */
LANES_EACH(lanes_add_small, LANES_DO(adds_epi16))
/* lanes_most has in each lane the greater number of a and b, lanes_least the lesser one; all
 * numbers must be below 32,768. */
LANES_EACH(lanes_most, LANES_DO(max_epi16))
LANES_EACH(lanes_least, LANES_DO(min_epi16))
/* a * b, which must be below 65,536. */
LANES_EACH(lanes_times, LANES_DO(mullo_epi16))
/* Sets all bits of a lane where a and b are equal, else none. */
LANES_EACH(lanes_equal, LANES_DO(cmpeq_epi16))
/* Sets all bits of a lane where a > b, else none; a and b must be below 32,768. */
LANES_EACH(lanes_above, LANES_DO(cmpgt_epi16))
LANES_EACH(lanes_and, LANES_AS_BITS(and))
LANES_EACH(lanes_or, LANES_AS_BITS(or))

/* Returns the bits of a that b does not have. */
static inline lanes lanes_and_not(lanes a, lanes b)
{
    return LANES_AS_BITS(andnot)(b, a);
}

/* Makes a vector from LANES numbers of 32 bits: shifts each number to the right by `shift` bits
 * and keeps the bits of `mask`, which must be below 32,768. */
static inline lanes lanes_narrow(const uint32_t *from, int shift, int32_t mask)
{
    const lanes bits = LANES_DO(set1_epi32)(mask);
    const lanes low = LANES_DO(srli_epi32)(lanes_load_wide(from), shift);
    const lanes high = LANES_DO(srli_epi32)(lanes_load_wide(from + LANES / 2), shift);
    const lanes packed = LANES_DO(packs_epi32)(lanes_and(low, bits), lanes_and(high, bits));
#ifdef __AVX2__
    return _mm256_permute4x64_epi64(packed, 0xd8);
#else
    return packed;
#endif
}

/* Returns the numbers 0, 1, 2 and so on, one in each lane. */
static inline lanes lanes_first(void)
{
    static const uint16_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return lanes_load(numbers);
}

/* Sets all bits of the first `count` lanes, and no bits of the lanes behind them. */
static inline lanes lanes_below(int32_t count)
{
    return lanes_above(lanes_all((uint16_t)count), lanes_first());
}

/* Moves numbers by n (1, 2 or 4) lanes inside each half of eight lanes. FROM_BEFORE gives each
 * lane the number n lanes before it, FROM_BEHIND the number n lanes behind it; 0 where that
 * lane is outside of the half. */
#define LANES_FROM_BEFORE(a, n) LANES_AS_BITS(slli)((a), 2 * (n))
#define LANES_FROM_BEHIND(a, n) LANES_AS_BITS(srli)((a), 2 * (n))

#ifdef __AVX2__

static inline lanes lanes_widen(const uint8_t *from)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from));
}

static inline bool lanes_same(lanes a, lanes b)
{
    return _mm256_movemask_epi8(lanes_equal(a, b)) == -1;
}

static inline bool lanes_any(lanes a)
{
    return !_mm256_testz_si256(a, a);
}

/* A vector has two halves of eight lanes. lanes_eight_before sets all lanes of the second half
 * to the number in the last lane of the first half. lanes_eight_behind sets all lanes of the
 * first half to the number in the first lane of the second half. Each of them sets the lanes of
 * the other half to 0. */
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

/* Sets all lanes to the number that the last lane has. */
static inline lanes lanes_last(lanes a)
{
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(a, 0xff), _mm256_set1_epi16(0x0f0e));
}

#else

static inline lanes lanes_widen(const uint8_t *from)
{
    return _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)from),
                             _mm_setzero_si128());
}

static inline bool lanes_same(lanes a, lanes b)
{
    return _mm_movemask_epi8(lanes_equal(a, b)) == 0xffff;
}

/* Sets all lanes to the number that the last lane has. */
static inline lanes lanes_last(lanes a)
{
    const lanes high = _mm_shufflehi_epi16(a, 0xff);
    return _mm_unpackhi_epi64(high, high);
}

#endif

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

static inline lanes lanes_last(lanes a)
{
    return lanes_all(a.at[LANES - 1]);
}

#endif

#if !defined(__AVX2__) || defined(PORTOLAN_PLAIN_LANES)

static inline bool lanes_any(lanes a)
{
    return !lanes_same(a, lanes_all(0));
}

/* Without AVX2 a vector has at most eight lanes, so no lane has another one eight places before
 * or behind it: the result is 0. */
static inline lanes lanes_eight_before(lanes a)
{
    (void)a;
    return lanes_all(0);
}

static inline lanes lanes_eight_behind(lanes a)
{
    return lanes_eight_before(a);
}

#endif

/* Sets all bits of a lane whose number is one of first .. first + count - 1, else none; count
 * must be at least 1. */
static inline lanes lanes_within(lanes a, uint16_t first, uint16_t count)
{
    const lanes from_first = lanes_sum(a, lanes_all((uint16_t)-first));
    return lanes_equal(lanes_less(from_first, lanes_all((uint16_t)(count - 1))), lanes_all(0));
}
