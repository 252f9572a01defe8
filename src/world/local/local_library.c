/*
 * Compiles the content's kept mapgen: all of it in one pass, or each object when a map asks
 * for it. Objects that an import has found wrong are passed over.
 */
#include "core/array.h"
#include "core/error.h"
#include "os/memory.h"
#include "world/local/kept_object.h"
#include "world/local/local.h"
#include "world/local/local_site.h"

static const char *const tile_types[] = {"terrain", "furniture", NULL};
static const char *const migration_types[] = {"ter_furn_migration", NULL};
enum { TYPES_OF_SORT = 4 };
/* The types of objects that each sort of request reads. Those of items are in item_types. */
static const char *const sort_types[MAPGEN_SORTS][TYPES_OF_SORT] = {
    [MAPGEN_SORT_PALETTE] = {"palette"},
    [MAPGEN_SORT_ENTRIES] = {"mapgen"},
    [MAPGEN_SORT_ITEM_GROUP] = {"item_group"},
    [MAPGEN_SORT_ITEM_GROUPS] = {"item_group"},
    [MAPGEN_SORT_MONSTER_GROUPS] = {"monstergroup"},
    [MAPGEN_SORT_VEHICLE_GROUPS] = {"vehicle_group", "vehicle_placement", "vehicle_spawn"},
    [MAPGEN_SORT_SNIPPETS] = {"snippet"},
    [MAPGEN_SORT_NAMES] = {"name"},
    [MAPGEN_SORT_TRANSFORMS] = {"ter_furn_transform"}};
/* A game's mapgen has about this many texts; see id_pool_new_for. */
enum { TEXTS = 24000 };
/* Sorts of objects that must be read after all others: see load_content. */
enum { LATER_MIGRATIONS, LATER_PARTS, LATER };
static const char *const *const later_types[LATER] = {
    [LATER_MIGRATIONS] = migration_types, [LATER_PARTS] = world_region_types};

struct mapgen_loader {
    world_mapgen *mapgen;
    const ptl_world *world;    /* borrowed */
    mapgen_compiler *compiler; /* owned, as are all members below */
    json_reader *reader;
    const mapgen_entry **made; /* by number of the kept object; NULL: not compiled yet */
    size_t made_count;
    const char *item_types[KEPT_TYPES_MAX]; /* all that are about items, up to NULL */
    bool later[LATER];                      /* does the content have any of later_types? */
    mapgen_sort sort;                       /* the sort that is being read */
    uint32_t id;                            /* the id that it is read for; ID_NONE: all ids */
    ptl_status status;                      /* the first error of reading */
    ptl_error err;
};

/* ---- objects ---- */

static bool is_of(const char *const *types, const char *type)
{
    bool found = false;
    for (size_t i = 0; types[i] && !found; i++)
        found = strcmp(types[i], type) == 0;
    return found;
}

/* Adds an object of any type to where it belongs; false when memory is out. */
static bool add(mapgen_loader *l, const char *type, json_view object)
{
    const mapgen_entry *e = NULL;
    if (strcmp(type, "palette") == 0) {
        const mapgen_palette *p = mapgen_compile_palette(l->compiler, object);
        return !p || mapgen_library_add_palette(l->mapgen->library, p);
    }
    if (is_of(tile_types, type) || is_of(migration_types, type))
        return mapgen_tiles_add(l->mapgen->tiles, object);
    if (strcmp(type, "mapgen") != 0)
        return mapgen_groups_add(l->mapgen->groups, object);
    e = mapgen_compile_entry(l->compiler, object);
    return !e || mapgen_library_add_entry(l->mapgen->library, e);
}

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    mapgen_loader *l = payload;
    json_document document;
    TRY(kept_object(&document, l->reader, row, err));
    const json_view object = json_view_of(&document);
    const bool good = l->sort == MAPGEN_SORT_ITEM
                          ? mapgen_groups_add_item(l->mapgen->groups, object, l->id)
                          : add(l, row->type, object);
    return good ? PTL_OK : error_nomem(err);
}

/* Adds an object in the pass over all. Of the types that are read later it only notes that
 * there are some. */
static ptl_status on_any(void *payload, const kept_row *row, ptl_error *err)
{
    mapgen_loader *l = payload;
    for (size_t i = 0; i < LATER; i++)
        if (is_of(later_types[i], row->type)) {
            l->later[i] = true;
            return PTL_OK;
        }
    return on_object(l, row, err);
}

static ptl_status visit_all(mapgen_loader *l, const char *const *types, kept_text_visit *visit,
                            ptl_error *err)
{
    const kept_text_query query = {.types = types};
    return store_kept_find(l->world->store, &query, visit, l, err);
}

/* ---- what is asked for, by its id ---- */

/* Returns the slot for the compiled form of an object. NULL if its number is too large to
 * keep it, and then the object is compiled each time. */
static const mapgen_entry **made_of(mapgen_loader *l, int64_t number)
{
    enum { KEPT_MAX = 1 << 18 };
    const bool good = number >= 0 && number < KEPT_MAX &&
                      ARRAY_ROOM_ZEROED(l->made, l->made_count, (size_t)number + 1);
    return good ? &l->made[number] : NULL;
}

/* Adds an entry under one of its keys. It is compiled when the first of its keys is asked
 * for, and taken from `made` for the others. */
static ptl_status on_entry(void *payload, const kept_row *row, ptl_error *err)
{
    static const mapgen_entry wrong = {.weight = 0};
    mapgen_loader *l = payload;
    const mapgen_entry **made = made_of(l, row->number), *e = made ? *made : NULL;
    if (!e) {
        json_document document;
        TRY(kept_object(&document, l->reader, row, err));
        e = mapgen_compile_entry(l->compiler, json_view_of(&document));
        e = e ? e : &wrong;
        if (made)
            *made = e;
    }
    return mapgen_library_add_entry_of(l->mapgen->library, e, l->id) ? PTL_OK
                                                                     : error_nomem(err);
}

/* ---- the source ---- */

/* Reads what was asked for, in a snapshot in which the content is checked first: a content
 * that was imported meanwhile must not be mixed in. */
static ptl_status load_asked(mapgen_loader *l, ptl_error *err)
{
    bool own = false;
    TRY(store_begin_snapshot(l->world->store, &own, err));
    ptl_status status = world_local_content(l->world, err);
    if (status == PTL_OK) {
        const kept_text_query query = {
            .types = l->sort == MAPGEN_SORT_ITEM ? l->item_types : sort_types[l->sort],
            .name = l->id != ID_NONE ? id_pool_text(l->mapgen->pool, l->id) : NULL};
        kept_text_visit *visit = l->sort == MAPGEN_SORT_ENTRIES ? on_entry : on_object;
        status = store_kept_find(l->world->store, &query, visit, l, err);
    }
    store_end_snapshot(l->world->store, own);
    return status;
}

static void on_asked(void *payload, mapgen_sort sort, uint32_t id)
{
    mapgen_loader *l = payload;
    if (l->status != PTL_OK)
        return;
    l->sort = sort;
    l->id = id;
    l->status = load_asked(l, &l->err);
}

ptl_status world_mapgen_fault(const world_mapgen *m, ptl_error *err)
{
    const mapgen_loader *l = m->loader;
    if (l && l->status != PTL_OK) {
        *err = l->err;
        return l->status;
    }
    const bool failed = id_pool_failed(m->pool) || mapgen_library_failed(m->library) ||
                        mapgen_groups_failed(m->groups) ||
                        (l && mapgen_compiler_failed(l->compiler));
    return failed ? error_nomem(err) : PTL_OK;
}

/* ---- loading ---- */

static void loader_free(mapgen_loader *l)
{
    if (!l)
        return;
    mapgen_compiler_free(l->compiler);
    json_reader_free(l->reader);
    free(l->made);
    free(l);
}

static ptl_status on_embedded(void *payload, const content_value *row, ptl_error *err)
{
    mapgen_loader *l = payload;
    json_document document;
    const char *text = world_embedded_text(row);
    if (!text)
        return PTL_OK;
    const kept_row kept = {.text = text, .size = strlen(text), .path = value_text(row, 0)};
    TRY(kept_object(&document, l->reader, &kept, err));
    const uint32_t key = world_embedded_key(l->mapgen->pool, row);
    const mapgen_entry *e = mapgen_compile_embedded(l->compiler, json_view_of(&document), key);
    return !e || mapgen_library_add_entry(l->mapgen->library, e) ? PTL_OK : error_nomem(err);
}

/* Reads all of the content that maps may ask for, in one pass. Of the types in later_types it
 * only notes whether there are some. */
static ptl_status load_whole(mapgen_loader *l, ptl_error *err)
{
    const char *types[KEPT_TYPES_MAX + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; tile_types[i]; i++)
        types[count++] = tile_types[i];
    for (size_t i = 0; i < MAPGEN_SORTS; i++)
        for (size_t k = 0; i != MAPGEN_SORT_ITEM_GROUPS && sort_types[i][k]; k++)
            types[count++] = sort_types[i][k];
    for (size_t i = 0; i < LATER; i++)
        for (size_t k = 0; later_types[i][k]; k++)
            types[count++] = later_types[i][k];
    for (size_t i = 0; l->item_types[i]; i++)
        types[count++] = l->item_types[i];
    return visit_all(l, types, on_any, err);
}

static ptl_status load_content(world_mapgen *m, const ptl_world *world, bool whole,
                               ptl_error *err)
{
    mapgen_loader **out = &m->loader;
    mapgen_loader *l = calloc(1, sizeof *l);
    if (!l)
        return error_nomem(err);
    const mapgen_context context = {
        .pool = m->pool, .memory = m->memory, .item_one_in = m->item_one_in};
    *out = l;
    l->mapgen = m;
    l->world = world;
    /* The types of items themselves, and other types that are about items. */
    size_t count = 0;
    for (; mapgen_item_types[count]; count++)
        l->item_types[count] = mapgen_item_types[count];
    l->item_types[count++] = "ammunition_type";
    l->item_types[count] = NULL;
    l->reader = json_reader_new(store_stop_hook(world->store));
    l->compiler = mapgen_compiler_new(&context);
    TRY(l->reader && l->compiler ? PTL_OK : error_nomem(err));
    /* What overmap terrains say themselves about their maps. */
    if (!world_mapgen_terrains(m->loader->mapgen->library, m->loader->mapgen->pool,
                               m->loader->world->cat))
        return error_nomem(err);
    TRY(store_content_row_visit(m->loader->world->store, &world_embedded_query, on_embedded,
                                m->loader, err));
    TRY(whole ? load_whole(m->loader, err) : visit_all(m->loader, tile_types, on_object, err));
    if (!whole || m->loader->later[LATER_MIGRATIONS])
        TRY(visit_all(m->loader, migration_types, on_object, err));
    TRY(world_mapgen_extras(m, world, err));
    TRY(world_mapgen_region(m, world, !whole || m->loader->later[LATER_PARTS], err));
    TRY(world_mapgen_fault(m, err));
    mapgen_tiles_finish(m->tiles);
    if (whole) {
        loader_free(m->loader);
        m->loader = NULL;
        return PTL_OK;
    }
    const mapgen_source source = {on_asked, m->loader};
    mapgen_library_set_source(m->library, &source);
    mapgen_groups_set_source(m->groups, &source);
    return PTL_OK;
}

static ptl_status load(world_mapgen *m, const ptl_world *world, bool whole, ptl_error *err)
{
    static const arena_blocks large = {MEMORY_LARGE, memory_large};
    m->pool = whole ? id_pool_new_for(TEXTS, &large) : id_pool_new();
    m->memory = whole ? arena_new_of(&large) : arena_new();
    m->library = mapgen_library_new();
    if (!m->pool || !m->memory || !m->library)
        return error_nomem(err);
    mapgen_find_ids(&m->ids, m->pool);
    m->tiles = mapgen_tiles_new(m->pool);
    m->groups = mapgen_groups_new(m->pool);
    m->oters = calloc((size_t)world->cat->oter_count + 1, sizeof *m->oters);
    if (!m->tiles || !m->groups || !m->oters)
        return error_nomem(err);
    TRY(world_mapgen_rules(m, world, err));
    return load_content(m, world, whole, err);
}

uint32_t world_mapgen_palette(world_mapgen *mapgen, const char *type)
{
    local_palettes *p = &mapgen->palettes;
    const uint32_t number = id_pool_put(mapgen->pool, type, strlen(type));
    for (size_t i = 0; i < LOCAL_PALETTES && number != ID_NONE; i++)
        if (p->types[i] == number)
            return p->ids[i];
    const uint32_t id = ground_palette(&mapgen->settings, mapgen->pool, type);
    if (id == ID_NONE)
        return id;
    p->types[p->next] = number;
    p->ids[p->next] = id;
    p->next = (p->next + 1) % LOCAL_PALETTES;
    return id;
}

void world_mapgen_free(world_mapgen *mapgen)
{
    if (!mapgen)
        return;
    loader_free(mapgen->loader);
    mapgen_library_free(mapgen->library);
    mapgen_tiles_free(mapgen->tiles);
    mapgen_groups_free(mapgen->groups);
    free(mapgen->oters);
    arena_free(mapgen->memory);
    id_pool_free(mapgen->pool);
    local_towns_dispose(&mapgen->towns);
    local_towns_dispose(&mapgen->planned);
    gen_config_free(mapgen->planner);
    local_record_drop(mapgen->record);
    free(mapgen->works);
    for (int i = 0; i < AFLOAT_SORTS; i++)
        free(mapgen->afloat[i].items);
    free(mapgen);
}

ptl_status world_mapgen_load(world_mapgen **out, const ptl_world *world, bool whole,
                             ptl_error *err)
{
    world_mapgen *m = calloc(1, sizeof *m);
    bool own = false;
    if (!m)
        return error_nomem(err);
    ptl_status status = store_begin_snapshot(world->store, &own, err);
    if (status == PTL_OK) {
        status = world_local_content(world, err);
        THEN(status, load(m, world, whole, err));
        store_end_snapshot(world->store, own);
    }
    if (status == PTL_OK)
        *out = m;
    else
        world_mapgen_free(m);
    return status;
}
