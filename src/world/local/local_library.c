/*
 * Compiles the content's mapgen objects, which the store keeps as text: all of them in one
 * pass, or each object when a map needs it. Objects that the import found wrong are skipped.
 * Also reads the map extras of a region, and the content's rules for chances.
 */
#include "core/array.h"
#include "os/memory.h"
#include "os/pool.h"
#include "world/local/kept_object.h"
#include "world/local/local.h"

/* ---- adding the content's objects to the library of mapgen ---- */

static const char *const tile_types[] = {"terrain", "furniture", NULL};

static const char *const migration_types[] = {"ter_furn_migration", NULL};

enum { TYPES_OF_SORT = 4 };

/* For each kind of object that a map may ask for: the values that the member `type` of such
 * an object may have in JSON. For items, these are in item_types. */
static const char *const sort_types[MAPGEN_SORTS][TYPES_OF_SORT] = {
    [MAPGEN_SORT_PALETTE] = {"palette"},
    [MAPGEN_SORT_ENTRIES] = {"mapgen"},
    [MAPGEN_SORT_ITEM_GROUP] = {"item_group"},
    [MAPGEN_SORT_ITEM_GROUPS] = {"item_group"},
    [MAPGEN_SORT_MONSTER_GROUPS] = {"monstergroup"},
    [MAPGEN_SORT_VEHICLE_GROUPS] = {"vehicle_group", "vehicle_placement", "vehicle_spawn"},
    [MAPGEN_SORT_SNIPPETS] = {"snippet"},
    [MAPGEN_SORT_NAMES] = {"name"},
    [MAPGEN_SORT_TRANSFORMS] = {"ter_furn_transform"},
    [MAPGEN_SORT_PROCESSES] = {"pp_generator"}};

/* About how many different texts a game's mapgen has. id_pool_new_for makes room for this
 * number. */
enum { TEXTS = 24000 };

/* Kinds of objects that must be read after all other objects (load_content). */
enum { LATER_MIGRATIONS, LATER_PARTS, LATER };

static const char *const *const later_types[LATER] = {
    [LATER_MIGRATIONS] = migration_types, [LATER_PARTS] = world_region_types};

struct mapgen_loader {
    world_mapgen *mapgen;
    const ptl_world *world;    /* borrowed */
    mapgen_compiler *compiler; /* owned, as are all members after it */
    json_reader *reader;
    /* The compiled entries of mapgen, by the number of the stored JSON object that defines
     * each. NULL: not compiled yet. */
    const mapgen_entry **made;
    size_t made_count;
    /* All types of objects that describe items; ends with NULL. */
    const char *item_types[KEPT_TYPES_MAX];
    bool later[LATER]; /* for each element of later_types: whether the content has objects of
                          these types */
    mapgen_sort sort;  /* the kind of objects that is being read */
    uint32_t id;       /* the id whose objects are being read; ID_NONE: all ids */
    /* What the first failure of reading the content has returned; PTL_OK: nothing has
     * failed. */
    ptl_status status;
    ptl_error err;
};

static bool is_of(const char *const *types, const char *type)
{
    bool found = false;
    for (size_t i = 0; types[i] && !found; i++)
        found = strcmp(types[i], type) == 0;
    return found;
}

/* Adds an object of any type to the mapgen library; false when memory is out. */
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
    mapgen_compiler_at(l->compiler, row->path, row->line);
    const bool good = l->sort == MAPGEN_SORT_ITEM
                          ? mapgen_groups_add_item(l->mapgen->groups, object, l->id)
                          : add(l, row->type, object);
    return good ? PTL_OK : error_nomem(err);
}

/* Is called for each object of the content, in one pass. Adds the object. But for objects of
 * types that are read later, it only records that there are some. */
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
    return ops(l->world->store)->content->kept_visit(l->world->store, &query, visit, l, err);
}

/* ---- reading objects by id, when a map needs them ---- */

/* Adds an entry of mapgen under one of its keys (ids of terrains). The entry is compiled when a
 * map first needs one of its keys, and put into `made`. For its other keys it is taken from
 * there. An object whose number is too large for `made` is compiled each time. */
static ptl_status on_entry(void *payload, const kept_row *row, ptl_error *err)
{
    static const mapgen_entry wrong = {.weight = 0};
    enum { KEPT_MAX = 1 << 18 };
    mapgen_loader *l = payload;
    const size_t number = (size_t)row->number;
    const bool kept = row->number >= 0 && row->number < KEPT_MAX &&
                      ARRAY_ROOM_ZEROED(l->made, l->made_count, number + 1);
    const mapgen_entry *e = kept ? l->made[number] : NULL;
    if (!e) {
        json_document document;
        TRY(kept_object(&document, l->reader, row, err));
        mapgen_compiler_at(l->compiler, row->path, row->line);
        e = mapgen_compile_entry(l->compiler, json_view_of(&document));
        e = e ? e : &wrong;
        if (kept)
            l->made[number] = e;
    }
    return mapgen_library_add_entry_of(l->mapgen->library, e, l->id) ? PTL_OK
                                                                     : error_nomem(err);
}

/* Reads the objects that a map needs, in one transaction. It first checks that the content is
 * still the same, because another content may have been imported meanwhile, and its objects
 * must not be mixed in. */
static void on_asked(void *payload, mapgen_sort sort, uint32_t id)
{
    mapgen_loader *l = payload;
    ptl_store *store = l->world->store;
    bool own = false;
    if (l->status != PTL_OK)
        return;
    l->sort = sort;
    l->id = id;
    l->status = ops(store)->transaction->begin_snapshot(store, &own, &l->err);
    if (l->status != PTL_OK)
        return;
    const kept_text_query query = {
        .types = sort == MAPGEN_SORT_ITEM ? l->item_types : sort_types[sort],
        .name = id != ID_NONE ? id_pool_text(l->mapgen->pool, id) : NULL};
    l->status = world_local_content(l->world, &l->err);
    THEN(l->status,
         ops(store)->content->kept_visit(
             store, &query, sort == MAPGEN_SORT_ENTRIES ? on_entry : on_object, l, &l->err));
    ops(store)->transaction->end_snapshot(store, own);
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

/* ---- map extras ---- */

/* A map extra as read from its row. */
typedef struct extra_kind {
    uint32_t id, generator;
    bool update;
    int32_t lowest, highest; /* lowest and highest level on which the map extra may be put */
} extra_kind;

typedef struct extras_reading {
    world_mapgen *mapgen;
    const char *region;
    extra_kind *kinds; /* owned; the map extras of all regions */
    mapgen_extra_set *sets;
    mapgen_extra *items;
    size_t kind_count, kind_room, set_count, set_room, item_count, item_room;
} extras_reading;

/* Returns the number (a level) in a column of the row, or `otherwise` if the column is
 * empty. */
static int32_t level_of(const content_value *row, int column, int32_t otherwise)
{
    return row[column].type == PTL_VALUE_INTEGER ? (int32_t)value_int(row, column) : otherwise;
}

static uint32_t text_id(const extras_reading *r, const content_value *row, int column)
{
    const char *text = value_text(row, column);
    return id_pool_put(r->mapgen->pool, text, strlen(text));
}

static ptl_status keep_kind(void *payload, const content_value *row, ptl_error *err)
{
    extras_reading *r = payload;
    if (!ARRAY_ROOM(r->kinds, r->kind_room, r->kind_count + 1))
        return error_nomem(err);
    r->kinds[r->kind_count++] =
        (extra_kind){text_id(r, row, 0), text_id(r, row, 2),
                     strcmp(value_text(row, 1), "update_mapgen") == 0,
                     level_of(row, 3, PTL_Z_MIN), level_of(row, 4, PTL_Z_MAX)};
    return PTL_OK;
}

static ptl_status keep_set(void *payload, const content_value *row, ptl_error *err)
{
    extras_reading *r = payload;
    if (strcmp(value_text(row, 0), r->region) != 0)
        return PTL_OK;
    if (!ARRAY_ROOM(r->sets, r->set_room, r->set_count + 1))
        return error_nomem(err);
    r->sets[r->set_count++] =
        (mapgen_extra_set){.name = text_id(r, row, 1), .chance = (int32_t)value_int(row, 2)};
    return PTL_OK;
}

/* Each row has a map extra, and the name of the set of map extras to which it belongs. Adds the
 * map extra to that set. The rows of a set follow each other. */
static ptl_status keep_item(void *payload, const content_value *row, ptl_error *err)
{
    extras_reading *r = payload;
    const int64_t weight = value_int(row, 3);
    const uint32_t id = text_id(r, row, 2);
    const uint32_t name = text_id(r, row, 1);
    const extra_kind *kind = NULL;
    for (size_t i = 0; i < r->kind_count && !kind; i++)
        if (r->kinds[i].id == id)
            kind = &r->kinds[i];
    if (strcmp(value_text(row, 0), r->region) != 0 || weight <= 0 || !kind)
        return PTL_OK;
    size_t at = 0;
    while (at < r->set_count && r->sets[at].name != name)
        at++;
    if (!ARRAY_ROOM(r->items, r->item_room, r->item_count + 1))
        return error_nomem(err);
    if (at == r->set_count)
        return PTL_OK;
    const uint32_t before = r->sets[at].count ? r->items[r->item_count - 1].upto : 0;
    if (weight > UINT32_MAX - (int64_t)before)
        return PTL_OK;
    r->items[r->item_count++] =
        (mapgen_extra){.id = kind->update ? kind->id : kind->generator,
                       .update = kind->update ? kind->generator : ID_NONE,
                       .upto = before + (uint32_t)weight,
                       .lowest = kind->lowest,
                       .highest = kind->highest};
    r->sets[at].count++;
    return PTL_OK;
}

/* Reads the map extras of the world's region. */
static ptl_status world_mapgen_extras(world_mapgen *mapgen, const ptl_world *world,
                                      ptl_error *err)
{
    static const content_query kinds = {CONTENT_MAP_EXTRAS,
                                        "id, generator_method, generator_id, zlevel_min, "
                                        "zlevel_max",
                                        "id"},
                               sets = {CONTENT_REGION_EXTRA_GROUPS, "region, name, chance",
                                       "region, name"},
                               items = {CONTENT_REGION_EXTRAS,
                                        "region, name, map_extra, weight",
                                        "region, name, map_extra"};
    const content_operations *content = ops(world->store)->content;
    const cat_region *region = gen_region(world->cat, world->row.region);
    extras_reading r = {.mapgen = mapgen, .region = region ? region->id : ""};
    ptl_status status = content->row_visit(world->store, 0, &kinds, keep_kind, &r, err);
    THEN(status, content->row_visit(world->store, 0, &sets, keep_set, &r, err));
    THEN(status, content->row_visit(world->store, 0, &items, keep_item, &r, err));
    if (status == PTL_OK) {
        /* Copies the sets of map extras, and the map extras in them (items), to the mapgen's
         * memory. Both are sorted by the name of the set, so the items of each set follow those
         * of the previous set. */
        mapgen_extra *to = arena_calloc(mapgen->memory, r.item_count + 1, sizeof *to);
        mapgen_extra_set *all = arena_calloc(mapgen->memory, r.set_count + 1, sizeof *all);
        status = to && all ? PTL_OK : error_nomem(err);
        for (size_t i = 0; i < r.item_count && status == PTL_OK; i++)
            to[i] = r.items[i];
        for (size_t i = 0, at = 0; i < r.set_count && status == PTL_OK; i++) {
            all[i] = r.sets[i];
            all[i].items = to + at;
            at += all[i].count;
        }
        mapgen->extras = (mapgen_extras){all, (uint32_t)r.set_count};
    }
    free(r.kinds);
    free(r.sets);
    free(r.items);
    return status;
}

/* ---- the rules for chances ---- */

/* Records that the content has a palette, and ends the visit, because one palette is enough
 * to know. */
static ptl_status on_palette(void *payload, const kept_row *row, ptl_error *err)
{
    (void)row, (void)err;
    *(bool *)payload = true;
    return PTL_ERR_EXISTS;
}

static ptl_status on_option(void *payload, const content_value *row, ptl_error *err)
{
    world_mapgen *m = payload;
    const bool value = strcmp(value_text(row, 1), "true") == 0;
    (void)err;
    if (strcmp(value_text(row, 0), MAPGEN_OPTION_ITEM) == 0)
        m->item_one_in = value;
    else if (strcmp(value_text(row, 0), MAPGEN_OPTION_ITEMS) == 0)
        m->items_geometric = value;
    return PTL_OK;
}

/* Sets the rules by which the chances of items are understood. item_one_in and items_geometric
 * are set from the content's options; content without such options counts as older content if
 * it has no palettes, and as newer content otherwise. items_always is set for regions of DDA
 * since 0.I (`levelled`). */
static ptl_status world_mapgen_rules(world_mapgen *mapgen, const ptl_world *world,
                                     ptl_error *err)
{
    static const content_query options = {CONTENT_OPTIONS, "name, value", "name"};
    bool palettes = false;
    ptl_status status = store_kept_visit(world->store, "palette", on_palette, &palettes, err);
    if (palettes && status == PTL_ERR_EXISTS)
        status = PTL_OK;
    const cat_region *region = gen_region(world->cat, world->row.region);
    mapgen->item_one_in = mapgen->items_geometric = !palettes;
    mapgen->items_always = region && region->levelled;
    return status == PTL_OK
               ? ops(world->store)
                     ->content->row_visit(world->store, 0, &options, on_option, mapgen, err)
               : status;
}

/* ---- loading mapgen ---- */

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
    mapgen_compiler_at(l->compiler, NULL, 0);
    const mapgen_entry *e = mapgen_compile_embedded(l->compiler, json_view_of(&document), key);
    return !e || mapgen_library_add_entry(l->mapgen->library, e) ? PTL_OK : error_nomem(err);
}

/* Lists the types of all objects that maps may need. */
static void whole_types(const mapgen_loader *l, const char *types[KEPT_TYPES_MAX + 1])
{
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
    types[count] = NULL;
}

/* Reads all content that maps may need, in one pass. For the types in later_types it only
 * records whether there are objects of them. */
static ptl_status load_whole(mapgen_loader *l, ptl_error *err)
{
    const char *types[KEPT_TYPES_MAX + 1];
    whole_types(l, types);
    return visit_all(l, types, on_any, err);
}

/* Begins to load mapgen: makes its loader, and adds what definitions of overmap terrains say
 * about their maps. */
static ptl_status begin_content(world_mapgen *m, const ptl_world *world, ptl_error *err)
{
    mapgen_loader *l = calloc(1, sizeof *l);
    if (!l)
        return error_nomem(err);
    const mapgen_context context = {.pool = m->pool,
                                    .memory = m->memory,
                                    .item_one_in = m->item_one_in,
                                    .items_always = m->items_always};
    m->loader = l;
    l->mapgen = m;
    l->world = world;
    /* l->item_types begins with the types of JSON objects that define items. Types that
     * describe items in another way follow. */
    size_t count = 0;
    for (; mapgen_item_types[count]; count++)
        l->item_types[count] = mapgen_item_types[count];
    l->item_types[count++] = "ammunition_type";
    l->item_types[count] = NULL;
    l->reader = json_reader_new(ops(world->store)->transaction->stop_hook(world->store));
    l->compiler = mapgen_compiler_new(&context);
    TRY(l->reader && l->compiler ? PTL_OK : error_nomem(err));
    if (!world_mapgen_terrains(m->library, m->pool, world->cat))
        return error_nomem(err);
    return ops(world->store)
        ->content->row_visit(world->store, 0, &world_embedded_query, on_embedded, l, err);
}

/* Ends what begin_content has begun, when the objects of the content were added. */
static ptl_status end_content(world_mapgen *m, const ptl_world *world, bool whole,
                              ptl_error *err)
{
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
    gen_config_free(mapgen->planner);
    local_towns_dispose(&mapgen->planned);
    local_record_drop(mapgen->record);
    free(mapgen->works);
    for (int i = 0; i < AFLOAT_SORTS; i++)
        free(mapgen->afloat[i].items);
    free(mapgen);
}

/* Makes a mapgen to which the objects of the content must still be added. */
static ptl_status begin_mapgen(world_mapgen **out, const ptl_world *world, bool whole,
                               ptl_error *err)
{
    static const arena_blocks large = {MEMORY_LARGE, memory_large};
    world_mapgen *m = *out = calloc(1, sizeof *m);
    if (!m)
        return error_nomem(err);
    m->pool = whole ? id_pool_new_for(TEXTS, &large) : id_pool_new();
    m->memory = whole ? arena_new_of(&large) : arena_new();
    m->library = mapgen_library_new();
    m->oters = calloc((size_t)world->cat->oter_count + 1, sizeof *m->oters);
    if (m->pool)
        mapgen_find_ids(&m->ids, m->pool);
    m->tiles = m->pool ? mapgen_tiles_new(m->pool) : NULL;
    m->groups = m->pool ? mapgen_groups_new(m->pool) : NULL;
    if (!m->memory || !m->library || !m->tiles || !m->groups || !m->oters)
        return error_nomem(err);
    if (catalogue_has_riots(world->cat))
        mapgen_tiles_keep_bash(m->tiles);
    TRY(world_mapgen_rules(m, world, err));
    return begin_content(m, world, err);
}

ptl_status world_mapgen_load(world_mapgen **out, const ptl_world *world, bool whole,
                             ptl_error *err)
{
    world_mapgen *m = NULL;
    bool own = false;
    TRY(ops(world->store)->transaction->begin_snapshot(world->store, &own, err));
    ptl_status status = world_local_content(world, err);
    THEN(status, begin_mapgen(&m, world, whole, err));
    THEN(status,
         whole ? load_whole(m->loader, err) : visit_all(m->loader, tile_types, on_object, err));
    THEN(status, end_content(m, world, whole, err));
    ops(world->store)->transaction->end_snapshot(world->store, own);
    if (status == PTL_OK)
        *out = m;
    else
        world_mapgen_free(m);
    return status;
}

/* ---- loading several at once ---- */

/* The objects of the content, whose texts stay in memory (content_operations.kept_stay). */
typedef struct kept_rows {
    kept_row *items; /* owned */
    size_t count, room;
} kept_rows;

static ptl_status keep_row(void *payload, const kept_row *row, ptl_error *err)
{
    kept_rows *rows = payload;
    if (!ARRAY_ROOM(rows->items, rows->room, rows->count + 1))
        return error_nomem(err);
    rows->items[rows->count++] = *row;
    return PTL_OK;
}

/* A task for a thread: to add all objects to one mapgen. */
typedef struct filling {
    pool_task head;
    mapgen_loader *loader;
    const kept_rows *rows;
} filling;

static void fill(void *worker, pool_task *head)
{
    (void)worker;
    filling *f = (filling *)head;
    head->status = PTL_OK;
    for (size_t i = 0; i < f->rows->count && head->status == PTL_OK; i++)
        head->status = on_any(f->loader, &f->rows->items[i], &head->err);
}

static void filling_free(pool_task *head)
{
    free(head);
}

/* Adds all objects to each of the mapgens, to each in a thread of its own. */
static ptl_status fill_all(world_mapgen **all, size_t count, const kept_rows *rows,
                           ptl_error *err)
{
    const pool_kind kind = {.run = fill, .task_free = filling_free, .context = (void *)all};
    pool *p = NULL;
    ptl_status status = pool_new(&p, &kind, (int32_t)count, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        filling *f = calloc(1, sizeof *f);
        if (!f) {
            status = error_nomem(err);
            break;
        }
        f->loader = all[i]->loader;
        f->rows = rows;
        pool_give(p, &f->head);
    }
    while (status == PTL_OK && pool_pending(p) > 0) {
        pool_task *t = pool_take(p, 1);
        if (t && t->status != PTL_OK)
            status = error_set(err, t->status, "%s", t->err.message);
        free(t);
    }
    pool_free(p);
    return status;
}

ptl_status world_mapgen_load_all(world_mapgen **out, size_t count, const ptl_world *world,
                                 ptl_error *err)
{
    const store_operations *store = ops(world->store);
    const char *types[KEPT_TYPES_MAX + 1];
    kept_rows rows = {NULL, 0, 0};
    bool own = false;
    ptl_status status = PTL_OK;
    if (count < 2 || !store->content->kept_stay) {
        for (size_t i = 0; i < count && status == PTL_OK; i++)
            status = world_mapgen_load(&out[i], world, true, err);
        return status;
    }
    TRY(store->transaction->begin_snapshot(world->store, &own, err));
    status = world_local_content(world, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = begin_mapgen(&out[i], world, true, err);
    if (status == PTL_OK) {
        whole_types(out[0]->loader, types);
        const kept_text_query query = {.types = types};
        status = store->content->kept_visit(world->store, &query, keep_row, &rows, err);
    }
    THEN(status, fill_all(out, count, &rows, err));
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = end_content(out[i], world, true, err);
    store->transaction->end_snapshot(world->store, own);
    free(rows.items);
    return status;
}
