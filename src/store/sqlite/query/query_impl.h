/*
 * What the files of ptl_query share. query_exec.c opens the connection and prepares the
 * statement. query_run.c steps it, watches the limits and makes sure that no writer is held
 * up.
 */
#ifndef STORE_SQLITE_QUERY_QUERY_IMPL_H
#define STORE_SQLITE_QUERY_QUERY_IMPL_H

#include "core/bytes.h"
#include "portolan/query.h"
#include "portolan/status.h"
#include "store/sqlite/connection/sqlite.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/query/vtab.h"

/* SQL functions that can take long: what they are called with is limited where their time grows
 * with the product of their arguments' sizes, and each call asks whether the query is to end.
 */

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

/* State of one call of ptl_query, which reads the file and then, perhaps, a snapshot. */
typedef struct query_run {
    const ptl_query_options *options;
    const char *sql;
    double started, end; /* by clock_seconds; end 0: no limit */
    bool timed_out;
    bool watches;    /* look for writers from time to time */
    double look_at;  /* time of the next look */
    bool keeps;      /* there is a writer: collect rows until the file is released */
    bool repeatable; /* the same file would give the same rows in the same order */
    bool move;       /* the query must continue on a snapshot */
    uint64_t rows, size;
    /* Rows given to the caller; how many of them the snapshot still has to repeat. */
    uint64_t given, skip;
    struct kept_rows {
        ptl_value *values; /* for text and blob `integer` is the offset in data */
        size_t count, room;
        bytes data;
    } kept;
    char whom[BUSY_NAME_SIZE];
} query_run;

typedef struct query {
    query_run *run;
    sqlite3 *db;
    ptl_store *lent;    /* borrowed: the store that lent db; NULL: db belongs to this query */
    ptl_store reader;   /* a store over the same connection, which the virtual tables read */
    sql_source *source; /* the connection's source for virtual tables */
    query_plain plain;  /* what the bounded functions call */
    sqlite3_stmt *handle;
} query;

/* Returns the status of a result code and fills err. A mistake in the user's SQL becomes an
 * argument error; failures of the file or machine keep their status. */
ptl_status query_error(const query *q, int code, ptl_error *err);

/* Binds the caller's values to the prepared statement. */
ptl_status query_bind(const query *q, ptl_error *err);

/* Starts the call, with its clocks. End it with query_run_end. */
void query_run_begin(query_run *run, const ptl_store *store, const char *sql,
                     const ptl_query_options *options);
/* Frees the collected rows. */
void query_run_end(query_run *run);

/* Begins a read transaction on the open connection, if writers are to be looked for. */
ptl_status query_watch(query *q, ptl_error *err);
/* Begins to follow the connection's progress, for the time limit and to look for writers. */
void query_follow(query *q);
/* Gives all rows of the prepared statement to the caller. If run->move is set afterwards, the
 * missing rows must come from a snapshot. */
ptl_status query_rows(query *q, ptl_error *err);
/* Makes a snapshot for q: of the moment that q reads if rows have been given, otherwise the
 * latest. *out is as in snapshot_open. */
ptl_status query_snapshot(sqlite3 **out, query *q, ptl_error *err);

#endif
