/* Opening: which files are ours, statements, transactions, locks. */
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/schema/schema_check.h"
#include "support/suite.h"
#include "support/test_folder.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64], path[96];
static ptl_error err;
static ptl_store *store;

static void setup(void)
{
    test_folder(dir, sizeof dir);
    snprintf(path, sizeof path, "%s/w.ptl", dir);
    memset(&err, 0, sizeof err);
    store = NULL;
}

static void teardown(void)
{
    char command[128];
    ptl_store_close(store);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
}

static ptl_status open_as(ptl_open_mode mode)
{
    const ptl_open_options options = {.size = sizeof options,
                                      .mode = mode,
                                      .busy_timeout_ms = 300,
                                      .writers = PTL_WRITERS_SHARED};
    ptl_store_close(store);
    store = NULL;
    return ptl_store_open(&store, path, &options, &err);
}

static void create(void)
{
    ck_assert_msg(open_as(PTL_OPEN_CREATE) == PTL_OK, "%s", err.message);
}

static int64_t number(const char *sql)
{
    int64_t n = -1;
    ck_assert_msg(sqlite_pragma_int(store, sql, &n, &err) == PTL_OK, "%s: %s", sql,
                  err.message);
    return n;
}

static void exec(const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

static void write_file(const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert(file != NULL);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    fclose(file);
}

START_TEST(test_create)
{
    create();
    ck_assert_str_eq(ptl_store_path(store), path);
    ck_assert_int_eq(number("PRAGMA application_id"), 0x50544c4e);
    ck_assert_int_eq(number("PRAGMA user_version"), migrate_last_version());
    ck_assert_int_eq(number("PRAGMA page_size"), 2048);
    ck_assert_int_eq(number("PRAGMA foreign_keys"), 1);
    ck_assert_int_eq(number("PRAGMA synchronous"), 2);
    ck_assert_int_eq(number("PRAGMA secure_delete"), 0);
    ck_assert_int_eq(number("PRAGMA trusted_schema"), 0);
    ck_assert_int_eq(number("PRAGMA cell_size_check"), 1);
    ck_assert_int_eq(number("PRAGMA journal_mode = TRUNCATE"), 0); /* text: 'truncate' */
    for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++)
        ck_assert_msg(open_as((ptl_open_mode)mode) == PTL_OK, "%s", err.message);
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ck_assert_int_eq(ptl_verify(&counts, store, NULL, NULL, &err), PTL_OK);
    ck_assert_uint_eq(counts.problems, 0);
}
END_TEST

START_TEST(test_missing)
{
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(open_as(PTL_OPEN_WRITE), PTL_ERR_NOT_FOUND);
    ck_assert_int_ne(access(path, F_OK), 0);
    strcpy(path, dir);
    ck_assert_int_eq(open_as(PTL_OPEN_CREATE), PTL_ERR_FORMAT);
    snprintf(path, sizeof path, "%s/no/such/w.ptl", dir);
    ck_assert_int_eq(open_as(PTL_OPEN_CREATE), PTL_ERR_IO);
    path[0] = '\0';
    ck_assert_int_eq(open_as(PTL_OPEN_CREATE), PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(store);
}
END_TEST

START_TEST(test_other_files)
{
    static const char text[] =
        "This is a text of more than a hundred bytes, which nobody would "
        "take for a database, not even for a damaged one: it is English.";
    for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++) {
        write_file(text, sizeof text);
        ck_assert_int_eq(open_as((ptl_open_mode)mode), PTL_ERR_FORMAT);
        ck_assert_int_eq(err.status, PTL_ERR_FORMAT);
    }
    write_file("", 0);
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_ERR_FORMAT);
    ck_assert_int_eq(open_as(PTL_OPEN_WRITE), PTL_ERR_FORMAT);
    ck_assert_int_eq(open_as(PTL_OPEN_CREATE), PTL_OK);
    ptl_store_close(store);
    ck_assert_int_eq(ptl_store_open(&store, path, NULL, NULL), PTL_OK);
}
END_TEST

START_TEST(test_other_databases)
{
    create();
    exec("PRAGMA application_id = 7");
    for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++)
        ck_assert_int_eq(open_as((ptl_open_mode)mode), PTL_ERR_FORMAT);
    unlink(path);
    create();
    exec("PRAGMA application_id = 0");
    ck_assert_int_eq(open_as(PTL_OPEN_CREATE), PTL_ERR_FORMAT);
}
END_TEST

START_TEST(test_newer)
{
    create();
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", migrate_last_version() + 1);
    exec(sql);
    for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++) {
        ck_assert_int_eq(open_as((ptl_open_mode)mode), PTL_ERR_NEWER);
        ck_assert(strstr(err.message, "newer") != NULL);
    }
}
END_TEST

/* Files of drafts are refused, with what reads them. */
START_TEST(test_drafts)
{
    char sql[64];
    for (int version = 1; version < SCHEMA_FIRST; version++) {
        ck_assert_int_eq(open_as(PTL_OPEN_CREATE), PTL_OK);
        snprintf(sql, sizeof sql, "PRAGMA user_version = %d", version);
        exec(sql);
        for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++) {
            ck_assert_int_eq(open_as((ptl_open_mode)mode), PTL_ERR_FORMAT);
            ck_assert_msg(strstr(err.message, "e4bf7e6b is the last that reads it") != NULL,
                          "%s", err.message);
        }
        unlink(path);
    }
}
END_TEST

/* What one of several processes does that find no file; the exit code says how it went. */
static void create_and_exit(void)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_CREATE, .wait_ms = 60000};
    ptl_store *mine = NULL;
    ptl_status status = ptl_store_open(&mine, path, &options, &err);
    if (status != PTL_OK)
        fprintf(stderr, "%s\n", err.message);
    ptl_store_close(mine);
    _exit(status == PTL_OK ? 0 : 1);
}

START_TEST(test_creating_together)
{
    enum { PROCESSES = 6, ROUNDS = 24 };
    for (int round = 0; round < ROUNDS; round++) {
        pid_t pids[PROCESSES];
        unlink(path);
        for (int i = 0; i < PROCESSES; i++) {
            pids[i] = fork();
            ck_assert_int_ge(pids[i], 0);
            if (pids[i] == 0)
                create_and_exit();
        }
        for (int i = 0; i < PROCESSES; i++) {
            int state = 1;
            waitpid(pids[i], &state, 0);
            ck_assert_int_eq(state, 0);
        }
    }
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_OK);
}
END_TEST

START_TEST(test_statements)
{
    stmt *s = NULL;
    bool row;
    size_t size;
    create();
    ck_assert_int_eq(stmt_prepare(&s, store, "SELECT nothing FROM nowhere", &err),
                     PTL_ERR_INTERNAL);
    ck_assert_ptr_null(s);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(stmt_prepare(&s, store, "SELECT ?1, ?2, ?3, ?4, ?5", &err), PTL_OK);
    for (int pass = 0; pass < 2; pass++) {
        stmt_bind_int(s, 1, INT64_MIN);
        stmt_bind_double(s, 2, 0.5);
        stmt_bind_text(s, 3, "text");
        stmt_bind_blob(s, 4, NULL, 0);
        ck_assert(stmt_step(s, &row, &err) == PTL_OK && row);
        ck_assert(stmt_int(s, 0) == INT64_MIN && stmt_double(s, 1) == 0.5);
        ck_assert_str_eq(stmt_text(s, 2), "text");
        stmt_blob(s, 3, &size);
        ck_assert_uint_eq(size, 0);
        ck_assert(!stmt_is_null(s, 3) && stmt_is_null(s, 4));
        ck_assert_str_eq(stmt_text(s, 4), "");
        ck_assert(stmt_step(s, &row, &err) == PTL_OK && !row);
    }
    stmt_bind_int(s, 6, 1); /* no such parameter: told at the step */
    ck_assert_int_ne(stmt_run(s, &err), PTL_OK);
    stmt_free(s);
    stmt_free(NULL);
}
END_TEST

START_TEST(test_transactions)
{
    create();
    ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
    exec("PRAGMA user_version = 1");
    ops(store)->transaction->rollback(store);
    ck_assert_int_eq(number("PRAGMA user_version"), migrate_last_version());
    ops(store)->transaction->rollback(store); /* without one: nothing happens */
    ck_assert_int_eq(ops(store)->transaction->begin_read(store, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->transaction->commit(store, &err), PTL_OK);
}
END_TEST

/* Several lookups see one state, and leave the caller's transaction alone. */
START_TEST(test_lookups)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_WRITE, .writers = PTL_WRITERS_SHARED};
    ptl_store *other;
    bool own, inner;
    create();
    ck_assert_int_eq(ptl_store_open(&other, path, &options, &err), PTL_OK);
    for (int pass = 0; pass < 3; pass++) {
        ck_assert_int_eq(ops(store)->transaction->begin_lookups(store, &own, &err), PTL_OK);
        ck_assert(own);
        const int64_t before = number("SELECT count(*) FROM name");
        ck_assert_int_eq(ops(other)->transaction->begin(other, &err),
                         PTL_OK); /* a reader is no hindrance */
        ck_assert_int_eq(sqlite_exec(other,
                                     "INSERT INTO name (name, checksum) "
                                     "SELECT 'n' || count(*), 0 FROM name",
                                     &err),
                         PTL_OK);
        ck_assert_int_eq(ops(store)->transaction->begin_lookups(store, &inner, &err), PTL_OK);
        ck_assert(!inner);
        ops(store)->transaction->end_snapshot(store, inner);
        ck_assert_int_eq(number("SELECT count(*) FROM name"), before);
        ops(store)->transaction->end_snapshot(store, own);
        ck_assert_int_eq(ops(other)->transaction->commit(other, &err), PTL_OK);
        ck_assert_int_eq(number("SELECT count(*) FROM name"), before + 1);
    }
    ptl_store_close(other);
    /* Inside a write transaction, which stays open. */
    ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->transaction->begin_lookups(store, &own, &err), PTL_OK);
    ck_assert(!own);
    ops(store)->transaction->end_snapshot(store, own);
    exec("DELETE FROM name");
    ck_assert_int_eq(ops(store)->transaction->commit(store, &err), PTL_OK);
    ck_assert_int_eq(number("SELECT count(*) FROM name"), 0);
}
END_TEST

START_TEST(test_busy)
{
    const ptl_open_options options = {.size = sizeof options,
                                      .mode = PTL_OPEN_WRITE,
                                      .busy_timeout_ms = 50,
                                      .writers = PTL_WRITERS_SHARED};
    ptl_store *other;
    create();
    ck_assert_int_eq(ptl_store_open(&other, path, &options, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
    ck_assert_int_eq(ops(other)->transaction->begin(other, &err), PTL_ERR_BUSY);
    ck_assert_int_eq(err.backend_code & 0xff, SQLITE_BUSY);
    ck_assert_int_eq(ops(store)->transaction->commit(store, &err), PTL_OK);
    ck_assert_int_eq(ops(other)->transaction->begin(other, NULL), PTL_OK);
    ptl_store_close(other);
}
END_TEST

START_TEST(test_read_only)
{
    create();
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_OK);
    ck_assert_int_eq(sqlite_exec(store, "DELETE FROM chunk", NULL), PTL_ERR_READONLY);
    if (geteuid() != 0) { /* root may write everything */
        chmod(path, 0444);
        ck_assert_int_eq(open_as(PTL_OPEN_WRITE), PTL_ERR_READONLY);
    }
}
END_TEST

/* A process that dies while it writes leaves a hot journal: reading rolls it back. */
START_TEST(test_killed_writer)
{
    create();
    ptl_store_close(store);
    store = NULL;
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        ptl_store *mine = NULL;
        if (ptl_store_open(&mine, path, NULL, NULL) != PTL_OK)
            _exit(2);
        sqlite_exec(mine, "PRAGMA cache_size = 1; PRAGMA cache_spill = 1", NULL);
        ops(mine)->transaction->begin(mine, NULL);
        sqlite_exec(mine,
                    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE "
                    "i < 3000) INSERT INTO oter SELECT i, printf('%0200d', i), 0 FROM n",
                    NULL);
        _exit(0); /* without a commit, without closing */
    }
    int state = 1;
    waitpid(pid, &state, 0);
    ck_assert_int_eq(state, 0);
    char journal[128];
    struct stat info;
    snprintf(journal, sizeof journal, "%s-journal", path);
    ck_assert(stat(journal, &info) == 0 && info.st_size > 0);
    ck_assert_msg(open_as(PTL_OPEN_READ) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(number("SELECT count(*) FROM oter"), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("store");
    TCase *tc = tcase_create("open");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_create);
    tcase_add_test(tc, test_missing);
    tcase_add_test(tc, test_other_files);
    tcase_add_test(tc, test_other_databases);
    tcase_add_test(tc, test_newer);
    tcase_add_test(tc, test_drafts);
    tcase_add_test(tc, test_creating_together);
    tcase_add_test(tc, test_statements);
    tcase_add_test(tc, test_transactions);
    tcase_add_test(tc, test_lookups);
    tcase_add_test(tc, test_busy);
    tcase_add_test(tc, test_read_only);
    tcase_add_test(tc, test_killed_writer);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
