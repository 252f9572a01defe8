/*
 * A draft's rows that belong to no chunk: verified by their checksums, and copied where the
 * table has changed. Worlds get the settings that the draft did not have as those that make the
 * world that it was: no railroads, no subways, and for specials the defaults.
 */
#include "core/error.h"
#include "store/sqlite/connection/kept.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/edge_rows.h"
#include "store/sqlite/rows/rowsum.h"
#include "store/sqlite/schema/draft.h"

#include <string.h>

/* ---- checksums ---- */

typedef struct old_rows {
    const char *table, *sql;
    int columns; /* without the checksum, which follows them */
} old_rows;

#define WORLD_1                                                                                \
    "id, name, seed, region, city_size, city_spacing, specials_density, specials_spacing, "    \
    "placement"
#define WORLD_2     WORLD_1 ", railroads, subways"
#define WORLD_REST  ", generator_version, content_id, created_at"
#define NEW_DEFAULT ", 0, 0, 5" /* compat, scale_unique, unique_radius */

static const old_rows rows_of_both[] = {
    {"oter", "SELECT id, name, checksum FROM oter ORDER BY id", 2},
    {"run", "SELECT " RUN_COLUMNS " FROM run ORDER BY id", RUN_COLUMN_COUNT},
    {"event",
     "SELECT chunk_id, number, step, kind, x, y, z, detail, checksum FROM event "
     "ORDER BY chunk_id, number",
     8}};
static const old_rows rows_of_1[] = {
    {"world", "SELECT " WORLD_1 WORLD_REST ", checksum FROM draft_world ORDER BY id", 12}};
static const old_rows rows_of_2[] = {
    {"name", "SELECT id, name, checksum FROM name ORDER BY id", 2},
    {"world", "SELECT " WORLD_2 WORLD_REST ", checksum FROM draft_world ORDER BY id", 14}};

static ptl_status verify_table(ptl_store *store, row_scratch *scratch, const old_rows *rows,
                               ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, rows->sql, err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = row_verify(scratch, s, rows->table, rows->columns, err);
    }
    stmt_free(s);
    return status;
}

static ptl_status verify_tables(ptl_store *store, row_scratch *scratch, const old_rows *list,
                                size_t count, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = verify_table(store, scratch, &list[i], err);
    return status;
}

/* ---- copies ---- */

/* The checksum of a world's row over its new columns. */
static ptl_status seal_world(row_scratch *scratch, stmt *update, const stmt *row,
                             ptl_error *err)
{
    int64_t sum = 0;
    rowsum_begin(&scratch->sum, "world");
    rowsum_columns(&scratch->sum, row, 0, WORLD_COLUMN_COUNT);
    ptl_status status = rowsum_end(&scratch->sum, &sum, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(update, 1, stmt_int(row, 0));
    stmt_bind_int(update, 2, sum);
    return stmt_run(update, err);
}

static ptl_status seal_worlds(ptl_store *store, row_scratch *scratch, ptl_error *err)
{
    stmt *s = NULL, *update = NULL;
    ptl_status status =
        stmt_prepare(&s, store, "SELECT " WORLD_COLUMNS " FROM world ORDER BY id", err);
    if (status == PTL_OK)
        status =
            stmt_prepare(&update, store, "UPDATE world SET checksum = ?2 WHERE id = ?1", err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = seal_world(scratch, update, s, err);
    }
    stmt_free(s);
    stmt_free(update);
    return status;
}

static ptl_status copy_worlds(ptl_store *store, row_scratch *scratch, draft_kind kind,
                              ptl_error *err)
{
    static const char from_1[] = "INSERT INTO world (" WORLD_COLUMNS ") SELECT " WORLD_1
                                 ", 0, 0" NEW_DEFAULT WORLD_REST ", 0 FROM draft_world";
    static const char from_2[] =
        "INSERT INTO world (" WORLD_COLUMNS ") SELECT " WORLD_2 NEW_DEFAULT WORLD_REST
        ", 0 FROM draft_world";
    ptl_status status = store_exec(store, kind == DRAFT_1 ? from_1 : from_2, err);
    return status == PTL_OK ? seal_worlds(store, scratch, err) : status;
}

/* Edges have the same columns in all drafts: today's reader verifies them. */
static ptl_status verify_edges(ptl_store *store, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status =
        stmt_prepare(&s, store, "SELECT world_id, x, y, side FROM edge ORDER BY id", err);
    for (bool row = true; row && status == PTL_OK;) {
        edge e;
        edge_cells cells;
        bool found = false;
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row)
            break;
        status =
            edge_row_find_raw(&e, &cells, &found, store, stmt_int(s, 0),
                              (int32_t)stmt_int(s, 1), (int32_t)stmt_int(s, 2),
                              strcmp(stmt_text(s, 3), "S") == 0 ? EDGE_SOUTH : EDGE_EAST, err);
        if (status == PTL_OK && found)
            edge_dispose(&e);
    }
    stmt_free(s);
    return status;
}

ptl_status draft_rows_convert(ptl_store *store, row_scratch *scratch, draft_kind kind,
                              ptl_error *err)
{
    ptl_status status = verify_tables(store, scratch, rows_of_both,
                                      sizeof rows_of_both / sizeof rows_of_both[0], err);
    if (status == PTL_OK && kind == DRAFT_1)
        status = verify_tables(store, scratch, rows_of_1,
                               sizeof rows_of_1 / sizeof rows_of_1[0], err);
    if (status == PTL_OK && kind == DRAFT_2)
        status = verify_tables(store, scratch, rows_of_2,
                               sizeof rows_of_2 / sizeof rows_of_2[0], err);
    if (status == PTL_OK)
        status = copy_worlds(store, scratch, kind, err);
    if (status == PTL_OK && kind == DRAFT_1)
        status = store_exec(
            store,
            "INSERT INTO edge (" EDGE_COLUMNS ") SELECT " EDGE_COLUMNS " FROM draft_edge", err);
    if (status == PTL_OK)
        status = dictionary_refresh(store, err);
    return status == PTL_OK ? verify_edges(store, err) : status;
}
