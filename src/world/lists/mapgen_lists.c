/* Lists what the present content's mapgen wants on local maps but Portolan does not do. */
#include "core/utf8.h"
#include "mapgen/run/run.h"
#include "portolan/lists.h"
#include "world/lists/listing.h"
#include "world/local/kept_object.h"
#include "world/local/local.h"

#include <stdio.h>

typedef struct undone_item {
    ptl_mapgen_undone undone; /* the struct that the caller of ptl_mapgen_undone_list gets */
    /* Number of the last mapgen object that needs what `undone` describes. With it each object
     * is counted only once. */
    uint64_t last;
} undone_item;

typedef struct undone_reading {
    ptl_store *store;
    listing list;  /* its items are of type undone_item */
    id_pool *pool; /* owned, as are all members from here to `cat` */
    arena *memory; /* memory of the compiled objects */
    mapgen_compiler *compiler;
    json_reader *reader;
    mapgen_library *library;
    catalogue *cat;
    /* Number of the terrain that the next row is about. Rows come in the order of the
     * catalogue's terrains. */
    size_t terrain;
    const kept_row *row; /* the object that is being compiled */
    uint64_t object;     /* number of the object that is being compiled, from 1 */
    ptl_status status;
    ptl_error *err;
} undone_reading;

static ptl_status add_item(undone_reading *r, undone_item *item, ptl_error *err)
{
    const char **const texts[] = {&item->undone.what, &item->undone.file, NULL};
    return listing_put(&r->list, item, texts, err);
}

static void on_remark(void *payload, const mapgen_remark *remark)
{
    undone_reading *r = payload;
    undone_item *item = NULL;
    if (!remark->what || r->status != PTL_OK)
        return;
    for (size_t i = 0; i < r->list.count && !item; i++) {
        undone_item *one = listing_at(&r->list, i);
        item = strcmp(one->undone.what, remark->what) == 0 ? one : NULL;
    }
    if (item) {
        item->undone.objects += item->last != r->object;
        item->last = r->object;
        return;
    }
    undone_item added = {.undone = {.size = sizeof added.undone,
                                    .what = remark->what,
                                    .objects = 1,
                                    .file = r->row->path,
                                    .line = r->row->line},
                         .last = r->object};
    /* The object was stored with the text that it has in its file. So the line of a remark is
     * found by counting the line breaks before the place that the remark is about. */
    for (size_t i = 0; i < remark->offset && i < r->row->size; i++)
        added.undone.line += r->row->text[i] == '\n';
    r->status = add_item(r, &added, r->err);
}

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    undone_reading *r = payload;
    json_document document;
    TRY(kept_object(&document, r->reader, row, err));
    const json_view view = json_view_of(&document);
    r->row = row;
    r->object++;
    const mapgen_entry *e = NULL;
    if (json_view_is(json_view_get(view, "type"), "palette"))
        (void)mapgen_compile_palette(r->compiler, view);
    else
        e = mapgen_compile_entry(r->compiler, view);
    const bool kept = !e || mapgen_library_add_entry(r->library, e);
    return !kept || mapgen_compiler_failed(r->compiler) ? error_nomem(err) : r->status;
}

/* Compiles a mapgen entry that is written inside an overmap terrain. The file does not store
 * such an entry's line, so remarks name only the file of the terrain. */
static ptl_status on_embedded(void *payload, const content_value *row, ptl_error *err)
{
    undone_reading *r = payload;
    json_document document;
    const char *text = world_embedded_text(row);
    if (!text)
        return PTL_OK;
    const kept_row kept = {.text = text, .size = strlen(text), .path = value_text(row, 0)};
    TRY(kept_object(&document, r->reader, &kept, err));
    r->row = &kept;
    r->object++;
    const mapgen_entry *e = mapgen_compile_embedded(r->compiler, json_view_of(&document),
                                                    world_embedded_key(r->pool, row));
    const bool added = !e || mapgen_library_add_entry(r->library, e);
    return !added || mapgen_compiler_failed(r->compiler) ? error_nomem(err) : r->status;
}

/* ---- terrains and map extras without a map ---- */

/* Lists an overmap terrain if neither mapgen nor code draws maps for some of its oters, with
 * the number of these oters. */
static ptl_status on_terrain(void *payload, const content_value *row, ptl_error *err)
{
    undone_reading *r = payload;
    char what[200];
    int64_t unmade = 0;
    if (r->terrain >= r->cat->terrain_count)
        return PTL_OK;
    const cat_terrain *t = &r->cat->terrains[r->terrain++];
    for (uint16_t i = 0; i < t->count; i++)
        unmade +=
            !world_terrain_is_made(r->library, r->pool, r->cat, &r->cat->oters[t->first + i]);
    if (unmade == 0 || t->id[0] == '\0')
        return PTL_OK;
    snprintf(what, sizeof what, "no map of terrain %.*s", UTF8_CUT(t->id, 170));
    undone_item item = {.undone = {.size = sizeof item.undone,
                                   .what = what,
                                   .objects = unmade,
                                   .file = value_text(row, 1),
                                   .line = value_int(row, 2)}};
    return add_item(r, &item, err);
}

static ptl_status on_any(void *payload, const content_value *row, ptl_error *err)
{
    bool *any = payload;
    (void)row;
    (void)err;
    *any = true;
    return PTL_OK;
}

/* Lists a map extra that the games make by program code; but not if Portolan can make it, too.
 */
static ptl_status on_extra(void *payload, const content_value *row, ptl_error *err)
{
    undone_reading *r = payload;
    const char *method = value_text(row, 1);
    char what[200];
    if (method[0] == '\0' || strcmp(method, "update_mapgen") == 0 ||
        mapgen_extra_is_made(value_text(row, 2)))
        return PTL_OK;
    snprintf(what, sizeof what, "map extra %.*s", UTF8_CUT(value_text(row, 0), 180));
    undone_item item = {.undone = {.size = sizeof item.undone,
                                   .what = what,
                                   .objects = 1,
                                   .file = value_text(row, 3),
                                   .line = value_int(row, 4)}};
    return add_item(r, &item, err);
}

static ptl_status read_all(void *payload, ptl_error *err)
{
    static const content_query extras = {CONTENT_MAP_EXTRAS,
                                         "id, generator_method, generator_id, file, line",
                                         "id"},
                               terrains = {CONTENT_TERRAINS, "id, file, line", "id"};
    undone_reading *r = payload;
    const content_operations *content = ops(r->store)->content;
    /* True if the content has a terrain. If it has none, there is no content and no catalogue
     * to load. */
    bool any = false;
    TRY(store_kept_visit(r->store, "palette", on_object, r, err));
    TRY(store_kept_visit(r->store, "mapgen", on_object, r, err));
    TRY(content->row_visit(r->store, 0, &world_embedded_query, on_embedded, r, err));
    TRY(content->row_visit(r->store, 0, &terrains, on_any, &any, err));
    if (any) {
        TRY(content->load(&r->cat, r->store, err));
        if (!world_mapgen_terrains(r->library, r->pool, r->cat))
            return error_nomem(err);
        TRY(content->row_visit(r->store, 0, &terrains, on_terrain, r, err));
    }
    return content->row_visit(r->store, 0, &extras, on_extra, r, err);
}

static int by_objects(const void *pa, const void *pb)
{
    const undone_item *a = pa, *b = pb;
    if (a->undone.objects != b->undone.objects)
        return a->undone.objects > b->undone.objects ? -1 : 1;
    return strcmp(a->undone.what, b->undone.what);
}

ptl_status ptl_mapgen_undone_list(ptl_store *store,
                                  bool (*on_undone)(void *payload,
                                                    const ptl_mapgen_undone *undone),
                                  void *payload, ptl_error *err)
{
    undone_reading r = {.store = store, .err = err};
    error_clear(err);
    ptl_status status = listing_begin(&r.list, sizeof(undone_item), err);
    r.pool = id_pool_new();
    r.memory = arena_new();
    r.reader = json_reader_new(ops(store)->transaction->stop_hook(store));
    r.library = mapgen_library_new();
    const mapgen_context context = {
        .pool = r.pool, .memory = r.memory, .tell = on_remark, .payload = &r};
    r.compiler = r.pool && r.memory ? mapgen_compiler_new(&context) : NULL;
    if (status == PTL_OK && (!r.compiler || !r.reader || !r.library))
        status = error_nomem(err);
    THEN(status, listing_snapshot(store, read_all, &r, err));
    listing_sort(&r.list, by_objects);
    LISTING_GIVE(status, &r.list, ptl_mapgen_undone, on_undone, payload, err);
    mapgen_compiler_free(r.compiler);
    json_reader_free(r.reader);
    mapgen_library_free(r.library);
    catalogue_free(r.cat);
    arena_free(r.memory);
    id_pool_free(r.pool);
    return status;
}
