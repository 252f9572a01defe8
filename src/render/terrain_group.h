/* What kind of thing a terrain is on a map: how a legend is ordered. */
#ifndef RENDER_TERRAIN_GROUP_H
#define RENDER_TERRAIN_GROUP_H

#include "model/catalogue.h"

typedef enum terrain_group {
    GROUP_LAND,    /* ground, woods, rock and air; what nothing below says otherwise of */
    GROUP_WATER,   /* rivers, lakes and their shores */
    GROUP_WAYS,    /* whatever connects: roads, trails, rails, sewers, and bridges */
    GROUP_CITY,    /* tiles of a city's buildings */
    GROUP_SPECIAL, /* tiles of specials */
    GROUP_COUNT
} terrain_group;

/* Returns "Land" and so on, by group: constants. */
const char *const *terrain_group_names(void);

/* Makes a list with a terrain_group for each terrain of the catalogue: free it. NULL when
 * memory is out. */
uint8_t *terrain_groups_new(const catalogue *cat);

#endif
