/*
 * Packs as virtual tables of SQLite: one row an entry, unpacked chunk by chunk as a query asks
 * for them. Eponymous: nothing is stored in the schema, so that programs without Portolan can
 * still use the file. Equality on world, chunk_x and chunk_y is passed down to the tables.
 */
#include "store/vtab.h"

#include "core/error.h"
#include "store/feature_rows.h"
#include "store/store_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_WORLD, COLUMN_CHUNK_X, COLUMN_CHUNK_Y, COLUMN_NUMBER, COLUMN_FIRST };

/* How a column of SQL follows from one of the pack. */
typedef enum cell_kind {
    CELL_NAME,
    CELL_NUMBER,
    CELL_CITY,  /* NULL for -1 */
    CELL_FLAG,  /* 1 if any bit of `value` is set */
    CELL_ABS_X, /* absolute; `value` is how many there are to a chunk */
    CELL_ABS_Y
} cell_kind;

typedef struct cell_source {
    cell_kind kind;
    int column; /* of the pack */
    int32_t value;
} cell_source;

typedef struct table_form {
    const char *name, *declaration; /* the columns after world, chunk_x, chunk_y, number */
    cell_source cells[10];
} table_form;

static const table_form FORMS[PACK_KINDS] = {
    [PACK_PLACEMENTS] = {"building",
                         "id TEXT, x INTEGER, y INTEGER, z INTEGER, rotation INTEGER, "
                         "city INTEGER, abs_x INTEGER, abs_y INTEGER",
                         {{CELL_NAME, PLACEMENT_ID, 0},
                          {CELL_NUMBER, PLACEMENT_X, 0},
                          {CELL_NUMBER, PLACEMENT_Y, 0},
                          {CELL_NUMBER, PLACEMENT_Z, 0},
                          {CELL_NUMBER, PLACEMENT_ROTATION, 0},
                          {CELL_CITY, PLACEMENT_CITY, 0},
                          {CELL_ABS_X, PLACEMENT_X, PTL_CHUNK_SIZE},
                          {CELL_ABS_Y, PLACEMENT_Y, PTL_CHUNK_SIZE}}},
    [PACK_GROUPS] = {"monster_group",
                     "type TEXT, x INTEGER, y INTEGER, z INTEGER, radius INTEGER, "
                     "population INTEGER, horde INTEGER, diffuse INTEGER, abs_x INTEGER, "
                     "abs_y INTEGER",
                     {{CELL_NAME, GROUP_TYPE, 0},
                      {CELL_NUMBER, GROUP_X, 0},
                      {CELL_NUMBER, GROUP_Y, 0},
                      {CELL_NUMBER, GROUP_Z, 0},
                      {CELL_NUMBER, GROUP_RADIUS, 0},
                      {CELL_NUMBER, GROUP_POPULATION, 0},
                      {CELL_FLAG, GROUP_FLAGS, GROUP_FLAG_HORDE},
                      {CELL_FLAG, GROUP_FLAGS, GROUP_FLAG_DIFFUSE},
                      {CELL_ABS_X, GROUP_X, 2 * PTL_CHUNK_SIZE},
                      {CELL_ABS_Y, GROUP_Y, 2 * PTL_CHUNK_SIZE}}},
    [PACK_ATTEMPTS] = {"attempt",
                       "special TEXT, asked INTEGER, ground INTEGER, linked INTEGER, "
                       "city INTEGER, room INTEGER, failed INTEGER, placed INTEGER",
                       {{CELL_NAME, ATTEMPT_SPECIAL, 0},
                        {CELL_NUMBER, ATTEMPT_ASKED, 0},
                        {CELL_NUMBER, ATTEMPT_GROUND, 0},
                        {CELL_NUMBER, ATTEMPT_LINKED, 0},
                        {CELL_NUMBER, ATTEMPT_CITY, 0},
                        {CELL_NUMBER, ATTEMPT_ROOM, 0},
                        {CELL_NUMBER, ATTEMPT_FAILED, 0},
                        {CELL_NUMBER, ATTEMPT_PLACED, 0}}},
    [PACK_PIECES] = {"piece",
                     "id TEXT, special_number INTEGER, x INTEGER, y INTEGER, z INTEGER, "
                     "rotation INTEGER, abs_x INTEGER, abs_y INTEGER",
                     {{CELL_NAME, PIECE_ID, 0},
                      {CELL_NUMBER, PIECE_PLACEMENT, 0},
                      {CELL_NUMBER, PIECE_X, 0},
                      {CELL_NUMBER, PIECE_Y, 0},
                      {CELL_NUMBER, PIECE_Z, 0},
                      {CELL_NUMBER, PIECE_ROTATION, 0},
                      {CELL_ABS_X, PIECE_X, PTL_CHUNK_SIZE},
                      {CELL_ABS_Y, PIECE_Y, PTL_CHUNK_SIZE}}},
    [PACK_JOINS] = {"piece_join",
                    "id TEXT, special_number INTEGER, x INTEGER, y INTEGER, z INTEGER, "
                    "side INTEGER, abs_x INTEGER, abs_y INTEGER",
                    {{CELL_NAME, JOIN_ID, 0},
                     {CELL_NUMBER, JOIN_PLACEMENT, 0},
                     {CELL_NUMBER, JOIN_X, 0},
                     {CELL_NUMBER, JOIN_Y, 0},
                     {CELL_NUMBER, JOIN_Z, 0},
                     {CELL_NUMBER, JOIN_SIDE, 0},
                     {CELL_ABS_X, JOIN_X, PTL_CHUNK_SIZE},
                     {CELL_ABS_Y, JOIN_Y, PTL_CHUNK_SIZE}}}};

typedef struct pack_vtab {
    sqlite3_vtab base;
    const vtab_source *source;
} pack_vtab;

typedef struct pack_cursor {
    sqlite3_vtab_cursor base;
    stmt *chunks; /* packs with their chunks and worlds: see CHUNKS_SQL */
    bool row;     /* chunks is on a row */
    int64_t id;   /* that pack's */
    size_t entry;
    feature_set set;
} pack_cursor;

enum { ROW_ID, ROW_CHECKSUM, ROW_DATA, ROW_WORLD, ROW_X, ROW_Y };

/* Conditions by bit of the index number, in the order of the parameters. */
static const char *const CONDITIONS[] = {" AND w.name = ?", " AND c.x = ?", " AND c.y = ?"};
enum { CONDITION_COUNT = 3 };

static int vtab_failed(sqlite3_vtab *table, ptl_status status, const ptl_error *err)
{
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", err->message);
    if (err->sqlite_code)
        return err->sqlite_code;
    if (status == PTL_ERR_NOMEM)
        return SQLITE_NOMEM;
    return status == PTL_ERR_CORRUPT ? SQLITE_CORRUPT_VTAB : SQLITE_ERROR;
}

static int pack_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **message)
{
    const vtab_source *source = aux;
    char sql[400];
    (void)argc;
    (void)argv;
    (void)message;
    snprintf(sql, sizeof sql,
             "CREATE TABLE %s (world TEXT, chunk_x INTEGER, chunk_y INTEGER, number INTEGER, "
             "%s)",
             FORMS[source->kind].name, FORMS[source->kind].declaration);
    int code = sqlite3_declare_vtab(db, sql);
    if (code == SQLITE_OK)
        code = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    if (code != SQLITE_OK)
        return code;
    pack_vtab *table = sqlite3_malloc(sizeof *table);
    if (!table)
        return SQLITE_NOMEM;
    memset(table, 0, sizeof *table);
    table->source = source;
    *out = &table->base;
    return SQLITE_OK;
}

static int pack_disconnect(sqlite3_vtab *table)
{
    sqlite3_free(table);
    return SQLITE_OK;
}

static int pack_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    int at[CONDITION_COUNT] = {-1, -1, -1}, next = 1;
    double rows = 1e8;
    (void)table;
    for (int i = 0; i < info->nConstraint; i++) {
        int column = info->aConstraint[i].iColumn;
        if (info->aConstraint[i].usable &&
            info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ && column >= 0 &&
            column < CONDITION_COUNT)
            at[column] = i;
    }
    for (int column = 0; column < CONDITION_COUNT; column++) {
        if (at[column] < 0)
            continue;
        info->idxNum |= 1 << column;
        info->aConstraintUsage[at[column]].argvIndex = next++;
        rows /= column == COLUMN_WORLD ? 10 : 100;
    }
    info->estimatedCost = rows;
    info->estimatedRows = (sqlite3_int64)rows;
    return SQLITE_OK;
}

static int pack_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    pack_cursor *c = calloc(1, sizeof *c);
    if (!c)
        return SQLITE_NOMEM;
    *out = &c->base;
    return SQLITE_OK;
}

static int pack_close(sqlite3_vtab_cursor *cursor)
{
    pack_cursor *c = (pack_cursor *)cursor;
    stmt_free(c->chunks);
    feature_set_dispose(&c->set);
    free(c);
    return SQLITE_OK;
}

static const vtab_source *source_of(const pack_cursor *c)
{
    return ((const pack_vtab *)c->base.pVtab)->source;
}

/* The next pack and its entries; none is empty. */
static ptl_status next_pack(pack_cursor *c, ptl_error *err)
{
    ptl_status status = stmt_step(c->chunks, &c->row, err);
    if (status != PTL_OK || !c->row)
        return status;
    size_t size;
    const void *blob = stmt_blob(c->chunks, ROW_DATA, &size);
    c->id = stmt_int(c->chunks, ROW_ID);
    c->entry = 0;
    status = feature_pack_read(&c->set, source_of(c)->store, c->id,
                               stmt_int(c->chunks, ROW_CHECKSUM), blob, size, err);
    if (status != PTL_OK)
        error_prefix(err, status, "chunk %lld,%lld", (long long)stmt_int(c->chunks, ROW_X),
                     (long long)stmt_int(c->chunks, ROW_Y));
    return status;
}

static ptl_status prepare(pack_cursor *c, int conditions, ptl_error *err)
{
    const vtab_source *source = source_of(c);
    bytes sql;
    bytes_init(&sql);
    bytes_printf(&sql,
                 "SELECT p.id, p.checksum, p.data, w.name, c.x, c.y FROM world w "
                 "CROSS JOIN chunk c ON c.world_id = w.id CROSS JOIN pack p "
                 "ON p.id = c.id * %d + %d WHERE 1",
                 (int)PACK_IDS, (int)source->kind);
    for (int i = 0; i < CONDITION_COUNT; i++)
        if (conditions >> i & 1)
            bytes_put_text(&sql, CONDITIONS[i]);
    bytes_put_text(&sql, " ORDER BY w.id, c.x, c.y");
    const char *text = bytes_text(&sql);
    stmt_free(c->chunks);
    c->chunks = NULL;
    ptl_status status =
        text ? stmt_prepare(&c->chunks, source->store, text, err) : error_nomem(err);
    bytes_dispose(&sql);
    return status;
}

static int pack_filter(sqlite3_vtab_cursor *cursor, int conditions, const char *text, int argc,
                       sqlite3_value **argv)
{
    pack_cursor *c = (pack_cursor *)cursor;
    ptl_error err = {0};
    (void)text;
    ptl_status status = prepare(c, conditions, &err);
    for (int i = 0; i < argc && status == PTL_OK; i++)
        if (sqlite3_bind_value(c->chunks->handle, i + 1, argv[i]) != SQLITE_OK)
            status = error_nomem(&err);
    if (status == PTL_OK)
        status = next_pack(c, &err);
    return status == PTL_OK ? SQLITE_OK : vtab_failed(cursor->pVtab, status, &err);
}

static int pack_next(sqlite3_vtab_cursor *cursor)
{
    pack_cursor *c = (pack_cursor *)cursor;
    ptl_error err = {0};
    if (++c->entry < c->set.tables[source_of(c)->kind].count)
        return SQLITE_OK;
    ptl_status status = next_pack(c, &err);
    return status == PTL_OK ? SQLITE_OK : vtab_failed(cursor->pVtab, status, &err);
}

static int pack_eof(sqlite3_vtab_cursor *cursor)
{
    return !((pack_cursor *)cursor)->row;
}

static int64_t absolute(const pack_cursor *c, int row, int32_t local, int32_t per_chunk)
{
    return stmt_int(c->chunks, row) * per_chunk + local;
}

static void put_cell(const pack_cursor *c, sqlite3_context *context, const cell_source *cell)
{
    const pack_kind kind = source_of(c)->kind;
    const int32_t v = c->set.tables[kind].columns[cell->column][c->entry];
    switch (cell->kind) {
    case CELL_NAME:
        sqlite3_result_text(context, c->set.names[kind][v], -1, SQLITE_TRANSIENT);
        break;
    case CELL_NUMBER:
        sqlite3_result_int(context, v);
        break;
    case CELL_CITY:
        if (v >= 0)
            sqlite3_result_int(context, v);
        break;
    case CELL_FLAG:
        sqlite3_result_int(context, (v & cell->value) != 0);
        break;
    case CELL_ABS_X:
        sqlite3_result_int64(context, absolute(c, ROW_X, v, cell->value));
        break;
    case CELL_ABS_Y:
        sqlite3_result_int64(context, absolute(c, ROW_Y, v, cell->value));
        break;
    }
}

static int pack_column_value(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    const pack_cursor *c = (const pack_cursor *)cursor;
    if (column == COLUMN_WORLD)
        sqlite3_result_text(context, stmt_text(c->chunks, ROW_WORLD), -1, SQLITE_TRANSIENT);
    else if (column == COLUMN_CHUNK_X)
        sqlite3_result_int64(context, stmt_int(c->chunks, ROW_X));
    else if (column == COLUMN_CHUNK_Y)
        sqlite3_result_int64(context, stmt_int(c->chunks, ROW_Y));
    else if (column == COLUMN_NUMBER)
        sqlite3_result_int64(context, (sqlite3_int64)c->entry);
    else
        put_cell(c, context, &FORMS[source_of(c)->kind].cells[column - COLUMN_FIRST]);
    return SQLITE_OK;
}

static int pack_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    const pack_cursor *c = (const pack_cursor *)cursor;
    *out = (sqlite3_int64)((uint64_t)c->id * PACK_COUNT_MAX + c->entry);
    return SQLITE_OK;
}

static const sqlite3_module MODULE = {
    .xConnect = pack_connect, /* no xCreate: eponymous only */
    .xBestIndex = pack_best_index,
    .xDisconnect = pack_disconnect,
    .xOpen = pack_open,
    .xClose = pack_close,
    .xFilter = pack_filter,
    .xNext = pack_next,
    .xEof = pack_eof,
    .xColumn = pack_column_value,
    .xRowid = pack_rowid,
};

/* Buildings and specials as one; x and y are absolute OMTs. A view of this connection alone:
 * one in the schema would be an error to programs that don't have the virtual tables. */
static const char PLACEMENT_VIEW[] =
    "CREATE TEMP VIEW placement AS "
    "SELECT world, chunk_x, chunk_y, id, 'building' AS kind, abs_x AS x, abs_y AS y, z, "
    "rotation, (SELECT c.name FROM v_city c WHERE c.world = b.world AND c.chunk_x = b.chunk_x "
    "AND c.chunk_y = b.chunk_y AND c.number = b.city) AS city FROM building b UNION ALL "
    "SELECT world, chunk_x, chunk_y, special, 'special', x, y, z, rotation, city "
    "FROM main.v_special";

ptl_status vtab_register(ptl_store *store, vtab_source sources[PACK_KINDS], ptl_error *err)
{
    for (int kind = 0; kind < PACK_KINDS; kind++) {
        sources[kind] = (vtab_source){store, (pack_kind)kind};
        int code = sqlite3_create_module(store->db, FORMS[kind].name, &MODULE, &sources[kind]);
        if (code != SQLITE_OK)
            return store_sqlite_error(store, code, "adding a virtual table", err);
    }
    return store_exec(store, PLACEMENT_VIEW, err);
}
