/* Local maps that are damaged: reading, verify and repair; what comes back, and how. */
#include "portolan/portolan.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

static const ptl_omt AT = {90, 90, 0};

static void open_world(void)
{
    ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
    o.mode = PTL_OPEN_CREATE;
    OK(ptl_store_open(&store, path, &o, &err));
}

static void setup(void)
{
    const ptl_import_options o = {.size = sizeof o, .builtin = true};
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_local_map *map = NULL;
    memset(&err, 0, sizeof err);
    world_file_path(path);
    open_world();
    OK(ptl_import(NULL, store, &o, &err));
    settings.seed = 12;
    OK(ptl_world_create(store, "w", &settings, &err));
    OK(ptl_world_open(&world, store, "w", NULL, &err));
    OK(ptl_local_get(&map, world, AT, NULL, &err));
    ptl_local_free(map);
}

static void teardown(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

static void exec(const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

static int64_t number(const char *sql)
{
    int64_t n = -1;
    ck_assert_msg(sqlite_pragma_int(store, sql, &n, &err) == PTL_OK, "%s", err.message);
    return n;
}

static ptl_status read_status(void)
{
    ptl_local_map *map = NULL;
    const ptl_status status = ptl_local_load(&map, world, AT, &err);
    ptl_local_free(map);
    return status;
}

static void keep_problem(void *payload, const ptl_problem *problem)
{
    *(int *)payload = problem->invariant;
}

/* Returns the invariant that verify names last; 0: the file is sound. */
static int verified(void)
{
    int invariant = 0;
    OK(verify_parts(store, VERIFY_TABLES, keep_problem, &invariant, NULL, &err));
    return invariant;
}

static ptl_repair_report repaired(void)
{
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    OK(ptl_repair(&report, store, NULL, &err));
    ck_assert_int_eq(verified(), 0);
    return report;
}

static const char *const columns[] = {"id",
                                      "world_id",
                                      "x",
                                      "y",
                                      "z",
                                      "revision",
                                      "turn",
                                      "edited",
                                      "fallback",
                                      "oter",
                                      "generator_version",
                                      "content_id",
                                      "checksum",
                                      "tiles"};

/* Flips one bit of a value of the map's row. */
static void flip(const char *column, unsigned bit)
{
    char sql[300];
    if (strcmp(column, "tiles") == 0)
        snprintf(sql, sizeof sql,
                 "UPDATE omt_map SET tiles = CAST(substr(tiles, 1, 3) || X'FF' || "
                 "substr(tiles, 5) AS BLOB) WHERE y = 90");
    else
        snprintf(sql, sizeof sql, "UPDATE omt_map SET %s = (%s | (1 << %u)) - (%s & (1 << %u))",
                 column, column, bit, column, bit);
    exec(sql);
}

/* Whatever is changed is seen, by verify and by who reads, and one bit comes back. */
START_TEST(a_bit_of_any_value)
{
    const char *column = columns[_i];
    exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    const int64_t sum = number("SELECT checksum FROM omt_map");
    flip(column, 1);
    ck_assert_int_eq(verified(), INVARIANT_MAP);
    const ptl_status status = read_status();
    ck_assert(status == PTL_ERR_CORRUPT || status == PTL_ERR_NOT_FOUND);
    exec("PRAGMA ignore_check_constraints = OFF; PRAGMA foreign_keys = ON");
    if (strcmp(column, "tiles") == 0)
        return; /* more than one bit: the next test */
    const ptl_repair_report report = repaired();
    ck_assert_uint_eq(report.corrected, 1);
    ck_assert_uint_eq(report.set_aside, 0);
    ck_assert_int_eq(number("SELECT checksum FROM omt_map"), sum);
    ck_assert_int_eq(read_status(), PTL_OK);
}
END_TEST

static bool ignore_place(void *payload, const ptl_omt *at)
{
    (void)payload;
    (void)at;
    return true;
}

static bool ignore_row(void *payload, size_t count, const char *const *names,
                       const ptl_value *values)
{
    (void)payload;
    (void)count;
    (void)names;
    (void)values;
    return true;
}

/* A value that nothing but the row's checksum tells is wrong: lists and queries see it. */
START_TEST(a_wrong_value_is_in_no_answer)
{
    static const char *const asked[] = {"SELECT turn FROM local_map",
                                        "SELECT count(*) FROM local_tile",
                                        "SELECT count(*) FROM local_item"};
    const ptl_query_options o = {.size = sizeof o, .on_row = ignore_row};
    OK(ptl_local_list(world, NULL, ignore_place, NULL, &err));
    exec("UPDATE omt_map SET turn = turn + 4");
    ck_assert_int_eq(ptl_local_list(world, NULL, ignore_place, NULL, &err), PTL_ERR_CORRUPT);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        ck_assert_int_eq(ptl_query(store, asked[i], &o, &err), PTL_ERR_CORRUPT);
        ck_assert_msg(strstr(err.message, "checksum differs") != NULL, "%s", err.message);
    }
}
END_TEST

/* A map that no bit explains is set aside, and made again with the same bytes. */
START_TEST(a_lost_map_comes_back_byte_for_byte)
{
    ptl_local_map *map = NULL;
    exec("CREATE TEMP TABLE before AS SELECT * FROM omt_map");
    exec("UPDATE omt_map SET tiles = zeroblob(40), turn = 77");
    ck_assert_int_eq(read_status(), PTL_ERR_CORRUPT);
    ck_assert_int_eq(ptl_local_get(&map, world, AT, NULL, &err), PTL_ERR_CORRUPT);
    ck_assert_ptr_null(map);
    const ptl_repair_report report = repaired();
    ck_assert_uint_eq(report.set_aside, 1);
    ck_assert_int_eq(number("SELECT count(*) FROM omt_map"), 0);
    ck_assert_int_eq(number("SELECT count(*) FROM set_aside WHERE source_table = 'omt_map'"),
                     1);
    ck_assert_int_eq(read_status(), PTL_ERR_NOT_FOUND);
    OK(ptl_local_get(&map, world, AT, NULL, &err));
    ptl_local_free(map);
    ck_assert_int_eq(number("SELECT count(*) FROM (SELECT * FROM omt_map EXCEPT SELECT * FROM "
                            "temp.before)"),
                     0);
    ck_assert_int_eq(verified(), 0);
}
END_TEST

/* With a right checksum: what a hostile hand writes. */
START_TEST(a_well_sealed_lie_is_seen)
{
    static const char *const lies[] = {"oter = 999999",    "tiles = X''",
                                       "things = X'0201'", "texts = X'00'",
                                       "z = 4000000000",   "generator_version = 1 << 40"};
    char sql[200];
    row_scratch *scratch = store->scratch;
    stmt *s = NULL;
    bool row = false;
    int64_t sum = 0;
    exec("PRAGMA ignore_check_constraints = ON");
    snprintf(sql, sizeof sql, "UPDATE omt_map SET %s", lies[_i]);
    exec(sql);
    OK(stmt_prepare(&s, store, "SELECT " MAP_COLUMNS " FROM omt_map", &err));
    OK(stmt_step(s, &row, &err));
    rowsum_begin(&scratch->sum, "omt_map");
    rowsum_row(&scratch->sum, row_table_of(TABLE_MAP), s, 0);
    OK(rowsum_end(&scratch->sum, &sum, &err));
    stmt_free(s);
    snprintf(sql, sizeof sql, "UPDATE omt_map SET checksum = %lld", (long long)sum);
    exec(sql);
    ck_assert_int_eq(verified(), INVARIANT_MAP);
    ck_assert_uint_eq(repaired().set_aside, 1);
}
END_TEST

/* It was taken away, and made again: its revision is lower than that of who had it before. */
START_TEST(a_map_that_was_made_again_is_another)
{
    ptl_local_map *old = NULL, *now = NULL;
    OK(ptl_local_load(&old, world, AT, &err));
    OK(ptl_local_terrain_set(old, 1, 1, "t_mine"));
    OK(ptl_local_put(world, &old, 1, &err));
    OK(ptl_local_put(world, &old, 1, &err));
    ck_assert_int_eq(ptl_local_revision(old), 3);
    exec("DELETE FROM omt_map");
    ck_assert_int_eq(ptl_local_put(world, &old, 1, &err), PTL_ERR_EXISTS); /* there is none */
    OK(ptl_local_get(&now, world, AT, NULL, &err));
    ck_assert_int_eq(ptl_local_revision(now), 1);
    ptl_local_free(now);
    ck_assert_int_eq(ptl_local_put(world, &old, 1, &err), PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, "90,90,0 has revision 1") != NULL, "%s", err.message);
    OK(ptl_local_load(&now, world, AT, &err));
    ck_assert_str_ne(ptl_local_terrain(now, 1, 1), "t_mine");
    ptl_local_free(now);
    ptl_local_free(old);
}
END_TEST

/* Its world is gone: it is set aside. */
START_TEST(a_map_of_no_world)
{
    exec("PRAGMA foreign_keys = OFF; DELETE FROM world; PRAGMA foreign_keys = ON");
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    OK(ptl_repair(&report, store, NULL, &err));
    ck_assert_int_eq(number("SELECT count(*) FROM omt_map"), 0);
    ck_assert_int_eq(number("SELECT count(*) FROM set_aside WHERE source_table = 'omt_map'"),
                     1);
}
END_TEST

/* It goes into a backup. */
START_TEST(a_copy_has_it)
{
    char copy[WORLD_PATH_SIZE];
    world_file_path(copy);
    OK(ptl_backup(NULL, store, copy, NULL, &err));
    ptl_world_close(world);
    ptl_store_close(store);
    ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
    OK(ptl_store_open(&store, copy, &o, &err));
    OK(ptl_world_open(&world, store, "w", NULL, &err));
    ck_assert_int_eq(read_status(), PTL_OK);
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(copy);
    open_world();
    OK(ptl_world_open(&world, store, "w", NULL, &err));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_damage");
    TCase *tc = tcase_create("local_damage");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, a_bit_of_any_value, 0, (int)(sizeof columns / sizeof *columns));
    tcase_add_test(tc, a_wrong_value_is_in_no_answer);
    tcase_add_test(tc, a_map_that_was_made_again_is_another);
    tcase_add_test(tc, a_lost_map_comes_back_byte_for_byte);
    tcase_add_loop_test(tc, a_well_sealed_lie_is_seen, 0, 6);
    tcase_add_test(tc, a_map_of_no_world);
    tcase_add_test(tc, a_copy_has_it);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
