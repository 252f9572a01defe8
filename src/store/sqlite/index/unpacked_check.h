/* Is what `portolan index` made what chunks give? And made anew where it is not. */
#ifndef STORE_SQLITE_INDEX_UNPACKED_CHECK_H
#define STORE_SQLITE_INDEX_UNPACKED_CHECK_H

#include "store/sqlite/connection/stmt.h"

/* Is called for each problem; where: "table unpacked_city". */
typedef void unpacked_problem(void *payload, const char *where, const char *message);

/*
 * Looks at each table that is as this version makes it: rows of a chunk that is in must be what
 * the chunk gives, and there may be none of others. A chunk that changed since is not looked
 * at, nor one that can't be read: others name it. PTL_ERR_CORRUPT: a table can't be read.
 */
ptl_status unpacked_check(ptl_store *store, unpacked_problem *found, void *payload,
                          ptl_error *err);

/* Is called after each chunk: it may end the transaction and begin the next. */
typedef ptl_status unpacked_pause(void *payload, ptl_error *err);

/* Makes all of these tables that there are anew, in a transaction; chunks that can't be read
 * are left out. */
ptl_status unpacked_renew(ptl_store *store, unpacked_pause *pause, void *payload,
                          ptl_error *err);

#endif
