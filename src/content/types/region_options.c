/*
 * Options that are settings of a region (schema/generation.md 1.3). Games whose regions name
 * parts have those settings in the parts, and ignore these options.
 */
#include "content/types/options.h"
#include "content/types/region.h"

#include <string.h>

/* A threshold that the noise never reaches. */
static const double never = 2;

enum { TRAILHEADS = REGION_BINS - 1 };

/* Switches, and what they set in a region when they are off. */
static const struct {
    const char *option;
    region_number first, last;
    double value;
} places[] = {
    {"OVERMAP_PLACE_RIVERS", REGION_RIVER_SCALE, REGION_RIVER_SCALE, 0},
    {"OVERMAP_PLACE_LAKES", REGION_LAKE_THRESHOLD, REGION_LAKE_THRESHOLD, never},
    {"OVERMAP_PLACE_OCEANS", REGION_OCEANS, REGION_OCEANS, 0},
    {"OVERMAP_PLACE_FORESTS", REGION_FOREST_THRESHOLD, REGION_SWAMP_ISOLATED_THRESHOLD, never},
    {"OVERMAP_PLACE_RAVINES", REGION_RAVINES, REGION_RAVINES, 0},
    {"OVERMAP_PLACE_CITIES", REGION_CITY_SIZE, REGION_CITY_SIZE, 0},
    {"OVERMAP_PLACE_FOREST_TRAILS", REGION_TRAIL_CHANCE, REGION_TRAIL_CHANCE, 0},
    {"OVERMAP_PLACE_HIGHWAYS", REGION_HIGHWAYS, REGION_HIGHWAYS, 0},
};

/* Options whose value, a number or a switch, becomes a number of the region. */
typedef struct option_number {
    const char *option;
    region_number number;
} option_number;

static const option_number numbers[] = {
    {"OVERMAP_FOREST_INCREASE_NORTH", REGION_FOREST_INCREASE},
    {"OVERMAP_FOREST_INCREASE_EAST", REGION_FOREST_INCREASE + 1},
    {"OVERMAP_FOREST_INCREASE_SOUTH", REGION_FOREST_INCREASE + 2},
    {"OVERMAP_FOREST_INCREASE_WEST", REGION_FOREST_INCREASE + 3},
    {"OVERMAP_FOREST_LIMIT", REGION_FOREST_LIMIT},
    {"OVERMAP_URBAN_INCREASE_NORTH", REGION_URBANITY_INCREASE},
    {"OVERMAP_URBAN_INCREASE_EAST", REGION_URBANITY_INCREASE + 1},
    {"OVERMAP_URBAN_INCREASE_SOUTH", REGION_URBANITY_INCREASE + 2},
    {"OVERMAP_URBAN_INCREASE_WEST", REGION_URBANITY_INCREASE + 3},
    {"OVERMAP_MAXIMUM_URBANITY", REGION_URBANITY_MAX},
    {"OVERMAP_PLACE_SWAMPS", REGION_SWAMPS},
    {"OVERMAP_PLACE_ROADS", REGION_ROADS},
    {"OVERMAP_PLACE_RAILROADS", REGION_RAILROADS},
    {"OVERMAP_PLACE_RAILROADS_BEFORE_ROADS", REGION_RAILROADS_FIRST},
    {"OVERMAP_PLACE_SPECIALS", REGION_SPECIALS},
    {"OVERMAP_POPULATE_OUTSIDE_CONNECTIONS_FROM_NEIGHBORS", REGION_NEIGHBOR_CONNECTIONS},
};

/* Options of all games that have them, about hordes. */
static const option_number hordes[] = {
    {"SPAWN_CITY_HORDE_THRESHOLD", REGION_HORDE_THRESHOLD},
    {"SPAWN_CITY_HORDE_SMALL_CITY_CHANCE", REGION_HORDE_CHANCE},
    {"SPAWN_CITY_HORDE_SPREAD", REGION_HORDE_SPREAD},
    {"SPAWN_CITY_HORDE_SCALAR", REGION_HORDE_SCALAR},
};

/* The reverse: numbers of regions in older games, which are options in newer ones. */
static const option_number newer_numbers[] = {
    {"HIGHWAY_GRID_COLUMN_SEPARATION", REGION_HIGHWAY_COLUMNS},
    {"HIGHWAY_GRID_ROW_SEPARATION", REGION_HIGHWAY_ROWS},
    {"HIGHWAY_GRID_VARIANCE", REGION_HIGHWAY_VARIANCE},
};

static void set_numbers(import *im, region *r, const option_number *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const region_field *f = &region_fields[list[i].number];
        const bool on_off =
            list[i].number >= REGION_OCEANS && list[i].number < REGION_SWITCHES_END;
        bool on;
        if (on_off && option_switch(im, list[i].option, &on))
            r->numbers[list[i].number] = on;
        else if (!on_off)
            option_number_of(im, list[i].option, f->lo, f->hi, &r->numbers[list[i].number]);
    }
}

void region_apply_options(import *im, region *r)
{
    set_numbers(im, r, hordes, sizeof hordes / sizeof *hordes);
    if (r->has_parts) {
        set_numbers(im, r, newer_numbers, sizeof newer_numbers / sizeof *newer_numbers);
    } else {
        bool on = true;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            if (!option_switch(im, places[i].option, &on) || on)
                continue;
            for (region_number n = places[i].first; n <= places[i].last; n++)
                r->numbers[n] = places[i].value;
        }
        if (option_switch(im, "OVERMAP_PLACE_FOREST_TRAILHEADS", &on) && !on)
            r->bins[TRAILHEADS].count = 0;
        set_numbers(im, r, numbers, sizeof numbers / sizeof *numbers);
    }
    if (r->numbers[REGION_SWAMPS] != 0)
        return;
    r->numbers[REGION_SWAMP_ADJACENT_THRESHOLD] = never;
    r->numbers[REGION_SWAMP_ISOLATED_THRESHOLD] = never;
}
