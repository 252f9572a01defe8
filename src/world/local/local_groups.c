/* Item types, groups and texts of the content, for local maps. */
#include "core/error.h"
#include "store/content_store.h"
#include "world/local/local.h"
#include "json/reader.h"

#include <string.h>

typedef struct reading {
    mapgen_groups *groups;
    json_reader *reader;
} reading;

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    const reading *r = payload;
    if (!json_reader_whole(r->reader, row->text, row->size, NULL))
        return error_set(err, PTL_ERR_CORRUPT, "%s:%lld: a kept object is no JSON", row->path,
                         (long long)row->line);
    const json_document document = json_reader_document(r->reader);
    return mapgen_groups_add(r->groups, json_view_of(&document)) ? PTL_OK : error_nomem(err);
}

ptl_status world_mapgen_groups(world_mapgen *mapgen, const ptl_world *world, ptl_error *err)
{
    static const char *const types[] = {
        "ammunition_type", "item_group",         "monstergroup", "name",
        "snippet",         "ter_furn_transform", "vehicle_group"};
    ptl_store *store = world->store;
    mapgen->groups = mapgen_groups_new(mapgen->pool);
    reading r = {mapgen->groups, json_reader_new(store_stop_hook(store))};
    ptl_status status = r.groups && r.reader ? PTL_OK : error_nomem(err);
    for (size_t i = 0; mapgen_item_types[i] && status == PTL_OK; i++)
        status = store_kept_visit(store, mapgen_item_types[i], on_object, &r, err);
    for (size_t i = 0; i < sizeof types / sizeof types[0] && status == PTL_OK; i++)
        status = store_kept_visit(store, types[i], on_object, &r, err);
    if (status == PTL_OK)
        mapgen_groups_finish(mapgen->groups);
    json_reader_free(r.reader);
    return status;
}

/* ---- rules ---- */

static ptl_status on_palette(void *payload, const kept_row *row, ptl_error *err)
{
    (void)row;
    (void)err;
    *(bool *)payload = true;
    return PTL_OK;
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
    const ptl_status status =
        store_kept_visit(world->store, "palette", on_palette, &palettes, err);
    mapgen->item_one_in = mapgen->items_geometric = !palettes;
    return status == PTL_OK
               ? store_content_row_visit(world->store, &options, on_option, mapgen, err)
               : status;
}
