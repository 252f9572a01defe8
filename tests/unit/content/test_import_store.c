/* What an import writes, and that it writes all of it or nothing. */
#include "codec/compress.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "unit/content/content_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char scratch[64], content[96], database[96];
static ptl_store *store;

static void open_store(ptl_open_mode mode)
{
    ptl_open_options options = {.size = sizeof options, .mode = mode};
    ptl_error err;
    ck_assert_msg(ptl_store_open(&store, database, &options, &err) == PTL_OK, "%s",
                  err.message);
}

static void setup(void)
{
    make_scratch(scratch);
    snprintf(content, sizeof content, "%s/content", scratch);
    snprintf(database, sizeof database, "%s/w.db", scratch);
    ck_assert_int_eq(mkdir(content, 0755), 0);
    open_store(PTL_OPEN_CREATE);
}

static void teardown(void)
{
    ptl_store_close(store);
    remove_scratch(scratch);
}

static void import_ok(ptl_import_report *report)
{
    import_run run;
    import_one(&run, store, content);
    ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
    if (report)
        *report = run.report;
    import_run_dispose(&run);
}

/* All rows of a query as text, columns joined by '|', rows by a newline. */
static void expect_rows(const char *sql, const char *wanted)
{
    stmt *s = NULL;
    ptl_error err;
    bytes rows;
    bytes_init(&rows);
    memset(&err, 0, sizeof err);
    ck_assert_msg(stmt_prepare(&s, store, sql, &err) == PTL_OK, "%s", err.message);
    for (bool row = true; row;) {
        ck_assert_msg(stmt_step(s, &row, &err) == PTL_OK, "%s", err.message);
        if (row)
            bytes_printf(&rows, "%s\n", stmt_text(s, 0));
    }
    stmt_free(s);
    ck_assert_str_eq(bytes_text(&rows), wanted);
    bytes_dispose(&rows);
}

static const char three_objects[] =
    "[ { \"type\": \"snippet\", \"id\": \"s\" },\n"
    "  { \"type\": \"recipe\" },\n"
    "  { \"type\": \"mapgen\", \"om_terrain\": [ [ \"a\", \"b\" ], [ \"a\", \"a\" ] ], \"//\": "
    "1,\n"
    "    \"object\": { \"fill_ter\": \"null\", \"flags\": [ \"//1\": \"x\", \"y\" ] } } ]\n";

START_TEST(kept_objects_are_found_by_name)
{
    put_file(content, "x/a.json", three_objects);
    put_file(content, "b.json", "{ \"type\": \"MIGRATION\", \"id\": [ \"p\", \"q\", \"p\" ] }");
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    import_ok(&report);
    ck_assert_uint_eq(report.kept, 3);
    ck_assert_uint_eq(report.skipped, 1);
    ck_assert_uint_eq(report.objects, 4);
    expect_rows("SELECT name || '|' || key || '|' || type || '|' || line FROM kept_name"
                " JOIN kept_object ON object_id = kept_object.id ORDER BY name",
                "a|om_terrain|mapgen|3\nb|om_terrain|mapgen|3\np|id|MIGRATION|1\n"
                "q|id|MIGRATION|1\ns|id|snippet|1\n");
    expect_rows("SELECT type || '|' || objects || '|' || treatment FROM content_type_count"
                " ORDER BY type",
                "MIGRATION|1|kept\nmapgen|1|kept\nrecipe|1|skipped\nsnippet|1|kept\n");
    expect_rows("SELECT position || '|' || id || '|' || file_count || '|' || object_count"
                " FROM content_pack",
                "0|content|2|4\n");
    expect_rows("SELECT is_current || '|' || file_count || '|' || object_count FROM content",
                "1|2|4\n");
}
END_TEST

/* Damage is seen, whatever byte it hits (or it hit a bit that zstd has no use for), and a wrong
 * size before memory is taken for it. */
static void check_damage(compressor *c, const void *frame, size_t frame_size,
                         const bytes *texts)
{
    uint8_t *bad = malloc(frame_size);
    bytes damaged;
    size_t seen = 0;
    ck_assert_ptr_nonnull(bad);
    bytes_init(&damaged);
    for (size_t i = 0; i < frame_size; i++) {
        memcpy(bad, frame, frame_size);
        bad[i] ^= 1;
        bytes_clear(&damaged);
        ptl_status status = decompressor_run(c, &damaged, bad, frame_size, texts->size, NULL);
        bool same = status == PTL_OK && damaged.size == texts->size &&
                    memcmp(damaged.data, texts->data, texts->size) == 0;
        ck_assert(same || status == PTL_ERR_CORRUPT);
        seen += status == PTL_ERR_CORRUPT;
    }
    ck_assert_uint_gt(seen, frame_size - 4);
    ck_assert_int_eq(decompressor_run(c, &damaged, frame, frame_size, (size_t)1 << 40, NULL),
                     PTL_ERR_CORRUPT);
    ck_assert_int_eq(decompressor_run(c, &damaged, frame, frame_size - 1, texts->size, NULL),
                     PTL_ERR_CORRUPT);
    bytes_dispose(&damaged);
    free(bad);
}

START_TEST(kept_texts_come_back)
{
    static const char wanted[] =
        "{ \"type\": \"mapgen\", \"om_terrain\": [ [ \"a\", \"b\" ], [ \"a\", \"a\" ] ],"
        " \"//\": 1,\n    \"object\": { \"fill_ter\": \"null\", \"flags\": [             \"y\" "
        "] } }";
    stmt *s = NULL;
    bool row = false;
    put_file(content, "a.json", three_objects);
    import_ok(NULL);
    ck_assert_int_eq(stmt_prepare(&s, store,
                                  "SELECT texts, kept_file.size, start, kept_object.size"
                                  " FROM kept_object JOIN kept_file ON file_id = kept_file.id"
                                  " WHERE type = 'mapgen'",
                                  NULL),
                     PTL_OK);
    ck_assert_int_eq(stmt_step(s, &row, NULL), PTL_OK);
    ck_assert(row);
    size_t size, whole = (size_t)stmt_int(s, 1);
    const void *blob = stmt_blob(s, 0, &size);
    compressor *c = compressor_new();
    bytes texts;
    bytes_init(&texts);
    ck_assert_int_eq(decompressor_run(c, &texts, blob, size, whole, NULL), PTL_OK);
    ck_assert_uint_eq(sizeof wanted - 1, (size_t)stmt_int(s, 3));
    ck_assert_int_eq(memcmp(texts.data + stmt_int(s, 2), wanted, sizeof wanted - 1), 0);
    check_damage(c, blob, size, &texts);
    compressor_free(c);
    bytes_dispose(&texts);
    stmt_free(s);
}
END_TEST

START_TEST(same_content_changes_nothing)
{
    ptl_import_report first = PTL_IMPORT_REPORT_INIT, second = PTL_IMPORT_REPORT_INIT;
    put_file(content, "a.json", three_objects);
    import_ok(&first);
    ck_assert(!first.unchanged);
    ptl_store_close(store);
    char *before = get_file(database);
    open_store(PTL_OPEN_WRITE);
    put_file(content, "a.json", "[]");
    put_file(content, "moved.json", three_objects);
    import_ok(&second);
    ck_assert(second.unchanged);
    ck_assert_str_eq(first.digest, second.digest);
    expect_rows("SELECT path FROM kept_file WHERE path LIKE '%moved%'", "");
    ptl_store_close(store);
    char *after = get_file(database);
    ck_assert_int_eq(memcmp(before, after, 100), 0); /* the header holds a change counter */
    free(before);
    free(after);
    open_store(PTL_OPEN_WRITE);
}
END_TEST

/* As a migration leaves it: content that a program of an older schema imported. */
START_TEST(older_content_is_filled_up)
{
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    put_file(content, "a.json",
             "[ { \"type\": \"overmap_special_migration\", \"id\": \"s\" },\n"
             "  { \"type\": \"monstergroup\", \"id\": \"G\", \"monsters\": [] } ]\n");
    import_ok(NULL);
    ptl_error err = {0};
    ck_assert_int_eq(sqlite_exec(store,
                                 "DELETE FROM special_migration; DELETE FROM monstergroup;"
                                 "DELETE FROM content_schema; DELETE FROM content_checksum",
                                 &err),
                     PTL_OK);
    ck_assert_int_eq(content_checksum_write(store, &err), PTL_OK);
    import_ok(&report);
    ck_assert(!report.unchanged);
    expect_rows("SELECT old_id FROM special_migration", "s\n");
    expect_rows("SELECT id FROM monstergroup", "G\n");
    expect_rows("SELECT count(*) || '|' || max(id) FROM content", "1|1\n");
    import_ok(&report);
    ck_assert(report.unchanged);
}
END_TEST

START_TEST(a_former_content_gets_its_row_again)
{
    put_file(content, "a.json", three_objects);
    import_ok(NULL);
    put_file(content, "a.json", "[ { \"type\": \"gate\", \"id\": \"g\" } ]");
    import_ok(NULL);
    expect_rows("SELECT id || '|' || is_current FROM content ORDER BY id", "1|0\n2|1\n");
    expect_rows("SELECT name FROM kept_name", "g\n");
    expect_rows("SELECT content_id FROM content_pack ORDER BY 1", "1\n2\n");
    put_file(content, "a.json", three_objects);
    import_ok(NULL);
    expect_rows("SELECT id || '|' || is_current FROM content ORDER BY id", "1|1\n2|0\n");
    expect_rows("SELECT DISTINCT content_id FROM kept_file", "1\n");
    expect_rows("SELECT count(*) FROM pragma_foreign_key_check", "0\n");
}
END_TEST

START_TEST(bad_content_changes_nothing)
{
    put_file(content, "a.json", three_objects);
    import_ok(NULL);
    put_file(content, "b.json", "[ { \"type\": \"gate\", \"id\": \"g\" }, { \"id\": \"h\" } ]");
    import_run run;
    import_one(&run, store, content);
    ck_assert_int_eq(run.status, PTL_ERR_CONTENT);
    ck_assert_uint_eq(run.report.errors, 1);
    ck_assert_ptr_nonnull(
        strstr(run.err.message, "b.json:1:34: h: JS105: an object without a"));
    import_run_dispose(&run);
    expect_rows("SELECT count(*) FROM content", "1\n");
    expect_rows("SELECT name FROM kept_name ORDER BY 1", "a\nb\ns\n");
}
END_TEST

START_TEST(check_touches_no_store)
{
    put_file(content, "a.json", three_objects);
    import_run run;
    const char *directory = content;
    memset(&run, 0, sizeof run);
    run.options = (ptl_import_options){.size = sizeof(ptl_import_options),
                                       .directories = &directory,
                                       .directory_count = 1,
                                       .check = true};
    run_import(&run, store);
    ck_assert_int_eq(run.status, PTL_OK);
    import_run_dispose(&run);
    expect_rows("SELECT count(*) FROM content", "0\n");
}
END_TEST

START_TEST(a_read_only_store_is_refused)
{
    put_file(content, "a.json", three_objects);
    ptl_store_close(store);
    open_store(PTL_OPEN_READ);
    import_run run;
    import_one(&run, store, content);
    ck_assert_int_eq(run.status, PTL_ERR_READONLY);
    import_run_dispose(&run);
}
END_TEST

START_TEST(warnings_are_recorded)
{
    put_file(content, "a.json",
             "[ { \"type\": \"gate\", \"id\": \"g\", \"x\": 1,\n\"x\": 2 } ]");
    import_ok(NULL);
    expect_rows("SELECT kind || '|' || line || '|' || \"column\" || '|' || object_id || '|' ||"
                " message FROM content_issue",
                "warning|2|1|g|JS103: repeated key 'x': the last one counts\n");
    put_file(content, "a.json", three_objects);
    import_ok(NULL);
    expect_rows("SELECT substr(message, 1, 6) FROM content_issue ORDER BY 1",
                "MG005:\nMG303:\nMG303:\n"); /* the flag, 'a' and 'b' */
}
END_TEST

Suite *store_suite(void)
{
    Suite *suite = suite_create("import store");
    TCase *tc = tcase_create("store");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, kept_objects_are_found_by_name);
    tcase_add_test(tc, kept_texts_come_back);
    tcase_add_test(tc, same_content_changes_nothing);
    tcase_add_test(tc, older_content_is_filled_up);
    tcase_add_test(tc, a_former_content_gets_its_row_again);
    tcase_add_test(tc, bad_content_changes_nothing);
    tcase_add_test(tc, check_touches_no_store);
    tcase_add_test(tc, a_read_only_store_is_refused);
    tcase_add_test(tc, warnings_are_recorded);
    suite_add_tcase(suite, tc);
    return suite;
}
