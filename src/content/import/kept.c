/*
 * Writes the source layer's tables: packs, counts by type, remarks, and the texts of the kept
 * objects: one compressed blob a file, one row an object, and a row for each of its names.
 */
#include "codec/compress.h"
#include "content/import/source.h"
#include "core/bytes.h"
#include "core/error.h"
#include "store/content_store.h"
#include "json/json_value.h"

#include <string.h>

enum { COMPRESSION_LEVEL = 3 };

typedef struct writer {
    import *im;
    ptl_store *store;
    int64_t content_id;
    compressor *compressor;
    json_reader *reader; /* of names */
    bytes texts, packed;
    content_rows *file, *object, *name;
} writer;

static ptl_status write_packs(import *im, ptl_store *store, int64_t content_id)
{
    content_rows *s = NULL;
    ptl_status status = content_rows_open(&s, store, CONTENT_PACKS, im->err);
    for (size_t i = 0; i < im->pack_count && status == PTL_OK; i++) {
        const import_pack *p = &im->packs[i];
        content_rows_int(s, 1, content_id);
        content_rows_int(s, 2, (int64_t)i);
        content_rows_text(s, 3, p->id);
        content_rows_text(s, 4, p->name);
        content_rows_text(s, 5, p->directory);
        content_rows_int(s, 6, p->file_count);
        content_rows_int(s, 7, p->object_count);
        status = content_rows_add(s, im->err);
    }
    content_rows_close(s);
    return status;
}

static ptl_status write_type_counts(import *im, ptl_store *store, int64_t content_id)
{
    static const char *const names[] = {"skipped", "kept", "table"};
    content_rows *s = NULL;
    ptl_status status = content_rows_open(&s, store, CONTENT_TYPE_COUNTS, im->err);
    for (size_t i = 0; i < im->source->type_count && status == PTL_OK; i++) {
        const type_entry *type = im->source->types[i];
        content_rows_int(s, 1, content_id);
        content_rows_text(s, 2, type->objects.name);
        content_rows_int(s, 3, (int64_t)type->count);
        content_rows_text(s, 4, names[type->treatment]);
        status = content_rows_add(s, im->err);
    }
    content_rows_close(s);
    return status;
}

static ptl_status write_issues(import *im, ptl_store *store, int64_t content_id)
{
    content_rows *s = NULL;
    ptl_status status = content_rows_open(&s, store, CONTENT_ISSUES, im->err);
    for (size_t i = 0; i < im->source->diagnostic_count && status == PTL_OK; i++) {
        const diagnostic *d = &im->source->diagnostics[i];
        const char *text = d->severity == PTL_NOTE ? NULL : diagnostic_text(im, d);
        if (d->severity == PTL_NOTE)
            continue;
        if (!text)
            status = error_nomem(im->err);
        if (status != PTL_OK)
            break;
        content_rows_int(s, 1, content_id);
        content_rows_text(s, 2, d->unresolved ? "unresolved" : "warning");
        content_rows_text(s, 3, d->path);
        content_rows_int(s, 4, d->line);
        content_rows_int(s, 5, d->column);
        content_rows_text(s, 6, d->type);
        content_rows_text(s, 7, d->id);
        content_rows_text(s, 8, text);
        status = content_rows_add(s, im->err);
    }
    content_rows_close(s);
    return status;
}

/* ---- kept objects ---- */

static ptl_status write_name(writer *w, int64_t object_id, const char *key, const char *name)
{
    content_rows_text(w->name, 1, name);
    content_rows_int(w->name, 2, object_id);
    content_rows_text(w->name, 3, key);
    return content_rows_add(w->name, w->im->err);
}

/* Writes every string in the value: an id, a list of ids, or mapgen's rows of om_terrain. */
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
        json_t *value = json_value_read(w->reader, entry->file->file.text + span.start,
                                        span.end - span.start, &fault);
        if (value)
            status = write_names_of(w, object_id, scan_member_names[m], value, 0);
        else if (fault.kind == JSON_NO_MEMORY) /* else a number out of range: no name */
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
        content_rows_int(w->object, 1, file_row);
        content_rows_text(w->object, 2, entry->type->objects.name);
        content_rows_int(w->object, 3, start);
        content_rows_int(w->object, 4, entry->length);
        content_rows_int(w->object, 5, entry->line);
        status = content_rows_add(w->object, w->im->err);
        if (status == PTL_OK)
            status = write_names(w, content_rows_number(w->object), entry);
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
    content_rows_int(w->file, 1, w->content_id);
    content_rows_int(w->file, 2, file->pack);
    content_rows_text(w->file, 3, file->path);
    content_rows_int(w->file, 4, (int64_t)w->texts.size);
    content_rows_blob(w->file, 5, w->packed.data, w->packed.size);
    status = content_rows_add(w->file, w->im->err);
    if (status == PTL_OK)
        status = write_objects(w, entries, count, content_rows_number(w->file));
    return status;
}

static ptl_status prepare(writer *w)
{
    ptl_error *err = w->im->err;
    ptl_status status = content_rows_open(&w->file, w->store, CONTENT_FILES, err);
    if (status == PTL_OK)
        status = content_rows_open(&w->object, w->store, CONTENT_OBJECTS, err);
    /* A list may hold the same id twice. */
    if (status == PTL_OK)
        status = content_rows_open(&w->name, w->store, CONTENT_NAMES, err);
    w->compressor = compressor_new();
    w->reader = json_reader_new((stop_hook){NULL, NULL});
    if (status == PTL_OK && !(w->compressor && w->reader))
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
    json_reader_free(w.reader);
    content_rows_close(w.file);
    content_rows_close(w.object);
    content_rows_close(w.name);
    bytes_dispose(&w.texts);
    bytes_dispose(&w.packed);
    return status;
}

ptl_status kept_write(import *im, ptl_store *store, int64_t content_id)
{
    ptl_status status = store_content_clear(store, CONTENT_SOURCE, content_id, im->err);
    if (status == PTL_OK)
        status = write_packs(im, store, content_id);
    if (status == PTL_OK)
        status = write_type_counts(im, store, content_id);
    if (status == PTL_OK)
        status = write_issues(im, store, content_id);
    if (status == PTL_OK)
        status = unknown_write(im, store, content_id);
    if (status == PTL_OK)
        status = write_kept(im, store, content_id);
    return status;
}

/* ---- reading ---- */

static bool is_of(const kept_entry *entry, const char *type)
{
    return strcmp(entry->type->objects.name, type) == 0;
}

size_t kept_count(const import *im, const char *type)
{
    size_t count = 0;
    for (size_t i = 0; i < im->source->kept_count; i++)
        count += is_of(&im->source->kept[i], type);
    return count;
}

ptl_status kept_visit_each(import *im, const char *type, kept_visit *visit)
{
    const import_source *source = im->source;
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ptl_status status = reader ? PTL_OK : error_nomem(im->err);
    for (size_t i = 0; i < source->kept_count && status == PTL_OK; i++) {
        const kept_entry *entry = &source->kept[i];
        json_fault fault;
        if (!is_of(entry, type) || import_stopped(im))
            continue;
        json_t *json = json_value_read(reader, entry->file->file.text + entry->offset,
                                       entry->length, &fault);
        if (json)
            status = visit(im, entry, json);
        else if (fault.kind == JSON_NO_MEMORY)
            status = error_nomem(im->err);
        json_decref(json);
    }
    json_reader_free(reader);
    return status;
}
