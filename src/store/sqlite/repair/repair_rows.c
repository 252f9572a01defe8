/*
 * Rows of any table as values of any type: read, written back and removed by their keys. A
 * damaged row may hold anything, so nothing here trusts a column's declared type.
 */
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair.h"

#include <stdlib.h>
#include <string.h>

#define BY_ID(table)                                                                           \
    .all = "SELECT * FROM " table " ORDER BY id",                                              \
    .one = "SELECT * FROM " table " WHERE id = ?1",                                            \
    .remove = "DELETE FROM " table " WHERE id = ?1"
#define BY_NUMBER(table)                                                                       \
    .all = "SELECT * FROM " table " ORDER BY chunk_id, number",                                \
    .of_owner = "SELECT * FROM " table " WHERE chunk_id = ?1 ORDER BY number",                 \
    .one = "SELECT * FROM " table " WHERE chunk_id IS ?1 AND number IS ?2",                    \
    .remove = "DELETE FROM " table " WHERE chunk_id IS ?1 AND number IS ?2"
#define OF_CHUNK(table, ids)                                                                   \
    "SELECT * FROM " table " WHERE id BETWEEN ?1 * " ids " AND ?1 * " ids " + " ids            \
    " - 1 ORDER BY id"

static const repair_table tables[REPAIR_TABLES] = {
    [REPAIR_OTER] = {"oter", 3, 1, 2, BY_ID("oter"),
                     .insert = "INSERT INTO oter VALUES (?, ?, ?)"},
    [REPAIR_NAME] = {"name", 3, 1, 2, BY_ID("name"),
                     .insert = "INSERT INTO name VALUES (?, ?, ?)"},
    [REPAIR_WORLD] = {"world", 18, 1, 17, BY_ID("world"),
                      .insert = "INSERT INTO world VALUES "
                                "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_RUN] = {"run", 12, 1, 11, BY_ID("run"),
                    .insert = "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_CHUNK] = {"chunk", 16, 1, 15, BY_ID("chunk"),
                      .of_owner = "SELECT * FROM chunk WHERE id = ?1",
                      .insert = "INSERT INTO chunk VALUES "
                                "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_LEVEL] = {"level", 3, 1, 1, BY_ID("level"), .of_owner = OF_CHUNK("level", "32"),
                      .insert = "INSERT INTO level VALUES (?, ?, ?)"},
    [REPAIR_CITY] = {"city", 8, 2, -1, BY_NUMBER("city"),
                     .insert = "INSERT INTO city VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_RADIO] = {"radio", 9, 2, -1, BY_NUMBER("radio"),
                      .insert = "INSERT INTO radio VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_SPECIAL] = {"special_placement", 9, 1, -1, BY_ID("special_placement"),
                        .of_owner = OF_CHUNK("special_placement", "65536"),
                        .insert = "INSERT INTO special_placement VALUES "
                                  "(?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_PACK] = {"pack", 3, 1, 1, BY_ID("pack"), .of_owner = OF_CHUNK("pack", "8"),
                     .insert = "INSERT INTO pack VALUES (?, ?, ?)"},
    [REPAIR_EVENT] = {"event", 9, 2, 8, BY_NUMBER("event"),
                      .insert = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_EDGE] = {"edge", 11, 1, 10, BY_ID("edge"),
                     .of_owner = "SELECT * FROM edge WHERE id = ?1",
                     .insert = "INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_CROSSING] =
        {"crossing", 6, 4, -1,
         .all = "SELECT * FROM crossing ORDER BY edge_id, z, kind, position",
         .of_owner = "SELECT * FROM crossing WHERE edge_id = ?1 ORDER BY z, kind, position",
         .one = "SELECT * FROM crossing WHERE edge_id IS ?1 AND z IS ?2 AND kind IS ?3 "
                "AND position IS ?4",
         .insert = "INSERT INTO crossing VALUES (?, ?, ?, ?, ?, ?)",
         .remove = "DELETE FROM crossing WHERE edge_id IS ?1 AND z IS ?2 AND kind IS ?3 "
                   "AND position IS ?4"},
    [REPAIR_ASIDE] = {"set_aside", 10, 1, 9, BY_ID("set_aside"),
                      .insert = "INSERT INTO set_aside VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_SWEEP] = {"sweep", 17, 1, 16, BY_ID("sweep"),
                      .insert = "INSERT INTO sweep VALUES "
                                "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_SWEEP_CHUNK] = {"sweep_chunk", 14, 1, 5, BY_ID("sweep_chunk"),
                            .insert = "INSERT INTO sweep_chunk VALUES "
                                      "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    [REPAIR_PAST] = {"content_past", 7, 1, 5, BY_ID("content_past"),
                     .insert = "INSERT INTO content_past VALUES (?, ?, ?, ?, ?, ?, ?)"},
};

const repair_table *repair_table_of(repair_table_id id)
{
    return &tables[id];
}

/* ---- values ---- */

void repair_value_dispose(repair_value *value)
{
    free(value->data);
    memset(value, 0, sizeof *value);
}

static bool set_data(repair_value *out, const void *data, size_t size)
{
    out->size = size;
    out->data = malloc(size + 1);
    if (!out->data)
        return false;
    if (size > 0)
        memcpy(out->data, data, size);
    return true;
}

ptl_status repair_value_copy(repair_value *out, const repair_value *value, ptl_error *err)
{
    *out = *value;
    out->data = NULL;
    if (value->data && !set_data(out, value->data, value->size)) {
        out->type = REPAIR_NULL;
        return error_nomem(err);
    }
    return PTL_OK;
}

repair_value repair_integer(int64_t value)
{
    return (repair_value){.type = REPAIR_INTEGER, .word = (uint64_t)value};
}

const void *repair_bytes(const repair_value *value)
{
    return value->data ? (const void *)value->data : "";
}

bool repair_value_equal(const repair_value *a, const repair_value *b)
{
    return a->type == b->type && a->word == b->word && a->size == b->size &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

bool repair_row_equal(const repair_row *a, const repair_row *b)
{
    bool equal = a->table == b->table;
    for (int i = 0; equal && i < tables[a->table].columns; i++)
        equal = repair_value_equal(&a->values[i], &b->values[i]);
    return equal;
}

int64_t repair_int(const repair_row *row, int column)
{
    const repair_value *v = &row->values[column];
    int64_t value = 0;
    if (v->type == REPAIR_INTEGER)
        memcpy(&value, &v->word, sizeof value);
    return value;
}

void repair_value_take(repair_value *out, const stmt *s, int column, bool *failed)
{
    double real;
    memset(out, 0, sizeof *out);
    switch (sqlite3_column_type(s->handle, column)) {
    case SQLITE_INTEGER:
        *out = repair_integer(sqlite3_column_int64(s->handle, column));
        break;
    case SQLITE_FLOAT:
        out->type = REPAIR_REAL;
        real = sqlite3_column_double(s->handle, column);
        memcpy(&out->word, &real, sizeof real);
        break;
    case SQLITE_TEXT:
        out->type = REPAIR_TEXT;
        break;
    case SQLITE_BLOB:
        out->type = REPAIR_BLOB;
        break;
    default:
        break;
    }
    if (out->type != REPAIR_TEXT && out->type != REPAIR_BLOB)
        return;
    const void *data = out->type == REPAIR_TEXT
                           ? (const void *)sqlite3_column_text(s->handle, column)
                           : sqlite3_column_blob(s->handle, column);
    int size = sqlite3_column_bytes(s->handle, column);
    *failed =
        *failed || (!data && size > 0) || !set_data(out, data, size > 0 ? (size_t)size : 0);
}

static int bind_value(const stmt *s, int index, const repair_value *v)
{
    double real;
    int64_t integer;
    switch (v->type) {
    case REPAIR_INTEGER:
        memcpy(&integer, &v->word, sizeof integer);
        return sqlite3_bind_int64(s->handle, index, integer);
    case REPAIR_REAL:
        memcpy(&real, &v->word, sizeof real);
        return sqlite3_bind_double(s->handle, index, real);
    case REPAIR_TEXT:
        return sqlite3_bind_text64(s->handle, index, (const char *)v->data, v->size,
                                   SQLITE_STATIC, SQLITE_UTF8);
    case REPAIR_BLOB:
        return sqlite3_bind_blob64(s->handle, index, v->data, v->size, SQLITE_STATIC);
    default:
        return sqlite3_bind_null(s->handle, index);
    }
}

ptl_status repair_ids_list(int64_t **out, size_t *count, stmt *s, ptl_error *err)
{
    int64_t *list = NULL;
    size_t room = 0;
    ptl_status status = PTL_OK;
    *count = 0;
    for (bool more = true; more && status == PTL_OK;) {
        status = stmt_step(s, &more, err);
        if (status != PTL_OK || !more)
            break;
        if (*count == room) {
            room = room ? 2 * room : 16;
            int64_t *grown = realloc(list, room * sizeof *grown);
            if (!grown) {
                status = error_nomem(err);
                break;
            }
            list = grown;
        }
        list[(*count)++] = stmt_int(s, 0);
    }
    *out = list;
    return status;
}

/* ---- rows ---- */

void repair_rows_dispose(repair_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (int k = 0; k < REPAIR_COLUMNS_MAX; k++)
            free(rows->list[i].values[k].data);
    free(rows->list);
    memset(rows, 0, sizeof *rows);
}

repair_row *repair_rows_add(repair_rows *rows, repair_table_id table)
{
    if (rows->count == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 4;
        repair_row *list = realloc(rows->list, room * sizeof *list);
        if (!list)
            return NULL;
        rows->list = list;
        rows->room = room;
    }
    repair_row *row = &rows->list[rows->count++];
    memset(row, 0, sizeof *row);
    row->table = table;
    return row;
}

ptl_status repair_rows_take(repair_rows *out, stmt *s, repair_table_id table, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (bool more = true; more && status == PTL_OK;) {
        status = stmt_step(s, &more, err);
        if (status != PTL_OK || !more)
            break;
        repair_row *row = repair_rows_add(out, table);
        bool failed = row == NULL;
        for (int i = 0; !failed && i < tables[table].columns; i++)
            repair_value_take(&row->values[i], s, i, &failed);
        if (failed)
            status = error_nomem(err);
    }
    return status;
}

ptl_status repair_rows_read(repair_rows *out, ptl_store *store, repair_table_id table,
                            int64_t owner, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, tables[table].of_owner, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, owner);
    status = repair_rows_take(out, s, table, err);
    stmt_free(s);
    return status;
}

static ptl_status bind_values(stmt *s, ptl_store *store, const repair_row *row, int count,
                              ptl_error *err)
{
    for (int i = 0; i < count; i++) {
        int code = bind_value(s, i + 1, &row->values[i]);
        if (code != SQLITE_OK)
            return store_sqlite_error(store, code, "repairing a row", err);
    }
    return PTL_OK;
}

ptl_status repair_row_reread(repair_rows *out, ptl_store *store, const repair_row *key,
                             ptl_error *err)
{
    const repair_table *t = &tables[key->table];
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, t->one, err);
    if (status == PTL_OK)
        status = bind_values(s, store, key, t->keys, err);
    if (status == PTL_OK)
        status = repair_rows_take(out, s, key->table, err);
    stmt_free(s);
    return status;
}

static ptl_status run_with(ptl_store *store, const char *sql, const repair_row *row, int count,
                           ptl_error *err)
{
    stmt *s = NULL;
    bool more = false;
    ptl_status status = stmt_prepare(&s, store, sql, err);
    if (status == PTL_OK)
        status = bind_values(s, store, row, count, err);
    if (status == PTL_OK)
        status = stmt_step(s, &more, err);
    stmt_free(s);
    return status;
}

ptl_status repair_row_replace(ptl_store *store, const repair_row *old, const repair_row *row,
                              ptl_error *err)
{
    ptl_error local = {0};
    ptl_status status = PTL_OK;
    if (old)
        status = run_with(store, tables[old->table].remove, old, tables[old->table].keys, err);
    if (status != PTL_OK || !row)
        return status;
    status =
        run_with(store, tables[row->table].insert, row, tables[row->table].columns, &local);
    if (status == PTL_OK)
        return PTL_OK;
    if ((local.backend_code & 0xff) == SQLITE_CONSTRAINT)
        return error_set(err, PTL_ERR_EXISTS, "table %s: %s", tables[row->table].name,
                         local.message);
    if (err)
        *err = local;
    return status;
}
