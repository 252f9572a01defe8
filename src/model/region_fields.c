#include "model/region_fields.h"

#include <stddef.h>
#include <stdint.h>

enum { CELLS = 32400 }; /* of a level */

#define COLUMN NULL, 0
#define SIDES(block, key, real, lo, hi)                                                        \
    {block, key, real, 0, lo, hi, key "_north", 1},                                            \
        {block, key, real, 0, lo, hi, key "_east", 2},                                         \
        {block, key, real, 0, lo, hi, key "_south", 3},                                        \
    {                                                                                          \
        block, key, real, 0, lo, hi, key "_west", 4                                            \
    }
#define NAMED(block, key, real, initial, lo, hi)                                               \
    {                                                                                          \
        block, key, real, initial, lo, hi, key, 0                                              \
    }
#define OCEAN_START(side)                                                                      \
    NAMED(ocean, "ocean_start_" side, false, REGION_OCEAN_NEVER, 0, REGION_OCEAN_NEVER)
#define SWITCH(key, initial)                                                                   \
    {                                                                                          \
        "", key, false, initial, 0, 1, key, 0                                                  \
    }

static const char lake[] = "overmap_lake_settings", ravine[] = "overmap_ravine_settings",
                  forest[] = "overmap_forest_settings", trail[] = "forest_trail_settings",
                  highway[] = "overmap_highway_settings", river[] = "overmap_river_settings",
                  ocean[] = "overmap_ocean_settings";

const region_field region_fields[REGION_NUMBERS] = {
    {"", "river_scale", true, 1, 0, 40, COLUMN},
    {lake, "noise_threshold_lake", true, 0.25, -10, 10, COLUMN},
    {lake, "lake_size_min", false, 20, 1, 1000, COLUMN},
    {lake, "lake_depth", false, -5, -10, 0, COLUMN},
    {ravine, "num_ravines", false, 0, 0, 1000, COLUMN},
    {ravine, "ravine_range", false, 45, 0, 180, COLUMN},
    {ravine, "ravine_width", false, 1, 1, 20, COLUMN},
    {ravine, "ravine_depth", false, -3, -10, -1, COLUMN},
    {forest, "noise_threshold_forest", true, 0.25, -10, 10, COLUMN},
    {forest, "noise_threshold_forest_thick", true, 0.3, -10, 10, COLUMN},
    {forest, "noise_threshold_swamp_adjacent_water", true, 0.3, -10, 10, COLUMN},
    {forest, "noise_threshold_swamp_isolated", true, 0.6, -10, 10, COLUMN},
    {forest, "river_floodplain_buffer_distance_min", false, 3, 0, INT32_MAX, COLUMN},
    {forest, "river_floodplain_buffer_distance_max", false, 15, 0, INT32_MAX, COLUMN},
    {trail, "chance", false, 1, 0, INT32_MAX, COLUMN},
    {trail, "border_point_chance", false, 2, 0, INT32_MAX, COLUMN},
    {trail, "minimum_forest_size", false, 50, 0, CELLS, COLUMN},
    {trail, "random_point_min", false, 4, 0, CELLS, COLUMN},
    {trail, "random_point_max", false, 50, 0, CELLS, COLUMN},
    {trail, "random_point_size_scalar", false, 100, 1, INT32_MAX, COLUMN},
    {trail, "trailhead_chance", false, 1, 0, INT32_MAX, COLUMN},
    {trail, "trailhead_road_distance", false, 6, 0, 180, COLUMN},
    {"city", "shop_radius", false, 30, 0, INT32_MAX, COLUMN},
    {"city", "shop_sigma", false, 20, 0, INT32_MAX, COLUMN},
    {"city", "park_radius", false, 30, 0, INT32_MAX, COLUMN},
    {"city", "park_sigma", false, 70, 0, INT32_MAX, COLUMN},
    {"city", "city_size", false, -1, -1, 16, COLUMN},
    {"city", "city_spacing", false, -1, -1, 8, COLUMN},
    SIDES(forest, "forest_threshold_increase", true, -10, 10),
    {forest, "forest_threshold_limit", true, 0.395, -10, 10, "forest_threshold_limit", 0},
    SIDES("", "urbanity_increase", false, -1000, 1000),
    {"", "max_urbanity", false, 8, -1000, 1000, "max_urbanity", 0},
    /* No keys of the games': whether a region has such a part, or names parts (region_read.c).
     */
    {"", "", false, 0, 0, 1, "place_oceans", 0},
    {"", "", false, 0, 0, 1, "place_highways", 0},
    {"", "", false, 0, 0, 1, "names_parts", 0},
    SWITCH("place_swamps", 1),
    SWITCH("place_roads", 1),
    SWITCH("place_railroads", 0),
    SWITCH("place_railroads_before_roads", 0),
    SWITCH("place_specials", 1),
    SWITCH("neighbor_connections", 1),
    {"city", "is_megacity", false, 0, 0, 1, "is_megacity", 0},
    {highway, "grid_column_seperation", false, 10, 1, 1000, "highway_columns", 0},
    {highway, "grid_row_seperation", false, 8, 1, 1000, "highway_rows", 0},
    {highway, "intersection_max_radius", false, 2, 0, 1000, "highway_variance", 0},
    NAMED(river, "river_frequency", true, 0, 0, 1e6),
    NAMED(river, "river_branch_chance", true, 64, 0, 1e6),
    NAMED(river, "river_branch_remerge_chance", true, 4, 0, 1e6),
    NAMED(river, "river_branch_scale_decrease", true, 1, 0, 40),
    NAMED(ocean, "noise_threshold_ocean", true, 0.25, -10, 10),
    NAMED(ocean, "ocean_size_min", false, 100, 1, 1000),
    NAMED(ocean, "ocean_depth", false, -9, -10, 0),
    NAMED(ocean, "turns_per_tide_step", false, 1, 1, 1000000),
    OCEAN_START("north"),
    OCEAN_START("east"),
    OCEAN_START("south"),
    OCEAN_START("west"),
    /* Options alone (region_options.c). */
    {"", "", false, 4, -1, 1000000, "city_horde_threshold", 0},
    {"", "", false, 16, 1, 1000000, "city_horde_chance", 0},
    {"", "", true, 1.5, 0, 180, "city_horde_spread", 0},
    {"", "", true, 80, 0, 1000, "city_horde_scalar", 0},
};
