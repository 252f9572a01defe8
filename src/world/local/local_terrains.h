/* What overmap terrains say of their local maps themselves: what these are found by, of which
 * one terrain they are, whose ground they have, and entries that stand in a terrain. */
#ifndef WORLD_LOCAL_TERRAINS_H
#define WORLD_LOCAL_TERRAINS_H

#include "mapgen/compile/library.h"
#include "model/catalogue.h"
#include "store/content_store.h"

/* What an oter's entries are registered under: its terrain's id, of a linear one with its shape
 * behind it. ID_NONE when memory is out, which the pool remembers. */
uint32_t world_key_of(id_pool *pool, const catalogue *cat, const cat_oter *oter);
/* Quarter turns, clockwise, from how its entries are drawn. */
int world_turns_of(const cat_oter *oter);
/* Tells the library of all terrains that are uniform, or have another's ground. False when
 * memory is out. */
bool world_mapgen_terrains(mapgen_library *library, id_pool *pool, const catalogue *cat);

/* Entries that stand in a terrain: rows of this. */
extern const content_query world_embedded_query;
/* The JSON of an entry that can be compiled; NULL: the row is one of the games' own mapgens. */
const char *world_embedded_text(const content_value *row);
/* What it is registered under. */
uint32_t world_embedded_key(id_pool *pool, const content_value *row);

/* Has the oter a map? Else all of it is one terrain, which is no more than a stopgap. */
bool world_terrain_is_made(mapgen_library *library, id_pool *pool, const catalogue *cat,
                           const cat_oter *oter);

#endif
