/*
 * The search of the games: it takes the cells in the order that the documents say, with what
 * the catalogue says they cost; where it finds nothing the other search does; links of specials
 * lead to the nearest city; today's lists are joined by a tree.
 */
#include "core/hash.h"
#include "support/seeds.h"
#include "unit/gen/connect/connect_fixture.h"
#include "unit/gen/connect/test_connect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ptl_oter before[CELLS];

static board board_compat(uint64_t seed)
{
    board b = board_new(seed, NULL);
    b.config->options.compat = true;
    return b;
}

/* ---- the order of the cells ---- */

/* What the plain search knows of a cell. */
typedef struct plain_cell {
    int came; /* direction of the move into it; -1: the search has not seen it; 4: its start */
    bool taken;
    double value;
    int order; /* how many cells were seen before it */
} plain_cell;
static plain_cell plain[CELLS];

/* The value of a cell as the games have it, from the catalogue's numbers. */
static double plain_value(const board *b, size_t connection, int32_t at, int32_t end)
{
    const oter_class class = connect_class(b->g, connection, before[at]);
    const int dx = abs(at % SIZE - end % SIZE), dy = abs(at / SIZE - end / SIZE);
    const cat_connection *c = &b->cat->connections[connection];
    const cat_subtype *s = class.subtype < 0 ? NULL : &c->subtypes[class.subtype];
    const double rest = s && s->orthogonal ? dx + dy : floor(hypot(dx, dy));
    const bool there = class.has || class.subtype < 0;
    return (s ? s->basic_cost : 0) + (there ? rest : 5 * rest);
}

static int32_t plain_next(void)
{
    int32_t least = -1;
    for (int32_t i = 0; i < CELLS; i++)
        if (plain[i].came >= 0 && !plain[i].taken &&
            (least < 0 || plain[i].value < plain[least].value ||
             (plain[i].value == plain[least].value && plain[i].order > plain[least].order)))
            least = i;
    return least;
}

/* Searches from `to`; plain[from].came is below 0 if there is no way. */
static void plain_search(const board *b, size_t connection, int32_t from, int32_t to)
{
    int seen = 0;
    for (int32_t i = 0; i < CELLS; i++)
        plain[i] = (plain_cell){.came = -1};
    plain[to].came = 4;
    for (int32_t at = to; at >= 0 && at != from; at = plain_next()) {
        plain[at].taken = true;
        const bool rigid = connect_class(b->g, connection, before[at]).step & STEP_RIGID;
        for (int d = 0; d < 4; d++) {
            const int32_t x = at % SIZE + step_x(d), y = at / SIZE + step_y(d);
            const int32_t next = y * SIZE + x;
            if (x < 1 || y < 1 || x > SIZE - 2 || y > SIZE - 2 || plain[next].came >= 0 ||
                (at != to && rigid && d != plain[at].came))
                continue;
            const uint32_t step = connect_class(b->g, connection, before[next]).step;
            if (next != from && !(step >> STEP_ENTER_SHIFT >> d & 1))
                continue;
            plain[next].came = d;
            plain[next].order = ++seen;
            plain[next].value = plain_value(b, connection, next, from);
        }
    }
}

static bool is_plain(const connector *k, int32_t from, int32_t to)
{
    int32_t at = from;
    for (size_t i = 0; i + 1 < k->path_count; i++) {
        if (k->path[i].y * SIZE + k->path[i].x != at || plain[at].came > 3 ||
            k->path[i].direction != (plain[at].came ^ 2))
            return false;
        at -= STEP_DELTA[plain[at].came];
    }
    return at == to;
}

START_TEST(cells_are_taken_in_the_order_of_the_games)
{
    static const char *const ways[] = {"local_road", "forest_trail", "local_railroad"};
    board b = board_compat((uint64_t)_i), other = board_new((uint64_t)_i, NULL);
    rng r = rng_from_key(hash_add(41, (uint64_t)_i));
    board_random_land(&b, &r, 60);
    int found = 0, wrong = 0, elsewhere = 0;
    for (int n = 0; n < 30; n++) {
        const size_t connection = connection_of(&b, ways[rng_below(&r, 3)]);
        connect_end from, to;
        if (!random_end(&b, &r, connection, 60, &from) ||
            !random_end(&b, &r, connection, 60, &to) || (from.x == to.x && from.y == to.y))
            continue;
        const int32_t start = from.y * SIZE + from.x, goal = to.y * SIZE + to.x;
        memcpy(before, b.g->ground, sizeof before);
        memcpy(other.g->ground, before, sizeof before);
        const connect_result result = connect_ends(b.g, connection, 0, from, to);
        plain_search(&b, connection, start, goal);
        const bool plainly = plain[start].came >= 0;
        /* where the greedy search gives up, there may be a way all the same */
        ck_assert_int_eq(result == CONNECT_DRAWN,
                         plainly ||
                             connect_ends(other.g, connection, 0, from, to) == CONNECT_DRAWN);
        elsewhere += result == CONNECT_DRAWN && !plainly;
        found += plainly;
        wrong += plainly && !is_plain(b.g->connector, start, goal);
        check_arms(&b, 0);
    }
    ck_assert_int_gt(found, 5);
    ck_assert_int_le(elsewhere, found);
    ck_assert_int_eq(wrong, 0);
    board_dispose(&b);
    board_dispose(&other);
}
END_TEST

/* Bridges cost 120, which is 24 steps: the path goes round a lake if no cell of the way round
 * is more than 24 cells farther from the end than the far shore, and over it otherwise. */
static int bridges_over(bool compat, bool exact, int16_t half)
{
    board b = board_new(1, NULL);
    b.config->options.compat = compat;
    if (exact)
        b.config->options.roads = PTL_ROADS_EXACT;
    for (int32_t y = 90 - half; y <= 90 + half; y++)
        set(&b, 90, y, "river_center");
    const size_t road = connection_of(&b, "local_road");
    const connect_end from = {88, 90, CONNECT_ANY, false}, to = {92, 90, CONNECT_ANY, false};
    ck_assert_int_eq(connect_ends(b.g, road, 0, from, to), CONNECT_DRAWN);
    int bridges = 0;
    for (int32_t y = 0; y < SIZE; y++)
        bridges += strncmp(get(&b, 0, 90, y), "bridge", 6) == 0;
    board_dispose(&b);
    return bridges;
}

START_TEST(it_walks_round_water)
{
    ck_assert_int_eq(bridges_over(true, false, 20), 0);
    ck_assert_int_eq(bridges_over(true, false, 60), 1);
    ck_assert_int_eq(bridges_over(false, false, 20), 1);
    /* exact roads weigh all costs, also with compat: 120 against 2 x 21 x 5 */
    ck_assert_int_eq(bridges_over(true, true, 20), 1);
}
END_TEST

/* ---- links of specials ---- */
START_TEST(a_special_is_linked_from_the_city)
{
    board b = board_compat(1);
    const size_t road = connection_of(&b, "local_road");
    /* the city's centre lies behind a lone road that is nearer to the special */
    set(&b, 50, 90, "road_isolated");
    set(&b, 95, 60, "road_isolated");
    const connect_end end = {90, 90, CONNECT_ANY, false};
    const connect_ground from_city = {.centre = 90 * SIZE + 50}, nearest = {0};
    const connect_ground no_road = {.centre = 90 * SIZE + 51};
    ck_assert_int_eq(connect_seek(b.g, road, 0, end, &from_city), CONNECT_DRAWN);
    const connector *k = b.g->connector;
    ck_assert_int_eq(k->path[0].x, 90);
    ck_assert_int_eq(k->path[k->path_count - 1].x, 50);
    ck_assert_uint_eq(k->path_count, 41);
    ck_assert_int_eq(connect_seek(b.g, road, 0, end, &nearest), CONNECT_DRAWN);
    ck_assert_int_eq(k->path[k->path_count - 1].x, 95);
    ck_assert_int_eq(connect_seek(b.g, road, 0, end, &no_road), CONNECT_DRAWN);
    ck_assert_int_eq(k->path[k->path_count - 1].x, 95);
    b.config->options.compat = false;
    ck_assert_int_eq(connect_seek(b.g, road, 0, end, &from_city), CONNECT_DRAWN);
    ck_assert_int_eq(k->path[k->path_count - 1].x, 95);
    /* closed cells are not entered */
    b.config->options.compat = true;
    const int32_t closed[] = {90 * SIZE + 89, 89 * SIZE + 90, 91 * SIZE + 90};
    const connect_ground shut = {.centre = 90 * SIZE + 50, .closed = closed, .closed_count = 3};
    ck_assert_int_eq(connect_seek(b.g, road, 0, end, &shut), CONNECT_DRAWN);
    ck_assert_int_eq(k->path[1].x, 91);
    ck_assert_int_eq(k->path[k->path_count - 1].x, 50);
    board_dispose(&b);
}
END_TEST

/* ---- lists ---- */
enum { POINTS = 30 };

/* Draws roads between points of today's content, whose regions state all levels. Returns the
 * number of OMTs of road. */
static int draw_list(uint64_t seed, const connect_end *ends, bool levelled, int32_t *labels)
{
    board b = board_compat(seed);
    cat_region region = *b.config->region;
    region.levelled = levelled;
    b.config->region = &region;
    const size_t road = connection_of(&b, "local_road");
    connect_result results[POINTS];
    connect_points(b.g, road, 0, ends, POINTS, results);
    for (int i = 0; i + 1 < POINTS; i++)
        ck_assert_int_eq(results[i], CONNECT_DRAWN);
    check_arms(&b, 0);
    ck_assert(connect_links_all(b.g, road, 0, ends, POINTS, labels));
    int drawn = 0;
    for (int32_t i = 0; i < CELLS; i++)
        drawn += connect_has(b.g, road, b.g->ground[i]);
    board_dispose(&b);
    return drawn;
}

/* Length of the shortest tree, by taking the least edge between two groups again and again. */
static double tree_length(const connect_end *ends)
{
    int group[POINTS];
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        group[i] = i;
    for (int n = 1; n < POINTS; n++) {
        double least = 1e9;
        int a = 0, c = 0;
        for (int i = 0; i < POINTS; i++)
            for (int j = 0; j < i; j++) {
                const double far = hypot(ends[i].x - ends[j].x, ends[i].y - ends[j].y);
                if (group[i] != group[j] && far < least) {
                    least = far;
                    a = group[i];
                    c = group[j];
                }
            }
        sum += least;
        for (int i = 0; i < POINTS; i++)
            group[i] = group[i] == a ? c : group[i];
    }
    return sum;
}

/* A tree alone would have fewer OMTs than links to later points; with the loops it has more
 * than the tree, and all ends are joined. */
START_TEST(lists_are_linked_by_a_tree)
{
    static int32_t labels[CELLS];
    rng r = rng_from_key(hash_add(43, (uint64_t)_i));
    connect_end ends[POINTS];
    for (int i = 0; i < POINTS; i++)
        ends[i] = (connect_end){(int16_t)rng_range(&r, 2, SIZE - 3),
                                (int16_t)rng_range(&r, 2, SIZE - 3), CONNECT_ANY, false};
    const int tree = draw_list((uint64_t)_i, ends, true, labels);
    const int later = draw_list((uint64_t)_i, ends, false, labels);
    const double least = tree_length(ends);
    ck_assert_int_lt(tree, later);
    ck_assert_double_gt(tree, 0.9 * least);
    ck_assert_double_lt(tree, 1.5 * least);
    ck_assert_double_lt(later, 3 * least);
    ck_assert_int_eq(draw_list((uint64_t)_i, ends, true, labels), tree);
}
END_TEST

TCase *connect_greedy_tests(void)
{
    TCase *t = tcase_create("greedy");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, cells_are_taken_in_the_order_of_the_games, 0, test_seeds(4));
    tcase_add_test(t, it_walks_round_water);
    tcase_add_test(t, a_special_is_linked_from_the_city);
    tcase_add_loop_test(t, lists_are_linked_by_a_tree, 0, test_seeds(4));
    return t;
}
