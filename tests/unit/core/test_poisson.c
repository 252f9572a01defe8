/* Poisson draws: the distribution, its moments, its ends, and that they never change. */
#include "core/distribution.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>

/* Chi squared against the true probabilities, the tails in one cell each. */
static double deviation(double mean, int draws, int *cells)
{
    enum { MOST = 200 };
    int seen[MOST] = {0};
    rng r = rng_from_key(hash_add(7, (uint64_t)(mean * 1000)));
    for (int i = 0; i < draws; i++) {
        const int32_t k = poisson_draw(&r, mean);
        seen[k < MOST ? k : MOST - 1]++;
    }
    double chance = exp(-mean), expected = 0, sum = 0;
    int counted = 0;
    *cells = 0;
    for (int k = 0; k < MOST; k++) {
        expected += chance * draws;
        counted += seen[k];
        chance *= mean / (k + 1);
        if (expected < 10 && k < MOST - 1)
            continue;
        sum += (counted - expected) * (counted - expected) / (expected > 1 ? expected : 1);
        expected = counted = 0;
        ++*cells;
    }
    return sum;
}

START_TEST(distribution)
{
    static const double MEANS[] = {0.05, 0.5, 1, 2.5, 7, 15.9, 16, 16.5, 40, 100};
    for (size_t i = 0; i < sizeof MEANS / sizeof MEANS[0]; i++) {
        int cells;
        const double sum = deviation(MEANS[i], 40000, &cells);
        /* 5 sigma of chi squared. */
        ck_assert_msg(sum < cells + 5 * sqrt(2.0 * cells) + 5, "mean %g: %g in %d cells",
                      MEANS[i], sum, cells);
    }
}
END_TEST

START_TEST(moments_of_large_means)
{
    enum { DRAWS = 400 };
    rng r = rng_from_key(3);
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        const double d = poisson_draw(&r, POISSON_MEAN_MAX) - POISSON_MEAN_MAX;
        sum += d;
        squares += d * d;
    }
    ck_assert_double_lt(fabs(sum / DRAWS), 25); /* sigma 100, of the mean 5 */
    ck_assert_double_gt(squares / DRAWS, 6500);
    ck_assert_double_lt(squares / DRAWS, 13500);
}
END_TEST

START_TEST(ends)
{
    rng r = rng_from_key(1);
    const rng before = r;
    ck_assert_int_eq(poisson_draw(&r, 0), 0);
    ck_assert_int_eq(poisson_draw(&r, -4), 0);
    ck_assert_int_eq(poisson_draw(&r, (double)NAN), 0);
    ck_assert_uint_eq(r.state, before.state);
    const int32_t most = poisson_draw(&r, (double)INFINITY);
    ck_assert_int_gt(most, 9000);
    ck_assert_int_lt(most, 11000);
    ck_assert_int_eq(poisson_draw(&r, 1e-300), 0);
}
END_TEST

/* Every machine and compiler gives these. */
START_TEST(golden)
{
    static const double MEANS[] = {0.3, 2.5, 9.75, 16, 47.1, 1000};
    uint64_t key = 0;
    rng r = rng_from_key(99);
    for (int i = 0; i < 600; i++)
        key = hash_add(key, (uint64_t)poisson_draw(&r, MEANS[i % 6]));
    ck_assert_uint_eq(key, UINT64_C(12828040979487035962));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("poisson");
    TCase *tcase = tcase_create("poisson");
    tcase_add_test(tcase, distribution);
    tcase_add_test(tcase, moments_of_large_means);
    tcase_add_test(tcase, ends);
    tcase_add_test(tcase, golden);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
