/*
 * Bridges in content. A subtype of a connection draws a bridge as a rotatable terrain type.
 * When generation raises the bridge to the level above the ground, its OMTs on the ground
 * become other terrain types, which are known by their ids, as in the games.
 */
#pragma once

#include "model/catalogue.h"

typedef enum bridge_part {
    BRIDGE_UNDER,        /* terrain `<id>_under`, which stands below the raised bridge <id> */
    BRIDGE_CENTER_UNDER, /* terrain `<id>_center_under`, which some content has instead of
                            `<id>_under` */
    BRIDGE_FOOT,         /* "<id>head_ground", the terrain at the bridge's ends */
    BRIDGE_PARTS
} bridge_part;

/* Returns the rotatable terrain type for a part of the bridge whose own terrain type is
 * `bridge`; CAT_NONE if the content has none. */
uint16_t bridge_part_of(const catalogue *cat, uint16_t bridge, bridge_part part);

/* Does the subtype draw a bridge over water? (A road's crossing over a railroad is drawn by a
 * rotatable subtype as well.) */
bool bridge_spans_water(const catalogue *cat, const cat_subtype *subtype);

/* Is the terrain type the foot (BRIDGE_FOOT) of some connection's bridge over water? Feet
 * stand in the water. */
bool bridge_is_foot(const catalogue *cat, uint16_t terrain);
