/*
 * The file that a backup is written to. It is a new file beside its final place
 * (os/new_file.h), and gets its final name once it is checked and on disk. SQLite may write it
 * as well, by its temporary name.
 */
#pragma once

#include "os/new_file.h"

#include <stdint.h>

typedef struct backup_target {
    new_file out;
    file_id source;
    /* Borrowed: its name until it is published, for SQLite and for messages. */
    const char *name;
    int file; /* borrowed from `out`; -1: not open */
} backup_target;

/*
 * Opens a target for `path`. `source` is the file that is copied, or NULL; the copy gets its
 * permissions. With `replace` a regular file may be at the path. Call backup_target_close in
 * any case, and do not move the struct before that.
 */
ptl_status backup_target_open(backup_target *t, const char *source, const char *path,
                              bool replace, ptl_error *err);
/* Closes the target and removes its file unless that was published. */
void backup_target_close(backup_target *t);

/* Reads bytes of the copy. At the end of the file *size becomes less than was asked for. */
ptl_status backup_target_read(const backup_target *t, void *out, size_t *size, int64_t at,
                              ptl_error *err);
/* Writes bytes of the copy at an offset. */
ptl_status backup_target_write(const backup_target *t, const void *data, size_t size,
                               int64_t at, ptl_error *err);
/* Sets the size of the copy, which cuts off what lies behind. */
ptl_status backup_target_resize(const backup_target *t, int64_t size, ptl_error *err);

/* Brings the copy onto the disk and gives it its final name. */
ptl_status backup_target_publish(backup_target *t, ptl_error *err);
