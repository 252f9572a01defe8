/*
 * Tables for people, on standard output. The first TABLE_WINDOW rows decide the layout. Later
 * rows are printed as they come, so that memory does not grow with a query's result.
 *
 * Without a limit on the width of lines every column is shown in full. With one (terminal.h),
 * no line passes it:
 * - a few rows become blocks of "name  value" lines, if the style says so;
 * - columns of a rank above 0 are left out, the highest rank first, and named below;
 * - the last column is wrapped, if its flags say so;
 * - texts are shortened, with an ellipsis, but only on terminals, not in pipes and files;
 * - a table that is still too wide becomes blocks.
 */
#ifndef CLI_LINE_TABLE_H
#define CLI_LINE_TABLE_H

#include "clients/cli/line/rows.h"
#include "core/bytes.h"

enum { TABLE_WINDOW = 1000, TABLE_GAP = 2, TABLE_BAR = 40 };

typedef struct table_style {
    bool header; /* print the columns' headings */
    bool few_as_blocks;
    bool may_shorten;
    size_t width; /* of a line; 0: not limited */
} table_style;

typedef struct table_item {
    size_t at, size; /* where the text is in table.text */
    size_t columns;  /* its width on the terminal */
    double bar;      /* the share, if is_bar */
    bool number, is_bar;
} table_item;

/* A column's layout. */
typedef struct table_place {
    table_item head;
    unsigned rank;
    bool wrap;
    bool hidden;
    bool numeric;   /* all cells so far are numbers or empty */
    bool bars;      /* some cell is a bar */
    size_t natural; /* width that all its cells fit */
    size_t width;
} table_place;

typedef struct table {
    table_style style;
    size_t columns;
    table_place *places; /* owned */
    bytes heads;         /* the columns' heads, made visible */
    table_item *cells;   /* owned; the window: columns * TABLE_WINDOW */
    size_t count;
    bytes text;
    bool laid_out; /* the first window has decided the layout */
    bool blocks;   /* each row is a block of lines */
    bool shortened;
    size_t rows; /* rows printed so far */
    double most; /* the largest bar, which fills its column */
} table;

/* Returns a new table, or NULL when memory is out. It has those of the columns that are shown
 * to people; columns end with a key of NULL. wide: the width of lines is not limited. */
table *table_new(const report_column *columns, bool header, bool wide, bool few_as_blocks);
/* Adds the next cell, row by row. Numbers are aligned to the right. The text is copied and
 * made safe to print. Returns false when memory is out. */
bool table_cell(table *t, const char *text, size_t size, bool number);
/* Adds a bar for a share of at least 0. The largest bar of the first window gets the full
 * width. Returns false when memory is out. */
bool table_bar(table *t, double share);
/* Prints the rest and frees the table. t may be NULL. */
void table_finish(table *t);

/* ---- table.c ---- */

#endif
