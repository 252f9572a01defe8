/* Where the sea is by plan. */
#include "core/hash.h"
#include "gen/pipeline.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>

enum { SEEDS = 20, SIZE = PTL_CHUNK_SIZE };

static gen_config *config_of(uint64_t seed)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = "coast";
    ptl_error err = {0};
    gen_config *config = NULL;
    ck_assert_msg(gen_config_new(&config, land_catalogue(), &options, &err) == PTL_OK, "%s",
                  err.message);
    return config;
}

/* The rules as they are written down, for the region "coast". First: how far a line is bent
 * back. */
static int64_t bend_by_rule(uint64_t seed, int side, int64_t along)
{
    static const int64_t reach[] = {24, 14, 9, 5};
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        const int64_t span = 64 >> i;
        const int64_t part = ((along % span) + span) % span, first = (along - part) / span;
        const uint64_t key = hash_add(hash_add(seed, hash_string("ocean bend")),
                                      (uint64_t)side * 4 + (uint64_t)i);
        const int64_t here = (int64_t)(hash_add(key, (uint64_t)first) >> 48);
        const int64_t next = (int64_t)(hash_add(key, (uint64_t)first + 1) >> 48);
        sum += (here * (span - part) + next * part) * reach[i] / span;
    }
    return sum >> 16;
}

/* What noise must be above is noise of the layer that lakes have. */
static bool sea_by_rule(const gen_config *config, int64_t x, int64_t y)
{
    const int64_t lines[] = {SIZE * (1 - 3) - y, x - SIZE, 0, SIZE * (1 - 500) - x};
    int64_t most = 0;
    bool behind = false;
    float noise[NOISE_BLOCK];
    for (int side = 0; side < 4; side++) {
        most = lines[side] > most ? lines[side] : most;
        behind = behind || (side != 2 && lines[side] > 0 &&
                            lines[side] > bend_by_rule(config->seed, side, side % 2 ? y : x));
    }
    noise_kernels_base.octaves(&config->noise.lake, x, y, noise);
    const float squared = noise[0] * noise[0], fourth = squared * squared;
    return behind && (double)fourth > 0.25 - 0.0005 * (double)most;
}

/* A place near a line or at the corner of two, also far from the origin. */
static void draw_place(rng *r, int64_t *x, int64_t *y)
{
    *x = rng_range(r, -300, 1000);
    *y = rng_range(r, -1200, 300);
    if (rng_one_in(r, 4))
        *x -= 500 * SIZE;
}

START_TEST(each_cell_follows_the_rule)
{
    gen_config *config = config_of((uint64_t)_i);
    rng r = rng_from_key(hash_add((uint64_t)_i, hash_string("ocean places")));
    int sea = 0;
    for (int n = 0; n < 400; n++) {
        int64_t x, y;
        uint8_t block[NOISE_BLOCK];
        draw_place(&r, &x, &y);
        ocean_block(&config->ocean, x, y, block);
        for (int i = 0; i < NOISE_BLOCK; i++) {
            const bool expected = sea_by_rule(config, x + i, y);
            ck_assert_int_eq(block[i], expected);
            ck_assert_int_eq(ocean_at(&config->ocean, x + i, y), expected);
            sea += expected;
        }
    }
    ck_assert_int_gt(sea, 0);
    gen_config_free(config);
}
END_TEST

START_TEST(squares_and_shares_tell_the_truth)
{
    gen_config *config = config_of((uint64_t)_i);
    const ocean_plan *plan = &config->ocean;
    rng r = rng_from_key(hash_add((uint64_t)_i, hash_string("ocean squares")));
    int decided = 0;
    for (int n = 0; n < 200; n++) {
        int64_t x, y;
        uint8_t squares[NOISE_SQUARES];
        draw_place(&r, &x, &y);
        ocean_squares(plan, x, y, squares);
        for (int k = 0; k < NOISE_SQUARES * NOISE_SQUARE * NOISE_SQUARE; k++) {
            const int square = k / (NOISE_SQUARE * NOISE_SQUARE);
            const int64_t cx = x + NOISE_SQUARE * square + k % NOISE_SQUARE;
            const int64_t cy = y + k / NOISE_SQUARE % NOISE_SQUARE;
            const bool sea = ocean_at(plan, cx, cy);
            const ocean_share share = ocean_in(plan, x, y, cx, cy);
            ck_assert(squares[square] == NOISE_MIXED ||
                      sea == (squares[square] == NOISE_ALL_ABOVE));
            ck_assert(share == OCEAN_MIXED || sea == (share == OCEAN_ALL));
        }
        for (int i = 0; i < NOISE_SQUARES; i++)
            decided += squares[i] != NOISE_MIXED;
    }
    ck_assert_int_gt(decided, 200 * NOISE_SQUARES / 2); /* most need no further look */
    gen_config_free(config);
}
END_TEST

START_TEST(nothing_before_the_lines_and_all_far_behind)
{
    gen_config *config = config_of((uint64_t)_i);
    const ocean_plan *plan = &config->ocean;
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){0, 0}), OCEAN_NONE);
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){0, -2}), OCEAN_NONE);
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){0, 1000000}), OCEAN_NONE);
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){-499, 1000000}), OCEAN_NONE);
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){1, 0}), OCEAN_MIXED);
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){4, 0}), OCEAN_ALL);
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){0, -6}), OCEAN_ALL);
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){-503, 0}), OCEAN_ALL);
    gen_config_free(config);
}
END_TEST

/* As in the real game: land where it begins, and all sea three overmaps on. */
START_TEST(the_share_of_sea_rises)
{
    enum { WORLDS = 20, SIDE = 30, STEP = SIZE / SIDE };
    double share[3] = {0};
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        gen_config *config = config_of(seed);
        for (int64_t i = 0; i < 3; i++)
            for (int64_t k = 0; k < SIDE * SIDE; k++)
                share[i] += ocean_at(&config->ocean, SIZE * (1 + i) + STEP * (k % SIDE),
                                     k / SIDE * STEP) /
                            (double)(WORLDS * SIDE * SIDE);
        gen_config_free(config);
    }
    ck_assert_double_lt(share[0], 0.2);
    ck_assert_double_gt(share[1], share[0]);
    ck_assert_double_gt(share[2], 0.7);
}
END_TEST

/* How many rows on end have sea on one side alone of the line between two columns, at most. */
static int longest_straight(const ocean_plan *plan, int64_t x, int64_t y0, int64_t rows)
{
    int longest = 0, run = 0, last = 0;
    for (int64_t y = y0; y < y0 + rows; y++) {
        const int side = ocean_at(plan, x, y) - ocean_at(plan, x + 1, y);
        run = side == 0 ? 0 : side == last ? run + 1 : 1;
        last = side;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* Also where nearly all behind a line is sea by noise. */
START_TEST(no_shore_is_straight)
{
    gen_config *config = config_of((uint64_t)_i);
    cat_ocean low = *config->ocean.settings;
    int longest = 0;
    if (_i % 2 == 1) {
        low.threshold = 0.02;
        config->ocean.settings = &low;
    }
    for (int64_t x = SIZE - 2; x < SIZE + 60; x++) {
        const int one = longest_straight(&config->ocean, x, -2 * SIZE, 4 * SIZE);
        longest = one > longest ? one : longest;
    }
    ck_assert_int_lt(longest, SIZE / 5);
    ck_assert(_i % 2 == 0 || longest > 0);
    gen_config_free(config);
}
END_TEST

/* No exit, and no city, where the sea is. */
START_TEST(plans_on_land_keep_off_it)
{
    gen_config *config = config_of((uint64_t)_i);
    static city_site sites[CITY_SITES_MAX];
    size_t missing, cities = 0, dry = 0;
    config->city_size = 4;
    config->city_spacing = 0;
    config->networks[0] = (gen_network){.kind = "road", .chances = {0, 0, 100}};
    config->network_count = 1;
    for (int32_t x = 0; x <= 5; x++) {
        const size_t count = plan_cities(sites, config, (ptl_chunk_pos){x, 0}, &missing);
        for (size_t i = 0; i < count; i++)
            ck_assert(!ocean_at(&config->ocean, SIZE * x + sites[i].x, sites[i].y));
        cities += count;
        for (int side = EDGE_EAST; side <= EDGE_SOUTH; side++) {
            edge e;
            ck_assert_int_eq(plan_edge(&e, config, x, 0, (edge_side)side, NULL), PTL_OK);
            for (size_t i = 0; i < e.count; i++) {
                const crossing *c = &e.crossings[i];
                for (int32_t d = -PLAN_REACH; c->kind[1] == 'o' && d < PLAN_REACH; d++)
                    ck_assert(!ocean_at(&config->ocean,
                                        side == EDGE_EAST ? SIZE * (x + 1) + d
                                                          : SIZE * x + c->position,
                                        side == EDGE_EAST ? c->position : SIZE + d));
                dry += c->kind[1] == 'o';
            }
            edge_dispose(&e);
        }
        ck_assert(x < 5 || (count == 0 && missing == 0));
    }
    ck_assert_uint_gt(cities, 0);
    ck_assert_uint_gt(dry, 0);
    gen_config_free(config);
}
END_TEST

START_TEST(no_settings_no_sea)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    gen_config *config = NULL;
    options.region = "wet";
    ck_assert_int_eq(gen_config_new(&config, land_catalogue(), &options, NULL), PTL_OK);
    const ocean_plan *plan = &config->ocean;
    ck_assert_int_eq(ocean_in_chunk(plan, (ptl_chunk_pos){0, 100000}), OCEAN_NONE);
    ck_assert(!ocean_at(plan, 0, 1 << 30));
    gen_config_free(config);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ocean_plan");
    TCase *tcase = tcase_create("plan");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, each_cell_follows_the_rule, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, squares_and_shares_tell_the_truth, 0, 4);
    tcase_add_loop_test(tcase, nothing_before_the_lines_and_all_far_behind, 0, 4);
    tcase_add_loop_test(tcase, no_shore_is_straight, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, plans_on_land_keep_off_it, 0, test_seeds(SEEDS));
    tcase_add_test(tcase, the_share_of_sea_rises);
    tcase_add_test(tcase, no_settings_no_sea);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
