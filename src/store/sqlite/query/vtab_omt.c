/*
 * Table `OMT`: a read-only row for every cell of every saved chunk. Chunks come in the order
 * of the key (world, x, y). Only wanted levels are decoded, one by one; a level whose palette
 * lacks the wanted terrain is skipped without decoding. A cursor over a world keeps its
 * statement open as the read transaction, so that it sees one state of the file. A single
 * cell, as in a join, is looked up among the levels that were decoded before (omt_levels.h).
 */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/query/omt_levels.h"
#include "store/sqlite/query/vtab_omt_plan.h"
#include "store/sqlite/rows/dictionary.h"

#include <stdlib.h>
#include <string.h>

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
    stmt *queries[CHUNK_QUERIES]; /* each is prepared when it is first used */
    stmt *chunks;                 /* the one of them that runs; otherwise NULL */
    oter_table *oters;
    omt_box box;
    oter_set set;
    /* Owned; for each entry of the level's palette: is it wanted? It has room for any
     * palette. */
    uint8_t *match;

    const char *world;
    int world_size;
    omt_chunk chunk;
    omt_level *own, *level;     /* level is own, or a pinned one of the cache */
    int32_t z, x, y;            /* x, y: cell in the chunk */
    int32_t x0, y0, x1, y1, z1; /* the wanted part of the chunk */
    int64_t origin_x, origin_y; /* absolute OMT of the chunk's north-western cell */
    omt_specials *specials;
    const int32_t *numbers; /* special numbers of this level; NULL: not asked for yet */
} omt_cursor;

static const char DECLARATION[] =
    "CREATE TABLE omt (world TEXT, x INTEGER, y INTEGER, z INTEGER, "
    "oter TEXT, terrain TEXT, special_placement INTEGER, "
    "chunk_x INTEGER HIDDEN, chunk_y INTEGER HIDDEN, "
    "oter_number INTEGER HIDDEN)";

/* Gives back everything that belongs to one run of filter. */
static void let_go(omt_cursor *c)
{
    if (c->level && c->level != c->own)
        omt_level_unpin(c->level);
    c->level = NULL;
    c->numbers = NULL;
    if (c->chunks)
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

/* ---- from cell to cell ---- */

/* Searches for a wanted cell, from the present one on; false at the end of the level's wanted
 * part. */
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

/* Marks the wanted entries of the palette of the level that was just decoded, and goes to its
 * first wanted cell; false if there is none. */
static bool enter_level(omt_cursor *c)
{
    c->x = c->x0;
    c->y = c->y0;
    c->numbers = NULL;
    if (!c->box.filtered)
        return true;
    bool any = false;
    for (size_t i = 0; i < c->level->palette_count; i++) {
        const uint32_t number = c->level->palette[i];
        c->match[i] = number < c->set.size && c->set.wanted[number];
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
    const omt_range *r = c->box.ranges;
    c->origin_x = (int64_t)c->chunk.info.pos.x * PTL_CHUNK_SIZE;
    c->origin_y = (int64_t)c->chunk.info.pos.y * PTL_CHUNK_SIZE;
    c->x0 = within(r[OMT_X].low - c->origin_x);
    c->x1 = within(r[OMT_X].high - c->origin_x);
    c->y0 = within(r[OMT_Y].low - c->origin_y);
    c->y1 = within(r[OMT_Y].high - c->origin_y);
    c->z = (int32_t)r[OMT_Z].low - 1;
    c->z1 = (int32_t)r[OMT_Z].high;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Applies a condition on special_placement: only cells of that special's OMTs stay. */
static ptl_status keep_special(omt_cursor *c, ptl_error *err)
{
    omt_bounds b;
    bool any;
    if (!c->specials)
        c->specials = omt_specials_new();
    if (!c->specials)
        return error_nomem(err);
    const int32_t number = (int32_t)(c->box.ranges[OMT_SPECIAL].low % FEATURE_SPECIALS_MAX);
    TRY(omt_specials_bounds(&b, &any, c->specials, source_of(c), &c->chunk, number, err));
    c->x0 = larger(c->x0, b.x0);
    c->x1 = smaller(c->x1, b.x1);
    c->y0 = larger(c->y0, b.y0);
    c->y1 = smaller(c->y1, b.y1);
    c->z = larger(c->z, b.z0 - 1);
    c->z1 = smaller(c->z1, b.z1);
    if (!any || c->x0 > c->x1 || c->y0 > c->y1)
        c->z1 = c->z; /* leaves no level */
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

/* Goes on to the next chunk; *more is false if there is none. */
static ptl_status next_chunk(omt_cursor *c, bool *more, ptl_error *err)
{
    *more = false;
    if (!c->chunks)
        return PTL_OK;
    ptl_status status = stmt_step(c->chunks, more, err);
    if (status != PTL_OK || !*more) {
        c->chunks = NULL; /* the statement has been reset */
        return status;
    }
    TRY(omt_chunk_read(&c->chunk, source_of(c), c->chunks, err));
    TRY(take_world(c, stmt_text(c->chunks, COLUMN_WORLD_NAME), err));
    enter_chunk(c);
    return c->chunks == c->queries[CHUNK_BY_ID] ? keep_special(c, err) : PTL_OK;
}

/* Goes to the next level with a wanted cell, in this chunk or in a later one. */
static ptl_status next_level(omt_cursor *c, ptl_error *err)
{
    const oter_set *set = c->box.filtered ? &c->set : NULL;
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
        if (!c->box.filtered || find_match(c))
            return PTL_OK;
    } else if (c->y < c->y1) {
        c->x = c->x0;
        c->y++;
        if (!c->box.filtered || find_match(c))
            return PTL_OK;
    }
    if (!c->chunks && c->level != c->own) { /* there was only a single cell */
        let_go(c);
        return PTL_OK;
    }
    const ptl_status status = next_level(c, err);
    if (status != PTL_OK)
        let_go(c);
    return status;
}

/* ---- filter ---- */

static bool is_one(const omt_range *r)
{
    return r->low == r->high;
}

static ptl_status start_scan(omt_cursor *c, ptl_error *err)
{
    const omt_range *r = c->box.ranges;
    const bool by_id = is_one(&r[OMT_SPECIAL]);
    const int which = by_id ? CHUNK_BY_ID : c->box.world ? CHUNKS_OF_WORLD : CHUNKS_OF_ALL;
    if (!c->own)
        c->own = omt_level_new();
    if (!c->own)
        return error_nomem(err);
    if (!c->queries[which])
        TRY(stmt_prepare(&c->queries[which], source_of(c)->store, QUERIES[which], err));
    stmt *s = c->queries[which];
    stmt_bind_ints(s,
                   (const int64_t[]){r[OMT_CHUNK_X].low, r[OMT_CHUNK_X].high,
                                     r[OMT_CHUNK_Y].low, r[OMT_CHUNK_Y].high},
                   4);
    if (by_id)
        stmt_bind_int(s, 5, r[OMT_SPECIAL].low >> 16);
    else if (c->box.world && sqlite3_bind_value(s->handle, 5, c->box.world) != SQLITE_OK)
        return error_nomem(err);
    c->chunks = s;
    c->z = c->z1 = 0; /* makes next_level read the first chunk */
    return next_level(c, err);
}

/* Begins a query: a single level of one chunk comes from the cache, everything else is a scan
 * over chunks. */
static ptl_status start(omt_cursor *c, const vtab_call *call, ptl_error *err)
{
    TRY(oter_table_use(&c->oters, source_of(c), err));
    TRY(omt_box_read(&c->box, &c->set, source_of(c), call, err));
    if (c->box.none)
        return PTL_OK;
    if (c->box.filtered && !c->match)
        c->match = malloc(PTL_LEVEL_CELLS);
    if (c->box.filtered && !c->match)
        return error_nomem(err);
    const omt_range *r = c->box.ranges;
    if (c->box.world && is_one(&r[OMT_CHUNK_X]) && is_one(&r[OMT_CHUNK_Y]) &&
        is_one(&r[OMT_Z])) {
        /* Reads one level of one chunk, from the cache. */
        const ptl_chunk_pos pos = {(int32_t)r[OMT_CHUNK_X].low, (int32_t)r[OMT_CHUNK_Y].low};
        const char *name = (const char *)sqlite3_value_text(c->box.world);
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
    c->box.world = NULL;
    if (status != PTL_OK)
        let_go(c);
    return status;
}

/* ---- values ---- */

static uint32_t number_of(const omt_cursor *c)
{
    return c->level->palette[c->level->cells[c->y * PTL_CHUNK_SIZE + c->x]];
}

static ptl_status put_name(omt_cursor *c, sqlite3_context *context, int column, ptl_error *err)
{
    const oter_name *name;
    TRY(oter_table_look_up(&name, c->oters, source_of(c), number_of(c), err));
    if (column == OMT_OTER)
        sqlite3_result_text(context, name->id, name->id_size, SQLITE_STATIC);
    else if (name->terrain)
        sqlite3_result_text(context, name->terrain, name->terrain_size, SQLITE_STATIC);
    return PTL_OK;
}

static ptl_status put_special(omt_cursor *c, sqlite3_context *context, ptl_error *err)
{
    if (!c->specials)
        c->specials = omt_specials_new();
    if (!c->specials)
        return error_nomem(err);
    if (!c->numbers)
        TRY(omt_specials_level(&c->numbers, c->specials, source_of(c), &c->chunk, c->z, err));
    const int32_t number = c->numbers[c->y * PTL_CHUNK_SIZE + c->x];
    if (number >= 0)
        sqlite3_result_int64(context, c->chunk.info.id * FEATURE_SPECIALS_MAX + number);
    return PTL_OK;
}

static ptl_status omt_column_value(void *cursor, sqlite3_context *context, int column,
                                   ptl_error *err)
{
    omt_cursor *c = cursor;
    switch (column) {
    case OMT_WORLD:
        sqlite3_result_text(context, c->world, c->world_size, SQLITE_STATIC);
        break;
    case OMT_X:
        sqlite3_result_int64(context, c->origin_x + c->x);
        break;
    case OMT_Y:
        sqlite3_result_int64(context, c->origin_y + c->y);
        break;
    case OMT_Z:
        sqlite3_result_int(context, c->z);
        break;
    case OMT_CHUNK_X:
        sqlite3_result_int(context, c->chunk.info.pos.x);
        break;
    case OMT_CHUNK_Y:
        sqlite3_result_int(context, c->chunk.info.pos.y);
        break;
    case OMT_NUMBER:
        sqlite3_result_int64(context, number_of(c));
        break;
    case OMT_SPECIAL:
        return put_special(c, context, err);
    default:
        return put_name(c, context, column, err);
    }
    return PTL_OK;
}

static int64_t omt_rowid(const void *cursor)
{
    const omt_cursor *c = cursor;
    const int64_t cell = (c->z - PTL_Z_MIN) * PTL_LEVEL_CELLS + c->y * PTL_CHUNK_SIZE + c->x;
    return (int64_t)((uint64_t)c->chunk.info.id * PTL_LEVELS * PTL_LEVEL_CELLS +
                     (uint64_t)cell);
}

const vtab_form vtab_omt = {.table_size = sizeof(vtab_table),
                            .cursor_size = sizeof(omt_cursor),
                            .declaration = DECLARATION,
                            .best_index = omt_best_index,
                            .dispose = omt_dispose,
                            .filter = omt_filter,
                            .next = omt_next,
                            .column = omt_column_value,
                            .rowid = omt_rowid};
