/*
 * Placing: OMTs turned, the blob around them, monsters, what is nested, and the record. Links
 * are in test_place_links.c, mutable specials in test_place_growth.c.
 */
#include "unit/gen/specials/test_place.h"
#include "gen/plan/plan.h"
#include "support/suite.h"

#include "gen/specials/rules.h"
#include "gen/steps/steps.h"
#include "unit/gen/specials/place_fixture.h"

#include <stdlib.h>
#include <string.h>

static const stage_omt PAIR[] = {
    {0, 0, 0, "house_north", NULL},        {1, 0, 0, "shop_east", NULL},
    {0, -1, 0, "road_ne", NULL},           {0, 0, -1, "house_cellar_north", NULL},
    {1, 0, 1, "house_roof_west", "above"}, {1, 0, 2, "open_air", "above"}};

START_TEST(omts_are_turned)
{
    stage *s = stage_new();
    const uint16_t pair = stage_add(s, "pair", PAIR, 6);
    stage_open(s, 1);
    stage_keep(s);
    site_bits cells = {{0}};
    place_used used = place_used_none(&cells);
    place_order order = stage_order(pair, 60, 70, _i);
    order.city = 3;
    order.used = &used;
    ck_assert(place_special(s->b.g, &order));
    ck_assert_int_eq(stage_changed(s), 5);
    for (int i = 0; i < 6; i++) {
        int32_t x, y;
        feature_rotate(PAIR[i].x, PAIR[i].y, _i, &x, &y);
        ck_assert_uint_eq(ptl_chunk_oter(s->b.chunk, 60 + x, 70 + y, PAIR[i].z),
                          stage_turned(s, PAIR[i].oter, _i));
        ck_assert(PAIR[i].z != 0 || site_has(&cells, 60 + x, 70 + y));
    }
    ck_assert_int_eq(site_count(&cells), 3);
    /* What is as the level is filled needs no cells. */
    ck_assert_ptr_null(chunk_level(s->b.chunk, 2)->cells);
    ck_assert_uint_eq(s->b.g->features.placement_count, 1);
    const gen_placement *p = &s->b.g->features.placements[0];
    ck_assert_uint_eq(p->special, pair);
    ck_assert(p->x == 60 && p->y == 70 && p->z == 0 && p->rotation == _i && p->city == 3);
    ck_assert(p->omts == 6 && p->draw == 0);
    ck_assert_uint_eq(s->b.g->event_count, 0);
    stage_free(s);
}
END_TEST

/* What the four rotations make of one line and one side. */
START_TEST(masks_and_suffixes_turn)
{
    static const char *const lines[] = {"road_ne", "road_es", "road_sw", "road_wn"};
    static const char *const sides[] = {"shop_east", "shop_south", "shop_west", "shop_north"};
    stage *s = stage_new();
    const uint16_t pair = stage_add(s, "pair", PAIR, 6);
    stage_open(s, 1);
    ck_assert(stage_place(s, pair, 60, 70, _i));
    int32_t x, y;
    feature_rotate(0, -1, _i, &x, &y);
    ck_assert_str_eq(get(&s->b, 0, 60 + x, 70 + y), lines[_i]);
    feature_rotate(1, 0, _i, &x, &y);
    ck_assert_str_eq(get(&s->b, 0, 60 + x, 70 + y), sides[_i]);
    stage_free(s);
}
END_TEST

/* ---- blobs ---- */
enum { BLOB_X = 90, BLOB_RUNS = 600 };

/* Each cell around one OMT is painted as often as its distance says. */
START_TEST(a_blob_is_denser_near_its_omt)
{
    stage *s = stage_new();
    const uint16_t blob = stage_add(s, "splash", &(stage_omt){0, 0, 0, "park", NULL}, 1);
    s->specials[blob].flags = PTL_SPECIAL_BLOB;
    stage_open(s, 1);
    const ptl_oter field = oter_of(&s->b, "field"), park = oter_of(&s->b, "park");
    int painted[5][5] = {{0}}, wrong = 0;
    for (int run = 0; run < BLOB_RUNS; run++) {
        s->b.chunk->pos.x = run;
        ck_assert(stage_place(s, blob, BLOB_X, BLOB_X, run % 4));
        const gen_features *f = &s->b.g->features;
        int parks = 0;
        for (int i = 0; i < 25; i++) {
            ptl_oter *at = &s->b.g->ground[(BLOB_X - 2 + i / 5) * SIZE + BLOB_X - 2 + i % 5];
            parks += *at == park;
            painted[i / 5][i % 5] += *at == park;
            *at = field;
        }
        wrong += parks != f->placements[f->placement_count - 1].omts;
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(painted[2][2], BLOB_RUNS);
    for (int i = 0; i < 25; i++) {
        const int rings = abs(i % 5 - 2) + abs(i / 5 - 2);
        const double p = 1.0 / (1 + rings);
        const int got = painted[i / 5][i % 5];
        const double off = got - p * BLOB_RUNS;
        ck_assert_msg(off * off <= 16 * p * (1 - p) * BLOB_RUNS + 0.01, "%d: %d", i, got);
    }
    stage_free(s);
}
END_TEST

/* Only on ground like the OMT's own, in the chunk without its ring, and not over its OMTs. */
START_TEST(a_blob_keeps_to_its_ground)
{
    static const stage_omt omts[] = {{0, 0, 0, "park", NULL}, {1, 0, 0, "field", NULL}};
    stage *s = stage_new();
    const uint16_t blob = stage_add(s, "splash", omts, 2);
    s->specials[blob].flags = PTL_SPECIAL_BLOB;
    stage_open(s, (uint64_t)_i);
    for (int32_t i = 0; i < CELLS; i++)
        if ((i % SIZE + i / SIZE) % 3 == 0)
            s->b.g->ground[i] = oter_of(&s->b, "forest");
    stage_keep(s);
    ck_assert(stage_place(s, blob, 2, 2, 0));
    ck_assert(stage_place(s, blob, 177, 178, 0));
    int wrong = 0;
    const ptl_oter *before = s->before[-PTL_Z_MIN];
    for (int32_t i = 0; i < CELLS; i++) {
        const int32_t x = i % SIZE, y = i / SIZE;
        const bool ring = x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
        const bool changed = s->b.g->ground[i] != before[i];
        wrong += changed && (ring || before[i] != oter_of(&s->b, "field"));
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_str_eq(get(&s->b, 0, 3, 2), "field");
    /* Twice the same. */
    ptl_oter *first = malloc(CELLS * sizeof *first);
    memcpy(first, s->b.g->ground, CELLS * sizeof *first);
    memcpy(s->b.g->ground, before, CELLS * sizeof *first);
    ck_assert(stage_place(s, blob, 177, 178, 0) && stage_place(s, blob, 2, 2, 0));
    ck_assert_int_eq(memcmp(first, s->b.g->ground, CELLS * sizeof *first), 0);
    free(first);
    stage_free(s);
}
END_TEST

/* ---- monsters ---- */
START_TEST(monsters_come_along)
{
    stage *s = stage_new();
    const uint16_t camp = stage_house(s, "camp");
    s->specials[camp].spawns = (cat_spawns){"GROUP_CAMP", 5, 9, 2, 4};
    stage_open(s, 1);
    int of_population[5] = {0}, of_radius[3] = {0};
    for (int i = 0; i < 300; i++) {
        const int x = 2 + i % 100, y = 3 + i / 100;
        ck_assert(stage_place(s, camp, x, y, 0));
        const gen_group *group = &s->b.g->features.groups[i];
        ck_assert_uint_eq(s->b.g->features.group_count, (size_t)i + 1);
        ck_assert_str_eq(group->type, "GROUP_CAMP");
        ck_assert(group->x == 2 * x && group->y == 2 * y && group->z == 0);
        ck_assert(group->population >= 5 && group->population <= 9);
        ck_assert(group->radius >= 2 && group->radius <= 4);
        of_population[group->population - 5]++;
        of_radius[group->radius - 2]++;
    }
    for (int i = 0; i < 5; i++)
        ck_assert(of_population[i] > 30 && of_population[i] < 90);
    for (int i = 0; i < 3; i++)
        ck_assert(of_radius[i] > 65 && of_radius[i] < 135);
    stage_free(s);
}
END_TEST

START_TEST(safe_omts_have_no_monsters)
{
    static const stage_omt omts[] = {{0, 0, 0, "house_north", NULL},
                                     {1, 0, 0, "house_north", NULL},
                                     {0, 0, -1, "house_cellar_north", NULL}};
    stage *s = stage_new();
    const uint16_t safe = stage_add(s, "safe", omts, 3), camp = stage_house(s, "camp");
    s->specials[safe].flags = PTL_SPECIAL_SAFE;
    s->specials[safe].spawns = s->specials[camp].spawns =
        (cat_spawns){"GROUP_CAMP", 1, 1, 1, 1};
    stage_open(s, 1);
    generator *g = s->b.g;
    static const int8_t groups[][3] = {{20, 20, 0}, {22, 20, 0},  {24, 20, 0}, {20, 20, -1},
                                       {23, 21, 0}, {20, 20, -2}, {22, 20, -1}};
    for (int i = 0; i < 7; i++)
        *features_add_group(&g->features) = (gen_group){
            .type = "GROUP_OLD", .x = groups[i][0], .y = groups[i][1], .z = groups[i][2]};
    ck_assert(stage_place(s, safe, 10, 10, 0)); /* submaps 20..23, 20..21 */
    ck_assert_uint_eq(g->features.group_count, 3);
    ck_assert(g->features.groups[0].x == 24 && g->features.groups[1].z == -2);
    ck_assert(g->features.groups[2].x == 22 && g->features.groups[2].z == -1);
    /* Later ones stay away, too. */
    ck_assert(stage_place(s, camp, 10, 10, 0) && stage_place(s, camp, 12, 10, 0));
    ck_assert_uint_eq(g->features.group_count, 4);
    for (int32_t i = 0; i < CELLS; i++)
        g->safe[i] = 1u << -PTL_Z_MIN;
    board_fill(&s->b, "river_center");
    step_monster_groups.run(g);
    ck_assert_uint_eq(g->features.group_count, 4);
    memset(g->safe, 0, CELLS * sizeof *g->safe);
    step_monster_groups.run(g);
    ck_assert_uint_gt(g->features.group_count, 100);
    stage_free(s);
}
END_TEST

/* ---- nested ones ---- */
typedef struct nest {
    uint16_t outer, middle, inner;
    cat_nested lists[2][2];
} nest;

/* outer holds middle at (2, 0), that holds inner at (0, 1) and, on z = -2, at (1, 0). */
static void add_nest(stage *s, nest *n)
{
    n->inner = stage_add(s, "inner", &(stage_omt){0, 0, 0, "shop_north", NULL}, 1);
    n->middle = stage_add(s, "middle", &(stage_omt){0, 0, 0, "house_north", NULL}, 1);
    n->outer = stage_add(s, "outer", &(stage_omt){0, 0, 0, "park", NULL}, 1);
    n->lists[0][0] = (cat_nested){0, 1, 0, n->inner};
    n->lists[0][1] = (cat_nested){1, 0, -2, n->inner};
    n->lists[1][0] = (cat_nested){2, 0, 0, n->middle};
    s->specials[n->middle].nested = n->lists[0];
    s->specials[n->middle].nested_count = 2;
    s->specials[n->outer].nested = n->lists[1];
    s->specials[n->outer].nested_count = 1;
}

static void expect_placement(const stage *s, size_t i, uint16_t special, int x, int y, int z)
{
    ck_assert_uint_lt(i, s->b.g->features.placement_count);
    const gen_placement *p = &s->b.g->features.placements[i];
    ck_assert_msg(p->special == special && p->x == x && p->y == y && p->z == z, "%zu", i);
    ck_assert(p->city == 7 && p->omts == 1);
}

START_TEST(nested_ones_follow)
{
    stage *s = stage_new();
    nest n;
    add_nest(s, &n);
    stage_open(s, 1);
    site_map_begin(s->b.g);
    site_bits cells = {{0}};
    place_used used = place_used_none(&cells);
    place_order order = stage_order(n.outer, 50, 50, _i);
    order.city = 7;
    order.used = &used;
    ck_assert(place_special(s->b.g, &order));
    site_map_end(s->b.g);
    int32_t mx, my, x, y;
    feature_rotate(2, 0, _i, &mx, &my);
    ck_assert_uint_eq(s->b.g->features.placement_count, 4);
    expect_placement(s, 0, n.outer, 50, 50, 0);
    expect_placement(s, 1, n.middle, 50 + mx, 50 + my, 0);
    feature_rotate(0, 1, _i, &x, &y);
    expect_placement(s, 2, n.inner, 50 + mx + x, 50 + my + y, 0);
    ck_assert_uint_eq(ptl_chunk_oter(s->b.chunk, 50 + mx + x, 50 + my + y, 0),
                      stage_turned(s, "shop_north", _i));
    feature_rotate(1, 0, _i, &x, &y);
    expect_placement(s, 3, n.inner, 50 + mx + x, 50 + my + y, -2);
    ck_assert_uint_eq(ptl_chunk_oter(s->b.chunk, 50 + mx + x, 50 + my + y, -2),
                      stage_turned(s, "shop_north", _i));
    ck_assert_int_eq(site_count(&cells), 3);
    ck_assert_uint_eq(s->b.g->event_count, 0);
    stage_free(s);
}
END_TEST

/* What a nested one holds itself belongs to its ground. */
START_TEST(nested_ones_need_their_ground)
{
    stage *s = stage_new();
    nest n;
    add_nest(s, &n);
    stage_open(s, 1);
    *cell(&s->b, -2, 53, 50) = oter_of(&s->b, "lake_bed");
    set(&s->b, 52, 51, "forest");
    site_map_begin(s->b.g);
    ck_assert(stage_place(s, n.middle, 52, 50, 0));
    const gen_event *event = NULL;
    ck_assert_uint_eq(s->b.g->features.placement_count, 1);
    ck_assert_int_eq(stage_events(s, "nested_skipped", &event), 2);
    ck_assert(event->x == 53 && event->y == 50 && event->z == -2);
    ck_assert_str_eq(event->detail, "inner");
    ck_assert_str_eq(get(&s->b, 0, 52, 51), "forest");
    ck_assert_str_eq(get(&s->b, -2, 53, 50), "lake_bed");
    set(&s->b, 72, 51, "forest");
    site_map_end(s->b.g);
    site_map_begin(s->b.g);
    ck_assert(stage_place(s, n.outer, 70, 50, 0));
    site_map_end(s->b.g);
    ck_assert_uint_eq(s->b.g->features.placement_count, 2);
    ck_assert_int_eq(stage_events(s, "nested_skipped", &event), 3);
    ck_assert_str_eq(event->detail, "middle");
    stage_free(s);
}
END_TEST

/* Of a world's only one there is one, and only at home. */
START_TEST(a_nested_one_may_be_unique)
{
    stage *s = stage_new();
    nest n;
    add_nest(s, &n);
    s->specials[n.middle].nested_count = 1;
    s->specials[n.inner].flags = PTL_SPECIAL_GLOBALLY_UNIQUE;
    stage_open(s, 1);
    const ptl_chunk_pos home = special_home(s->b.config, n.inner);
    s->b.chunk->pos = (ptl_chunk_pos){home.x + 1, home.y};
    site_map_begin(s->b.g);
    ck_assert(stage_place(s, n.outer, 50, 50, 0));
    ck_assert_uint_eq(s->b.g->features.placement_count, 2);
    s->b.chunk->pos = home;
    ck_assert(stage_place(s, n.outer, 60, 50, 0));
    ck_assert_uint_eq(s->b.g->features.placement_count, 5);
    ck_assert(stage_place(s, n.outer, 70, 50, 0));
    ck_assert_uint_eq(s->b.g->features.placement_count, 7);
    site_map_end(s->b.g);
    stage_free(s);
}
END_TEST

/* A file made to do harm: many, each of which holds many more. */
START_TEST(nesting_has_an_end)
{
    enum { DEPTH = 12, WIDTH = 8 };
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f",
                                      "g", "h", "i", "j", "k", "l"};
    static cat_nested lists[DEPTH][WIDTH];
    stage *s = stage_new();
    uint16_t first = 0;
    for (int i = 0; i < DEPTH; i++) {
        const uint16_t n = stage_add(s, ids[i], &(stage_omt){0, 0, 5, "house_north", NULL}, 1);
        first = i == 0 ? n : first;
        for (int k = 0; k < WIDTH; k++)
            lists[i][k] = (cat_nested){(int16_t)k, 1, -1, (uint16_t)(n + 1)};
        s->specials[n].nested = lists[i];
        s->specials[n].nested_count = i + 1 < DEPTH ? WIDTH : 0;
    }
    stage_open(s, 1);
    ck_assert(stage_place(s, first, 50, 50, 0));
    ck_assert_int_gt(stage_events(s, "too_many", NULL), 0);
    ck_assert_uint_gt(s->b.g->features.placement_count, 20);
    ck_assert_uint_le(s->b.g->features.placement_count, 257);
    stage_free(s);
}
END_TEST

TCase *place_omts_tests(void)
{
    TCase *tc = tcase_create("tiles");
    tcase_add_loop_test(tc, omts_are_turned, 0, 4);
    tcase_add_loop_test(tc, masks_and_suffixes_turn, 0, 4);
    tcase_add_test(tc, a_blob_is_denser_near_its_omt);
    tcase_add_loop_test(tc, a_blob_keeps_to_its_ground, 0, 4);
    tcase_add_test(tc, monsters_come_along);
    tcase_add_test(tc, safe_omts_have_no_monsters);
    tcase_add_loop_test(tc, nested_ones_follow, 0, 4);
    tcase_add_test(tc, nested_ones_need_their_ground);
    tcase_add_test(tc, a_nested_one_may_be_unique);
    tcase_add_test(tc, nesting_has_an_end);
    return tc;
}

int main(void)
{
    Suite *s = suite_create("place");
    suite_add_tcase(s, place_omts_tests());
    suite_add_tcase(s, place_growth_tests());
    suite_add_tcase(s, place_link_tests());
    suite_add_tcase(s, trailhead_tests());
    return suite_run(s);
}
