/*
 * An SQLite VFS for tests that stands before the default one and shows each operation to a
 * listener, which may record it or make it fail. While it is installed it is the default VFS,
 * so that the library meets it without knowing. One at a time in a process.
 */
#ifndef TESTS_SHIM_VFS_H
#define TESTS_SHIM_VFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum shim_op_kind {
    SHIM_OPEN,
    SHIM_READ,
    SHIM_WRITE,
    SHIM_TRUNCATE,
    SHIM_SYNC, /* of a file */
    SHIM_FILE_SIZE,
    SHIM_LOCK, /* taking a stronger lock */
    SHIM_DELETE,
    SHIM_CLOSE,
    SHIM_OP_KINDS
} shim_op_kind;

typedef struct shim_op {
    shim_op_kind kind;
    const char *path; /* of the file; "" for a temporary one */
    int flags;        /* SQLITE_OPEN_* of the file, SQLITE_SYNC_* of a sync */
    int64_t offset;   /* of a read or write; the new size of a truncate */
    const void *data; /* of a write */
    size_t size;      /* bytes of a read or write */
} shim_op;

typedef struct shim_listener {
    void *payload;
    /* Before the operation. SQLITE_OK lets it happen; anything else is its result, and it does
     * not happen. For a write *partial may be set to a number of bytes that are written all
     * the same before it fails. */
    int (*before)(void *payload, const shim_op *op, size_t *partial);
} shim_listener;

/* Installs it as the default VFS; returns an SQLite result code. listener is borrowed. */
int shim_vfs_install(const shim_listener *listener);
void shim_vfs_remove(void);

#endif
