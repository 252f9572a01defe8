#include "model/region_fields.h"

#include <stdint.h>

enum { CELLS = 32400 }; /* of a level */

static const char lake[] = "overmap_lake_settings", ravine[] = "overmap_ravine_settings",
                  forest[] = "overmap_forest_settings", trail[] = "forest_trail_settings";

const region_field region_fields[REGION_NUMBERS] = {
    {"", "river_scale", true, 1, 0, 40},
    {lake, "noise_threshold_lake", true, 0.25, -10, 10},
    {lake, "lake_size_min", false, 20, 1, 1000},
    {lake, "lake_depth", false, -5, -10, 0},
    {ravine, "num_ravines", false, 0, 0, 1000},
    {ravine, "ravine_range", false, 45, 0, 180},
    {ravine, "ravine_width", false, 1, 1, 20},
    {ravine, "ravine_depth", false, -3, -10, -1},
    {forest, "noise_threshold_forest", true, 0.25, -10, 10},
    {forest, "noise_threshold_forest_thick", true, 0.3, -10, 10},
    {forest, "noise_threshold_swamp_adjacent_water", true, 0.3, -10, 10},
    {forest, "noise_threshold_swamp_isolated", true, 0.6, -10, 10},
    {forest, "river_floodplain_buffer_distance_min", false, 3, 0, INT32_MAX},
    {forest, "river_floodplain_buffer_distance_max", false, 15, 0, INT32_MAX},
    {trail, "chance", false, 1, 0, INT32_MAX},
    {trail, "border_point_chance", false, 2, 0, INT32_MAX},
    {trail, "minimum_forest_size", false, 50, 0, CELLS},
    {trail, "random_point_min", false, 4, 0, CELLS},
    {trail, "random_point_max", false, 50, 0, CELLS},
    {trail, "random_point_size_scalar", false, 100, 1, INT32_MAX},
    {trail, "trailhead_chance", false, 1, 0, INT32_MAX},
    {trail, "trailhead_road_distance", false, 6, 0, 180},
    {"city", "shop_radius", false, 30, 0, INT32_MAX},
    {"city", "shop_sigma", false, 20, 0, INT32_MAX},
    {"city", "park_radius", false, 30, 0, INT32_MAX},
    {"city", "park_sigma", false, 70, 0, INT32_MAX},
    {"city", "city_size", false, -1, -1, 16},
    {"city", "city_spacing", false, -1, -1, 8},
};
