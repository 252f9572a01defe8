/*
 * Loops over whole sets of cells, four words at a time. Compiled once for any processor and
 * once for those with AVX2 (sites_base.c, sites_avx2.c, which name SITE_KERNELS); whole numbers
 * only, so that both give the same.
 */
#include "gen/masks.h"
#include "gen/sites_impl.h"

typedef uint64_t v4u __attribute__((vector_size(32)));
typedef uint64_t loose_v4u __attribute__((vector_size(32), aligned(8), may_alias));

#define LOOSE(p)     (*(const loose_v4u *)(p))
#define LOOSE_OUT(p) (*(loose_v4u *)(p))

enum { LANES = 4 };

static bool and_shifted(uint64_t *restrict out, const uint64_t *restrict source, int32_t first,
                        int32_t last, int32_t shift)
{
    const uint64_t *restrict from = source + (shift >> 6);
    const uint32_t low = (uint32_t)shift & 63, high = 64 - low;
    v4u any = {0};
    uint64_t rest = 0;
    int32_t i = first;
    if (low == 0) {
        for (; i <= last - (LANES - 1); i += LANES)
            any |= LOOSE_OUT(out + i) = LOOSE(out + i) & LOOSE(from + i);
        for (; i <= last; i++)
            rest |= out[i] &= from[i];
    } else {
        for (; i <= last - (LANES - 1); i += LANES)
            any |= LOOSE_OUT(out + i) =
                LOOSE(out + i) & (LOOSE(from + i) >> low | LOOSE(from + i + 1) << high);
        for (; i <= last; i++)
            rest |= out[i] &= from[i] >> low | from[i + 1] << high;
    }
    return (any[0] | any[1] | any[2] | any[3] | rest) != 0;
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
        LOOSE_OUT(out + i) =
            LOOSE(source + i) & (LOOSE(from + i) >> low | LOOSE(from + i + 1) << high);
    for (; i <= last; i++)
        out[i] = source[i] & (from[i] >> low | from[i + 1] << high);
}

/* Pairs, nibbles, bytes: a word's bits as counts in its bytes. */
#define BITS_BY_BYTE(v)                                                                        \
    do {                                                                                       \
        (v) -= (v) >> 1 & UINT64_C(0x5555555555555555);                                        \
        (v) = ((v)&UINT64_C(0x3333333333333333)) + ((v) >> 2 & UINT64_C(0x3333333333333333));  \
        (v) = ((v) + ((v) >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);                               \
    } while (0)

/* Bytes are added up for as long as they can't overflow. */
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
        v4u bytes = {0};
        for (int32_t i = at; i < at + COUNT_RUN; i += LANES) {
            v4u v = LOOSE(words + i);
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
        v4u bytes = {0};
        for (int32_t i = at; i < at + COUNT_RUN; i += LANES) {
            v4u v = LOOSE(a + i) & LOOSE(b + i);
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

static void join(uint64_t *restrict out, const uint64_t *restrict other)
{
    for (int32_t i = 0; i < SITE_CELLS; i += LANES)
        LOOSE_OUT(out + i) = LOOSE(out + i) | LOOSE(other + i);
}

static void look_up(uint64_t out[SITE_GROUP], const ptl_oter *cells, const uint16_t *masks)
{
    uint16_t found[MASK_CELLS];
    for (int i = 0; i < MASK_CELLS; i++)
        found[i] = masks[cells[i]];
    mask_columns(out, found);
}

static void look_up_few(uint16_t out[SITE_GROUP], const ptl_oter *cells, const uint16_t *masks)
{
    uint16_t found[SITE_PART];
    for (int i = 0; i < SITE_PART; i++)
        found[i] = masks[cells[i]];
    mask_few(out, found);
}

const site_kernels SITE_KERNELS = {.and_shifted = and_shifted,
                                   .narrow = narrow,
                                   .count = count,
                                   .meet = meet,
                                   .join = join,
                                   .look_up = look_up,
                                   .look_up_few = look_up_few};
