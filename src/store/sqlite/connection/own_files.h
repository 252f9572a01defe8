/*
 * Decides which files SQLite may touch. SQLite goes by names alone: a file called w.db-journal
 * it rolls back, empties or removes; it writes into w.db-wal and w.db-shm; and it makes an
 * empty file a database. So before a world file is opened, the files with these names are
 * checked. A file that could belong to somebody else is never given to SQLite.
 */
#pragma once

#include "os/file.h"
#include "portolan/store.h"

/*
 * Gets the file's name for SQLite, new. The name is absolute and free of symbolic links, so
 * that all paths to the file share one journal and one lock; it is never a URI. PTL_ERR_FORMAT
 * if the path leads to something other than a regular file. PTL_ERR_NOT_FOUND if it leads to
 * nothing and `mode` does not create a file.
 */
ptl_status own_files_name(char **out, const char *path, ptl_open_mode mode, ptl_error *err);

/* The files beside a world file from which SQLite would recover it. */
typedef struct own_recovery {
    bool journal, wal; /* the journal, or the WAL, exists and is not empty */
    bool from_nothing; /* the journal belongs to a world file that was empty, or had just one
                        * page, before the transaction */
    /* The journal, or the WAL, is incomplete, as a power failure leaves it. */
    bool torn_journal, torn_wal;
} own_recovery;

/*
 * Checks the files with the tails -journal, -wal and -shm. Each must be absent, or be a regular
 * file with one name that is empty or begins as SQLite writes it. There is one exception: after
 * a power failure an unsynced file may hold anything. Such a file is accepted if a writer's
 * lock file lies beside it, since that lock file was on disk before the unsynced file.
 * If `mode` allows writing, the world file must have only one name (PTL_ERR_READONLY
 * otherwise), and a file with the lock's name must be a lock. A wrong file gives
 * PTL_ERR_EXISTS, and the message names it.
 */
ptl_status own_files_check(own_recovery *out, const char *file, ptl_open_mode mode,
                           ptl_error *err);

/* Empties incomplete files that a power failure left. The store must be open for writing and
 * hold the writer lock. If they were not emptied, such files would be taken for somebody else's
 * once the lock file is gone. */
ptl_status own_files_settle(ptl_store *store, ptl_error *err);

/*
 * Checks the first bytes of a file that SQLite has just opened: PTL_ERR_FORMAT unless it is a
 * world file or empty. Before SQLite has recovered a file, its first bytes may tell nothing.
 * Such a file is let through here, and migrate_check checks it later.
 */
ptl_status own_files_check_head(ptl_store *store, const own_recovery *beside, ptl_error *err);

/* Tells whether the facts are those of a file that SQLite or Portolan may have made. If the
 * file is a link, is not a regular file, or has several names, neither has made it, and the
 * function returns a constant text that says so. Otherwise it returns NULL. */
const char *own_files_strange(const file_facts *facts);

/* Reads a number as SQLite writes it into its files: 32 bits, big-endian. */
uint32_t own_files_u32(const unsigned char *at);

/* Returns a new name: `file` followed by `tail`. NULL if memory is out. */
char *own_files_beside(const char *file, const char *tail);
/* Returns PTL_ERR_IO with the path and the text of errno as its message. */
ptl_status own_files_failed(const char *path, ptl_error *err);
