/*
 * Makes SQLite's files fail in a test, operation by operation, through the shim VFS.
 */
#ifndef TESTS_FAULT_IO_H
#define TESTS_FAULT_IO_H

#include "support/fault/shim_vfs.h"

/* Installs the VFS and takes it away again; fails the test where that can't be done. */
void fault_io_begin(void);
void fault_io_end(void);

/* The nth operation of a kind gives this result code of SQLite's; nth 0: none does. half: half
 * of what a failing write should write is written. */
typedef struct fault_io {
    shim_op_kind kind;
    int code;
    bool half;
} fault_io;

void fault_io_arm(const fault_io *what, uint64_t nth, bool all_later);
uint64_t fault_io_disarm(uint64_t *failed);

/* The nth read of the system's fails with this errno, as of a disk that goes bad: so SQLite
 * itself says what came of it. Between fault_io_begin and fault_io_end. */
void fault_reads_arm(uint64_t nth, bool all_later, int code);
uint64_t fault_reads_disarm(uint64_t *failed);

/* Operations of a kind since it was armed, for whatever kind. */
uint64_t fault_io_seen(shim_op_kind kind);

#endif
