/*
 * The search where turns don't count is a faster way to what the general one finds: the same
 * paths, to the tile, on any ground; and it leaves nothing behind for the next.
 */
#include "connect_fixture.h"
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

/* Does the other search, which is taken for dear ground, find the same? */
static bool agree(board *b, const link_task *t)
{
    connector *k = b->g->connector;
    compiled_connection *c = compiled(b->g, t->connection);
    const int32_t dearest = c->dearest;
    const connect_result plain = draw(b, t);
    const size_t count = k->path_count;
    memcpy(kept, k->path, count * sizeof *kept);
    c->dearest = PLAIN_DEAREST + 1;
    const connect_result general = draw(b, t);
    c->dearest = dearest;
    if (plain != general || plain != CONNECT_DRAWN)
        return plain == general;
    bool same = count == k->path_count;
    for (size_t i = 0; same && i < count; i++)
        same = kept[i].x == k->path[i].x && kept[i].y == k->path[i].y &&
               kept[i].direction == k->path[i].direction;
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

START_TEST(both_searches_find_the_same_paths)
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
            ck_assert_int_le(compiled(b.g, t.connection)->dearest, PLAIN_DEAREST);
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

TCase *connect_plain_tests(void)
{
    TCase *t = tcase_create("plain");
    tcase_add_loop_test(t, both_searches_find_the_same_paths, 0, 6);
    tcase_add_test(t, nothing_is_left_behind);
    return t;
}
