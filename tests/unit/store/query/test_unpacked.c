/* The tables of `portolan index`: equal to the virtual tables, renewed where chunks changed,
 * and no trouble for what else looks at the file. */
#include "portolan/index.h"
#include "portolan/repair.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/store/query/vtab_world.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static vtab_world made; /* once; each test has a copy */
static vtab_world w;

static void make_file(void)
{
    vtab_world_make(&made, 9);
}

static void remove_file(void)
{
    vtab_world_remove(&made);
}

static void set_up(void)
{
    static char block[1 << 16];
    snprintf(w.path, sizeof w.path, "%.200s-copy", made.path);
    FILE *from = fopen(made.path, "rb"), *to = fopen(w.path, "wb");
    ck_assert(from && to);
    for (size_t size; (size = fread(block, 1, sizeof block, from)) > 0;)
        ck_assert_uint_eq(fwrite(block, 1, size, to), size);
    ck_assert(fclose(from) == 0 && fclose(to) == 0);
    vtab_world_open(&w);
}

static void tear_down(void)
{
    char text[sizeof w.path + 16];
    vtab_world_close(&w);
    remove(w.path);
    snprintf(text, sizeof text, "%s-journal", w.path);
    remove(text);
}

static ptl_index_report update(uint32_t parts)
{
    const ptl_index_options options = {.size = sizeof options, .parts = parts};
    ptl_index_report report = PTL_INDEX_REPORT_INIT;
    memset(&w.err, 0, sizeof w.err);
    ck_assert_msg(ptl_index_update(&report, w.store, &options, &w.err) == PTL_OK, "%s",
                  w.err.message);
    return report;
}

static void change(const char *sql)
{
    memset(&w.err, 0, sizeof w.err);
    ck_assert_msg(sqlite_exec(w.store, sql, &w.err) == PTL_OK, "%s: %s", sql, w.err.message);
}

/* What the virtual table has, as the plain one must have it. */
static const struct {
    const char *plain, *from;
} SAME[] = {
    {"SELECT chunk_id, number, id, x, y, z, rotation, city FROM unpacked_building",
     "SELECT c.chunk_id, number, n.id, b.x, b.y, z, rotation, city FROM building b"},
    {"SELECT * FROM unpacked_monster_group",
     "SELECT c.chunk_id, number, n.id, b.x, b.y, z, radius, population, horde, diffuse, "
     "submap_x, submap_y FROM monster_group b"},
    {"SELECT * FROM unpacked_attempt",
     "SELECT c.chunk_id, number, n.id, asked, ground, linked, city, room, failed, placed FROM "
     "attempt b"},
    {"SELECT * FROM unpacked_piece",
     "SELECT c.chunk_id, number, n.id, special_number, b.x, b.y, z, rotation FROM piece b"},
    {"SELECT * FROM unpacked_piece_join",
     "SELECT c.chunk_id, number, n.id, special_number, b.x, b.y, z, side FROM piece_join b"},
};
static const char *const KEYS[] = {"id", "type", "special", "id", "id"};

static void expect_same(void)
{
    char from[400], sql[1200];
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        snprintf(from, sizeof from,
                 "%s JOIN v_chunk c ON c.world = b.world AND c.chunk_x = b.chunk_x AND "
                 "c.chunk_y = b.chunk_y JOIN name n ON n.name = b.%s",
                 SAME[i].from, KEYS[i]);
        snprintf(sql, sizeof sql,
                 "SELECT (SELECT count(*) FROM (%s)) = (SELECT count(*) FROM (%s)), (SELECT "
                 "count(*) FROM (%s EXCEPT %s))",
                 SAME[i].plain, from, SAME[i].plain, from);
        vtab_expect(&w, sql, "1|0;");
    }
    vtab_expect(&w,
                "SELECT count(*) FROM (SELECT c.chunk_id, z, o.id, omts FROM terrain_count t "
                "JOIN v_chunk c ON c.world = t.world AND c.chunk_x = t.chunk_x AND c.chunk_y = "
                "t.chunk_y JOIN oter o ON o.name = t.oter EXCEPT SELECT * FROM "
                "unpacked_terrain_count)",
                "0;");
    vtab_expect(&w,
                "SELECT (SELECT sum(omts) FROM unpacked_terrain_count) = (SELECT count(*) * "
                "680400 FROM chunk)",
                "1;");
    vtab_expect(&w,
                "SELECT count(*), sum(u.checksum = c.checksum) = count(*) FROM "
                "unpacked_chunk u LEFT JOIN chunk c ON c.id = u.chunk_id",
                "4|1;");
}

START_TEST(test_update)
{
    ptl_index_report r = update(0);
    ck_assert_uint_eq(r.chunks, 4);
    ck_assert_uint_eq(r.added, 4);
    ck_assert_uint_gt(r.rows, 1000);
    expect_same();
    vtab_expect(&w,
                "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name LIKE "
                "'unpacked%'",
                "7;");
    r = update(0);
    ck_assert_uint_eq(r.added + r.renewed + r.removed + r.rows, 0);
}
END_TEST

/* Chunks that changed are done anew, those that are gone go, and only they. */
START_TEST(test_renew)
{
    update(0);
    change("UPDATE unpacked_chunk SET checksum = checksum + 1 WHERE chunk_id = 2;"
           "UPDATE unpacked_building SET x = x + 1 WHERE chunk_id = 2;"
           "DELETE FROM unpacked_terrain_count WHERE chunk_id = 2 AND z < 0;"
           "DELETE FROM unpacked_chunk WHERE chunk_id = 4;"
           "INSERT INTO unpacked_chunk VALUES (77, 1, 63);"
           "INSERT INTO unpacked_terrain_count VALUES (77, 0, 1, 1);");
    const ptl_index_report r = update(0);
    ck_assert_uint_eq(r.renewed, 1);
    ck_assert_uint_eq(r.added, 1);
    ck_assert_uint_eq(r.removed, 1);
    expect_same();
}
END_TEST

/* Made again with other steps: another chunk under the same id. */
START_TEST(test_made_again)
{
    static const ptl_chunk_pos place = {0, 0};
    ptl_world *world = NULL;
    update(0);
    change("CREATE TEMP TABLE gone AS SELECT id FROM chunk WHERE x = 0 AND y = 0;"
           "DELETE FROM event WHERE chunk_id IN (SELECT id FROM gone);"
           "DELETE FROM level WHERE id / 32 IN (SELECT id FROM gone);"
           "DELETE FROM overview WHERE id IN (SELECT id FROM gone);"
           "DELETE FROM city WHERE chunk_id IN (SELECT id FROM gone);"
           "DELETE FROM radio WHERE chunk_id IN (SELECT id FROM gone);"
           "DELETE FROM special_placement WHERE id / 65536 IN (SELECT id FROM gone);"
           "DELETE FROM pack WHERE id / 8 IN (SELECT id FROM gone);"
           "DELETE FROM chunk WHERE id IN (SELECT id FROM gone);"
           "DROP TABLE gone");
    ck_assert_int_eq(ptl_world_open(&world, w.store, "w", NULL, &w.err), PTL_OK);
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    options.positions = &place;
    options.position_count = 1;
    options.stop_after = "cities";
    ck_assert_msg(ptl_generate(NULL, world, &options, &w.err) == PTL_OK, "%s", w.err.message);
    ptl_index_report r = update(0);
    ck_assert_uint_eq(r.added + r.renewed, 1);
    expect_same();
    options.stop_after = NULL; /* the same id, and more in it */
    ck_assert_msg(ptl_generate(NULL, world, &options, &w.err) == PTL_OK, "%s", w.err.message);
    r = update(0);
    ck_assert_uint_eq(r.renewed, 1);
    ck_assert_uint_eq(r.added, 0);
    expect_same();
    ptl_world_close(world);
}
END_TEST

START_TEST(test_parts)
{
    ptl_index_report r = update(PTL_INDEX_BUILDING);
    ck_assert_uint_eq(r.added, 4);
    vtab_expect(&w,
                "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name "
                "LIKE 'unpacked%' ORDER BY 1)",
                "unpacked_building,unpacked_building_id,unpacked_chunk;");
    r = update(0); /* what the file has */
    ck_assert_uint_eq(r.added + r.renewed + r.rows, 0);
    r = update(PTL_INDEX_ALL);
    ck_assert_uint_eq(r.renewed, 4);
    expect_same();
    int found = 0;
    ck_assert_int_eq(ptl_index_remove(&found, w.store, PTL_INDEX_BUILDING, &w.err), PTL_OK);
    ck_assert_int_eq(found, 1);
    r = update(PTL_INDEX_ALL);
    ck_assert_uint_eq(r.renewed, 4);
    expect_same();
}
END_TEST

static bool stop(void *payload, const ptl_progress *progress)
{
    (void)progress;
    return ++*(int *)payload < 1;
}

START_TEST(test_stop)
{
    int calls = 0;
    const ptl_index_options options = {
        .size = sizeof options, .on_progress = stop, .payload = &calls};
    ck_assert_int_eq(ptl_index_update(NULL, w.store, &options, &w.err), PTL_ERR_CANCELLED);
    ck_assert_int_eq(calls, 1);
    update(0);
    expect_same();
}
END_TEST

static void on_problem(void *payload, const ptl_problem *problem)
{
    ++*(int *)payload;
    fprintf(stderr, "%s: %s\n", problem->where, problem->message);
}

/* Verify and opening find nothing wrong with a file that has them; nothing is left by drop. */
START_TEST(test_foreign)
{
    int problems = 0, found = 0;
    vtab_answer before, after;
    static const char schema[] = "SELECT count(*), total(length(sql)) FROM sqlite_schema";
    ck_assert_int_eq(vtab_ask(&w, &before, schema), PTL_OK);
    update(0);
    vtab_world_close(&w);
    vtab_world_open(&w);
    ck_assert_int_eq(ptl_verify(NULL, w.store, on_problem, &problems, &w.err), PTL_OK);
    ck_assert_int_eq(problems, 0);
    ck_assert_int_eq(ptl_index_remove(&found, w.store, 0, &w.err), PTL_OK);
    ck_assert_int_eq(found, PTL_INDEX_PARTS);
    ck_assert_int_eq(vtab_ask(&w, &after, schema), PTL_OK);
    ck_assert_str_eq(before.text, after.text);
    ck_assert_int_eq(ptl_index_remove(&found, w.store, 0, &w.err), PTL_OK);
    ck_assert_int_eq(found, 0);
}
END_TEST

/* Somebody's own table of the name is not touched, but by --drop. */
START_TEST(test_other_table)
{
    int found = 0;
    change("CREATE TABLE unpacked_piece (a, b)");
    ck_assert_int_eq(ptl_index_update(NULL, w.store, NULL, &w.err), PTL_ERR_FORMAT);
    ck_assert_msg(strstr(w.err.message, "unpacked_piece") != NULL, "%s", w.err.message);
    ck_assert_int_eq(ptl_index_remove(&found, w.store, 0, &w.err), PTL_OK);
    ck_assert_int_eq(found, 1);
    update(0);
    expect_same();
}
END_TEST

static int problems_now(void)
{
    int problems = 0;
    ck_assert_msg(verify_parts(w.store, VERIFY_TABLES, on_problem, &problems, NULL, &w.err) ==
                      PTL_OK,
                  "%s", w.err.message);
    return problems;
}

static void expect_seen(const char *damage)
{
    change("BEGIN");
    change(damage);
    ck_assert_msg(problems_now() > 0, "not seen: %s", damage);
    change("ROLLBACK");
}

/* Verify sees the damage, and repair makes the tables what they were. */
static void expect_mended(const char *damage)
{
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    expect_seen(damage);
    change(damage);
    ck_assert_msg(ptl_repair(&report, w.store, NULL, &w.err) == PTL_OK, "%s: %s", damage,
                  w.err.message);
    ck_assert_msg(report.recomputed == 1 && report.unrepaired == 0, "%s", damage);
    ck_assert_msg(problems_now() == 0, "verify after repair: %s", damage);
    expect_same();
}

/* One bit of each column of each table, and a value that is no number. */
START_TEST(test_damaged_values)
{
    update(0);
    for (int part = 0; part < PTL_INDEX_PARTS - 1; part++) {
        char sql[400];
        vtab_answer columns;
        snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('unpacked_%s')",
                 ptl_index_part_name(part));
        ck_assert_int_eq(vtab_ask(&w, &columns, sql), PTL_OK);
        for (char *rest = columns.text, *name; (name = strtok_r(rest, ";", &rest)) != NULL;) {
            snprintf(
                sql, sizeof sql,
                "UPDATE unpacked_%s SET %s = coalesce((%s | (1 << 33)) - (%s & (1 << 33)), "
                "7) WHERE (chunk_id, %s) = (SELECT chunk_id, %s FROM unpacked_%s LIMIT 1 "
                "OFFSET 5)",
                ptl_index_part_name(part), name, name, name, part == 5 ? "z, oter" : "number",
                part == 5 ? "z, oter" : "number", ptl_index_part_name(part));
            expect_seen(sql);
        }
        snprintf(sql, sizeof sql, "UPDATE unpacked_%s SET %s = 'no number' WHERE chunk_id = 2",
                 ptl_index_part_name(part), part == 5 ? "omts" : "z");
        expect_mended(part == 2 ? "UPDATE unpacked_attempt SET asked = 'x'" : sql);
    }
}
END_TEST

START_TEST(test_damaged_rows)
{
    update(0);
    expect_mended("DELETE FROM unpacked_building WHERE chunk_id = 3 AND number = 4");
    expect_mended("DELETE FROM unpacked_terrain_count WHERE chunk_id = 3");
    expect_mended(
        "INSERT INTO unpacked_attempt SELECT chunk_id, number + 4096, special, asked, "
        "ground, linked, city, room, failed, placed FROM unpacked_attempt WHERE "
        "chunk_id = 1");
    expect_mended("INSERT INTO unpacked_terrain_count VALUES (77, 0, 1, 32400)");
    expect_mended("DELETE FROM unpacked_chunk WHERE chunk_id = 2");
    expect_mended("UPDATE unpacked_chunk SET tables = tables | 1024 WHERE chunk_id = 2");
    expect_mended("UPDATE unpacked_chunk SET tables = tables & ~2 WHERE chunk_id = 2");
    expect_mended("UPDATE unpacked_chunk SET tables = 'all'");
    expect_mended("DROP TABLE unpacked_chunk");
}
END_TEST

/* What changed since, or was never in, is no damage; nor is somebody's own table. */
START_TEST(test_no_damage)
{
    update(PTL_INDEX_BUILDING | PTL_INDEX_TERRAIN_COUNT);
    change("UPDATE unpacked_chunk SET checksum = checksum + 1 WHERE chunk_id = 2; UPDATE "
           "unpacked_building SET x = 0 WHERE chunk_id = 2");
    ck_assert_int_eq(problems_now(), 0);
    change("DELETE FROM unpacked_chunk WHERE chunk_id = 2; DELETE FROM unpacked_building WHERE "
           "chunk_id = 2; DELETE FROM unpacked_terrain_count WHERE chunk_id = 2");
    ck_assert_int_eq(problems_now(), 0);
    change("CREATE TABLE unpacked_piece (a, b); INSERT INTO unpacked_piece VALUES (1, 2)");
    ck_assert_int_eq(problems_now(), 0);
}
END_TEST

START_TEST(test_damaged)
{
    change("UPDATE pack SET data = substr(data, 1, 9) WHERE id = (SELECT max(id) FROM pack)");
    ck_assert_int_eq(ptl_index_update(NULL, w.store, NULL, &w.err), PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(w.err.message, "chunk ") != NULL, "%s", w.err.message);
}
END_TEST

/* Names and bits belong together; bits of no part are refused, and nothing is done then. */
START_TEST(test_numbers)
{
    int found = 7;
    const ptl_index_options options = {.size = sizeof options, .parts = PTL_INDEX_ALL + 1};
    ck_assert_str_eq(ptl_index_part_name(0), "building");
    ck_assert_str_eq(ptl_index_part_name(4), "piece_join");
    ck_assert_str_eq(ptl_index_part_name(5), "terrain_count");
    ck_assert_str_eq(ptl_index_part_name(6), "special_placement");
    ck_assert_ptr_null(ptl_index_part_name(PTL_INDEX_PARTS));
    ck_assert_ptr_null(ptl_index_part_name(-1));
    ck_assert_int_eq(ptl_index_update(NULL, w.store, &options, &w.err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_index_remove(&found, w.store, UINT32_MAX, &w.err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(found, 0);
    vtab_expect(&w, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'unpacked%'", "0;");
    update(PTL_INDEX_PIECE | PTL_INDEX_TERRAIN_COUNT);
    ck_assert_int_eq(ptl_index_remove(NULL, w.store, PTL_INDEX_PIECE, &w.err), PTL_OK);
    vtab_expect(&w,
                "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = "
                "'table' AND name LIKE 'unpacked%' ORDER BY 1)",
                "unpacked_chunk,unpacked_terrain_count;");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unpacked");
    TCase *tc = tcase_create("unpacked");
    tcase_set_timeout(tc, 120);
    tcase_add_unchecked_fixture(tc, make_file, remove_file);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, test_update);
    tcase_add_test(tc, test_renew);
    tcase_add_test(tc, test_made_again);
    tcase_add_test(tc, test_parts);
    tcase_add_test(tc, test_stop);
    tcase_add_test(tc, test_numbers);
    tcase_add_test(tc, test_foreign);
    tcase_add_test(tc, test_other_table);
    tcase_add_test(tc, test_damaged);
    tcase_add_test(tc, test_damaged_values);
    tcase_add_test(tc, test_damaged_rows);
    tcase_add_test(tc, test_no_damage);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
