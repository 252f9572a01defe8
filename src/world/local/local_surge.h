/* Local tides: which there are in an area, and how much they raise the water. */
#ifndef WORLD_LOCAL_LOCAL_SURGE_H
#define WORLD_LOCAL_LOCAL_SURGE_H

#include "gen/coast/coast_window.h"
#include "store/store.h"
#include "world/world.h"

enum {
    SURGE_REACH = 8, /* reach in tiles, measured by the larger of both distances */
    SURGE_MOST = 50, /* most that the water rises, at the tile itself */
    SURGE_RISE = 5,  /* rise with each step of the tide */
    SURGE_FALL = 3   /* how much less the water rises with each tile of distance */
};

/* The local tides of a rectangle during some time. */
typedef struct local_surges {
    surge_row *list; /* owned */
    size_t count, room;
    int64_t turns; /* turns in a step of the tide */
} local_surges;

void local_surges_free(local_surges *surges); /* zeroes are fine */

/* Reads the local tides that raise water in or beside an OMT of the rectangle, at any step
 * from the first to the last. *out is new: free it, also after an error. */
ptl_status local_surges_read(local_surges *out, const ptl_world *world, coast_rect omts,
                             int64_t first_step, int64_t last_step, ptl_error *err);

/* Gives by how much the water is raised at a step, in an OMT and its eight neighbours. False:
 * nowhere, and raise is not filled in. */
bool local_surges_raise(uint8_t raise[COAST_AROUND * COAST_AROUND], const local_surges *surges,
                        int64_t x, int64_t y, int64_t step);

#endif
