/*
 * Makes words of bits from arrays of numbers: bit i of a word tells something of from[i],
 * number i of the array, for example whether it has a certain value. It is done by AVX2 where
 * this file is compiled for AVX2, by SSE2 on every other x86-64 processor, elsewhere by loops.
 * These are whole numbers only, so all three give the same results.
 */
#pragma once

#include <stdint.h>

enum { MASK_CELLS = 64 };

#if defined(__AVX2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <immintrin.h>

static inline __m256i mask_load(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline uint64_t mask_whole(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
                                                     << 32;
}

/* Returns sixteen bits: bit i is 1 if from[i] is equal to `value`. */
static inline uint32_t mask_equal(const int16_t *from, int16_t value)
{
    const __m256i equal = _mm256_cmpeq_epi16(mask_load(from), _mm256_set1_epi16(value));
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm256_castsi256_si128(equal), _mm256_extracti128_si256(equal, 1)));
}

static inline void mask_columns_of(uint64_t out[8], __m256i low, __m256i high)
{
    low = _mm256_permute4x64_epi64(low, 0xd8);
    high = _mm256_permute4x64_epi64(high, 0xd8);
    for (int k = 7; k >= 0; k--) {
        out[k] = mask_whole(low, high);
        low = _mm256_add_epi8(low, low);
        high = _mm256_add_epi8(high, high);
    }
}

/* Transposes MASK_CELLS numbers as a matrix of bits: bit i of out[k] becomes bit k of
 * from[i]. */
static inline void mask_columns(uint64_t out[16], const uint16_t *from)
{
    const __m256i byte = _mm256_set1_epi16(0xff);
    const __m256i a = mask_load(from), b = mask_load(from + 16);
    const __m256i c = mask_load(from + 32), d = mask_load(from + 48);
    mask_columns_of(out,
                    _mm256_packus_epi16(_mm256_and_si256(a, byte), _mm256_and_si256(b, byte)),
                    _mm256_packus_epi16(_mm256_and_si256(c, byte), _mm256_and_si256(d, byte)));
    mask_columns_of(out + 8,
                    _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8)),
                    _mm256_packus_epi16(_mm256_srli_epi16(c, 8), _mm256_srli_epi16(d, 8)));
}

#elif defined(__SSE2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <emmintrin.h>

static inline __m128i mask_load(const void *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

/* Returns sixteen bits: bit i is 1 if from[i] is equal to `value`. */
static inline uint32_t mask_equal(const int16_t *from, int16_t value)
{
    const __m128i wanted = _mm_set1_epi16(value);
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_cmpeq_epi16(mask_load(from), wanted),
                        _mm_cmpeq_epi16(mask_load(from + 8), wanted)));
}

/* Transposes sixteen numbers as a matrix of bits: bit i of out[k] becomes bit k of from[i]. */
static inline void mask_few(uint16_t out[16], const uint16_t *from)
{
    const __m128i byte = _mm_set1_epi16(0xff), a = mask_load(from), b = mask_load(from + 8);
    __m128i low = _mm_packus_epi16(_mm_and_si128(a, byte), _mm_and_si128(b, byte));
    __m128i high = _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
    for (int k = 7; k >= 0; k--) {
        out[k] = (uint16_t)_mm_movemask_epi8(low);
        out[8 + k] = (uint16_t)_mm_movemask_epi8(high);
        low = _mm_add_epi8(low, low);
        high = _mm_add_epi8(high, high);
    }
}

/* Transposes MASK_CELLS numbers as a matrix of bits: bit i of out[k] becomes bit k of
 * from[i]. */
static inline void mask_columns(uint64_t out[16], const uint16_t *from)
{
    uint16_t few[16];
    for (int k = 0; k < 16; k++)
        out[k] = 0;
    for (int i = 0; i < MASK_CELLS; i += 16) {
        mask_few(few, from + i);
        for (int k = 0; k < 16; k++)
            out[k] |= (uint64_t)few[k] << i;
    }
}

#else

/* Returns sixteen bits: bit i is 1 if from[i] is equal to `value`. */
static inline uint32_t mask_equal(const int16_t *from, int16_t value)
{
    uint32_t mask = 0;
    for (int i = 0; i < 16; i++)
        mask |= (uint32_t)(from[i] == value) << i;
    return mask;
}

/* Transposes MASK_CELLS numbers as a matrix of bits: bit i of out[k] becomes bit k of
 * from[i]. */
static inline void mask_columns(uint64_t out[16], const uint16_t *from)
{
    for (int k = 0; k < 16; k++)
        out[k] = 0;
    for (int i = 0; i < MASK_CELLS; i++)
        for (int k = 0; k < 16; k++)
            out[k] |= (uint64_t)(from[i] >> k & 1) << i;
}

#endif
