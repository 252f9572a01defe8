/*
 * What changes with the distance from the origin: how urban overmaps are and how far apart
 * forest keeps their cities, both by the games' own examples; and the forest, which has what
 * the games give an overmap in its middle, and no step anywhere.
 */
#include "core/hash.h"
#include "gen/plan/plan.h"
#include "gen/plan/plan_strip.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

enum { N, E, S, W };

static const cat_region *dda_region(void)
{
    static cat_region region;
    region = land_catalogue()->regions[0];
    region.levelled = true;
    region.forest_increase[N] = 0.04;
    region.forest_increase[W] = 0.02;
    region.forest_limit = 0.395;
    region.urbanity_increase[E] = 10;
    region.urbanity_increase[S] = 5;
    return &region;
}

static gen_config dda_config(const cat_region *region, uint64_t seed)
{
    gen_config config = {.cat = land_catalogue(), .region = region, .seed = seed};
    config.city_size = 8;
    config.city_spacing = 4;
    config.kernels = noise_kernels_best();
    noise_land_init(&config.noise, seed, region->lake_threshold, region->forest_threshold,
                    region->forest_thick_threshold);
    noise_land_set_ramp(&config.noise, region->forest_increase,
                        region->forest_limit - region->forest_threshold);
    return config;
}

/* ---- overmaps ---- */

START_TEST(urbanity_of_examples)
{
    static const struct {
        int32_t increase[4], x, y, expected;
    } cases[] = {
        {{0, 10, 5, 0}, 6, 0, 6},     {{0, 10, 5, 0}, 6, -4, 3},
        {{0, 10, 5, 0}, 6, 4, 8},     {{0, 10, 5, 0}, 0, 0, 0},
        {{0, 10, 5, 0}, -7, 0, 0},    {{0, 10, 5, 0}, 0, 3, 1},
        {{0, 10, 5, 0}, -8, 6, 0},    {{0, 10, 5, 0}, -4, 8, 2},
        {{0, 10, 5, 0}, 6, -1, 6},    {{0, 10, 5, 0}, 9, -3, 6},
        {{-1, 0, 0, -1}, 0, -20, -2}, {{-1, 0, 0, -1}, -30, -20, -5},
        {{-1, 0, 0, -1}, 5, 5, 0},    {{0, 0, 0, 0}, 100, 100, 0},
        {{-1, 0, 0, 0}, 4, -40, -2},  {{10, 10, 0, 0}, 6, -4, 10},
        {{0, 0, 5, 10}, -6, 4, 8},
    };
    cat_region region = *dda_region();
    for (int side = 0; side < 4; side++)
        region.urbanity_increase[side] = cases[_i].increase[side];
    const ptl_chunk_pos pos = {cases[_i].x, cases[_i].y};
    ck_assert_int_eq(plan_urbanity(&region, pos), cases[_i].expected);
}
END_TEST
enum { URBANITIES = 17 };

START_TEST(forestosity_of_examples)
{
    static const struct {
        int32_t x, y, expected;
    } cases[] = {{0, 0, 0},  {0, -1, 1},   {0, -5, 5},    {9, -5, 5},
                 {0, 5, 0},  {-10, 0, 5},  {-11, -5, 10}, {-3, 9, 1},
                 {40, 7, 0}, {0, -10, 10}, {-2, 0, 1},    {-4194304, -4194304, 6291456}};
    const ptl_chunk_pos pos = {cases[_i].x, cases[_i].y};
    ck_assert_int_eq(plan_forestosity(dda_region(), pos), cases[_i].expected);
}
END_TEST
enum { FORESTOSITIES = 12 };

/* ---- cities ---- */

static city_site sites[CITY_SITES_MAX];

/* Of many worlds: 9.34 at the origin, four times that where cities lie two steps nearer, a 32nd
 * where forest keeps them five farther apart. */
START_TEST(cities_by_distance)
{
    enum { WORLDS = 3000 };
    static const struct {
        ptl_chunk_pos pos;
        double expected;
    } cases[] = {{{0, 0}, 9.34},   {{1, 0}, 9.34},  {{2, 0}, 18.69},  {{4, 0}, 37.37},
                 {{9, 0}, 37.37},  {{6, 4}, 37.37}, {{0, 4}, 18.69},  {{0, -5}, 0.29},
                 {{6, -4}, 1.168}, {{-3, 0}, 4.67}, {{0, -60}, 0.146}};
    const cat_region *region = dda_region();
    double sum = 0;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        const gen_config config = dda_config(region, seed);
        size_t missing;
        const size_t count = plan_cities(sites, &config, cases[_i].pos, &missing);
        sum += (double)(count + missing);
    }
    ck_assert_msg(fabs(sum / WORLDS - cases[_i].expected) < 0.05, "%.3f cities, not %.3f",
                  sum / WORLDS, cases[_i].expected);
}
END_TEST
enum { DISTANCES = 11 };

/* Whether a centre is as far from the border, and from others, as regions of its form have
 * them: by parts 8 whatever its size, and more than two apart; else by its size, and not side
 * by side, as in the worlds that DDA 0.I made. */
static void check_site(const cat_region *region, size_t index)
{
    const city_site *s = &sites[index];
    const int low = region->parts ? 8 : s->size - 1,
              high = 179 - (region->parts ? 8 : s->size - 1);
    const int apart = region->parts ? 2 : 1;
    ck_assert_msg(s->x >= low && s->x <= high && s->y >= low && s->y <= high,
                  "%d,%d of size %d", s->x, s->y, s->size);
    for (size_t k = 0; k < index; k++)
        if (abs(s->x - sites[k].x) <= apart && abs(s->y - sites[k].y) <= apart)
            ck_abort_msg("two centres at %d,%d", s->x, s->y);
    for (size_t k = 0; !region->parts && k < index; k++) {
        const double dx = s->x - sites[k].x, dy = s->y - sites[k].y;
        ck_assert_double_ge(sqrt(dx * dx + dy * dy), 0.75 * sites[k].size);
    }
}

/* Sizes 2 to 16 in the shares of DDA's draws, apart from each other and from the border; those
 * of 0.I come nearer to it than those of regions by parts. */
START_TEST(sites_of_levelled_regions)
{
    static const double shares[17] = {
        [2] = 1. / 3,   [4] = 1. / 6,   [5] = 1. / 6,  [10] = 1. / 12,
        [12] = 1. / 12, [14] = 1. / 12, [16] = 1. / 12};
    cat_region form = *dda_region();
    form.parts = _i;
    const cat_region *region = &form;
    double counts[17] = {0}, all = 0;
    int rim = PTL_CHUNK_SIZE;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const gen_config config = dda_config(region, seed);
        size_t missing;
        const size_t count = plan_cities(sites, &config, (ptl_chunk_pos){5, 1}, &missing);
        for (size_t i = 0; i < count; i++) {
            const city_site *s = &sites[i];
            ck_assert_int_ge(s->size, 2);
            ck_assert_int_le(s->size, 16);
            check_site(region, i);
            rim = s->x < rim ? s->x : rim;
            counts[s->size]++;
            all++;
        }
    }
    ck_assert(all > 5000);
    ck_assert_int_eq(rim, _i ? 8 : 1);
    for (int size = 0; size <= 16; size++) {
        const double p = shares[size], spread = sqrt(p * (1 - p) * all);
        ck_assert_msg(fabs(counts[size] - p * all) <= 5 * spread, "size %d: %.0f of %.0f", size,
                      counts[size], all);
    }
}
END_TEST

/* A region without increases is as it always was, wherever: also with a spacing of 1. */
START_TEST(without_increases_nothing_changes)
{
    const cat_region *region = &land_catalogue()->regions[0];
    gen_config config = dda_config(region, 7);
    ck_assert(!config.noise.ramp.any);
    for (config.city_spacing = 0; config.city_spacing <= 8; config.city_spacing++) {
        size_t near = 0, far = 0, missing;
        for (int i = 0; i < 40; i++) {
            near += plan_cities(sites, &config, (ptl_chunk_pos){0, 0}, &missing) + missing;
            far += plan_cities(sites, &config, (ptl_chunk_pos){50 + i, 90}, &missing) + missing;
        }
        ck_assert_double_le(fabs((double)near - (double)far), 41);
    }
}
END_TEST

/* ---- the forest ---- */

/* The games' step function in the middle of each overmap, and between neighbours no more than
 * the steepest side gives a cell: so none at borders either. */
START_TEST(ramp_is_continuous)
{
    const cat_region *region = dda_region();
    const gen_config config = dda_config(region, 1);
    const noise_ramp *ramp = &config.noise.ramp;
    const int64_t unit = (int64_t)RAMP_PARTS * RAMP_STEPS, most = 195000 * (int64_t)RAMP_STEPS;
    ck_assert_int_eq(ramp->most, most);
    for (int32_t om_x = -12; om_x <= 12; om_x++)
        for (int32_t om_y = -12; om_y <= 12; om_y++) {
            const double north = om_y < 0 ? -om_y : 0, west = om_x < 0 ? -om_x : 0;
            const double games = fmin(0.04 * north + 0.02 * west, 0.195);
            const double middle =
                (double)(noise_ramp_at(ramp, 180 * om_x + 89, 180 * om_y + 89) +
                         noise_ramp_at(ramp, 180 * om_x + 90, 180 * om_y + 90)) /
                2 / (double)unit;
            ck_assert_msg(fabs(middle - games) < 0.0003, "%d,%d: %f, not %f", om_x, om_y,
                          middle, games);
        }
    rng r = rng_from_key(5);
    for (int i = 0; i < 200000; i++) {
        const int64_t x = (int64_t)rng_below(&r, 4000) - 3000;
        const int64_t y = i % 2 ? (int64_t)rng_below(&r, 4000) - 3000
                                : 180 * ((int64_t)rng_below(&r, 20) - 16) - 1;
        const int64_t here = noise_ramp_at(ramp, x, y);
        ck_assert(here >= 0 && here <= most);
        ck_assert(llabs(here - noise_ramp_at(ramp, x, y + 1)) <= 2 * 40000);
        ck_assert(llabs(here - noise_ramp_at(ramp, x + 1, y)) <= 2 * 20000);
    }
}
END_TEST

static double forest_share(const noise_land *land, int64_t y, int classes[3])
{
    enum { BLOCKS = 6000 };
    classes[0] = classes[1] = classes[2] = 0;
    for (int64_t i = 0; i < BLOCKS; i++) {
        uint8_t out[NOISE_BLOCK];
        noise_kernels_best()->forest(land, 37 * 8 * i, y, out);
        for (int k = 0; k < NOISE_BLOCK; k++)
            classes[out[k]]++;
    }
    return (double)(classes[1] + classes[2]) / (BLOCKS * NOISE_BLOCK);
}

/* On the line through the middle of overmaps (., Y) the forest is that of thresholds which are
 * so much lower; it grows northwards until the limit is reached. */
START_TEST(forest_grows_as_the_thresholds_say)
{
    const cat_region *region = dda_region();
    const gen_config config = dda_config(region, (uint64_t)_i);
    double before = 0;
    for (int32_t om_y = 0; om_y >= -8; om_y--) {
        const int64_t y = 180 * (int64_t)om_y + 89;
        const double gain = fmin(0.04 * -om_y, 0.195);
        noise_land lower;
        int with[3], without[3];
        noise_land_init(&lower, (uint64_t)_i, 0.25, 0.2 - gain, 0.25 - gain);
        const double share = forest_share(&config.noise, y, with);
        const double expected = forest_share(&lower, y, without);
        ck_assert_msg(fabs(share - expected) < 0.005, "Y %d: %f, not %f", om_y, share,
                      expected);
        ck_assert(abs(with[2] - without[2]) < 300);
        if (om_y < 0 && om_y >= -4)
            ck_assert_msg(share > before + 0.02, "Y %d: %f after %f", om_y, share, before);
        before = share;
    }
}
END_TEST

static void add_case(Suite *suite, const char *name, const TTest *test, int count)
{
    TCase *c = tcase_create(name);
    tcase_set_timeout(c, 300);
    tcase_add_loop_test(c, test, 0, count);
    suite_add_tcase(suite, c);
}

int main(void)
{
    Suite *suite = suite_create("gradients");
    add_case(suite, "urbanity", urbanity_of_examples, URBANITIES);
    add_case(suite, "forestosity", forestosity_of_examples, FORESTOSITIES);
    add_case(suite, "cities", cities_by_distance, DISTANCES);
    add_case(suite, "sites", sites_of_levelled_regions, 1);
    add_case(suite, "none", without_increases_nothing_changes, 1);
    add_case(suite, "ramp", ramp_is_continuous, 1);
    add_case(suite, "forest", forest_grows_as_the_thresholds_say, 3);
    return suite_run(suite);
}
