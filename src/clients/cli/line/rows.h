/*
 * Rows on standard output: the one way in which all commands print them.
 *
 *   table  for people: table.h
 *   csv    RFC 4180: a row of names, CRLF; NULL is an empty field, an empty text is ""
 *   json   an array of objects, one a line; several tables: an object with an array for each
 *   jsonl  an object a line
 *   raw    for scripts: values unchanged, a tab between them and a newline after each row;
 *          no names, no quotes, nothing made visible
 *
 * Blobs are hexadecimal digits; but if a raw row has just one blob, its bytes are printed,
 * without a newline if it is the only row. In JSON a whole number beyond 2^53 - 1 is a
 * string. A result without rows is a valid document in every format. The man page describes
 * this for users: FORMATS.
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
    ROWS_OTHER /* a further format of one command, which prints it itself */
} rows_format;

typedef struct rows_style {
    rows_format format;
    bool header; /* print the columns' names, in table and csv */
    bool wide;   /* tables are not limited to the terminal's width */
    bool blocks; /* a wide table of few rows becomes blocks: table_style.few_as_blocks */
} rows_style;

/* Rows for an option_spec table; rows_style_from_args reads these options. */
/* clang-format off */
#define OPTIONS_ROWS_AND(formats)                                                              \
    {"format", "FORMAT", "table (default), csv, json, jsonl" formats, 0},                      \
    {"json", NULL, "the same as --format json", 0},                                            \
    {"no-header", NULL, "without the names of columns, in table and csv", 0},                  \
    {"wide", NULL, "tables in full, however wide the terminal is", 0}
#define OPTIONS_ROWS OPTIONS_ROWS_AND(" or raw")
#define ROWS_FORMATS "table|csv|json|jsonl|raw" /* for a value_type's `words` */
/* clang-format on */

/* Reads the style from the options. `other` is the name of the format ROWS_OTHER; NULL: the
 * command has none. Returns EXIT_DONE, or EXIT_USAGE after a message. */
int rows_style_from_args(rows_style *out, const args *a, const char *other);
/* Returns "csv" and so on; style.format must not be ROWS_OTHER. */
const char *rows_format_name(rows_format format);

typedef struct row_printer row_printer;

/* Returns a new printer, or NULL when memory is out. columns are borrowed and end with a key
 * of NULL. once: there is only one row, and JSON is that object without an array. */
row_printer *rows_new(const rows_style *style, const report_column *columns, bool once);
/*
 * Prints the next cells, row by row, without the columns that the format does not show. NAN
 * is printed as an empty cell, and so is an infinity in JSON or in a column with fixed
 * decimals. Returns false when memory is out or standard output has failed. r may be NULL,
 * for rows_new that failed.
 */
bool rows_put(row_printer *r, const report_cell *cells, size_t count);
/* Prints the rest and frees the printer. Returns false if memory was out at any time,
 * or if r is NULL. */
bool rows_finish(row_printer *r);

/* Prints a single row with rows_new(..., true). Returns false when memory is out. */
bool rows_print_one(const rows_style *style, const report_column *columns,
                    const report_cell *cells, size_t count);
/* Prints a whole table without its first `skip` columns. Returns false when memory is out. */
bool rows_print(const rows_style *style, const report_table *t, size_t skip);

#endif
