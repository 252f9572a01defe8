/* The content's rules for chances. */
#include "core/error.h"
#include "store/content_store.h"
#include "world/local/local.h"

#include <string.h>

/* One is enough: the rest is not read. */
static ptl_status on_palette(void *payload, const kept_row *row, ptl_error *err)
{
    (void)row;
    (void)err;
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
               ? store_content_row_visit(world->store, &options, on_option, mapgen, err)
               : status;
}
