/*
 * Reads schema/tables.md, which the command carries with it: what tables, views and functions
 * there are to ask, and what their columns mean. The page is read as it stands:
 *
 *   ## Title           a part; tables of "The index" are in the file only once it is made
 *   ### name(args)     a table; (args) where it is called with some
 *   What it is.        the first line; what follows up to the columns is more of it
 *   | name | TYPE | meaning |
 */
#ifndef CLI_QUESTIONS_TABLES_PAGE_H
#define CLI_QUESTIONS_TABLES_PAGE_H

#include <stdbool.h>
#include <stddef.h>

enum { PAGE_TEXT_MAX = 400 };

typedef struct page_table {
    char name[64];
    char usage[96]; /* the name, with the arguments that it is called with */
    char what[PAGE_TEXT_MAX];
    char more[PAGE_TEXT_MAX]; /* "" for none */
    bool of_index;            /* the file need not have it */
    const char *columns;      /* in the page, for page_next_column; NULL: it has none */
} page_table;

typedef struct page_column {
    char name[64], type[16];
    char meaning[PAGE_TEXT_MAX];
} page_column;

/* Where the next table begins; zeroed: the first. */
typedef struct page_place {
    const char *at;
    bool of_index;
} page_place;

/* Reads the next table. False after the last. */
bool page_next_table(page_place *place, page_table *out);
/* Reads the next column of the table; *at is NULL for the first. */
bool page_next_column(const page_table *table, const char **at, page_column *out);
/* Finds a table; names match without regard to case, as in SQL. */
bool page_find_table(const char *name, page_table *out);

/* Returns the embedded text of that name (embedded.h); "" if there is none. */
const char *embedded_text_of(const char *name);

#endif
