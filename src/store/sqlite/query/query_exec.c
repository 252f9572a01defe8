/*
 * Runs a user's read-only SQL. It runs on a connection of its own, opened for reading, with an
 * authorizer that allows only what is known to be harmless, tight limits and a clock. So
 * nothing that it does can affect the store's own connection.
 */
#include "core/error.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/file/snapshot.h"
#include "store/sqlite/query/query.h"
#include "store/sqlite/query/query_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/schema_check.h"

#include <stdlib.h>
#include <string.h>

static bool in_list(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (sqlite3_stricmp(name, *list) == 0)
            return true;
    return false;
}

/* May this PRAGMA run? One that reads a setting has no value; one that describes a table has
 * the table's name as its value. */
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

/* Functions that compute. Functions that load code, read the file's bytes or change settings
 * are left out. */
static const char *const functions[] = {"abs",          "acos",         "acosh",
                                        "asin",         "asinh",        "atan",
                                        "atan2",        "atanh",        "avg",
                                        "ceil",         "ceiling",      "changes",
                                        "char",         "coalesce",     "concat",
                                        "concat_ws",    "cos",          "cosh",
                                        "count",        "cume_dist",    "current_date",
                                        "current_time", "date",         "datetime",
                                        "degrees",      "dense_rank",   "exp",
                                        "first_value",  "floor",        "format",
                                        "glob",         "group_concat", "hex",
                                        "ifnull",       "iif",          "instr",
                                        "json",         "json_array",   "json_extract",
                                        "json_insert",  "json_object",  "json_patch",
                                        "json_quote",   "json_remove",  "json_replace",
                                        "json_set",     "json_type",    "json_valid",
                                        "julianday",    "lag",          "last_value",
                                        "lead",         "length",       "like",
                                        "likelihood",   "likely",       "ln",
                                        "log",          "log10",        "log2",
                                        "lower",        "ltrim",        "max",
                                        "median",       "min",          "mod",
                                        "nth_value",    "ntile",        "nullif",
                                        "octet_length", "percent_rank", "pi",
                                        "pow",          "power",        "printf",
                                        "quote",        "radians",      "random",
                                        "randomblob",   "rank",         "replace",
                                        "round",        "row_number",   "rtrim",
                                        "sign",         "sin",          "sinh",
                                        "sqrt",         "strftime",     "string_agg",
                                        "substr",       "substring",    "subtype",
                                        "sum",          "tan",          "tanh",
                                        "time",         "timediff",     "total",
                                        "trim",         "trunc",        "typeof",
                                        "unhex",        "unicode",      "unixepoch",
                                        "unlikely",     "upper",        "zeroblob",
                                        "->",           "->>",          NULL};
/* Longer names are listed apart, so that clang-format sets both lists in columns. */
static const char *const long_functions[] = {"current_timestamp", "json_array_length",
                                             "json_group_array",  "json_group_object",
                                             "sqlite_version",    NULL};

/* Is the function certain to give the same again, when the same query is put to the same
 * file? */
static bool is_repeatable(const char *function)
{
    static const char *const others[] = {"date",       "datetime", "julianday", "random",
                                         "randomblob", "strftime", "time",      "timediff",
                                         "unixepoch",  NULL};
    return function && sqlite3_strnicmp(function, "current_", 8) != 0 &&
           !in_list(function, others);
}

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
        q->run->repeatable = q->run->repeatable && is_repeatable(second);
        return second && (in_list(second, functions) || in_list(second, long_functions) ||
                          sql_function_known(q->reader.head.operations->sql, second))
                   ? SQLITE_OK
                   : SQLITE_DENY;
    case SQLITE_UPDATE: /* what SQLite asks when it sets up json_each and its like; a real
                         * UPDATE of the schema is refused without our help */
        return first && strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
        return first && pragma_allowed(first, second) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

ptl_status query_error(const query *q, int code, ptl_error *err)
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

static ptl_status open_file(query *q, ptl_store *store, ptl_error *err)
{
    const char *path = sqlite3_db_filename(store->db, "main");
    if (store->copy) {
        /* If the store reads a nameless copy, one of the connections opened beforehand is
         * used; if none is left, a copy of it is made. */
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
     * Of the virtual tables that SQLite was built with only those over JSON stay. */
    static const char *modules[] = {"json_each", "json_tree", NULL};
    TRY(sqlite_exec(&q->reader, "PRAGMA temp_store = FILE", err));
    if (sqlite3_drop_modules(q->db, modules) != SQLITE_OK)
        return error_nomem(err);
    TRY(sql_register(&q->source, &q->reader, err));
    TRY(query_functions_bound(&q->reader, &q->plain, err));
    TRY(query_watch(q, err));
    /* The clock is read between steps of a statement, so no single step may take long: hence
     * short values and patterns. The largest blobs of a world file have some 100 kB. */
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
    } else { /* a lent connection is made ready to be used again */
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

ptl_status sqlite_query(ptl_store *store, const char *sql, const ptl_query_options *options,
                        ptl_error *err)
{
    query_run run;
    query q = {.run = &run};
    error_clear(err);
    query_run_begin(&run, store, sql, options);
    ptl_status status = open_query(&q, store, err);
    THEN(status, query_bind(&q, err));
    if (status == PTL_OK && run.options->reading == PTL_QUERY_SNAPSHOT && !store->lock.path)
        run.move = true;
    else if (status == PTL_OK)
        status = query_rows(&q, err);
    if (status == PTL_OK && run.move) {
        /* It continues with a snapshot; if the file turns out to be in WAL mode, with the file
         * itself. */
        sqlite3 *db = NULL;
        status = query_snapshot(&db, &q, err);
        query_dispose(&q);
        q.db = db;
        THEN(status, open_query(&q, store, err));
        THEN(status, query_bind(&q, err));
        THEN(status, query_rows(&q, err));
    }
    query_dispose(&q);
    query_run_end(&run);
    return status;
}

ptl_status sqlite_query_columns(ptl_store *store, const char *sql,
                                void (*on_name)(void *payload, const char *name), void *payload,
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

/* Parameters of a query. Each parameter of the statement must get exactly one value, and each
 * value must belong to one. */

/* Does the name stand for the statement's parameter of this number? */
static bool is_meant(sqlite3_stmt *s, int number, const char *name)
{
    /* NULL: the parameter is a plain ? */
    const char *own = sqlite3_bind_parameter_name(s, number);
    if (own && own[0] != '?')
        return strcmp(own, name) == 0 || strcmp(own + 1, name) == 0;
    char *end;
    const long wanted = strtol(name[0] == '?' ? name + 1 : name, &end, 10);
    return end != name && *end == '\0' && wanted == number;
}

static int bind_value(sqlite3_stmt *s, int number, const ptl_value *v)
{
    switch (v->type) {
    case PTL_VALUE_INTEGER:
        return sqlite3_bind_int64(s, number, v->integer);
    case PTL_VALUE_REAL:
        return sqlite3_bind_double(s, number, v->real);
    case PTL_VALUE_TEXT:
        return sqlite3_bind_text64(s, number, v->text, v->size, SQLITE_STATIC, SQLITE_UTF8);
    case PTL_VALUE_BLOB:
        return sqlite3_bind_blob64(s, number, v->size > 0 ? v->text : "", v->size,
                                   SQLITE_STATIC);
    default:
        return sqlite3_bind_null(s, number);
    }
}

/* Binds the value for the statement's parameter of this number. */
static ptl_status bind_one(const query *q, int number, bool *used, ptl_error *err)
{
    const ptl_query_options *o = q->run->options;
    const char *name = sqlite3_bind_parameter_name(q->handle, number);
    const ptl_query_parameter *found = NULL;
    for (size_t i = 0; i < o->parameter_count; i++) {
        const ptl_query_parameter *p = &o->parameters[i];
        if (!p->name || !is_meant(q->handle, number, p->name))
            continue;
        if (found)
            return error_set(err, PTL_ERR_ARGUMENT, "the parameter '%s' is given twice",
                             p->name);
        found = p;
        used[i] = true;
    }
    if (!found && name && name[0] != '?')
        return error_set(err, PTL_ERR_ARGUMENT, "the parameter %s has no value", name);
    if (!found)
        return error_set(err, PTL_ERR_ARGUMENT, "the parameter ?%d has no value", number);
    const int code = bind_value(q->handle, number, &found->value);
    return code == SQLITE_OK ? PTL_OK : query_error(q, code, err);
}

ptl_status query_bind(const query *q, ptl_error *err)
{
    const ptl_query_options *o = q->run->options;
    bool *used = calloc(o->parameter_count + 1, sizeof *used);
    ptl_status status = used ? PTL_OK : error_nomem(err);
    const int count = sqlite3_bind_parameter_count(q->handle);
    for (int number = 1; number <= count && status == PTL_OK; number++)
        status = bind_one(q, number, used, err);
    for (size_t i = 0; i < o->parameter_count && status == PTL_OK; i++)
        if (!used[i])
            status = error_set(err, PTL_ERR_ARGUMENT, "the statement has no parameter '%s'",
                               o->parameters[i].name ? o->parameters[i].name : "");
    free(used);
    return status;
}

/* Lists what can be queried, by running queries. */

typedef struct table_names {
    void (*on_table)(void *payload, const char *name, bool is_view);
    void (*on_column)(void *payload, const char *name, const char *type);
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

ptl_status sqlite_query_tables(ptl_store *store,
                               void (*on_table)(void *payload, const char *name, bool is_view),
                               void *payload, ptl_error *err)
{
    static const char sql[] =
        "SELECT name, type = 'view' FROM pragma_table_list WHERE schema IN ('main', 'temp') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    table_names t = {.on_table = on_table, .payload = payload};
    const ptl_query_options ask = {.size = sizeof ask, .on_row = on_row, .payload = &t};
    return sqlite_query(store, sql, &ask, err);
}

ptl_status sqlite_query_table_columns(ptl_store *store, const char *table,
                                      void (*on_column)(void *payload, const char *name,
                                                        const char *type),
                                      void *payload, ptl_error *err)
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
