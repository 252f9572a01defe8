/* Rule sectors: one special a sector, uniform among those that fit, minima first. */
#include "unit/gen/specials/rules_scene.h"

#include "gen/mutable/growth.h"
#include "gen/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 144 };

static rules_scene scene;

static int32_t sector_of(const gen_placement *p)
{
    return p->y / SECTOR_SIZE * SECTORS_ALONG + p->x / SECTOR_SIZE;
}

/* How many sectors have more than one origin, and how many have one. */
static int32_t shared_sectors(int32_t *used)
{
    int32_t count[ALL] = {0}, shared = 0;
    *used = 0;
    for (size_t i = 0; i < scene.gen->features.placement_count; i++)
        count[sector_of(&scene.gen->features.placements[i])]++;
    for (int i = 0; i < ALL; i++) {
        shared += count[i] > 1;
        *used += count[i] > 0;
    }
    return shared;
}

START_TEST(one_in_a_sector)
{
    int32_t used;
    scene_setup(&scene, 1, PTL_PLACEMENT_SECTORS);
    cat_special *a = scene_special(&scene, "a", 1, 1, 0, 1000);
    cat_special *b = scene_special(&scene, "b", 2, 3, 0, 20);
    scene_open(&scene);
    for (int i = 0; i < 30; i++) {
        scene_chunk(&scene, i, 0);
        scene_run(&scene);
        ck_assert_int_eq(shared_sectors(&used), 0);
        ck_assert_int_eq(used, ALL); /* whatever fits is found, in every sector */
        ck_assert_int_eq(scene_placed(&scene, b), 20);
        ck_assert_int_eq(scene_placed(&scene, a), ALL - 20);
        ck_assert_int_eq(scene_attempt(&scene, a)->room, ALL);
        ck_assert_int_eq(scene_attempt(&scene, b)->asked, 20);
    }
    scene_close(&scene);
}
END_TEST

/* Counts where growths begin. */
static void note_origin(void *payload, const gen_growth_step *step)
{
    int *tried = payload;
    if (step->event == PTL_GROWTH_BEGINS)
        tried[step->y * SIZE + step->x]++;
}

/* In a sector sixteen origins of what does not grow are tried with all draws, and each other
 * one once; when too much was undone the sectors that are left have none. */
START_TEST(origins_tried)
{
    static int tried[SIZE * SIZE];
    int32_t whole[ALL] = {0}, once[ALL] = {0}, sectors = 0;
    scene_setup(&scene, 16, PTL_PLACEMENT_SECTORS);
    cat_special *s = scene_mutable(&scene, "vine", 0, 3);
    scene_open(&scene);
    scene_chunk(&scene, 1, 1);
    scene_far_wood(&scene);
    const gen_trace trace = {
        .payload = tried, .special = scene.first, .on_growth = note_origin};
    generator_trace(scene.gen, &trace);
    scene_run(&scene);
    generator_trace(scene.gen, NULL);
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        const int32_t sector = i / SIZE / SECTOR_SIZE * SECTORS_ALONG + i % SIZE / SECTOR_SIZE;
        whole[sector] += tried[i] == GROWTH_DRAWS;
        once[sector] += tried[i] == 1;
    }
    for (int32_t i = 0; i < ALL; i++) {
        ck_assert_int_le(whole[i], 16);
        ck_assert(once[i] == 0 || whole[i] == 16);
        sectors += once[i] > 150;
    }
    ck_assert_int_ge(sectors, 20);
    ck_assert_int_lt(sectors, ALL);
    ck_assert_int_eq(scene_attempt(&scene, s)->placed, 0);
    scene_close(&scene);
}
END_TEST

/* With --compat a sector has ten tries: of what fits in a fifteenth of its cells that is enough
 * for 1 - (14 / 15)^10 of the sectors. */
START_TEST(ten_tries)
{
    enum { CHUNKS = 40 };
    const double share = 1 - pow(14.0 / 15, 10);
    int32_t placed = 0;
    scene_setup(&scene, 21, PTL_PLACEMENT_SECTORS);
    scene.options.compat = true;
    cat_special *s = scene_special(&scene, "dot", 1, 1, 0, 1000);
    scene_open(&scene);
    for (int i = 0; i < CHUNKS; i++) {
        scene_chunk(&scene, i, 0);
        scene_fill(&scene, "forest", 0, 0, SIZE - 1, SIZE - 1);
        for (int32_t y = 7; y < SIZE; y += SECTOR_SIZE)
            scene_fill(&scene, "field", 0, y, SIZE - 1, y);
        scene_run(&scene);
        placed += scene_placed(&scene, s);
    }
    /* nine tries would be 0.463, eleven 0.532 */
    ck_assert_double_eq_tol((double)placed / (CHUNKS * ALL), share, 0.017);
    scene_close(&scene);
}
END_TEST

/* Eight equal ones share the sectors equally; within a sector every cell is as likely. */
START_TEST(uniform)
{
    enum { KINDS = 8, CHUNKS = 40 };
    static const char *const ids[KINDS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    int kinds[KINDS] = {0}, cells[SECTOR_SIZE * SECTOR_SIZE] = {0}, in_cells = 0;
    double chi = 0, chi_cells = 0;
    scene_setup(&scene, 2, PTL_PLACEMENT_SECTORS);
    for (int i = 0; i < KINDS; i++)
        scene_special(&scene, ids[i], 1, 1, 0, ALL);
    scene_open(&scene);
    for (int i = 0; i < CHUNKS; i++) {
        scene_chunk(&scene, i, 5);
        scene_run(&scene);
        for (size_t k = 0; k < scene.gen->features.placement_count; k++) {
            const gen_placement *p = &scene.gen->features.placements[k];
            const int32_t s = sector_of(p);
            kinds[p->special - scene.first]++;
            if (s / 12 == 0 || s / 12 == 11 || s % 12 == 0 || s % 12 == 11)
                continue; /* the border takes cells from these */
            cells[p->y % SECTOR_SIZE * SECTOR_SIZE + p->x % SECTOR_SIZE]++;
            in_cells++;
        }
    }
    for (int i = 0; i < KINDS; i++) {
        const double expected = ALL * CHUNKS / (double)KINDS;
        chi += (kinds[i] - expected) * (kinds[i] - expected) / expected;
    }
    for (int i = 0; i < SECTOR_SIZE * SECTOR_SIZE; i++) {
        const double expected = in_cells / 225.0;
        chi_cells += (cells[i] - expected) * (cells[i] - expected) / expected;
    }
    ck_assert_msg(chi < 7 + 4.5 * sqrt(14), "chi-square of kinds %g", chi);
    ck_assert_msg(chi_cells < 224 + 4.5 * sqrt(448), "chi-square of cells %g", chi_cells);
    scene_close(&scene);
}
END_TEST

/* Those below their minimum come first; what can't be met is an event. */
START_TEST(minima_first)
{
    scene_setup(&scene, 3, PTL_PLACEMENT_SECTORS);
    cat_special *rare = scene_special(&scene, "rare", 1, 1, 3, 3);
    cat_special *unmet = scene_special(&scene, "unmet", 1, 1, 5, 9);
    static const char *const ids[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"};
    for (int i = 0; i < 9; i++)
        scene_special(&scene, ids[i], 1, 1, 0, ALL);
    for (int i = 0; i < 2; i++)
        scene.omts[i].allows = scene_location(&scene, "wood");
    scene_open(&scene);
    for (int i = 0; i < 30; i++) {
        scene_chunk(&scene, i, 0);
        for (int k = 0; k < 7; k++) /* wood in seven sectors, for 3 and then 5 */
            scene_fill(&scene, "forest", 31 + 15 * k, 31, 33 + 15 * k, 33);
        scene_run(&scene);
        const int32_t some = scene_placed(&scene, rare), others = scene_placed(&scene, unmet);
        ck_assert_int_eq(some + others, 7);
        ck_assert_int_le(some, 3);
        ck_assert_int_le(others, 5);
        ck_assert_uint_eq(scene_events(&scene, "unmet_minimum"),
                          (size_t)(some < 3) + (others < 5));
        ck_assert_uint_eq(scene.gen->features.placement_count, ALL);
    }
    scene_close(&scene);
}
END_TEST

/* A higher priority is taken wherever it fits. */
START_TEST(priority)
{
    scene_setup(&scene, 4, PTL_PLACEMENT_SECTORS);
    cat_special *low = scene_special(&scene, "low", 1, 1, 0, ALL);
    cat_special *high = scene_special(&scene, "high", 1, 1, 0, ALL);
    high->priority = 1;
    low->priority = -1;
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_fill(&scene, "forest", 0, 0, 89, SIZE - 1);
    scene_run(&scene);
    ck_assert_int_eq(scene_placed(&scene, high), ALL / 2);
    ck_assert_int_eq(scene_placed(&scene, low), 0);
    scene_close(&scene);
}
END_TEST

/* With compat ten points are tried: of a sector with one fit cell, one in 23 is found. */
START_TEST(ten_points)
{
    int32_t found = 0, used;
    scene_setup(&scene, 5, PTL_PLACEMENT_SECTORS);
    scene.options.compat = true;
    cat_special *s = scene_special(&scene, "dot", 1, 1, 0, ALL);
    scene_open(&scene);
    for (int i = 0; i < 30; i++) {
        scene_chunk(&scene, i, 0);
        scene_fill(&scene, "forest", 0, 0, SIZE - 1, SIZE - 1);
        for (int k = 0; k < ALL; k++)
            scene_fill(&scene, "field", k % 12 * 15 + 4, k / 12 * 15 + 9, k % 12 * 15 + 4,
                       k / 12 * 15 + 9);
        scene_run(&scene);
        ck_assert_int_eq(shared_sectors(&used), 0);
        found += scene_placed(&scene, s);
    }
    const double share = 1 - pow(224 / 225.0, 10), n = 30.0 * ALL;
    ck_assert_double_eq_tol(found / n, share, 4.5 * sqrt(share * (1 - share) / n));
    scene_close(&scene);
}
END_TEST

/* Cities: the nearest one must match. */
START_TEST(nearest_city)
{
    scene_setup(&scene, 6, PTL_PLACEMENT_SECTORS);
    cat_special *s = scene_special(&scene, "s", 1, 1, 0, ALL);
    s->city_sizes = (ptl_range){5, PTL_UNBOUNDED};
    s->city_distance = (ptl_range){4, 40};
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_city(&scene, 60, 90, 8);
    scene_city(&scene, 120, 90, 3);
    scene_run(&scene);
    const gen_features *f = &scene.gen->features;
    int wrong = 0;
    for (size_t i = 0; i < f->placement_count; i++) {
        const double y = f->placements[i].y - 90, x = f->placements[i].x;
        const int near = (int)hypot(x - 60, y) - 8, small = (int)hypot(x - 120, y) - 3;
        wrong += near < 4 || near > 40 || (small > 0 ? small : 0) < near;
        wrong += f->placements[i].city != 0;
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_uint_gt(f->placement_count, 20);
    scene_close(&scene);
}
END_TEST

/* Before scene_open: a region of DDA since 0.I, with ground of its own on each level, or not.
 */
static void set_levels(bool compat, bool levelled)
{
    scene.options.compat = compat;
    scene.region.levelled = levelled;
    for (int i = 0; i < PTL_LEVELS; i++)
        scene.region.levels[i] =
            catalogue_oter(&scene.cat, i < -PTL_Z_MIN ? "empty_rock" : "open_air");
    scene.region.levels[-PTL_Z_MIN] = catalogue_oter_or_first(&scene.cat, "field");
}

/* In levelled regions none with monsters stands where a safe one lies within their reach; the
 * safe one is there first. */
START_TEST(peace)
{
    enum { FAR = 40, SAFE_SIZE = 2 };
    scene_setup(&scene, (uint64_t)_i, PTL_PLACEMENT_SECTORS);
    set_levels(_i & 1, _i & 2);
    cat_special *safe = scene_special(&scene, "safe", SAFE_SIZE, SAFE_SIZE, 1, 1);
    cat_special *nest = scene_special(&scene, "nest", 1, 1, 0, 100);
    safe->flags = PTL_SPECIAL_SAFE;
    nest->spawns = (cat_spawns){"GROUP", 1, 2, 1, FAR};
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_run(&scene);
    const gen_features *f = &scene.gen->features;
    const gen_placement *home = NULL;
    int32_t near = 0, nests = 0;
    for (size_t i = 0; i < f->placement_count; i++)
        if (&scene.specials[f->placements[i].special] == safe)
            home = &f->placements[i];
    ck_assert_ptr_nonnull(home);
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        nests += p != home;
        near += p != home && abs(p->x - home->x) < FAR && abs(p->y - home->y) < FAR;
    }
    ck_assert_int_gt(nests, 50);
    ck_assert_int_eq(near == 0, scene.region.levelled);
    scene_close(&scene);
}
END_TEST

/* A road to the north, no ground for the OMT that would then lie to the south. As the games
 * do with --compat, a rotation with fewer roads is not tried in levelled regions; else it is.
 */
START_TEST(roads_before_ground)
{
    enum { X = 50, Y = 50 };
    scene_setup(&scene, (uint64_t)_i, PTL_PLACEMENT_SECTORS);
    set_levels(_i & 1, _i & 2);
    const uint16_t road = catalogue_connection(&scene.cat, "local_road");
    ck_assert_uint_ne(road, CAT_NONE);
    cat_link link = {
        .y = -1, .connection = road, .carries = scene.cat.connections[road].terrains};
    cat_special *yard = scene_special(&scene, "yard", 1, 2, 0, 0);
    yard->links = &link;
    yard->link_count = 1;
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_fill(&scene, "road", X, Y - 1, X, Y - 1);
    scene_fill(&scene, "forest", X, Y + 1, X, Y + 1);
    scene_run(&scene);
    rng random = rng_from_key((uint64_t)_i);
    const uint16_t number = (uint16_t)(yard - scene.specials);
    ck_assert(!site_fits(scene.gen, number, 0, X, Y) && site_fits(scene.gen, number, 1, X, Y));
    ck_assert_int_eq(site_score(scene.gen, number, 0, X, Y), 1);
    const int chosen = choose_rotation(scene.gen, number, X, Y, &random);
    ck_assert_int_eq(chosen < 0, scene.options.compat && scene.region.levelled);
    ck_assert_int_ne(chosen, 0);
    scene_close(&scene);
}
END_TEST

TCase *rules_sectors_case(void)
{
    TCase *tests = tcase_create("sectors");
    tcase_add_test(tests, one_in_a_sector);
    tcase_add_test(tests, origins_tried);
    tcase_add_test(tests, ten_tries);
    tcase_add_test(tests, uniform);
    tcase_add_test(tests, minima_first);
    tcase_add_test(tests, priority);
    tcase_add_test(tests, ten_points);
    tcase_add_test(tests, nearest_city);
    tcase_add_loop_test(tests, peace, 0, 8);
    tcase_add_loop_test(tests, roads_before_ground, 0, 8);
    return tests;
}
