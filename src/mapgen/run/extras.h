/*
 * Map extras: rare scenes on the maps of terrains, with a chance for each of a region's sets.
 * Content makes most of them by updates (`update_mapgen_id`). Those that the games have as
 * code are made here, if they are among the known ones.
 */
#ifndef MAPGEN_RUN_EXTRAS_H
#define MAPGEN_RUN_EXTRAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mapgen_extra {
    uint32_t id;     /* of the pool: the extra's id, or the name of its code */
    uint32_t update; /* key of its update entries; ID_NONE: it is made by code */
    uint32_t upto;   /* running sum of weights */
    /* The levels that it is made on; if it is drawn on others, nothing comes. */
    int32_t lowest, highest;
} mapgen_extra;

typedef struct mapgen_extra_set {
    uint32_t name;
    int32_t chance; /* one in so many maps; 0: never */
    const mapgen_extra *items;
    uint32_t count;
} mapgen_extra_set;

typedef struct mapgen_extras {
    const mapgen_extra_set *sets;
    uint32_t count;
} mapgen_extras;

/* Is there code for the extra with this name? */
bool mapgen_extra_is_made(const char *name);

#endif
