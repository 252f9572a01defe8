/*
 * A world file: one SQLite database that holds imported content, worlds, chunks, edges and the
 * history of runs. The format is described in schema/format.md.
 *
 * Threads: there are no globals. A ptl_store and everything obtained from it may be used by
 * one thread at a time; two threads must each open the file. A process must not fork while a
 * store is open. If it does, the child must neither use nor close the store, and as long as
 * the child lives, the file counts as being written.
 *
 * Who may do what at the same time:
 * - Any number of stores may read. They never write to the file, whatever its journal mode,
 *   except that they roll back what a killed writer left unfinished (see below).
 * - One store may write. It holds a lock on the file PATH-lock beside the world file; this
 *   file says who the writer is. A second writer waits (wait_ms), or is refused with
 *   PTL_ERR_BUSY and a message that names the first. Stores that all ask for
 *   PTL_WRITERS_SHARED may write at the same time, in short transactions that take turns. The
 *   lock ends with its process, however the process ends; a lock file that is left behind has
 *   no meaning. If something other than a lock file has that name, it is never touched:
 *   opening fails with PTL_ERR_EXISTS and a message that names it.
 * - A store that was killed while it wrote leaves a journal. The next store that opens the
 *   file, even for reading, rolls back the unfinished transaction.
 *
 * Waiting for turns. In rollback mode (PTL_JOURNAL_TRUNCATE) a commit waits until nobody
 * reads, and readers wait while it writes. That takes milliseconds, unless a reader reads for
 * a long time. A call that has waited for busy_timeout_ms fails with PTL_ERR_BUSY and has
 * written nothing. Only ptl_generate goes on waiting, and lets other readers in now and then;
 * on_wait and its own on_progress can stop it. In WAL mode nobody waits for readers.
 */
#ifndef PORTOLAN_STORE_H
#define PORTOLAN_STORE_H

#include "portolan/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_store ptl_store;

typedef enum ptl_open_mode {
    PTL_OPEN_READ,   /* the file must exist; nothing is written, and an older schema version is
                      * not migrated (see ptl_store_private_copy) */
    PTL_OPEN_WRITE,  /* the file must exist; older schema versions are migrated */
    PTL_OPEN_CREATE, /* as PTL_OPEN_WRITE, but a missing or empty file is set up */
    PTL_OPEN_TRANSIENT /* a new store in memory, which is gone when it is closed; the path is
                        * ignored. Importing takes half the time. The store has no SQL and no
                        * file: ptl_query, ptl_verify, ptl_backup and others that need these
                        * return PTL_ERR_UNSUPPORTED. Once it has a world or sweep, it takes no
                        * other content */
} ptl_open_mode;

typedef enum ptl_writers {
    PTL_WRITERS_ONE,   /* no other store may write the file as long as this store is open */
    PTL_WRITERS_SHARED /* several stores may write the file, if all of them are opened with this
                        * value; not in WAL mode */
} ptl_writers;

/*
 * How transactions reach the file. The mode is stored in the file. It can only be changed by a
 * store that was opened with PTL_WRITERS_ONE, at a moment when nobody else reads the file. Both
 * modes sync to disk at each commit.
 */
typedef enum ptl_journal {
    PTL_JOURNAL_KEEP,     /* the mode that the file has; PTL_JOURNAL_TRUNCATE for a new file */
    PTL_JOURNAL_TRUNCATE, /* rollback mode: SQLite keeps a rollback journal, which is truncated
                           * at each commit */
    PTL_JOURNAL_WAL       /* a write-ahead log (WAL); only for use on one machine, never on a
                           * network drive */
} ptl_journal;

typedef struct ptl_wait {
    size_t size;
    double seconds; /* seconds since waiting began */
    /* Whom the call waits for, e.g. "process 77 (portolan import)". Never NULL; borrowed until
     * the callback returns. */
    const char *whom;
} ptl_wait;

typedef struct ptl_open_options {
    size_t size;
    ptl_open_mode mode;
    int busy_timeout_ms; /* how long a call waits for its turn, in milliseconds; 0: 10,000 */
    ptl_writers writers; /* who may write. writers, wait_ms, journal and program only have an
                          * effect in a store that writes */
    int wait_ms;         /* how long opening waits for other writers to end, in milliseconds;
                          * 0: opening does not wait; -1: as long as it takes */
    ptl_journal journal;
    const char *program; /* name of this program in the messages that tell others who writes the
                          * file; NULL: the name of the process */
    /* Called now and then while a call waits, after the first 0.1 s, as long as the store is
     * open. Returning false ends the wait: the call returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_wait)(void *payload, const ptl_wait *wait);
    /* Called very often, by every call for the store or one of its worlds, and from any thread
     * that works for such a call. It must be quick and thread-safe, and may only look at a
     * value, such as a flag that a signal handler sets. Returning true ends the call with
     * PTL_ERR_CANCELLED within a fraction of a second: the running transaction is rolled back,
     * what was committed stays. It must go on returning true until the call has returned. May
     * be NULL. */
    bool (*should_stop)(void *payload);
    void *payload; /* given to both callbacks */
} ptl_open_options;

#define PTL_OPEN_OPTIONS_INIT                                                                  \
    {                                                                                          \
        sizeof(ptl_open_options), PTL_OPEN_WRITE, 0, PTL_WRITERS_ONE, 0, PTL_JOURNAL_KEEP,     \
            NULL, NULL, NULL, NULL                                                             \
    }

/*
 * Opens a world file. *out is new: close it with ptl_store_close. options may be NULL.
 * PTL_ERR_NOT_FOUND: no such file. PTL_ERR_FORMAT: not a world file. PTL_ERR_NEWER: made by a
 * newer Portolan. PTL_ERR_READONLY, PTL_ERR_BUSY, PTL_ERR_IO, PTL_ERR_CORRUPT: see status.h.
 * PTL_ERR_ARGUMENT: PTL_WRITERS_SHARED was asked for, but the file is in WAL mode.
 */
PTL_API ptl_status ptl_store_open(ptl_store **out, const char *path,
                                  const ptl_open_options *options, ptl_error *err);

/*
 * Returns whether the file is a world file with this version's schema and without a journal
 * beside it, so that PTL_OPEN_READ needs neither to roll back somebody's transaction nor to
 * read a private copy. Only the beginning of the file is read; it is not opened as a store.
 * False if the path can't be read or is not a file. The answer may no longer be right when the
 * file changes afterwards.
 */
PTL_API bool ptl_store_is_ready(const char *path);

/* Closes the file, so that the next writer can open it. Worlds opened from the store must be
 * closed before. store may be NULL. */
PTL_API void ptl_store_close(ptl_store *store);

/* Returns the path that the store was opened with. Borrowed until the store is closed. */
PTL_API const char *ptl_store_path(const ptl_store *store);

/* A private copy that a store reads instead of its file. */
typedef struct ptl_store_copy {
    size_t size;
    int version;    /* schema version of the file */
    int now;        /* schema version of the private copy, which is that of this library */
    uint64_t bytes; /* bytes that were copied */
} ptl_store_copy;

/*
 * Returns the private copy that the store reads instead of its file; NULL if it reads the file
 * itself. Borrowed until the store is closed. A store opened with PTL_OPEN_READ makes such a
 * copy if the file can't be read as it is. This is so if the file has the schema version
 * of an older release. It is also so if a writer has left a write-ahead log or
 * journal beside the file, which must be applied, and the folder can't be written. The copy is
 * made when the file is opened, and is migrated to this version. It lies in the folder that
 * TMPDIR names, has no name, and vanishes when the store is closed. Opening fails with
 * PTL_ERR_IO if there is no room for it. The file itself stays as it is.
 */
PTL_API const ptl_store_copy *ptl_store_private_copy(const ptl_store *store);

typedef struct ptl_journal_info {
    size_t size;
    ptl_journal mode; /* the mode that the file has: PTL_JOURNAL_TRUNCATE or PTL_JOURNAL_WAL */
    /* True: the version of SQLite in use has an error that can damage a WAL database if two
     * connections write and checkpoint at the same moment. The lock of writers (ptl_writers)
     * prevents that between stores; programs other than Portolan take no notice of it. */
    bool wal_reset_bug;
    const char *sqlite_version; /* version of the SQLite in use, e.g. "3.40.1"; a constant */
} ptl_journal_info;

#define PTL_JOURNAL_INFO_INIT PTL_SIZED(ptl_journal_info)
/* Tells how the file is journalled. PTL_ERR_ARGUMENT if out->size was not set. */
PTL_API ptl_status ptl_journal_info_load(ptl_journal_info *out, ptl_store *store,
                                         ptl_error *err);

/* One problem that a check found. Its texts are valid until the callback returns. */
typedef struct ptl_problem {
    size_t size;
    int invariant;       /* number of the violated invariant (schema/format.md, "Invariants");
                          * 0 for a problem found by ptl_seams_verify */
    const char *where;   /* where the problem is, e.g. "world 'w', chunk 3,-2, z -1" */
    const char *message; /* what is wrong */
} ptl_problem;

typedef struct ptl_verify_counts {
    size_t size;
    uint64_t chunks, levels, edges; /* numbers of chunks, levels and edges that were checked */
    uint64_t problems;
} ptl_verify_counts;

#define PTL_VERIFY_COUNTS_INIT PTL_SIZED(ptl_verify_counts)

/*
 * Checks the whole file with SQLite's integrity check, then its schema and every chunk, level,
 * edge and dictionary row against the numbered invariants of schema/format.md. on_problem (may
 * be NULL) is called for each problem. Damage is no failure of the call: it returns PTL_OK
 * with counts->problems > 0. If somebody else writes the file in rollback mode, a snapshot of
 * it is checked (see ptl_query_reading); PTL_ERR_IO if TMPDIR has no room for it.
 */
PTL_API ptl_status ptl_verify(ptl_verify_counts *counts, ptl_store *store,
                              void (*on_problem)(void *payload, const ptl_problem *problem),
                              void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
