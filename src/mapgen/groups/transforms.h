/*
 * Transforms (ter_furn_transform): what the terrain, furniture and trap of a tile become, by
 * their ids. They are compiled from the kept objects. Ids are numbers of the pool that they
 * were read with.
 */
#ifndef MAPGEN_GROUPS_TRANSFORMS_H
#define MAPGEN_GROUPS_TRANSFORMS_H

#include "core/hash.h"
#include "mapgen/compile/tiles.h"
#include "model/id_pool.h"
#include "model/local_map.h"
#include "json/view.h"

#include <stdbool.h>

typedef struct mapgen_transforms mapgen_transforms;

mapgen_transforms *mapgen_transforms_new(id_pool *pool); /* NULL when memory is out */
void mapgen_transforms_free(mapgen_transforms *transforms);
/* Adds an object of type ter_furn_transform; others are ignored. An id that comes again
 * replaces the earlier one. False when memory is out. */
bool mapgen_transforms_add(mapgen_transforms *transforms, json_view object);
/* Returns the number of all transforms and rules, which is the most that carrying one out
 * goes over. */
size_t mapgen_transforms_size(const mapgen_transforms *transforms);
/* Returns what `from` becomes: one of the results by weight; ID_NONE: it stays as it is. The
 * first entry counts that names it, or a flag that it has by the tiles, which may be NULL. */
uint32_t mapgen_transform(const mapgen_transforms *transforms, const mapgen_tiles *tiles,
                          rng *random, uint32_t transform, local_layer layer, uint32_t from);

#endif
