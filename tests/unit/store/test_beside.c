/* What lies beside a world file, at the names that SQLite takes: whatever SQLite itself leaves
 * there, at whatever point it is killed or the disk is full, the file opens; what is somebody
 * else's is refused and stays as it is. */
#include "store/sqlite/connection/store_impl.h"
#include "support/suite.h"
#include "support/test_folder.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 2048, SECTOR = 512, SHM_PAGE = 4096, SHM_WHOLE = 32768, WAL_HEAD = 32 };

static char folder[64], path[80];
static ptl_store *store;
static ptl_error err;

static const char *beside(const char *tail)
{
    static char name[sizeof path + 16];
    snprintf(name, sizeof name, "%s%s", path, tail);
    return name;
}

static ptl_status open_as(ptl_open_mode mode, ptl_journal journal)
{
    const ptl_open_options options = {.size = sizeof options, .mode = mode, .journal = journal};
    ptl_store_close(store);
    return ptl_store_open(&store, path, &options, &err);
}

static int64_t ask(const char *sql)
{
    int64_t n = -1;
    ck_assert_msg(sqlite_pragma_int(store, sql, &n, &err) == PTL_OK, "%s", err.message);
    return n;
}

static void close_store(void)
{
    ptl_store_close(store);
    store = NULL;
}

static void setup(void)
{
    memset(&err, 0, sizeof err);
    test_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/w.ptl", folder);
    ck_assert_msg(open_as(PTL_OPEN_CREATE, PTL_JOURNAL_TRUNCATE) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(sqlite_exec(store, "INSERT INTO oter VALUES (1, 'field', 0)", &err),
                     PTL_OK);
    close_store();
    unlink(beside("-journal"));
}

static void teardown(void)
{
    static const char *const tails[] = {"", "-journal", "-wal", "-shm", "-lock"};
    close_store();
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        unlink(beside(tails[i]));
    rmdir(folder);
}

static void put(const char *tail, const void *data, size_t size)
{
    FILE *file = fopen(beside(tail), "wb");
    ck_assert(file != NULL);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static void put_zeros(const char *tail, long size)
{
    put(tail, "", 0);
    ck_assert_int_eq(truncate(beside(tail), size), 0);
}

/* A reader, and then a writer, who makes an end of it. */
static void assert_opens(const char *what, long size)
{
    ck_assert_msg(open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP) == PTL_OK, "%s, %ld: %s", what, size,
                  err.message);
    ck_assert_int_eq(ask("SELECT count(*) FROM oter"), 1);
    ck_assert_msg(open_as(PTL_OPEN_WRITE, PTL_JOURNAL_KEEP) == PTL_OK, "%s, %ld: %s", what,
                  size, err.message);
    ck_assert_int_eq(sqlite_exec(store, "UPDATE oter SET name = name", &err), PTL_OK);
    close_store();
}

static long size_of(const char *tail)
{
    struct stat info;
    return stat(beside(tail), &info) == 0 ? (long)info.st_size : -1;
}

static void assert_refused(const char *tail, const char *what, long size)
{
    static unsigned char was[1 << 17], now[1 << 17];
    for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_WRITE; mode++) {
        FILE *file = fopen(beside(tail), "rb");
        const size_t before = fread(was, 1, sizeof was, file);
        fclose(file);
        ck_assert_msg(open_as((ptl_open_mode)mode, PTL_JOURNAL_KEEP) == PTL_ERR_EXISTS,
                      "%s, %ld: %s", what, size, err.message);
        ck_assert_ptr_nonnull(strstr(err.message, tail));
        file = fopen(beside(tail), "rb");
        ck_assert_uint_eq(fread(now, 1, sizeof now, file), before);
        fclose(file);
        ck_assert_mem_eq(was, now, before);
    }
}

static void into_wal(void)
{
    ck_assert_msg(open_as(PTL_OPEN_WRITE, PTL_JOURNAL_WAL) == PTL_OK, "%s", err.message);
    close_store();
}

START_TEST(index_of_the_log)
{
    into_wal();
    for (long size = 0; size <= 2 * SHM_WHOLE; size += SHM_PAGE) {
        put("-wal", "", 0);
        put_zeros("-shm", size);
        assert_opens("-shm", size);
    }
    put("-wal", "", 0);
    put("-shm", "\x18\xe2\x2d", 3); /* what is left of a version, cut for a first reader */
    assert_opens("-shm", 3);
}
END_TEST

START_TEST(index_of_somebody)
{
    static const long sizes[] = {1, 2, 4, 100, SHM_PAGE - 1, SHM_PAGE + 1, SHM_WHOLE + 3};
    into_wal();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        put("-wal", "", 0);
        put_zeros("-shm", sizes[i]);
        assert_refused("-shm", "index", sizes[i]);
    }
    unlink(beside("-wal")); /* SQLite makes it first and removes it last */
    put_zeros("-shm", SHM_PAGE);
    assert_refused("-shm", "index without a log", SHM_PAGE);
}
END_TEST

/* The reader may write files of so many bytes: more kills it, or is an error like a full disk.
 */
static void read_within(rlim_t most, bool killed)
{
    const pid_t pid = fork();
    if (pid == 0) {
        const struct rlimit limit = {most, most};
        signal(SIGXFSZ, killed ? SIG_DFL : SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        (void)open_as(PTL_OPEN_READ, PTL_JOURNAL_KEEP);
        kill(getpid(), SIGKILL);
    }
    int state = 0;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert(WIFSIGNALED(state));
    ck_assert_int_eq(WTERMSIG(state), killed ? SIGXFSZ : SIGKILL);
}

START_TEST(readers_that_end_early)
{
    into_wal();
    for (int way = 0; way < 2; way++) {
        ck_assert_int_eq(size_of("-shm"), -1);
        read_within(3, way == 0);
        ck_assert_int_eq(size_of("-shm"), 3);
        assert_opens("killed at the first part", way);
        for (long size = SHM_PAGE; size < SHM_WHOLE; size += SHM_PAGE) {
            read_within((rlim_t)size, way == 0);
            ck_assert_int_eq(size_of("-shm"), size);
            ck_assert_int_eq(size_of("-wal"), 0);
            assert_opens("killed later", size);
        }
    }
}
END_TEST

static void put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* A log of two kinds, of which the disk took so many bytes. */
START_TEST(log_begun)
{
    into_wal();
    for (uint32_t kind = 0; kind < 2; kind++)
        for (size_t size = 0; size <= WAL_HEAD; size += kind ? 8 : 1) {
            unsigned char head[WAL_HEAD] = {0};
            put_u32(head, 0x377f0682 + kind);
            put_u32(head + 4, 3007000);
            put_u32(head + 8, PAGE);
            put("-wal", head, size);
            assert_opens("-wal", (long)size);
        }
}
END_TEST

START_TEST(log_of_somebody)
{
    static const char *const texts[] = {"a", "7 things", "notes of somebody, a whole line"};
    unsigned char head[WAL_HEAD] = {0};
    into_wal();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put("-wal", texts[i], strlen(texts[i]));
        assert_refused("-wal", texts[i], 0);
    }
    put_u32(head, 0x377f0682);
    put_u32(head + 4, 3007001);
    for (size_t size = 8; size <= WAL_HEAD; size += 12) {
        put("-wal", head, size);
        assert_refused("-wal", "another version", (long)size);
    }
    put_zeros("-wal", WAL_HEAD);
    assert_refused("-wal", "zeros", WAL_HEAD);
}
END_TEST

/* The header of a journal without pages: of this file as it is, so that nothing is taken back.
 */
static void make_head(unsigned char head[SECTOR], bool synced)
{
    static const unsigned char magic[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    memset(head, 0, SECTOR);
    if (synced)
        memcpy(head, magic, sizeof magic);
    put_u32(head + 12, 0x5eed5eed);
    put_u32(head + 16, (uint32_t)(size_of("") / PAGE));
    put_u32(head + 20, SECTOR);
    put_u32(head + 24, PAGE);
}

START_TEST(journal_begun)
{
    unsigned char head[SECTOR];
    for (int synced = 0; synced < 2; synced++)
        for (size_t size = 0; size <= SECTOR; size += size < 40 ? 1 : 59) {
            make_head(head, synced);
            put("-journal", head, size);
            assert_opens(synced ? "synced" : "not synced", (long)size);
        }
}
END_TEST

/* As PERSIST leaves it: with a page behind, without, cut off by journal_size_limit. */
START_TEST(journal_out_of_use)
{
    static const size_t sectors[] = {SECTOR, 4096};
    unsigned char whole[4096 + 8 + PAGE] = {0};
    for (long size = 1; size <= SECTOR; size += 73) {
        put_zeros("-journal", size);
        assert_opens("zeros", size);
    }
    put_zeros("-journal", SECTOR);
    assert_opens("zeros", SECTOR);
    for (int i = 0; i < 2; i++) {
        memset(whole, 0, sizeof whole);
        put_u32(whole + sectors[i], 3);
        put("-journal", whole, sectors[i] + 8 + PAGE);
        assert_opens("with a page", (long)sectors[i]);
    }
}
END_TEST

START_TEST(journal_of_somebody)
{
    static const char *const texts[] = {"a", "hi\n",
                                        "notes of somebody, more than a header has"};
    unsigned char head[SECTOR];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put("-journal", texts[i], strlen(texts[i]));
        assert_refused("-journal", texts[i], 0);
    }
    for (long size = SECTOR + 1; size <= 65536; size += 65536 - SECTOR - 1) {
        put_zeros("-journal", size);
        assert_refused("-journal", "zeros", size);
    }
    put_zeros("-journal", SECTOR - 1);
    FILE *file = fopen(beside("-journal"), "ab");
    fputc('x', file);
    fclose(file);
    assert_refused("-journal", "zeros and a letter", SECTOR);
    make_head(head, false);
    put_u32(head + 24, PAGE + 1);
    put("-journal", head, SECTOR);
    assert_refused("-journal", "no size of a page", SECTOR);
}
END_TEST

/* It would be rolled back, and emptied or removed, under its other name, too. */
START_TEST(journal_with_two_names)
{
    static const char *const tails[] = {"-journal", "-wal", "-shm"};
    unsigned char head[SECTOR];
    char other[sizeof folder + 16];
    snprintf(other, sizeof other, "%s/other", folder);
    into_wal();
    make_head(head, true);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        for (int size = 0; size <= (i == 0 ? SECTOR : 0); size += SECTOR) {
            put(tails[i], head, (size_t)size);
            ck_assert_int_eq(link(beside(tails[i]), other), 0);
            assert_refused(tails[i], "linked", size);
            ck_assert_ptr_nonnull(strstr(err.message, "more than one name"));
            unlink(other);
            unlink(beside(tails[i]));
        }
}
END_TEST

/* Somebody made a database and was killed in the middle of the first tables: it had so many
 * pages before. */
static void leave_half_made(const char *before)
{
    static const char fill[] = "PRAGMA cache_size = 1; BEGIN; CREATE TABLE big (b); WITH "
                               "RECURSIVE n(i) AS (VALUES (1) "
                               "UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO big "
                               "SELECT zeroblob(3000) FROM "
                               "n";
    unlink(path);
    const pid_t pid = fork();
    if (pid == 0) {
        sqlite3 *db = NULL;
        if (sqlite3_open(path, &db) != SQLITE_OK ||
            sqlite3_exec(db, before, NULL, NULL, NULL) != SQLITE_OK ||
            sqlite3_exec(db, fill, NULL, NULL, NULL) != SQLITE_OK)
            _exit(1);
        kill(getpid(), SIGKILL);
    }
    int state = 0;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert(WIFSIGNALED(state));
    ck_assert_int_gt(size_of(""), 10L * PAGE);
    ck_assert_int_gt(size_of("-journal"), 0);
}

START_TEST(journal_of_one_page)
{
    leave_half_made(
        "PRAGMA page_size = 2048; PRAGMA user_version = 1; PRAGMA user_version = 0");
    ck_assert_msg(open_as(PTL_OPEN_CREATE, PTL_JOURNAL_TRUNCATE) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(ask("SELECT count(*) FROM oter"), 0);
    close_store();
    leave_half_made("PRAGMA page_size = 2048; CREATE TABLE theirs (t)");
    ck_assert_int_eq(open_as(PTL_OPEN_CREATE, PTL_JOURNAL_TRUNCATE), PTL_ERR_FORMAT);
    ck_assert_int_gt(size_of("-journal"), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("beside");
    TCase *tc = tcase_create("files of SQLite");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, index_of_the_log);
    tcase_add_test(tc, index_of_somebody);
    tcase_add_test(tc, readers_that_end_early);
    tcase_add_test(tc, log_begun);
    tcase_add_test(tc, log_of_somebody);
    tcase_add_test(tc, journal_begun);
    tcase_add_test(tc, journal_out_of_use);
    tcase_add_test(tc, journal_of_somebody);
    tcase_add_test(tc, journal_with_two_names);
    tcase_add_test(tc, journal_of_one_page);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
