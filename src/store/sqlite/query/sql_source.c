/*
 * What the virtual tables and functions of one connection share. On a host's connection
 * anything can happen between two calls: another file's schema, changed rows, the end of the
 * connection. So database main is checked before each use. The check is cheap (version
 * counters), and thorough only when the schema differs from the one seen before.
 * The store's prepared statements would keep a connection from being closed. They are freed
 * when the last virtual table is disconnected, which SQLite does before it looks for open
 * statements.
 */
#include "core/error.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/query/tile_levels.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/migrate.h"
#include "store/sqlite/schema/schema_check.h"

#include <stdlib.h>
#include <string.h>

void sql_source_release(sql_source *source)
{
    if (source->free_picture)
        source->free_picture(source->picture);
    source->picture = NULL;
    source->free_picture = NULL;
    tile_levels_free(source->tiles);
    source->tiles = NULL;
    oter_table_release(source->oters);
    for (size_t i = 0; i < STMT_COUNT && source->host; i++) {
        stmt_free(source->own.prepared[i]);
        source->own.prepared[i] = NULL;
    }
}

void sql_source_unref(void *payload)
{
    sql_source *source = payload;
    if (--source->references > 0)
        return;
    sql_source_release(source);
    oter_table_free(source->oters);
    if (source->host) {
        dictionary_forget(&source->own);
        row_scratch_free(source->own.scratch);
    }
    free(source);
}

const char *sql_source_text(sql_source *source, const char *text)
{
    return row_scratch_kind(source->store->scratch, text);
}

/* ---- main ---- */

static ptl_status check_file(sql_source *source, ptl_error *err)
{
    int64_t id = 0, version = 0;
    ptl_store *store = source->store;
    TRY(sqlite_pragma_int(store, "PRAGMA main.application_id", &id, err));
    TRY(sqlite_pragma_int(store, "PRAGMA main.user_version", &version, err));
    if (id != STORE_APPLICATION_ID)
        return error_set(err, PTL_ERR_FORMAT,
                         "the database 'main' is not a world file of Portolan: open one, and "
                         "load the extension into that connection");
    if (version > migrate_last_version())
        return error_set(err, PTL_ERR_NEWER,
                         "made by a newer Portolan: schema version %lld, this one knows %d",
                         (long long)version, migrate_last_version());
    if (version < migrate_last_version())
        return migrate_refuse(store, err);
    return schema_check(store, err);
}

static ptl_status look_again(sql_source *source, ptl_error *err)
{
    int64_t version = 0;
    ptl_status status =
        sqlite_pragma_int(source->store, "PRAGMA main.schema_version", &version, err);
    if (status != PTL_OK || (source->checked && version == source->schema_version))
        return status;
    source->checked = false;
    if (source->host)
        status = check_file(source, err);
    source->checked = status == PTL_OK;
    source->schema_version = version;
    return status;
}

static ptl_status ready(sql_source *source, stmt *touch, ptl_error *err)
{
    uint32_t version = 0;
    bool row = false;
    if (touch)
        TRY(stmt_step(touch, &row, err));
    int code =
        sqlite3_file_control(source->store->db, "main", SQLITE_FCNTL_DATA_VERSION, &version);
    if (code != SQLITE_OK)
        return sqlite_error(source->store, code, "reading the file's state", err);
    /*
     * The data version counts commits by anybody; the number of changes covers those that are
     * not committed. When a write transaction has ended, it may also have undone its changes.
     */
    const int64_t changes = sqlite3_total_changes64(source->store->db);
    const bool writing = sqlite3_txn_state(source->store->db, "main") == SQLITE_TXN_WRITE;
    if (source->checked && version == source->data_version && changes == source->changes &&
        writing >= source->writing)
        return PTL_OK;
    source->data_version = version;
    source->changes = changes;
    source->writing = writing;
    source->generation++;
    return look_again(source, err);
}

ptl_status sql_source_begin(sql_source *source, stmt **held, ptl_error *err)
{
    *held = NULL;
    /* One virtual table is connected. If only functions were used, no table would be connected,
     * and nothing would tell us that the connection is about to be closed. Preparing any
     * statement over one of these tables connects it until then. */
    stmt *s = NULL;
    ptl_status status = PTL_OK;
    if (source->host && source->connected <= 0)
        status = stmt_prepare(&s, source->store, "SELECT 1 FROM omt", err);
    stmt_free(s);
    TRY(status);
    if (sqlite3_txn_state(source->store->db, "main") == SQLITE_TXN_NONE)
        status = stmt_prepared(held, source->store, STMT_TOUCH, err);
    THEN(status, ready(source, *held, err));
    if (status != PTL_OK) {
        sql_source_end(*held);
        *held = NULL;
    }
    return status;
}

void sql_source_end(stmt *held)
{
    if (held)
        stmt_reset(held);
}

ptl_status sql_source_ready(sql_source *source, ptl_error *err)
{
    stmt *held;
    ptl_status status = sql_source_begin(source, &held, err);
    sql_source_end(held);
    return status;
}

/* ---- for modules and functions ---- */

/* Returns SQLite's own code, because the host decides by it what to do. */
int sql_result_code(ptl_status status, const ptl_error *err)
{
    if (err->backend_code)
        return err->backend_code;
    if (status == PTL_ERR_NOMEM)
        return SQLITE_NOMEM;
    if (status == PTL_ERR_CANCELLED)
        return SQLITE_INTERRUPT;
    return status == PTL_ERR_CORRUPT ? SQLITE_CORRUPT_VTAB : SQLITE_ERROR;
}

bool sql_function_ready(sqlite3_context *context)
{
    ptl_error err = {0};
    ptl_status status = sql_source_ready(sqlite3_user_data(context), &err);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
    return status == PTL_OK;
}

void sql_function_failed(sqlite3_context *context, ptl_status status, const ptl_error *err)
{
    sqlite3_result_error(context, err->message, -1);
    sqlite3_result_error_code(context, sql_result_code(status, err));
}
