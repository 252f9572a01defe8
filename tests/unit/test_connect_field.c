/*
 * The search where turns don't count is a faster way to what the general one finds: ways of the
 * same cost, on any ground; the same ones to the tile with and without the processor's lanes;
 * and it leaves nothing behind for the next.
 */
#include "../support/seeds.h"
#include "connect_fixture.h"
#include "gen/connect_field.h"
#include "test_connect.h"

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
        b->g->connector->valid; /* not one that crossed itself and was put right */
    c->turns_count = true;
    const connect_result general = draw(b, t);
    c->turns_count = false;
    if (field != general || field != CONNECT_DRAWN)
        return field == general;
    return price == path_price(b, t) || !whole || !b->g->connector->valid;
}

field_kernel field_search_plain;

/* As connect_search does it: the start is off the grid. */
static field_result search_with(board *b, const path_task *task, field_kernel *kernel)
{
    connector *k = b->g->connector;
    const ptl_oter *cells = b->g->ground;
    connect_choose(b->g, task->connection, 0, task->from, task->from);
    connect_sync(b->g, task->connection, cells);
    connect_measure(k);
    memset(k->stale, 0xff, sizeof k->stale);
    for (int i = 0; i < SIZE; i++) {
        k->to_column[i] = k->column_has[i] ? 0 : 1;
        k->to_row[i] = k->row_has[i] ? 0 : 1;
    }
    const uint32_t step = k->grid[task->from];
    connect_set_step(k, task->from, 0);
    const field_result result = kernel(b->g, task, cells);
    connect_set_step(k, task->from, step);
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
    static const char *const ways[] = {"local_road", "forest_trail"};
    board b = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(22, (uint64_t)_i));
    board_random_land(&b, &r, SIZE);
    int differ = 0, searched = 0;
    for (int n = 0; n < 60; n++) {
        const size_t connection = connection_of(&b, ways[rng_below(&r, 2)]);
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
    tcase_add_loop_test(t, lanes_make_no_difference, 0, 6);
    tcase_add_test(t, nothing_is_left_behind);
    return t;
}
