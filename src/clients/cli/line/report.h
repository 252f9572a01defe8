/*
 * Reports: named tables of values from a tally, ready to be printed or drawn. A table holds
 * its values and knows its columns, among them which are only for machines or only for people.
 * A failed allocation is remembered in the table, so the maker checks once at the end.
 */
#ifndef CLI_LINE_REPORT_H
#define CLI_LINE_REPORT_H

#include "core/arena.h"
#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    REPORT_DATA_ONLY = 1 << 0, /* only in CSV and JSON */
    REPORT_EYE_ONLY = 1 << 1,  /* only in tables for people */
    REPORT_BAR = 1 << 2,       /* a share, drawn as a bar; only in tables for people */
    REPORT_PERCENT = 1 << 3,   /* a share, in tables a percentage */
    REPORT_WRAP = 1 << 4, /* only the last column: its text may continue on the next line */
    REPORT_RANKS = 8      /* the rank is in this bit and above */
};

/* The order in which columns are left out of a table that is too wide: the highest rank goes
 * first, a column of rank 0 stays. */
#define REPORT_RANK(rank) ((unsigned)(rank) << REPORT_RANKS)

typedef struct report_column {
    const char *key;  /* name in CSV and JSON */
    const char *head; /* heading in tables */
    int decimals;     /* of reals in tables; -1: as many as needed */
    unsigned flags;
} report_column;

/* Rows of a column list. The key is also the heading unless COLUMN_AS gives another;
 * COLUMNS_END ends the list. */
/* clang-format off */
#define COLUMN(name) {#name, #name, -1, 0}
#define COLUMN_RANK(name, rank) {#name, #name, -1, REPORT_RANK(rank)}
#define COLUMN_WRAP(name) {#name, #name, -1, REPORT_WRAP}
#define COLUMN_AS(name, head, decimals, flags) {#name, head, decimals, flags}
#define COLUMN_DATA(name) {#name, "", 0, REPORT_DATA_ONLY}
#define COLUMNS_END {NULL, NULL, 0, 0}
/* clang-format on */

typedef enum report_kind {
    REPORT_NONE,
    REPORT_TEXT,
    REPORT_BLOB,
    REPORT_WHOLE,
    REPORT_COUNT, /* unsigned; the bits are in `whole` */
    REPORT_REAL
} report_kind;

typedef struct report_cell {
    report_kind kind;
    const char *text; /* of a text or a blob */
    size_t size;      /* bytes of the text or blob */
    int64_t whole;
    double real; /* finite in a table: others become REPORT_NONE */
} report_cell;

static inline report_cell cell_none(void)
{
    return (report_cell){.kind = REPORT_NONE};
}

/* NULL gives an empty cell. */
static inline report_cell cell_text(const char *text)
{
    return text ? (report_cell){.kind = REPORT_TEXT, .text = text, .size = strlen(text)}
                : cell_none();
}

static inline report_cell cell_int(int64_t value)
{
    return (report_cell){.kind = REPORT_WHOLE, .whole = value};
}

static inline report_cell cell_uint(uint64_t value)
{
    return (report_cell){.kind = REPORT_COUNT, .whole = (int64_t)value};
}

static inline report_cell cell_real(double value)
{
    return (report_cell){.kind = REPORT_REAL, .real = value};
}

/* Passes cells as two arguments: an array and its length. */
#define CELLS(...)                                                                             \
    (const report_cell[]){__VA_ARGS__},                                                        \
        sizeof((const report_cell[]){__VA_ARGS__}) / sizeof(report_cell)

typedef struct report_table {
    const char *name;  /* of the section, e.g. "specials" */
    const char *title; /* heading for people; NULL: none */
    const report_column *columns;
    size_t column_count, cell_count, capacity;
    report_cell *cells; /* owned; row by row */
    arena *memory;      /* owned */
    bool failed;        /* memory is out */
} report_table;

/* Begins an empty table. name, title and columns are borrowed; columns end with a key of NULL.
 * Dispose t in any case. */
void report_init(report_table *t, const char *name, const char *title,
                 const report_column *columns);
void report_dispose(report_table *t);

/* Appends cells, row by row. Texts are copied. Numbers that are not finite become empty. */
void report_put(report_table *t, const report_cell *cells, size_t count);
/* Returns a cell with a formatted text of up to 255 bytes, kept in the table's memory. */
report_cell report_format(report_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns a text cell of two numbers as a range: "0.25..0.31". */
report_cell report_range(report_table *t, double low, double high, int decimals);
/* Returns the number of complete rows. */
size_t report_rows(const report_table *t);
/* Returns PTL_ERR_NOMEM if any allocation of the table failed. */
ptl_status report_status(const report_table *t, ptl_error *err);

/* Writes a p-value in the one form that is used for people: "0.0312", "0.000124"
 * or "< 0.000001". */
void report_p_text(double p, char out[24]);

#endif
