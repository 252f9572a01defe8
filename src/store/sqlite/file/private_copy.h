/*
 * Files that can't be read where they lie: of an older schema, or with a write-ahead log or a
 * journal that has to be worked off first where nothing can be written. What is read then is a
 * copy in the folder for temporary files (snapshot.h), brought up to date. It has no name as
 * soon as it is complete, and goes with the store.
 */
#ifndef STORE_SQLITE_FILE_PRIVATE_COPY_H
#define STORE_SQLITE_FILE_PRIVATE_COPY_H

#include "store/sqlite/connection/store_impl.h"

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
