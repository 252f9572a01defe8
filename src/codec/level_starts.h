/*
 * Which of 64 cells differ from the cell before them: bit k for cells[k]. This looks at every
 * cell of every level that is stored, so there is a way with SSE2, which all x86-64 machines
 * have, and one with AVX2; the plain one gives the same bits, and is there to be compared.
 */
#ifndef CODEC_LEVEL_STARTS_H
#define CODEC_LEVEL_STARTS_H

#include "portolan/types.h"

enum { STARTS_AT_ONCE = 64 };

static inline uint64_t level_starts_plain(const ptl_oter *cells)
{
    uint64_t starts = 0;
    for (int k = 0; k < STARTS_AT_ONCE; k++)
        starts |= (uint64_t)(cells[k] != cells[k - 1]) << k;
    return starts;
}

#if defined(__AVX2__)
#include <immintrin.h>

/* Compares sixteen cells: -1 where one is equal to the cell before it. */
static inline __m256i level_same_16(const ptl_oter *cells)
{
    const __m256i one = _mm256_loadu_si256((const __m256i *)(const void *)cells);
    const __m256i before = _mm256_loadu_si256((const __m256i *)(const void *)(cells - 1));
    return _mm256_cmpeq_epi16(one, before);
}

static inline uint64_t level_starts(const ptl_oter *cells)
{
    uint64_t same = 0;
    for (int k = 0; k < STARTS_AT_ONCE; k += 32) {
        const __m256i low = level_same_16(cells + k), high = level_same_16(cells + k + 16);
        const __m256i mixed = _mm256_packs_epi16(low, high); /* of low, high, low, high eight */
        const int bits = _mm256_movemask_epi8(_mm256_permute4x64_epi64(mixed, 0xd8));
        same |= (uint64_t)(uint32_t)bits << k;
    }
    return ~same;
}
#elif defined(__SSE2__)
#include <emmintrin.h>

/* Compares eight cells: -1 where one is equal to the cell before it. */
static inline __m128i level_same_8(const ptl_oter *cells)
{
    const __m128i one = _mm_loadu_si128((const __m128i *)(const void *)cells);
    const __m128i before = _mm_loadu_si128((const __m128i *)(const void *)(cells - 1));
    return _mm_cmpeq_epi16(one, before);
}

static inline uint64_t level_starts(const ptl_oter *cells)
{
    uint64_t same = 0;
    for (int k = 0; k < STARTS_AT_ONCE; k += 16) {
        const __m128i low = level_same_8(cells + k), high = level_same_8(cells + k + 8);
        const int bits = _mm_movemask_epi8(_mm_packs_epi16(low, high));
        same |= (uint64_t)(uint32_t)bits << k;
    }
    return ~same;
}
#else
static inline uint64_t level_starts(const ptl_oter *cells)
{
    return level_starts_plain(cells);
}
#endif

#endif
