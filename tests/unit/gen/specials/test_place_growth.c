/* Placing a mutable special: what grew is recorded, its pieces' connections are drawn; what
 * can't be closed leaves nothing. */
#include "unit/gen/specials/test_place.h"

#include "gen/mutable/growth_impl.h"
#include "unit/gen/specials/place_fixture.h"

#include <stdlib.h>
#include <string.h>

/* A root with a mandatory join to the east, and ends that close it. */
typedef struct vine {
    cat_join joins[1];
    cat_piece pieces[2];
    cat_rule_piece body[1];
    cat_rule rules[1];
    cat_phase phases[1];
    cat_check checks[1];
    cat_mutable layout;
} vine;

enum { TIP, ROOT };

static uint16_t add_vine(stage *s, vine *v, bool closes)
{
    const uint16_t n = stage_add(s, "vine", NULL, 0);
    memset(v, 0, sizeof *v);
    v->joins[0] = (cat_join){"stem", 0, stage_location(s, "field"), true};
    for (int p = TIP; p <= ROOT; p++) {
        v->pieces[p] =
            (cat_piece){.id = p == TIP ? "tip" : "root", .allows = stage_location(s, "field")};
        for (int i = 0; i < PTL_SIDES; i++) {
            v->pieces[p].sides[i].join = -1;
            v->pieces[p].connections[i] = CAT_NONE;
        }
        for (int r = 0; r < 4; r++)
            v->pieces[p].oters[r] = stage_turned(s, p == TIP ? "shop_north" : "house_north", r);
    }
    v->pieces[ROOT].sides[1].join = 0;
    v->pieces[TIP].sides[2].join = 0;
    v->body[0] = (cat_rule_piece){.piece = TIP};
    v->rules[0] =
        (cat_rule){.name = "tip",
                   .pieces = v->body,
                   .piece_count = 1,
                   .max = {closes ? PTL_AMOUNT_UNLIMITED : PTL_AMOUNT_FIXED, 0, 0, 0, 0, false},
                   .weight = 1,
                   .join = -1,
                   .scale = -1,
                   .rotate = true};
    v->phases[0] = (cat_phase){v->rules, 1};
    v->checks[0] = (cat_check){.own = true, .allows = stage_location(s, "field")};
    v->layout = (cat_mutable){.joins = v->joins,
                              .join_count = 1,
                              .pieces = v->pieces,
                              .piece_count = 2,
                              .root = ROOT,
                              .phases = v->phases,
                              .phase_count = 1};
    s->specials[n].layout = &v->layout;
    s->specials[n].checks = v->checks;
    s->specials[n].check_count = 1;
    return n;
}

START_TEST(what_grew_is_recorded)
{
    vine v;
    stage *s = stage_new();
    const uint16_t n = add_vine(s, &v, true);
    stage_open(s, 1);
    stage_house(s, "unused");
    ck_assert(stage_place(s, n, 20, 20, 0)); /* so that placements are not all 0 */
    stage_keep(s);
    const size_t joins = s->b.g->features.join_count;
    ck_assert(stage_place(s, n, 50, 50, _i));
    const gen_features *f = &s->b.g->features;
    ck_assert_int_eq(stage_changed(s), 2);
    ck_assert_uint_eq(f->placement_count, 2);
    ck_assert_uint_eq(f->piece_count, 4);
    ck_assert(f->placements[1].omts == 2 && f->placements[1].draw == 0);
    ck_assert(f->pieces[1].placement == 0 && f->pieces[2].placement == 1);
    ck_assert(f->pieces[3].placement == 1 && f->pieces[3].piece == TIP);
    ck_assert_int_eq(f->pieces[3].x, 50 + step_x((1 + _i) % 4));
    ck_assert_int_eq(f->pieces[3].y, 50 + step_y((1 + _i) % 4));
    ck_assert_uint_gt(f->join_count, joins);
    for (size_t i = 0; i < f->join_count; i++)
        ck_assert_int_eq(f->joins[i].placement, i >= joins);
    for (size_t i = 2; i < 4; i++)
        ck_assert_uint_eq(ptl_chunk_oter(s->b.chunk, f->pieces[i].x, f->pieces[i].y, 0),
                          v.pieces[f->pieces[i].piece].oters[f->pieces[i].rotation]);
    stage_free(s);
}
END_TEST

START_TEST(what_stays_open_leaves_nothing)
{
    vine v;
    stage *s = stage_new();
    const uint16_t n = add_vine(s, &v, false);
    stage_link(s, n, 0, -1, 0, 0, "local_road");
    s->specials[n].spawns = (cat_spawns){"GROUP_VINE", 1, 1, 1, 1};
    stage_open(s, 1);
    stage_keep(s);
    gen_attempt attempt = {.failed = 2};
    site_bits cells = {{0}};
    place_used used = place_used_none(&cells);
    place_order order = stage_order(n, 50, 50, 1);
    order.attempt = &attempt;
    order.used = &used;
    ck_assert(!place_special(s->b.g, &order));
    ck_assert_int_eq(attempt.failed, 2 + GROWTH_DRAWS);
    ck_assert_int_eq(stage_changed(s), 0);
    const gen_features *f = &s->b.g->features;
    ck_assert_uint_eq(f->placement_count + f->piece_count + f->join_count + f->group_count, 0);
    ck_assert_int_eq(site_count(&cells), 0);
    /* A root that can't stand there is no growth at all. */
    order.x = 0;
    ck_assert(!place_special(s->b.g, &order));
    ck_assert_int_eq(attempt.failed, 2 + GROWTH_DRAWS);
    stage_free(s);
}
END_TEST

/* What came out and has no way is taken back, four times at an origin; with one it stays. */
START_TEST(growths_are_asked_for_ways)
{
    vine v;
    stage *s = stage_new();
    const uint16_t n = add_vine(s, &v, true);
    stage_open(s, 1);
    v.pieces[TIP].connections[0] = (uint16_t)connection_of(&s->b, "local_road");
    gen_attempt attempt = {.failed = 0};
    bool no_way = false;
    place_order order = stage_order(n, 50, 50, _i);
    order.attempt = &attempt;
    order.no_way = &no_way;
    stage_keep(s);
    ck_assert(!place_special(s->b.g, &order) && no_way);
    ck_assert_int_eq(attempt.failed, 4);
    ck_assert_int_eq(stage_changed(s), 0);
    ck_assert_uint_eq(s->b.g->features.piece_count + s->b.g->event_count, 0);
    set(&s->b, 40, 40, "road_isolated");
    ck_assert(place_special(s->b.g, &order) && !no_way);
    ck_assert_int_eq(attempt.failed, 4);
    ck_assert_uint_eq(s->b.g->features.piece_count, 2);
    ck_assert_str_ne(get(&s->b, 0, 40, 40), "road_isolated");
    ck_assert_int_eq(stage_dead_ends(s), 0);
    stage_free(s);
}
END_TEST

/* The root's to the north and below, the tip's on its far side. */
START_TEST(pieces_have_connections)
{
    vine v;
    stage *s = stage_new();
    const uint16_t n = add_vine(s, &v, true);
    stage_open(s, 1);
    v.pieces[ROOT].connections[0] = (uint16_t)connection_of(&s->b, "local_road");
    v.pieces[ROOT].connections[1] =
        (uint16_t)connection_of(&s->b, "local_road"); /* on the tip */
    v.pieces[ROOT].connections[CAT_BELOW] = (uint16_t)connection_of(&s->b, "sewer_tunnel");
    v.pieces[TIP].connections[0] = (uint16_t)connection_of(&s->b, "local_railroad");
    const int d = (1 + _i) % 4;
    set(&s->b, 50 + 9 * step_x(_i), 50 + 9 * step_y(_i), "road_isolated");
    set(&s->b, 50 + 9 * step_x(d), 50 + 9 * step_y(d), "railroad_isolated");
    ck_assert(stage_place(s, n, 50, 50, _i));
    const cat_oter *road = &s->cat.oters[*cell(&s->b, 0, 50 + step_x(_i), 50 + step_y(_i))];
    ck_assert_str_eq(s->cat.terrains[road->terrain].id, "road");
    ck_assert(road->line >> opposite(_i) & 1);
    const cat_oter *rail =
        &s->cat.oters[*cell(&s->b, 0, 50 + 2 * step_x(d), 50 + 2 * step_y(d))];
    ck_assert_str_eq(s->cat.terrains[rail->terrain].id, "railroad");
    ck_assert(rail->line >> opposite(d) & 1);
    ck_assert_uint_eq(s->b.g->deep_link_count, 1);
    const deep_link *deep = s->b.g->deep_links;
    ck_assert(deep->z == -1 && deep->end.x == 50 && deep->end.y == 50);
    ck_assert_int_eq(deep->end.heading, CONNECT_ANY);
    ck_assert_int_eq(stage_dead_ends(s), 0);
    ck_assert_uint_eq(s->b.g->event_count, 0);
    stage_free(s);
}
END_TEST

/* Nothing can be drawn on the border ring. */
START_TEST(connections_out_of_the_chunk_are_events)
{
    vine v;
    stage *s = stage_new();
    const uint16_t n = add_vine(s, &v, true);
    stage_open(s, 1);
    v.pieces[ROOT].connections[3] = (uint16_t)connection_of(&s->b, "local_road");
    ck_assert(stage_place(s, n, 1, 50, 0));
    ck_assert_int_eq(stage_events(s, "blocked", NULL), 1);
    ck_assert_str_eq(get(&s->b, 0, 0, 50), "field");
    stage_free(s);
}
END_TEST

/* One event, and no more growths of it in this chunk. */
START_TEST(what_costs_too_much_is_an_event)
{
    vine v;
    const gen_event *event = NULL;
    stage *s = stage_new();
    const uint16_t n = add_vine(s, &v, true);
    stage_open(s, 1);
    stage_keep(s);
    s->b.g->growth->chunk_work = GROWTH_WORK_CHUNK;
    ck_assert(!stage_place(s, n, 50, 50, 0));
    s->b.g->growth->chunk_work = 0;
    ck_assert(!stage_place(s, n, 70, 50, 0));
    ck_assert_uint_eq(s->b.g->growth->chunk_work, 0);
    ck_assert_int_eq(stage_changed(s), 0);
    ck_assert_int_eq(stage_events(s, "too_costly", &event), 1);
    ck_assert(event->x == 50 && event->y == 50);
    ck_assert_str_eq(event->detail, "vine");
    stage_free(s);
}
END_TEST

TCase *place_growth_tests(void)
{
    TCase *tc = tcase_create("growth");
    tcase_add_loop_test(tc, what_grew_is_recorded, 0, 4);
    tcase_add_test(tc, what_stays_open_leaves_nothing);
    tcase_add_test(tc, what_costs_too_much_is_an_event);
    tcase_add_loop_test(tc, growths_are_asked_for_ways, 0, 4);
    tcase_add_loop_test(tc, pieces_have_connections, 0, 4);
    tcase_add_test(tc, connections_out_of_the_chunk_are_events);
    return tc;
}
