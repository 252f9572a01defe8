/*
 * Copies a world file while other stores and processes use it.
 */
#ifndef PORTOLAN_BACKUP_H
#define PORTOLAN_BACKUP_H

#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_backup_progress {
    size_t size;
    uint64_t done, total; /* bytes that the present round of copying has copied so far, and
                           * bytes that it will copy in all */
    int round;            /* number of the present round of copying, from 1. If somebody writes
                           * the file during a round, another round copies the file again */
    double seconds;       /* seconds since the call began */
    double rate;          /* bytes per second in the present round of copying; 0 if unknown */
} ptl_backup_progress;

typedef struct ptl_backup_options {
    size_t size;
    bool replace; /* true: replace a file that exists at the path, once the copy has passed its
                   * check; false: an existing file is an error */
    bool verify;  /* true: check everything in the copy as ptl_verify does; false: check only
                   * the structure of the SQLite file */
    /* Called every few megabytes. Returning false stops the call with PTL_ERR_CANCELLED, and
     * no copy is left. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_backup_progress *progress);
    void *payload;
} ptl_backup_options;

#define PTL_BACKUP_OPTIONS_INIT PTL_SIZED(ptl_backup_options)

typedef struct ptl_backup_report {
    size_t size;
    uint64_t bytes; /* size of the copy, in bytes */
    int rounds;     /* how many rounds of copying there were; each reads the whole file */
    double seconds;
    double held; /* seconds: the longest time for which a writing process had to wait for the
                  * copy */
} ptl_backup_report;

#define PTL_BACKUP_REPORT_INIT PTL_SIZED(ptl_backup_report)

/*
 * Copies the store's file, as it is at one moment, to `path`. Other processes may read and
 * write the file meanwhile: none of them is refused, and a writer waits no longer than
 * report->held. options and report may be NULL.
 *
 * The copy is one file in rollback mode, and it is on disk when the call returns. It is first
 * written to a new file beside the path, "<path>.portolan-XXXXXXXXXXXX.tmp". This file gets
 * its final name only after it was checked. If anything fails, it is removed; only if the
 * process is killed it stays.
 *
 * PTL_ERR_EXISTS: path exists and `replace` is false, or beside path lies the journal of a
 * database with the name of path. PTL_ERR_ARGUMENT: path is the store's own file by any name,
 * a name that belongs to a database ("w.db-wal"), or something other than a regular file. Such
 * files are never replaced, even if `replace` is true. PTL_ERR_BUSY: path is a world file that
 * another process is writing. PTL_ERR_CORRUPT: the copy fails its check because the store's
 * file is damaged; then nothing is replaced.
 */
PTL_API ptl_status ptl_backup(ptl_backup_report *report, ptl_store *store, const char *path,
                              const ptl_backup_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
