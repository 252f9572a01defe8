/*
 * SQLite's own functions in queries. Those that can take long are bounded: what they are called
 * with is limited where their time grows with the product of their arguments' sizes, and each
 * call asks whether the query is to end. And a list says which functions a query may call.
 */
#pragma once

#include "portolan/status.h"
#include "store/sqlite/connection/store_impl.h"

enum { QUERY_FUNCTIONS = 22, QUERY_LENGTH_MAX = 4 << 20 /* bytes of a value */ };

/* SQLite's own functions, called through a separate connection. */
typedef struct query_plain {
    sqlite3 *db;
    struct bounded_function {
        const struct query_plain *plain;
        const struct bounded_kind *kind;
        sqlite3_stmt *call; /* owned; for the latest number of arguments; NULL: none yet */
        int arguments;      /* number of arguments of `call` */
    } functions[QUERY_FUNCTIONS];
    const ptl_store *reader; /* whom to ask whether the query is to end */
} query_plain;

/* Replaces SQLite's functions on reader's connection by the bounded ones. plain and reader must
 * live longer than that. */
ptl_status query_functions_bound(const ptl_store *reader, query_plain *plain, ptl_error *err);
void query_plain_dispose(query_plain *plain);

/* May a query run this PRAGMA? One that reads a setting has no value; one that describes a
 * table has the table's name as its value. */
bool query_pragma_allowed(const char *name, const char *value);
/* May a query call this one of SQLite's own functions? */
bool query_function_allowed(const char *name);
/* Is the function certain to give the same again, when the same query is put to the same
 * file? */
bool query_function_repeatable(const char *function);
