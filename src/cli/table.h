/*
 * Aligned tables on standard output. Widths come from the first TABLE_WINDOW rows; what comes
 * after them streams through, so that memory does not grow with a query's result.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_WINDOW = 1000 };

typedef struct table table;

/* names may be NULL: a table without a head. new; NULL when memory is out. */
table *table_new(size_t columns, const char *const *names);
/* Adds the next cell, row by row; numbers are aligned to the right. The text is copied, with
 * what is unsafe to print made visible. False when memory is out. */
bool table_cell(table *t, const char *text, size_t size, bool number);
bool table_text(table *t, const char *text);
bool table_int(table *t, long long value);
/* Prints what is left and frees the table. NULL is fine. */
void table_finish(table *t);

#endif
