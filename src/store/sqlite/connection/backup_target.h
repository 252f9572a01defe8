/*
 * The file that a backup is written to: a new one beside its place (os/new_file.h), which
 * gets its name when it is checked and on disk. SQLite may write it, too, by its temporary
 * name.
 */
#ifndef STORE_SQLITE_FILE_BACKUP_TARGET_H
#define STORE_SQLITE_FILE_BACKUP_TARGET_H

#include "os/new_file.h"

#include <stdint.h>

typedef struct backup_target {
    new_file out;
    file_id source;
    const char *name; /* borrowed: its name until it is published, for SQLite and messages */
    int file;         /* borrowed: out's; -1: not open */
} backup_target;

/* source is the file that is copied, whose permissions the copy gets; NULL if it is none.
 * With replace a regular file may be there. Close it always, and leave it where it is until
 * then. */
ptl_status backup_target_open(backup_target *t, const char *source, const char *path,
                              bool replace, ptl_error *err);
/* Closes it; a file that was not published is removed. */
void backup_target_close(backup_target *t);

/* *size is less than asked for at the end of the file. */
ptl_status backup_target_read(const backup_target *t, void *out, size_t *size, int64_t at,
                              ptl_error *err);
ptl_status backup_target_write(const backup_target *t, const void *data, size_t size,
                               int64_t at, ptl_error *err);
ptl_status backup_target_resize(const backup_target *t, int64_t size, ptl_error *err);

/* Brings the copy onto the disk and under its name. */
ptl_status backup_target_publish(backup_target *t, ptl_error *err);

#endif
