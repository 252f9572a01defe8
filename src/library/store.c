/*
 * A whole store in SQLite: the table of all operations of a store (store/store.h), the SQL
 * functions that code outside of src/store adds, and the public calls that open such a store.
 * This file brings together code from several other folders of src, so that these folders need
 * not include each other's headers.
 */
#include "store/store.h"
#include "portolan/sqlite.h"

#include "render/sql/chunk_png.h"
#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/held/held.h"
#include "store/sqlite/index/unpacked.h"
#include "store/sqlite/maps/map_rows.h"
#include "store/sqlite/overview/overview_rows.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/sweeps/sweep_rows.h"
#include "store/sqlite/verify/verify.h"
#include "world/sql/tides.h"

static const import_operations imports = {.part_open = sqlite_part_open,
                                          .part_close = sqlite_part_close,
                                          .part_add = sqlite_part_add,
                                          .clear = sqlite_content_clear,
                                          .find = sqlite_content_find,
                                          .put = sqlite_content_put,
                                          .keep = sqlite_content_keep,
                                          .seal = sqlite_content_seal,
                                          .check = sqlite_content_check,
                                          .count_stale = sqlite_content_count_stale};

/* Those of a transient store, whose content is held in memory. */
static const import_operations held_imports = {.is_plain = true,
                                               .part_open = held_part_open,
                                               .part_close = held_part_close,
                                               .part_add = held_part_add,
                                               .clear = held_clear,
                                               .find = sqlite_content_find,
                                               .put = sqlite_content_put,
                                               .keep = held_keep,
                                               .seal = held_seal,
                                               .check = held_check,
                                               .count_stale = sqlite_content_count_stale};

/* The loadable extension runs inside a query of another program. The file belongs to that
 * program, so the extension has no operations on files. */
#ifndef PORTOLAN_EXTENSION
static const file_operations files = {.verify = sqlite_verify,
                                      .backup = sqlite_backup,
                                      .journal = sqlite_journal,
                                      .is_copy = sqlite_is_copy,
                                      .aside_visit = sqlite_aside_visit};
#endif

static const transaction_operations transactions = {.begin = sqlite_begin,
                                                    .commit = sqlite_commit,
                                                    .rollback = sqlite_rollback,
                                                    .begin_read = sqlite_begin_read,
                                                    .begin_snapshot = sqlite_begin_snapshot,
                                                    .begin_lookups = sqlite_begin_lookups,
                                                    .end_snapshot = sqlite_end_snapshot,
                                                    .retry = sqlite_retry,
                                                    .stop_hook = sqlite_stop_hook,
                                                    .stopped = sqlite_stopped,
                                                    .deafen = sqlite_deafen,
                                                    .may_write = sqlite_may_write};

static const chunk_operations chunks = {.find = sqlite_chunk_find,
                                        .write = sqlite_chunk_write,
                                        .read = sqlite_chunk_read,
                                        .features_read = sqlite_features_read,
                                        .features_read_all = sqlite_features_read_all,
                                        .delete = sqlite_chunk_delete,
                                        .level_read = sqlite_level_read,
                                        .list = sqlite_chunk_list,
                                        .count = sqlite_chunk_count,
                                        .next = sqlite_chunk_next,
                                        .visit_next = sqlite_chunk_visit_next,
                                        .stored_features_read =
                                            sqlite_stored_chunk_features_read,
                                        .stored_event_visit = sqlite_stored_chunk_event_visit,
                                        .stored_levels_read = sqlite_stored_chunk_levels_read,
                                        .total = sqlite_chunk_total,
                                        .city_visit = sqlite_city_visit,
                                        .place_visit = sqlite_place_visit,
                                        .overview_visit = sqlite_overview_visit,
                                        .edge_find = sqlite_edge_find,
                                        .edge_count = sqlite_edge_count};

static const sql_function functions[] = {
    {"chunk_png", 4, SQL_HEAVY, sql_chunk_png}, {"chunk_png", 5, SQL_HEAVY, sql_chunk_png},
    {"tide", 1, SQL_READS, sql_tide},           {"tide", 2, SQL_HEAVY, sql_tide_of},
    {"water_at", 4, SQL_HEAVY, sql_water_at},   {"ford", 5, SQL_HEAVY, sql_ford},
    {"ford", 6, SQL_HEAVY, sql_ford},
};
static const sql_table tables[] = {{"loot", &sql_loot, 0}};
static const struct sql_above above = {.functions = functions,
                                       .count = sizeof functions / sizeof functions[0],
                                       .tables = tables,
                                       .table_count = sizeof tables / sizeof tables[0],
                                       .flood = sql_local_flood};

static const store_operations operations = {
    .name = "SQLite",
    .lasting = true,
    .close = sqlite_close,
    .path = sqlite_path,
    .sql = &above,
    .transaction = &transactions,
    .content = &sqlite_contents,
    .world = &sqlite_worlds,
    .chunk = &chunks,
    .run = &sqlite_runs,
    .map = &sqlite_maps,
    .edit = &sqlite_edits,
    .saved = &sqlite_saved,
    .import = &imports,
#ifndef PORTOLAN_EXTENSION
    .query = &sqlite_queries,
    .index = &sqlite_indexes,
    .file = &files,
#endif
    .sweep = &sqlite_sweeps,
    .scratch = &sqlite_scratches,
};

/* A transient store has neither SQL, which would not find its content, nor a file. */
static const store_operations transient_operations = {.name = "a transient store",
                                                      .lasting = false,
                                                      .close = held_close,
                                                      .path = sqlite_path,
                                                      .transaction = &transactions,
                                                      .content = &held_contents,
                                                      .world = &sqlite_worlds,
                                                      .chunk = &chunks,
                                                      .run = &sqlite_runs,
                                                      .map = &sqlite_maps,
                                                      .edit = &sqlite_edits,
                                                      .saved = &sqlite_saved,
                                                      .import = &held_imports,
                                                      .sweep = &sqlite_sweeps,
                                                      .scratch = &sqlite_scratches};

ptl_status ptl_store_open(ptl_store **out, const char *path, const ptl_open_options *options,
                          ptl_error *err)
{
    const bool transient = options && options->mode == PTL_OPEN_TRANSIENT;
    return sqlite_open(out, path, options, transient ? &transient_operations : &operations,
                       err);
}

ptl_status ptl_migrate(ptl_migrate_report *report, const char *path,
                       const ptl_migrate_options *options, ptl_error *err)
{
    return sqlite_migrate(path, options, report, &operations, err);
}

ptl_status ptl_sqlite_register(sqlite3 *db, ptl_error *err)
{
    return sql_register_alone(db, &operations, err);
}
