/*
 * Lists the virtual tables and SQL functions, and registers them on a connection. Every
 * registered module and function counts as a reference to the source. So the source lives as
 * long as SQLite can call any of them, even if the extension is loaded twice.
 */
#include "core/error.h"
#include "store/sqlite/query/omt_levels.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/schema_check.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const vtab_form *form;
    int which;
} tables[] = {
    {"building", &vtab_pack, PACK_PLACEMENTS},
    {"monster_group", &vtab_pack, PACK_GROUPS},
    {"attempt", &vtab_pack, PACK_ATTEMPTS},
    {"piece", &vtab_pack, PACK_PIECES},
    {"piece_join", &vtab_pack, PACK_JOINS},
    {"predecessor", &vtab_pack, PACK_PREDECESSORS},
    {"sweep_special", &vtab_pack, PACK_SUMMARY_SPECIALS},
    {"sweep_place", &vtab_pack, PACK_SUMMARY_PLACES},
    {"sweep_terrain", &vtab_pack, PACK_SUMMARY_TERRAINS},
    {"sweep_city", &vtab_pack, PACK_SUMMARY_CITIES},
    {"sweep_building", &vtab_pack, PACK_SUMMARY_BUILDINGS},
    {"sweep_line", &vtab_pack, PACK_SUMMARY_LINES},
    {"sweep_water", &vtab_pack, PACK_SUMMARY_WATERS},
    {"terrain_count", &vtab_terrain_count, 0},
    {"near", &vtab_near, 0},
    {"omt", &vtab_omt, 0},
    {"region_count", &vtab_region, 0},
    {"local_map", &vtab_local, VTAB_LOCAL_MAP},
    {"local_tile", &vtab_local, VTAB_LOCAL_TILE},
    {"local_item", &vtab_local, VTAB_LOCAL_ITEM},
    {"local_monster", &vtab_local, VTAB_LOCAL_MONSTER},
    {"local_vehicle", &vtab_local, VTAB_LOCAL_VEHICLE},
    {"local_npc", &vtab_local, VTAB_LOCAL_NPC},
    {"local_field", &vtab_local, VTAB_LOCAL_FIELD},
    {"local_text", &vtab_local, VTAB_LOCAL_TEXT},
    {"local_computer", &vtab_local, VTAB_LOCAL_COMPUTER},
    {"local_zone", &vtab_local, VTAB_LOCAL_ZONE},
};

static const sql_function functions[] = {
    {"omt_at", 4, SQL_READS, sql_omt_at},
    {"path_length", 6, SQL_HEAVY, sql_path_length},
    {"path_length", 7, SQL_HEAVY, sql_path_length},
    {"oter_base", 1, SQL_READS, sql_oter_base},
    {"oter_rotate", 2, SQL_READS, sql_oter_rotate},
    {"oter_rotation", 1, SQL_READS, sql_oter_rotation},
    {"oter_line", 1, SQL_READS, sql_oter_line},
    {"wilson_low", 2, SQL_PLAIN, sql_wilson_low},
    {"wilson_low", 3, SQL_PLAIN, sql_wilson_low},
    {"wilson_high", 2, SQL_PLAIN, sql_wilson_high},
    {"wilson_high", 3, SQL_PLAIN, sql_wilson_high},
};

/* Functions over several rows. Those with an inverse can be used over windows, too. */
static const struct sql_aggregate {
    const char *name;
    int arguments;
    void (*step)(sqlite3_context *context, int count, sqlite3_value **values);
    void (*final)(sqlite3_context *context);
    void (*value)(sqlite3_context *context);
    void (*inverse)(sqlite3_context *context, int count, sqlite3_value **values);
} aggregates[] = {
    {"median", 1, sql_percentile_step, sql_percentile_final, sql_percentile_value,
     sql_percentile_inverse},
    {"percentile", 2, sql_percentile_step, sql_percentile_final, sql_percentile_value,
     sql_percentile_inverse},
    {"stddev", 1, sql_stddev_step, sql_stddev_final, NULL, NULL},
};

enum { AGGREGATES = sizeof aggregates / sizeof aggregates[0] };

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static bool is_among(const sql_function *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (sqlite3_stricmp(name, list[i].name) == 0)
            return true;
    return false;
}

bool sql_function_known(const struct sql_above *above, const char *name)
{
    if (is_among(functions, FUNCTIONS, name) || is_among(above->functions, above->count, name))
        return true;
    for (size_t i = 0; i < AGGREGATES; i++)
        if (sqlite3_stricmp(name, aggregates[i].name) == 0)
            return true;
    return false;
}

static int add_functions(sql_source *source, const sql_function *list, size_t count)
{
    int code = SQLITE_OK;
    for (size_t i = 0; i < count && code == SQLITE_OK; i++) {
        source->references++;
        code = sqlite3_create_function_v2(source->store->db, list[i].name, list[i].arguments,
                                          list[i].flags, source, list[i].call, NULL, NULL,
                                          sql_source_unref);
    }
    return code;
}

static ptl_status add_all(sql_source *source, ptl_error *err)
{
    int code = SQLITE_OK;
    const struct sql_above *above = source->store->head.operations->sql;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && code == SQLITE_OK; i++)
        code = vtab_add(source, tables[i].name, tables[i].form, tables[i].which);
    if (code == SQLITE_OK)
        code = add_functions(source, functions, FUNCTIONS);
    if (code == SQLITE_OK)
        code = add_functions(source, above->functions, above->count);
    for (size_t i = 0; i < AGGREGATES && code == SQLITE_OK; i++) {
        const struct sql_aggregate *a = &aggregates[i];
        source->references++;
        code = sqlite3_create_window_function(source->store->db, a->name, a->arguments,
                                              SQL_PLAIN, source, a->step, a->final, a->value,
                                              a->inverse, sql_source_unref);
    }
    if (code != SQLITE_OK)
        return sqlite_error(source->store, code, "adding virtual tables and functions", err);
    /* A host's connection may allow no writes at all (PRAGMA query_only); then the view is
     * left out and that is no error. */
    ptl_status status = sqlite_exec(source->store, vtab_pack_view, source->host ? NULL : err);
    return source->host ? PTL_OK : status;
}

static sql_source *new_source(ptl_store *store)
{
    sql_source *source = calloc(1, sizeof *source);
    if (!source)
        return NULL;
    source->store = store ? store : &source->own;
    source->host = !store;
    source->references = 1;
    return source;
}

ptl_status sql_register(sql_source **out, ptl_store *store, ptl_error *err)
{
    sql_source *source = new_source(store);
    *out = NULL;
    if (!source)
        return error_nomem(err);
    ptl_status status = add_all(source, err);
    if (status == PTL_OK)
        *out = source;
    sql_source_unref(source);
    return status;
}

static void remove_functions(sqlite3 *db, const sql_function *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sqlite3_create_function_v2(db, list[i].name, list[i].arguments, list[i].flags, NULL,
                                   NULL, NULL, NULL, NULL);
}

/* Removing what exists needs no memory, so none of these calls can fail. */
void sql_unregister(sqlite3 *db, const struct sql_above *above)
{
    sqlite3_exec(db, "DROP VIEW temp.placement", NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        sqlite3_create_module_v2(db, tables[i].name, NULL, NULL, NULL);
    remove_functions(db, functions, FUNCTIONS);
    remove_functions(db, above->functions, above->count);
    for (size_t i = 0; i < AGGREGATES; i++)
        sqlite3_create_window_function(db, aggregates[i].name, aggregates[i].arguments,
                                       SQL_PLAIN, NULL, NULL, NULL, NULL, NULL, NULL);
}

ptl_status sql_register_alone(sqlite3 *db, const store_operations *operations, ptl_error *err)
{
    error_clear(err);
    sql_source *source = new_source(NULL);
    if (!source)
        return error_nomem(err);
    source->own.head.operations = operations;
    source->own.db = db;
    source->own.mode = PTL_OPEN_READ;
    source->own.scratch = row_scratch_new();
    ptl_status status = source->own.scratch ? add_all(source, err) : error_nomem(err);
    sql_source_unref(source);
    return status;
}

/*
 * What the virtual tables and functions of one connection share. On a host's connection
 * anything can happen between two calls: another file's schema, changed rows, the end of the
 * connection. So database main is checked before each use. The check is cheap (version
 * counters), and thorough only when the schema differs from the one seen before.
 * The store's prepared statements would keep a connection from being closed. They are freed
 * when the last virtual table is disconnected, which SQLite does before it looks for open
 * statements.
 */

void sql_source_release(sql_source *source)
{
    if (source->free_picture)
        source->free_picture(source->picture);
    source->picture = NULL;
    source->free_picture = NULL;
    omt_levels_free(source->omts);
    source->omts = NULL;
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

/* Does both, for callers that need the answer only for a moment. */
static ptl_status sql_source_ready(sql_source *source, ptl_error *err)
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
