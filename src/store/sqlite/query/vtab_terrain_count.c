/*
 * terrain_count(world, chunk_x, chunk_y, z, oter, terrain, tiles): how many tiles of each oter
 * every level of every chunk has. Counted from the runs of the levels that are asked for; cells
 * are not expanded.
 */
#include "codec/chunk_codec.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/query/vtab_conditions.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/level_count.h"
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
    COLUMN_TILES,
    COLUMNS = COLUMN_TILES
};

static const char DECLARATION[] =
    "CREATE TABLE terrain_count (world TEXT, chunk_x INTEGER, chunk_y INTEGER, z INTEGER, "
    "oter TEXT, terrain TEXT, tiles INTEGER)";

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
    sqlite3_vtab_cursor base;
    stmt *chunks, *level;
    char *used; /* the conditions that chunks was made for; owned */
    bool row;   /* chunks is on one */
    chunk_info info;
    uint32_t fill[PTL_LEVELS];
    int first, last;    /* levels, from 0, that are wanted */
    int next, index;    /* the one that comes next, the one that is shown */
    condition_ids oter; /* what is wanted */
    bool by_terrain;    /* only oters of this set are wanted */
    oter_set wanted;
    oter_table *names;   /* the source's */
    size_t entry, count; /* of the level's palette */
    uint32_t palette[PTL_LEVEL_CELLS], tiles[PTL_LEVEL_CELLS];
} count_cursor;

static sql_source *source_of(const count_cursor *c)
{
    return vtab_source_of(&c->base);
}

static int count_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **message)
{
    (void)argc;
    (void)argv;
    return vtab_connect(db, aux, DECLARATION, sizeof(vtab_table), out, message);
}

static int count_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    return conditions_plan(info, columns, COLUMNS, 1e7);
}

static int count_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    count_cursor *c = calloc(1, sizeof *c);
    if (!c)
        return SQLITE_NOMEM;
    *out = &c->base;
    return SQLITE_OK;
}

static int count_close(sqlite3_vtab_cursor *cursor)
{
    count_cursor *c = (count_cursor *)cursor;
    stmt_free(c->chunks);
    stmt_free(c->level);
    free(c->used);
    condition_ids_dispose(&c->oter);
    oter_set_dispose(&c->wanted);
    free(c);
    return SQLITE_OK;
}

/* ---- levels ---- */

static ptl_status next_chunk(count_cursor *c, ptl_error *err)
{
    row_scratch *scratch;
    ptl_store *store = source_of(c)->store;
    ptl_status status = stmt_step(c->chunks, &c->row, err);
    if (status != PTL_OK || !c->row)
        return status;
    c->next = c->first;
    status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = chunk_info_read(&c->info, scratch, c->chunks, err);
    if (status == PTL_OK)
        status = dictionary_refresh(store, err);
    if (status != PTL_OK)
        return status;
    size_t size;
    const void *blob = stmt_blob(c->chunks, CHUNK_COLUMN_FILL, &size);
    return fill_parse(c->fill, blob, size, dictionary_size(store), err);
}

static ptl_status count_stored(count_cursor *c, ptl_error *err)
{
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
        const void *tiles = stmt_blob(c->level, 1, &size);
        status = level_row_runs(&runs, source_of(c)->store, id, stmt_int(c->level, 0), tiles,
                                size, err);
    }
    if (status == PTL_OK) {
        level_count(c->tiles, runs, LEVEL_RECT_ALL);
        memcpy(c->palette, runs->palette, runs->palette_count * sizeof *c->palette);
        c->count = runs->palette_count;
    }
    stmt_reset(c->level);
    return status;
}

static ptl_status count_level(count_cursor *c, ptl_error *err)
{
    c->index = c->next++;
    c->entry = 0;
    if (c->info.level_mask >> c->index & 1)
        return count_stored(c, err);
    c->palette[0] = c->fill[c->index];
    c->tiles[0] = PTL_LEVEL_CELLS;
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

/* To the first entry from here on that is wanted. */
static int seek(count_cursor *c)
{
    ptl_error err = {0};
    ptl_status status = PTL_OK;
    while (c->row && status == PTL_OK) {
        for (; c->entry < c->count; c->entry++)
            if (entry_wanted(c))
                return SQLITE_OK;
        if (c->next <= c->last) {
            status = count_level(c, &err);
        } else {
            c->count = c->entry = 0;
            status = next_chunk(c, &err);
        }
    }
    if (status == PTL_OK)
        return SQLITE_OK;
    error_prefix(&err, status, "chunk %d,%d", c->info.pos.x, c->info.pos.y);
    c->row = false;
    return vtab_failed(c->base.pVtab, status, &err);
}

/* ---- filter ---- */

static ptl_status prepare(count_cursor *c, const char *used, ptl_error *err)
{
    ptl_store *store = source_of(c)->store;
    ptl_status status = PTL_OK;
    if (!c->level)
        status = stmt_prepare(&c->level, store,
                              "SELECT checksum, tiles FROM main.level WHERE id = ?", err);
    if (c->chunks && strcmp(c->used, used) == 0)
        stmt_reset(c->chunks);
    if (status != PTL_OK || (c->chunks && strcmp(c->used, used) == 0))
        return status;
    stmt_free(c->chunks);
    c->chunks = NULL;
    free(c->used);
    c->used = strdup(used);
    bytes sql;
    bytes_init(&sql);
    bytes_put_text(&sql, CHUNKS_SQL);
    conditions_sql(&sql, used, columns);
    bytes_put_text(&sql, " ORDER BY w.id, c.x, c.y");
    const char *text = c->used ? bytes_text(&sql) : NULL;
    status = text ? stmt_prepare(&c->chunks, store, text, err) : error_nomem(err);
    bytes_dispose(&sql);
    return status;
}

static ptl_status take_wanted(count_cursor *c, const char *used, sqlite3_value **values,
                              ptl_error *err)
{
    sql_source *source = source_of(c);
    condition_ids terrains = {0};
    ptl_status status = conditions_ids(&c->oter, source->store, used, COLUMN_OTER, values, err);
    if (status == PTL_OK)
        status = conditions_ids(&terrains, source->store, used, COLUMN_TERRAIN, values, err);
    if (status == PTL_OK)
        status = oter_table_use(&c->names, source, err);
    c->by_terrain = !terrains.any;
    if (status == PTL_OK && c->by_terrain)
        status = oter_set_clear(&c->wanted, c->names, err);
    for (size_t i = 0; i < terrains.count && c->by_terrain && status == PTL_OK; i++)
        status = oter_set_add_terrain(&c->wanted, source, terrains.ids[i], err);
    condition_ids_dispose(&terrains);
    return status;
}

static ptl_status bind(count_cursor *c, const char *used, sqlite3_value **values,
                       place_range *levels, ptl_error *err)
{
    place_range ranges[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        ranges[i] = (place_range){PTL_Z_MIN, PTL_Z_MAX};
    ptl_status status = take_wanted(c, used, values, err);
    if (status == PTL_OK &&
        conditions_bind(c->chunks, used, columns, values, ranges) != SQLITE_OK)
        status = error_nomem(err);
    *levels = ranges[COLUMN_Z];
    return status;
}

static int count_filter(sqlite3_vtab_cursor *cursor, int number, const char *used, int argc,
                        sqlite3_value **values)
{
    count_cursor *c = (count_cursor *)cursor;
    ptl_error err = {0};
    place_range levels = {0, -1};
    (void)number;
    (void)argc;
    c->row = false;
    c->entry = c->count = 0;
    int code = vtab_ready(cursor->pVtab);
    if (code != SQLITE_OK)
        return code;
    ptl_status status = prepare(c, used, &err);
    if (status == PTL_OK)
        status = bind(c, used, values, &levels, &err);
    c->first = (int)(levels.low - PTL_Z_MIN);
    c->last = (int)(levels.high - PTL_Z_MIN);
    if (status == PTL_OK && levels.low <= levels.high)
        status = next_chunk(c, &err);
    return status == PTL_OK ? seek(c) : vtab_failed(cursor->pVtab, status, &err);
}

static int count_next(sqlite3_vtab_cursor *cursor)
{
    count_cursor *c = (count_cursor *)cursor;
    c->entry++;
    return seek(c);
}

static int count_eof(sqlite3_vtab_cursor *cursor)
{
    return !((count_cursor *)cursor)->row;
}

static int put_oter(const count_cursor *c, sqlite3_context *context, bool terrain)
{
    const uint32_t number = c->palette[c->entry];
    const oter_name *name = NULL;
    ptl_error err = {0};
    if (number >= oter_table_size(c->names)) { /* written since the filter began */
        const char *id = terrain ? NULL : dictionary_name(source_of(c)->store, number);
        sqlite3_result_text(context, id, -1, SQLITE_STATIC);
        return SQLITE_OK;
    }
    ptl_status status = oter_table_look_up(&name, c->names, source_of(c), number, &err);
    if (status != PTL_OK)
        return vtab_failed(c->base.pVtab, status, &err);
    if (terrain)
        sqlite3_result_text(context, name->terrain, name->terrain_size, SQLITE_STATIC);
    else
        sqlite3_result_text(context, name->id, name->id_size, SQLITE_STATIC);
    return SQLITE_OK;
}

static int count_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    const count_cursor *c = (const count_cursor *)cursor;
    switch (column) {
    case COLUMN_WORLD:
        sqlite3_result_text(context, stmt_text(c->chunks, CHUNK_WORLD), -1, SQLITE_TRANSIENT);
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
        return put_oter(c, context, false);
    case COLUMN_TERRAIN:
        return put_oter(c, context, true);
    default:
        sqlite3_result_int64(context, c->tiles[c->entry]);
    }
    return SQLITE_OK;
}

static int count_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    const count_cursor *c = (const count_cursor *)cursor;
    *out = (sqlite3_int64)(((uint64_t)c->info.id * 32 + (uint64_t)c->index) * 65536 + c->entry);
    return SQLITE_OK;
}

const sqlite3_module vtab_terrain_count_module = {
    .xConnect = count_connect, /* no xCreate: eponymous only */
    .xBestIndex = count_best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = count_open,
    .xClose = count_close,
    .xFilter = count_filter,
    .xNext = count_next,
    .xEof = count_eof,
    .xColumn = count_column,
    .xRowid = count_rowid,
};
