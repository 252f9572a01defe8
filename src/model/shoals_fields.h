/*
 * What the definition of a terrain states about the mapgen `shoals`, if the terrain uses that
 * mapgen (schema/shoals.md, "A coast in a world"). The import and the loading of the catalogue
 * both take names and ranges from this header.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cat_shoals {
    /* Number of islands in an OMT in the middle of an archipelago. */
    int32_t islands_min, islands_max;
    /* The percentage of OMTs of shores and islands that have a cliff. */
    int32_t cliffs;
    /* The percentage of OMTs that have a cluster of plants. */
    int32_t plants;
    /* True: the tide has the profile "full", with which the tide also changes deep water into
     * shallow water and back. */
    bool full;
} cat_shoals;

/* The values of members that the content does not give. */
extern const cat_shoals shoals_initial;

/* A member of cat_shoals that is a single whole number. */
typedef struct shoals_field {
    const char *key;
    size_t offset; /* offset of the member in cat_shoals; the member is an int32_t */
    int32_t low, high;
} shoals_field;

enum { SHOALS_FIELDS = 2, SHOALS_ISLANDS_MAX = 16 };
extern const shoals_field shoals_fields[SHOALS_FIELDS];
