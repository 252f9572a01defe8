/*
 * Read-only SQL of a user's. It runs on a connection of its own, opened for reading, with an
 * authorizer that allows what is known to be harmless, tight limits and a clock: nothing that
 * it does can reach the store's own connection.
 */
#include "portolan/query.h"

#include "core/error.h"
#include "store/dictionary.h"
#include "store/query_functions.h"
#include "store/row_scratch.h"
#include "store/schema_check.h"
#include "store/store_impl.h"
#include "store/vtab.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPS_BETWEEN_CLOCK_READS = 2000 };

typedef struct query {
    sqlite3 *db;
    ptl_store reader; /* the same connection, for what the virtual tables read */
    vtab_source sources[PACK_KINDS];
    query_plain plain; /* what bounded functions compute with */
    sqlite3_stmt *handle;
    struct timespec end; /* on the monotonic clock */
    bool timed_out;
} query;

static bool in_list(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (sqlite3_stricmp(name, *list) == 0)
            return true;
    return false;
}

/* Reading a setting has no value; describing a table has the table's name as one. */
static bool pragma_allowed(const char *name, const char *value)
{
    static const char *const settings[] = {
        "application_id", "collation_list", "compile_options", "data_version",
        "database_list",  "encoding",       "freelist_count",  "function_list",
        "module_list",    "page_count",     "page_size",       "pragma_list",
        "schema_version", "table_list",     "user_version",    NULL};
    static const char *const describing[] = {"foreign_key_list", "index_info", "index_list",
                                             "index_xinfo",      "table_info", "table_list",
                                             "table_xinfo",      NULL};
    return in_list(name, describing) || (!value && in_list(name, settings));
}

/* What SQLite computes with; not what loads, reads the file's bytes or changes settings. */
static const char *const functions[] = {"abs",
                                        "acos",
                                        "acosh",
                                        "asin",
                                        "asinh",
                                        "atan",
                                        "atan2",
                                        "atanh",
                                        "avg",
                                        "ceil",
                                        "ceiling",
                                        "changes",
                                        "char",
                                        "coalesce",
                                        "concat",
                                        "concat_ws",
                                        "cos",
                                        "cosh",
                                        "count",
                                        "cume_dist",
                                        "current_date",
                                        "current_time",
                                        "current_timestamp",
                                        "date",
                                        "datetime",
                                        "degrees",
                                        "dense_rank",
                                        "exp",
                                        "first_value",
                                        "floor",
                                        "format",
                                        "glob",
                                        "group_concat",
                                        "hex",
                                        "ifnull",
                                        "iif",
                                        "instr",
                                        "json",
                                        "json_array",
                                        "json_array_length",
                                        "json_extract",
                                        "json_group_array",
                                        "json_group_object",
                                        "json_insert",
                                        "json_object",
                                        "json_patch",
                                        "json_quote",
                                        "json_remove",
                                        "json_replace",
                                        "json_set",
                                        "json_type",
                                        "json_valid",
                                        "julianday",
                                        "lag",
                                        "last_value",
                                        "lead",
                                        "length",
                                        "like",
                                        "likelihood",
                                        "likely",
                                        "ln",
                                        "log",
                                        "log10",
                                        "log2",
                                        "lower",
                                        "ltrim",
                                        "max",
                                        "median",
                                        "min",
                                        "mod",
                                        "nth_value",
                                        "ntile",
                                        "nullif",
                                        "octet_length",
                                        "percent_rank",
                                        "pi",
                                        "pow",
                                        "power",
                                        "printf",
                                        "quote",
                                        "radians",
                                        "random",
                                        "randomblob",
                                        "rank",
                                        "replace",
                                        "round",
                                        "row_number",
                                        "rtrim",
                                        "sign",
                                        "sin",
                                        "sinh",
                                        "sqlite_version",
                                        "sqrt",
                                        "strftime",
                                        "string_agg",
                                        "substr",
                                        "substring",
                                        "subtype",
                                        "sum",
                                        "tan",
                                        "tanh",
                                        "time",
                                        "timediff",
                                        "total",
                                        "trim",
                                        "trunc",
                                        "typeof",
                                        "unhex",
                                        "unicode",
                                        "unixepoch",
                                        "unlikely",
                                        "upper",
                                        "zeroblob",
                                        "->",
                                        "->>",
                                        NULL};

static bool function_allowed(const char *name)
{
    return name && in_list(name, functions);
}

static int authorize(void *payload, int action, const char *first, const char *second,
                     const char *database, const char *source)
{
    (void)payload;
    (void)database;
    (void)source;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return function_allowed(second) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE: /* what SQLite asks when it sets up json_each and its like; a real
                         * UPDATE of the schema is refused without our help */
        return first && strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
        return first && pragma_allowed(first, second) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static int check_clock(void *payload)
{
    query *q = payload;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    q->timed_out = now.tv_sec > q->end.tv_sec ||
                   (now.tv_sec == q->end.tv_sec && now.tv_nsec > q->end.tv_nsec);
    return q->timed_out;
}

static void start_clock(query *q, double seconds)
{
    clock_gettime(CLOCK_MONOTONIC, &q->end);
    if (seconds > 1e9)
        seconds = 1e9;
    time_t whole = (time_t)seconds;
    q->end.tv_sec += whole;
    q->end.tv_nsec += (long)((seconds - (double)whole) * 1e9);
    if (q->end.tv_nsec >= 1000000000) {
        q->end.tv_sec++;
        q->end.tv_nsec -= 1000000000;
    }
    sqlite3_progress_handler(q->db, OPS_BETWEEN_CLOCK_READS, check_clock, q);
}

/*
 * Nothing that one step of a statement does may take long, for the clock is read between steps:
 * hence short values and patterns. The largest blobs of a world file have some 100 kB.
 */
static void set_limits(sqlite3 *db)
{
    static const struct {
        int limit, value;
    } limits[] = {{SQLITE_LIMIT_LENGTH, QUERY_LENGTH_MAX},
                  {SQLITE_LIMIT_SQL_LENGTH, 100000},
                  {SQLITE_LIMIT_COLUMN, 500},
                  {SQLITE_LIMIT_EXPR_DEPTH, 200},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 50},
                  {SQLITE_LIMIT_VDBE_OP, 250000},
                  {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 250},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 100},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        sqlite3_limit(db, limits[i].limit, limits[i].value);
}

/* What sorts and joins gather goes to a temporary file where it is much, not into memory; and
 * of the virtual tables that SQLite was built with only those over JSON stay. */
static ptl_status confine(query *q, ptl_error *err)
{
    static const char *modules[] = {"json_each", "json_tree", NULL};
    ptl_status status = store_exec(&q->reader, "PRAGMA temp_store = FILE", err);
    if (status == PTL_OK && sqlite3_drop_modules(q->db, modules) != SQLITE_OK)
        status = error_nomem(err);
    return status;
}

/* A user's mistake is an argument error; what the file or the machine does stays what it is. */
static ptl_status query_error(const query *q, int code, ptl_error *err)
{
    ptl_status status = store_status(code);
    if (q->timed_out)
        return error_set(err, PTL_ERR_LIMIT, "the query passed its time limit");
    if (status == PTL_ERR_INTERNAL)
        status = PTL_ERR_ARGUMENT;
    bool first = err && err->status == PTL_OK;
    if ((code & 0xff) == SQLITE_AUTH)
        error_set(err, status, "%s: a query may only read", sqlite3_errmsg(q->db));
    else
        error_set(err, status, "%s", sqlite3_errmsg(q->db));
    if (first)
        err->sqlite_code = code;
    return status;
}

static ptl_status open_reader(query *q, ptl_store *store, ptl_error *err)
{
    const char *path = sqlite3_db_filename(store->db, "main");
    if (!path || !*path)
        return error_set(err, PTL_ERR_ARGUMENT, "a store in memory can't be queried");
    int code = sqlite3_open_v2(
        path, &q->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK)
        return query_error(q, code, err);
    q->reader.db = q->db;
    q->reader.busy = store->busy;
    busy_install(&q->reader);
    ptl_status status = store_harden(&q->reader, err);
    if (status == PTL_OK)
        status = schema_check(&q->reader, err);
    if (status == PTL_OK)
        status = confine(q, err);
    if (status == PTL_OK)
        status = vtab_register(&q->reader, q->sources, err);
    if (status == PTL_OK)
        status = query_functions_bound(q->db, &q->plain, err);
    if (status != PTL_OK)
        return status;
    set_limits(q->db);
    sqlite3_set_authorizer(q->db, authorize, NULL);
    return PTL_OK;
}

static ptl_status prepare_one(query *q, const char *sql, ptl_error *err)
{
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
    if (code != SQLITE_OK || more)
        return error_set(err, PTL_ERR_ARGUMENT, "one statement at a time");
    return PTL_OK;
}

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

static ptl_status step_rows(query *q, const ptl_query_options *o, const char **names,
                            ptl_value *values, int columns, ptl_error *err)
{
    uint64_t size = 0;
    for (uint64_t rows = 0;; rows++) {
        int code = sqlite3_step(q->handle);
        if (code == SQLITE_DONE)
            return PTL_OK;
        if (code != SQLITE_ROW)
            return query_error(q, code, err);
        if (o->row_limit > 0 && rows >= o->row_limit)
            return error_set(err, PTL_ERR_LIMIT, "more than %llu rows",
                             (unsigned long long)o->row_limit);
        for (int i = 0; i < columns; i++) {
            read_value(&values[i], q->handle, i);
            size += sizeof(int64_t) + values[i].size;
        }
        if (o->byte_limit > 0 && size > o->byte_limit)
            return error_set(err, PTL_ERR_LIMIT, "more than %llu bytes",
                             (unsigned long long)o->byte_limit);
        if (o->on_row && !o->on_row(o->payload, (size_t)columns, names, values))
            return error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    }
}

static ptl_status run_rows(query *q, const ptl_query_options *options, ptl_error *err)
{
    int columns = sqlite3_column_count(q->handle);
    const char **names = calloc((size_t)columns + 1, sizeof *names);
    ptl_value *values = calloc((size_t)columns + 1, sizeof *values);
    ptl_status status = PTL_OK;
    if (!names || !values)
        status = error_nomem(err);
    for (int i = 0; i < columns && status == PTL_OK; i++) {
        names[i] = sqlite3_column_name(q->handle, i);
        if (!names[i])
            status = error_nomem(err);
    }
    if (status == PTL_OK)
        status = step_rows(q, options, names, values, columns, err);
    free(names);
    free(values);
    return status;
}

static void query_dispose(query *q)
{
    sqlite3_finalize(q->handle);
    for (size_t i = 0; i < STORE_STMT_MAX; i++)
        stmt_free(q->reader.kept[i]);
    dictionary_forget(&q->reader);
    row_scratch_free(q->reader.scratch);
    sqlite3_close(q->db);
    query_plain_dispose(&q->plain);
}

ptl_status ptl_query(ptl_store *store, const char *sql, const ptl_query_options *options,
                     ptl_error *err)
{
    static const ptl_query_options defaults = {0};
    query q = {0};
    error_clear(err);
    if (!options)
        options = &defaults;
    ptl_status status = open_reader(&q, store, err);
    if (status == PTL_OK && options->time_limit > 0)
        start_clock(&q, options->time_limit);
    if (status == PTL_OK)
        status = prepare_one(&q, sql, err);
    if (status == PTL_OK)
        status = run_rows(&q, options, err);
    query_dispose(&q);
    return status;
}

ptl_status ptl_query_columns(ptl_store *store, const char *sql,
                             void (*on_name)(void *payload, const char *name), void *payload,
                             ptl_error *err)
{
    query q = {0};
    error_clear(err);
    ptl_status status = open_reader(&q, store, err);
    if (status == PTL_OK)
        status = prepare_one(&q, sql, err);
    for (int i = 0; status == PTL_OK && i < sqlite3_column_count(q.handle); i++) {
        const char *name = sqlite3_column_name(q.handle, i);
        on_name(payload, name ? name : "");
    }
    query_dispose(&q);
    return status;
}
