/*
 * Weighted lists: prototypes of a vehicle group, texts of a snippet category, names of people
 * by usage. Ids and texts are numbers of the pool that the objects were read with.
 */
#ifndef MAPGEN_GROUPS_LISTS_H
#define MAPGEN_GROUPS_LISTS_H

#include "core/hash.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

typedef enum mapgen_list_sort {
    MAPGEN_LIST_VEHICLES,
    MAPGEN_LIST_SNIPPETS,
    MAPGEN_LIST_NAMES, /* by usage: given or family name */
    MAPGEN_LIST_SORTS
} mapgen_list_sort;

typedef struct mapgen_lists mapgen_lists;

mapgen_lists *mapgen_lists_new(id_pool *pool); /* NULL when memory is out */
void mapgen_lists_free(mapgen_lists *lists);
/* Adds an object of type vehicle_group, snippet or name; others are ignored. A list that
 * comes again gets the new elements as well. False when memory is out. */
bool mapgen_lists_add(mapgen_lists *lists, json_view object);
/* Draws an element by weight; ID_NONE: there is no such list, or it is empty. */
uint32_t mapgen_lists_draw(const mapgen_lists *lists, rng *random, mapgen_list_sort sort,
                           uint32_t id);

#endif
