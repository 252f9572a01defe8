/* Rule quota: amounts, spacing, spread over cities, order, and where the draws fall. */
#include "unit/gen/specials/rules_scene.h"

#include "gen/mutable/growth.h"
#include "support/seeds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rules_scene scene;

/* [0, 5] on bare land is uniform in 0..5 rounded by chance; with four fifths of it, in 0..4. */
static void check_amounts(int32_t water_rows, double rate)
{
    const int chunks = 800;
    double sum = 0;
    int counts[6] = {0};
    scene_setup(&scene, 3, PTL_PLACEMENT_QUOTA);
    cat_special *s = scene_special(&scene, "five", 2, 2, 0, 5);
    scene_open(&scene);
    for (int i = 0; i < chunks; i++) {
        scene_chunk(&scene, i, -i);
        if (water_rows > 0)
            scene_fill(&scene, "lake_surface", 0, 0, SIZE - 1, water_rows - 1);
        scene_run(&scene);
        const gen_attempt *a = scene_attempt(&scene, s);
        const int32_t placed = scene_placed(&scene, s);
        ck_assert_int_le(placed, 5);
        ck_assert_int_eq(a ? a->asked : 0, placed);
        counts[placed]++;
        sum += placed;
    }
    /* the share of v: of a triangle around it, cut off at the ends */
    const double most = 5 * rate;
    for (int v = 0; v <= 5; v++) {
        double share = 0;
        for (int i = 0; i < 1000; i++)
            share += fmax(0, 1 - fabs((i + 0.5) / 1000 * most - v)) / 1000;
        const double sigma = sqrt(share * (1 - share) * chunks) + 0.5;
        ck_assert_msg(fabs(counts[v] - share * chunks) < 4.5 * sigma,
                      "rate %g: %d of %d chunks have %d, expected %g", rate, counts[v], chunks,
                      v, share * chunks);
    }
    ck_assert_double_eq_tol(sum / chunks, most / 2, 0.27);
    scene_close(&scene);
}

START_TEST(amounts)
{
    check_amounts(0, 1);
    check_amounts(SIZE / 5, 0.8);
}
END_TEST

START_TEST(density_and_minimum)
{
    int32_t dense = 0;
    scene_setup(&scene, 4, PTL_PLACEMENT_QUOTA);
    scene.options.specials_density = 0.1;
    cat_special *s = scene_special(&scene, "six", 1, 1, 0, 60);
    cat_special *least = scene_special(&scene, "least", 3, 1, 4, 6);
    scene_open(&scene);
    for (int i = 0; i < 200; i++) {
        scene_chunk(&scene, i, 2);
        scene_run(&scene);
        ck_assert_int_le(scene_placed(&scene, s), 6);
        ck_assert_int_eq(scene_placed(&scene, least), 4); /* 6 tenths are less than that */
        ck_assert_uint_eq(scene_events(&scene, "unmet_minimum"), 0);
        dense += scene_placed(&scene, s);
    }
    ck_assert_double_eq_tol(dense / 200.0, 3, 0.5);
    scene_close(&scene);
}
END_TEST

/* More than there is room for: the ratio goes down, the minimum stays and is unmet. */
START_TEST(crowded)
{
    scene_setup(&scene, 5, PTL_PLACEMENT_QUOTA);
    cat_special *s = scene_special(&scene, "many", 10, 10, 0, 400);
    cat_special *more = scene_special(&scene, "more", 1, 1, 700, 700);
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_run(&scene);
    const double need = (256.0 * 200 + 49.0 * 700), rate = 32400 / need;
    ck_assert_int_le(scene_attempt(&scene, s)->asked, (int32_t)(400 * rate) + 1);
    ck_assert_int_eq(scene_attempt(&scene, more)->asked, 700);
    ck_assert_int_lt(scene_placed(&scene, more), 700);
    ck_assert_int_gt(scene_placed(&scene, more), 50);
    ck_assert_uint_eq(scene_events(&scene, "unmet_minimum"), 1);
    scene_close(&scene);
}
END_TEST

/* How crowded it is follows from what comes on average, not from the most that may come: [0,
 * 400] need 200 times 256 cells, so that 0.63 of it are asked for. */
START_TEST(crowded_by_the_average)
{
    enum { CHUNKS = 60 };
    const double rate = 32400 / (256.0 * 200);
    double sum = 0;
    scene_setup(&scene, 15, PTL_PLACEMENT_QUOTA);
    cat_special *s = scene_special(&scene, "many", 10, 10, 0, 400);
    scene_open(&scene);
    for (int i = 0; i < CHUNKS; i++) {
        scene_chunk(&scene, i, 1);
        scene_run(&scene);
        const gen_attempt *a = scene_attempt(&scene, s);
        sum += a ? a->asked : 0;
        ck_assert_int_le(a ? a->asked : 0, (int32_t)(400 * rate) + 1);
    }
    /* uniform in 0..253: 73 is its deviation */
    ck_assert_double_eq_tol(sum / CHUNKS, 200 * rate, 4.5 * 73 / sqrt(CHUNKS));
    scene_close(&scene);
}
END_TEST

/* How many are asked for in so many chunks: the sum, and the most. */
static double asked(const cat_special *s, int chunks, const char *ground, int32_t rows,
                    int32_t *most)
{
    double sum = 0;
    *most = 0;
    for (int i = 0; i < chunks; i++) {
        scene_chunk(&scene, i, 3);
        if (rows > 0)
            scene_fill(&scene, ground, 0, 0, SIZE - 1, rows - 1);
        scene_run(&scene);
        const gen_attempt *a = scene_attempt(&scene, s);
        sum += a ? a->asked : 0;
        *most = a && a->asked > *most ? a->asked : *most;
    }
    return sum;
}

/* Large ones that come once in a hundred chunks crowd nobody out: thirty of them need, spaced,
 * half again as much as a chunk has, and a hundredth of that on average. */
START_TEST(rare_ones_need_little)
{
    static char ids[30][8];
    int32_t most;
    scene_setup(&scene, 17, PTL_PLACEMENT_QUOTA);
    scene.options.specials_spacing = 30;
    for (int i = 0; i < 30; i++) {
        snprintf(ids[i], sizeof ids[i], "r%d", i);
        scene_special(&scene, ids[i], 11, 11, 1, 100)->flags = PTL_SPECIAL_UNIQUE;
    }
    cat_special *s = scene_special(&scene, "often", 1, 1, 0, 20);
    scene_open(&scene);
    const double sum = asked(s, 100, NULL, 0, &most);
    ck_assert_int_ge(most, 18);
    ck_assert_double_eq_tol(sum / 100, 10, 4.5 * 6 / 10);
    scene_close(&scene);
}
END_TEST

/* What lies below the ground has neither lakes nor rivers above it. */
START_TEST(below_rivers_there_is_less)
{
    static const char *const waters[] = {"river_center", "lake_surface"};
    for (int i = 0; i < 2; i++) {
        int32_t most;
        scene_setup(&scene, 18, PTL_PLACEMENT_QUOTA);
        cat_special *s = scene_special(&scene, "deep", 1, 1, 0, 20);
        scene.omts[scene.omt_count - 1].z = -1;
        scene_open(&scene);
        ck_assert_int_ge(scene.gen->rules->facts[s - scene.specials].zone, ZONE_UNDER);
        (void)asked(s, 60, NULL, 0, &most);
        ck_assert_int_ge(most, 17);
        (void)asked(s, 60, waters[i], SIZE / 2, &most);
        ck_assert_int_ge(most, 7);
        ck_assert_int_le(most, 11);
        scene_close(&scene);
    }
}
END_TEST

/* Where a special is counted: by its flags, by the water that it takes, else by its levels. */
START_TEST(zones_of_specials)
{
    scene_setup(&scene, 19, PTL_PLACEMENT_QUOTA);
    cat_special *land = scene_special(&scene, "land", 2, 1, 0, 1);
    cat_special *lake = scene_special(&scene, "lake", 2, 1, 0, 1);
    cat_special *river = scene_special(&scene, "river", 2, 1, 0, 1);
    cat_special *ford = scene_special(&scene, "ford", 2, 1, 0, 1);
    scene.omts[scene.omt_count - 1].allows = scene_location(&scene, "water");
    cat_special *deep = scene_special(&scene, "deep", 1, 1, 0, 1);
    scene.omts[scene.omt_count - 1].z = -2;
    cat_special *cellar = scene_special(&scene, "cellar", 2, 1, 0, 1);
    scene.omts[scene.omt_count - 1].z = -2;
    /* What is nested counts where it comes to lie. */
    cat_special *vault = scene_special(&scene, "vault", 1, 1, 0, 1);
    scene.omts[scene.omt_count - 1].z = -2;
    cat_special *tower = scene_special(&scene, "tower", 1, 1, 0, 1);
    scene.omts[scene.omt_count - 1].z = -2;
    const cat_nested below[] = {{.z = -3, .special = scene.first}},
                     above[] = {{.z = 0, .special = scene.first}};
    vault->nested = below;
    tower->nested = above;
    vault->nested_count = tower->nested_count = 1;
    lake->flags = PTL_SPECIAL_LAKE;
    river->flags = PTL_SPECIAL_RIVER;
    scene_open(&scene);
    const struct {
        const cat_special *special;
        int zone, area;
    } wanted[] = {{land, ZONE_LAND, 2},   {lake, ZONE_LAKE, 2},  {river, ZONE_RIVER, 2},
                  {ford, ZONE_RIVER, 2},  {deep, ZONE_UNDER, 1}, {cellar, ZONE_LAND, 1},
                  {vault, ZONE_UNDER, 3}, {tower, ZONE_LAND, 2}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const rule_facts *f = &scene.gen->rules->facts[wanted[i].special - scene.specials];
        ck_assert_msg(f->zone == wanted[i].zone && f->area == wanted[i].area, "%s: %d, %d",
                      wanted[i].special->id, (int)f->zone, (int)f->area);
    }
    scene_close(&scene);
}
END_TEST

/* What does not grow is tried at sixteen origins with all draws, then once at each of nearly
 * all others, as far as the bound of work goes; and then no more is asked. */
START_TEST(origins_tried)
{
    enum { FIRST = 16 * GROWTH_DRAWS, LEAST_WORK = GROWTH_WORK_BEGUN + 1 };
    scene_setup(&scene, 16, PTL_PLACEMENT_QUOTA);
    cat_special *s = scene_mutable(&scene, "vine", 3, 3);
    scene_open(&scene);
    for (int i = 0; i < 2; i++) { /* the bound is one of each chunk */
        scene_chunk(&scene, 1, i);
        scene_far_wood(&scene);
        scene_run(&scene);
        const gen_attempt *a = scene_attempt(&scene, s);
        ck_assert_int_eq(a->asked, 3);
        ck_assert_int_eq(a->placed, 0);
        ck_assert_int_gt(a->failed - FIRST, 20000);
        ck_assert_int_lt(a->failed, (int32_t)(GROWTH_WORK_UNDONE / LEAST_WORK));
    }
    scene_close(&scene);
}
END_TEST

/* Least distance between origins: chebyshev, of all pairs. */
static int32_t least_gap(void)
{
    const gen_features *f = &scene.gen->features;
    int32_t least = SIZE;
    for (size_t i = 0; i < f->placement_count; i++)
        for (size_t k = 0; k < i; k++) {
            const int32_t dx = abs(f->placements[i].x - f->placements[k].x);
            const int32_t dy = abs(f->placements[i].y - f->placements[k].y);
            const int32_t gap = dx > dy ? dx : dy;
            least = gap < least ? gap : least;
        }
    return least;
}

static void check_spacing(int32_t spacing, int32_t expected)
{
    scene_setup(&scene, 6, PTL_PLACEMENT_QUOTA);
    scene.options.specials_spacing = spacing;
    cat_special *s = scene_special(&scene, "dot", 1, 1, 3000, 3000);
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_fill(&scene, "forest", 0, 60, SIZE - 1, SIZE - 1);
    scene_run(&scene);
    ck_assert_int_eq(least_gap(), expected);
    /* nothing more would fit */
    const int32_t side = 2 * (spacing > 0 ? spacing : 0) + 1;
    const int32_t rows = 59, columns = SIZE - 2;
    ck_assert_int_ge(scene_placed(&scene, s) * side * side,
                     scene_placed(&scene, s) == 3000 ? 0 : rows * columns);
    scene_close(&scene);
}

START_TEST(spacing)
{
    check_spacing(-1, 1);
    check_spacing(0, 1);
    check_spacing(1, 2);
    check_spacing(6, 7);
}
END_TEST

/* Spacing is counted from the whole footprint, along its bounding box. */
START_TEST(spacing_of_large_ones)
{
    scene_setup(&scene, 7, PTL_PLACEMENT_QUOTA);
    cat_special *large = scene_special(&scene, "large", 12, 4, 5, 5);
    cat_special *dot = scene_special(&scene, "dot", 1, 1, 900, 900);
    large->rotate = false;
    scene_open(&scene);
    scene_chunk(&scene, 3, 0);
    scene_run(&scene);
    ck_assert_int_eq(scene_placed(&scene, large), 5);
    const gen_features *f = &scene.gen->features;
    int near = 0, close = 0;
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 5; k < f->placement_count; k++) {
            const int32_t dx = f->placements[k].x - f->placements[i].x;
            const int32_t dy = f->placements[k].y - f->placements[i].y;
            near += dx >= -6 && dx <= 11 + 6 && dy >= -6 && dy <= 3 + 6;
            close += dx >= -7 && dx <= 11 + 7 && dy >= -7 && dy <= 3 + 7;
        }
    ck_assert_int_eq(near, 0);
    ck_assert_int_gt(close, 0);
    ck_assert_ptr_nonnull(dot);
    scene_close(&scene);
}
END_TEST

/* Specials below the ground and on it do not keep one another off. */
START_TEST(zones_are_apart)
{
    scene_setup(&scene, 8, PTL_PLACEMENT_QUOTA);
    cat_special *deep = scene_special(&scene, "deep", 1, 1, 400, 400);
    cat_special *high = scene_special(&scene, "high", 1, 1, 400, 400);
    scene.omts[0].z = -2;
    scene.omts[0].allows = scene_location(&scene, "subterranean");
    deep->z0 = deep->z1 = -2;
    scene.options.specials_spacing = 3;
    scene_open(&scene);
    ck_assert_int_eq(scene.gen->rules->facts[scene.first].zone, ZONE_UNDER);
    ck_assert_int_eq(scene.gen->rules->facts[scene.first + 1].zone, ZONE_LAND);
    scene_chunk(&scene, 3, 0);
    scene_run(&scene);
    ck_assert_int_eq(scene_placed(&scene, deep), 400); /* it keeps one cell each */
    ck_assert_int_gt(scene_placed(&scene, high), 300);
    scene_close(&scene);
}
END_TEST

/* Amounts spread over the cities that match. */
START_TEST(spread_over_cities)
{
    for (int i = 0; i < 40; i++) {
        scene_setup(&scene, (uint64_t)i, PTL_PLACEMENT_QUOTA);
        cat_special *s = scene_special(&scene, "three", 1, 1, 3, 3);
        cat_special *five = scene_special(&scene, "five", 2, 1, 5, 5);
        s->city_sizes = five->city_sizes = (ptl_range){4, PTL_UNBOUNDED};
        s->city_distance = five->city_distance = (ptl_range){1, 12};
        scene_open(&scene);
        scene_chunk(&scene, i, 0);
        scene_city(&scene, 40, 40, 6);
        scene_city(&scene, 100, 90, 2); /* too small */
        scene_city(&scene, 140, 140, 9);
        scene_run(&scene);
        int32_t near[3] = {0}, near_five[3] = {0};
        const gen_features *f = &scene.gen->features;
        for (size_t k = 0; k < f->placement_count; k++) {
            ck_assert_int_ge(f->placements[k].city, 0);
            (f->placements[k].omts == 1 ? near : near_five)[f->placements[k].city]++;
        }
        ck_assert_int_eq(near[0] + near[2], 3);
        ck_assert_int_le(near[0], 2);
        ck_assert_int_le(near[2], 2);
        ck_assert_int_eq(near_five[0] + near_five[2], 5);
        ck_assert_int_le(near_five[0], 3);
        ck_assert_int_le(near_five[2], 3);
        scene_close(&scene);
    }
}
END_TEST

/* What fits anywhere is placed: one cell in the whole chunk. */
START_TEST(one_origin)
{
    scene_setup(&scene, 9, PTL_PLACEMENT_QUOTA);
    cat_special *s = scene_special(&scene, "rare", 2, 3, 1, 1);
    scene_open(&scene);
    for (int i = 0; i < 20; i++) {
        scene_chunk(&scene, i, 0);
        scene_fill(&scene, "forest", 0, 0, SIZE - 1, SIZE - 1);
        scene_fill(&scene, "field", 5 * i + 20, 3 * i + 50, 5 * i + 22, 3 * i + 51);
        scene_run(&scene);
        ck_assert_int_eq(scene_placed(&scene, s), 1);
        const gen_attempt *a = scene_attempt(&scene, s);
        ck_assert_int_eq(a->ground, 2); /* turned to the east and to the west */
        ck_assert_int_eq(a->linked, 2);
        ck_assert_int_eq(a->city, 2);
        ck_assert_int_eq(a->room, 2);
        ck_assert_int_eq(a->placed, 1);
    }
    scene_close(&scene);
}
END_TEST

/* Origins in n cells; chi-square with n - 1 degrees: mean n - 1, sigma sqrt(2 (n - 1)). */
static void check_uniform(int32_t width, int32_t height, int rounds)
{
    const int32_t n = width * height;
    int *hits = calloc((size_t)n, sizeof *hits);
    double chi = 0;
    ck_assert_ptr_nonnull(hits);
    scene_setup(&scene, 10, PTL_PLACEMENT_QUOTA);
    scene_special(&scene, "dot", 1, 1, 1, 1);
    scene_open(&scene);
    for (int i = 0; i < rounds; i++) {
        scene_chunk(&scene, i % 100, i / 100);
        scene_fill(&scene, "forest", 0, 0, SIZE - 1, SIZE - 1);
        scene_fill(&scene, "field", 50, 60, 49 + width, 59 + height);
        scene_run(&scene);
        const gen_placement *p = &scene.gen->features.placements[0];
        ck_assert_uint_eq(scene.gen->features.placement_count, 1);
        hits[(p->y - 60) * width + p->x - 50]++;
    }
    for (int32_t i = 0; i < n; i++) {
        const double expected = (double)rounds / n;
        chi += (hits[i] - expected) * (hits[i] - expected) / expected;
    }
    ck_assert_msg(chi < n - 1 + 4.5 * sqrt(2.0 * (n - 1)), "%d cells: chi-square %g", n, chi);
    free(hits);
    scene_close(&scene);
}

START_TEST(uniform_origins)
{
    check_uniform(4, 5, 1000);
    check_uniform(40, 30, 2000); /* so many cells are found by throwing darts */
}
END_TEST

/* The largest comes first, at (0, 0) the endgame, and higher priorities before all. */
START_TEST(order)
{
    scene_setup(&scene, 11, PTL_PLACEMENT_QUOTA);
    cat_special *small = scene_special(&scene, "a small", 1, 1, 1, 1);
    cat_special *end = scene_special(&scene, "end", 2, 1, 1, 1);
    cat_special *large = scene_special(&scene, "large", 3, 3, 1, 1);
    cat_special *less = scene_special(&scene, "less", 8, 1, 1, 1);
    cat_special *urgent = scene_special(&scene, "urgent", 1, 1, 1, 1);
    end->flags = PTL_SPECIAL_ENDGAME;
    urgent->priority = 2;
    const cat_special *const away[] = {urgent, large, less, end, small};
    const cat_special *const centre[] = {end, urgent, large, less, small};
    scene_open(&scene);
    for (int i = 0; i < 2; i++) {
        scene_chunk(&scene, i, 0);
        scene_run(&scene);
        for (int k = 0; k < 5; k++)
            ck_assert_str_eq(scene.specials[scene.gen->features.placements[k].special].id,
                             (i == 0 ? centre : away)[k]->id);
    }
    scene_close(&scene);
}
END_TEST

/* One that was placed may open ground for another of its kind: `existing` here needs what the
 * first ones bring. */
START_TEST(follows_what_was_placed)
{
    scene_setup(&scene, 12, PTL_PLACEMENT_QUOTA);
    cat_special *s = scene_special(&scene, "chain", 1, 1, 30, 30);
    static uint64_t parks[4];
    const uint16_t park = catalogue_terrain(&scene.cat, "park");
    parks[park / 64] = UINT64_C(1) << park % 64;
    static cat_link link;
    link = (cat_link){.x = 1,
                      .direction = 1,
                      .existing = true,
                      .connection = catalogue_connection(&scene.cat, "local_road"),
                      .carries = parks};
    s->links = &link;
    s->link_count = 1;
    scene.options.specials_spacing = -1;
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_fill(&scene, "park", 100, 100, 100, 100);
    scene_run(&scene);
    ck_assert_int_eq(scene_attempt(&scene, s)->room, 4);
    ck_assert_int_eq(scene_placed(&scene, s), 30);
    scene_close(&scene);
}
END_TEST

TCase *rules_quota_case(void)
{
    TCase *tests = tcase_create("quota");
    tcase_add_test(tests, amounts);
    tcase_add_test(tests, density_and_minimum);
    tcase_add_test(tests, crowded);
    tcase_add_test(tests, crowded_by_the_average);
    tcase_add_test(tests, origins_tried);
    tcase_add_test(tests, zones_of_specials);
    tcase_add_test(tests, rare_ones_need_little);
    tcase_add_test(tests, below_rivers_there_is_less);
    tcase_add_test(tests, spacing);
    tcase_add_test(tests, spacing_of_large_ones);
    tcase_add_test(tests, zones_are_apart);
    tcase_add_test(tests, spread_over_cities);
    tcase_add_test(tests, one_origin);
    tcase_add_test(tests, uniform_origins);
    tcase_add_test(tests, order);
    tcase_add_test(tests, follows_what_was_placed);
    return tests;
}
