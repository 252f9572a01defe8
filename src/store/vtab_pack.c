/*
 * Packs as virtual tables of SQLite: one row an entry, unpacked chunk by chunk as a query asks
 * for them. Eponymous: nothing is stored in the schema, so that programs without Portolan can
 * still use the file. Equality on world, chunk_x and chunk_y is passed down to the tables.
 */
#include "store/vtab.h"

#include "core/error.h"
#include "store/feature_rows.h"
#include "store/store_impl.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN_WORLD, COLUMN_CHUNK_X, COLUMN_CHUNK_Y, COLUMN_NUMBER, COLUMN_FIRST };

static const char *const DECLARATIONS[PACK_KINDS] = {
    [PACK_PLACEMENTS] =
        "CREATE TABLE building (world TEXT, chunk_x INTEGER, chunk_y INTEGER, number INTEGER, "
        "id TEXT, x INTEGER, y INTEGER, z INTEGER, rotation INTEGER, city INTEGER, "
        "abs_x INTEGER, abs_y INTEGER)",
    [PACK_GROUPS] =
        "CREATE TABLE monster_group (world TEXT, chunk_x INTEGER, chunk_y INTEGER, "
        "number INTEGER, type TEXT, x INTEGER, y INTEGER, z INTEGER, radius INTEGER, "
        "population INTEGER, horde INTEGER, diffuse INTEGER, abs_x INTEGER, abs_y INTEGER)"};

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
    (void)argc;
    (void)argv;
    (void)message;
    int code = sqlite3_declare_vtab(db, DECLARATIONS[source->kind]);
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
                 "ON p.id = c.id * 4 + %d WHERE 1",
                 (int)source->kind);
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

static void placement_column(const pack_cursor *c, sqlite3_context *context, int column)
{
    static const int of[] = {PLACEMENT_X, PLACEMENT_Y, PLACEMENT_Z, PLACEMENT_ROTATION,
                             PLACEMENT_CITY};
    enum { COUNT = sizeof of / sizeof of[0] };
    const pack_table *t = &c->set.tables[PACK_PLACEMENTS];
    int32_t x = t->columns[PLACEMENT_X][c->entry], y = t->columns[PLACEMENT_Y][c->entry];
    if (column == 0)
        sqlite3_result_text(context,
                            c->set.names[PACK_PLACEMENTS][t->columns[PLACEMENT_ID][c->entry]],
                            -1, SQLITE_TRANSIENT);
    else if (column == 1 + COUNT)
        sqlite3_result_int64(context, absolute(c, ROW_X, x, PTL_CHUNK_SIZE));
    else if (column == 2 + COUNT)
        sqlite3_result_int64(context, absolute(c, ROW_Y, y, PTL_CHUNK_SIZE));
    else if (of[column - 1] != PLACEMENT_CITY || t->columns[PLACEMENT_CITY][c->entry] >= 0)
        sqlite3_result_int(context, t->columns[of[column - 1]][c->entry]);
}

static void group_column(const pack_cursor *c, sqlite3_context *context, int column)
{
    static const int of[] = {GROUP_X, GROUP_Y, GROUP_Z, GROUP_RADIUS, GROUP_POPULATION};
    enum { COUNT = sizeof of / sizeof of[0] };
    const pack_table *t = &c->set.tables[PACK_GROUPS];
    int32_t x = t->columns[GROUP_X][c->entry], y = t->columns[GROUP_Y][c->entry];
    int32_t flags = t->columns[GROUP_FLAGS][c->entry];
    if (column == 0)
        sqlite3_result_text(context,
                            c->set.names[PACK_GROUPS][t->columns[GROUP_TYPE][c->entry]], -1,
                            SQLITE_TRANSIENT);
    else if (column == 1 + COUNT)
        sqlite3_result_int(context, (flags & GROUP_FLAG_HORDE) != 0);
    else if (column == 2 + COUNT)
        sqlite3_result_int(context, (flags & GROUP_FLAG_DIFFUSE) != 0);
    else if (column == 3 + COUNT)
        sqlite3_result_int64(context, absolute(c, ROW_X, x, 2 * PTL_CHUNK_SIZE));
    else if (column == 4 + COUNT)
        sqlite3_result_int64(context, absolute(c, ROW_Y, y, 2 * PTL_CHUNK_SIZE));
    else
        sqlite3_result_int(context, t->columns[of[column - 1]][c->entry]);
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
    else if (source_of(c)->kind == PACK_PLACEMENTS)
        placement_column(c, context, column - COLUMN_FIRST);
    else
        group_column(c, context, column - COLUMN_FIRST);
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

ptl_status vtab_register(ptl_store *store, vtab_source sources[PACK_KINDS], ptl_error *err)
{
    static const char *const names[PACK_KINDS] = {"building", "monster_group"};
    for (int kind = 0; kind < PACK_KINDS; kind++) {
        sources[kind] = (vtab_source){store, (pack_kind)kind};
        int code = sqlite3_create_module(store->db, names[kind], &MODULE, &sources[kind]);
        if (code != SQLITE_OK)
            return store_sqlite_error(store, code, "adding a virtual table", err);
    }
    return PTL_OK;
}
