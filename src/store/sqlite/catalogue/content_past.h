/*
 * Earlier contents (format.md): the definitions that worlds, chunks or sweeps were made with,
 * kept in table content_past when another content takes their place in the file. Whoever reads
 * asks them through a store in memory that holds them as if they were current.
 */
#ifndef STORE_SQLITE_CONTENT_PAST_H
#define STORE_SQLITE_CONTENT_PAST_H

#include "store/catalogue/catalogue_rows.h"
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

/*
 * Terrains that the present content may lack: what earlier contents (content_past.h) said of
 * them, the last imported first. Each content is opened when it is asked.
 */

typedef struct past_terrains past_terrains;

/* *out is new. first is a content that is asked before all others (0: none), also if it is the
 * present one; skip one that is not asked. */
ptl_status past_terrains_new(past_terrains **out, ptl_store *store, int64_t first, int64_t skip,
                             ptl_error *err);
void past_terrains_free(past_terrains *p); /* NULL is fine */

ptl_status past_terrains_find(past_oter *out, bool *found, past_terrains *p, const char *id,
                              ptl_error *err);
/* Flags of the terrain of the oter that was found last. */
ptl_status past_terrains_flags(past_terrains *p, const char *terrain, past_flag_fn *found,
                               void *payload, ptl_error *err);
/* In each of the contents, so that some may come twice: the oters of a terrain (of one variant;
 * -1: all), or the terrains that a connection draws. */
typedef enum past_list { PAST_OTERS, PAST_LINES } past_list;
typedef ptl_status past_id_fn(void *payload, const char *id, ptl_error *err);
ptl_status past_terrains_list(past_terrains *p, past_list list, const char *id, int variant,
                              past_id_fn *found, void *payload, ptl_error *err);

#endif
