/*
 * Reports: named tables of what a tally says, ready to be printed or drawn. Nothing here
 * prints: a table knows its columns, which of them machines want and which are for the eye, and
 * holds its values. A failed allocation is remembered in the table, so that its maker checks
 * once.
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
    REPORT_DATA_ONLY = 1 << 0, /* in CSV and JSON, not in tables */
    REPORT_EYE_ONLY = 1 << 1,  /* in tables, not in CSV and JSON */
    REPORT_BAR = 1 << 2,       /* a share, drawn as a bar; implies REPORT_EYE_ONLY */
    REPORT_PERCENT = 1 << 3,   /* a share, in tables as a percentage */
    REPORT_WRAP = 1 << 4,      /* of the last column: a text that may go on in the next line */
    REPORT_RANKS = 8           /* from this bit on: the rank */
};

/* How soon a column is left out of a table where there is no room: 0 never, the highest first.
 */
#define REPORT_RANK(rank) ((unsigned)(rank) << REPORT_RANKS)

typedef struct report_column {
    const char *key;  /* in CSV and JSON */
    const char *head; /* in tables */
    int decimals;     /* of reals, in tables; -1: as many as they have */
    unsigned flags;
} report_column;

/* Columns whose key is their head, and a row of zeros behind the last one. */
/* clang-format off */
#define COLUMN(name) {#name, #name, -1, 0}
#define COLUMN_RANK(name, rank) {#name, #name, -1, REPORT_RANK(rank)}
#define COLUMN_WRAP(name) {#name, #name, -1, REPORT_WRAP}
#define COLUMN_AS(name, head, decimals, flags) {#name, head, decimals, flags}
#define COLUMN_DATA(name) {#name, "", 0, REPORT_DATA_ONLY}
#define COLUMNS_END {NULL, NULL, 0, 0}
/* clang-format on */

static inline unsigned report_rank(const report_column *column)
{
    return column->flags >> REPORT_RANKS;
}

typedef enum report_kind {
    REPORT_NONE,
    REPORT_TEXT,
    REPORT_BLOB,
    REPORT_WHOLE,
    REPORT_COUNT, /* whole, without a sign */
    REPORT_REAL
} report_kind;

typedef struct report_cell {
    report_kind kind;
    const char *text; /* of a text or a blob */
    size_t size;      /* bytes of it */
    int64_t whole;
    double real; /* in a table finite; what is not becomes REPORT_NONE */
} report_cell;

static inline report_cell cell_none(void)
{
    return (report_cell){.kind = REPORT_NONE};
}

/* NULL is no value. */
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

/* Several cells as two arguments: where they are, and how many. */
#define CELLS(...)                                                                             \
    (const report_cell[]){__VA_ARGS__},                                                        \
        sizeof((const report_cell[]){__VA_ARGS__}) / sizeof(report_cell)

typedef struct report_table {
    const char *name;  /* of the section, e.g. "specials" */
    const char *title; /* for the eye; NULL: none */
    const report_column *columns;
    size_t column_count, cell_count, capacity;
    report_cell *cells; /* owned; row by row */
    arena *memory;      /* owned */
    bool failed;        /* memory is out */
} report_table;

/* name, title and columns are borrowed; columns end with a key of NULL. Dispose it always. */
void report_init(report_table *t, const char *name, const char *title,
                 const report_column *columns);
void report_dispose(report_table *t);

/* Adds the next cells, row by row; texts are copied. */
void report_put(report_table *t, const report_cell *cells, size_t count);
/* Returns a cell of a text that is put together, in the table's memory. */
report_cell report_format(report_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Two numbers that belong together: "0.25..0.31". */
report_cell report_range(report_table *t, double low, double high, int decimals);
size_t report_rows(const report_table *t);
/* Returns PTL_ERR_NOMEM if an allocation failed. */
ptl_status report_status(const report_table *t, ptl_error *err);

/* A p-value for the eye, the same everywhere: "0.0312", "0.000124", "< 0.000001". */
void report_p_text(double p, char out[24]);

#endif
