/*
 * Virtual tables of packs: a pack is a blob with all features of one kind (for example
 * buildings) of a chunk, or of a sweep's overmap. The tables have one row for each feature.
 * Blobs are unpacked one by one as a query reaches them. The tables are eponymous, so nothing
 * of them is in the file's schema, and programs without Portolan can still use the file. A
 * query's conditions on world, chunk, sweep, seed and place are passed down to the SQL over the
 * stored tables; features whose id the query does not want are skipped here.
 */
#include "store/sqlite/query/vtab.h"

#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LEAD_MAX: most columns that come before those of the feature. These are `world`, or `sweep`
 * and `seed`; then chunk_x, chunk_y and number. */
enum { LEAD_MAX = 5, PACK_SQL_COLUMNS_MAX = LEAD_MAX + PACK_CELLS_MAX };

typedef struct pack_vtab {
    vtab_table base;
    bool sweep; /* true: the packs (blobs of features) are columns of table sweep_chunk; false:
                   they are rows of table pack */
    int lead;
    const pack_form *form;
    int cell_count;
    int name; /* index of the column that has the feature's id, among the columns of a feature;
                 -1: there is none */
    condition_column columns[PACK_SQL_COLUMNS_MAX];
} pack_vtab;

typedef struct pack_cursor {
    vtab_cursor base;
    condition_rows from; /* the rows that PACK_SQL or SWEEP_SQL gives */
    int64_t id;
    ptl_chunk_pos pos;
    size_t entry;
    const pack_table *table;
    feature_set set;  /* unpacked features of a chunk */
    pack_table sweep; /* the values from one column of a sweep's overmap, for example those of
                         its cities, unpacked from a blob */
    place_range ranges[PACK_SQL_COLUMNS_MAX];
    condition_ids wanted;
    bool *wanted_names; /* owned; for each name that the unpacked blob uses: whether the query
                         * wants it */
    size_t names_room;
} pack_cursor;

static const char PACK_SQL[] =
    "SELECT p.id, p.checksum, p.data, w.name, c.x, c.y FROM main.world w "
    "CROSS JOIN main.chunk c ON c.world_id = w.id CROSS JOIN main.pack p "
    "ON p.id = c.id * %d + %d WHERE 1";
enum { PACK_ID, PACK_CHECKSUM, PACK_DATA, PACK_WORLD, PACK_X, PACK_Y };

#define SWEEP_COLUMNS_OF_K ROW_LIST_OF(SWEEP_CHUNK_ROW, "k.")

/* All columns are read, since the row's checksum covers all of them. */
static const char SWEEP_SQL[] = "SELECT " SWEEP_COLUMNS_OF_K ", s.name FROM main.sweep s "
                                "CROSS JOIN main.sweep_chunk k ON k.sweep_id = s.id WHERE 1";
enum { SWEEP_NAME = SWEEP_CHUNK_COLUMN_COUNT };

static const pack_vtab *table_of(const pack_cursor *c)
{
    return (const pack_vtab *)(const void *)c->base.base.pVtab;
}

/* ---- declaring the tables ---- */

/* Sets, for each column of a feature, how a query's conditions on the column are used.
 * Conditions on x and y restrict which chunks are read. Conditions on the feature's id are
 * checked by the table itself, which skips other features. */
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

static void pack_declare(bytes *sql, void *table)
{
    pack_vtab *t = table;
    t->sweep = t->base.which >= PACK_SUMMARY_FIRST;
    t->form = pack_form_of((pack_kind)t->base.which);
    t->cell_count = (int)pack_form_cells(t->form);
    bytes_printf(sql, "CREATE TABLE %s (%s, chunk_x INTEGER, chunk_y INTEGER, number INTEGER",
                 t->form->table, t->sweep ? "sweep TEXT, seed INTEGER" : "world TEXT");
    for (int i = 0; i < t->cell_count; i++)
        bytes_printf(sql, ", %s %s", t->form->cells[i].name,
                     pack_cell_is_text(&t->form->cells[i]) ? "TEXT" : "INTEGER");
    bytes_put_text(sql, ")");
    const char *x = t->sweep ? "k.x" : "c.x", *y = t->sweep ? "k.y" : "c.y";
    int n = 0;
    t->columns[n++] =
        (condition_column){CONDITION_TEXT, t->sweep ? "s.name" : "w.name", 0, 0, 0.1};
    if (t->sweep)
        t->columns[n++] = (condition_column){CONDITION_NUMBER, "k.seed", 0, 0, 0.001};
    t->columns[n++] = (condition_column){CONDITION_NUMBER, x, 0, 0, 0.03};
    t->columns[n++] = (condition_column){CONDITION_NUMBER, y, 0, 0, 0.03};
    /* The column `number` follows these; then come the feature's own columns. */
    t->lead = n + 1;
    set_cells(t);
}

static int pack_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const pack_vtab *t = (const pack_vtab *)(const void *)base;
    return conditions_plan(info, t->columns, t->lead + t->cell_count, 1e8);
}

/* ---- cursors ---- */

static void pack_dispose(void *cursor)
{
    pack_cursor *c = cursor;
    condition_rows_dispose(&c->from);
    feature_set_dispose(&c->set);
    pack_table_dispose(&c->sweep);
    condition_ids_dispose(&c->wanted);
    free(c->wanted_names);
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

/* Unpacks one blob of a sweep's overmap, for example that with its cities. An empty blob gives
 * no rows. */
static ptl_status read_sweep(pack_cursor *c, ptl_error *err)
{
    row_scratch *scratch = store_of(c)->scratch;
    const int kind = table_of(c)->base.which;
    size_t size;
    c->table = &c->sweep;
    c->sweep.count = 0;
    TRY(row_verify(c->from.s, TABLE_SWEEP_CHUNK, err));
    TRY(names_refresh(store_of(c), err));
    const void *blob =
        stmt_blob(c->from.s, SWEEP_CHUNK_COLUMN_SPECIALS + kind - PACK_SUMMARY_FIRST, &size);
    if (size == 0)
        return PTL_OK;
    return pack_parse(&c->sweep, scratch->codec, (pack_kind)kind, blob, size,
                      names_size(store_of(c)), err);
}

static ptl_status read_chunk(pack_cursor *c, ptl_error *err)
{
    size_t size;
    const void *blob = stmt_blob(c->from.s, PACK_DATA, &size);
    c->table = &c->set.tables[table_of(c)->base.which];
    return feature_pack_read(&c->set, store_of(c), c->id, stmt_int(c->from.s, PACK_CHECKSUM),
                             blob, size, err);
}

/* Finds which of the names in the unpacked blob the query wants, unless it wants all. */
static ptl_status find_wanted(pack_cursor *c, ptl_error *err)
{
    const size_t count = c->wanted.any ? 0 : c->table->name_count;
    if (!ARRAY_ROOM(c->wanted_names, c->names_room, count))
        return error_nomem(err);
    for (size_t i = 0; i < count; i++)
        c->wanted_names[i] = condition_ids_has(&c->wanted, name_of(c, (int32_t)i));
    return PTL_OK;
}

/* Goes to the next row of the stored tables, and unpacks its blob. */
static ptl_status next_row(pack_cursor *c, ptl_error *err)
{
    const bool sweep = table_of(c)->sweep;
    TRY(stmt_step(c->from.s, &c->base.row, err));
    if (!c->base.row)
        return PTL_OK;
    c->id = stmt_int(c->from.s, sweep ? SWEEP_CHUNK_COLUMN_ID : PACK_ID);
    c->pos =
        (ptl_chunk_pos){(int32_t)stmt_int(c->from.s, sweep ? SWEEP_CHUNK_COLUMN_X : PACK_X),
                        (int32_t)stmt_int(c->from.s, sweep ? SWEEP_CHUNK_COLUMN_Y : PACK_Y)};
    c->entry = 0;
    ptl_status status = sweep ? read_sweep(c, err) : read_chunk(c, err);
    THEN(status, find_wanted(c, err));
    return status == PTL_OK ? PTL_OK
                            : error_prefix(err, status, "chunk %d,%d", c->pos.x, c->pos.y);
}

static bool entry_wanted(const pack_cursor *c)
{
    const pack_vtab *t = table_of(c);
    if (!c->wanted.any) {
        const int32_t name = c->table->columns[t->form->cells[t->name].column][c->entry];
        if (name < 0 || (size_t)name >= c->table->name_count || !c->wanted_names[name])
            return false;
    }
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

/* Goes on over the entries of the unpacked blobs until one is found that the query wants; the
 * present entry is looked at first. */
static ptl_status seek(pack_cursor *c, ptl_error *err)
{
    while (c->base.row) {
        for (; c->entry < c->table->count; c->entry++)
            if (entry_wanted(c))
                return PTL_OK;
        TRY(next_row(c, err));
    }
    return PTL_OK;
}

static ptl_status pack_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    pack_cursor *c = cursor;
    const pack_vtab *t = table_of(c);
    const char *order =
        t->sweep ? " ORDER BY s.id, k.seed, k.x, k.y" : " ORDER BY w.id, c.x, c.y";
    char packs[sizeof PACK_SQL + 32];
    snprintf(packs, sizeof packs, PACK_SQL, (int)PACK_IDS, t->base.which);
    const condition_select select = {t->sweep ? SWEEP_SQL : packs, order, t->columns,
                                     PACK_SQL_COLUMNS_MAX};
    TRY(conditions_start(&c->from, store_of(c), &select, call, c->ranges, err));
    /* Gets the ids that the query wants, if it has a condition on ids. */
    TRY(conditions_ids(&c->wanted, store_of(c), call, t->name < 0 ? -1 : t->lead + t->name,
                       err));
    TRY(next_row(c, err));
    return seek(c, err);
}

static ptl_status pack_next(void *cursor, ptl_error *err)
{
    pack_cursor *c = cursor;
    c->entry++;
    return seek(c, err);
}

static ptl_status pack_column_value(void *cursor, sqlite3_context *context, int column,
                                    ptl_error *err)
{
    const pack_cursor *c = cursor;
    (void)err;
    const pack_vtab *t = table_of(c);
    if (column >= t->lead) {
        const pack_cell *cell = &t->form->cells[column - t->lead];
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
    } else if (column == 0)
        sqlite3_result_text(context, stmt_text(c->from.s, t->sweep ? SWEEP_NAME : PACK_WORLD),
                            -1, SQLITE_TRANSIENT);
    else if (column == t->lead - 1)
        sqlite3_result_int64(context, (sqlite3_int64)c->entry);
    else if (column == t->lead - 2)
        sqlite3_result_int64(context, c->pos.y);
    else if (column == t->lead - 3)
        sqlite3_result_int64(context, c->pos.x);
    else
        sqlite3_result_int64(context, stmt_int(c->from.s, SWEEP_CHUNK_COLUMN_SEED));
    return PTL_OK;
}

static int64_t pack_rowid(const void *cursor)
{
    const pack_cursor *c = cursor;
    return (int64_t)((uint64_t)c->id * PACK_COUNT_MAX + c->entry);
}

const vtab_form vtab_pack = {.table_size = sizeof(pack_vtab),
                             .cursor_size = sizeof(pack_cursor),
                             .declare = pack_declare,
                             .best_index = pack_best_index,
                             .dispose = pack_dispose,
                             .filter = pack_filter,
                             .next = pack_next,
                             .column = pack_column_value,
                             .rowid = pack_rowid};

/*
 * A view of buildings and specials together, in which x and y are absolute OMTs. It is
 * temporary and belongs to this connection: if it were in the file's schema, programs without
 * the virtual tables would get an error.
 */
const char vtab_pack_view[] =
    "CREATE TEMP VIEW placement AS "
    "SELECT world, chunk_x, chunk_y, id, 'building' AS kind, x, y, z, "
    "rotation, (SELECT c.name FROM main.v_city c WHERE c.world = b.world AND "
    "c.chunk_x = b.chunk_x AND c.chunk_y = b.chunk_y AND c.number = b.city) AS city "
    "FROM building b UNION ALL "
    "SELECT world, chunk_x, chunk_y, special, 'special', x, y, z, rotation, city "
    "FROM main.v_special";
