/* What the files of this room share: rows as values of any type, and units of them. */
#ifndef STORE_SQLITE_REPAIR_REPAIR_IMPL_H
#define STORE_SQLITE_REPAIR_REPAIR_IMPL_H

#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/repair/repair.h"
#include "store/sqlite/tables/row_tables.h"

typedef struct repair_value {
    row_type type;
    uint64_t word; /* of an integer or real: its bits */
    uint8_t *data; /* of a text or blob: owned */
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
bool repair_value_equal(const repair_value *a, const repair_value *b);
bool repair_row_equal(const repair_row *a, const repair_row *b);
bool repair_is_text(const repair_value *value, const char *text);
/* Returns the value as an integer; 0 for anything else. */
int64_t repair_int(const repair_row *row, int column);
/* A value as format.md, "Checksums", writes it. */
void repair_put_value(bytes *b, const repair_value *v);
/* *failed is set when memory is out. */
void repair_value_take(repair_value *out, const stmt *s, int column, bool *failed);

ptl_status repair_value_bind(stmt *s, int index, const repair_value *value, ptl_error *err);

/* Gives the first column of all rows, as integers: *out is new. */
ptl_status repair_ids_list(int64_t **out, size_t *count, stmt *s, ptl_error *err);

/* The end of the list, values NULL; NULL when memory is out. */
repair_row *repair_rows_add(repair_rows *rows, row_table_id table);
/* Appends the rows that belong to a chunk or edge, or those of a key. */
ptl_status repair_rows_read(repair_rows *out, ptl_store *store, row_table_id table,
                            int64_t owner, ptl_error *err);
/* Appends all rows that a statement of this table gives. */
ptl_status repair_rows_take(repair_rows *out, stmt *s, row_table_id table, ptl_error *err);
ptl_status repair_row_reread(repair_rows *out, ptl_store *store, const repair_row *key,
                             ptl_error *err);
/* The row of `old`'s key becomes `row`; each may be NULL. PTL_ERR_EXISTS if row is in the way
 * of another. */
ptl_status repair_row_replace(ptl_store *store, const repair_row *old, const repair_row *row,
                              ptl_error *err);

/* ---- units ---- */
typedef enum repair_unit_kind {
    REPAIR_UNIT_ROW,     /* one row with a checksum of its own */
    REPAIR_UNIT_EDGE,    /* an edge, then its crossings */
    REPAIR_UNIT_FEATURES /* cities, radios, specials, packs; the checksum is the chunk's */
} repair_unit_kind;

typedef struct repair_unit {
    repair_unit_kind kind;
    repair_row *rows; /* borrowed */
    size_t count;
    int64_t stored; /* the checksum to be met */
} repair_unit;

/* Returns a unit of one row, or of an edge with crossings; its stored checksum is read from
 * it. */
repair_unit repair_unit_of(repair_unit_kind kind, repair_rows *rows);
ptl_status repair_unit_sum(const repair_unit *unit, bytes *scratch, int64_t *out,
                           ptl_error *err);
/* Is the checksum right (and really an integer)? */
ptl_status repair_unit_good(const repair_unit *unit, bytes *scratch, bool *good,
                            ptl_error *err);

/* Does the unit's checksum cover this value? */
bool repair_unit_covers(const repair_unit *unit, const repair_row *row, int column);
/* Returns the unit's own checksum; NULL if its first row has none. */
repair_value *repair_unit_own_sum(const repair_unit *unit);

typedef struct repair_change {
    bool found;
    bool skipped; /* what is too large was not tried */
    size_t row;
    int column;
} repair_change;

/*
 * Looks for the one bit, or the one type of a value, that is wrong, and sets it right in the
 * unit. The stored checksum (of a row with one) may be the damaged value.
 */
ptl_status repair_unit_flip(repairer *r, repair_unit *unit, repair_change *out, ptl_error *err);
/* Does the same for some first columns of a row alone. */
ptl_status repair_key_flip(repairer *r, repair_unit *unit, repair_change *out, ptl_error *err);
/* One try, counted; it asks now and then whether to stop. */
ptl_status repair_unit_try(repairer *r, const repair_unit *unit, bool *found, ptl_error *err);
/* How many bytes may be hashed in all that is to come; in search of what is wrong in a unit. */
uint64_t repair_bytes_left(const repairer *r);
uint64_t repair_search_left(const repairer *r);

/* What values a column may have. Zero it before its first use. */
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
/* A choice for each column of the table that says what it may be (row_column.values), at most
 * ROW_COLUMNS_MAX, added to those that are there already; dispose them whatever comes. */
ptl_status repair_choices_of(repair_choice *choices, size_t *count, ptl_store *store,
                             row_table_id table, ptl_error *err);
/* Tries each value of each column alone, then pairs of columns; what gives the checksum is set
 * in the unit's first row. out->skipped stays set where it is. */
ptl_status repair_unit_choose(repairer *r, repair_unit *unit, const repair_choice *choices,
                              size_t count, repair_change *out, ptl_error *err);

/* ---- chunks ---- */

/* The chunk's row from what its other rows say; *fixed false: no proof. */
ptl_status repair_chunk_row(repairer *r, repair_chunk *c, bool *fixed, ptl_error *err);
/* Mends single bits in levels, features and events; *bad says what is damaged still. */
ptl_status repair_chunk_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);

#endif
