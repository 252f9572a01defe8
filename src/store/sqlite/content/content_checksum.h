/*
 * Checksums over the tables of content and definitions, one for each table in
 * content_checksum: what an import wrote is what is read. Rows of worlds have their own.
 */
#ifndef STORE_SQLITE_CONTENT_CHECKSUM_H
#define STORE_SQLITE_CONTENT_CHECKSUM_H

#include "store/content_store.h"
#include "store/sqlite/connection/stmt.h"

/* A table, and the statement that gives all its columns in the order of its primary key. */
typedef struct content_table {
    const char *name, *key; /* key: names of columns, by which its rows are sorted */
    bool loaded;            /* the catalogue is made from it */
} content_table;

/* All of them; ends with a name of NULL. */
extern const content_table content_tables[];
/* Asks for all columns of all rows, in their order. */
ptl_status content_table_prepare(stmt **out, ptl_store *store, const content_table *table,
                                 ptl_error *err);

/* Writes the checksums of all tables, in place of those that are there. Inside the transaction
 * that changed the content. */
ptl_status content_checksum_write(ptl_store *store, ptl_error *err);

/* Compares all tables with their checksums. found gets each problem; it is no failure. */
ptl_status sqlite_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                                ptl_error *err);

/* The tables that the catalogue is made from: PTL_ERR_CORRUPT names the first that differs. */
ptl_status sqlite_content_check_loaded(ptl_store *store, ptl_error *err);

#endif
