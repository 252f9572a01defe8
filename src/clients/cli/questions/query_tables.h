/* What a query can use: tables, views and functions with their columns, and suggestions for
 * names that do not exist. */
#ifndef CLI_QUESTIONS_QUERY_TABLES_H
#define CLI_QUESTIONS_QUERY_TABLES_H

#include "clients/cli/session/session.h"

#include <stdbool.h>
#include <stddef.h>

/* The file's own tables and views. The page (query_tables.h) describes most of them. */
typedef struct file_table {
    char *name; /* owned */
    bool view;
} file_table;

typedef struct file_tables {
    file_table *items; /* owned */
    size_t count;
} file_tables;

/* Print the list of all tables, and the columns of one, on standard output. Return
 * EXIT_DONE or EXIT_FAILED. */
int query_tables_print(session *s);
int query_columns_print(session *s, const char *name);

/* After a query that failed with s->err: if it named a table, column or function that does not
 * exist, suggests a name on standard error. In query_tables.c. */
void query_hint(session *s, const char *sql);

/* ---- cmd_query.c: the rows of a statement ---- */

typedef struct result_limits {
    uint64_t rows;  /* 0: not limited */
    double seconds; /* 0: not limited */
    uint64_t bytes; /* 0: not limited */
    ptl_query_reading reading;
    const ptl_query_parameter *parameters;
    size_t parameter_count;
} result_limits;

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

/* Returns the embedded text with this name (embedded.h); "" if there is none. */
const char *embedded_text_of(const char *name);

#endif
