/*
 * What a terrain says of the mapgen `shoals` that it names (schema/shoals.md, "A coast in a
 * world"). Import and the loading of the catalogue have the same members and ranges from here.
 */
#ifndef MODEL_SHOALS_FIELDS_H
#define MODEL_SHOALS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cat_shoals {
    int32_t islands_min, islands_max; /* of an OMT in the midst of an archipelago */
    int32_t cliffs;                   /* OMTs of shores and islands that have one, percent */
    int32_t plants;                   /* OMTs with a cluster, percent */
    bool full; /* profile: the tide makes deep water shallow, and shallow deep, too */
} cat_shoals;

extern const cat_shoals shoals_initial; /* where a member is missing */

/* A member that is one whole number. */
typedef struct shoals_field {
    const char *key;
    size_t offset; /* of an int32_t in cat_shoals */
    int32_t low, high;
} shoals_field;

enum { SHOALS_FIELDS = 2, SHOALS_ISLANDS_MAX = 16 };
extern const shoals_field shoals_fields[SHOALS_FIELDS];

#endif
