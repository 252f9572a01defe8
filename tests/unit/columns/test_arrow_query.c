/*
 * Streams over queries (ptl_arrow_query_stream): which types columns get, batches that end by
 * long texts, parameters, and writers that come while a stream is open.
 */
#include "core/hash.h"
#include "support/arrow_check.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_error err;

static void ok(ptl_status status)
{
    ck_assert_msg(status == PTL_OK, "%s", err.message);
}

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    ptl_store_close(store);
    world_file_remove(path);
}

static const char *const numbers =
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) ";

/* Opens a stream over `select`, which may use the numbers n.i from 0 to 99. */
static ptl_status open_numbers(struct ArrowArrayStream *out, const char *select, uint32_t rows)
{
    char sql[1000];
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    o.batch_rows = rows;
    snprintf(sql, sizeof sql, "%sSELECT %s FROM n", numbers, select);
    return ptl_arrow_query_stream(out, store, sql, NULL, &o, &err);
}

START_TEST(columns_get_the_types_of_the_first_batch)
{
    static const struct {
        const char *select, *formats;
        int code; /* what the batch after the first ten rows gives; -1: the stream does not
                   * open */
    } cases[] = {
        {"i, i / 2.0, 'a' || i, CAST(i AS BLOB), NULL", "lguzu", 0},
        {"iif(i < 5, NULL, i), iif(i % 2, NULL, 1.5), iif(i < 9, NULL, x'00')", "lgz", 0},
        {"iif(i = 9, 0.5, i)", "g", 0},
        {"iif(i < 9, 0.5, i)", "g", 0},
        {"iif(i = 9, 'text', i)", "u", -1},
        {"iif(i = 9, 7, 'text')", "u", -1},
        {"iif(i = 9, 0.5, 'text')", "u", -1},
        {"iif(i = 9, x'00', 'text')", "u", -1},
        {"iif(i = 9, 'text', x'00')", "z", -1},
        {"iif(i = 9, x'00', 0.5)", "g", -1},
        {"iif(i < 10, i, NULL)", "l", 0},
        {"iif(i < 10, i, 'text')", "l", EINVAL},
        {"iif(i < 10, i, 0.5)", "l", EINVAL},
        {"iif(i < 10, 0.5, i)", "g", 0},
        {"iif(i < 10, 'text', i / 4.0)", "u", EINVAL},
        {"iif(i < 10, 'text', x'61')", "u", EINVAL},
        {"iif(i < 10, x'61', 'text')", "z", EINVAL},
        {"iif(i < 10, NULL, i)", "u", EINVAL},
        {"iif(i < 10, 'text', CAST(x'ff' AS TEXT))", "u", EINVAL},
        {"iif(i < 10, 'text', CAST(x'c3a4f09f8c8a' AS TEXT))", "u", 0},
        {"'', x''", "uz", 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct ArrowArrayStream stream;
        struct ArrowSchema schema;
        struct ArrowArray batch;
        arrow_rows rows = {0};
        const ptl_status status = open_numbers(&stream, cases[c].select, 10);
        if (cases[c].code == -1) {
            ck_assert_msg(status == PTL_ERR_ARGUMENT, "%s: %d", cases[c].select, status);
            ck_assert_ptr_nonnull(strstr(err.message, "iif"));
            continue;
        }
        ok(status);
        ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
        arrow_check_schema(&rows, &schema);
        schema.release(&schema);
        ck_assert_uint_eq(rows.columns, strlen(cases[c].formats));
        ck_assert_msg(memcmp(rows.formats, cases[c].formats, rows.columns) == 0, "%s: %.*s",
                      cases[c].select, (int)rows.columns, rows.formats);
        ck_assert_int_eq(stream.get_next(&stream, &batch), 0);
        arrow_check_batch(&rows, &batch);
        ck_assert_int_eq(batch.length, 10);
        batch.release(&batch);
        const int code = stream.get_next(&stream, &batch);
        ck_assert_msg(code == cases[c].code, "%s: %d", cases[c].select, code);
        if (code == 0)
            batch.release(&batch);
        else
            ck_assert_ptr_nonnull(strstr(stream.get_last_error(&stream), "iif"));
        stream.release(&stream);
        arrow_rows_dispose(&rows);
    }
}
END_TEST

/* Integers become the numbers that SQLite's CAST gives. */
START_TEST(values_survive_a_wider_type)
{
    static const char *const pairs[][2] = {
        {"iif(i = 97, 0.5, iif(i % 3, i, NULL))",
         "iif(i % 3 OR i = 97, iif(i = 97, 0.5, CAST(i AS REAL)), NULL)"},
        {"iif(i = 0, 0.5, i - 70)", "iif(i = 0, 0.5, CAST(i - 70 AS REAL))"},
    };
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
        struct ArrowArrayStream stream;
        arrow_rows wide, cast;
        ok(open_numbers(&stream, pairs[p][0], 0));
        arrow_read(&wide, &stream);
        ok(open_numbers(&stream, pairs[p][1], 0));
        arrow_read(&cast, &stream);
        arrow_compare(&wide, &cast, pairs[p][0]);
        arrow_rows_dispose(&wide);
        arrow_rows_dispose(&cast);
    }
}
END_TEST

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    uint64_t hash = 0;
    (void)names;
    for (size_t i = 0; i < columns; i++)
        hash = arrow_hash_value(hash, &values[i]);
    arrow_rows_add(payload, hash);
    return true;
}

START_TEST(rows_are_those_of_the_query)
{
    rng r = rng_from_key(5);
    for (int seed = 0; seed < test_seeds(40); seed++) {
        char sql[1000];
        struct ArrowArrayStream stream;
        arrow_rows got, plain = {0};
        ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
        const int32_t rows = rng_range(&r, 0, 3000);
        o.batch_rows = rng_below(&r, 2) ? 1 + rng_below(&r, 500) : 0;
        snprintf(
            sql, sizeof sql,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, "
            "iif(i * 7919 %% %d = 1, NULL, hex(i)), iif(i = 1 OR i %% %d = 0, i * 0.1, NULL), "
            "iif(i %% 5 = 0, NULL, CAST(substr('%s', 1, i %% 9) AS BLOB)) "
            "FROM n LIMIT %d",
            rng_range(&r, 1, 9), rng_range(&r, 1, 40), "longer text", rows);
        const ptl_query_options q = {.size = sizeof q, .on_row = on_row, .payload = &plain};
        ok(ptl_query(store, sql, &q, &err));
        ok(ptl_arrow_query_stream(&stream, store, sql, NULL, &o, &err));
        arrow_read(&got, &stream);
        if (o.batch_rows > 0)
            ck_assert_uint_eq(got.batches, (plain.count + o.batch_rows - 1) / o.batch_rows);
        ck_assert_uint_eq(plain.count, (size_t)rows);
        arrow_compare(&got, &plain, sql);
        arrow_rows_dispose(&got);
        arrow_rows_dispose(&plain);
    }
}
END_TEST

START_TEST(long_texts_end_a_batch)
{
    struct ArrowArrayStream stream;
    arrow_rows rows;
    ok(open_numbers(&stream, "hex(zeroblob(1900000)), x'00'", 0));
    arrow_read(&rows, &stream);
    ck_assert_uint_eq(rows.count, 100);
    ck_assert_uint_ge(rows.batches, 6);
    ck_assert_uint_le(rows.largest, (64 << 20) / 3800000 + 1);
    arrow_rows_dispose(&rows);
}
END_TEST

START_TEST(parameters_are_copied)
{
    char name[] = "id", text[] = "some text";
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    ptl_query_parameter given[] = {
        {name, {.type = PTL_VALUE_TEXT, .text = text, .size = 9}},
        {":n", {.type = PTL_VALUE_INTEGER, .integer = 3}},
    };
    ptl_query_options q = PTL_QUERY_OPTIONS_INIT;
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    q.parameters = given;
    q.parameter_count = 2;
    o.batch_rows = 1;
    q.reading = PTL_QUERY_SNAPSHOT;
    ok(ptl_arrow_query_stream(&stream, store,
                              "SELECT :id, :n UNION ALL SELECT :id || '!', :n + 1 ORDER BY 2",
                              &q, &o, &err));
    memset(name, 'x', sizeof name);
    memset(text, 'y', sizeof text);
    memset(given, 0, sizeof given);
    ck_assert_int_eq(stream.get_next(&stream, &batch), 0);
    batch.release(&batch);
    ck_assert_int_eq(stream.get_next(&stream, &batch), 0);
    const int32_t *offsets = batch.children[0]->buffers[1];
    ck_assert_int_eq(offsets[1], 10);
    ck_assert_int_eq(memcmp(batch.children[0]->buffers[2], "some text!", 10), 0);
    batch.release(&batch);
    stream.release(&stream);
}
END_TEST

START_TEST(wrong_queries_are_refused)
{
    static const char *const wrong[] = {"SELEC",
                                        "DELETE FROM chunk",
                                        "",
                                        "SELECT 1; SELECT 2",
                                        "SELECT ?1",
                                        "SELECT nothing FROM v_world",
                                        "SELECT CAST(x'ff' AS TEXT)"};
    struct ArrowArrayStream stream;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memset(&err, 0, sizeof err);
        ck_assert_msg(ptl_arrow_query_stream(&stream, store, wrong[i], NULL, NULL, &err) ==
                          PTL_ERR_ARGUMENT,
                      "%s", wrong[i]);
        ck_assert_uint_gt(strlen(err.message), 0);
        ck_assert(!stream.release);
    }
    const ptl_query_options q = {.size = sizeof q, .on_row = on_row};
    ck_assert_int_eq(ptl_arrow_query_stream(&stream, store, "SELECT 1", &q, NULL, &err),
                     PTL_ERR_ARGUMENT);
    const ptl_query_options few = {.size = sizeof few, .row_limit = 20};
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    struct ArrowArray batch;
    o.batch_rows = 20;
    char sql[300];
    snprintf(sql, sizeof sql, "%sSELECT i FROM n", numbers);
    ok(ptl_arrow_query_stream(&stream, store, sql, &few, &o, &err));
    ck_assert_int_eq(stream.get_next(&stream, &batch), 0);
    batch.release(&batch);
    ck_assert_int_eq(stream.get_next(&stream, &batch), EOVERFLOW);
    stream.release(&stream);
}
END_TEST

static int64_t count_worlds(ptl_store *from)
{
    arrow_rows rows = {0};
    const ptl_query_options q = {.size = sizeof q, .on_row = on_row, .payload = &rows};
    ok(ptl_query(from, "SELECT world FROM v_world", &q, &err));
    const int64_t count = (int64_t)rows.count;
    arrow_rows_dispose(&rows);
    return count;
}

/* A stream that has given its first batch shows the file as it was, whoever writes it. */
START_TEST(writers_come_while_a_stream_is_open)
{
    const ptl_open_options read = {
        .size = sizeof read, .mode = PTL_OPEN_READ, .busy_timeout_ms = 500};
    ptl_store *reader;
    ok(ptl_store_open(&reader, path, &read, &err));
    for (int i = 0; i < 3; i++) {
        static const ptl_query_reading readings[] = {PTL_QUERY_SNAPSHOT, PTL_QUERY_DIRECT,
                                                     PTL_QUERY_AUTO};
        char name[20];
        struct ArrowArrayStream stream;
        struct ArrowArray batch;
        ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
        ptl_query_options q = PTL_QUERY_OPTIONS_INIT;
        ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
        o.batch_rows = 1;
        q.reading = readings[i];
        const int64_t before = count_worlds(store);
        int64_t seen = 0;
        ok(ptl_arrow_query_stream(
            &stream, reader, "SELECT world FROM v_world CROSS JOIN (SELECT 1 UNION SELECT 2)",
            &q, &o, &err));
        ck_assert_int_eq(stream.get_next(&stream, &batch), 0);
        batch.release(&batch);
        seen++;
        snprintf(name, sizeof name, "new%d", i);
        if (i == 0) /* the snapshot leaves the file free */
            ok(ptl_world_create(store, name, &settings, &err));
        while (stream.get_next(&stream, &batch) == 0 && batch.release) {
            batch.release(&batch);
            seen++;
        }
        stream.release(&stream);
        ck_assert_int_eq(seen, 2 * before);
        if (i > 0)
            ok(ptl_world_create(store, name, &settings, &err));
        ck_assert_int_eq(count_worlds(store), before + 1);
    }
    ptl_store_close(reader);
}
END_TEST

static void *write_world(void *payload)
{
    const ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_store *writer = world_file_open(path, "w", 42);
    ptl_error failure = {0};
    ck_assert_msg(ptl_world_create(writer, "late", &settings, &failure) == PTL_OK, "%s",
                  failure.message);
    ptl_store_close(writer);
    atomic_store((atomic_bool *)payload, true);
    return NULL;
}

/* A writer that waits for a stream goes on as soon as the consumer asks for a batch again. */
START_TEST(streams_let_writers_pass)
{
    const ptl_open_options read = {.size = sizeof read, .mode = PTL_OPEN_READ};
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    static atomic_bool done;
    ptl_store *reader;
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    pthread_t thread;
    o.batch_rows = 1;
    ok(ptl_store_open(&reader, path, &read, &err));
    ok(ptl_arrow_query_stream(
        &stream, reader,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT "
        "3000) SELECT i, (SELECT count(*) FROM v_world) FROM n",
        NULL, &o, &err));
    ck_assert_int_eq(pthread_create(&thread, NULL, write_world, &done), 0);
    int64_t seen = 0;
    bool passed = false;
    while (stream.get_next(&stream, &batch) == 0 && batch.release) {
        seen++;
        ck_assert_int_eq(*(const int64_t *)batch.children[0]->buffers[1], seen);
        ck_assert_int_eq(*(const int64_t *)batch.children[1]->buffers[1], 1);
        batch.release(&batch);
        passed = passed || atomic_load(&done);
        if (!passed)
            nanosleep(&moment, NULL);
    }
    ck_assert(passed);
    ck_assert_int_eq(seen, 3000);
    stream.release(&stream);
    pthread_join(thread, NULL);
    ck_assert_int_eq(count_worlds(reader), 2);
    ptl_store_close(reader);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrow_query");
    TCase *queries = tcase_create("queries");
    tcase_set_timeout(queries, 600);
    tcase_add_checked_fixture(queries, set_up, tear_down);
    tcase_add_test(queries, columns_get_the_types_of_the_first_batch);
    tcase_add_test(queries, values_survive_a_wider_type);
    tcase_add_test(queries, rows_are_those_of_the_query);
    tcase_add_test(queries, long_texts_end_a_batch);
    tcase_add_test(queries, parameters_are_copied);
    tcase_add_test(queries, wrong_queries_are_refused);
    tcase_add_test(queries, writers_come_while_a_stream_is_open);
    tcase_add_test(queries, streams_let_writers_pass);
    suite_add_tcase(suite, queries);
    return suite_run(suite);
}
