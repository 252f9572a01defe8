/* What a query can use: tables, views and functions with their columns, and suggestions for
 * names that do not exist. */
#ifndef CLI_QUESTIONS_QUERY_TABLES_H
#define CLI_QUESTIONS_QUERY_TABLES_H

#include "clients/cli/session/session.h"

/* The file's own tables and views. The page (tables_page.h) describes most of them. */
typedef struct file_table {
    char *name; /* owned */
    bool view;
} file_table;

typedef struct file_tables {
    file_table *items; /* owned */
    size_t count;
} file_tables;

/* Reads the names of the file's tables and views. Returns EXIT_DONE or EXIT_FAILED. Dispose
 * *out in any case. */
int file_tables_read(file_tables *out, session *s);
void file_tables_dispose(file_tables *tables);

/* Print the list of all tables, and the columns of one, on standard output. Return
 * EXIT_DONE or EXIT_FAILED. */
int query_tables_print(session *s);
int query_columns_print(session *s, const char *name);

/* After a query that failed with s->err: if it named a table, column or function that does not
 * exist, suggests a name on standard error. In query_hint.c. */
void query_hint(session *s, const char *sql);

/* ---- result.c: the rows of a statement ---- */

typedef struct result_limits {
    uint64_t rows;  /* 0: not limited */
    double seconds; /* 0: not limited */
    uint64_t bytes; /* 0: not limited */
    ptl_query_reading reading;
    const ptl_query_parameter *parameters;
    size_t parameter_count;
} result_limits;

/* Prints the rows of the statement. Returns EXIT_DONE, or EXIT_FAILED after a message. A line
 * on standard error says if a snapshot is read. */
int result_print(session *s, const char *sql, const result_limits *limits);

#endif
