/* Reads the rows of the file's content, or of an earlier one, to make a catalogue of them
 * (store/catalogue). */
#include "store/sqlite/catalogue/catalogue_open.h"

#include "core/error.h"
#include "store/catalogue/catalogue_rows.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/rows/dictionary.h"

#include <stdio.h>
#include <string.h>

typedef struct file_rows {
    ptl_store *store;    /* has the content's rows */
    ptl_store *file;     /* has further oters, which the catalogue is to know as well */
    int64_t beside;      /* the content that is asked about such oters first; 0: none */
    int64_t content_id;  /* the catalogue's own content, which is not asked about them */
    past_terrains *past; /* owned; made when it is first asked */
} file_rows;

/* ---- rows ---- */

/* Fetches a column's value by a single call. The value's own getters then need neither
 * SQLite's lock nor its result codes. */
static void read_value(content_value *v, const stmt *s, int column)
{
    sqlite3_value *value = sqlite3_column_value(s->handle, column);
    const unsigned char *text;
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
        v->type = PTL_VALUE_INTEGER;
        v->integer = sqlite3_value_int64(value);
        break;
    case SQLITE_FLOAT:
        v->type = PTL_VALUE_REAL;
        v->real = sqlite3_value_double(value);
        break;
    case SQLITE_TEXT:
        text = sqlite3_value_text(value);
        v->type = PTL_VALUE_TEXT;
        v->data = text ? (const char *)text : "";
        break;
    case SQLITE_BLOB:
        v->type = PTL_VALUE_BLOB;
        v->data = sqlite3_value_blob(value);
        v->size = (size_t)sqlite3_value_bytes(value);
        break;
    default:
        v->type = PTL_VALUE_NULL;
    }
}

static ptl_status visit_rows(void *payload, const content_query *query,
                             content_row_visit *visit, void *to, ptl_error *err)
{
    const file_rows *rows = payload;
    content_value values[CONTENT_COLUMNS_MAX];
    stmt *s = NULL;
    ptl_store *store = rows->store;
    char sql[CONTENT_SQL_MAX] = "SELECT ";
    size_t size = strlen(sql);
    content_put_names(sql, &size, query->columns);
    size += (size_t)snprintf(sql + size, sizeof sql - size, " FROM %s",
                             content_forms[query->part].table);
    if (query->order[0]) {
        size += (size_t)snprintf(sql + size, sizeof sql - size, " ORDER BY ");
        content_put_names(sql, &size, query->order);
    }
    ptl_status status = stmt_prepare(&s, store, sql, err);
    const int count = status == PTL_OK ? sqlite3_column_count(s->handle) : 0;
    while (stmt_row(s, &status, err)) {
        for (int i = 0; i < count; i++)
            read_value(&values[i], s, i);
        status = visit(to, values, err);
    }
    stmt_free(s);
    return status;
}

static ptl_status count_rows(size_t *out, void *payload, content_part part, ptl_error *err)
{
    const file_rows *rows = payload;
    char sql[100];
    int64_t count = 0;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", content_forms[part].table);
    ptl_status status = stmt_ask(&count, rows->store, sql, NULL, 0, err);
    *out = (size_t)count;
    return status;
}

static ptl_status visit_kept(void *payload, const kept_query *query, kept_object_visit *visit,
                             void *to, ptl_error *err)
{
    const file_rows *rows = payload;
    stmt *s = NULL;
    ptl_status status =
        stmt_prepare(&s, rows->store,
                     "SELECT f.id, f.size, f.texts, f.path, o.start, o.size"
                     " FROM kept_name n JOIN kept_object o ON o.id = n.object_id"
                     " JOIN kept_file f ON f.id = o.file_id"
                     " WHERE n.name = ?1 AND n.key = ?2 AND o.type = ?3 ORDER BY f.id, o.id",
                     err);
    if (status == PTL_OK) {
        stmt_bind_text(s, 1, query->name);
        stmt_bind_text(s, 2, query->key);
        stmt_bind_text(s, 3, query->type);
    }
    while (stmt_row(s, &status, err)) {
        kept_object o = {.file = stmt_int(s, 0),
                         .size = stmt_int(s, 1),
                         .path = stmt_text(s, 3),
                         .start = stmt_int(s, 4),
                         .length = stmt_int(s, 5)};
        o.texts = stmt_blob(s, 2, &o.texts_size);
        status = visit(to, &o, err);
    }
    stmt_free(s);
    return status;
}

/* ---- oters that the content lacks ---- */

static ptl_status begin_past(size_t *size, void *payload, ptl_error *err)
{
    const file_rows *rows = payload;
    ptl_status status = dictionary_refresh(rows->file, err);
    *size = status == PTL_OK ? dictionary_size(rows->file) : 0;
    return status;
}

static const char *past_name(void *payload, uint32_t number)
{
    return dictionary_name(((const file_rows *)payload)->file, number);
}

static uint32_t past_number(void *payload, const char *id)
{
    return dictionary_number(((const file_rows *)payload)->file, id);
}

static ptl_status find_past(past_oter *out, bool *found, void *payload, const char *id,
                            ptl_error *err)
{
    file_rows *rows = payload;
    *found = false;
    if (!rows->past)
        TRY(past_terrains_new(&rows->past, rows->file, rows->beside, rows->content_id, err));
    return past_terrains_find(out, found, rows->past, id, err);
}

static ptl_status past_flags(void *payload, const char *terrain, past_flag_fn *found, void *to,
                             ptl_error *err)
{
    return past_terrains_flags(((const file_rows *)payload)->past, terrain, found, to, err);
}

static const past_source past = {begin_past, past_name, past_number, find_past, past_flags};

/* ---- opening ---- */

/* Makes the catalogue; the caller has begun a snapshot of the store with the rows. */
static ptl_status load_rows(catalogue **out, file_rows *rows, ptl_error *err)
{
    row_source source = {.count = count_rows,
                         .visit = visit_rows,
                         .kept = visit_kept,
                         .past = rows->file ? &past : NULL,
                         .payload = rows};
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(
        &s, rows->store, "SELECT id, digest FROM content WHERE is_current = 1", err);
    THEN(status, stmt_step(s, &row, err));
    if (status == PTL_OK && !row)
        status =
            error_set(err, PTL_ERR_CONTENT, "the file has no content yet: import some first");
    if (status == PTL_OK) {
        source.content_id = stmt_int(s, 0);
        snprintf(source.digest, sizeof source.digest, "%s", stmt_text(s, 1));
    }
    stmt_free(s);
    rows->content_id = source.content_id;
    THEN(status, catalogue_from_rows(out, &source, err));
    past_terrains_free(rows->past);
    return status;
}

ptl_status sqlite_catalogue_load(catalogue **out, ptl_store *store, ptl_error *err)
{
    file_rows rows = {.store = store};
    bool own;
    *out = NULL;
    TRY(sqlite_begin_snapshot(store, &own, err));
    ptl_status status = load_rows(out, &rows, err);
    sqlite_end_snapshot(store, own);
    return status;
}

ptl_status sqlite_catalogue_load_for(catalogue **out, ptl_store *store, int64_t content_id,
                                     bool current, ptl_error *err)
{
    bool own;
    *out = NULL;
    TRY(sqlite_begin_snapshot(store, &own, err));
    /* Finds the content and makes its catalogue; the caller has begun a snapshot of the file.
     */
    file_rows rows = {.store = store, .file = store, .beside = content_id};
    ptl_store *former = NULL;
    int64_t now = 0;
    ptl_status status = sqlite_content_current(&now, store, err);
    if (status == PTL_OK && !current && content_id != now)
        status = content_past_open(&former, store, content_id, NULL, err);
    if (former) {
        rows.store = former;
        rows.beside = now;
    }
    THEN(status, load_rows(out, &rows, err));
    ptl_store_close(former);
    sqlite_end_snapshot(store, own);
    return status;
}

ptl_status sqlite_content_row_visit(ptl_store *store, int64_t content_id,
                                    const content_query *query, content_row_visit *visit,
                                    void *payload, ptl_error *err)
{
    const char *const tables[] = {content_forms[query->part].table, NULL};
    file_rows rows = {.store = store};
    ptl_store *former = NULL;
    int64_t now = content_id;
    ptl_status status = content_id != 0 ? sqlite_content_current(&now, store, err) : PTL_OK;
    const bool is_past = now != content_id;
    if (status == PTL_OK && is_past) {
        status = content_past_open(&former, store, content_id, tables, err);
        rows.store = former;
    }
    if (status == PTL_OK && rows.store)
        status = visit_rows(&rows, query, visit, payload, err);
    ptl_store_close(former);
    return status;
}
