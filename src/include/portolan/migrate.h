/*
 * Converts a world file of an older schema version to this library's version. Opening a file
 * for writing does the same; but this call reports progress, can be stopped, and can keep a
 * copy of the file as it was.
 */
#ifndef PORTOLAN_MIGRATE_H
#define PORTOLAN_MIGRATE_H

#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_migrate_progress {
    size_t size;
    const char *what;     /* what the call is doing: "copying" or "migrating" (converting); a
                           * constant */
    uint64_t done, total; /* how many conversions from one schema version to the next are done,
                           * and how many the file needs; both are 0 while it is copied */
} ptl_migrate_progress;

typedef struct ptl_migrate_options {
    size_t size;
    const ptl_open_options *open; /* how to open the file, with `mode` ignored; NULL:
                                   * PTL_OPEN_OPTIONS_INIT */
    const char *backup; /* where to put a copy of the unconverted file: a path at which nothing
                         * exists; NULL: no copy */
    /* Called now and then. Returning false stops the call with PTL_ERR_CANCELLED. May be
     * NULL. */
    bool (*on_progress)(void *payload, const ptl_migrate_progress *now);
    void *payload;
} ptl_migrate_options;

#define PTL_MIGRATE_OPTIONS_INIT PTL_SIZED(ptl_migrate_options)

typedef struct ptl_migrate_report {
    size_t size;
    int version; /* schema version that the file had */
    int now;     /* schema version that the file has after the call */
    bool copied; /* true: the copy options->backup was made; no copy is made if the file was up
                  * to date */
    double seconds;
} ptl_migrate_report;

#define PTL_MIGRATE_REPORT_INIT PTL_SIZED(ptl_migrate_report)

/*
 * Converts the file in one transaction: after an error, a stop or a crash it is unchanged, and
 * a copy that was made stays. A file that is up to date is left alone. options and report may
 * be NULL. Errors as for ptl_store_open; also PTL_ERR_EXISTS if something exists at
 * options->backup.
 */
PTL_API ptl_status ptl_migrate(ptl_migrate_report *report, const char *path,
                               const ptl_migrate_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
