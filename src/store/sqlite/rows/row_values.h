/*
 * A row to be written, as one value for each column of its table
 * (store/sqlite/tables/row_tables.h). Binding the row and computing its checksum both use
 * these values.
 *
 *     row_value v[OTER_COLUMN_COUNT] = {[OTER_COLUMN_ID] = row_int(number),
 *                                       [OTER_COLUMN_NAME] = row_text(name)};
 *     status = row_put(store, TABLE_OTER, v, err);
 * A column that is left out is NULL; where the table does not allow NULL the insert fails.
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

/* Gets the value of a column in a statement's current row; a text or blob is valid as long as
 * the row. If memory for it was out its data is NULL. */
row_value row_column_value(const stmt *s, int column);
/* Binds a value to a parameter. */
void row_value_bind(stmt *s, int index, const row_value *v);
/* Appends a value in its canonical form: a tag for the type, then the value. The second
 * function reads the next one; it returns false if the bytes hold none. */
void row_value_put(bytes *b, const row_value *v);
bool row_value_read(row_value *out, byte_reader *r);

/*
 * Gets the values of a statement's current row, which gives the table's columns from its
 * column 0 on. Texts and blobs are valid as long as the row. Call it after row_verify: that
 * has fetched each of them, so none can be missing for lack of memory.
 */
void row_take(row_value *out, const row_table *t, const stmt *s);

/* Adds the values from column `first` on to the input of a checksum, except the checksum's own
 * column. */
void rowsum_values(bytes *b, const row_table *t, const row_value *values, int first);
/* The same for a statement's current row; each value counts as the type it is stored with. */
void rowsum_row(bytes *b, const row_table *t, const stmt *s, int first);

/*
 * Reads the row with this id, which must be there and sound; *s stays at it until it is freed,
 * also after an error. PTL_ERR_NOT_FOUND with a message that calls it by the table's name.
 */
ptl_status row_read_one(row_value *out, stmt **s, ptl_store *store, row_table_id table,
                        int64_t id, ptl_error *err);

/* Sets the checksum of a row that has one of its own. */
ptl_status row_seal(row_value *values, const row_table *t, bytes *scratch, ptl_error *err);

/* Returns the bytes that the row takes in a leaf of its table, whose first column is the id.
 * Pages have `usable` bytes (SQLite's file format: "B-tree Pages", "Record Format"). */
size_t row_leaf_size(const row_table *t, const row_value *values, size_t usable);

/* Binds the row to a statement, as its row number `at` from 0 on. A value whose type its column
 * does not allow is a mistake of this program; the statement then fails when it runs. */
void row_bind(stmt *s, const row_table *t, const row_value *values, int at);
/* Inserts a row as it is. */
ptl_status row_insert(ptl_store *store, row_table_id table, const row_value *values,
                      ptl_error *err);
/* Rows of one table that are inserted one after the other, many of them by one statement. The
 * texts and blobs of a row must last until the last row was given. */
typedef struct row_inserter {
    ptl_store *store;
    row_table_id table;
    size_t left;     /* rows that are still to be given */
    stmt *s;         /* the statement to which rows are being bound */
    int bound, room; /* rows that are bound to it, and that it takes */
} row_inserter;
ptl_status row_insert_next(row_inserter *in, const row_value *values, ptl_error *err);
/* Sets the row's checksum and inserts it. */
ptl_status row_put(ptl_store *store, row_table_id table, row_value *values, ptl_error *err);

/* Row checksums (format.md, "Checksums"): the hash of a canonical byte string of a row's
 * values. Checksums of whole rows are made by the functions above. */

/* Begins a checksum's input with the table's name, so that equal rows of different tables
 * differ. */
void rowsum_begin(bytes *b, const char *table);
void rowsum_int(bytes *b, int64_t value);
void rowsum_text(bytes *b, const char *text);
/* Adds `count` columns of the statement's current row; each value counts as the type it is
 * stored with. */
void rowsum_columns(bytes *b, const stmt *s, int first, int count);
/* Computes the checksum of what was appended. PTL_ERR_NOMEM if an earlier append failed. */
ptl_status rowsum_end(bytes *b, int64_t *out, ptl_error *err);

/* Reading rows by name. */

/* Takes a row from a statement that gives all of the table's columns. */
typedef ptl_status row_read(void *payload, const stmt *s, ptl_error *err);

/* Objects that have names. The statement gives rows by name (or all, for NULL), with the name
 * in column 1. */
typedef struct named_rows {
    stmt_id statement;
    row_table_id table;
    const char *noun; /* what one object is called in messages */
    row_read *read;
} named_rows;

/* Reads the row with this name into *out; NULL means the only row. PTL_ERR_NOT_FOUND comes
 * with a message that lists the names; *out may have been filled even then. */
ptl_status row_find_named(void *out, ptl_store *store, const named_rows *rows, const char *name,
                          ptl_error *err);
/* PTL_ERR_EXISTS if there is a row with this name. */
ptl_status row_refuse_named(ptl_store *store, const named_rows *rows, const char *name,
                            ptl_error *err);
