/* ptl_query: what it reads, what it refuses, where it stops. */
#include "portolan/query.h"
#include "support/suite.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static fixture f;
static ptl_error err;

static void setup(void)
{
    fixture_open(&f);
}

static void teardown(void)
{
    fixture_close(&f);
}

/* Rows as text: values by '|', rows by ';'. */
typedef struct rows {
    char text[2000];
    int count, stop_at;
} rows;

static bool add_row(void *payload, size_t columns, const char *const *names,
                    const ptl_value *values)
{
    rows *r = payload;
    for (size_t i = 0; i < columns; i++) {
        size_t used = strlen(r->text), left = sizeof r->text - used;
        const ptl_value *v = &values[i];
        const char *end = i + 1 < columns ? "|" : ";";
        ck_assert(names[i] != NULL);
        if (v->type == PTL_VALUE_INTEGER)
            snprintf(r->text + used, left, "%lld%s", (long long)v->integer, end);
        else if (v->type == PTL_VALUE_REAL)
            snprintf(r->text + used, left, "%g%s", v->real, end);
        else if (v->type == PTL_VALUE_NULL)
            snprintf(r->text + used, left, "NULL%s", end);
        else
            snprintf(r->text + used, left, "%c%zu:%.*s%s",
                     v->type == PTL_VALUE_BLOB ? 'b' : 't', v->size, (int)v->size, v->text,
                     end);
    }
    return ++r->count != r->stop_at;
}

static ptl_status run(rows *r, const char *sql, uint64_t row_limit, double time_limit)
{
    const ptl_query_options options = {.size = sizeof options,
                                       .row_limit = row_limit,
                                       .time_limit = time_limit,
                                       .on_row = add_row,
                                       .payload = r};
    r->text[0] = '\0';
    r->count = 0;
    return ptl_query(f.store, sql, &options, &err);
}

START_TEST(test_values)
{
    rows r = {.stop_at = -1};
    ck_assert_msg(
        run(&r, "SELECT 1, 2.5, NULL, 'ab', x'6364', name FROM world; -- end", 0, 0) == PTL_OK,
        "%s", err.message);
    ck_assert_str_eq(r.text, "1|2.5|NULL|t2:ab|b2:cd|t1:w;");
    ck_assert_int_eq(run(&r, "SELECT 1 WHERE 0", 0, 0), PTL_OK);
    ck_assert_int_eq(r.count, 0);
}
END_TEST

START_TEST(test_views)
{
    static const char *const views[] = {"v_level", "v_border", "v_event"};
    rows r = {.stop_at = -1};
    bool written;
    ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){1, 2}, 4);
    ck_assert_int_eq(fixture_write(&f, f.store, chunk, NULL, &written, &err), PTL_OK);
    ptl_chunk_free(chunk);
    for (int i = 0; i < 3; i++) {
        char sql[100];
        snprintf(sql, sizeof sql, "SELECT count(*) > 0, min(world) FROM %s", views[i]);
        ck_assert_msg(run(&r, sql, 0, 0) == PTL_OK, "%s", err.message);
        ck_assert_str_eq(r.text, "1|t1:w;");
    }
    ck_assert_int_eq(
        run(&r, "SELECT chunk_x, chunk_y, step FROM v_event ORDER BY 3 DESC LIMIT 1", 0, 0),
        PTL_OK);
    ck_assert_str_eq(r.text, "1|2|t6:rivers;");
}
END_TEST

static const char *const allowed[] = {
    ("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + "
     "1 FROM n WHERE i < 9) SELECT sum(i) FROM n"),
    "EXPLAIN QUERY PLAN SELECT * FROM chunk",
    "PRAGMA table_info(chunk)",
    "PRAGMA user_version",
    "SELECT name FROM pragma_table_info('world')",
    "SELECT * FROM sqlite_schema",
    "SELECT value FROM json_each('[1,2]')",
    "VALUES (1), (2)",
    "SELECT x, row_number() OVER (ORDER BY x) FROM chunk"};

START_TEST(test_allowed)
{
    rows r = {.stop_at = -1};
    ck_assert_msg(run(&r, allowed[_i], 0, 5) == PTL_OK, "%s: %s", allowed[_i], err.message);
}
END_TEST

static const char *const refused[] = {"INSERT INTO oter VALUES (1, 'x', 0)",
                                      "UPDATE world SET name = 'x'",
                                      "DELETE FROM world",
                                      "CREATE TABLE t (a)",
                                      "CREATE TEMP TABLE t (a)",
                                      "DROP TABLE level",
                                      "ALTER TABLE level ADD a",
                                      "ATTACH ':memory:' AS m",
                                      "DETACH main",
                                      "VACUUM",
                                      "VACUUM INTO '/tmp/portolan-test-vacuum'",
                                      "BEGIN",
                                      "COMMIT",
                                      "SAVEPOINT a",
                                      "REINDEX",
                                      "ANALYZE",
                                      "PRAGMA user_version = 3",
                                      "PRAGMA page_size = 8192", /* writes nothing by itself */
                                      "PRAGMA encoding = 'UTF-16'",
                                      "PRAGMA journal_mode = WAL",
                                      "PRAGMA journal_mode",
                                      "PRAGMA writable_schema = ON",
                                      "PRAGMA query_only = OFF",
                                      "PRAGMA wal_checkpoint",
                                      "PRAGMA optimize",
                                      "PRAGMA incremental_vacuum(9)",
                                      "SELECT * FROM pragma_integrity_check",
                                      "SELECT load_extension('x')",
                                      "SELECT 1; SELECT 2",
                                      "SELECT 1; DELETE FROM world",
                                      "",
                                      "  -- nothing",
                                      "SELEC 1",
                                      "SELECT * FROM no_such_table",
                                      "SELECT ?1 +",
                                      "SELECT abs(-9223372036854775807 - 1)"};

START_TEST(test_refused)
{
    rows r = {.stop_at = -1};
    ck_assert_msg(run(&r, refused[_i], 0, 5) == PTL_ERR_ARGUMENT, "%s", refused[_i]);
    ck_assert_msg(err.message[0] != '\0', "%s", refused[_i]);
    ck_assert_int_eq(run(&r, "SELECT name FROM world", 0, 0), PTL_OK);
    ck_assert_str_eq(r.text, "t1:w;");
}
END_TEST

START_TEST(test_limits)
{
    static const char endless[] =
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    rows r = {.stop_at = -1};
    char count[200];
    ck_assert_int_eq(run(&r, endless, 7, 0), PTL_ERR_LIMIT);
    ck_assert_int_eq(r.count, 7);
    ck_assert_int_eq(run(&r, "SELECT 1 UNION SELECT 2", 2, 0), PTL_OK);
    snprintf(count, sizeof count, "SELECT count(*) FROM (%s)", endless);
    ck_assert_int_eq(run(&r, count, 0, 0.2), PTL_ERR_LIMIT);
    ck_assert(strstr(err.message, "time limit") != NULL);
    snprintf(count, sizeof count, "SELECT median(i), stddev(i) FROM (%s)", endless);
    ck_assert_int_eq(run(&r, count, 0, 0.2), PTL_ERR_LIMIT);
    ck_assert(strstr(err.message, "time limit") != NULL);
    r.stop_at = 3;
    ck_assert_int_eq(run(&r, endless, 0, 0), PTL_ERR_CANCELLED);
    ck_assert_int_eq(r.count, 3);
    r.stop_at = -1;
    ck_assert_int_eq(run(&r, "SELECT zeroblob(100000000)", 0, 0), PTL_ERR_LIMIT);
}
END_TEST

/* What a text takes counts with the eight bytes of every value: here 108 a row. */
START_TEST(test_byte_limit)
{
    static const char sql[] =
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n "
        "WHERE i < 10) SELECT printf('%0100d', i) FROM n";
    rows r = {.stop_at = -1};
    ptl_query_options options = {
        .size = sizeof options, .byte_limit = 1080, .on_row = add_row, .payload = &r};
    ck_assert_msg(ptl_query(f.store, sql, &options, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(r.count, 10);
    options.byte_limit = 1079;
    r = (rows){.stop_at = -1};
    ck_assert_int_eq(ptl_query(f.store, sql, &options, &err), PTL_ERR_LIMIT);
    ck_assert_int_eq(r.count, 9);
}
END_TEST

static void add_name(void *payload, const char *name)
{
    strcat(payload, name);
    strcat(payload, ",");
}

START_TEST(test_columns)
{
    char names[200] = "";
    ck_assert_int_eq(ptl_query_column_list(f.store, "SELECT x, y AS south, 1 + 1 FROM chunk",
                                           add_name, names, &err),
                     PTL_OK);
    ck_assert_str_eq(names, "x,south,1 + 1,");
    ck_assert_int_eq(ptl_query_column_list(f.store, "DELETE FROM chunk", add_name, names, &err),
                     PTL_ERR_ARGUMENT);
}
END_TEST

/* What a writer has not committed is not seen, and reading does not disturb it. */
START_TEST(test_beside_a_writer)
{
    rows r = {.stop_at = -1};
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ck_assert_int_eq(sqlite_exec(f.store, "DELETE FROM run", &err), PTL_OK);
    ck_assert_int_eq(run(&r, "SELECT count(*) FROM run", 0, 0), PTL_OK);
    ck_assert_str_eq(r.text, "1;");
    ck_assert_msg(ops(f.store)->transaction->commit(f.store, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_int_eq(run(&r, "SELECT count(*) FROM run", 0, 0), PTL_OK);
    ck_assert_str_eq(r.text, "0;");
}
END_TEST

/* Chunks (0, 0) and (1, 0) with 40 buildings and 12 groups each. */
static void add_chunks(void)
{
    for (int x = 0; x < 2; x++) {
        bool written;
        ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){x, 0}, (uint64_t)x);
        ck_assert_int_eq(fixture_write(&f, f.store, chunk, NULL, &written, &err), PTL_OK);
        ptl_chunk_free(chunk);
    }
}

static const struct {
    const char *sql, *text;
} pack_queries[] = {
    {"SELECT count(*), min(number), max(number) FROM building", "80|0|39;"},
    {"SELECT count(*) FROM building WHERE world = 'w' AND chunk_x = 1 AND chunk_y = 0", "40;"},
    {"SELECT count(*) FROM building WHERE chunk_x = '1'", "40;"},
    {"SELECT count(*) FROM building WHERE chunk_x = 2", "0;"},
    {"SELECT count(*) FROM building WHERE world = 'v'", "0;"},
    {"SELECT count(*) FROM building WHERE world IS NULL OR chunk_x < 1", "40;"},
    {"SELECT count(*), sum(x - chunk_x * 180 BETWEEN -180 AND 359), sum(y BETWEEN -180 AND "
     "359), max(x) > 180 FROM building",
     "80|80|80|1;"},
    {"SELECT count(*) FROM building WHERE id GLOB 'b[0-9][0-9][0-9]' AND rotation IN (0, 1, 2, "
     "3)",
     "80;"},
    {"SELECT count(DISTINCT rowid) FROM building", "80;"},
    {"SELECT count(*) FROM building b JOIN v_city c ON c.world = b.world AND "
     "c.chunk_x = b.chunk_x AND c.chunk_y = b.chunk_y AND c.number = b.city",
     "80;"},
    {"SELECT count(*) FROM chunk k JOIN building b ON b.chunk_x = k.x AND b.chunk_y = k.y",
     "80;"},
    {"SELECT count(*), max(population), sum(horde IN (0, 1) AND diffuse IN (0, 1)) "
     "FROM monster_group WHERE chunk_x = 0",
     "12|2147483647|12;"},
    {"SELECT count(*), sum(submap_x IN (0, 1)), sum(submap_y IN (0, 1)) FROM monster_group "
     "WHERE type LIKE 'GROUP%' AND x BETWEEN 180 AND 359",
     "12|12|12;"},
    {"SELECT count(*) FROM v_radio WHERE kind = 'broadcast'", "6;"},
    {"SELECT count(*), min(number), max(number), sum(omts > 0), sum(draw < 32) FROM v_special",
     "18|0|8|18|18;"},
    {"SELECT count(*) FROM v_special s JOIN v_city c ON c.world = s.world AND "
     "c.chunk_x = s.chunk_x AND c.chunk_y = s.chunk_y AND c.number = s.city_number "
     "WHERE c.name IS NOT s.city",
     "0;"},
    {"SELECT count(*) FROM v_special s JOIN special_placement p "
     "ON p.id = (s.chunk_x + 1) * 65536 + s.number AND s.x = 180 * s.chunk_x + p.x AND s.y = "
     "p.y "
     "AND (s.city IS NULL) = (p.city IS NULL) WHERE s.special GLOB '[ms]0[0-9][0-9]'",
     "18;"},
    {"SELECT count(*), sum(asked BETWEEN 1 AND 5), sum(ground >= linked AND linked >= city AND "
     "city >= room), sum(failed = 32), sum(placed = (room > 0)), count(DISTINCT special) "
     "FROM attempt WHERE chunk_x = 1",
     "15|15|15|2|15|15;"},
    {"SELECT count(*), sum(p.id GLOB 'p*'), sum(s.special GLOB 'm*'), "
     "sum(p.x / 180 = p.chunk_x), sum(p.y BETWEEN 0 AND 179) FROM piece p JOIN v_special s "
     "ON s.world = p.world AND s.chunk_x = p.chunk_x AND s.chunk_y = p.chunk_y AND s.number = "
     "p.special_number WHERE p.rotation < 4 AND p.z <= 0",
     "140|140|140|140|140;"},
    {"SELECT count(*), sum(id GLOB 'j[0-4]'), sum(side BETWEEN 0 AND 5), max(special_number) "
     "FROM piece_join WHERE world = 'w' AND chunk_x = 0",
     "50|50|50|6;"},
    {"SELECT kind, count(*), sum(x BETWEEN chunk_x * 180 - 180 AND chunk_x * 180 + 359) FROM "
     "placement GROUP BY kind ORDER BY kind",
     "t8:building|80|80;t7:special|18|18;"},
    {"SELECT count(*), count(city) FROM placement WHERE chunk_x = 1 AND kind = 'building'",
     "40|40;"},
    {"SELECT count(*) FROM placement p JOIN v_city c ON c.world = p.world AND c.chunk_x = "
     "p.chunk_x AND c.name = p.city WHERE kind = 'building'",
     "80;"}};

enum { PACK_QUERIES = sizeof pack_queries / sizeof pack_queries[0] };

START_TEST(test_packs)
{
    rows r = {.stop_at = -1};
    add_chunks();
    for (size_t i = 0; i < PACK_QUERIES; i++) {
        ck_assert_msg(run(&r, pack_queries[i].sql, 0, 0) == PTL_OK, "%s: %s",
                      pack_queries[i].sql, err.message);
        ck_assert_msg(strcmp(r.text, pack_queries[i].text) == 0, "%s: %s", pack_queries[i].sql,
                      r.text);
    }
    ck_assert_int_eq(run(&r, "DELETE FROM building", 0, 0), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(run(&r, "INSERT INTO building (id) VALUES ('x')", 0, 0), PTL_ERR_ARGUMENT);
}
END_TEST

/* A damaged pack is an error that names the chunk; the others can be read. */
START_TEST(test_damaged_pack)
{
    rows r = {.stop_at = -1};
    add_chunks();
    fixture_damage(&f, "UPDATE pack SET data = substr(data, 1, 9) WHERE id = 16");
    ck_assert_int_eq(run(&r, "SELECT count(*) FROM building", 0, 0), PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(err.message, "chunk 1,0") != NULL, "%s", err.message);
    ck_assert_int_eq(run(&r, "SELECT count(*) FROM building WHERE chunk_x = 0", 0, 0), PTL_OK);
    ck_assert_str_eq(r.text, "40;");
}
END_TEST

/* ---- parameters ---- */

#define TEXT(name, text)                                                                       \
    {                                                                                          \
        name,                                                                                  \
        {                                                                                      \
            PTL_VALUE_TEXT, 0, 0, text, sizeof text - 1                                        \
        }                                                                                      \
    }

static const ptl_query_parameter PARAMETERS[] = {
    TEXT("id", "it's \";-- \0x"), /* with a NUL */
    {"n", {PTL_VALUE_INTEGER, INT64_MIN, 0, NULL, 0}},
    {"r", {PTL_VALUE_REAL, 0, 0.5, NULL, 0}},
    {"none", {PTL_VALUE_NULL, 0, 0, NULL, 0}},
    {"b", {PTL_VALUE_BLOB, 0, 0, "ab", 2}},
    {"empty", {PTL_VALUE_BLOB, 0, 0, NULL, 0}},
};

static ptl_status ask_with(rows *r, const char *sql, const ptl_query_parameter *parameters,
                           size_t count, ptl_query_reading reading)
{
    const ptl_query_options options = {.size = sizeof options,
                                       .on_row = add_row,
                                       .payload = r,
                                       .reading = reading,
                                       .parameters = parameters,
                                       .parameter_count = count};
    r->text[0] = '\0';
    r->count = 0;
    return ptl_query(f.store, sql, &options, &err);
}

START_TEST(test_parameters)
{
    static const ptl_query_reading readings[] = {PTL_QUERY_AUTO, PTL_QUERY_DIRECT,
                                                 PTL_QUERY_SNAPSHOT};
    rows r = {.stop_at = -1};
    for (int i = 0; i < 3; i++) {
        ck_assert_msg(ask_with(&r,
                               "SELECT hex(:id), typeof(@n), $n, :r, $none, @b, "
                               "typeof($empty), ':id'",
                               PARAMETERS, 6, readings[i]) == PTL_OK,
                      "%s", err.message);
        ck_assert_str_eq(r.text, "t24:6974277320223B2D2D2000"
                                 "78|t7:integer|-9223372036854775808|0.5|NULL|b2:ab|t4:blob|"
                                 "t3::id;");
    }
    /* With its sign only that one is meant; those without a name go by their number. */
    const ptl_query_parameter signs[] = {TEXT(":a", "1"), TEXT("@a", "2"), TEXT("$a", "3")};
    ck_assert_int_eq(ask_with(&r, "SELECT :a || @a || $a", signs, 3, PTL_QUERY_AUTO), PTL_OK);
    ck_assert_str_eq(r.text, "t3:123;");
    const ptl_query_parameter numbers[] = {TEXT("2", "b"), TEXT("?1", "a")};
    ck_assert_int_eq(ask_with(&r, "SELECT ? || ?", numbers, 2, PTL_QUERY_AUTO), PTL_OK);
    ck_assert_int_eq(ask_with(&r, "SELECT ?1 || ?2", numbers, 2, PTL_QUERY_AUTO), PTL_OK);
    ck_assert_str_eq(r.text, "t2:ab;");
}
END_TEST

START_TEST(test_wrong_parameters)
{
    static const struct {
        const char *sql, *message;
        ptl_query_parameter parameters[2];
        size_t count;
    } cases[] = {
        {"SELECT :id, :other", "the parameter :other has no value", {TEXT("id", "x")}, 1},
        {"SELECT :id", "the parameter :id has no value", {TEXT("id", "x")}, 0},
        {"SELECT ?, ?", "the parameter ?2 has no value", {TEXT("1", "a")}, 1},
        {"SELECT 1", "the statement has no parameter 'id'", {TEXT("id", "x")}, 1},
        {"SELECT @id",
         "the statement has no parameter ':id'",
         {TEXT("@id", "a"), TEXT(":id", "")},
         2},
        {"SELECT :id",
         "the parameter 'id' is given twice",
         {TEXT(":id", "a"), TEXT("id", "x")},
         2},
        {"SELECT ?", "the statement has no parameter '0'", {TEXT("1", "a"), TEXT("0", "")}, 2},
        {"SELECT ?", "the statement has no parameter ''", {TEXT("1", "a"), TEXT("", "")}, 2},
        {"SELECT ':id'", "the statement has no parameter 'id'", {TEXT("id", "x")}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rows r = {.stop_at = -1};
        ck_assert_int_eq(
            ask_with(&r, cases[i].sql, cases[i].parameters, cases[i].count, PTL_QUERY_AUTO),
            PTL_ERR_ARGUMENT);
        ck_assert_str_eq(err.message, cases[i].message);
        ck_assert_int_eq(r.count, 0);
    }
    /* Names of columns are told without values. */
    char names[20] = "";
    ck_assert_int_eq(ptl_query_column_list(f.store, "SELECT :id AS a", add_name, names, &err),
                     PTL_OK);
    ck_assert_str_eq(names, "a,");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("query");
    TCase *tc = tcase_create("query");
    tcase_set_timeout(tc, 30);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_values);
    tcase_add_test(tc, test_views);
    tcase_add_loop_test(tc, test_allowed, 0, sizeof allowed / sizeof allowed[0]);
    tcase_add_loop_test(tc, test_refused, 0, sizeof refused / sizeof refused[0]);
    tcase_add_test(tc, test_limits);
    tcase_add_test(tc, test_byte_limit);
    tcase_add_test(tc, test_columns);
    tcase_add_test(tc, test_beside_a_writer);
    tcase_add_test(tc, test_packs);
    tcase_add_test(tc, test_damaged_pack);
    tcase_add_test(tc, test_parameters);
    tcase_add_test(tc, test_wrong_parameters);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
