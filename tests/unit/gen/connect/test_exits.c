/* Exits: where connections cross edges by plan, and the corridors behind them. */
#include "gen/connect/ends.h"
#include "gen/pipeline.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { R = PLAN_REACH, SEEDS = 12, EDGES = 24 };

static const char *const REGIONS[] = {"default", "wet", "thin", "dry"};
enum { REGION_COUNT = 4 };

/* A catalogue whose first region is another one with more lakes: shores everywhere. */
static catalogue *lakes_catalogue(double threshold)
{
    static catalogue cat;
    static cat_region region;
    cat = *town_catalogue();
    region = *catalogue_region(&cat, "wet");
    region.id = "lakes";
    region.lake_threshold = threshold;
    cat.regions = &region;
    cat.region_count = 1;
    return &cat;
}

static gen_config *config_with(const catalogue *cat, uint64_t seed, const char *region,
                               bool rails)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = region;
    options.railroads = options.subways = rails;
    ptl_error err = {0};
    gen_config *config = NULL;
    ck_assert_msg(gen_config_new(&config, cat, &options, &err) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(config->network_count, rails ? 3 : 1);
    return config;
}

static edge planned(const gen_config *config, int32_t x, int32_t y, edge_side side)
{
    edge e;
    ck_assert_int_eq(plan_edge(&e, config, x, y, side, NULL), PTL_OK);
    return e;
}

/* The n-th of some edges all over the world. */
static edge some_edge(const gen_config *config, int32_t n)
{
    int32_t far = n % 5 == 4 ? PTL_CHUNK_COORD_MAX - 40 : 0;
    return planned(config, n * 3 - 30 + far, 17 - n * 2 - far, n % 2 ? EDGE_EAST : EDGE_SOUTH);
}

static bool is_exit(const crossing *c)
{
    return strcmp(c->kind, CROSSING_RIVER) != 0;
}

/* Lake by noise at a cell of the strip, read on its own, without blocks along a row. */
static bool noise_is_lake(const gen_config *config, const edge *e, int32_t distance,
                          int32_t position)
{
    uint8_t lake[NOISE_BLOCK];
    int64_t x = (int64_t)e->x * SIZE, y = (int64_t)e->y * SIZE;
    if (e->side == EDGE_EAST)
        config->kernels->lake(&config->noise, x + SIZE + distance, y + position, lake);
    else
        config->kernels->lake(&config->noise, x + position, y + SIZE + distance, lake);
    return lake[0];
}

/* What schema/generation.md 4.3 asks of the ground around an exit, off the finished edge. */
static bool position_is_dry(const gen_config *config, const edge *e,
                            const uint8_t mask[STRIP_CELLS], int32_t position)
{
    if (position < R + 1 || position > SIZE - 2 - R)
        return false;
    for (int32_t distance = -R; distance < R; distance++)
        for (int32_t p = position - 1; p <= position + 1; p++)
            if (mask[(distance + R) * SIZE + p] || noise_is_lake(config, e, distance, p))
                return false;
    return true;
}

static bool has_gap(const edge *e, const crossing *own, int32_t position)
{
    for (size_t i = 0; i < e->count; i++) {
        int32_t gap = abs(position - e->crossings[i].position);
        if (is_exit(&e->crossings[i]) && &e->crossings[i] != own && gap < EXIT_GAP)
            return false;
    }
    return true;
}

START_TEST(exits_are_clear_of_water_and_of_each_other)
{
    static uint8_t mask[STRIP_CELLS];
    for (int n = 0; n < REGION_COUNT; n++) {
        gen_config *config = config_with(town_catalogue(), (uint64_t)_i, REGIONS[n], true);
        size_t found = 0;
        for (int32_t k = 0; k < EDGES; k++) {
            edge e = some_edge(config, k);
            memset(mask, 0, sizeof mask);
            plan_river_strip(mask, config, &e);
            for (size_t i = 0; i < e.count; i++) {
                const crossing *c = &e.crossings[i];
                if (!is_exit(c))
                    continue;
                found++;
                ck_assert(position_is_dry(config, &e, mask, c->position));
                ck_assert(has_gap(&e, c, c->position));
                ck_assert_int_eq(c->width, 0);
                ck_assert_int_eq(c->direction, 0);
                ck_assert_int_eq(c->z, strcmp(c->kind, "subway_tunnel") == 0 ? -2 : 0);
            }
            edge_dispose(&e);
        }
        ck_assert_uint_gt(found, EDGES);
        gen_config_free(config);
    }
}
END_TEST

/* With two exits asked for of each network, fewer are found only where no position is left. */
START_TEST(an_exit_that_fits_somewhere_is_found)
{
    static uint8_t mask[STRIP_CELLS];
    const double thresholds[] = {0.12, 0.06, 0.03};
    size_t missing = 0, found = 0;
    for (size_t n = 0; n < 3; n++) {
        gen_config *config =
            config_with(lakes_catalogue(thresholds[n]), (uint64_t)_i, "lakes", true);
        for (size_t i = 0; i < config->network_count; i++)
            memcpy(config->networks[i].chances, (uint8_t[]){0, 0, 100}, 3);
        for (int32_t k = 0; k < EDGES; k++) {
            edge e = some_edge(config, k);
            size_t exits = 0;
            for (size_t i = 0; i < e.count; i++)
                exits += is_exit(&e.crossings[i]);
            found += exits;
            missing += 6 - exits;
            memset(mask, 0, sizeof mask);
            plan_river_strip(mask, config, &e);
            for (int32_t p = 0; exits < 6 && p < SIZE; p++)
                ck_assert(!position_is_dry(config, &e, mask, p) || !has_gap(&e, NULL, p));
            edge_dispose(&e);
        }
        gen_config_free(config);
    }
    ck_assert_uint_gt(missing, 20); /* else the test says nothing */
    ck_assert_uint_gt(found, 20);
}
END_TEST

START_TEST(edges_are_sorted_and_pure)
{
    gen_config *a = config_with(town_catalogue(), (uint64_t)_i, "default", true);
    gen_config *b = config_with(town_catalogue(), (uint64_t)_i, "default", true);
    gen_config *roads = config_with(town_catalogue(), (uint64_t)_i, "default", false);
    for (int32_t k = 0; k < EDGES; k++) {
        edge e = some_edge(a, k), f = some_edge(b, EDGES - 1), r = some_edge(roads, k);
        edge_dispose(&f);
        f = some_edge(b, k);
        ck_assert_uint_eq(e.count, f.count);
        size_t at = 0;
        for (size_t i = 0; i < e.count; i++) {
            const crossing *c = &e.crossings[i], *d = &f.crossings[i];
            ck_assert_str_eq(c->kind, d->kind);
            ck_assert(c->position == d->position && c->z == d->z);
            const crossing *p = i > 0 ? &e.crossings[i - 1] : NULL;
            int kinds = p ? strcmp(p->kind, c->kind) : 0;
            ck_assert(!p || p->z < c->z || (p->z == c->z && kinds < 0) ||
                      (p->z == c->z && kinds == 0 && p->position < c->position));
            /* Other networks move neither roads nor rivers. */
            if (strcmp(c->kind, "local_road") != 0 && strcmp(c->kind, CROSSING_RIVER) != 0)
                continue;
            ck_assert_uint_lt(at, r.count);
            ck_assert_str_eq(c->kind, r.crossings[at].kind);
            ck_assert_int_eq(c->position, r.crossings[at++].position);
        }
        ck_assert_uint_eq(at, r.count);
        edge_dispose(&e);
        edge_dispose(&f);
        edge_dispose(&r);
    }
    gen_config_free(a);
    gen_config_free(b);
    gen_config_free(roads);
}
END_TEST

/* On dry land: as many as the network says, and every position as likely as any other. */
START_TEST(numbers_and_positions_are_as_stated)
{
    enum { SAMPLES = 4000, BINS = 10 };
    catalogue *cat = lakes_catalogue(0.999); /* no lakes */
    cat_region dry = cat->regions[0];
    dry.river_scale = 0;
    cat->regions = &dry;
    gen_config *config = config_with(cat, 5, "lakes", false);
    int counts[3] = {0}, bins[BINS] = {0}, exits = 0;
    for (int32_t k = 0; k < SAMPLES; k++) {
        edge e = planned(config, k % 200, k / 200, k % 2 ? EDGE_EAST : EDGE_SOUTH);
        ck_assert_uint_le(e.count, 2);
        counts[e.count]++;
        for (size_t i = 0; i < e.count; i++)
            bins[(e.crossings[i].position - R - 1) * BINS / (SIZE - 2 * R - 2)]++;
        exits += (int)e.count;
        edge_dispose(&e);
    }
    for (int i = 0; i < 3; i++)
        ck_assert_int_lt(abs(counts[i] - SAMPLES * config->networks[0].chances[i] / 100),
                         SAMPLES / 33);
    for (int i = 0; i < BINS; i++)
        ck_assert_int_lt(abs(bins[i] - exits / BINS), exits / BINS / 5);
    gen_config_free(config);
}
END_TEST

/* ---- ends and corridors ---- */

START_TEST(both_sides_see_one_crossing)
{
    static const int8_t DX[4] = {0, 1, 0, -1}, DY[4] = {-1, 0, 1, 0};
    for (int direction = 0; direction < 4; direction++)
        for (int32_t p = 0; p < SIZE; p++) {
            connect_end own = exit_end(direction, p), other = exit_end((direction + 2) % 4, p);
            ck_assert(own.exit && inside(own.x, own.y));
            ck_assert_int_eq(own.heading, (direction + 2) % 4);
            ck_assert_int_eq(own.x + DX[direction], other.x + SIZE * DX[direction]);
            ck_assert_int_eq(own.y + DY[direction], other.y + SIZE * DY[direction]);
        }
}
END_TEST

static void reserve_by_hand(uint8_t *wanted, int direction, const edge *e, int32_t length)
{
    for (size_t i = 0; i < e->count; i++) {
        const crossing *c = &e->crossings[i];
        if (!is_exit(c) || c->z != 0)
            continue;
        for (int32_t depth = 0; depth < length; depth++)
            for (int32_t p = c->position - 1; p <= c->position + 1; p++) {
                int32_t line = direction == 1 || direction == 2 ? SIZE - 1 - depth : depth;
                int32_t x = direction % 2 ? line : p, y = direction % 2 ? p : line;
                if (inside(x, y))
                    wanted[y * SIZE + x] = 1;
            }
    }
}

START_TEST(corridors_lie_behind_the_exits)
{
    static uint8_t wanted[SIZE * SIZE], reserved[SIZE * SIZE];
    gen_config *config = config_with(town_catalogue(), (uint64_t)_i, "default", true);
    config->options.compat = _i % 2;
    edge edges[4], *list[4];
    for (int d = 0; d < 4; d++) {
        int32_t x, y;
        edge_side side;
        plan_edge_of_chunk((ptl_chunk_pos){_i, -_i}, d, &x, &y, &side);
        edges[d] = planned(config, x, y, side);
        list[d] = &edges[d];
    }
    /* A foreign edge may have exits at its ends, and some that lie nowhere. */
    crossing odd[] = {{.kind = "no_such", .position = 0},
                      {.kind = "no_such", .position = SIZE - 1},
                      {.kind = "no_such", .position = 50, .z = 3}};
    edge foreign = {.crossings = odd, .count = 3, .origin = EDGE_FOREIGN};
    list[_i % 4] = &foreign;
    memset(wanted, 0, sizeof wanted);
    memset(reserved, 0, sizeof reserved);
    for (int d = 0; d < 4; d++)
        reserve_by_hand(wanted, d, list[d], config->options.compat ? 16 : 48);
    generator g = {.config = config, .edges = list, .reserved = reserved};
    reserve_corridors(&g);
    ck_assert(memcmp(wanted, reserved, sizeof wanted) == 0);
    ck_assert_ptr_nonnull(memchr(reserved, 1, sizeof reserved));
    odd[0].position = -1;
    odd[1].position = SIZE;
    odd[2].z = PTL_Z_MAX + 1;
    for (size_t i = 0; i < 3; i++)
        ck_assert(!crossing_is_exit(&odd[i]));
    for (int d = 0; d < 4; d++)
        edge_dispose(&edges[d]);
    gen_config_free(config);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exits");
    TCase *tcase = tcase_create("exits");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, exits_are_clear_of_water_and_of_each_other, 0, SEEDS);
    tcase_add_loop_test(tcase, an_exit_that_fits_somewhere_is_found, 0, 3);
    tcase_add_loop_test(tcase, edges_are_sorted_and_pure, 0, SEEDS);
    tcase_add_test(tcase, numbers_and_positions_are_as_stated);
    tcase_add_test(tcase, both_sides_see_one_crossing);
    tcase_add_loop_test(tcase, corridors_lie_behind_the_exits, 0, 8);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
