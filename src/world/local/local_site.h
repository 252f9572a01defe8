/* What overmap terrains say themselves about their local maps: the key of their mapgen
 * entries, the one tile that all of a map consists of, the terrain whose ground they share,
 * and entries that stand inside a terrain. */
#ifndef WORLD_LOCAL_LOCAL_SITE_H
#define WORLD_LOCAL_LOCAL_SITE_H

#include "mapgen/compile/library.h"
#include "model/catalogue.h"
#include "store/content_store.h"

/* Tells the library about all terrains that are uniform or have another terrain's ground.
 * False when memory is out. */
bool world_mapgen_terrains(mapgen_library *library, id_pool *pool, const catalogue *cat);

/* Reads entries that stand inside a terrain; the next two functions take its rows. */
extern const content_query world_embedded_query;
/* Returns the JSON of an entry that can be compiled; NULL if the row is a mapgen that the
 * games have as code. */
const char *world_embedded_text(const content_value *row);
/* Returns the key that such an entry is registered under. */
uint32_t world_embedded_key(id_pool *pool, const content_value *row);

/* Does the oter have a map? If not, its map is filled with one terrain, which is only a
 * stopgap. */
bool world_terrain_is_made(mapgen_library *library, id_pool *pool, const catalogue *cat,
                           const cat_oter *oter);

#endif
