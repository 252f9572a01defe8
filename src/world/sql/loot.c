/*
 * loot(world, place, what, thing, samples): what local maps hold, by the content's definitions,
 * as ptl_loot_list says. The arguments are hidden columns; only the world must be given. The
 * rows are computed, and kept, when the table is read.
 */
#include "portolan/loot.h"
#include "core/array.h"
#include "world/sql/tides.h"

#include <stdlib.h>

enum {
    COLUMN_TERRAIN,
    COLUMN_KIND,
    COLUMN_ID,
    COLUMN_EXPECTED,
    COLUMN_CHANCE,
    COLUMN_EXACT,
    COLUMN_WHY,
    COLUMN_SAMPLES,
    COLUMN_DEVIATION,
    COLUMN_DEPENDS,
    COLUMN_WORLD, /* this column and all that follow are the arguments of the table */
    WORLD = 0,
    PLACE,
    WHAT,
    THING,
    SAMPLES,
    ARGUMENTS
};

static const char DECLARATION[] =
    "CREATE TABLE loot (terrain TEXT, kind TEXT, id TEXT, expected REAL, at_least_one REAL, "
    "exact INTEGER, why TEXT, samples INTEGER, deviation REAL, depends INTEGER, "
    "world TEXT HIDDEN, place TEXT HIDDEN, what TEXT HIDDEN, thing TEXT HIDDEN, "
    "sampled HIDDEN)";

/* A cursor of the virtual table. The texts in its rows are valid as long as `source`. */
typedef struct loot_cursor {
    vtab_cursor base;
    sql_source *source;
    ptl_loot_row *rows; /* owned */
    size_t count, room, at;
    /* Owned; the values that the query gives for the hidden columns; NULL: the query gives
     * none. */
    sqlite3_value *given[ARGUMENTS];
    bool failed;
} loot_cursor;

static int loot_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    const int code = arguments_plan(info, COLUMN_WORLD, ARGUMENTS);
    const bool one = info->idxNum & (1 << PLACE | 1 << THING);
    info->estimatedCost = !(info->idxNum & 1 << WORLD) ? 1e99 : one ? 1e6 : 1e8;
    info->estimatedRows = one ? 1000 : 1000000;
    return code;
}

static void forget(loot_cursor *c)
{
    free(c->rows);
    for (int i = 0; i < ARGUMENTS; i++)
        sqlite3_value_free(c->given[i]);
    c->rows = NULL;
    c->count = c->room = c->at = 0;
    memset(c->given, 0, sizeof c->given);
}

static void loot_dispose(void *cursor)
{
    forget(cursor);
}

static bool on_row(void *payload, const ptl_loot_row *row)
{
    loot_cursor *c = payload;
    if (!ARRAY_ROOM(c->rows, c->room, c->count + 1)) {
        c->failed = true;
        return false;
    }
    ptl_loot_row *r = &c->rows[c->count++];
    *r = *row;
    r->terrain = sql_source_text(c->source, row->terrain);
    r->id = row->id ? sql_source_text(c->source, row->id) : NULL;
    r->why = sql_source_text(c->source, row->why);
    c->failed = !r->terrain || !r->why || (row->id && !r->id);
    return !c->failed;
}

static const char *text_of(const loot_cursor *c, int argument)
{
    sqlite3_value *value = c->given[argument];
    return value ? (const char *)sqlite3_value_text(value) : NULL;
}

/* Reads the arguments with which SQL has called the function: the kind of thing, its id, the
 * terrain and so on. */
static ptl_status read_options(ptl_loot_options *o, const loot_cursor *c, ptl_error *err)
{
    const char *what = text_of(c, WHAT);
    int kind = 0;
    o->terrain = text_of(c, PLACE);
    o->id = text_of(c, THING);
    while (what && kind < PTL_LOOT_KINDS &&
           strcmp(what, ptl_loot_kind_name((ptl_loot_kind)kind)) != 0)
        kind++;
    if (!what != !o->id || kind == PTL_LOOT_KINDS)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "loot: what is 'item', 'monster', 'vehicle' or 'group', and thing its "
                         "id, as in loot('home', NULL, 'item', 'log')");
    o->kind = (ptl_loot_kind)kind;
    sqlite3_value *samples = c->given[SAMPLES];
    if (samples && sqlite3_value_type(samples) != SQLITE_NULL) {
        const int64_t count = sqlite3_value_int64(samples);
        if (sqlite3_value_numeric_type(samples) != SQLITE_INTEGER || count < 1 ||
            count > INT32_MAX)
            return error_set(err, PTL_ERR_ARGUMENT, "loot: sampled is a number from 1");
        o->samples = (int32_t)count;
    }
    return PTL_OK;
}

static ptl_status loot_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    loot_cursor *c = cursor;
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    ptl_world *world = NULL;
    forget(c);
    c->source = vtab_source_of(&c->base);
    if (!(call->number & 1 << WORLD))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "loot: it wants a world, as in loot('home', 'cabin')");
    for (int i = 0, next = 0; i < ARGUMENTS; i++)
        if (call->number >> i & 1 && !(c->given[i] = sqlite3_value_dup(call->values[next++])))
            return error_nomem(err);
    if (!text_of(c, WORLD))
        return PTL_OK;
    TRY(read_options(&o, c, err));
    o.seed = 1;
    TRY(sql_world_open(&world, c->source, text_of(c, WORLD), err));
    const ptl_status status = ptl_loot_list(world, &o, on_row, c, err);
    if (c->failed)
        return error_nomem(err);
    c->base.row = c->count > 0;
    return status;
}

static ptl_status loot_next(void *cursor, ptl_error *err)
{
    loot_cursor *c = cursor;
    (void)err;
    c->base.row = ++c->at < c->count;
    return PTL_OK;
}

static void put_text(sqlite3_context *context, const char *text)
{
    sqlite3_result_text(context, text, -1, SQLITE_STATIC);
}

/* Of a terrain whose maps can't be made all columns but `terrain` and `why` are NULL. */
static ptl_status loot_column(void *cursor, sqlite3_context *context, int column,
                              ptl_error *err)
{
    const loot_cursor *c = cursor;
    const ptl_loot_row *r = &c->rows[c->at];
    (void)err;
    if (column >= COLUMN_WORLD) {
        if (c->given[column - COLUMN_WORLD])
            sqlite3_result_value(context, c->given[column - COLUMN_WORLD]);
        return PTL_OK;
    }
    if (column == COLUMN_TERRAIN)
        put_text(context, r->terrain);
    else if (column == COLUMN_WHY)
        put_text(context, r->why);
    else if (column == COLUMN_EXACT)
        sqlite3_result_int(context, r->exact);
    else if (column == COLUMN_DEPENDS)
        sqlite3_result_int(context, (int)r->depends);
    else if (!r->id)
        return PTL_OK;
    else if (column == COLUMN_KIND)
        put_text(context, ptl_loot_kind_name(r->kind));
    else if (column == COLUMN_ID)
        put_text(context, r->id);
    else if (column == COLUMN_SAMPLES)
        sqlite3_result_int(context, r->samples);
    else
        sqlite3_result_double(context, column == COLUMN_EXPECTED ? r->number
                                       : column == COLUMN_CHANCE ? r->chance
                                                                 : r->deviation);
    return PTL_OK;
}

static int64_t loot_rowid(const void *cursor)
{
    return (int64_t)((const loot_cursor *)cursor)->at;
}

const vtab_form sql_loot = {.cursor_size = sizeof(loot_cursor),
                            .declaration = DECLARATION,
                            .best_index = loot_best_index,
                            .dispose = loot_dispose,
                            .filter = loot_filter,
                            .next = loot_next,
                            .column = loot_column,
                            .rowid = loot_rowid,
                            .heavy = true};
