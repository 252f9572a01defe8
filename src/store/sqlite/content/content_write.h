/* The contract's operations for importing (store/content_store.h, which says what they mean).
 */
#ifndef STORE_SQLITE_CONTENT_WRITE_H
#define STORE_SQLITE_CONTENT_WRITE_H

#include "store/content_store.h"
#include "store/sqlite/connection/stmt.h"

ptl_status sqlite_part_open(void **out, ptl_store *store, content_part which, ptl_error *err);
void sqlite_part_close(void *part);
ptl_status sqlite_part_add(int64_t *number, void *part, const content_value *values, int count,
                           ptl_error *err);
ptl_status sqlite_content_clear(ptl_store *store, int64_t content_id, ptl_error *err);
ptl_status sqlite_content_find(content_standing *out, ptl_store *store, const char *hex,
                               ptl_error *err);
ptl_status sqlite_content_put(ptl_store *store, content_row *row, ptl_error *err);
ptl_status sqlite_content_seal(ptl_store *store, ptl_error *err);
ptl_status sqlite_content_count_stale(uint64_t *out, ptl_store *store, int64_t content_id,
                                      ptl_error *err);

/* Room for a statement about all columns of a part. */
enum { CONTENT_SQL_MAX = 2000 };

/* "a, b" as [a], [b] behind the first *size bytes of sql: some of our columns are called like
 * words of SQL. Returns how many there are. */
int content_put_names(char sql[CONTENT_SQL_MAX], size_t *size, const char *names);

/* A file's content in another file: for scratch files, which are thrown away. */

/* Copies all tables of content and definitions of one store into another that has none yet,
 * under the same numbers. */
ptl_status content_copy(ptl_store *to, ptl_store *from, ptl_error *err);

/* For a file that nobody will miss: no journal on disk, nothing is synced, and references are
 * not looked up. */
ptl_status content_copy_careless(ptl_store *to, ptl_error *err);

#endif
