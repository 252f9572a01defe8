/* Plans: what two neighbours agree on. */
#include "core/error.h"
#include "gen/pipeline.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <string.h>

enum { SEEDS = 40, SIZE = PTL_CHUNK_SIZE };

static const char *const REGIONS[] = {"default", "wet", "thin", "curves", "rare curves"};

static gen_config *config_of(uint64_t seed, const char *region)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = region;
    ptl_error err = {0};
    gen_config *config = NULL;
    ck_assert_msg(gen_config_new(&config, land_catalogue(), &options, &err) == PTL_OK, "%s",
                  err.message);
    return config;
}

/* Rivers into and out of a chunk. */
static void count_flows(const gen_config *config, int32_t x, int32_t y, int *in, int *out)
{
    *in = *out = 0;
    for (int d = 0; d < 4; d++) {
        int32_t ex, ey;
        edge_side side;
        edge e;
        plan_edge_of_chunk((ptl_chunk_pos){x, y}, d, &ex, &ey, &side);
        ck_assert_int_eq(plan_edge(&e, config, ex, ey, side, NULL), PTL_OK);
        bool own = d == 1 || d == 2;
        for (size_t i = 0; i < e.count; i++)
            *((e.crossings[i].direction > 0) == own ? out : in) += 1;
        edge_dispose(&e);
    }
}

/* Curved ones may end (test_curves). */
START_TEST(every_inflow_has_an_outflow)
{
    for (size_t n = 0; n < 3; n++) {
        gen_config *config = config_of((uint64_t)_i, REGIONS[n]);
        int rivers = 0;
        for (int32_t y = -20; y < 20; y++)
            for (int32_t x = -20; x < 20; x++) {
                int in, out;
                count_flows(config, x, y, &in, &out);
                ck_assert_msg(in == 0 || out > 0, "chunk %d,%d region %s", x, y, REGIONS[n]);
                rivers += out;
            }
        ck_assert_int_gt(rivers, 0);
        gen_config_free(config);
    }
}
END_TEST

/* Crossings of the chunk's edges at its sides along one axis that flow in (or out). */
static int flows_along(const gen_config *config, int32_t x, int32_t y, bool along_x, bool in)
{
    int count = 0;
    for (int d = along_x; d < 4; d += 2) {
        int32_t ex, ey;
        edge_side side;
        edge e;
        plan_edge_of_chunk((ptl_chunk_pos){x, y}, d, &ex, &ey, &side);
        ck_assert_int_eq(plan_edge(&e, config, ex, ey, side, NULL), PTL_OK);
        const bool own = d == 1 || d == 2;
        for (size_t i = 0; i < e.count; i++)
            count += strcmp(e.crossings[i].kind, CROSSING_RIVER) == 0 &&
                     ((e.crossings[i].direction > 0) != own) == in;
        edge_dispose(&e);
    }
    return count;
}

/* A river leaves its spring in one arm a side; with what came from either side it may have
 * more, as often whichever side that was. Few chunks have a spring. */
START_TEST(springs_are_few_and_have_one_arm)
{
    enum { SIDE = 40 };
    int met[2] = {0, 0}, more[2] = {0, 0}, springs = 0;
    gen_config *config = config_of((uint64_t)_i, "default");
    ck_assert_int_eq(config->river_sparsity, 1);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const int in_x = flows_along(config, x, y, true, true);
            const int in_y = flows_along(config, x, y, false, true);
            const int out[2] = {flows_along(config, x, y, true, false),
                                flows_along(config, x, y, false, false)};
            const bool spring = in_x + in_y == 0;
            ck_assert_int_gt(out[0] + out[1], 0);
            ck_assert_msg(!spring || (out[0] < 2 && out[1] < 2), "chunk %d,%d", x, y);
            springs += spring;
            for (int d = 0; d < 2 && (in_x == 0) != (in_y == 0); d++) {
                met[in_x > 0] += out[d] > 0;
                more[in_x > 0] += out[d] > 1;
            }
        }
    for (int i = 0; i < 2; i++) {
        const double third = 1.0 / 3;
        ck_assert_int_gt(met[i], 100);
        ck_assert_double_eq_tol((double)more[i] / met[i], third, 4.5 * 0.47 / sqrt(met[i]));
    }
    /* A quarter has no drainage, of which a quarter is not fed. */
    ck_assert_double_eq_tol(springs / (double)(SIDE * SIDE), 1.0 / 16, 0.025);
    gen_config_free(config);
}
END_TEST

START_TEST(thin_rivers_are_thinner)
{
    int counts[2] = {0, 0};
    const char *regions[] = {"default", "thin"};
    for (int n = 0; n < 2; n++) {
        gen_config *config = config_of((uint64_t)_i, regions[n]);
        for (int32_t y = -15; y < 15; y++)
            for (int32_t x = -15; x < 15; x++) {
                int in, out;
                count_flows(config, x, y, &in, &out);
                counts[n] += out;
            }
        gen_config_free(config);
    }
    ck_assert_int_lt(counts[1] * 2, counts[0]);
}
END_TEST

START_TEST(plans_are_pure)
{
    gen_config *a = config_of((uint64_t)_i, "default"), *b = config_of((uint64_t)_i, "default");
    for (int32_t n = 0; n < 300; n++) {
        int32_t x = n % 17 - 8, y = n / 17 - 8;
        edge ea, eb;
        ck_assert_int_eq(plan_edge(&ea, a, x, y, n % 2 ? EDGE_EAST : EDGE_SOUTH, NULL), PTL_OK);
        ck_assert_int_eq(plan_edge(&eb, b, x, y, n % 2 ? EDGE_EAST : EDGE_SOUTH, NULL), PTL_OK);
        ck_assert_uint_eq(ea.count, eb.count);
        for (size_t i = 0; i < ea.count; i++) {
            ck_assert_str_eq(ea.crossings[i].kind, eb.crossings[i].kind);
            ck_assert_int_eq(ea.crossings[i].position, eb.crossings[i].position);
            ck_assert_int_eq(ea.crossings[i].direction, eb.crossings[i].direction);
            ck_assert_int_eq(ea.crossings[i].width, eb.crossings[i].width);
            if (i > 0)
                ck_assert_int_gt(ea.crossings[i].position, ea.crossings[i - 1].position);
        }
        edge_dispose(&ea);
        edge_dispose(&eb);
    }
    gen_config_free(a);
    gen_config_free(b);
}
END_TEST

/* Painted cells keep R from the corners, cover the crossing at the border, and form one piece
 * from end to end of the strip for each crossing. */
START_TEST(strips_keep_their_bounds)
{
    for (size_t n = 0; n < sizeof REGIONS / sizeof *REGIONS; n++) {
        gen_config *config = config_of((uint64_t)_i, REGIONS[n]);
        for (int32_t k = 0; k < 60; k++) {
            edge e;
            uint8_t mask[STRIP_CELLS] = {0};
            ck_assert_int_eq(
                plan_edge(&e, config, k, -k * 3, k % 2 ? EDGE_EAST : EDGE_SOUTH, NULL), PTL_OK);
            plan_river_strip(mask, config, &e);
            for (int32_t i = 0; i < STRIP_CELLS; i++)
                if (mask[i])
                    ck_assert(i % SIZE >= PLAN_REACH && i % SIZE < SIZE - PLAN_REACH);
            for (size_t i = 0; i < e.count; i++) {
                const crossing *c = &e.crossings[i];
                for (int32_t p = c->position - c->width; p <= c->position + c->width; p++) {
                    ck_assert(mask[(PLAN_REACH - 1) * SIZE + p]);
                    ck_assert(mask[PLAN_REACH * SIZE + p]);
                }
            }
            for (int32_t row = 0; row < 2 * PLAN_REACH; row++) {
                size_t runs = 0;
                for (int32_t p = 1; p < SIZE; p++)
                    runs += mask[row * SIZE + p] && !mask[row * SIZE + p - 1];
                /* A disc of a curved one may touch a row beside the others. */
                ck_assert_uint_le(runs,
                                  config->river_form == RIVERS_CURVED ? 3 * e.count : e.count);
                ck_assert(e.count == 0 || runs > 0);
            }
            edge_dispose(&e);
        }
        gen_config_free(config);
    }
}
END_TEST

START_TEST(missing_terrain_is_named)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    ptl_error err = {0};
    gen_config *config = NULL;
    options.region = "no such region";
    ck_assert_int_eq(gen_config_new(&config, land_catalogue(), &options, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "no such region"));
    catalogue poor = *land_catalogue();
    poor.oter_count = poor.terrain_count = 18; /* without river_center and what follows it */
    options.region = "default";
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(gen_config_new(&config, &poor, &options, &err), PTL_ERR_CONTENT);
    ck_assert_ptr_nonnull(strstr(err.message, "river_center"));
    options.region = "dry"; /* needs no river */
    ck_assert_int_eq(gen_config_new(&config, &poor, &options, NULL), PTL_OK);
    gen_config_free(config);
}
END_TEST

/* A region from a damaged or hostile file must not reach the steps. */
START_TEST(regions_out_of_range_are_refused)
{
    const cat_region good = land_catalogue()->regions[0];
    cat_region bad[10];
    for (size_t i = 0; i < 10; i++)
        bad[i] = good;
    bad[0].lake_depth = -11;
    bad[1].lake_depth = 1;
    bad[2].ravine_depth = INT32_MIN;
    bad[3].lake_size_min = 0;
    bad[4].lake_size_min = INT32_MAX;
    bad[5].floodplain_max = PLAN_REACH;
    bad[6].river_scale = 1e300;
    bad[7].river_scale = -1;
    bad[8].ravine_range = INT32_MAX;
    bad[9].ravine_width = 0;
    catalogue cat = *land_catalogue();
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    cat.region_count = 1;
    for (size_t i = 0; i < 10; i++) {
        gen_config *config = NULL;
        ptl_error err = {0};
        cat.regions = &bad[i];
        ck_assert_int_eq(gen_config_new(&config, &cat, &options, &err), PTL_ERR_CONTENT);
        ck_assert_ptr_nonnull(strstr(err.message, "it must be"));
        ck_assert_ptr_null(config);
    }
}
END_TEST

/* The thinnest rivers that can be asked for: the plan stays sound all over the world. */
START_TEST(the_sparsest_drainage_is_sound)
{
    cat_region thin = land_catalogue()->regions[0];
    catalogue cat = *land_catalogue();
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    thin.river_scale = 1e-9;
    cat.regions = &thin;
    cat.region_count = 1;
    options.seed = (uint64_t)_i;
    gen_config *config = NULL;
    ck_assert_int_eq(gen_config_new(&config, &cat, &options, NULL), PTL_OK);
    const int32_t most = PTL_CHUNK_COORD_MAX;
    const int32_t at[] = {-most, -1, 0, 1, most};
    for (size_t i = 0; i < 25; i++) {
        int in, out;
        count_flows(config, at[i % 5], at[i / 5], &in, &out);
        ck_assert(in == 0 || out > 0);
    }
    gen_config_free(config);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *tcase = tcase_create("plan");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, every_inflow_has_an_outflow, 0, test_seeds(SEEDS));
    tcase_add_loop_test(tcase, springs_are_few_and_have_one_arm, 0, 5);
    tcase_add_loop_test(tcase, thin_rivers_are_thinner, 0, 5);
    tcase_add_loop_test(tcase, plans_are_pure, 0, 5);
    tcase_add_loop_test(tcase, strips_keep_their_bounds, 0, test_seeds(SEEDS));
    tcase_add_test(tcase, missing_terrain_is_named);
    tcase_add_test(tcase, regions_out_of_range_are_refused);
    tcase_add_loop_test(tcase, the_sparsest_drainage_is_sound, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
