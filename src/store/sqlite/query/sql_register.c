/*
 * Lists the virtual tables and SQL functions, and registers them on a connection. Every
 * registered module and function counts as a reference to the source. So the source lives as
 * long as SQLite can call any of them, even if the extension is loaded twice.
 */
#include "core/error.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/row_scratch.h"

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
    {"omt", &vtab_tile, 0},
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
    {"omt_at", 4, SQL_READS, sql_tile_at},
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
