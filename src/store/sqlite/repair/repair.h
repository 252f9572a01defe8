/*
 * Repairing rows: what ptl_repair (repair/repair.c) does without generating anything. Rows are
 * read as they are stored, whatever their types, and belong to units that one checksum covers:
 * a row alone, an edge with its crossings, a chunk's features. A change is accepted only if it
 * gives a checksum that was stored before.
 */
#ifndef STORE_SQLITE_REPAIR_REPAIR_H
#define STORE_SQLITE_REPAIR_REPAIR_H

#include "core/bytes.h"
#include "portolan/repair.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/tables/row_tables.h"

enum { REPAIR_WHERE_SIZE = 192 };

typedef struct repair_value {
    row_type type;
    uint64_t word; /* of an integer or real: its bits */
    uint8_t *data; /* of a text or blob: owned */
    size_t size;
} repair_value;

typedef struct repair_row {
    row_table_id table;
    repair_value values[ROW_COLUMNS_MAX];
} repair_row;

typedef struct repair_rows {
    repair_row *list; /* owned */
    size_t count, room;
} repair_rows;

void repair_value_dispose(repair_value *value);
ptl_status repair_value_copy(repair_value *out, const repair_value *value, ptl_error *err);
repair_value repair_integer(int64_t value);
/* The bytes of a text or blob; never NULL. */
const void *repair_bytes(const repair_value *value);
bool repair_value_equal(const repair_value *a, const repair_value *b);
bool repair_row_equal(const repair_row *a, const repair_row *b);
/* As an integer; 0 for anything else. */
int64_t repair_int(const repair_row *row, int column);
/* A value as format.md, "Checksums", writes it. */
void repair_put_value(bytes *b, const repair_value *v);
/* *failed is set when memory is out. */
void repair_value_take(repair_value *out, const stmt *s, int column, bool *failed);

/* The first column of all rows, as integers: *out is new. */
ptl_status repair_ids_list(int64_t **out, size_t *count, stmt *s, ptl_error *err);

void repair_rows_dispose(repair_rows *rows);
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

/* A unit of one row, or of an edge with crossings; its stored checksum is read from it. */
repair_unit repair_unit_of(repair_unit_kind kind, repair_rows *rows);
ptl_status repair_unit_sum(const repair_unit *unit, bytes *scratch, int64_t *out,
                           ptl_error *err);
/* Is the checksum right (and really an integer)? */
ptl_status repair_unit_good(const repair_unit *unit, bytes *scratch, bool *good,
                            ptl_error *err);

/* Does the unit's checksum cover this value? */
bool repair_unit_covers(const repair_unit *unit, const repair_row *row, int column);
/* The unit's own checksum; NULL if its first row has none. */
repair_value *repair_unit_own_sum(const repair_unit *unit);

typedef struct repair_change {
    bool found;
    bool skipped; /* what is too large was not tried */
    size_t row;
    int column;
} repair_change;

typedef struct repairer repairer;

/*
 * Looks for the one bit, or the one type of a value, that is wrong, and sets it right in the
 * unit. The stored checksum (of a row with one) may be the damaged value.
 */
ptl_status repair_unit_flip(repairer *r, repair_unit *unit, repair_change *out, ptl_error *err);
/* The same for some first columns of a row alone. */
ptl_status repair_key_flip(repairer *r, repair_unit *unit, repair_change *out, ptl_error *err);
/* One try, counted; it asks now and then whether to stop. */
ptl_status repair_unit_try(repairer *r, const repair_unit *unit, bool *found, ptl_error *err);
/* How many bytes may be hashed in search of what is wrong in a unit. */
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

/* ---- the work ---- */
struct repairer {
    ptl_store *store;
    const ptl_repair_options *options;
    ptl_repair_report report;
    bytes items;   /* what is told after the next commit */
    bytes scratch; /* of checksums */
    double (*clock)(void);
    double started, batch_started;
    uint64_t done, total;     /* chunks */
    uint64_t hashed, unasked; /* bytes: in searches; since somebody was asked whether to stop */
    bool reindex;             /* indexes may disagree with their tables */
    char found[32]; /* when; of all that is set aside: so rows are known to go together */
};

/* Notes what was done; it counts, and is told once it is committed. */
ptl_status repair_note(repairer *r, ptl_repair_action action, const char *where,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Commits if a batch has lasted long enough, tells what was done, begins the next. */
ptl_status repair_breathe(repairer *r, bool now, ptl_error *err);

/* A part that is undone if it does not succeed. */
ptl_status repair_try_begin(repairer *r, ptl_error *err);
ptl_status repair_try_end(repairer *r, bool keep, ptl_error *err);

/* "world 'w', chunk 3,-2" from what the chunk's row says. */
void repair_chunk_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *chunk);

/* The world's name; "" if there is none. Without memory for it nothing can be told any more:
 * then repair_note and repair_set_aside fail. */
void repair_world_name(char *out, size_t size, repairer *r, int64_t world_id);
void repair_edge_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *row);

/* Moves rows to table set_aside; chunk: the row of the chunk that they belong to, or NULL. */
ptl_status repair_set_aside(repairer *r, const repair_rows *rows, const repair_row *chunk,
                            const char *reason, ptl_error *err);

/* Chunks set aside for this reason whose content is the file's again return to their tables. */
ptl_status repair_put_back(repairer *r, const char *reason, ptl_error *err);

/* SQLite's own structure. PTL_ERR_CORRUPT: it can't be repaired here; the message says what to
 * do. */
ptl_status repair_file(repairer *r, ptl_error *err);
ptl_status repair_indexes(repairer *r, ptl_error *err);
/* Foreign keys, and what else would keep damaged rows from being touched. */
ptl_status repair_guards(repairer *r, bool on, ptl_error *err);
/* A row for a run that is gone. *put false: no world is known for it. */
ptl_status repair_run_put(repairer *r, int64_t id, bool *put, ptl_error *err);
/* Rows whose keys are no numbers. */
ptl_status repair_odd_rows(repairer *r, ptl_error *err);
/* Names what else verify would: damaged definitions, references to rows that are gone. */
ptl_status repair_name_rest(repairer *r, ptl_error *err);
/* Crossings of no edge. */
ptl_status repair_stray_crossings(repairer *r, ptl_error *err);
/* Rows with checksums of their own: single bits, and values that can be told. */
ptl_status repair_tables(repairer *r, ptl_error *err);
/* Overmaps of sweeps that are damaged still, or belong to no sweep. */
ptl_status repair_sweeps(repairer *r, ptl_error *err);
/* Edges and crossings that stand for themselves: single bits. */
ptl_status repair_edge_bits(repairer *r, ptl_error *err);

/* The ids of edges whose checksums fail; *ids is new. */
ptl_status repair_edges_damaged(repairer *r, int64_t **ids, size_t *count, ptl_error *err);
/* The edge's row and its crossings. */
ptl_status repair_edge_read(repair_rows *out, repairer *r, int64_t id, ptl_error *err);
/* These rows take the place of edge old_id; *kept false: another row is in the way. */
ptl_status repair_edge_write(repairer *r, int64_t old_id, const repair_rows *rows, bool *kept,
                             ptl_error *err);

/* ---- chunks ---- */
enum {
    REPAIR_BAD_ROW = 1,
    REPAIR_BAD_TILES = 2,
    REPAIR_BAD_FEATURES = 4,
    REPAIR_BAD_EVENTS = 8
};

/* All rows of one chunk, as stored. */
typedef struct repair_chunk {
    int64_t id;
    repair_rows row; /* none or one */
    repair_rows levels, features, events;
} repair_chunk;

void repair_chunk_dispose(repair_chunk *c);
ptl_status repair_chunk_read(repair_chunk *out, ptl_store *store, int64_t id, ptl_error *err);
/* REPAIR_BAD_* for what is damaged. */
ptl_status repair_chunk_check(repairer *r, const repair_chunk *c, unsigned *bad,
                              ptl_error *err);
/* The chunk's row from what its other rows say; *fixed false: no proof. */
ptl_status repair_chunk_row(repairer *r, repair_chunk *c, bool *fixed, ptl_error *err);
/* Single bits in levels, features and events; *bad: what is damaged still. */
ptl_status repair_chunk_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
/* All rows of the chunk leave their tables. */
ptl_status repair_chunk_set_aside(repairer *r, const repair_chunk *c, const char *reason,
                                  ptl_error *err);

#endif
