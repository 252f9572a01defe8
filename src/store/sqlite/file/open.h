/*
 * Opening and closing, and what else concerns the file as a whole: the contract's operations
 * (store/store.h, store/operations.h).
 */
#ifndef STORE_SQLITE_FILE_OPEN_H
#define STORE_SQLITE_FILE_OPEN_H

#include "portolan/migrate.h"
#include "store/operations.h"

/* ptl_store_open and ptl_migrate, for a store that does these operations. */
ptl_status sqlite_open(ptl_store **out, const char *path, const ptl_open_options *options,
                       const store_operations *operations, ptl_error *err);
ptl_status sqlite_migrate(const char *path, const ptl_migrate_options *options,
                          ptl_migrate_report *report, const store_operations *operations,
                          ptl_error *err);
/* Limits and switches that every connection needs before it touches the file's schema. */
ptl_status sqlite_harden(ptl_store *store, ptl_error *err);
void sqlite_close(ptl_store *store);
const char *sqlite_path(const ptl_store *store);
const ptl_store_copy *sqlite_is_copy(const ptl_store *store);
ptl_status sqlite_journal(ptl_store *store, ptl_journal_info *out, ptl_error *err);
ptl_status sqlite_backup(ptl_store *store, const char *path, const ptl_backup_options *options,
                         ptl_backup_report *report, ptl_error *err);
ptl_status sqlite_scratch_open(ptl_store **out, ptl_store *source, const char *path,
                               ptl_error *err);
ptl_status sqlite_scratch_clear(ptl_store *store, ptl_error *err);

#endif
