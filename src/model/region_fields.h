/*
 * The numbers of region_settings: their JSON keys, defaults and ranges. Import and the loading
 * of the catalogue both use this table.
 */
#ifndef MODEL_REGION_FIELDS_H
#define MODEL_REGION_FIELDS_H

#include "model/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The numbers that drive the overmap. First come those that are columns of region_settings, in
 * the columns' order; the others, which only some games have, are rows of region_number.
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
    REGION_FOREST_INCREASE = REGION_COLUMNS, /* north, east, south, west, as always here */
    REGION_FOREST_LIMIT = REGION_FOREST_INCREASE + 4,
    REGION_URBANITY_INCREASE,
    REGION_URBANITY_MAX = REGION_URBANITY_INCREASE + 4,
    REGION_OCEANS, /* the first of the switches */
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
    REGION_OCEAN_START, /* one for each side */
    REGION_HORDE_THRESHOLD = REGION_OCEAN_START + 4,
    REGION_HORDE_CHANCE,
    REGION_HORDE_SPREAD,
    REGION_HORDE_SCALAR,
    REGION_NUMBERS
} region_number;

/* The ocean_start of a side on which no ocean begins. */
enum { REGION_OCEAN_NEVER = 1000001 };

/* The form in which a cat_region holds a number: a real, a whole number, percent, a switch,
 * or the opposite of a switch. */
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
    bool real;               /* false: whole numbers only */
    double initial;          /* the games' default, used where the block or key is missing */
    double lo, hi;           /* range, both ends included */
    const char *name;        /* key in region_number; NULL: it is a column */
    /* The number of an element, from 1, if the key's value is a list; 0: the value itself. */
    int element;
    region_place place;
    size_t at; /* offset in cat_region */
} region_field;
extern const region_field region_fields[REGION_NUMBERS];

/* Sets the member of the region that holds a number. */
void region_set(cat_region *r, region_number n, double value);

#endif
