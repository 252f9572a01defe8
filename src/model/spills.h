/*
 * Of each tile of a local map on a coast how high its ground lies, and how low the ways are
 * that water comes to it by (schema/shoals.md, "Spills"). Cells are those of local_map.h.
 */
#ifndef MODEL_SPILLS_H
#define MODEL_SPILLS_H

#include "model/local_map.h"

enum {
    SPILL_STEPS = 24,        /* that a way has at most */
    SPILL_SEA = INT16_MIN,   /* a tile of the sea itself */
    SPILL_NEVER = INT16_MAX, /* no way leads there */
    SPILL_ROCK_FROM = 135    /* heights that let nothing pass */
};

typedef struct local_spills {
    int16_t heights[LOCAL_CELLS];
    /* The greatest height on the lowest way of at most so many steps, the tile's own included:
     * never more than of fewer steps. The last is the tile's spill. */
    int16_t within[SPILL_STEPS + 1][LOCAL_CELLS];
} local_spills;

#endif
