/* Writes and copies contents and checks their checksums. The first functions are operations of
 * the contract; store/content_store.h says what they mean. */
#pragma once

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

/* Bytes that are enough for a statement that names all columns of a part. */
enum { CONTENT_SQL_MAX = 2000 };

/*
 * Appends the names in "a, b" as "[a], [b]" to sql, at the offset *size, which is moved on. The
 * brackets are needed because some columns are named like words of SQL. Returns the number of
 * names.
 */
int content_put_names(char sql[CONTENT_SQL_MAX], size_t *size, const char *names);

/* Copies all tables of the content from one store to another that has no content yet. Ids stay
 * the same. */
ptl_status content_copy(ptl_store *to, ptl_store *from, ptl_error *err);

/* Sets the connection up for a file that will be thrown away: no journal on disk, no syncs, no
 * checks of references. */
ptl_status content_copy_careless(ptl_store *to, ptl_error *err);

/* A table of the content. */
typedef struct content_table {
    const char *name, *key; /* the table's name; and the columns by which its rows are sorted */
    bool loaded;            /* a catalogue is made from its rows */
} content_table;

/* All tables of a content; the list ends with a name of NULL. */
extern const content_table content_tables[];
/* Prepares a statement that gives all columns of all rows, in the order of the key. */
ptl_status content_table_prepare(stmt **out, ptl_store *store, const content_table *table,
                                 ptl_error *err);

/* Writes the checksums of all tables in place of earlier ones. Call it inside the transaction
 * that changed the content. */
ptl_status content_checksum_write(ptl_store *store, ptl_error *err);

/* Compares all tables of the present content with their checksums. `found` is called for each
 * table that differs; that is no failure of the call. */
ptl_status sqlite_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                                ptl_error *err);

/* Compares only the tables from which a catalogue is made. PTL_ERR_CORRUPT names the first
 * table that differs. */
ptl_status sqlite_content_check_loaded(ptl_store *store, ptl_error *err);
