/*
 * The catalogue: a file's content, compiled for use. Immutable once made, so any number of
 * threads may share one. Ids are interned to dense indices; tables are sorted by id, never by
 * file order, so that equal content gives equal numbers. This header is all that gen/ and
 * render/ see of content.
 */
#ifndef CONTENT_CATALOGUE_H
#define CONTENT_CATALOGUE_H

#include "portolan/status.h"
#include "portolan/types.h"

typedef struct ptl_store ptl_store;

enum { CAT_NONE = 0xffff }; /* no such terrain or oter */

/* Terrain flags that generation asks for; content may have any others. */
enum {
    CAT_FLAG_NO_ROTATE = 1u << 0,
    CAT_FLAG_LINEAR = 1u << 1,
    CAT_FLAG_RIVER = 1u << 2,
    CAT_FLAG_LAKE = 1u << 3,
    CAT_FLAG_LAKE_SHORE = 1u << 4,
    CAT_FLAG_OCEAN = 1u << 5,
    CAT_FLAG_RAVINE = 1u << 6,
    CAT_FLAG_RAVINE_EDGE = 1u << 7,
    CAT_FLAG_BRIDGE = 1u << 8,
    CAT_FLAG_ROAD = 1u << 9
};

/* An overmap_terrain type: one definition, expanded to 1, 4 or 16 oters. */
typedef struct cat_terrain {
    const char *id;
    const char *name;  /* singular; "" if the content gives none */
    const char *color; /* the content's colour name, e.g. "light_green"; "" if none */
    uint32_t symbol;   /* Unicode code point of `sym`; 0 if none */
    uint32_t flags;    /* CAT_FLAG_* */
    ptl_oter first;    /* its oters are first .. first + count - 1 */
    uint16_t count;    /* 1 NO_ROTATE; 4 rotatable: N, E, S, W; 16 LINEAR: index = line mask */
} cat_terrain;

/* A concrete terrain. */
typedef struct cat_oter {
    const char *id;   /* with its suffix: "road_ns", "house_north" */
    uint16_t terrain; /* index into catalogue.terrains */
    uint8_t line;     /* bit 0 north, 1 east, 2 south, 3 west is connected; 0 if not linear */
    uint8_t rotation; /* 0..3 = N, E, S, W; 0 if not rotatable */
    uint32_t symbol;  /* rotated, or the line-drawing character */
    uint32_t flags;   /* the type's */
} cat_oter;

/* The region settings that drive the land (reference: section 2). */
typedef struct cat_region {
    const char *id;
    const char *default_oter; /* a concrete or type id that fills z = 0 */
    ptl_oter default_ter;     /* the oter it stands for */
    double river_scale;       /* 0: no rivers */
    double lake_threshold;    /* lake where the lake noise is above it */
    int32_t lake_size_min;    /* cells; 1..1,000 */
    int32_t lake_depth;       /* z of the bed, -10..-1 */
    double forest_threshold, forest_thick_threshold;
    double swamp_adjacent_threshold, swamp_isolated_threshold;
    int32_t floodplain_min, floodplain_max; /* OMTs, 0..15 */
    int32_t ravine_count;                   /* per chunk */
    int32_t ravine_range, ravine_width;     /* OMTs */
    int32_t ravine_depth;                   /* z of the floor, -10..-1 */
} cat_region;

typedef struct catalogue {
    char digest[65]; /* the content's, hex */
    int64_t content_id;
    const cat_terrain *terrains; /* sorted by id (strcmp) */
    size_t terrain_count;
    const cat_oter *oters;     /* grouped by terrain, in terrain order */
    size_t oter_count;         /* at most 65,534 */
    const cat_region *regions; /* sorted by id */
    size_t region_count;
    struct catalogue_private *private_data; /* memory and the id maps */
} catalogue;

/* Loads the file's current content. *out is new. PTL_ERR_CONTENT if there is none. */
ptl_status catalogue_load(catalogue **out, ptl_store *store, ptl_error *err);
void catalogue_free(catalogue *cat);

/* Index of a terrain type by id; CAT_NONE if absent. Binary search. */
uint16_t catalogue_terrain(const catalogue *cat, const char *id);
/* A concrete oter by its full id; CAT_NONE if absent. */
ptl_oter catalogue_oter(const catalogue *cat, const char *id);
/* A concrete id, or a type's id, which then means its first oter; CAT_NONE if absent. */
ptl_oter catalogue_oter_or_first(const catalogue *cat, const char *id);
/* NULL if absent. */
const cat_region *catalogue_region(const catalogue *cat, const char *id);

#endif
