/*
 * Loops over whole sets of cells, four or eight words at a time. They are compiled three times:
 * for any processor, for processors with AVX2, and for processors whose AVX-512 has the
 * instructions VPOPCNTDQ and VBMI2 (sites_base.c, sites_avx2.c, sites_avx512.c, which define
 * SITE_KERNELS). They use whole numbers only, so that all three give the same results.
 */
#include "core/masks.h"
#include "gen/sites/sites_impl.h"

#if defined(__AVX512VBMI2__) && defined(__AVX512VPOPCNTDQ__) && !defined(PORTOLAN_PLAIN_LANES)
#define SITES_WIDE 1
enum { LANES = 8 };
#else
#define SITES_WIDE 0
enum { LANES = 4 };
#endif

/* Sets of cells are computed in blocks of six vectors, each of LANES words; BLOCK is the number
 * of words in a block. A row of cells has three words, so a pattern for one row repeats after
 * PERIOD words, which are three vectors. */
enum { BLOCK = 6 * LANES, PERIOD = 3 * LANES };

typedef uint64_t words_in_one __attribute__((vector_size(LANES * 8)));
typedef uint64_t loose_words __attribute__((vector_size(LANES * 8), aligned(8), may_alias));

#define LOOSE(p)     (*(const loose_words *)(p))
#define LOOSE_OUT(p) (*(loose_words *)(p))

/* These macros shift sets of cells, whose bits lie in words of 64 bits. SHIFTED(from) reads a
 * vector of words from the bit with the number `low` (1..63) of the word at `from` on.
 * MEET_SHIFTED(v, at) reads it from that bit of the word at from + at on, and intersects it
 * with the vector v. These are macros, because functions that return vectors have different
 * calling conventions on different processors. The six vectors of a block stay in registers
 * while sets are intersected with them. With SITES_WIDE each vector is read only once, and is
 * used twice: for itself, and as the words that follow the previous vector. */
#if SITES_WIDE
#define SHIFT_JOIN(words, behind)                                                              \
    (words_in_one) _mm512_shrdv_epi64(words, behind, _mm512_set1_epi64((int64_t)low))
#define SHIFTED(from)     SHIFT_JOIN((__m512i)LOOSE(from), (__m512i)LOOSE((from) + 1))
#define SHIFT_BEGIN(from) __m512i here = (__m512i)LOOSE(from), next;
#define MEET_SHIFTED(v, at)                                                                    \
    next = (__m512i)LOOSE(from + (at) + LANES);                                                \
    (v) &= SHIFT_JOIN(here, _mm512_alignr_epi64(next, here, 1));                               \
    here = next;
#else
#define SHIFTED(from) (LOOSE(from) >> low | LOOSE((from) + 1) << (64 - low))
#define SHIFT_BEGIN(from)
#define MEET_SHIFTED(v, at) v &= SHIFTED(from + (at));
#endif
#define MEET_STRAIGHT(v, at) v &= LOOSE(from + (at));
#define PUT_OUT(v, at)       LOOSE_OUT(out + (at)) = v;
#define PUT_UNITED(v, at)    LOOSE_OUT(united + (at)) = LOOSE(united + (at)) | (v);
#define SIX(DO)                                                                                \
    DO(v0, 0)                                                                                  \
    DO(v1, LANES) DO(v2, 2 * LANES) DO(v3, 3 * LANES) DO(v4, 4 * LANES) DO(v5, 5 * LANES)

/* Computes one block of 64-bit words of the intersection of the sets in m, where each set is
 * shifted as its site_shifted says. The block begins with word `at`, which must be the first
 * word of a row. */
static void meet_block(uint64_t *out, uint64_t *united, const site_meeting *m,
                       const uint64_t pattern[PERIOD], int32_t at)
{
    words_in_one v0 = LOOSE(pattern), v1 = LOOSE(pattern + LANES);
    words_in_one v2 = LOOSE(pattern + 2 * LANES), v3 = v0, v4 = v1, v5 = v2;
    for (int32_t k = 0; k < m->count; k++) {
        const site_shifted *set = &m->sets[k];
        const uint64_t *from = set->words + (at + (set->shift >> 6));
        const uint32_t low = (uint32_t)set->shift & 63;
        if (low == 0) {
            SIX(MEET_STRAIGHT)
        } else {
            SHIFT_BEGIN(from)
            SIX(MEET_SHIFTED)
        }
    }
    if (out) {
        out += at;
        SIX(PUT_OUT)
    }
    if (united) {
        united += at;
        SIX(PUT_UNITED)
    }
}

static uint64_t meet_word(const site_meeting *m, int32_t at)
{
    uint64_t v = m->span[at % SITE_WORDS];
    for (int32_t k = 0; k < m->count; k++) {
        const site_shifted *set = &m->sets[k];
        const uint64_t *from = set->words + (at + (set->shift >> 6));
        const uint32_t low = (uint32_t)set->shift & 63;
        v &= low == 0 ? *from : *from >> low | from[1] << (64 - low);
    }
    return v;
}

/* The last block of words may overlap the block before it. Words that are in both are computed
 * twice, with the same result. */
static void meet_shifted(uint64_t *out, uint64_t *united, const site_meeting *m)
{
    const int32_t first = m->first * SITE_WORDS, end = (m->last + 1) * SITE_WORDS;
    int32_t at = first;
    uint64_t pattern[PERIOD];
    for (int i = 0; i < PERIOD; i++)
        pattern[i] = m->span[i % SITE_WORDS];
    for (; at <= end - BLOCK; at += BLOCK)
        meet_block(out, united, m, pattern, at);
    if (at > first && at < end) {
        meet_block(out, united, m, pattern, end - BLOCK);
        return;
    }
    for (; at < end; at++) {
        const uint64_t v = meet_word(m, at);
        if (out)
            out[at] = v;
        if (united)
            united[at] |= v;
    }
}

static void narrow(uint64_t *restrict out, const uint64_t *restrict source, int32_t last,
                   int32_t shift)
{
    const uint64_t *restrict from = source + (shift >> 6);
    const uint32_t low = (uint32_t)shift & 63, high = 64 - low;
    int32_t i = 0;
    if (low == 0) {
        for (; i <= last - (LANES - 1); i += LANES)
            LOOSE_OUT(out + i) = LOOSE(source + i) & LOOSE(from + i);
        for (; i <= last; i++)
            out[i] = source[i] & from[i];
        return;
    }
    for (; i <= last - (LANES - 1); i += LANES)
        LOOSE_OUT(out + i) = LOOSE(source + i) & SHIFTED(from + i);
    for (; i <= last; i++)
        out[i] = source[i] & (from[i] >> low | from[i + 1] << high);
}

#if SITES_WIDE

/* Returns a vector with the set's words from index i on; words beyond the end of the set count
 * as 0. */
static inline __m512i words_from(const uint64_t *words, int32_t i)
{
    const int32_t left = SITE_CELLS - i;
    return _mm512_maskz_loadu_epi64((__mmask8)(left < LANES ? (1 << left) - 1 : 0xff),
                                    words + i);
}

static int32_t count(const uint64_t *words)
{
    __m512i total = _mm512_setzero_si512();
    for (int32_t i = 0; i < SITE_CELLS; i += LANES)
        total = _mm512_add_epi64(total, _mm512_popcnt_epi64(words_from(words, i)));
    return (int32_t)_mm512_reduce_add_epi64(total);
}

static int32_t meet(uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    __m512i total = _mm512_setzero_si512();
    for (int32_t i = 0; i < SITE_CELLS; i += LANES) {
        const int32_t left = SITE_CELLS - i;
        const __m512i v = _mm512_and_si512(words_from(a, i), words_from(b, i));
        _mm512_mask_storeu_epi64(out + i, (__mmask8)(left < LANES ? (1 << left) - 1 : 0xff), v);
        total = _mm512_add_epi64(total, _mm512_popcnt_epi64(v));
    }
    return (int32_t)_mm512_reduce_add_epi64(total);
}

#else

/* Counts the set bits of each byte of the words. With AVX2 it looks up the count of each half
 * byte in a table; otherwise it adds up single bits, then pairs of bits, then half bytes. */
#if defined(__AVX2__) && !defined(PORTOLAN_PLAIN_LANES)
static inline words_in_one bits_by_byte(words_in_one v)
{
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0,
                                            1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(15);
    const __m256i low = _mm256_and_si256((__m256i)v, half);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16((__m256i)v, 4), half);
    return (words_in_one)_mm256_add_epi8(_mm256_shuffle_epi8(counts, low),
                                         _mm256_shuffle_epi8(counts, high));
}
#define BITS_BY_BYTE(v) (v) = bits_by_byte(v)
#else
#define BITS_BY_BYTE(v)                                                                        \
    do {                                                                                       \
        (v) -= (v) >> 1 & UINT64_C(0x5555555555555555);                                        \
        (v) = ((v)&UINT64_C(0x3333333333333333)) + ((v) >> 2 & UINT64_C(0x3333333333333333));  \
        (v) = ((v) + ((v) >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);                               \
    } while (0)
#endif

/* The number of words whose set bits are counted at one go. The counts are added up in bytes,
 * and the sum of 27 counts of at most 8 fits into a byte. */
enum { COUNT_RUN = 27 * LANES };

static int32_t sum_bytes(const uint64_t bytes[LANES])
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t shorts = 0;
    for (int i = 0; i < LANES; i++)
        shorts += (bytes[i] & even) + (bytes[i] >> 8 & even);
    return (int32_t)(shorts * UINT64_C(0x0001000100010001) >> 48);
}

static int32_t count(const uint64_t *words)
{
    int32_t total = 0;
    for (int32_t at = 0; at < SITE_CELLS; at += COUNT_RUN) {
        words_in_one bytes = {0};
        for (int32_t i = at; i < at + COUNT_RUN; i += LANES) {
            words_in_one v = LOOSE(words + i);
            BITS_BY_BYTE(v);
            bytes += v;
        }
        uint64_t lanes[LANES];
        LOOSE_OUT(lanes) = bytes;
        total += sum_bytes(lanes);
    }
    return total;
}

static int32_t meet(uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    int32_t total = 0;
    for (int32_t at = 0; at < SITE_CELLS; at += COUNT_RUN) {
        words_in_one bytes = {0};
        for (int32_t i = at; i < at + COUNT_RUN; i += LANES) {
            words_in_one v = LOOSE(a + i) & LOOSE(b + i);
            LOOSE_OUT(out + i) = v;
            BITS_BY_BYTE(v);
            bytes += v;
        }
        uint64_t lanes[LANES];
        LOOSE_OUT(lanes) = bytes;
        total += sum_bytes(lanes);
    }
    return total;
}

#endif

static void look_up(uint64_t out[SITE_GROUP], const ptl_oter *cells, const uint16_t *masks)
{
    uint16_t found[MASK_CELLS];
    for (int i = 0; i < MASK_CELLS; i++)
        found[i] = masks[cells[i]];
    mask_columns(out, found);
}

const site_kernels SITE_KERNELS = {.meet_shifted = meet_shifted,
                                   .narrow = narrow,
                                   .count = count,
                                   .meet = meet,
                                   .look_up = look_up};
