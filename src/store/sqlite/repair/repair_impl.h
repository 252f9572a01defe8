/* Declarations that the files of repair share: rows with values of any type, and units of rows
 * that one checksum covers. */
#pragma once

#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/repair/repair.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/tables/row_tables.h"

typedef struct repair_value {
    row_type type;
    uint64_t word; /* bits of an integer or real number */
    uint8_t *data; /* owned; the bytes of a text or blob */
    size_t size;
} repair_value;

struct repair_row {
    row_table_id table;
    repair_value values[ROW_COLUMNS_MAX];
};

void repair_value_dispose(repair_value *value);
ptl_status repair_value_copy(repair_value *out, const repair_value *value, ptl_error *err);
repair_value repair_integer(int64_t value);
/* Returns the bytes of a text or blob; never NULL. */
const void *repair_bytes(const repair_value *value);
/* Returns true if both values have the same type and bytes. */
bool repair_value_equal(const repair_value *a, const repair_value *b);
bool repair_row_equal(const repair_row *a, const repair_row *b);
/* Returns the value as an integer; 0 if it has another type. */
int64_t repair_int(const repair_row *row, int column);
/* Returns the value in the form in which rows are written (row_values.h). Its bytes are
 * borrowed. */
row_value repair_as_row(const repair_value *v);
/* Appends a value in the form in which checksums cover it (format.md, "Checksums"). */
void repair_put_value(bytes *b, const repair_value *v);
/* Copies a value. False if memory is out, or if it was out when v was read from a statement. */
bool repair_value_own(repair_value *out, const row_value *v);
/* Copies a value of the statement's row; *failed becomes true if memory is out. */
void repair_value_take(repair_value *out, const stmt *s, int column, bool *failed);

/* Binds a value with its type, whatever the column's declared type. */
void repair_value_bind(stmt *s, int index, const repair_value *value);

/* Appends a row whose values are all NULL and returns it; NULL if memory is out. */
repair_row *repair_rows_add(repair_rows *rows, row_table_id table);
/* Appends the statement's current row, whose columns are all columns of the table, and returns
 * it; NULL if memory is out. */
repair_row *repair_row_take(repair_rows *rows, const stmt *s, row_table_id table);
/* Appends the rows of a table that belong to the chunk or edge `owner`. If the table is chunk
 * or edge itself, this is the row with the id `owner`. */
ptl_status repair_rows_read(repair_rows *out, ptl_store *store, row_table_id table,
                            int64_t owner, ptl_error *err);
/* Reads the row that has the same key as `key` from the file and appends it. */
ptl_status repair_row_reread(repair_rows *out, ptl_store *store, const repair_row *key,
                             ptl_error *err);
/* Deletes the row that has the key of `old`, and inserts `row`; either may be NULL.
 * PTL_ERR_EXISTS if another row has the key of `row`. */
ptl_status repair_row_replace(ptl_store *store, const repair_row *old, const repair_row *row,
                              ptl_error *err);
/* Replaces a row as repair_row_replace does. *kept is false if another row has the key of
 * `row`; then nothing has changed. */
ptl_status repair_row_change(repairer *r, const repair_row *old, const repair_row *row,
                             bool *kept, ptl_error *err);

/* ---- units: rows that one checksum covers ---- */
typedef enum repair_unit_kind {
    REPAIR_UNIT_ROW,  /* one row that has a checksum of its own */
    REPAIR_UNIT_EDGE, /* an edge, followed by its crossings */
    /* The cities, radios, specials and packs (blobs of other features) of a chunk; their
     * checksum is in the chunk's row. */
    REPAIR_UNIT_FEATURES
} repair_unit_kind;

typedef struct repair_unit {
    repair_unit_kind kind;
    repair_row *rows; /* borrowed */
    size_t count;
    int64_t stored; /* the checksum that the rows should have */
} repair_unit;

/* Returns a unit (rows that one checksum covers): a single row, or an edge with its
 * crossings. Its stored checksum is a value of the first row. */
repair_unit repair_unit_of(repair_unit_kind kind, repair_rows *rows);
/* Computes the checksum of the present values of the unit (rows that one checksum covers). */
ptl_status repair_unit_sum(const repair_unit *unit, bytes *scratch, int64_t *out,
                           ptl_error *err);
/* *good is true if the stored checksum of the unit (rows that one checksum covers) is right and
 * is an integer. */
ptl_status repair_unit_good(const repair_unit *unit, bytes *scratch, bool *good,
                            ptl_error *err);

/* *good is true if the row, which has a checksum of its own, stores the right one as an
 * integer. */
ptl_status repair_row_good(repair_row *row, bytes *scratch, bool *good, ptl_error *err);

typedef struct repair_change {
    bool found;
    bool skipped; /* repair did not try each bit of some value as the wrong one, since the value
                   * has too many bits */
    size_t row;
    int column;
} repair_change;

/*
 * Searches for the one wrong bit, or the one value of a wrong type, whose correction makes the
 * unit's checksum right, and corrects it in the unit (rows that one checksum covers). The wrong
 * value may also be the checksum in the unit's first row. Only the first `columns` values of
 * each row are tried.
 */
ptl_status repair_unit_flip(repairer *r, repair_unit *unit, int columns, repair_change *out,
                            ptl_error *err);
/* Adds `count` to the number of bytes that were hashed, and asks the stop hook from time to
 * time. */
ptl_status repair_hashed(repairer *r, uint64_t count, ptl_error *err);
/* Tests the unit (rows that one checksum covers) with the values that are being tried:
 * *found is true if its checksum is right. The bytes that are hashed for this are counted by
 * repair_hashed. */
ptl_status repair_unit_try(repairer *r, const repair_unit *unit, bool *found, ptl_error *err);
/* Searches for damaged bits may hash only a limited number of bytes. repair_bytes_left returns
 * how many more bytes all searches of this repair may hash; repair_search_left returns how many
 * of them the search in one unit may hash. */
uint64_t repair_bytes_left(const repairer *r);
uint64_t repair_search_left(const repairer *r);

/* The values that are to be tried for a column. Zero this struct before its first use. */
typedef struct repair_choice {
    int column;
    repair_value *values; /* owned */
    size_t count, room;
} repair_choice;

void repair_choice_dispose(repair_choice *choice);
ptl_status repair_choice_add(repair_choice *choice, const repair_value *value, ptl_error *err);
/* Runs a query, and adds the first column of each row of its result to the values of the choice
 * that are tried. */
ptl_status repair_choice_query(repair_choice *choice, ptl_store *store, const char *sql,
                               ptl_error *err);
/* Tries values in the first row of the unit (rows that one checksum covers). A choice is a
 * column with the values that it may have: each value of each choice is tried alone, then
 * the values of each two choices together. Values with which the checksum is right are kept
 * in the row. If out->skipped is true already, it stays true. */
ptl_status repair_unit_choose(repairer *r, repair_unit *unit, const repair_choice *choices,
                              size_t count, repair_change *out, ptl_error *err);
/*
 * Tries values as repair_unit_choose does. To `choices` it adds one choice for each column of
 * the first row's table whose possible values are listed (row_column.values), so the array must
 * have room for ROW_COLUMNS_MAX more than `count` elements. In the end it disposes of all
 * choices in the array. If *status is an error, nothing is tried.
 */
void repair_unit_choose_listed(ptl_status *status, repairer *r, repair_unit *unit,
                               repair_choice *choices, size_t count, repair_change *out,
                               ptl_error *err);

/* ---- rows of a chunk ---- */

/* Restores the row in table chunk from the chunk's other rows. *fixed is false if no checksum
 * proves the result. */
ptl_status repair_chunk_row(repairer *r, repair_chunk *c, bool *fixed, ptl_error *err);
/* Corrects single wrong bits in the chunk's levels, features and events. *bad becomes the mask
 * (REPAIR_BAD_*) of what is still damaged. */
ptl_status repair_chunk_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
