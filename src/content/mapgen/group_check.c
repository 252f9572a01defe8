/* Finds item groups that contain themselves, at whatever depth. */
#include "content/mapgen/references.h"
#include "mapgen/compile/check.h"
#include "mapgen/groups/groups.h"

#include <stdlib.h>
#include <string.h>

typedef struct group_checking {
    import *im;
    id_pool *pool;
    mapgen_groups *groups;
    mapgen_graph *graph;
    json_reader *reader;
    uint32_t from; /* the group whose links are being added */
} group_checking;

static bool is_group(const kept_entry *e)
{
    return strcmp(e->type->objects.name, "item_group") == 0;
}

/* Returns the number of an object's id; ID_NONE if it has none, or one with escapes. */
static uint32_t id_of(const group_checking *k, const kept_entry *e)
{
    const scan_span id = e->members[SCAN_ID];
    const char *text = e->file->file.text + id.start;
    const size_t size = id.end - id.start;
    return size > 2 && text[0] == '"' && !memchr(text, '\\', size)
               ? id_pool_put(k->pool, text + 1, size - 2)
               : ID_NONE;
}

static void add_link(void *payload, uint32_t to)
{
    group_checking *k = payload;
    mapgen_graph_add(k->graph, k->from, to);
}

static void on_cycle(void *payload, uint32_t id)
{
    const group_checking *k = payload;
    const import_source *source = k->im->source;
    const kept_entry *found = NULL;
    for (size_t i = 0; i < source->kept_count && !found && id != ID_NONE; i++)
        if (is_group(&source->kept[i]) && id_of(k, &source->kept[i]) == id)
            found = &source->kept[i];
    if (found)
        diagnostic_add(k->im, PTL_WARNING,
                       (diagnostic_place){.file = &found->file->file,
                                          .offset = found->offset,
                                          .id = id_pool_text(k->pool, id),
                                          .type = "item_group"},
                       "MG307: it contains itself, directly or by others");
}

bool group_check(import *im, id_pool *pool)
{
    group_checking k = {.im = im,
                        .pool = pool,
                        .groups = mapgen_groups_new(pool),
                        .graph = mapgen_graph_new(),
                        .reader = json_reader_new((stop_hook){NULL, NULL})};
    const import_source *source = im->source;
    bool good = k.groups && k.graph && k.reader;
    for (size_t i = 0; i < source->kept_count && good && !import_stopped(im); i++) {
        const kept_entry *e = &source->kept[i];
        if (!is_group(e) ||
            !json_reader_whole(k.reader, e->file->file.text + e->offset, e->length, NULL))
            continue;
        const json_document document = json_reader_document(k.reader);
        good = mapgen_groups_add(k.groups, json_view_of(&document));
    }
    if (good) {
        for (size_t i = 0; i < source->kept_count && !import_stopped(k.im); i++) {
            if (!is_group(&source->kept[i]))
                continue;
            k.from = id_of(&k, &source->kept[i]);
            mapgen_groups_visit(k.groups, k.from, add_link, &k);
        }
        good = mapgen_graph_cycles(k.graph, on_cycle, &k) && !id_pool_failed(pool);
    }
    mapgen_groups_free(k.groups);
    mapgen_graph_free(k.graph);
    json_reader_free(k.reader);
    return good;
}
