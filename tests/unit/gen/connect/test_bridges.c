/* Bridges with their levels, and sewers below manholes. */
#include "gen/steps/steps.h"
#include "support/land_catalogue.h"
#include "unit/gen/connect/connect_fixture.h"
#include "unit/gen/connect/test_connect.h"

#include <stdlib.h>
#include <string.h>

static connect_end at(int32_t x, int32_t y)
{
    return (connect_end){(int16_t)x, (int16_t)y, CONNECT_ANY, false};
}

static void river(board *b, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            set(b, x, y, "river_center");
}

static void is(board *b, int32_t x, int32_t y, const char *ground, const char *over)
{
    ck_assert_str_eq(get(b, 0, x, y), ground);
    ck_assert_str_eq(get(b, 1, x, y), over);
}

START_TEST(bridges_have_levels)
{
    board b = board_new(1, NULL);
    const size_t road = connection_of(&b, "local_road");
    river(&b, 0, 80, SIZE - 1, 83);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(50, 70), at(50, 90)), CONNECT_DRAWN);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(51, 90), at(51, 70)), CONNECT_DRAWN);
    for (int32_t y = 80; y <= 83; y++) /* a second bridge right beside it */
        set(&b, 51, y, "bridge_north");
    set(&b, 51, 79, "road_ns");
    set(&b, 51, 78, "road_end_north");
    set(&b, 51, 84, "road_end_south");
    step_bridges.run(b.g);
    is(&b, 50, 79, get(&b, 0, 50, 79), "open_air");
    is(&b, 50, 80, "bridgehead_ground_north", "bridgehead_ramp_north");
    is(&b, 50, 81, "bridge_south", "bridge_road_south");
    is(&b, 50, 82, "bridge_south", "bridge_road_south");
    is(&b, 50, 83, "bridgehead_ground_south", "bridgehead_ramp_south");
    is(&b, 51, 80, "bridgehead_ground_north", "bridgehead_ramp_north");
    is(&b, 51, 81, "bridge_north", "bridge_road_north");
    is(&b, 51, 83, "bridgehead_ground_south", "bridgehead_ramp_south");
    /* Roads of later steps still find their way over it. */
    static int32_t labels[CELLS];
    connect_parts(b.g, road, 0, labels);
    ck_assert_int_eq(labels[70 * SIZE + 50], labels[90 * SIZE + 50]);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(40, 70), at(40, 90)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 40, 81), "river_center");
    ck_assert_str_eq(get(&b, 0, 50, 80), "bridgehead_ground_north");
    board_dispose(&b);
}
END_TEST

START_TEST(a_single_omt_is_flat)
{
    board b = board_new(1, NULL);
    const size_t road = connection_of(&b, "local_road");
    river(&b, 60, 0, 60, SIZE - 1);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(50, 70), at(70, 70)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 60, 70), "bridge_east");
    set(&b, 100, 100, "bridge_north"); /* nothing on either side */
    step_bridges.run(b.g);
    is(&b, 60, 70, "road_ew", "open_air");
    is(&b, 100, 100, "road_isolated", "open_air");
    check_arms(&b, 0);
    board_dispose(&b);
}
END_TEST

/* At a border with a foreign chunk the bridge goes on there, or does not. */
START_TEST(bridges_at_borders)
{
    for (int d = 0; d < 4; d++)
        for (int known = 0; known < 3; known++) {
            board b = board_new(1, NULL);
            static ptl_oter border[SIZE];
            edge edges[4] = {{0}};
            edge *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
            for (int i = 0; i < SIZE; i++)
                border[i] = oter_of(&b, "river_center");
            const char *axis = d & 1 ? "bridge_west" : "bridge_south";
            border[50] = oter_of(&b, known == 1 ? axis
                                     : d & 1    ? "bridgehead_ground_east"
                                                : "bridgehead_ground_north");
            if (known > 0)
                edges[d].border[d == 1 || d == 2] = border;
            b.g->edges = list;
            const int32_t x = d == 1 ? SIZE - 1 : d == 3 ? 0 : 50;
            const int32_t y = d == 2 ? SIZE - 1 : d == 0 ? 0 : 50;
            set(&b, x, y, axis);
            set(&b, x - step_x(d), y - step_y(d), axis);
            step_bridges.run(b.g);
            const char *over = get(&b, 1, x, y);
            if (known > 0)
                ck_assert(strncmp(over, "bridge_road", 11) == 0);
            else
                ck_assert_str_eq(over, d == 0   ? "bridgehead_ramp_north"
                                       : d == 1 ? "bridgehead_ramp_east"
                                       : d == 2 ? "bridgehead_ramp_south"
                                                : "bridgehead_ramp_west");
            board_dispose(&b);
        }
}
END_TEST

/* The content has the piece below the deck, or lacks one that it takes. */
static catalogue *renamed(const char *from, const char *to)
{
    const catalogue *town = town_catalogue();
    catalogue *cat = malloc(sizeof *cat);
    cat_terrain *terrains = malloc(town->terrain_count * sizeof *terrains);
    ck_assert(cat && terrains);
    memcpy(terrains, town->terrains, town->terrain_count * sizeof *terrains);
    terrains[catalogue_terrain(town, from)].id = to;
    *cat = *town;
    cat->terrains = terrains;
    return cat;
}

static void renamed_free(catalogue *cat)
{
    free((void *)(uintptr_t)cat->terrains);
    free(cat);
}

START_TEST(content_decides_the_form)
{
    static const struct {
        const char *from, *to, *ground, *over;
    } cases[] = {
        {"shop", "bridge_under", "shop_south", "bridge_road_south"},
        {"shop", "bridge_center_under", "shop_south", "bridge_road_south"},
        {"bridge_road", "bridge_overpass", "bridge_south", "bridge_road_south"},
        {"bridge_road", "something", "bridge_south", "open_air"},
        {"bridgehead_ramp", "something", "bridge_south", "open_air"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        catalogue *cat = renamed(cases[i].from, cases[i].to);
        board b = board_new(1, cat);
        river(&b, 0, 80, SIZE - 1, 83);
        ck_assert_int_eq(
            connect_ends(b.g, connection_of(&b, "local_road"), 0, at(50, 70), at(50, 90)),
            CONNECT_DRAWN);
        step_bridges.run(b.g);
        is(&b, 50, 81, cases[i].ground, cases[i].over);
        board_dispose(&b);
        renamed_free(cat);
    }
}
END_TEST

TCase *bridge_tests(void)
{
    TCase *t = tcase_create("bridges");
    tcase_add_test(t, bridges_have_levels);
    tcase_add_test(t, a_single_omt_is_flat);
    tcase_add_test(t, bridges_at_borders);
    tcase_add_test(t, content_decides_the_form);
    return t;
}

/* ---- sewers ---- */
START_TEST(manholes_are_linked_below)
{
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key((uint64_t)_i);
    point holes[12];
    for (int i = 0; i < 12; i++) {
        holes[i] = (point){rng_range(&r, 1, SIZE - 2), rng_range(&r, 1, SIZE - 2)};
        set(&b, holes[i].x, holes[i].y, "road_nesw_manhole");
    }
    step_sublevels.run(b.g);
    static int32_t labels[CELLS];
    ck_assert_int_eq(connect_parts(b.g, b.config->sewer, -1, labels), 1);
    for (int i = 0; i < 12; i++)
        ck_assert_int_eq(labels[holes[i].y * SIZE + holes[i].x], 1);
    ck_assert_uint_eq(b.g->event_count, 0);
    ck_assert_int_eq(check_arms(&b, -1), 0);
    board_dispose(&b);
}
END_TEST

START_TEST(sewers_tell_what_fails)
{
    board b = board_new(1, NULL);
    step_sublevels.run(b.g);
    ck_assert(!b.chunk->levels[-1 - PTL_Z_MIN].cells); /* no manholes: nothing is touched */
    set(&b, 20, 20, "road_nesw_manhole");
    set(&b, 30, 30, "road_nesw_manhole");
    set(&b, 60, 60, "road_nesw_manhole");
    *cell(&b, -1, 20, 20) = oter_of(&b, "house_cellar_north");
    for (int32_t i = 0; i < SIZE; i++)
        *cell(&b, -1, 45, i) = oter_of(&b, "house_cellar_north");
    step_sublevels.run(b.g);
    ck_assert_uint_eq(b.g->event_count, 2);
    ck_assert_str_eq(b.g->events[0].kind, "blocked");
    ck_assert_int_eq(b.g->events[0].x, 20);
    ck_assert_str_eq(b.g->events[1].kind, "unreached");
    ck_assert_str_eq(get(&b, -1, 30, 30), "sewer_isolated");
    ck_assert_str_eq(get(&b, -1, 60, 60), "sewer_isolated");
    board_dispose(&b);
}
END_TEST

START_TEST(manholes_without_end)
{
    board b = board_new(1, NULL);
    for (int32_t i = 0; i < CELLS; i++)
        if (i % 5 == 0)
            b.g->ground[i] = oter_of(&b, "road_nesw_manhole");
    step_sublevels.run(b.g);
    ck_assert_uint_ge(b.g->event_count, 1);
    ck_assert_str_eq(b.g->events[0].kind, "too_many");
    check_arms(&b, -1);
    board_dispose(&b);
}
END_TEST

TCase *sewer_tests(void)
{
    TCase *t = tcase_create("sewers");
    tcase_add_loop_test(t, manholes_are_linked_below, 0, 5);
    tcase_add_test(t, sewers_tell_what_fails);
    tcase_add_test(t, manholes_without_end);
    return t;
}
