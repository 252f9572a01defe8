/* Table tile, region_count and the functions over tiles, by way of ptl_query: against the
 * levels as the library reads them, and constraints against SQLite's own comparisons. */
#include "portolan/query.h"
#include "portolan/sqlite.h"
#include "store/sqlite/connection/stmt.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static ptl_error err;

/* The file is made once: two chunks on both sides of a border. */
static void make_file(void)
{
    static const ptl_chunk_pos places[] = {{-1, 0}, {0, 0}};
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    for (size_t i = 0; i < 2; i++) {
        ptl_chunk *chunk = NULL;
        ck_assert_int_eq(ptl_chunk_get(&chunk, world, places[i], &err), PTL_OK);
        ptl_chunk_free(chunk);
    }
    ptl_world_close(world);
    ptl_store_close(store);
}

static void remove_file(void)
{
    world_file_remove(path);
}

static void set_up(void)
{
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
}

/* ---- queries with one row of integers, or texts ---- */
typedef struct row {
    char text[2000]; /* values by '|', rows by ';' */
    size_t used;
    uint64_t rows;
} row;

static bool take_row(void *payload, size_t columns, const char *const *names,
                     const ptl_value *values)
{
    row *r = payload;
    (void)names;
    if (r->rows++ > 0)
        r->used += (size_t)snprintf(r->text + r->used, sizeof r->text - r->used, ";");
    for (size_t i = 0; i < columns && r->used + 1 < sizeof r->text; i++) {
        const ptl_value *v = &values[i];
        const char *end = i + 1 < columns ? "|" : "";
        char *at = r->text + r->used;
        const size_t left = sizeof r->text - r->used;
        if (v->type == PTL_VALUE_INTEGER)
            r->used += (size_t)snprintf(at, left, "%lld%s", (long long)v->integer, end);
        else if (v->type == PTL_VALUE_REAL)
            r->used += (size_t)snprintf(at, left, "%g%s", v->real, end);
        else if (v->type == PTL_VALUE_NULL)
            r->used += (size_t)snprintf(at, left, "NULL%s", end);
        else
            r->used += (size_t)snprintf(at, left, "%.*s%s", (int)v->size, v->text, end);
    }
    return r->used + 1 < sizeof r->text;
}

static ptl_status ask(row *r, const char *sql)
{
    const ptl_query_options options = {
        .size = sizeof options, .on_row = take_row, .payload = r, .time_limit = 60};
    memset(r, 0, sizeof *r);
    memset(&err, 0, sizeof err);
    return ptl_query(store, sql, &options, &err);
}

static void expect(const char *sql, const char *text)
{
    row r;
    ck_assert_msg(ask(&r, sql) == PTL_OK, "%s: %s", sql, err.message);
    ck_assert_msg(strcmp(r.text, text) == 0, "%s: %s, not %s", sql, r.text, text);
}

static void expect_error(const char *sql, ptl_status status, const char *part)
{
    row r;
    const ptl_status got = ask(&r, sql);
    ck_assert_msg(got == status && strstr(err.message, part), "%s: %d, %s", sql, (int)got,
                  err.message);
}

/* ---- every tile ---- */
typedef struct walk {
    ptl_oter cells[PTL_LEVEL_CELLS];
    int64_t x0;
    int32_t z;
    uint64_t rows, wrong;
} walk;

/* oter, x, y, z, special: in the order y, x. */
static bool compare_tile(void *payload, size_t columns, const char *const *names,
                         const ptl_value *values)
{
    walk *w = payload;
    const uint64_t at = w->rows++;
    (void)columns;
    (void)names;
    if (at >= PTL_LEVEL_CELLS)
        return false;
    const char *id = ptl_world_oter_name(world, w->cells[at]);
    w->wrong += values[0].size != strlen(id) || memcmp(values[0].text, id, values[0].size) != 0;
    w->wrong += values[1].integer != w->x0 + (int64_t)(at % PTL_CHUNK_SIZE);
    w->wrong += values[2].integer != (int64_t)(at / PTL_CHUNK_SIZE);
    w->wrong += values[3].integer != w->z;
    return true;
}

START_TEST(test_tiles)
{
    static walk w;
    const ptl_query_options options = {
        .size = sizeof options, .on_row = compare_tile, .payload = &w};
    /* A whole chunk named: no sorter stands between the table and us (test_orders has some). */
    const int32_t lowest = getenv("PORTOLAN_QUICK") ? -1 : -2;
    for (int32_t z = lowest; z <= 1; z++)
        for (int32_t cx = -1; cx <= 0; cx++) {
            char sql[200];
            w.z = z;
            w.x0 = cx * PTL_CHUNK_SIZE;
            w.rows = w.wrong = 0;
            ck_assert_int_eq(ptl_level_load(w.cells, world, (ptl_chunk_pos){cx, 0}, z, &err),
                             PTL_OK);
            snprintf(sql, sizeof sql,
                     "SELECT oter, x, y, z FROM omt WHERE world = 'w' AND z = %d AND "
                     "chunk_x = %d AND chunk_y = 0 ORDER BY y, x",
                     z, cx);
            ck_assert_msg(ptl_query(store, sql, &options, &err) == PTL_OK, "%s", err.message);
            ck_assert_uint_eq(w.rows, PTL_LEVEL_CELLS);
            ck_assert_uint_eq(w.wrong, 0);
        }
    expect("SELECT count(*), min(x), max(x), min(y), max(y), min(z), max(z) FROM omt WHERE x "
           "IN (-181, -180, 179, 180)",
           "7560|-180|179|0|179|-10|10");
    if (!getenv("PORTOLAN_QUICK"))
        expect("SELECT count(*) FROM omt", "1360800");
}
END_TEST

/* ---- constraints ---- */
static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

/* A value that an integer may be compared with. */
static void put_value(char *out, size_t room, uint64_t *state)
{
    static const char *const odd[] = {"NULL",
                                      "'abc'",
                                      "'7'",
                                      "' 3 '",
                                      "'2.5'",
                                      "x'37'",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "1e300",
                                      "-1e300",
                                      "9223372036854775808.0",
                                      "CAST(4 AS TEXT)",
                                      "CAST('1' AS BLOB)",
                                      "0.0",
                                      "'-0'"};
    const int v = (int)draw(state, 60) - 30;
    switch (draw(state, 4)) {
    case 0:
        snprintf(out, room, "%s", odd[draw(state, sizeof odd / sizeof odd[0])]);
        break;
    case 1:
        snprintf(out, room, "%d.%d", v, (int)draw(state, 2) * 5);
        break;
    default:
        snprintf(out, room, "%d", v);
        break;
    }
}

static void put_text_condition(char *out, size_t room, uint64_t *state)
{
    static const char *const conditions[] = {
        "oter = 'forest'",
        "oter = 'FOREST' COLLATE NOCASE",
        "oter IN ('forest', 'forest_thick', 'no such', NULL)",
        "terrain = 'forest_thick'",
        "terrain IN ('forest', 'field')",
        "oter = NULL",
        "oter = 5",
        "terrain > 'forest'",
        "oter IN ('field', 5)",
        "world = 'w'",
        "world = 'v'",
        "world = NULL",
        "world IN ('v', 'w')",
        "terrain IS NULL",
        "oter NOT IN ('forest')",
        "special_placement IS NULL",
        "special_placement = 65536",
        "special_placement >= 65540",
        "terrain = 'empty_rock' AND oter = 'empty_rock'",
        "oter = 'forest' AND terrain = 'field'"};
    snprintf(out, room, "%s", conditions[draw(state, sizeof conditions / sizeof *conditions)]);
}

static void put_condition(char *out, size_t room, uint64_t *state)
{
    static const char *const columns[] = {"x", "y", "z", "x", "y", "chunk_x", "oter_number"};
    static const char *const signs[] = {"=", "<", "<=", ">", ">=", "<>", "IS", "BETWEEN", "IN"};
    char a[40], b[40];
    if (draw(state, 4) == 0) {
        put_text_condition(out, room, state);
        return;
    }
    const char *column = columns[draw(state, sizeof columns / sizeof *columns)];
    const char *sign = signs[draw(state, sizeof signs / sizeof *signs)];
    put_value(a, sizeof a, state);
    put_value(b, sizeof b, state);
    if (strcmp(sign, "BETWEEN") == 0)
        snprintf(out, room, "%s BETWEEN %s AND %s", column, a, b);
    else if (strcmp(sign, "IN") == 0)
        snprintf(out, room, "%s IN (%s, %s)", column, a, b);
    else
        snprintf(out, room, "%s %s %s", column, sign, a);
}

enum {
    AT_ONCE = 8
}; /* comparisons in a query: opening its connection takes longer than they */

/*
 * A part of the border and the same conditions in two ways: passed down to the table, and by
 * SQLite alone, which a LIMIT keeps from passing anything into the inner SELECT. The expression
 * is true if both give the same rows.
 */
static size_t put_comparison(char *sql, size_t room, uint64_t seed)
{
    static const char base[] = "x BETWEEN -20 AND 15 AND y BETWEEN 3 AND 32 AND z IN (-1, 0)";
    static const char sums[] =
        "count(*) || ' ' || total(x) || ' ' || total(y) || ' ' || total(z) "
        "|| ' ' || total(oter_number) || ' ' || count(special_placement)";
    char conditions[700];
    uint64_t state = seed;
    size_t used = 0;
    for (uint64_t i = 0, count = 1 + draw(&state, 4); i < count; i++) {
        char one[160];
        put_condition(one, sizeof one, &state);
        used += (size_t)snprintf(conditions + used, sizeof conditions - used, "%s%s",
                                 i ? " AND " : "", one);
    }
    return (size_t)snprintf(sql, room,
                            "(SELECT %s FROM omt WHERE %s AND %s) = (SELECT %s FROM (SELECT *, "
                            "chunk_x, oter_number FROM omt WHERE %s LIMIT -1) WHERE %s)",
                            sums, conditions, base, sums, base, conditions);
}

START_TEST(test_constraints)
{
    static char sql[AT_ONCE * 2000];
    const int seeds = test_seeds(96);
    int wrong = 0;
    for (int first = 1; first <= seeds; first += AT_ONCE) {
        row r;
        size_t used = (size_t)snprintf(sql, sizeof sql, "SELECT ");
        for (int i = 0; i < AT_ONCE; i++) {
            used += (size_t)snprintf(sql + used, sizeof sql - used, "%s", i ? ", " : "");
            used += put_comparison(sql + used, sizeof sql - used, (uint64_t)(first + i));
        }
        if (ask(&r, sql) == PTL_OK && strcmp(r.text, "1|1|1|1|1|1|1|1") == 0)
            continue;
        fprintf(stderr, "seeds from %d: %s %s\n%s\n", first, r.text, err.message, sql);
        wrong++;
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* ---- orders and joins ---- */
START_TEST(test_orders)
{
    row r;
    /* Where the table says that its rows come in this order, no sorter is used. */
    ck_assert_int_eq(ask(&r, "EXPLAIN QUERY PLAN SELECT * FROM omt WHERE world = 'w' AND z = 0 "
                             "AND chunk_x = 0 AND chunk_y = 0 ORDER BY y, x"),
                     PTL_OK);
    ck_assert_ptr_null(strstr(r.text, "TEMP B-TREE"));
    ck_assert_int_eq(
        ask(&r, "EXPLAIN QUERY PLAN SELECT * FROM omt WHERE world = 'w' ORDER BY y, x"),
        PTL_OK);
    ck_assert_ptr_nonnull(strstr(r.text, "TEMP B-TREE"));
    static const char *const orders[] = {
        "chunk_x, chunk_y, z, y, x", "z, y, x",      "z, x, y",
        "chunk_x, z, y, x",          "y DESC, x, z", "z, chunk_y, y, x",
        "chunk_y, z, y, x"};
    static const char list[] = "SELECT group_concat(x || ':' || y || ':' || z) FROM";
    static const char base[] = "world = 'w' AND x BETWEEN -9 AND 9 AND y < 12 AND z IN (-1, 0)";
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        char sql[900];
        snprintf(sql, sizeof sql,
                 "SELECT (%s (SELECT * FROM omt WHERE %s ORDER BY %s)) = (%s (SELECT * FROM "
                 "(SELECT *, chunk_x, chunk_y FROM omt WHERE %s LIMIT -1) ORDER BY %s))",
                 list, base, orders[i], list, base, orders[i]);
        expect(sql, "1");
    }
    expect("SELECT group_concat(z || ':' || y || ':' || x, ' ') FROM (SELECT * FROM omt WHERE "
           "world = 'w' AND x BETWEEN -1 AND 0 AND y < 2 AND z IN (0, -1) ORDER BY z, y, x)",
           "-1:0:-1 -1:0:0 -1:1:-1 -1:1:0 0:0:-1 0:0:0 0:1:-1 0:1:0");
    ck_assert_int_eq(ask(&r, "EXPLAIN QUERY PLAN SELECT * FROM omt t JOIN v_special s ON "
                             "t.world = s.world AND t.x = s.x AND t.y = s.y AND t.z = s.z"),
                     PTL_OK);
    ck_assert_msg(strstr(r.text, "SCAN t VIRTUAL TABLE INDEX 0:a=b=c=d=") != NULL, "%s",
                  r.text);
}
END_TEST

/* ---- specials ---- */
START_TEST(test_specials)
{
    row r;
    /* Each tile of a fixed special, turned as it was placed, is that special's. */
    expect("SELECT count(*) FROM special_placement s JOIN name n ON n.id = s.special "
           "JOIN chunk c ON c.id = s.id / 65536 JOIN special_omt k ON k.special = n.name "
           "JOIN omt t ON t.world = 'w' AND t.z = s.z + k.z "
           "AND t.x = c.x * 180 + s.x + CASE s.rotation WHEN 0 THEN k.x WHEN 1 THEN -k.y "
           "WHEN 2 THEN -k.x ELSE k.y END "
           "AND t.y = c.y * 180 + s.y + CASE s.rotation WHEN 0 THEN k.y WHEN 1 THEN k.x "
           "WHEN 2 THEN -k.y ELSE -k.x END "
           "WHERE t.special_placement IS NOT s.id",
           "0");
    /* And a mutable one's are its pieces. */
    expect("SELECT count(*) FROM piece p JOIN omt t ON t.world = p.world AND t.x = p.x AND "
           "t.y = p.y AND t.z = p.z JOIN chunk c ON c.x = p.chunk_x AND c.y = p.chunk_y "
           "WHERE t.special_placement IS NOT c.id * 65536 + p.special_number",
           "0");
    /* Nothing else is. */
    ck_assert_int_eq(ask(&r, "SELECT count(*) > 100, count(*) <= (SELECT sum(omts) FROM "
                             "special_placement) FROM omt WHERE special_placement NOT NULL"),
                     PTL_OK);
    ck_assert_str_eq(r.text, "1|1");
    expect("SELECT count(*) FROM special_placement s JOIN omt t ON t.special_placement = s.id "
           "WHERE t.chunk_x <> (SELECT x FROM chunk WHERE id = s.id / 65536)",
           "0");
}
END_TEST

/* ---- tile_at and region_count ---- */
START_TEST(test_tile_at)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    uint64_t state = 5;
    int wrong = 0;
    for (int i = 0; i < test_seeds(40); i++) {
        char sql[120];
        row r;
        const int32_t cx = (int32_t)draw(&state, 2) - 1, z = (int32_t)draw(&state, 21) - 10;
        const int x = (int)draw(&state, 180), y = (int)draw(&state, 180);
        ck_assert_int_eq(ptl_level_load(cells, world, (ptl_chunk_pos){cx, 0}, z, &err), PTL_OK);
        snprintf(sql, sizeof sql, "SELECT omt_at('w', %d, %d, %d)", cx * PTL_CHUNK_SIZE + x, y,
                 z);
        wrong +=
            ask(&r, sql) != PTL_OK ||
            strcmp(r.text,
                   ptl_world_oter_name(world, cells[(size_t)(y * PTL_CHUNK_SIZE + x)])) != 0;
    }
    ck_assert_int_eq(wrong, 0);
    expect("SELECT omt_at('w', 0, -1, 0), omt_at('v', 0, 0, 0), omt_at('w', 0, 0, 11), "
           "omt_at('w', 9223372036854775807, -9223372036854775808, 0), "
           "omt_at(NULL, 0, 0, 0), omt_at('w', NULL, 0, 0)",
           "NULL|NULL|NULL|NULL|NULL|NULL");
    expect("SELECT omt_at('w', '3', 4, 0) = omt_at('w', 3, 4, 0)", "1");
    expect_error("SELECT omt_at('w', 'a', 0, 0)", PTL_ERR_ARGUMENT, "x is not an integer");
    expect_error("SELECT omt_at(1, 0, 0, 0)", PTL_ERR_ARGUMENT, "not a text");
    expect("SELECT count(*) FROM omt WHERE omt_at(world, x, y, z) IS NOT oter AND z = 0 AND "
           "y < 9",
           "0");
}
END_TEST

START_TEST(test_regions)
{
    static const char *const parts[][2] = {
        {"-7, 3, 12, 9, 0", "x BETWEEN -7 AND 12 AND y BETWEEN 3 AND 9 AND z = 0"},
        {"-7, 3, 12, 9, -2, 1",
         "x BETWEEN -7 AND 12 AND y BETWEEN 3 AND 9 AND z BETWEEN -2 AND 1"},
        {"174, 170, 500, 500", "x >= 174 AND y >= 170"},
        {"9, 9, 2, 2", "0"},
        {"0, 0, 5, 5, 11, 12", "0"},
        {"0, 0, NULL, 5, 0", "0"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char sql[900];
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM (SELECT oter, terrain, z, omts FROM region_count('w', "
                 "%s) EXCEPT SELECT oter, terrain, z, count(*) FROM omt WHERE %s GROUP BY "
                 "oter, z)",
                 parts[i][0], parts[i][1]);
        expect(sql, "0");
        snprintf(sql, sizeof sql,
                 "SELECT (SELECT coalesce(sum(omts), 0) FROM region_count('w', %s)) = (SELECT "
                 "count(*) FROM omt WHERE %s)",
                 parts[i][0], parts[i][1]);
        expect(sql, "1");
    }
    expect(
        "SELECT sum(omts) FROM region_count('w', -9223372036854775808, -9223372036854775808, "
        "9223372036854775807, 9223372036854775807, -9223372036854775808, "
        "9223372036854775807)",
        "1360800");
    expect_error("SELECT * FROM region_count('w', 'a')", PTL_ERR_ARGUMENT, "x0 is not");
    expect_error("SELECT * FROM region_count(3)", PTL_ERR_ARGUMENT, "world is not a text");
    expect("SELECT count(*) FROM region_count('nowhere', 0, 0, 9, 9, 0)", "0");
    expect("SELECT sum(r.omts) FROM v_city c JOIN region_count r ON r.world = c.world AND "
           "r.x0 = c.x AND r.y0 = c.y AND r.x1 = c.x AND r.y1 = c.y AND r.z_first = 0 "
           "WHERE c.number < 0 OR c.number = (SELECT 0)",
           "2");
}
END_TEST

START_TEST(test_oters)
{
    expect(
        "SELECT oter_base('road_ns'), oter_rotate('road_ns', 1), oter_rotate('road_ne', -1), "
        "oter_line('road_ne'), oter_rotate('field', 7)",
        "road|road_ew|road_wn|3|field");
    expect("SELECT oter_base('nothing'), oter_rotate('nothing', 1), oter_line('field'), "
           "oter_rotation('nothing'), oter_rotate(NULL, 1), oter_rotate('road_ns', NULL)",
           "NULL|NULL|NULL|NULL|NULL|NULL");
    expect("SELECT count(*) FROM concrete_terrain WHERE oter_rotate(id, 4) IS NOT id OR "
           "oter_rotate(oter_rotate(id, 1), -1) IS NOT id OR oter_base(id) IS NOT terrain "
           "OR oter_rotation(id) IS NOT rotation",
           "0");
    expect("SELECT oter_rotate('road_ns', 9223372036854775807) = "
           "oter_rotate('road_ns', -9223372036854775808 + 3)",
           "1");
    expect_error("SELECT oter_base(1)", PTL_ERR_ARGUMENT, "not a text");
}
END_TEST

/* A clock is read while tiles are counted, also where no row comes out of it. */
START_TEST(test_time_limit)
{
    static const char *const queries[] = {
        "SELECT count(*) FROM omt a, omt b WHERE a.oter_number + b.oter_number = -1",
        "SELECT count(*) FROM omt a JOIN omt b ON b.oter = 'no such' || a.x",
        ("SELECT sum(omts) FROM omt a JOIN region_count r ON r.world = a.world AND r.x0 = "
         "a.x")};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        const ptl_query_options options = {.size = sizeof options, .time_limit = 0.03};
        memset(&err, 0, sizeof err);
        ck_assert_int_eq(ptl_query(store, queries[i], &options, &err), PTL_ERR_LIMIT);
        ck_assert_msg(strstr(err.message, "time limit") != NULL, "%s", err.message);
    }
}
END_TEST

/* ---- damage ---- */
START_TEST(test_damage)
{
    ck_assert_int_eq(sqlite_exec(store,
                                 "UPDATE level SET omts = zeroblob(length(omts)) "
                                 "WHERE id % 32 = 10",
                                 &err),
                     PTL_OK);
    static const char *const queries[] = {"SELECT count(*) FROM omt WHERE z = 0",
                                          "SELECT count(*) FROM omt WHERE oter = 'forest'",
                                          "SELECT omt_at('w', 0, 0, 0)",
                                          "SELECT * FROM region_count('w', 0, 0, 9, 9, 0)",
                                          ("SELECT * FROM omt WHERE world = 'w' "
                                           "AND x = 1 AND y = 1 AND z = 0")};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        expect_error(queries[i], PTL_ERR_CORRUPT, "level z 0: checksum differs");
    expect("SELECT count(*) FROM omt WHERE z <> 0 AND z BETWEEN -1 AND -1", "64800");
}
END_TEST

/* ---- on a connection of somebody else's ---- */

static int take_count(void *payload, int columns, char **values, char **names)
{
    (void)columns;
    (void)names;
    *(int *)payload = atoi(values[0]);
    return 0;
}

/* The tables and functions answer there, added twice as well; the connection is closed as if
 * they were not there. Beside a world file they say what is wrong. */
START_TEST(test_host)
{
    static const char sql[] = "SELECT count(*) FROM omt WHERE world = 'w' AND x BETWEEN 3 AND "
                              "7 AND y = 5 AND z IN (0, 1) AND oter = omt_at('w', x, y, z)";
    sqlite3 *db;
    int count = 0;
    char *message = NULL;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_msg(ptl_sqlite_register(db, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(sqlite3_exec(db, sql, take_count, &count, &message) == SQLITE_OK, "%s",
                  message);
    ck_assert_int_eq(count, 10);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(ptl_sqlite_register(db, &err), PTL_OK);
    ck_assert_int_ne(sqlite3_exec(db, sql, NULL, NULL, &message), SQLITE_OK);
    ck_assert_msg(strstr(message, "not a world file of Portolan") != NULL, "%s", message);
    sqlite3_free(message);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("vtab_tile");
    TCase *tc = tcase_create("all");
    tcase_add_unchecked_fixture(tc, make_file, remove_file);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, test_tiles);
    tcase_add_test(tc, test_constraints);
    tcase_add_test(tc, test_orders);
    tcase_add_test(tc, test_specials);
    tcase_add_test(tc, test_tile_at);
    tcase_add_test(tc, test_regions);
    tcase_add_test(tc, test_oters);
    tcase_add_test(tc, test_time_limit);
    tcase_add_test(tc, test_host);
    tcase_add_test(tc, test_damage);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
