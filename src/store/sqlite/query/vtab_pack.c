/*
 * Packs as virtual tables of SQLite: one row an entry, unpacked blob by blob as a query asks
 * for them. Eponymous: nothing is stored in the schema, so that programs without Portolan can
 * still use the file. What a query says of world, chunk, sweep, seed and place is passed down
 * to the tables; entries of another id than the one asked for are skipped here.
 */
#include "store/sqlite/query/vtab.h"

#include "core/error.h"
#include "store/sqlite/query/vtab_conditions.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdlib.h>
#include <string.h>

/* The columns before the form's: world or sweep and seed, chunk_x, chunk_y, number. */
enum { LEAD_MAX = 5, PACK_SQL_COLUMNS_MAX = LEAD_MAX + PACK_CELLS_MAX };

typedef struct pack_vtab {
    vtab_table base;
    bool sweep; /* over sweep_chunk; else over pack */
    int lead;
    const pack_form *form;
    int cell_count;
    int name; /* the form's cell that has the entry's id; -1: none */
    condition_column columns[PACK_SQL_COLUMNS_MAX];
} pack_vtab;

typedef struct pack_cursor {
    sqlite3_vtab_cursor base;
    stmt *rows; /* of PACK_SQL or SWEEP_SQL */
    char *used; /* the conditions that it was made for; owned */
    bool row;   /* rows is on one */
    int64_t id;
    ptl_chunk_pos pos;
    size_t entry;
    const pack_table *table;
    feature_set set;  /* of chunks */
    pack_table sweep; /* of sweeps */
    place_range ranges[PACK_SQL_COLUMNS_MAX];
    condition_ids wanted;
    bool *wanted_names; /* by index in the table; owned */
    size_t names_room;
} pack_cursor;

static const char PACK_SQL[] =
    "SELECT p.id, p.checksum, p.data, w.name, c.x, c.y FROM main.world w "
    "CROSS JOIN main.chunk c ON c.world_id = w.id CROSS JOIN main.pack p "
    "ON p.id = c.id * %d + %d WHERE 1";
enum { PACK_ID, PACK_CHECKSUM, PACK_DATA, PACK_WORLD, PACK_X, PACK_Y };

#define SWEEP_COLUMNS_OF_K ROW_LIST_OF(SWEEP_CHUNK_ROW, "k.")

/* The row's checksum covers all of its columns. */
static const char SWEEP_SQL[] = "SELECT " SWEEP_COLUMNS_OF_K ", s.name FROM main.sweep s "
                                "CROSS JOIN main.sweep_chunk k ON k.sweep_id = s.id WHERE 1";
enum { SWEEP_NAME = SWEEP_CHUNK_COLUMN_COUNT };

static const pack_vtab *table_of(const pack_cursor *c)
{
    return (const pack_vtab *)(const void *)c->base.pVtab;
}

/* ---- the declaration ---- */

static void set_cells(pack_vtab *t)
{
    const pack_layout *layout = pack_layout_of((pack_kind)t->base.which);
    t->name = -1;
    for (int i = 0; i < t->cell_count; i++) {
        const pack_cell *cell = &t->form->cells[i];
        condition_column *column = &t->columns[t->lead + i];
        const pack_column *limits = &layout->columns[cell->column];
        if (cell->kind == CELL_X || cell->kind == CELL_Y) {
            const bool x = cell->kind == CELL_X;
            *column =
                (condition_column){CONDITION_PLACE, t->columns[t->lead - (x ? 3 : 2)].sql,
                                   limits->low / cell->value, limits->high / cell->value, 0.05};
        } else if (cell->kind == CELL_NAME && t->name < 0) {
            t->name = i;
            column->kind = CONDITION_IDS;
            column->share = 0.01;
        }
    }
}

static int pack_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **message)
{
    const vtab_use *use = aux;
    (void)argc;
    (void)argv;
    pack_vtab form = {.sweep = use->which >= PACK_SUMMARY_FIRST,
                      .form = pack_form_of((pack_kind)use->which)};
    form.base.which = use->which;
    form.cell_count = (int)pack_form_cells(form.form);
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "CREATE TABLE %s (%s, chunk_x INTEGER, chunk_y INTEGER, number INTEGER",
                 form.form->table, form.sweep ? "sweep TEXT, seed INTEGER" : "world TEXT");
    for (int i = 0; i < form.cell_count; i++)
        bytes_printf(&text, ", %s %s", form.form->cells[i].name,
                     pack_cell_is_text(&form.form->cells[i]) ? "TEXT" : "INTEGER");
    bytes_put_text(&text, ")");
    const char *declaration = bytes_text(&text);
    int code = declaration ? vtab_connect(db, aux, declaration, sizeof(pack_vtab), out, message)
                           : SQLITE_NOMEM;
    bytes_dispose(&text);
    if (code != SQLITE_OK)
        return code;
    pack_vtab *table = (pack_vtab *)(void *)*out;
    form.base = table->base;
    *table = form;
    const condition_column world = {CONDITION_TEXT, "w.name", 0, 0, 0.1};
    const condition_column sweep = {CONDITION_TEXT, "s.name", 0, 0, 0.1};
    const condition_column seed = {CONDITION_NUMBER, "k.seed", 0, 0, 0.001};
    const char *x = table->sweep ? "k.x" : "c.x", *y = table->sweep ? "k.y" : "c.y";
    int n = 0;
    table->columns[n++] = table->sweep ? sweep : world;
    if (table->sweep)
        table->columns[n++] = seed;
    table->columns[n++] = (condition_column){CONDITION_NUMBER, x, 0, 0, 0.03};
    table->columns[n++] = (condition_column){CONDITION_NUMBER, y, 0, 0, 0.03};
    table->lead = n + 1; /* and the number */
    set_cells(table);
    return SQLITE_OK;
}

static int pack_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const pack_vtab *t = (const pack_vtab *)(const void *)base;
    return conditions_plan(info, t->columns, t->lead + t->cell_count, 1e8);
}

/* ---- cursors ---- */

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
    stmt_free(c->rows);
    feature_set_dispose(&c->set);
    pack_table_dispose(&c->sweep);
    condition_ids_dispose(&c->wanted);
    free(c->wanted_names);
    free(c->used);
    free(c);
    return SQLITE_OK;
}

static ptl_store *store_of(const pack_cursor *c)
{
    return vtab_source_of(&c->base)->store;
}

static const char *name_of(const pack_cursor *c, int32_t index)
{
    return index >= 0 && (size_t)index < c->table->name_count
               ? names_text(store_of(c), c->table->numbers[index])
               : NULL;
}

/* Reads one part of a sweep's overmap; X'' has no entries. */
static ptl_status read_sweep(pack_cursor *c, ptl_error *err)
{
    row_scratch *scratch = store_of(c)->scratch;
    const int kind = table_of(c)->base.which;
    size_t size;
    c->table = &c->sweep;
    c->sweep.count = 0;
    TRY(row_verify(c->rows, TABLE_SWEEP_CHUNK, err));
    TRY(names_refresh(store_of(c), err));
    const void *blob =
        stmt_blob(c->rows, SWEEP_CHUNK_COLUMN_SPECIALS + kind - PACK_SUMMARY_FIRST, &size);
    if (size == 0)
        return PTL_OK;
    return pack_parse(&c->sweep, scratch->codec, (pack_kind)kind, blob, size,
                      names_size(store_of(c)), err);
}

static ptl_status read_chunk(pack_cursor *c, ptl_error *err)
{
    size_t size;
    const void *blob = stmt_blob(c->rows, PACK_DATA, &size);
    c->table = &c->set.tables[table_of(c)->base.which];
    return feature_pack_read(&c->set, store_of(c), c->id, stmt_int(c->rows, PACK_CHECKSUM),
                             blob, size, err);
}

/* Which of the table's names are wanted, if not all are. */
static ptl_status find_wanted(pack_cursor *c, ptl_error *err)
{
    const size_t count = c->wanted.any ? 0 : c->table->name_count;
    if (count > c->names_room) {
        bool *grown = realloc(c->wanted_names, count * sizeof *grown);
        if (!grown)
            return error_nomem(err);
        c->wanted_names = grown;
        c->names_room = count;
    }
    for (size_t i = 0; i < count; i++)
        c->wanted_names[i] = condition_ids_has(&c->wanted, name_of(c, (int32_t)i));
    return PTL_OK;
}

/* The next row of the tables, with its entries. */
static ptl_status next_row(pack_cursor *c, ptl_error *err)
{
    const bool sweep = table_of(c)->sweep;
    TRY(stmt_step(c->rows, &c->row, err));
    if (!c->row)
        return PTL_OK;
    c->id = stmt_int(c->rows, sweep ? SWEEP_CHUNK_COLUMN_ID : PACK_ID);
    c->pos = (ptl_chunk_pos){(int32_t)stmt_int(c->rows, sweep ? SWEEP_CHUNK_COLUMN_X : PACK_X),
                             (int32_t)stmt_int(c->rows, sweep ? SWEEP_CHUNK_COLUMN_Y : PACK_Y)};
    c->entry = 0;
    ptl_status status = sweep ? read_sweep(c, err) : read_chunk(c, err);
    if (status == PTL_OK)
        status = find_wanted(c, err);
    if (status != PTL_OK) {
        c->row = false;
        return error_prefix(err, status, "chunk %d,%d", c->pos.x, c->pos.y);
    }
    return PTL_OK;
}

static bool name_wanted(const pack_cursor *c, int32_t index)
{
    return index >= 0 && (size_t)index < c->table->name_count && c->wanted_names[index];
}

static bool entry_wanted(const pack_cursor *c)
{
    const pack_vtab *t = table_of(c);
    if (!c->wanted.any &&
        !name_wanted(c, c->table->columns[t->form->cells[t->name].column][c->entry]))
        return false;
    for (int i = 0; i < t->cell_count; i++) {
        const place_range *r = &c->ranges[t->lead + i];
        int64_t v;
        if (t->columns[t->lead + i].kind == CONDITION_PLACE &&
            pack_cell_value(&v, &t->form->cells[i], c->table, c->entry, c->pos) &&
            (v < r->low || v > r->high))
            return false;
    }
    return true;
}

/* To the first entry from here on that is wanted. */
static int seek(pack_cursor *c)
{
    ptl_error err = {0};
    while (c->row) {
        for (; c->entry < c->table->count; c->entry++)
            if (entry_wanted(c))
                return SQLITE_OK;
        ptl_status status = next_row(c, &err);
        if (status != PTL_OK)
            return vtab_failed(c->base.pVtab, status, &err);
    }
    return SQLITE_OK;
}

static ptl_status prepare(pack_cursor *c, const char *used, ptl_error *err)
{
    const pack_vtab *t = table_of(c);
    if (c->rows && strcmp(c->used, used) == 0) {
        stmt_reset(c->rows);
        return PTL_OK;
    }
    stmt_free(c->rows);
    c->rows = NULL;
    free(c->used);
    c->used = strdup(used);
    bytes sql;
    bytes_init(&sql);
    if (t->sweep)
        bytes_put_text(&sql, SWEEP_SQL);
    else
        bytes_printf(&sql, PACK_SQL, (int)PACK_IDS, t->base.which);
    conditions_sql(&sql, used, t->columns);
    bytes_put_text(&sql,
                   t->sweep ? " ORDER BY s.id, k.seed, k.x, k.y" : " ORDER BY w.id, c.x, c.y");
    const char *text = c->used ? bytes_text(&sql) : NULL;
    ptl_status status =
        text ? stmt_prepare(&c->rows, store_of(c), text, err) : error_nomem(err);
    bytes_dispose(&sql);
    return status;
}

/* The ids that alone are asked for, if some are. */
static ptl_status take_wanted(pack_cursor *c, const char *used, sqlite3_value **values,
                              ptl_error *err)
{
    const pack_vtab *t = table_of(c);
    const int column = t->name < 0 ? -1 : t->lead + t->name;
    return conditions_ids(&c->wanted, store_of(c), used, column, values, err);
}

static int pack_filter(sqlite3_vtab_cursor *cursor, int number, const char *used, int argc,
                       sqlite3_value **values)
{
    pack_cursor *c = (pack_cursor *)cursor;
    const pack_vtab *t = table_of(c);
    ptl_error err = {0};
    (void)number;
    (void)argc;
    c->row = false;
    int code = vtab_ready(cursor->pVtab);
    if (code != SQLITE_OK)
        return code;
    ptl_status status = prepare(c, used, &err);
    if (status == PTL_OK)
        status = take_wanted(c, used, values, &err);
    for (int i = 0; i < PACK_SQL_COLUMNS_MAX; i++)
        c->ranges[i] = (place_range){INT64_MIN, INT64_MAX};
    if (status == PTL_OK &&
        conditions_bind(c->rows, used, t->columns, values, c->ranges) != SQLITE_OK)
        status = error_nomem(&err);
    if (status == PTL_OK)
        status = next_row(c, &err);
    return status == PTL_OK ? seek(c) : vtab_failed(cursor->pVtab, status, &err);
}

static int pack_next(sqlite3_vtab_cursor *cursor)
{
    pack_cursor *c = (pack_cursor *)cursor;
    c->entry++;
    return seek(c);
}

static int pack_eof(sqlite3_vtab_cursor *cursor)
{
    return !((pack_cursor *)cursor)->row;
}

static void put_cell(const pack_cursor *c, sqlite3_context *context, const pack_cell *cell)
{
    int64_t v;
    if (cell->kind == CELL_NAME) {
        const char *name = name_of(c, c->table->columns[cell->column][c->entry]);
        sqlite3_result_text(context, name, -1, SQLITE_STATIC);
    } else if (cell->kind == CELL_WATER) {
        const int32_t kind = c->table->columns[cell->column][c->entry];
        sqlite3_result_text(context, kind == 0 ? "lake" : "river", -1, SQLITE_STATIC);
    } else if (pack_cell_value(&v, cell, c->table, c->entry, c->pos)) {
        sqlite3_result_int64(context, v);
    }
}

static int pack_column_value(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    const pack_cursor *c = (const pack_cursor *)cursor;
    const pack_vtab *t = table_of(c);
    if (column >= t->lead)
        put_cell(c, context, &t->form->cells[column - t->lead]);
    else if (column == 0)
        sqlite3_result_text(context, stmt_text(c->rows, t->sweep ? SWEEP_NAME : PACK_WORLD), -1,
                            SQLITE_TRANSIENT);
    else if (column == t->lead - 1)
        sqlite3_result_int64(context, (sqlite3_int64)c->entry);
    else if (column == t->lead - 2)
        sqlite3_result_int64(context, c->pos.y);
    else if (column == t->lead - 3)
        sqlite3_result_int64(context, c->pos.x);
    else
        sqlite3_result_int64(context, stmt_int(c->rows, SWEEP_CHUNK_COLUMN_SEED));
    return SQLITE_OK;
}

static int pack_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    const pack_cursor *c = (const pack_cursor *)cursor;
    *out = (sqlite3_int64)((uint64_t)c->id * PACK_COUNT_MAX + c->entry);
    return SQLITE_OK;
}

const sqlite3_module vtab_pack_module = {
    .xConnect = pack_connect, /* no xCreate: eponymous only */
    .xBestIndex = pack_best_index,
    .xDisconnect = vtab_disconnect,
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
const char vtab_pack_view[] =
    "CREATE TEMP VIEW placement AS "
    "SELECT world, chunk_x, chunk_y, id, 'building' AS kind, x, y, z, "
    "rotation, (SELECT c.name FROM main.v_city c WHERE c.world = b.world AND "
    "c.chunk_x = b.chunk_x AND c.chunk_y = b.chunk_y AND c.number = b.city) AS city "
    "FROM building b UNION ALL "
    "SELECT world, chunk_x, chunk_y, special, 'special', x, y, z, rotation, city "
    "FROM main.v_special";
