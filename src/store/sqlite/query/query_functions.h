/*
 * SQLite's own functions in queries. A list says which functions a query may call. A function
 * that can take long is replaced by one with limits: if its time grows with the product of the
 * sizes of its arguments, the sizes are limited; and each call checks whether the query must
 * end.
 */
#pragma once

#include "portolan/status.h"
#include "store/sqlite/connection/store_impl.h"

/* QUERY_LENGTH_MAX: most bytes of a text or blob in a query. */
enum { QUERY_FUNCTIONS = 22, QUERY_LENGTH_MAX = 4 << 20 };

/* A database connection on which no function of SQLite's is replaced. On the reader's
 * connection some functions are replaced by functions that limit the size of arguments; these
 * call the original functions on this connection. */
typedef struct query_plain {
    sqlite3 *db;
    struct bounded_function {
        const struct query_plain *plain;
        const struct bounded_kind *kind;
        sqlite3_stmt *call; /* owned; a statement that calls the function with as many arguments
                             * as it was last called with; NULL: none yet */
        int arguments;      /* how many arguments the function gets in the statement `call` */
    } functions[QUERY_FUNCTIONS];
    const ptl_store *reader; /* the store of the connection whose functions are replaced; it
                                says whether the query must end */
} query_plain;

/* Some functions of SQLite can take long. On the reader's connection, replaces them by
 * functions of the same names that have limits. `plain` and `reader` must live longer than that
 * connection. */
ptl_status query_functions_bound(const ptl_store *reader, query_plain *plain, ptl_error *err);
void query_plain_dispose(query_plain *plain);

/* Returns true if a query may run this PRAGMA. A PRAGMA that reads a setting has no value; one
 * that describes a table has the table's name as its value. */
bool query_pragma_allowed(const char *name, const char *value);
/* Returns true if a query may call this function of SQLite's. */
bool query_function_allowed(const char *name);
/* Returns true if the function gives the same result again when the same query runs on the same
 * file. */
bool query_function_repeatable(const char *function);
