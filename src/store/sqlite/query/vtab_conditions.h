/*
 * Conditions of a query that a virtual table passes down to SQL of its own. They are written
 * as a text with two letters for each condition: the column and the operator. The table's
 * statement is made from that text, and is used again as long as the text stays the same.
 * Conditions on absolute OMTs become bounds for the chunk's coordinate, which is a column of
 * an index.
 */
#ifndef STORE_SQLITE_QUERY_VTAB_CONDITIONS_H
#define STORE_SQLITE_QUERY_VTAB_CONDITIONS_H

#include "core/bytes.h"
#include "store/sqlite/query/vtab.h"

typedef enum condition_kind {
    CONDITION_NONE,   /* conditions on this column are left to SQLite */
    CONDITION_TEXT,   /* equality with a text */
    CONDITION_NUMBER, /* an integer column: equality and ranges, exactly */
    /* Absolute OMTs. `sql` is the chunk's coordinate; low..high are the local coordinates that
     * rows of a chunk can have. */
    CONDITION_PLACE,
    /* An integer that our SQL does not bound; the table itself keeps to ranges[]. */
    CONDITION_RANGE,
    CONDITION_OWN, /* equality that the table checks itself; SQLite checks it again */
    CONDITION_IDS  /* like OWN, with a text or a list of texts: conditions_ids */
} condition_kind;

typedef struct condition_column {
    condition_kind kind;
    const char *sql;
    int32_t low, high;
    double share; /* the share of rows that an equality leaves, for the planner */
} condition_column;

enum { CONDITIONS_MAX = 16 };

/* Returns the letter for one of SQLite's operators in index texts: '=', '<', '>', with 'l' and
 * 'g' for "or equal"; 0 for other operators. */
char condition_letter(unsigned char op);

/* Implements xBestIndex over these columns, which must be the table's first ones. `rows` is
 * the number of rows without any condition. */
int conditions_plan(sqlite3_index_info *info, const condition_column *columns, int count,
                    double rows);

/* A range of integers, both ends included; empty if low > high. */
typedef struct place_range {
    int64_t low, high;
} place_range;

/* The rows of a SELECT that satisfy a cursor's conditions. The statement is kept for calls
 * with the same conditions. Zero it before use. */
typedef struct condition_rows {
    stmt *s;
    char *used; /* owned; the conditions that the statement was made for */
} condition_rows;

/*
 * Prepares the statement: the SELECT, which ends in a WHERE clause, with the call's conditions
 * and the ORDER BY appended. ranges has an element for each column and gets what conditions on
 * PLACE and RANGE columns leave.
 */
ptl_status conditions_start(condition_rows *rows, ptl_store *store, const char *select,
                            const char *order, const condition_column *columns, int count,
                            const vtab_call *call, place_range *ranges, ptl_error *err);
void condition_rows_dispose(condition_rows *rows);
/* Returns the value of an equality on an OWN column; NULL if there is none. */
sqlite3_value *conditions_own(const vtab_call *call, int column);

/* The ids that an IDS column must be one of. All of them are checked in one pass over the
 * table, however many there are. */
typedef struct condition_ids {
    char **ids; /* owned; sorted */
    size_t count, room;
    bool any; /* any id will do: nothing is asked, or only SQLite can compare */
} condition_ids;

/* Reads the wanted ids of a column from the call, replacing what *out held. */
ptl_status conditions_ids(condition_ids *out, ptl_store *store, const vtab_call *call,
                          int column, ptl_error *err);
bool condition_ids_has(const condition_ids *ids, const char *id); /* false for NULL */
void condition_ids_dispose(condition_ids *ids);

#endif
