/*
 * Earlier contents (format.md): the definitions that worlds, chunks or sweeps were made with,
 * kept in table content_past when another content takes their place in the file. Whoever reads
 * asks them through a store in memory that holds them as if they were current.
 */
#ifndef STORE_SQLITE_CONTENT_PAST_H
#define STORE_SQLITE_CONTENT_PAST_H

#include "store/sqlite/connection/stmt.h"

/*
 * Keeps the present content if a world, chunk or sweep was made with it. In the transaction of
 * the import, before that changes anything. A content whose tables are damaged is not kept.
 * PTL_ERR_LIMIT: a table is too large.
 */
ptl_status sqlite_content_keep(ptl_store *store, ptl_error *err);
/* Opens only these tables; the list ends with NULL, and is NULL for all. *out is new: close it
 * as a store. It is NULL if the file does not hold that earlier content, or what it holds is
 * damaged: verify says so. */
ptl_status content_past_open(ptl_store **out, ptl_store *store, int64_t content_id,
                             const char *const *tables, ptl_error *err);

/* Lists the ids of the earlier contents, the last imported first: *ids is new, NULL for
 * none. */
ptl_status content_past_list(int64_t **ids, size_t *count, ptl_store *store, ptl_error *err);

/* Decodes a row of table content_past, whose checksum the caller has verified; memory: a store
 * in memory, which stays as it was. PTL_ERR_CORRUPT: it is not what an import writes. */
ptl_status content_past_row_check(const stmt *row, ptl_store *memory, ptl_error *err);

#endif
