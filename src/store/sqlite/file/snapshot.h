/*
 * A snapshot: a private copy of a world file in a folder for temporary files, asked in place of
 * the file so that a long read holds no writer up. It has no name any more when it is filled:
 * it goes with its connection, however the process ends.
 */
#ifndef STORE_SQLITE_FILE_SNAPSHOT_H
#define STORE_SQLITE_FILE_SNAPSHOT_H

#include "portolan/backup.h"
#include "store/sqlite/connection/store_impl.h"

typedef struct snapshot_settings {
    const char *folder; /* NULL: where SQLite has temporary files: TMPDIR, or else /var/tmp */
    /* The source's connection has a read transaction open, and the copy is of its moment. Else
     * it has none, and the copy is made under short locks, as a backup is. */
    bool held;
    /* Called every few megabytes; false ends it with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_backup_progress *progress);
    void *payload;
} snapshot_settings;

/*
 * *out is a connection that was only just opened: nothing was asked of it yet, no setting made.
 * NULL and PTL_OK: the file is in WAL mode, where readers hold nobody up. PTL_ERR_IO, with what
 * it takes, if the folder has no room.
 */
ptl_status snapshot_open(sqlite3 **out, uint64_t *size, ptl_store *source,
                         const snapshot_settings *settings, ptl_error *err);

/* A connection to a copy that has no name. */
typedef struct snapshot_connection {
    bool writes; /* else it only reads */
    sqlite3 *db; /* owned by the caller, also after an error */
} snapshot_connection;

/* Does what snapshot_open does, but opens several connections to one copy; *wal true: nothing
 * was copied. */
ptl_status snapshot_copy(snapshot_connection *list, size_t count, uint64_t *size, bool *wal,
                         ptl_store *source, const snapshot_settings *settings, ptl_error *err);
/* Makes a folder that only we can read; *out is new. */
ptl_status snapshot_folder(char **out, ptl_store *source, ptl_error *err);

/*
 * Whether somebody else writes the store's file in rollback mode, so that a long read would
 * hold him up. whom, of `room` bytes, gets who it is; NULL: not asked. The store has read
 * before. It asks nobody and takes no lock.
 */
bool snapshot_wanted(ptl_store *store, char *whom, size_t room);
/* Whether the file is in WAL mode, as far as that can be seen. */
bool snapshot_file_has_wal(ptl_store *store);

/* The same as a store for reading, for calls that read long; *out is NULL where none is wanted.
 * Close it with ptl_store_close. */
ptl_status snapshot_if_wanted(ptl_store **out, ptl_store *source, ptl_error *err);

#endif
