/*
 * The file that a backup is written to. It is made beside its final place under a temporary
 * name (os/new_file.h), and gets its final name when it has been checked and is on disk. SQLite
 * may write it as well, under the temporary name.
 */
#pragma once

#include "os/new_file.h"

#include <stdint.h>

typedef struct backup_target {
    new_file out;
    file_id source;
    /* Borrowed: the temporary name, for SQLite and for messages. */
    const char *name;
    int file; /* borrowed from `out`; -1: not open */
} backup_target;

/*
 * Opens a target for `path`. `source` is the file that is copied, or NULL; the copy gets its
 * permissions. If `replace` is true, a regular file at the path will be replaced. Call
 * backup_target_close in any case, and do not move the struct before that.
 */
ptl_status backup_target_open(backup_target *t, const char *source, const char *path,
                              bool replace, ptl_error *err);
/* Closes the target. Its file is removed unless it has been published. */
void backup_target_close(backup_target *t);

/* Reads *size bytes of the copy, from the offset `at`. At the end of the file *size becomes
 * smaller. */
ptl_status backup_target_read(const backup_target *t, void *out, size_t *size, int64_t at,
                              ptl_error *err);
/* Writes bytes of the copy at the offset `at`. */
ptl_status backup_target_write(const backup_target *t, const void *data, size_t size,
                               int64_t at, ptl_error *err);
/* Sets the size of the copy in bytes; what lies beyond is cut off. */
ptl_status backup_target_resize(const backup_target *t, int64_t size, ptl_error *err);

/* Makes the copy durable on disk and gives it its final name. */
ptl_status backup_target_publish(backup_target *t, ptl_error *err);
