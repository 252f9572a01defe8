/*
 * Bridges, as content has them: a connection's rotatable subtype, and the types that raising it
 * makes of its tiles on the ground, which are known by their ids, as in the games.
 */
#ifndef MODEL_BRIDGE_PARTS_H
#define MODEL_BRIDGE_PARTS_H

#include "model/catalogue.h"

typedef enum bridge_part {
    BRIDGE_UNDER,        /* "<id>_under" */
    BRIDGE_CENTER_UNDER, /* "<id>_center_under" */
    BRIDGE_FOOT,         /* "<id>head_ground": its ends */
    BRIDGE_PARTS
} bridge_part;

/* The rotatable type that is this part of the bridge; CAT_NONE if the content has none. */
uint16_t bridge_part_of(const catalogue *cat, uint16_t bridge, bridge_part part);

/* Does the subtype draw a bridge with water under it? (A level crossing is rotatable, too.) */
bool bridge_spans_water(const catalogue *cat, const cat_subtype *subtype);

/* Is the type the foot of a connection's bridge over water? Feet stand in the water. */
bool bridge_is_foot(const catalogue *cat, uint16_t terrain);

#endif
