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
static ptl_status read_block(loader *l, const void *values, void *payload)
{
    const region_block_row *s = values;
    cat_block **blocks = payload; /* of the region that the row before was of */
    if (!is_wanted(s->block))
        return PTL_OK;
    const cat_region *found = catalogue_region(l->cat, s->region);
    if (!found)
        return loader_corrupt(l, "block of unknown region", s->region);
    cat_region *r = &l->regions[found - l->cat->regions];
    if (r->block_count == 0)
        *blocks = arena_calloc(l->arena, WANTED, sizeof **blocks);
    if (r->block_count > 0 && strcmp(r->blocks[r->block_count - 1].name, s->block) >= 0)
        return loader_corrupt(l, "blocks of a region out of order:", s->block);
    cat_block *b = *blocks ? &(*blocks)[r->block_count] : NULL;
    if (b) {
        *b = (cat_block){loader_keep(l, s->block), loader_keep(l, s->json)};
        r->blocks = *blocks;
        r->block_count++;
    }
    return b && b->name && b->json ? PTL_OK : error_nomem(l->err);
}

ptl_status load_blocks(loader *l)
{
    cat_block *blocks = NULL;
    return loader_rows(l, CONTENT_REGION_BLOCKS, NULL, read_block, &blocks);
}
