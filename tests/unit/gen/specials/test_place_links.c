/*
 * Links of specials: the cheapest way to the connection, the arm back, stubs and their events,
 * and no arm without an answer whatever was placed.
 */
#include "unit/gen/specials/test_place.h"

#include "support/seeds.h"
#include "unit/gen/specials/place_fixture.h"

#include <stdlib.h>
#include <string.h>

static const char *const WAYS[] = {"local_road", "local_railroad"};

static int line_at(stage *s, int32_t x, int32_t y)
{
    return s->cat.oters[*cell(&s->b, 0, x, y)].line;
}

static const char *type_id(stage *s, int32_t x, int32_t y)
{
    return s->cat.terrains[s->cat.oters[*cell(&s->b, 0, x, y)].terrain].id;
}

/* ---- the search ---- */

/* One link with a heading or none, some cells around its start closed. 1 if it was compared. */
static int compare(stage *s, rng *r, size_t connection, int32_t size)
{
    board *b = &s->b;
    connect_end from;
    if (!random_end(b, r, connection, size, &from) ||
        connect_has(b->g, connection, b->g->ground[from.y * SIZE + from.x]))
        return 0;
    from.heading = (int8_t)rng_range(r, -1, 3);
    const int against = from.heading < 0 ? -1 : opposite(from.heading);
    int32_t closed[8];
    size_t count = 0;
    for (int i = 0; i < 8; i++) {
        const int32_t x = from.x + rng_range(r, -6, 6), y = from.y + rng_range(r, -6, 6);
        bool again = x == from.x && y == from.y;
        for (size_t k = 0; k < count; k++)
            again = again || closed[k] == y * SIZE + x;
        if (inside(x, y) && !again)
            closed[count++] = y * SIZE + x;
    }
    ptl_oter *before = malloc(CELLS * sizeof *before);
    memcpy(before, b->g->ground, CELLS * sizeof *before);
    const best want =
        brute_force_nearest(b, connection, from.y * SIZE + from.x, against, closed, count);
    /* Seeking says the same and draws nothing; what it found may be drawn then. */
    connect_ground ground = {.closed = closed, .closed_count = count};
    const connect_result sought = connect_seek(b->g, connection, 0, from, &ground);
    ck_assert_mem_eq(before, b->g->ground, CELLS * sizeof *before);
    ground.sought = (sought == CONNECT_DRAWN || sought == CONNECT_NO_PATH) && rng_one_in(r, 2);
    ground.told = sought;
    const connect_result result = connect_link(b->g, connection, 0, from, &ground);
    ck_assert_int_eq(result, sought);
    int compared = 0;
    if (result == CONNECT_DRAWN) {
        const best found = path_cost(b, connection, before);
        ck_assert_int_ge(found.cost, want.cost);
        if (b->g->connector->view->valid) {
            ck_assert_int_eq(found.cost, want.cost);
            ck_assert_int_ge(found.turns, want.turns);
            compared = 1;
        }
    } else {
        ck_assert_int_eq(result, CONNECT_NO_PATH);
        ck_assert(want.cost < 0 || !b->g->connector->view->valid);
        compared = want.cost < 0;
        b->g->ground[from.y * SIZE + from.x] = before[from.y * SIZE + from.x];
    }
    free(before);
    check_arms(b, 0);
    return compared;
}

static void add_network(stage *s, rng *r, size_t connection, int32_t size)
{
    for (int32_t n = rng_range(r, 0, 3); n > 0; n--) {
        connect_end a, b;
        if (random_end(&s->b, r, connection, size, &a) &&
            random_end(&s->b, r, connection, size, &b))
            connect_ends(s->b.g, connection, 0, a, b);
    }
}

START_TEST(links_are_the_cheapest)
{
    stage *s = stage_new();
    stage_open(s, (uint64_t)_i);
    rng r = rng_from_key(hash_add(71, (uint64_t)_i));
    int compared = 0;
    for (int n = 0; n < 6; n++) {
        const int32_t size = n == 0 && _i % 4 == 0 ? SIZE : rng_range(&r, 10, 50);
        const size_t connection = connection_of(&s->b, WAYS[n % 2]);
        board_random_land(&s->b, &r, size);
        add_network(s, &r, connection, size);
        for (int i = 0; i < 5; i++)
            compared += compare(s, &r, connection, size);
    }
    ck_assert_int_gt(compared, 9);
    stage_free(s);
}
END_TEST

/* Back the way it came is no way, though it is the shortest. */
START_TEST(a_link_does_not_set_out_backwards)
{
    stage *s = stage_new();
    stage_open(s, 1);
    const size_t road = connection_of(&s->b, "local_road");
    for (int x = 40; x < 60; x++)
        set(&s->b, x, 55, x == 40 ? "road_end_west" : x == 59 ? "road_end_east" : "road_ew");
    const connect_end from = {50, 52, 0, true};
    ck_assert_int_eq(connect_link(s->b.g, road, 0, from, &(connect_ground){.closed = NULL}),
                     CONNECT_DRAWN);
    const path_node *path = s->b.g->connector->path;
    ck_assert_int_ne(path[0].direction, 2);
    ck_assert_uint_eq(s->b.g->connector->path_count, 5);
    ck_assert(line_at(s, 50, 52) >> 2 & 1);
    stage_free(s);
}
END_TEST

/* ---- ends ---- */

/* A special with a link to the north, and a road eight cells away on all sides. */
static stage *ring_road(uint16_t *special, bool road, int direction)
{
    stage *s = stage_new();
    *special = stage_house(s, "house with a road");
    stage_link(s, *special, 0, -1, 0, direction, "local_road");
    stage_open(s, 1);
    for (int i = 42; road && i <= 58; i++) {
        set(&s->b, i, 42, i == 42 ? "road_es" : i == 58 ? "road_sw" : "road_ew");
        set(&s->b, i, 58, i == 42 ? "road_ne" : i == 58 ? "road_wn" : "road_ew");
    }
    for (int i = 43; road && i < 58; i++) {
        set(&s->b, 42, i, "road_ns");
        set(&s->b, 58, i, "road_ns");
    }
    return s;
}

START_TEST(a_link_leads_to_the_road)
{
    uint16_t special;
    stage *s = ring_road(&special, true, 0);
    ck_assert(stage_place(s, special, 50, 50, _i));
    const int32_t x = 50 + step_x(_i), y = 50 + step_y(_i);
    ck_assert_int_eq(line_at(s, x, y), 1 << _i | 1 << opposite(_i));
    for (int i = 1; i < 8; i++)
        ck_assert_str_eq(type_id(s, 50 + i * step_x(_i), 50 + i * step_y(_i)), "road");
    ck_assert(line_at(s, 50 + 8 * step_x(_i), 50 + 8 * step_y(_i)) >> opposite(_i) & 1);
    ck_assert_int_eq(stage_dead_ends(s), 0);
    ck_assert_uint_eq(s->b.g->event_count, 0);
    stage_free(s);
}
END_TEST

/* Where it is not said from where it comes, or from where no OMT is, there is no arm back. */
START_TEST(an_arm_back_needs_an_answer)
{
    uint16_t special;
    stage *s = ring_road(&special, true, _i == 0 ? CONNECT_ANY : 1);
    ck_assert(stage_place(s, special, 50, 50, 0));
    ck_assert(!(line_at(s, 50, 49) >> 2 & 1));
    ck_assert_str_eq(type_id(s, 50, 49), "road");
    ck_assert_int_eq(stage_dead_ends(s), 0);
    stage_free(s);
}
END_TEST

START_TEST(a_point_on_the_road_gets_an_arm)
{
    uint16_t special;
    stage *s = ring_road(&special, true, _i == 0 ? 0 : CONNECT_ANY);
    stage_keep(s);
    ck_assert(stage_place(s, special, 50, 43, 0));
    ck_assert_str_eq(get(&s->b, 0, 50, 42), _i == 0 ? "road_esw" : "road_ew");
    ck_assert_int_eq(stage_changed(s), _i == 0 ? 2 : 1);
    ck_assert_int_eq(stage_dead_ends(s), 0);
    /* An OMT that does not merge stays. */
    set(&s->b, 55, 42, "road_nesw_manhole");
    ck_assert(stage_place(s, special, 55, 43, 0));
    ck_assert_str_eq(get(&s->b, 0, 55, 42), "road_nesw_manhole");
    ck_assert_uint_eq(s->b.g->event_count, 0);
    stage_free(s);
}
END_TEST

START_TEST(existing_links_draw_nothing)
{
    uint16_t special;
    stage *s = ring_road(&special, true, 0);
    s->links[special][0].existing = true;
    stage_keep(s);
    ck_assert(stage_place(s, special, 50, 43, 0));
    ck_assert_int_eq(stage_changed(s), 1);
    ck_assert(stage_place(s, special, 50, 50, 0));
    ck_assert_int_eq(stage_changed(s), 2);
    stage_free(s);
}
END_TEST

/* No road anywhere, or none that it could come to. */
START_TEST(no_way_is_a_stub)
{
    uint16_t special;
    stage *s = ring_road(&special, _i > 0, _i == 2 ? CONNECT_ANY : 0);
    for (int i = 40; i < 61; i++)
        for (int side = 44; side < 57; side += 12) {
            set(&s->b, i, side, "lake_surface");
            set(&s->b, side, i, "lake_surface");
        }
    if (_i > 0) /* the wall crosses the road outside */
        for (int32_t i = 0; i < CELLS; i++)
            if ((i % SIZE < 42 || i % SIZE > 58 || i / SIZE < 42 || i / SIZE > 58) &&
                strcmp(type_id(s, i % SIZE, i / SIZE), "lake_surface") == 0)
                s->b.g->ground[i] = oter_of(&s->b, "field");
    stage_keep(s);
    ck_assert(stage_place(s, special, 50, 50, 0));
    ck_assert_int_eq(stage_changed(s), 2);
    ck_assert_str_eq(get(&s->b, 0, 50, 49), _i == 2 ? "road_isolated" : "road_end_north");
    const gen_event *event = NULL;
    ck_assert_int_eq(stage_events(s, "unreached", &event), 1);
    ck_assert(event->x == 50 && event->y == 49 && event->z == 0);
    ck_assert_ptr_nonnull(strstr(event->detail, "house with a road"));
    /* The next one comes to it. */
    ck_assert(stage_place(s, special, 53, 50, 0));
    ck_assert_int_eq(stage_events(s, "unreached", NULL), 1);
    ck_assert_str_eq(get(&s->b, 0, 52, 49), "road_ew");
    stage_free(s);
}
END_TEST

/* Asked for a way, nothing stands where there is none, and what stands has the way that it
 * would have had unasked. */
START_TEST(a_way_can_be_asked_for)
{
    uint16_t special;
    stage *s = ring_road(&special, true, 0), *unasked = ring_road(&special, true, 0);
    place_order order = stage_order(special, 50, 50, _i);
    bool no_way = true;
    order.no_way = &no_way;
    ck_assert(place_special(s->b.g, &order) && !no_way);
    ck_assert(stage_place(unasked, special, 50, 50, _i));
    ck_assert_mem_eq(s->b.g->ground, unasked->b.g->ground, CELLS * sizeof *s->b.g->ground);
    ck_assert_uint_eq(s->b.g->event_count, 0);
    /* Its own cell closes the only way: water on the other three sides of the point. */
    order.x = 53;
    order.y = 53;
    const int32_t x = 53 + step_x(_i), y = 53 + step_y(_i);
    for (int d = 0; d < 4; d++)
        if (d != opposite(_i))
            set(&s->b, x + step_x(d), y + step_y(d), "lake_surface");
    stage_keep(s);
    ck_assert(!place_special(s->b.g, &order) && no_way);
    ck_assert_int_eq(stage_changed(s), 0);
    ck_assert_uint_eq(s->b.g->features.placement_count, 1);
    ck_assert_uint_eq(s->b.g->event_count, 0);
    for (int i = 0; i < CELLS; i++)
        ck_assert(site_owned(s->b.g, 0, i) == (s->b.g->watching && i == 50 * SIZE + 50));
    order.no_way = NULL;
    ck_assert(place_special(s->b.g, &order));
    ck_assert_int_eq(stage_events(s, "unreached", NULL), 1);
    stage_free(s);
    stage_free(unasked);
}
END_TEST

/* Of two links the second one has no way; and a blocked one, or one of another level, is no
 * reason. */
START_TEST(every_link_is_asked_for)
{
    static const char *const second[] = {"local_railroad", "local_road", "local_road",
                                         "sewer_tunnel"};
    stage *s = stage_new();
    const uint16_t special = stage_house(s, "house with two");
    stage_link(s, special, 0, -1, 0, 0, "local_road");
    stage_link(s, special, 0, 1, _i == 3 ? -1 : 0, 2, second[_i]);
    stage_open(s, 1);
    set(&s->b, 50, 42, "road_isolated");
    if (_i == 2)
        set(&s->b, 50, 51, "lake_surface");
    bool no_way = false;
    place_order order = stage_order(special, 50, 50, 0);
    order.no_way = &no_way;
    stage_keep(s);
    ck_assert_int_eq(place_special(s->b.g, &order), _i != 0);
    ck_assert_int_eq(no_way, _i == 0);
    ck_assert_int_eq(stage_changed(s) > 0, _i != 0);
    ck_assert_int_eq(stage_events(s, "unreached", NULL), 0);
    ck_assert_int_eq(stage_events(s, "blocked", NULL), _i == 2);
    stage_free(s);
}
END_TEST

/* Without a trail that it could come to a trail leads out of the forest, to open ground or a
 * road, in levelled regions; not where neither is, as on an island. */
START_TEST(a_trail_leads_out_of_the_forest)
{
    const bool levelled = _i > 0, island = _i == 3;
    stage *s = stage_new();
    const uint16_t special = stage_house(s, "hut");
    stage_link(s, special, 0, -1, 0, CONNECT_ANY, "forest_trail");
    stage_open(s, 1);
    cat_region region = *s->b.config->region;
    region.levelled = levelled;
    s->b.config->region = &region;
    for (int y = 30; y <= 70; y++)
        for (int x = 30; x <= 70; x++)
            set(&s->b, x, y,
                x > 30 && x < 70 && y > 30 && y < 70 ? "forest_thick"
                : island                             ? "lake_surface"
                : _i == 2 && y == 30 && x == 50      ? "road_isolated"
                : _i == 2                            ? "lake_surface"
                                                     : "field");
    stage_keep(s);
    bool no_way = false;
    place_order order = stage_order(special, 50, 40, 0);
    order.no_way = &no_way;
    ck_assert_int_eq(place_special(s->b.g, &order), levelled && !island);
    ck_assert_int_eq(no_way, !levelled || island);
    if (no_way)
        ck_assert(stage_place(s, special, 50, 40, 0));
    ck_assert_int_eq(stage_events(s, "unreached", NULL), !levelled || island);
    ck_assert_str_eq(type_id(s, 50, 39), "forest_trail");
    if (levelled && !island) {
        for (int y = 32; y <= 39; y++)
            ck_assert_int_eq(line_at(s, 50, y), y == 39 ? 1 : 5);
        ck_assert_int_eq(line_at(s, 50, 31), 4);
    }
    ck_assert_int_eq(stage_changed(s), levelled && !island ? 10 : 2);
    ck_assert_int_eq(stage_dead_ends(s), 0);
    stage_free(s);
}
END_TEST

/* With --compat, in levelled regions, a special's trail is not drawn at all, not even where one
 * lies beside it or near: the games draw it to a city's centre, which it can't reach. A road is
 * drawn, and so is a trail in other regions. */
START_TEST(with_compat_no_trail_comes_to_a_special)
{
    const bool compat = _i & 1, levelled = _i & 2, road = _i & 4, beside = _i & 8;
    const char *const way = road ? "local_road" : "forest_trail";
    stage *s = stage_new();
    const uint16_t special = stage_house(s, "hut");
    stage_link(s, special, 0, -1, 0, 0, way);
    stage_open(s, 1);
    cat_region region = *s->b.config->region;
    region.levelled = levelled;
    s->b.config->region = &region;
    s->b.config->options.compat = compat;
    for (int y = 30; y <= 70; y++)
        for (int x = 30; x <= 70; x++)
            set(&s->b, x, y, "forest_thick");
    set(&s->b, 50, beside ? 49 : 40, road ? "road_isolated" : "forest_trail_isolated");
    stage_keep(s);
    ck_assert(stage_place(s, special, 50, 50, 0));
    const bool drawn = road || !compat || !levelled;
    ck_assert_int_eq(stage_changed(s), !drawn ? 1 : beside ? 2 : 11);
    ck_assert_int_eq(stage_events(s, "unreached", NULL), !drawn);
    ck_assert_int_eq(stage_dead_ends(s), 0);
    stage_free(s);
}
END_TEST

START_TEST(ground_that_takes_no_link_is_an_event)
{
    uint16_t special;
    stage *s = ring_road(&special, true, 0);
    set(&s->b, 50, 49, _i == 0 ? "shop_north" : "river_center");
    stage_keep(s);
    ck_assert(stage_place(s, special, 50, 50, 0));
    ck_assert_int_eq(stage_changed(s), 1);
    ck_assert_int_eq(stage_events(s, "blocked", NULL), 1);
    stage_free(s);
}
END_TEST

/* Its own road is not the network, and no way leads through it. */
START_TEST(own_omts_are_no_goal)
{
    static const stage_omt omts[] = {{0, 0, 0, "road_nesw", NULL},
                                     {1, 0, 0, "house_north", NULL},
                                     {-1, 0, 0, "house_north", NULL},
                                     {0, 1, 0, "house_north", NULL}};
    stage *s = stage_new();
    const uint16_t special = stage_add(s, "yard", omts, 4);
    stage_link(s, special, 0, -1, 0, 0, "local_road");
    stage_open(s, 1);
    set(&s->b, 30, 70, "road_isolated");
    ck_assert(stage_place(s, special, 50, 50, 0));
    ck_assert_str_eq(get(&s->b, 0, 50, 50), "road_nesw");
    ck_assert(line_at(s, 50, 49) >> 2 & 1);
    ck_assert_int_ne(line_at(s, 30, 70), 0);
    ck_assert_int_eq(stage_dead_ends(s), 0);
    ck_assert_uint_eq(s->b.g->event_count, 0);
    stage_free(s);
}
END_TEST

START_TEST(deep_links_wait)
{
    static const stage_omt omts[] = {{0, 0, 0, "house_north", NULL},
                                     {0, 0, -1, "house_cellar_north", NULL},
                                     {1, 0, -1, "house_cellar_north", NULL}};
    stage *s = stage_new();
    const uint16_t special = stage_add(s, "works", omts, 3);
    stage_link(s, special, 0, 1, -1, 2, "sewer_tunnel");
    stage_link(s, special, 1, 0, -1, 1, "sewer_tunnel"); /* its own OMT */
    stage_link(s, special, 0, -1, -4, CONNECT_ANY, "subway_tunnel");
    stage_open(s, 1);
    stage_keep(s);
    ck_assert(stage_place(s, special, 50, 60, _i));
    ck_assert_int_eq(stage_changed(s), 3);
    ck_assert_uint_eq(s->b.g->deep_link_count, 2);
    const deep_link *l = s->b.g->deep_links;
    int32_t x, y;
    feature_rotate(0, 1, _i, &x, &y);
    ck_assert_uint_eq(l[0].connection, connection_of(&s->b, "sewer_tunnel"));
    ck_assert(l[0].end.x == 50 + x && l[0].end.y == 60 + y && l[0].z == -1);
    ck_assert_int_eq(l[0].end.heading, (2 + _i) % 4);
    feature_rotate(0, -1, _i, &x, &y);
    ck_assert_uint_eq(l[1].connection, connection_of(&s->b, "subway_tunnel"));
    ck_assert(l[1].end.x == 50 + x && l[1].end.y == 60 + y && l[1].z == -4);
    ck_assert_int_eq(l[1].end.heading, CONNECT_ANY);
    ck_assert(l[0].end.exit && !l[1].end.exit); /* an OMT of its own is there to answer */
    for (int i = 0; i < 200; i++)
        ck_assert(stage_place(s, special, 50, 60, 0));
    ck_assert_uint_eq(s->b.g->deep_link_count, 402);
    stage_free(s);
}
END_TEST

/* Buildings of cities stand already when their connections come: none of their OMTs changes.
 */
START_TEST(buildings_are_linked_where_they_stand)
{
    static const stage_omt omts[] = {{0, 0, 0, "house_north", NULL},
                                     {0, 0, -2, "house_cellar_north", NULL}};
    stage *s = stage_new();
    const uint16_t station = stage_add(s, "station", omts, 2);
    stage_link(s, station, 0, -1, -2, 0, "subway_tunnel");
    stage_link(s, station, 0, 1, -2, 2, "subway_tunnel");
    stage_link(s, station, 0, -1, 0, 0, "local_road");
    const uint16_t house = stage_house(s, "alone");
    stage_open(s, 1);
    set(&s->b, 70, 30, "road_isolated");
    gen_placement *record = features_add_placement(&s->b.g->features);
    *record = (gen_placement){.special = house, .x = 20, .y = 20, .city = 0};
    record = features_add_placement(&s->b.g->features);
    *record = (gen_placement){
        .special = station, .x = 50, .y = 60, .rotation = (uint8_t)_i, .city = 0};
    set(&s->b, 50, 60, "shop_south"); /* whatever it is, it stays */
    stage_keep(s);
    place_building_links(s->b.g);
    ck_assert_str_eq(get(&s->b, 0, 50, 60), "shop_south");
    ck_assert_uint_eq(s->b.g->features.placement_count, 2);
    ck_assert_uint_eq(s->b.g->deep_link_count, 2);
    for (int i = 0; i < 2; i++) {
        const deep_link *l = &s->b.g->deep_links[i];
        int32_t x, y;
        feature_rotate(0, 2 * i - 1, _i, &x, &y);
        ck_assert(l->end.x == 50 + x && l->end.y == 60 + y && l->z == -2 && l->end.exit);
        ck_assert_int_eq(l->end.heading, (2 * i + _i) % 4);
    }
    /* The road, with the arm back to the house. */
    int32_t x, y;
    feature_rotate(0, -1, _i, &x, &y);
    ck_assert(line_at(s, 50 + x, 60 + y) >> (2 + _i) % 4 & 1);
    ck_assert_int_gt(stage_changed(s), 40);
    ck_assert_uint_eq(s->b.g->event_count, 0);
    stage_free(s);
}
END_TEST

/* ---- whatever is placed ---- */
static uint16_t add_farm(stage *s, const char *id, const char *way, int direction)
{
    static const stage_omt omts[] = {{0, 0, 0, "house_north", "land"},
                                     {1, 0, 0, "park", "land"},
                                     {1, 1, 0, "shop_south", "land"}};
    const uint16_t n = stage_add(s, id, omts, 3);
    stage_link(s, n, 0, -1, 0, direction, way);
    return n;
}

/* By the catalogue alone: are all of its OMTs on their ground? */
static bool ground_fits(stage *s, uint16_t special, int32_t x, int32_t y, int rotation)
{
    const cat_special *c = &s->specials[special];
    for (size_t i = 0; i < c->omt_count; i++) {
        int32_t dx, dy;
        feature_rotate(c->omts[i].x, c->omts[i].y, rotation, &dx, &dy);
        const ptl_oter oter = *cell(&s->b, 0, x + dx, y + dy);
        if (!cat_terrain_in(c->omts[i].allows, s->cat.oters[oter].terrain))
            return false;
    }
    return true;
}

enum { KINDS = 6 };

typedef struct village {
    stage *s;
    uint16_t kinds[KINDS];
    int placed[KINDS];
    int32_t size;
    rng random;
    bool looks; /* links are to look at all cells */
} village;

/* Some land with roads and rails, and specials of every kind, up to 30 of each. */
static void village_open(village *v, uint64_t seed)
{
    stage *s = stage_new();
    memset(v, 0, sizeof *v);
    v->s = s;
    v->kinds[0] = add_farm(s, "farm", "local_road", 0);
    v->kinds[1] = add_farm(s, "depot", "local_railroad", 0);
    v->kinds[2] = add_farm(s, "shed", "local_road", CONNECT_ANY);
    v->kinds[3] = stage_add(s, "toll", &(stage_omt){0, 0, 0, "house_north", "road"}, 1);
    v->kinds[4] = stage_add(s, "gate", &(stage_omt){0, 0, 0, "road_ns", NULL}, 1);
    v->kinds[5] = stage_add(s, "splash", &(stage_omt){0, 0, 0, "park", "road"}, 1);
    s->specials[v->kinds[5]].flags = PTL_SPECIAL_BLOB;
    stage_link(s, v->kinds[4], 0, -1, 0, 0, "local_road");
    stage_open(s, seed);
    v->random = rng_from_key(hash_add(72, seed));
    v->size = rng_range(&v->random, 60, 120);
    board_random_land(&s->b, &v->random, v->size);
    add_network(s, &v->random, connection_of(&s->b, "local_road"), v->size);
    add_network(s, &v->random, connection_of(&s->b, "local_railroad"), v->size);
}

static void village_fill(village *v)
{
    rng *r = &v->random;
    for (int i = 0; i < 400; i++) {
        if (v->looks)
            connect_forget(v->s->b.g->connector);
        const int k = rng_range(r, 0, KINDS - 1), rotation = rng_range(r, 0, 3);
        const int32_t x = rng_range(r, 4, v->size - 4), y = rng_range(r, 4, v->size - 4);
        if (v->placed[k] < 30 && ground_fits(v->s, v->kinds[k], x, y, rotation))
            v->placed[k] += stage_place(v->s, v->kinds[k], x, y, rotation);
    }
}

START_TEST(no_arm_is_without_an_answer)
{
    village v;
    village_open(&v, (uint64_t)_i);
    village_fill(&v);
    ck_assert(v.placed[0] > 3 && v.placed[1] > 3 && v.placed[2] > 3 && v.placed[4] > 3);
    ck_assert_int_eq(stage_dead_ends(v.s), 0);
    stage_free(v.s);
}
END_TEST

/* Between site_map_begin and _end links rely on what is known of the ground; the same comes out
 * where each special's first link looks at every cell. */
START_TEST(the_ground_is_known)
{
    village known, looked;
    village_open(&known, (uint64_t)_i);
    village_open(&looked, (uint64_t)_i);
    site_map_begin(known.s->b.g);
    village_fill(&known);
    site_map_end(known.s->b.g);
    looked.looks = true;
    site_map_begin(looked.s->b.g);
    village_fill(&looked);
    site_map_end(looked.s->b.g);
    ck_assert_int_eq(memcmp(known.s->b.g->ground, looked.s->b.g->ground,
                            CELLS * sizeof *known.s->b.g->ground),
                     0);
    ck_assert_uint_eq(known.s->b.g->event_count, looked.s->b.g->event_count);
    stage_free(known.s);
    stage_free(looked.s);
}
END_TEST

TCase *place_link_tests(void)
{
    TCase *tc = tcase_create("links");
    tcase_add_loop_test(tc, links_are_the_cheapest, 0, test_seeds(12));
    tcase_add_test(tc, a_link_does_not_set_out_backwards);
    tcase_add_loop_test(tc, a_link_leads_to_the_road, 0, 4);
    tcase_add_loop_test(tc, an_arm_back_needs_an_answer, 0, 2);
    tcase_add_loop_test(tc, a_point_on_the_road_gets_an_arm, 0, 2);
    tcase_add_test(tc, existing_links_draw_nothing);
    tcase_add_loop_test(tc, no_way_is_a_stub, 0, 3);
    tcase_add_loop_test(tc, a_way_can_be_asked_for, 0, 4);
    tcase_add_loop_test(tc, every_link_is_asked_for, 0, 4);
    tcase_add_loop_test(tc, a_trail_leads_out_of_the_forest, 0, 4);
    tcase_add_loop_test(tc, with_compat_no_trail_comes_to_a_special, 0, 16);
    tcase_add_loop_test(tc, ground_that_takes_no_link_is_an_event, 0, 2);
    tcase_add_test(tc, own_omts_are_no_goal);
    tcase_add_loop_test(tc, deep_links_wait, 0, 4);
    tcase_add_loop_test(tc, buildings_are_linked_where_they_stand, 0, 4);
    tcase_add_loop_test(tc, no_arm_is_without_an_answer, 0, test_seeds(12));
    tcase_add_loop_test(tc, the_ground_is_known, 0, 6);
    return tc;
}
