#include "support/fault/fault_io.h"

#include <check.h>
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static struct {
    bool armed, all_later;
    uint64_t seen[SHIM_OP_KINDS], failed, nth;
    fault_io what;
} faults; /* only one thread of a test uses SQLite */

static int before(void *payload, const shim_op *op, size_t *partial)
{
    (void)payload;
    if (!faults.armed)
        return SQLITE_OK;
    const uint64_t number = ++faults.seen[op->kind];
    if (op->kind != faults.what.kind)
        return SQLITE_OK;
    if (faults.nth == 0 || number < faults.nth || (number > faults.nth && !faults.all_later))
        return SQLITE_OK;
    faults.failed++;
    if (faults.what.half)
        *partial = op->size / 2;
    return faults.what.code;
}

/* ---- reads of the system's ---- */

typedef ssize_t read_function(int fd, void *out, size_t size, int64_t offset);

static struct {
    bool armed, all_later;
    uint64_t seen, failed, nth;
    int code;
    const char *name; /* of the call that this SQLite makes */
    read_function *real;
} reads;

static ssize_t read_or_fail(int fd, void *out, size_t size, int64_t offset)
{
    const uint64_t number = reads.armed ? ++reads.seen : 0;
    if (number == 0 || reads.nth == 0 || number < reads.nth ||
        (number > reads.nth && !reads.all_later))
        return reads.real(fd, out, size, offset);
    reads.failed++;
    errno = reads.code;
    return -1;
}

static void take_reads(void)
{
    static const char *const names[] = {"pread64", "pread"};
    sqlite3_vfs *vfs = sqlite3_vfs_find("unix");
    ck_assert_ptr_nonnull(vfs);
    reads.real = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !reads.real; i++) {
        reads.name = names[i];
        reads.real = (read_function *)vfs->xGetSystemCall(vfs, names[i]);
    }
    ck_assert(reads.real != NULL);
    ck_assert_int_eq(vfs->xSetSystemCall(vfs, reads.name, (sqlite3_syscall_ptr)read_or_fail),
                     SQLITE_OK);
}

void fault_reads_arm(uint64_t nth, bool all_later, int code)
{
    reads.nth = nth;
    reads.all_later = all_later;
    reads.code = code;
    reads.seen = reads.failed = 0;
    reads.armed = true;
}

uint64_t fault_reads_disarm(uint64_t *failed)
{
    reads.armed = false;
    *failed = reads.failed;
    return reads.seen;
}

void fault_io_begin(void)
{
    static const shim_listener listener = {NULL, before};
    ck_assert_int_eq(shim_vfs_install(&listener), SQLITE_OK);
    take_reads();
}

void fault_io_end(void)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find("unix");
    vfs->xSetSystemCall(vfs, reads.name, NULL); /* its own again */
    shim_vfs_remove();
}

void fault_io_arm(const fault_io *what, uint64_t nth, bool all_later)
{
    faults.what = *what;
    faults.nth = nth;
    faults.all_later = all_later;
    memset(faults.seen, 0, sizeof faults.seen);
    faults.failed = 0;
    faults.armed = true;
}

uint64_t fault_io_disarm(uint64_t *failed)
{
    faults.armed = false;
    *failed = faults.failed;
    return faults.seen[faults.what.kind];
}

uint64_t fault_io_seen(shim_op_kind kind)
{
    return faults.seen[kind];
}
