/*
 * The journal mode of a world file, and why WAL is safe here although SQLite before 3.51.3 has
 * the WAL-reset bug: two connections that write and checkpoint at the same moment can damage a
 * WAL database. Ours never are two: no connection checkpoints (sqlite_harden) but the one that
 * holds the writer lock exclusively.
 */
#ifndef STORE_SQLITE_FILE_JOURNAL_H
#define STORE_SQLITE_FILE_JOURNAL_H

#include "portolan/store.h"

/* Whether SQLite of that version (sqlite3_libversion_number) has the WAL-reset bug. */
bool journal_wal_reset_bug(int sqlite_version);

/* Is called for every connection before its first statement: it never checkpoints then, not at
 * close either. */
ptl_status journal_forbid_checkpoints(ptl_store *store, ptl_error *err);

/* Sets the mode as options say, for a store that holds the writer lock, outside of any
 * transaction; in WAL mode it may checkpoint from then on. */
ptl_status journal_set(ptl_store *store, const ptl_open_options *options, ptl_error *err);

#endif
