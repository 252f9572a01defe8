/* Rows of tables note, mark and fact: what games save (codec/saved_codec.h). */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

/* The table of each type, and its statements. */
static const struct saved_table {
    row_table_id table;
    const char *name;
    stmt_id find, visit, delete;
    int revision; /* its column */
} tables[SAVED_TYPES] = {[SAVED_NOTE] = {TABLE_NOTE, "note", STMT_NOTE_FIND, STMT_NOTES,
                                         STMT_NOTE_DELETE, NOTE_COLUMN_REVISION},
                         [SAVED_MARK] = {TABLE_MARK, "mark", STMT_MARK_FIND, STMT_MARKS,
                                         STMT_MARK_DELETE, MARK_COLUMN_REVISION},
                         [SAVED_FACT] = {TABLE_FACT, "fact", STMT_FACT_FIND, STMT_FACTS,
                                         STMT_FACT_DELETE, FACT_COLUMN_REVISION}};

/* ---- reading ---- */

static ptl_status need_compressor(compressor **out, ptl_store *store, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    if (!scratch->compressor)
        scratch->compressor = compressor_new();
    *out = scratch->compressor;
    return *out ? PTL_OK : error_nomem(err);
}

/* Gets a number of a column as 32 bits; one that is too large stays too large for every
 * check. */
static int32_t small_int(const stmt *s, int column)
{
    const int64_t value = stmt_int(s, column);
    return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

static ptl_status parse_note(saved_row *out, const stmt *s, ptl_error *err)
{
    const int64_t dangerous = stmt_int(s, NOTE_COLUMN_DANGEROUS);
    out->viewer = stmt_text(s, NOTE_COLUMN_VIEWER);
    out->x = stmt_int(s, NOTE_COLUMN_X);
    out->y = stmt_int(s, NOTE_COLUMN_Y);
    out->z = small_int(s, NOTE_COLUMN_Z);
    out->text = stmt_text(s, NOTE_COLUMN_TEXT);
    out->symbol = stmt_text(s, NOTE_COLUMN_SYMBOL);
    out->colour = stmt_text(s, NOTE_COLUMN_COLOUR);
    out->radius = small_int(s, NOTE_COLUMN_RADIUS);
    out->dangerous = dangerous == 1;
    out->removed = out->text[0] == '\0';
    if (dangerous < 0 || dangerous > 1)
        return error_set(err, PTL_ERR_CORRUPT, "note: `dangerous` is %lld",
                         (long long)dangerous);
    return PTL_OK;
}

static ptl_status parse_mark(saved_row *out, bytes *data, ptl_store *store, const stmt *s,
                             ptl_error *err)
{
    size_t size;
    compressor *c;
    const void *blob = stmt_blob(s, MARK_COLUMN_BITS, &size);
    out->viewer = stmt_text(s, MARK_COLUMN_VIEWER);
    out->kind = small_int(s, MARK_COLUMN_KIND);
    out->x = stmt_int(s, MARK_COLUMN_X);
    out->y = stmt_int(s, MARK_COLUMN_Y);
    out->z = small_int(s, MARK_COLUMN_Z);
    TRY(need_compressor(&c, store, err));
    TRY(marks_decode(data, c, blob, size, err));
    out->data = data->data;
    out->size = data->size;
    out->removed = stmt_int(s, MARK_COLUMN_CELLS) == 0;
    if (stmt_int(s, MARK_COLUMN_CELLS) != marks_count(data->data))
        return error_set(err, PTL_ERR_CORRUPT, "mark: `cells` differs from its bits");
    return PTL_OK;
}

static ptl_status parse_fact(saved_row *out, bytes *data, ptl_store *store, const stmt *s,
                             ptl_error *err)
{
    size_t size;
    compressor *c;
    const void *blob = stmt_blob(s, FACT_COLUMN_VALUE, &size);
    out->space = stmt_text(s, FACT_COLUMN_SPACE);
    out->scope = small_int(s, FACT_COLUMN_SCOPE);
    out->viewer = stmt_text(s, FACT_COLUMN_VIEWER);
    out->x = stmt_int(s, FACT_COLUMN_X);
    out->y = stmt_int(s, FACT_COLUMN_Y);
    out->z = small_int(s, FACT_COLUMN_Z);
    out->name = stmt_text(s, FACT_COLUMN_NAME);
    out->removed = stmt_is_null(s, FACT_COLUMN_VALUE);
    TRY(need_compressor(&c, store, err));
    TRY(fact_decode(data, c, blob, size, stmt_int(s, FACT_COLUMN_SIZE), err));
    out->data = data->data;
    out->size = data->size;
    if (out->removed && out->size > 0)
        return error_set(err, PTL_ERR_CORRUPT, "fact: a size without a value");
    return PTL_OK;
}

ptl_status saved_row_parse(saved_row *out, bytes *data, saved_type type, ptl_store *store,
                           const stmt *s, ptl_error *err)
{
    *out = (saved_row)SAVED_ROW_OF(type);
    bytes_clear(data);
    out->revision = stmt_int(s, tables[type].revision);
    if (out->revision < 1)
        return error_set(err, PTL_ERR_CORRUPT, "revision %lld", (long long)out->revision);
    TRY(type == SAVED_NOTE   ? parse_note(out, s, err)
        : type == SAVED_MARK ? parse_mark(out, data, store, s, err)
                             : parse_fact(out, data, store, s, err));
    return saved_row_check(out, PTL_ERR_CORRUPT, err);
}

/* Begins the statement that finds the row with a key. */
static ptl_status begin_find(stmt **out, ptl_store *store, int64_t world_id,
                             const saved_row *key, ptl_error *err)
{
    const int64_t numbers[] = {world_id, key->x, key->y, key->z, key->kind};
    TRY(stmt_prepared(out, store, tables[key->type].find, err));
    stmt_bind_ints(*out, numbers, key->type == SAVED_MARK ? 5 : 4);
    if (key->type == SAVED_FACT) {
        stmt_bind_int(*out, 5, key->scope);
        stmt_bind_text(*out, 6, key->viewer);
        stmt_bind_text(*out, 7, key->space);
        stmt_bind_text(*out, 8, key->name);
    } else {
        stmt_bind_text(*out, key->type == SAVED_MARK ? 6 : 5, key->viewer);
    }
    return PTL_OK;
}

static ptl_status begin_all(stmt **out, ptl_store *store, int64_t world_id,
                            const saved_which *which, ptl_error *err)
{
    const int64_t numbers[] = {world_id, which->x0, which->x1, which->y0, which->y1};
    TRY(stmt_prepared(out, store, tables[which->type].visit, err));
    stmt_bind_ints(*out, numbers, 5);
    /* All texts lie between the empty text and the empty blob. */
    stmt_bind_text(*out, 6, which->owner ? which->owner : "");
    if (which->owner)
        stmt_bind_text(*out, 7, which->owner);
    else
        stmt_bind_blob(*out, 7, "", 0);
    return PTL_OK;
}

/* Gives a fact without unpacking its value. */
static saved_row fact_of_size(const saved_row *key, const stmt *s)
{
    saved_row row = *key;
    row.revision = stmt_int(s, FACT_COLUMN_REVISION);
    row.removed = stmt_is_null(s, FACT_COLUMN_VALUE);
    row.data = NULL;
    row.size = (size_t)stmt_int(s, FACT_COLUMN_SIZE);
    return row;
}

static ptl_status give_row(ptl_store *store, const stmt *s, saved_type type, bytes *data,
                           const saved_row *other, saved_visit *visit, void *payload,
                           ptl_error *err)
{
    saved_row row;
    ptl_status status = row_verify(s, tables[type].table, err);
    if (status == PTL_OK && other && type == SAVED_FACT &&
        stmt_int(s, FACT_COLUMN_SIZE) != (int64_t)other->size) {
        row = fact_of_size(other, s);
    } else {
        THEN(status, saved_row_parse(&row, data, type, store, s, err));
    }
    if (status != PTL_OK)
        return error_prefix(err, status, "table %s, row %lld", tables[type].name,
                            (long long)stmt_int(s, 0));
    return visit(payload, &row, err);
}

static ptl_status sqlite_saved_visit(ptl_store *store, int64_t world_id,
                                     const saved_which *which, saved_visit *visit,
                                     void *payload, ptl_error *err)
{
    stmt *s = NULL;
    bool own = false;
    bytes data = {.size = 0};
    const saved_type type = which->key ? which->key->type : which->type;
    TRY(sqlite_begin_lookups(store, &own, err));
    ptl_status status = which->key ? begin_find(&s, store, world_id, which->key, err)
                                   : begin_all(&s, store, world_id, which, err);
    while (stmt_row(s, &status, err))
        status = give_row(store, s, type, &data, which->for_other ? which->key : NULL, visit,
                          payload, err);
    stmt_reset(s);
    sqlite_end_snapshot(store, own);
    bytes_dispose(&data);
    return status;
}

static ptl_status sqlite_saved_revision(int64_t *out, ptl_store *store, int64_t world_id,
                                        ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    const ptl_status status =
        stmt_find(&s, &row, store, STMT_SAVED_REVISION, STMT_VALUES(world_id), err);
    *out = row ? stmt_int(s, 0) : 1;
    stmt_reset(s);
    return status;
}

/* ---- writing ---- */

/* Removes the row with the key, and gets an id for the new one. */
static ptl_status make_room(int64_t *id, ptl_store *store, int64_t world_id,
                            const saved_row *row, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = begin_find(&s, store, world_id, row, err);
    const bool found = stmt_row(s, &status, err);
    *id = found ? stmt_int(s, 0) : 0;
    stmt_reset(s);
    if (status == PTL_OK && found)
        return stmt_run_with(store, tables[row->type].delete, STMT_VALUES(*id), err);
    THEN(status, row_new_id(id, store, tables[row->type].table, err));
    return status;
}

static ptl_status put_note(ptl_store *store, int64_t world_id, int64_t id, const saved_row *r,
                           ptl_error *err)
{
    row_value v[NOTE_COLUMN_COUNT] = {[NOTE_COLUMN_ID] = row_int(id),
                                      [NOTE_COLUMN_WORLD_ID] = row_int(world_id),
                                      [NOTE_COLUMN_VIEWER] = row_text(r->viewer),
                                      [NOTE_COLUMN_X] = row_int(r->x),
                                      [NOTE_COLUMN_Y] = row_int(r->y),
                                      [NOTE_COLUMN_Z] = row_int(r->z),
                                      [NOTE_COLUMN_REVISION] = row_int(r->revision),
                                      [NOTE_COLUMN_TEXT] = row_text(r->text),
                                      [NOTE_COLUMN_SYMBOL] = row_text(r->symbol),
                                      [NOTE_COLUMN_COLOUR] = row_text(r->colour),
                                      [NOTE_COLUMN_RADIUS] = row_int(r->radius),
                                      [NOTE_COLUMN_DANGEROUS] = row_int(r->dangerous)};
    return row_put(store, TABLE_NOTE, v, err);
}

static ptl_status put_mark(ptl_store *store, int64_t world_id, int64_t id, const saved_row *r,
                           const bytes *blob, ptl_error *err)
{
    row_value v[MARK_COLUMN_COUNT] = {[MARK_COLUMN_ID] = row_int(id),
                                      [MARK_COLUMN_WORLD_ID] = row_int(world_id),
                                      [MARK_COLUMN_VIEWER] = row_text(r->viewer),
                                      [MARK_COLUMN_KIND] = row_int(r->kind),
                                      [MARK_COLUMN_X] = row_int(r->x),
                                      [MARK_COLUMN_Y] = row_int(r->y),
                                      [MARK_COLUMN_Z] = row_int(r->z),
                                      [MARK_COLUMN_REVISION] = row_int(r->revision),
                                      [MARK_COLUMN_CELLS] = row_int(marks_count(r->data)),
                                      [MARK_COLUMN_BITS] = row_blob(blob->data, blob->size)};
    return row_put(store, TABLE_MARK, v, err);
}

static ptl_status put_fact(ptl_store *store, int64_t world_id, int64_t id, const saved_row *r,
                           const bytes *blob, ptl_error *err)
{
    row_value v[FACT_COLUMN_COUNT] = {[FACT_COLUMN_ID] = row_int(id),
                                      [FACT_COLUMN_WORLD_ID] = row_int(world_id),
                                      [FACT_COLUMN_SPACE] = row_text(r->space),
                                      [FACT_COLUMN_SCOPE] = row_int(r->scope),
                                      [FACT_COLUMN_VIEWER] = row_text(r->viewer),
                                      [FACT_COLUMN_X] = row_int(r->x),
                                      [FACT_COLUMN_Y] = row_int(r->y),
                                      [FACT_COLUMN_Z] = row_int(r->z),
                                      [FACT_COLUMN_NAME] = row_text(r->name),
                                      [FACT_COLUMN_REVISION] = row_int(r->revision),
                                      [FACT_COLUMN_SIZE] = row_int((int64_t)r->size)};
    if (!r->removed)
        v[FACT_COLUMN_VALUE] =
            row_blob(r->size > 0 ? blob->data : (const void *)"", blob->size);
    return row_put(store, TABLE_FACT, v, err);
}

static ptl_status sqlite_saved_put(ptl_store *store, int64_t world_id, const saved_row *row,
                                   ptl_error *err)
{
    int64_t id = 0;
    compressor *c;
    bytes blob = {.size = 0};
    ptl_status status = need_compressor(&c, store, err);
    THEN(status, make_room(&id, store, world_id, row, err));
    if (row->type == SAVED_NOTE) {
        THEN(status, put_note(store, world_id, id, row, err));
    } else if (row->type == SAVED_MARK) {
        THEN(status, marks_encode(&blob, c, row->data, err));
        THEN(status, put_mark(store, world_id, id, row, &blob, err));
    } else {
        THEN(status, fact_encode(&blob, c, row->data, row->size, err));
        THEN(status, put_fact(store, world_id, id, row, &blob, err));
    }
    bytes_dispose(&blob);
    return status;
}

const saved_operations sqlite_saved = {
    .put = sqlite_saved_put, .visit = sqlite_saved_visit, .revision = sqlite_saved_revision};
