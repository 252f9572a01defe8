/*
 * Virtual table `omt`, which is read-only and has a row for every cell of every saved chunk.
 * Chunks come in the order of world, x, y. Only the levels that a query wants are decoded, one
 * by one; a level whose list of oters lacks the wanted terrain is skipped without decoding. A
 * cursor over a world keeps its statement open as the read transaction, so that it sees one
 * state of the file. A single cell, as in a join, is looked up in the cache of decoded levels
 * (omt_levels.h).
 */
#include "core/error.h"
#include "core/whole.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/query/omt_levels.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"

#include <stdlib.h>
#include <string.h>

enum {
    OMT_WORLD,
    OMT_X,
    OMT_Y,
    OMT_Z,
    OMT_OTER,
    OMT_TERRAIN,
    OMT_SPECIAL,
    OMT_CHUNK_X, /* the columns from here on are hidden */
    OMT_CHUNK_Y,
    OMT_NUMBER,
    OMT_COLUMNS
};

static const char DECLARATION[] =
    "CREATE TABLE omt (world TEXT, x INTEGER, y INTEGER, z INTEGER, "
    "oter TEXT, terrain TEXT, special_placement INTEGER, "
    "chunk_x INTEGER HIDDEN, chunk_y INTEGER HIDDEN, "
    "oter_number INTEGER HIDDEN)";

/* How conditions on each column are used. `share`, for SQLite's planner, is not set, since
 * estimate() computes a better value for each query. */
static const condition_column columns[OMT_COLUMNS] = {
    [OMT_WORLD] = {.kind = CONDITION_OWN},     [OMT_X] = {.kind = CONDITION_RANGE},
    [OMT_Y] = {.kind = CONDITION_RANGE},       [OMT_Z] = {.kind = CONDITION_RANGE},
    [OMT_OTER] = {.kind = CONDITION_IDS},      [OMT_TERRAIN] = {.kind = CONDITION_IDS},
    [OMT_SPECIAL] = {.kind = CONDITION_BOUND}, [OMT_CHUNK_X] = {.kind = CONDITION_RANGE},
    [OMT_CHUNK_Y] = {.kind = CONDITION_RANGE}, [OMT_NUMBER] = {.kind = CONDITION_RANGE},
};

enum { CHUNKS_OF_WORLD, CHUNKS_OF_ALL, CHUNK_BY_ID, CHUNK_QUERIES };

#define CHUNKS_IN "c.x BETWEEN ?1 AND ?2 AND c.y BETWEEN ?3 AND ?4 ORDER BY w.id, c.x, c.y"
#define FROM_WORLDS                                                                            \
    ", w.name FROM main.world w CROSS JOIN main.chunk c ON c.world_id = w.id WHERE "

static const char *const QUERIES[CHUNK_QUERIES] = {
    [CHUNKS_OF_WORLD] = "SELECT " CHUNK_COLUMNS FROM_WORLDS "w.name = ?5 AND " CHUNKS_IN,
    [CHUNKS_OF_ALL] = "SELECT " CHUNK_COLUMNS FROM_WORLDS CHUNKS_IN,
    [CHUNK_BY_ID] = "SELECT " CHUNK_COLUMNS
                    ", w.name FROM main.chunk c CROSS JOIN main.world w ON w.id = c.world_id "
                    "WHERE c.id = ?5 AND c.x BETWEEN ?1 AND ?2 AND c.y BETWEEN ?3 AND ?4"};
enum { COLUMN_WORLD_NAME = CHUNK_COLUMN_COUNT };

typedef struct omt_cursor {
    vtab_cursor base;
    stmt *queries[CHUNK_QUERIES]; /* statements that read chunks, each prepared when it is first
                                     used */
    stmt *chunks; /* borrowed from `queries`: the statement that runs; NULL: none runs */
    place_range ranges[OMT_COLUMNS]; /* the ranges that the query allows for integer columns */
    sqlite3_value *world_asked;      /* the world that the query wants, a text, borrowed while
                                      * omt_filter runs; NULL: any world */
    oter_set set;                    /* the oters that the query wants */
    /* Owned; says for each oter in the level's list of oters (omt_level.palette) whether the
     * query wants it. It has room for the longest list. */
    uint8_t *match;

    const char *world;
    int world_size;
    omt_chunk chunk;
    omt_level *own, *level;     /* the level that is read: `own`, or a pinned level of the
                                 * cache */
    int32_t z, x, y;            /* the cursor's cell: level, and column and row in the chunk */
    int32_t x0, y0, x1, y1, z1; /* the part of the chunk that the query wants */
    int64_t origin_x, origin_y; /* absolute OMT of the chunk's north-western cell */
    omt_specials *specials;     /* owned; NULL until it is needed */
    const int32_t *numbers;     /* for each cell of this level, the number of its special in the
                                 * chunk; NULL until that is needed */
} omt_cursor;

/* ---- estimates for SQLite's planner ---- */

/* How many conditions of the query there are for each column: with =, with a list of values,
 * and with other operators. */
typedef struct omt_uses {
    int equal[OMT_COLUMNS], lists[OMT_COLUMNS], bounds[OMT_COLUMNS];
} omt_uses;

/* Estimates which share of all rows satisfy the query's conditions on a column; `values` is the
 * number of different values that the column has. */
static double share(const omt_uses *uses, int column, double values)
{
    if (uses->equal[column] || uses->lists[column])
        return 1 / values;
    return uses->bounds[column] > 1 ? 0.1 : uses->bounds[column] ? 0.5 : 1;
}

/*
 * Estimates rows and cost. SQLite assumes a million rows for every table without statistics.
 * Therefore a million overmaps are assumed here; with fewer, SQLite would take reading all
 * cells to be cheaper than reading all chunks. A cell whose world, x, y and z are known is one
 * row, mostly of a level that is already decoded, so in a join SQLite should look up this table
 * in the inner loop.
 */
static void estimate(sqlite3_index_info *info, const omt_uses *uses)
{
    double rows = 1e6 * PTL_LEVELS * PTL_LEVEL_CELLS;
    rows *= share(uses, OMT_WORLD, 2) * share(uses, OMT_Z, PTL_LEVELS);
    rows *= share(uses, OMT_X, 180000) * share(uses, OMT_Y, 180000);
    rows *= share(uses, OMT_CHUNK_X, 1000) * share(uses, OMT_CHUNK_Y, 1000);
    double cost = rows;
    const double oters = share(uses, OMT_OTER, 1000) * share(uses, OMT_NUMBER, 1000) *
                         share(uses, OMT_TERRAIN, 500) * share(uses, OMT_SPECIAL, 1e6);
    if (oters < 1) { /* the query wants some oters only: levels without these are skipped; in
                      * other levels most cells are passed over quickly */
        cost *= oters > 0.02 ? oters : 0.02;
        rows *= oters;
    }
    if (uses->equal[OMT_X] && uses->equal[OMT_Y] && uses->equal[OMT_Z]) {
        rows = uses->equal[OMT_WORLD] ? 1 : 2;
        cost = rows;
        if (uses->equal[OMT_WORLD])
            info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    }
    info->estimatedCost = cost + 5;
    info->estimatedRows = rows < 1 ? 1 : (sqlite3_int64)rows;
}

/* Returns true if rows come in the order that the query wants. They are sorted by chunk_x,
 * chunk_y, z, y, x; a column that must equal one value does not matter. */
static bool in_order(const sqlite3_index_info *info, const omt_uses *uses)
{
    static const int order[] = {OMT_CHUNK_X, OMT_CHUNK_Y, OMT_Z, OMT_Y, OMT_X};
    const size_t count = sizeof order / sizeof order[0];
    size_t at = 0;
    if (!uses->equal[OMT_WORLD] || info->nOrderBy == 0)
        return false;
    for (int i = 0; i < info->nOrderBy; i++) {
        const int column = info->aOrderBy[i].iColumn;
        if (column >= 0 && uses->equal[column])
            continue;
        while (at < count &&
               (uses->equal[order[at]] || (order[at] == OMT_CHUNK_X && uses->equal[OMT_X]) ||
                (order[at] == OMT_CHUNK_Y && uses->equal[OMT_Y])))
            at++;
        if (at == count || order[at] != column || info->aOrderBy[i].desc)
            return false;
        at++;
    }
    return true;
}

static int omt_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    omt_uses uses = {{0}, {0}, {0}};
    (void)table;
    const int code = conditions_plan(info, columns, OMT_COLUMNS, 1);
    if (code != SQLITE_OK)
        return code;
    for (const char *at = info->idxStr; *at; at += 2)
        (at[1] == '=' ? uses.equal : at[1] == 'i' ? uses.lists : uses.bounds)[*at - 'a']++;
    info->orderByConsumed = in_order(info, &uses);
    estimate(info, &uses);
    return SQLITE_OK;
}

/* ---- cursors ---- */

/* Ends the reading of rows for one query: unpins the level and resets the statement. The cursor
 * is on no row afterwards. */
static void let_go(omt_cursor *c)
{
    if (c->level && c->level != c->own)
        omt_level_unpin(c->level);
    c->level = NULL;
    c->numbers = NULL;
    stmt_reset(c->chunks);
    c->chunks = NULL;
    c->base.row = false;
}

static void omt_dispose(void *cursor)
{
    omt_cursor *c = cursor;
    let_go(c);
    for (int i = 0; i < CHUNK_QUERIES; i++)
        stmt_free(c->queries[i]);
    omt_level_free(c->own);
    omt_specials_free(c->specials);
    oter_set_dispose(&c->set);
    free(c->match);
}

static sql_source *source_of(const omt_cursor *c)
{
    return vtab_source_of(&c->base);
}

/* ---- going from cell to cell ---- */

/* Goes to the next cell of the level that the query wants, beginning with the present cell;
 * false if the level has no more of them. */
static bool find_match(omt_cursor *c)
{
    for (; c->y <= c->y1; c->y++, c->x = c->x0) {
        const uint16_t *row = c->level->cells + c->y * PTL_CHUNK_SIZE;
        int32_t x = c->x;
        while (x <= c->x1 && !c->match[row[x]])
            x++;
        if (x <= c->x1) {
            c->x = x;
            return true;
        }
    }
    return false;
}

/* Marks the oters of a newly decoded level that the query wants, and goes to the first cell
 * with such an oter; false if there is none. */
static bool enter_level(omt_cursor *c)
{
    c->x = c->x0;
    c->y = c->y0;
    c->numbers = NULL;
    if (c->set.all)
        return true;
    bool any = false;
    for (size_t i = 0; i < c->level->palette_count; i++) {
        c->match[i] = oter_set_has(&c->set, c->level->palette[i]);
        any = any || c->match[i];
    }
    return any && find_match(c);
}

static int32_t within(int64_t v)
{
    return v < 0 ? 0 : v >= PTL_CHUNK_SIZE ? PTL_CHUNK_SIZE - 1 : (int32_t)v;
}

static void enter_chunk(omt_cursor *c)
{
    const place_range *r = c->ranges;
    c->origin_x = (int64_t)c->chunk.info.pos.x * PTL_CHUNK_SIZE;
    c->origin_y = (int64_t)c->chunk.info.pos.y * PTL_CHUNK_SIZE;
    c->x0 = within(r[OMT_X].low - c->origin_x);
    c->x1 = within(r[OMT_X].high - c->origin_x);
    c->y0 = within(r[OMT_Y].low - c->origin_y);
    c->y1 = within(r[OMT_Y].high - c->origin_y);
    c->z = (int32_t)r[OMT_Z].low - 1;
    c->z1 = (int32_t)r[OMT_Z].high;
}

/* Applies the query's condition on the column special_placement: of this chunk, only the cells
 * inside the bounds of that special are read. */
static ptl_status keep_special(omt_cursor *c, ptl_error *err)
{
    omt_bounds b;
    bool any;
    const int32_t number = (int32_t)(c->ranges[OMT_SPECIAL].low % FEATURE_SPECIALS_MAX);
    TRY(omt_specials_bounds(&b, &any, &c->specials, source_of(c), &c->chunk, number, err));
    c->x0 = clamp(c->x0, b.x0, INT32_MAX);
    c->x1 = clamp(c->x1, INT32_MIN, b.x1);
    c->y0 = clamp(c->y0, b.y0, INT32_MAX);
    c->y1 = clamp(c->y1, INT32_MIN, b.y1);
    c->z = clamp(c->z, b.z0 - 1, INT32_MAX);
    c->z1 = clamp(c->z1, INT32_MIN, b.z1);
    if (!any || c->x0 > c->x1 || c->y0 > c->y1)
        c->z1 = c->z; /* no cell of the chunk is wanted: this tells next_level that the chunk's
                       * last level has been read, so that it goes to the next chunk */
    return PTL_OK;
}

static ptl_status take_world(omt_cursor *c, const char *name, ptl_error *err)
{
    c->world = sql_source_text(source_of(c), name);
    if (!c->world)
        return error_nomem(err);
    c->world_size = (int)strlen(c->world);
    return PTL_OK;
}

/* Goes to the next chunk; *more is false if there is none. */
static ptl_status next_chunk(omt_cursor *c, bool *more, ptl_error *err)
{
    *more = false;
    if (!c->chunks)
        return PTL_OK;
    ptl_status status = stmt_step(c->chunks, more, err);
    if (status != PTL_OK || !*more) {
        c->chunks = NULL; /* no statement runs now: stmt_step has reset it, as there is no
                             further row */
        return status;
    }
    TRY(omt_chunk_read(&c->chunk, source_of(c), c->chunks, err));
    TRY(take_world(c, stmt_text(c->chunks, COLUMN_WORLD_NAME), err));
    enter_chunk(c);
    return c->chunks == c->queries[CHUNK_BY_ID] ? keep_special(c, err) : PTL_OK;
}

/* Goes to the next level that has a cell which the query wants, in this chunk or in a later
 * one. */
static ptl_status next_level(omt_cursor *c, ptl_error *err)
{
    const oter_set *set = c->set.all ? NULL : &c->set;
    ptl_status status = PTL_OK;
    bool more = true, skipped;
    c->base.row = false;
    while (status == PTL_OK && more) {
        if (c->z >= c->z1) {
            status = next_chunk(c, &more, err);
            continue;
        }
        c->z++;
        c->level = c->own;
        status = omt_level_decode(c->own, &skipped, source_of(c), &c->chunk, c->z, set, err);
        if (status == PTL_OK && !skipped && enter_level(c)) {
            c->base.row = true;
            return PTL_OK;
        }
    }
    return status;
}

static ptl_status omt_next(void *cursor, ptl_error *err)
{
    omt_cursor *c = cursor;
    if (c->x < c->x1) {
        c->x++;
        if (c->set.all || find_match(c))
            return PTL_OK;
    } else if (c->y < c->y1) {
        c->x = c->x0;
        c->y++;
        if (c->set.all || find_match(c))
            return PTL_OK;
    }
    if (!c->chunks && c->level != c->own) { /* the query wants only the level that was just read
                                               from the cache, so there is no further row */
        let_go(c);
        return PTL_OK;
    }
    const ptl_status status = next_level(c, err);
    if (status != PTL_OK)
        let_go(c);
    return status;
}

/* ---- reading the conditions of a query ---- */

static void at_least(place_range *r, int64_t low)
{
    if (low > r->low)
        r->low = low;
}

static void at_most(place_range *r, int64_t high)
{
    if (high < r->high)
        r->high = high;
}

/* A query may restrict both the coordinate of cells and that of chunks along an axis. Cuts each
 * of the two ranges to what the other allows: chunks that have allowed cells, and cells of
 * allowed chunks. */
static void keep_chunks(place_range *cells, place_range *chunks)
{
    at_least(chunks, -PTL_CHUNK_COORD_MAX);
    at_most(chunks, PTL_CHUNK_COORD_MAX);
    if (chunks->low > chunks->high) {
        *cells = (place_range){1, 0};
        return;
    }
    at_least(cells, chunks->low * PTL_CHUNK_SIZE);
    at_most(cells, chunks->high * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1);
    if (cells->low > cells->high)
        return;
    at_least(chunks, floor_div(cells->low, PTL_CHUNK_SIZE));
    at_most(chunks, floor_div(cells->high, PTL_CHUNK_SIZE));
}

/* Keeps in c->set only the oters whose numbers are in the range of column oter_number. */
static ptl_status keep_numbers(omt_cursor *c, ptl_error *err)
{
    const place_range *r = &c->ranges[OMT_NUMBER];
    oter_table *oters;
    oter_set own = {0};
    if (r->low == INT64_MIN && r->high == INT64_MAX)
        return PTL_OK;
    TRY(oter_table_use(&oters, source_of(c), err));
    TRY(oter_set_clear(&own, oters, err));
    for (int64_t i = r->low > 1 ? r->low : 1; i < (int64_t)own.size && i <= r->high; i++)
        oter_set_add(&own, (uint32_t)i);
    oter_set_keep(&c->set, &own);
    oter_set_dispose(&own);
    return PTL_OK;
}

/* Reads the conditions that a query puts on the table's columns; *none is true if no cell can
 * satisfy them. */
static ptl_status read_box(omt_cursor *c, bool *none, const vtab_call *call, ptl_error *err)
{
    place_range *r = c->ranges;
    sqlite3_value *world = conditions_own(call, OMT_WORLD);
    const int type = world ? sqlite3_value_type(world) : SQLITE_BLOB;
    c->world_asked = type == SQLITE_TEXT ? world : NULL;
    conditions_ranges(r, columns, OMT_COLUMNS, call);
    TRY(oter_set_of_call(&c->set, source_of(c), call, OMT_OTER, OMT_TERRAIN, err));
    TRY(keep_numbers(c, err));
    at_least(&r[OMT_Z], PTL_Z_MIN);
    at_most(&r[OMT_Z], PTL_Z_MAX);
    keep_chunks(&r[OMT_X], &r[OMT_CHUNK_X]);
    keep_chunks(&r[OMT_Y], &r[OMT_CHUNK_Y]);
    *none = type == SQLITE_NULL || (!c->set.all && c->set.count == 0);
    for (int i = 0; i < OMT_COLUMNS; i++)
        *none = *none || r[i].low > r[i].high;
    return PTL_OK;
}

/* ---- beginning a query ---- */

static bool is_one(const place_range *r)
{
    return r->low == r->high;
}

static ptl_status start_scan(omt_cursor *c, ptl_error *err)
{
    const place_range *r = c->ranges;
    const bool by_id = is_one(&r[OMT_SPECIAL]);
    const int which = by_id ? CHUNK_BY_ID : c->world_asked ? CHUNKS_OF_WORLD : CHUNKS_OF_ALL;
    if (!c->own)
        c->own = calloc(1, sizeof *c->own);
    if (!c->own)
        return error_nomem(err);
    if (!c->queries[which])
        TRY(stmt_prepare(&c->queries[which], source_of(c)->store, QUERIES[which], err));
    stmt *s = c->queries[which];
    stmt_bind_ints(s, STMT_VALUES(r[OMT_CHUNK_X].low, r[OMT_CHUNK_X].high, r[OMT_CHUNK_Y].low,
                                  r[OMT_CHUNK_Y].high));
    if (by_id)
        stmt_bind_int(s, 5, r[OMT_SPECIAL].low >> 16);
    else if (c->world_asked && sqlite3_bind_value(s->handle, 5, c->world_asked) != SQLITE_OK)
        return error_nomem(err);
    c->chunks = s;
    /* Equal values mean that the last level of a chunk has been read; so next_level begins with
     * the first chunk of the statement. */
    c->z = c->z1 = 0;
    return next_level(c, err);
}

/* Begins a query. A single level of one chunk is taken from the cache; otherwise all chunks
 * that the query allows are read. */
static ptl_status start(omt_cursor *c, const vtab_call *call, ptl_error *err)
{
    bool none = false;
    TRY(read_box(c, &none, call, err));
    if (none)
        return PTL_OK;
    if (!c->set.all && !c->match)
        c->match = malloc(PTL_LEVEL_CELLS);
    if (!c->set.all && !c->match)
        return error_nomem(err);
    const place_range *r = c->ranges;
    if (c->world_asked && is_one(&r[OMT_CHUNK_X]) && is_one(&r[OMT_CHUNK_Y]) &&
        is_one(&r[OMT_Z])) {
        /* Takes one level of one chunk from the cache. */
        const ptl_chunk_pos pos = {(int32_t)r[OMT_CHUNK_X].low, (int32_t)r[OMT_CHUNK_Y].low};
        const char *name = (const char *)sqlite3_value_text(c->world_asked);
        const omt_chunk *chunk = NULL;
        if (!name)
            return error_nomem(err);
        TRY(take_world(c, name, err));
        TRY(omt_chunk_find(&chunk, source_of(c), c->world, pos, err));
        if (!chunk)
            return PTL_OK;
        c->chunk = *chunk;
        enter_chunk(c);
        c->z = (int32_t)r[OMT_Z].low;
        TRY(omt_level_get(&c->level, source_of(c), &c->chunk, c->z, err));
        c->base.row = enter_level(c);
        if (!c->base.row)
            let_go(c);
        return PTL_OK;
    }
    return start_scan(c, err);
}

static ptl_status omt_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    omt_cursor *c = cursor;
    let_go(c);
    const ptl_status status = start(c, call, err);
    c->world_asked = NULL;
    if (status != PTL_OK)
        let_go(c);
    return status;
}

/* ---- values of columns ---- */

static uint32_t number_of(const omt_cursor *c)
{
    return c->level->palette[c->level->cells[c->y * PTL_CHUNK_SIZE + c->x]];
}

static ptl_status put_special(omt_cursor *c, sqlite3_context *context, ptl_error *err)
{
    if (!c->numbers)
        TRY(omt_specials_level(&c->numbers, &c->specials, source_of(c), &c->chunk, c->z, err));
    const int32_t number = c->numbers[c->y * PTL_CHUNK_SIZE + c->x];
    if (number >= 0)
        sqlite3_result_int64(context, c->chunk.info.id * FEATURE_SPECIALS_MAX + number);
    return PTL_OK;
}

static ptl_status omt_column_value(void *cursor, sqlite3_context *context, int column,
                                   ptl_error *err)
{
    omt_cursor *c = cursor;
    if (column == OMT_SPECIAL)
        return put_special(c, context, err);
    if (column == OMT_OTER || column == OMT_TERRAIN)
        return oter_put(context, source_of(c), number_of(c), column == OMT_TERRAIN, err);
    if (column == OMT_WORLD)
        sqlite3_result_text(context, c->world, c->world_size, SQLITE_STATIC);
    else
        sqlite3_result_int64(context, column == OMT_X         ? c->origin_x + c->x
                                      : column == OMT_Y       ? c->origin_y + c->y
                                      : column == OMT_Z       ? c->z
                                      : column == OMT_CHUNK_X ? c->chunk.info.pos.x
                                      : column == OMT_CHUNK_Y ? c->chunk.info.pos.y
                                                              : (int64_t)number_of(c));
    return PTL_OK;
}

static int64_t omt_rowid(const void *cursor)
{
    const omt_cursor *c = cursor;
    const int64_t cell = (c->z - PTL_Z_MIN) * PTL_LEVEL_CELLS + c->y * PTL_CHUNK_SIZE + c->x;
    return (int64_t)((uint64_t)c->chunk.info.id * PTL_LEVELS * PTL_LEVEL_CELLS +
                     (uint64_t)cell);
}

const vtab_form vtab_omt = {.cursor_size = sizeof(omt_cursor),
                            .declaration = DECLARATION,
                            .best_index = omt_best_index,
                            .dispose = omt_dispose,
                            .filter = omt_filter,
                            .next = omt_next,
                            .column = omt_column_value,
                            .rowid = omt_rowid};
