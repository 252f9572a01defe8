/*
 * Queries beside a writer: no commit waits for a query, and each answer is of one moment. One
 * store reads, another one of the same process writes, from the query's own callbacks or from a
 * second thread: a commit that had to wait would fail, or take long.
 */
#include "os/clock.h"
#include "portolan/query.h"
#include "store/sqlite/file/snapshot.h"
#include "support/suite.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Rows, each with what table run says; and one that takes longer than a query may read. */
#define ROWS                                                                                   \
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 40) "          \
    "SELECT i, (SELECT command FROM run WHERE id = 1) FROM n"
static const char COUNT_SLOWLY[] =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) "
    "SELECT count(*), sum(i), (SELECT command FROM run WHERE id = 1) FROM n";

static fixture f;
static ptl_store *reader, *writer;
static ptl_error err;

static void setup(void)
{
    const ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_READ};
    fixture_open(&f);
    ck_assert_int_eq(sqlite_exec(f.store, "UPDATE run SET command = 'old'", &err), PTL_OK);
    ptl_store_close(f.store);
    f.store = NULL;
    ck_assert_int_eq(ptl_store_open(&reader, f.path, &options, &err), PTL_OK);
}

static void open_writer(void)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_WRITE, .busy_timeout_ms = 3000};
    ck_assert_msg(ptl_store_open(&writer, f.path, &options, &err) == PTL_OK, "%s", err.message);
}

static void teardown(void)
{
    ptl_store_close(writer);
    ptl_store_close(reader);
    writer = reader = NULL;
    fixture_close(&f);
}

typedef struct asked {
    uint64_t rows, snapshots, progress;
    int64_t last, sum;      /* of the first column */
    bool mixed;             /* not all rows are of the same moment, or one has come twice */
    char command[8];        /* what the rows say */
    uint64_t at_row;        /* a writer is opened then, and commits; 0: never */
    bool stop, wrote, slow; /* slow: the caller takes its time with rows */
    atomic_bool committed;  /* by a thread */
    double longest;         /* of the commits' waits; seconds */
} asked;

static void commit_one(asked *a)
{
    const double start = clock_seconds();
    ptl_error why = {0};
    a->wrote = sqlite_exec(writer, "UPDATE run SET command = 'new'", &why) == PTL_OK;
    const double took = clock_seconds() - start;
    if (took > a->longest)
        a->longest = took;
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    asked *a = payload;
    const ptl_value *text = &values[columns - 1];
    (void)names;
    a->rows++;
    a->mixed |= a->rows > 1 && (values[0].integer != a->last + 1 ||
                                strncmp(a->command, text->text, text->size) != 0);
    snprintf(a->command, sizeof a->command, "%.*s", (int)text->size, text->text);
    a->last = values[0].integer;
    a->sum += values[0].integer;
    if (a->rows == a->at_row)
        open_writer();
    if (a->slow)
        clock_sleep(10);
    return true;
}

static bool on_snapshot(void *payload, const ptl_query_snapshot *now)
{
    asked *a = payload;
    a->progress++;
    if (now->ready)
        a->snapshots++;
    return !a->stop;
}

static ptl_status ask(asked *a, const char *sql, ptl_query_reading reading)
{
    const ptl_query_options options = {.size = sizeof options,
                                       .on_row = on_row,
                                       .on_snapshot = on_snapshot,
                                       .payload = a,
                                       .reading = reading};
    return ptl_query(reader, sql, &options, &err);
}

/* Nobody writes: the file itself is asked, and rows come as they are found. */
START_TEST(test_alone)
{
    asked a = {0};
    ck_assert_int_eq(ask(&a, ROWS, PTL_QUERY_AUTO), PTL_OK);
    ck_assert_uint_eq(a.rows, 40);
    ck_assert_uint_eq(a.progress, 0);
    ck_assert_int_eq(a.sum, 820);
}
END_TEST

START_TEST(test_asked_for)
{
    asked a = {0};
    ck_assert_int_eq(ask(&a, ROWS, PTL_QUERY_SNAPSHOT), PTL_OK);
    ck_assert_uint_eq(a.rows, 40);
    ck_assert_uint_eq(a.snapshots, 1);
    a = (asked){.stop = true};
    ck_assert_int_eq(ask(&a, ROWS, PTL_QUERY_SNAPSHOT), PTL_ERR_CANCELLED);
    ck_assert_uint_eq(a.rows, 0);
    open_writer(); /* one that writes itself asks its file */
    const ptl_query_options options = {.size = sizeof options,
                                       .on_snapshot = on_snapshot,
                                       .payload = &a,
                                       .reading = PTL_QUERY_SNAPSHOT};
    ck_assert_int_eq(ptl_query(writer, "SELECT 1", &options, &err), PTL_OK);
    ck_assert_uint_eq(a.progress, 1);
}
END_TEST

/* What is quick asks the file, and has let go of it when the first row is given. */
static bool commit_in_row(void *payload, size_t columns, const char *const *names,
                          const ptl_value *values)
{
    asked *a = payload;
    (void)columns;
    (void)names;
    a->rows++;
    a->mixed |= values[0].type != PTL_VALUE_INTEGER || values[0].integer != (int64_t)a->rows ||
                values[1].type != PTL_VALUE_TEXT || values[1].size != 3 ||
                strcmp(values[1].text, "old") != 0 || values[2].type != PTL_VALUE_BLOB ||
                values[2].size != 2 || memcmp(values[2].text, "\0\1", 2) != 0 ||
                values[3].type != PTL_VALUE_NULL || values[4].real != 0.5;
    commit_one(a);
    return a->wrote;
}

START_TEST(test_quick)
{
    asked a = {0};
    const ptl_query_options options = {.size = sizeof options,
                                       .on_row = commit_in_row,
                                       .on_snapshot = on_snapshot,
                                       .payload = &a,
                                       .row_limit = 3};
    open_writer();
    ck_assert_int_eq(ptl_query(reader,
                               "SELECT value, (SELECT command FROM run), x'0001', NULL, 0.5 "
                               "FROM json_each('[1,2,3]')",
                               &options, &err),
                     PTL_OK);
    ck_assert(a.rows == 3 && !a.mixed && a.progress == 0 && a.wrote);
    ck_assert(a.longest < 2);
}
END_TEST

/* A limit is passed: the rows before it are given, as without a writer. */
START_TEST(test_limits)
{
    asked a = {0};
    ptl_query_options options = {
        .size = sizeof options, .on_row = on_row, .payload = &a, .row_limit = 2};
    open_writer();
    ck_assert_int_eq(
        ptl_query(reader, "SELECT value, 'a' FROM json_each('[1,2,3]')", &options, &err),
        PTL_ERR_LIMIT);
    ck_assert_str_eq(err.message, "more than 2 rows");
    ck_assert_uint_eq(a.rows, 2);
    a = (asked){0};
    ck_assert_int_eq(ask(&a,
                         "SELECT abs(value), 'a' FROM json_each('[1,2,"
                         "-9223372036854775808]')",
                         PTL_QUERY_AUTO),
                     PTL_ERR_ARGUMENT);
    ck_assert_uint_eq(a.rows, 2);
    options = (ptl_query_options){
        .size = sizeof(ptl_query_options), .time_limit = 0.4, .folder = f.dir};
    ck_assert_int_eq(ptl_query(reader,
                               "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 "
                               "FROM n) SELECT max(i) FROM n",
                               &options, &err),
                     PTL_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "time limit"));
}
END_TEST

static void *commit_beside(void *payload)
{
    asked *a = payload;
    clock_sleep(20);
    commit_one(a);
    atomic_store(&a->committed, true);
    return NULL;
}

/* Beside a commit: whoever gets the file first, the other one does not wait for long. */
static void ask_beside(asked *a, const char *sql, ptl_query_reading reading)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, commit_beside, a), 0);
    ck_assert_msg(ask(a, sql, reading) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_msg(a->wrote && a->longest < 2, "wrote %d, waited for %.2f s", a->wrote,
                  a->longest);
    ck_assert(!a->mixed);
    ck_assert_uint_eq(a->snapshots, 1);
}

START_TEST(test_long)
{
    asked a = {0};
    open_writer();
    ask_beside(&a, COUNT_SLOWLY, PTL_QUERY_AUTO);
    ck_assert(a.rows == 1 && a.last == 3000000);
}
END_TEST

/* More than what is kept of rows: the rest is not read from the file. */
START_TEST(test_many_rows)
{
    asked a = {0};
    open_writer();
    ck_assert_int_eq(ask(&a,
                         "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n "
                         "WHERE i < 50000) SELECT i, 'a' FROM n",
                         PTL_QUERY_AUTO),
                     PTL_OK);
    ck_assert(a.rows == 50000 && a.last == 50000 && !a.mixed);
    ck_assert_uint_eq(a.snapshots, 1);
}
END_TEST

/* The writer comes when rows have been given: the others are of the same moment, once each. */
START_TEST(test_writer_comes)
{
    asked a = {.at_row = 5, .slow = true};
    ck_assert_msg(ask(&a, ROWS, PTL_QUERY_AUTO) == PTL_OK, "%s", err.message);
    ck_assert(a.rows == 40 && a.last == 40 && a.sum == 820 && !a.mixed);
    ck_assert_uint_eq(a.snapshots, 1);
    ck_assert_str_eq(a.command, "old");
    commit_one(&a);
    ck_assert(a.wrote);
}
END_TEST

/* With random() the same rows don't come again: the file is asked on. */
START_TEST(test_not_repeatable)
{
    asked a = {.at_row = 5, .slow = true};
    ck_assert_msg(ask(&a, ROWS " WHERE random() IS NOT NULL", PTL_QUERY_AUTO) == PTL_OK, "%s",
                  err.message);
    ck_assert(a.rows == 40 && !a.mixed);
    ck_assert_uint_eq(a.snapshots, 0);
}
END_TEST

static int entries(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static bool count_entries(void *payload, const ptl_query_snapshot *now)
{
    (void)now;
    *(int *)payload = entries(f.dir);
    return true;
}

/* Nothing stands in the folder, not even while it is copied. */
START_TEST(test_folder_of_snapshot)
{
    int during = -1;
    const int before = entries(f.dir);
    ptl_query_options options = {.size = sizeof options,
                                 .reading = PTL_QUERY_SNAPSHOT,
                                 .folder = f.dir,
                                 .on_snapshot = count_entries,
                                 .payload = &during};
    ck_assert_int_eq(ptl_query(reader, "SELECT 1", &options, &err), PTL_OK);
    ck_assert_int_eq(during, before);
    ck_assert_int_eq(entries(f.dir), before);
    options.folder = "/nowhere/at/all";
    ck_assert_int_eq(ptl_query(reader, "SELECT 1", &options, &err), PTL_ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "/nowhere/at/all"));
}
END_TEST

START_TEST(test_no_room)
{
    const ptl_query_options options = {
        .size = sizeof options, .reading = PTL_QUERY_SNAPSHOT, .folder = f.dir};
    struct statvfs disk;
    ck_assert_int_eq(statvfs(f.dir, &disk), 0);
    const off_t size = (off_t)(disk.f_bavail * disk.f_frsize) + ((off_t)1 << 33);
    if (truncate(f.path, size) != 0) /* a hole */
        return;
    ck_assert_int_eq(ptl_query(reader, "SELECT 1", &options, &err), PTL_ERR_IO);
    ck_assert_msg(strstr(err.message, "has no room for it: it takes ") != NULL, "%s",
                  err.message);
}
END_TEST

/* In WAL mode nobody waits, and nothing is copied. */
START_TEST(test_wal)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_WRITE, .journal = PTL_JOURNAL_WAL};
    asked a = {.at_row = 0};
    ptl_store_close(reader);
    ck_assert_int_eq(ptl_store_open(&writer, f.path, &options, &err), PTL_OK);
    ck_assert_int_eq(ptl_store_open(&reader, f.path,
                                    &(ptl_open_options){.size = sizeof(ptl_open_options),
                                                        .mode = PTL_OPEN_READ},
                                    &err),
                     PTL_OK);
    ck_assert_int_eq(ask(&a, ROWS, PTL_QUERY_AUTO), PTL_OK);
    ck_assert_int_eq(ask(&a, "SELECT 41, 'old'", PTL_QUERY_SNAPSHOT), PTL_OK);
    ck_assert(a.rows == 41 && a.progress == 0 && !a.mixed);
}
END_TEST

/* Who holds one moment already, by a transaction, goes on with that one. */
START_TEST(test_in_a_transaction)
{
    ptl_store *snapshot;
    bool own;
    open_writer();
    ck_assert_int_eq(ops(reader)->transaction->begin_snapshot(reader, &own, &err), PTL_OK);
    ck_assert(own);
    ck_assert_int_eq(snapshot_if_wanted(&snapshot, reader, &err), PTL_OK);
    ck_assert_ptr_null(snapshot);
    ops(reader)->transaction->end_snapshot(reader, own);
    ck_assert_int_eq(snapshot_if_wanted(&snapshot, reader, &err), PTL_OK);
    ck_assert_ptr_nonnull(snapshot);
    ptl_store_close(snapshot);
}
END_TEST

/* verify reads a snapshot, too. */
START_TEST(test_verify)
{
    ptl_verify_counts alone = PTL_VERIFY_COUNTS_INIT, beside = PTL_VERIFY_COUNTS_INIT;
    ptl_store *snapshot = NULL;
    ck_assert_int_eq(snapshot_if_wanted(&snapshot, reader, &err), PTL_OK);
    ck_assert_ptr_null(snapshot);
    ck_assert_int_eq(ptl_verify(&alone, reader, NULL, NULL, &err), PTL_OK);
    open_writer();
    ck_assert_int_eq(snapshot_if_wanted(&snapshot, reader, &err), PTL_OK);
    ck_assert_ptr_nonnull(snapshot);
    ck_assert_int_eq(ops(snapshot)->transaction->begin_read(snapshot, &err), PTL_OK);
    asked a = {0};
    commit_one(&a);
    ck_assert(a.wrote && a.longest < 2);
    ptl_store_close(snapshot);
    ck_assert_int_eq(ptl_verify(&beside, reader, NULL, NULL, &err), PTL_OK);
    ck_assert_uint_eq(alone.problems, beside.problems);
    ck_assert_uint_eq(alone.chunks, beside.chunks);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("snapshot");
    TCase *tc = tcase_create("queries");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_alone);
    tcase_add_test(tc, test_asked_for);
    tcase_add_test(tc, test_quick);
    tcase_add_test(tc, test_limits);
    tcase_add_test(tc, test_long);
    tcase_add_test(tc, test_many_rows);
    tcase_add_test(tc, test_writer_comes);
    tcase_add_test(tc, test_not_repeatable);
    tcase_add_test(tc, test_folder_of_snapshot);
    tcase_add_test(tc, test_no_room);
    tcase_add_test(tc, test_wal);
    tcase_add_test(tc, test_in_a_transaction);
    tcase_add_test(tc, test_verify);
    suite_add_tcase(s, tc);
    return suite_run(s);
}
