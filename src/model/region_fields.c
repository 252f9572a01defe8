#include "model/region_fields.h"

#include <stddef.h>
#include <stdint.h>

/* A radius of ten thousand times a city's is as good as everywhere. Larger numbers are cut,
 * so that what is computed from them stays small. */
enum { PERCENT_MAX = 1000000 };

enum { CELLS = 32400 }; /* of a level: 180 x 180 */

#define COLUMN NULL, 0
/* The form of a number and the member of cat_region that holds it. */
#define REAL(m)    REGION_REAL, offsetof(cat_region, m)
#define WHOLE(m)   REGION_WHOLE, offsetof(cat_region, m)
#define PERCENT(m) REGION_PERCENT, offsetof(cat_region, m)
#define NOWHERE    REGION_NOWHERE, 0
#define IS(m)      REGION_IS, offsetof(cat_region, m)
#define IS_NOT(m)  REGION_IS_NOT, offsetof(cat_region, m)
#define SIDES(block, key, real, lo, hi, PLACE, m)                                              \
    {block, key, real, 0, lo, hi, key "_north", 1, PLACE(m[0])},                               \
        {block, key, real, 0, lo, hi, key "_east", 2, PLACE(m[1])},                            \
        {block, key, real, 0, lo, hi, key "_south", 3, PLACE(m[2])},                           \
    {                                                                                          \
        block, key, real, 0, lo, hi, key "_west", 4, PLACE(m[3])                               \
    }
#define NAMED(block, key, real, initial, lo, hi, place)                                        \
    {                                                                                          \
        block, key, real, initial, lo, hi, key, 0, place                                       \
    }
#define OCEAN_START(side, number)                                                              \
    NAMED(ocean, "ocean_start_" side, false, REGION_OCEAN_NEVER, 0, REGION_OCEAN_NEVER,        \
          WHOLE(ocean.start[number]))
#define SWITCH(key, initial, place)                                                            \
    {                                                                                          \
        "", key, false, initial, 0, 1, key, 0, place                                           \
    }

static const char lake[] = "overmap_lake_settings", ravine[] = "overmap_ravine_settings",
                  forest[] = "overmap_forest_settings", trail[] = "forest_trail_settings",
                  highway[] = "overmap_highway_settings", river[] = "overmap_river_settings",
                  ocean[] = "overmap_ocean_settings";

const region_field region_fields[REGION_NUMBERS] = {
    {"", "river_scale", true, 1, 0, 40, COLUMN, REAL(river_scale)},
    {lake, "noise_threshold_lake", true, 0.25, -10, 10, COLUMN, REAL(lake_threshold)},
    {lake, "lake_size_min", false, 20, 1, 1000, COLUMN, WHOLE(lake_size_min)},
    {lake, "lake_depth", false, -5, -10, 0, COLUMN, WHOLE(lake_depth)},
    {ravine, "num_ravines", false, 0, 0, 1000, COLUMN, WHOLE(ravine_count)},
    {ravine, "ravine_range", false, 45, 0, 180, COLUMN, WHOLE(ravine_range)},
    {ravine, "ravine_width", false, 1, 1, 20, COLUMN, WHOLE(ravine_width)},
    {ravine, "ravine_depth", false, -3, -10, -1, COLUMN, WHOLE(ravine_depth)},
    {forest, "noise_threshold_forest", true, 0.25, -10, 10, COLUMN, REAL(forest_threshold)},
    {forest, "noise_threshold_forest_thick", true, 0.3, -10, 10, COLUMN,
     REAL(forest_thick_threshold)},
    {forest, "noise_threshold_swamp_adjacent_water", true, 0.3, -10, 10, COLUMN,
     REAL(swamp_adjacent_threshold)},
    {forest, "noise_threshold_swamp_isolated", true, 0.6, -10, 10, COLUMN,
     REAL(swamp_isolated_threshold)},
    {forest, "river_floodplain_buffer_distance_min", false, 3, 0, INT32_MAX, COLUMN,
     WHOLE(floodplain_min)},
    {forest, "river_floodplain_buffer_distance_max", false, 15, 0, INT32_MAX, COLUMN,
     WHOLE(floodplain_max)},
    {trail, "chance", false, 1, 0, INT32_MAX, COLUMN, WHOLE(trails.chance)},
    {trail, "border_point_chance", false, 2, 0, INT32_MAX, COLUMN,
     WHOLE(trails.border_point_chance)},
    {trail, "minimum_forest_size", false, 50, 0, CELLS, COLUMN,
     WHOLE(trails.minimum_forest_size)},
    {trail, "random_point_min", false, 4, 0, CELLS, COLUMN, WHOLE(trails.random_point_min)},
    {trail, "random_point_max", false, 50, 0, CELLS, COLUMN, WHOLE(trails.random_point_max)},
    {trail, "random_point_size_scalar", false, 100, 1, INT32_MAX, COLUMN,
     WHOLE(trails.random_point_size_scalar)},
    {trail, "trailhead_chance", false, 1, 0, INT32_MAX, COLUMN, WHOLE(trails.trailhead_chance)},
    {trail, "trailhead_road_distance", false, 6, 0, 180, COLUMN,
     WHOLE(trails.trailhead_road_distance)},
    {"city", "shop_radius", false, 30, 0, INT32_MAX, COLUMN, PERCENT(city.shop_radius)},
    {"city", "shop_sigma", false, 20, 0, INT32_MAX, COLUMN, PERCENT(city.shop_sigma)},
    {"city", "park_radius", false, 30, 0, INT32_MAX, COLUMN, PERCENT(city.park_radius)},
    {"city", "park_sigma", false, 70, 0, INT32_MAX, COLUMN, PERCENT(city.park_sigma)},
    {"city", "city_size", false, -1, -1, 16, COLUMN, WHOLE(city.size)},
    {"city", "city_spacing", false, -1, -1, 8, COLUMN, WHOLE(city.spacing)},
    SIDES(forest, "forest_threshold_increase", true, -10, 10, REAL, forest_increase),
    {forest, "forest_threshold_limit", true, 0.395, -10, 10, "forest_threshold_limit", 0,
     REAL(forest_limit)},
    SIDES("", "urbanity_increase", false, -1000, 1000, WHOLE, urbanity_increase),
    {"", "max_urbanity", false, 8, -1000, 1000, "max_urbanity", 0, WHOLE(urbanity_max)},
    /* The games have no such keys: region_read.c derives whether a region has the part, or
     * names parts at all. */
    {"", "", false, 0, 0, 1, "place_oceans", 0, IS(ocean.begins[0])},
    {"", "", false, 0, 0, 1, "place_highways", 0, IS(highways)},
    {"", "", false, 0, 0, 1, "names_parts", 0, IS(parts)},
    SWITCH("place_swamps", 1, NOWHERE),
    SWITCH("place_roads", 1, IS_NOT(no_roads)),
    SWITCH("place_railroads", 0, IS(railroads)),
    SWITCH("place_railroads_before_roads", 0, IS(railroads_first)),
    SWITCH("place_specials", 1, IS_NOT(no_specials)),
    SWITCH("neighbor_connections", 1, IS_NOT(closed)),
    {"city", "is_megacity", false, 0, 0, 1, "is_megacity", 0, IS(megacity)},
    {highway, "grid_column_seperation", false, 10, 1, 1000, "highway_columns", 0,
     WHOLE(highway_columns)},
    {highway, "grid_row_seperation", false, 8, 1, 1000, "highway_rows", 0, WHOLE(highway_rows)},
    {highway, "intersection_max_radius", false, 2, 0, 1000, "highway_variance", 0,
     WHOLE(highway_variance)},
    NAMED(river, "river_frequency", true, 0, 0, 1e6, REAL(rivers.frequency)),
    NAMED(river, "river_branch_chance", true, 64, 0, 1e6, REAL(rivers.branch_chance)),
    NAMED(river, "river_branch_remerge_chance", true, 4, 0, 1e6, REAL(rivers.remerge_chance)),
    NAMED(river, "river_branch_scale_decrease", true, 1, 0, 40, REAL(rivers.scale_decrease)),
    NAMED(ocean, "noise_threshold_ocean", true, 0.25, -10, 10, REAL(ocean.threshold)),
    NAMED(ocean, "ocean_size_min", false, 100, 1, 1000, WHOLE(ocean.size_min)),
    NAMED(ocean, "ocean_depth", false, -9, -10, 0, WHOLE(ocean.depth)),
    NAMED(ocean, "turns_per_tide_step", false, 1, 1, 1000000, WHOLE(ocean.tide_turns)),
    OCEAN_START("north", 0),
    OCEAN_START("east", 1),
    OCEAN_START("south", 2),
    OCEAN_START("west", 3),
    /* These come from options alone (region_options.c). */
    {"", "", false, 4, -1, 1000000, "city_horde_threshold", 0, WHOLE(hordes.threshold)},
    {"", "", false, 16, 1, 1000000, "city_horde_chance", 0, WHOLE(hordes.chance)},
    {"", "", true, 1.5, 0, 180, "city_horde_spread", 0, REAL(hordes.spread)},
    {"", "", true, 80, 0, 1000, "city_horde_scalar", 0, REAL(hordes.scalar)},
};

static int32_t whole(double value, double most)
{
    return (int32_t)(value > most ? most : value < INT32_MIN ? INT32_MIN : value);
}

void region_set(cat_region *r, region_number n, double value)
{
    const region_field *f = &region_fields[n];
    void *at = (char *)r + f->at;
    switch (f->place) {
    case REGION_NOWHERE:
        break;
    case REGION_REAL:
        *(double *)at = value;
        break;
    case REGION_WHOLE:
        *(int32_t *)at = whole(value, INT32_MAX);
        break;
    case REGION_PERCENT:
        *(int32_t *)at = whole(value, PERCENT_MAX);
        break;
    case REGION_IS:
        *(bool *)at = value != 0;
        break;
    case REGION_IS_NOT:
        *(bool *)at = value == 0;
        break;
    }
}
