/*
 * Prepared statements: the only way in which the rest of the backend meets SQLite. sqlite3.h
 * is included by store/sqlite alone.
 *
 * Parameters are numbered from 1, columns from 0. Text and blobs are bound by reference: they
 * must stay unchanged until the statement is reset or run to its end. Column pointers die at
 * the next step or reset.
 */
#ifndef STORE_SQLITE_FILE_STMT_H
#define STORE_SQLITE_FILE_STMT_H

#include "core/stop.h"
#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ptl_store ptl_store;
typedef struct stmt stmt;

/* Prepares a new statement: finish with stmt_free. SQL is ours, never a user's. */
ptl_status stmt_prepare(stmt **out, ptl_store *store, const char *sql, ptl_error *err);
void stmt_free(stmt *s); /* NULL is fine */

void stmt_bind_null(stmt *s, int index);
void stmt_bind_int(stmt *s, int index, int64_t value);
/* The same of the parameters from 1 on. */
void stmt_bind_ints(stmt *s, const int64_t *values, int count);
void stmt_bind_double(stmt *s, int index, double value);
void stmt_bind_text(stmt *s, int index, const char *text); /* NULL binds NULL */
void stmt_bind_span(stmt *s, int index, const char *text, size_t size);
void stmt_bind_blob(stmt *s, int index, const void *data, size_t size);

/* Goes one row further: *row tells whether there is one. At the end, or on error, it is reset.
 * Here a stop is heard: PTL_ERR_CANCELLED. */
ptl_status stmt_step(stmt *s, bool *row, ptl_error *err);
/* For loops over rows: does that unless *status is a failure by now, and returns whether there
 * is a row. */
bool stmt_row(stmt *s, ptl_status *status, ptl_error *err);
/* Serves statements without rows: step to the end, reset, clear bindings. A failed bind is
 * reported here and by stmt_step. */
ptl_status stmt_run(stmt *s, ptl_error *err);
void stmt_reset(stmt *s); /* also clears bindings */

bool stmt_is_null(const stmt *s, int column);
int64_t stmt_int(const stmt *s, int column);
double stmt_double(const stmt *s, int column);
const char *stmt_text(const stmt *s, int column); /* never NULL: "" for NULL */
/* A long text is copied when it is asked for: PTL_ERR_NOMEM if that failed in this row, which
 * the next step says too. For where a text that is missing would be misunderstood before. */
ptl_status stmt_had_memory(const stmt *s, ptl_error *err);
const void *stmt_blob(const stmt *s, int column, size_t *size);

/* The first number of the first row of a query of ours, whose parameters are these; *out stays
 * as it is where there is no row. */
ptl_status stmt_ask(int64_t *out, ptl_store *store, const char *sql, const int64_t *parameters,
                    size_t count, ptl_error *err);

/*
 * For who reads a table row by row by "id > ?": takes over the row's id, the first column. In a
 * damaged file the next row can be an earlier one, without end: PTL_ERR_CORRUPT.
 */
ptl_status stmt_next_id(const stmt *s, int64_t *after, const char *table, ptl_error *err);
/* Both for a loop: the row behind *after, the statement's only parameter; as stmt_row. The
 * statement is reset by the next call, or by who lets others write meanwhile. */
bool stmt_row_after(stmt *s, int64_t *after, const char *table, ptl_status *status,
                    ptl_error *err);

/* Returns the rowid of the store's last INSERT. */
int64_t sqlite_last_rowid(ptl_store *store);
/* Runs one or more statements without parameters or results. */
ptl_status sqlite_exec(ptl_store *store, const char *sql, ptl_error *err);

/* The contract's (store/store.h, which says what they mean): BEGIN IMMEDIATE, COMMIT, ROLLBACK;
 * BEGIN and a first read; the same unless a transaction is open. */
ptl_status sqlite_begin(ptl_store *store, ptl_error *err);
ptl_status sqlite_commit(ptl_store *store, ptl_error *err);
void sqlite_rollback(ptl_store *store);
ptl_status sqlite_begin_read(ptl_store *store, ptl_error *err);
/* In a damaged file a COMMIT of reads fails, and the transaction stays open: so a snapshot is
 * ended by ROLLBACK. */
ptl_status sqlite_begin_snapshot(ptl_store *store, bool *own, ptl_error *err);
ptl_status sqlite_begin_lookups(ptl_store *store, bool *own, ptl_error *err);
void sqlite_end_snapshot(ptl_store *store, bool own);
stop_hook sqlite_stop_hook(const ptl_store *store);
bool sqlite_stopped(const ptl_store *store);
void sqlite_deafen(ptl_store *store, bool on);

#endif
