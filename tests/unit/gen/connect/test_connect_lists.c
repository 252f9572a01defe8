/* Lists of points, parts of a network, the nearest part; and choices by weight. */
#include "support/land_catalogue.h"
#include "support/seeds.h"
#include "unit/gen/connect/connect_fixture.h"
#include "unit/gen/connect/test_connect.h"

#include <stdlib.h>
#include <string.h>

static connect_end at(int32_t x, int32_t y)
{
    return (connect_end){(int16_t)x, (int16_t)y, CONNECT_ANY, false};
}

START_TEST(points_form_one_part)
{
    board b = board_new((uint64_t)_i, NULL);
    const size_t trail = connection_of(&b, "forest_trail");
    board_fill(&b, "forest");
    rng r = rng_from_key((uint64_t)_i);
    connect_end ends[20];
    connect_result results[20];
    for (int i = 0; i < 20; i++)
        if (!random_end(&b, &r, trail, SIZE, &ends[i]))
            ck_abort();
    ends[7] = ends[3];
    connect_points(b.g, trail, 0, ends, 20, results);
    ck_assert_int_eq(results[3], CONNECT_SAME);
    static int32_t labels[CELLS];
    ck_assert_int_eq(connect_parts(b.g, trail, 0, labels), 1);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(labels[ends[i].y * SIZE + ends[i].x], 1);
    board_dispose(&b);
}
END_TEST

/* Each goes to the nearest later one by the whole part of the distance, the first on ties. */
START_TEST(points_are_chained_as_in_the_games)
{
    board b = board_new(1, NULL);
    const size_t road = connection_of(&b, "local_road");
    /* From (50, 50): (53, 53) is 4.2 away, (54, 50) 4: both count as 4. */
    const connect_end ends[] = {at(50, 50), at(53, 53), at(54, 50), at(150, 150)};
    connect_result results[3];
    connect_points(b.g, road, 0, ends, 1, results); /* nothing to do */
    ck_assert_str_eq(get(&b, 0, 50, 50), "field");
    connect_points(b.g, road, 0, ends, 2, results);
    ck_assert_int_eq(results[0], CONNECT_DRAWN);
    board_fill(&b, "field");
    /* Walls leave the first only the way to the third: it asks for the second. */
    for (int32_t i = 49; i <= 51; i++) {
        set(&b, i, 49, "lake_surface");
        set(&b, i, 51, "lake_surface");
    }
    set(&b, 49, 50, "lake_surface");
    for (int32_t y = 49; y <= 51; y++)
        set(&b, 55, y, "lake_surface");
    for (int32_t x = 52; x < 55; x++) {
        set(&b, x, 49, "lake_surface");
        set(&b, x, 51, "lake_surface");
    }
    connect_points(b.g, road, 0, ends, 4, results);
    ck_assert_int_eq(results[0], CONNECT_NO_PATH);
    ck_assert_int_eq(results[1], CONNECT_NO_PATH);
    ck_assert_int_eq(results[2], CONNECT_NO_PATH);
    board_dispose(&b);
}
END_TEST

/* The first OMT of the connection from some cell on; sometimes the cell itself. */
static connect_end omt_of(const board *b, size_t connection, rng *r)
{
    int32_t i = rng_range(r, 0, CELLS - 1);
    const bool any = rng_one_in(r, 8);
    for (int32_t n = 0; n < CELLS && !any && !connect_has(b->g, connection, b->g->ground[i]);
         n++)
        i = (i + 1) % CELLS;
    return at((int16_t)(i % SIZE), (int16_t)(i / SIZE));
}

/* Lists of which the engine is told that nobody else drew in between. */
START_TEST(more_points_make_no_difference)
{
    board b[2] = {board_new((uint64_t)_i, NULL), board_new((uint64_t)_i, NULL)};
    const size_t way = connection_of(&b[0], _i % 2 ? "forest_trail" : "local_road");
    int drawn = 0;
    for (int k = 0; k < 2; k++) {
        rng r = rng_from_key(hash_add(41, (uint64_t)_i));
        board_random_land(&b[k], &r, SIZE);
        for (int list = 0; list < 6; list++) {
            connect_end ends[8];
            connect_result results[8];
            for (int i = 0; i < 8; i++)
                ck_assert(random_end(&b[k], &r, way, SIZE, &ends[i]));
            (list == 0 || k == 0 ? connect_points : connect_more_points)(b[k].g, way, 0, ends,
                                                                         8, results);
            for (int i = 0; i < 7; i++)
                drawn += results[i] == CONNECT_DRAWN;
        }
    }
    ck_assert_int_gt(drawn, 0);
    ck_assert_mem_eq(b[0].g->ground, b[1].g->ground, CELLS * sizeof(ptl_oter));
    /* The parts are those of its own OMTs, whatever crosses them. */
    static int32_t labels[CELLS];
    const int32_t parts = connect_parts(b[0].g, way, 0, labels);
    int wrong = 0;
    for (int32_t i = 0; i < CELLS; i++)
        wrong +=
            (labels[i] > 0) != connect_has(b[0].g, way, b[0].g->ground[i]) || labels[i] > parts;
    ck_assert_int_eq(wrong, 0);
    /* Ends of one part are joined, and so are those of none but it. */
    static int32_t joined[CELLS];
    rng r = rng_from_key((uint64_t)_i);
    for (int i = 0; i < 40; i++) {
        const connect_end some[2] = {omt_of(&b[0], way, &r), omt_of(&b[0], way, &r)};
        const int32_t part = labels[some[0].y * SIZE + some[0].x];
        const bool same = labels[some[1].y * SIZE + some[1].x] == part && part > 0;
        ck_assert_int_eq(connect_links_all(b[0].g, way, 0, some, 2, joined), same);
        for (int32_t k = 0; same && k < CELLS; k++)
            wrong += joined[k] != (labels[k] == part);
    }
    ck_assert_int_eq(wrong, 0);
    board_dispose(&b[0]);
    board_dispose(&b[1]);
}
END_TEST

START_TEST(lines_are_those_of_the_catalogue)
{
    board b = board_new(1, NULL);
    int lines = 0;
    for (size_t i = 0; i < b.cat->oter_count; i++) {
        const cat_terrain *type = &b.cat->terrains[b.cat->oters[i].terrain];
        const uint8_t line = b.config->connections->lines[i];
        ck_assert_int_eq((line & LINE_IS) != 0, type->count == 16);
        ck_assert_int_eq(line & LINE_ARMS, b.cat->oters[i].line);
        if (line & LINE_IS)
            ck_assert_uint_eq(i, (size_t)type->first + (line & LINE_ARMS));
        lines += (line & LINE_IS) != 0;
    }
    ck_assert_int_gt(lines, 0);
    board_dispose(&b);
}
END_TEST

START_TEST(parts_follow_arms)
{
    board b = board_new(1, NULL);
    const size_t road = connection_of(&b, "local_road");
    static int32_t labels[CELLS];
    ck_assert_int_eq(connect_parts(b.g, road, 0, labels), 0);
    ck_assert_int_eq(connect_parts(b.g, road, 5, labels), 0);
    set(&b, 10, 10, "road_end_west");
    set(&b, 11, 10, "road_end_east");
    set(&b, 12, 10, "road_isolated"); /* beside, but not joined */
    set(&b, 12, 11, "road_end_north");
    set(&b, 12, 12, "bridge_north");
    set(&b, 12, 13, "bridge_south");
    set(&b, 13, 13, "bridge_south"); /* beside, parallel */
    set(&b, 12, 14, "road_end_south");
    set(&b, 30, 30, "road_nesw_manhole");
    set(&b, 30, 31, "road_end_south");
    set(&b, 31, 30, "road_ns");
    ck_assert_int_eq(connect_parts(b.g, road, 0, labels), 6);
    ck_assert_int_eq(labels[10 * SIZE + 10], 1);
    ck_assert_int_eq(labels[10 * SIZE + 11], 1);
    ck_assert_int_eq(labels[10 * SIZE + 12], 2);
    ck_assert_int_eq(labels[11 * SIZE + 12], 3);
    ck_assert_int_eq(labels[14 * SIZE + 12], 3);
    ck_assert_int_eq(labels[13 * SIZE + 13], 4);
    ck_assert_int_eq(labels[30 * SIZE + 30], 5);
    ck_assert_int_eq(labels[31 * SIZE + 30], 5);
    ck_assert_int_eq(labels[30 * SIZE + 31], 6);
    ck_assert_int_eq(labels[5], 0);
    board_dispose(&b);
}
END_TEST

/* The cheapest of all other parts, found by trying each of their OMTs. */
START_TEST(the_nearest_part_is_joined)
{
    board b = board_new((uint64_t)_i, NULL);
    const size_t road = connection_of(&b, "local_road");
    static int32_t labels[CELLS];
    static ptl_oter before[CELLS];
    rng r = rng_from_key(hash_add(3, (uint64_t)_i));
    const int32_t size = 24;
    board_random_land(&b, &r, size);
    for (int i = 0; i < 8; i++) {
        connect_end from, to;
        if (random_end(&b, &r, road, size, &from) && random_end(&b, &r, road, size, &to) &&
            abs(from.x - to.x) + abs(from.y - to.y) < 7)
            connect_ends(b.g, road, 0, from, to);
    }
    connect_end from;
    if (!random_end(&b, &r, road, size, &from))
        ck_abort();
    memcpy(before, b.g->ground, sizeof before);
    connect_parts(b.g, road, 0, labels);
    const int32_t start = from.y * SIZE + from.x, own = labels[start];
    int64_t least = -1;
    for (int32_t i = 0; i < CELLS; i++) {
        if (labels[i] == 0 || labels[i] == own ||
            strncmp(b.cat->oters[b.g->ground[i]].id, "road", 4) != 0)
            continue;
        const best way = brute_force(&b, road, start, i);
        if (way.cost >= 0 && (least < 0 || way.cost < least))
            least = way.cost;
    }
    const connect_result result = connect_to_any(b.g, road, 0, from);
    ck_assert_int_eq(result, least < 0 ? CONNECT_NO_PATH : CONNECT_DRAWN);
    if (result == CONNECT_DRAWN) {
        ck_assert_int_eq(path_cost(&b, road, before).cost, least);
        const connector *k = b.g->connector;
        const path_node *last = &k->path[k->path_count - 1];
        const int32_t reached = last->y * SIZE + last->x;
        connect_parts(b.g, road, 0, labels);
        ck_assert_int_eq(labels[start], labels[reached]);
    }
    check_arms(&b, 0);
    board_dispose(&b);
}
END_TEST

TCase *connect_lists_tests(void)
{
    TCase *t = tcase_create("lists");
    tcase_add_loop_test(t, points_form_one_part, 0, 4);
    tcase_add_test(t, points_are_chained_as_in_the_games);
    tcase_add_loop_test(t, more_points_make_no_difference, 0, 4);
    tcase_add_test(t, lines_are_those_of_the_catalogue);
    tcase_add_test(t, parts_follow_arms);
    tcase_add_loop_test(t, the_nearest_part_is_joined, 0, test_seeds(8));
    return t;
}

/* ---- choices by weight ---- */

/* The town's catalogue with other subtypes for local_road. */
typedef struct changed {
    catalogue cat;
    cat_connection connections[8];
    cat_subtype subtypes[16];
    uint64_t terrains[2];
} changed;

static void change(changed *c, const char *extra, int32_t weight, int32_t extra_weight)
{
    const catalogue *town = town_catalogue();
    const uint16_t road = catalogue_connection(town, "local_road");
    *c = (changed){.cat = *town};
    memcpy(c->connections, town->connections, town->connection_count * sizeof *c->connections);
    cat_connection *conn = &c->connections[road];
    ck_assert_ptr_nonnull(conn->subtypes);
    memcpy(c->subtypes, conn->subtypes, conn->subtype_count * sizeof *c->subtypes);
    memcpy(c->terrains, conn->terrains, sizeof c->terrains);
    cat_subtype *bridge = &c->subtypes[conn->subtype_count - 1];
    bridge->weight = weight;
    bridge[1] = *bridge;
    bridge[1].weight = extra_weight;
    bridge[1].terrain = catalogue_terrain(town, extra);
    c->terrains[bridge[1].terrain / 64] |= UINT64_C(1) << bridge[1].terrain % 64;
    conn->subtypes = c->subtypes;
    conn->subtype_count++;
    conn->terrains = c->terrains;
    c->cat.connections = c->connections;
}

/* How many of 160 paths over two rivers took the extra bridge; each path one kind only. */
static int count_extra(const catalogue *cat, const char *prefix)
{
    board b = board_new(5, cat);
    const size_t road = connection_of(&b, "local_road");
    const ptl_oter rivers[] = {oter_of(&b, "river_center"), oter_of(&b, "river_north")};
    int extra = 0;
    for (int n = 0; n < 160; n++) {
        board_fill(&b, "field");
        for (int32_t i = 0; i < SIZE; i++) {
            b.g->ground[60 * SIZE + i] = rivers[0];
            b.g->ground[66 * SIZE + i] = rivers[1];
        }
        const int32_t x = 2 + n % 170;
        ck_assert_int_eq(connect_ends(b.g, road, 0, at(x, 50 + n / 170), at(x, 70)),
                         CONNECT_DRAWN);
        const bool first = strncmp(get(&b, 0, x, 60), prefix, strlen(prefix)) == 0;
        const bool second = strncmp(get(&b, 0, x, 66), prefix, strlen(prefix)) == 0;
        ck_assert_int_eq(first, second);
        extra += first;
    }
    board_dispose(&b);
    return extra;
}

START_TEST(weights_are_kept)
{
    changed *c = malloc(sizeof *c);
    ck_assert_ptr_nonnull(c);
    change(c, "railroad_bridge", 3, 1);
    const int quarter = count_extra(&c->cat, "railroad_bridge");
    ck_assert_int_gt(quarter, 40 - 28); /* five standard deviations: 27 */
    ck_assert_int_lt(quarter, 40 + 28);
    change(c, "railroad_bridge", 0, 0); /* no weights: the first */
    ck_assert_int_eq(count_extra(&c->cat, "railroad_bridge"), 0);
    change(c, "railroad_bridge", 0, 1); /* only those with a weight are drawn */
    ck_assert_int_eq(count_extra(&c->cat, "railroad_bridge"), 160);
    free(c);
}
END_TEST

/* The same ends, the same choice, whatever was drawn before. */
START_TEST(choices_are_the_ends_own)
{
    changed *c = malloc(sizeof *c);
    ck_assert_ptr_nonnull(c);
    change(c, "railroad_bridge", 1, 1);
    char first[2][20] = {"", ""};
    for (int round = 0; round < 2; round++) {
        board b = board_new(5, &c->cat);
        for (int32_t x = 0; x < SIZE; x++)
            set(&b, x, 60, "river_center");
        const size_t road = connection_of(&b, "local_road");
        /* Far enough apart that none is worth a detour. */
        for (int32_t i = 0; i < 6; i++) {
            const int32_t x = round ? 160 - 30 * i : 10 + 30 * i;
            ck_assert_int_eq(connect_ends(b.g, road, 0, at(x, 59), at(x, 61)), CONNECT_DRAWN);
            first[round][x / 10] = get(&b, 0, x, 60)[0];
        }
        check_arms(&b, 0);
        board_dispose(&b);
    }
    ck_assert_mem_eq(first[0], first[1], sizeof first[0]);
    ck_assert(memchr(first[0], 'b', 18) && memchr(first[0], 'r', 18));
    free(c);
}
END_TEST

/* The grid is what the drawn choices say of each cell, whether it was made anew for them or
 * kept because they are alike. Returns how often it was made anew. */
static int view_by_choices(const catalogue *cat)
{
    board b = board_new(6, cat);
    const size_t road = connection_of(&b, "local_road");
    rng r = rng_from_key(31);
    int anew = 0;
    board_random_land(&b, &r, 40);
    for (int n = 0; n < 40; n++) {
        connect_choose(b.g, road, 0, 1000 + n, 2000);
        memset(b.g->connector->view->stale, 0, sizeof b.g->connector->view->stale);
        connect_sync(b.g, road, b.g->ground);
        anew += b.g->connector->view->stale[100] != 0;
        for (int32_t cell = SIZE; cell < 40 * SIZE; cell++)
            if (cell % SIZE > 0 && cell % SIZE < SIZE - 1)
                ck_assert_uint_eq(b.g->connector->view->grid[cell],
                                  connect_class(b.g, road, b.g->ground[cell]).step);
    }
    board_dispose(&b);
    return anew;
}

START_TEST(the_view_follows_choices_that_matter)
{
    changed *c = malloc(sizeof *c);
    ck_assert_ptr_nonnull(c);
    change(c, "railroad_bridge", 1, 1);
    ck_assert_int_eq(view_by_choices(&c->cat), 1);
    const uint16_t road = catalogue_connection(&c->cat, "local_road");
    c->subtypes[c->connections[road].subtype_count - 1].basic_cost += 30;
    ck_assert_int_gt(view_by_choices(&c->cat), 10);
    free(c);
}
END_TEST

TCase *connect_choice_tests(void)
{
    TCase *t = tcase_create("choice");
    tcase_add_test(t, weights_are_kept);
    tcase_add_test(t, the_view_follows_choices_that_matter);
    tcase_add_test(t, choices_are_the_ends_own);
    return t;
}
