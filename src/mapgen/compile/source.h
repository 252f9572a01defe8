/*
 * Where mapgen takes from what is not there yet: content that is read and compiled when it is
 * asked for first. What comes of it is the same whatever was asked for before.
 */
#ifndef MAPGEN_COMPILE_SOURCE_H
#define MAPGEN_COMPILE_SOURCE_H

#include <stdint.h>

typedef enum mapgen_sort {
    /* By id: what is asked for is one palette, all entries that are registered under one id,
     * one item type, one item group. */
    MAPGEN_SORT_PALETTE,
    MAPGEN_SORT_ENTRIES,
    MAPGEN_SORT_ITEM,
    MAPGEN_SORT_ITEM_GROUP,
    /* All of the sort; the id means nothing. */
    MAPGEN_SORT_ITEM_GROUPS,
    MAPGEN_SORT_MONSTER_GROUPS,
    MAPGEN_SORT_VEHICLE_GROUPS,
    MAPGEN_SORT_SNIPPETS,
    MAPGEN_SORT_NAMES,
    MAPGEN_SORT_TRANSFORMS,
    MAPGEN_SORTS
} mapgen_sort;

typedef struct mapgen_source {
    /* Adds what there is of it to what asks; NULL: all is there already. It remembers itself
     * what it could not read: who makes a map asks it before the map is used. */
    void (*load)(void *payload, mapgen_sort sort, uint32_t id);
    void *payload;
} mapgen_source;

#endif
