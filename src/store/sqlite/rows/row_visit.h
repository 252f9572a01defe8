/* Rows of a table, read one by one with their checksums, or found by their names. */
#ifndef STORE_SQLITE_ROWS_ROW_VISIT_H
#define STORE_SQLITE_ROWS_ROW_VISIT_H

#include "store/sqlite/connection/prepared.h"

/* Takes over a row, whose columns are the table's. */
typedef ptl_status row_read(void *payload, const stmt *s, ptl_error *err);

/* Reads all rows that the statement gives, which is freed: the table's columns, each row's
 * checksum compared first. */
ptl_status row_visit(stmt *s, row_table_id table, row_read *read, void *payload,
                     ptl_error *err);

/* What has names: its statement reads rows by name (all: NULL), the name in column 1. */
typedef struct named_rows {
    stmt_id statement;
    row_table_id table;
    const char *noun; /* for messages */
    row_read *read;
} named_rows;

/* Reads the row of the name into out; name NULL: the only one. PTL_ERR_NOT_FOUND says which
 * there are; *out may have been filled then. */
ptl_status row_find_named(void *out, ptl_store *store, const named_rows *rows, const char *name,
                          ptl_error *err);

#endif
