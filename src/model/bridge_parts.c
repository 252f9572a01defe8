/* Finds the terrain types that are parts of bridges. */
#include "model/bridge_parts.h"

#include <stdio.h>

uint16_t bridge_part_of(const catalogue *cat, uint16_t bridge, bridge_part part)
{
    static const char *const suffixes[BRIDGE_PARTS] = {[BRIDGE_UNDER] = "_under",
                                                       [BRIDGE_CENTER_UNDER] = "_center_under",
                                                       [BRIDGE_FOOT] = "head_ground"};
    char id[256];
    int length = snprintf(id, sizeof id, "%s%s", cat->terrains[bridge].id, suffixes[part]);
    if (length < 0 || (size_t)length >= sizeof id)
        return CAT_NONE;
    uint16_t found = catalogue_terrain(cat, id);
    return found != CAT_NONE && cat->terrains[found].count == 4 ? found : CAT_NONE;
}

bool bridge_spans_water(const catalogue *cat, const cat_subtype *subtype)
{
    const uint32_t flags = CAT_FLAG_RIVER | CAT_FLAG_BRIDGE;
    return subtype->terrain != CAT_NONE && subtype->shape == PTL_TERRAIN_ROTATABLE &&
           cat->terrains[subtype->terrain].flags & flags;
}

bool bridge_is_foot(const catalogue *cat, uint16_t terrain)
{
    for (size_t i = 0; i < cat->connection_count; i++) {
        const cat_connection *c = &cat->connections[i];
        for (size_t k = 0; k < c->subtype_count; k++)
            if (bridge_spans_water(cat, &c->subtypes[k]) &&
                bridge_part_of(cat, c->subtypes[k].terrain, BRIDGE_FOOT) == terrain)
                return true;
    }
    return false;
}
