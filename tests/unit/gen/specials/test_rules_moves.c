/* One more special in the content: how many of the others' placements move. And the same
 * chunk made again, after others, is the same. */
#include "unit/gen/specials/rules_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 60, CHUNKS = 25, PLACEMENTS_MAX = 2000 };

static rules_scene scene;
static char names[KINDS][16];

/* Some kinds of specials, of all sizes, a few with cities; `more` is one more in their midst.
 */
static void open_scene(ptl_placement rule, bool more)
{
    rng r = rng_from_key(77);
    scene_setup(&scene, 8, rule);
    for (int i = 0; i < KINDS; i++) {
        snprintf(names[i], sizeof names[i], "kind %02d", i);
        const int32_t width = rng_range(&r, 1, 5), height = rng_range(&r, 1, 4);
        cat_special *s = scene_special(&scene, names[i], width, height, 0, rng_range(&r, 1, 4));
        if (i % 3 == 0) {
            s->city_distance.min = rng_range(&r, 0, 8);
            s->city_distance.max = rng_range(&r, 20, 60);
            s->city_sizes.min = 1;
        }
    }
    if (more)
        scene_special(&scene, "more", 3, 2, 1, 3);
    scene.options.city_size = 8;
    scene.options.city_spacing = 4;
    scene_open(&scene);
}

/* Ground and cities that depend on the chunk alone. */
static void make_chunk(int number)
{
    rng r = rng_from_key((uint64_t)number);
    scene_chunk(&scene, number, 3);
    for (int i = 0; i < 40; i++) {
        const int32_t x = rng_range(&r, 0, SIZE - 20), y = rng_range(&r, 0, SIZE - 20);
        const int32_t right = x + rng_range(&r, 1, 19);
        scene_fill(&scene, "forest", x, y, right, y + rng_range(&r, 1, 19));
    }
    for (int i = 0; i < 8; i++) {
        const int32_t x = rng_range(&r, 10, 170), y = rng_range(&r, 10, 170);
        scene_city(&scene, x, y, rng_range(&r, 1, 12));
    }
    scene_run(&scene);
}

static gen_placement before[CHUNKS][PLACEMENTS_MAX];
static size_t before_count[CHUNKS];

static bool stands(const gen_placement *p)
{
    const gen_features *f = &scene.gen->features;
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *q = &f->placements[i];
        if (q->special == p->special && q->x == p->x && q->y == p->y && q->z == p->z &&
            q->rotation == p->rotation)
            return true;
    }
    return false;
}

static void keep(int i)
{
    const gen_features *f = &scene.gen->features;
    ck_assert_uint_le(f->placement_count, PLACEMENTS_MAX);
    memcpy(before[i], f->placements, f->placement_count * sizeof before[i][0]);
    before_count[i] = f->placement_count;
}

/* The share of placements that are gone or elsewhere, in percent. */
static double moved(ptl_placement rule)
{
    size_t all = 0, gone = 0;
    open_scene(rule, false);
    for (int i = 0; i < CHUNKS; i++) {
        make_chunk(i);
        keep(i);
    }
    scene_close(&scene);
    open_scene(rule, true);
    for (int i = 0; i < CHUNKS; i++) {
        make_chunk(i);
        for (size_t k = 0; k < before_count[i]; k++)
            gone += !stands(&before[i][k]);
        all += before_count[i];
    }
    scene_close(&scene);
    ck_assert_uint_gt(all, CHUNKS * 50);
    return 100.0 * (double)gone / (double)all;
}

START_TEST(few_move)
{
    const double quota = moved(PTL_PLACEMENT_QUOTA), sectors = moved(PTL_PLACEMENT_SECTORS);
    printf("moved by one more special of %d: quota %.1f %%, sectors %.1f %%\n", KINDS + 1,
           quota, sectors);
    ck_assert_double_lt(quota, 12);
    ck_assert_double_lt(sectors, 12);
}
END_TEST

static void check_again(ptl_placement rule)
{
    open_scene(rule, true);
    for (int i = 0; i < CHUNKS; i++) {
        make_chunk(i);
        keep(i);
    }
    for (int i = CHUNKS - 1; i >= 0; i--) {
        const gen_features *f = &scene.gen->features;
        make_chunk(i);
        ck_assert_uint_eq(f->placement_count, before_count[i]);
        ck_assert_mem_eq(f->placements, before[i], before_count[i] * sizeof before[i][0]);
    }
    scene_close(&scene);
}

START_TEST(the_same_again)
{
    check_again(PTL_PLACEMENT_QUOTA);
    check_again(PTL_PLACEMENT_SECTORS);
}
END_TEST

/* Behind a lake of two columns there is no road. What is linked stands on this side of it, and
 * only what fits nowhere else, and has to be there, beyond: with an event. With --compat nobody
 * asks. */
START_TEST(where_there_is_a_way)
{
    enum { LAKE = 60, MOST = 30 };
    const bool compat = _i >= 2;
    int32_t beyond = 0;
    scene_setup(&scene, 31, _i % 2 == 0 ? PTL_PLACEMENT_QUOTA : PTL_PLACEMENT_SECTORS);
    scene.options.compat = compat;
    const uint16_t road = catalogue_connection(&scene.cat, "local_road");
    const cat_link link = {.y = -1,
                           .direction = 0,
                           .connection = road,
                           .carries = scene.cat.connections[road].terrains};
    cat_special *shop = scene_special(&scene, "shop", 1, 1, MOST, MOST);
    shop->links = &link;
    shop->link_count = 1;
    cat_special *lone = scene_special(&scene, "lone", 1, 1, 1, 1);
    lone->links = &link;
    lone->link_count = 1;
    lone->priority = -1; /* the stub that it gets would be a road for others beyond */
    scene.omts[scene.omt_count - 1].allows = scene_location(&scene, "forest_center");
    scene_open(&scene);
    scene_chunk(&scene, 1, 1);
    scene_fill(&scene, "lake_surface", LAKE, 0, LAKE + 1, SIZE - 1);
    scene_fill(&scene, "road", 150, 40, 150, 40);
    scene_fill(&scene, "forest_thick", 15, 15, 29, 29); /* a sector */
    scene_run(&scene);
    const gen_features *f = &scene.gen->features;
    for (size_t i = 0; i < f->placement_count; i++)
        beyond +=
            f->placements[i].special == shop - scene.specials && f->placements[i].x < LAKE;
    ck_assert_int_eq(scene_placed(&scene, shop), MOST);
    ck_assert_int_eq(beyond > 0, compat);
    ck_assert_int_eq(scene_placed(&scene, lone), compat ? scene_placed(&scene, lone) : 1);
    if (!compat)
        ck_assert_uint_eq(scene_events(&scene, "unreached"), 1);
    scene_close(&scene);
}
END_TEST

TCase *rules_moves_case(void)
{
    TCase *tests = tcase_create("moves");
    tcase_add_test(tests, few_move);
    tcase_add_test(tests, the_same_again);
    tcase_add_loop_test(tests, where_there_is_a_way, 0, 4);
    return tests;
}
