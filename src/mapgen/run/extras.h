/*
 * Map extras: rare scenes that a region's settings put on the maps of terrains, with a chance
 * for each set of them. Content makes most by updates (`update_mapgen_id`); those that the
 * games have as code are made here, by their names, if they are among the known ones.
 */
#ifndef MAPGEN_RUN_EXTRAS_H
#define MAPGEN_RUN_EXTRAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mapgen_extra {
    uint32_t id;             /* of the pool: the extra's, or what it is called as code */
    uint32_t update;         /* the key of its entries; ID_NONE: it is made by code */
    uint32_t upto;           /* running sum of weights */
    int32_t lowest, highest; /* levels that it is made on; on others nothing comes of it */
} mapgen_extra;

typedef struct mapgen_extra_set {
    uint32_t name;
    int32_t chance; /* one in so many maps; 0: none */
    const mapgen_extra *items;
    uint32_t count;
} mapgen_extra_set;

typedef struct mapgen_extras {
    const mapgen_extra_set *sets;
    uint32_t count;
} mapgen_extras;

/* Is there code for what content calls so? */
bool mapgen_extra_is_made(const char *name);

#endif
