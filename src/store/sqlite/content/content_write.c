/* Implements the contract's operations for importing (store/content_store.h). Each part of a
 * content has one insert statement. */
#include "store/sqlite/content/content_write.h"

#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_checksum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

/* A part that is being written. It holds the store because the statement alone can't give the
 * rowid of a new row. */
typedef struct part {
    ptl_store *store; /* borrowed */
    stmt *insert;
} part;

int content_put_names(char sql[CONTENT_SQL_MAX], size_t *size, const char *names)
{
    int count = 0;
    while (*names) {
        const size_t length = strcspn(names, ",");
        *size += (size_t)snprintf(sql + *size, CONTENT_SQL_MAX - *size, "%s[%.*s]",
                                  count > 0 ? ", " : "", (int)length, names);
        names += length;
        names += strspn(names, ", ");
        count++;
    }
    return count;
}

ptl_status sqlite_part_open(void **out, ptl_store *store, content_part which, ptl_error *err)
{
    part *p = calloc(1, sizeof *p);
    if (!p)
        return error_nomem(err);
    const content_form *form = &content_forms[which];
    p->store = store;
    char sql[CONTENT_SQL_MAX];
    size_t size = (size_t)snprintf(sql, sizeof sql, "INSERT %sINTO %s (",
                                   form->again ? "OR IGNORE " : "", form->table);
    const int count = content_put_names(sql, &size, form->columns);
    size += (size_t)snprintf(sql + size, sizeof sql - size, ") VALUES (?");
    for (int i = 1; i < count; i++)
        size += (size_t)snprintf(sql + size, sizeof sql - size, ", ?");
    snprintf(sql + size, sizeof sql - size, ")");
    ptl_status status = stmt_prepare(&p->insert, store, sql, err);
    if (status == PTL_OK)
        *out = p;
    else
        free(p);
    return status;
}

void sqlite_part_close(void *payload)
{
    part *p = payload;
    stmt_free(p->insert);
    free(p);
}

ptl_status sqlite_part_add(int64_t *number, void *payload, const content_value *values,
                           int count, ptl_error *err)
{
    const part *p = payload;
    for (int i = 0; i < count; i++) {
        const content_value *v = &values[i];
        if (v->type == PTL_VALUE_INTEGER)
            stmt_bind_int(p->insert, i + 1, v->integer);
        else if (v->type == PTL_VALUE_REAL)
            stmt_bind_double(p->insert, i + 1, v->real);
        else if (v->type == PTL_VALUE_TEXT)
            stmt_bind_text(p->insert, i + 1, v->data);
        else if (v->type == PTL_VALUE_BLOB)
            stmt_bind_blob(p->insert, i + 1, v->data, v->size);
        else
            stmt_bind_null(p->insert, i + 1);
    }
    TRY(stmt_run(p->insert, err));
    *number = sqlite_last_rowid(p->store);
    return PTL_OK;
}

/*
 * Deletes the content's rows. Rows are deleted before those that they refer to. When a parent
 * row is deleted, SQLite searches all child tables for it, which takes extremely long unless
 * they are empty.
 */
ptl_status sqlite_content_clear(ptl_store *store, int64_t content_id, ptl_error *err)
{
    char sql[CONTENT_SQL_MAX];
    for (int i = CONTENT_PARTS - 1; i > CONTENT_PACKS; i--) {
        snprintf(sql, sizeof sql, "DELETE FROM %s", content_forms[i].table);
        TRY(sqlite_exec(store, sql, err));
    }
    return stmt_do(store, "DELETE FROM content_pack WHERE content_id = ?1", &content_id, 1,
                   err);
}

/* ---- contents ---- */

/* Gives the version of the schema. A file that is being written has the schema of this
 * program. */
static const char version_sql[] = "PRAGMA user_version";

ptl_status sqlite_content_find(content_standing *out, ptl_store *store, const char *hex,
                               ptl_error *err)
{
    static const char sql[] =
        "SELECT c.id, is_current, version FROM content c LEFT JOIN content_schema s"
        " ON s.content_id = c.id WHERE digest = ?1";
    stmt *s = NULL;
    bool row = false;
    int64_t version = 0;
    *out = (content_standing){0};
    TRY(sqlite_pragma_int(store, version_sql, &version, err));
    TRY(stmt_prepare(&s, store, sql, err));
    stmt_bind_text(s, 1, hex);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && row) {
        out->id = stmt_int(s, 0);
        out->current = stmt_int(s, 1) != 0;
        out->older = stmt_int(s, 2) < version;
    }
    stmt_free(s);
    return status;
}

ptl_status sqlite_content_put(ptl_store *store, content_row *row, ptl_error *err)
{
    static const char insert[] =
        "INSERT INTO content (id, digest, is_current, imported_at, portolan_version, lenient,"
        " file_count, object_count, byte_count)"
        " VALUES (?1, ?2, 1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?3, ?4, ?5, ?6, ?7)"
        " ON CONFLICT (id) DO UPDATE SET is_current = 1, imported_at = excluded.imported_at,"
        " portolan_version = excluded.portolan_version, lenient = excluded.lenient,"
        " file_count = excluded.file_count, object_count = excluded.object_count,"
        " byte_count = excluded.byte_count";
    /* The former content loses its mark first: only one row may have it. */
    TRY(sqlite_exec(store, "UPDATE content SET is_current = 0 WHERE is_current = 1", err));
    stmt *s = NULL;
    TRY(stmt_prepare(&s, store, insert, err));
    if (row->id != 0)
        stmt_bind_int(s, 1, row->id);
    else
        stmt_bind_null(s, 1);
    stmt_bind_text(s, 2, row->digest);
    stmt_bind_text(s, 3, ptl_version());
    stmt_bind_int(s, 4, row->lenient);
    stmt_bind_int(s, 5, (int64_t)row->files);
    stmt_bind_int(s, 6, (int64_t)row->objects);
    stmt_bind_int(s, 7, (int64_t)row->bytes);
    ptl_status status = stmt_run(s, err);
    if (status == PTL_OK && row->id == 0)
        row->id = sqlite_last_rowid(store);
    stmt_free(s);
    int64_t version = 0;
    THEN(status, sqlite_pragma_int(store, version_sql, &version, err));
    THEN(status, stmt_do(store,
                         "INSERT OR REPLACE INTO content_schema (content_id, version) "
                         "VALUES (?1, ?2)",
                         (const int64_t[]){row->id, version}, 2, err));
    return status;
}

ptl_status sqlite_content_seal(ptl_store *store, ptl_error *err)
{
    TRY(content_checksum_write(store, err));
    /* Forgets two sorts of earlier contents: the one that is the present content again, and
     * those that nothing in the file was made with. */
    return sqlite_exec(store,
                       "DELETE FROM content_past WHERE content_id IN "
                       "(SELECT id FROM content WHERE is_current = 1) OR content_id NOT IN "
                       "(SELECT content_id FROM world UNION SELECT content_id FROM chunk UNION "
                       "SELECT content_id FROM sweep)",
                       err);
}

ptl_status sqlite_content_count_stale(uint64_t *out, ptl_store *store, int64_t content_id,
                                      ptl_error *err)
{
    int64_t count = 0;
    ptl_status status =
        stmt_ask(&count, store,
                 "SELECT count(*) FROM chunk WHERE origin = 'generated' AND content_id <> ?1",
                 &content_id, 1, err);
    *out = (uint64_t)count;
    return status;
}

/* Rows are copied one by one between two connections. ATTACH would need a file name, but a
 * store may read a copy that has none. */

ptl_status content_copy_careless(ptl_store *to, ptl_error *err)
{
    return sqlite_exec(to,
                       "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
                       "PRAGMA foreign_keys = OFF;",
                       err);
}

static ptl_status copy_table(ptl_store *target, ptl_store *source, const char *name,
                             ptl_error *err)
{
    stmt *from = NULL, *to = NULL;
    /* The names in this SQL come from our own schema, not from data, so they need no escaping.
     */
    char sql[400];
    snprintf(sql, sizeof sql, "SELECT * FROM main.\"%s\"", name);
    TRY(stmt_prepare(&from, source, sql, err));
    size_t size = (size_t)snprintf(sql, sizeof sql, "INSERT INTO main.\"%s\" VALUES (?", name);
    for (int i = 1; i < sqlite3_column_count(from->handle); i++)
        size += (size_t)snprintf(sql + size, sizeof sql - size, ", ?");
    snprintf(sql + size, sizeof sql - size, ")");
    ptl_status status = stmt_prepare(&to, target, sql, err);
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

ptl_status content_copy(ptl_store *to, ptl_store *from, ptl_error *err)
{
    bool own;
    TRY(sqlite_begin_snapshot(from, &own, err));
    ptl_status status = sqlite_begin(to, err);
    const bool begun = status == PTL_OK;
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++)
        status = copy_table(to, from, t->name, err);
    if (status == PTL_OK) /* a new file has checksums of empty tables */
        status = sqlite_exec(to, "DELETE FROM content_checksum", err);
    THEN(status, copy_table(to, from, "content_checksum", err));
    THEN(status, sqlite_commit(to, err));
    if (begun && status != PTL_OK)
        sqlite_rollback(to);
    sqlite_end_snapshot(from, own);
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "copying the content");
}
