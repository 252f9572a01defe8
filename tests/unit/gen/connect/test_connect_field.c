/*
 * The search where turns don't count is a faster way to what the general one finds: ways of the
 * same cost, on any ground, and of these the one that its order asks for; the same ones to the
 * OMT with and without the processor's lanes; and it leaves nothing behind for the next.
 */
#include "gen/connect/connect_field.h"
#include "gen/connect/connect_wander.h"
#include "support/seeds.h"
#include "unit/gen/connect/connect_fixture.h"
#include "unit/gen/connect/test_connect.h"

#include <stdlib.h>
#include <string.h>

static path_node kept[CELLS];
static ptl_oter before[CELLS];

typedef struct link_task {
    size_t connection;
    connect_end from, to;
} link_task;

/* Draws it, and takes it back. */
static connect_result draw(board *b, const link_task *t)
{
    memcpy(before, b->g->ground, sizeof before);
    const connect_result result = connect_ends(b->g, t->connection, 0, t->from, t->to);
    memcpy(b->g->ground, before, sizeof before);
    return result;
}

static int64_t path_price(const board *b, const link_task *t)
{
    const connector *k = b->g->connector;
    int64_t price = 0;
    for (size_t i = 1; i < k->path_count; i++) {
        const int32_t cell = k->path[i].y * SIZE + k->path[i].x;
        price += connect_class(b->g, t->connection, before[cell]).step & STEP_COST;
    }
    return price;
}

/* Does the search that counts turns find one that costs as much? */
static bool agree(board *b, const link_task *t)
{
    compiled_connection *c = compiled(b->g, t->connection);
    const connect_result field = draw(b, t);
    const int64_t price = path_price(b, t);
    const bool whole =
        b->g->connector->view->valid; /* not one that crossed itself and was put right */
    c->turns_count = true;
    const connect_result general = draw(b, t);
    c->turns_count = false;
    if (field != general || field != CONNECT_DRAWN)
        return field == general;
    return price == path_price(b, t) || !whole || !b->g->connector->view->valid;
}

field_kernel field_search_plain;

/* As connect_search does it: the start is off the grid. */
static field_result search_with(board *b, const path_task *task, field_kernel *kernel)
{
    connector *k = b->g->connector;
    const ptl_oter *cells = b->g->ground;
    connect_choose(b->g, task->connection, 0, task->from, task->from);
    connect_sync(b->g, task->connection, cells);
    connect_measure(k->view);
    memset(k->view->stale, 0xff, sizeof k->view->stale);
    for (int i = 0; i < SIZE; i++) {
        k->view->to_column[i] = k->view->column_has[i] ? 0 : 1;
        k->view->to_row[i] = k->view->row_has[i] ? 0 : 1;
    }
    const uint32_t step = k->view->grid[task->from];
    connect_set_step(k->view, task->from, 0);
    const field_result result = kernel(b->g, task);
    connect_set_step(k->view, task->from, step);
    return result;
}

/* Is it the path of kept[], cell by cell? */
static bool is_kept(const connector *k, size_t count)
{
    bool same = count == k->path_count;
    for (size_t i = 0; same && i < count; i++)
        same = kept[i].x == k->path[i].x && kept[i].y == k->path[i].y &&
               kept[i].direction == k->path[i].direction;
    return same;
}

/* Path and result by all kinds of lanes. */
static bool lanes_agree(board *b, const path_task *task)
{
    connector *k = b->g->connector;
    field_kernel *const others[] = {field_search_base, k->field->kernel};
    const field_result plain = search_with(b, task, field_search_plain);
    const size_t count = k->path_count;
    bool same = true;
    memcpy(kept, k->path, count * sizeof *kept);
    for (size_t i = 0; i < 2; i++) {
        same = same && search_with(b, task, others[i]) == plain;
        same = same && (plain != FIELD_FOUND || is_kept(k, count));
    }
    return same;
}

static connect_end any_end(board *b, rng *r, size_t connection, int32_t size)
{
    connect_end end = {1, 1, CONNECT_ANY, false};
    if (rng_one_in(r, 4)) {
        const int16_t at = (int16_t)rng_range(r, 1, size - 2);
        end = rng_one_in(r, 2) ? (connect_end){at, 0, 2, true} : (connect_end){0, at, 1, true};
    } else if (random_end(b, r, connection, size, &end) && rng_one_in(r, 3)) {
        end.heading = (int8_t)rng_below(r, 4);
    }
    return end;
}

START_TEST(both_searches_find_the_cheapest)
{
    static const char *const ways[] = {"local_road", "forest_trail"};
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(21, (uint64_t)_i));
    int differ = 0, drawn = 0;
    for (int round = 0; round < 3; round++) {
        const int32_t size = round == 0 ? 30 : round == 1 ? 90 : SIZE;
        board_random_land(&b, &r, size);
        for (int i = 0; i < 24; i++) {
            link_task t = {.connection = connection_of(&b, ways[rng_below(&r, 2)])};
            ck_assert(!compiled(b.g, t.connection)->turns_count);
            t.from = any_end(&b, &r, t.connection, size);
            t.to = any_end(&b, &r, t.connection, size);
            differ += !agree(&b, &t);
            drawn += connect_ends(b.g, t.connection, 0, t.from, t.to) == CONNECT_DRAWN;
        }
    }
    ck_assert_int_eq(differ, 0);
    ck_assert_int_gt(drawn, 20);
    board_dispose(&b);
}
END_TEST

START_TEST(lanes_make_no_difference)
{
    static const char *const ways[] = {"local_road", "forest_trail", "local_railroad"};
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(22, (uint64_t)_i));
    board_random_land(&b, &r, SIZE);
    int differ = 0, searched = 0;
    for (int n = 0; n < 60; n++) {
        const size_t connection = connection_of(&b, ways[rng_below(&r, 3)]);
        connect_end from, to;
        if (!random_end(&b, &r, connection, SIZE, &from) ||
            !random_end(&b, &r, connection, SIZE, &to) || (from.x == to.x && from.y == to.y))
            continue;
        path_task task = {.connection = connection,
                          .from = from.y * SIZE + from.x,
                          .to = to.y * SIZE + to.x,
                          .first = rng_one_in(&r, 3) ? (int8_t)rng_below(&r, 4) : CONNECT_ANY,
                          .last = CONNECT_ANY};
        task.nearest = rng_one_in(&r, 2);
        task.to = task.nearest ? -1 : task.to;
        differ += !lanes_agree(&b, &task);
        searched++;
    }
    ck_assert_int_gt(searched, 30);
    ck_assert_int_eq(differ, 0);
    board_dispose(&b);
}
END_TEST

/* ---- which of the cheapest ways it takes ---- */

/* What a cell costs that is entered along a column, [0], or a row: from the start. */
static int32_t paid[2][CELLS];
enum { FAR_AWAY = INT32_MAX / 2, BOARD = 70 /* of so many columns and rows */ };

static bool is_entered(uint32_t step, int direction)
{
    return step >> STEP_ENTER_SHIFT >> direction & 1;
}

/* The least that a step onto the cell could have cost so far: all the ways into the cell before
 * it that may go on like this. */
static int32_t paid_before(const connector *k, const path_task *task, int32_t cell, int d)
{
    const int32_t before_it = cell - STEP_DELTA[d];
    if (before_it == task->from)
        return 0;
    if (before_it == task->to || k->view->grid[before_it] == 0)
        return FAR_AWAY;
    const int32_t kept_on = paid[d & 1][before_it], turned = paid[!(d & 1)][before_it];
    return k->view->grid[before_it] & STEP_RIGID || kept_on < turned ? kept_on : turned;
}

/* Cell by cell, for as long as anything gets cheaper. */
static void pay_all(const connector *k, const path_task *task)
{
    for (int32_t i = 0; i < CELLS; i++)
        paid[0][i] = paid[1][i] = FAR_AWAY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = SIZE; i < BOARD * SIZE; i++)
            for (int d = 0; d < 4; d++) {
                if (i == task->from || i == task->to || !is_entered(k->view->grid[i], d))
                    continue;
                const int32_t cost =
                    paid_before(k, task, i, d) + (int32_t)(k->view->grid[i] & STEP_COST);
                changed = changed || cost < paid[d & 1][i];
                paid[d & 1][i] = cost < paid[d & 1][i] ? cost : paid[d & 1][i];
            }
    }
}

/* The last step of the cheapest ways onto the cell: the first in the order of those that
 * wander; else that of the step after it if it is one of them, else the first one. CONNECT_ANY:
 * another than the cheapest. */
static int promised_step(const connector *k, const path_task *task, bool wander, int32_t cell,
                         int after, int32_t cost)
{
    const uint32_t step = k->view->grid[cell];
    const int32_t wanted = cost - (int32_t)(step & STEP_COST);
    int order[5] = {after, 0, 1, 2, 3};
    if (wander)
        connect_order(order + 1, k->wander, cell, task->from, after);
    for (int i = wander; i < 5; i++) {
        const int d = order[i];
        const bool turns = after != CONNECT_ANY && d != after;
        if (d != CONNECT_ANY && is_entered(step, d) && !(turns && step & STEP_RIGID) &&
            paid_before(k, task, cell, d) == wanted)
            return d;
    }
    return CONNECT_ANY;
}

/* Does connector.path keep to that all the way back? */
static bool is_promised(const connector *k, const path_task *task, bool wander)
{
    int32_t cost = FAR_AWAY;
    for (int d = 0; d < 4; d++) {
        const int32_t by = is_entered(k->view->grid[task->to], d)
                               ? paid_before(k, task, task->to, d) +
                                     (int32_t)(k->view->grid[task->to] & STEP_COST)
                               : FAR_AWAY;
        cost = by < cost ? by : cost;
    }
    int after = CONNECT_ANY;
    for (size_t i = k->path_count - 1; i > 0; i--) {
        const int32_t cell = k->path[i].y * SIZE + k->path[i].x;
        const int d = promised_step(k, task, wander, cell, after, cost);
        if (d == CONNECT_ANY || d != k->path[i - 1].direction)
            return false;
        cost -= (int32_t)(k->view->grid[cell] & STEP_COST);
        after = d;
    }
    return cost == 0;
}

START_TEST(of_the_cheapest_ways_it_is_the_promised_one)
{
    static const char *const ways[] = {"local_road", "forest_trail"};
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(23, (uint64_t)_i));
    board_random_land(&b, &r, BOARD);
    int found = 0, other = 0;
    for (int i = 0; i < 24; i++) {
        const size_t connection = connection_of(&b, ways[rng_below(&r, 2)]);
        connect_end from, to;
        if (!random_end(&b, &r, connection, BOARD, &from) ||
            !random_end(&b, &r, connection, BOARD, &to) || (from.x == to.x && from.y == to.y))
            continue;
        const path_task task = {.connection = connection,
                                .from = from.y * SIZE + from.x,
                                .to = to.y * SIZE + to.x,
                                .first = CONNECT_ANY,
                                .last = CONNECT_ANY};
        connector *k = b.g->connector;
        compiled(b.g, connection)->wanders = i % 2;
        if (search_with(&b, &task, k->field->kernel) == FIELD_FOUND) {
            pay_all(k, &task);
            other += !is_promised(k, &task, i % 2);
            found++;
        }
        connect_ends(b.g, connection, 0, from, to); /* so that there are OMTs */
    }
    ck_assert_int_gt(found, 5);
    ck_assert_int_eq(other, 0);
    board_dispose(&b);
}
END_TEST

/* A way over open ground has no detour, and curves as the shorter side of its box asks for:
 * each step of that is a stair, two curves, but where stairs of one step meet. */
START_TEST(ways_over_open_ground_wander)
{
    board b = board_new((uint64_t)_i, NULL);
    const size_t connection = connection_of(&b, "forest_trail");
    rng r = rng_from_key(hash_add(24, (uint64_t)_i));
    int curves = 0, stairs = 0;
    for (int i = 0; i < 40; i++) {
        const connect_end from = {(int16_t)rng_range(&r, 1, 178),
                                  (int16_t)rng_range(&r, 1, 178), CONNECT_ANY, false};
        const connect_end to = {(int16_t)rng_range(&r, 1, 178), (int16_t)rng_range(&r, 1, 178),
                                CONNECT_ANY, false};
        board_fill(&b, "forest_thick");
        if (connect_ends(b.g, connection, 0, from, to) != CONNECT_DRAWN)
            continue;
        const connector *k = b.g->connector;
        const int32_t dx = abs(to.x - from.x), dy = abs(to.y - from.y);
        ck_assert_uint_eq(k->path_count, (size_t)(dx + dy) + 1);
        for (size_t n = 1; n + 1 < k->path_count; n++)
            curves += k->path[n].direction != k->path[n - 1].direction;
        stairs += dx < dy ? dx : dy;
    }
    ck_assert_int_gt(stairs, 500);
    ck_assert_int_gt(curves, stairs);
    ck_assert_int_le(curves, 2 * stairs);
    board_dispose(&b);
}
END_TEST

/* What is looked up for many cells is what the classes say. */
START_TEST(looks_are_those_of_the_classes)
{
    board b = board_new(1, NULL);
    int wrong = 0, goals = 0;
    for (size_t c = 0; c < b.cat->connection_count; c++)
        for (size_t i = 0; i < b.cat->oter_count; i++) {
            const oter_class *class = &compiled(b.g, c)->classes[i];
            const uint32_t look = compiled(b.g, c)->looks[i];
            const bool line = b.cat->terrains[b.cat->oters[i].terrain].count == 16;
            const bool goal = (class->step & STEP_COST) == 1 && class->has && class->end;
            wrong += (look & STEP_BITS) != class->step || !(look & LOOK_HAS) != !class->has;
            wrong += !(look & LOOK_LINE) != !(class->has && line);
            wrong += look >> LOOK_ANSWERS_SHIFT != class->answers;
            wrong += !(look & STEP_GOAL) != !goal;
            /* What a choice decides is left to it, but for these. */
            wrong += class->choice && (class->has || class->answers);
            goals += goal;
        }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(goals, 0);
    board_dispose(&b);
}
END_TEST

/* Whatever was searched before, the same link takes the same way. */
START_TEST(nothing_is_left_behind)
{
    board b = board_new(3, NULL), fresh = board_new(3, NULL);
    rng r = rng_from_key(31), other = rng_from_key(31);
    board_random_land(&b, &r, SIZE);
    board_random_land(&fresh, &other, SIZE);
    const size_t road = connection_of(&b, "local_road");
    link_task first = {.connection = road}, t = {.connection = road};
    ck_assert(random_end(&b, &r, road, SIZE, &first.from));
    ck_assert(random_end(&b, &r, road, SIZE, &first.to));
    for (int i = 0; i < 20; i++) {
        t.from = any_end(&b, &r, road, SIZE);
        t.to = any_end(&b, &r, road, SIZE);
        draw(&b, &t);
    }
    ck_assert_int_eq(draw(&fresh, &first), CONNECT_DRAWN);
    ck_assert_int_eq(draw(&b, &first), CONNECT_DRAWN);
    const connector *k = b.g->connector, *f = fresh.g->connector;
    ck_assert_uint_eq(k->path_count, f->path_count);
    int differ = 0;
    for (size_t i = 0; i < k->path_count; i++)
        differ += k->path[i].x != f->path[i].x || k->path[i].y != f->path[i].y;
    ck_assert_int_eq(differ, 0);
    board_dispose(&b);
    board_dispose(&fresh);
}
END_TEST

TCase *connect_field_tests(void)
{
    TCase *t = tcase_create("field");
    tcase_add_loop_test(t, both_searches_find_the_cheapest, 0, test_seeds(6));
    tcase_add_loop_test(t, lanes_make_no_difference, 0, test_seeds(6));
    tcase_add_loop_test(t, of_the_cheapest_ways_it_is_the_promised_one, 0, test_seeds(4));
    tcase_add_loop_test(t, ways_over_open_ground_wander, 0, test_seeds(4));
    tcase_add_test(t, looks_are_those_of_the_classes);
    tcase_add_test(t, nothing_is_left_behind);
    return t;
}
