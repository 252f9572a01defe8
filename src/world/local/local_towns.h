/*
 * Names of towns on local maps: the cities of the nine chunks around. Those of the chunk itself
 * and of imported ones are as they are saved; those of the others are the plan's, whether they
 * are saved or not, so that the order in which chunks are made tells on no sign. (Of a planned
 * city that found no ground signs of its neighbours speak all the same.)
 */
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
    ptl_chunk_pos chunk; /* the middle one of the nine */
    uint32_t planned;    /* those of which the plan tells: bit 3 * (dy + 1) + dx + 1 */
} local_towns;

void local_towns_dispose(local_towns *towns);

/* Reads those of the nine chunks around the OMT's of which the file tells, in place of what was
 * there. */
ptl_status local_towns_read(local_towns *towns, const ptl_world *world, ptl_omt at,
                            ptl_error *err);

/* Gives those that the plan tells beside the saved ones, unless *out has them already; config
 * is gen_config_for_towns'. PTL_ERR_NOMEM. */
ptl_status local_towns_plan(local_towns *out, const local_towns *saved,
                            const struct gen_config *config, ptl_error *err);

/* Gives the name of the one whose centre is nearest, of equally near ones the first: borrowed
 * from them. NULL: there is none with a name. */
const char *local_towns_nearest(const local_towns *saved, const local_towns *planned,
                                ptl_omt at);

#endif
