/* What a query can ask: tables, views and functions, their columns, and what may have been
 * meant by a name that is none of them. */
#ifndef CLI_QUESTIONS_QUERY_TABLES_H
#define CLI_QUESTIONS_QUERY_TABLES_H

#include "clients/cli/session/session.h"

/* The file's own tables and views, beside those of the page (tables_page.h), by their kind. */
typedef struct file_table {
    char *name; /* owned */
    bool view;
} file_table;

typedef struct file_tables {
    file_table *items; /* owned */
    size_t count;
} file_tables;

/* Reads the file's tables. EXIT_DONE or EXIT_FAILED. Dispose it always. */
int file_tables_read(file_tables *out, session *s);
void file_tables_dispose(file_tables *tables);

/* Prints the list of all, and one's columns, on standard output. EXIT_DONE or EXIT_FAILED. */
int query_tables_print(session *s);
int query_columns_print(session *s, const char *name);

/* After a query that failed with s->err, tells on standard error what may have been meant, if
 * it named a table, column or function that does not exist. In query_hint.c. */
void query_hint(session *s, const char *sql);

/* ---- result.c: what a statement gives ---- */

typedef struct result_limits {
    uint64_t rows;  /* 0: none */
    double seconds; /* 0: none */
    uint64_t bytes; /* 0: none */
    ptl_query_reading reading;
    const ptl_query_parameter *parameters;
    size_t parameter_count;
} result_limits;

/* Prints what the statement gives. EXIT_DONE or EXIT_FAILED, with the message printed. A line
 * on standard error says that a snapshot is asked. */
int result_print(session *s, const char *sql, const result_limits *limits);

#endif
