/*
 * Islands in the sea of overmaps: the same in any order and across borders; where the overmap
 * has an island the heights are mostly land, and where it has sea they are not; nothing but sea
 * is turned into islands; what hills raise on average is what their points raise.
 */
#include "core/hash.h"
#include "core/offsets.h"
#include "gen/coast/coast.h"
#include "gen/coast/coast_plan.h"
#include "gen/pipeline.h"
#include "support/chunk_maker.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS = 6,
    OCEANS = 3 /* the steps up to it */,
    TERRAINS_MAX = 64,
    CELLS = COAST_SIDE * COAST_SIDE
};

static const cat_shoals shoals = {
    .islands_min = 2, .islands_max = 8, .cliffs = 8, .plants = 25};

/* The land's catalogue with three terrains more, and a sea that names the shoals. */
static const catalogue *island_catalogue(bool islands)
{
    static cat_terrain terrains[2][TERRAINS_MAX];
    static cat_oter oters[2][TERRAINS_MAX];
    static catalogue made[2];
    static const char *const more[] = {"shoals_beach", "shoals_cliff", "shoals_island"};
    const catalogue *land = land_catalogue();
    catalogue *cat = &made[islands];
    const size_t count = land->terrain_count;
    memcpy(terrains[islands], land->terrains, count * sizeof terrains[0][0]);
    memcpy(oters[islands], land->oters, count * sizeof oters[0][0]);
    for (size_t i = 0; i < 3; i++) {
        const uint32_t flags = i == 0 ? CAT_FLAG_OCEAN_SHORE : CAT_FLAG_OCEAN;
        terrains[islands][count + i] = (cat_terrain){.id = more[i],
                                                     .name = more[i],
                                                     .color = "green",
                                                     .flags = flags,
                                                     .first = (ptl_oter)(count + i),
                                                     .count = 1};
        oters[islands][count + i] =
            (cat_oter){.id = more[i], .terrain = (uint16_t)(count + i), .flags = flags};
    }
    terrains[islands][catalogue_terrain(land, "ocean_surface")].shoals =
        islands ? &shoals : NULL;
    *cat = *land;
    cat->terrains = terrains[islands];
    cat->oters = oters[islands];
    cat->terrain_count = cat->oter_count = count + 3;
    return cat;
}

static maker maker_of(uint64_t seed, bool islands)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = "coast";
    return maker_new(island_catalogue(islands), &options);
}

static const char *id_at(const ptl_chunk *chunk, int32_t x, int32_t y, int32_t z)
{
    return island_catalogue(true)->oters[ptl_chunk_oter(chunk, x, y, z)].id;
}

static bool is_island(const char *id)
{
    return strncmp(id, "shoals_", 7) == 0;
}

/* ---- what becomes an island ---- */

START_TEST(only_sea_becomes_islands)
{
    maker with = maker_of((uint64_t)_i, true), without = maker_of((uint64_t)_i, false);
    int islands = 0, beaches = 0;
    for (int32_t n = 0; n < 4; n++) {
        ptl_chunk *a = make(&with, 1 + n, 0, OCEANS), *b = make(&without, 1 + n, 0, OCEANS);
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            const int32_t x = i % SIZE, y = i / SIZE;
            const char *id = id_at(a, x, y, 0), *was = id_at(b, x, y, 0);
            const bool island = is_island(id);
            ck_assert(island || strcmp(id, was) == 0);
            ck_assert(!island || strncmp(was, "ocean_s", 7) == 0);
            /* A beach is what was shore, and an island what was not. */
            ck_assert(strcmp(id, "shoals_beach") != 0 || strcmp(was, "ocean_shore") == 0);
            ck_assert(strcmp(id, "shoals_island") != 0 || strcmp(was, "ocean_surface") == 0);
            islands += island;
            beaches += strcmp(id, "shoals_beach") == 0;
            for (int32_t z = -1; z >= PTL_Z_MIN; z--)
                ck_assert_str_eq(id_at(a, x, y, z), island ? "empty_rock" : id_at(b, x, y, z));
        }
        ptl_chunk_free(a);
        ptl_chunk_free(b);
    }
    ck_assert_int_gt(islands, 500);
    ck_assert_int_gt(beaches, 20);
    maker_free(&with);
    maker_free(&without);
}
END_TEST

static bool equal(const ptl_chunk *a, const ptl_chunk *b)
{
    static ptl_oter ca[PTL_LEVEL_CELLS], cb[PTL_LEVEL_CELLS];
    ptl_chunk_level(ca, a, 0);
    ptl_chunk_level(cb, b, 0);
    return memcmp(ca, cb, sizeof ca) == 0;
}

START_TEST(any_order_gives_the_same_islands)
{
    enum { CHUNKS = 6 };
    maker one = maker_of((uint64_t)_i, true), other = maker_of((uint64_t)_i, true);
    ptl_chunk *first[CHUNKS];
    for (int n = 0; n < CHUNKS; n++)
        first[n] = make(&one, 2 + n % 3, n / 3, GEN_STEPS_MAX);
    for (int n = CHUNKS - 1; n >= 0; n--) {
        ptl_chunk *again = make(&other, 2 + n % 3, n / 3, GEN_STEPS_MAX);
        ck_assert(equal(first[n], again));
        ptl_chunk_free(again);
        ptl_chunk_free(first[n]);
    }
    maker_free(&one);
    maker_free(&other);
}
END_TEST

/* ---- overmap and heights ---- */

static int land_cells(const coast *c, int64_t x, int64_t y)
{
    int16_t heights[CELLS];
    int land = 0;
    coast_omt_heights(heights, c, x, y);
    for (int i = 0; i < CELLS; i++)
        land += heights[i] >= COAST_FLOOR_FROM;
    return land;
}

/* Of what lies in the midst of the sea, where the plan is all that counts: where there is an
 * island more than half of the OMT is land, where there is none less, but for a few in which
 * points fell otherwise than on average. */
START_TEST(islands_are_where_heights_are_land)
{
    int islands = 0, agreed = 0, seas = 0, missed = 0;
    maker m = maker_of((uint64_t)_i, true);
    const coast_plan plan = {m.config->seed, &m.config->ocean};
    const coast c = coast_of_plan(&plan, &shoals);
    for (int32_t n = 0; n < 2; n++) {
        const int32_t cx = 5 + n;
        ptl_chunk *chunk = make(&m, cx, 0, OCEANS);
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            const int32_t x = i % SIZE, y = i / SIZE;
            const bool island = is_island(id_at(chunk, x, y, 0));
            coast_omt omt;
            coast_plan_omts(&plan, (coast_rect){(int64_t)cx * SIZE + x, y, 1, 1}, &omt);
            if (omt.kind == COAST_OPEN)
                ck_assert(!island || omt.share == 0); /* it may reach there */
            if (!island && omt.share == 0)
                continue;
            const bool land = land_cells(&c, (int64_t)cx * SIZE + x, y) > CELLS / 2;
            islands += island;
            agreed += island && land;
            seas += !island;
            missed += !island && land;
        }
        ptl_chunk_free(chunk);
    }
    ck_assert_int_gt(islands, 300);
    ck_assert_msg(agreed * 100 >= islands * 80, "%d of %d islands", agreed, islands);
    ck_assert_msg(missed * 100 <= seas * 8, "%d of %d seas", missed, seas);
    maker_free(&m);
}
END_TEST

/* ---- the plan ---- */

START_TEST(the_plan_is_the_noise)
{
    enum { WIDE = 60, HIGH = 20 };
    maker m = maker_of((uint64_t)_i, true);
    const coast_plan plan = {m.config->seed, &m.config->ocean};
    static coast_omt all[WIDE * HIGH];
    int kinds[COAST_KINDS] = {0};
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 40; n++) {
        const int64_t x0 = rng_range(&r, n < 30 ? 150 : 600, n < 30 ? 420 : 900);
        const int64_t y0 = rng_range(&r, -300, 300);
        coast_plan_omts(&plan, (coast_rect){x0, y0, WIDE, HIGH}, all);
        for (int32_t i = 0; i < WIDE * HIGH; i++) {
            const int64_t x = x0 + i % WIDE, y = y0 + i / WIDE;
            coast_omt one;
            int sea = 0;
            coast_plan_omts(&plan, (coast_rect){x, y, 1, 1}, &one);
            ck_assert_int_eq(one.kind, all[i].kind);
            ck_assert_int_eq(one.share, all[i].share);
            for (int64_t v = y - 1; v <= y + 1; v++)
                for (int64_t u = x - 1; u <= x + 1; u++)
                    sea += ocean_at(plan.ocean, u, v);
            const coast_kind expected = !ocean_at(plan.ocean, x, y) ? COAST_LAND
                                        : sea < 9                   ? COAST_SHORE
                                        : one.share > 0             ? COAST_SEA
                                                                    : COAST_OPEN;
            ck_assert_int_eq(one.kind, expected);
            kinds[expected]++;
        }
    }
    ck_assert_int_gt(kinds[COAST_OPEN], 30);
    ck_assert_int_gt(kinds[COAST_SEA], 30);
    ck_assert_int_gt(kinds[COAST_LAND], 30);
    ck_assert_int_gt(kinds[COAST_SHORE], 0);
    maker_free(&m);
}
END_TEST

START_TEST(what_the_overmap_has_otherwise)
{
    for (int kind = 0; kind < COAST_KINDS; kind++) {
        ck_assert_int_eq(coast_actual((coast_kind)kind, false), COAST_LAND);
        ck_assert_int_eq(coast_actual((coast_kind)kind, true),
                         kind == COAST_LAND ? COAST_SHORE : (coast_kind)kind);
    }
}
END_TEST

/* ---- samples ---- */

/* What the points of a hill raise around samples, added up; the hill's samples themselves. */
static void add_hill(const coast_hill *h, rng *r, double *said, double *drawn)
{
    enum { DRAWN = 60, WIDE = 3 * COAST_SIDE };
    static int32_t sums[WIDE * WIDE], samples[COAST_SAMPLE_ROWS][3 * COAST_SAMPLES];
    int32_t *rows[COAST_SAMPLE_ROWS];
    memset(sums, 0, sizeof sums);
    memset(samples, 0, sizeof samples);
    for (int k = 0; k < COAST_SAMPLE_ROWS; k++)
        rows[k] = samples[k];
    for (int i = 0; i < DRAWN * h->points; i++) {
        const int32_t away = rng_range(r, 0, h->radius);
        const offset o = offset_at(away, rng_range(r, 0, DEGREES - 1));
        const int32_t x = COAST_SIDE + h->x + o.x, y = COAST_SIDE + h->y + o.y;
        const int32_t amount = rng_range(r, h->low, h->high);
        if (x >= 0 && y >= 0 && x < WIDE && y < WIDE)
            sums[y * WIDE + x] += amount;
    }
    coast_samples_raise(rows, 3, h, 1);
    for (int i = 0; i < COAST_SAMPLE_ROWS * 3 * COAST_SAMPLES; i++) {
        const int v = i / (3 * COAST_SAMPLES), u = i % (3 * COAST_SAMPLES);
        const int x = u / COAST_SAMPLES * COAST_SIDE + coast_sample_cells[u % COAST_SAMPLES];
        const int y = v / COAST_SAMPLES * COAST_SIDE + coast_sample_cells[v % COAST_SAMPLES];
        const int dx = x - COAST_SIDE - h->x, dy = y - COAST_SIDE - h->y;
        /* Beyond the radius there is nothing, on either side; the middle is too steep. */
        if (dx * dx + dy * dy > h->radius * h->radius) {
            ck_assert_int_eq(samples[v][u], 0);
            ck_assert_int_eq(sums[y * WIDE + x], 0);
            continue;
        }
        ck_assert_int_gt(samples[v][u], 0);
        if (dx * dx + dy * dy > 2) {
            *said += samples[v][u];
            *drawn += (double)sums[y * WIDE + x] / DRAWN;
        }
    }
}

/* Over hills of a radius at many places the samples are what points raise there, within three
 * tenths: offsets are cut towards the middle. */
START_TEST(samples_are_means)
{
    rng r = rng_from_key((uint64_t)_i);
    double said = 0, drawn = 0;
    for (int n = 0; n < 400; n++) {
        const int32_t x = rng_range(&r, -7, 30), y = rng_range(&r, -7, 30);
        const coast_hill h = {
            .x = x, .y = y, .points = 50, .radius = _i, .low = 80, .high = 110};
        add_hill(&h, &r, &said, &drawn);
    }
    ck_assert_msg(said > 0.8 * drawn && said < 1.3 * drawn, "%.0f, drawn %.0f", said, drawn);
}
END_TEST

/* Two columns of OMTs have what six have in their middle, of hills in all columns that reach
 * there. */
START_TEST(samples_at_the_ends_are_the_same)
{
    enum { TWO = 2 * COAST_SAMPLES, SIX = 6 * COAST_SAMPLES };
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 300; n++) {
        int32_t two[COAST_SAMPLE_ROWS][TWO] = {{0}}, six[COAST_SAMPLE_ROWS][SIX] = {{0}};
        int32_t *of_two[COAST_SAMPLE_ROWS], *of_six[COAST_SAMPLE_ROWS];
        for (int k = 0; k < COAST_SAMPLE_ROWS; k++) {
            of_two[k] = two[k];
            of_six[k] = six[k];
        }
        const int32_t x = rng_range(&r, -10, 33), y = rng_range(&r, -10, 33);
        const coast_hill h = {
            .x = x, .y = y, .points = 50, .radius = _i, .low = 80, .high = 110};
        const int32_t column = rng_range(&r, -1, 2);
        coast_samples_raise(of_two, 2, &h, column);
        coast_samples_raise(of_six, 6, &h, column + 2);
        for (int k = 0; k < COAST_SAMPLE_ROWS; k++)
            ck_assert(memcmp(two[k], &six[k][2 * COAST_SAMPLES], sizeof two[k]) == 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("islands");
    TCase *t = tcase_create("islands");
    const int seeds = getenv("PORTOLAN_QUICK") ? 2 : SEEDS;
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, only_sea_becomes_islands, 0, seeds);
    tcase_add_loop_test(t, any_order_gives_the_same_islands, 0, 2);
    tcase_add_loop_test(t, islands_are_where_heights_are_land, 0, seeds);
    tcase_add_loop_test(t, the_plan_is_the_noise, 0, seeds);
    tcase_add_test(t, what_the_overmap_has_otherwise);
    tcase_add_loop_test(t, samples_are_means, 3, 11);
    tcase_add_loop_test(t, samples_at_the_ends_are_the_same, 2, 11);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
