/* Runs SQL on one SQLite connection: prepared statements, among them those that a store keeps,
 * and transactions. Also translates SQLite's result codes into statuses of the store. */
#include "store/sqlite/connection/stmt.h"

#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sqlite_distrust(sqlite3 *db)
{
    static const struct {
        int option, value;
    } switches[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof switches / sizeof switches[0] && code == SQLITE_OK; i++)
        code = sqlite3_db_config(db, switches[i].option, switches[i].value, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    return code;
}

ptl_status sqlite_status(int code)
{
    static const struct {
        int code;
        ptl_status status;
    } meanings[] = {{SQLITE_OK, PTL_OK},
                    {SQLITE_ROW, PTL_OK},
                    {SQLITE_DONE, PTL_OK},
                    {SQLITE_NOMEM, PTL_ERR_NOMEM},
                    {SQLITE_BUSY, PTL_ERR_BUSY},
                    {SQLITE_LOCKED, PTL_ERR_BUSY},
                    {SQLITE_FULL, PTL_ERR_IO},
                    {SQLITE_IOERR, PTL_ERR_IO},
                    {SQLITE_CANTOPEN, PTL_ERR_IO},
                    {SQLITE_NOLFS, PTL_ERR_IO},
                    {SQLITE_READONLY, PTL_ERR_READONLY},
                    {SQLITE_PERM, PTL_ERR_READONLY},
                    {SQLITE_CORRUPT, PTL_ERR_CORRUPT},
                    {SQLITE_NOTADB, PTL_ERR_CORRUPT},
                    {SQLITE_TOOBIG, PTL_ERR_LIMIT},
                    {SQLITE_INTERRUPT, PTL_ERR_LIMIT},
                    {SQLITE_AUTH, PTL_ERR_ARGUMENT}};
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].code == (code & 0xff))
            return meanings[i].status;
    return PTL_ERR_INTERNAL;
}

/* Returns the errno of the last system call that failed on this file, or 0. Then reads at the
 * end of the file, which makes SQLite forget that errno, so that it can't be taken for the
 * errno of a later failure. */
static int take_errno(sqlite3_file *file)
{
    unsigned char ignored;
    sqlite3_int64 size;
    int said = 0;
    if (!file || !file->pMethods || !file->pMethods->xFileControl ||
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &said) != SQLITE_OK)
        return 0;
    if (said != 0 && file->pMethods->xFileSize(file, &size) == SQLITE_OK)
        (void)file->pMethods->xRead(file, &ignored, 1, size);
    return said;
}

/* Returns the first errno that take_errno finds for the database file, its journal or its WAL;
 * 0 if it finds none. */
static int file_errno(sqlite3 *db)
{
    static const int pointers[] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};
    int said = 0;
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++) {
        sqlite3_file *file = NULL;
        (void)sqlite3_file_control(db, "main", pointers[i], &file);
        const int own = take_errno(file);
        said = said != 0 ? said : own;
    }
    return said;
}

bool sqlite_unread(sqlite3 *db, int *code, int *said)
{
    const bool damage = (*code & 0xff) == SQLITE_CORRUPT || *code == SQLITE_IOERR_CORRUPTFS;
    *said = db && damage ? file_errno(db) : 0;
    /* The file is not damaged if the system failed to read it: SQLite reports
     * SQLITE_IOERR_CORRUPTFS then, or the errno is one of the three below. */
    if (!damage ||
        (*code != SQLITE_IOERR_CORRUPTFS && *said != EIO && *said != ERANGE && *said != ENXIO))
        return false;
    *code = SQLITE_IOERR_READ;
    return true;
}

sqlite3_file *sqlite_main_file(sqlite3 *db)
{
    sqlite3_file *file = NULL;
    const int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code == SQLITE_OK && file && file->pMethods ? file : NULL;
}

int sqlite_system_code(sqlite3 *db, int code)
{
    const int kind = code & 0xff;
    if (kind == SQLITE_FULL)
        return ENOSPC;
    if (kind != SQLITE_IOERR && kind != SQLITE_CANTOPEN)
        return 0;
    const int said = sqlite3_system_errno(db); /* SQLite 3.40 answers 0 here after a failed
                                                  commit; then file_errno finds the errno */
    return said != 0 || kind == SQLITE_CANTOPEN ? said : file_errno(db);
}

ptl_status sqlite_error(ptl_store *store, int code, const char *context, ptl_error *err)
{
    int said;
    const bool unread = sqlite_unread(store->db, &code, &said);
    ptl_status status = sqlite_status(code);
    store_busy *b = &store->busy;
    const bool interrupted = (code & 0xff) == SQLITE_INTERRUPT && sqlite_stopped(store);
    if ((status == PTL_ERR_BUSY && b->stopped) || interrupted)
        status = PTL_ERR_CANCELLED;
    b->stopped = false;
    if (!err || err->status != PTL_OK)
        return status;
    if (interrupted)
        error_set(err, status, "stopped");
    else if (status == PTL_ERR_CANCELLED)
        error_set(err, status, "%s: stopped while waiting for %s", context, b->whom);
    else if (status == PTL_ERR_BUSY && b->whom[0])
        error_set(err, status, "%s: %s has kept the file locked for %.1f s", context, b->whom,
                  b->before + b->waited);
    else
        error_set(err, status, "%s: %s", context,
                  store->db && !unread ? sqlite3_errmsg(store->db) : sqlite3_errstr(code));
    err->backend_code = code;
    if (store->db)
        err->system_code = unread ? said : sqlite_system_code(store->db, code);
    return status;
}

/* Rolls back the transaction that is open, if there is one, and returns SQLite's code. Rolling
 * back can fail: SQLite may have to prepare the statement ROLLBACK again, which needs
 * memory. */
static int take_back(ptl_store *store)
{
    stmt *rollback = store->prepared[STMT_ROLLBACK];
    int code = SQLITE_OK;
    if (rollback && !sqlite3_get_autocommit(store->db)) {
        code = sqlite3_step(rollback->handle);
        sqlite3_reset(rollback->handle);
        store->rollback_due = !sqlite3_get_autocommit(store->db);
    }
    return code;
}

/*
 * Rolls back a transaction whose rollback failed earlier for lack of memory. Otherwise later
 * changes would belong to a transaction that nobody commits. Every preparation of a statement
 * calls this first.
 */
static ptl_status sqlite_settle(ptl_store *store, ptl_error *err)
{
    if (!store->rollback_due)
        return PTL_OK;
    store->rollback_due = false; /* if the caller has ended that transaction meanwhile, no
                                  * rollback is due; otherwise take_back sets this again if it
                                  * fails */
    const int code = take_back(store);
    return store->rollback_due
               ? sqlite_error(store, code, "taking back what was not committed", err)
               : PTL_OK;
}

ptl_status stmt_prepare(stmt **out, ptl_store *store, const char *sql, ptl_error *err)
{
    *out = NULL;
    TRY(sqlite_settle(store, err));
    stmt *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->store = store;
    int code =
        sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->handle, NULL);
    if (code != SQLITE_OK) {
        free(s);
        return sqlite_error(store, code, "preparing a statement", err);
    }
    *out = s;
    return PTL_OK;
}

void stmt_free(stmt *s)
{
    if (!s)
        return;
    sqlite3_finalize(s->handle);
    free(s);
}

void stmt_note_bind(stmt *s, int code)
{
    if (code != SQLITE_OK && s->bind_code == SQLITE_OK)
        s->bind_code = code;
}

void stmt_bind_int(stmt *s, int index, int64_t value)
{
    if (s)
        stmt_note_bind(s, sqlite3_bind_int64(s->handle, index, value));
}

void stmt_bind_ints(stmt *s, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        stmt_bind_int(s, (int)i + 1, values[i]);
}

void stmt_bind_double(stmt *s, int index, double value)
{
    if (s)
        stmt_note_bind(s, sqlite3_bind_double(s->handle, index, value));
}

void stmt_bind_text(stmt *s, int index, const char *text)
{
    if (s)
        stmt_note_bind(s, sqlite3_bind_text(s->handle, index, text, -1, SQLITE_STATIC));
}

void stmt_bind_span(stmt *s, int index, const char *text, size_t size)
{
    if (s)
        stmt_note_bind(
            s, sqlite3_bind_text64(s->handle, index, text, size, SQLITE_STATIC, SQLITE_UTF8));
}

/* An empty blob is bound with a pointer to "", since a null pointer would bind NULL. */
void stmt_bind_blob(stmt *s, int index, const void *data, size_t size)
{
    if (s)
        stmt_note_bind(s, sqlite3_bind_blob64(s->handle, index, size > 0 ? data : "", size,
                                              SQLITE_STATIC));
}

ptl_status stmt_step(stmt *s, bool *row, ptl_error *err)
{
    *row = false;
    if (sqlite_stopped(s->store)) {
        stmt_reset(s);
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    }
    int code = s->bind_code;
    if (code == SQLITE_OK)
        code = sqlite3_step(s->handle);
    if (code == SQLITE_ROW) {
        *row = true;
        return PTL_OK;
    }
    ptl_status status = PTL_OK;
    if (code != SQLITE_DONE)
        status = sqlite_error(s->store, code, "reading or writing the file", err);
    stmt_reset(s);
    return status;
}

bool stmt_row(stmt *s, ptl_status *status, ptl_error *err)
{
    bool row = false;
    if (s && *status == PTL_OK)
        *status = stmt_step(s, &row, err);
    return row;
}

ptl_status stmt_run(stmt *s, ptl_error *err)
{
    bool row = true;
    while (row)
        TRY(stmt_step(s, &row, err));
    return PTL_OK;
}

void stmt_reset(stmt *s)
{
    if (!s)
        return;
    sqlite3_reset(s->handle);
    sqlite3_clear_bindings(s->handle);
    s->bind_code = SQLITE_OK;
}

bool stmt_is_null(const stmt *s, int column)
{
    return sqlite3_column_type(s->handle, column) == SQLITE_NULL;
}

int64_t stmt_int(const stmt *s, int column)
{
    return sqlite3_column_int64(s->handle, column);
}

double stmt_double(const stmt *s, int column)
{
    return sqlite3_column_double(s->handle, column);
}

const char *stmt_text(const stmt *s, int column)
{
    const unsigned char *text = sqlite3_column_text(s->handle, column);
    return text ? (const char *)text : "";
}

ptl_status stmt_had_memory(const stmt *s, ptl_error *err)
{
    return sqlite3_errcode(s->store->db) == SQLITE_NOMEM ? error_nomem(err) : PTL_OK;
}

const void *stmt_blob(const stmt *s, int column, size_t *size)
{
    const void *data = sqlite3_column_blob(s->handle, column);
    int length = sqlite3_column_bytes(s->handle, column);
    *size = data && length > 0 ? (size_t)length : 0;
    return data;
}

ptl_status stmt_query(stmt **out, ptl_store *store, const char *sql, const int64_t *values,
                      size_t count, ptl_error *err)
{
    TRY(stmt_prepare(out, store, sql, err));
    stmt_bind_ints(*out, values, count);
    return PTL_OK;
}

ptl_status stmt_prepare_insert(stmt **out, ptl_store *store, const char *table, int count,
                               ptl_error *err)
{
    char sql[400];
    size_t size = (size_t)snprintf(sql, sizeof sql, "INSERT INTO main.\"%s\" VALUES (?", table);
    for (int i = 1; i < count; i++)
        size += (size_t)snprintf(sql + size, sizeof sql - size, ", ?");
    snprintf(sql + size, sizeof sql - size, ")");
    return stmt_prepare(out, store, sql, err);
}

ptl_status stmt_ask(int64_t *out, ptl_store *store, const char *sql, const int64_t *values,
                    size_t count, ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_query(&s, store, sql, values, count, err);
    if (stmt_row(s, &status, err))
        *out = stmt_int(s, 0);
    stmt_free(s);
    return status;
}

ptl_status stmt_count(uint64_t *out, ptl_store *store, const char *sql, const int64_t *values,
                      size_t count, ptl_error *err)
{
    int64_t found = 0;
    const ptl_status status = stmt_ask(&found, store, sql, values, count, err);
    *out = (uint64_t)found;
    return status;
}

ptl_status stmt_do(ptl_store *store, const char *sql, const int64_t *values, size_t count,
                   ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_query(&s, store, sql, values, count, err);
    THEN(status, stmt_run(s, err));
    stmt_free(s);
    return status;
}

ptl_status stmt_copy_row(stmt *to, const stmt *from, ptl_error *err)
{
    for (int i = 0; i < sqlite3_column_count(from->handle); i++)
        stmt_note_bind(
            to, sqlite3_bind_value(to->handle, i + 1, sqlite3_column_value(from->handle, i)));
    return stmt_run(to, err);
}

ptl_status stmt_list_ids(int64_t **out, size_t *count, stmt *s, ptl_status status,
                         ptl_error *err)
{
    size_t room = 0;
    *out = NULL;
    *count = 0;
    while (stmt_row(s, &status, err))
        if (ARRAY_ROOM(*out, room, *count + 1))
            (*out)[(*count)++] = stmt_int(s, 0);
        else
            status = error_nomem(err);
    stmt_free(s);
    return status;
}

ptl_status stmt_next_id(const stmt *s, int64_t *after, const char *table, ptl_error *err)
{
    const int64_t id = stmt_int(s, 0);
    if (id <= *after)
        return error_set(err, PTL_ERR_CORRUPT, "table %s: its rows are out of order", table);
    *after = id;
    return PTL_OK;
}

bool stmt_row_after(stmt *s, int64_t *after, const char *table, ptl_status *status,
                    ptl_error *err)
{
    if (*status != PTL_OK)
        return false;
    stmt_reset(s);
    stmt_bind_int(s, 1, *after);
    if (!stmt_row(s, status, err))
        return false;
    *status = stmt_next_id(s, after, table, err);
    return *status == PTL_OK;
}

/* ---- statements that the store keeps ---- */

#define PREPARED_SQL(id, sql) [id] = (sql),
static const char *const prepared_sql[STMT_OF_TABLES] = {PREPARED_STATEMENTS(PREPARED_SQL)};
#undef PREPARED_SQL

ptl_status stmt_prepared(stmt **out, ptl_store *store, stmt_id id, ptl_error *err)
{
    *out = NULL;
    TRY(sqlite_settle(store, err));
    if (!store->prepared[id]) {
        const char *sql;
        if (id < STMT_OF_TABLES) {
            sql = prepared_sql[id];
        } else {
            const int part = (int)id - STMT_OF_TABLES;
            const row_table *t = row_table_of((row_table_id)(part / TABLE_STMTS));
            const char *const own[TABLE_STMTS] = {[ROW_INSERTED] = t->insert,
                                                  [ROWS_INSERTED] = t->insert_many,
                                                  [ROW_NEXT_ID] = t->next_id,
                                                  [ROWS_OWNED] = t->of_owner,
                                                  [ROWS_DROPPED] = t->drop};
            sql = own[part % TABLE_STMTS];
        }
        TRY(stmt_prepare(&store->prepared[id], store, sql, err));
    }
    *out = store->prepared[id];
    return PTL_OK;
}

ptl_status stmt_begin(stmt **out, ptl_store *store, stmt_id id, const int64_t *values,
                      size_t count, ptl_error *err)
{
    TRY(stmt_prepared(out, store, id, err));
    stmt_bind_ints(*out, values, count);
    return PTL_OK;
}

ptl_status stmt_find(stmt **out, bool *found, ptl_store *store, stmt_id id,
                     const int64_t *values, size_t count, ptl_error *err)
{
    *found = false;
    TRY(stmt_begin(out, store, id, values, count, err));
    return stmt_step(*out, found, err);
}

ptl_status stmt_run_with(ptl_store *store, stmt_id id, const int64_t *values, size_t count,
                         ptl_error *err)
{
    stmt *s;
    TRY(stmt_begin(&s, store, id, values, count, err));
    return stmt_run(s, err);
}

ptl_status rows_drop(ptl_store *store, const row_table_id *tables, size_t count, int64_t owner,
                     ptl_error *err)
{
    for (size_t i = 0; i < count; i++)
        TRY(stmt_run_with(store, stmt_of(tables[i], ROWS_DROPPED), &owner, 1, err));
    return PTL_OK;
}

ptl_status row_new_id(int64_t *out, ptl_store *store, row_table_id table, ptl_error *err)
{
    stmt *s;
    bool row;
    ptl_status status = stmt_find(&s, &row, store, stmt_of(table, ROW_NEXT_ID), NULL, 0, err);
    *out = status == PTL_OK && row ? stmt_int(s, 0) : 0;
    stmt_reset(s);
    if (status == PTL_OK && (*out < 1 || *out > CHUNK_ID_MAX))
        status = error_set(err, PTL_ERR_CORRUPT, "table %s: an id out of range",
                           row_table_of(table)->name);
    return status;
}

/* ---- transactions ---- */

int64_t sqlite_last_rowid(ptl_store *store)
{
    return sqlite3_last_insert_rowid(store->db);
}

ptl_status sqlite_exec(ptl_store *store, const char *sql, ptl_error *err)
{
    TRY(sqlite_settle(store, err));
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? PTL_OK : sqlite_error(store, code, "running a statement", err);
}

/* Runs the SQL that begins a transaction. ROLLBACK is prepared before, because preparing it
 * later could fail for lack of memory. */
static ptl_status begin(ptl_store *store, const char *sql, ptl_error *err)
{
    stmt *rollback;
    TRY(stmt_prepared(&rollback, store, STMT_ROLLBACK, err));
    return sqlite_exec(store, sql, err);
}

ptl_status sqlite_begin(ptl_store *store, ptl_error *err)
{
    return begin(store, "BEGIN IMMEDIATE", err);
}

ptl_status sqlite_commit(ptl_store *store, ptl_error *err)
{
    return sqlite_exec(store, "COMMIT", err);
}

/* The dictionary cache may have names that were learnt in this transaction and are no longer in
 * the file, so the cache is dropped. */
void sqlite_rollback(ptl_store *store)
{
    (void)take_back(store);
    if (store->forget)
        store->forget(store);
}

ptl_status sqlite_pragma_int(ptl_store *store, const char *sql, int64_t *out, ptl_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        *out = sqlite3_column_int64(s, 0);
        code = SQLITE_OK;
    }
    ptl_status status = PTL_OK;
    if (code != SQLITE_OK)
        status = sqlite_error(store, code, "reading the file", err);
    sqlite3_finalize(s);
    return status;
}

ptl_status sqlite_begin_read(ptl_store *store, ptl_error *err)
{
    ptl_status status = begin(store, "BEGIN", err);
    int64_t ignored;
    THEN(status, sqlite_pragma_int(store, "SELECT count(*) FROM sqlite_schema", &ignored, err));
    if (status != PTL_OK)
        sqlite_rollback(store);
    return status;
}

/* Decides whether a snapshot can be begun: only if no transaction is open. On the connection of
 * a host program a statement that is still running may hold a snapshot, too. */
static ptl_status may_begin(ptl_store *store, bool *may, ptl_error *err)
{
    const ptl_status settled = sqlite_settle(store, err);
    *may = settled == PTL_OK && sqlite3_get_autocommit(store->db) != 0 &&
           sqlite3_txn_state(store->db, "main") == SQLITE_TXN_NONE;
    return settled;
}

ptl_status sqlite_begin_snapshot(ptl_store *store, bool *own, ptl_error *err)
{
    const ptl_status settled = may_begin(store, own, err);
    return *own ? sqlite_begin_read(store, err) : settled;
}

ptl_status sqlite_begin_lookups(ptl_store *store, bool *own, ptl_error *err)
{
    stmt *rollback, *s;
    ptl_status status = may_begin(store, own, err);
    if (!*own)
        return status;
    status = stmt_prepared(&rollback, store, STMT_ROLLBACK, err);
    THEN(status, stmt_prepared(&s, store, STMT_BEGIN, err));
    THEN(status, stmt_run(s, err));
    *own = status == PTL_OK;
    return status;
}

void sqlite_end_snapshot(ptl_store *store, bool own)
{
    if (own)
        (void)take_back(store);
}

ptl_status sqlite_begin_own(ptl_store *store, bool *own, ptl_error *err)
{
    ptl_status settled = sqlite_settle(store, err);
    *own = settled == PTL_OK && sqlite3_get_autocommit(store->db) != 0;
    return *own ? sqlite_begin(store, err) : settled;
}

ptl_status sqlite_end_own(ptl_store *store, bool own, ptl_status status, ptl_error *err)
{
    if (own && status == PTL_OK)
        status = sqlite_commit(store, err);
    if (own && status != PTL_OK)
        sqlite_rollback(store);
    return status;
}

/* ---- checks of the file's structure ---- */

/* Returns an error if a line of SQLite's check says that a page could not be read. Such a line
 * is about the attempt to read the page, not about damage. Any other line gives PTL_OK. */
static ptl_status page_error(const char *line, ptl_error *err)
{
    static const char CODE[] = "error code=";
    const char *code = strstr(line, CODE);
    const int number = code ? (int)strtol(code + sizeof CODE - 1, NULL, 10) : SQLITE_IOERR;
    const ptl_status status = sqlite_status(number);
    if ((!code && !strstr(line, "failed to get page")) ||
        (status != PTL_ERR_IO && status != PTL_ERR_NOMEM))
        return PTL_OK;
    error_set(err, status, "checking the file's structure: %s", line);
    if (err)
        err->backend_code = number;
    return status;
}

static ptl_status run(ptl_store *store, const char *sql, bool *sound,
                      void (*found)(void *payload, const char *message), void *payload,
                      ptl_error *err)
{
    stmt *s = NULL;
    const stop_hook stop = sqlite_stop_hook(store);
    *sound = true;
    ptl_status status = stmt_prepare(&s, store, sql, err);
    while (stmt_row(s, &status, err)) {
        const char *line = stmt_text(s, 0);
        if (strcmp(line, "ok") == 0)
            continue;
        /* A check that was stopped calls all pages unused that it has not visited, so its lines
         * about unused pages are ignored. */
        status = stop_check(&stop, err);
        *sound = *sound && status != PTL_OK;
        if (status == PTL_OK && found)
            status = page_error(line, err);
        if (status == PTL_OK && found)
            found(payload, line);
    }
    stmt_free(s);
    return status;
}

/* SQLite's check is run again before damage is reported, since what it found may have been a
 * lack of memory or a read error that has passed. */
ptl_status integrity_check(ptl_store *store, const char *sql,
                           void (*found)(void *payload, const char *message), void *payload,
                           ptl_error *err)
{
    bool sound;
    ticker *watch = interrupt_watch(store);
    ptl_status status = run(store, sql, &sound, NULL, NULL, err);
    if (status == PTL_OK && !sound)
        status = run(store, sql, &sound, found, payload, err);
    ticker_end(watch);
    return status;
}
