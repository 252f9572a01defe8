/* Backups: what they hold while others write, and what they leave when they fail. */
#include "portolan/backup.h"
#include "store/sqlite/connection/stmt.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of some slices (backup.c), so that a commit can come in the middle of a round. */
enum { FILLER_ROWS = 14, FILLER_SIZE = 1 << 20, PATH_ROOM = WORLD_PATH_SIZE + 32 };

static ptl_error err;

typedef struct scene {
    char path[WORLD_PATH_SIZE], copy[PATH_ROOM];
    ptl_store *writer, *reader;
    int64_t number; /* what the last commit wrote */
    int write_rounds, calls, stop_at, refused;
} scene;

static void run_sql(ptl_store *store, const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s", err.message);
}

static int64_t ask(ptl_store *store, const char *sql)
{
    stmt *q = NULL;
    bool row = false;
    ck_assert_msg(stmt_prepare(&q, store, sql, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(stmt_step(q, &row, &err) == PTL_OK, "%s", err.message);
    int64_t value = row ? stmt_int(q, 0) : -1;
    stmt_free(q);
    return value;
}

static ptl_store *open_store(const char *path, ptl_open_mode mode, ptl_journal journal)
{
    ptl_store *store = NULL;
    ptl_open_options o = {
        .size = sizeof o, .mode = mode, .journal = journal, .busy_timeout_ms = 50};
    ck_assert_msg(ptl_store_open(&store, path, &o, &err) == PTL_OK, "%s", err.message);
    return store;
}

/* Rows of a number each, spread over the file: a commit writes the same number to all. */
static void scene_open(scene *s, ptl_journal journal)
{
    char sql[256];
    memset(s, 0, sizeof *s);
    memset(&err, 0, sizeof err);
    world_file_path(s->path);
    snprintf(s->copy, sizeof s->copy, "%s-copy", s->path);
    s->writer = open_store(s->path, PTL_OPEN_CREATE, journal);
    run_sql(s->writer,
            "CREATE TABLE filler (id INTEGER PRIMARY KEY, number INTEGER, data BLOB)");
    snprintf(sql, sizeof sql,
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
             "INSERT INTO filler SELECT i, 0, zeroblob(%d) FROM n",
             FILLER_ROWS, FILLER_SIZE);
    run_sql(s->writer, sql);
    s->reader = open_store(s->path, PTL_OPEN_READ, PTL_JOURNAL_KEEP);
}

static void scene_close(scene *s)
{
    ptl_store_close(s->reader);
    ptl_store_close(s->writer);
    unlink(s->copy);
    world_file_remove(s->path);
}

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

/* What a copy in the making is called: any number of such files of this one, 0 or more. The
 * last one's name is in `name`, unless that is NULL. */
static int unfinished(const scene *s, char name[PATH_ROOM + 64])
{
    char pattern[PATH_ROOM + 32];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s.portolan-*", s->copy);
    const int code = glob(pattern, 0, NULL, &found);
    ck_assert(code == 0 || code == GLOB_NOMATCH);
    const int count = code == 0 ? (int)found.gl_pathc : 0;
    if (count > 0 && name)
        snprintf(name, PATH_ROOM + 64, "%s", found.gl_pathv[count - 1]);
    if (code == 0)
        globfree(&found);
    return count;
}

static int64_t file_size(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (int64_t)info.st_size : -1;
}

/* The copy is a world file of one moment: all its rows have one number, of a commit between
 * `first` and the last. */
static void check_copy(const scene *s, int64_t first)
{
    ptl_store *copy = open_store(s->copy, PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_journal_info journal = PTL_JOURNAL_INFO_INIT;
    int64_t low = ask(copy, "SELECT min(number) FROM filler");
    ck_assert_int_eq(low, ask(copy, "SELECT max(number) FROM filler"));
    ck_assert_int_ge(low, first);
    ck_assert_int_le(low, s->number);
    ck_assert_int_eq(ptl_verify(&counts, copy, NULL, NULL, &err), PTL_OK);
    ck_assert_int_eq(ptl_journal_info_load(&journal, copy, &err), PTL_OK);
    ck_assert_int_eq(journal.mode, PTL_JOURNAL_TRUNCATE);
    ptl_store_close(copy);
    ck_assert_int_eq(unfinished(s, NULL), 0);
}

static void commit(scene *s)
{
    char sql[80];
    ptl_error ignored = {0};
    snprintf(sql, sizeof sql, "UPDATE filler SET number = %lld", (long long)s->number + 1);
    if (sqlite_exec(s->writer, sql, &ignored) == PTL_OK)
        s->number++;
    else
        s->refused++;
}

static bool on_progress(void *payload, const ptl_backup_progress *now)
{
    scene *s = payload;
    s->calls++;
    ck_assert_uint_le(now->done, now->total);
    ck_assert_int_ge(now->round, 1);
    if (now->round <= s->write_rounds)
        commit(s);
    return s->calls != s->stop_at;
}

static ptl_status backup(scene *s, bool replace, ptl_backup_report *report)
{
    const ptl_backup_options o = {
        .size = sizeof o, .replace = replace, .on_progress = on_progress, .payload = s};
    s->calls = 0;
    return ptl_backup(report, s->reader, s->copy, &o, &err);
}

static bool same_bytes(const char *a, const char *b)
{
    FILE *files[2] = {fopen(a, "rb"), fopen(b, "rb")};
    int byte = 0;
    bool same = files[0] && files[1];
    while (same && byte != EOF) {
        byte = getc(files[0]);
        same = byte == getc(files[1]);
    }
    for (int i = 0; i < 2; i++)
        if (files[i])
            fclose(files[i]);
    return same;
}

START_TEST(a_quiet_file_is_copied_in_one_round)
{
    scene s;
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    ck_assert_msg(backup(&s, false, &report) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(report.rounds, 1);
    ck_assert_uint_eq(report.bytes, (uint64_t)file_size(s.path));
    ck_assert_int_ge(s.calls, 3);
    ck_assert(same_bytes(s.path, s.copy));
    check_copy(&s, 0);
    scene_close(&s);
}
END_TEST

/* Commits at every slice of so many rounds. */
START_TEST(written_meanwhile)
{
    enum { FREE_ROUNDS = 4 }; /* of backup.c */
    scene s;
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    s.write_rounds = _i;
    ck_assert_msg(backup(&s, false, &report) == PTL_OK, "%s", err.message);
    ck_assert_int_ge(s.number, _i * 3);
    ck_assert_int_eq(report.rounds, _i + 1);
    ck_assert_int_eq(s.refused, 0);
    ck_assert(report.held > 0);
    check_copy(&s, s.number);
    scene_close(&s);
}
END_TEST

/* It ends all the same: at last it keeps the lock, and the commits wait. */
START_TEST(written_all_the_time)
{
    scene s;
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    s.write_rounds = 100;
    ck_assert_msg(backup(&s, false, &report) == PTL_OK, "%s", err.message);
    ck_assert_int_le(report.rounds, 6);
    ck_assert_int_gt(s.refused, 0);
    check_copy(&s, s.number);
    int64_t before = s.number;
    commit(&s); /* the lock is gone */
    ck_assert_int_eq(s.number, before + 1);
    scene_close(&s);
}
END_TEST

START_TEST(wal_files_become_plain_ones)
{
    scene s;
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    scene_open(&s, PTL_JOURNAL_WAL);
    s.write_rounds = 100; /* nobody waits */
    ck_assert_msg(backup(&s, false, &report) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(s.refused, 0);
    ck_assert_int_gt(s.number, 3);
    ck_assert_int_eq(report.rounds, 1);
    check_copy(&s, 0);
    ck_assert_msg(backup(&s, true, &report) == PTL_OK, "%s", err.message);
    scene_close(&s);
}
END_TEST

START_TEST(a_store_in_memory)
{
    scene s;
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    ptl_store *memory = open_store(":memory:", PTL_OPEN_CREATE, PTL_JOURNAL_KEEP);
    run_sql(memory, "CREATE TABLE filler (number INTEGER); INSERT INTO filler VALUES (0)");
    ck_assert_msg(ptl_backup(&report, memory, s.copy, NULL, &err) == PTL_OK, "%s", err.message);
    ck_assert_uint_gt(report.bytes, 0);
    ptl_store_close(memory);
    check_copy(&s, 0);
    scene_close(&s);
}
END_TEST

START_TEST(stopping_leaves_nothing)
{
    scene s;
    scene_open(&s, _i ? PTL_JOURNAL_WAL : PTL_JOURNAL_TRUNCATE);
    for (s.stop_at = 1; s.stop_at < 4; s.stop_at++) {
        ck_assert_int_eq(backup(&s, false, NULL), PTL_ERR_CANCELLED);
        ck_assert(!exists(s.copy) && unfinished(&s, NULL) == 0);
    }
    s.stop_at = 0;
    ck_assert_int_eq(backup(&s, false, NULL), PTL_OK);
    commit(&s);
    s.stop_at = 2;
    ck_assert_int_eq(backup(&s, true, NULL), PTL_ERR_CANCELLED);
    s.number = 0;
    check_copy(&s, 0); /* the old one */
    scene_close(&s);
}
END_TEST

START_TEST(names)
{
    scene s;
    char other[PATH_ROOM + 16];
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    ck_assert_int_eq(ptl_backup(NULL, s.reader, "", NULL, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_backup(NULL, s.reader, NULL, NULL, NULL), PTL_ERR_ARGUMENT);
    const ptl_backup_options replace = {.size = sizeof replace, .replace = true};
    ck_assert_int_eq(ptl_backup(NULL, s.reader, s.path, &replace, &err), PTL_ERR_ARGUMENT);
    snprintf(other, sizeof other, "%s/none/copy", s.path);
    ck_assert_int_eq(ptl_backup(NULL, s.reader, other, NULL, &err), PTL_ERR_NOT_FOUND);
    /* a link is not followed to what it names */
    ck_assert_int_eq(symlink(s.path, s.copy), 0);
    ck_assert_int_eq(backup(&s, false, NULL), PTL_ERR_ARGUMENT);
    unlink(s.copy);
    ck_assert_int_eq(symlink("/dev/null", s.copy), 0);
    ck_assert_int_eq(backup(&s, true, NULL), PTL_ERR_ARGUMENT);
    unlink(s.copy);
    /* nor is the file itself, by another name, and what belongs to it */
    ck_assert_int_eq(link(s.path, s.copy), 0);
    ck_assert_int_eq(backup(&s, true, NULL), PTL_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "is the file itself"));
    unlink(s.copy);
    snprintf(other, sizeof other, "%s-wal", s.path);
    ck_assert_int_eq(ptl_backup(NULL, s.reader, other, &replace, &err), PTL_ERR_ARGUMENT);
    ck_assert(!exists(other));
    /* a journal of that name would be rolled back into the copy */
    snprintf(other, sizeof other, "%s-journal", s.copy);
    FILE *journal = fopen(other, "w");
    ck_assert(journal && fputs("x", journal) >= 0 && fclose(journal) == 0);
    ck_assert_int_eq(backup(&s, true, NULL), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "-journal"));
    unlink(other);
    ck_assert(!exists(s.copy) && unfinished(&s, NULL) == 0);
    ck_assert_int_eq(backup(&s, false, NULL), PTL_OK);
    ck_assert_int_eq(backup(&s, false, NULL), PTL_ERR_EXISTS);
    check_copy(&s, 0);
    scene_close(&s);
}
END_TEST

/* Finding 2: a second name of the world, or anything else, where 0.1.0 had its unfinished copy,
 * is left alone; and what a killed backup left. */
START_TEST(other_files_beside_it)
{
    scene s;
    char partial[PATH_ROOM + 16], old[PATH_ROOM + 64];
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    snprintf(partial, sizeof partial, "%s-partial", s.copy);
    ck_assert_int_eq(link(s.path, partial), 0);
    snprintf(old, sizeof old, "%s.portolan-0123456789ab.tmp", s.copy);
    int file = open(old, O_RDWR | O_CREAT | O_EXCL, 0600);
    ck_assert(file >= 0 && write(file, "junk", 4) == 4 && close(file) == 0);
    const int64_t size = file_size(s.path);
    ck_assert_int_eq(backup(&s, false, NULL), PTL_OK);
    ck_assert_int_eq(file_size(s.path), size);
    ck_assert_int_eq(file_size(old), 4);
    ck_assert_int_eq(unfinished(&s, NULL), 1);
    unlink(old);
    check_copy(&s, 0);
    unlink(partial);
    scene_close(&s);
}
END_TEST

typedef struct meddler {
    const scene *s;
    const char *end; /* a file of somebody else's at the copy's name with this end; NULL: at its
                      * temporary name */
    char name[PATH_ROOM + 64];
} meddler;

static bool meddle(void *payload, const ptl_backup_progress *now)
{
    meddler *m = payload;
    (void)now;
    if (m->name[0])
        return true;
    if (m->end)
        snprintf(m->name, sizeof m->name, "%s%s", m->s->copy, m->end);
    else
        ck_assert(unfinished(m->s, m->name) == 1 && unlink(m->name) == 0);
    int file = open(m->name, O_RDWR | O_CREAT | O_EXCL, 0600);
    ck_assert(file >= 0 && write(file, "notes", 5) == 5 && close(file) == 0);
    return true;
}

/* What appears while the copy is made is not overwritten, nor removed; nor does a copy get a
 * name whose journal it would be. */
START_TEST(files_that_come_meanwhile)
{
    static const char *const ends[] = {NULL, "", "-journal", "-wal"};
    scene s;
    scene_open(&s, _i % 2 ? PTL_JOURNAL_WAL : PTL_JOURNAL_TRUNCATE);
    meddler m = {.s = &s, .end = ends[_i / 2]};
    const ptl_backup_options o = {.size = sizeof o, .on_progress = meddle, .payload = &m};
    const ptl_status status = ptl_backup(NULL, s.reader, s.copy, &o, &err);
    ck_assert_int_ne(status, PTL_OK);
    ck_assert(!m.end || status == PTL_ERR_EXISTS);
    ck_assert_int_eq(file_size(m.name), 5);
    ck_assert(exists(s.copy) == (m.end && !m.end[0]));
    unlink(m.name);
    scene_close(&s);
}
END_TEST

/* A world that somebody writes is not taken from him. */
START_TEST(a_world_in_use_is_not_replaced)
{
    scene s;
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    ptl_store *other = open_store(s.copy, PTL_OPEN_CREATE, PTL_JOURNAL_KEEP);
    ck_assert_int_eq(backup(&s, true, NULL), PTL_ERR_BUSY);
    ck_assert_ptr_nonnull(strstr(err.message, "this process"));
    ptl_store_close(other);
    ck_assert_int_eq(backup(&s, true, NULL), PTL_OK);
    check_copy(&s, 0);
    scene_close(&s);
}
END_TEST

typedef struct arrival {
    const scene *s;
    ptl_store *store;
} arrival;

static bool arrive(void *payload, const ptl_backup_progress *now)
{
    arrival *a = payload;
    (void)now;
    if (!a->store)
        a->store = open_store(a->s->copy, PTL_OPEN_WRITE, PTL_JOURNAL_KEEP);
    return true;
}

/* Nor from one who began to write it while the copy was made. */
START_TEST(a_world_that_comes_into_use_is_not_replaced)
{
    scene s;
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    ck_assert_int_eq(backup(&s, false, NULL), PTL_OK);
    arrival a = {.s = &s};
    const ptl_backup_options o = {
        .size = sizeof o, .replace = true, .on_progress = arrive, .payload = &a};
    ck_assert_int_eq(ptl_backup(NULL, s.reader, s.copy, &o, &err), PTL_ERR_BUSY);
    ck_assert_ptr_nonnull(a.store);
    ptl_store_close(a.store);
    check_copy(&s, 0);
    scene_close(&s);
}
END_TEST

/* Bytes of the file's pages at `at`. */
static void damage(const char *path, int64_t at)
{
    int file = open(path, O_RDWR);
    char junk[64];
    memset(junk, 0xa5, sizeof junk);
    ck_assert(file >= 0 && pwrite(file, junk, sizeof junk, at) == (ssize_t)sizeof junk);
    close(file);
}

START_TEST(a_damaged_file_replaces_no_good_backup)
{
    scene s;
    scene_open(&s, PTL_JOURNAL_TRUNCATE);
    ck_assert_int_eq(backup(&s, false, NULL), PTL_OK);
    commit(&s);
    ptl_store_close(s.reader);
    ptl_store_close(s.writer);
    s.writer = NULL;
    damage(s.path, file_size(s.path) / 2 / 2048 * 2048); /* an overflow page's link */
    s.reader = open_store(s.path, PTL_OPEN_READ, PTL_JOURNAL_KEEP);
    ck_assert_int_eq(backup(&s, true, NULL), PTL_ERR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, "no backup was made"));
    s.number = 0;
    check_copy(&s, 0); /* the good one */
    scene_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backup");
    TCase *tcase = tcase_create("backup");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_quiet_file_is_copied_in_one_round);
    tcase_add_loop_test(tcase, written_meanwhile, 1, 4);
    tcase_add_test(tcase, written_all_the_time);
    tcase_add_test(tcase, wal_files_become_plain_ones);
    tcase_add_test(tcase, a_store_in_memory);
    tcase_add_loop_test(tcase, stopping_leaves_nothing, 0, 2);
    tcase_add_test(tcase, names);
    tcase_add_test(tcase, other_files_beside_it);
    tcase_add_loop_test(tcase, files_that_come_meanwhile, 0, 8);
    tcase_add_test(tcase, a_world_in_use_is_not_replaced);
    tcase_add_test(tcase, a_world_that_comes_into_use_is_not_replaced);
    tcase_add_test(tcase, a_damaged_file_replaces_no_good_backup);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
