/*
 * Prepared statements, through which the rest of this backend uses SQLite. Only store/sqlite
 * includes sqlite3.h.
 * Parameters are numbered from 1, columns from 0. Text and blobs are bound by reference: they
 * must stay unchanged until the statement is reset or run to its end. Pointers to column values
 * are valid until the next step or reset.
 */
#pragma once

#include "core/stop.h"
#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ptl_store ptl_store;
typedef struct stmt stmt;

/* Prepares a new statement, which stmt_free must end. The SQL must be Portolan's own, never a
 * user's. */
ptl_status stmt_prepare(stmt **out, ptl_store *store, const char *sql, ptl_error *err);
void stmt_free(stmt *s); /* s may be NULL */

/* Makes two arguments from a list of numbers, an array and its length, for functions that bind
 * numbers to the parameters from 1 on. */
#define STMT_VALUES(...)                                                                       \
    (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)

/* Prepares a new statement and binds numbers to its first parameters. */
ptl_status stmt_query(stmt **out, ptl_store *store, const char *sql, const int64_t *values,
                      size_t count, ptl_error *err);

/* Prepares a new statement that inserts a row into a table of `count` columns. The table's name
 * needs no escaping; `count` is at most 60. */
ptl_status stmt_prepare_insert(stmt **out, ptl_store *store, const char *table, int count,
                               ptl_error *err);

/* These functions bind a value to a parameter of a statement. A failure is reported by the next
 * step. If s is NULL, because the statement could not be prepared, nothing is done. A parameter
 * to which nothing was bound is NULL. */
void stmt_bind_int(stmt *s, int index, int64_t value);
/* Binds `count` integers to the parameters from 1 on. */
void stmt_bind_ints(stmt *s, const int64_t *values, size_t count);
void stmt_bind_double(stmt *s, int index, double value);
void stmt_bind_text(stmt *s, int index, const char *text); /* NULL binds NULL */
void stmt_bind_span(stmt *s, int index, const char *text, size_t size);
void stmt_bind_blob(stmt *s, int index, const void *data, size_t size);

/* Goes to the next row; *row tells whether there is one. At the end and after an error the
 * statement is reset. PTL_ERR_CANCELLED if somebody asked the store to stop. */
ptl_status stmt_step(stmt *s, bool *row, ptl_error *err);
/* Goes to the next row, for the head of a loop: returns true if there is a row. Does nothing
 * and returns false if *status is an error already. */
bool stmt_row(stmt *s, ptl_status *status, ptl_error *err);
/* Runs a statement that gives no rows, resets it and clears its bindings. If an earlier bind
 * failed, this returns that error. */
ptl_status stmt_run(stmt *s, ptl_error *err);
void stmt_reset(stmt *s); /* also clears bindings; s may be NULL */

/* These functions get a column of the current row. SQLite converts a value of another type. */
bool stmt_is_null(const stmt *s, int column);
int64_t stmt_int(const stmt *s, int column);
double stmt_double(const stmt *s, int column);
const char *stmt_text(const stmt *s, int column); /* never NULL: "" if the value is NULL */
/* Returns PTL_ERR_NOMEM if stmt_text returned "" in this row because memory was out: SQLite
 * copies long texts. The next step reports this as well; call this function if an empty text
 * would be misunderstood before then. */
ptl_status stmt_had_memory(const stmt *s, ptl_error *err);
const void *stmt_blob(const stmt *s, int column, size_t *size);

/* Runs a query and gets the first column of its first row as an integer. *out stays as it is if
 * there is no row. */
ptl_status stmt_ask(int64_t *out, ptl_store *store, const char *sql, const int64_t *values,
                    size_t count, ptl_error *err);

/* Runs a query that counts and gets its result; *out is 0 after an error. */
ptl_status stmt_count(uint64_t *out, ptl_store *store, const char *sql, const int64_t *values,
                      size_t count, ptl_error *err);

/* Prepares and runs a statement that gives no rows. */
ptl_status stmt_do(ptl_store *store, const char *sql, const int64_t *values, size_t count,
                   ptl_error *err);

/* Runs a statement whose parameters get the columns of the current row of `from`, which may
 * belong to another connection. */
ptl_status stmt_copy_row(stmt *to, const stmt *from, ptl_error *err);

/* Lists the first column of all rows, as integers, and frees the statement. The caller frees
 * *out, also after an error, when it may be NULL. `status` is the result of preparing s: if it
 * is an error, it is returned. */
ptl_status stmt_list_ids(int64_t **out, size_t *count, stmt *s, ptl_status status,
                         ptl_error *err);

/* Sets *after to the id of the current row (its first column). Used by loops that read a table
 * row by row with "id > ?". PTL_ERR_CORRUPT if the id is not greater than *after, since with
 * such ids in a damaged file the loop could go on without end. */
ptl_status stmt_next_id(const stmt *s, int64_t *after, const char *table, ptl_error *err);
/*
 * Goes to the row with the least id that is greater than *after, for the head of a loop.
 * *after, the statement's only parameter, becomes that id. Returns true if there is a row;
 * after an error *status is set. The next call resets the statement; a caller that writes to
 * the file before that resets it itself.
 */
bool stmt_row_after(stmt *s, int64_t *after, const char *table, ptl_status *status,
                    ptl_error *err);

/* Returns the rowid of the last INSERT on the store's connection. */
int64_t sqlite_last_rowid(ptl_store *store);
/* Runs one or more SQL statements without parameters or results. */
ptl_status sqlite_exec(ptl_store *store, const char *sql, ptl_error *err);

/* These implement the contract's transactions (store/store.h says what they promise), by BEGIN
 * IMMEDIATE, COMMIT and ROLLBACK; a snapshot is BEGIN followed by a first read. */
ptl_status sqlite_begin(ptl_store *store, ptl_error *err);
ptl_status sqlite_commit(ptl_store *store, ptl_error *err);
void sqlite_rollback(ptl_store *store);
ptl_status sqlite_begin_read(ptl_store *store, ptl_error *err);
/* Begins a snapshot. sqlite_end_snapshot ends it by ROLLBACK, since in a damaged file the
 * COMMIT of a read transaction fails, and the transaction stays open. */
ptl_status sqlite_begin_snapshot(ptl_store *store, bool *own, ptl_error *err);
/* These implement operations of the contract (store/store.h). */
ptl_status sqlite_begin_lookups(ptl_store *store, bool *own, ptl_error *err);
void sqlite_end_snapshot(ptl_store *store, bool own);
stop_hook sqlite_stop_hook(const ptl_store *store);
bool sqlite_stopped(const ptl_store *store);
void sqlite_deafen(ptl_store *store, bool on);
bool sqlite_may_write(const ptl_store *store);

/*
 * Checks a file's structure by SQLite's own checks: runs sql, a PRAGMA integrity_check or
 * quick_check, and calls `found` for each line except "ok"; the message lasts until `found`
 * returns. SQLite calls a page damaged also when it could not be read at that moment, or when
 * memory ran out; this function tells such failures from damage. PTL_ERR_IO if pages can't be
 * read.
 */
ptl_status integrity_check(ptl_store *store, const char *sql,
                           void (*found)(void *payload, const char *message), void *payload,
                           ptl_error *err);
