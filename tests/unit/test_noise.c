/* Noise: the same bits on every path, bounds that never lie, values that stay put. */
#include "core/hash.h"
#include "gen/noise.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 12 };

static noise_land land_of(uint64_t seed)
{
    noise_land land;
    noise_land_init(&land, seed, 0.25, 0.2, 0.25);
    return land;
}

/* Positions near the origin, on both sides of it, and at the ends of the world. */
static int64_t coordinate(rng *r)
{
    const int64_t far = INT64_C(180) << 22;
    switch (rng_below(r, 4)) {
    case 0:
        return far - rng_below(r, 5000);
    case 1:
        return -far + rng_below(r, 5000);
    case 2:
        return (int64_t)rng_below(r, 2000) - 1000;
    default:
        return (int64_t)rng_below(r, 2000000) - 1000000;
    }
}

START_TEST(paths_agree_bit_for_bit)
{
    if (noise_kernels_best() == &noise_kernels_base) {
        printf("SKIPPED: this processor has no AVX2\n");
        return;
    }
    noise_land land = land_of((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 3000; n++) {
        int64_t x = coordinate(&r), y = coordinate(&r);
        uint8_t a[NOISE_BLOCK], b[NOISE_BLOCK];
        float fa[NOISE_BLOCK], fb[NOISE_BLOCK];
        noise_kernels_base.lake(&land, x, y, a);
        noise_kernels_avx2.lake(&land, x, y, b);
        ck_assert_mem_eq(a, b, sizeof a);
        noise_kernels_base.forest(&land, x, y, a);
        noise_kernels_avx2.forest(&land, x, y, b);
        ck_assert_mem_eq(a, b, sizeof a);
        noise_kernels_base.floodplain(&land, 0.3f, x, y, fa);
        noise_kernels_avx2.floodplain(&land, 0.3f, x, y, fb);
        ck_assert_mem_eq(fa, fb, sizeof fa);
        noise_kernels_base.octaves(&land.lake, x, y, fa);
        noise_kernels_avx2.octaves(&land.lake, x, y, fb);
        ck_assert_mem_eq(fa, fb, sizeof fa);
    }
}
END_TEST

START_TEST(early_outs_change_nothing)
{
    const noise_kernels *k = noise_kernels_best();
    noise_land land;
    rng r = rng_from_key((uint64_t)_i + 100);
    for (int n = 0; n < 2000; n++) {
        const double lake_t[] = {0.25, 0.16, 0.0, 0.9}, forest_t[] = {0.2, 0.1, 0.0, 0.35};
        int which = (int)rng_below(&r, 4);
        noise_land_init(&land, (uint64_t)_i, lake_t[which], forest_t[which],
                        forest_t[which] + 0.05);
        int64_t x = coordinate(&r), y = coordinate(&r);
        uint8_t lake[NOISE_BLOCK], forest[NOISE_BLOCK];
        float l[NOISE_BLOCK], wide[NOISE_BLOCK], fine[NOISE_BLOCK], plain[NOISE_BLOCK];
        float cut[NOISE_BLOCK];
        k->lake(&land, x, y, lake);
        k->forest(&land, x, y, forest);
        k->octaves(&land.lake, x, y, l);
        k->octaves(&land.forest_wide, x, y, wide);
        k->octaves(&land.forest_fine, x, y, fine);
        k->octaves(&land.floodplain, x, y, plain);
        k->floodplain(&land, 0.3f, x, y, cut);
        bool any_above = false;
        for (int i = 0; i < NOISE_BLOCK; i++)
            any_above |= plain[i] * plain[i] > 0.3f;
        for (int i = 0; i < NOISE_BLOCK; i++) {
            float squared = l[i] * l[i];
            ck_assert_int_eq(lake[i], squared * squared > land.lake_threshold);
            float f = wide[i] * wide[i] - 0.5f * (fine[i] * fine[i] * fine[i]);
            f = f < 0 ? 0 : f;
            ck_assert_int_eq(forest[i],
                             (f > land.forest_threshold) + (f > land.thick_threshold));
            /* zero is only allowed where nothing of the block counts */
            bool same = cut[i] == plain[i] * plain[i];
            ck_assert(same || (!any_above && cut[i] == 0.0f));
        }
    }
}
END_TEST

/* Where the thick threshold lies below the other, all forest is thick (reference 3.6: thick is
 * asked first). */
START_TEST(thresholds_in_either_order)
{
    noise_land upside_down, plain;
    noise_land_init(&upside_down, 3, 0.25, 0.3, 0.2);
    noise_land_init(&plain, 3, 0.25, 0.2, 0.3);
    int thick = 0;
    for (int64_t x = 0; x < 4000; x += NOISE_BLOCK) {
        uint8_t a[NOISE_BLOCK], b[NOISE_BLOCK];
        noise_kernels_best()->forest(&upside_down, x, 7, a);
        noise_kernels_best()->forest(&plain, x, 7, b);
        for (int i = 0; i < NOISE_BLOCK; i++) {
            ck_assert_int_eq(a[i], b[i] > 0 ? 2 : 0);
            thick += a[i] == 2;
        }
    }
    ck_assert_int_gt(thick, 0);
}
END_TEST

START_TEST(a_block_is_eight_single_cells)
{
    const noise_kernels *k = noise_kernels_best();
    noise_land land = land_of(5);
    rng r = rng_from_key((uint64_t)_i + 200);
    for (int n = 0; n < 500; n++) {
        int64_t x = coordinate(&r), y = coordinate(&r);
        float whole[NOISE_BLOCK], shifted[NOISE_BLOCK];
        k->octaves(&land.forest_fine, x, y, whole);
        for (int i = 1; i < NOISE_BLOCK; i++) {
            k->octaves(&land.forest_fine, x + i, y, shifted);
            ck_assert(shifted[0] == whole[i]);
        }
    }
}
END_TEST

/* Far from the origin the lattice must be as fine as near it: steps between neighbours stay
 * small, and not everything is equal. */
START_TEST(noise_is_smooth_and_alive_far_away)
{
    const noise_kernels *k = noise_kernels_best();
    noise_land land = land_of(9);
    const int64_t far = INT64_C(180) << 22;
    float low = 1, high = 0;
    for (int64_t y = 0; y < 400; y += 7)
        for (int64_t x = 0; x < 4000; x += NOISE_BLOCK) {
            float v[NOISE_BLOCK];
            k->octaves(&land.floodplain, far + x, far + y, v);
            for (int i = 0; i < NOISE_BLOCK; i++) {
                ck_assert(v[i] >= 0.0f && v[i] <= 1.0f);
                low = v[i] < low ? v[i] : low;
                high = v[i] > high ? v[i] : high;
                if (i > 0)
                    ck_assert(fabsf(v[i] - v[i - 1]) < 0.25f);
            }
        }
    ck_assert(high - low > 0.5f);
}
END_TEST

/* Values themselves are part of every world: a change of any bit is a new generator version. */
START_TEST(golden_values)
{
    uint64_t digest = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        noise_land land = land_of(seed);
        for (int64_t y = -40; y < 40; y++)
            for (int64_t x = -400; x < 400; x += NOISE_BLOCK) {
                float v[NOISE_BLOCK];
                uint32_t bits[NOISE_BLOCK];
                noise_kernels_best()->octaves(&land.forest_fine, x, y, v);
                memcpy(bits, v, sizeof bits);
                for (int i = 0; i < NOISE_BLOCK; i++)
                    digest = hash_add(digest, bits[i]);
            }
    }
    ck_assert_msg(digest == UINT64_C(0x0e3317f2f76c0caf), "0x%016llx",
                  (unsigned long long)digest);
}
END_TEST

/* The game's own worlds (reference, section 5): about 4 % lake, 29 % forest after cities took
 * theirs; raw noise is somewhat above. */
START_TEST(shares_resemble_the_reference)
{
    double lake = 0, forest = 0, thick = 0, cells = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        noise_land land = land_of(seed);
        for (int64_t y = 0; y < 1800; y += 30)
            for (int64_t x = 0; x < 1800; x += 40) {
                uint8_t l[NOISE_BLOCK], f[NOISE_BLOCK];
                noise_kernels_best()->lake(&land, x, y, l);
                noise_kernels_best()->forest(&land, x, y, f);
                for (int i = 0; i < NOISE_BLOCK; i++) {
                    lake += l[i];
                    forest += f[i] == 1;
                    thick += f[i] == 2;
                    cells += 1;
                }
            }
    }
    ck_assert_double_ge(lake / cells, 0.02);
    ck_assert_double_le(lake / cells, 0.08);
    ck_assert_double_ge(forest / cells, 0.07);
    ck_assert_double_le(forest / cells, 0.16);
    ck_assert_double_ge(thick / cells, 0.22);
    ck_assert_double_le(thick / cells, 0.40);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("noise");
    TCase *tcase = tcase_create("noise");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, paths_agree_bit_for_bit, 0, SEEDS);
    tcase_add_loop_test(tcase, early_outs_change_nothing, 0, SEEDS);
    tcase_add_loop_test(tcase, a_block_is_eight_single_cells, 0, 4);
    tcase_add_test(tcase, thresholds_in_either_order);
    tcase_add_test(tcase, noise_is_smooth_and_alive_far_away);
    tcase_add_test(tcase, golden_values);
    tcase_add_test(tcase, shares_resemble_the_reference);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
