/*
 * LANES unsigned numbers of 16 bits side by side (a vector), and what can be done to all of
 * them at once beside what the operators do (+ and * are modulo 65,536): sixteen numbers where
 * this file is compiled for AVX2, eight by SSE2, which every x86-64 processor has, and eight
 * elsewhere. Where compilers would not find the instruction it is named. These are whole
 * numbers only, so all give the same results. Lane 0 is the first in memory.
 */
#ifndef CORE_LANES_H
#define CORE_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <immintrin.h>
enum { LANES = 16 };
#define LANES_DO(name) _mm256_##name
typedef __m256i lanes_bits;
#elif defined(__SSE2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <emmintrin.h>
enum { LANES = 8 };
#define LANES_DO(name) _mm_##name
typedef __m128i lanes_bits;
#else
enum { LANES = 8 };
#endif

typedef uint16_t lanes __attribute__((vector_size(2 * LANES)));
typedef int16_t lanes_signed __attribute__((vector_size(2 * LANES)));
typedef uint16_t lanes_loose __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

static inline lanes lanes_load(const uint16_t *from)
{
    return *(const lanes_loose *)from;
}

static inline void lanes_store(uint16_t *to, lanes a)
{
    *(lanes_loose *)to = a;
}

static inline lanes lanes_all(uint16_t value)
{
    return (lanes){0} + value;
}

/* 0, 1, 2 and so on. */
static inline lanes lanes_first(void)
{
    static const uint16_t first[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return lanes_load(first);
}

static inline lanes lanes_widen(const uint8_t *from)
{
    typedef uint8_t few __attribute__((vector_size(LANES), aligned(1), may_alias));
    return __builtin_convertvector(*(const few *)from, lanes);
}

/* Sets all bits of a lane where a and b are equal, else none. */
static inline lanes lanes_equal(lanes a, lanes b)
{
    return (lanes)(a == b);
}

/* Sets all bits of a lane where a > b, else none; both are below 32,768. */
static inline lanes lanes_above(lanes a, lanes b)
{
    return (lanes)((lanes_signed)a > (lanes_signed)b);
}

/* Sets all bits of the first `count` lanes, and none of the others. */
static inline lanes lanes_below(int32_t count)
{
    return lanes_above((lanes){0} + (uint16_t)count, lanes_first());
}

#ifdef LANES_DO

/* Makes lanes of numbers of 32 bits: shifts each to the right by `shift` bits and keeps the
 * bits of `mask`, which is below 32,768. */
static inline lanes lanes_narrow(const uint32_t *from, int shift, uint32_t mask)
{
    typedef uint32_t wide __attribute__((vector_size(2 * LANES), aligned(4), may_alias));
    const wide low = *(const wide *)from >> shift & mask;
    const wide high = *(const wide *)(from + LANES / 2) >> shift & mask;
    const lanes_bits packed = LANES_DO(packs_epi32)((lanes_bits)low, (lanes_bits)high);
#ifdef __AVX2__
    return (lanes)_mm256_permute4x64_epi64(packed, 0xd8);
#else
    return (lanes)packed;
#endif
}

/* Defines an operation on pairs of lanes: by an instruction, or else by an expression. */
#define LANES_PAIRS(name, instruction, plain)                                                  \
    static inline lanes name(lanes a, lanes b)                                                 \
    {                                                                                          \
        return (lanes)LANES_DO(instruction)((lanes_bits)a, (lanes_bits)b);                     \
    }

/* Moves lanes by n (1, 2 or 4) places inside each half of eight: each lane gets the number
 * n places before it, or behind it, and 0 from outside of its half. */
#if defined(__AVX2__)
#define LANES_FROM_BEFORE(a, n) (lanes) _mm256_slli_si256((lanes_bits)(a), 2 * (n))
#define LANES_FROM_BEHIND(a, n) (lanes) _mm256_srli_si256((lanes_bits)(a), 2 * (n))
#else
#define LANES_FROM_BEFORE(a, n) (lanes) _mm_slli_si128((lanes_bits)(a), 2 * (n))
#define LANES_FROM_BEHIND(a, n) (lanes) _mm_srli_si128((lanes_bits)(a), 2 * (n))
#endif

static inline bool lanes_same(lanes a, lanes b)
{
    const uint32_t equal = (uint32_t)LANES_DO(movemask_epi8)((lanes_bits)lanes_equal(a, b));
    return equal == UINT32_MAX >> (32 - 2 * LANES);
}

#else

static inline lanes lanes_narrow(const uint32_t *from, int shift, uint32_t mask)
{
    lanes out = {0};
    for (int i = 0; i < LANES; i++)
        out[i] = (uint16_t)(from[i] >> shift & mask);
    return out;
}

#define LANES_PAIRS(name, instruction, plain)                                                  \
    static inline lanes name(lanes a, lanes b)                                                 \
    {                                                                                          \
        return plain;                                                                          \
    }

static inline lanes lanes_from_before(lanes a, int n)
{
    lanes out = {0};
    for (int i = n; i < LANES; i++)
        out[i] = a[i - n];
    return out;
}

static inline lanes lanes_from_behind(lanes a, int n)
{
    lanes out = {0};
    for (int i = 0; i + n < LANES; i++)
        out[i] = a[i + n];
    return out;
}

#define LANES_FROM_BEFORE(a, n) lanes_from_before(a, n)
#define LANES_FROM_BEHIND(a, n) lanes_from_behind(a, n)

static inline bool lanes_same(lanes a, lanes b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

#endif

/* The greater number of each pair, and the lesser one; all are below 32,768. */
LANES_PAIRS(lanes_most, max_epi16, (a & lanes_above(a, b)) | (b & ~lanes_above(a, b)))
LANES_PAIRS(lanes_least, min_epi16, (b & lanes_above(a, b)) | (a & ~lanes_above(a, b)))
/* lanes_add is a + b, cut to 65,535; lanes_less is a - b, cut to 0 (it subtracts). */
LANES_PAIRS(lanes_add, adds_epu16, (a + b) | (lanes)(b > ~a))
LANES_PAIRS(lanes_less, subs_epu16, (a - b) & (lanes)(a > b))
/* a + b, cut to 32,767; both are below 32,768. */
LANES_PAIRS(lanes_add_small, adds_epi16, a + lanes_least(b, lanes_all(INT16_MAX) - a))

#if defined(__AVX2__) && !defined(PORTOLAN_PLAIN_LANES)

static inline bool lanes_any(lanes a)
{
    return !_mm256_testz_si256((lanes_bits)a, (lanes_bits)a);
}

/* All lanes of a half get the last lane of the half before it, or the first lane of the
 * half behind it; 0 where there is no such half. */
static inline lanes lanes_eight_before(lanes a)
{
    const lanes_bits before = _mm256_permute2x128_si256((lanes_bits)a, (lanes_bits)a, 0x08);
    return (lanes)_mm256_shuffle_epi8(before, _mm256_set1_epi16(0x0f0e));
}

static inline lanes lanes_eight_behind(lanes a)
{
    const lanes_bits behind = _mm256_permute2x128_si256((lanes_bits)a, (lanes_bits)a, 0x81);
    return (lanes)_mm256_shuffle_epi8(behind, _mm256_set1_epi16(0x0100));
}

#else

static inline bool lanes_any(lanes a)
{
    return !lanes_same(a, lanes_all(0));
}

#define lanes_eight_before(a) ((void)(a), lanes_all(0))
#define lanes_eight_behind(a) ((void)(a), lanes_all(0))

#endif

/* All lanes get the number of the last lane. */
static inline lanes lanes_last(lanes a)
{
    return (lanes){0} + a[LANES - 1];
}

/* Sets all bits of a lane whose number is one of first .. first + count - 1, else none;
 * count is at least 1. */
static inline lanes lanes_within(lanes a, uint16_t first, uint16_t count)
{
    const lanes from_first = a + lanes_all((uint16_t)-first);
    return lanes_equal(lanes_less(from_first, lanes_all((uint16_t)(count - 1))), lanes_all(0));
}

#endif
