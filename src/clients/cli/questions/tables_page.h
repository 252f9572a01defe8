/*
 * Reads schema/tables.md, which the command carries with it: which tables, views and functions
 * a query can use, and what their columns mean. The page has this form:
 *
 *   ## Title           a part; tables of "The index" exist only once the index is made
 *   ### name(args)     a table; (args) if it is called with arguments
 *   What it is.        the first line; the lines up to the columns say more
 *   | name | TYPE | meaning |
 */
#ifndef CLI_QUESTIONS_TABLES_PAGE_H
#define CLI_QUESTIONS_TABLES_PAGE_H

#include <stdbool.h>
#include <stddef.h>

enum { PAGE_TEXT_MAX = 400 };

typedef struct page_table {
    char name[64];
    char usage[96]; /* its name, with arguments if it takes some */
    char what[PAGE_TEXT_MAX];
    char more[PAGE_TEXT_MAX]; /* "" if there is none */
    bool of_index;            /* the file has it only if the index was made */
    const char *columns;      /* place in the page for page_next_column; NULL: no columns */
} page_table;

typedef struct page_column {
    char name[64], type[16];
    char meaning[PAGE_TEXT_MAX];
} page_column;

/* A place in the page, zeroed for its beginning. */
typedef struct page_place {
    const char *at;
    bool of_index;
} page_place;

/* Reads the next table. Returns false after the last one. */
bool page_next_table(page_place *place, page_table *out);
/* Reads the table's next column; *at starts as NULL. Returns false after the last one. */
bool page_next_column(const page_table *table, const char **at, page_column *out);
/* Finds a table by name, without regard to case, as in SQL. Returns false if there is none. */
bool page_find_table(const char *name, page_table *out);

/* Returns the embedded text with this name (embedded.h); "" if there is none. */
const char *embedded_text_of(const char *name);

#endif
