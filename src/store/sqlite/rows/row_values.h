/*
 * A row to be written: a value for each column of its table (store/sqlite/tables/row_tables.h),
 * from which come both what is bound and the checksum.
 *
 *     row_value v[OTER_COLUMN_COUNT] = {[OTER_COLUMN_ID] = row_int(number),
 *                                       [OTER_COLUMN_NAME] = row_text(name)};
 *     status = row_seal(v, row_table_of(TABLE_OTER), &scratch->sum, err);
 *     if (status == PTL_OK)
 *         status = row_insert(store, STMT_OTER_INSERT, row_table_of(TABLE_OTER), v, err);
 *
 * A column that is left out is NULL; where it must not be, the insert fails.
 */
#ifndef STORE_SQLITE_ROWS_ROW_VALUES_H
#define STORE_SQLITE_ROWS_ROW_VALUES_H

#include "core/bytes.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/stmt.h"

#include <string.h>

typedef struct row_value {
    row_type type;
    size_t size; /* of text or data */
    union {
        int64_t integer;
        double real;
        const void *data; /* borrowed until the row is written */
    };
} row_value;

static inline row_value row_int(int64_t value)
{
    return (row_value){.type = ROW_INTEGER, .integer = value};
}

static inline row_value row_real(double value)
{
    return (row_value){.type = ROW_REAL, .real = value};
}

/* Makes a value of a text; NULL becomes SQL's NULL. */
static inline row_value row_text(const char *text)
{
    return text ? (row_value){.type = ROW_TEXT, .size = strlen(text), .data = text}
                : (row_value){.type = ROW_NULL};
}

static inline row_value row_blob(const void *data, size_t size)
{
    return (row_value){.type = ROW_BLOB, .size = size, .data = data};
}

/* The values of a statement's current row, which gives the table's columns from its first one
 * on; texts and blobs die with the row. After row_verify, which has asked for each of them:
 * none is missing for want of memory then. */
void row_take(row_value *out, const row_table *t, const stmt *s);

/* Adds the values from column `first` on, but for the checksum. */
void rowsum_values(bytes *b, const row_table *t, const row_value *values, int first);
/* The same of a statement's current row, each as what it is stored as. */
void rowsum_row(bytes *b, const row_table *t, const stmt *s, int first);

/* Sets the checksum of a row with one of its own. */
ptl_status row_seal(row_value *values, const row_table *t, bytes *scratch, ptl_error *err);

/* Bytes that the row takes in a leaf of its table, whose first column is the id, with pages of
 * `usable` bytes (SQLite's file format: "B-tree Pages", "Record Format"). */
size_t row_leaf_size(const row_table *t, const row_value *values, size_t usable);

/* Binds the row from parameter `first` on. A value of a type that its column has not is our own
 * mistake: the statement fails when it runs. */
void row_bind(stmt *s, int first, const row_table *t, const row_value *values);
/* Adds a row; id is that of a statement that inserts a row of this table. */
ptl_status row_insert(ptl_store *store, stmt_id id, const row_table *t, const row_value *values,
                      ptl_error *err);

/*
 * Row checksums (format.md, "Checksums"): a canonical byte string of a row's values, hashed.
 * Those of whole rows are made in row_values.h.
 */

void rowsum_begin(bytes *b, const char *table);
void rowsum_null(bytes *b);
void rowsum_int(bytes *b, int64_t value);
void rowsum_real(bytes *b, double value);
void rowsum_text(bytes *b, const char *text);
void rowsum_sized_text(bytes *b, const char *text, size_t size);
void rowsum_blob(bytes *b, const void *data, size_t size);
/* count columns of the statement's current row, each as what it is stored as. */
void rowsum_columns(bytes *b, const stmt *s, int first, int count);
ptl_status rowsum_end(bytes *b, int64_t *out, ptl_error *err);

/* Rows of a table, read one by one with their checksums, or found by their names. */

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
