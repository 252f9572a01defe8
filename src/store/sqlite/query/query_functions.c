/*
 * A query's clock is read between steps, and a function is within one: instr() over two values
 * of megabytes takes minutes. The functions here refuse what is too long, and else ask SQLite's
 * own, on a connection in memory that has nothing else.
 */
#include "store/sqlite/query/query_functions.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *sql;
    int arguments, bounded, limit;
} kinds[QUERY_FUNCTIONS] = {{"instr", "SELECT instr(?1, ?2)", 2, 1, 1000},
                            {"replace", "SELECT replace(?1, ?2, ?3)", 3, 1, 1000},
                            {"trim", "SELECT trim(?1, ?2)", 2, 1, 1000},
                            {"ltrim", "SELECT ltrim(?1, ?2)", 2, 1, 1000},
                            {"rtrim", "SELECT rtrim(?1, ?2)", 2, 1, 1000},
                            {"json_patch", "SELECT json_patch(?1, ?2)", 2, 0, 100000}};

static void call(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct bounded_function *f = sqlite3_user_data(context);
    for (int i = f->bounded; i < count; i++) {
        if (sqlite3_value_bytes(values[i]) > f->limit) {
            char message[100];
            snprintf(message, sizeof message, "%s(): argument %d has more than %d bytes",
                     f->name, i + 1, f->limit);
            sqlite3_result_error(context, message, -1);
            return;
        }
    }
    for (int i = 0; i < count; i++)
        sqlite3_bind_value(f->call, i + 1, values[i]);
    const int code = sqlite3_step(f->call);
    if (code == SQLITE_ROW)
        sqlite3_result_value(context, sqlite3_column_value(f->call, 0));
    else if (code == SQLITE_TOOBIG)
        sqlite3_result_error_toobig(context);
    else if (code == SQLITE_NOMEM)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_error(context, sqlite3_errmsg(sqlite3_db_handle(f->call)), -1);
    sqlite3_reset(f->call);
    sqlite3_clear_bindings(f->call);
}

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
