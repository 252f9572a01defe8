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

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_WINDOW = 1000 };

typedef struct table_column {
    const char *head; /* copied; "" for none */
    unsigned rank;    /* 0: always shown */
    bool wrap;        /* the last column alone: it goes on in the next line */
} table_column;

typedef struct table_style {
    bool header; /* the columns' heads are shown */
    bool few_as_blocks;
    bool may_shorten;
    size_t width; /* of a line; 0: no end */
} table_style;

/* Returns the style of standard output; wide: as if lines had no end. */
table_style table_style_of(bool header, bool wide);

typedef struct table table;

/* Returns a new table, or NULL when memory is out. */
table *table_new(const table_column *columns, size_t count, const table_style *style);
/* Adds the next cell, row by row; numbers are aligned to the right. The text is copied, with
 * what is unsafe to print made visible. False when memory is out. */
bool table_cell(table *t, const char *text, size_t size, bool number);
bool table_text(table *t, const char *text);
bool table_int(table *t, long long value);
/* A bar for a share of at least 0; the largest one is as wide as there is room. */
bool table_bar(table *t, double share);
/* Prints what is left and frees the table. NULL is fine. */
void table_finish(table *t);

#endif
