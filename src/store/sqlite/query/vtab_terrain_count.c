/*
 * terrain_count(world, chunk_x, chunk_y, z, oter, terrain, omts): number of cells of each
 * oter in every level of every chunk. It adds up the lengths of runs in the wanted levels;
 * cells are not expanded.
 */
#include "codec/chunk_codec.h"
#include "core/error.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMN_WORLD,
    COLUMN_CHUNK_X,
    COLUMN_CHUNK_Y,
    COLUMN_Z,
    COLUMN_OTER,
    COLUMN_TERRAIN,
    COLUMN_OMTS,
    COLUMNS = COLUMN_OMTS
};

static const char DECLARATION[] =
    "CREATE TABLE terrain_count (world TEXT, chunk_x INTEGER, chunk_y INTEGER, z INTEGER, "
    "oter TEXT, terrain TEXT, omts INTEGER)";

static const condition_column columns[COLUMNS] = {
    [COLUMN_WORLD] = {CONDITION_TEXT, "w.name", 0, 0, 0.1},
    [COLUMN_CHUNK_X] = {CONDITION_NUMBER, "c.x", 0, 0, 0.03},
    [COLUMN_CHUNK_Y] = {CONDITION_NUMBER, "c.y", 0, 0, 0.03},
    [COLUMN_Z] = {CONDITION_RANGE, NULL, 0, 0, 1.0 / PTL_LEVELS},
    [COLUMN_OTER] = {CONDITION_IDS, NULL, 0, 0, 0.01},
    [COLUMN_TERRAIN] = {CONDITION_IDS, NULL, 0, 0, 0.02}};

static const char CHUNKS_SQL[] = "SELECT " CHUNK_COLUMNS ", w.name FROM main.world w "
                                 "CROSS JOIN main.chunk c ON c.world_id = w.id WHERE 1";
enum { CHUNK_WORLD = CHUNK_COLUMN_COUNT };

typedef struct count_cursor {
    vtab_cursor base;
    condition_rows chunks;
    stmt *level;
    chunk_info info;
    uint32_t fill[PTL_LEVELS];
    int first, last;    /* wanted levels, from 0 */
    int next, index;    /* index of the next level, and of the level that is shown */
    condition_ids oter; /* ids of the wanted oters */
    bool by_terrain;    /* only oters of `terrain` are wanted */
    oter_set wanted;
    oter_table *names;   /* borrowed from the source */
    size_t entry, count; /* the present entry of the level's palette, and number of entries */
    uint32_t palette[PTL_LEVEL_CELLS], omts[PTL_LEVEL_CELLS];
} count_cursor;

static sql_source *source_of(const count_cursor *c)
{
    return vtab_source_of(&c->base);
}

static int count_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    return conditions_plan(info, columns, COLUMNS, 1e7);
}

static void count_dispose(void *cursor)
{
    count_cursor *c = cursor;
    condition_rows_dispose(&c->chunks);
    stmt_free(c->level);
    condition_ids_dispose(&c->oter);
    oter_set_dispose(&c->wanted);
}

/* ---- levels ---- */

static ptl_status next_chunk(count_cursor *c, ptl_error *err)
{
    ptl_store *store = source_of(c)->store;
    TRY(stmt_step(c->chunks.s, &c->base.row, err));
    if (!c->base.row)
        return PTL_OK;
    c->next = c->first;
    TRY(chunk_info_read(&c->info, c->chunks.s, err));
    TRY(dictionary_refresh(store, err));
    size_t size;
    const void *blob = stmt_blob(c->chunks.s, CHUNK_COLUMN_FILL, &size);
    return fill_parse(c->fill, blob, size, dictionary_size(store), err);
}

static ptl_status count_level(count_cursor *c, ptl_error *err)
{
    c->index = c->next++;
    c->entry = 0;
    if (c->info.level_mask >> c->index & 1) {
        const level_runs *runs = NULL;
        const int64_t id = c->info.id * 32 + c->index;
        bool row = false;
        size_t size;
        stmt_bind_int(c->level, 1, id);
        ptl_status status = stmt_step(c->level, &row, err);
        if (status == PTL_OK && !row)
            return error_set(err, PTL_ERR_CORRUPT, "level z %d: its row is missing",
                             c->index + PTL_Z_MIN);
        if (status == PTL_OK) {
            const void *omts = stmt_blob(c->level, 1, &size);
            status = level_row_runs(&runs, source_of(c)->store, id, stmt_int(c->level, 0), omts,
                                    size, err);
        }
        if (status == PTL_OK) {
            level_count(c->omts, runs, LEVEL_RECT_ALL);
            memcpy(c->palette, runs->palette, runs->palette_count * sizeof *c->palette);
            c->count = runs->palette_count;
        }
        stmt_reset(c->level);
        return status;
    }
    c->palette[0] = c->fill[c->index];
    c->omts[0] = PTL_LEVEL_CELLS;
    c->count = 1;
    return PTL_OK;
}

static bool entry_wanted(const count_cursor *c)
{
    const uint32_t number = c->palette[c->entry];
    if (c->by_terrain && (number >= c->wanted.size || !c->wanted.wanted[number]))
        return false;
    return c->oter.any ||
           condition_ids_has(&c->oter, dictionary_name(source_of(c)->store, number));
}

/* Moves to the first wanted entry, from the present one on. */
static ptl_status seek(count_cursor *c, ptl_error *err)
{
    ptl_status status = PTL_OK;
    while (c->base.row && status == PTL_OK) {
        for (; c->entry < c->count; c->entry++)
            if (entry_wanted(c))
                return PTL_OK;
        if (c->next <= c->last) {
            status = count_level(c, err);
        } else {
            c->count = c->entry = 0;
            status = next_chunk(c, err);
        }
    }
    return status == PTL_OK
               ? PTL_OK
               : error_prefix(err, status, "chunk %d,%d", c->info.pos.x, c->info.pos.y);
}

/* ---- filter ---- */

static ptl_status count_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    count_cursor *c = cursor;
    ptl_store *store = source_of(c)->store;
    place_range ranges[COLUMNS];
    const place_range *z = &ranges[COLUMN_Z];
    c->entry = c->count = 0;
    if (!c->level)
        TRY(stmt_prepare(&c->level, store, "SELECT checksum, omts FROM main.level WHERE id = ?",
                         err));
    TRY(conditions_start(&c->chunks, store, CHUNKS_SQL, " ORDER BY w.id, c.x, c.y", columns,
                         COLUMNS, call, ranges, err));
    sql_source *source = source_of(c);
    condition_ids terrains = {0};
    ptl_status status = conditions_ids(&c->oter, source->store, call, COLUMN_OTER, err);
    THEN(status, conditions_ids(&terrains, source->store, call, COLUMN_TERRAIN, err));
    THEN(status, oter_table_use(&c->names, source, err));
    c->by_terrain = !terrains.any;
    if (status == PTL_OK && c->by_terrain)
        status = oter_set_clear(&c->wanted, c->names, err);
    for (size_t i = 0; i < terrains.count && c->by_terrain && status == PTL_OK; i++)
        status = oter_set_add_terrain(&c->wanted, source, terrains.ids[i], err);
    condition_ids_dispose(&terrains);
    TRY(status);
    const int64_t low = z->low > PTL_Z_MIN ? z->low : PTL_Z_MIN;
    const int64_t high = z->high < PTL_Z_MAX ? z->high : PTL_Z_MAX;
    if (low > high)
        return PTL_OK;
    c->first = (int)(low - PTL_Z_MIN);
    c->last = (int)(high - PTL_Z_MIN);
    TRY(next_chunk(c, err));
    return seek(c, err);
}

static ptl_status count_next(void *cursor, ptl_error *err)
{
    count_cursor *c = cursor;
    c->entry++;
    return seek(c, err);
}

static ptl_status put_oter(const count_cursor *c, sqlite3_context *context, bool terrain,
                           ptl_error *err)
{
    const uint32_t number = c->palette[c->entry];
    const oter_name *name = NULL;
    /* The oter was written after the filter began. */
    if (number >= oter_table_size(c->names)) {
        const char *id = terrain ? NULL : dictionary_name(source_of(c)->store, number);
        sqlite3_result_text(context, id, -1, SQLITE_STATIC);
        return PTL_OK;
    }
    TRY(oter_table_look_up(&name, c->names, source_of(c), number, err));
    if (terrain)
        sqlite3_result_text(context, name->terrain, name->terrain_size, SQLITE_STATIC);
    else
        sqlite3_result_text(context, name->id, name->id_size, SQLITE_STATIC);
    return PTL_OK;
}

static ptl_status count_column(void *cursor, sqlite3_context *context, int column,
                               ptl_error *err)
{
    const count_cursor *c = cursor;
    switch (column) {
    case COLUMN_WORLD:
        sqlite3_result_text(context, stmt_text(c->chunks.s, CHUNK_WORLD), -1, SQLITE_TRANSIENT);
        break;
    case COLUMN_CHUNK_X:
        sqlite3_result_int(context, c->info.pos.x);
        break;
    case COLUMN_CHUNK_Y:
        sqlite3_result_int(context, c->info.pos.y);
        break;
    case COLUMN_Z:
        sqlite3_result_int(context, c->index + PTL_Z_MIN);
        break;
    case COLUMN_OTER:
        return put_oter(c, context, false, err);
    case COLUMN_TERRAIN:
        return put_oter(c, context, true, err);
    default:
        sqlite3_result_int64(context, c->omts[c->entry]);
    }
    return PTL_OK;
}

static int64_t count_rowid(const void *cursor)
{
    const count_cursor *c = cursor;
    return (int64_t)(((uint64_t)c->info.id * 32 + (uint64_t)c->index) * 65536 + c->entry);
}

const vtab_form vtab_terrain_count = {.table_size = sizeof(vtab_table),
                                      .cursor_size = sizeof(count_cursor),
                                      .declaration = DECLARATION,
                                      .best_index = count_best_index,
                                      .dispose = count_dispose,
                                      .filter = count_filter,
                                      .next = count_next,
                                      .column = count_column,
                                      .rowid = count_rowid};
