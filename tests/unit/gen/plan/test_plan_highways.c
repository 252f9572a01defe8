/* The plan of highways: one intersection for each node, lines between them, edges that both
 * neighbours know. */
#include "core/hash.h"
#include "gen/pipeline.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 3, SIZE = PTL_CHUNK_SIZE, SAFE = 24 };

/* A part of the world whose middle lies at these overmaps. */
static const ptl_chunk_pos PLACES[] = {{0, 0}, {-70, 43}, {400000, -399000}, {-399999, -5}};
enum { PLACE_COUNT = sizeof PLACES / sizeof PLACES[0], AROUND = 13, WIDE = 2 * AROUND };

static const highway_grid GRIDS[] = {
    {10, 8, 2, 39322, NULL}, {4, 4, 1, 0, NULL}, {8, 12, 3, 65536, NULL}};
enum { GRID_COUNT = sizeof GRIDS / sizeof GRIDS[0] };

static gen_config *config_of(uint64_t seed, const char *region, highway_grid grid)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    options.region = region;
    ptl_error err = {0};
    gen_config *config = NULL;
    ck_assert_msg(gen_config_new(&config, town_catalogue(), &options, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_int_eq(config->highways.columns, 0);
    config->highways = grid;
    return config;
}

/* The edge's highway; position -1: none. More than one fails. */
static crossing highway_of(const gen_config *config, int32_t x, int32_t y, edge_side side)
{
    edge e;
    crossing found = {.position = -1};
    ck_assert_int_eq(plan_edge(&e, config, x, y, side, NULL), PTL_OK);
    for (size_t i = 0; i < e.count; i++) {
        if (!crossing_is_highway(&e.crossings[i]))
            continue;
        ck_assert_int_eq(found.position, -1);
        found = e.crossings[i];
    }
    edge_dispose(&e);
    return found;
}

/* Which sides of an overmap have a highway: bit d for direction d. */
static unsigned sides_of(const gen_config *config, ptl_chunk_pos pos)
{
    unsigned sides = 0;
    for (int d = 0; d < 4; d++) {
        int32_t x, y;
        edge_side side;
        plan_edge_of_chunk(pos, d, &x, &y, &side);
        sides |= (unsigned)(highway_of(config, x, y, side).position >= 0) << d;
    }
    return sides;
}

static int32_t floor_div(int32_t a, int32_t b)
{
    return a / b - (a % b != 0 && a < 0);
}

/* The node of a grid's cell lies within its variance, but not on it; no other node's does. */
START_TEST(a_cell_has_one_intersection)
{
    for (size_t p = 0; p < PLACE_COUNT; p++) {
        const highway_grid grid = GRIDS[_i % GRID_COUNT];
        gen_config *config = config_of((uint64_t)_i, "default", grid);
        const int32_t i0 = floor_div(PLACES[p].x, grid.columns);
        const int32_t j0 = floor_div(PLACES[p].y, grid.rows);
        int seen[25] = {0};
        for (int32_t j = j0 - 12; j < j0 + 12; j++)
            for (int32_t i = i0 - 12; i < i0 + 12; i++) {
                const ptl_chunk_pos at = plan_highway_node(config, i, j);
                const int32_t dx = at.x - i * grid.columns, dy = at.y - j * grid.rows;
                ck_assert_int_le(abs(dx), grid.variance);
                ck_assert_int_le(abs(dy), grid.variance);
                ck_assert(dx != 0 || dy != 0);
                const ptl_chunk_pos again = plan_highway_node(config, i, j);
                ck_assert(again.x == at.x && again.y == at.y);
                if (grid.variance == 2)
                    seen[(dy + 2) * 5 + dx + 2]++;
            }
        for (int k = 0; grid.variance == 2 && k < 25; k++)
            ck_assert_msg(k == 12 ? seen[k] == 0 : seen[k] > 4, "candidate %d: %d", k, seen[k]);
        gen_config_free(config);
    }
}
END_TEST

/* With a memo nodes lie where they do without, asked for in any order, near and far; and with
 * one that was made for another seed. */
START_TEST(a_memo_changes_nothing)
{
    gen_config *config = config_of((uint64_t)_i, "default", GRIDS[_i % GRID_COUNT]);
    rng r = rng_from_key(hash_add(7, (uint64_t)_i));
    highway_memo *memo = highway_memo_new((uint64_t)_i);
    ck_assert_ptr_nonnull(memo);
    for (int n = 0; n < 3000; n++) {
        if (n % 1500 == 0 && n > 0) {
            gen_config_free(config);
            config = config_of((uint64_t)_i + 1, "default", GRIDS[_i % GRID_COUNT]);
        }
        const int32_t reach = n % 20 == 0 ? PTL_CHUNK_COORD_MAX / 12 : 12;
        const int32_t i = rng_range(&r, -reach, reach), j = rng_range(&r, -reach, reach);
        config->highways.memo = memo;
        const ptl_chunk_pos kept = plan_highway_node(config, i, j);
        config->highways.memo = NULL;
        const ptl_chunk_pos anew = plan_highway_node(config, i, j);
        ck_assert(kept.x == anew.x && kept.y == anew.y);
    }
    highway_memo_free(memo);
    gen_config_free(config);
}
END_TEST

/* A line is made of neighbours, ends at the other node, and never comes back. */
static void check_line(const gen_config *config, int32_t i, int32_t j, bool east)
{
    highway_line line;
    plan_highway_line(&line, config, i, j, east);
    const ptl_chunk_pos a = plan_highway_node(config, i, j);
    const ptl_chunk_pos b = plan_highway_node(config, i + east, j + !east);
    const int32_t length = abs(a.x - b.x) + abs(a.y - b.y);
    ptl_chunk_pos before = line.at;
    ck_assert((before.x == a.x && before.y == a.y) || (before.x == b.x && before.y == b.y));
    bool along_x = east;
    while (plan_highway_step(&line)) {
        const int32_t dx = line.at.x - before.x, dy = line.at.y - before.y;
        ck_assert_int_eq(abs(dx) + abs(dy), 1);
        ck_assert_int_eq(dx != 0, line.along_x);
        ck_assert_int_eq(line.run == line.step - 1, line.step == 1 || along_x != line.along_x);
        /* Never far from the straight line between the nodes. */
        const int64_t off = llabs((int64_t)(line.at.x - a.x) * (b.y - a.y) -
                                  (int64_t)(line.at.y - a.y) * (b.x - a.x));
        ck_assert_int_le(off, 2 * ((int64_t)abs(a.x - b.x) + abs(a.y - b.y)));
        ck_assert(line.step > 1 || line.along_x == east);
        along_x = line.along_x;
        before = line.at;
    }
    ck_assert_int_eq(line.step, length);
    ck_assert_int_eq(line.along_x, east);
    ck_assert((before.x == a.x && before.y == a.y) || (before.x == b.x && before.y == b.y));
}

START_TEST(lines_lead_from_node_to_node)
{
    for (size_t p = 0; p < PLACE_COUNT; p++) {
        const highway_grid grid = GRIDS[_i % GRID_COUNT];
        gen_config *config = config_of((uint64_t)_i, "default", grid);
        const int32_t i0 = floor_div(PLACES[p].x, grid.columns);
        const int32_t j0 = floor_div(PLACES[p].y, grid.rows);
        for (int32_t j = j0 - 5; j < j0 + 5; j++)
            for (int32_t i = i0 - 5; i < i0 + 5; i++) {
                check_line(config, i, j, false);
                check_line(config, i, j, true);
            }
        gen_config_free(config);
    }
}
END_TEST

/* Marks the sides of the overmaps that a line goes through, within the part of the world. */
static void mark_line(uint8_t sides[WIDE][WIDE], ptl_chunk_pos corner, highway_line *line)
{
    for (ptl_chunk_pos before = line->at; plan_highway_step(line); before = line->at) {
        const int d = line->at.x > before.x   ? 1
                      : line->at.x < before.x ? 3
                      : line->at.y > before.y ? 2
                                              : 0;
        const int32_t x0 = before.x - corner.x, y0 = before.y - corner.y;
        const int32_t x1 = line->at.x - corner.x, y1 = line->at.y - corner.y;
        if (x0 >= 0 && x0 < WIDE && y0 >= 0 && y0 < WIDE)
            sides[y0][x0] |= (uint8_t)(1 << d);
        if (x1 >= 0 && x1 < WIDE && y1 >= 0 && y1 < WIDE)
            sides[y1][x1] |= (uint8_t)(1 << (d ^ 2));
    }
}

/* The edges say what all lines together say: found here by going along every line near. */
START_TEST(edges_carry_the_lines)
{
    const size_t p = (size_t)_i % PLACE_COUNT;
    const highway_grid grid = GRIDS[(size_t)_i % GRID_COUNT];
    gen_config *config = config_of((uint64_t)_i, "default", grid);
    const ptl_chunk_pos corner = {PLACES[p].x - AROUND, PLACES[p].y - AROUND};
    static uint8_t sides[WIDE][WIDE];
    memset(sides, 0, sizeof sides);
    for (int32_t j = floor_div(corner.y, grid.rows) - 2;
         j <= floor_div(corner.y + WIDE, grid.rows) + 2; j++)
        for (int32_t i = floor_div(corner.x, grid.columns) - 2;
             i <= floor_div(corner.x + WIDE, grid.columns) + 2; i++)
            for (int east = 0; east < 2; east++) {
                highway_line line;
                plan_highway_line(&line, config, i, j, east);
                mark_line(sides, corner, &line);
            }
    for (int32_t y = 0; y < WIDE; y++)
        for (int32_t x = 0; x < WIDE; x++) {
            const ptl_chunk_pos at = {corner.x + x, corner.y + y};
            ck_assert_msg(sides_of(config, at) == sides[y][x], "%d,%d: %u, not %u", at.x, at.y,
                          sides_of(config, at), sides[y][x]);
            const unsigned s = sides[y][x];
            ck_assert_msg(s != 1 && s != 2 && s != 4 && s != 8, "an end at %d,%d", at.x, at.y);
        }
    gen_config_free(config);
}
END_TEST

/* Intersections have a highway on all sides. */
START_TEST(intersections_have_four_sides)
{
    for (size_t p = 0; p < PLACE_COUNT; p++) {
        const highway_grid grid = GRIDS[_i % GRID_COUNT];
        gen_config *config = config_of((uint64_t)_i, "default", grid);
        for (int32_t k = 0; k < 20; k++) {
            const ptl_chunk_pos at =
                plan_highway_node(config, floor_div(PLACES[p].x, grid.columns) + k % 5,
                                  floor_div(PLACES[p].y, grid.rows) + k / 5);
            ck_assert_uint_eq(sides_of(config, at), 15);
        }
        gen_config_free(config);
    }
}
END_TEST

/* Crossings keep off corners; those on the ground have no river on their columns and no exit
 * near; straight runs bend by less than what needs bends. */
START_TEST(crossings_lie_well)
{
    const char *const regions[] = {"default", "wet"};
    gen_config *config = config_of((uint64_t)_i, regions[_i % 2], GRIDS[0]);
    int on_ground = 0, raised = 0, near = 0, far = 0, exits = 0;
    for (int32_t y = -30; y < 30; y++)
        for (int32_t x = -30; x < 30; x++) {
            edge e;
            ck_assert_int_eq(plan_edge(&e, config, x, y, EDGE_EAST, NULL), PTL_OK);
            const crossing c = highway_of(config, x, y, EDGE_EAST);
            const crossing next = highway_of(config, x + 1, y, EDGE_EAST);
            uint8_t mask[STRIP_CELLS] = {0};
            plan_river_strip(mask, config, &e);
            for (size_t i = 0; c.position >= 0 && i < e.count; i++)
                if (e.crossings[i].width == 0) {
                    const int32_t after = e.crossings[i].position - c.position;
                    ck_assert(after <= -HIGHWAY_EXIT_GAP ||
                              after >= HIGHWAY_EXIT_GAP + c.width - 1);
                    exits += abs(after) < 2 * HIGHWAY_EXIT_GAP;
                }
            for (int32_t row = 0; c.position >= 0 && c.z == 0 && row < 2 * PLAN_REACH; row++)
                ck_assert(!mask[row * SIZE + c.position] && !mask[row * SIZE + c.position + 1]);
            edge_dispose(&e);
            if (c.position < 0)
                continue;
            ck_assert_int_eq(c.width, HIGHWAY_WIDTH);
            ck_assert_int_ge(c.position, SAFE);
            ck_assert_int_lt(c.position, SIZE - SAFE);
            raised += c.z == 1;
            on_ground += c.z == 0;
            if (next.position >= 0)
                *(abs(next.position - c.position) <= 10 ? &near : &far) += 1;
        }
    ck_assert_int_gt(on_ground, 100);
    ck_assert_int_gt(exits, 30);
    ck_assert_int_gt(on_ground, 10 * raised);
    ck_assert_int_gt(near, 5);
    ck_assert_int_gt(far, 5);
    gen_config_free(config);
}
END_TEST

/* Nodes keep off lakes where they can: a wet world's have fewer than its other overmaps. */
START_TEST(intersections_keep_off_lakes)
{
    gen_config *config = config_of((uint64_t)_i, "wet", GRIDS[0]);
    int wet_nodes = 0, wet_others = 0;
    for (int32_t k = 0; k < 100; k++)
        for (int other = 0; other < 2; other++) {
            ptl_chunk_pos at = plan_highway_node(config, k % 10, k / 10);
            at.x += 5 * other;
            int cells = 0;
            for (int32_t y = 0; y < SIZE; y += 4)
                for (int32_t x = 0; x + NOISE_BLOCK <= SIZE; x += NOISE_BLOCK) {
                    uint8_t lake[NOISE_BLOCK];
                    config->kernels->lake(&config->noise, (int64_t)at.x * SIZE + x,
                                          (int64_t)at.y * SIZE + y, lake);
                    for (int i = 0; i < NOISE_BLOCK; i++)
                        cells += lake[i];
                }
            *(other ? &wet_others : &wet_nodes) += cells > 200;
        }
    ck_assert_msg(wet_nodes * 4 < wet_others, "%d of the nodes, %d of the others", wet_nodes,
                  wet_others);
    gen_config_free(config);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan_highways");
    TCase *tests = tcase_create("plan_highways");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_cell_has_one_intersection, 0, SEEDS);
    tcase_add_loop_test(tests, a_memo_changes_nothing, 0, GRID_COUNT);
    tcase_add_loop_test(tests, lines_lead_from_node_to_node, 0, SEEDS);
    tcase_add_loop_test(tests, edges_carry_the_lines, 0, PLACE_COUNT);
    tcase_add_loop_test(tests, intersections_have_four_sides, 0, SEEDS);
    tcase_add_loop_test(tests, crossings_lie_well, 0, 4);
    tcase_add_loop_test(tests, intersections_keep_off_lakes, 0, 2);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
