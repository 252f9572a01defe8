/* The connection engine: the cheapest way, and OMTs whose arms are all answered. */
#include "unit/gen/connect/test_connect.h"
#include "gen/pipeline.h"
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/gen/connect/connect_fixture.h"

#include <stdlib.h>
#include <string.h>

static const char *const WAYS[] = {"local_road", "local_railroad", "forest_trail"};

static connect_end at(int32_t x, int32_t y)
{
    return (connect_end){(int16_t)x, (int16_t)y, CONNECT_ANY, false};
}

static connect_end exit_at(int32_t x, int32_t y, int heading)
{
    return (connect_end){(int16_t)x, (int16_t)y, (int8_t)heading, true};
}

/* One random link, compared with trying everything. Returns 1 if it was compared. */
static int compare(board *b, rng *r, size_t connection, int32_t size)
{
    connect_end from, to;
    if (!random_end(b, r, connection, size, &from) ||
        !random_end(b, r, connection, size, &to) || (from.x == to.x && from.y == to.y))
        return 0;
    ptl_oter *before = malloc(CELLS * sizeof *before);
    memcpy(before, b->g->ground, CELLS * sizeof *before);
    best want = brute_force(b, connection, from.y * SIZE + from.x, to.y * SIZE + to.x);
    connect_result result = connect_ends(b->g, connection, 0, from, to);
    int compared = 0;
    if (result == CONNECT_DRAWN) {
        best found = path_cost(b, connection, before);
        ck_assert_int_ge(found.cost, want.cost);
        /* Not valid any more: a path that crossed itself was put right, and may cost more. */
        if (b->g->connector->view->valid) {
            ck_assert_int_eq(found.cost, want.cost);
            ck_assert_int_eq(found.turns, want.turns);
            compared = 1;
        }
    } else {
        ck_assert_int_eq(result, CONNECT_NO_PATH);
        ck_assert(want.cost < 0 || !b->g->connector->view->valid);
        compared = want.cost < 0;
        ck_assert_int_eq(memcmp(before, b->g->ground, CELLS * sizeof *before), 0);
    }
    free(before);
    check_arms(b, 0);
    return compared;
}

START_TEST(paths_on_small_boards_are_optimal)
{
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(7, (uint64_t)_i));
    int compared = 0;
    for (int n = 0; n < 4; n++) {
        const int32_t size = rng_range(&r, 8, 40);
        board_random_land(&b, &r, size);
        for (int i = 0; i < 14; i++)
            compared += compare(&b, &r, connection_of(&b, WAYS[rng_below(&r, 3)]), size);
    }
    ck_assert_int_gt(compared, 15);
    board_dispose(&b);
}
END_TEST

/* Rails whose turns count on every subtype but the second: as those of today's roads count on
 * roads that are there and on bridges, which cost as much. */
typedef struct mixed {
    catalogue cat;
    cat_connection connections[16];
    cat_subtype subtypes[CAT_SUBTYPES_MAX];
} mixed;

static const catalogue *mixed_turns(mixed *out)
{
    out->cat = *town_catalogue();
    ck_assert_uint_le(out->cat.connection_count, 16);
    memcpy(out->connections, out->cat.connections,
           out->cat.connection_count * sizeof *out->connections);
    cat_connection *rails =
        &out->connections[catalogue_connection(&out->cat, "local_railroad")];
    ck_assert_uint_ge(rails->subtype_count, 2);
    memcpy(out->subtypes, rails->subtypes, rails->subtype_count * sizeof *out->subtypes);
    for (size_t i = 0; i < rails->subtype_count; i++) {
        out->subtypes[i].orthogonal = i != 1;
        if (out->subtypes[i].shape != PTL_TERRAIN_LINE)
            out->subtypes[i].basic_cost = 120;
    }
    rails->subtypes = out->subtypes;
    out->cat.connections = out->connections;
    return &out->cat;
}

START_TEST(turns_that_count_somewhere_are_fewest)
{
    mixed m;
    board b = board_new((uint64_t)_i, mixed_turns(&m));
    rng r = rng_from_key(hash_add(9, (uint64_t)_i));
    const size_t rails = connection_of(&b, "local_railroad");
    compiled_connection *c = &b.g->config->connections->list[rails];
    ck_assert(c->turns_count && !c->all_turns_count && c->wanders);
    c->wanders = false;
    int compared = 0;
    for (int n = 0; n < 6; n++) {
        const int32_t size = rng_range(&r, 8, 30);
        board_random_land(&b, &r, size);
        for (int i = 0; i < 14; i++)
            compared += compare(&b, &r, rails, size);
    }
    ck_assert_int_gt(compared, 20);
    board_dispose(&b);
}
END_TEST

START_TEST(paths_on_whole_chunks_are_optimal)
{
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(8, (uint64_t)_i));
    board_random_land(&b, &r, SIZE);
    int compared = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            compared += compare(&b, &r, connection_of(&b, WAYS[k]), SIZE);
    ck_assert_int_gt(compared, 0);
    board_dispose(&b);
}
END_TEST

/* ---- what the search sees ---- */
enum { FIELDS = 5 };

/* Copies what the view tells of its level into out, one after the other. */
static size_t copy_view(uint8_t *out, const connect_view *v)
{
    const struct {
        const void *from;
        size_t size;
    } fields[FIELDS] = {{v->grid, CELLS * sizeof *v->grid},
                        {v->far, SIZE * FAR_WIDTH},
                        {v->omts, SIZE * FAR_WIDTH},
                        {v->bare_columns, sizeof v->bare_columns},
                        {v->bare_rows, sizeof v->bare_rows}};
    size_t size = 0;
    for (int i = 0; i < FIELDS; i++) {
        memcpy(out + size, fields[i].from, fields[i].size);
        size += fields[i].size;
    }
    return size;
}

/* Is what was kept up to date what it would be, made anew? */
static void check_view(board *b, size_t connection)
{
    static uint8_t kept[16 * CELLS], anew[16 * CELLS];
    connector *k = b->g->connector;
    connect_sync(b->g, connection, b->g->ground);
    connect_measure(k->view);
    const size_t size = copy_view(kept, k->view);
    ck_assert_uint_le(size, sizeof kept);
    connect_drop_views(k);
    connect_sync(b->g, connection, b->g->ground);
    connect_measure(k->view);
    copy_view(anew, k->view);
    ck_assert_int_eq(memcmp(kept, anew, size), 0);
}

/* As other steps do: OMTs of the connection come and go, the border's included. */
static void write_by_others(board *b, rng *r, int32_t size)
{
    static const char *const kinds[] = {"road_ns", "road_nesw", "field", "forest",
                                        "lake_surface"};
    for (int32_t n = rng_range(r, 0, 12); n-- > 0;)
        set(b, rng_range(r, 0, size - 1), rng_range(r, 0, size - 1),
            kinds[rng_below(r, rng_one_in(r, 2) ? 2 : 5)]);
}

START_TEST(the_view_is_kept_up_to_date)
{
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(9, (uint64_t)_i));
    const int32_t size = _i % 2 ? SIZE : 60;
    const size_t road = connection_of(&b, "local_road");
    int drawn = 0;
    board_random_land(&b, &r, size);
    for (int round = 0; round < 8; round++) {
        connect_end ends[5];
        connect_result results[5];
        size_t count = 0;
        while (count < 5 && random_end(&b, &r, road, size, &ends[count]))
            count++;
        connect_points(b.g, road, 0, ends, count, results);
        for (size_t i = 0; i + 1 < count; i++)
            drawn += results[i] == CONNECT_DRAWN;
        check_view(&b, road); /* by what the last link drew */
        write_by_others(&b, &r, size);
        connect_forget(b.g->connector);
        check_view(&b, road); /* by comparison */
    }
    ck_assert_int_gt(drawn, 8);
    board_dispose(&b);
}
END_TEST

/* Cells are written, and the engine is told so. */
static void write_on_record(board *b, rng *r)
{
    static const char *const kinds[] = {"road_ns", "forest_trail_ew", "railroad_ns", "field",
                                        "lake_surface"};
    for (int32_t n = rng_range(r, 0, rng_one_in(r, 9) ? TOUCHED_MAX : 40); n-- > 0;) {
        const int32_t x = rng_range(r, 0, SIZE - 1), y = rng_range(r, 0, SIZE - 1);
        set(b, x, y, kinds[rng_below(r, 5)]);
        connect_wrote(b->g, y * SIZE + x);
    }
}

/* More connections than views, in turn: each is up to date when it is asked for again. */
START_TEST(views_of_several_connections_are_kept_up_to_date)
{
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(11, (uint64_t)_i));
    const size_t count = b.g->config->cat->connection_count;
    connector *k = b.g->connector;
    int again = 0;
    ck_assert_uint_gt(count, VIEWS);
    board_random_land(&b, &r, SIZE);
    k->linked = 0;
    for (int round = 0; round < 60; round++) {
        const size_t connection = rng_below(&r, rng_one_in(&r, 3) ? count : 2);
        if (rng_one_in(&r, 2)) {
            write_on_record(&b, &r);
        } else if (rng_one_in(&r, 3)) {
            write_by_others(&b, &r, SIZE);
            connect_forget(k);
        }
        for (size_t i = 0; i < VIEWS; i++)
            again += k->views[i].valid && k->views[i].connection == connection;
        if (rng_one_in(&r, 4))
            check_view(&b, connection);
        else
            connect_sync(b.g, connection, b.g->ground);
    }
    ck_assert_int_gt(again, 10);
    board_dispose(&b);
}
END_TEST

/* Some more OMTs: a line, as a path has them, and a few anywhere. */
static void add_omts(connect_view *v, rng *r)
{
    const int32_t x0 = rng_range(r, 0, SIZE - 1), y0 = rng_range(r, 0, SIZE - 1);
    const bool down = rng_one_in(r, 2);
    const int32_t line = rng_range(r, 0, 20), count = line + rng_range(r, 0, 3);
    v->fresh_count = 0;
    for (int32_t i = 0; i < count; i++) {
        const bool on = i < line;
        const int32_t x = on ? (x0 + (down ? 0 : i)) % SIZE : rng_range(r, 0, SIZE - 1);
        const int32_t y = on ? (y0 + (down ? i : 0)) % SIZE : rng_range(r, 0, SIZE - 1);
        if (v->omts[y * FAR_WIDTH + x] == 0)
            continue;
        v->omts[y * FAR_WIDTH + x] = 0;
        v->row_has[y] = true;
        v->fresh[v->fresh_count++] = (uint16_t)(y * SIZE + x);
    }
}

/* Cells whose distance to the nearest OMT is not what it says. */
static int wrong_distances(const connect_view *v, const uint16_t *omts, size_t count)
{
    int wrong = 0;
    for (int32_t cell = 0; cell < CELLS; cell++) {
        const int32_t x = cell % SIZE, y = cell / SIZE;
        int32_t least = FAR_MAX;
        for (size_t i = 0; i < count; i++) {
            const int32_t far = abs(x - omts[i] % SIZE) + abs(y - omts[i] / SIZE);
            least = far < least ? far : least;
        }
        wrong += v->far[y * FAR_WIDTH + x] != least;
    }
    return wrong;
}

/* By the loops for any processor, and by those for this one. */
START_TEST(distances_are_those_to_the_nearest_omt)
{
    enum { ROUNDS = 5, OMTS = 24 * ROUNDS };
    rng r = rng_from_key(hash_add(10, (uint64_t)_i));
    uint16_t all[OMTS];
    size_t count = 0;
    connect_view *v = calloc(1, sizeof *v);
    ck_assert_ptr_nonnull(v);
    v->omts = malloc(2 * SIZE * FAR_WIDTH);
    ck_assert_ptr_nonnull(v->omts);
    v->far = v->omts + SIZE * FAR_WIDTH;
    memset(v->omts, FAR_MAX, SIZE * FAR_WIDTH);
    for (int round = 0; round < ROUNDS; round++) {
        v->far_anew = round == 0 || rng_one_in(&r, 5);
        add_omts(v, &r);
        memcpy(all + count, v->fresh, v->fresh_count * sizeof *all);
        count += v->fresh_count;
        if (_i % 2)
            connect_measure(v);
        else
            connect_measure_base(v);
        ck_assert_int_eq(wrong_distances(v, all, count), 0);
    }
    free(v->omts);
    free(v);
}
END_TEST

/* So many searches that the stamps of their states run out and begin anew. */
START_TEST(stamps_run_out_without_harm)
{
    board b = board_new(5, NULL);
    const size_t road = connection_of(&b, "local_road");
    for (int i = 0; i < STAMP_MAX + 10; i++) {
        ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(7, 5)), CONNECT_DRAWN);
        ck_assert_uint_eq(b.g->connector->path_count, 3);
    }
    board_dispose(&b);
}
END_TEST

/* No way through a ring round the goal: that is known before a search. */
START_TEST(a_goal_walled_in_is_out_of_reach)
{
    for (int32_t r = 1; r < 9; r++) {
        board b = board_new(1, NULL);
        const size_t road = connection_of(&b, "local_road");
        for (int32_t i = -r; i <= r; i++)
            for (int side = -1; side <= 1; side += 2)
                set(&b, 50 + i, 50 + side * (r - abs(i)), "lake_surface");
        ck_assert_int_eq(connect_ends(b.g, road, 0, at(80, 80), at(50, 50)), CONNECT_NO_PATH);
        set(&b, 50, 50 - r, "field");
        ck_assert_int_eq(connect_ends(b.g, road, 0, at(80, 80), at(50, 50)), CONNECT_DRAWN);
        board_dispose(&b);
    }
}
END_TEST

static connect_result seek(board *b, size_t connection, int32_t x, int32_t y,
                           const int32_t *closed)
{
    const connect_ground ground = {.closed = (int32_t[]){closed ? *closed : 0},
                                   .closed_count = closed != NULL};
    return connect_seek(b->g, connection, 0, at(x, y), &ground);
}

/* The engine remembers from where no OMT of a connection can be reached. What it remembers is
 * no longer true when the ring opens or a road is drawn inside it, and was never true if only
 * the cells that a special closes were in the way. */
START_TEST(what_was_out_of_reach_comes_into_reach)
{
    for (int32_t r = 2; r < 9; r++) {
        board b = board_new(1, NULL);
        const size_t road = connection_of(&b, "local_road");
        const int32_t gap = (50 - r) * SIZE + 50;
        ck_assert_int_eq(connect_ends(b.g, road, 0, at(80, 80), at(90, 80)), CONNECT_DRAWN);
        for (int32_t i = -r; i <= r; i++)
            for (int side = -1; side <= 1; side += 2)
                set(&b, 50 + i, 50 + side * (r - abs(i)), "lake_surface");
        for (int again = 0; again < 2; again++) {
            ck_assert_int_eq(seek(&b, road, 50, 50, NULL), CONNECT_NO_PATH);
            ck_assert_int_eq(seek(&b, road, 51, 50, NULL), CONNECT_NO_PATH);
            ck_assert_int_eq(seek(&b, road, 52 + r, 50, NULL), CONNECT_DRAWN);
            set(&b, 50, 50 - r, "field");
            ck_assert_int_eq(seek(&b, road, 50, 50, &gap), CONNECT_NO_PATH);
            ck_assert_int_eq(seek(&b, road, 50, 50, NULL), CONNECT_DRAWN);
            set(&b, 50, 50 - r, "lake_surface");
        }
        ck_assert_int_eq(seek(&b, road, 50, 50, NULL), CONNECT_NO_PATH);
        ck_assert_int_eq(connect_ends(b.g, road, 0, at(50, 51), at(50, 49)), CONNECT_DRAWN);
        ck_assert_int_eq(seek(&b, road, 51, 50, NULL), CONNECT_DRAWN);
        board_dispose(&b);
    }
}
END_TEST

/* ---- results ---- */
START_TEST(results_say_what_happened)
{
    board b = board_new(1, NULL);
    const size_t road = connection_of(&b, "local_road");
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(5, 5)), CONNECT_SAME);
    ck_assert_str_eq(get(&b, 0, 5, 5), "field");
    set(&b, 20, 20, "house_north");
    set(&b, 30, 30, "river_center");
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(20, 20)), CONNECT_BLOCKED);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(20, 20), at(5, 5)), CONNECT_BLOCKED);
    /* A bridge can't be an end. */
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(30, 30)), CONNECT_BLOCKED);
    /* The ring is for exits; and an exit lies on the ring, with its arm outward. */
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(0, 30)), CONNECT_BLOCKED);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), exit_at(7, 30, 1)), CONNECT_BLOCKED);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), exit_at(0, 30, 3)), CONNECT_BLOCKED);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(-1, 30)), CONNECT_BLOCKED);
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(30, 180)), CONNECT_BLOCKED);
    for (int32_t y = 0; y < SIZE; y++)
        set(&b, 40, y, "lake_surface");
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(50, 5)), CONNECT_NO_PATH);
    ck_assert_str_eq(get(&b, 0, 5, 5), "field");
    ck_assert_int_eq(connect_ends(b.g, road, 0, at(5, 5), at(8, 5)), CONNECT_DRAWN);
    ck_assert_str_eq(get(&b, 0, 5, 5), "road_end_west");
    ck_assert_str_eq(get(&b, 0, 6, 5), "road_ew");
    ck_assert_str_eq(get(&b, 0, 8, 5), "road_end_east");
    ck_assert(!b.g->failed);
    board_dispose(&b);
}
END_TEST

START_TEST(exits_go_straight_in_and_out)
{
    board b = board_new((uint64_t)_i, NULL);
    const size_t road = connection_of(&b, "local_road");
    rng r = rng_from_key((uint64_t)_i);
    const int32_t p = rng_range(&r, 16, 163), q = rng_range(&r, 16, 163);
    const connect_end ends[4] = {exit_at(p, 0, 2), exit_at(SIZE - 1, q, CONNECT_ANY),
                                 exit_at(q, SIZE - 1, 0), exit_at(0, p, 1)};
    connect_result results[3];
    connect_points(b.g, road, 0, ends, 4, results);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(results[i], CONNECT_DRAWN);
    ck_assert_int_eq(check_arms(&b, 0), 4);
    ck_assert_str_eq(get(&b, 0, p, 0), "road_ns");
    ck_assert_str_eq(get(&b, 0, SIZE - 1, q), "road_ew");
    for (int32_t i = 0; i < CELLS; i++) {
        const int32_t x = i % SIZE, y = i / SIZE;
        bool ring = x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
        bool is_end = false;
        for (int k = 0; k < 4; k++)
            is_end = is_end || (ends[k].x == x && ends[k].y == y);
        if (ring && !is_end)
            ck_assert_str_eq(get(&b, 0, x, y), "field");
    }
    board_dispose(&b);
}
END_TEST

START_TEST(a_heading_is_kept)
{
    for (int d = 0; d < 4; d++)
        for (int e = 0; e < 4; e++) {
            board b = board_new(1, NULL);
            connect_end from = at(50, 50), to = at(60, 40);
            from.heading = (int8_t)d;
            to.heading = (int8_t)e;
            const size_t road = connection_of(&b, "local_road");
            ck_assert_int_eq(connect_ends(b.g, road, 0, from, to), CONNECT_DRAWN);
            const cat_oter *a = &b.cat->oters[*cell(&b, 0, 50, 50)];
            const cat_oter *z = &b.cat->oters[*cell(&b, 0, 60, 40)];
            ck_assert(a->line >> d & 1);
            ck_assert(z->line >> e & 1);
            check_arms(&b, 0);
            board_dispose(&b);
        }
}
END_TEST

START_TEST(rails_turn_least)
{
    board b = board_new(1, NULL);
    const size_t rail = connection_of(&b, "local_railroad");
    ck_assert_int_eq(connect_ends(b.g, rail, 0, at(10, 10), at(60, 90)), CONNECT_DRAWN);
    int corners = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        const int line = b.cat->oters[b.g->ground[i]].line;
        corners += line == 3 || line == 6 || line == 9 || line == 12;
    }
    ck_assert_int_eq(corners, 1);
    board_dispose(&b);
}
END_TEST

/* ---- many ends ---- */

/* Land as the noise makes it, ten cities and four exits. */
START_TEST(ten_cities_and_four_exits_are_linked)
{
    enum { ROUNDS = 4 };
    int drawn = 0, links = 0;
    for (int round = 0; round < ROUNDS; round++) {
        board b = board_new((uint64_t)(round + 100), NULL);
        edge edges[4] = {{0}}, *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
        ptl_chunk *land = NULL;
        ck_assert_int_eq(
            generator_run(&land, b.g, (ptl_chunk_pos){round, 3}, list, 4, NULL, NULL, NULL),
            PTL_OK);
        ptl_chunk_free(b.chunk);
        b.g->chunk = b.chunk = land;
        b.g->ground = cells_at(b.g, 0);
        b.g->running = pipeline_step(&overmap_pipeline, 0);
        rng r = rng_from_key((uint64_t)round);
        const size_t road = connection_of(&b, "local_road");
        connect_end ends[14];
        connect_result results[14];
        for (int i = 0; i < 14; i++)
            if (!random_end(&b, &r, road, SIZE, &ends[i]))
                ck_abort_msg("no land");
        connect_points(b.g, road, 0, ends, 14, results);
        links += 13;
        for (int i = 0; i < 13; i++)
            drawn += results[i] == CONNECT_DRAWN;
        board_dispose(&b);
    }
    ck_assert_msg(drawn > links / 2, "%d of %d links drawn", drawn, links);
}
END_TEST

TCase *connect_path_tests(void)
{
    TCase *t = tcase_create("path");
    tcase_add_loop_test(t, paths_on_small_boards_are_optimal, 0, test_seeds(12));
    tcase_add_loop_test(t, turns_that_count_somewhere_are_fewest, 0, test_seeds(6));
    tcase_add_loop_test(t, paths_on_whole_chunks_are_optimal, 0, 2);
    tcase_add_loop_test(t, the_view_is_kept_up_to_date, 0, test_seeds(8));
    tcase_add_loop_test(t, views_of_several_connections_are_kept_up_to_date, 0, test_seeds(6));
    tcase_add_loop_test(t, distances_are_those_to_the_nearest_omt, 0, 6);
    tcase_add_test(t, stamps_run_out_without_harm);
    tcase_add_test(t, a_goal_walled_in_is_out_of_reach);
    tcase_add_test(t, what_was_out_of_reach_comes_into_reach);
    tcase_add_test(t, results_say_what_happened);
    tcase_add_loop_test(t, exits_go_straight_in_and_out, 0, 5);
    tcase_add_test(t, a_heading_is_kept);
    tcase_add_test(t, rails_turn_least);
    tcase_add_test(t, ten_cities_and_four_exits_are_linked);
    return t;
}

int main(void)
{
    Suite *s = suite_create("connect");
    suite_add_tcase(s, connect_path_tests());
    suite_add_tcase(s, connect_field_tests());
    suite_add_tcase(s, connect_greedy_tests());
    suite_add_tcase(s, connect_draw_tests());
    suite_add_tcase(s, connect_lists_tests());
    suite_add_tcase(s, connect_choice_tests());
    suite_add_tcase(s, bridge_tests());
    suite_add_tcase(s, sewer_tests());
    return suite_run(s);
}
