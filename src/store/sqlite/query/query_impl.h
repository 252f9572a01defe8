/*
 * What the files of ptl_query share: query_exec.c opens and prepares, query_run.c steps, keeps
 * the limits and sees to it that no writer is held up.
 */
#ifndef STORE_SQLITE_QUERY_QUERY_IMPL_H
#define STORE_SQLITE_QUERY_QUERY_IMPL_H

#include "core/bytes.h"
#include "portolan/query.h"
#include "portolan/status.h"
#include "store/sqlite/connection/sqlite.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/query/vtab.h"

/* SQL functions whose time grows with the product of their arguments' sizes, within bounds. */

enum { QUERY_FUNCTIONS = 9, QUERY_LENGTH_MAX = 4 << 20 /* bytes of a value */ };

/* SQLite's own functions, reached through a connection of their own. */
typedef struct query_plain {
    sqlite3 *db;
    struct bounded_function {
        const char *name;
        int bounded,
            limit; /* arguments from that on have at most so many bytes; see TOGETHER */
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

/* Of one call, over the file and then, maybe, over a snapshot. */
typedef struct query_run {
    const ptl_query_options *options;
    const char *sql;
    double started, end; /* on clock_seconds; end 0: no limit */
    bool timed_out;
    bool watches;    /* a writer is looked for */
    double look_at;  /* when, next */
    bool keeps;      /* a writer is there: rows are kept until the file is let go */
    bool repeatable; /* the same file gives the same rows again */
    bool move;       /* it has to go on with a snapshot */
    uint64_t rows, size;
    uint64_t given, skip; /* rows that the caller has; of these still to come again */
    struct kept_rows {
        ptl_value *values; /* text and blob: integer is their place in data */
        size_t count, room;
        bytes data;
    } kept;
    char whom[BUSY_NAME_SIZE];
} query_run;

typedef struct query {
    query_run *run;
    sqlite3 *db;
    ptl_store *lent;    /* borrowed: whose connection db is; NULL: it is this query's */
    ptl_store reader;   /* the same connection, for what the virtual tables read */
    sql_source *source; /* of them; the connection's */
    query_plain plain;  /* what bounded functions compute with */
    sqlite3_stmt *handle;
} query;

/* A user's mistake is an argument error; what the file or the machine does stays what it is. */
ptl_status query_error(const query *q, int code, ptl_error *err);

/* Gives the prepared statement its parameters. */
ptl_status query_bind(const query *q, ptl_error *err);

/* Starts the clocks of a call. */
void query_run_begin(query_run *run, const ptl_store *store, const char *sql,
                     const ptl_query_options *options);
void query_run_end(query_run *run);

/* A read transaction on a connection that is open, if a writer is to be looked for. */
ptl_status query_watch(query *q, ptl_error *err);
/* The connection's progress is followed from here on: for the limit of time, and for writers.
 */
void query_follow(query *q);
/* Gives all rows of the prepared statement; run->move: those that are missing are a
 * snapshot's. */
ptl_status query_rows(query *q, ptl_error *err);
/* A snapshot of what q asks: of its moment if rows were given, else the latest. *out as
 * snapshot_open has it. */
ptl_status query_snapshot(sqlite3 **out, query *q, ptl_error *err);

#endif
