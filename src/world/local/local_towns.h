/* Names of towns on local maps: the cities of one chunk, as they are saved. */
#ifndef WORLD_LOCAL_TOWNS_H
#define WORLD_LOCAL_TOWNS_H

#include "world/world.h"

typedef struct local_town {
    int64_t x, y; /* its centre, OMTs */
    char *name;   /* owned */
} local_town;

/* Zero it before use. */
typedef struct local_towns {
    local_town *list; /* owned */
    size_t count, room;
} local_towns;

void local_towns_dispose(local_towns *towns);

/* Reads those of the chunk that the OMT lies in, in place of what was there; none if it is not
 * saved. */
ptl_status local_towns_read(local_towns *towns, const ptl_world *world, ptl_omt at,
                            ptl_error *err);

/* Gives the name of the one whose centre is nearest, of equally near ones the first: borrowed
 * from the towns. NULL: there is none with a name. */
const char *local_towns_nearest(const local_towns *towns, ptl_omt at);

#endif
