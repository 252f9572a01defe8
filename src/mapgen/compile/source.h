/*
 * A source of mapgen: content that is read and compiled only when it is first asked for. The
 * result is the same in whatever order things are asked for.
 */
#pragma once

#include <stdint.h>

typedef enum mapgen_sort {
    /* Things of these kinds are read one by one: the source is asked for one id, which is that
     * of a palette, of entries (all that are registered under it), of an item type, or of an
     * item group. */
    MAPGEN_SORT_PALETTE,
    MAPGEN_SORT_ENTRIES,
    MAPGEN_SORT_ITEM,
    MAPGEN_SORT_ITEM_GROUP,
    /* The source reads things of the kinds from here on all at once, whatever id it is asked
     * for. */
    MAPGEN_SORT_ITEM_GROUPS,
    MAPGEN_SORT_MONSTER_GROUPS,
    MAPGEN_SORT_VEHICLE_GROUPS,
    MAPGEN_SORT_SNIPPETS,
    MAPGEN_SORT_NAMES,
    MAPGEN_SORT_TRANSFORMS,
    MAPGEN_SORT_PROCESSES,
    MAPGEN_SORTS
} mapgen_sort;

/* A callback that is called with an id. */
typedef void mapgen_visit(void *payload, uint32_t id);

typedef struct mapgen_source {
    /* Reads what the content has of this kind and id, and adds it to the library, or to the
     * mapgen_groups, for which the source was made. `load` is NULL if all content was added
     * from the start. The source remembers if it could not read something; whoever makes a map
     * must ask the source about that before the map is used. */
    void (*load)(void *payload, mapgen_sort sort, uint32_t id);
    void *payload;
} mapgen_source;
