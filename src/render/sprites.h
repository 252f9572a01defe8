/*
 * Which tile of a tile set shows an oter, or a thing of local maps. A tile set has no pictures
 * for many ids. Then the picture of an id is shown that the content says it looks like
 * (`looks_like`), and if there is none, of the ids which that id looks like, and so on.
 */
#pragma once

#include "render/tileset/tileset.h"
#include "world/lists/tile_looks.h"
#include "world/world.h"

/* Gives the tile for each terrain type of the world's catalogue, by the type's number; 0: none.
 * *out is new, and the caller must free it. */
ptl_status sprites_of_terrains(uint32_t **out, ptl_world *world, const ptl_tileset *set,
                               ptl_error *err);

/* Returns the tile for a thing in a layer of local maps; 0: none. */
uint32_t sprite_of_thing(tile_looks *looks, const ptl_tileset *set, local_layer layer,
                         const char *id);

/* Returns an oter's tile, turned or connected as the oter is. `types` is that of
 * sprites_of_terrains. */
placed_tile sprite_of_oter(const uint32_t *types, const catalogue *cat, ptl_oter oter);

/* Returns the number that chooses a tile's sprite at a place. The games choose at random; here
 * a place always gets the same sprite. */
uint32_t sprite_chance(int64_t x, int64_t y, int32_t z);
