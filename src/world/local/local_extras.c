/* Reads the map extras of a region, and the content's rules for chances, from the content's
 * rows. */
#include "core/array.h"
#include "gen/pipeline.h"
#include "store/content_store.h"
#include "world/local/local.h"

/* A map extra as it is read from its row. */
typedef struct extra_kind {
    uint32_t id, generator;
    bool update;
    int32_t lowest, highest; /* lowest and highest level */
} extra_kind;

/* Returns the level in a column of the row, or `otherwise` if the row states none. */
static int32_t level_of(const content_value *row, int column, int32_t otherwise)
{
    return row[column].type == PTL_VALUE_INTEGER ? (int32_t)value_int(row, column) : otherwise;
}

typedef struct extras_reading {
    world_mapgen *mapgen;
    const char *region;
    extra_kind *kinds; /* owned; the map extras of all regions */
    mapgen_extra_set *sets;
    mapgen_extra *items;
    size_t kind_count, kind_room, set_count, set_room, item_count, item_room;
} extras_reading;

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

static const extra_kind *kind_of(const extras_reading *r, uint32_t id)
{
    for (size_t i = 0; i < r->kind_count; i++)
        if (r->kinds[i].id == id)
            return &r->kinds[i];
    return NULL;
}

/* Adds an extra to its set. The rows of a set follow each other. */
static ptl_status keep_item(void *payload, const content_value *row, ptl_error *err)
{
    extras_reading *r = payload;
    const int64_t weight = value_int(row, 3);
    const extra_kind *kind = kind_of(r, text_id(r, row, 2));
    const uint32_t name = text_id(r, row, 1);
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

/* Copies sets and items to the mapgen's memory. Both are sorted by the name of the set, so
 * that the items of a set follow those of the one before. */
static ptl_status finish(extras_reading *r, ptl_error *err)
{
    arena *memory = r->mapgen->memory;
    mapgen_extra *items = arena_calloc(memory, r->item_count + 1, sizeof *items);
    mapgen_extra_set *sets = arena_calloc(memory, r->set_count + 1, sizeof *sets);
    if (!items || !sets)
        return error_nomem(err);
    size_t at = 0;
    for (size_t i = 0; i < r->item_count; i++)
        items[i] = r->items[i];
    for (size_t i = 0; i < r->set_count; i++) {
        sets[i] = r->sets[i];
        sets[i].items = items + at;
        at += sets[i].count;
    }
    r->mapgen->extras = (mapgen_extras){sets, (uint32_t)r->set_count};
    return PTL_OK;
}

ptl_status world_mapgen_extras(world_mapgen *mapgen, const ptl_world *world, ptl_error *err)
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
    const cat_region *region = gen_region(world->cat, world->row.region);
    extras_reading r = {.mapgen = mapgen, .region = region ? region->id : ""};
    ptl_status status =
        ops(world->store)->content->row_visit(world->store, 0, &kinds, keep_kind, &r, err);
    THEN(status,
         ops(world->store)->content->row_visit(world->store, 0, &sets, keep_set, &r, err));
    THEN(status,
         ops(world->store)->content->row_visit(world->store, 0, &items, keep_item, &r, err));
    THEN(status, finish(&r, err));
    free(r.kinds);
    free(r.sets);
    free(r.items);
    return status;
}

/* ---- the rules for chances ---- */

/* Notes that the content has a palette, and ends the visit: one is enough to know. */
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

ptl_status world_mapgen_rules(world_mapgen *mapgen, const ptl_world *world, ptl_error *err)
{
    static const content_query options = {CONTENT_OPTIONS, "name, value", "name"};
    bool palettes = false;
    ptl_status status = store_kept_visit(world->store, "palette", on_palette, &palettes, err);
    if (palettes && status == PTL_ERR_EXISTS)
        status = PTL_OK;
    mapgen->item_one_in = mapgen->items_geometric = !palettes;
    return status == PTL_OK
               ? ops(world->store)
                     ->content->row_visit(world->store, 0, &options, on_option, mapgen, err)
               : status;
}
