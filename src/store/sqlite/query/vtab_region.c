/*
 * region_count(world, x0, y0, x1, y1, z_first, z_last): number of cells of each oter in a
 * rectangle, level by level. It adds up the lengths of runs, so no single cell is read. An
 * argument that is not given sets no bound. But if z_first is given without z_last, only the
 * level z_first is counted. All counting happens in the filter; the file is not read
 * afterwards.
 */
#include "core/array.h"
#include "core/error.h"
#include "core/whole.h"
#include "store/sqlite/query/omt_levels.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"

#include <stdlib.h>
#include <string.h>

enum {
    REGION_OTER,
    REGION_TERRAIN,
    REGION_Z,
    REGION_OMTS,
    REGION_WORLD, /* the columns from here on are the arguments */
    REGION_X0,
    REGION_Y0,
    REGION_X1,
    REGION_Y1,
    REGION_Z_FIRST,
    REGION_Z_LAST,
    REGION_COLUMNS,
    ARGUMENTS = REGION_COLUMNS - REGION_WORLD
};

static const char *const ARGUMENT_NAMES[ARGUMENTS] = {"world", "x0",      "y0",    "x1",
                                                      "y1",    "z_first", "z_last"};

typedef struct region_row {
    int32_t z;
    uint32_t number;
    uint64_t omts;
} region_row;

typedef struct region_cursor {
    vtab_cursor base;
    int given; /* bit i: argument i is given; the first argument is bit 0 */
    const char *world;
    /* The integer arguments, indexed by column. An argument that is not given has the outermost
     * possible value. */
    int64_t values[REGION_COLUMNS];
    uint64_t *counts[PTL_LEVELS]; /* used only while counting: for each level, an array with the
                                   * number of cells of each oter, by the oter's number */
    size_t count_size;
    uint32_t *of_palette; /* owned; used only while counting: for each oter in the list of oters
                           * of the level that is counted now, its number of cells */
    region_row *rows;     /* owned */
    size_t row_count, at;
} region_cursor;

static const char DECLARATION[] =
    "CREATE TABLE region_count (oter TEXT, terrain TEXT, z INTEGER, "
    "omts INTEGER, world HIDDEN, x0 HIDDEN, y0 HIDDEN, x1 HIDDEN, "
    "y1 HIDDEN, z_first HIDDEN, z_last HIDDEN)";

static int region_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    const int code = arguments_plan(info, REGION_WORLD, ARGUMENTS);
    info->estimatedCost = 1e6;
    info->estimatedRows = 500;
    info->orderByConsumed =
        info->nOrderBy == 1 && info->aOrderBy[0].iColumn == REGION_Z && !info->aOrderBy[0].desc;
    return code;
}

static void drop_counts(region_cursor *c)
{
    for (int i = 0; i < PTL_LEVELS; i++) {
        free(c->counts[i]);
        c->counts[i] = NULL;
    }
    free(c->of_palette);
    c->of_palette = NULL;
}

static void region_dispose(void *cursor)
{
    region_cursor *c = cursor;
    drop_counts(c);
    free(c->rows);
}

static sql_source *source_of(const region_cursor *c)
{
    return vtab_source_of(&c->base);
}

/* ---- reading arguments ---- */

static ptl_status wrong(int argument, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_ARGUMENT, "region_count: %s is not %s",
                     ARGUMENT_NAMES[argument], what);
}

/* Reads an argument. If it is NULL, *none becomes true, since no row satisfies a comparison
 * with NULL. */
static ptl_status read_argument(region_cursor *c, int i, sqlite3_value *value, bool *none,
                                ptl_error *err)
{
    const bool text = i == 0;
    const int type = text ? sqlite3_value_type(value) : sqlite3_value_numeric_type(value);
    if (type == SQLITE_NULL) {
        *none = true;
        return PTL_OK;
    }
    if (!text) {
        c->values[REGION_WORLD + i] = sqlite3_value_int64(value);
        return type == SQLITE_INTEGER ? PTL_OK : wrong(i, "an integer", err);
    }
    if (type != SQLITE_TEXT)
        return wrong(i, "a text", err);
    const char *name = (const char *)sqlite3_value_text(value);
    c->world = name ? sql_source_text(source_of(c), name) : NULL;
    return c->world ? PTL_OK : error_nomem(err);
}

static bool is_given(const region_cursor *c, int column)
{
    return c->given >> (column - REGION_WORLD) & 1;
}

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- counting ---- */

/* Counts the cells of a chunk that are inside the rectangle. */
static ptl_status count_chunk(region_cursor *c, const omt_chunk *chunk, ptl_error *err)
{
    const int64_t x = (int64_t)chunk->info.pos.x * PTL_CHUNK_SIZE;
    const int64_t y = (int64_t)chunk->info.pos.y * PTL_CHUNK_SIZE;
    const level_rect rect = {(int)at_least(c->values[REGION_X0] - x, 0),
                             (int)at_least(c->values[REGION_Y0] - y, 0),
                             (int)at_most(c->values[REGION_X1] - x, PTL_CHUNK_SIZE - 1),
                             (int)at_most(c->values[REGION_Y1] - y, PTL_CHUNK_SIZE - 1)};
    const int32_t last = (int32_t)c->values[REGION_Z_LAST];
    for (int32_t z = (int32_t)c->values[REGION_Z_FIRST]; z <= last; z++) {
        const level_runs *r = NULL;
        TRY(omt_level_runs(&r, source_of(c), chunk, z, err));
        level_count(c->of_palette, r, rect);
        for (size_t i = 0; i < r->palette_count; i++)
            c->counts[z - PTL_Z_MIN][r->palette[i]] += c->of_palette[i];
    }
    return PTL_OK;
}

static const char CHUNKS_SQL[] =
    "SELECT " CHUNK_COLUMNS " FROM main.world w CROSS JOIN main.chunk c ON c.world_id = w.id "
    "WHERE (?5 IS NULL OR w.name = ?5) AND c.x BETWEEN ?1 AND ?2 AND c.y BETWEEN ?3 AND ?4";

static ptl_status count_chunks(region_cursor *c, ptl_error *err)
{
    stmt *s = NULL;
    omt_chunk chunk;
    ptl_status status = stmt_query(&s, source_of(c)->store, CHUNKS_SQL,
                                   STMT_VALUES(floor_div(c->values[REGION_X0], PTL_CHUNK_SIZE),
                                               floor_div(c->values[REGION_X1], PTL_CHUNK_SIZE),
                                               floor_div(c->values[REGION_Y0], PTL_CHUNK_SIZE),
                                               floor_div(c->values[REGION_Y1], PTL_CHUNK_SIZE)),
                                   err);
    stmt_bind_text(s, 5, c->world);
    while (stmt_row(s, &status, err)) {
        status = omt_chunk_read(&chunk, source_of(c), s, err);
        THEN(status, count_chunk(c, &chunk, err));
    }
    stmt_free(s);
    return status;
}

/* Sorts by z; on one level the most frequent oter comes first. */
static int compare_rows(const void *a, const void *b)
{
    const region_row *r = a, *s = b;
    return ORDER_BY(r->z, s->z, (int64_t)s->omts, (int64_t)r->omts, r->number, s->number);
}

static ptl_status count_all(region_cursor *c, ptl_error *err)
{
    TRY(dictionary_refresh(source_of(c)->store, err));
    c->count_size = dictionary_size(source_of(c)->store);
    c->of_palette = malloc(PTL_LEVEL_CELLS * sizeof *c->of_palette);
    if (!c->of_palette)
        return error_nomem(err);
    for (int64_t z = c->values[REGION_Z_FIRST]; z <= c->values[REGION_Z_LAST]; z++) {
        c->counts[z - PTL_Z_MIN] = calloc(c->count_size, sizeof *c->counts[0]);
        if (!c->counts[z - PTL_Z_MIN])
            return error_nomem(err);
    }
    TRY(count_chunks(c, err));
    size_t count = 0;
    for (int i = 0; i < PTL_LEVELS; i++)
        for (size_t k = 0; c->counts[i] && k < c->count_size; k++)
            count += c->counts[i][k] > 0;
    c->rows = malloc((count + 1) * sizeof *c->rows);
    if (!c->rows)
        return error_nomem(err);
    for (int i = 0; i < PTL_LEVELS; i++)
        for (size_t k = 0; c->counts[i] && k < c->count_size; k++)
            if (c->counts[i][k] > 0)
                c->rows[c->row_count++] =
                    (region_row){i + PTL_Z_MIN, (uint32_t)k, c->counts[i][k]};
    qsort(c->rows, c->row_count, sizeof *c->rows, compare_rows);
    return PTL_OK;
}

/* Reads the table's arguments, and counts the OMTs for which they ask. In place of an argument
 * that is not given the outermost bound is used. */
static ptl_status start(region_cursor *c, int given, sqlite3_value **values, ptl_error *err)
{
    ptl_status status = PTL_OK;
    bool none = false;
    static const int64_t bounds[ARGUMENTS] = {0,         INT64_MIN, INT64_MIN, INT64_MAX,
                                              INT64_MAX, PTL_Z_MIN, PTL_Z_MAX};
    memcpy(c->values + REGION_WORLD, bounds, sizeof bounds);
    c->given = given;
    c->world = NULL;
    for (int i = 0, next = 0; i < ARGUMENTS && status == PTL_OK; i++)
        if (given >> i & 1)
            status = read_argument(c, i, values[next++], &none, err);
    if (is_given(c, REGION_Z_FIRST) && !is_given(c, REGION_Z_LAST))
        c->values[REGION_Z_LAST] = c->values[REGION_Z_FIRST];
    if (status != PTL_OK || none)
        return status;
    const int64_t most = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    const int64_t least = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    for (int i = REGION_X0; i <= REGION_Y0; i++)
        c->values[i] = at_least(c->values[i], least);
    for (int i = REGION_X1; i <= REGION_Y1; i++)
        c->values[i] = at_most(c->values[i], most);
    c->values[REGION_Z_FIRST] = at_least(c->values[REGION_Z_FIRST], PTL_Z_MIN);
    c->values[REGION_Z_LAST] = at_most(c->values[REGION_Z_LAST], PTL_Z_MAX);
    if (c->values[REGION_X0] > c->values[REGION_X1] ||
        c->values[REGION_Y0] > c->values[REGION_Y1])
        return PTL_OK;
    status = count_all(c, err);
    drop_counts(c);
    return status;
}

static ptl_status region_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    region_cursor *c = cursor;
    free(c->rows);
    c->rows = NULL;
    c->row_count = c->at = 0;
    TRY(start(c, call->number, call->values, err));
    c->base.row = c->row_count > 0;
    return PTL_OK;
}

static ptl_status region_next(void *cursor, ptl_error *err)
{
    region_cursor *c = cursor;
    (void)err;
    c->base.row = ++c->at < c->row_count;
    return PTL_OK;
}

/* ---- values of columns ---- */

static ptl_status region_column_value(void *cursor, sqlite3_context *context, int column,
                                      ptl_error *err)
{
    region_cursor *c = cursor;
    const region_row *row = &c->rows[c->at];
    if (column == REGION_OTER || column == REGION_TERRAIN)
        return oter_put(context, source_of(c), row->number, column == REGION_TERRAIN, err);
    if (column == REGION_Z)
        sqlite3_result_int(context, row->z);
    else if (column == REGION_OMTS)
        sqlite3_result_int64(context, (sqlite3_int64)row->omts);
    else if (column == REGION_WORLD && c->world)
        sqlite3_result_text(context, c->world, -1, SQLITE_STATIC);
    else if (is_given(c, column))
        sqlite3_result_int64(context, c->values[column]);
    return PTL_OK;
}

static int64_t region_rowid(const void *cursor)
{
    return (int64_t)((const region_cursor *)cursor)->at;
}

const vtab_form vtab_region = {.cursor_size = sizeof(region_cursor),
                               .declaration = DECLARATION,
                               .best_index = region_best_index,
                               .dispose = region_dispose,
                               .filter = region_filter,
                               .next = region_next,
                               .column = region_column_value,
                               .rowid = region_rowid};
