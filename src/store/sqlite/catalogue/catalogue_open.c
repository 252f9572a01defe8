/* Gives the rows of the file's present content, or of an earlier one, to store/catalogue, which
 * makes a catalogue from them; and implements the contract's other operations on contents. */
#include "store/sqlite/catalogue/catalogue_open.h"

#include "codec/compress.h"
#include "core/error.h"
#include "store/catalogue/catalogue_rows.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/rows/dictionary.h"

#include <stdio.h>
#include <string.h>

typedef struct file_rows {
    /* The store from which the content's rows are read: the file or, for an earlier content, a
     * store in memory into which it was unpacked. */
    ptl_store *store;
    ptl_store *file; /* the store with the chunks, from whose dictionary the catalogue gets the
                      * oters that its content lacks; NULL: it gets none */
    int64_t beside;  /* id of the content that is asked first about oters that the catalogue's
                      * content lacks; 0: none */
    int64_t content_id;  /* id of the catalogue's own content; oters that it lacks are looked up
                            in other contents only */
    past_terrains *past; /* owned; looks up, in other contents of the file, oters that this
                            content lacks; made when it is first needed */
} file_rows;

/* ---- rows of the content ---- */

/* Reads a column's value. It is fetched by one call as sqlite3_value, whose getters need no
 * further lock of SQLite's. */
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
    stmt_bind_text(s, 1, query->name);
    stmt_bind_text(s, 2, query->key);
    stmt_bind_text(s, 3, query->type);
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

/* ---- oters of the file's dictionary that the catalogue's content lacks ---- */

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

static const past_source lacking = {begin_past, past_name, past_number, find_past, past_flags};

/* ---- opening catalogues ---- */

/* Makes the catalogue. The caller has begun a snapshot of the store with the rows. */
static ptl_status load_rows(catalogue **out, file_rows *rows, ptl_error *err)
{
    row_source source = {.count = count_rows,
                         .visit = visit_rows,
                         .kept = visit_kept,
                         .past = rows->file ? &lacking : NULL,
                         .payload = rows};
    stmt *s;
    ptl_status status = stmt_prepare(
        &s, rows->store, "SELECT id, digest FROM content WHERE is_current = 1", err);
    if (stmt_row(s, &status, err)) {
        source.content_id = stmt_int(s, 0);
        snprintf(source.digest, sizeof source.digest, "%s", stmt_text(s, 1));
    } else if (status == PTL_OK) {
        status =
            error_set(err, PTL_ERR_CONTENT, "the file has no content yet: import some first");
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

static ptl_status sqlite_catalogue_load_for(catalogue **out, ptl_store *store,
                                            int64_t content_id, bool current, ptl_error *err)
{
    bool own;
    *out = NULL;
    TRY(sqlite_begin_snapshot(store, &own, err));
    /* The present content's rows are read from the file's own tables. An earlier content is
     * kept compressed in table content_past, so it is unpacked into a store in memory first. */
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

static ptl_status sqlite_content_row_visit(ptl_store *store, int64_t content_id,
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

/* ---- ids and digests of contents, their packs, and the ids that they define ---- */

ptl_status sqlite_content_current(int64_t *id, ptl_store *store, ptl_error *err)
{
    *id = 0;
    return stmt_ask(id, store, "SELECT id FROM main.content WHERE is_current = 1", NULL, 0,
                    err);
}

ptl_status sqlite_content_digest(char out[65], ptl_store *store, int64_t content_id,
                                 ptl_error *err)
{
    stmt *s = NULL;
    out[0] = '\0';
    ptl_status status = stmt_query(&s, store, "SELECT digest FROM main.content WHERE id = ?",
                                   STMT_VALUES(content_id), err);
    if (stmt_row(s, &status, err) && strlen(stmt_text(s, 0)) == 64)
        memcpy(out, stmt_text(s, 0), 65);
    stmt_free(s);
    return status;
}

ptl_status sqlite_content_visit(ptl_store *store, content_visit *visit, void *payload,
                                ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, store,
        "SELECT id, digest, lenient, imported_at, is_current FROM main.content ORDER BY id",
        err);
    while (stmt_row(s, &status, err)) {
        const content_row content = {.id = stmt_int(s, 0),
                                     .digest = stmt_text(s, 1),
                                     .lenient = stmt_int(s, 2) != 0,
                                     .imported_at = stmt_text(s, 3),
                                     .current = stmt_int(s, 4) != 0};
        status = visit(payload, &content, err);
    }
    stmt_free(s);
    return status;
}

static ptl_status sqlite_pack_visit(ptl_store *store, int64_t content_id, pack_visit *visit,
                                    void *payload, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_query(&s, store,
                                   "SELECT id, directory FROM content_pack "
                                   "WHERE content_id = ? ORDER BY position",
                                   STMT_VALUES(content_id), err);
    while (stmt_row(s, &status, err)) {
        const pack_row pack = {.id = stmt_text(s, 0),
                               .own = stmt_text(s, 1)[0] == '\0',
                               .directory = stmt_text(s, 1)};
        status = visit(payload, &pack, err);
    }
    stmt_free(s);
    return status;
}

/* ---- definitions of a content ---- */

static const char *const definition_tables[] = {"overmap_terrain", "overmap_special",
                                                "region_settings", NULL};

static ptl_status sqlite_definition_visit(ptl_store *store, int64_t content_id,
                                          definition_visit *visit, void *payload,
                                          ptl_error *err)
{
    ptl_store *past = NULL; /* a store in memory into which the earlier content was unpacked;
                               NULL if the present content is visited */
    int64_t current = 0;
    ptl_status status = sqlite_content_current(&current, store, err);
    if (status == PTL_OK && content_id != current)
        status = content_past_open(&past, store, content_id, definition_tables, err);
    stmt *s = NULL;
    THEN(status,
         stmt_query(&s, past ? past : store,
                    "SELECT ?1, id, pack FROM overmap_terrain UNION ALL "
                    "SELECT ?2, id, pack FROM overmap_special UNION ALL "
                    "SELECT ?3, id, pack FROM region_settings",
                    STMT_VALUES(PTL_CONTENT_TERRAIN, PTL_CONTENT_SPECIAL, PTL_CONTENT_REGION),
                    err));
    while (stmt_row(s, &status, err)) {
        const definition_row definition = {(ptl_content_kind)stmt_int(s, 0), stmt_text(s, 1),
                                           stmt_int(s, 2)};
        status = visit(payload, &definition, err);
    }
    stmt_free(s);
    ptl_store_close(past);
    return status;
}

/* ---- kept objects, which are parts of the compressed texts of files; neighbouring rows are
 * mostly of one file, so its texts are decompressed once ---- */

typedef struct kept_reader {
    ptl_store *store;
    compressor *compressor; /* owned; NULL: nothing was decompressed yet */
    bytes texts, path;      /* texts and path of the file that was decompressed last */
    int64_t file; /* id of the file of content that was decompressed last; 0: none was */
} kept_reader;

static ptl_status unpack(kept_reader *r, int64_t file, ptl_error *err)
{
    stmt *s;
    bool row;
    if (r->file == file)
        return PTL_OK;
    r->file = 0;
    if (!r->compressor)
        r->compressor = compressor_new();
    TRY(r->compressor ? PTL_OK : error_nomem(err));
    ptl_status status = stmt_find(&s, &row, r->store, STMT_KEPT_TEXTS, STMT_VALUES(file), err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_CORRUPT, "a kept object's file is not there");
    if (status == PTL_OK) {
        size_t size;
        const void *frame = stmt_blob(s, 0, &size);
        const int64_t whole = stmt_int(s, 1);
        bytes_clear(&r->texts);
        bytes_clear(&r->path);
        status = whole < 0 ? error_set(err, PTL_ERR_CORRUPT, "a kept file has a negative size")
                           : decompressor_run(r->compressor, &r->texts, frame, size,
                                              (size_t)whole, err);
        bytes_put_text(&r->path, stmt_text(s, 2));
        if (status == PTL_OK && (!bytes_text(&r->texts) || !bytes_text(&r->path)))
            status = error_nomem(err);
    }
    stmt_reset(s);
    r->file = status == PTL_OK ? file : 0;
    return status;
}

/* Visits the rows whose type the query wants. Neighbouring rows mostly have the same type, so
 * the list of types is searched only when the type changes. */
static ptl_status visit_wanted(kept_reader *r, stmt *s, const kept_text_query *query,
                               kept_text_visit *visit, void *payload, ptl_error *err)
{
    char last[64] = "";
    bool wanted = content_past_lists(last, query->types);
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        const char *type = stmt_text(s, 1);
        if (strcmp(type, last) != 0) {
            wanted = content_past_lists(type, query->types);
            const size_t length = strlen(type);
            memcpy(last, type, length < sizeof last ? length + 1 : 0);
            last[length < sizeof last ? length : 0] = '\0';
        }
        if (!wanted)
            continue;
        status = unpack(r, stmt_int(s, 2), err);
        const int64_t start = stmt_int(s, 3), size = stmt_int(s, 4);
        if (status == PTL_OK && (start < 0 || size < 0 || (uint64_t)start > r->texts.size ||
                                 (uint64_t)size > r->texts.size - (uint64_t)start))
            status = error_set(err, PTL_ERR_CORRUPT,
                               "a kept object lies outside of its file's texts");
        if (status == PTL_OK) {
            const kept_row row = {.number = stmt_int(s, 0),
                                  .type = stmt_text(s, 1),
                                  .path = (const char *)r->path.data,
                                  .line = stmt_int(s, 5),
                                  .text = (const char *)r->texts.data + start,
                                  .size = (size_t)size};
            status = visit(payload, &row, err);
        }
    }
    return status;
}

static ptl_status sqlite_kept_visit(ptl_store *store, const kept_text_query *query,
                                    kept_text_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    kept_reader r = {.store = store};
    /* Selects the objects in SQL by the query's name, or by type if the query has just one
     * type. Otherwise all objects are selected, and visit_wanted skips those of other types. */
    const bool one = query->types[0] && !query->types[1];
    ptl_status status;
    if (query->name)
        status = stmt_prepared(&s, store, STMT_KEPT_NAMED, err);
    else
        status =
            stmt_prepare(&s, store,
                         one ? "SELECT " KEPT_COLUMNS
                               " FROM main.kept_object o WHERE o.type = ? ORDER BY o.id"
                             : "SELECT " KEPT_COLUMNS " FROM main.kept_object o ORDER BY o.id",
                         err);
    if (status == PTL_OK && (query->name || one))
        stmt_bind_text(s, 1, query->name ? query->name : query->types[0]);
    THEN(status, visit_wanted(&r, s, query, visit, payload, err));
    if (query->name && s)
        stmt_reset(s);
    else
        stmt_free(s);
    compressor_free(r.compressor);
    bytes_dispose(&r.texts);
    bytes_dispose(&r.path);
    return status;
}

const content_operations sqlite_contents = {.load = sqlite_catalogue_load,
                                            .load_for = sqlite_catalogue_load_for,
                                            .check_loaded = sqlite_content_check_loaded,
                                            .current = sqlite_content_current,
                                            .digest = sqlite_content_digest,
                                            .pack_visit = sqlite_pack_visit,
                                            .kept_visit = sqlite_kept_visit,
                                            .definition_visit = sqlite_definition_visit,
                                            .visit = sqlite_content_visit,
                                            .row_visit = sqlite_content_row_visit};
