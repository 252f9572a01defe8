/*
 * SQL functions whose time is limited. A query's clock is read between steps, but all functions
 * of one row may run within one step, and instr() on two values of megabytes takes minutes. The
 * functions here take the place of SQLite's: they refuse arguments that are too long, check
 * whether the query must end, and otherwise call SQLite's own function on an empty connection
 * in memory.
 */
#include "store/sqlite/query/query_functions.h"

#include "core/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * How the arguments of an SQL function are limited if no index of a single argument says so
 * (member `bounded`). TOGETHER: the limit applies to the product of the sizes of pattern and
 * text, since such a function compares the pattern anew at each place of the text. PADDING: the
 * limit applies to the sum of the widths that a format demands. NONE: no argument is limited,
 * since the function's time grows only in proportion to the size of its arguments.
 */
enum { NONE = -3, PADDING, TOGETHER };

static const struct bounded_kind {
    const char *name;
    int arguments; /* number of arguments; -1: any */
    int bounded; /* index of the first argument whose size is limited. Or one of these: NONE (no
                    argument's size is limited), TOGETHER (the product of the arguments' sizes
                    is), PADDING (the widths that a format demands are) */
    int limit;   /* the most bytes that each argument from index `bounded` on may have */
} kinds[QUERY_FUNCTIONS] = {{"instr", 2, 1, 1000},
                            {"replace", 3, 1, 1000},
                            {"trim", 2, 1, 32},
                            {"ltrim", 2, 1, 32},
                            {"rtrim", 2, 1, 32},
                            {"json_patch", 2, 0, 50000},
                            {"glob", 2, TOGETHER, 1 << 26},
                            {"like", 2, TOGETHER, 1 << 26},
                            {"like", 3, TOGETHER, 1 << 26},
                            {"printf", -1, PADDING, QUERY_LENGTH_MAX},
                            {"format", -1, PADDING, QUERY_LENGTH_MAX},
                            {"hex", 1, NONE, 0},
                            {"json", 1, NONE, 0},
                            {"json_array_length", -1, NONE, 0},
                            {"json_extract", -1, NONE, 0},
                            {"json_remove", -1, NONE, 0},
                            {"json_type", -1, NONE, 0},
                            {"json_valid", 1, NONE, 0},
                            {"lower", 1, NONE, 0},
                            {"quote", 1, NONE, 0},
                            {"randomblob", 1, NONE, 0},
                            {"upper", 1, NONE, 0}};

/* Runs the statement s, which calls SQLite's own function with these arguments. What that gives
 * becomes the result of the SQL function that is being called. */
static void give(sqlite3_context *context, sqlite3_stmt *s, int count, sqlite3_value **values)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_value(s, i + 1, values[i]);
    const int code = sqlite3_step(s);
    if (code == SQLITE_ROW)
        sqlite3_result_value(context, sqlite3_column_value(s, 0));
    else if (code == SQLITE_TOOBIG)
        sqlite3_result_error_toobig(context);
    else if (code == SQLITE_NOMEM)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_error(context, sqlite3_errmsg(sqlite3_db_handle(s)), -1);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
}

/* ---- the widths that a format demands ---- */

/* Reads the decimal number at *text, and moves *text behind it. */
static int64_t written_number(const char **text)
{
    int64_t number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        if (number <= INT32_MAX)
            number = 10 * number + (**text - '0');
    return number;
}

/* Returns a width that printf takes from an argument ("*" in the format). SQLite uses the lower
 * 32 bits of the number and ignores its sign. */
static int64_t told_number(sqlite3_value *value)
{
    const int64_t number = (int32_t)(uint32_t)sqlite3_value_int64(value);
    return number < 0 ? -number : number;
}

/* Returns the sum of all widths and precisions that a format demands. */
static int64_t padding_of(const char *at, int count, sqlite3_value **values)
{
    static const char flags[] = "-+ #!,l.*0123456789";
    int64_t sum = 0;
    int next = 1; /* index of the argument that the next % or * of the format uses */
    while ((at = strchr(at, '%')) != NULL) {
        for (at++; *at && strchr(flags, *at);) {
            if (*at >= '0' && *at <= '9') {
                sum += written_number(&at);
                continue;
            }
            if (*at++ == '*' && next < count)
                sum += told_number(values[next++]);
        }
        next += *at && *at != '%' && *at != 'n';
        at += *at != '\0';
    }
    return sum;
}

/* ---- calling SQLite's own functions ---- */

/* Gets a statement that calls the function with this number of arguments; NULL on failure. */
static sqlite3_stmt *call_of(struct bounded_function *f, int count)
{
    char sql[1024]; /* long enough for a call with 50 arguments, the most that a function in a
                       query can have */
    if (f->call && f->arguments == count)
        return f->call;
    sqlite3_finalize(f->call);
    f->call = NULL;
    f->arguments = count;
    size_t n = (size_t)snprintf(sql, sizeof sql, "SELECT %s(", f->kind->name);
    for (int i = 1; i <= count && n + 8 < sizeof sql; i++)
        n += (size_t)snprintf(sql + n, sizeof sql - n, "%s?%d", i > 1 ? "," : "", i);
    snprintf(sql + n, sizeof sql - n, ")");
    (void)sqlite3_prepare_v2(f->plain->db, sql, -1, &f->call, NULL);
    return f->call;
}

/* Calls SQLite's own function, unless an argument is too long or the query must end. Widths are
 * checked here because SQLite itself would write padding beyond the size of a value. */
static void call(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct bounded_function *f = sqlite3_user_data(context);
    const struct bounded_kind *k = f->kind;
    char message[100] = "";
    if (k->bounded == TOGETHER) {
        const int64_t pattern = sqlite3_value_bytes(values[0]);
        if (pattern * sqlite3_value_bytes(values[1]) > k->limit)
            snprintf(message, sizeof message, "%s(): the pattern is too long for such a text",
                     k->name);
    } else if (k->bounded == PADDING) {
        const char *format = count > 0 ? (const char *)sqlite3_value_text(values[0]) : NULL;
        if (!format)
            return; /* the result is NULL, as SQLite's own function would give */
        if (padding_of(format, count, values) > k->limit) {
            sqlite3_result_error_toobig(context);
            return;
        }
    }
    for (int i = k->bounded; i >= 0 && i < count && !message[0]; i++)
        if (sqlite3_value_bytes(values[i]) > k->limit)
            snprintf(message, sizeof message, "%s(): argument %d has more than %d bytes",
                     k->name, i + 1, k->limit);
    sqlite3_stmt *s = call_of(f, count);
    if (message[0])
        sqlite3_result_error(context, message, -1);
    else if (interrupt_asked(f->plain->reader))
        sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    else if (s)
        give(context, s, count, values);
    else
        sqlite3_result_error(context, sqlite3_errmsg(f->plain->db), -1);
}

/* ---- registering the bounded functions ---- */

ptl_status query_functions_bound(const ptl_store *reader, query_plain *plain, ptl_error *err)
{
    int code =
        sqlite3_open_v2(":memory:", &plain->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        sqlite3_limit(plain->db, SQLITE_LIMIT_LENGTH, QUERY_LENGTH_MAX);
    plain->reader = reader;
    for (size_t i = 0; i < QUERY_FUNCTIONS && code == SQLITE_OK; i++) {
        plain->functions[i].plain = plain;
        plain->functions[i].kind = &kinds[i];
        const int constant =
            strcmp(kinds[i].name, "randomblob") != 0 ? SQLITE_DETERMINISTIC : 0;
        code = sqlite3_create_function_v2(reader->db, kinds[i].name, kinds[i].arguments,
                                          SQLITE_UTF8 | SQLITE_INNOCUOUS | constant,
                                          &plain->functions[i], call, NULL, NULL, NULL);
    }
    if (code == SQLITE_OK)
        return PTL_OK;
    return error_set(err, code == SQLITE_NOMEM ? PTL_ERR_NOMEM : PTL_ERR_INTERNAL,
                     "functions of queries: %s", sqlite3_errstr(code));
}

void query_plain_dispose(query_plain *plain)
{
    for (size_t i = 0; i < QUERY_FUNCTIONS; i++)
        sqlite3_finalize(plain->functions[i].call);
    sqlite3_close(plain->db);
}

/* ---- what queries may call ---- */

static bool in_list(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (sqlite3_stricmp(name, *list) == 0)
            return true;
    return false;
}

bool query_pragma_allowed(const char *name, const char *value)
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

/* The functions that a query may call. Functions that load code, read the file's bytes or
 * change settings are not among them. */
static const char *const functions[] = {
    "abs",        "acos",         "acosh",        "asin",         "asinh",        "atan",
    "atan2",      "atanh",        "avg",          "ceil",         "ceiling",      "changes",
    "char",       "coalesce",     "concat",       "concat_ws",    "cos",          "cosh",
    "count",      "cume_dist",    "current_date", "current_time", "date",         "datetime",
    "degrees",    "dense_rank",   "exp",          "first_value",  "floor",        "format",
    "glob",       "group_concat", "hex",          "ifnull",       "iif",          "instr",
    "json",       "json_array",   "json_extract", "json_insert",  "json_object",  "json_patch",
    "json_quote", "json_remove",  "json_replace", "json_set",     "json_type",    "json_valid",
    "julianday",  "lag",          "last_value",   "lead",         "length",       "like",
    "likelihood", "likely",       "ln",           "log",          "log10",        "log2",
    "lower",      "ltrim",        "max",          "median",       "min",          "mod",
    "nth_value",  "ntile",        "nullif",       "octet_length", "percent_rank", "pi",
    "pow",        "power",        "printf",       "quote",        "radians",      "random",
    "randomblob", "rank",         "replace",      "round",        "row_number",   "rtrim",
    "sign",       "sin",          "sinh",         "sqrt",         "strftime",     "string_agg",
    "substr",     "substring",    "subtype",      "sum",          "tan",          "tanh",
    "time",       "timediff",     "total",        "trim",         "trunc",        "typeof",
    "unhex",      "unicode",      "unixepoch",    "unlikely",     "upper",        "zeroblob",
    "->",         "->>",          NULL,
};
/* Longer names are listed apart, so that clang-format sets both lists in columns. */
static const char *const long_functions[] = {"current_timestamp", "json_array_length",
                                             "json_group_array",  "json_group_object",
                                             "sqlite_version",    NULL};

bool query_function_allowed(const char *name)
{
    return in_list(name, functions) || in_list(name, long_functions);
}

bool query_function_repeatable(const char *function)
{
    static const char *const others[] = {"date",       "datetime", "julianday", "random",
                                         "randomblob", "strftime", "time",      "timediff",
                                         "unixepoch",  NULL};
    return function && sqlite3_strnicmp(function, "current_", 8) != 0 &&
           !in_list(function, others);
}
