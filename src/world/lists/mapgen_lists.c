/* What the present content's mapgen asks for and is not carried out. */
#include "mapgen/compile/compile.h"
#include "mapgen/ground/ground.h"
#include "mapgen/run/extras.h"
#include "portolan/lists.h"
#include "store/content_store.h"
#include "world/lists/listing.h"
#include "world/local/kept_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct undone_item {
    ptl_mapgen_undone undone; /* what is given out */
    uint64_t last;            /* the object that had it last */
} undone_item;

typedef struct undone_reading {
    ptl_store *store;
    listing list;  /* of undone_item */
    id_pool *pool; /* owned, as the next three are */
    arena *memory; /* of what is compiled, which is not looked at */
    mapgen_compiler *compiler;
    json_reader *reader;
    bool *keys; /* owned; by id of the pool: is there an entry of that key? */
    size_t key_count;
    const kept_row *row; /* the present object */
    uint64_t object;     /* its number, from 1 */
    ptl_status status;
    ptl_error *err;
} undone_reading;

/* Objects are kept as they stood: lines are counted on. */
static int64_t line_of(const kept_row *row, size_t offset)
{
    int64_t line = row->line;
    for (size_t i = 0; i < offset && i < row->size; i++)
        line += row->text[i] == '\n';
    return line;
}

static undone_item *find(const listing *list, const char *what)
{
    undone_item *found = NULL;
    for (size_t i = 0; i < list->count && !found; i++) {
        undone_item *item = listing_at(list, i);
        found = strcmp(item->undone.what, what) == 0 ? item : NULL;
    }
    return found;
}

static ptl_status add_new(undone_reading *r, const mapgen_remark *remark)
{
    undone_item item = {.undone = {.size = sizeof item.undone,
                                   .what = remark->what,
                                   .objects = 1,
                                   .file = r->row->path,
                                   .line = line_of(r->row, remark->offset)},
                        .last = r->object};
    ptl_status status = listing_keep(&r->list, &item.undone.what, r->err);
    if (status == PTL_OK)
        status = listing_keep(&r->list, &item.undone.file, r->err);
    return status == PTL_OK ? listing_add(&r->list, &item, r->err) : status;
}

static void on_remark(void *payload, const mapgen_remark *remark)
{
    undone_reading *r = payload;
    undone_item *item = remark->what ? find(&r->list, remark->what) : NULL;
    if (!remark->what || r->status != PTL_OK)
        return;
    if (!item)
        r->status = add_new(r, remark);
    else if (item->last != r->object)
        item->undone.objects++;
    if (item)
        item->last = r->object;
}

static ptl_status add_named(undone_reading *r, const char *what, const char *file, int64_t line,
                            ptl_error *err)
{
    undone_item item = {.undone = {.size = sizeof item.undone,
                                   .what = what,
                                   .objects = 1,
                                   .file = file,
                                   .line = line}};
    ptl_status status = listing_keep(&r->list, &item.undone.what, err);
    if (status == PTL_OK)
        status = listing_keep(&r->list, &item.undone.file, err);
    return status == PTL_OK ? listing_add(&r->list, &item, err) : status;
}

/* ---- terrains without a map ---- */

/* Is the text the key of an entry, or (make) is it one from now on? False when memory is out.
 */
static bool *key_of(undone_reading *r, const char *text)
{
    const uint32_t id = id_pool_put(r->pool, text, strlen(text));
    const size_t count = id_pool_count(r->pool);
    if (id >= r->key_count) {
        bool *keys = realloc(r->keys, count * sizeof *keys);
        if (!keys)
            return NULL;
        memset(keys + r->key_count, 0, (count - r->key_count) * sizeof *keys);
        r->keys = keys;
        r->key_count = count;
    }
    return &r->keys[id];
}

static ptl_status keep_keys(undone_reading *r, const mapgen_entry *entry, ptl_error *err)
{
    for (uint32_t i = 0;
         entry && entry->role == MAPGEN_OM_TERRAIN && entry->weight > 0 && i < entry->key_count;
         i++) {
        bool *key = key_of(r, id_pool_text(r->pool, entry->keys[i].id));
        if (!key)
            return error_nomem(err);
        *key = true;
    }
    return PTL_OK;
}

/* A terrain that names a program of the game's has a map there, of one shape or of all. */
static ptl_status on_program(void *payload, const content_value *row, ptl_error *err)
{
    bool *key = key_of(payload, value_text(row, 0));
    if (key)
        *key = true;
    return key ? PTL_OK : error_nomem(err);
}

/* All shapes of a line, or the terrain itself. */
static ptl_status find_lacking(undone_reading *r, const char *type, bool line, bool *lacks,
                               ptl_error *err)
{
    static const char *const shapes[] = {"_straight", "_curved", "_end", "_tee", "_four_way"};
    char text[1200];
    const bool *own = key_of(r, type);
    *lacks = own && !*own && !line;
    for (size_t i = 0; own && !*own && line && !*lacks && i < sizeof shapes / sizeof *shapes;
         i++) {
        snprintf(text, sizeof text, "%s%s", type, shapes[i]);
        const bool *key = key_of(r, text);
        if (!key)
            return error_nomem(err);
        *lacks = !*key;
        own = key_of(r, type);
    }
    return own ? PTL_OK : error_nomem(err);
}

static ptl_status on_terrain(void *payload, const content_value *row, ptl_error *err)
{
    undone_reading *r = payload;
    char what[1200];
    bool lacks = false;
    if (!value_is_null(row, 2) || ground_knows(value_text(row, 0)))
        return PTL_OK;
    ptl_status status =
        find_lacking(r, value_text(row, 0), value_int(row, 1) == PTL_TERRAIN_LINE, &lacks, err);
    if (status != PTL_OK || !lacks)
        return status;
    snprintf(what, sizeof what, "no map of terrain %s", value_text(row, 0));
    return add_named(r, what, value_text(row, 3), value_int(row, 4), err);
}

/* ---- reading ---- */

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    undone_reading *r = payload;
    json_document document;
    const ptl_status status = kept_object(&document, r->reader, row, err);
    if (status != PTL_OK)
        return status;
    const json_view view = json_view_of(&document);
    r->row = row;
    r->object++;
    if (json_view_is(json_view_get(view, "type"), "palette"))
        (void)mapgen_compile_palette(r->compiler, view);
    else if (keep_keys(r, mapgen_compile_entry(r->compiler, view), err) != PTL_OK)
        return PTL_ERR_NOMEM;
    return mapgen_compiler_failed(r->compiler) ? error_nomem(err) : r->status;
}

/* Map extras that the games have as code, and that there is none for here. */
static ptl_status on_extra(void *payload, const content_value *row, ptl_error *err)
{
    undone_reading *r = payload;
    const char *method = value_text(row, 1);
    char what[200];
    if (method[0] == '\0' || strcmp(method, "update_mapgen") == 0 ||
        mapgen_extra_is_made(value_text(row, 2)))
        return PTL_OK;
    snprintf(what, sizeof what, "map extra %.180s", value_text(row, 0));
    return add_named(r, what, value_text(row, 3), value_int(row, 4), err);
}

static ptl_status read_all(void *payload, ptl_error *err)
{
    static const content_query extras = {
        CONTENT_MAP_EXTRAS, "id, generator_method, generator_id, file, line", "id"};
    static const content_query programs = {CONTENT_TERRAIN_MAPGEN, "terrain", "terrain"};
    static const content_query terrains = {CONTENT_TERRAINS,
                                           "id, kind, uniform_terrain, file, line", "id"};
    undone_reading *r = payload;
    ptl_status status = store_kept_visit(r->store, "palette", on_object, r, err);
    if (status == PTL_OK)
        status = store_kept_visit(r->store, "mapgen", on_object, r, err);
    if (status == PTL_OK)
        status = store_content_row_visit(r->store, &extras, on_extra, r, err);
    if (status == PTL_OK && r->object > 0)
        status = store_content_row_visit(r->store, &programs, on_program, r, err);
    return status == PTL_OK && r->object > 0
               ? store_content_row_visit(r->store, &terrains, on_terrain, r, err)
               : status;
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
    r.reader = json_reader_new(store_stop_hook(store));
    const mapgen_context context = {
        .pool = r.pool, .memory = r.memory, .tell = on_remark, .payload = &r};
    r.compiler = r.pool && r.memory ? mapgen_compiler_new(&context) : NULL;
    if (status == PTL_OK && (!r.compiler || !r.reader))
        status = error_nomem(err);
    if (status == PTL_OK)
        status = listing_snapshot(store, read_all, &r, err);
    listing_sort(&r.list, by_objects);
    LISTING_GIVE(status, &r.list, ptl_mapgen_undone, on_undone, payload, err);
    listing_end(&r.list);
    mapgen_compiler_free(r.compiler);
    json_reader_free(r.reader);
    arena_free(r.memory);
    id_pool_free(r.pool);
    free(r.keys);
    return status;
}
