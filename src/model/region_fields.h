/*
 * The numbers of region_settings: what each is called in JSON, what it is where it is missing
 * and what it may be. Import and the loading of the catalogue have the same ranges from here.
 */
#ifndef MODEL_REGION_FIELDS_H
#define MODEL_REGION_FIELDS_H

#include "model/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The numbers that drive the overmap: first those that have columns in region_settings, in
 * their order; the others, which only some games have, are rows of region_number.
 */
typedef enum region_number {
    REGION_RIVER_SCALE,
    REGION_LAKE_THRESHOLD,
    REGION_LAKE_SIZE_MIN,
    REGION_LAKE_DEPTH,
    REGION_RAVINES,
    REGION_RAVINE_RANGE,
    REGION_RAVINE_WIDTH,
    REGION_RAVINE_DEPTH,
    REGION_FOREST_THRESHOLD,
    REGION_FOREST_THICK_THRESHOLD,
    REGION_SWAMP_ADJACENT_THRESHOLD,
    REGION_SWAMP_ISOLATED_THRESHOLD,
    REGION_FLOODPLAIN_MIN,
    REGION_FLOODPLAIN_MAX,
    REGION_TRAIL_CHANCE,
    REGION_TRAIL_BORDER_POINT_CHANCE,
    REGION_TRAIL_MINIMUM_FOREST_SIZE,
    REGION_TRAIL_RANDOM_POINT_MIN,
    REGION_TRAIL_RANDOM_POINT_MAX,
    REGION_TRAIL_RANDOM_POINT_SIZE_SCALAR,
    REGION_TRAILHEAD_CHANCE,
    REGION_TRAILHEAD_ROAD_DISTANCE,
    REGION_SHOP_RADIUS,
    REGION_SHOP_SIGMA,
    REGION_PARK_RADIUS,
    REGION_PARK_SIGMA,
    REGION_CITY_SIZE,
    REGION_CITY_SPACING,
    REGION_COLUMNS,
    REGION_FOREST_INCREASE = REGION_COLUMNS, /* north, east, south, west, as all sides here */
    REGION_FOREST_LIMIT = REGION_FOREST_INCREASE + 4,
    REGION_URBANITY_INCREASE,
    REGION_URBANITY_MAX = REGION_URBANITY_INCREASE + 4,
    REGION_OCEANS, /* switches, to the last one */
    REGION_HIGHWAYS,
    REGION_PARTS,
    REGION_SWAMPS,
    REGION_ROADS,
    REGION_RAILROADS,
    REGION_RAILROADS_FIRST,
    REGION_SPECIALS,
    REGION_NEIGHBOR_CONNECTIONS,
    REGION_MEGACITY,
    REGION_SWITCHES_END,
    REGION_HIGHWAY_COLUMNS = REGION_SWITCHES_END,
    REGION_HIGHWAY_ROWS,
    REGION_HIGHWAY_VARIANCE,
    REGION_RIVER_FREQUENCY, /* 0: rivers of the older form */
    REGION_RIVER_BRANCH_CHANCE,
    REGION_RIVER_REMERGE_CHANCE,
    REGION_RIVER_SCALE_DECREASE,
    REGION_OCEAN_THRESHOLD,
    REGION_OCEAN_SIZE_MIN,
    REGION_OCEAN_DEPTH,
    REGION_TIDE_TURNS,
    REGION_OCEAN_START, /* of all sides */
    REGION_HORDE_THRESHOLD = REGION_OCEAN_START + 4,
    REGION_HORDE_CHANCE,
    REGION_HORDE_SPREAD,
    REGION_HORDE_SCALAR,
    REGION_NUMBERS
} region_number;

/* An ocean_start of a side on which no ocean begins. */
enum { REGION_OCEAN_NEVER = 1000001 };

/* As what a region of the catalogue has a number. */
typedef enum region_place {
    REGION_NOWHERE,
    REGION_REAL,
    REGION_WHOLE,
    REGION_PERCENT,
    REGION_IS,
    REGION_IS_NOT
} region_place;

typedef struct region_field {
    const char *block, *key; /* block "": the object itself */
    bool real;               /* else whole numbers only */
    double initial;          /* the games' default where the block or key is missing */
    double lo, hi;           /* both allowed */
    const char *name;        /* in region_number; NULL: it has a column */
    int element;             /* of the list that the key has, from 1; 0: the value itself */
    region_place place;
    size_t at; /* in the cat_region */
} region_field;
extern const region_field region_fields[REGION_NUMBERS];

/* Sets what the region has for a number. */
void region_set(cat_region *r, region_number n, double value);

#endif
