/*
 * Hashes and streams: fixed values (worlds depend on them on every machine), ranges, and
 * uniformity by chi-square. The inputs are fixed, so a passing test passes always; the limits
 * are those that a fair source passes with all but one chance in a million.
 */
#include "unit/core/test_core.h"

#include "core/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 from 0, as published; FNV-1a with that finaliser, computed by hand in Python. */
START_TEST(values_are_fixed)
{
    rng r = {0};
    ck_assert_uint_eq(rng_next(&r), UINT64_C(0xe220a8397b1dcdaf));
    ck_assert_uint_eq(rng_next(&r), UINT64_C(0x6e789e6aa1b965f4));
    ck_assert_uint_eq(rng_next(&r), UINT64_C(0x06c45d188009454f));
    ck_assert_uint_eq(rng_next(&r), UINT64_C(0xf88bb8a8724c81ec));
    ck_assert_uint_eq(hash_string(""), UINT64_C(0xc3817c016ba4ff30));
    ck_assert_uint_eq(hash_string("river"), UINT64_C(0x9dbd8d765ae0380a));
    ck_assert_uint_eq(hash_bytes("forest_thick", 12), UINT64_C(0x695f4551c7ea0c31));
    ck_assert_uint_eq(hash_add(1, 2), UINT64_C(0xe06dd043328bd285));
}
END_TEST

/* Chi-square of counts against equal shares; its mean is n - 1 and its variance 2(n - 1). */
static double chi_square(const unsigned *counts, size_t n, double draws)
{
    double expected = draws / (double)n, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double d = counts[i] - expected;
        sum += d * d / expected;
    }
    return sum;
}

/* The squared number of standard deviations that chi-square lies off its mean is below 25. */
static void assert_uniform(const unsigned *counts, size_t n, double draws)
{
    double freedom = (double)n - 1, off = chi_square(counts, n, draws) - freedom;
    ck_assert_msg(off * off < 25 * 2 * freedom,
                  "chi-square of %zu bins is %.1f, expected about %.0f", n, off + freedom,
                  freedom);
}

enum { BINS = 256, DRAWS = 1 << 18 };

/* Each byte of the hash of consecutive words, of consecutive keys' first draws, of strings that
 * differ in a digit, and of positions folded in one after the other. */
static uint64_t source(int kind, uint32_t i)
{
    char text[] = "house_0000000";
    switch (kind) {
    case 0:
        return hash_mix(i);
    case 1: {
        rng r = rng_from_key(i);
        return rng_next(&r);
    }
    case 2:
        for (size_t at = sizeof text - 2; i > 0; at--, i /= 10)
            text[at] = (char)('0' + i % 10);
        return hash_string(text);
    default: /* a grid of positions around the origin, 512 wide */
        return hash_add(hash_add(42, (uint64_t)((int64_t)(i % 512) - 256)),
                        (uint64_t)((int64_t)(i / 512) - 256));
    }
}

START_TEST(every_byte_is_uniform)
{
    static unsigned counts[8][BINS];
    memset(counts, 0, sizeof counts);
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint64_t v = source(_i, i);
        for (int k = 0; k < 8; k++)
            counts[k][v >> (8 * k) & 255]++;
    }
    for (int k = 0; k < 8; k++)
        assert_uniform(counts[k], BINS, DRAWS);
}
END_TEST

/* The top bits of neighbours, taken together: a seam in one source would show as a pattern. */
START_TEST(neighbours_are_independent)
{
    static unsigned counts[BINS];
    memset(counts, 0, sizeof counts);
    uint64_t last = source(_i, 0);
    for (uint32_t i = 1; i <= DRAWS; i++) {
        uint64_t v = source(_i, i);
        counts[(last >> 60) << 4 | v >> 60]++;
        last = v;
    }
    assert_uniform(counts, BINS, DRAWS);
}
END_TEST

/* Flipping one bit of the input flips each bit of the output half of the time. */
START_TEST(every_bit_spreads)
{
    enum { TRIALS = 4096 };
    for (unsigned in = 0; in < 64; in++) {
        unsigned flips[64] = {0};
        for (uint64_t i = 0; i < TRIALS; i++) {
            uint64_t word = hash_mix(i);
            uint64_t changed = hash_add(7, word) ^ hash_add(7, word ^ UINT64_C(1) << in);
            for (unsigned out = 0; out < 64; out++)
                flips[out] += changed >> out & 1;
        }
        for (unsigned out = 0; out < 64; out++) /* 6 standard deviations of 32 */
            ck_assert_msg(abs((int)flips[out] - TRIALS / 2) < 6 * 32, "bit %u to bit %u: %u",
                          in, out, flips[out]);
    }
}
END_TEST

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

START_TEST(no_collisions_among_positions)
{
    uint64_t *keys = malloc(DRAWS * sizeof *keys);
    ck_assert_ptr_nonnull(keys);
    for (uint32_t i = 0; i < DRAWS; i++)
        keys[i] = source(_i, i);
    qsort(keys, DRAWS, sizeof *keys, compare_words);
    int equal = 0;
    for (uint32_t i = 1; i < DRAWS; i++)
        equal += keys[i - 1] == keys[i];
    ck_assert_int_eq(equal, 0);
    free(keys);
}
END_TEST

/* Sizes of one, small primes, beyond a power of two, and the largest that is allowed. */
START_TEST(below_is_uniform_and_in_range)
{
    static const uint64_t sizes[] = {1, 2, 3, 7, 10, 180, 257, 1000};
    static unsigned counts[1000];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        memset(counts, 0, sizeof counts);
        rng r = rng_from_key(hash_add(99, sizes[s]));
        int outside = 0;
        for (int i = 0; i < DRAWS; i++) {
            uint32_t v = rng_below(&r, sizes[s]);
            if (v < sizes[s])
                counts[v]++;
            else
                outside++;
        }
        ck_assert_int_eq(outside, 0);
        if (sizes[s] > 1)
            assert_uniform(counts, sizes[s], DRAWS);
    }
    rng r = rng_from_key(5);
    uint32_t seen = 0;
    for (int i = 0; i < 4096; i++)
        seen |= rng_below(&r, UINT64_C(1) << 32);
    ck_assert_uint_eq(seen, UINT32_MAX);
    ck_assert_uint_eq(rng_below(&r, 0), 0);
}
END_TEST

START_TEST(range_includes_both_ends)
{
    static const int32_t ends[][2] = {
        {0, 0}, {-1, 1}, {5, -5}, {INT32_MIN, INT32_MIN + 2}, {INT32_MAX - 1, INT32_MAX}};
    rng r = rng_from_key(3);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        int32_t lo = ends[e][0], hi = ends[e][1], least = INT32_MAX, most = INT32_MIN;
        for (int i = 0; i < 1000; i++) {
            int32_t v = rng_range(&r, lo, hi);
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        ck_assert_int_eq(least, lo < hi ? lo : hi);
        ck_assert_int_eq(most, lo < hi ? hi : lo);
    }
    int negative = 0;
    for (int i = 0; i < 10000; i++)
        negative += rng_range(&r, INT32_MIN, INT32_MAX) < 0;
    ck_assert_int_gt(negative, 4700);
    ck_assert_int_lt(negative, 5300);
}
END_TEST

START_TEST(one_in_n_happens_one_time_in_n)
{
    rng r = rng_from_key(11);
    for (int32_t n = -1; n <= 1; n++)
        ck_assert(rng_one_in(&r, n));
    for (int32_t n = 2; n <= 50; n += 6) {
        int hits = 0;
        for (int i = 0; i < DRAWS; i++)
            hits += rng_one_in(&r, n);
        double mean = (double)DRAWS / n, off = hits - mean;
        ck_assert_msg(off * off < 36 * mean, "1 in %d: %d hits of %d", n, hits, DRAWS);
    }
}
END_TEST

START_TEST(a_copied_stream_goes_on_alike)
{
    rng a = rng_from_key(hash_string("copy"));
    rng_next(&a);
    rng b = a;
    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(rng_next(&a), rng_next(&b));
}
END_TEST

void add_random_cases(Suite *suite)
{
    TCase *tc = tcase_create("random");
    tcase_add_test(tc, values_are_fixed);
    tcase_add_loop_test(tc, every_byte_is_uniform, 0, 4);
    tcase_add_loop_test(tc, neighbours_are_independent, 0, 4);
    tcase_add_loop_test(tc, no_collisions_among_positions, 0, 4);
    tcase_add_test(tc, every_bit_spreads);
    tcase_add_test(tc, below_is_uniform_and_in_range);
    tcase_add_test(tc, range_includes_both_ends);
    tcase_add_test(tc, one_in_n_happens_one_time_in_n);
    tcase_add_test(tc, a_copied_stream_goes_on_alike);
    suite_add_tcase(suite, tc);
}
