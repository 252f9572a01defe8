/* The lines of a level: all points joined, every arm answered, and what specials wait for. */
#include "gen/pipeline.h"
#include "gen/steps/steps.h"
#include "unit/gen/below/sub_fixture.h"
#include "unit/gen/below/test_sublevels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(sewers_and_subways_are_whole)
{
    board b = sub_board((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i);
    for (int i = 0; i < 15; i++) {
        sub_set(&b, 0, rng_range(&r, 3, SIZE - 4), rng_range(&r, 3, SIZE - 4),
                "sub_station_south");
        sub_set(&b, 0, rng_range(&r, 3, SIZE - 4), rng_range(&r, 3, SIZE - 4),
                "road_nesw_manhole");
    }
    for (int i = 0; i < 200; i++) /* what they have to go around */
        sub_set(&b, -1 - i % 2, rng_range(&r, 1, SIZE - 2), rng_range(&r, 1, SIZE - 2),
                "mall_store_north");
    const int32_t stations = sub_count(&b, 0, "sub_station");
    const int32_t manholes = sub_count(&b, 0, "road_nesw_manhole");
    step_sublevels.run(b.g);
    ck_assert_int_eq(sub_parts(&b, "sewer_tunnel", -1), 1);
    ck_assert_int_eq(sub_parts(&b, "subway_tunnel", -2), 1);
    ck_assert_uint_eq(sub_dead_ends(&b), 0);
    ck_assert_int_ge(sub_count(&b, -2, "underground_sub_station"), stations - 2);
    ck_assert_int_ge(sub_count(&b, -1, "sewer_sub_station"), stations - 2);
    ck_assert_int_ge(sub_count(&b, -1, "sewer"), manholes - 2);
    ck_assert_int_eq(sub_count(&b, -3, "subway"), 0);
    board_dispose(&b);
}
END_TEST

/* An end that looks away from the special, on each side. */
START_TEST(connectors_become_ends)
{
    static const char *const ids[] = {"microlab_sub_connector", "sewer_connector"};
    static const char *const sides[] = {"north", "east", "south", "west"};
    static const char *const lines[] = {"subway_tunnel", "sewer_tunnel"};
    for (int kind = 0; kind < 2; kind++)
        for (int32_t z = -4; z < 0; z++) {
            board b = sub_board(2);
            char id[40];
            for (int i = 0; i < 4; i++) {
                snprintf(id, sizeof id, "%s_%s", ids[kind], sides[i]);
                sub_set(&b, z, 40 + 30 * i, 60 + 7 * i, id);
                /* the special itself lies behind it */
                sub_set(&b, z, 40 + 30 * i - step_x(i), 60 + 7 * i - step_y(i),
                        "mall_store_north");
            }
            step_sublevels.run(b.g);
            ck_assert_int_eq(sub_parts(&b, lines[kind], z), 1);
            for (int i = 0; i < 4; i++) {
                const ptl_oter o = ptl_chunk_oter(b.chunk, 40 + 30 * i, 60 + 7 * i, z);
                ck_assert(connect_has(b.g, connection_of(&b, lines[kind]), o));
                ck_assert(b.cat->oters[o].line >> opposite(i) & 1);
            }
            ck_assert_uint_eq(sub_dead_ends(&b), 4); /* the specials are in no list here */
            ck_assert_int_eq(sub_events(&b, "unreached"), 0);
            board_dispose(&b);
        }
}
END_TEST

/* A single connector keeps its end; no arm leads back where nothing stands behind it. */
START_TEST(a_lone_connector)
{
    static const char *const there[] = {NULL, "mall_store_north", "lake_water_cube"};
    for (int behind = 0; behind < 3; behind++) {
        board b = sub_board(2);
        cat_region region = *b.config->region;
        region.levelled = behind == 2;
        b.config->region = &region;
        sub_set(&b, -4, 40, 60, "microlab_sub_connector_north");
        if (behind)
            sub_set(&b, -4, 40, 61, there[behind]);
        step_sublevels.run(b.g);
        ck_assert_str_eq(get(&b, -4, 40, 60),
                         behind == 1 ? "subway_end_north" : "subway_isolated");
        ck_assert_int_eq(sub_used(&b, -4), 1 + (behind > 0));
        board_dispose(&b);
    }
    board b = sub_board(2); /* behind it lies the border ring */
    sub_set(&b, -4, 40, SIZE - 2, "microlab_sub_connector_north");
    step_sublevels.run(b.g);
    ck_assert_str_eq(get(&b, -4, 40, SIZE - 2), "subway_isolated");
    board_dispose(&b);
}
END_TEST

START_TEST(what_specials_ask_for)
{
    board b = sub_board((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i);
    for (int i = 0; i < 6; i++)
        sub_set(&b, 0, rng_range(&r, 3, SIZE - 4), rng_range(&r, 3, SIZE - 4),
                "road_nesw_manhole");
    for (int i = 0; i < 6; i++) {
        const int32_t x = 10 + 25 * i, y = rng_range(&r, 10, SIZE - 11);
        sub_ask(&b, "sewer_tunnel", x, y, -1, i % 5 ? i % 5 - 1 : CONNECT_ANY);
        sub_ask(&b, "sewer_tunnel", x, y, -3, CONNECT_ANY);
        sub_ask(&b, "subway_tunnel", x, y, -5, CONNECT_ANY);
    }
    step_sublevels.run(b.g);
    ck_assert_int_eq(sub_parts(&b, "sewer_tunnel", -1), 1);
    ck_assert_int_eq(sub_parts(&b, "sewer_tunnel", -3), 1);
    ck_assert_int_eq(sub_parts(&b, "subway_tunnel", -5), 1);
    ck_assert_int_eq(sub_events(&b, "unreached"), 0);
    for (size_t i = 0; i < b.g->deep_link_count; i++) {
        const deep_link *d = &b.g->deep_links[i];
        const ptl_oter o = ptl_chunk_oter(b.chunk, d->end.x, d->end.y, d->z);
        ck_assert(connect_has(b.g, d->connection, o));
        if (d->end.heading != CONNECT_ANY)
            ck_assert(b.cat->oters[o].line >> opposite(d->end.heading) & 1);
    }
    ck_assert_uint_le(sub_dead_ends(&b), 5); /* those that lead back to a special */
    board_dispose(&b);
}
END_TEST

enum { STOPS = 24 };

/* Steps that link all of the places, the nearest first (Prim's algorithm, written anew). */
static int32_t spanning_steps(const int32_t places[][2], int count)
{
    int32_t near[STOPS], sum = 0;
    bool in[STOPS] = {true};
    for (int i = 0; i < count; i++)
        near[i] = abs(places[i][0] - places[0][0]) + abs(places[i][1] - places[0][1]);
    for (int n = 1; n < count; n++) {
        int next = -1;
        for (int i = 0; i < count; i++)
            if (!in[i] && (next < 0 || near[i] < near[next]))
                next = i;
        in[next] = true;
        sum += near[next];
        for (int i = 0; i < count; i++) {
            const int32_t steps =
                abs(places[i][0] - places[next][0]) + abs(places[i][1] - places[next][1]);
            near[i] = steps < near[i] ? steps : near[i];
        }
    }
    return sum;
}

/* Stations of BN are OMTs of the line from the first: what is nearest to an end may be one
 * that is not linked to anything. All are one network nevertheless, and no longer than it must
 * be. */
START_TEST(stations_that_stand_already)
{
    board b = sub_board((uint64_t)_i);
    rng r = rng_from_key(hash_add(5, (uint64_t)_i));
    int32_t places[STOPS][2];
    for (int i = 0; i < STOPS; i++) {
        places[i][0] = 12 + 30 * (i % 6) + rng_range(&r, -7, 7);
        places[i][1] = 20 + 45 * (i / 6) + rng_range(&r, -15, 15);
        const int32_t x = places[i][0], y = places[i][1];
        sub_set(&b, -2, x, y, "subway_ns");
        sub_ask(&b, "subway_tunnel", x, y - 1, -2, 0);
        sub_ask(&b, "subway_tunnel", x, y + 1, -2, 2);
    }
    step_sublevels.run(b.g);
    ck_assert_int_eq(sub_parts(&b, "subway_tunnel", -2), 1);
    ck_assert_int_eq(sub_events(&b, "unreached"), 0);
    ck_assert_uint_eq(sub_dead_ends(&b), 0);
    /* Ends look away from each other, and ways around a station are a few OMTs more. */
    const int32_t least = spanning_steps((const int32_t(*)[2])places, STOPS),
                  omts = sub_count(&b, -2, "subway");
    ck_assert_msg(omts < least + 8 * STOPS, "%d tiles, %d at least", omts, least);
    board_dispose(&b);
}
END_TEST

START_TEST(alone_it_has_a_stub)
{
    board b = sub_board(1);
    sub_ask(&b, "sewer_tunnel", 50, 60, -2, 1);
    sub_ask(&b, "subway_tunnel", 70, 60, -1, CONNECT_ANY);
    step_sublevels.run(b.g);
    ck_assert_str_eq(get(&b, -2, 50, 60), "sewer_end_east");
    ck_assert_str_eq(get(&b, -1, 70, 60), "subway_isolated");
    ck_assert_int_eq(sub_events(&b, "unreached"), 2);
    board_dispose(&b);
}
END_TEST

/* Above the ground, and lines that no rule knows. */
START_TEST(any_line_on_any_level)
{
    board b = sub_board(1);
    ptl_oter *cells = cells_at(b.g, 3);
    for (int32_t i = 0; i < CELLS; i++)
        cells[i] = oter_of(&b, "field");
    sub_ask(&b, "local_road", 50, 60, 3, 1);
    sub_ask(&b, "local_road", 90, 90, 3, 3);
    step_sublevels.run(b.g);
    ck_assert_int_eq(sub_parts(&b, "local_road", 3), 1);
    ck_assert_int_ge(sub_count(&b, 3, "road"), 71);
    ck_assert_int_eq(sub_events(&b, "unreached"), 0);
    board_dispose(&b);
}
END_TEST

START_TEST(walls_are_told)
{
    board b = sub_board(1);
    for (int32_t i = 0; i < SIZE; i++)
        sub_set(&b, -2, 90, i, "mall_store_north");
    sub_set(&b, 0, 40, 40, "sub_station_north");
    sub_set(&b, 0, 140, 40, "sub_station_north");
    sub_set(&b, 0, 140, 90, "sub_station_north");
    step_sublevels.run(b.g);
    ck_assert_int_eq(sub_parts(&b, "subway_tunnel", -2), 2);
    ck_assert_int_ge(sub_events(&b, "unreached"), 1);
    ck_assert_uint_eq(sub_dead_ends(&b), 0);
    board_dispose(&b);
}
END_TEST

/* Tunnels that are there already, and lead to the border: stations join them. */
START_TEST(stations_join_tunnels)
{
    const catalogue *cat = sub_catalogue(NULL);
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.region = "dry";
    options.subways = true;
    board b = {.cat = cat};
    board plain = board_new(1, cat);
    ck_assert_int_eq(gen_config_new(&b.config, cat, &options, NULL), PTL_OK);
    plain.g->config = b.config;
    const size_t subway = connection_of(&plain, "subway_tunnel");
    const connect_end from = {0, 60, 1, true}, to = {SIZE - 1, 70, 3, true};
    ck_assert_int_eq(connect_ends(plain.g, subway, -2, from, to), CONNECT_DRAWN);
    sub_set(&plain, 0, 40, 20, "sub_station_north");
    sub_set(&plain, 0, 140, 120, "sub_station_north");
    step_sublevels.run(plain.g);
    ck_assert_int_eq(sub_parts(&plain, "subway_tunnel", -2), 1);
    plain.g->config = plain.config;
    gen_config_free(b.config);
    board_dispose(&plain);
}
END_TEST

/* Depots of trains are stops: their lab on one side, the subway on the other. */
START_TEST(depots_are_stops)
{
    const catalogue *cat = sub_catalogue(NULL);
    int32_t depots = 0, rounds = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        board b = board_new(seed, cat);
        sub_set(&b, -1, 40, 40, "lab_core");
        sub_set(&b, -1, 140, 60, "lab_core");
        sub_set(&b, 0, 90, 150, "sub_station_north");
        sub_set(&b, -3, 40, 140, "central_lab_core");
        step_sublevels.run(b.g);
        depots += sub_count(&b, -2, "lab_train_depot");
        rounds += sub_count(&b, -4, "central_lab_train_depot");
        ck_assert_uint_eq(sub_dead_ends(&b), 0);
        ck_assert_int_eq(sub_parts(&b, "subway_tunnel", -2), 1);
        board_dispose(&b);
    }
    /* One level in three has them, then one lab in two; at -4 each central lab that finds room.
     */
    ck_assert_msg(depots >= 1 && depots <= 16, "%d", depots);
    ck_assert_msg(rounds >= 9 && rounds <= 12, "%d", rounds);
}
END_TEST

TCase *sub_network_tests(void)
{
    TCase *t = tcase_create("networks");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, sewers_and_subways_are_whole, 0, 8);
    tcase_add_test(t, connectors_become_ends);
    tcase_add_test(t, a_lone_connector);
    tcase_add_loop_test(t, what_specials_ask_for, 0, 6);
    tcase_add_loop_test(t, stations_that_stand_already, 0, 6);
    tcase_add_test(t, alone_it_has_a_stub);
    tcase_add_test(t, any_line_on_any_level);
    tcase_add_test(t, walls_are_told);
    tcase_add_test(t, stations_join_tunnels);
    tcase_add_test(t, depots_are_stops);
    return t;
}
