/*
 * A row to be written: an array with one value for each column of its table
 * (store/sqlite/tables/row_tables.h). Both the row's checksum and the inserted row are made
 * from these values.
 *
 * row_value v[OTER_COLUMN_COUNT] = {[OTER_COLUMN_ID] = row_int(number),
 * [OTER_COLUMN_NAME] = row_text(name)};
 * status = row_put(store, TABLE_OTER, v, err);
 * A column without a value is NULL; if the table does not allow NULL there, the insert fails.
 */
#pragma once

#include "core/bytes.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/stmt.h"

#include <string.h>

typedef struct row_value {
    row_type type;
    size_t size; /* bytes of a text or blob */
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

/* Gets the value of a column in a statement's current row. A text or blob is valid as long as
 * the row; if memory for the text or blob was out, its `data` is NULL. */
row_value row_column_value(const stmt *s, int column);
/* Binds a value to a parameter of a statement. */
void row_value_bind(stmt *s, int index, const row_value *v);
/* Appends a value in the form in which checksums cover it: a tag for the type, then the value.
 * row_value_read reads the next such value; it returns false if the bytes hold none. */
void row_value_put(bytes *b, const row_value *v);
bool row_value_read(row_value *out, byte_reader *r);

/*
 * Gets the values of a statement's current row, whose first columns are the table's. Texts and
 * blobs are valid as long as the row. Call this after row_verify: it has read all values, so
 * that none can be missing for lack of memory.
 */
void row_take(row_value *out, const row_table *t, const stmt *s);

/* Appends the values of the columns from `first` on, except the checksum, to the input of a
 * checksum. */
void rowsum_values(bytes *b, const row_table *t, const row_value *values, int first);
/* Appends the values of a statement's current row to the input of a checksum, as rowsum_values
 * does. Each value counts as the type that it is stored with. */
void rowsum_row(bytes *b, const row_table *t, const stmt *s, int first);

/*
 * Reads the row with this id and verifies its checksum. The values are valid until the caller
 * frees *s, which it must do also after an error. PTL_ERR_NOT_FOUND, with the table's name, if
 * there is no such row.
 */
ptl_status row_read_one(row_value *out, stmt **s, ptl_store *store, row_table_id table,
                        int64_t id, ptl_error *err);

/* Computes the checksum of a row's values and sets it among them. */
ptl_status row_seal(row_value *values, const row_table *t, bytes *scratch, ptl_error *err);

/* Returns the number of bytes that the row takes in a leaf page of its table, whose first
 * column is the id. Pages have `usable` bytes (SQLite's file format: "B-tree Pages", "Record
 * Format"). */
size_t row_leaf_size(const row_table *t, const row_value *values, size_t usable);

/* Binds a row's values to a statement that inserts several rows at once; `at` says which of
 * them this row is, from 0 on. If a value has a type that its column does not allow, which is a
 * mistake of this program, the statement fails when it runs. */
void row_bind(stmt *s, const row_table *t, const row_value *values, int at);
/* Inserts a row whose checksum has been set. */
ptl_status row_insert(ptl_store *store, row_table_id table, const row_value *values,
                      ptl_error *err);
/* Inserts rows of one table, many of them by one statement. The texts and blobs of each row
 * must last until the last row was given to row_insert_next. */
typedef struct row_inserter {
    ptl_store *store;
    row_table_id table;
    size_t left;     /* number of rows that are still to be given; set it before the first
                      * row */
    stmt *s;         /* the statement to which rows are bound at present */
    int bound, room; /* how many rows are bound to the statement, and how many it inserts */
} row_inserter;
ptl_status row_insert_next(row_inserter *in, const row_value *values, ptl_error *err);
/* Sets the row's checksum and inserts it. */
ptl_status row_put(ptl_store *store, row_table_id table, row_value *values, ptl_error *err);

/* ---- the input of row checksums (format.md, "Checksums"), appended value by value ---- */

/* Begins the input of a row's checksum with the table's name, so that equal rows of different
 * tables have different checksums. */
void rowsum_begin(bytes *b, const char *table);
void rowsum_int(bytes *b, int64_t value);
void rowsum_text(bytes *b, const char *text);
/* Appends the values of `count` columns of the statement's current row to the input of a
 * checksum. Each value counts as the type that it is stored with. */
void rowsum_columns(bytes *b, const stmt *s, int first, int count);
/* Computes the checksum over the bytes in b. PTL_ERR_NOMEM if memory was out when they were
 * appended. */
ptl_status rowsum_end(bytes *b, int64_t *out, ptl_error *err);

/* ---- finding rows by name ---- */

/* Reads a row from a statement that gives all of the table's columns. */
typedef ptl_status row_read(void *payload, const stmt *s, ptl_error *err);

/* A table whose rows have names. `statement` gives the row whose name is bound to it, or all
 * rows if NULL is bound; the name is in column 1. */
typedef struct named_rows {
    stmt_id statement;
    row_table_id table;
    const char *noun; /* what messages call one row, as in "world" */
    row_read *read;
} named_rows;

/* Reads the row with this name into *out. If `name` is NULL, the table must have exactly one
 * row, and that is read. PTL_ERR_NOT_FOUND comes with a message that lists the names; even then
 * *out may have been filled. */
ptl_status row_find_named(void *out, ptl_store *store, const named_rows *rows, const char *name,
                          ptl_error *err);
/* Returns PTL_ERR_EXISTS if there is a row with this name. */
ptl_status row_refuse_named(ptl_store *store, const named_rows *rows, const char *name,
                            ptl_error *err);
