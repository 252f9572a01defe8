/*
 * Writes the tables of the source layer: packs, counts by type, remarks, and the texts of the
 * kept objects, which are one compressed blob for each file, a row for each object, and a row
 * for each of its names.
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
    content_writer *to;
    compressor *compressor;
    json_reader *reader; /* for names */
    bytes texts, packed;
} writer;

/* ---- kept objects ---- */

/* Writes a name for every string in the value: an id, a list of ids, or the rows of
 * mapgen's om_terrain. */
static void write_names_of(writer *w, int64_t object_id, const char *key, const json_t *value,
                           int depth)
{
    enum { NESTING_MAX = 3 };
    if (json_is_string(value))
        content_put(w->to, CONTENT_NAMES,
                    &(kept_name_row){json_string_value(value), object_id, key});
    else if (json_is_array(value) && depth < NESTING_MAX)
        for (size_t i = 0; i < json_array_size(value); i++)
            write_names_of(w, object_id, key, json_array_get(value, i), depth + 1);
}

static void write_objects(writer *w, const kept_entry *entries, size_t count)
{
    const int64_t file = content_put_number(w->to);
    int64_t start = 0;
    for (size_t i = 0; i < count && content_writer_status(w->to) == PTL_OK; i++) {
        const kept_entry *entry = &entries[i];
        content_put(w->to, CONTENT_OBJECTS,
                    &(kept_object_row){file, entry->type->objects.name, start, entry->length,
                                       entry->line});
        const int64_t object_id = content_put_number(w->to);
        for (int m = SCAN_ID; m < SCAN_MEMBERS; m++) {
            scan_span span = entry->members[m];
            if (span.end == 0)
                continue;
            json_fault fault;
            json_t *value = json_value_read(w->reader, entry->file->file.text + span.start,
                                            span.end - span.start, &fault);
            if (value)
                write_names_of(w, object_id, scan_member_names[m], value, 0);
            else if (fault.kind ==
                     JSON_NO_MEMORY) /* otherwise a number out of range: no name */
                content_writer_fail(w->to, error_nomem(w->im->err));
            json_decref(value);
        }
        start += entry->length;
    }
}

/* Writes the kept objects of one file. */
static void write_file(writer *w, const kept_entry *entries, size_t count)
{
    const source_file *file = &entries[0].file->file;
    bytes_clear(&w->texts);
    bytes_clear(&w->packed);
    for (size_t i = 0; i < count; i++)
        bytes_put(&w->texts, file->text + entries[i].offset, entries[i].length);
    ptl_status status = w->texts.failed
                            ? error_nomem(w->im->err)
                            : compressor_run(w->compressor, &w->packed, w->texts.data,
                                             w->texts.size, COMPRESSION_LEVEL, w->im->err);
    content_writer_fail(w->to, status);
    content_put(w->to, CONTENT_FILES,
                &(kept_file_row){content_writer_id(w->to),
                                 file->pack,
                                 file->path,
                                 (int64_t)w->texts.size,
                                 {w->packed.data, w->packed.size}});
    write_objects(w, entries, count);
}

static void write_kept(import *im, content_writer *to)
{
    writer w = {.im = im,
                .to = to,
                .compressor = compressor_new(),
                .reader = json_reader_new((stop_hook){NULL, NULL})};
    const import_source *source = im->source;
    bytes_init(&w.texts);
    bytes_init(&w.packed);
    if (!w.compressor || !w.reader)
        content_writer_fail(to, error_nomem(im->err));
    for (size_t from = 0, end; from < source->kept_count; from = end) {
        for (end = from + 1; end < source->kept_count; end++)
            if (source->kept[end].file != source->kept[from].file)
                break;
        if (content_writer_status(to) == PTL_OK)
            write_file(&w, source->kept + from, end - from);
    }
    compressor_free(w.compressor);
    json_reader_free(w.reader);
    bytes_dispose(&w.texts);
    bytes_dispose(&w.packed);
}

void kept_write(import *im, content_writer *w)
{
    for (size_t i = 0; i < im->pack_count; i++) {
        const import_pack *p = &im->packs[i];
        content_put(w, CONTENT_PACKS,
                    &(content_pack_row){content_writer_id(w), (int64_t)i, p->id, p->name,
                                        p->directory, p->file_count, p->object_count});
    }
    static const char *const names[] = {"skipped", "kept", "table"};
    for (size_t i = 0; i < im->source->type_count; i++) {
        const type_entry *type = im->source->types[i];
        content_put(w, CONTENT_TYPE_COUNTS,
                    &(content_type_count_row){content_writer_id(w), type->objects.name,
                                              (int64_t)type->count, names[type->treatment]});
    }
    for (size_t i = 0; i < im->source->diagnostic_count; i++) {
        const diagnostic *d = &im->source->diagnostics[i];
        const char *text = d->severity == PTL_NOTE ? NULL : diagnostic_text(im, d);
        if (text)
            content_put(w, CONTENT_ISSUES,
                        &(content_issue_row){content_writer_id(w),
                                             d->unresolved ? "unresolved" : "warning", d->path,
                                             d->line, d->column, d->type, d->id, text});
    }
    unknown_write(im, w);
    write_kept(im, w);
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

void kept_visit_each(import *im, const char *type, kept_visit *visit)
{
    const import_source *source = im->source;
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    if (!reader)
        import_no_memory(im);
    for (size_t i = 0; i < source->kept_count && !import_stopped(im) && !import_ended(im);
         i++) {
        const kept_entry *entry = &source->kept[i];
        json_fault fault;
        if (!is_of(entry, type))
            continue;
        json_t *json = json_value_read(reader, entry->file->file.text + entry->offset,
                                       entry->length, &fault);
        if (json)
            visit(im, entry, json);
        else if (fault.kind == JSON_NO_MEMORY)
            import_no_memory(im);
        json_decref(json);
    }
    json_reader_free(reader);
}
