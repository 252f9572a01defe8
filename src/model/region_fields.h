/*
 * The numbers of region_settings: their JSON keys, defaults and ranges. The import, the tables
 * of the content and the loading of the catalogue all use this list.
 */
#pragma once

#include "model/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The list of all numbers of a region that generation uses; no other place describes them. It
 * consists of two macros. REGION_COLUMN_LIST has the columns of the table region_settings, in
 * their order. REGION_OTHER_LIST has the numbers of which only some games know: the rows of the
 * table region_number. Each number is one call of the macro N, or of K if its key in JSON is
 * not its name. The user of the list defines N and K. Their arguments are, in this order:
 * - F, which the user of the list chooses and gets back in each call
 * - the name of the number in the enum region_number below
 * - the type of its column in the table, REAL or INT
 * - its name in the table
 * - the JSON member of the region that contains it ("": the region itself)
 * - for K alone, its key in JSON
 * - the default of the games, used where JSON does not state the number
 * - its least and its greatest value
 * - the member of cat_region that holds it
 * - if need be, the option of the content that sets the number, and initialisers of other
 *   members of region_field.
 */
#define REGION_COLUMN_LIST(N, K, F)                                                            \
    N(F, RIVER_SCALE, REAL, river_scale, "", 1, 0, 40, REAL(river_scale))                      \
    N(F, LAKE_THRESHOLD, REAL, noise_threshold_lake, lake, 0.25, -10, 10,                      \
      REAL(lake_threshold))                                                                    \
    N(F, LAKE_SIZE_MIN, INT, lake_size_min, lake, 20, 1, 1000, WHOLE(lake_size_min))           \
    N(F, LAKE_DEPTH, INT, lake_depth, lake, -5, -10, 0, WHOLE(lake_depth))                     \
    N(F, RAVINES, INT, num_ravines, ravine, 0, 0, 1000, WHOLE(ravine_count))                   \
    N(F, RAVINE_RANGE, INT, ravine_range, ravine, 45, 0, 180, WHOLE(ravine_range))             \
    N(F, RAVINE_WIDTH, INT, ravine_width, ravine, 1, 1, 20, WHOLE(ravine_width))               \
    N(F, RAVINE_DEPTH, INT, ravine_depth, ravine, -3, -10, -1, WHOLE(ravine_depth))            \
    N(F, FOREST_THRESHOLD, REAL, noise_threshold_forest, forest, 0.25, -10, 10,                \
      REAL(forest_threshold))                                                                  \
    N(F, FOREST_THICK_THRESHOLD, REAL, noise_threshold_forest_thick, forest, 0.3, -10, 10,     \
      REAL(forest_thick_threshold))                                                            \
    N(F, SWAMP_ADJACENT_THRESHOLD, REAL, noise_threshold_swamp_adjacent_water, forest, 0.3,    \
      -10, 10, REAL(swamp_adjacent_threshold))                                                 \
    N(F, SWAMP_ISOLATED_THRESHOLD, REAL, noise_threshold_swamp_isolated, forest, 0.6, -10, 10, \
      REAL(swamp_isolated_threshold))                                                          \
    N(F, FLOODPLAIN_MIN, INT, river_floodplain_buffer_distance_min, forest, 3, 0, INT32_MAX,   \
      WHOLE(floodplain_min))                                                                   \
    N(F, FLOODPLAIN_MAX, INT, river_floodplain_buffer_distance_max, forest, 15, 0, INT32_MAX,  \
      WHOLE(floodplain_max))                                                                   \
    K(F, TRAIL_CHANCE, INT, trail_chance, trail, "chance", 1, 0, INT32_MAX,                    \
      WHOLE(trails.chance))                                                                    \
    K(F, TRAIL_BORDER_POINT_CHANCE, INT, trail_border_point_chance, trail,                     \
      "border_point_chance", 2, 0, INT32_MAX, WHOLE(trails.border_point_chance))               \
    K(F, TRAIL_MINIMUM_FOREST_SIZE, INT, trail_minimum_forest_size, trail,                     \
      "minimum_forest_size", 50, 0, CELLS, WHOLE(trails.minimum_forest_size))                  \
    K(F, TRAIL_RANDOM_POINT_MIN, INT, trail_random_point_min, trail, "random_point_min", 4, 0, \
      CELLS, WHOLE(trails.random_point_min))                                                   \
    K(F, TRAIL_RANDOM_POINT_MAX, INT, trail_random_point_max, trail, "random_point_max", 50,   \
      0, CELLS, WHOLE(trails.random_point_max))                                                \
    K(F, TRAIL_RANDOM_POINT_SIZE_SCALAR, INT, trail_random_point_size_scalar, trail,           \
      "random_point_size_scalar", 100, 1, INT32_MAX, WHOLE(trails.random_point_size_scalar))   \
    N(F, TRAILHEAD_CHANCE, INT, trailhead_chance, trail, 1, 0, INT32_MAX,                      \
      WHOLE(trails.trailhead_chance))                                                          \
    N(F, TRAILHEAD_ROAD_DISTANCE, INT, trailhead_road_distance, trail, 6, 0, 180,              \
      WHOLE(trails.trailhead_road_distance))                                                   \
    N(F, SHOP_RADIUS, INT, shop_radius, "city", 30, 0, INT32_MAX, PERCENT(city.shop_radius))   \
    N(F, SHOP_SIGMA, INT, shop_sigma, "city", 20, 0, INT32_MAX, PERCENT(city.shop_sigma))      \
    N(F, PARK_RADIUS, INT, park_radius, "city", 30, 0, INT32_MAX, PERCENT(city.park_radius))   \
    N(F, PARK_SIGMA, INT, park_sigma, "city", 70, 0, INT32_MAX, PERCENT(city.park_sigma))      \
    N(F, CITY_SIZE, INT, city_size, "city", -1, -1, 16, WHOLE(city.size))                      \
    N(F, CITY_SPACING, INT, city_spacing, "city", -1, -1, 8, WHOLE(city.spacing))

/* REGION_SIDES calls K for four numbers, one for each side (north, east, south, west). In JSON
 * the four are a list under one key.
 * NOLINTBEGIN(bugprone-macro-parentheses): arguments are names and texts, not values. */
#define REGION_SIDES(K, F, number, kind, name, block, lo, hi, place, member, option)           \
    K(F, number##_NORTH, kind, name##_north, block, #name, 0, lo, hi, place(member[0]),        \
      .element = 1, OLDER_OPTION(option "_NORTH"))                                             \
    K(F, number##_EAST, kind, name##_east, block, #name, 0, lo, hi, place(member[1]),          \
      .element = 2, OLDER_OPTION(option "_EAST"))                                              \
    K(F, number##_SOUTH, kind, name##_south, block, #name, 0, lo, hi, place(member[2]),        \
      .element = 3, OLDER_OPTION(option "_SOUTH"))                                             \
    K(F, number##_WEST, kind, name##_west, block, #name, 0, lo, hi, place(member[3]),          \
      .element = 4, OLDER_OPTION(option "_WEST"))
/* NOLINTEND(bugprone-macro-parentheses): for clang-tidy, since the macro REGION_SIDES ends
 * here. */

/* A number whose key is "" stands in no member of the region's JSON. The numbers that say
 * whether a region has oceans, has highways, or refers to parts by id are derived from other
 * members (region_read.c). The numbers about hordes come from options of the content. */
#define REGION_OTHER_LIST(N, K, F)                                                             \
    REGION_SIDES(K, F, FOREST_INCREASE, REAL, forest_threshold_increase, forest, -10, 10,      \
                 REAL, forest_increase, "OVERMAP_FOREST_INCREASE")                             \
    N(F, FOREST_LIMIT, REAL, forest_threshold_limit, forest, 0.395, -10, 10,                   \
      REAL(forest_limit), OLDER_OPTION("OVERMAP_FOREST_LIMIT"))                                \
    REGION_SIDES(K, F, URBANITY_INCREASE, INT, urbanity_increase, "", -1000, 1000, WHOLE,      \
                 urbanity_increase, "OVERMAP_URBAN_INCREASE")                                  \
    N(F, URBANITY_MAX, INT, max_urbanity, "", 8, -1000, 1000, WHOLE(urbanity_max),             \
      OLDER_OPTION("OVERMAP_MAXIMUM_URBANITY"))                                                \
    K(F, OCEANS, INT, place_oceans, "", "", 0, 0, 1, IS(ocean.begins[0]))                      \
    K(F, HIGHWAYS, INT, place_highways, "", "", 0, 0, 1, IS(highways))                         \
    K(F, PARTS, INT, names_parts, "", "", 0, 0, 1, IS(parts))                                  \
    N(F, SWAMPS, INT, place_swamps, "", 1, 0, 1, NOWHERE,                                      \
      OLDER_OPTION("OVERMAP_PLACE_SWAMPS"))                                                    \
    N(F, ROADS, INT, place_roads, "", 1, 0, 1, IS_NOT(no_roads),                               \
      OLDER_OPTION("OVERMAP_PLACE_ROADS"))                                                     \
    N(F, RAILROADS, INT, place_railroads, "", 0, 0, 1, IS(railroads),                          \
      OLDER_OPTION("OVERMAP_PLACE_RAILROADS"))                                                 \
    N(F, RAILROADS_FIRST, INT, place_railroads_before_roads, "", 0, 0, 1, IS(railroads_first), \
      OLDER_OPTION("OVERMAP_PLACE_RAILROADS_BEFORE_ROADS"))                                    \
    N(F, SPECIALS, INT, place_specials, "", 1, 0, 1, IS_NOT(no_specials),                      \
      OLDER_OPTION("OVERMAP_PLACE_SPECIALS"))                                                  \
    N(F, NEIGHBOR_CONNECTIONS, INT, neighbor_connections, "", 1, 0, 1, IS_NOT(closed),         \
      OLDER_OPTION("OVERMAP_POPULATE_OUTSIDE_CONNECTIONS_FROM_NEIGHBORS"))                     \
    N(F, MEGACITY, INT, is_megacity, "city", 0, 0, 1, IS(megacity))                            \
    K(F, HIGHWAY_COLUMNS, INT, highway_columns, highway_block, "grid_column_seperation", 10,   \
      1, 1000, WHOLE(highway_columns), NEWER_OPTION("HIGHWAY_GRID_COLUMN_SEPARATION"))         \
    K(F, HIGHWAY_ROWS, INT, highway_rows, highway_block, "grid_row_seperation", 8, 1, 1000,    \
      WHOLE(highway_rows), NEWER_OPTION("HIGHWAY_GRID_ROW_SEPARATION"))                        \
    K(F, HIGHWAY_VARIANCE, INT, highway_variance, highway_block, "intersection_max_radius", 2, \
      0, 1000, WHOLE(highway_variance), NEWER_OPTION("HIGHWAY_GRID_VARIANCE"))                 \
    N(F, RIVER_FREQUENCY, REAL, river_frequency, river, 0, 0, 1e6, REAL(rivers.frequency))     \
    N(F, RIVER_BRANCH_CHANCE, REAL, river_branch_chance, river, 64, 0, 1e6,                    \
      REAL(rivers.branch_chance))                                                              \
    N(F, RIVER_REMERGE_CHANCE, REAL, river_branch_remerge_chance, river, 4, 0, 1e6,            \
      REAL(rivers.remerge_chance))                                                             \
    N(F, RIVER_SCALE_DECREASE, REAL, river_branch_scale_decrease, river, 1, 0, 40,             \
      REAL(rivers.scale_decrease))                                                             \
    N(F, OCEAN_THRESHOLD, REAL, noise_threshold_ocean, ocean, 0.25, -10, 10,                   \
      REAL(ocean.threshold))                                                                   \
    N(F, OCEAN_SIZE_MIN, INT, ocean_size_min, ocean, 100, 1, 1000, WHOLE(ocean.size_min))      \
    N(F, OCEAN_DEPTH, INT, ocean_depth, ocean, -9, -10, 0, WHOLE(ocean.depth))                 \
    N(F, TIDE_TURNS, INT, turns_per_tide_step, ocean, 1, 1, 1000000, WHOLE(ocean.tide_turns))  \
    N(F, OCEAN_START_NORTH, INT, ocean_start_north, ocean, REGION_OCEAN_NEVER, 0,              \
      REGION_OCEAN_NEVER, WHOLE(ocean.start[0]))                                               \
    N(F, OCEAN_START_EAST, INT, ocean_start_east, ocean, REGION_OCEAN_NEVER, 0,                \
      REGION_OCEAN_NEVER, WHOLE(ocean.start[1]))                                               \
    N(F, OCEAN_START_SOUTH, INT, ocean_start_south, ocean, REGION_OCEAN_NEVER, 0,              \
      REGION_OCEAN_NEVER, WHOLE(ocean.start[2]))                                               \
    N(F, OCEAN_START_WEST, INT, ocean_start_west, ocean, REGION_OCEAN_NEVER, 0,                \
      REGION_OCEAN_NEVER, WHOLE(ocean.start[3]))                                               \
    K(F, HORDE_THRESHOLD, INT, city_horde_threshold, "", "", 4, -1, 1000000,                   \
      WHOLE(hordes.threshold), OPTION("SPAWN_CITY_HORDE_THRESHOLD"))                           \
    K(F, HORDE_CHANCE, INT, city_horde_chance, "", "", 16, 1, 1000000, WHOLE(hordes.chance),   \
      OPTION("SPAWN_CITY_HORDE_SMALL_CITY_CHANCE"))                                            \
    K(F, HORDE_SPREAD, REAL, city_horde_spread, "", "", 1.5, 0, 180, REAL(hordes.spread),      \
      OPTION("SPAWN_CITY_HORDE_SPREAD"))                                                       \
    K(F, HORDE_SCALAR, REAL, city_horde_scalar, "", "", 80, 0, 1000, REAL(hordes.scalar),      \
      OPTION("SPAWN_CITY_HORDE_SCALAR"))

#define REGION_NUMBER_OF(F, number, ...) REGION_##number,
typedef enum region_number {
    REGION_COLUMN_LIST(REGION_NUMBER_OF, REGION_NUMBER_OF, ) REGION_NUMBER_COLUMNS,
    REGION_LAST_COLUMN = REGION_NUMBER_COLUMNS - 1,
    REGION_OTHER_LIST(REGION_NUMBER_OF, REGION_NUMBER_OF, ) REGION_NUMBERS
} region_number;

/* The ocean_start of a side on which no ocean begins. */
enum { REGION_OCEAN_NEVER = 1000001 };

/* How a cat_region holds a number: as a real, as a whole number or as a percentage. A number
 * that is a switch (0 or 1) is not held (REGION_NOWHERE), or is a bool with the same meaning
 * (REGION_IS) or with the opposite meaning (REGION_IS_NOT). */
typedef enum region_place {
    REGION_REAL,
    REGION_WHOLE,
    REGION_PERCENT,
    REGION_NOWHERE,
    REGION_IS,
    REGION_IS_NOT
} region_place;

/* In which contents an option may set a number: in all; only in older ones, whose regions do
 * not refer to parts of their settings by ids; or only in newer ones, whose regions do. */
typedef enum region_games {
    REGION_ALL_GAMES,
    REGION_OLDER_GAMES,
    REGION_NEWER_GAMES
} region_games;

typedef struct region_field {
    const char *name, *block, *key;
    double initial, lo, hi;
    region_place place;
    size_t at; /* offset, in cat_region, of the member that holds the number */
    /* Position of this number, from 1, in the list that the key has as its value. 0: the
     * key's value is not a list but the number itself. */
    int element;
    region_games games;
    const char *option; /* the option of the content that sets the number; NULL: none does */
} region_field;
extern const region_field region_fields[REGION_NUMBERS];

static inline bool region_is_switch(const region_field *f)
{
    return f->place >= REGION_NOWHERE;
}

/* Sets the member of the region `r` that holds the number `n`. */
void region_set(cat_region *r, region_number n, double value);

/* The weighted lists in a region's settings, from which generation takes buildings and
 * trailheads. */
typedef struct region_bin {
    const char *block, *key;
    /* Key of the boolean by which a `region_overlay` of the content empties the list before it
     * adds to the list. */
    const char *clear;
    size_t at; /* offset, in cat_region, of the cat_bin that holds the list */
} region_bin;
enum { REGION_BINS = 7, REGION_TRAILHEADS = REGION_BINS - 1 };
extern const region_bin region_bins[REGION_BINS];

/* The kinds of values in a region's block of highways. */
typedef enum highway_kind { HIGHWAY_TERRAIN, HIGHWAY_SPECIAL, HIGHWAY_SPECIALS } highway_kind;
typedef struct highway_part {
    const char *key;
    highway_kind kind;
    /* Offset of the value's member in cat_highway; SIZE_MAX: generation does not use it. */
    size_t at;
} highway_part;
enum { HIGHWAY_PARTS = 20 };
extern const char highway_block[];
extern const highway_part highway_parts[HIGHWAY_PARTS];
