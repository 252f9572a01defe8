/*
 * Snapshots: private copies of a world file in a folder for temporary files. A long read uses a
 * snapshot in place of the file, so that it holds up no writer. When the snapshot is complete
 * it has no name, so it vanishes with its connection, however the process ends.
 */
#pragma once

#include "portolan/backup.h"
#include "store/sqlite/connection/store_impl.h"

typedef struct snapshot_settings {
    /* NULL: the folder in which SQLite has temporary files, which is TMPDIR or /var/tmp. */
    const char *folder;
    /* True: the source's connection has a read transaction open, and the copy shall show the
     * file as that transaction sees it. False: no transaction is open, and the copy is made
     * under short locks, as a backup is. */
    bool held;
    /* Is called every few megabytes; returning false ends the copying with PTL_ERR_CANCELLED.
     * May be NULL. */
    bool (*on_progress)(void *payload, const ptl_backup_progress *progress);
    void *payload;
} snapshot_settings;

/*
 * Makes a snapshot and gets its size in bytes. *out is a new connection, on which no statement
 * has run. If the file is in WAL mode, where readers hold nobody up, *out is NULL and the
 * status PTL_OK. PTL_ERR_IO if the folder lacks room; the message says how much is needed.
 */
ptl_status snapshot_open(sqlite3 **out, uint64_t *size, ptl_store *source,
                         const snapshot_settings *settings, ptl_error *err);

/* A connection to a snapshot. */
typedef struct snapshot_connection {
    bool writes; /* this connection may write to the copy; otherwise it only reads */
    sqlite3 *db; /* owned by the caller, also after an error */
} snapshot_connection;

/* Makes a snapshot as snapshot_open does, with `count` connections to it. *wal is true if
 * nothing was copied because the file is in WAL mode. */
ptl_status snapshot_copy(snapshot_connection *list, size_t count, uint64_t *size, bool *wal,
                         ptl_store *source, const snapshot_settings *settings, ptl_error *err);
/* Opens a connection with these flags. *out is owned by the caller, also after an error. */
ptl_status snapshot_connect(sqlite3 **out, const char *name, int flags, ptl_error *err);
/* Makes a folder for temporary files that only this user can read; *out is its name, new. */
ptl_status snapshot_folder(char **out, ptl_store *source, ptl_error *err);

/*
 * Decides whether a long read would hold up another process, which writes the store's file in
 * rollback mode. whom, of `room` bytes, gets the writer's name; it may be NULL. Call this only
 * after the store has read something from its file, since before that the journal mode is not
 * known. No lock is taken, so the writer does not notice this call.
 */
bool snapshot_wanted(ptl_store *store, char *whom, size_t room);

/*
 * Makes a snapshot if snapshot_wanted says so, and opens it as a store for reading; *out is
 * NULL if none is needed. It is meant for calls that read for a long time. Close it with
 * ptl_store_close.
 */
ptl_status snapshot_if_wanted(ptl_store **out, ptl_store *source, ptl_error *err);
