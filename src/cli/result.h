/* Printing the result of an SQL statement as a table, CSV or JSON. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include "cli/session.h"

typedef enum result_format { RESULT_TABLE, RESULT_CSV, RESULT_JSON } result_format;

typedef struct result_limits {
    uint64_t rows;  /* 0: none */
    double seconds; /* 0: none */
    uint64_t bytes; /* 0: none */
    ptl_query_reading reading;
} result_limits;

/* EXIT_DONE or EXIT_FAILED, with the message printed. limits may be NULL. A line on standard
 * error says that a snapshot is asked. */
int result_print(session *s, const char *sql, result_format format,
                 const result_limits *limits);

#endif
