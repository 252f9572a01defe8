/* What is drawn: merged lines, crossings, stubs; no arm without an answer. */
#include "gen/steps/steps.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "unit/gen/connect/connect_fixture.h"
#include "unit/gen/connect/test_connect.h"

#include <stdio.h>
#include <string.h>

static connect_end at(int32_t x, int32_t y)
{
    return (connect_end){(int16_t)x, (int16_t)y, CONNECT_ANY, false};
}

/* A straight run of nodes drawn as a street. */
static bool street(board *b, const char *connection, int32_t x, int32_t y, int direction,
                   size_t count)
{
    path_node nodes[SIZE];
    for (size_t i = 0; i < count; i++)
        nodes[i] = (path_node){(int16_t)(x + (int32_t)i * step_x(direction)),
                               (int16_t)(y + (int32_t)i * step_y(direction)),
                               (int8_t)(i + 1 < count ? direction : CONNECT_ANY)};
    return connect_draw(b->g, connection_of(b, connection), 0, nodes, count);
}

/* A street that ends beside, at or in another one: every combination of the first street's
 * direction and the place where the second one meets it. */
START_TEST(lines_merge)
{
    static const struct {
        int32_t x, y;
        int direction;
        size_t count;
        const char *x_5, *meets; /* OMTs at (20, 20) and where the second one ends */
    } cases[] = {
        {20, 15, 2, 6, "road_new", "road_new"},         /* from above, onto it */
        {20, 15, 2, 11, "road_nesw", "road_end_south"}, /* across */
        {20, 15, 2, 5, "road_new", "road_ns"},          /* ends beside a straight one: joined */
        {14, 20, 1, 7, "road_ew", "road_ew"},           /* along it */
        {20, 25, 0, 6, "road_esw", "road_esw"},         /* from below */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        board b = board_new(1, NULL);
        ck_assert(street(&b, "local_road", 15, 20, 1, 11));
        ck_assert(street(&b, "local_road", cases[i].x, cases[i].y, cases[i].direction,
                         cases[i].count));
        const int32_t last = (int32_t)cases[i].count - 1;
        ck_assert_str_eq(get(&b, 0, 20, 20), cases[i].x_5);
        ck_assert_str_eq(get(&b, 0, cases[i].x + last * step_x(cases[i].direction),
                             cases[i].y + last * step_y(cases[i].direction)),
                         cases[i].meets);
        check_arms(&b, 0);
        board_dispose(&b);
    }
}
END_TEST

/* All 256 shapes of a crossroads and a street through it: nothing of the old arms is lost. */
START_TEST(old_arms_stay)
{
    for (int mask = 0; mask < 16; mask++)
        for (int d = 0; d < 4; d++) {
            board b = board_new(1, NULL);
            path_node one = {50, 50, CONNECT_ANY};
            ck_assert(connect_draw(b.g, connection_of(&b, "local_road"), 0, &one, 1));
            ck_assert_str_eq(get(&b, 0, 50, 50), "road_isolated");
            for (int k = 0; k < 4; k++)
                if (mask >> k & 1)
                    ck_assert(street(&b, "local_road", 50, 50, k, 5));
            ck_assert_int_eq(b.cat->oters[*cell(&b, 0, 50, 50)].line, mask);
            ck_assert(street(&b, "local_road", 50 - 5 * step_x(d), 50 - 5 * step_y(d), d, 11));
            ck_assert_int_eq(b.cat->oters[*cell(&b, 0, 50, 50)].line, mask | axis_of(d));
            check_arms(&b, 0);
            board_dispose(&b);
        }
}
END_TEST

/* Roads over trails end the trails; the trail's OMTs beside lose just that arm. */
START_TEST(a_road_over_a_trail_ends_it)
{
    board b = board_new(1, NULL);
    board_fill(&b, "forest_thick");
    ck_assert(street(&b, "forest_trail", 10, 20, 1, 21));
    ck_assert(street(&b, "local_road", 20, 10, 2, 21));
    ck_assert_str_eq(get(&b, 0, 19, 20), "forest_trail_end_east");
    ck_assert_str_eq(get(&b, 0, 20, 20), "road_ns");
    ck_assert_str_eq(get(&b, 0, 21, 20), "forest_trail_end_west");
    check_arms(&b, 0);
    board_dispose(&b);
}
END_TEST

START_TEST(rails_cross_roads_at_right_angles)
{
    board b = board_new(1, NULL);
    const size_t rail = connection_of(&b, "local_railroad");
    ck_assert(street(&b, "local_road", 20, 1, 2, 178));
    ck_assert_int_eq(connect_ends(b.g, rail, 0, at(10, 50), at(30, 50)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 20, 50), "railroad_level_crossing_east");
    ck_assert_str_eq(get(&b, 0, 20, 49), "road_ns");
    check_arms(&b, 0);
    /* A road passes the crossing straight, and leaves it. */
    const size_t road = connection_of(&b, "local_road");
    ck_assert(connect_allows(b.g, road, *cell(&b, 0, 20, 50)));
    ck_assert(!connect_has(b.g, road, *cell(&b, 0, 20, 50)));
    ck_assert(connect_has(b.g, rail, *cell(&b, 0, 20, 50)));
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(20, 40), at(20, 60)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 20, 50), "railroad_level_crossing_east");
    static int32_t labels[CELLS];
    ck_assert_int_eq(connect_parts(b.g, road, 0, labels), 1);
    ck_assert_int_eq(labels[50 * SIZE + 20], 0);
    ck_assert_int_eq(labels[178 * SIZE + 20], 1);
    /* A crossroads can't be crossed. */
    ck_assert(street(&b, "local_road", 20, 100, 1, 5));
    for (int32_t y = 1; y < SIZE - 1; y++)
        if (y != 100 && y != 50)
            set(&b, 18, y, "house_north");
    ck_assert_int_eq(connect_ends(b.g, rail, 0, at(10, 100), at(40, 110)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 20, 100), "road_nes");
    check_arms(&b, 0);
    board_dispose(&b);
}
END_TEST

START_TEST(manholes_stay)
{
    board b = board_new(1, NULL);
    ck_assert(street(&b, "local_road", 15, 20, 1, 11));
    ck_assert(street(&b, "local_road", 20, 15, 2, 11));
    set(&b, 20, 20, "road_nesw_manhole");
    check_arms(&b, 0);
    const size_t road = connection_of(&b, "local_road");
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(15, 20), at(25, 20)), CONNECT_DRAWN);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(20, 20), at(90, 90)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 20, 20), "road_nesw_manhole");
    ck_assert(connect_has(b.g, road, *cell(&b, 0, 20, 20)));
    ck_assert(!connect_turns(b.g, road, *cell(&b, 0, 20, 20)));
    check_arms(&b, 0);
    board_dispose(&b);
}
END_TEST

START_TEST(bridges_are_not_crossed)
{
    board b = board_new(1, NULL);
    const size_t road = connection_of(&b, "local_road");
    for (int32_t i = 0; i < CELLS; i++)
        if (i / SIZE >= 80 && i / SIZE < 90)
            b.g->ground[i] = oter_of(&b, "river_center");
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(50, 60), at(50, 120)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 50, 80), "bridge_south");
    ck_assert_str_eq(get(&b, 0, 50, 89), "bridge_south");
    ck_assert_str_eq(get(&b, 0, 50, 79), "road_ns");
    check_arms(&b, 0);
    /* The other way over it: the bridge keeps its direction. */
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(60, 120), at(60, 60)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 50, 85), "bridge_south");
    check_arms(&b, 0);
    const path_node across[] = {{49, 85, 1}, {50, 85, 1}, {51, 85, CONNECT_ANY}};
    ck_assert(!connect_draw(b.g, road, 0, across, 3));
    /* An island on either side, nothing but the bridge between: no way. */
    for (int32_t i = 0; i < CELLS; i++)
        if (i / SIZE == 84 && i % SIZE != 50)
            b.g->ground[i] = oter_of(&b, "lake_surface");
    set(&b, 47, 85, "field");
    set(&b, 53, 85, "field");
    for (int32_t x = 40; x < 60; x++)
        if (x != 50)
            set(&b, x, 86, "lake_surface");
    set(&b, 46, 85, "lake_surface");
    set(&b, 54, 85, "lake_surface");
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(47, 85), at(53, 85)), CONNECT_NO_PATH);
    board_dispose(&b);
}
END_TEST

START_TEST(streets_are_checked_before_they_are_drawn)
{
    board b = board_new(1, NULL);
    set(&b, 30, 30, "house_north");
    ck_assert(!street(&b, "local_road", 25, 30, 1, 10));
    ck_assert_str_eq(get(&b, 0, 25, 30), "field");
    ck_assert(!street(&b, "local_road", 175, 50, 1, 10)); /* out of the chunk */
    const path_node gap[] = {{10, 10, 1}, {12, 10, CONNECT_ANY}};
    ck_assert(!connect_draw(b.g, connection_of(&b, "local_road"), 0, gap, 2));
    ck_assert(!connect_draw(b.g, connection_of(&b, "local_road"), 0, gap, 0));
    set(&b, 50, 50, "river_center");
    const path_node turn[] = {{49, 50, 1}, {50, 50, 2}, {50, 51, CONNECT_ANY}};
    ck_assert(!connect_draw(b.g, connection_of(&b, "local_road"), 0, turn, 3));
    ck_assert(street(&b, "local_road", 49, 50, 1, 3));
    ck_assert_str_eq(get(&b, 0, 50, 50), "bridge_east");
    board_dispose(&b);
}
END_TEST

/* A stub has its outward arm on any ground, and leaves no other arm hanging. */
START_TEST(stubs_point_out)
{
    static const char *const grounds[] = {"field",        "forest",      "lake_surface",
                                          "house_north",  "open_air",    "forest_trail_ns",
                                          "railroad_new", "bridge_east", "road_new"};
    static const struct {
        int16_t x, y;
        int8_t heading;
    } places[] = {{90, 0, 2}, {SIZE - 1, 33, 3}, {90, SIZE - 1, 0}, {0, 77, 1}};
    for (size_t n = 0; n < sizeof grounds / sizeof grounds[0]; n++)
        for (int i = 0; i < 4; i++) {
            board b = board_new(1, NULL);
            const size_t road = connection_of(&b, "local_road");
            const connect_end end = {places[i].x, places[i].y,
                                     (int8_t)(n % 2 ? CONNECT_ANY : places[i].heading), true};
            set(&b, end.x, end.y, grounds[n]);
            for (int d = 0; d < 4; d++)
                if (inside(end.x + step_x(d), end.y + step_y(d)))
                    set(&b, end.x + step_x(d), end.y + step_y(d),
                        n == 5   ? "forest_trail_nesw"
                        : n == 6 ? "railroad_nesw"
                        : n == 8 ? "road_nesw"
                                 : "field");
            connect_stub(b.g, road, 0, end);
            const ptl_oter oter = *cell(&b, 0, end.x, end.y);
            const int out = places[i].heading ^ 2;
            if (strncmp(b.cat->oters[oter].id, "bridge", 6) == 0)
                ck_assert_int_eq(axis_of(b.cat->oters[oter].rotation), axis_of(out));
            else
                ck_assert(b.cat->oters[oter].line >> out & 1);
            ck_assert(connect_has(b.g, road, oter));
            for (int d = 0; d < 4 && n != 8; d++)
                if (inside(end.x + step_x(d), end.y + step_y(d)))
                    ck_assert(!(
                        b.cat->oters[*cell(&b, 0, end.x + step_x(d), end.y + step_y(d))].line >>
                            (d ^ 2) &
                        1));
            board_dispose(&b);
        }
    board b = board_new(1, NULL);
    connect_stub(b.g, connection_of(&b, "local_road"), 0, at(50, 50));
    ck_assert_str_eq(get(&b, 0, 50, 50), "field"); /* not an exit */
    board_dispose(&b);
}
END_TEST

static void random_street(board *b, rng *r, size_t connection, int32_t size)
{
    path_node nodes[12];
    const size_t count = 1 + rng_below(r, 12);
    int32_t x = rng_range(r, 1, size - 2), y = rng_range(r, 1, size - 2);
    int direction = (int)rng_below(r, 4);
    for (size_t i = 0; i < count; i++) {
        nodes[i] = (path_node){(int16_t)x, (int16_t)y, (int8_t)direction};
        if (i + 1 == count)
            nodes[i].direction = CONNECT_ANY;
        x += step_x(direction);
        y += step_y(direction);
        if (x < 1 || y < 1 || x > size - 2 || y > size - 2) {
            nodes[i].direction = CONNECT_ANY;
            connect_draw(b->g, connection, 0, nodes, i + 1);
            return;
        }
    }
    connect_draw(b->g, connection, 0, nodes, count);
}

/* Whatever is drawn in whatever order, each arm is answered after each of the steps. */
START_TEST(every_arm_is_answered)
{
    static const char *const ways[] = {"local_road", "local_railroad", "forest_trail"};
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(9, (uint64_t)_i));
    const int32_t size = rng_range(&r, 12, 60);
    board_random_land(&b, &r, size);
    for (int n = 0; n < 60; n++) {
        const size_t way = connection_of(&b, ways[rng_below(&r, 3)]);
        connect_end from, to;
        if (rng_below(&r, 3) == 0)
            random_street(&b, &r, way, size);
        else if (rng_below(&r, 12) == 0)
            connect_stub(b.g, way, 0,
                         (connect_end){(int16_t)rng_range(&r, 1, size - 2), 0, 2, true});
        else if (random_end(&b, &r, way, size, &from) && random_end(&b, &r, way, size, &to))
            rng_below(&r, 4) ? connect_ends(b.g, way, 0, from, to)
                             : connect_to_any(b.g, way, 0, from);
        check_arms(&b, 0);
    }
    ck_assert(!b.g->failed);
    step_bridges.run(b.g);
    check_arms(&b, 0);
    board_dispose(&b);
}
END_TEST

TCase *connect_draw_tests(void)
{
    TCase *t = tcase_create("draw");
    tcase_add_test(t, lines_merge);
    tcase_add_test(t, old_arms_stay);
    tcase_add_test(t, a_road_over_a_trail_ends_it);
    tcase_add_test(t, rails_cross_roads_at_right_angles);
    tcase_add_test(t, manholes_stay);
    tcase_add_test(t, bridges_are_not_crossed);
    tcase_add_test(t, streets_are_checked_before_they_are_drawn);
    tcase_add_test(t, stubs_point_out);
    tcase_add_loop_test(t, every_arm_is_answered, 0, test_seeds(24));
    return t;
}
