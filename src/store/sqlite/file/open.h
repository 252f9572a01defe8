/*
 * Opening and closing, and what else concerns the file as a whole: the contract's operations
 * (store/store.h, store/operations.h).
 */
#ifndef STORE_SQLITE_FILE_OPEN_H
#define STORE_SQLITE_FILE_OPEN_H

#include "portolan/backup.h"
#include "portolan/migrate.h"
#include "portolan/store.h"
#include "store/operations.h"
#include "store/sqlite/connection/backup_target.h"
#include "store/sqlite/connection/store_impl.h"

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

/*
 * The journal mode of a world file, and why WAL is safe here although SQLite before 3.51.3 has
 * the WAL-reset bug: two connections that write and checkpoint at the same moment can damage a
 * WAL database. Ours never are two: no connection checkpoints (sqlite_harden) but the one that
 * holds the writer lock exclusively.
 */

/* Whether SQLite of that version (sqlite3_libversion_number) has the WAL-reset bug. */
bool journal_wal_reset_bug(int sqlite_version);

/* Is called for every connection before its first statement: it never checkpoints then, not at
 * close either. */
ptl_status journal_forbid_checkpoints(ptl_store *store, ptl_error *err);

/* Sets the mode as options say, for a store that holds the writer lock, outside of any
 * transaction; in WAL mode it may checkpoint from then on. */
ptl_status journal_set(ptl_store *store, const ptl_open_options *options, ptl_error *err);

/* The copying part of ptl_backup: in rollback mode, into any file. */

/*
 * Fills the target with one moment of the store's file. held: the store's connection has a read
 * transaction open, which lasts until the end; else none, and short ones are made. *wal true:
 * nothing was copied, for the file is in WAL mode.
 */
ptl_status backup_copy(const backup_target *target, ptl_store *store, bool held,
                       const ptl_backup_options *options, bool *wal, ptl_error *err);

/*
 * Files that can't be read where they lie: of an older schema, or with a write-ahead log or a
 * journal that has to be worked off first where nothing can be written. What is read then is a
 * copy in the folder for temporary files (snapshot.h), brought up to date. It has no name as
 * soon as it is complete, and goes with the store.
 */

/* The store's connection, which reads an older schema, becomes one to the copy. */
ptl_status private_copy_migrated(ptl_store *store, ptl_error *err);
/* The same for a file whose log or journal can't be worked off where it lies. The store's
 * connection has failed to read it. */
ptl_status private_copy_settled(ptl_store *store, ptl_error *err);
void private_copy_free(struct private_copy *copy); /* NULL is fine */

/* Another connection to the copy, which nobody else uses: give it back as you got it, and do
 * not close it. NULL if there is none left, or no copy. */
sqlite3 *private_copy_lend(ptl_store *store);
void private_copy_take_back(ptl_store *store, sqlite3 *db);

/* The file that the store was opened for, by the name that SQLite resolved; "" in memory. */
const char *private_copy_source(const ptl_store *store);
/* Whether that file is in WAL mode; false where the store reads the file itself. */
bool private_copy_has_wal(const ptl_store *store);

#endif
