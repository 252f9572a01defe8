/* Sites of cities: their number, sizes and ground, for all settings, whoever asks. */
#include "gen/pipeline.h"
#include "unit/gen/cities/test_cities.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKS = 60 };

static city_site sites[CITY_SITES_MAX];

/* Most settings need a config only: no generator. */
static gen_config plan_config(town_fixture *f, uint64_t seed, int32_t size, int32_t spacing)
{
    town_setup(f, seed, size, spacing);
    town_open(f);
    return *f->config;
}

/* The formula's mean: S = 8 and P = 4 give 9.34, as the games' own worlds have (9.31). */
static double mean_count(int32_t size, int32_t spacing)
{
    const double width = 2 * size + 1;
    return 32400 * pow(2, -spacing) / (width * width * 0.75);
}

static void check_sites(const gen_config *config, ptl_chunk_pos pos, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const city_site *s = &sites[i];
        MUST(s->size >= 1 && s->size <= 2 * (config->city_size + 1), "size %d", s->size);
        MUST(s->x >= s->size - 1 && s->x <= SIZE - s->size, "site %zu", i);
        MUST(s->y >= s->size - 1 && s->y <= SIZE - s->size, "site %zu", i);
        uint8_t forest[NOISE_BLOCK], lake[NOISE_BLOCK];
        const int64_t x = (int64_t)pos.x * SIZE + s->x, y = (int64_t)pos.y * SIZE + s->y;
        config->kernels->forest(&config->noise, x, y, forest);
        config->kernels->lake(&config->noise, x, y, lake);
        MUST(!forest[0] && !lake[0], "site %zu at %d,%d", i, s->x, s->y);
        for (size_t k = 0; k < i; k++)
            MUST(hypot(s->x - sites[k].x, s->y - sites[k].y) >= 0.75 * sites[k].size,
                 "site %zu is where city %zu is built", i, k);
    }
}

START_TEST(number_follows_the_formula)
{
    town_fixture f;
    gen_config config = plan_config(&f, 5, 8, 4);
    for (config.city_size = 0; config.city_size <= 16; config.city_size++)
        for (config.city_spacing = 0; config.city_spacing <= 8; config.city_spacing++) {
            const bool none = config.city_size == 0;
            const double mean = none ? 0 : mean_count(config.city_size, config.city_spacing);
            const int32_t chunks = mean > 100 ? 2 : CHUNKS;
            double sum = 0;
            for (int32_t i = 0; i < chunks; i++) {
                size_t missing;
                const ptl_chunk_pos pos = {i, -i};
                const size_t count = plan_cities(sites, &config, pos, &missing);
                ck_assert_uint_le(count, CITY_SITES_MAX);
                ck_assert(fabs((double)(count + missing) - mean) < 1);
                check_sites(&config, pos, count);
                sum += (double)(count + missing);
            }
            const double part = mean - floor(mean), spread = sqrt(part * (1 - part) / chunks);
            ck_assert_msg(fabs(sum / chunks - mean) <= 5 * spread + 0.01,
                          "size %d spacing %d: %.2f a chunk, expected %.2f", config.city_size,
                          config.city_spacing, sum / chunks, mean);
        }
    town_close(&f);
}
END_TEST

/* Shares of the sizes in the games' own worlds at city size 8; the tiny are 2 and 3. */
START_TEST(sizes_are_those_of_the_games)
{
    static const struct {
        int size;
        double share;
    } EXPECTED[] = {{2, 2. / 9},   {3, 1. / 9},   {4, 1. / 9},   {5, 1. / 9},
                    {6, 1. / 9},   {10, 1. / 18}, {12, 1. / 18}, {13, 1. / 18},
                    {14, 1. / 18}, {16, 1. / 18}, {18, 1. / 18}};
    town_fixture f;
    gen_config config = plan_config(&f, 11, 8, 4);
    int counts[40] = {0}, total = 0;
    for (int32_t i = 0; i < 1600; i++) {
        size_t missing;
        const size_t count = plan_cities(sites, &config, (ptl_chunk_pos){i, 7}, &missing);
        for (size_t k = 0; k < count; k++, total++)
            counts[sites[k].size]++;
    }
    int known = 0;
    for (size_t i = 0; i < sizeof EXPECTED / sizeof EXPECTED[0]; i++) {
        const double p = EXPECTED[i].share, expected = p * total;
        known += counts[EXPECTED[i].size];
        /* Huge ones are tried where forest is, and drawn anew, as often as all others. */
        ck_assert_msg(fabs(counts[EXPECTED[i].size] - expected) < 5 * sqrt(expected),
                      "%d of %d have size %d, expected %.0f", counts[EXPECTED[i].size], total,
                      EXPECTED[i].size, expected);
    }
    ck_assert_int_eq(known, total);
    town_close(&f);
}
END_TEST

START_TEST(sites_are_the_same_whoever_asks)
{
    town_fixture f;
    gen_config config = plan_config(&f, (uint64_t)_i, 4 + _i, 2), base = config;
    base.kernels = &noise_kernels_base;
    const ptl_chunk_pos pos = {_i * 1000 - 3, 5 - _i};
    size_t missing, other_missing;
    city_site first[CITY_SITES_MAX];
    memset(first, 0, sizeof first);
    memset(sites, 0, sizeof sites);
    const size_t count = plan_cities(first, &config, pos, &missing);
    plan_cities(sites, &config, (ptl_chunk_pos){0, 0}, &other_missing);
    ck_assert_uint_eq(plan_cities(sites, &base, pos, &other_missing), count);
    ck_assert_uint_eq(missing, other_missing);
    ck_assert_mem_eq(first, sites, count * sizeof sites[0]);
    if (count > 0) {
        config.seed ^= 1;
        const size_t other = plan_cities(sites, &config, pos, &missing);
        ck_assert(other != count || memcmp(first, sites, count * sizeof sites[0]) != 0);
    }
    town_close(&f);
}
END_TEST

/* No land at all: the search ends, and says how many it did not find. */
START_TEST(woods_without_end_have_no_sites)
{
    town_fixture f;
    town_setup(&f, 1, 8, 1);
    f.region.forest_threshold = -1;
    town_open(&f);
    size_t missing;
    ck_assert_uint_eq(plan_cities(sites, f.config, (ptl_chunk_pos){0, 0}, &missing), 0);
    ck_assert(fabs((double)missing - mean_count(8, 1)) < 1);
    ptl_chunk_free(town_chunk(&f, 0, 0, true));
    ck_assert_uint_eq(town_events(&f, "city_missing"), 1);
    ck_assert_uint_eq(generator_features(f.gen)->city_count, 0);
    town_close(&f);
}
END_TEST

/* Settings that no import lets in, as from a damaged file. */
START_TEST(settings_beyond_their_limits_stay_in_bounds)
{
    static const int32_t SIZES[] = {-5, 0, 1, 17, 100, INT32_MAX};
    static const int32_t SPACINGS[] = {INT32_MIN, -1, 0, 9, 40, INT32_MAX};
    town_fixture f;
    gen_config config = plan_config(&f, 2, 8, 4);
    for (size_t s = 0; s < sizeof SIZES / sizeof SIZES[0]; s++)
        for (size_t p = 0; p < sizeof SPACINGS / sizeof SPACINGS[0]; p++) {
            size_t missing;
            config.city_size = SIZES[s];
            config.city_spacing = SPACINGS[p];
            const size_t count =
                plan_cities(sites, &config, (ptl_chunk_pos){INT16_MAX, -INT16_MAX}, &missing);
            ck_assert_uint_le(count + missing, CITY_SITES_MAX);
            for (size_t i = 0; i < count; i++)
                MUST(inside(sites[i].x, sites[i].y), "%d,%d", sites[i].x, sites[i].y);
        }
    town_close(&f);
}
END_TEST

/* Names of cities come again only where all are in use: in a square of chunks as large as they
 * last, anywhere, no two sites have one name; over many chunks all names come, equally often.
 */
START_TEST(names_repeat_as_late_as_they_can)
{
    enum { NAMES = 800, SIDE = 20, EACH = 8 };
    static char text[NAMES][8];
    static const char *list[NAMES];
    static uint32_t upto[NAMES];
    static city_names names;
    static int32_t times[NAMES], last[NAMES]; /* last: the square in which it came */
    town_fixture f;
    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(text[i], sizeof text[i], "n%03u", i);
        list[i] = text[i];
        upto[i] = i + 1;
        last[i] = -1;
        times[i] = 0;
    }
    town_setup(&f, 40 + (uint64_t)_i, 4, 4);
    f.cat.town_names = (cat_texts){list, upto, NAMES};
    town_open(&f);
    const size_t most = plan_city_most(f.config);
    int32_t side = 1;
    while ((size_t)(side + 1) * (size_t)(side + 1) * most <= NAMES)
        side++;
    ck_assert_uint_ge(most, 2);
    ck_assert_int_ge(side, 3);
    const int32_t corner = _i % 2 ? -7 : 2000003;
    int32_t square = 0;
    for (int32_t by = 0; by < SIDE; by++)
        for (int32_t bx = 0; bx < SIDE; bx++, square++)
            for (int32_t at = 0; at < side * side; at++) {
                const ptl_chunk_pos pos = {corner + bx + at % side, by - 9 + at / side};
                plan_city_names(&names, f.config, pos, most);
                for (size_t i = 0; i < most; i++) {
                    const int number = atoi(names.list[i] + 1);
                    MUST(last[number] != square, "two cities %s near %d,%d", names.list[i],
                         pos.x, pos.y);
                    last[number] = square;
                    times[number] += bx % side == 0 && by % side == 0;
                }
            }
    size_t unused = 0;
    for (int i = 0; i < NAMES; i++) {
        unused += last[i] < 0;
        ck_assert_int_le(times[i], 3 * EACH);
    }
    ck_assert_uint_le(unused, NAMES % most); /* too few for another chunk */
    town_close(&f);
}
END_TEST

/* A chunk that the region makes more urban takes more names, and none of its neighbours'. */
START_TEST(urban_chunks_do_not_share_names)
{
    enum { NAMES = 800, SIDE = 3, EAST = 40 };
    static char text[NAMES][8];
    static const char *list[NAMES];
    static uint32_t upto[NAMES];
    static city_names names;
    bool used[NAMES] = {false};
    town_fixture f;
    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(text[i], sizeof text[i], "n%03u", i);
        list[i] = text[i];
        upto[i] = i + 1;
    }
    town_setup(&f, 1, 8, 4);
    f.region.levelled = true;
    f.region.urbanity_increase[1] = 10;
    f.cat.town_names = (cat_texts){list, upto, NAMES};
    town_open(&f);
    for (int32_t at = 0; at < SIDE * SIDE; at++) {
        const ptl_chunk_pos pos = {EAST + at % SIDE, at / SIDE};
        size_t missing;
        const size_t count = plan_cities(sites, f.config, pos, &missing);
        ck_assert_uint_gt(count + missing, 30);
        ck_assert_uint_le(count + missing, plan_city_most(f.config));
        plan_city_names(&names, f.config, pos, count);
        for (size_t i = 0; i < count; i++) {
            bool *here = &used[atoi(names.list[i] + 1)];
            MUST(!*here, "%s comes again at %d,%d", names.list[i], pos.x, pos.y);
            *here = true;
        }
    }
    town_close(&f);
}
END_TEST

TCase *cities_plan_case(void)
{
    TCase *tc = tcase_create("plan");
    tcase_add_test(tc, number_follows_the_formula);
    tcase_add_test(tc, sizes_are_those_of_the_games);
    tcase_add_loop_test(tc, sites_are_the_same_whoever_asks, 0, 8);
    tcase_add_loop_test(tc, names_repeat_as_late_as_they_can, 0, 4);
    tcase_add_test(tc, urban_chunks_do_not_share_names);
    tcase_add_test(tc, woods_without_end_have_no_sites);
    tcase_add_test(tc, settings_beyond_their_limits_stay_in_bounds);
    return tc;
}
