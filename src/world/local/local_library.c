/* The content's kept mapgen to a library. What an import has found wrong with it is passed
 * over. */
#include "core/error.h"
#include "world/local/local.h"
#include "json/reader.h"

#include <stdlib.h>

typedef struct loading {
    world_mapgen *mapgen;
    mapgen_compiler *compiler;
    json_reader *reader;
} loading;

static ptl_status read_object(loading *l, const kept_row *row, json_document *out,
                              ptl_error *err)
{
    if (!json_reader_whole(l->reader, row->text, row->size, NULL))
        return json_reader_fault(l->reader)->kind == JSON_NO_MEMORY
                   ? error_nomem(err)
                   : error_set(err, PTL_ERR_CORRUPT, "%s:%lld: a kept object is no JSON",
                               row->path, (long long)row->line);
    *out = json_reader_document(l->reader);
    return PTL_OK;
}

static ptl_status on_palette(void *payload, const kept_row *row, ptl_error *err)
{
    loading *l = payload;
    json_document document;
    ptl_status status = read_object(l, row, &document, err);
    if (status != PTL_OK)
        return status;
    const mapgen_palette *p = mapgen_compile_palette(l->compiler, json_view_of(&document));
    if (p && !mapgen_library_add_palette(l->mapgen->library, p))
        return error_nomem(err);
    return PTL_OK;
}

static ptl_status on_entry(void *payload, const kept_row *row, ptl_error *err)
{
    loading *l = payload;
    json_document document;
    ptl_status status = read_object(l, row, &document, err);
    if (status != PTL_OK)
        return status;
    const mapgen_entry *e = mapgen_compile_entry(l->compiler, json_view_of(&document));
    if (e && !mapgen_library_add_entry(l->mapgen->library, e))
        return error_nomem(err);
    return PTL_OK;
}

static ptl_status load(loading *l, const ptl_world *world, ptl_error *err)
{
    ptl_store *store = world->store;
    world_mapgen *m = l->mapgen;
    m->pool = id_pool_new();
    m->memory = arena_new();
    m->library = mapgen_library_new();
    ptl_status status = world_mapgen_rules(m, world, err);
    if (status != PTL_OK)
        return status;
    const mapgen_context context = {
        .pool = m->pool, .memory = m->memory, .item_one_in = m->item_one_in};
    l->reader = json_reader_new(store_stop_hook(store));
    l->compiler = m->pool && m->memory ? mapgen_compiler_new(&context) : NULL;
    if (!m->library || !l->reader || !l->compiler)
        return error_nomem(err);
    status = store_kept_visit(store, "palette", on_palette, l, err);
    if (status == PTL_OK)
        status = store_kept_visit(store, "mapgen", on_entry, l, err);
    if (status == PTL_OK && mapgen_compiler_failed(l->compiler))
        status = error_nomem(err);
    if (status == PTL_OK)
        status = world_mapgen_groups(m, world, err);
    if (status == PTL_OK)
        status = world_mapgen_extras(m, world, err);
    return status == PTL_OK ? world_mapgen_surface(m, world, err) : status;
}

void world_mapgen_free(world_mapgen *mapgen)
{
    if (!mapgen)
        return;
    mapgen_library_free(mapgen->library);
    mapgen_tiles_free(mapgen->tiles);
    mapgen_groups_free(mapgen->groups);
    arena_free(mapgen->memory);
    id_pool_free(mapgen->pool);
    local_towns_dispose(&mapgen->towns);
    free(mapgen);
}

ptl_status world_mapgen_load(world_mapgen **out, const ptl_world *world, ptl_error *err)
{
    loading l = {.mapgen = calloc(1, sizeof *l.mapgen)};
    bool own = false;
    if (!l.mapgen)
        return error_nomem(err);
    ptl_status status = store_begin_snapshot(world->store, &own, err);
    if (status == PTL_OK) {
        status = load(&l, world, err);
        store_end_snapshot(world->store, own);
    }
    mapgen_compiler_free(l.compiler);
    json_reader_free(l.reader);
    if (status == PTL_OK)
        *out = l.mapgen;
    else
        world_mapgen_free(l.mapgen);
    return status;
}
