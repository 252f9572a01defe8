/*
 * Read-only SQL over a world file.
 */
#ifndef PORTOLAN_QUERY_H
#define PORTOLAN_QUERY_H

#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ptl_value_type {
    PTL_VALUE_NULL,
    PTL_VALUE_INTEGER,
    PTL_VALUE_REAL,
    PTL_VALUE_TEXT,
    PTL_VALUE_BLOB
} ptl_value_type;

/* One value of a result row; text and blob are borrowed until the callback returns. */
typedef struct ptl_value {
    ptl_value_type type;
    int64_t integer;
    double real;
    const char *text; /* UTF-8, also the bytes of a blob */
    size_t size;      /* bytes of text or blob */
} ptl_value;

typedef struct ptl_query_options {
    uint64_t row_limit; /* 0: no limit; a longer result ends with PTL_ERR_LIMIT */
    double time_limit;  /* seconds; 0: no limit; passing it ends with PTL_ERR_LIMIT */
    /* names is given with every row. Returning false stops with PTL_ERR_CANCELLED. */
    bool (*on_row)(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values);
    void *payload;
    uint64_t byte_limit; /* of all values, 8 for each and the size of texts and blobs; 0: no
                          * limit; a larger result ends with PTL_ERR_LIMIT */
} ptl_query_options;

/*
 * Runs one SELECT (or other reading) statement. An authorizer refuses everything that writes,
 * attaches or changes settings: PTL_ERR_ARGUMENT with SQLite's message. An empty result still
 * calls on_row never; ptl_query_columns tells the names then. A text or blob has 4 MB at most;
 * the second argument of instr, replace, trim, ltrim and rtrim 1,000 bytes, and those of
 * json_patch 100,000: larger ones take SQLite longer than a time limit can see.
 */
PTL_API ptl_status ptl_query(ptl_store *store, const char *sql,
                             const ptl_query_options *options, ptl_error *err);

/* Calls on_name with each column's name of the statement, without running it. */
PTL_API ptl_status ptl_query_columns(ptl_store *store, const char *sql,
                                     void (*on_name)(void *payload, const char *name),
                                     void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
