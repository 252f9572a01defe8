/*
 * Bits of a level as flat rows of three words. A shift by whole cells is one shift of the whole
 * array (sites_kernels.h): what it carries from one row into the next lies beyond x = 179,
 * where callers mask it, or is and-ed with 0.
 */
#include "gen/sites/sites_impl.h"

#include "core/cpu.h"

const site_kernels *site_kernels_best(void)
{
    const site_kernels *best = CPU_IF(CPU_AVX2, &site_kernels_avx2, &site_kernels_base);
    return CPU_IF(CPU_AVX512_F_VBMI2_VPOPCNTDQ, &site_kernels_avx512, best);
}

void bits_span(uint64_t out[SITE_WORDS], int32_t x0, int32_t x1)
{
    for (int32_t w = 0; w < SITE_WORDS; w++) {
        const int32_t first = x0 - 64 * w, last = x1 - 64 * w;
        out[w] = 0;
        if (first > 63 || last < 0 || first > last)
            continue;
        out[w] = ~UINT64_C(0) << (first > 0 ? first : 0);
        if (last < 63)
            out[w] &= (UINT64_C(1) << (last + 1)) - 1;
    }
}

int32_t site_count(const site_bits *bits)
{
    return site_kernels_best()->count(bits->words);
}

int32_t site_meet(site_bits *out, const site_bits *a, const site_bits *b)
{
    return site_kernels_best()->meet(out->words, a->words, b->words);
}

int32_t site_and(site_bits *bits, const site_bits *other)
{
    return site_meet(bits, bits, other);
}

void bits_of_rows(uint64_t *out, const uint64_t *words, int32_t x, int32_t y, int32_t count)
{
    if (x <= -64 || x >= SIZE || y >= SIZE || y + count <= 0) {
        for (int32_t k = 0; k < count; k++)
            out[k] = 0;
        return;
    }
    const int32_t first = y < 0 ? -y : 0,
                  end = SIZE - y < count ? SIZE - y : count; /* inside */
    const int32_t at = x < 0 ? 0 : x / 64, low = x < 0 ? 0 : x % 64;
    const uint64_t *row = &words[(y + first) * SITE_WORDS + at];
    int32_t k = 0;
    for (; k < first; k++)
        out[k] = 0;
    if (x < 0)
        for (; k < end; k++, row += SITE_WORDS)
            out[k] = row[0] << -x;
    else if (low == 0 || at + 1 == SITE_WORDS)
        for (; k < end; k++, row += SITE_WORDS)
            out[k] = row[0] >> low;
    else
        for (; k < end; k++, row += SITE_WORDS)
            out[k] = row[0] >> low | row[1] << (64 - low);
    for (; k < count; k++)
        out[k] = 0;
}
