/*
 * The loops over a level's cells and runs that vector instructions make faster. This file is
 * compiled twice, for any processor and for those with AVX2 (level_kernels_base.c and
 * level_kernels_avx2.c, which define LEVEL_KERNELS). Both versions give the same results.
 */
#ifndef CODEC_LEVEL_KERNELS_H
#define CODEC_LEVEL_KERNELS_H

#include "codec/level_runs.h"

enum { LEVEL_VARINTS_PAD = 4 };

typedef struct level_kernels {
    /* The function level_runs_scan (level_runs.h). */
    void (*scan)(level_runs *r, const ptl_oter cells[PTL_LEVEL_CELLS]);
    /* Writes numbers as varints (level_put_varint). Returns a pointer to the byte after the
     * last one. There must be room for `count` varints of three bytes and LEVEL_VARINTS_PAD
     * more bytes, all of which may be overwritten. */
    uint8_t *(*put_varints)(uint8_t *at, const uint16_t *numbers, size_t count);
} level_kernels;

extern const level_kernels level_kernels_base;
/* In a build without AVX2 these are the functions of level_kernels_base. */
extern const level_kernels level_kernels_avx2;
/* Returns the set of functions that is the fastest on this processor. */
const level_kernels *level_kernels_best(void);

#endif

#ifdef LEVEL_KERNELS

#include "codec/level_starts.h"

/* ---- runs ---- */

/* The state of scanning a level for runs. `run` is the run that has begun last; its length is
 * set when the next run begins. */
typedef struct run_scan {
    level_runs *r;
    level_run *run;
    size_t entries, start;
} run_scan;

/* Begins a run of equal cells. The processor can't predict whether the run's oter must be added
 * to the palette (the level's list of oters), so there is no branch on that. */
static inline void begin_run(run_scan *s, ptl_oter oter, size_t start)
{
    uint16_t *index = &s->r->index_of[oter];
    const uint32_t known = *index, fresh = known == 0;
    s->r->palette[s->entries] = oter;
    s->entries += fresh;
    const uint32_t entry = known | ((0u - fresh) & (uint32_t)s->entries);
    *index = (uint16_t)entry;
    s->run->length = (uint16_t)(start - s->start);
    s->run++;
    s->run->symbol = (uint16_t)(entry - 1);
    s->start = start;
}

/* Finds the runs of a level. In built-up levels the processor can't predict where runs end, so
 * only one branch for each 64 cells and one for each run depend on that. */
static void scan(level_runs *r, const ptl_oter cells[PTL_LEVEL_CELLS])
{
    run_scan s = {.r = r, .run = r->runs, .entries = 1};
    size_t i = 1;
    r->index_of[cells[0]] = 1;
    r->palette[0] = cells[0];
    r->runs[0].symbol = 0;
    for (; i + STARTS_AT_ONCE <= PTL_LEVEL_CELLS; i += STARTS_AT_ONCE)
        for (uint64_t starts = level_starts(cells + i); starts; starts &= starts - 1) {
            const size_t start = i + (unsigned)__builtin_ctzll(starts);
            begin_run(&s, cells[start], start);
        }
    for (; i < PTL_LEVEL_CELLS; i++)
        if (cells[i] != cells[i - 1])
            begin_run(&s, cells[i], i);
    s.run->length = (uint16_t)(PTL_LEVEL_CELLS - s.start);
    r->palette_count = s.entries;
    r->run_count = (size_t)(s.run - r->runs) + 1;
    for (i = 0; i < s.entries; i++)
        r->index_of[r->palette[i]] = 0;
}

/* ---- varints ---- */

#ifdef __AVX2__

/* How four varints, in two bytes each, are packed. A row lists the places of the bytes that are
 * kept: the low bytes of all four varints, and the high byte of varint k if bit k of the row's
 * index is set. 255 means no byte. */
static const uint8_t FOUR_VARINTS[16][8] = {
    {0, 2, 4, 6, 255, 255, 255, 255}, {0, 1, 2, 4, 6, 255, 255, 255},
    {0, 2, 3, 4, 6, 255, 255, 255},   {0, 1, 2, 3, 4, 6, 255, 255},
    {0, 2, 4, 5, 6, 255, 255, 255},   {0, 1, 2, 4, 5, 6, 255, 255},
    {0, 2, 3, 4, 5, 6, 255, 255},     {0, 1, 2, 3, 4, 5, 6, 255},
    {0, 2, 4, 6, 7, 255, 255, 255},   {0, 1, 2, 4, 6, 7, 255, 255},
    {0, 2, 3, 4, 6, 7, 255, 255},     {0, 1, 2, 3, 4, 6, 7, 255},
    {0, 2, 4, 5, 6, 7, 255, 255},     {0, 1, 2, 4, 5, 6, 7, 255},
    {0, 2, 3, 4, 5, 6, 7, 255},       {0, 1, 2, 3, 4, 5, 6, 7},
};
static const uint8_t FOUR_SIZES[16] = {4, 5, 5, 6, 5, 6, 6, 7, 5, 6, 6, 7, 6, 7, 7, 8};

/* Writes four varints. Each of them takes two bytes in `spread`. Bit k of `longer` says that
 * varint k needs both bytes; of the others only the first byte is written. */
static inline uint8_t *put_four(uint8_t *at, __m128i spread, unsigned longer)
{
    const __m128i order = _mm_loadl_epi64((const __m128i *)(const void *)FOUR_VARINTS[longer]);
    _mm_storel_epi64((__m128i *)(void *)at, _mm_shuffle_epi8(spread, order));
    return at + FOUR_SIZES[longer];
}

/* Writes eight numbers below 2^14 as varints. */
static inline uint8_t *put_eight(uint8_t *at, __m128i numbers)
{
    const __m128i high = _mm_and_si128(numbers, _mm_set1_epi16(0x3f80));
    const __m128i longer = _mm_cmpgt_epi16(numbers, _mm_set1_epi16(0x7f));
    const __m128i spread =
        /* A varint's first byte has the low 7 bits of the number, which stay where they are.
         * The higher bits move up by one, into the second byte. */
        _mm_or_si128(_mm_add_epi16(numbers, high), _mm_and_si128(longer, _mm_set1_epi16(0x80)));
    const unsigned bits = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(longer, longer)) & 0xff;
    at = put_four(at, spread, bits & 15);
    return put_four(at, _mm_srli_si128(spread, 8), bits >> 4);
}

#endif

static uint8_t *put_varints(uint8_t *at, const uint16_t *numbers, size_t count)
{
    size_t i = 0;
#ifdef __AVX2__
    const __m128i large = _mm_set1_epi16((short)0xc000);
    for (; i + 8 <= count; i += 8) {
        const __m128i eight = _mm_loadu_si128((const __m128i *)(const void *)(numbers + i));
        if (_mm_testz_si128(eight, large))
            at = put_eight(at, eight);
        else
            for (size_t k = i; k < i + 8; k++)
                at = level_put_varint(at, numbers[k]);
    }
#endif
    for (; i < count; i++)
        at = level_put_varint(at, numbers[i]);
    return at;
}

const level_kernels LEVEL_KERNELS = {.scan = scan, .put_varints = put_varints};

#endif
