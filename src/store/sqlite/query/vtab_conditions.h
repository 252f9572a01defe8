/*
 * Conditions of a query that a virtual table passes down to SQL of its own. What is passed down
 * is kept as a text, two letters to a condition: the column and the operator; the statement is
 * made from that text, so that it can be used again while the text stays the same.
 *
 * Places in absolute OMTs bound the number of the chunk, which is a column of an index.
 */
#ifndef STORE_SQLITE_QUERY_VTAB_CONDITIONS_H
#define STORE_SQLITE_QUERY_VTAB_CONDITIONS_H

#include "core/bytes.h"
#include "store/sqlite/query/vtab.h"

typedef enum condition_kind {
    CONDITION_NONE,   /* the column's conditions are left to SQLite */
    CONDITION_TEXT,   /* equality with a text */
    CONDITION_NUMBER, /* an integer column: equality and ranges, exactly */
    CONDITION_PLACE,  /* absolute OMTs: `sql` is the chunk's number, of which local
                         coordinates low..high can come */
    CONDITION_RANGE,  /* an integer that no SQL bounds: the table keeps to ranges[] */
    CONDITION_OWN,    /* equality that the table looks at by itself; SQLite does again */
    CONDITION_IDS     /* the same with a text, or with one of a list of texts: conditions_ids */
} condition_kind;

typedef struct condition_column {
    condition_kind kind;
    const char *sql;
    int32_t low, high;
    double share; /* of the rows that an equality leaves, for the planner */
} condition_column;

enum { CONDITIONS_MAX = 16 };

/* The letter that stands for an operator of SQLite's in index texts: '=', '<', '>', 'l' and 'g'
 * for "or equal"; 0 for others. */
char condition_letter(unsigned char op);

/* Does xBestIndex over these columns, the table's first ones. rows: how many there are
 * without any condition. */
int conditions_plan(sqlite3_index_info *info, const condition_column *columns, int count,
                    double rows);

/* Both ends included; empty if low > high. */
typedef struct place_range {
    int64_t low, high;
} place_range;

/* The rows that a cursor's conditions leave of a SELECT: the statement is kept for calls with
 * the same conditions. Zero it before use. */
typedef struct condition_rows {
    stmt *s;
    char *used; /* the conditions that it was made for; owned */
} condition_rows;

/* Makes the statement ready: the SELECT, which ends in a WHERE clause, with the call's
 * conditions and the ORDER BY. ranges, one for each of the columns, become what conditions on
 * PLACE and RANGE columns leave. */
ptl_status conditions_start(condition_rows *rows, ptl_store *store, const char *select,
                            const char *order, const condition_column *columns, int count,
                            const vtab_call *call, place_range *ranges, ptl_error *err);
void condition_rows_dispose(condition_rows *rows);
/* Returns the value of an equality on an OWN column; NULL if there is none. */
sqlite3_value *conditions_own(const vtab_call *call, int column);

/* What an IDS column must be one of. A table is gone through once, however long the list is. */
typedef struct condition_ids {
    char **ids; /* sorted; owned */
    size_t count, room;
    bool any; /* nothing is asked of the column, or what only SQLite can compare */
} condition_ids;

/* Reads what is asked; what was there before is dropped. */
ptl_status conditions_ids(condition_ids *out, ptl_store *store, const vtab_call *call,
                          int column, ptl_error *err);
bool condition_ids_has(const condition_ids *ids, const char *id); /* NULL is none of them */
void condition_ids_dispose(condition_ids *ids);

#endif
