/*
 * Rows on standard output: the one way in which all commands print them.
 *
 *   table  for people, see below
 *   csv    RFC 4180: a row of names, CRLF; NULL is an empty field, an empty text is ""
 *   json   an array of objects, one object in each line; of several tables: an object that has
 *          such an array for each table
 *   jsonl  one object in each line
 *   raw    for scripts: values unchanged, a tab between them and a newline after each row;
 *          no names, no quotes, nothing made visible
 *
 * Blobs are hexadecimal digits; but if a raw row has just one blob, its bytes are printed,
 * without a newline if it is the only row. In JSON a whole number beyond 2^53 - 1 is a
 * string. A result without rows is a valid document in every format. The man page describes
 * this for users: FORMATS.
 *
 * The first 1,000 rows decide the layout of a table. Later rows are printed as they come, so
 * that memory does not grow with a query's result. If the width of lines is not limited, every
 * column is shown in full. If it is limited (terminal_columns), the table is made to fit:
 * - a few rows become blocks of "name  value" lines, if the style says so;
 * - columns are left out, those with the highest REPORT_RANK first, and named below; columns of
 *   rank 0 stay;
 * - the last column is wrapped, if its flags say so;
 * - texts are shortened, with an ellipsis, but only on terminals, not in pipes and files;
 * - a table that is still too wide becomes blocks.
 */
#pragma once

#include "clients/cli/line/options.h"
#include "core/arena.h"
#include "portolan/query.h"
#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    REPORT_DATA_ONLY = 1 << 0, /* the column is printed in CSV and JSON, but not in tables */
    /* The column is printed in tables for people, but not in CSV and JSON. */
    REPORT_EYE_ONLY = 1 << 1,
    REPORT_BAR = 1 << 2,     /* a share, drawn as a bar; only in tables for people */
    REPORT_PERCENT = 1 << 3, /* a share, in tables a percentage */
    REPORT_WRAP = 1 << 4,    /* only the last column: its text may continue on the next line */
    REPORT_RANKS = 8 /* a column's rank (REPORT_RANK) is in the bits of report_column.flags from
                        this one on */
};

/* The order in which columns are left out of a table that is too wide: the highest rank goes
 * first, a column of rank 0 stays. */
#define REPORT_RANK(rank) ((unsigned)(rank) << REPORT_RANKS)

typedef struct report_column {
    const char *key;  /* name in CSV and JSON */
    const char *head; /* heading in tables */
    int decimals;     /* decimal places of reals in tables; -1: as many as needed */
    unsigned flags;
} report_column;

/* Macros for the elements of an array of report_column. The key of a column is also its
 * heading, unless COLUMN_AS gives another; COLUMNS_END is the last element. */
/* clang-format off */
#define COLUMN(name) {#name, #name, -1, 0}
#define COLUMN_RANK(name, rank) {#name, #name, -1, REPORT_RANK(rank)}
#define COLUMN_WRAP(name) {#name, #name, -1, REPORT_WRAP}
#define COLUMN_AS(name, head, decimals, flags) {#name, head, decimals, flags}
#define COLUMN_DATA(name) {#name, "", 0, REPORT_DATA_ONLY}
#define COLUMNS_END {NULL, NULL, 0, 0}

typedef enum report_kind {
    REPORT_NONE,
    REPORT_TEXT,
    REPORT_BLOB,
    REPORT_WHOLE,
    REPORT_COUNT, /* unsigned; its bits are stored in `whole` */
    REPORT_REAL
} report_kind;

typedef struct report_cell {
    report_kind kind;
    const char *text; /* the text, or the bytes of a blob */
    size_t size;      /* bytes of the text or blob */
    int64_t whole;
    double real; /* a report_table makes an empty cell of a number that is not finite */
} report_cell;

static inline report_cell cell_none(void)
{
    return (report_cell){.kind = REPORT_NONE};
}

/* Returns a cell with the text, which is borrowed; text NULL: an empty cell. */
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
    const char *name;  /* name of the section, e.g. "specials" */
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

typedef enum rows_format {
    ROWS_TABLE,
    ROWS_CSV,
    ROWS_JSON,
    ROWS_JSONL,
    ROWS_RAW,
    ROWS_OTHER /* another format; only some commands have one, and print it themselves */
} rows_format;

typedef struct rows_style {
    rows_format format;
    size_t other; /* for ROWS_OTHER: the number of the format among the command's own ones */
    bool header; /* print the columns' names, in table and csv */
    bool wide;   /* tables are not limited to the terminal's width */
    bool blocks; /* a table that is too wide is printed as blocks of lines if it has few rows */
} rows_style;

/* The options that choose the format of rows, for a command's table of options (option_spec);
 * rows_style_from_args reads them. */
/* clang-format off */
#define OPTIONS_ROWS_AND(formats)                                                              \
    {"format", "FORMAT", "table (default), csv, json, jsonl" formats, 0},                      \
    {"json", NULL, "the same as --format json", 0},                                            \
    {"no-header", NULL, "without the names of columns, in table and csv", 0},                  \
    {"wide", NULL, "tables in full, however wide the terminal is", 0}
#define OPTIONS_ROWS OPTIONS_ROWS_AND(" or raw")
#define ROWS_FORMATS "table|csv|json|jsonl|raw" /* value of a value_type's `words` */
/* clang-format on */

/* Reads the style from the options. `other` has the names of the command's own formats, and
 * ends with NULL; NULL: the command has none. Returns EXIT_DONE, or EXIT_USAGE after a
 * message. */
int rows_style_from_args(rows_style *out, const args *a, const char *const *other);
/* Returns "csv" and so on; style.format must not be ROWS_OTHER. */
const char *rows_format_name(rows_format format);

typedef struct row_printer row_printer;

/* Returns a new printer, or NULL when memory is out. columns are borrowed and end with a key of
 * NULL. If `once` is set, there is only one row, which in JSON is an object without an array
 * around it. */
row_printer *rows_new(const rows_style *style, const report_column *columns, bool once);
/*
 * Prints the next cells, row by row, without the columns that the format does not show. NAN is
 * printed as an empty cell, and so is an infinity in JSON or in a column with fixed decimals.
 * Returns false when memory is out or standard output has failed. r may be NULL, because
 * rows_new may have failed.
 */
bool rows_put(row_printer *r, const report_cell *cells, size_t count);
/* Prints cells of a row: the next columns, from values of a query's result. Returns false when
 * memory is out or standard output has failed. r may be NULL, because rows_new may have failed.
 */
bool rows_put_values(row_printer *r, const ptl_value *values, size_t count);
/* Prints the rows that still wait to be printed, and frees the printer. Returns false if memory
 * was out at any time, or if r is NULL. */
bool rows_finish(row_printer *r);

/* Prints a single row with rows_new(..., true). Returns false when memory is out. */
bool rows_print_one(const rows_style *style, const report_column *columns,
                    const report_cell *cells, size_t count);
/* Prints a whole table without its first `skip` columns. Returns false when memory is out. */
bool rows_print(const rows_style *style, const report_table *t, size_t skip);
