/* Opens and closes a world file, and does other work on the file as a whole. The functions
 * implement the contract (store/store.h). */
#pragma once

#include "portolan/backup.h"
#include "portolan/migrate.h"
#include "portolan/store.h"
#include "store/sqlite/connection/backup_target.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/store.h"

/* These implement ptl_store_open and ptl_migrate, for stores with the given operations. */
ptl_status sqlite_open(ptl_store **out, const char *path, const ptl_open_options *options,
                       const store_operations *operations, ptl_error *err);
ptl_status sqlite_migrate(const char *path, const ptl_migrate_options *options,
                          ptl_migrate_report *report, const store_operations *operations,
                          ptl_error *err);
/* Makes a store that has no connection yet. The store owns `file`, which is freed if this
 * fails. NULL if memory is out. */
ptl_store *sqlite_store_new(const char *path, char *file, const ptl_open_options *options,
                            const store_operations *operations);
/* Sets the handlers, limits and switches that every connection needs before the file's schema
 * is read. */
ptl_status sqlite_harden(ptl_store *store, ptl_error *err);
/* These implement operations of the contract (store/store.h). */
void sqlite_close(ptl_store *store);
const char *sqlite_path(const ptl_store *store);
const ptl_store_copy *sqlite_is_copy(const ptl_store *store);
ptl_status sqlite_journal(ptl_store *store, ptl_journal_info *out, ptl_error *err);
ptl_status sqlite_backup(ptl_store *store, const char *path, const ptl_backup_options *options,
                         ptl_backup_report *report, ptl_error *err);
extern const scratch_operations sqlite_scratches;

/*
 * The journal mode of a world file is WAL or rollback. SQLite before 3.51.3 has the WAL-reset
 * bug: two connections that write and checkpoint at the same moment can damage a WAL database.
 * Here that can't happen, because no connection checkpoints (sqlite_harden) except the one that
 * holds the writer lock exclusively.
 */

/* Returns true if this version of SQLite (a number as of sqlite3_libversion_number) has
 * SQLite's WAL-reset bug, by which a WAL file may be damaged. */
bool journal_wal_reset_bug(int sqlite_version);

/* Returns true if the file's header can be read and says that the file is in WAL mode. */
bool journal_file_has_wal(const ptl_store *store);

/*
 * Private copies, for two kinds of files that can't be read as they are: a file with an older
 * schema; and a file in a folder without write permission, whose WAL or journal SQLite must
 * process first. The store then reads a copy in the folder for temporary files (snapshot.h), in
 * which that has been done. The copy loses its name as soon as it is complete, and vanishes
 * with the store.
 */

/* Makes a copy of a file with an older schema, migrates it, and connects the store to it. */
ptl_status private_copy_migrated(ptl_store *store, ptl_error *err);
/* Makes a copy of a file whose WAL or journal SQLite can't process in the file's folder, and
 * connects the store to the copy. Call this after the store's own connection has failed to read
 * the file. */
ptl_status private_copy_settled(ptl_store *store, ptl_error *err);
void private_copy_free(struct private_copy *copy); /* copy may be NULL */

/* Lends a further connection to the copy that the store reads in place of its file. Until it is
 * given back by private_copy_take_back, only the borrower uses it; he must leave its state
 * unchanged and not close it. NULL if all connections are lent, or if there is no copy. */
sqlite3 *private_copy_lend(ptl_store *store);
/* Takes back a connection that private_copy_lend has lent. */
void private_copy_take_back(ptl_store *store, sqlite3 *db);

/* Returns the name of the file that the store was opened for, as SQLite resolved it; "" if the
 * store is in memory. */
const char *private_copy_source(const ptl_store *store);
/* Returns true if the store reads a copy of a file that is in WAL mode. */
bool private_copy_has_wal(const ptl_store *store);
