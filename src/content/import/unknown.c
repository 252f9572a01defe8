/*
 * Keys that no module knows, by type and key: how many objects have each, and the first of
 * them. News in the games shows up here first.
 */
#include "content/import/inherit.h"
#include "content/import/source.h"

#include "store/content_store.h"

#include <stdio.h>
#include <string.h>

void import_count_unknown_key(import *im, const source_object *obj, const char *key)
{
    import_source *source = im->source;
    const char *type = obj->type;
    const size_t size = strlen(type) + strlen(key) + 2;
    char *name = arena_alloc(im->arena, size);
    if (name)
        snprintf(name, size, "%s\n%s", type, key);
    else
        import_no_memory(im);
    const uint32_t at = name ? strmap_get(&source->unknown_map, name) : STRMAP_NONE;
    im->report->unknown_keys++;
    if (at != STRMAP_NONE) {
        source->unknown[at].objects++;
        return;
    }
    if (!name || !source_grow(im, (void **)&source->unknown, source->unknown_count,
                              &source->unknown_capacity, sizeof *source->unknown))
        return;
    if (strmap_put(&source->unknown_map, name, (uint32_t)source->unknown_count) != 0)
        import_no_memory(im);
    source->unknown[source->unknown_count++] = (unknown_key){obj->type, key, obj, 1};
}

void unknown_forget(import *im)
{
    strmap_dispose(&im->source->unknown_map);
    strmap_init(&im->source->unknown_map);
    im->source->unknown_count = 0;
}

void unknown_write(import *im, content_writer *w)
{
    for (size_t i = 0; i < im->source->unknown_count; i++) {
        const unknown_key *u = &im->source->unknown[i];
        content_put(w, CONTENT_UNKNOWN,
                    &(content_unknown_row){content_writer_id(w), u->type, u->key,
                                           (int64_t)u->objects, u->first->file->path,
                                           u->first->line});
    }
}
