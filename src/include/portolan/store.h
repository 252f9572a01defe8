/*
 * A world file: one SQLite database that holds imported content, worlds, chunks, edges and
 * the history of runs. The format is described in schema/format.md.
 *
 * Threads: there are no globals. A ptl_store and everything obtained from it belong to one
 * thread at a time; two threads open the file twice. A process must not fork with an open
 * store: a child that does so all the same must neither use nor close it, and as long as it
 * lives, the file counts as being written.
 *
 * Who may do what at the same time:
 * - Any number of stores may read. They never write to the file, whatever its journal mode,
 *   but finish what a killed writer left (see below).
 * - One store writes: it holds a lock on the file PATH-lock beside the world file, in which
 *   stands who it is. A second one is refused with PTL_ERR_BUSY and a message that names the
 *   first, or waits (wait_ms). Stores that all say PTL_WRITERS_SHARED write together, by short
 *   transactions that take turns. The lock ends with its process, however that ends; a lock
 *   file left behind means nothing. Something else of that name is never touched: the store is
 *   refused with PTL_ERR_EXISTS and a message that names it.
 * - A store that was killed while it wrote leaves a journal. The next one to open the file, for
 *   reading too, takes back the transaction that was not finished.
 *
 * Waiting for turns. In rollback mode (PTL_JOURNAL_TRUNCATE) a commit waits until nobody reads,
 * and readers wait while it writes: milliseconds, unless somebody's read takes long. A call
 * that waited for busy_timeout_ms fails with PTL_ERR_BUSY, and nothing of it was written.
 * ptl_generate alone does not fail but goes on waiting, letting other readers in now and then;
 * on_wait and its own on_progress are asked whether it should. In WAL mode nobody waits for
 * readers.
 */
#ifndef PORTOLAN_STORE_H
#define PORTOLAN_STORE_H

#include "portolan/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_store ptl_store;

typedef enum ptl_open_mode {
    PTL_OPEN_READ,  /* the file must exist; nothing is written, not even a migration: see
                     * ptl_store_private_copy */
    PTL_OPEN_WRITE, /* the file must exist; older schema versions are migrated */
    PTL_OPEN_CREATE /* as PTL_OPEN_WRITE, but a missing or empty file is set up */
} ptl_open_mode;

typedef enum ptl_writers {
    PTL_WRITERS_ONE,   /* this store alone writes */
    PTL_WRITERS_SHARED /* with others that say the same; not in WAL mode */
} ptl_writers;

/*
 * How transactions reach the file. The mode is kept in the file; changing it asks for
 * PTL_WRITERS_ONE and for a moment without readers. Both sync at each commit.
 */
typedef enum ptl_journal {
    PTL_JOURNAL_KEEP,     /* as the file is; a new one: PTL_JOURNAL_TRUNCATE */
    PTL_JOURNAL_TRUNCATE, /* rollback journal */
    PTL_JOURNAL_WAL       /* write-ahead log; on one machine only, never on a network drive */
} ptl_journal;

typedef struct ptl_wait {
    size_t size;
    double seconds; /* since waiting began */
    const char
        *whom; /* e.g. "process 77 (portolan import)"; never NULL; borrowed for the call */
} ptl_wait;

typedef struct ptl_open_options {
    size_t size;
    ptl_open_mode mode;
    int busy_timeout_ms; /* how long to wait for a turn; 0: 10,000 */
    ptl_writers writers; /* the rest is for writing alone */
    int wait_ms;         /* for other writers to end; 0: not at all; -1: as long as it takes */
    ptl_journal journal;
    const char *program; /* what other writers are told; NULL: the name of the process */
    /* Called now and then while a call waits, from 0.1 s on; lives as long as the store. False
     * ends the wait: the call returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_wait)(void *payload, const ptl_wait *wait);
    /* Asked all the time, by every call that works for the store or for a world of it, from any
     * thread that does: it must be quick, safe in threads, and only look (at a flag that a
     * signal's handler sets, say). True ends the call within a fraction of a second, with
     * PTL_ERR_CANCELLED; nothing of the transaction under way is kept, what was committed
     * stays. Once true it stays so until the call has returned. May be NULL. */
    bool (*should_stop)(void *payload);
    void *payload; /* of both */
} ptl_open_options;

#define PTL_OPEN_OPTIONS_INIT                                                                  \
    {                                                                                          \
        sizeof(ptl_open_options), PTL_OPEN_WRITE, 0, PTL_WRITERS_ONE, 0, PTL_JOURNAL_KEEP,     \
            NULL, NULL, NULL, NULL                                                             \
    }

/*
 * Opens a world file. *out is new: close it with ptl_store_close. options may be NULL.
 * PTL_ERR_NOT_FOUND: no such file. PTL_ERR_FORMAT: not a world file. PTL_ERR_NEWER: made by a
 * newer Portolan. PTL_ERR_READONLY, PTL_ERR_BUSY, PTL_ERR_IO, PTL_ERR_CORRUPT as they say.
 * PTL_ERR_ARGUMENT: shared writing asked for of a file in WAL mode.
 */
PTL_API ptl_status ptl_store_open(ptl_store **out, const char *path,
                                  const ptl_open_options *options, ptl_error *err);

/*
 * By the head of a file alone, which is not opened for it as a store: is it a world file of
 * this version's schema with no journal beside it, so that PTL_OPEN_READ neither takes back
 * another's transaction nor reads a copy? False of what can't be read, or is no file. What
 * happens to the file next may make it otherwise.
 */
PTL_API bool ptl_store_is_ready(const char *path);

/* Closes the file; lets the next writer in. NULL is fine. Worlds opened from the store must be
 * closed first. */
PTL_API void ptl_store_close(ptl_store *store);

/* The path that the store was opened with. Borrowed until the store is closed. */
PTL_API const char *ptl_store_path(const ptl_store *store);

/* What a store reads in place of its file. */
typedef struct ptl_store_copy {
    size_t size;
    int version;    /* of the file's schema */
    int now;        /* of the copy's: that of this library */
    uint64_t bytes; /* that were copied */
} ptl_store_copy;

/*
 * NULL, or what is read in place of the file; borrowed until the store is closed. A store that
 * was opened with PTL_OPEN_READ reads a private copy, brought up to date, where the file itself
 * can't be read as it lies: it is of an older schema version (from the first released one on),
 * or what a writer left beside it (a write-ahead log, a journal) would have to be worked off
 * where nothing can be written. The copy is of the moment of opening. It lies in the folder of
 * TMPDIR, has no name, and goes with the store; PTL_ERR_IO says if there is no room. The file
 * stays as it is.
 */
PTL_API const ptl_store_copy *ptl_store_private_copy(const ptl_store *store);

typedef struct ptl_journal_info {
    size_t size;
    ptl_journal mode; /* of the file: PTL_JOURNAL_TRUNCATE or PTL_JOURNAL_WAL */
    /* This SQLite can damage a WAL database that two connections write and checkpoint at the
     * same moment. Portolan's lock lets only one do so; other programs do not know it. */
    bool wal_reset_bug;
    const char *sqlite_version; /* of the SQLite in use, e.g. "3.40.1"; a constant */
} ptl_journal_info;

#define PTL_JOURNAL_INFO_INIT PTL_SIZED(ptl_journal_info)
/* How the file is journalled. PTL_ERR_ARGUMENT if nobody set out->size. */
PTL_API ptl_status ptl_journal_info_load(ptl_journal_info *out, ptl_store *store,
                                         ptl_error *err);

/* One problem that verify found. The strings live as long as the callback runs. */
typedef struct ptl_problem {
    size_t size;
    int invariant;       /* its number in schema/format.md, section "Invariants"; 0: a seam */
    const char *where;   /* e.g. "world 'w', chunk 3,-2, z -1" */
    const char *message; /* what is wrong */
} ptl_problem;

typedef struct ptl_verify_counts {
    size_t size;
    uint64_t chunks, levels, edges; /* checked */
    uint64_t problems;
} ptl_verify_counts;

#define PTL_VERIFY_COUNTS_INIT PTL_SIZED(ptl_verify_counts)

/*
 * Checks the whole file: SQLite's own integrity check, schema, and every chunk, level, edge
 * and dictionary row against the numbered invariants of schema/format.md. Each problem is
 * given to on_problem (which may be NULL); damage is no failure of the call: it returns
 * PTL_OK and counts->problems > 0. While somebody else writes the file in rollback mode, a
 * snapshot of it is checked (see ptl_query_reading; PTL_ERR_IO if TMPDIR has no room for one).
 */
PTL_API ptl_status ptl_verify(ptl_verify_counts *counts, ptl_store *store,
                              void (*on_problem)(void *payload, const ptl_problem *problem),
                              void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
