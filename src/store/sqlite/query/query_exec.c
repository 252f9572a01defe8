/*
 * Runs a user's read-only SQL. It runs on a connection of its own, opened for reading, with an
 * authorizer that allows only what is known to be harmless, tight limits and a clock. So
 * nothing that it does can affect the store's own connection.
 * A query must not hold up writers, but in rollback mode a reader keeps others from committing.
 * So while another process writes, a query reads the file only for a moment; if it needs more
 * time, it starts again on a snapshot. The caller may take its time with rows, so rows that
 * were read in this moment are collected, and given to the caller when the file has been
 * released. If a writer appears when the caller already has rows, a snapshot is made before the
 * read transaction ends; the query runs again on it and skips the rows that the caller has.
 */
#include "core/array.h"
#include "core/error.h"
#include "os/clock.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/file/snapshot.h"
#include "store/sqlite/query/query_bind.h"
#include "store/sqlite/query/query_functions.h"
#include "store/sqlite/query/query_select.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/schema_check.h"

#include <stdlib.h>
#include <string.h>

/* State of one query, which reads the file and then, perhaps, a snapshot. */
typedef struct query_run {
    const ptl_query_options *options;
    const char *sql;
    double started, end; /* seconds as clock_seconds gives them; `end` 0: no limit */
    bool timed_out;
    bool watches;      /* the query looks now and then whether another process wants to write */
    double look_at;    /* when to look again whether another process wants to write the file */
    bool keeps;        /* there is a writer, so rows are collected until the file is released */
    bool repeatable;   /* the query would give the same rows in the same order again */
    bool move;         /* the query must continue on a snapshot */
    bool paused;       /* on_row has returned false */
    bool ended;        /* there are no more rows to read, or reading has failed */
    ptl_error failure; /* why reading has failed; the caller gets the collected rows first */
    uint64_t rows, size;
    /* `given`: how many rows the caller has got; `skip`: how many of these are passed over when
     * the query runs again on a snapshot. */
    uint64_t given, skip;
    struct kept_rows {
        ptl_value *values; /* values of the collected rows; the bytes of a text or blob are in
                              `data`, and the value's member `integer` has their offset there */
        size_t given, count, room; /* numbers of values; the first `given` are given */
        bytes data;
    } kept;
    char whom[BUSY_NAME_SIZE];
} query_run;

typedef struct query {
    query_run *run;
    sqlite3 *db;
    ptl_store *lent;    /* borrowed; the store that lent the connection db; NULL: the query owns
                         * db */
    ptl_store reader;   /* a store over the same connection, which the virtual tables read */
    sql_source *source; /* shared by the virtual tables of the connection */
    query_plain plain;  /* used by functions that replace SQLite's own */
    sqlite3_stmt *handle;
} query;

struct query_cursor {
    query_run run;
    query q;
    ptl_query_options options;
    ptl_store *store;   /* borrowed */
    const char **names; /* names of the columns, borrowed from the statement */
    ptl_value *values;  /* the row that is being read */
    size_t columns;
};

enum { STMT_BYTES = 1 << 20 };
static const double MOMENT_SECONDS = 0.25, LOOK_SECONDS = 0.1, LONGEST_SECONDS = 1e9;

/* Starts a query and its clocks. End it with query_run_end. */
static void query_run_begin(query_run *run, const ptl_store *store, const char *sql,
                            const ptl_query_options *options)
{
    const double limit = options->time_limit;
    *run = (query_run){.options = options, .sql = sql, .repeatable = true};
    run->started = clock_seconds();
    if (limit > 0)
        run->end = run->started + (limit < LONGEST_SECONDS ? limit : LONGEST_SECONDS);
    run->watches = options->reading == PTL_QUERY_AUTO && !store->lock.path;
    bytes_init(&run->kept.data);
}

static void query_run_end(query_run *run)
{
    free(run->kept.values);
    bytes_dispose(&run->kept.data);
}

/* ---- looking for writers ---- */

/* Begins the query's read transaction, waiting for locks of other processes. The time until the
 * first look for writers is counted from the end of this wait. */
static ptl_status query_watch(query *q, ptl_error *err)
{
    query_run *run = q->run;
    if (!run->watches)
        return PTL_OK;
    ptl_status status = sqlite_begin_read(&q->reader, err);
    run->look_at = clock_seconds() + MOMENT_SECONDS;
    run->keeps = status == PTL_OK && snapshot_wanted(&q->reader, run->whom, sizeof run->whom);
    return status;
}

static bool has_to_move(query *q)
{
    query_run *run = q->run;
    if (!run->watches || clock_seconds() < run->look_at)
        return false;
    run->look_at = clock_seconds() + LOOK_SECONDS;
    if (!snapshot_wanted(&q->reader, run->whom, sizeof run->whom))
        return false;
    run->move = run->given == 0 || run->repeatable;
    run->watches = run->move;
    return run->move;
}

static bool follow(void *payload)
{
    query *q = payload;
    query_run *run = q->run;
    run->timed_out = run->end > 0 && clock_seconds() > run->end;
    return run->timed_out || has_to_move(q);
}

/* Lets SQLite call `follow` from time to time while a statement runs, if the statement may have
 * to be ended: at its time limit, or because somebody waits to write. */
static void query_follow(query *q)
{
    if (q->run->end > 0 || q->run->watches)
        interrupt_follow(&q->reader, follow, q);
}

/* ---- giving rows to the caller ---- */

static void read_value(ptl_value *out, sqlite3_stmt *s, int column)
{
    *out = (ptl_value){.type = PTL_VALUE_NULL};
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        out->type = PTL_VALUE_INTEGER;
        out->integer = sqlite3_column_int64(s, column);
        break;
    case SQLITE_FLOAT:
        out->type = PTL_VALUE_REAL;
        out->real = sqlite3_column_double(s, column);
        break;
    case SQLITE_TEXT:
        out->type = PTL_VALUE_TEXT;
        out->text = (const char *)sqlite3_column_text(s, column);
        out->size = (size_t)sqlite3_column_bytes(s, column);
        break;
    case SQLITE_BLOB:
        out->type = PTL_VALUE_BLOB;
        out->text = sqlite3_column_blob(s, column);
        out->size = (size_t)sqlite3_column_bytes(s, column);
        break;
    default:
        break;
    }
}

static void give(query_run *run, const char **names, const ptl_value *values, size_t columns)
{
    const ptl_query_options *o = run->options;
    run->given++;
    run->paused = o->on_row && !o->on_row(o->payload, columns, names, values);
}

static bool has_text(const ptl_value *v)
{
    return v->type == PTL_VALUE_TEXT || v->type == PTL_VALUE_BLOB;
}

/* Collects a row, with its texts copied, instead of giving it to the caller. If the collected
 * rows take too much memory, the query moves to a snapshot. */
static ptl_status keep(query_run *run, const ptl_value *values, size_t columns, ptl_error *err)
{
    struct kept_rows *k = &run->kept;
    if (!ARRAY_ROOM(k->values, k->room, k->count + columns))
        return error_nomem(err);
    for (size_t i = 0; i < columns; i++) {
        ptl_value v = values[i];
        if (has_text(&v)) {
            v.integer = (int64_t)k->data.size;
            bytes_put(&k->data, v.text, v.size);
            bytes_put_u8(&k->data, 0);
        }
        k->values[k->count++] = v;
    }
    run->move = run->move || k->data.size + k->count * sizeof *k->values > STMT_BYTES;
    return k->data.failed ? error_nomem(err) : PTL_OK;
}

/* Gives the collected rows to the caller, until he pauses. The file has been released before,
 * so that a writer can go on, whatever the caller does with the rows. */
static void give_kept(query_run *run, const char **names, size_t columns)
{
    struct kept_rows *k = &run->kept;
    for (; k->given < k->count && !run->paused; k->given += columns) {
        ptl_value *row = k->values + k->given;
        for (size_t i = 0; i < columns; i++) {
            if (has_text(&row[i])) {
                row[i].text = (const char *)k->data.data + row[i].integer;
                row[i].integer = 0;
            }
        }
        give(run, names, row, columns);
    }
}

static ptl_status take_row(query *q, const char **names, ptl_value *values, size_t columns,
                           ptl_error *err)
{
    query_run *run = q->run;
    const ptl_query_options *o = run->options;
    if (run->skip > 0) {
        run->skip--;
        return PTL_OK;
    }
    if (o->row_limit > 0 && run->rows >= o->row_limit)
        return error_set(err, PTL_ERR_LIMIT, "more than %llu rows",
                         (unsigned long long)o->row_limit);
    run->rows++;
    for (size_t i = 0; i < columns; i++) {
        read_value(&values[i], q->handle, (int)i);
        run->size += sizeof(int64_t) + values[i].size;
    }
    if (o->byte_limit > 0 && run->size > o->byte_limit)
        return error_set(err, PTL_ERR_LIMIT, "more than %llu bytes",
                         (unsigned long long)o->byte_limit);
    if (run->keeps)
        return keep(run, values, columns, err);
    give(run, names, values, columns);
    return PTL_OK;
}

/* Ends the query's statement, and the transaction in which it read the file. */
static void let_go(query *q)
{
    interrupt_follow(&q->reader, NULL, NULL);
    sqlite3_set_authorizer(q->db, NULL, NULL);
    sqlite3_reset(q->handle);
    sqlite_end_snapshot(&q->reader, true);
}

/* Returns the status of an SQLite result code and fills err. A mistake in the user's SQL
 * becomes an argument error; failures of the file or machine keep their status. */
static ptl_status query_error(const query *q, int code, ptl_error *err)
{
    int said;
    const bool unread = sqlite_unread(q->db, &code, &said);
    ptl_status status = sqlite_status(code);
    if (q->run->timed_out)
        return error_set(err, PTL_ERR_LIMIT, "the query passed its time limit");
    const bool ended = (code & 0xff) == SQLITE_INTERRUPT || (code & 0xff) == SQLITE_BUSY;
    if (ended && sqlite_stopped(&q->reader))
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    if (status == PTL_ERR_INTERNAL)
        status = PTL_ERR_ARGUMENT;
    bool first = err && err->status == PTL_OK;
    if ((code & 0xff) == SQLITE_AUTH)
        error_set(err, status, "%s: a query may only read", sqlite3_errmsg(q->db));
    else
        error_set(err, status, "%s", unread ? sqlite3_errstr(code) : sqlite3_errmsg(q->db));
    if (first) {
        err->backend_code = code;
        err->system_code = unread ? said : sqlite_system_code(q->db, code);
    }
    return status;
}

/* Steps through the rows, until there are no more, the caller pauses, or the query must go on
 * with a snapshot. */
static void step_rows(query_cursor *c)
{
    query *q = &c->q;
    query_run *run = &c->run;
    while (!run->move && !run->paused && !run->ended) {
        const int code = sqlite3_step(q->handle);
        /* When run->move is set (the query must continue on a snapshot), the statement is
         * interrupted; a virtual table may turn that into any result code. */
        if (run->move)
            break;
        ptl_status status = PTL_OK;
        if (code == SQLITE_ROW)
            status = take_row(q, c->names, c->values, c->columns, &run->failure);
        else if (code != SQLITE_DONE)
            status = query_error(q, code, &run->failure);
        run->ended = code == SQLITE_DONE || status != PTL_OK;
        if (!run->ended && !run->paused)
            has_to_move(q);
    }
}

/* ---- moving to a snapshot ---- */

static bool tell(query_run *run, uint64_t done, uint64_t total, bool ready)
{
    const ptl_query_options *o = run->options;
    const ptl_query_snapshot now = {.size = sizeof now,
                                    .done = done,
                                    .total = total,
                                    .seconds = clock_seconds() - run->started,
                                    .whom = run->whom[0] ? run->whom : NULL,
                                    .ready = ready};
    return !o->on_snapshot || o->on_snapshot(o->payload, &now);
}

static bool on_progress(void *payload, const ptl_backup_progress *p)
{
    query_run *run = payload;
    run->timed_out = run->end > 0 && clock_seconds() > run->end;
    return !run->timed_out && tell(run, p->done, p->total, false);
}

/* Makes a snapshot. If the caller already has rows, the snapshot must show the file as it was
 * when these rows were read, so the read transaction stays open. Otherwise the query begins
 * anew, and collected rows are dropped. */
static ptl_status query_snapshot(sqlite3 **out, query *q, ptl_error *err)
{
    query_run *run = q->run;
    ptl_error why = {0};
    uint64_t size = 0;
    const snapshot_settings settings = {.folder = run->options->folder,
                                        .held = run->given > 0,
                                        .on_progress = on_progress,
                                        .payload = run};
    run->move = run->watches = false;
    run->skip = run->given;
    if (run->given > 0)
        interrupt_follow(&q->reader, NULL, NULL);
    else
        let_go(q);
    if (run->given == 0) {
        run->kept.count = 0;
        run->kept.data.size = 0;
        run->keeps = false;
        run->rows = run->size = 0;
    }
    ptl_status status = PTL_ERR_CANCELLED;
    if (journal_file_has_wal(&q->reader) || tell(run, 0, 0, false))
        status = snapshot_open(out, &size, &q->reader, &settings, &why);
    if (status == PTL_OK && *out && !tell(run, size, size, true))
        status = error_set(&why, PTL_ERR_CANCELLED, "stopped by the caller");
    if (status == PTL_OK)
        return status;
    if (run->timed_out)
        return error_set(err, PTL_ERR_LIMIT,
                         "the query passed its time limit while its snapshot was copied");
    return status == PTL_ERR_CANCELLED ? error_set(err, status, "stopped by the caller")
                                       : error_copy(err, &why);
}

/* ---- what a query may do ---- */

static int authorize(void *payload, int action, const char *first, const char *second,
                     const char *database, const char *source)
{
    query *q = payload;
    (void)database;
    (void)source;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        q->run->repeatable = q->run->repeatable && query_function_repeatable(second);
        return second && (query_function_allowed(second) ||
                          sql_function_known(q->reader.head.operations->sql, second))
                   ? SQLITE_OK
                   : SQLITE_DENY;
    case SQLITE_UPDATE: /* SQLite asks for this permission when it sets up a table like
                         * json_each. A real UPDATE of the schema is refused by SQLite
                         * itself. */
        return first && strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
        return first && query_pragma_allowed(first, second) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* ---- opening the query's connection ---- */

static ptl_status open_file(query *q, ptl_store *store, ptl_error *err)
{
    const char *path = sqlite3_db_filename(store->db, "main");
    if (store->copy) {
        /* The copy has no name by which it could be opened again. So a connection that was
         * opened in advance is borrowed; if all are lent, a copy of the copy is made. */
        const snapshot_settings settings = {.folder = q->run->options->folder};
        uint64_t size;
        q->db = private_copy_lend(store);
        q->lent = q->db ? store : NULL;
        return q->db ? PTL_OK : snapshot_open(&q->db, &size, store, &settings, err);
    }
    if (!path || !*path)
        return error_set(err, PTL_ERR_ARGUMENT, "a store in memory can't be queried");
    int code = sqlite3_open_v2(
        path, &q->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    return code == SQLITE_OK ? PTL_OK : query_error(q, code, err);
}

/* Makes q->reader a store over q's connection. */
static ptl_status make_reader(query *q, ptl_store *store, ptl_error *err)
{
    q->reader.head.operations = store->head.operations;
    q->reader.db = q->db;
    q->reader.scratch = row_scratch_new();
    if (!q->reader.scratch)
        return error_nomem(err);
    q->reader.busy = store->busy;
    q->reader.interrupt =
        (store_interrupt){.stop = store->interrupt.stop, .deaf = store->interrupt.deaf};
    busy_install(&q->reader);
    interrupt_install(&q->reader);
    TRY(sqlite_harden(&q->reader, err));
    TRY(schema_check(&q->reader, err));
    /* Large intermediate results of sorts and joins go to a temporary file instead of memory.
     * Of the virtual tables that SQLite was built with, only those over JSON may be used. */
    static const char *modules[] = {"json_each", "json_tree", NULL};
    TRY(sqlite_exec(&q->reader, "PRAGMA temp_store = FILE", err));
    if (sqlite3_drop_modules(q->db, modules) != SQLITE_OK)
        return error_nomem(err);
    TRY(sql_register(&q->source, &q->reader, err));
    TRY(query_functions_bound(&q->reader, &q->plain, err));
    TRY(query_watch(q, err));
    /* The time limit is checked between steps of a statement, so no single step may take long.
     * Therefore values and patterns must be short; the largest blobs of a world file have some
     * 100 kB. */
    static const struct {
        int limit, value;
    } limits[] = {{SQLITE_LIMIT_LENGTH, QUERY_LENGTH_MAX},
                  {SQLITE_LIMIT_SQL_LENGTH, 100000},
                  {SQLITE_LIMIT_COLUMN, 500},
                  {SQLITE_LIMIT_EXPR_DEPTH, 200},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 50},
                  {SQLITE_LIMIT_VDBE_OP, 250000},
                  {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_FUNCTION_ARG, 50},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 100},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        sqlite3_limit(q->db, limits[i].limit, limits[i].value);
    sqlite3_set_authorizer(q->db, authorize, q);
    query_follow(q);
    return PTL_OK;
}

static void query_dispose(query *q)
{
    sqlite3_finalize(q->handle);
    if (q->source)
        sql_source_release(q->source);
    for (size_t i = 0; i < STMT_COUNT; i++)
        stmt_free(q->reader.prepared[i]);
    dictionary_forget(&q->reader);
    row_scratch_free(q->reader.scratch);
    if (!q->lent) {
        sqlite3_close(q->db);
    } else { /* a lent connection is reset, so that it can be lent again */
        sqlite3_set_authorizer(q->db, NULL, NULL);
        sqlite3_progress_handler(q->db, 0, NULL, NULL);
        sqlite3_busy_handler(q->db, NULL, NULL);
        if (!sqlite3_get_autocommit(q->db))
            sqlite3_exec(q->db, "ROLLBACK", NULL, NULL, NULL);
        sql_unregister(q->db, q->reader.head.operations->sql);
        private_copy_take_back(q->lent, q->db);
    }
    query_plain_dispose(&q->plain);
    *q = (query){.run = q->run};
}

static ptl_status open_query(query *q, ptl_store *store, ptl_error *err)
{
    TRY(q->db ? PTL_OK : open_file(q, store, err));
    TRY(make_reader(q, store, err));
    const char *sql = q->run->sql;
    const char *tail = NULL;
    int code = sqlite3_prepare_v2(q->db, sql, -1, &q->handle, &tail);
    if (code != SQLITE_OK)
        return query_error(q, code, err);
    if (!q->handle)
        return error_set(err, PTL_ERR_ARGUMENT, "no SQL statement");
    if (!sqlite3_stmt_readonly(q->handle))
        return error_set(err, PTL_ERR_ARGUMENT, "not authorized: a query may only read");
    sqlite3_stmt *more = NULL;
    code = sqlite3_prepare_v2(q->db, tail, -1, &more, NULL);
    sqlite3_finalize(more);
    const int kind = code & 0xff;
    if (kind != SQLITE_OK && kind != SQLITE_ERROR && kind != SQLITE_AUTH)
        return query_error(q, code, err);
    if (code != SQLITE_OK || more)
        return error_set(err, PTL_ERR_ARGUMENT, "one statement at a time");
    return PTL_OK;
}

/* ---- cursors ---- */

/* Opens the file, or the snapshot `db`, and prepares the statement with its parameters. */
static ptl_status begin_reading(query_cursor *c, sqlite3 *db, ptl_error *err)
{
    query *q = &c->q;
    const ptl_query_options *o = &c->options;
    int code = SQLITE_OK;
    q->db = db;
    TRY(open_query(q, c->store, err));
    TRY(query_bind(q->handle, o->parameters, o->parameter_count, &code, err));
    if (code != SQLITE_OK)
        return query_error(q, code, err);
    const size_t columns = (size_t)sqlite3_column_count(q->handle);
    if (!c->values) {
        c->names = calloc(columns + 1, sizeof *c->names);
        c->values = calloc(columns + 1, sizeof *c->values);
        c->columns = columns;
    }
    if (!c->names || !c->values)
        return error_nomem(err);
    for (size_t i = 0; i < columns; i++)
        if (!(c->names[i] = sqlite3_column_name(q->handle, (int)i)))
            return error_nomem(err);
    return PTL_OK;
}

static void cursor_close(query_cursor *c)
{
    if (!c)
        return;
    query_dispose(&c->q);
    query_run_end(&c->run);
    free(c->names);
    free(c->values);
    free(c);
}

static ptl_status cursor_open(query_cursor **out, ptl_store *store, const char *sql,
                              const ptl_query_options *options, ptl_error *err)
{
    query_cursor *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return error_nomem(err);
    c->store = store;
    c->options = *options;
    query_run_begin(&c->run, store, sql, &c->options);
    c->q.run = &c->run;
    ptl_status status = begin_reading(c, NULL, err);
    c->run.move = options->reading == PTL_QUERY_SNAPSHOT && !store->lock.path;
    if (status == PTL_OK)
        *out = c;
    else
        cursor_close(c);
    return status;
}

static const char *const *cursor_names(const query_cursor *c, size_t *count)
{
    *count = c->columns;
    return c->names;
}

/* Goes on with a snapshot, or with the file itself if that is in WAL mode. */
static ptl_status cursor_move(query_cursor *c, ptl_error *err)
{
    sqlite3 *db = NULL;
    ptl_status status = query_snapshot(&db, &c->q, err);
    query_dispose(&c->q);
    if (status == PTL_OK)
        return begin_reading(c, db, err);
    return status;
}

static ptl_status cursor_next(query_cursor *c, bool *more, ptl_error *err)
{
    query_run *run = &c->run;
    run->paused = false;
    if (!run->ended && !has_to_move(&c->q))
        step_rows(c);
    if (run->move && !run->ended) {
        const ptl_status status = cursor_move(c, &run->failure);
        run->ended = status != PTL_OK;
        step_rows(c);
    }
    if (run->ended && run->keeps) {
        let_go(&c->q);
        give_kept(run, c->names, c->columns);
    }
    *more = run->paused;
    return *more ? PTL_OK : error_copy(err, &run->failure);
}

static ptl_status sqlite_query(ptl_store *store, const char *sql,
                               const ptl_query_options *options, ptl_error *err)
{
    query_cursor *c = NULL;
    bool more = false;
    error_clear(err);
    ptl_status status = cursor_open(&c, store, sql, options, err);
    THEN(status, cursor_next(c, &more, err));
    if (more)
        status = error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    cursor_close(c);
    return status;
}

static ptl_status sqlite_query_columns(ptl_store *store, const char *sql,
                                       column_name_visit *on_name, void *payload,
                                       ptl_error *err)
{
    static const ptl_query_options direct = {.size = sizeof direct,
                                             .reading = PTL_QUERY_DIRECT};
    query_run run;
    query q = {.run = &run};
    error_clear(err);
    query_run_begin(&run, store, sql, &direct);
    ptl_status status = open_query(&q, store, err);
    for (int i = 0; status == PTL_OK && i < sqlite3_column_count(q.handle); i++) {
        const char *name = sqlite3_column_name(q.handle, i);
        on_name(payload, name ? name : "");
    }
    query_dispose(&q);
    query_run_end(&run);
    return status;
}

/* The caller's function that is given names: those of tables, or those of one table's
 * columns. */
typedef struct table_names {
    table_visit *on_table;
    column_visit *on_column;
    void *payload;
} table_names;

static const char *text_of(const ptl_value *v)
{
    return v->type == PTL_VALUE_TEXT ? v->text : "";
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    const table_names *t = payload;
    (void)columns;
    (void)names;
    if (t->on_table)
        t->on_table(t->payload, text_of(&values[0]), values[1].integer != 0);
    else
        t->on_column(t->payload, text_of(&values[0]), text_of(&values[1]));
    return true;
}

static ptl_status sqlite_query_tables(ptl_store *store, table_visit *on_table, void *payload,
                                      ptl_error *err)
{
    static const char sql[] =
        "SELECT name, type = 'view' FROM pragma_table_list WHERE schema IN ('main', 'temp') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    table_names t = {.on_table = on_table, .payload = payload};
    const ptl_query_options ask = {.size = sizeof ask, .on_row = on_row, .payload = &t};
    return sqlite_query(store, sql, &ask, err);
}

static ptl_status sqlite_query_table_columns(ptl_store *store, const char *table,
                                             column_visit *on_column, void *payload,
                                             ptl_error *err)
{
    table_names t = {.on_column = on_column, .payload = payload};
    const ptl_query_parameter name = {
        "1", {.type = PTL_VALUE_TEXT, .text = table, .size = strlen(table)}};
    const ptl_query_options ask = {.size = sizeof ask,
                                   .on_row = on_row,
                                   .payload = &t,
                                   .parameters = &name,
                                   .parameter_count = 1};
    return sqlite_query(store, "SELECT name, type FROM pragma_table_xinfo(?1)", &ask, err);
}

const query_operations sqlite_queries = {.select = query_select,
                                         .open = cursor_open,
                                         .names = cursor_names,
                                         .next = cursor_next,
                                         .close = cursor_close,
                                         .run = sqlite_query,
                                         .columns = sqlite_query_columns,
                                         .tables = sqlite_query_tables,
                                         .table_columns = sqlite_query_table_columns};
