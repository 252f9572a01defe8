/*
 * Remarks on the content: errors, warnings and notes. They are gathered during the import and
 * reported at its end, sorted by file and place, so that their order does not depend on which
 * pass found them.
 */
#include "content/import/field.h"
#include "content/import/source.h"
#include "core/array.h"
#include "core/bytes.h"
#include "core/visible.h"
#include "json/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool source_grow(import *im, void *array, size_t count, size_t *capacity, size_t element_size)
{
    const bool has_room = array_grow(array, capacity, count + 1, element_size);
    if (!has_room)
        im->source->status = PTL_ERR_NOMEM;
    return has_room;
}

const char *import_visible(import *im, const char *text)
{
    if (!text || !*text)
        return "";
    bytes safe = {.size = 0};
    visible_put(&safe, text, strlen(text));
    const char *made = bytes_text(&safe);
    const char *out = made ? arena_strdup(im->arena, made) : NULL;
    bytes_dispose(&safe);
    return out;
}

static void add(import *im, diagnostic *d, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static void add(import *im, diagnostic *d, const char *format, va_list args)
{
    import_source *source = im->source;
    bytes text;
    bytes_init(&text);
    bytes_vprintf(&text, format, args);
    const char *message = bytes_text(&text);
    d->message = message ? import_visible(im, message) : NULL;
    bytes_dispose(&text);
    /* A path leads to its file only if it stays as it is: clients print it with escapes. */
    d->path = d->path ? arena_strdup(im->arena, d->path) : "";
    d->id = import_visible(im, d->id);
    d->type = import_visible(im, d->type);
    d->sequence = (uint32_t)source->diagnostic_count;
    if (!d->message || !d->path || !d->id || !d->type)
        source->status = PTL_ERR_NOMEM;
    else if (SOURCE_ROOM(im, source->diagnostics, source->diagnostic_count,
                         source->diagnostic_capacity))
        source->diagnostics[source->diagnostic_count++] = *d;
    /* Errors are counted even if there was no memory to store them, so that no error is lost.
     */
    if (d->severity == PTL_ERROR)
        im->report->errors++;
    else if (d->severity == PTL_WARNING)
        im->report->warnings++;
}

/* Calls the function add(). `format` is the last named parameter of the function that uses ADD;
 * the arguments after it go with the format. */
#define ADD(im, d, format)                                                                     \
    do {                                                                                       \
        va_list args;                                                                          \
        va_start(args, format);                                                                \
        add(im, d, format, args);                                                              \
        va_end(args);                                                                          \
    } while (0)

void import_no_memory(import *im)
{
    im->source->status = PTL_ERR_NOMEM;
}

void *import_alloc(import *im, size_t count, size_t size)
{
    void *memory = arena_calloc(im->arena, count > 0 ? count : 1, size);
    if (!memory)
        import_no_memory(im);
    return memory;
}

bool import_ended(const import *im)
{
    return im->source->status != PTL_OK;
}

void diagnostic_add(import *im, ptl_severity severity, diagnostic_place place, remark_code code,
                    const char *format, ...)
{
    diagnostic d = {.severity = severity,
                    .code = code,
                    .file = place.file,
                    .path = place.file ? place.file->path : place.path,
                    .offset = place.offset,
                    .id = place.id,
                    .type = place.type};
    ADD(im, &d, format);
}

static diagnostic in_object(ptl_severity severity, remark_code code, const source_object *obj,
                            const char *id, const char *pointer)
{
    /* Without a given id, the object is named by its "id" or "abstract"; if that is a list of
     * ids, by the first of them. */
    const json_t *name = json_object_get(obj->json, "id");
    if (!name)
        name = json_object_get(obj->json, "abstract");
    if (json_is_array(name))
        name = json_array_get(name, 0);
    return (diagnostic){.severity = severity,
                        .code = code,
                        .file = obj->file,
                        .path = obj->file->path,
                        .object = obj,
                        .pointer = pointer ? pointer : "",
                        .offset = obj->document.entries[0].start,
                        .id = id ? id : (json_is_string(name) ? json_string_value(name) : ""),
                        .type = obj->type};
}

bool import_error(import *im, const source_object *obj, const char *id, const char *pointer,
                  remark_code code, const char *format, ...)
{
    diagnostic d = in_object(PTL_ERROR, code, obj, id, pointer);
    ADD(im, &d, format);
    return false;
}

void import_warning(import *im, const source_object *obj, const char *id, const char *pointer,
                    remark_code code, const char *format, ...)
{
    diagnostic d = in_object(PTL_WARNING, code, obj, id, pointer);
    ADD(im, &d, format);
}

void import_note(import *im, const source_object *obj, const char *id, const char *pointer,
                 remark_code code, const char *format, ...)
{
    diagnostic d = in_object(PTL_NOTE, code, obj, id, pointer);
    ADD(im, &d, format);
}

void diagnostic_add_at(import *im, const source_object *obj, const char *id, size_t offset,
                       remark_code code, const char *format, ...)
{
    diagnostic d = in_object(remark_code_severity(code), code, obj, id, "");
    d.offset = offset;
    ADD(im, &d, format);
}

bool import_unresolved(import *im, const source_object *obj, const char *id,
                       const char *pointer, remark_code code, const char *format, ...)
{
    diagnostic d =
        in_object(im->options->lenient ? PTL_WARNING : PTL_ERROR, code, obj, id, pointer);
    d.unresolved = true;
    ADD(im, &d, format);
    return im->options->lenient;
}

static diagnostic in_field(ptl_severity severity, remark_code code, field f)
{
    return in_object(severity, code, f.obj, f.id, field_pointer(f));
}

bool field_error(field f, remark_code code, const char *format, ...)
{
    diagnostic d = in_field(PTL_ERROR, code, f);
    ADD(f.im, &d, format);
    return false;
}

void field_warning(field f, remark_code code, const char *format, ...)
{
    diagnostic d = in_field(PTL_WARNING, code, f);
    ADD(f.im, &d, format);
}

void field_unresolved(field f, remark_code code, const char *format, ...)
{
    diagnostic d = in_field(f.im->options->lenient ? PTL_WARNING : PTL_ERROR, code, f);
    d.unresolved = true;
    ADD(f.im, &d, format);
}

void diagnostics_excuse(import *im, size_t count)
{
    import_source *source = im->source;
    size_t left = count;
    for (size_t i = count; i < source->diagnostic_count; i++) {
        diagnostic d = source->diagnostics[i];
        if (d.severity != PTL_ERROR || !d.object)
            continue;
        d.severity = PTL_WARNING;
        d.message = import_printf(im, "%s" LEFT_OUT_TEXT, d.message);
        d.sequence = (uint32_t)left;
        source->diagnostics[left++] = d;
        im->report->warnings++;
    }
    source->diagnostic_count = left;
}

static int compare(const void *left, const void *right)
{
    const diagnostic *a = left, *b = right;
    /* Remarks that belong to no file that was read (on packs, on unreadable files) come first.
     */
    const int64_t file_a = a->file ? a->file->index + 1 : 0;
    const int64_t file_b = b->file ? b->file->index + 1 : 0;
    return ORDER_BY(file_a > 0, file_b > 0, a->is_base, b->is_base, file_a, file_b,
                    file_a > 0 ? (int64_t)a->offset : 0, file_a > 0 ? (int64_t)b->offset : 0,
                    a->sequence, b->sequence);
}

/* ---- places inside objects ---- */

static int compare_objects(const void *left, const void *right)
{
    const diagnostic *a = ((const position_wish *)left)->owner;
    const diagnostic *b = ((const position_wish *)right)->owner;
    return (a->object->order > b->object->order) - (a->object->order < b->object->order);
}

/* Finds the places of all remarks on objects. The remarks on one object are handled together,
 * as one walk over the object finds all their places. */
static void find_places(import *im)
{
    import_source *source = im->source;
    position_wish *wishes = calloc(source->diagnostic_count, sizeof *wishes);
    size_t count = 0;
    if (!wishes) {
        import_no_memory(im);
        return;
    }
    for (size_t i = 0; i < source->diagnostic_count; i++) {
        diagnostic *d = &source->diagnostics[i];
        if (d->object && *d->pointer)
            wishes[count++] =
                (position_wish){.pointer = d->pointer, .offset = d->offset, .owner = d};
    }
    if (count > 1)
        qsort(wishes, count, sizeof *wishes, compare_objects);
    for (size_t from = 0, to; from < count && !import_stopped(im); from = to) {
        for (to = from + 1; to < count && compare_objects(&wishes[from], &wishes[to]) == 0;)
            to++;
        const diagnostic *first = wishes[from].owner;
        if (!position_find_all(&first->object->document, wishes + from, to - from))
            import_no_memory(im);
        for (size_t i = from; i < to; i++)
            ((diagnostic *)wishes[i].owner)->offset = wishes[i].offset;
    }
    free(wishes);
}

/* Returns the pack of a remark; NULL if it has none, or packs are not known yet. */
static const import_pack *pack_of(const import *im, const diagnostic *d)
{
    return d->file && d->file->pack < im->pack_count ? &im->packs[d->file->pack] : NULL;
}

void diagnostics_finish(import *im)
{
    import_source *source = im->source;
    if (source->diagnostic_count == 0)
        return;
    find_places(im);
    for (size_t i = 0; i < source->diagnostic_count; i++) {
        const import_pack *pack = pack_of(im, &source->diagnostics[i]);
        source->diagnostics[i].is_base = pack && pack->is_base;
    }
    qsort(source->diagnostics, source->diagnostic_count, sizeof *source->diagnostics, compare);
    const source_file *file = NULL;
    position_cursor cursor = position_begin("");
    for (size_t i = 0; i < source->diagnostic_count; i++) {
        diagnostic *d = &source->diagnostics[i];
        if (!d->file || !d->file->text) {
            d->line = d->column = 0;
            continue;
        }
        if (d->file != file)
            cursor = position_begin(d->file->text);
        file = d->file;
        position_go(&cursor, d->offset);
        d->line = cursor.line;
        d->column = cursor.column;
    }
}

const char *diagnostic_text(import *im, const diagnostic *d)
{
    return import_printf(im, "%s: %s", remark_code_name(d->code), d->message);
}

void diagnostics_emit(import *im)
{
    const ptl_import_options *options = im->options;
    for (size_t i = 0;
         options->on_diagnostic && i < im->source->diagnostic_count && !import_stopped(im);
         i++) {
        const diagnostic *d = &im->source->diagnostics[i];
        const import_pack *pack = pack_of(im, d);
        const ptl_diagnostic out = {.size = sizeof out,
                                    .severity = d->severity,
                                    .file = d->path,
                                    .line = d->line,
                                    .column = d->column,
                                    .id = d->id,
                                    .message = d->message,
                                    .code = remark_code_name(d->code),
                                    .pack = pack ? pack->id : "",
                                    .is_base = d->is_base};
        options->on_diagnostic(options->payload, &out);
    }
}

/* ---- "did you mean" ---- */

bool suggest_among(import *im, suggestion *s, const char *wanted, size_t count)
{
    /* The most comparisons of ids in one import, which take some two seconds. The data of
     * Cataclysm: DDA 0.F without its first folders, with 2,276 unknown ids, needs a third of
     * that. */
    enum { COMPARED_MAX = 30 * 1000 * 1000 };
    const bool before = im->compared <= COMPARED_MAX;
    suggest_begin(s, wanted);
    if (import_stopped(im) || strmap_get(&im->source->left_out, wanted) != STRMAP_NONE)
        return false;
    im->compared += count;
    if (im->compared <= COMPARED_MAX)
        return true;
    if (before)
        diagnostic_add(im, PTL_NOTE, (diagnostic_place){.path = ""}, CT117,
                       "so many ids are unknown that not all of them were compared with the "
                       "known ones: for some it is not said what they may mean");
    return false;
}

const char *suggest_text(import *im, const suggestion *s)
{
    return s->best ? import_printf(im, ", did you mean '%s'?", s->best)
                   : left_out_text(im, s->wanted);
}

const char *suggest_id(import *im, const char *wanted, const void *entries, size_t count,
                       size_t size)
{
    suggestion near;
    const char *at = entries;
    const bool compare = suggest_among(im, &near, wanted, count);
    for (size_t i = 0; compare && i < count; i++, at += size)
        suggest_offer(&near, *(const char *const *)(const void *)at);
    return suggest_text(im, &near);
}

int compare_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_id(const void *id, const void *entry)
{
    const char *wanted = id, *own = *(const char *const *)entry;
    /* The first letters are compared before strcmp is called, as most ids differ there. */
    const int order = (unsigned char)*wanted - (unsigned char)*own;
    return order != 0 ? order : strcmp(wanted, own);
}

void *find_id(void *entries, size_t count, size_t size, const char *id)
{
    return count > 0 ? bsearch(id, entries, count, size, compare_id) : NULL;
}
