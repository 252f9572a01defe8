/* Printing the result of an SQL statement. */
#ifndef CLI_QUESTIONS_RESULT_H
#define CLI_QUESTIONS_RESULT_H

#include "clients/cli/session/session.h"

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
