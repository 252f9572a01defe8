/* Step roads: on grounds painted by hand or at random, and behind the whole pipeline. */
#include "unit/gen/connect/test_roads.h"
#include "gen/connect/connect_impl.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/gen/connect/road_scene.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static int32_t labels[SIZE * SIZE];

/* ---- random grounds ---- */

static void blob(scene *s, rng *r, const char *id, int32_t most)
{
    int32_t x = rng_range(r, 0, SIZE - 1), y = rng_range(r, 0, SIZE - 1);
    scene_paint(s, x, y, x + rng_range(r, 0, most), y + rng_range(r, 0, most), id);
}

static void houses(scene *s, rng *r)
{
    int32_t x = rng_range(r, 1, SIZE - 12), y = rng_range(r, 1, SIZE - 12);
    int32_t w = rng_range(r, 2, 9), h = rng_range(r, 2, 9);
    for (int32_t i = 0; i <= w; i++) {
        scene_house(s, x + i, y);
        scene_house(s, x + i, y + h);
    }
    for (int32_t i = 1; i < h; i++) {
        scene_house(s, x, y + i);
        scene_house(s, x + w, y + i);
    }
}

static void random_ground(scene *s, rng *r, bool rivers)
{
    for (int32_t i = rng_range(r, 0, 8); i > 0; i--)
        blob(s, r, "forest", 40);
    for (int32_t i = rng_range(r, 0, 4); i > 0; i--)
        blob(s, r, "forest_water", 30);
    for (int32_t i = rng_range(r, 0, 4); rivers && i > 0; i--) {
        int32_t at = rng_range(r, 0, SIZE - 1), width = rng_range(r, 0, 3);
        if (rng_one_in(r, 2))
            scene_paint(s, at, 0, at + width, SIZE - 1, "river_center");
        else
            scene_paint(s, 0, at, SIZE - 1, at + width, "river_center");
    }
    for (int32_t i = rng_range(r, 0, 6); i > 0; i--)
        blob(s, r, "lake_surface", 50);
    for (int32_t i = rng_range(r, 0, 3); i > 0; i--) { /* walls from border to border */
        int32_t at = rng_range(r, 2, SIZE - 3), gap = rng_range(r, -60, SIZE - 1);
        if (rng_one_in(r, 2))
            scene_paint(s, at, 0, at, SIZE - 1, "lake_surface");
        else
            scene_paint(s, 0, at, SIZE - 1, at, "lake_surface");
        if (gap >= 0)
            scene_paint(s, gap, at, gap, at, "field");
    }
    for (int32_t i = rng_range(r, 0, 5); i > 0; i--)
        houses(s, r);
}

/* Exits anywhere but where they would touch, and cities wherever a road can be. */
static void random_ends(scene *s, rng *r, int32_t most)
{
    for (int d = 0; d < 4; d++) {
        int32_t p = rng_range(r, 1, SIZE - 1);
        for (int32_t i = rng_range(r, 0, most); i > 0 && p < SIZE - 1; i--) {
            scene_exit(s, d, "local_road", p, 0);
            p += rng_range(r, 2, SIZE / 2);
        }
    }
    for (int32_t i = rng_range(r, 0, 6); i > 0; i--) {
        int32_t x = rng_range(r, 1, SIZE - 2), y = rng_range(r, 1, SIZE - 2);
        if (connect_turns(s->g, s->config->road, s->g->ground[y * SIZE + x]))
            scene_city(s, x, y, 3);
    }
}

/* ---- the rule: one part, or an event that says why not ---- */

static size_t all_ends(const scene *s, const char *kind, connect_end *out)
{
    size_t count = 0;
    for (int d = 0; d < 4; d++)
        for (size_t i = 0; i < s->edges[d].count; i++)
            if (strcmp(s->crossings[d][i].kind, kind) == 0)
                out[count++] = exit_end(d, s->crossings[d][i].position);
    for (size_t i = 0; i < s->g->features.city_count; i++) {
        const gen_city *c = &s->g->features.cities[i];
        out[count++] = (connect_end){.x = c->x, .y = c->y, .heading = CONNECT_ANY};
    }
    return count;
}

/* The parts to whose roads there is usable ground all the way from the end. */
static bool reached[SIZE * SIZE + 1];

static void reach_parts(const scene *s, connect_end end)
{
    static const int8_t DX[4] = {0, 1, 0, -1}, DY[4] = {-1, 0, 1, 0};
    static uint8_t seen[SIZE * SIZE];
    static int32_t queue[SIZE * SIZE];
    int32_t count = 0;
    memset(seen, 0, sizeof seen);
    memset(reached, 0, sizeof reached);
    queue[count++] = end.y * SIZE + end.x;
    for (int32_t head = 0; head < count; head++) {
        int32_t at = queue[head];
        reached[labels[at]] = true;
        for (int d = 0; d < 4; d++) {
            int32_t x = at % SIZE + DX[d], y = at / SIZE + DY[d], n = y * SIZE + x;
            bool inner = x >= 1 && x < SIZE - 1 && y >= 1 && y < SIZE - 1;
            if (inner && !seen[n] && connect_allows(s->g, s->config->road, s->g->ground[n])) {
                seen[n] = 1;
                queue[count++] = n;
            }
        }
    }
}

/* What an end stands on before anything is drawn. */
static bool drawable[EXITS_MAX];

static int32_t fullest_part(const connect_end *ends, size_t count)
{
    int32_t best = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t own = labels[ends[i].y * SIZE + ends[i].x], tally = 0;
        for (size_t k = 0; own && k < count; k++)
            tally += labels[ends[k].y * SIZE + ends[k].x] == own && drawable[k];
        if (drawable[i] && tally > most) {
            most = tally;
            best = own;
        }
    }
    return best;
}

static int check_ends(const scene *s, const connect_end *ends, size_t count, bool rivers)
{
    int apart = 0;
    scene_parts(s, s->config->road, 0, labels);
    int32_t best = fullest_part(ends, count);
    /* Of equally full parts the step may have taken another: that of an end without event. */
    size_t reported = 0;
    for (size_t i = 0; i < count; i++) {
        if (!scene_event(s, "unreached", ends[i].x, ends[i].y))
            best = labels[ends[i].y * SIZE + ends[i].x];
        else
            reported++;
    }
    if (reported == count) /* nothing but stubs */
        best = 0;
    for (size_t i = 0; i < count; i++) {
        const connect_end e = ends[i];
        const gen_event *event = scene_event(s, "unreached", e.x, e.y);
        int32_t own = labels[e.y * SIZE + e.x];
        ck_assert_int_gt(own, 0);
        ck_assert_msg(event || own == best, "%d,%d is apart without an event", e.x, e.y);
        if (!event)
            continue;
        apart++;
        ck_assert_msg(own != best, "%d,%d has an event, but is joined: %s", e.x, e.y,
                      event->detail);
        bool turn = strncmp(event->detail, "only with a turn", 16) == 0;
        reach_parts(s, e);
        for (size_t k = 0; drawable[i] && k < count; k++) {
            int32_t part = best ? best : labels[ends[k].y * SIZE + ends[k].x];
            ck_assert_msg(own == part || turn == reached[part], "%d,%d: %s", e.x, e.y,
                          event->detail);
        }
        ck_assert_msg(!turn || rivers, "%d,%d: %s", e.x, e.y, event->detail);
    }
    return apart;
}

START_TEST(all_ends_are_joined_or_reported)
{
    static connect_end ends[EXITS_MAX + CITY_SITES_MAX];
    scene *s = scene_new((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i + 1000);
    int apart = 0, joined = 0;
    for (int round = 0; round < 12; round++) {
        bool rivers = round % 3 == 2;
        scene_clear(s);
        random_ground(s, &r, rivers);
        random_ends(s, &r, 1 + round % 4);
        memset(s->g->reserved, 1, SIZE * SIZE); /* to be cleared */
        s->config->river_form = round % 2 ? RIVERS_CURVED : RIVERS_WALKED;
        size_t count = all_ends(s, "local_road", ends);
        for (size_t i = 0; i < count; i++)
            drawable[i] = connect_allows(s->g, s->config->road,
                                         s->g->ground[ends[i].y * SIZE + ends[i].x]);
        scene_run(s, "roads");
        scene_check_arms(s, 0);
        int events = check_ends(s, ends, count, rivers);
        apart += events;
        joined += (int)count - events;
        ck_assert_ptr_null(memchr(s->g->reserved, 1, SIZE * SIZE));
    }
    ck_assert_int_gt(joined, apart); /* the grounds are hard, but not that hard */
    scene_free(s);
}
END_TEST

START_TEST(equal_scenes_give_equal_roads)
{
    static ptl_oter cells[2][SIZE * SIZE];
    for (int pass = 0; pass < 2; pass++) {
        scene *s = scene_new((uint64_t)_i);
        if (pass) { /* another chunk's roads leave nothing behind in the generator */
            scene_exit(s, 0, "local_road", 90, 0);
            scene_exit(s, 2, "local_road", 20, 0);
            scene_run(s, "roads");
            scene_clear(s);
        }
        rng r = rng_from_key((uint64_t)_i);
        random_ground(s, &r, true);
        random_ends(s, &r, 3);
        scene_run(s, "roads");
        ptl_chunk_level(cells[pass], s->chunk, 0);
        scene_free(s);
    }
    ck_assert(memcmp(cells[0], cells[1], sizeof cells[0]) == 0);
}
END_TEST

/* ---- reasons ---- */

static void ring(scene *s, int32_t x, int32_t y, int32_t r, const char *id)
{
    scene_paint(s, x - r, y - r, x + r, y - r, id);
    scene_paint(s, x - r, y + r, x + r, y + r, id);
    scene_paint(s, x - r, y - r, x - r, y + r, id);
    scene_paint(s, x + r, y - r, x + r, y + r, id);
}

static void house_ring(scene *s, int32_t x, int32_t y, int32_t r)
{
    for (int32_t i = -r; i <= r; i++) {
        scene_house(s, x + i, y - r);
        scene_house(s, x + i, y + r);
        scene_house(s, x - r, y + i);
        scene_house(s, x + r, y + i);
    }
}

static void expect_reason(scene *s, int32_t x, int32_t y, const char *reason)
{
    scene_run(s, "roads");
    const gen_event *event = scene_event(s, "unreached", x, y);
    ck_assert_ptr_nonnull(event);
    ck_assert_str_eq(event->detail, reason);
    ck_assert_str_eq(event->step, "roads");
    ck_assert_uint_eq(s->g->event_count, 1);
    scene_check_arms(s, 0);
    scene_clear(s);
    scene_exit(s, 0, "local_road", 30, 0);
    scene_exit(s, 3, "local_road", 60, 0);
}

START_TEST(reasons_are_true)
{
    scene *s = scene_new(3);
    scene_exit(s, 0, "local_road", 30, 0);
    scene_exit(s, 3, "local_road", 60, 0);
    ring(s, 100, 100, 6, "lake_surface");
    scene_city(s, 100, 100, 2);
    scene_house(s, 20, 20); /* elsewhere */
    expect_reason(s, 100, 100, "water all round");

    scene_paint(s, 170, 1, 170, 10, "lake_surface"); /* open along the border only */
    scene_paint(s, 170, 10, 178, 10, "lake_surface");
    scene_city(s, 175, 5, 2);
    expect_reason(s, 175, 5, "water all round");

    house_ring(s, 100, 100, 4);
    scene_city(s, 100, 100, 2);
    expect_reason(s, 100, 100, "enclosed by buildings");

    ring(s, 100, 100, 5, "lake_surface");
    for (int32_t i = -5; i <= 5; i++)
        scene_house(s, 100 + i, 95);
    scene_city(s, 100, 100, 2);
    expect_reason(s, 100, 100, "enclosed by water and buildings");

    /* Without its houses, too, the city would lie on an island. */
    ring(s, 100, 100, 8, "lake_surface");
    house_ring(s, 100, 100, 4);
    scene_house(s, 100, 93);
    scene_city(s, 100, 100, 2);
    expect_reason(s, 100, 100, "water all round");

    ring(s, 100, 100, 5, "rock");
    scene_city(s, 100, 100, 2);
    expect_reason(s, 100, 100, "no ground that local_road can use");

    scene_paint(s, 80, SIZE - 4, 120, SIZE - 1, "lake_surface");
    scene_exit(s, 2, "local_road", 100, 0);
    expect_reason(s, 100, SIZE - 1, "lies on water");
    scene_free(s);
}
END_TEST

/* ---- lone exits ---- */

START_TEST(a_lone_exit_leads_somewhere)
{
    scene *s = scene_new((uint64_t)_i);
    int direction = _i % 4;
    rng r = rng_from_key((uint64_t)_i);
    random_ground(s, &r, false);
    connect_end end = exit_end(direction, rng_range(&r, 1, SIZE - 2));
    scene_paint(s, end.x - 1, end.y - 1, end.x + 1, end.y + 1, "field");
    scene_exit(s, direction, "local_road", direction % 2 ? end.y : end.x, 0);
    static ground_walk walk;
    int32_t open = walk_ground(s->g, &walk, (track){s->config->road, 0, "local_road"}, end);
    scene_run(s, "roads");
    scene_check_arms(s, 0);
    scene_parts(s, s->config->road, 0, labels);
    int32_t length = 0, own = labels[end.y * SIZE + end.x];
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        length += labels[i] == own;
    if (length == 1) {
        ck_assert_int_lt(open, SIZE * SIZE / 2);
        ck_assert_ptr_nonnull(scene_event(s, "unreached", end.x, end.y));
    } else {
        ck_assert_int_gt(length, REACH / 2);
        ck_assert_uint_eq(s->g->event_count, 0);
    }
    scene_free(s);
}
END_TEST

START_TEST(nothing_to_do_is_nothing_done)
{
    scene *s = scene_new(1);
    scene_run(s, "roads");
    ck_assert_str_eq(scene_id(s, 90, 90, 0), "field");
    scene_city(s, 90, 90, 4); /* a city alone keeps its centre, without an event */
    scene_run(s, "roads");
    ck_assert_str_eq(scene_id(s, 90, 90, 0), "road_isolated");
    ck_assert_uint_eq(s->g->event_count, 0);
    scene_free(s);
}
END_TEST

/* ---- foreign edges ---- */

START_TEST(foreign_crossings_are_answered)
{
    scene *s = scene_new((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i);
    random_ground(s, &r, true);
    /* In order of level, kind and position, as edges are. */
    for (int d = 0; d < 4; d++) {
        scene_exit(s, d, "subway_tunnel", rng_range(&r, 1, SIZE - 2), -4);
        scene_exit(s, d, "subway_tunnel", rng_range(&r, 1, 80), -2);
        scene_exit(s, d, "subway_tunnel", rng_range(&r, 81, SIZE - 2), -2);
        scene_exit(s, d, "sewer_tunnel", rng_range(&r, 1, SIZE - 2), -1);
        scene_exit(s, d, "forest_trail", 20, 0);
        scene_exit(s, d, "local_railroad", rng_range(&r, 40, 60), 0);
        scene_exit(s, d, "local_road", 1 + 3 * d, 0);
        scene_exit(s, d, "local_road", 100, 0);
        scene_exit(s, d, "local_road", 101, 0); /* side by side */
    }
    scene_run(s, "roads");
    for (int32_t z = -4; z <= 0; z++)
        scene_check_arms(s, z);
    uint16_t subway = catalogue_connection(s->config->cat, "subway_tunnel");
    ck_assert_int_eq(scene_parts(s, subway, -2, labels), 1);
    ck_assert_int_eq(scene_parts(s, subway, -4, labels), 1);
    ck_assert_int_eq(scene_parts(s, subway, -3, labels), 0);
    scene_free(s);
}
END_TEST

START_TEST(unknown_kinds_are_reported)
{
    scene *s = scene_new(2);
    scene_exit(s, 1, "hidden_lab_basement", 33, -3);
    scene_exit(s, 1,
               "a connection with an id that is longer than any event has room for, truly", 34,
               0);
    scene_exit(s, 1, "local_road", SIZE, 0);
    scene_exit(s, 1, "local_road", 10, PTL_Z_MAX + 1);
    scene_run(s, "roads");
    ck_assert_uint_eq(s->g->event_count, 4);
    const gen_event *e = scene_event(s, "unknown_crossing", SIZE - 1, 33);
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->z, -3);
    ck_assert_str_eq(e->detail, "hidden_lab_basement: the content has no such connection");
    ck_assert_ptr_nonnull(scene_event(s, "unknown_crossing", SIZE - 1, 34));
    ck_assert_ptr_nonnull(scene_event(s, "unknown_crossing", -1, -1));
    ck_assert_ptr_nonnull(scene_event(s, "unknown_crossing", SIZE - 1, 10));
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        ck_assert_int_eq(scene_parts(s, s->config->road, z, labels), 0);
    scene_free(s);
}
END_TEST

/* All of a border: a road along it, as a game's save may have it. */
START_TEST(a_border_full_of_exits_is_survived)
{
    scene *s = scene_new(4);
    int direction = _i;
    for (int32_t p = 0; p < SIZE; p++)
        scene_exit(s, direction, "local_road", p, 0);
    scene_exit(s, (direction + 1) % 4, "local_road", 0, 0); /* corners belong to two edges */
    scene_exit(s, (direction + 1) % 4, "local_road", SIZE - 1, 0);
    scene_city(s, 90, 90, 4);
    scene_run(s, "roads");
    scene_check_arms(s, 0);
    scene_free(s);
}
END_TEST

/* ---- towns that face each other across water ---- */

static void draw_leg(scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    static path_node nodes[2 * SIZE];
    const int32_t dx = (x1 > x0) - (x1 < x0), dy = (y1 > y0) - (y1 < y0);
    const int8_t direction = (int8_t)(dy < 0 ? 0 : dx > 0 ? 1 : dy > 0 ? 2 : 3);
    size_t count = 0;
    for (int32_t x = x0, y = y0; x != x1 || y != y1; x += dx, y += dy)
        nodes[count++] = (path_node){(int16_t)x, (int16_t)y, direction};
    nodes[count++] = (path_node){(int16_t)x1, (int16_t)y1, CONNECT_ANY};
    ck_assert(connect_draw(s->g, s->config->road, 0, nodes, count));
}

enum { TOWN_A = 60, TOWN_B = 120, TOWNS_Y = 90 };

/* Two towns, 60 apart, and a road from one to the other in three legs, so far to the north that
 * it is `way` long; a river in between that leaves out that road alone. */
static void towns_across(scene *s, int32_t way, const char *between)
{
    const int32_t top = TOWNS_Y - (way - (TOWN_B - TOWN_A)) / 2;
    scene_clear(s);
    scene_city(s, TOWN_A, TOWNS_Y, 2);
    scene_city(s, TOWN_B, TOWNS_Y, 2);
    draw_leg(s, TOWN_A, TOWNS_Y, TOWN_A, top);
    draw_leg(s, TOWN_A, top, TOWN_B, top);
    draw_leg(s, TOWN_B, top, TOWN_B, TOWNS_Y);
    scene_paint(s, 88, 1, 92, top - 1, between);
    scene_paint(s, 88, top + 1, 92, SIZE - 2, between);
}

static int32_t way_between(scene *s)
{
    const connect_end a = {.x = TOWN_A, .y = TOWNS_Y, .heading = CONNECT_ANY};
    const connect_end b = {.x = TOWN_B, .y = TOWNS_Y, .heading = CONNECT_ANY};
    scene_run(s, "roads");
    scene_check_arms(s, 0);
    ck_assert_uint_eq(s->g->event_count, 0);
    /* Later searches see the costs of always. */
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        ck_assert_uint_ne(s->g->connector->view->grid[i] & STEP_COST, SHORT_CUT_OMT);
    return connect_way(s->g, s->config->road, 0, a, b, SIZE * SIZE);
}

START_TEST(facing_towns_get_a_short_cut)
{
    scene *s = scene_new((uint64_t)_i);
    s->config->river_form = RIVERS_CURVED;
    towns_across(s, 200, "river_center");
    ck_assert_int_lt(way_between(s), 100);
    towns_across(s, 122, "river_center"); /* the least that is over twice the direct way */
    ck_assert_int_lt(way_between(s), 122);
    towns_across(s, 120, "river_center");
    ck_assert_int_eq(way_between(s), 120);
    towns_across(s, 200, "field"); /* on land they do without */
    ck_assert_int_eq(way_between(s), 200);
    s->config->options.roads = PTL_ROADS_EXACT;
    towns_across(s, 200, "river_center");
    ck_assert_int_eq(way_between(s), 200);
    s->config->options.roads = PTL_ROADS_WANDERING;
    s->config->river_form = RIVERS_WALKED;
    towns_across(s, 200, "river_center");
    ck_assert_int_eq(way_between(s), 200);
    scene_free(s);
}
END_TEST

/* From the third town neither of the two is over twice the direct way. */
START_TEST(a_town_between_two_keeps_them_from_facing)
{
    scene *s = scene_new((uint64_t)_i);
    s->config->river_form = RIVERS_CURVED;
    for (int third = 0; third < 2; third++) {
        towns_across(s, 160, "river_center");
        draw_leg(s, 84, 62, 84, 40);
        if (third)
            scene_city(s, 84, 62, 2);
        ck_assert_int_eq(way_between(s) == 160, third);
    }
    scene_free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("roads");
    TCase *tcase = tcase_create("roads");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, all_ends_are_joined_or_reported, 0, test_seeds(8));
    tcase_add_loop_test(tcase, facing_towns_get_a_short_cut, 0, 2);
    tcase_add_loop_test(tcase, a_town_between_two_keeps_them_from_facing, 0, 2);
    tcase_add_loop_test(tcase, equal_scenes_give_equal_roads, 0, 4);
    tcase_add_test(tcase, reasons_are_true);
    tcase_add_loop_test(tcase, a_lone_exit_leads_somewhere, 0, test_seeds(12));
    tcase_add_test(tcase, nothing_to_do_is_nothing_done);
    tcase_add_loop_test(tcase, foreign_crossings_are_answered, 0, test_seeds(8));
    tcase_add_test(tcase, unknown_kinds_are_reported);
    tcase_add_loop_test(tcase, a_border_full_of_exits_is_survived, 0, 4);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, whole_chunks_case());
    return suite_run(suite);
}
