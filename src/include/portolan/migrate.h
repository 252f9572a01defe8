/*
 * Bringing a world file of an older schema version up to this library's. Opening a file for
 * writing does so anyway; this call tells how far it is, can be stopped, and can keep a copy of
 * the file as it was.
 */
#ifndef PORTOLAN_MIGRATE_H
#define PORTOLAN_MIGRATE_H

#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_migrate_progress {
    size_t size;
    const char *what;     /* "copying", "converting"; a constant */
    uint64_t done, total; /* chunks; total 0: not known */
} ptl_migrate_progress;

typedef struct ptl_migrate_options {
    size_t size;
    const ptl_open_options *open; /* its mode is not looked at; NULL: PTL_OPEN_OPTIONS_INIT */
    const char *backup; /* path of a copy of the file as it was: must not exist; NULL: none */
    /* Called now and then; false stops the call with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_migrate_progress *now);
    void *payload;
} ptl_migrate_options;

#define PTL_MIGRATE_OPTIONS_INIT PTL_SIZED(ptl_migrate_options)

typedef struct ptl_migrate_report {
    size_t size;
    int version; /* that the file had */
    int now;     /* that it has now */
    bool copied; /* options->backup is there: not for a file that was up to date */
    double seconds;
} ptl_migrate_report;

#define PTL_MIGRATE_REPORT_INIT PTL_SIZED(ptl_migrate_report)

/*
 * Nothing is done to a file that is up to date. It is one transaction: after an error, a stop
 * or a crash the file is as it was. A copy that was made stays. options and report may be NULL.
 * Errors as those of ptl_store_open; PTL_ERR_EXISTS if there is something at options->backup.
 */
PTL_API ptl_status ptl_migrate(ptl_migrate_report *report, const char *path,
                               const ptl_migrate_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
