/*
 * Decides which files SQLite may touch. SQLite goes by names alone: whatever is called
 * w.db-journal it rolls back, empties or removes; it writes into w.db-wal and w.db-shm; it
 * makes an empty file a database. So the files with these names are checked before a world
 * file is opened. Nothing that could belong to somebody else is given to SQLite.
 */
#pragma once

#include "os/file.h"
#include "portolan/store.h"

/*
 * Gets the file's name for SQLite, new. The name is absolute and free of symbolic links, so
 * that all paths to the file share one journal and one lock; it is never a URI. PTL_ERR_FORMAT
 * if something other than a regular file is there. PTL_ERR_NOT_FOUND if nothing is there and
 * mode does not create it.
 */
ptl_status own_files_name(char **out, const char *path, ptl_open_mode mode, ptl_error *err);

/* What lies beside the file that SQLite would recover from. */
typedef struct own_recovery {
    bool journal, wal; /* it exists and is not empty */
    bool from_nothing; /* the journal belongs to a file that had one page at most */
    /* The file is the incomplete remainder of one after a power failure. */
    bool torn_journal, torn_wal;
} own_recovery;

/*
 * Checks -journal, -wal and -shm. Each must be absent, or be a regular file with one name that
 * is empty or begins as SQLite writes it. There is one exception: after a power failure an
 * unsynced file may hold anything. It is accepted if a writer's lock file lies beside it,
 * since the lock file's name was on disk before.
 * For writing, the world file must itself have only one name, and a file with the lock's name
 * must be a lock. Otherwise PTL_ERR_EXISTS, and the message names the file.
 */
ptl_status own_files_check(own_recovery *out, const char *file, ptl_open_mode mode,
                           ptl_error *err);

/* Empties torn files, for a store that writes and has its lock. They would be taken for
 * somebody else's files once no lock file lies beside them. */
ptl_status own_files_settle(ptl_store *store, ptl_error *err);

/*
 * Checks the first bytes of a file that SQLite has just opened: PTL_ERR_FORMAT unless it is a
 * world file or empty. A file that may be a world file once it is recovered passes;
 * migrate_check checks it again later.
 */
ptl_status own_files_check_head(ptl_store *store, const own_recovery *beside, ptl_error *err);

/* Says what keeps a file from being one that only SQLite or Portolan writes, as a constant
 * text; NULL: nothing. */
const char *own_files_strange(const file_facts *facts);

/* Reads a number as SQLite writes it into its files: 32 bits, big-endian. */
uint32_t own_files_u32(const unsigned char *at);

/* Returns the name of a file beside another, new: `file` followed by `tail`. NULL when memory
 * is out. */
char *own_files_beside(const char *file, const char *tail);
