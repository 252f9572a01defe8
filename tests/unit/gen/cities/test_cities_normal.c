/* Normal draws: against the distribution itself, computed with libm, which tests may use. */
#include "unit/gen/cities/test_cities.h"

#include "core/distribution.h"

#include <math.h>

enum { DRAWS = 1 << 19 };

START_TEST(moments_are_those_of_the_distribution)
{
    rng r = rng_from_key((uint64_t)_i);
    double sum = 0, squares = 0, fourth = 0;
    for (int i = 0; i < DRAWS; i++) {
        const double z = normal_q16(&r) / 65536.0;
        sum += z;
        squares += z * z;
        fourth += z * z * z * z;
    }
    const double mean = sum / DRAWS, variance = squares / DRAWS - mean * mean;
    ck_assert_msg(fabs(mean) < 5 / sqrt(DRAWS), "mean %g", mean);
    ck_assert_msg(fabs(variance - 1) < 0.01, "variance %g", variance);
    ck_assert_msg(fabs(fourth / DRAWS - 3) < 0.1, "fourth moment %g", fourth / DRAWS);
}
END_TEST

/* The share beyond each limit, within five standard deviations of its own chance and what the
 * table's straight lines may add. */
START_TEST(tails_are_those_of_the_distribution)
{
    static const double LIMITS[] = {0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4};
    enum { COUNT = sizeof LIMITS / sizeof LIMITS[0] };
    int beyond[2][COUNT] = {{0}};
    rng r = rng_from_key(17);
    for (int i = 0; i < DRAWS; i++) {
        const double z = normal_q16(&r) / 65536.0;
        for (int k = 0; k < COUNT; k++)
            beyond[z < 0][k] += fabs(z) > LIMITS[k];
    }
    for (int sign = 0; sign < 2; sign++)
        for (int k = 0; k < COUNT; k++) {
            const double p = erfc(LIMITS[k] / sqrt(2)) / 2, expected = p * DRAWS;
            const double room = 5 * sqrt(expected) + 0.03 * expected;
            ck_assert_msg(fabs(beyond[sign][k] - expected) < room,
                          "%d draws beyond %g, expected %.0f", beyond[sign][k], LIMITS[k],
                          expected);
        }
}
END_TEST

/* The odd number whose product with this odd one is 1. */
static uint64_t inverse_of(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

/* A stream whose next number is this one: hash_mix backwards. */
static rng stream_of(uint64_t next)
{
    uint64_t v = next;
    v ^= v >> 31 ^ v >> 62;
    v *= inverse_of(UINT64_C(0x94d049bb133111eb));
    v ^= v >> 27 ^ v >> 54;
    v *= inverse_of(UINT64_C(0xbf58476d1ce4e5b9));
    v ^= v >> 30 ^ v >> 60;
    return (rng){v - UINT64_C(0x9e3779b97f4a7c15)};
}

/* Every entry, down to one draw in 2^24, where no sample comes: cell c of round k begins where
 * (1 - c / 64) / 64^k lie beyond. */
START_TEST(every_cell_is_a_quantile)
{
    for (int round = 0; round < 4; round++)
        for (uint64_t cell = 0; cell < 63; cell++) {
            const uint64_t before = (UINT64_C(1) << 6 * round) - 1; /* cells of 63 */
            const uint64_t bits = before | cell << 6 * round;
            rng r = stream_of(bits), negative = stream_of(bits | UINT64_C(1) << 63);
            const int32_t q = normal_q16(&r);
            const double wanted = ldexp(1 - (double)cell / 64, -6 * round);
            const double low = erfc((q + 0.75) / 65536.0 / sqrt(2)),
                         high = erfc((q - 0.75) / 65536.0 / sqrt(2));
            ck_assert_msg(low <= wanted && wanted <= high,
                          "round %d, cell %d: %d, beyond which lie %g, not %g", round,
                          (int)cell, (int)q, erfc(q / 65536.0 / sqrt(2)), wanted);
            ck_assert_int_eq(normal_q16(&negative), -q);
        }
}
END_TEST

START_TEST(draws_are_scaled_and_cut_towards_zero)
{
    rng r = rng_from_key(3), same = r;
    for (int i = 0; i < 10000; i++) {
        const double z = normal_q16(&same) / 65536.0;
        ck_assert_int_eq(normal_draw(&r, -7, 13), (int64_t)trunc(-7 + 13 * z));
    }
    ck_assert_uint_eq(r.state, same.state);
    ck_assert_int_eq(normal_draw(&r, 30, 0), 30);
    ck_assert_int_eq(normal_draw(&r, -30, -1), -30);
    ck_assert_uint_eq(r.state, same.state);
    const int64_t huge = normal_draw(&r, INT32_MAX, INT32_MAX);
    ck_assert_int_lt(huge, INT64_C(7) * INT32_MAX);
    ck_assert_int_gt(huge, INT64_C(-7) * INT32_MAX);
}
END_TEST

/* The ends of the table: no read beyond it, and finite. */
START_TEST(extremes_have_an_end)
{
    int32_t most = 0;
    for (uint64_t key = 0; key < (1u << 22); key++) {
        rng r = {key};
        const int32_t z = normal_q16(&r);
        most = z > most ? z : most;
    }
    ck_assert_int_gt(most, 4 * 65536 + 32768);
    ck_assert_int_lt(most, 6 * 65536);
}
END_TEST

TCase *cities_normal_case(void)
{
    TCase *tc = tcase_create("normal");
    tcase_add_loop_test(tc, moments_are_those_of_the_distribution, 0, 3);
    tcase_add_test(tc, tails_are_those_of_the_distribution);
    tcase_add_test(tc, every_cell_is_a_quantile);
    tcase_add_test(tc, draws_are_scaled_and_cut_towards_zero);
    tcase_add_test(tc, extremes_have_an_end);
    return tc;
}
