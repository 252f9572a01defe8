/*
 * Files that fail, at every operation of every public call: SQLite's reads, writes, syncs and
 * the rest, and the library's own calls for content, saves and locks. See test_faults.c.
 */
#include "support/fault/fault_files.h"
#include "support/fault/fault_io.h"
#include "support/fault/fault_loop.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static fault_place place;

static void make_place(void)
{
    fault_place_make(&place);
}

static void remove_place(void)
{
    fault_place_remove(&place);
}

static void arm_io(const fault_source *source, uint64_t nth, bool all_later)
{
    fault_io_arm(source->what, nth, all_later);
}

static uint64_t count_io(const fault_source *source)
{
    const fault_io *what = source->what;
    return fault_io_seen(what->kind);
}

/* SQLite itself makes of it what it will. */
static void arm_reads(const fault_source *source, uint64_t nth, bool all_later)
{
    fault_reads_arm(nth, all_later, source->code);
}

static void arm_files(const fault_source *source, uint64_t nth, bool all_later)
{
    fault_files_arm(nth, all_later, source->code);
}

/* Removing it, or looking whether it is still ours. */
static bool leaves_files(void)
{
    const char *name = fault_files_failed();
    return strcmp(name, "unlinkat") == 0 || strcmp(name, "fstatat") == 0 ||
           strcmp(name, "fstat") == 0;
}

static const fault_io reads = {SHIM_READ, SQLITE_IOERR_READ, false},
                      writes = {SHIM_WRITE, SQLITE_IOERR_WRITE, false},
                      full = {SHIM_WRITE, SQLITE_FULL, true},
                      syncs = {SHIM_SYNC, SQLITE_IOERR_FSYNC, false},
                      opens = {SHIM_OPEN, SQLITE_CANTOPEN, false},
                      truncates = {SHIM_TRUNCATE, SQLITE_IOERR_TRUNCATE, false},
                      sizes = {SHIM_FILE_SIZE, SQLITE_IOERR_FSTAT, false},
                      deletes = {SHIM_DELETE, SQLITE_IOERR_DELETE, false},
                      locks = {SHIM_LOCK, SQLITE_IOERR_LOCK, false},
                      busy = {SHIM_LOCK, SQLITE_BUSY, false};

#define IO(label, which, ...)                                                                  \
    {                                                                                          \
        .name = label, .arm = arm_io, .disarm = fault_io_disarm, .count = count_io,            \
        .expected = {__VA_ARGS__}, .what = &(which)                                            \
    }

static const fault_source sources[] = {IO("read", reads, PTL_ERR_IO),
                                       {.name = "medium",
                                        .arm = arm_reads,
                                        .disarm = fault_reads_disarm,
                                        .expected = {PTL_ERR_IO},
                                        .code = EIO},
                                       IO("write", writes, PTL_ERR_IO),
                                       IO("full", full, PTL_ERR_IO),
                                       IO("sync", syncs, PTL_ERR_IO),
                                       IO("open", opens, PTL_ERR_IO),
                                       IO("truncate", truncates, PTL_ERR_IO),
                                       IO("size", sizes, PTL_ERR_IO),
                                       IO("delete", deletes, PTL_ERR_IO),
                                       IO("lock", locks, PTL_ERR_IO),
                                       IO("busy", busy, PTL_ERR_BUSY),
                                       /* A file of content that can't be read is a problem of
                                          the content, told like the others. */
                                       {.name = "files",
                                        .arm = arm_files,
                                        .disarm = fault_files_disarm,
                                        .leaves = leaves_files,
                                        .expected = {PTL_ERR_IO, PTL_ERR_CONTENT},
                                        .code = EIO}};

START_TEST(files)
{
    if (!test_takes(_i))
        return;
    const fault_scene *scene = fault_scene_at(_i);
    const int samples = getenv("PORTOLAN_SOAK_FAULTS") ? fault_samples(scene) : FAULT_ONE;
    fault_io_begin();
    const int failures =
        fault_run(&place, scene, sources, sizeof sources / sizeof sources[0], samples);
    fault_io_end();
    ck_assert_int_eq(failures, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *tc = tcase_create("files");
    tcase_add_unchecked_fixture(tc, make_place, remove_place);
    tcase_add_loop_test(tc, files, 0, fault_scene_count());
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
