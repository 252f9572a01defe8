/* The copying part of ptl_backup: in rollback mode, into any file. */
#ifndef STORE_SQLITE_FILE_BACKUP_COPY_H
#define STORE_SQLITE_FILE_BACKUP_COPY_H

#include "portolan/backup.h"
#include "store/sqlite/connection/backup_target.h"
#include "store/sqlite/connection/store_impl.h"

/*
 * Fills the target with one moment of the store's file. held: the store's connection has a read
 * transaction open, which lasts until the end; else none, and short ones are made. *wal true:
 * nothing was copied, for the file is in WAL mode.
 */
ptl_status backup_copy(const backup_target *target, ptl_store *store, bool held,
                       const ptl_backup_options *options, bool *wal, ptl_error *err);

#endif
