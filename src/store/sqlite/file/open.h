/* Opening and closing a file, and other operations that concern the file as a whole. They
 * implement the contract (store/store.h). */
#pragma once

#include "portolan/backup.h"
#include "portolan/migrate.h"
#include "portolan/store.h"
#include "store/sqlite/connection/backup_target.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/store.h"

/* Implement ptl_store_open and ptl_migrate, for stores with these operations. */
ptl_status sqlite_open(ptl_store **out, const char *path, const ptl_open_options *options,
                       const store_operations *operations, ptl_error *err);
ptl_status sqlite_migrate(const char *path, const ptl_migrate_options *options,
                          ptl_migrate_report *report, const store_operations *operations,
                          ptl_error *err);
/* Makes a store without a connection, which then owns `file`, also if it fails; NULL when
 * memory is out. */
ptl_store *sqlite_store_new(const char *path, char *file, const ptl_open_options *options,
                            const store_operations *operations);
/* Installs the handlers, limits and switches that every connection needs before it touches the
 * file's schema. */
ptl_status sqlite_harden(ptl_store *store, ptl_error *err);
/* Implement the contract's operations of the same names (store/store.h). */
void sqlite_close(ptl_store *store);
const char *sqlite_path(const ptl_store *store);
const ptl_store_copy *sqlite_is_copy(const ptl_store *store);
ptl_status sqlite_journal(ptl_store *store, ptl_journal_info *out, ptl_error *err);
ptl_status sqlite_backup(ptl_store *store, const char *path, const ptl_backup_options *options,
                         ptl_backup_report *report, ptl_error *err);
extern const scratch_operations sqlite_scratches;

/*
 * The journal mode of a world file. WAL is safe here although SQLite before 3.51.3 has the
 * WAL-reset bug: two connections that write and checkpoint at the same moment can damage a WAL
 * database. That can't happen here, because no connection checkpoints (sqlite_harden) except
 * the one that holds the writer lock exclusively.
 */

/* Does the SQLite of that version (sqlite3_libversion_number) have the WAL-reset bug? */
bool journal_wal_reset_bug(int sqlite_version);

/* Is the file in WAL mode, as far as that can be seen? */
bool journal_file_has_wal(const ptl_store *store);

/* The part of ptl_backup that copies a file in rollback mode. */

/*
 * Reading files that can't be read where they lie. Such a file has an older schema, or it has
 * a write-ahead log or a journal that must be processed first, in a place where nothing can be
 * written. The store then reads a copy in the folder for temporary files (snapshot.h), which
 * is brought up to date. The copy loses its name as soon as it is complete, and vanishes with
 * the store.
 */

/* Makes a copy of a file with an older schema, migrates it, and connects the store to it. */
ptl_status private_copy_migrated(ptl_store *store, ptl_error *err);
/* The same for a file whose log or journal can't be processed where it lies; the store's
 * connection has failed to read it. */
ptl_status private_copy_settled(ptl_store *store, ptl_error *err);
void private_copy_free(struct private_copy *copy); /* NULL is fine */

/* Lends another connection to the copy, which nobody else uses. Give it back in the same
 * state, and do not close it. NULL if none is left, or if there is no copy. */
sqlite3 *private_copy_lend(ptl_store *store);
/* Takes a lent connection back. */
void private_copy_take_back(ptl_store *store, sqlite3 *db);

/* Returns the name of the file that the store was opened for, as SQLite resolved it; "" in
 * memory. */
const char *private_copy_source(const ptl_store *store);
/* Is that file in WAL mode? False where the store reads the file itself. */
bool private_copy_has_wal(const ptl_store *store);
