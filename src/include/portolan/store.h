/*
 * A world file: one SQLite database that holds imported content, worlds, chunks, edges and
 * the history of runs. The format is described in schema/format.md.
 *
 * Threads: there are no globals. A ptl_store and everything obtained from it belong to one
 * thread at a time; two threads open the file twice. A process must not fork with an open
 * store.
 */
#ifndef PORTOLAN_STORE_H
#define PORTOLAN_STORE_H

#include "portolan/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_store ptl_store;

typedef enum ptl_open_mode {
    PTL_OPEN_READ,  /* the file must exist; nothing is written, not even a migration */
    PTL_OPEN_WRITE, /* the file must exist; older schema versions are migrated */
    PTL_OPEN_CREATE /* as PTL_OPEN_WRITE, but a missing or empty file is set up */
} ptl_open_mode;

typedef struct ptl_open_options {
    ptl_open_mode mode;
    int busy_timeout_ms; /* how long to wait for another process's lock; 0: 10,000 */
} ptl_open_options;

#define PTL_OPEN_OPTIONS_INIT                                                                  \
    {                                                                                          \
        PTL_OPEN_WRITE, 0                                                                      \
    }

/*
 * Opens a world file. *out is new: close it with ptl_store_close. options may be NULL.
 * PTL_ERR_NOT_FOUND: no such file. PTL_ERR_FORMAT: not a world file. PTL_ERR_NEWER: made by a
 * newer Portolan. PTL_ERR_READONLY, PTL_ERR_BUSY, PTL_ERR_IO, PTL_ERR_CORRUPT as they say.
 */
PTL_API ptl_status ptl_store_open(ptl_store **out, const char *path,
                                  const ptl_open_options *options, ptl_error *err);

/* Closes the file. NULL is fine. Worlds opened from the store must be closed first. */
PTL_API void ptl_store_close(ptl_store *store);

/* The path that the store was opened with. Borrowed until the store is closed. */
PTL_API const char *ptl_store_path(const ptl_store *store);

/* One problem that verify found. The strings live as long as the callback runs. */
typedef struct ptl_problem {
    int invariant;       /* its number in schema/format.md, section "Invariants"; 0: a seam */
    const char *where;   /* e.g. "world 'w', chunk 3,-2, z -1" */
    const char *message; /* what is wrong */
} ptl_problem;

typedef struct ptl_verify_counts {
    uint64_t chunks, levels, edges; /* checked */
    uint64_t problems;
} ptl_verify_counts;

/*
 * Checks the whole file: SQLite's own integrity check, schema, and every chunk, level, edge
 * and dictionary row against the numbered invariants of schema/format.md. Each problem is
 * given to on_problem (which may be NULL); damage is no failure of the call: it returns
 * PTL_OK and counts->problems > 0.
 */
PTL_API ptl_status ptl_verify(ptl_store *store,
                              void (*on_problem)(void *payload, const ptl_problem *problem),
                              void *payload, ptl_verify_counts *counts, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
