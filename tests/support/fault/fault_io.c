#include "support/fault/fault_io.h"

#include <check.h>
#include <sqlite3.h>
#include <string.h>

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

void fault_io_begin(void)
{
    static const shim_listener listener = {NULL, before};
    ck_assert_int_eq(shim_vfs_install(&listener), SQLITE_OK);
}

void fault_io_end(void)
{
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
