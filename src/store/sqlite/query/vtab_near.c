/*
 * near(world, x, y, wanted, radius): specials around a place, the nearest first. The arguments
 * are hidden columns, so that near can be joined: use n.world = .., n.x = .., n.y = ..,
 * n.radius = .., and, for specials of one id, n.wanted = .. (NULL means any). One statement
 * does the work; it looks only into chunks that the circle can touch.
 */
#include "core/error.h"
#include "portolan/types.h"
#include "store/sqlite/query/vtab.h"

#include <math.h>

enum {
    COLUMN_DISTANCE = 8,
    COLUMN_WORLD, /* the arguments are the columns from here on */
    WORLD = 0,
    X,
    Y,
    WANTED,
    RADIUS,
    ARGUMENTS,
    NEEDED = 1 << WORLD | 1 << X | 1 << Y | 1 << RADIUS
};

static const char DECLARATION[] =
    "CREATE TABLE near (special TEXT, chunk_x INTEGER, chunk_y INTEGER, number INTEGER, "
    "place_x INTEGER, place_y INTEGER, place_z INTEGER, rotation INTEGER, distance REAL, "
    "world TEXT HIDDEN, x HIDDEN, y HIDDEN, wanted TEXT HIDDEN, radius HIDDEN)";

/*
 * Selects the columns of table near, with the square of the distance in place of the distance.
 * The parameters 1 to 5 are the arguments as given. 6 to 9 are bounds of the chunks'
 * coordinates. 10 to 12 are x, y and the square of the radius as numbers. 13 and 14 are bounds
 * of x, which exclude most specials before anything more is computed for them. Rows with equal
 * distance have the order of v_special.
 */
static const char NEAR_SQL[] =
    "SELECT (SELECT name FROM main.name WHERE id = o.special), o.chunk_x, o.chunk_y, o.number, "
    "o.x, o.y, o.z, o.rotation, (o.x - ?10) * (o.x - ?10) + (o.y - ?11) * (o.y - ?11) AS "
    "square, ?1, ?2, ?3, ?4, ?5 "
    "FROM (SELECT p.special, c.x AS chunk_x, c.y AS chunk_y, p.id & 65535 AS number, "
    "c.x * 180 + p.x AS x, c.y * 180 + p.y AS y, p.z, p.rotation FROM main.world w "
    "CROSS JOIN main.chunk c ON c.world_id = w.id AND c.x BETWEEN ?6 AND ?7 "
    "AND c.y BETWEEN ?8 AND ?9 CROSS JOIN main.special_placement p "
    "ON p.id BETWEEN c.id * 65536 AND c.id * 65536 + 65535 WHERE w.name = ?1 "
    "AND (?4 IS NULL OR p.special = (SELECT id FROM main.name WHERE name = ?4))) o "
    "WHERE o.x BETWEEN ?13 AND ?14 AND square <= ?12 ORDER BY square, o.chunk_x, o.chunk_y, "
    "o.number";

typedef struct near_cursor {
    vtab_cursor base;
    stmt *s; /* owned: the statement NEAR_SQL; NULL until the first filter */
    int64_t at;
} near_cursor;

/* No plan is refused here if an argument is missing, since near_filter reports that. */
static int near_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    const int code = arguments_plan(info, COLUMN_WORLD, ARGUMENTS);
    info->estimatedCost = (info->idxNum & NEEDED) != NEEDED ? 1e99 : 1000;
    info->estimatedRows = info->idxNum & 1 << WANTED ? 5 : 100;
    info->orderByConsumed = info->nOrderBy == 1 && !info->aOrderBy[0].desc &&
                            info->aOrderBy[0].iColumn == COLUMN_DISTANCE;
    return code;
}

static void near_dispose(void *cursor)
{
    stmt_free(((near_cursor *)cursor)->s);
}

/* Returns the coordinate of the chunk in which an absolute OMT lies. If no chunk can exist so
 * far away, returns the coordinate just beyond the last possible chunk. */
static int32_t chunk_of(double place)
{
    const double v = floor(place / PTL_CHUNK_SIZE), most = PTL_CHUNK_COORD_MAX + 1;
    return (int32_t)(v < -most ? -most : v > most ? most : v);
}

static ptl_status near_next(void *cursor, ptl_error *err)
{
    near_cursor *c = cursor;
    c->at++;
    return stmt_step(c->s, &c->base.row, err);
}

/* If x, y or radius is NULL the table has no rows, just as a comparison with NULL is never
 * true. */
static ptl_status near_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    near_cursor *c = cursor;
    double numbers[ARGUMENTS] = {0};
    bool null = false;
    if ((call->number & NEEDED) != NEEDED)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "near: it wants world, x, y and radius, as in near('home', 90, 90, "
                         "NULL, 60)");
    if (!c->s)
        TRY(stmt_prepare(&c->s, vtab_source_of(&c->base)->store, NEAR_SQL, err));
    stmt_reset(c->s);
    for (int i = 0, next = 0; i < ARGUMENTS; i++) {
        if (!(call->number >> i & 1))
            continue;
        sqlite3_value *value = call->values[next++];
        if (sqlite3_bind_value(c->s->handle, i + 1, value) != SQLITE_OK)
            return error_nomem(err);
        if (i == WORLD || i == WANTED)
            continue;
        const int type = sqlite3_value_numeric_type(value);
        if (type == SQLITE_TEXT || type == SQLITE_BLOB)
            return error_set(err, PTL_ERR_ARGUMENT, "near: x, y and radius are numbers");
        null = null || type == SQLITE_NULL;
        numbers[i] = sqlite3_value_double(value);
    }
    const double x = numbers[X], y = numbers[Y], radius = numbers[RADIUS];
    if (null || !(radius >= 0))
        return PTL_OK;
    /* A special's origin may lie outside of its chunk, by a chunk's width at most, so the
     * rectangle of chunks is larger by that. */
    const double reach = radius + PTL_CHUNK_SIZE;
    const double ends[] = {x - reach, x + reach, y - reach, y + reach};
    for (int i = 0; i < 4; i++)
        stmt_bind_int(c->s, ARGUMENTS + 1 + i, chunk_of(ends[i]));
    const double plain[] = {x, y, radius * radius, x - radius - 1, x + radius + 1};
    for (int i = 0; i < 5; i++)
        stmt_bind_double(c->s, ARGUMENTS + 5 + i, plain[i]);
    c->at = -1;
    return near_next(c, err);
}

static ptl_status near_column(void *cursor, sqlite3_context *context, int column,
                              ptl_error *err)
{
    const near_cursor *c = cursor;
    (void)err;
    if (column == COLUMN_DISTANCE)
        sqlite3_result_double(context, sqrt(stmt_double(c->s, column)));
    else
        sqlite3_result_value(context, sqlite3_column_value(c->s->handle, column));
    return PTL_OK;
}

static int64_t near_rowid(const void *cursor)
{
    return ((const near_cursor *)cursor)->at;
}

const vtab_form vtab_near = {.cursor_size = sizeof(near_cursor),
                             .declaration = DECLARATION,
                             .best_index = near_best_index,
                             .dispose = near_dispose,
                             .filter = near_filter,
                             .next = near_next,
                             .column = near_column,
                             .rowid = near_rowid};
