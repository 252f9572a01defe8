/*
 * Spills: for each tile of a local map on a coast, how high its ground lies, and which height
 * the sea must have to reach it (schema/shoals.md, "Spills"). A way is a path of the water
 * from the sea to the tile. Tiles have the indices of local_map.h.
 */
#pragma once

#include "model/local_map.h"

enum {
    SPILL_STEPS = 24,        /* most steps that a way of the sea's water may have */
    SPILL_SEA = INT16_MIN,   /* marks a tile of the sea itself */
    SPILL_NEVER = INT16_MAX, /* marks a tile that the sea's water can't reach */
    SPILL_ROCK_FROM = 135    /* ground of this height and above lets no water pass */
};

typedef struct local_spills {
    int16_t heights[LOCAL_CELLS];
    /* within[n][tile] is how high the sea must stand to reach the tile by a way of at most n
     * steps. For one way, this is the height of the highest tile on it, the last one included;
     * of all such ways, the one with the lowest such height counts. So a larger n never gives a
     * greater height. within[SPILL_STEPS] is called the tile's spill. */
    int16_t within[SPILL_STEPS + 1][LOCAL_CELLS];
} local_spills;
