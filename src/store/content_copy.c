/* Copying goes through SQLite's ATTACH, which every other connection is forbidden. */
#include "store/content_copy.h"

#include "core/error.h"
#include "store/content_checksum.h"
#include "store/store_impl.h"

#include <stdio.h>

ptl_status content_copy_careless(ptl_store *to, ptl_error *err)
{
    return store_exec(to,
                      "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
                      "PRAGMA foreign_keys = OFF;",
                      err);
}

static ptl_status attach(ptl_store *to, const char *path, ptl_error *err)
{
    stmt *s = NULL;
    sqlite3_limit(to->db, SQLITE_LIMIT_ATTACHED, 1);
    ptl_status status = stmt_prepare(&s, to, "ATTACH ?1 AS source", err);
    if (status == PTL_OK) {
        stmt_bind_text(s, 1, path);
        status = stmt_run(s, err);
    }
    stmt_free(s);
    return status;
}

/* The names are the schema's, not anybody's data. */
static ptl_status copy_table(ptl_store *to, const char *name, ptl_error *err)
{
    char sql[200];
    snprintf(sql, sizeof sql, "INSERT INTO main.\"%s\" SELECT * FROM source.\"%s\"", name,
             name);
    return store_exec(to, sql, err);
}

static ptl_status copy_tables(ptl_store *to, ptl_error *err)
{
    ptl_status status = store_begin(to, err);
    if (status != PTL_OK)
        return status;
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++)
        status = copy_table(to, t->name, err);
    if (status == PTL_OK) /* a new file has those of empty tables */
        status = store_exec(to, "DELETE FROM content_checksum", err);
    if (status == PTL_OK)
        status = copy_table(to, "content_checksum", err);
    if (status == PTL_OK)
        status = store_commit(to, err);
    if (status != PTL_OK)
        store_rollback(to);
    return status;
}

ptl_status content_copy(ptl_store *to, const ptl_store *from, ptl_error *err)
{
    ptl_status status = attach(to, from->file ? from->file : from->path, err);
    if (status == PTL_OK) {
        status = copy_tables(to, err);
        const ptl_status detached =
            store_exec(to, "DETACH source", status == PTL_OK ? err : NULL);
        status = status == PTL_OK ? detached : status;
    }
    sqlite3_limit(to->db, SQLITE_LIMIT_ATTACHED, 0);
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "copying the content");
}
