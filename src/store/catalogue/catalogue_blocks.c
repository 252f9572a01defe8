/* Blocks of a region's settings that local maps are made by: kept as text, and read where the
 * first local map is made (mapgen/ground/settings.h). */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

#include <string.h>

static const char *const wanted[] = {"default_groundcover", "field_coverage",
                                     "forest_mapgen_settings", "forest_trail_settings",
                                     "region_terrain_and_furniture"};

enum { WANTED = sizeof wanted / sizeof wanted[0] };

static bool is_wanted(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < WANTED; i++)
        found = found || strcmp(name, wanted[i]) == 0;
    return found;
}

/* Rows come by region and block: a region's blocks come together. */
static ptl_status read_block(loader *l, const content_value *s, void *payload)
{
    cat_block **blocks = payload; /* of the region that the row before was of */
    if (!is_wanted(value_text(s, 1)))
        return PTL_OK;
    const cat_region *found = catalogue_region(l->cat, value_text(s, 0));
    if (!found)
        return loader_corrupt(l, "block of unknown region", value_text(s, 0));
    cat_region *r = &l->regions[found - l->cat->regions];
    if (r->block_count == 0)
        *blocks = arena_calloc(l->arena, WANTED, sizeof **blocks);
    if (r->block_count > 0 && strcmp(r->blocks[r->block_count - 1].name, value_text(s, 1)) >= 0)
        return loader_corrupt(l, "blocks of a region out of order:", value_text(s, 1));
    cat_block *b = *blocks ? &(*blocks)[r->block_count] : NULL;
    if (b) {
        *b = (cat_block){loader_keep(l, value_text(s, 1)), loader_keep(l, value_text(s, 2))};
        r->blocks = *blocks;
        r->block_count++;
    }
    return b && b->name && b->json ? PTL_OK : error_nomem(l->err);
}

ptl_status load_blocks(loader *l)
{
    cat_block *blocks = NULL;
    return loader_rows(
        l, &(content_query){CONTENT_REGION_BLOCKS, "region, block, json", "region, block"},
        read_block, &blocks);
}
