/*
 * near(world, x, y, wanted, radius): specials around a place, nearest first. The arguments are
 * hidden columns, so that near can be joined: use n.world = .., n.x = .., n.y = .., n.radius =
 * .., and n.special = .. or the fourth argument (hidden column `wanted`, where NULL means
 * any). Only chunks that the circle can touch are read.
 */
#include "core/array.h"
#include "core/error.h"
#include "portolan/types.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct near_special {
    uint32_t name;   /* number in table `name` */
    int32_t x, y;    /* origin, in absolute OMTs */
    uint16_t number; /* number in its chunk */
    int8_t z, rotation;
} near_special;

typedef struct near_chunk {
    int64_t id;
    ptl_chunk_pos pos;
    near_special *specials; /* owned */
    size_t count;
} near_chunk;

enum { SLOTS = 4096, SPECIALS_MAX = 65536 };

typedef struct near_source {
    ptl_store *store;
    stmt *world, *name, *chunks, *specials;
    near_chunk *slots[SLOTS]; /* owned; indexed by id % SLOTS */
} near_source;

enum {
    COLUMN_SPECIAL,
    COLUMN_CHUNK_X,
    COLUMN_CHUNK_Y,
    COLUMN_NUMBER,
    COLUMN_PLACE_X,
    COLUMN_PLACE_Y,
    COLUMN_PLACE_Z,
    COLUMN_ROTATION,
    COLUMN_DISTANCE,
    /* The arguments, as hidden columns. */
    COLUMN_WORLD,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_WANTED,
    COLUMN_RADIUS,
    COLUMNS,
    ARGUMENT_BITS = 1 << COLUMN_WORLD | 1 << COLUMN_X | 1 << COLUMN_Y | 1 << COLUMN_RADIUS,
    ROWS_MAX = 4000000 /* rows of one call: 128 MB */
};

static const char DECLARATION[] =
    "CREATE TABLE near (special TEXT, chunk_x INTEGER, chunk_y INTEGER, number INTEGER, "
    "place_x INTEGER, place_y INTEGER, place_z INTEGER, rotation INTEGER, distance REAL, "
    "world TEXT HIDDEN, x HIDDEN, y HIDDEN, wanted TEXT HIDDEN, radius HIDDEN)";

typedef struct near_row {
    near_special special;
    ptl_chunk_pos chunk;
    double square; /* the square of the distance */
} near_row;

/* The table. What was read is kept from cursor to cursor, because a subquery opens a cursor
 * for each row of the outer query. */
typedef struct near_vtab {
    vtab_table base;
    near_source *source;
    uint64_t generation; /* of the file, when `source` was made; so is the next member */
    int changes;
} near_vtab;

typedef struct near_cursor {
    vtab_cursor base;
    near_source *source;               /* borrowed from the table */
    sqlite3_value *arguments[COLUMNS]; /* owned; those of the last filter; NULL: not given */
    near_row *rows;                    /* owned */
    size_t count, room, at;
    /* Only valid while rows are gathered. */
    double x, y, square;
    uint32_t name; /* 0: any special */
} near_cursor;

static void chunk_free(near_chunk *chunk)
{
    if (chunk)
        free(chunk->specials);
    free(chunk);
}

static void near_source_free(near_source *c)
{
    if (!c)
        return;
    stmt_free(c->world);
    stmt_free(c->name);
    stmt_free(c->chunks);
    stmt_free(c->specials);
    for (size_t i = 0; i < SLOTS; i++)
        chunk_free(c->slots[i]);
    free(c);
}

static void near_free_table(void *table)
{
    near_source_free(((near_vtab *)table)->source);
}

/*
 * Chooses a plan. idxNum gets a bit for each column whose value is handed over, in the order
 * of the columns. A plan that would leave an argument to SQLite, because its value is not
 * known yet, is refused. If an argument is missing altogether, the filter reports that.
 */
static int near_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    int taken = 0, at[COLUMNS], next = 1;
    (void)table;
    for (int i = 0; i < info->nConstraint; i++) {
        const int column = info->aConstraint[i].iColumn;
        if (info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ ||
            (column != COLUMN_SPECIAL && (column < COLUMN_WORLD || column >= COLUMNS)) ||
            (taken >> column & 1) ||
            (column == COLUMN_SPECIAL &&
             strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0))
            continue;
        if (!info->aConstraint[i].usable && column != COLUMN_SPECIAL)
            return SQLITE_CONSTRAINT;
        if (!info->aConstraint[i].usable)
            continue;
        taken |= 1 << column;
        at[column] = i;
    }
    for (int column = 0; column < COLUMNS; column++) {
        if (!(taken >> column & 1))
            continue;
        info->aConstraintUsage[at[column]].argvIndex = next++;
        info->aConstraintUsage[at[column]].omit = column != COLUMN_SPECIAL;
    }
    const bool any = !(taken & (1 << COLUMN_SPECIAL | 1 << COLUMN_WANTED));
    info->idxNum = taken;
    info->estimatedCost = (taken & ARGUMENT_BITS) != ARGUMENT_BITS ? 1e99 : 1000;
    info->estimatedRows = any ? 100 : 5;
    info->orderByConsumed = info->nOrderBy == 1 && !info->aOrderBy[0].desc &&
                            info->aOrderBy[0].iColumn == COLUMN_DISTANCE;
    return SQLITE_OK;
}

static void forget_arguments(near_cursor *c)
{
    for (int i = 0; i < COLUMNS; i++) {
        sqlite3_value_free(c->arguments[i]);
        c->arguments[i] = NULL;
    }
}

static void near_dispose(void *cursor)
{
    near_cursor *c = cursor;
    forget_arguments(c);
    free(c->rows);
}

/* ---- gathering ---- */

/* Adds the chunk's specials that are wanted. */
static ptl_status gather(near_cursor *c, const near_chunk *chunk, ptl_error *err)
{
    for (size_t i = 0; i < chunk->count; i++) {
        const near_special *s = &chunk->specials[i];
        const double dx = s->x - c->x, dy = s->y - c->y, square = dx * dx + dy * dy;
        if ((c->name == 0 || s->name == c->name) && square <= c->square) {
            if (c->count >= ROWS_MAX)
                return error_set(err, PTL_ERR_LIMIT,
                                 "near: more than %d specials; take a smaller radius",
                                 (int)ROWS_MAX);
            if (!ARRAY_ROOM(c->rows, c->room, c->count + 1))
                return error_nomem(err);
            c->rows[c->count++] = (near_row){*s, chunk->pos, square};
        }
    }
    return PTL_OK;
}

/* Orders by distance; rows with equal distance have the order of v_special. */
static int by_distance(const void *a, const void *b)
{
    const near_row *p = a, *q = b;
    if (p->square != q->square)
        return p->square < q->square ? -1 : 1;
    if (p->chunk.x != q->chunk.x)
        return p->chunk.x < q->chunk.x ? -1 : 1;
    if (p->chunk.y != q->chunk.y)
        return p->chunk.y < q->chunk.y ? -1 : 1;
    return p->special.number - q->special.number;
}

/* Returns the chunk coordinate of a place, limited to one beyond the last possible chunk on
 * either side. */
static int32_t chunk_of(double place)
{
    const double v = floor(place / PTL_CHUNK_SIZE), most = PTL_CHUNK_COORD_MAX + 1;
    return (int32_t)(v < -most ? -most : v > most ? most : v);
}

/* ---- filter ---- */

/* Reads a numeric argument. *null is set for NULL: then there are no rows, as with a
 * comparison. */
static ptl_status number_of(double *out, bool *null, sqlite3_value *value, ptl_error *err)
{
    const int type = sqlite3_value_numeric_type(value);
    *null = *null || type == SQLITE_NULL;
    *out = sqlite3_value_double(value);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB)
        return error_set(err, PTL_ERR_ARGUMENT, "near: x, y and radius are numbers");
    return PTL_OK;
}

/* Looks up the number of a name by sql; *out stays as it is if there is none. */
static ptl_status look_up(int64_t *out, near_source *c, stmt **s, const char *sql,
                          const unsigned char *name, ptl_error *err)
{
    bool row = false;
    TRY(*s ? PTL_OK : stmt_prepare(s, c->store, sql, err));
    stmt_bind_text(*s, 1, (const char *)name);
    ptl_status status = stmt_step(*s, &row, err);
    if (status == PTL_OK && row)
        *out = stmt_int(*s, 0);
    stmt_reset(*s);
    return status;
}

/* Finds the number of the special that `special` and `wanted` ask for. *none is set if no
 * special can satisfy both. */
static ptl_status find_name(near_cursor *c, bool *none, ptl_error *err)
{
    sqlite3_value *special = c->arguments[COLUMN_SPECIAL],
                  *wanted = c->arguments[COLUMN_WANTED];
    c->name = 0;
    if (special && sqlite3_value_type(special) == SQLITE_NULL)
        *none = true;
    if (wanted && sqlite3_value_type(wanted) == SQLITE_NULL)
        wanted = NULL;
    if (!wanted && special && sqlite3_value_type(special) == SQLITE_TEXT)
        wanted = special; /* if both are given, SQLite compares the other one */
    const unsigned char *text = wanted && !*none ? sqlite3_value_text(wanted) : NULL;
    if (!wanted || *none)
        return PTL_OK;
    if (!text)
        return error_nomem(err);
    int64_t number = 0;
    ptl_status status = look_up(&number, c->source, &c->source->name,
                                "SELECT id FROM main.name WHERE name = ?", text, err);
    c->name = (uint32_t)number;
    *none = c->name == 0;
    return status;
}

static ptl_status add_special(near_chunk *chunk, size_t *room, const stmt *s, ptl_error *err)
{
    if (!ARRAY_ROOM(chunk->specials, *room, chunk->count + 1))
        return error_nomem(err);
    const int64_t x = stmt_int(s, 2), y = stmt_int(s, 3);
    if (x < -PTL_CHUNK_SIZE || x >= 2 * PTL_CHUNK_SIZE || y < -PTL_CHUNK_SIZE ||
        y >= 2 * PTL_CHUNK_SIZE)
        return error_set(err, PTL_ERR_CORRUPT, "special %zu: a bad place", chunk->count);
    chunk->specials[chunk->count++] =
        (near_special){.name = (uint32_t)stmt_int(s, 1),
                       .x = chunk->pos.x * PTL_CHUNK_SIZE + (int32_t)x,
                       .y = chunk->pos.y * PTL_CHUNK_SIZE + (int32_t)y,
                       .number = (uint16_t)(stmt_int(s, 0) % SPECIALS_MAX),
                       .z = (int8_t)stmt_int(s, 4),
                       .rotation = (int8_t)stmt_int(s, 5)};
    return PTL_OK;
}

static ptl_status read_specials(near_chunk *chunk, near_source *c, ptl_error *err)
{
    size_t room = 0;
    ptl_status status = PTL_OK;
    if (!c->specials)
        TRY(stmt_prepare(&c->specials, c->store,
                         "SELECT id, special, x, y, z, rotation FROM "
                         "main.special_placement WHERE id BETWEEN ?1 * 65536 AND "
                         "?1 * 65536 + 65535 ORDER BY id",
                         err));
    stmt_bind_int(c->specials, 1, chunk->id);
    while (stmt_row(c->specials, &status, err))
        status = chunk->count < SPECIALS_MAX
                     ? add_special(chunk, &room, c->specials, err)
                     : error_set(err, PTL_ERR_CORRUPT, "too many specials");
    stmt_reset(c->specials);
    return status;
}

static ptl_status get_chunk(const near_chunk **out, near_source *c, int64_t id,
                            ptl_chunk_pos pos, ptl_error *err)
{
    near_chunk **slot = &c->slots[(uint64_t)id % SLOTS];
    *out = *slot;
    if (*slot && (*slot)->id == id)
        return PTL_OK;
    near_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return error_nomem(err);
    chunk->id = id;
    chunk->pos = pos;
    ptl_status status = read_specials(chunk, c, err);
    if (status != PTL_OK) {
        chunk_free(chunk);
        return error_prefix(err, status, "chunk %d,%d", pos.x, pos.y);
    }
    chunk_free(*slot);
    *out = *slot = chunk;
    return PTL_OK;
}

/* Gathers the specials of a rectangle of chunks, both ends included. */
static ptl_status near_chunks(near_cursor *c, int64_t world_id, ptl_chunk_pos low,
                              ptl_chunk_pos high, ptl_error *err)
{
    const int64_t parameters[] = {world_id, low.x, high.x, low.y, high.y};
    near_source *source = c->source;
    ptl_status status = PTL_OK;
    if (!source->chunks)
        TRY(stmt_prepare(&source->chunks, source->store,
                         "SELECT id, x, y FROM main.chunk WHERE world_id = ?1 AND "
                         "x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 ORDER BY x, y",
                         err));
    stmt *s = source->chunks;
    stmt_bind_ints(s, parameters, 5);
    while (stmt_row(s, &status, err)) {
        const near_chunk *chunk = NULL;
        /* The rectangle is hardly larger than the range of chunks in a file, so nothing
         * overflows. */
        const ptl_chunk_pos pos = {(int32_t)stmt_int(s, 1), (int32_t)stmt_int(s, 2)};
        status = get_chunk(&chunk, source, stmt_int(s, 0), pos, err);
        THEN(status, gather(c, chunk, err));
    }
    stmt_reset(s);
    return status;
}

static ptl_status run_filter(near_cursor *c, ptl_error *err)
{
    sqlite3_value *world = c->arguments[COLUMN_WORLD];
    double radius = 0;
    int64_t world_id = -1;
    bool none = sqlite3_value_type(world) == SQLITE_NULL;
    ptl_status status = number_of(&c->x, &none, c->arguments[COLUMN_X], err);
    THEN(status, number_of(&c->y, &none, c->arguments[COLUMN_Y], err));
    THEN(status, number_of(&radius, &none, c->arguments[COLUMN_RADIUS], err));
    c->square = radius * radius;
    THEN(status, find_name(c, &none, err));
    if (status != PTL_OK || none || !(radius >= 0))
        return status;
    const unsigned char *text = sqlite3_value_text(world);
    TRY(text ? look_up(&world_id, c->source, &c->source->world,
                       "SELECT id FROM main.world WHERE name = ?", text, err)
             : error_nomem(err));
    if (world_id < 0)
        return PTL_OK;
    TRY(names_refresh(vtab_source_of(&c->base)->store, err));
    /* Origins may lie up to a chunk's width outside of their chunk, so the rectangle of chunks
     * is that much larger. */
    const double reach = radius + PTL_CHUNK_SIZE;
    const ptl_chunk_pos low = {chunk_of(c->x - reach), chunk_of(c->y - reach)};
    const ptl_chunk_pos high = {chunk_of(c->x + reach), chunk_of(c->y + reach)};
    TRY(near_chunks(c, world_id, low, high, err));
    if (c->count > 1)
        qsort(c->rows, c->count, sizeof *c->rows, by_distance);
    return PTL_OK;
}

static ptl_status near_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    near_cursor *c = cursor;
    c->count = c->at = 0;
    if ((call->number & ARGUMENT_BITS) != ARGUMENT_BITS)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "near: it wants world, x, y and radius, as in near('home', 90, 90, "
                         "NULL, 60)");
    const int taken = call->number;
    sqlite3_value **values = call->values;
    int next = 0;
    forget_arguments(c);
    for (int column = 0; column < COLUMNS; column++) {
        if (!(taken >> column & 1))
            continue;
        c->arguments[column] = sqlite3_value_dup(values[next++]);
        if (!c->arguments[column])
            return error_nomem(err);
    }
    /* The table's source is renewed if the file has changed. */
    near_vtab *t = (near_vtab *)(void *)c->base.base.pVtab;
    ptl_store *store = t->base.source->store;
    const int changes = sqlite3_total_changes(store->db);
    if (t->source && (t->generation != t->base.source->generation || t->changes != changes)) {
        near_source_free(t->source);
        t->source = NULL;
    }
    t->generation = t->base.source->generation;
    t->changes = changes;
    if (!t->source)
        t->source = calloc(1, sizeof *t->source);
    c->source = t->source;
    TRY(c->source ? PTL_OK : error_nomem(err));
    c->source->store = store;
    TRY(run_filter(c, err));
    c->base.row = c->count > 0;
    return PTL_OK;
}

static ptl_status near_next(void *cursor, ptl_error *err)
{
    near_cursor *c = cursor;
    (void)err;
    c->base.row = ++c->at < c->count;
    return PTL_OK;
}

static ptl_status near_column(void *cursor, sqlite3_context *context, int column,
                              ptl_error *err)
{
    const near_cursor *c = cursor;
    const near_row *r = &c->rows[c->at];
    (void)err;
    const int64_t numbers[COLUMN_DISTANCE] = {
        [COLUMN_CHUNK_X] = r->chunk.x,           [COLUMN_CHUNK_Y] = r->chunk.y,
        [COLUMN_NUMBER] = r->special.number,     [COLUMN_PLACE_X] = r->special.x,
        [COLUMN_PLACE_Y] = r->special.y,         [COLUMN_PLACE_Z] = r->special.z,
        [COLUMN_ROTATION] = r->special.rotation,
    };
    if (column == COLUMN_SPECIAL)
        sqlite3_result_text(context,
                            names_text(vtab_source_of(&c->base)->store, r->special.name), -1,
                            SQLITE_STATIC);
    else if (column < COLUMN_DISTANCE)
        sqlite3_result_int64(context, numbers[column]);
    else if (column == COLUMN_DISTANCE)
        sqlite3_result_double(context, sqrt(r->square));
    else if (c->arguments[column])
        sqlite3_result_value(context, c->arguments[column]);
    return PTL_OK;
}

static int64_t near_rowid(const void *cursor)
{
    return (int64_t)((const near_cursor *)cursor)->at;
}

const vtab_form vtab_near = {.table_size = sizeof(near_vtab),
                             .cursor_size = sizeof(near_cursor),
                             .declaration = DECLARATION,
                             .free_table = near_free_table,
                             .best_index = near_best_index,
                             .dispose = near_dispose,
                             .filter = near_filter,
                             .next = near_next,
                             .column = near_column,
                             .rowid = near_rowid};

/* A cache of chunks' specials for near(), which in a join asks about the same chunks again and
 * again. The user makes a new one when the file has changed. */
