/* Trailheads: where they stand, how they are turned, and when there is none. */
#include "unit/gen/specials/test_place.h"

#include "gen/cities/city_map.h"
#include "gen/pipeline.h"
#include "gen/steps/steps.h"
#include "support/land_catalogue.h"
#include "unit/gen/specials/place_fixture.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t ONE[] = {1};

/* The region's trailheads: a hut whose road leads off in front of it. */
static stage *trail_stage(uint16_t *hut)
{
    stage *s = stage_new();
    *hut = stage_add(s, "hut", &(stage_omt){0, 0, 0, "trailhead_north", NULL}, 1);
    stage_link(s, *hut, 0, -1, 0, 0, "local_road");
    for (size_t i = 0; i < s->cat.region_count; i++)
        s->regions[i].trails.trailheads = (cat_bin){hut, ONE, 1};
    return s;
}

static void run(stage *s)
{
    for (size_t i = 0; i < pipeline_step_count(&overmap_pipeline); i++)
        if (strcmp(pipeline_step(&overmap_pipeline, i)->name, "trailheads") == 0)
            s->b.g->running = pipeline_step(&overmap_pipeline, i);
    city_map_begin(s->b.g);
    step_trailheads.run(s->b.g);
    ck_assert(!s->b.g->failed);
    ck_assert(!s->b.g->watching);
}

/* A trail of five cells that ends at (x, y), open to `open`; a road OMT. */
static void trail(stage *s, int32_t x, int32_t y, int open, int32_t road_x, int32_t road_y)
{
    const ptl_oter first = oter_of(&s->b, "forest_trail_isolated");
    for (int i = 0; i < 5; i++)
        s->b.g->ground[(y - i * step_y(open)) * SIZE + x - i * step_x(open)] =
            (ptl_oter)(first + (i == 0   ? 1 << opposite(open)
                                : i == 4 ? 1 << open
                                         : 1 << open | 1 << opposite(open)));
    set(&s->b, road_x, road_y, "road_isolated");
}

START_TEST(a_trailhead_stands_at_the_end)
{
    uint16_t hut;
    stage *s = trail_stage(&hut);
    stage_open(s, 1);
    const int32_t dx = step_x(_i), dy = step_y(_i);
    trail(s, 60, 60, _i, 60 + 5 * dx, 60 + 5 * dy);
    /* The other end opens to the forest. */
    set(&s->b, 60 - 5 * dx, 60 - 5 * dy, "forest");
    run(s);
    ck_assert_uint_eq(s->b.g->features.placement_count, 1);
    const gen_placement *p = s->b.g->features.placements;
    ck_assert(p->special == hut && p->x == 60 + dx && p->y == 60 + dy && p->rotation == _i);
    ck_assert_uint_eq(*cell(&s->b, 0, 60 + dx, 60 + dy),
                      stage_turned(s, "trailhead_north", _i));
    /* Its road leads on from the trail's end. */
    for (int i = 2; i < 5; i++)
        ck_assert_int_eq(s->cat.oters[*cell(&s->b, 0, 60 + i * dx, 60 + i * dy)].line,
                         1 << _i | 1 << opposite(_i));
    ck_assert_uint_eq(s->b.g->features.attempt_count, 0);
    ck_assert_int_eq(stage_dead_ends(s), 0);
    stage_free(s);
}
END_TEST

/* The road must be within six cells of the trailhead, whichever way. */
START_TEST(the_road_must_be_near)
{
    uint16_t hut;
    stage *s = trail_stage(&hut);
    for (int distance = 5; distance < 9; distance++) {
        for (int side = 0; side < 2; side++) {
            if (s->b.g)
                stage_reopen(s, 1);
            else
                stage_open(s, 1);
            trail(s, 60, 60, 0, side ? 60 + distance : 60 - 3, side ? 59 - 2 : 59 - distance);
            set(&s->b, 60, 65, "forest");
            run(s);
            ck_assert_uint_eq(s->b.g->features.placement_count, distance <= 6);
        }
    }
    stage_free(s);
}
END_TEST

typedef struct hindrance {
    const char *what;
    int32_t x, y; /* of the end, which opens to the north */
    bool lake, no_cities, one_in_many, only_one;
} hindrance;

START_TEST(there_is_none)
{
    static const hindrance list[] = {{"none", 60, 60, false, false, false, false},
                                     {"no field", 60, 60, true, false, false, false},
                                     {"no cities", 60, 60, false, true, false, false},
                                     {"no luck", 60, 60, false, false, true, false},
                                     {"only one", 60, 60, false, false, false, true},
                                     {"row 2", 60, 2, false, false, false, false},
                                     {"row 1", 60, 1, false, false, false, false}};
    const hindrance *h = &list[_i];
    uint16_t hut;
    stage *s = trail_stage(&hut);
    for (size_t i = 0; i < s->cat.region_count; i++) {
        s->regions[i].city.size = h->no_cities ? 0 : s->regions[i].city.size;
        s->regions[i].trails.trailhead_chance = h->one_in_many ? 1 << 30 : 1;
    }
    s->links[hut][0].y = 1; /* so that a trailhead on row 1 has room for it */
    s->links[hut][0].direction = 2;
    s->links[hut][0].x = 1;
    s->specials[hut].flags = h->only_one ? PTL_SPECIAL_GLOBALLY_UNIQUE : 0;
    stage_open(s, 1);
    trail(s, h->x, h->y, 0, h->x + 3, h->y + 4);
    set(&s->b, h->x, h->y + 5, "forest");
    if (h->lake)
        set(&s->b, h->x, h->y - 1, "lake_surface");
    run(s);
    const bool expected = strcmp(h->what, "none") == 0 || strcmp(h->what, "row 2") == 0;
    ck_assert_msg(s->b.g->features.placement_count == expected, "%s", h->what);
    stage_free(s);
}
END_TEST

/* Over many ends: one in three. */
START_TEST(the_chance_is_kept)
{
    uint16_t hut;
    stage *s = trail_stage(&hut);
    for (size_t i = 0; i < s->cat.region_count; i++)
        s->regions[i].trails.trailhead_chance = 3;
    s->specials[hut].link_count = 0;
    stage_open(s, 1);
    int ends = 0;
    for (int32_t y = 4; y < SIZE - 4; y += 4)
        for (int32_t x = 4; x < SIZE - 4; x += 4, ends++) {
            set(&s->b, x, y, "forest_trail_end_south");
            set(&s->b, x + 1, y, "road_isolated");
        }
    run(s);
    const int placed = (int)s->b.g->features.placement_count;
    ck_assert_msg(abs(placed - ends / 3) < ends / 12, "%d of %d", placed, ends);
    for (int i = 0; i < placed; i++) {
        const gen_placement *p = &s->b.g->features.placements[i];
        ck_assert(p->x % 4 == 0 && p->y % 4 == 1 && p->rotation == 2);
    }
    stage_free(s);
}
END_TEST

/* With `compat` always to the north, whatever the end opens to. */
START_TEST(games_put_it_north)
{
    uint16_t hut;
    stage *s = trail_stage(&hut);
    stage_open(s, 1);
    s->b.config->options.compat = true;
    trail(s, 60, 60, 1, 63, 57);
    set(&s->b, 55, 59, "forest");
    set(&s->b, 56, 59, "forest");
    run(s);
    ck_assert_uint_eq(s->b.g->features.placement_count, 1);
    const gen_placement *p = s->b.g->features.placements;
    ck_assert(p->x == 60 && p->y == 59 && p->rotation == 0);
    stage_free(s);
}
END_TEST

/* In levelled regions, those of DDA since 0.I, it takes the end itself, whichever way that
 * opens, and the trail's last OMT points to it. */
START_TEST(levelled_regions_put_it_on_the_end)
{
    uint16_t hut;
    stage *s = trail_stage(&hut);
    s->omts[hut][0].allows = stage_location(s, "land"); /* as the games' trailheads do */
    stage_open(s, 1);
    s->b.config->options.compat = _i % 2 == 0;
    cat_region region = *s->b.config->region;
    region.levelled = true;
    s->b.config->region = &region;
    const int32_t dx = step_x(_i), dy = step_y(_i);
    trail(s, 60, 60, _i, 60 + 4 * dx, 60 + 4 * dy);
    /* Of the other end, which opens to a lake, no road can lead off. */
    set(&s->b, 60 - 5 * dx, 60 - 5 * dy, "lake_surface");
    run(s);
    ck_assert_uint_eq(s->b.g->features.placement_count, 1);
    const gen_placement *p = s->b.g->features.placements;
    ck_assert(p->special == hut && p->x == 60 && p->y == 60 && p->rotation == _i);
    ck_assert_uint_eq(*cell(&s->b, 0, 60, 60), stage_turned(s, "trailhead_north", _i));
    ck_assert_int_eq(s->cat.oters[*cell(&s->b, 0, 60 - dx, 60 - dy)].line,
                     1 << _i | 1 << opposite(_i));
    for (int i = 1; i < 4; i++)
        ck_assert_int_eq(s->cat.oters[*cell(&s->b, 0, 60 + i * dx, 60 + i * dy)].line,
                         1 << _i | 1 << opposite(_i));
    ck_assert_int_eq(stage_dead_ends(s), 0);
    stage_free(s);
}
END_TEST

/* There, what a road cut is no end, nor is the only OMT of a trail. */
START_TEST(levelled_regions_leave_what_is_no_end)
{
    static const char *const what[] = {"cut", "alone", "neither"};
    uint16_t hut;
    stage *s = trail_stage(&hut);
    s->omts[hut][0].allows = stage_location(s, "land");
    stage_open(s, 1);
    cat_region region = *s->b.config->region;
    region.levelled = true;
    s->b.config->region = &region;
    trail(s, 60, 60, 0, 60, _i == 0 ? 59 : 57);
    set(&s->b, 60, 65, "lake_surface");
    if (_i == 1)
        set(&s->b, 60, 61, "house_north");
    run(s);
    ck_assert_msg(s->b.g->features.placement_count == (_i == 2), "%s", what[_i]);
    stage_free(s);
}
END_TEST

TCase *trailhead_tests(void)
{
    TCase *tc = tcase_create("trailheads");
    tcase_add_loop_test(tc, a_trailhead_stands_at_the_end, 0, 4);
    tcase_add_test(tc, the_road_must_be_near);
    tcase_add_loop_test(tc, there_is_none, 0, 7);
    tcase_add_test(tc, the_chance_is_kept);
    tcase_add_test(tc, games_put_it_north);
    tcase_add_loop_test(tc, levelled_regions_put_it_on_the_end, 0, 4);
    tcase_add_loop_test(tc, levelled_regions_leave_what_is_no_end, 0, 3);
    return tc;
}
