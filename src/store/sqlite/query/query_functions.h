/* SQL functions whose time grows with the product of their arguments' sizes, within bounds. */
#ifndef STORE_SQLITE_QUERY_QUERY_FUNCTIONS_H
#define STORE_SQLITE_QUERY_QUERY_FUNCTIONS_H

#include "portolan/status.h"
#include "store/sqlite/connection/sqlite.h"

enum { QUERY_FUNCTIONS = 9, QUERY_LENGTH_MAX = 4 << 20 /* bytes of a value */ };

/* SQLite's own functions, reached through a connection of their own. */
typedef struct query_plain {
    sqlite3 *db;
    struct bounded_function {
        const char *name;
        int bounded, limit; /* arguments from that on have at most so many bytes; see TOGETHER */
        sqlite3_stmt *call;
    } functions[QUERY_FUNCTIONS];
    struct bounded_format {
        sqlite3 *db;        /* the connection above */
        sqlite3_stmt *call; /* of the last call; NULL: there was none */
        int arguments;      /* that it has */
    } format;
} query_plain;

/* Puts bounded ones in the place of SQLite's on db. plain lives longer than db. */
ptl_status query_functions_bound(sqlite3 *db, query_plain *plain, ptl_error *err);
void query_plain_dispose(query_plain *plain);

#endif
