/*
 * Rows on standard output: the one way in which every command prints them, whatever they are
 * of.
 *
 *   table  for the eye: table.h
 *   csv    RFC 4180: a row of names, CRLF; nothing is an empty field, an empty text is ""
 *   json   an array of objects, one a line; several tables: an object with an array for each
 *   jsonl  an object a line
 *   raw    for scripts: values as they are, a tab between them and a newline behind each row;
 * no names, no quotes, nothing made visible
 *
 * Blobs are hexadecimal digits; but a blob that is a raw row's only value is its bytes, without
 * a newline if it is the only row. In JSON a whole number beyond 2^53 - 1 is a string. A result
 * without rows is a valid document in each. The man page says all this to users: FORMATS.
 */
#ifndef CLI_LINE_ROWS_H
#define CLI_LINE_ROWS_H

#include "clients/cli/line/options.h"
#include "clients/cli/line/report.h"
#include "portolan/query.h"

typedef enum rows_format {
    ROWS_TABLE,
    ROWS_CSV,
    ROWS_JSON,
    ROWS_JSONL,
    ROWS_RAW,
    ROWS_OTHER /* one that a command has besides; it prints that itself */
} rows_format;

typedef struct rows_style {
    rows_format format;
    bool header; /* names of columns, in table and csv */
    bool wide;   /* tables as if the terminal's lines had no end */
    bool blocks; /* tables of few rows that are too wide: table_style.few_as_blocks */
} rows_style;

/* Rows of an option_spec table; rows_style_from_args reads them. */
/* clang-format off */
#define OPTIONS_ROWS_AND(formats)                                                              \
    {"format", "FORMAT", "table (default), csv, json, jsonl" formats, 0},                      \
    {"json", NULL, "the same as --format json", 0},                                            \
    {"no-header", NULL, "without the names of columns, in table and csv", 0},                  \
    {"wide", NULL, "tables in full, however wide the terminal is", 0}
#define OPTIONS_ROWS OPTIONS_ROWS_AND(" or raw")
#define ROWS_FORMATS "table|csv|json|jsonl|raw" /* a value_type's words */
/* clang-format on */

/* other is what ROWS_OTHER is called; NULL: the command has none. EXIT_DONE, or EXIT_USAGE with
 * a message. */
int rows_style_from_args(rows_style *out, const args *a, const char *other);
/* Returns "csv" and so on; not for ROWS_OTHER. */
const char *rows_format_name(rows_format format);

typedef struct row_printer row_printer;

/* Columns end with a key of NULL, and are borrowed. once: there is one row, and JSON is the
 * object without an array. new; NULL when memory is out. */
row_printer *rows_new(const rows_style *style, const report_column *columns, bool once);
/* Prints the next cells, row by row; what is not of the format is left out. Of reals NAN and
 * infinities are no value. False when memory is out or the output is closed. r may be NULL. */
bool rows_put(row_printer *r, const report_cell *cells, size_t count);
/* Prints what is left and frees it. False when memory is out, then or at rows_new. */
bool rows_finish(row_printer *r);

/* Prints the only row. False when memory is out. */
bool rows_print_one(const rows_style *style, const report_column *columns,
                    const report_cell *cells, size_t count);
/* Prints a whole table, but for `skip` columns at the left. False when memory is out. */
bool rows_print(const rows_style *style, const report_table *t, size_t skip);

#endif
