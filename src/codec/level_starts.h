/*
 * Finds where runs start: bit k of the result says that cells[k], one of 64 cells, differs
 * from the previous cell. This is done for every cell of every stored level. So, besides the
 * version in plain C, there is a faster one with AVX2 instructions. Both give the same bits,
 * and tests compare them.
 */
#pragma once

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

/* Compares each of sixteen cells with the previous cell: -1 where the two are equal. */
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
        /* This instruction gives the first eight cells of `low`, the first eight of `high`, the
         * last eight of `low`, and the last eight of `high`. The next line puts them in
         * order. */
        const __m256i mixed = _mm256_packs_epi16(low, high);
        const int bits = _mm256_movemask_epi8(_mm256_permute4x64_epi64(mixed, 0xd8));
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
