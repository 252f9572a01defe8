/*
 * The way of migrations, by one that was made up (tests/files/migration): a whole file, with
 * its rows damaged, the migration stopped and its process killed at every write. What it
 * answers afterwards is for tests/cli/test_versions.py.
 */
#include "portolan/portolan.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/schema/schema_check.h"
#include "support/fault/shim_vfs.h"
#include "support/older_file.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[WORLD_PATH_SIZE];
static char *older; /* the file of the older schema; owned */
static size_t older_size;
static ptl_error err;

static void shell(const char *format, const char *a, const char *b)
{
    char command[1200];
    ck_assert_int_lt(snprintf(command, sizeof command, format, a, b), (int)sizeof command);
    ck_assert_msg(system(command) == 0, "%s", command);
}

/* The whole file; new. */
static char *content(size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*size + 1);
    ck_assert_ptr_nonnull(data);
    ck_assert_uint_eq(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

static void setup(void)
{
    ptl_chunk *chunk = NULL;
    world_file_path(path);
    memset(&err, 0, sizeof err);
    ptl_store *store = world_file_open(path, "w", 12);
    ptl_world *world = world_file_world(store, "w");
    for (int32_t x = 0; x < 2; x++) {
        ck_assert_msg(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){x, 0}, &err) == PTL_OK, "%s",
                      err.message);
        ptl_chunk_free(chunk);
    }
    ptl_world_close(world);
    ptl_store_close(store);
    const char *problem = older_file(path);
    ck_assert_msg(problem == NULL, "%s", problem);
    older = content(&older_size);
}

static void teardown(void)
{
    free(older);
    world_file_remove(path);
}

/* The older file takes the place of what is there. */
static void unpack(void)
{
    FILE *file = fopen(path, "wb");
    ck_assert(file && fwrite(older, 1, older_size, file) == older_size && fclose(file) == 0);
}

static ptl_status migrate_now(ptl_migrate_options *options, ptl_migrate_report *report)
{
    memset(&err, 0, sizeof err);
    return ptl_migrate(report, path, options, &err);
}

static bool same_content(const char *data, size_t size)
{
    size_t now_size;
    char *now = content(&now_size);
    bool same = now_size == size && memcmp(now, data, size) == 0;
    free(now);
    return same;
}

/* Runs SQL over the file behind Portolan's back. */
static void damage(const char *sql)
{
    sqlite3 *db;
    char *message = NULL;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, "PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL) ==
                          SQLITE_OK &&
                      sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK,
                  "%s: %s", sql, message ? message : "");
    sqlite3_close(db);
}

static int64_t ask(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *s = NULL;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK &&
                      sqlite3_step(s) == SQLITE_ROW,
                  "%s: %s", sql, sqlite3_errmsg(db));
    int64_t n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return n;
}

static uint64_t problems(void)
{
    const ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_READ};
    ptl_store *store;
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    memset(&err, 0, sizeof err);
    ck_assert_msg(ptl_store_open(&store, path, &options, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_verify(&counts, store, NULL, NULL, &err) == PTL_OK, "%s", err.message);
    ptl_store_close(store);
    return counts.problems;
}

START_TEST(test_report)
{
    ptl_migrate_report report = PTL_MIGRATE_REPORT_INIT;
    ptl_migrate_options options = PTL_MIGRATE_OPTIONS_INIT;
    unpack();
    ck_assert_msg(migrate_now(NULL, &report) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(report.version, OLDER_VERSION);
    ck_assert_int_eq(report.now, migrate_last_version());
    ck_assert(!report.copied);
    ck_assert_uint_eq(problems(), 0);
    /* Again: nothing to do, and no copy of it. */
    options.backup = "/nowhere/at/all";
    ck_assert_msg(migrate_now(&options, &report) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(report.version, report.now);
    ck_assert(!report.copied);
}
END_TEST

/* All of sqlite_schema but for the pages, as one text. */
static const char schema_sql_of[] =
    "SELECT group_concat(type || name || tbl_name || ifnull(sql, ''), x'0a') FROM (SELECT * "
    "FROM sqlite_schema ORDER BY type, name)";

static void ask_text(char *out, size_t size, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *s = NULL;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK &&
                      sqlite3_step(s) == SQLITE_ROW,
                  "%s: %s", sql, sqlite3_errmsg(db));
    ck_assert_int_lt(snprintf(out, size, "%s", (const char *)sqlite3_column_text(s, 0)),
                     (int)size);
    sqlite3_finalize(s);
    sqlite3_close(db);
}

/* A migrated file and a new one have the same schema, letter by letter; rows stay as they are.
 */
START_TEST(test_same_schema)
{
    enum { ROOM = 1 << 18 };
    char *fresh = malloc(ROOM), *migrated = malloc(ROOM);
    ck_assert(fresh && migrated);
    const char *const surges = "SELECT group_concat(quote(x) || quote(ends)) FROM v_surge";
    unpack();
    ask_text(fresh, ROOM, schema_sql_of);
    ck_assert_ptr_null(strstr(fresh, "v_surge"));
    damage("INSERT INTO surge VALUES (1, 1, 2160, 2170, 60, 1260, 0)");
    ck_assert_msg(migrate_now(NULL, NULL) == PTL_OK, "%s", err.message);
    ask_text(migrated, ROOM, surges);
    ck_assert_str_eq(migrated, "21601260");
    ask_text(migrated, ROOM, schema_sql_of);
    unlink(path);
    ptl_store_close(world_file_open(path, "w", 12));
    ask_text(fresh, ROOM, schema_sql_of);
    ck_assert_str_eq(fresh, migrated);
    free(fresh);
    free(migrated);
}
END_TEST

/* Who only reads an older file reads a copy that is brought up to date. */
START_TEST(test_reading)
{
    const ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_READ};
    ptl_store *store;
    unpack();
    ck_assert_msg(ptl_store_open(&store, path, &options, &err) == PTL_OK, "%s", err.message);
    ck_assert_ptr_nonnull(ptl_store_private_copy(store));
    ck_assert_int_eq(ptl_store_private_copy(store)->version, OLDER_VERSION);
    ck_assert_int_eq(ptl_store_private_copy(store)->now, migrate_last_version());
    ck_assert_msg(ptl_query(store, "SELECT * FROM v_surge", NULL, &err) == PTL_OK, "%s",
                  err.message);
    ptl_store_close(store);
    ck_assert(same_content(older, older_size));
}
END_TEST

/* A table of definitions that was damaged before goes on being told so. */
START_TEST(test_damaged_definitions)
{
    unpack();
    damage("UPDATE overmap_terrain SET mondensity = mondensity + 1");
    ck_assert_msg(migrate_now(NULL, NULL) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(problems(), 1);
}
END_TEST

/* ---- refused ---- */

/* A file that says its version with tables of another kind. */
START_TEST(test_other_tables)
{
    static const char *const changes[] = {
        "ALTER TABLE run ADD COLUMN more TEXT",
        "ALTER TABLE oter RENAME COLUMN name TO id_text", "DROP TABLE crossing",
        "CREATE TABLE omt_spill (id)",
        ("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'CHECK', "
         "'check') WHERE name = 'chunk'")};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        size_t size;
        unpack();
        damage(changes[i]);
        char *before = content(&size);
        ptl_status status = migrate_now(NULL, NULL);
        ck_assert_msg(status == PTL_ERR_FORMAT || status == PTL_ERR_CORRUPT, "%s: %d %s",
                      changes[i], status, err.message);
        ck_assert_msg(same_content(before, size), "%s changed the file", changes[i]);
        free(before);
    }
}
END_TEST

/* What is not ours is refused before anything is written. */
START_TEST(test_hostile)
{
    static const char *const additions[] = {
        "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM chunk; END",
        "CREATE VIEW v_more AS SELECT load_extension('x')",
        "CREATE VIRTUAL TABLE f USING fts5(x)"};
    for (size_t i = 0; i < sizeof additions / sizeof additions[0]; i++) {
        size_t size;
        unpack();
        damage(additions[i]);
        char *before = content(&size);
        ck_assert_msg(migrate_now(NULL, NULL) != PTL_OK, "%s", additions[i]);
        ck_assert_msg(same_content(before, size), "%s: the file was changed", additions[i]);
        free(before);
    }
}
END_TEST

/* Plain tables and indexes that someone added stay, but for indexes of tables made anew. */
START_TEST(test_additions)
{
    unpack();
    damage("CREATE TABLE notes (x, y, note); INSERT INTO notes VALUES (1, 2, 'three');"
           "CREATE INDEX my_runs ON run (started)");
    ck_assert_msg(migrate_now(NULL, NULL) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(ask("SELECT count(*) FROM notes WHERE note = 'three'"), 1);
    ck_assert_int_eq(ask("SELECT count(*) FROM sqlite_schema WHERE name = 'my_runs'"), 1);
    ck_assert_uint_eq(problems(), 0);
}
END_TEST

/* Views that are made anew are dropped first, whatever a turned bit says of whose they are. (Of
 * another letter's case SQLite does not complain.) */
START_TEST(test_owners)
{
    unpack();
    damage("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET tbl_name = upper(tbl_name) "
           "WHERE type = 'view'");
    ck_assert_msg(migrate_now(NULL, NULL) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(problems(), 0);
}
END_TEST

/* ---- stopped ---- */

typedef struct stopper {
    uint64_t calls, stop_at;
    bool die;
} stopper;

static bool count_down(void *payload, const ptl_migrate_progress *now)
{
    stopper *s = payload;
    ck_assert(now->what != NULL && (now->total == 0 || now->done <= now->total));
    if (s->calls++ < s->stop_at)
        return true;
    if (s->die)
        _exit(9);
    return false;
}

START_TEST(test_stopped)
{
    for (uint64_t stop = 0; stop < 20; stop++) {
        size_t size;
        stopper s = {.stop_at = stop};
        ptl_migrate_options options = {
            .size = sizeof options, .on_progress = count_down, .payload = &s};
        unpack();
        char *before = content(&size);
        ptl_status status = migrate_now(&options, NULL);
        bool same = same_content(before, size);
        free(before);
        if (status == PTL_OK) {
            ck_assert_uint_eq(stop, (uint64_t)(migrate_last_version() - OLDER_VERSION));
            ck_assert_uint_eq(problems(), 0);
            return;
        }
        ck_assert_int_eq(status, PTL_ERR_CANCELLED);
        ck_assert(same);
    }
    ck_abort_msg("it never ended");
}
END_TEST

/* ---- killed at an operation on the file ---- */

typedef struct killer {
    int left;
} killer;

static int kill_later(void *payload, const shim_op *op, size_t *partial)
{
    killer *k = payload;
    (void)partial;
    bool counts = op->kind == SHIM_WRITE || op->kind == SHIM_SYNC ||
                  op->kind == SHIM_TRUNCATE || op->kind == SHIM_DELETE;
    if (counts && k->left-- == 0)
        _exit(9);
    return SQLITE_OK;
}

/* True if it died. */
static bool migrate_and_die(int operation)
{
    int state = 0;
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        killer k = {.left = operation};
        const shim_listener listener = {.payload = &k, .before = kill_later};
        if (shim_vfs_install(&listener) != SQLITE_OK)
            _exit(2);
        _exit(migrate_now(NULL, NULL) == PTL_OK ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert(WIFEXITED(state) && (WEXITSTATUS(state) == 9 || WEXITSTATUS(state) == 0));
    return WEXITSTATUS(state) == 9;
}

START_TEST(test_killed)
{
    const char *quick = getenv("PORTOLAN_QUICK"), *soak = getenv("PORTOLAN_SOAK_SEEDS");
    const int step = soak ? 1 : quick ? 8 : 2;
    const int64_t levels = ask("SELECT count(*) FROM level");
    int died = 0, old = 0;
    bool more = true;
    for (int operation = 0; more; operation += step) {
        ptl_migrate_report report = PTL_MIGRATE_REPORT_INIT;
        unpack();
        more = migrate_and_die(operation);
        died += more;
        ck_assert_msg(migrate_now(NULL, &report) == PTL_OK, "operation %d: %s", operation,
                      err.message);
        old += more && report.version == OLDER_VERSION;
        if (more && operation > 4 * step && operation % (8 * step) != 0)
            continue; /* checking takes longer than migrating */
        ck_assert_uint_eq(problems(), 0);
        ck_assert_int_eq(ask("SELECT count(*) FROM level"), levels);
    }
    /* Before its commit it was the old file each time. */
    ck_assert_msg(died >= 2 && old >= died - 2, "%d died, %d left the old version", died, old);
}
END_TEST

/* ---- a copy first ---- */

START_TEST(test_backup)
{
    char copy[WORLD_PATH_SIZE + 8];
    ptl_migrate_report report = PTL_MIGRATE_REPORT_INIT;
    ptl_migrate_options options = PTL_MIGRATE_OPTIONS_INIT;
    struct stat info;
    snprintf(copy, sizeof copy, "%s.old", path);
    options.backup = copy;
    unpack();
    damage("CREATE TABLE notes (x)");
    ck_assert_msg(migrate_now(&options, &report) == PTL_OK, "%s", err.message);
    ck_assert(report.copied && stat(copy, &info) == 0);
    /* There is something now: it is not touched, and nothing is migrated. */
    const off_t size = info.st_size;
    unpack();
    ck_assert_int_eq(migrate_now(&options, &report), PTL_ERR_EXISTS);
    ck_assert(stat(copy, &info) == 0 && info.st_size == size);
    ck_assert_int_eq(ask("PRAGMA user_version"), OLDER_VERSION);
    /* It is the file as it was. */
    shell("mv '%s' '%s'", copy, path);
    ck_assert_int_eq(ask("PRAGMA user_version"), OLDER_VERSION);
    ck_assert_int_eq(ask("SELECT count(*) FROM notes"), 0);
    ck_assert_msg(migrate_now(NULL, &report) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(problems(), 0);
}
END_TEST

START_TEST(test_arguments)
{
    ck_assert_int_eq(ptl_migrate(NULL, NULL, NULL, NULL), PTL_ERR_ARGUMENT);
    unlink(path);
    ck_assert_int_eq(migrate_now(NULL, NULL), PTL_ERR_NOT_FOUND);
    shell("printf nothing > '%s'", path, "");
    ck_assert_int_eq(migrate_now(NULL, NULL), PTL_ERR_FORMAT);
    unpack();
    damage("PRAGMA user_version = 10000");
    ck_assert_int_eq(migrate_now(NULL, NULL), PTL_ERR_NEWER);
    ck_assert(strstr(err.message, "newer Portolan") != NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("migrate");
    TCase *tc = tcase_create("migrate");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_report);
    tcase_add_test(tc, test_same_schema);
    tcase_add_test(tc, test_reading);
    tcase_add_test(tc, test_damaged_definitions);
    tcase_add_test(tc, test_other_tables);
    tcase_add_test(tc, test_hostile);
    tcase_add_test(tc, test_additions);
    tcase_add_test(tc, test_owners);
    tcase_add_test(tc, test_stopped);
    tcase_add_test(tc, test_killed);
    tcase_add_test(tc, test_backup);
    tcase_add_test(tc, test_arguments);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
