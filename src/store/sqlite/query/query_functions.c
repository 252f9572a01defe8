/*
 * SQL functions whose time is limited. A query's clock is read between steps, but a function
 * runs within one step: instr() on two values of megabytes takes minutes. These functions
 * refuse arguments that are too long, and otherwise call SQLite's own function on an empty
 * connection in memory.
 */
#include "store/sqlite/query/query_impl.h"

#include "core/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * Used in place of the number of the first bounded argument. The limit then applies to the
 * product of the sizes of pattern and text, since such functions compare the pattern anew at
 * each place of the text.
 */
enum { TOGETHER = -1 };

static const struct {
    const char *name, *sql;
    int arguments, bounded, limit;
} kinds[QUERY_FUNCTIONS] = {{"instr", "SELECT instr(?1, ?2)", 2, 1, 1000},
                            {"replace", "SELECT replace(?1, ?2, ?3)", 3, 1, 1000},
                            {"trim", "SELECT trim(?1, ?2)", 2, 1, 32},
                            {"ltrim", "SELECT ltrim(?1, ?2)", 2, 1, 32},
                            {"rtrim", "SELECT rtrim(?1, ?2)", 2, 1, 32},
                            {"json_patch", "SELECT json_patch(?1, ?2)", 2, 0, 50000},
                            {"glob", "SELECT glob(?1, ?2)", 2, TOGETHER, 1 << 26},
                            {"like", "SELECT like(?1, ?2)", 2, TOGETHER, 1 << 26},
                            {"like", "SELECT like(?1, ?2, ?3)", 3, TOGETHER, 1 << 26}};

/* Gives the result of SQLite's own function for the arguments. */
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

/* Calls the function, unless an argument is too long. */
static void call(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct bounded_function *f = sqlite3_user_data(context);
    char message[100] = "";
    if (f->bounded == TOGETHER) {
        const int64_t pattern = sqlite3_value_bytes(values[0]);
        if (pattern * sqlite3_value_bytes(values[1]) > f->limit)
            snprintf(message, sizeof message, "%s(): the pattern is too long for such a text",
                     f->name);
    } else {
        for (int i = f->bounded; i < count && !message[0]; i++)
            if (sqlite3_value_bytes(values[i]) > f->limit)
                snprintf(message, sizeof message, "%s(): argument %d has more than %d bytes",
                         f->name, i + 1, f->limit);
    }
    if (message[0])
        sqlite3_result_error(context, message, -1);
    else
        give(context, f->call, count, values);
}

/* ---- printf ---- */

/* Two names of one function. */
static const char *const format_names[] = {"printf", "format"};

/* Reads the number that is written at *text, and moves *text behind it. */
static int64_t written_number(const char **text)
{
    int64_t number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        if (number <= INT32_MAX)
            number = 10 * number + (**text - '0');
    return number;
}

/* Returns a width that is given as an argument. SQLite takes its lower 32 bits and ignores the
 * sign. */
static int64_t told_number(sqlite3_value *value)
{
    const int64_t number = (int32_t)(uint32_t)sqlite3_value_int64(value);
    return number < 0 ? -number : number;
}

/* Returns the sum of all widths and precisions that a format asks for. */
static int64_t padding_of(const char *at, int count, sqlite3_value **values)
{
    static const char flags[] = "-+ #!,l.*0123456789";
    int64_t sum = 0;
    int next = 1; /* index of the next argument to be used */
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

/* Gets a statement that calls the function with so many arguments; NULL if it can't be
 * made. */
static sqlite3_stmt *format_call(struct bounded_format *f, int count)
{
    char sql[1024]; /* large enough: a query's functions have 50 arguments at most */
    size_t n = (size_t)snprintf(sql, sizeof sql, "SELECT %s(?1", format_names[0]);
    if (f->call && f->arguments == count)
        return f->call;
    sqlite3_finalize(f->call);
    f->call = NULL;
    f->arguments = count;
    for (int i = 2; i <= count && n + 8 < sizeof sql; i++)
        n += (size_t)snprintf(sql + n, sizeof sql - n, ",?%d", i);
    snprintf(sql + n, sizeof sql - n, ")");
    (void)sqlite3_prepare_v2(f->db, sql, -1, &f->call, NULL);
    return f->call;
}

/* Calls printf or format, unless the widths ask for too much padding. That is refused
 * beforehand, because SQLite would go on writing padding beyond what a value can hold. */
static void call_format(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct bounded_format *f = sqlite3_user_data(context);
    const char *format = count > 0 ? (const char *)sqlite3_value_text(values[0]) : NULL;
    if (!format)
        return; /* the result stays NULL, as SQLite's own function gives it */
    if (padding_of(format, count, values) > QUERY_LENGTH_MAX) {
        sqlite3_result_error_toobig(context);
        return;
    }
    sqlite3_stmt *s = format_call(f, count);
    if (s)
        give(context, s, count, values);
    else
        sqlite3_result_error(context, sqlite3_errmsg(f->db), -1);
}

/* ---- all functions ---- */

ptl_status query_functions_bound(sqlite3 *db, query_plain *plain, ptl_error *err)
{
    int code =
        sqlite3_open_v2(":memory:", &plain->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        sqlite3_limit(plain->db, SQLITE_LIMIT_LENGTH, QUERY_LENGTH_MAX);
    for (size_t i = 0; i < QUERY_FUNCTIONS && code == SQLITE_OK; i++) {
        struct bounded_function *f = &plain->functions[i];
        f->name = kinds[i].name;
        f->bounded = kinds[i].bounded;
        f->limit = kinds[i].limit;
        code = sqlite3_prepare_v2(plain->db, kinds[i].sql, -1, &f->call, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_create_function_v2(db, f->name, kinds[i].arguments,
                                              SQLITE_UTF8 | SQLITE_DETERMINISTIC |
                                                  SQLITE_INNOCUOUS,
                                              f, call, NULL, NULL, NULL);
    }
    plain->format.db = plain->db;
    for (int i = 0; i < 2 && code == SQLITE_OK; i++)
        code = sqlite3_create_function_v2(db, format_names[i], -1,
                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                          &plain->format, call_format, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        return PTL_OK;
    return error_set(err, code == SQLITE_NOMEM ? PTL_ERR_NOMEM : PTL_ERR_INTERNAL,
                     "functions of queries: %s", sqlite3_errstr(code));
}

void query_plain_dispose(query_plain *plain)
{
    for (size_t i = 0; i < QUERY_FUNCTIONS; i++)
        sqlite3_finalize(plain->functions[i].call);
    sqlite3_finalize(plain->format.call);
    sqlite3_close(plain->db);
}
