/*
 * Copies of a world file while it is in use.
 */
#ifndef PORTOLAN_BACKUP_H
#define PORTOLAN_BACKUP_H

#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_backup_progress {
    size_t size;
    uint64_t done, total; /* bytes of this round */
    int round;            /* from 1; another one follows where the file was written meanwhile */
    double seconds;       /* since the start */
    double rate;          /* bytes per second of this round; 0 if unknown */
} ptl_backup_progress;

typedef struct ptl_backup_options {
    size_t size;
    bool replace; /* a file of that name is replaced once the copy is good; else it is an error
                   */
    bool verify;  /* check the whole copy as ptl_verify does, not only its structure */
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
    double held; /* for so long, at most, a writing process waited for the copy; seconds */
} ptl_backup_report;

#define PTL_BACKUP_REPORT_INIT PTL_SIZED(ptl_backup_report)

/*
 * Copies the store's file, as it is at one moment, to `path`, while others may read and write
 * it: none is refused, and a writer waits for no more than `held`. The copy is one file in
 * rollback mode, on disk when the call returns, and was checked before it got its name: until
 * then it is a new file beside it, "<path>.portolan-XXXXXXXXXXXX.tmp", which is removed if
 * anything fails, and which only a process that is killed leaves. options and report may be
 * NULL. PTL_ERR_EXISTS if path exists, or a journal of that name lies beside it.
 * PTL_ERR_ARGUMENT if path is the store's file by any name, a name that belongs to a database
 * ("w.db-wal"), or anything but a regular file: that is not replaced in any case. PTL_ERR_BUSY
 * if it is a world that somebody writes. PTL_ERR_CORRUPT if the copy fails the check, because
 * the store's file is damaged: nothing is replaced then.
 */
PTL_API ptl_status ptl_backup(ptl_backup_report *report, ptl_store *store, const char *path,
                              const ptl_backup_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
