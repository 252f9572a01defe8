/* The functions of portolan/places.h, except those about drawings (drawn.c). */
#include "content/places/index.h"

#include "core/error.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "json/view.h"

#include <string.h>

ptl_status ptl_definition_list(ptl_sources *sources, const char *kind, const char *id,
                               const char *file,
                               bool (*on_place)(void *payload, const ptl_place *place),
                               void *payload, ptl_error *err)
{
    error_clear(err);
    const place_index *index = index_of(sources, err);
    if (!index)
        return PTL_ERR_NOMEM;
    const uint32_t first = id ? strmap_get(&index->ids, id) : 0;
    for (size_t i = first; i < index->count; i = id ? index->items[i].next : i + 1) {
        const place_definition *d = &index->items[i];
        if ((kind && strcmp(kind, d->kind) != 0) || (file && strcmp(file, d->file->path) != 0))
            continue;
        const ptl_place place = index_place(d);
        if (!on_place(payload, &place))
            return index_ended(err);
    }
    return PTL_OK;
}

/* ---- what stands at a place ---- */

/* Finds all kinds in which content defines the id that is written as `text`. */
static void look_up_any(ptl_place_info *out, place_index *index, const char *text,
                        size_t length)
{
    bytes_clear(&index->id);
    bytes_put(&index->id, text, length);
    const char *id = bytes_text(&index->id);
    index->failed = index->failed || !id;
    uint32_t at = id ? strmap_get(&index->ids, id) : STRMAP_NONE;
    for (; at != STRMAP_NONE; at = index->items[at].next) {
        const place_definition *d = &index->items[at];
        bool has = strcmp(d->kind, "mapgen") == 0;
        for (size_t i = 0; i < out->known_count; i++)
            has = has || strcmp(out->known[i], d->kind) == 0;
        if (!has && out->known_count < PTL_PLACE_KINDS) {
            out->known[out->known_count++] = d->kind;
            out->id = d->id;
        }
    }
}

/* The id that is written as `text` may be of any of these kinds, or, if the list is empty, of
 * any kind at all. Finds those kinds in which content defines it. */
static void look_up(ptl_place_info *out, place_index *index, const kind_list *kinds,
                    const char *text, size_t length)
{
    for (size_t i = 0; i < kinds->count && i < PTL_PLACE_KINDS; i++) {
        out->kinds[out->kind_count++] = kinds->names[i];
        const place_definition *d = index_resolve(index, kinds->names[i], text, length);
        if (!d)
            continue;
        out->id = out->known_count > 0 ? out->id : d->id;
        out->known[out->known_count++] = d->kind;
    }
    if (kinds->count == 0 && length > 0)
        look_up_any(out, index, text, length);
}

ptl_status ptl_place_find(ptl_place_info *out, ptl_sources *sources, const ptl_file_text *text,
                          size_t offset, ptl_error *err)
{
    ptl_place_info info = PTL_PLACE_INFO_INIT;
    json_document document;
    path_walk w;
    kind_list kinds;
    char type[128];
    const path_frame *drawing;
    error_clear(err);
    info.id = "";
    TRY(SIZED_CHECK_IN("ptl_place_find", ptl_place_info, out, err));
    place_index *index = index_of(sources, err);
    if (!index)
        return PTL_ERR_NOMEM;
    const size_t mark = dialect_mark(text->text, text->length);
    if (!index_read(index, text->text + mark, text->length - mark, &document))
        return error_nomem(err);
    offset -= offset < mark ? offset : mark;
    path_begin(&w, document);
    const size_t at = path_to(&w, offset);
    info.start = info.end = offset;
    index_type(&w, type);
    if (!path_object(&w))
        return error_set(err, PTL_ERR_NOT_FOUND, "no object stands there");
    bool defines = false;
    info.is_drawn = kinds_in_rows(&w, type, &drawing);
    if (at != SIZE_MAX) {
        info.start = document.entries[at].start + 1;
        info.end = info.start + document.entries[at].span - 2;
    }
    if (!info.is_drawn && kinds_at(&kinds, &defines, &w, type))
        look_up(&info, index, &kinds, document.text + info.start, info.end - info.start);
    info.is_definition = defines;
    info.start += mark;
    info.end += mark;
    SIZED_FILL(ptl_place_info, out, &info);
    return index_status(index, err);
}

/* ---- uses ---- */

typedef struct use_search {
    place_index *index;
    const place_definition *wanted;
    size_t length; /* length of the wanted id */
    /* The object in which the walk was last, given by the number of its first entry. `type` is
     * the object's type. */
    uint32_t object;
    char type[128];
} use_search;

/* Is the string at which the walk stands a use of the wanted id, and not another word that
 * happens to be equal? */
static bool uses(use_search *s, const path_walk *w, size_t entry)
{
    const path_frame *object = path_object(w);
    kind_list kinds;
    bool defines;
    const char *text = w->document.text + w->document.entries[entry].start + 1;
    const size_t size = w->document.entries[entry].span - 2;
    if (size < s->length || memcmp(text, s->wanted->id, s->length) != 0 ||
        (size > s->length && text[s->length] != '_'))
        return false;
    if (!object)
        return false;
    if (object->open != s->object)
        index_type(w, s->type);
    s->object = object->open;
    if (!kinds_at(&kinds, &defines, w, s->type) || defines)
        return false;
    const place_definition *found = NULL;
    bool is_wanted = kinds.count == 0 && size == s->length;
    for (size_t i = 0; i < kinds.count && !found; i++) {
        found = index_resolve(s->index, kinds.names[i], text, size);
        is_wanted = found && strcmp(found->kind, s->wanted->kind) == 0 &&
                    strcmp(found->id, s->wanted->id) == 0;
    }
    return is_wanted;
}

/* Does the wanted id, behind a quote, occur anywhere in the text? If not, the text need not be
 * parsed. */
static bool may_use(const use_search *s, const char *text, size_t size)
{
    const char *id = s->wanted->id, *end = text + size;
    for (const char *at = text; (at = memchr(at, '"', (size_t)(end - at))) != NULL; at++)
        if ((size_t)(end - at) > s->length && memcmp(at + 1, id, s->length) == 0)
            return true;
    return false;
}

static ptl_place place_of(const use_search *s, const kept_source *file, const path_walk *w,
                          size_t entry)
{
    const path_frame *object = path_object(w);
    ptl_place place = index_place(s->wanted);
    const json_document *d = &w->document;
    place.file = file->path;
    place.start = d->entries[entry].start + 1;
    place.end = place.start + d->entries[entry].span - 2;
    place.object_start = d->entries[object->open].start;
    place.object_end =
        d->entries[object->open].span > 0 ? json_end(d, object->open) : place.end;
    return place;
}

ptl_status ptl_reference_list(ptl_sources *sources, const char *kind, const char *id,
                              bool (*on_place)(void *payload, const ptl_place *place),
                              void *payload, ptl_error *err)
{
    error_clear(err);
    place_index *index = index_of(sources, err);
    if (!index)
        return PTL_ERR_NOMEM;
    use_search s = {
        .index = index, .wanted = index_find(index, kind, id), .length = strlen(id)};
    if (!s.wanted)
        return error_set(err, PTL_ERR_NOT_FOUND, "no %.*s '%.*s' is defined",
                         UTF8_CUT(kind, 60), UTF8_CUT(id, 200));
    for (size_t i = 0; i < index->file_count; i++) {
        size_t size;
        const char *text = index_text(index->files[i], &size);
        json_document document;
        path_walk w;
        if (!may_use(&s, text, size))
            continue;
        if (!index_read(index, text, size, &document))
            return error_nomem(err);
        path_begin(&w, document);
        s.object = UINT32_MAX;
        for (size_t entry; (entry = path_next(&w)) != SIZE_MAX;) {
            if (json_first(&document, entry) != '"' || !uses(&s, &w, entry))
                continue;
            const ptl_place place = place_of(&s, index->files[i], &w, entry);
            if (!on_place(payload, &place))
                return index_ended(err);
        }
    }
    return index_status(index, err);
}
