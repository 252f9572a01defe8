/*
 * Writes the source layer's tables: packs, counts by type, remarks, and the texts of the kept
 * objects: one compressed blob a file, one row an object, and a row for each of its names.
 */
#include "codec/compress.h"
#include "content/import/source.h"
#include "core/bytes.h"
#include "core/error.h"
#include "store/sqlite/connection/stmt.h"
#include "json/json_value.h"

#include <string.h>

enum { COMPRESSION_LEVEL = 3 };

typedef struct writer {
    import *im;
    ptl_store *store;
    int64_t content_id;
    compressor *compressor;
    bytes texts, packed;
    stmt *file, *object, *name;
} writer;

static ptl_status clear_tables(import *im, ptl_store *store, int64_t content_id)
{
    ptl_status status =
        store_exec(store,
                   "DELETE FROM kept_name; DELETE FROM kept_object; DELETE FROM kept_file;"
                   "DELETE FROM content_issue; DELETE FROM content_type_count;",
                   im->err);
    stmt *s = NULL;
    if (status == PTL_OK)
        status =
            stmt_prepare(&s, store, "DELETE FROM content_pack WHERE content_id = ?1", im->err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, content_id);
    status = stmt_run(s, im->err);
    stmt_free(s);
    return status;
}

static ptl_status write_packs(import *im, ptl_store *store, int64_t content_id)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store,
                                     "INSERT INTO content_pack (content_id, position, id, name,"
                                     " directory, file_count, object_count)"
                                     " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                     im->err);
    for (size_t i = 0; i < im->pack_count && status == PTL_OK; i++) {
        const import_pack *p = &im->packs[i];
        stmt_bind_int(s, 1, content_id);
        stmt_bind_int(s, 2, (int64_t)i);
        stmt_bind_text(s, 3, p->id);
        stmt_bind_text(s, 4, p->name);
        stmt_bind_text(s, 5, p->directory);
        stmt_bind_int(s, 6, p->file_count);
        stmt_bind_int(s, 7, p->object_count);
        status = stmt_run(s, im->err);
    }
    stmt_free(s);
    return status;
}

static ptl_status write_type_counts(import *im, ptl_store *store, int64_t content_id)
{
    static const char *const names[] = {"skipped", "kept", "table"};
    stmt *s = NULL;
    ptl_status status =
        stmt_prepare(&s, store,
                     "INSERT INTO content_type_count (content_id, type, objects, treatment)"
                     " VALUES (?1, ?2, ?3, ?4)",
                     im->err);
    for (size_t i = 0; i < im->source->type_count && status == PTL_OK; i++) {
        const type_entry *type = im->source->types[i];
        stmt_bind_int(s, 1, content_id);
        stmt_bind_text(s, 2, type->objects.name);
        stmt_bind_int(s, 3, (int64_t)type->count);
        stmt_bind_text(s, 4, names[type->treatment]);
        status = stmt_run(s, im->err);
    }
    stmt_free(s);
    return status;
}

static ptl_status write_issues(import *im, ptl_store *store, int64_t content_id)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, store,
        "INSERT INTO content_issue (content_id, kind, file, line, \"column\", object_type,"
        " object_id, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        im->err);
    for (size_t i = 0; i < im->source->diagnostic_count && status == PTL_OK; i++) {
        const diagnostic *d = &im->source->diagnostics[i];
        if (d->severity == PTL_NOTE)
            continue;
        stmt_bind_int(s, 1, content_id);
        stmt_bind_text(s, 2, d->unresolved ? "unresolved" : "warning");
        stmt_bind_text(s, 3, d->path);
        stmt_bind_int(s, 4, d->line);
        stmt_bind_int(s, 5, d->column);
        stmt_bind_text(s, 6, d->type);
        stmt_bind_text(s, 7, d->id);
        stmt_bind_text(s, 8, d->message);
        status = stmt_run(s, im->err);
    }
    stmt_free(s);
    return status;
}

/* ---- kept objects ---- */

static ptl_status write_name(writer *w, int64_t object_id, const char *key, const char *name)
{
    stmt_bind_text(w->name, 1, name);
    stmt_bind_int(w->name, 2, object_id);
    stmt_bind_text(w->name, 3, key);
    return stmt_run(w->name, w->im->err);
}

/* Every string in the value: an id, a list of ids, or mapgen's rows of om_terrain. */
static ptl_status write_names_of(writer *w, int64_t object_id, const char *key,
                                 const json_t *value, int depth)
{
    enum { NESTING_MAX = 3 };
    if (json_is_string(value))
        return write_name(w, object_id, key, json_string_value(value));
    ptl_status status = PTL_OK;
    if (json_is_array(value) && depth < NESTING_MAX)
        for (size_t i = 0; i < json_array_size(value) && status == PTL_OK; i++)
            status = write_names_of(w, object_id, key, json_array_get(value, i), depth + 1);
    return status;
}

static ptl_status write_names(writer *w, int64_t object_id, const kept_entry *entry)
{
    ptl_status status = PTL_OK;
    for (int m = SCAN_ID; m < SCAN_MEMBERS && status == PTL_OK; m++) {
        scan_span span = entry->members[m];
        if (span.end == 0)
            continue;
        json_fault fault;
        json_t *value = json_value_parse(entry->file->file.text + span.start,
                                         span.end - span.start, &fault, NULL);
        if (value)
            status = write_names_of(w, object_id, scan_member_names[m], value, 0);
        else if (!fault.reason) /* else a number out of range: no name */
            status = error_nomem(w->im->err);
        json_decref(value);
    }
    return status;
}

static ptl_status write_objects(writer *w, const kept_entry *entries, size_t count,
                                int64_t file_row)
{
    ptl_status status = PTL_OK;
    int64_t start = 0;
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        const kept_entry *entry = &entries[i];
        stmt_bind_int(w->object, 1, file_row);
        stmt_bind_text(w->object, 2, entry->type->objects.name);
        stmt_bind_int(w->object, 3, start);
        stmt_bind_int(w->object, 4, entry->length);
        stmt_bind_int(w->object, 5, entry->line);
        status = stmt_run(w->object, w->im->err);
        if (status == PTL_OK)
            status = write_names(w, store_last_rowid(w->store), entry);
        start += entry->length;
    }
    return status;
}

/* The kept entries of one file. */
static ptl_status write_file(writer *w, const kept_entry *entries, size_t count)
{
    const source_file *file = &entries[0].file->file;
    bytes_clear(&w->texts);
    bytes_clear(&w->packed);
    for (size_t i = 0; i < count; i++)
        bytes_put(&w->texts, file->text + entries[i].offset, entries[i].length);
    if (w->texts.failed)
        return error_nomem(w->im->err);
    ptl_status status = compressor_run(w->compressor, &w->packed, w->texts.data, w->texts.size,
                                       COMPRESSION_LEVEL, w->im->err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(w->file, 1, w->content_id);
    stmt_bind_int(w->file, 2, file->pack);
    stmt_bind_text(w->file, 3, file->path);
    stmt_bind_int(w->file, 4, (int64_t)w->texts.size);
    stmt_bind_blob(w->file, 5, w->packed.data, w->packed.size);
    status = stmt_run(w->file, w->im->err);
    if (status == PTL_OK)
        status = write_objects(w, entries, count, store_last_rowid(w->store));
    return status;
}

static ptl_status prepare(writer *w)
{
    ptl_error *err = w->im->err;
    ptl_status status =
        stmt_prepare(&w->file, w->store,
                     "INSERT INTO kept_file (content_id, pack, path, size, texts)"
                     " VALUES (?1, ?2, ?3, ?4, ?5)",
                     err);
    if (status == PTL_OK)
        status = stmt_prepare(&w->object, w->store,
                              "INSERT INTO kept_object (file_id, type, start, size, line)"
                              " VALUES (?1, ?2, ?3, ?4, ?5)",
                              err);
    /* A list may hold the same id twice. */
    if (status == PTL_OK)
        status = stmt_prepare(&w->name, w->store,
                              "INSERT OR IGNORE INTO kept_name (name, object_id, key)"
                              " VALUES (?1, ?2, ?3)",
                              err);
    w->compressor = compressor_new();
    if (status == PTL_OK && !w->compressor)
        status = error_nomem(err);
    return status;
}

static ptl_status write_kept(import *im, ptl_store *store, int64_t content_id)
{
    writer w = {.im = im, .store = store, .content_id = content_id};
    bytes_init(&w.texts);
    bytes_init(&w.packed);
    ptl_status status = prepare(&w);
    const import_source *source = im->source;
    for (size_t from = 0, to; from < source->kept_count && status == PTL_OK; from = to) {
        for (to = from + 1; to < source->kept_count; to++)
            if (source->kept[to].file != source->kept[from].file)
                break;
        status = write_file(&w, source->kept + from, to - from);
    }
    compressor_free(w.compressor);
    stmt_free(w.file);
    stmt_free(w.object);
    stmt_free(w.name);
    bytes_dispose(&w.texts);
    bytes_dispose(&w.packed);
    return status;
}

ptl_status kept_write(import *im, ptl_store *store, int64_t content_id)
{
    ptl_status status = clear_tables(im, store, content_id);
    if (status == PTL_OK)
        status = write_packs(im, store, content_id);
    if (status == PTL_OK)
        status = write_type_counts(im, store, content_id);
    if (status == PTL_OK)
        status = write_issues(im, store, content_id);
    if (status == PTL_OK)
        status = write_kept(im, store, content_id);
    return status;
}
