/*
 * Names of towns on local maps: the cities of a chunk and its eight neighbours. Cities of the
 * chunk itself and of imported neighbours are those that are saved. Other neighbours have
 * their planned cities, whether they are saved or not, so that no sign depends on the order
 * in which chunks are made. (A sign may therefore name a planned city of a neighbour that
 * found no ground.)
 */
#ifndef WORLD_LOCAL_TOWNS_H
#define WORLD_LOCAL_TOWNS_H

#include "world/world.h"

typedef struct local_town {
    int64_t x, y; /* its centre in OMTs */
    char *name;   /* owned */
} local_town;

/* A list of towns. Zero it before use; local_towns_dispose frees it. */
typedef struct local_towns {
    local_town *list; /* owned */
    size_t count, room;
    ptl_chunk_pos chunk; /* the middle one of the nine chunks */
    uint32_t planned;    /* chunks whose cities are planned ones: bit 3 * (dy + 1) + dx + 1 */
} local_towns;

void local_towns_dispose(local_towns *towns);

/* Replaces the list by the saved towns of the nine chunks around an OMT; `planned` names the
 * chunks whose towns are not in it. */
ptl_status local_towns_read(local_towns *towns, const ptl_world *world, ptl_omt at,
                            ptl_error *err);

/* Gives the planned towns of the chunks in saved->planned. Does nothing if *out has them
 * already. config is that of gen_config_for_towns. Fails only with PTL_ERR_NOMEM. */
ptl_status local_towns_plan(local_towns *out, const local_towns *saved,
                            const struct gen_config *config, ptl_error *err);

/* Returns the name of the town whose centre is nearest to the OMT; if several are equally
 * near, the first. It is borrowed from the lists. NULL: no town has a name. */
const char *local_towns_nearest(const local_towns *saved, const local_towns *planned,
                                ptl_omt at);

#endif
