/*
 * The file that a backup is written to: "<path>-partial" beside its place, locked against a
 * second backup, which gets the name when it is on disk. A process that is killed leaves the
 * partial file; the next backup writes over it.
 */
#ifndef STORE_BACKUP_TARGET_H
#define STORE_BACKUP_TARGET_H

#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

typedef struct backup_target {
    const char *path; /* borrowed */
    char *partial;    /* owned: its name until then */
    bool replace;
    mode_t mode; /* the permissions that it gets: those of the file that is copied */
    int file;    /* -1: not open */
} backup_target;

/* source: the file that is copied; NULL if it is none. Close it always. */
ptl_status backup_target_open(backup_target *t, const char *source, const char *path,
                              bool replace, ptl_error *err);
/* Closes it; a partial file that was not published is removed. */
void backup_target_close(backup_target *t);

/* *size is less than asked for at the end of the file. */
ptl_status backup_target_read(const backup_target *t, void *out, size_t *size, int64_t at,
                              ptl_error *err);
ptl_status backup_target_write(const backup_target *t, const void *data, size_t size,
                               int64_t at, ptl_error *err);
ptl_status backup_target_resize(const backup_target *t, int64_t size, ptl_error *err);

/* Onto the disk, and under its name. */
ptl_status backup_target_publish(backup_target *t, ptl_error *err);

#endif
