/*
 * Prepared statements: the rest of the backend meets SQLite only through them. sqlite3.h is
 * included by store/sqlite alone.
 * Parameters are numbered from 1, columns from 0. Text and blobs are bound by reference: they
 * must stay unchanged until the statement is reset or run to its end. Pointers to column
 * values are valid until the next step or reset.
 */
#pragma once

#include "core/stop.h"
#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ptl_store ptl_store;
typedef struct stmt stmt;

/* Prepares a new statement; finish with stmt_free. The SQL must be Portolan's own, never a
 * user's. */
ptl_status stmt_prepare(stmt **out, ptl_store *store, const char *sql, ptl_error *err);
void stmt_free(stmt *s); /* NULL is fine */

/* Numbers for the parameters from 1 on, as two arguments: an array and its length. */
#define STMT_VALUES(...)                                                                       \
    (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)

/* Prepares a new statement and binds numbers to its first parameters. */
ptl_status stmt_query(stmt **out, ptl_store *store, const char *sql, const int64_t *values,
                      size_t count, ptl_error *err);

/* Prepares a new statement that inserts a row of `count` values into a table with so many
 * columns. The table's name needs no escaping; `count` is at most 60. */
ptl_status stmt_prepare_insert(stmt **out, ptl_store *store, const char *table, int count,
                               ptl_error *err);

/* Bind a value to a parameter. A failure is remembered and reported by the next step. A
 * statement that could not be prepared is NULL, and nothing is done with it. A parameter that
 * nothing was bound to is NULL. */
void stmt_bind_int(stmt *s, int index, int64_t value);
/* Binds `count` integers to the parameters from 1 on. */
void stmt_bind_ints(stmt *s, const int64_t *values, size_t count);
void stmt_bind_double(stmt *s, int index, double value);
void stmt_bind_text(stmt *s, int index, const char *text); /* NULL binds NULL */
void stmt_bind_span(stmt *s, int index, const char *text, size_t size);
void stmt_bind_blob(stmt *s, int index, const void *data, size_t size);

/* Goes one row further; *row tells whether there is one. At the end or after an error the
 * statement is reset. If a stop was asked for, this returns PTL_ERR_CANCELLED. */
ptl_status stmt_step(stmt *s, bool *row, ptl_error *err);
/* The same for loops: it does nothing if *status is already an error, and returns whether
 * there is a row. */
bool stmt_row(stmt *s, ptl_status *status, ptl_error *err);
/* Runs a statement without rows to its end, resets it and clears its bindings. An earlier
 * failed bind is reported here, as it is by stmt_step. */
ptl_status stmt_run(stmt *s, ptl_error *err);
void stmt_reset(stmt *s); /* also clears bindings; NULL is fine */

/* Get a column of the current row. Where the value has another type SQLite converts it. */
bool stmt_is_null(const stmt *s, int column);
int64_t stmt_int(const stmt *s, int column);
double stmt_double(const stmt *s, int column);
const char *stmt_text(const stmt *s, int column); /* never NULL: "" for NULL */
/*
 * SQLite copies a long text when it is asked for. If that failed in this row, stmt_text has
 * returned "", and this returns PTL_ERR_NOMEM. The next step reports it as well. Call this
 * where a missing text would be misunderstood before that.
 */
ptl_status stmt_had_memory(const stmt *s, ptl_error *err);
const void *stmt_blob(const stmt *s, int column, size_t *size);

/* Gets the first column of the first row that a query gives, as an integer. *out stays as it
 * is if there is no row. */
ptl_status stmt_ask(int64_t *out, ptl_store *store, const char *sql, const int64_t *values,
                    size_t count, ptl_error *err);

/* Does the same for a query that counts; *out is 0 after an error. */
ptl_status stmt_count(uint64_t *out, ptl_store *store, const char *sql, const int64_t *values,
                      size_t count, ptl_error *err);

/* Runs a statement without rows. */
ptl_status stmt_do(ptl_store *store, const char *sql, const int64_t *values, size_t count,
                   ptl_error *err);

/* Runs a statement whose parameters are the columns of another one's current row, perhaps of
 * another connection. */
ptl_status stmt_copy_row(stmt *to, const stmt *from, ptl_error *err);

/* Lists the first column of all rows, as integers, and frees the statement. *out is new, also
 * after an error. `status` is that of preparing it: an error is returned as it is. */
ptl_status stmt_list_ids(int64_t **out, size_t *count, stmt *s, ptl_status status,
                         ptl_error *err);

/*
 * Moves *after to the id of the current row (its first column), for reading a table row by row
 * with "id > ?". PTL_ERR_CORRUPT if the id is not larger than before: in a damaged file such a
 * loop could go on without end.
 */
ptl_status stmt_next_id(const stmt *s, int64_t *after, const char *table, ptl_error *err);
/*
 * Combines both for a loop: goes to the row with the next id after *after, which is the
 * statement's only parameter. Returns as stmt_row does. The statement is reset by the next
 * call, or by the caller if others are to write meanwhile.
 */
bool stmt_row_after(stmt *s, int64_t *after, const char *table, ptl_status *status,
                    ptl_error *err);

/* Returns the rowid of the last INSERT on the store's connection. */
int64_t sqlite_last_rowid(ptl_store *store);
/* Runs one or more SQL statements without parameters or results. */
ptl_status sqlite_exec(ptl_store *store, const char *sql, ptl_error *err);

/* The contract's transactions (store/store.h says what they mean): BEGIN IMMEDIATE, COMMIT and
 * ROLLBACK; for a snapshot BEGIN and a first read, unless a transaction is open. */
ptl_status sqlite_begin(ptl_store *store, ptl_error *err);
ptl_status sqlite_commit(ptl_store *store, ptl_error *err);
void sqlite_rollback(ptl_store *store);
ptl_status sqlite_begin_read(ptl_store *store, ptl_error *err);
/* End a snapshot by ROLLBACK. In a damaged file the COMMIT of a read transaction fails, and
 * the transaction stays open. */
ptl_status sqlite_begin_snapshot(ptl_store *store, bool *own, ptl_error *err);
/* Implement the contract's operations of the same names (store/store.h). */
ptl_status sqlite_begin_lookups(ptl_store *store, bool *own, ptl_error *err);
void sqlite_end_snapshot(ptl_store *store, bool own);
stop_hook sqlite_stop_hook(const ptl_store *store);
bool sqlite_stopped(const ptl_store *store);
void sqlite_deafen(ptl_store *store, bool on);
