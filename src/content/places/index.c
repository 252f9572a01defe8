#include "content/places/index.h"

#include "core/array.h"
#include "core/error.h"
#include "mapgen/compile/compile.h"
#include "model/symbol.h"
#include "json/view.h"

#include <stdlib.h>
#include <string.h>

const char *index_text(const kept_source *file, size_t *size)
{
    const size_t mark = dialect_mark(file->text, file->size);
    *size = file->size - mark;
    return file->text + mark;
}

static void index_free(place_index *index)
{
    strmap_dispose(&index->ids);
    json_reader_free(index->reader);
    bytes_dispose(&index->text);
    bytes_dispose(&index->id);
    arena_free(index->memory);
    free(index->items);
    free(index->files);
    free(index);
}

/* ---- making it ---- */

/* Returns a copy of the id at `span`, which is without its quotation marks; NULL when memory is
 * out. */
static const char *copy_id(place_index *index, const char *text, scan_span span, bool is_plain)
{
    const char *id = text + span.start;
    size_t length = span.end - span.start;
    if (!is_plain) {
        if (!json_reader_whole(index->reader, id - 1, length + 2, NULL))
            return NULL;
        const json_document document = json_reader_document(index->reader);
        id = json_view_text(json_view_of(&document), &index->id, &length);
    }
    return id ? arena_strndup(index->memory, id, length) : NULL;
}

static bool add(place_index *index, const char *kind, const char *text, scan_span span,
                bool is_plain, const kept_source *file, const kept_event *object)
{
    const char *id = copy_id(index, text, span, is_plain);
    if (!id || !ARRAY_ROOM(index->items, index->room, index->count + 1))
        return false;
    const uint32_t number = (uint32_t)index->count++;
    index->items[number] =
        (place_definition){kind, id, file, object, span.start, span.end, STRMAP_NONE, number};
    const uint32_t first = strmap_get(&index->ids, id);
    if (first == STRMAP_NONE)
        return strmap_put(&index->ids, id, number) == 0;
    index->items[index->items[first].last].next = number;
    index->items[first].last = number;
    return true;
}

/* Adds each id in a member's value, which is an id or a list of ids. */
static bool add_ids(place_index *index, const char *kind, const char *text, scan_span member,
                    const kept_source *file, const kept_event *object)
{
    if (member.end == 0 || text[member.start] == '{')
        return true;
    for (uint32_t at = member.start; at < member.end; at++) {
        if (text[at] != '"')
            continue;
        const uint32_t start = ++at;
        bool plain = true;
        for (; at < member.end && text[at] != '"'; at++)
            if (text[at] == '\\') {
                plain = false;
                at++;
            }
        if (at > start && !add(index, kind, text, (scan_span){start, at}, plain, file, object))
            return false;
    }
    return true;
}

static bool add_object(place_index *index, const kept_source *file, const kept_event *event)
{
    static const struct {
        const char *type; /* NULL: all types that have no row of their own */
        scan_member member;
        /* NULL: objects of a type define ids of the type's own kind (kind_of). */
        const char *kind;
    } members[] = {{"mapgen", SCAN_OM_TERRAIN, "mapgen"},
                   {"mapgen", SCAN_NESTED_MAPGEN_ID, "nested_mapgen"},
                   {"mapgen", SCAN_UPDATE_MAPGEN_ID, "update_mapgen"},
                   {"snippet", SCAN_CATEGORY, "snippet"},
                   /* Older content states a group's id by "name". */
                   {"monstergroup", SCAN_NAME, NULL},
                   {"monstergroup", SCAN_ID, NULL},
                   {NULL, SCAN_ID, NULL},
                   {NULL, SCAN_ABSTRACT, NULL}};
    const scan_object *object = &event->object;
    const scan_span span = object->members[SCAN_TYPE];
    size_t size;
    const char *text = index_text(file, &size);
    if (span.end < span.start + 3 || text[span.start] != '"')
        return true;
    const char *type =
        arena_strndup(index->memory, text + span.start + 1, span.end - span.start - 2);
    bool good = type != NULL, own = false;
    for (size_t i = 0; good && i < sizeof members / sizeof members[0]; i++) {
        const bool fits = members[i].type ? strcmp(members[i].type, type) == 0 : !own;
        own = own || (members[i].type && fits);
        if (fits)
            good = add_ids(index, members[i].kind ? members[i].kind : kind_of(type), text,
                           object->members[members[i].member], file, event);
    }
    return good;
}

static int compare_places(const void *a, const void *b)
{
    const kept_source *x = *(const kept_source *const *)a, *y = *(const kept_source *const *)b;
    return x->finished_place < y->finished_place ? -1 : x->finished_place > y->finished_place;
}

static bool make(place_index *index, const ptl_sources *sources)
{
    index->memory = arena_new();
    index->reader = json_reader_new((stop_hook){NULL, NULL});
    index->files = calloc(sources->count + 1, sizeof *index->files);
    if (!index->memory || !index->reader || !index->files)
        return false;
    for (size_t i = 0; i < sources->count; i++) {
        const kept_source *file = sources_finished(sources->files[i]);
        if (file && file->scanned)
            index->files[index->file_count++] = file;
    }
    qsort(index->files, index->file_count, sizeof *index->files, compare_places);
    for (size_t i = 0; i < index->file_count; i++)
        for (size_t k = 0; k < index->files[i]->count; k++)
            if (index->files[i]->events[k].is_object &&
                !add_object(index, index->files[i], &index->files[i]->events[k]))
                return false;
    return true;
}

place_index *index_of(ptl_sources *sources, ptl_error *err)
{
    if (sources->index)
        return sources->index;
    place_index *index = calloc(1, sizeof *index);
    if (!index || !make(index, sources)) {
        if (index)
            index_free(index);
        (void)error_nomem(err);
        return NULL;
    }
    sources->index = index;
    sources->index_free = index_free;
    return index;
}

ptl_status index_status(place_index *index, ptl_error *err)
{
    const bool failed = index->failed;
    index->failed = false;
    return failed ? error_nomem(err) : PTL_OK;
}

ptl_status index_ended(ptl_error *err)
{
    return error_set(err, PTL_ERR_CANCELLED, "the caller ended the list");
}

/* ---- asking it ---- */

const place_definition *index_find(const place_index *index, const char *kind, const char *id)
{
    uint32_t at = strmap_get(&index->ids, id);
    while (at != STRMAP_NONE && strcmp(index->items[at].kind, kind) != 0)
        at = index->items[at].next;
    return at == STRMAP_NONE ? NULL : &index->items[at];
}

const place_definition *index_resolve(place_index *index, const char *kind, const char *text,
                                      size_t length)
{
    bytes_clear(&index->id);
    bytes_put(&index->id, text, length);
    const char *id = bytes_text(&index->id);
    index->failed = index->failed || !id;
    const place_definition *found = id ? index_find(index, kind, id) : NULL;
    /* A terrain may be named with a rotation or a shape. */
    const bool named = id && strcmp(kind, "overmap_terrain") == 0;
    const size_t bases[] = {named ? terrain_base_length(id) : length,
                            named ? terrain_shape_length(id) : length};
    for (int i = 0; i < 2 && named && !found; i++)
        if (bases[i] < length) {
            char *end = (char *)index->id.data + bases[i];
            const char was = *end;
            *end = '\0';
            found = index_find(index, kind, id);
            *end = was;
        }
    return found;
}

const place_definition *index_last(place_index *index, const char *kind, const char *text,
                                   size_t length)
{
    const place_definition *found = index_resolve(index, kind, text, length);
    for (const place_definition *d = found; d;
         d = d->next == STRMAP_NONE ? NULL : &index->items[d->next])
        found = strcmp(d->kind, kind) == 0 ? d : found;
    return found;
}

bool index_read(place_index *index, const char *text, size_t size, json_document *out)
{
    bytes_clear(&index->text);
    bytes_put(&index->text, text, size);
    char *copy = bytes_text(&index->text) ? (char *)index->text.data : NULL;
    if (!copy)
        return false;
    const json_rules rules = {.loose = copy};
    (void)json_reader_whole(index->reader, copy, size, &rules);
    *out = json_reader_document(index->reader);
    return json_reader_fault(index->reader)->kind != JSON_NO_MEMORY;
}

void index_type(const path_walk *w, char out[128])
{
    const path_frame *object = path_object(w);
    const json_document *d = &w->document;
    out[0] = '\0';
    if (!object)
        return;
    /* While the object is being written it may lack its end, so a lookup by key can't be used.
     */
    for (size_t at = object->open + 1; at + 1 < d->count && json_first(d, at) == '"';) {
        size_t length;
        const char *key = json_key(d, at, &length);
        const json_entry *value = &d->entries[at + 1];
        if (length == 4 && memcmp(key, "type", 4) == 0 && json_first(d, at + 1) == '"' &&
            value->span >= 2 && value->span < 128) {
            memcpy(out, d->text + value->start + 1, value->span - 2);
            out[value->span - 2] = '\0';
        }
        if (value->span == 0)
            return;
        at = json_behind(d, at + 1);
    }
}

ptl_place index_place(const place_definition *d)
{
    const scan_object *o = &d->object->object;
    const bool drawn = strcmp(d->kind, "mapgen") == 0 && o->document.entries;
    json_view wrong;
    return (ptl_place){.size = sizeof(ptl_place),
                       .kind = d->kind,
                       .id = d->id,
                       .file = d->file->path,
                       .start = d->start,
                       .end = d->end,
                       .object_start = o->offset,
                       .object_end = o->offset + o->length,
                       .weight =
                           drawn ? mapgen_weight_of(json_view_of(&o->document), &wrong) : 0};
}
