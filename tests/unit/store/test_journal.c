/* Journal modes: who checkpoints, what is left after a crash, the SQLite versions to beware of;
 * and waiting for readers, in both modes. */
#include "os/clock.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/file/open.h"
#include "support/fault/shim_vfs.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[WORLD_PATH_SIZE];
static ptl_error err;

static void setup(void)
{
    world_file_path(path);
    ptl_store_close(world_file_open(path, "w", 5));
    memset(&err, 0, sizeof err);
}

static void teardown(void)
{
    world_file_remove(path);
}

static ptl_status try_open(ptl_store **store, ptl_open_mode mode, ptl_journal journal)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = mode, .journal = journal, .busy_timeout_ms = 200};
    return ptl_store_open(store, path, &options, &err);
}

static ptl_store *open_as(ptl_open_mode mode, ptl_journal journal)
{
    ptl_store *store = NULL;
    ck_assert_msg(try_open(&store, mode, journal) == PTL_OK, "%s", err.message);
    return store;
}

static void assert_mode(ptl_store *store, ptl_journal mode)
{
    ptl_journal_info info = PTL_JOURNAL_INFO_INIT;
    ck_assert_int_eq(ptl_journal_info_load(&info, store, &err), PTL_OK);
    ck_assert_int_eq(info.mode, mode);
    ck_assert_str_eq(info.sqlite_version, sqlite3_libversion());
}

static int64_t number(ptl_store *store, const char *sql)
{
    int64_t n = -1;
    ck_assert_msg(sqlite_pragma_int(store, sql, &n, &err) == PTL_OK, "%s: %s", sql,
                  err.message);
    return n;
}

static void make_chunk(ptl_store *store, int32_t x)
{
    ptl_chunk *chunk = NULL;
    ptl_world *world = world_file_world(store, "w");
    ck_assert_msg(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){x, 0}, &err) == PTL_OK, "%s",
                  err.message);
    ptl_chunk_free(chunk);
    ptl_world_close(world);
}

/* The size of a file beside the world file; -1: there is none. */
static long size_of(const char *tail)
{
    char name[WORLD_PATH_SIZE + 16];
    struct stat info;
    snprintf(name, sizeof name, "%s%s", path, tail);
    return stat(name, &info) == 0 ? (long)info.st_size : -1;
}

START_TEST(versions_with_the_wal_reset_bug)
{
    static const struct {
        int version;
        bool bug;
    } cases[] = {{3006999, false}, {3007000, true},  {3040001, true},  {3044005, true},
                 {3044006, false}, {3044099, false}, {3045000, true},  {3050006, true},
                 {3050007, false}, {3050099, false}, {3051000, true},  {3051002, true},
                 {3051003, false}, {3052000, false}, {4000000, false}, {2000000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(journal_wal_reset_bug(cases[i].version) == cases[i].bug, "%d",
                      cases[i].version);
}
END_TEST

START_TEST(the_mode_stays_in_the_file)
{
    ptl_store *store = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    assert_mode(store, PTL_JOURNAL_TRUNCATE);
    ptl_store_close(store);
    store = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL);
    assert_mode(store, PTL_JOURNAL_WAL);
    ck_assert_int_eq(number(store, "PRAGMA synchronous"), 2);
    ptl_store_close(store);
    store = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    assert_mode(store, PTL_JOURNAL_WAL);
    make_chunk(store, 0);
    ptl_store_close(store);
    ck_assert_int_eq(size_of("-wal"), -1); /* the last to leave wrote it all back */
    store = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    assert_mode(store, PTL_JOURNAL_WAL);
    ptl_store_close(store);
    store = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_TRUNCATE);
    assert_mode(store, PTL_JOURNAL_TRUNCATE);
    ck_assert_int_eq(number(store, "SELECT count(*) FROM chunk"), 1);
    ptl_store_close(store);
    ck_assert_int_eq(size_of("-wal"), -1);
    ck_assert_int_eq(size_of("-shm"), -1);
}
END_TEST

START_TEST(wal_is_for_one_writer)
{
    ptl_open_options shared = {
        .size = sizeof shared, .mode = PTL_OPEN_WRITE, .writers = PTL_WRITERS_SHARED};
    ptl_store *store = NULL;
    shared.journal = PTL_JOURNAL_WAL;
    ck_assert_int_eq(ptl_store_open(&store, path, &shared, &err), PTL_ERR_ARGUMENT);
    ptl_store_close(open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL));
    for (int journal = PTL_JOURNAL_KEEP; journal <= PTL_JOURNAL_WAL; journal++) {
        shared.journal = (ptl_journal)journal;
        ck_assert_int_eq(ptl_store_open(&store, path, &shared, &err), PTL_ERR_ARGUMENT);
        ck_assert_msg(strstr(err.message, "WAL") != NULL, "%s", err.message);
    }
}
END_TEST

START_TEST(readers_keep_the_mode_as_it_is)
{
    ptl_store *store = NULL, *reader = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    ck_assert_int_eq(ops(reader)->transaction->begin_read(reader, &err), PTL_OK);
    ck_assert_int_eq(try_open(&store, PTL_OPEN_WRITE, PTL_JOURNAL_WAL), PTL_ERR_BUSY);
    ck_assert_int_eq(size_of("-lock"), -1); /* nor does the failure keep the lock */
    ptl_store_close(reader);
    ptl_store_close(open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL));
    reader = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    ck_assert_int_eq(number(reader, "SELECT count(*) FROM chunk"), 0);
    ck_assert_int_eq(try_open(&store, PTL_OPEN_WRITE, PTL_JOURNAL_TRUNCATE), PTL_ERR_BUSY);
    ck_assert_msg(strstr(err.message, "others have the file open") != NULL, "%s", err.message);
    ptl_store_close(reader);
    ptl_store_close(open_as(PTL_OPEN_WRITE, PTL_JOURNAL_TRUNCATE));
}
END_TEST

static bool count_row(void *payload, size_t columns, const char *const *names,
                      const ptl_value *values)
{
    (void)names;
    ck_assert_uint_eq(columns, 1);
    *(int64_t *)payload = values[0].integer;
    return true;
}

/* Readers see what was committed, hold nobody up, and write nothing back: not even the last
 * of them at its close. */
START_TEST(readers_never_checkpoint)
{
    ptl_store *writer = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL);
    ptl_store *reader = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    ck_assert_int_eq(ops(reader)->transaction->begin_read(reader, &err), PTL_OK);
    const long before = size_of("");
    for (int32_t x = 0; x < 4; x++)
        make_chunk(writer, x);
    ck_assert_int_eq(number(reader, "SELECT count(*) FROM chunk"), 0);
    ops(reader)->transaction->rollback(reader);
    ck_assert_int_eq(number(reader, "SELECT count(*) FROM chunk"), 4);
    int64_t queried = 0;
    ptl_query_options query = {.size = sizeof query, .on_row = count_row, .payload = &queried};
    ck_assert_int_eq(ptl_query(writer, "SELECT count(*) FROM chunk", &query, &err), PTL_OK);
    ck_assert_int_eq(queried, 4);
    const long wal = size_of("-wal");
    ck_assert_int_gt(wal, 0);
    ptl_store_close(reader);
    ck_assert_int_eq(size_of("-wal"), wal);
    ck_assert_int_eq(size_of(""), before);
    reader = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    ptl_store_close(writer); /* with a reader there, the log stays */
    ck_assert_int_eq(number(reader, "SELECT count(*) FROM chunk"), 4);
    ptl_store_close(reader);
    ck_assert_int_gt(size_of("-shm"), 0);
    writer = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    ck_assert_int_eq(number(writer, "SELECT count(*) FROM chunk"), 4);
    ptl_store_close(writer);
    ck_assert_int_eq(size_of("-wal"), -1);
}
END_TEST

/* What SQLite was told about checkpoints: pages between two, and whether closing makes one. */
static void assert_checkpoints(ptl_store *store, bool allowed)
{
    int none_closing = -1;
    ck_assert_int_eq(number(store, "PRAGMA wal_autocheckpoint") > 0, allowed);
    ck_assert_int_eq(
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, -1, &none_closing),
        SQLITE_OK);
    ck_assert_int_eq(none_closing, !allowed);
}

/* Only a connection that holds the lock alone, in WAL mode, may checkpoint: not a reader, and
 * not one that may become a writer later. */
START_TEST(who_may_checkpoint)
{
    ptl_store *store = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_TRUNCATE);
    assert_checkpoints(store, false);
    ptl_store_close(store);
    ptl_store *writer = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL);
    assert_checkpoints(writer, true);
    store = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    assert_checkpoints(store, false);
    ptl_store_close(store);
    ptl_store_close(writer);
    store = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_TRUNCATE);
    assert_checkpoints(store, false);
    ptl_store_close(store);
}
END_TEST

/* Five times as much as may be between two checkpoints; the log begins again after each. */
START_TEST(the_log_does_not_grow_for_ever)
{
    enum { BETWEEN = 4000 * 2048, COMMIT = BETWEEN / 10 };
    ptl_store *writer = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL);
    ck_assert_int_eq(sqlite_exec(writer, "CREATE TABLE filler (b)", &err), PTL_OK);
    for (int i = 0; i < 50; i++) {
        char sql[80];
        snprintf(sql, sizeof sql, "INSERT INTO filler VALUES (zeroblob(%d))", COMMIT);
        ck_assert_msg(sqlite_exec(writer, sql, &err) == PTL_OK, "%s", err.message);
        ck_assert_int_lt(size_of("-wal"), BETWEEN + 3 * COMMIT);
    }
    ck_assert_int_gt(size_of("-wal"), BETWEEN / 2);
    ptl_store_close(writer);
}
END_TEST

typedef struct closing {
    int writes, taken; /* of the file itself; and with the lock free */
} closing;

static int try_lock(void *payload, const shim_op *op, size_t *partial)
{
    closing *c = payload;
    const ptl_open_options alone = {.size = sizeof alone, .mode = PTL_OPEN_WRITE};
    const size_t length = strlen(op->path);
    (void)partial;
    if (op->kind != SHIM_WRITE || length < 4 || strcmp(op->path + length - 4, ".ptl") != 0)
        return SQLITE_OK;
    writer_lock lock = {.fd = -1};
    ptl_error refused = {0};
    c->writes++;
    if (writer_lock_take(&lock, op->path, &alone, &refused) == PTL_OK) {
        c->taken++;
        writer_lock_release(&lock);
    }
    return SQLITE_OK;
}

/* The log is written back at the end, too, under the lock: until the last page is there nobody
 * else may write. */
START_TEST(closing_writes_back_under_the_lock)
{
    closing c = {0, 0};
    const shim_listener listener = {&c, try_lock};
    ck_assert_int_eq(shim_vfs_install(&listener), SQLITE_OK);
    ptl_store *writer = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL);
    make_chunk(writer, 0);
    c = (closing){0, 0};
    ptl_store_close(writer);
    shim_vfs_remove();
    ck_assert_int_gt(c.writes, 10);
    ck_assert_int_eq(c.taken, 0);
    ck_assert_int_eq(size_of("-wal"), -1);
}
END_TEST

/* A writer of WAL is killed in the middle of a transaction; readers come first. */
START_TEST(killed_in_wal_mode)
{
    pid_t pid = fork();
    if (pid == 0) {
        ptl_store *mine = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL);
        make_chunk(mine, 0);
        make_chunk(mine, 1);
        sqlite_exec(mine, "PRAGMA cache_size = 1; PRAGMA cache_spill = 1", NULL);
        ops(mine)->transaction->begin(mine, NULL);
        sqlite_exec(mine, "UPDATE level SET omts = zeroblob(9000)", NULL);
        kill(getpid(), SIGKILL);
    }
    int state = 0;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert(WIFSIGNALED(state));
    const long wal = size_of("-wal"), file = size_of("");
    ck_assert_int_gt(wal, 0);
    for (int i = 0; i < 2; i++) {
        ptl_store *reader = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
        ck_assert_int_eq(number(reader, "SELECT count(*) FROM chunk"), 2);
        ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
        ck_assert_int_eq(ptl_verify(&counts, reader, NULL, NULL, &err), PTL_OK);
        ck_assert_uint_eq(counts.problems, 0);
        ptl_store_close(reader);
        ck_assert_int_eq(size_of("-wal"), wal);
        ck_assert_int_eq(size_of(""), file);
    }
    ptl_store *writer = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_TRUNCATE);
    ck_assert_int_eq(number(writer, "SELECT count(*) FROM chunk"), 2);
    ptl_store_close(writer);
    ck_assert_int_eq(size_of("-wal"), -1);
}
END_TEST

/* Readers of WAL write beside the file; where they can't, they have a copy. */
START_TEST(wal_in_a_read_only_directory)
{
    char folder[WORLD_PATH_SIZE];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    ptl_store *writer = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL);
    make_chunk(writer, 0);
    ptl_store_close(writer);
    pid_t pid = fork();
    if (pid == 0) {
        ptl_store *store = NULL;
        if (chmod(folder, 0555) != 0 || chmod(path, 0444) != 0)
            _exit(2);
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(3);
        if (access(path, R_OK) != 0)
            _exit(0); /* the scratch folder itself is closed to others */
        if (try_open(&store, PTL_OPEN_READ, PTL_JOURNAL_KEEP) != PTL_OK)
            _exit(4);
        const bool read =
            ptl_store_private_copy(store) && number(store, "SELECT count(*) FROM chunk") == 1;
        ptl_store_close(store);
        _exit(read ? 0 : 5);
    }
    int state = 1;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert_int_eq(chmod(folder, 0755), 0);
    ck_assert_int_eq(state, 0);
}
END_TEST

/* ---- readers that stay long ---- */

/* A process that reads for so long, in one transaction; it reads on return. */
static pid_t read_for(long ms)
{
    int ends[2];
    char byte = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        ptl_store *mine = open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
        ck_assert_int_eq(ops(mine)->transaction->begin_read(mine, &err), PTL_OK);
        ck_assert_int_eq(write(ends[1], "r", 1), 1);
        clock_sleep((int)ms);
        ops(mine)->transaction->rollback(mine);
        ptl_store_close(mine);
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return pid;
}

static void end_reader(pid_t pid)
{
    int state = 1;
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
}

typedef struct told {
    int progress, waits, stop_at_wait, stop_at_progress; /* 0: never */
    char whom[128];
} told;

static bool on_progress(void *payload, const ptl_progress *progress)
{
    told *t = payload;
    (void)progress;
    return ++t->progress != t->stop_at_progress;
}

static bool on_wait(void *payload, const ptl_wait *wait)
{
    told *t = payload;
    t->waits++;
    snprintf(t->whom, sizeof t->whom, "%s", wait->whom);
    return t->waits != t->stop_at_wait;
}

static ptl_status generate(told *t, bool progress, bool waits)
{
    const ptl_open_options open = {.size = sizeof open,
                                   .mode = PTL_OPEN_WRITE,
                                   .busy_timeout_ms = 200,
                                   .on_wait = waits ? on_wait : NULL,
                                   .payload = t};
    static const ptl_chunk_pos list[] = {{0, 0}, {1, 0}};
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    ptl_store *store = NULL;
    memset(&err, 0, sizeof err);
    ck_assert_msg(ptl_store_open(&store, path, &open, &err) == PTL_OK, "%s", err.message);
    ptl_world *world = world_file_world(store, "w");
    o.positions = list;
    o.position_count = 2;
    o.stop_after = "rivers";
    if (progress) {
        o.on_progress = on_progress;
        o.payload = t;
    }
    ptl_status status = ptl_generate(NULL, world, &o, &err);
    ptl_world_close(world);
    ptl_store_close(store);
    return status;
}

/* Longer than the busy timeout: generate waits on as long as somebody could stop it. */
START_TEST(a_long_read_holds_generate_up)
{
    for (int kind = 0; kind < 2; kind++) {
        told t = {0};
        char wanted[64];
        pid_t reader = read_for(600);
        snprintf(wanted, sizeof wanted, "process %ld (", (long)reader);
        ck_assert_msg(generate(&t, kind == 0, kind == 1) == PTL_OK, "%s", err.message);
        ck_assert_int_gt(kind == 0 ? t.progress : t.waits, 1);
        if (kind == 1 && access("/proc/locks", R_OK) == 0)
            ck_assert_msg(strstr(t.whom, wanted) != NULL, "%s", t.whom);
        end_reader(reader);
    }
}
END_TEST

START_TEST(waiting_for_a_reader_can_be_stopped)
{
    pid_t reader = read_for(60000);
    told t = {.stop_at_wait = 3};
    ck_assert_int_eq(generate(&t, false, true), PTL_ERR_CANCELLED);
    t = (told){.stop_at_progress = 1};
    ck_assert_int_eq(generate(&t, true, false), PTL_ERR_CANCELLED);
    t = (told){0};
    ck_assert_int_eq(generate(&t, false, false), PTL_ERR_BUSY);
    ck_assert_msg(strstr(err.message, "has kept the file locked for") != NULL, "%s",
                  err.message);
    end_reader(reader);
    ck_assert_int_eq(generate(&t, false, false), PTL_OK);
}
END_TEST

/* Other readers get in between the attempts of a writer that is held up. */
START_TEST(new_readers_get_in_while_a_writer_waits)
{
    pid_t reader = read_for(1000), writer = fork();
    if (writer == 0) {
        told t = {0};
        _exit(generate(&t, true, true) == PTL_OK && t.waits > 0 ? 0 : 1);
    }
    clock_sleep(250);
    const ptl_open_options patient = {
        .size = sizeof patient, .mode = PTL_OPEN_READ, .busy_timeout_ms = 5000};
    for (int i = 0; i < 3; i++) {
        ptl_store *store = NULL;
        const double start = clock_seconds();
        ck_assert_msg(ptl_store_open(&store, path, &patient, &err) == PTL_OK, "%s",
                      err.message);
        ck_assert_int_eq(number(store, "SELECT count(*) FROM world"), 1);
        ck_assert(clock_seconds() - start < 5);
        ptl_store_close(store);
        clock_sleep(100);
    }
    int state = 1;
    ck_assert_int_eq(waitpid(writer, &state, 0), writer);
    ck_assert_int_eq(state, 0);
    end_reader(reader);
}
END_TEST

START_TEST(a_lone_chunk_is_refused_in_time)
{
    pid_t reader = read_for(60000);
    ptl_store *store = open_as(PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    ptl_world *world = world_file_world(store, "w");
    ptl_chunk *chunk = NULL;
    const double start = clock_seconds();
    ck_assert_int_eq(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){0, 0}, &err), PTL_ERR_BUSY);
    ck_assert(clock_seconds() - start >= 0.2);
    end_reader(reader);
    ck_assert_int_eq(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){0, 0}, &err), PTL_OK);
    ptl_chunk_free(chunk);
    ptl_world_close(world);
    ptl_store_close(store);
}
END_TEST

START_TEST(in_wal_mode_nobody_waits)
{
    ptl_store_close(open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL));
    pid_t reader = read_for(60000);
    told t = {0};
    ck_assert_msg(generate(&t, false, true) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(t.waits, 0);
    end_reader(reader);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("journal");
    TCase *tc = tcase_create("journal");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, versions_with_the_wal_reset_bug);
    tcase_add_test(tc, the_mode_stays_in_the_file);
    tcase_add_test(tc, wal_is_for_one_writer);
    tcase_add_test(tc, readers_keep_the_mode_as_it_is);
    tcase_add_test(tc, readers_never_checkpoint);
    tcase_add_test(tc, who_may_checkpoint);
    tcase_add_test(tc, the_log_does_not_grow_for_ever);
    tcase_add_test(tc, closing_writes_back_under_the_lock);
    tcase_add_test(tc, killed_in_wal_mode);
    tcase_add_test(tc, wal_in_a_read_only_directory);
    tcase_add_test(tc, a_long_read_holds_generate_up);
    tcase_add_test(tc, waiting_for_a_reader_can_be_stopped);
    tcase_add_test(tc, new_readers_get_in_while_a_writer_waits);
    tcase_add_test(tc, a_lone_chunk_is_refused_in_time);
    tcase_add_test(tc, in_wal_mode_nobody_waits);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
