/* The loops over whole sets, for any processor and for this one, against their definitions. */
#include "unit/gen/sites/test_sites.h"

#include "gen/sites/sites_impl.h"

#include <string.h>

enum { KERNELS = 3 };

/* For any processor; the one that this one takes; and the one in between, where there is one.
 */
static const site_kernels *kernels_of(int i)
{
    const site_kernels *best = site_kernels_best();
    if (i == 2 && best == &site_kernels_avx512)
        return &site_kernels_avx2;
    return i == 0 ? &site_kernels_base : best;
}

static void random_words(node_bits *out, rng *r, int ands)
{
    memset(out, 0, sizeof *out);
    for (int32_t i = 0; i < SITE_CELLS; i++) {
        out->words[i] = rng_next(r);
        for (int k = 0; k < ands; k++)
            out->words[i] &= rng_next(r);
    }
}

static bool bit_at(const node_bits *bits, int32_t i)
{
    return i < 64 * NODE_WORDS && bits->words[i / 64] >> (i % 64) & 1;
}

/* The shifts that terms and nodes have: by rows, and to both sides of them. */
static int32_t random_shift(rng *r)
{
    const int32_t across = rng_one_in(r, 4) ? 0 : rng_range(r, -20, 70);
    const int32_t shift = rng_range(r, 0, 12) * SITE_WORDS * 64 + across;
    return shift < 0 ? -shift : shift;
}

/* A cell of a meeting, by its definition. */
static bool meets(const site_meeting *m, int32_t i)
{
    bool is = m->span[i / 64 % SITE_WORDS] >> i % 64 & 1;
    for (int32_t k = 0; k < m->count; k++)
        is = is &&
             m->sets[k].words[(i + m->sets[k].shift) / 64] >> (i + m->sets[k].shift) % 64 & 1;
    return is;
}

/* Any number of sets, rows and shifts; out may be the first set. */
START_TEST(shifted_sets)
{
    enum { SETS = 5 };
    const site_kernels *k = kernels_of(_i % KERNELS);
    rng r = rng_from_key(hash_add(61, (uint64_t)_i));
    static node_bits sources[SETS], out, joined, before;
    site_shifted sets[SETS];
    int wrong = 0;
    for (int round = 0; round < 12; round++) {
        site_meeting m = {.sets = sets, .count = rng_range(&r, 0, SETS)};
        int32_t most = SIZE - 2;
        for (int i = 0; i < SETS; i++) {
            random_words(&sources[i], &r, 0);
            for (int w = 0; w < SITE_CELLS && round % 2; w++) {
                sources[i].words[w] |= rng_next(&r);
                sources[i].words[w] |= rng_next(&r);
            }
            sets[i] = (site_shifted){sources[i].words, i == 0 ? 0 : random_shift(&r)};
            most = rng_range(&r, 0, 3) ? most : SIZE - 2;
            most =
                SIZE - 2 - sets[i].shift / 192 < most ? SIZE - 2 - sets[i].shift / 192 : most;
        }
        m.first = rng_range(&r, 0, 60);
        m.last = rng_range(&r, m.first - 1, most);
        bits_span(m.span, rng_range(&r, 0, 20), rng_range(&r, 60, 179));
        random_words(&before, &r, 0);
        out = joined = before;
        k->meet_shifted(round % 3 ? out.words : NULL, round % 4 ? joined.words : NULL, &m);
        for (int32_t i = 0; i < 64 * SITE_CELLS; i++) {
            const bool within = i / 192 >= m.first && i / 192 <= m.last;
            const bool is = within && meets(&m, i), was = bit_at(&before, i);
            wrong += bit_at(&out, i) != (within && round % 3 ? is : was);
            wrong += bit_at(&joined, i) != (was || (is && round % 4));
        }
        before = sources[0];
        out = sources[0];
        sets[0].words = out.words;
        k->meet_shifted(out.words, NULL, &m);
        sets[0].words = before.words;
        for (int32_t i = 192 * m.first; i < 192 * (m.last + 1); i++)
            wrong += bit_at(&out, i) != meets(&m, i);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

START_TEST(narrowed_sets)
{
    const site_kernels *k = kernels_of(_i % KERNELS);
    rng r = rng_from_key(hash_add(64, (uint64_t)_i));
    node_bits source, out;
    int wrong = 0;
    for (int round = 0; round < 12; round++) {
        const int32_t shift = random_shift(&r), most = SITE_CELLS - 2 - shift / 64;
        random_words(&source, &r, round % 3);
        k->narrow(out.words, source.words, most, shift);
        for (int32_t i = 0; i < 64 * (most + 1); i++)
            wrong += bit_at(&out, i) != (bit_at(&source, i) && bit_at(&source, i + shift));
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

static int32_t plain_count(const uint64_t *words)
{
    int32_t count = 0;
    for (int32_t i = 0; i < 64 * SITE_CELLS; i++)
        count += (int32_t)(words[i / 64] >> i % 64 & 1);
    return count;
}

START_TEST(counted_and_joined)
{
    const site_kernels *k = kernels_of(_i % KERNELS);
    rng r = rng_from_key(hash_add(62, (uint64_t)_i));
    node_bits a, b, out;
    int wrong = 0;
    for (int round = 0; round < 4; round++) {
        random_words(&a, &r, round);
        random_words(&b, &r, 0);
        wrong += k->count(a.words) != plain_count(a.words);
        const int32_t met = k->meet(out.words, a.words, b.words);
        for (int32_t i = 0; i < SITE_CELLS; i++)
            wrong += out.words[i] != (a.words[i] & b.words[i]);
        wrong += met != plain_count(out.words);
        out = a;
        wrong += k->meet(out.words, out.words, b.words) != met;
    }
    memset(&a, 0xff, sizeof a); /* no counter overflows */
    ck_assert_int_eq(k->count(a.words), 64 * SITE_CELLS);
    ck_assert_int_eq(wrong, 0);
}
END_TEST

START_TEST(looked_up)
{
    enum { OTERS = 300 };
    const site_kernels *k = kernels_of(_i);
    rng r = rng_from_key(63);
    uint16_t masks[OTERS];
    ptl_oter cells[64];
    uint64_t words[SITE_GROUP];
    int wrong = 0;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < OTERS; i++)
            masks[i] = (uint16_t)rng_next(&r);
        for (int i = 0; i < 64; i++)
            cells[i] = (ptl_oter)rng_below(&r, OTERS);
        k->look_up(words, cells, masks);
        for (int i = 0; i < 64 * SITE_GROUP; i++)
            wrong += (words[i % SITE_GROUP] >> i / SITE_GROUP & 1) !=
                     (masks[cells[i / SITE_GROUP]] >> i % SITE_GROUP & 1);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

TCase *sites_kernels_case(void)
{
    TCase *tc = tcase_create("kernels");
    tcase_add_loop_test(tc, shifted_sets, 0, 6);
    tcase_add_loop_test(tc, narrowed_sets, 0, KERNELS);
    tcase_add_loop_test(tc, counted_and_joined, 0, KERNELS);
    tcase_add_loop_test(tc, looked_up, 0, KERNELS);
    return tc;
}
