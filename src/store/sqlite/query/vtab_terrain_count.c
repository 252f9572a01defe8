/*
 * terrain_count(world, chunk_x, chunk_y, z, oter, terrain, omts): number of cells of each oter
 * in every level of every chunk. It adds up the lengths of runs in the levels that a query
 * wants, so no single cell is read.
 */
#include "core/error.h"
#include "store/sqlite/query/omt_levels.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"

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
static const condition_select chunks = {CHUNKS_SQL, " ORDER BY w.id, c.x, c.y", columns,
                                        COLUMNS};

typedef struct count_cursor {
    vtab_cursor base;
    condition_rows chunks;
    omt_chunk chunk;
    int32_t first, last; /* the levels that the query wants */
    /* The cursor's level. As long as no level of this chunk has been read, it is first - 1. */
    int32_t z;
    oter_set wanted;     /* the oters that the query wants */
    size_t entry, count; /* index of the cursor's oter in the level's list of oters, and length
                            of this list */
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
    oter_set_dispose(&c->wanted);
}

/* ---- reading levels ---- */

static ptl_status next_chunk(count_cursor *c, ptl_error *err)
{
    TRY(stmt_step(c->chunks.s, &c->base.row, err));
    c->z = c->first - 1;
    c->count = c->entry = 0;
    if (!c->base.row)
        return PTL_OK;
    TRY(dictionary_refresh(source_of(c)->store, err));
    return omt_chunk_read(&c->chunk, source_of(c), c->chunks.s, err);
}

static ptl_status next_level(count_cursor *c, ptl_error *err)
{
    const level_runs *runs = NULL;
    TRY(omt_level_runs(&runs, source_of(c), &c->chunk, ++c->z, err));
    level_count(c->omts, runs, LEVEL_RECT_ALL);
    memcpy(c->palette, runs->palette, runs->palette_count * sizeof *c->palette);
    c->count = runs->palette_count;
    c->entry = 0;
    return PTL_OK;
}

/* Goes to the next oter in the level's list of oters that the query wants, beginning with the
 * present one. An oter that was written after the filter began is not in the set of wanted
 * oters; its rows are given, and SQLite checks the condition again. */
static ptl_status seek(count_cursor *c, ptl_error *err)
{
    while (c->base.row) {
        for (; c->entry < c->count; c->entry++)
            if (oter_set_has(&c->wanted, c->palette[c->entry]) ||
                c->palette[c->entry] >= c->wanted.size)
                return PTL_OK;
        TRY(c->z < c->last ? next_level(c, err) : next_chunk(c, err));
    }
    return PTL_OK;
}

/* ---- beginning a query, and values of columns ---- */

static ptl_status count_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    count_cursor *c = cursor;
    sql_source *source = source_of(c);
    place_range ranges[COLUMNS];
    const place_range *z = &ranges[COLUMN_Z];
    TRY(oter_set_of_call(&c->wanted, source, call, COLUMN_OTER, COLUMN_TERRAIN, err));
    TRY(conditions_start(&c->chunks, source->store, &chunks, call, ranges, err));
    const int64_t low = z->low > PTL_Z_MIN ? z->low : PTL_Z_MIN;
    const int64_t high = z->high < PTL_Z_MAX ? z->high : PTL_Z_MAX;
    if (low > high)
        return PTL_OK;
    c->first = (int32_t)low;
    c->last = (int32_t)high;
    TRY(next_chunk(c, err));
    return seek(c, err);
}

static ptl_status count_next(void *cursor, ptl_error *err)
{
    count_cursor *c = cursor;
    c->entry++;
    return seek(c, err);
}

static ptl_status count_column(void *cursor, sqlite3_context *context, int column,
                               ptl_error *err)
{
    const count_cursor *c = cursor;
    if (column == COLUMN_OTER || column == COLUMN_TERRAIN)
        return oter_put(context, source_of(c), c->palette[c->entry], column == COLUMN_TERRAIN,
                        err);
    if (column == COLUMN_WORLD)
        sqlite3_result_text(context, stmt_text(c->chunks.s, CHUNK_WORLD), -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_int64(context, column == COLUMN_CHUNK_X   ? c->chunk.info.pos.x
                                      : column == COLUMN_CHUNK_Y ? c->chunk.info.pos.y
                                      : column == COLUMN_Z       ? c->z
                                                                 : (int64_t)c->omts[c->entry]);
    return PTL_OK;
}

static int64_t count_rowid(const void *cursor)
{
    const count_cursor *c = cursor;
    const uint64_t id = (uint64_t)c->chunk.info.id * 32 + (uint64_t)(c->z - PTL_Z_MIN);
    return (int64_t)(id * 65536 + c->entry);
}

const vtab_form vtab_terrain_count = {.cursor_size = sizeof(count_cursor),
                                      .declaration = DECLARATION,
                                      .best_index = count_best_index,
                                      .dispose = count_dispose,
                                      .filter = count_filter,
                                      .next = count_next,
                                      .column = count_column,
                                      .rowid = count_rowid};
