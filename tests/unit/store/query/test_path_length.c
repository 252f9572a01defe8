/* path_length against a plain breadth-first search over the tiles, across the borders of
 * chunks. */
#include "portolan/types.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/store/query/vtab_world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 2 * PTL_CHUNK_SIZE, HEIGHT = 2 * PTL_CHUNK_SIZE, PAIRS = 40 };

static vtab_world w;

/* All tiles of one connection: 16 + arms; and their steps from a start. */
typedef struct map {
    uint8_t arms[WIDTH * HEIGHT];
    int steps[WIDTH * HEIGHT], queue[WIDTH * HEIGHT];
    int tiles[WIDTH * HEIGHT], count;
} map;

static void make_file(void)
{
    vtab_world_make(&w, 5);
}

static void remove_file(void)
{
    vtab_world_remove(&w);
}

static void set_up(void)
{
    vtab_world_open(&w);
}

static void tear_down(void)
{
    vtab_world_close(&w);
}

static bool take_tile(void *payload, size_t columns, const char *const *names,
                      const ptl_value *values)
{
    map *m = payload;
    (void)columns;
    (void)names;
    const int at = ((int)values[1].integer + PTL_CHUNK_SIZE) * WIDTH + (int)values[0].integer +
                   PTL_CHUNK_SIZE;
    m->arms[at] = (uint8_t)(16 + values[2].integer);
    m->tiles[m->count++] = at;
    return true;
}

static map *read_map(const char *connection, int z)
{
    char sql[600];
    map *m = calloc(1, sizeof *m);
    ck_assert(m != NULL);
    snprintf(sql, sizeof sql,
             "SELECT t.x, t.y, CASE o.kind WHEN 2 THEN k.line ELSE 15 END FROM omt t "
             "JOIN concrete_terrain k ON k.id = t.oter JOIN overmap_terrain o ON o.id = "
             "k.terrain WHERE t.world = 'w' AND t.z = %d AND k.terrain IN (SELECT s.terrain || "
             "e FROM "
             "overmap_connection_subtype s, (SELECT '' AS e UNION VALUES ('head_ground'), "
             "('_under'), ('_center_under')) WHERE connection = '%s')",
             z, connection);
    const ptl_query_options options = {
        .size = sizeof options, .on_row = take_tile, .payload = m};
    ck_assert_msg(ptl_query(w.store, sql, &options, &w.err) == PTL_OK, "%s", w.err.message);
    return m;
}

static void flood(map *m, int start)
{
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    int head = 0, tail = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        m->steps[i] = -1;
    m->steps[start] = 0;
    m->queue[tail++] = start;
    while (head < tail) {
        const int at = m->queue[head++], x = at % WIDTH, y = at / WIDTH;
        for (int side = 0; side < 4; side++) {
            const int nx = x + dx[side], ny = y + dy[side], to = ny * WIDTH + nx;
            if (!(m->arms[at] >> side & 1) || nx < 0 || nx >= WIDTH || ny < 0 || ny >= HEIGHT ||
                !(m->arms[to] >> (side + 2) % 4 & 1) || m->steps[to] >= 0)
                continue;
            m->steps[to] = m->steps[at] + 1;
            m->queue[tail++] = to;
        }
    }
}

typedef struct pairs {
    int start, ends[PAIRS], wrong, joined;
    const map *m;
    int next;
} pairs;

static bool take_length(void *payload, size_t columns, const char *const *names,
                        const ptl_value *values)
{
    pairs *p = payload;
    (void)columns;
    (void)names;
    const int expected = p->m->steps[p->ends[p->next++]];
    const int64_t got = values[0].type == PTL_VALUE_INTEGER ? values[0].integer : -1;
    p->wrong += got != expected;
    p->joined += expected > 0;
    return true;
}

/* From one start to many ends, in one query. */
static void ask_lengths(pairs *p, const char *connection, int z)
{
    static char sql[PAIRS * 40 + 400];
    size_t used = (size_t)snprintf(sql, sizeof sql, "WITH p(n, x, y) AS (VALUES ");
    for (int i = 0; i < PAIRS; i++)
        used += (size_t)snprintf(sql + used, sizeof sql - used, "%s(%d, %d, %d)", i ? ", " : "",
                                 i, p->ends[i] % WIDTH - PTL_CHUNK_SIZE,
                                 p->ends[i] / WIDTH - PTL_CHUNK_SIZE);
    snprintf(sql + used, sizeof sql - used,
             ") SELECT path_length('w', '%s', %d, %d, x, y%s%.0d) FROM p ORDER BY n",
             connection, p->start % WIDTH - PTL_CHUNK_SIZE, p->start / WIDTH - PTL_CHUNK_SIZE,
             z ? ", " : "", z);
    const ptl_query_options options = {
        .size = sizeof options, .on_row = take_length, .payload = p};
    p->next = 0;
    ck_assert_msg(ptl_query(w.store, sql, &options, &w.err) == PTL_OK, "%s", w.err.message);
    ck_assert_int_eq(p->next, PAIRS);
}

/* Ends are tiles, but for some that are any cell. Returns how many were joined with the start.
 */
static int try_connection(const char *connection, int z, int rounds)
{
    map *m = read_map(connection, z);
    pairs p = {.m = m};
    uint64_t state = 3;
    for (int k = 0; k < rounds && m->count > 0; k++) {
        for (int i = -1; i < PAIRS; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const int r = (int)(state >> 34);
            const int cell = i % 10 == 9 ? r % (WIDTH * HEIGHT) : m->tiles[r % m->count];
            if (i < 0)
                p.start = cell;
            else
                p.ends[i] = cell;
        }
        flood(m, p.start);
        for (int i = 0; i < PAIRS; i++)
            if (!m->arms[p.ends[i]])
                m->steps[p.ends[i]] = -1;
        ask_lengths(&p, connection, z);
    }
    free(m);
    ck_assert_msg(p.wrong == 0, "%s: %d wrong", connection, p.wrong);
    return p.joined;
}

START_TEST(test_lengths)
{
    const int rounds = test_seeds(5);
    ck_assert_int_gt(try_connection("local_road", 0, rounds), 20);
    try_connection("forest_trail", 0, rounds);
    try_connection("local_railroad", 0, rounds);
    try_connection("sewer_tunnel", -1, rounds);
}
END_TEST

static const struct {
    const char *sql, *text;
} queries[] = {
    {"SELECT path_length('w', 'local_road', x, y, x, y) FROM omt WHERE z = 0 AND terrain = "
     "'road' LIMIT 1",
     "0;"},
    {"SELECT path_length('w', 'local_road', NULL, 0, 0, 0)", "NULL;"},
    {"SELECT path_length(NULL, 'local_road', 0, 0, 0, 0)", "NULL;"},
    {"SELECT path_length('v', 'local_road', 0, 0, 0, 0)", "NULL;"},
    {"SELECT path_length('w', 'local_road', 0, 0, 0, 0, 11)", "NULL;"},
    {"SELECT path_length('w', 'local_road', 9223372036854775807, 0, -9223372036854775807 - 1, "
     "0)",
     "NULL;"},
    {"SELECT path_length('w', 'local_road', 5000, 5000, 5001, 5000)", "NULL;"},
    /* names that change from row to row */
    {"SELECT count(*), count(path_length('w', c.id, 0, 0, 0, 0)) < 6 FROM overmap_connection c",
     "5|1;"},
};

START_TEST(test_queries)
{
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
        vtab_expect(&w, queries[i].sql, queries[i].text);
    vtab_expect_error(&w, "SELECT path_length('w', 'no such', 0, 0, 0, 0)", PTL_ERR_ARGUMENT,
                      "no connection 'no such'");
    vtab_expect_error(&w, "SELECT path_length('w', 'local_road', 'a', 0, 0, 0)",
                      PTL_ERR_ARGUMENT, "whole numbers");
    vtab_expect_error(&w, "SELECT path_length('w', 'local_road', 0.5, 0, 0, 0)",
                      PTL_ERR_ARGUMENT, "whole numbers");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("path_length");
    TCase *tc = tcase_create("path_length");
    tcase_set_timeout(tc, 120);
    tcase_add_unchecked_fixture(tc, make_file, remove_file);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, test_lengths);
    tcase_add_test(tc, test_queries);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
