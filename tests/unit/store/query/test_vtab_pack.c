/* Packs, terrain counts and near() by way of ptl_query: what is passed down against SQLite's
 * own comparisons (a column with a plus before it is not passed down), and against other
 * tables. */
#include "store/sqlite/rows/chunk_read.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/summary_maker.h"
#include "unit/store/query/vtab_world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vtab_world w;
static uint64_t state;

/* Maps of a row of OMTs, one of them with a thing of each kind. */
static void make_maps(void)
{
    static const char *const kinds[] = {
        "item", "item group", "monster",  "monster group", "vehicle", "npc",    "field",
        "sign", "graffiti",   "computer", "zone",          "owner",   "corpse", "remark"};
    ptl_world *world;
    ptl_local_map *map;
    ck_assert_msg(ptl_world_open(&world, w.store, "w", NULL, &w.err) == PTL_OK, "%s",
                  w.err.message);
    for (int i = 0; i < 9; i++) {
        const ptl_omt at = {-4 + i, 7, i % 3 - 1};
        ck_assert_msg(ptl_local_get(&map, world, at, NULL, &w.err) == PTL_OK, "%s",
                      w.err.message);
        for (int k = 0; i == 4 && k < 13; k++) {
            const ptl_local_entity e = {.size = sizeof e,
                                        .kind = kinds[k],
                                        .id = k == 8 ? NULL : kinds[k],
                                        .with = k == 10 ? "your_followers" : NULL,
                                        .text = k == 8 ? "No future" : NULL,
                                        .own = k == 0 ? "{}" : NULL,
                                        .x = k,
                                        .y = 2,
                                        .x2 = k + 1,
                                        .y2 = 3,
                                        .count = 100 + k,
                                        .charges = 200 + k,
                                        .status = -1};
            ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_OK);
        }
        if (i == 4) {
            ck_assert_int_eq(ptl_local_furniture_set(map, 23, 1, "f_mine"), PTL_OK);
            ck_assert_int_eq(ptl_local_trap_set(map, 23, 1, "tr_mine"), PTL_OK);
            ck_assert_int_eq(ptl_local_radiation_set(map, 23, 1, 9), PTL_OK);
            ck_assert_int_eq(ptl_local_put(world, &map, 1, &w.err), PTL_OK);
        }
        ptl_local_free(map);
    }
    ptl_world_close(world);
}

static void make_file(void)
{
    vtab_world_make(&w, 42);
    vtab_world_open(&w);
    make_maps();
    sweep_make(w.store, "s", UINT64_MAX - 1, 4, 5); /* seeds 2^64 - 2 .. 1 */
    sweep_make(w.store, "t", 100, 3, 0);
    vtab_world_close(&w);
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

static uint64_t next(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

/* ---- conditions ---- */

/* Values that a condition can have: near the places, far from them, and of other types. (Not
 * texts of numbers: with a plus the column has no affinity any more.) */
static void put_value(char out[40], int64_t low, int64_t high)
{
    static const char *const odd[] = {"NULL",  "'abc'",  "x'00'", "9223372036854775807",
                                      "1e300", "-1e300", "''",    "-9223372036854775807 - 1"};
    const int64_t v = low + (int64_t)next((uint64_t)(high - low + 1));
    if (next(6) == 0)
        snprintf(out, 40, "%s", odd[next(sizeof odd / sizeof odd[0])]);
    else
        snprintf(out, 40, next(4) == 0 ? "%lld.5" : "%lld", (long long)v);
}

typedef struct column {
    const char *name;
    int64_t low, high;
    const char *texts[4]; /* if texts[0] is set */
} column;

enum { CONDITION_SIZE = 160 };
typedef char condition[CONDITION_SIZE];

static void put_value_of(char out[40], const column *c)
{
    if (c->texts[0] && next(5) > 0)
        snprintf(out, 40, "'%s'", c->texts[next(4)]);
    else
        put_value(out, c->low, c->high);
}

/* A condition on the column twice: as it is, and with a plus. */
static void put_condition(condition plain, condition plus, const column *c)
{
    static const char *const ops[] = {"=", "<", "<=", ">", ">=", "IS", "<>"};
    char value[40], one[40], two[40];
    const char *op = ops[next(next(2) ? 1 : 7)];
    put_value_of(value, c);
    put_value_of(one, c);
    put_value_of(two, c);
    if (next(3) == 0)
        snprintf(plain, CONDITION_SIZE, "%s IN (%s, %s, %s)", c->name, value, one, two);
    else if (!c->texts[0] && next(3) == 0)
        snprintf(plain, CONDITION_SIZE, "%s BETWEEN %s AND %s", c->name, value, one);
    else
        snprintf(plain, CONDITION_SIZE, "%s %s %s", c->name, op, value);
    snprintf(plus, CONDITION_SIZE, "+%.150s", plain);
}

/* `sums` over random conditions on these columns, both ways. */
static void compare(const char *table, const char *sums, const column *columns, size_t count,
                    int rounds)
{
    for (int k = 0; k < rounds; k++) {
        condition plain[3] = {"1", "1", "1"}, plus[3] = {"1", "1", "1"};
        char sql[1600];
        const size_t conditions = 1 + next(3);
        for (size_t i = 0; i < conditions; i++)
            put_condition(plain[i], plus[i], &columns[next(count)]);
        snprintf(sql, sizeof sql,
                 "SELECT a.v = b.v, a.v, b.v FROM (SELECT %s AS v FROM %s WHERE %s AND %s AND "
                 "%s) a JOIN (SELECT %s AS v FROM %s WHERE %s AND %s AND %s) b",
                 sums, table, plain[0], plain[1], plain[2], sums, table, plus[0], plus[1],
                 plus[2]);
        vtab_answer answer;
        ck_assert_msg(vtab_ask(&w, &answer, sql) == PTL_OK, "%s: %s", sql, w.err.message);
        ck_assert_msg(answer.text[0] == '1', "%s: %s", sql, answer.text);
    }
}

static const column BUILDING_COLUMNS[] = {{"world", 0, 1, {"w", "w", "v", "W"}},
                                          {"chunk_x", -2, 2, {NULL}},
                                          {"chunk_y", -2, 1, {NULL}},
                                          {"x", -200, 380, {NULL}},
                                          {"y", -200, 200, {NULL}},
                                          {"number", 0, 50, {NULL}},
                                          {"z", -2, 1, {NULL}}};

START_TEST(test_conditions)
{
    const int rounds = test_seeds(16);
    state = 7;
    compare("building", "count(*) || ':' || total(x * 3 + y * 7 + number)", BUILDING_COLUMNS, 7,
            rounds);
    compare("monster_group", "count(*) || ':' || total(x * 3 + y * 7 + submap_x + population)",
            BUILDING_COLUMNS, 7, rounds);
    compare("piece", "count(*) || ':' || total(x * 3 + y * 7 + rotation)", BUILDING_COLUMNS, 7,
            rounds);
}
END_TEST

START_TEST(test_conditions_on_ids)
{
    static const column columns[] = {{"special", 0, 3, {"lake_cabin", "hut", "LAKE", ""}},
                                     {"chunk_x", -2, 2, {NULL}},
                                     {"placed", 0, 3, {NULL}}};
    vtab_answer a;
    state = 8;
    compare("attempt", "count(*) || ':' || total(asked + room)", columns, 3, test_seeds(20));
    /* every id that there is gives as many rows as grouping does */
    ck_assert_msg(
        vtab_ask(
            &w, &a,
            "SELECT count(*), sum(n = (SELECT count(*) FROM building b WHERE b.id = g.id)) "
            "FROM (SELECT id, count(*) AS n FROM building GROUP BY id) g") == PTL_OK,
        "%s", w.err.message);
    ck_assert_msg(atoi(a.text) > 5 && atoi(strchr(a.text, '|') + 1) == atoi(a.text), "%s",
                  a.text);
    vtab_expect(&w, "SELECT count(*) FROM building WHERE id = 'no such'", "0;");
    vtab_expect(&w,
                "SELECT count(*) > 0 FROM building WHERE id COLLATE NOCASE = upper((SELECT "
                "min(id) FROM building))",
                "1;");
}
END_TEST

/* A list of ids is looked for at once: rows come as the table has them, not id by id. */
START_TEST(test_lists_of_ids)
{
#define IN_ORDER(table, columns, id, of)                                                       \
    "SELECT (SELECT group_concat(" columns ", ' ') FROM " table " WHERE " id " IN (SELECT " of \
    ")) = (SELECT group_concat(" columns ", ' ') FROM " table ")"
    vtab_expect(&w, IN_ORDER("building", "id || x", "id", "id FROM building"), "1;");
    vtab_expect(&w,
                IN_ORDER("attempt", "special || asked", "special", "id FROM overmap_special"),
                "1;");
    vtab_expect(&w,
                IN_ORDER("terrain_count", "oter || omts", "terrain", "id FROM overmap_terrain"),
                "1;");
    vtab_expect(&w,
                IN_ORDER("terrain_count", "oter || omts", "oter", "id FROM concrete_terrain"),
                "1;");
#undef IN_ORDER
    vtab_expect(&w, "SELECT count(*) FROM building WHERE id IN ('no such', NULL)", "0;");
    vtab_expect(&w, "SELECT count(*) FROM terrain_count WHERE terrain IN (NULL)", "0;");
}
END_TEST

/* Chunk by chunk, joined with other tables, and in the plan. */
START_TEST(test_joins)
{
    vtab_expect(&w,
                "SELECT count(*) = (SELECT count(*) FROM building) FROM v_chunk c CROSS JOIN "
                "building b ON b.world = c.world AND b.chunk_x = c.chunk_x AND b.chunk_y = "
                "c.chunk_y",
                "1;");
    vtab_expect(&w, "SELECT sum(placed) > 0, count(*) > 0 FROM attempt WHERE chunk_x = 0",
                "1|1;");
    vtab_expect(&w,
                "SELECT sum(x = '12') = sum(x = 12), (SELECT count(*) FROM building WHERE x = "
                "'12') = sum(x = 12) FROM building",
                "1|1;");
}
END_TEST

/* ---- sweeps ---- */

/* Sums over all overmaps of a sweep, in the order of the queries below. */
typedef struct sums {
    int64_t special, place, far, terrain, city, building, line, water;
} sums;

static bool add_summary(void *payload, uint64_t seed, const summary *s)
{
    sums *t = payload;
    (void)seed;
    for (size_t i = 0; i < s->special_count; i++)
        t->special += s->specials[i].asked + 3 * (int64_t)s->specials[i].others;
    for (size_t i = 0; i < s->place_count; i++) {
        t->place += s->pos.x * PTL_CHUNK_SIZE + s->places[i].x +
                    5 * (int64_t)(s->pos.y * PTL_CHUNK_SIZE + s->places[i].y);
        t->far += s->places[i].road < 0 || !s->places[i].around[0];
    }
    for (size_t i = 0; i < s->terrain_count; i++)
        t->terrain += (int64_t)s->terrains[i].cells * (s->terrains[i].z + 20);
    for (size_t i = 0; i < s->city_count; i++)
        t->city += s->cities[i].size * 7 + s->cities[i].buildings;
    for (size_t i = 0; i < s->building_count; i++)
        t->building += s->buildings[i].distance_sum + s->buildings[i].count;
    for (size_t i = 0; i < s->line_count; i++)
        t->line += s->lines[i].cells;
    for (size_t i = 0; i < s->water_count; i++)
        t->water += s->waters[i].kind == SUMMARY_LAKE ? s->waters[i].cells : 0;
    return true;
}

START_TEST(test_sweeps)
{
    static const char *const queries[] = {
        "SELECT CAST(total(asked + 3 * others) AS INTEGER) FROM sweep_special",
        "SELECT CAST(total(x + 5 * y) AS INTEGER) FROM sweep_place",
        "SELECT count(*) FROM sweep_place WHERE (road_distance IS NULL OR around IS NULL)",
        "SELECT CAST(total(omts * (z + 20)) AS INTEGER) FROM sweep_terrain",
        "SELECT CAST(total(size * 7 + buildings) AS INTEGER) FROM sweep_city",
        "SELECT CAST(total(distance_sum + count) AS INTEGER) FROM sweep_building",
        "SELECT CAST(total(omts) AS INTEGER) FROM sweep_line",
        "SELECT CAST(total(omts * (kind = 'lake')) AS INTEGER) FROM sweep_water"};
    sums t = {0};
    char text[40], sql[200];
    sweep_row row;
    ck_assert_int_eq(ops(w.store)->sweep->find(&row, w.store, "s", &w.err), PTL_OK);
    ck_assert_msg(ops(w.store)->sweep->chunk_visit(w.store, row.id, PTL_COUNT_ALL, add_summary,
                                                   &t, &w.err) == PTL_OK,
                  "%s", w.err.message);
    sweep_row_dispose(&row);
    const int64_t sum[] = {t.special, t.place,    t.far,  t.terrain,
                           t.city,    t.building, t.line, t.water};
    for (size_t i = 0; i < 8; i++) {
        snprintf(sql, sizeof sql, "%s %s sweep = 's'", queries[i],
                 strstr(queries[i], "WHERE") ? "AND" : "WHERE");
        snprintf(text, sizeof text, "%lld;", (long long)sum[i]);
        vtab_expect(&w, sql, text);
    }
}
END_TEST

START_TEST(test_sweep_conditions)
{
    static const column columns[] = {
        {"sweep", 0, 1, {"s", "t", "v", "S"}},
        {"seed", -3, 3, {NULL}},
        {"seed", 99, 103, {NULL}},
        {"chunk_x", -2, 2, {NULL}},
        {"x", -200, 380, {NULL}},
        {"special", 0, 3, {"special_000", "special_001", "", "x"}}};
    state = 13;
    compare("sweep_place", "count(*) || ':' || total(x * 3 + y * 7 + number + seed % 1000)",
            columns, 6, test_seeds(16));
    vtab_expect(&w, "SELECT count(DISTINCT seed) FROM sweep_terrain WHERE seed < 0", "2;");
    vtab_expect(&w, "SELECT count(DISTINCT seed) FROM sweep_terrain WHERE sweep = 's'", "4;");
}
END_TEST

/* ---- terrain_count ---- */

START_TEST(test_terrain_count)
{
    static const column columns[] = {{"world", 0, 1, {"w", "w", "v", "W"}},
                                     {"chunk_x", -2, 2, {NULL}},
                                     {"chunk_y", -2, 1, {NULL}},
                                     {"z", -11, 11, {NULL}},
                                     {"oter", 0, 3, {"field", "forest", "road_ns", "rock"}},
                                     {"terrain", 0, 3, {"field", "forest", "road", "rock"}},
                                     {"omts", 0, 3000, {NULL}}};
    state = 9;
    compare("terrain_count", "count(*) || ':' || total(omts * (z + 20))", columns, 7,
            test_seeds(16));
    vtab_expect(&w,
                "SELECT count(*), sum(n = 32400) FROM (SELECT sum(omts) AS n FROM "
                "terrain_count GROUP BY chunk_x, chunk_y, z)",
                "84|84;");
}
END_TEST

/* Against every tile of some levels. */
START_TEST(test_terrain_count_tiles)
{
    static const char counted[] = "SELECT z, oter, terrain, omts FROM terrain_count WHERE "
                                  "chunk_x = -1 AND chunk_y = 0 AND z BETWEEN -1 AND 0";
    static const char tiles[] =
        "SELECT z, oter, terrain, count(*) FROM omt WHERE x BETWEEN -180 AND -1 AND y BETWEEN "
        "0 AND 179 AND z BETWEEN -1 AND 0 GROUP BY z, oter";
    char sql[800];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM (%s EXCEPT %s)", counted, tiles);
    vtab_expect(&w, sql, "0;");
    snprintf(sql, sizeof sql, "SELECT count(*) FROM (%s EXCEPT %s)", tiles, counted);
    vtab_expect(&w, sql, "0;");
}
END_TEST

/* Random levels and rectangles, against each cell. */
START_TEST(test_level_count)
{
    level_runs *runs = level_runs_new();
    ptl_oter *cells = calloc(PTL_LEVEL_CELLS, sizeof *cells);
    uint32_t *counts = calloc(PTL_LEVEL_CELLS, sizeof *counts);
    int wrong = 0;
    ck_assert(runs && cells && counts);
    state = 11;
    for (int k = 0; k < test_seeds(100); k++) {
        const uint64_t kinds = 1 + next(9), run = 1 + next(400);
        for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
            cells[i] = i && next(run) ? cells[i - 1] : (ptl_oter)next(kinds);
        level_runs_scan(runs, cells);
        level_rect r = LEVEL_RECT_ALL;
        if (k % 5) {
            r.x0 = (int)next(PTL_CHUNK_SIZE);
            r.y0 = (int)next(PTL_CHUNK_SIZE);
            r.x1 = r.x0 + (int)next((uint64_t)(PTL_CHUNK_SIZE - r.x0));
            r.y1 = r.y0 + (int)next((uint64_t)(PTL_CHUNK_SIZE - r.y0));
        }
        uint32_t expected[10] = {0};
        for (int y = r.y0; y <= r.y1; y++)
            for (int x = r.x0; x <= r.x1; x++)
                expected[cells[y * PTL_CHUNK_SIZE + x]]++;
        level_count(counts, runs, r);
        for (size_t i = 0; i < runs->palette_count; i++)
            wrong += counts[i] != expected[runs->palette[i]];
    }
    ck_assert_int_eq(wrong, 0);
    free(counts);
    free(cells);
    level_runs_free(runs);
}
END_TEST

/* ---- near ---- */

/* All arguments at random; v_special says what must come. */
START_TEST(test_near)
{
    state = 12;
    for (int k = 0; k < test_seeds(30); k++) {
        char sql[1000], special[80] = "NULL", same[120] = "1";
        const int x = (int)next(900) - 450, y = (int)next(600) - 300, r = (int)next(300);
        if (next(2)) {
            snprintf(special, sizeof special,
                     "(SELECT special FROM v_special LIMIT 1 OFFSET %d)", (int)next(40));
            snprintf(same, sizeof same, "special = %s", special);
        }
        snprintf(sql, sizeof sql,
                 "SELECT a.v = b.v, a.v, b.v FROM (SELECT count(*) || ':' || total(chunk_x * 3 "
                 "+ number + place_x * 5 + place_y * 7 + place_z + rotation) AS v FROM "
                 "near('w', %d, %d, %s, %d)) a JOIN (SELECT count(*) || ':' || total(chunk_x * "
                 "3 + number + x * 5 + y * 7 + z + rotation) AS v FROM v_special WHERE %s AND "
                 "(x - %d) * (x - %d) + (y - %d) * (y - %d) <= %d * %d) b",
                 x, y, special, r, same, x, x, y, y, r, r);
        vtab_answer answer;
        ck_assert_msg(vtab_ask(&w, &answer, sql) == PTL_OK, "%s: %s", sql, w.err.message);
        ck_assert_msg(answer.text[0] == '1', "%s: %s", sql, answer.text);
    }
}
END_TEST

static const struct {
    const char *sql, *text;
} near_queries[] = {
    {"SELECT count(*) > 9, sum(d < 0) FROM (SELECT distance - lag(distance) OVER () AS d "
     "FROM near('w', 0, 0, NULL, 250))",
     "1|0;"},
    {"SELECT count(*) > 9, sum(abs(distance * distance - place_x * place_x - place_y * "
     "place_y) "
     "> 0.001) FROM near('w', 0, 0, NULL, 250)",
     "1|0;"},
    {"SELECT (SELECT group_concat(number) FROM (SELECT * FROM near('w', 0, 0, NULL, 250) ORDER "
     "BY distance)) = (SELECT group_concat(number) FROM (SELECT * FROM near('w', 0, 0, NULL, "
     "250) ORDER BY +distance, chunk_x, chunk_y, number))",
     "1;"},
    {"SELECT max(a.d) = min(b.d) FROM (SELECT distance AS d FROM near('w', 0, 0, NULL, 250) "
     "ORDER BY distance DESC LIMIT 1) a, (SELECT max(distance) AS d FROM near('w', 0, 0, NULL, "
     "250)) b",
     "1;"},
    /* joined */
    {"SELECT count(*) > 0, sum(n.distance <= 60) = count(*) FROM v_city c JOIN near n ON "
     "n.world "
     "= c.world AND n.x = c.x AND n.y = c.y AND n.radius = 60",
     "1|1;"},
    {"SELECT (SELECT count(*) FROM v_city c JOIN near n ON n.world = c.world AND n.x = c.x AND "
     "n.y = c.y AND n.radius = 90 AND n.special = 'no such')",
     "0;"},
    {"SELECT count(*) = (SELECT count(*) FROM v_city c JOIN v_special s ON s.world = c.world "
     "AND "
     "s.special = (SELECT min(special) FROM v_special) AND (s.x - c.x) * (s.x - c.x) + (s.y - "
     "c.y) * (s.y - c.y) <= 8100) FROM v_city c JOIN near n ON n.world = c.world AND n.x = c.x "
     "AND n.y = c.y AND n.radius = 90 AND n.special = (SELECT min(special) FROM v_special)",
     "1;"},
    /* the arguments are columns */
    {"SELECT DISTINCT world, x, y, wanted, radius FROM near('w', 1.5, 2, NULL, 200)",
     "w|1.5|2|NULL|200;"},
    /* what can't be near */
    {"SELECT count(*) FROM near('v', 0, 0, NULL, 100)", "0;"},
    {"SELECT count(*) FROM near(NULL, 0, 0, NULL, 100)", "0;"},
    {"SELECT count(*) FROM near('w', NULL, 0, NULL, 100)", "0;"},
    {"SELECT count(*) FROM near('w', 0, 0, NULL, NULL)", "0;"},
    {"SELECT count(*) FROM near('w', 0, 0, NULL, -1)", "0;"},
    {"SELECT count(*) FROM near('w', 9223372036854775807, -1e308, NULL, 100)", "0;"},
    {"SELECT count(*) = (SELECT count(*) FROM v_special) FROM near('w', 0, 0, NULL, 1e300)",
     "1;"},
    {"SELECT count(*) FROM near n WHERE n.world = 'w' AND n.x = 0 AND n.y = 0 AND n.radius = "
     "900 "
     "AND n.special = NULL",
     "0;"},
    {"SELECT count(*) > 0 FROM near n WHERE n.world = 'w' AND (n.x = 0 OR n.x = 90) AND n.y = "
     "0 "
     "AND n.radius = 100",
     "1;"},
};

START_TEST(test_near_queries)
{
    for (size_t i = 0; i < sizeof near_queries / sizeof near_queries[0]; i++)
        vtab_expect(&w, near_queries[i].sql, near_queries[i].text);
    vtab_expect_error(&w, "SELECT count(*) FROM near", PTL_ERR_ARGUMENT, "world, x, y");
    vtab_expect_error(&w, "SELECT count(*) FROM near('w', 0, 0)", PTL_ERR_ARGUMENT, "radius");
    vtab_expect_error(&w, "SELECT count(*) FROM near('w', 'a', 0, NULL, 3)", PTL_ERR_ARGUMENT,
                      "numbers");
}
END_TEST

/* ---- local maps ---- */

START_TEST(test_local_maps)
{
    static const column columns[] = {{"world", 0, 1, {"w", "w", "v", "W"}},
                                     {"x", -5, 6, {NULL}},
                                     {"y", 6, 8, {NULL}},
                                     {"z", -2, 2, {NULL}},
                                     {"tile_x", 0, 23, {NULL}}};
    state = 9;
    compare("local_tile",
            "count(*) || ':' || total(x * 3 + tile_x * 7 + tile_y + length(terrain))", columns,
            5, test_seeds(8));
    compare("local_map", "count(*) || ':' || total(x * 3 + revision)", columns, 4,
            test_seeds(8));
    vtab_expect(&w,
                "SELECT count(*), min(x), max(x), sum(edited), max(revision) FROM local_map",
                "9|-4|4|1|2;");
    vtab_expect(&w,
                "SELECT count(*) FROM local_map l JOIN omt t USING (world, x, y, z) "
                "WHERE l.oter = t.oter",
                "9;");
    vtab_expect(&w,
                "SELECT count(*), count(DISTINCT x * 1000 + tile_y * 24 + tile_x) FROM "
                "local_tile",
                "5184|5184;");
    vtab_expect(&w,
                "SELECT x, y, z, tile_x, tile_y, furniture, trap, radiation FROM local_tile "
                "WHERE trap = 'tr_mine'",
                "0|7|0|23|1|f_mine|tr_mine|9;");
}
END_TEST

START_TEST(test_local_things)
{
    static const char at[] = " WHERE world = 'w' AND x = 0 AND y = 7 AND z = 0 AND tile_y = 2 "
                             "ORDER BY number";
    char sql[300];
    static const char *const asked[][2] = {
        {"kind, id, tile_x, count, charges, own, depth, details FROM local_item",
         "item|item|0|100|200|{}|-1|NULL;item group|item group|1|101|201|NULL|-1|NULL;"},
        {"kind, id, tile_x, tile_x2, tile_y2, count, packs, friendly FROM local_monster",
         "monster|monster|2|3|3|102|202|-1;"
         "monster group|monster group|3|4|3|103|203|-1;"
         "corpse|corpse|12|13|3|112|212|-1;"},
        {"id, tile_x, facing, fuel, status FROM local_vehicle", "vehicle|4|104|204|-1;"},
        {"id, tile_x, name FROM local_npc", "npc|5|NULL;"},
        {"id, tile_x, intensity, age FROM local_field", "field|6|106|206;"},
        {"kind, category, text, tile_x FROM local_text",
         "sign|sign|NULL|7;graffiti|NULL|No future|8;"},
        {"name, tile_x, security FROM local_computer", "computer|9|109;"},
        {"kind, id, faction, tile_x, tile_x2 FROM local_zone",
         "zone|zone|your_followers|10|11;owner|owner|NULL|11|12;"}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        snprintf(sql, sizeof sql, "SELECT %s%s", asked[i][0], at);
        vtab_expect(&w, sql, asked[i][1]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("vtab_pack");
    TCase *tc = tcase_create("vtab_pack");
    tcase_set_timeout(tc, 120);
    tcase_add_unchecked_fixture(tc, make_file, remove_file);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, test_conditions);
    tcase_add_test(tc, test_conditions_on_ids);
    tcase_add_test(tc, test_lists_of_ids);
    tcase_add_test(tc, test_joins);
    tcase_add_test(tc, test_sweeps);
    tcase_add_test(tc, test_sweep_conditions);
    tcase_add_test(tc, test_terrain_count);
    tcase_add_test(tc, test_terrain_count_tiles);
    tcase_add_test(tc, test_level_count);
    tcase_add_test(tc, test_near);
    tcase_add_test(tc, test_near_queries);
    tcase_add_test(tc, test_local_maps);
    tcase_add_test(tc, test_local_things);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
