/* What the files of repair share: rows with values of any type, and units of such rows. */
#pragma once

#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/repair/repair.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/tables/row_tables.h"

typedef struct repair_value {
    row_type type;
    uint64_t word; /* bits of an integer or real */
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
/* Have both values the same type and bytes? */
bool repair_value_equal(const repair_value *a, const repair_value *b);
bool repair_row_equal(const repair_row *a, const repair_row *b);
/* Returns the value as an integer; 0 if it is anything else. */
int64_t repair_int(const repair_row *row, int column);
/* Returns the value in the form in which rows are written; its bytes are borrowed. */
row_value repair_as_row(const repair_value *v);
/* Appends a value in the form that format.md, "Checksums", describes. */
void repair_put_value(bytes *b, const repair_value *v);
/* Copies a value; false when memory is out, or was out for the value's bytes. */
bool repair_value_own(repair_value *out, const row_value *v);
/* Copies a value from the statement's row; *failed is set when memory is out. */
void repair_value_take(repair_value *out, const stmt *s, int column, bool *failed);

/* Binds a value with its type, whatever the column's declared type. */
void repair_value_bind(stmt *s, int index, const repair_value *value);

/* Appends a row whose values are all NULL and returns it; NULL when memory is out. */
repair_row *repair_rows_add(repair_rows *rows, row_table_id table);
/* Appends the statement's current row, whose columns are those of the table, and returns it;
 * NULL when memory is out. */
repair_row *repair_row_take(repair_rows *rows, const stmt *s, row_table_id table);
/* Appends the rows of a table that belong to a chunk or edge, or that have this key. */
ptl_status repair_rows_read(repair_rows *out, ptl_store *store, row_table_id table,
                            int64_t owner, ptl_error *err);
/* Appends the row that has the key of `key`, as it is stored now. */
ptl_status repair_row_reread(repair_rows *out, ptl_store *store, const repair_row *key,
                             ptl_error *err);
/* Replaces the row with the key of `old` by `row`; either may be NULL. PTL_ERR_EXISTS if
 * another row is in the way of `row`. */
ptl_status repair_row_replace(ptl_store *store, const repair_row *old, const repair_row *row,
                              ptl_error *err);
/* The same as a part of its own (repair_try_begin). *kept is false if another row is in the
 * way; then the table is as it was. */
ptl_status repair_row_change(repairer *r, const repair_row *old, const repair_row *row,
                             bool *kept, ptl_error *err);

/* ---- units ---- */
typedef enum repair_unit_kind {
    REPAIR_UNIT_ROW,  /* one row with a checksum of its own */
    REPAIR_UNIT_EDGE, /* an edge, then its crossings */
    /* Cities, radios, specials, packs; the checksum is in the chunk's row. */
    REPAIR_UNIT_FEATURES
} repair_unit_kind;

typedef struct repair_unit {
    repair_unit_kind kind;
    repair_row *rows; /* borrowed */
    size_t count;
    int64_t stored; /* the checksum that the rows must have */
} repair_unit;

/* Returns a unit of one row, or of an edge with its crossings; the stored checksum is read
 * from the first row. */
repair_unit repair_unit_of(repair_unit_kind kind, repair_rows *rows);
/* Computes the checksum over the unit's present values. */
ptl_status repair_unit_sum(const repair_unit *unit, bytes *scratch, int64_t *out,
                           ptl_error *err);
/* Is the stored checksum right, and an integer? */
ptl_status repair_unit_good(const repair_unit *unit, bytes *scratch, bool *good,
                            ptl_error *err);

/* The same for a row that has a checksum of its own. */
ptl_status repair_row_good(repair_row *row, bytes *scratch, bool *good, ptl_error *err);

typedef struct repair_change {
    bool found;
    bool skipped; /* something was too large to be tried */
    size_t row;
    int column;
} repair_change;

/* Searches for the one wrong bit, or the one value with a wrong type, and corrects it in the
 * unit. If the row has a checksum of its own, that may turn out to be the damaged value.
 * Only the first `columns` of each row are tried. */
ptl_status repair_unit_flip(repairer *r, repair_unit *unit, int columns, repair_change *out,
                            ptl_error *err);
/* Counts bytes that were hashed, and asks now and then whether to stop. */
ptl_status repair_hashed(repairer *r, uint64_t count, ptl_error *err);
/* Makes one try: is the checksum right now? Its bytes are counted by repair_hashed. */
ptl_status repair_unit_try(repairer *r, const repair_unit *unit, bool *found, ptl_error *err);
/* The first returns how many bytes the rest of this repair may hash, the second how many the
 * search in one unit may. */
uint64_t repair_bytes_left(const repairer *r);
uint64_t repair_search_left(const repairer *r);

/* The values that a column may have. Zero it before its first use. */
typedef struct repair_choice {
    int column;
    repair_value *values; /* owned */
    size_t count, room;
} repair_choice;

void repair_choice_dispose(repair_choice *choice);
ptl_status repair_choice_add(repair_choice *choice, const repair_value *value, ptl_error *err);
/* Adds the first column of all rows that sql gives. */
ptl_status repair_choice_query(repair_choice *choice, ptl_store *store, const char *sql,
                               ptl_error *err);
/* Tries each value of each single column, then of pairs of columns. Values that give the
 * checksum are set in the unit's first row. out->skipped is never reset here. */
ptl_status repair_unit_choose(repairer *r, repair_unit *unit, const repair_choice *choices,
                              size_t count, repair_change *out, ptl_error *err);
/*
 * The same with further choices: one for each column of the first row's table whose possible
 * values are listed (row_column.values). `choices` has room for ROW_COLUMNS_MAX more than
 * `count`; all of them are disposed of. If *status is an error, nothing is tried.
 */
void repair_unit_choose_listed(ptl_status *status, repairer *r, repair_unit *unit,
                               repair_choice *choices, size_t count, repair_change *out,
                               ptl_error *err);

/* ---- chunks ---- */

/* Derives the chunk's row from its other rows. *fixed is false if no checksum proves the
 * result. */
ptl_status repair_chunk_row(repairer *r, repair_chunk *c, bool *fixed, ptl_error *err);
/* Corrects single bits in levels, features and events; *bad becomes what is still damaged. */
ptl_status repair_chunk_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
