/* Row by row between two connections: what a store reads need not have a name. */
#include "store/sqlite/content/content_write.h"

#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_checksum.h"

#include <stdio.h>

ptl_status content_copy_careless(ptl_store *to, ptl_error *err)
{
    return sqlite_exec(to,
                       "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
                       "PRAGMA foreign_keys = OFF;",
                       err);
}

/* The names are the schema's, not anybody's data. */
static ptl_status prepare(stmt **from, stmt **to, ptl_store *target, ptl_store *source,
                          const char *name, ptl_error *err)
{
    char sql[400];
    snprintf(sql, sizeof sql, "SELECT * FROM main.\"%s\"", name);
    TRY(stmt_prepare(from, source, sql, err));
    size_t size = (size_t)snprintf(sql, sizeof sql, "INSERT INTO main.\"%s\" VALUES (?", name);
    for (int i = 1; i < sqlite3_column_count((*from)->handle); i++)
        size += (size_t)snprintf(sql + size, sizeof sql - size, ", ?");
    snprintf(sql + size, sizeof sql - size, ")");
    return stmt_prepare(to, target, sql, err);
}

static ptl_status copy_table(ptl_store *target, ptl_store *source, const char *name,
                             ptl_error *err)
{
    stmt *from = NULL, *to = NULL;
    ptl_status status = prepare(&from, &to, target, source, name, err);
    while (stmt_row(from, &status, err)) {
        for (int i = 0; i < sqlite3_column_count(from->handle); i++) {
            const int code =
                sqlite3_bind_value(to->handle, i + 1, sqlite3_column_value(from->handle, i));
            if (code != SQLITE_OK && to->bind_code == SQLITE_OK)
                to->bind_code = code;
        }
        status = stmt_run(to, err);
    }
    stmt_free(from);
    stmt_free(to);
    return status;
}

static ptl_status copy_tables(ptl_store *to, ptl_store *from, ptl_error *err)
{
    ptl_status status = sqlite_begin(to, err);
    if (status != PTL_OK)
        return status;
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++)
        status = copy_table(to, from, t->name, err);
    if (status == PTL_OK) /* a new file has those of empty tables */
        status = sqlite_exec(to, "DELETE FROM content_checksum", err);
    if (status == PTL_OK)
        status = copy_table(to, from, "content_checksum", err);
    if (status == PTL_OK)
        status = sqlite_commit(to, err);
    if (status != PTL_OK)
        sqlite_rollback(to);
    return status;
}

ptl_status content_copy(ptl_store *to, ptl_store *from, ptl_error *err)
{
    bool own;
    TRY(sqlite_begin_snapshot(from, &own, err));
    ptl_status status = copy_tables(to, from, err);
    sqlite_end_snapshot(from, own);
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "copying the content");
}
