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
    uint64_t done, total; /* bytes that this round has copied, and has to copy in all */
    int round;            /* counts from 1; the file is copied again in another round if it was
                           * written meanwhile */
    double seconds;       /* since the call began */
    double rate;          /* bytes per second of this round; 0 if unknown */
} ptl_backup_progress;

typedef struct ptl_backup_options {
    size_t size;
    bool replace; /* replace an existing file of that name once the copy has passed its check;
                   * if false, an existing file is an error */
    bool verify;  /* check the whole copy as ptl_verify does, not only SQLite's structure */
    /* Called every few megabytes. Returning false stops: nothing is left, PTL_ERR_CANCELLED.
     * May be NULL. */
    bool (*on_progress)(void *payload, const ptl_backup_progress *progress);
    void *payload;
} ptl_backup_options;

#define PTL_BACKUP_OPTIONS_INIT PTL_SIZED(ptl_backup_options)

typedef struct ptl_backup_report {
    size_t size;
    uint64_t bytes; /* of the copy */
    int rounds;     /* how often the file was read */
    double seconds;
    double held; /* seconds: the longest time for which a writing process had to wait for the
                  * copy */
} ptl_backup_report;

#define PTL_BACKUP_REPORT_INIT PTL_SIZED(ptl_backup_report)

/*
 * Copies the store's file, as it is at one moment, to `path`. Others may read and write the
 * file meanwhile: nobody is refused, and a writer waits no longer than report->held. options
 * and report may be NULL.
 *
 * The copy is one file in rollback mode, and it is on disk when the call returns. It is
 * written to a new file beside the path, "<path>.portolan-XXXXXXXXXXXX.tmp", and gets its name
 * only after it was checked. That file is removed if anything fails; only a process that is
 * killed leaves it behind.
 *
 * PTL_ERR_EXISTS: path exists and `replace` is false, or a journal of that name lies beside
 * it. PTL_ERR_ARGUMENT: path is the store's own file by any name, a name that belongs to a
 * database ("w.db-wal"), or something other than a regular file; none of these is ever
 * replaced. PTL_ERR_BUSY: path is a world file that somebody is writing. PTL_ERR_CORRUPT: the
 * copy fails its check because the store's file is damaged; then nothing is replaced.
 */
PTL_API ptl_status ptl_backup(ptl_backup_report *report, ptl_store *store, const char *path,
                              const ptl_backup_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
