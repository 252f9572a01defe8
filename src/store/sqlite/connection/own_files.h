/*
 * Which files are SQLite's to take. SQLite goes by names alone: whatever is called
 * w.db-journal it rolls back, empties or removes, and it writes into w.db-wal and w.db-shm; an
 * empty file becomes a database. So before a world file is opened, what lies at these names is
 * looked at, and nothing that could be somebody else's is given to SQLite.
 */
#ifndef STORE_SQLITE_FILE_OWN_FILES_H
#define STORE_SQLITE_FILE_OWN_FILES_H

#include "portolan/store.h"

/*
 * Gives the file's name for SQLite, new: absolute and without symbolic links, so that all its
 * names share their journal and their lock, and never a URI. PTL_ERR_FORMAT: there is something
 * that is no regular file. PTL_ERR_NOT_FOUND: nothing, and mode does not make it.
 */
ptl_status own_files_name(char **out, const char *path, ptl_open_mode mode, ptl_error *err);

/* What SQLite would recover from, as it lies beside the file. */
typedef struct own_recovery {
    bool journal, wal;           /* there is one that is not empty */
    bool from_nothing;           /* the journal is of a file that had one page at most */
    bool torn_journal, torn_wal; /* it holds what a power failure left of it, and no more */
} own_recovery;

/*
 * Looks at -journal, -wal and -shm: each is absent, or a regular file of one name that is empty
 * or begins as SQLite's own. (What a power failure leaves of an unsynced one may hold anything:
 * that is let pass where the lock file of a writer lies beside it, whose name was on the disk
 * before.) For writing the world file
 * itself must have one name, and what has the lock's name must be a lock. Else PTL_ERR_EXISTS,
 * and the message names it.
 */
ptl_status own_files_check(own_recovery *out, const char *file, ptl_open_mode mode,
                           ptl_error *err);

/* Of a store that writes and has its lock: makes an end of what is torn, which would be taken
 * for somebody else's once no lock file lies beside it. */
ptl_status own_files_settle(ptl_store *store, ptl_error *err);

/* The first bytes of a file that SQLite has only just opened: a world's, or of an empty one.
 * PTL_ERR_FORMAT. What may be a world that is to be recovered passes: migrate_check asks
 * again. */
ptl_status own_files_check_head(ptl_store *store, const own_recovery *beside, ptl_error *err);

#endif
