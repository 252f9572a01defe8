/* Local tides over the sea: which there are, and what they raise. */
#ifndef WORLD_LOCAL_LOCAL_SURGE_H
#define WORLD_LOCAL_LOCAL_SURGE_H

#include "gen/coast/coast_water.h"
#include "store/store.h"
#include "world/world.h"

enum {
    SURGE_REACH = 8, /* tiles, the larger of both distances */
    SURGE_MOST = 50, /* that the water rises at the place itself */
    SURGE_RISE = 5,  /* a step of the tide */
    SURGE_FALL = 3   /* less for each tile of distance */
};

/* Local tides of a rectangle and some time. */
typedef struct local_surges {
    surge_row *list; /* owned */
    size_t count, room;
    int64_t turns; /* in a step of the tide */
} local_surges;

void local_surges_free(local_surges *surges); /* of zeroes, too */

/* Reads those that raise water in the neighbourhood of an OMT of a rectangle, at any step of
 * the tide from one to another. The list is new: free it, also after an error. */
ptl_status local_surges_read(local_surges *out, const ptl_world *world, coast_rect omts,
                             int64_t first_step, int64_t last_step, ptl_error *err);

/* Fills in what they raise at a step in an OMT and its eight neighbours. False: nothing, and
 * raise is not filled then. */
bool local_surges_raise(uint8_t raise[COAST_AROUND * COAST_AROUND], const local_surges *surges,
                        int64_t x, int64_t y, int64_t step);

#endif
