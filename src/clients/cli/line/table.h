/*
 * Tables for the eye, on standard output. The first TABLE_WINDOW rows decide how they look;
 * what comes after them streams through, so that memory does not grow with a query's result.
 *
 * Where lines have no end every column is shown in full. Where they have one (terminal.h), no
 * line passes it:
 * - a few rows become blocks of "name  value" lines, if the style says so;
 * - columns of a rank above 0 are left out, the highest ranks first, and named below the table;
 * - the last column is wrapped, if it says so;
 * - texts are shortened, visibly (an ellipsis), on terminals alone: a pipe or a file has all;
 * - what is still too wide becomes blocks.
 */
#ifndef CLI_LINE_TABLE_H
#define CLI_LINE_TABLE_H

#include "clients/cli/line/report.h"
#include "core/bytes.h"

enum { TABLE_WINDOW = 1000, TABLE_GAP = 2, TABLE_BAR = 40 };

typedef struct table_style {
    bool header; /* the columns' heads are shown */
    bool few_as_blocks;
    bool may_shorten;
    size_t width; /* of a line; 0: no end */
} table_style;

typedef struct table_item {
    size_t at, size; /* in table.text */
    size_t columns;  /* on the terminal */
    double bar;      /* a share, where is_bar */
    bool number, is_bar;
} table_item;

/* How a column is shown. */
typedef struct table_place {
    table_item head;
    unsigned rank;
    bool wrap;
    bool hidden;
    bool numeric;   /* all cells so far are numbers */
    bool bars;      /* and bars */
    size_t natural; /* as wide as what is there asks for */
    size_t width;
} table_place;

typedef struct table {
    table_style style;
    size_t columns;
    table_place *places; /* owned */
    bytes heads;         /* the columns' heads, made visible */
    table_item *cells;   /* owned; columns * TABLE_WINDOW */
    size_t count;
    bytes text;
    bool laid_out; /* the first window is printed */
    bool blocks;   /* each row is a block of lines */
    bool shortened;
    size_t rows; /* printed */
    double most; /* the largest bar */
} table;

/* Returns a new table of those columns that tables show, or NULL when memory is out. Columns
 * end with a key of NULL. wide: as if lines had no end. */
table *table_new(const report_column *columns, bool header, bool wide, bool few_as_blocks);
/* Adds the next cell, row by row; numbers are aligned to the right. The text is copied, with
 * what is unsafe to print made visible. False when memory is out. */
bool table_cell(table *t, const char *text, size_t size, bool number);
/* A bar for a share of at least 0; the largest one is as wide as there is room. */
bool table_bar(table *t, double share);
/* Prints what is left and frees the table. NULL is fine. */
void table_finish(table *t);

/* ---- table_layout.c ---- */

/* Decides, of the rows that are there; ended: these are all. */
void table_lay_out(table *t, bool ended);

/* How many bytes of visible text fit a number of columns; *used: columns that they take. */
size_t table_fit(const uint8_t *text, size_t size, size_t columns, size_t *used);

#endif
