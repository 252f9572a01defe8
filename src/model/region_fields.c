#include "model/region_fields.h"

#include <stdint.h>

/* The largest percentage of a city's size that is kept, for example for the radius around its
 * centre within which shops lie. Ten thousand times the city's size reaches everywhere; a
 * larger number could make computations overflow. */
enum { PERCENT_MAX = 1000000 };

enum { CELLS = 32400 }; /* cells of a level: 180 x 180 */

/* Initialisers of a region_field: REAL to IS_NOT say which member m of cat_region holds the
 * number and in which form; the macros with OPTION say which option of the content sets the
 * number. */
#define REAL(m)                                  .place = REGION_REAL, .at = offsetof(cat_region, m)
#define WHOLE(m)                                 .place = REGION_WHOLE, .at = offsetof(cat_region, m)
#define PERCENT(m)                               .place = REGION_PERCENT, .at = offsetof(cat_region, m)
#define NOWHERE                                  .place = REGION_NOWHERE
#define IS(m)                                    .place = REGION_IS, .at = offsetof(cat_region, m)
#define IS_NOT(m)                                .place = REGION_IS_NOT, .at = offsetof(cat_region, m)
#define OPTION(name)                             .option = (name)
#define OLDER_OPTION(name)                       .option = (name), .games = REGION_OLDER_GAMES
#define NEWER_OPTION(name)                       .option = (name), .games = REGION_NEWER_GAMES
#define KEYED(F, number, kind, name, ...)        {#name, __VA_ARGS__},
#define NAMED(F, number, kind, name, block, ...) {#name, block, #name, __VA_ARGS__},

const char highway_block[] = "overmap_highway_settings";
static const char lake[] = "overmap_lake_settings", ravine[] = "overmap_ravine_settings",
                  forest[] = "overmap_forest_settings", trail[] = "forest_trail_settings",
                  river[] = "overmap_river_settings", ocean[] = "overmap_ocean_settings";

const region_field region_fields[REGION_NUMBERS] = {REGION_COLUMN_LIST(NAMED, KEYED, )
                                                        REGION_OTHER_LIST(NAMED, KEYED, )};

#define BIN(block, name, member)                                                               \
    {                                                                                          \
        block, #name, "clear_" #name, offsetof(cat_region, member)                             \
    }

const region_bin region_bins[REGION_BINS] = {
    BIN("city", houses, city.houses),
    BIN("city", shops, city.shops),
    BIN("city", parks, city.parks),
    BIN("city", finales, city.finales),
    BIN("city", urban_houses, city.urban_houses),
    BIN("city", urban_shops, city.urban_shops),
    BIN(trail, trailheads, trails.trailheads),
};

#define PART(key, kind, member)                                                                \
    {                                                                                          \
        key, HIGHWAY_##kind, offsetof(cat_highway, member)                                     \
    }
#define UNUSED(key, kind)                                                                      \
    {                                                                                          \
        key, HIGHWAY_##kind, SIZE_MAX                                                          \
    }

const highway_part highway_parts[HIGHWAY_PARTS] = {
    PART("reserved_terrain_id", TERRAIN, reserved),
    UNUSED("reserved_terrain_water_id", TERRAIN),
    PART("fallback_supports", TERRAIN, supports),
    PART("segment_flat_special", SPECIAL, flat),
    PART("segment_ramp_special", SPECIAL, ramp),
    PART("segment_bridge_special", SPECIAL, bridge),
    PART("segment_road_bridge_special", SPECIAL, road_bridge),
    UNUSED("segment_overpass_special", SPECIAL),
    PART("segment_bridge_supports_special", SPECIAL, column),
    PART("fallback_onramp_special", SPECIAL, onramp),
    PART("clockwise_slant_special", SPECIAL, clockwise),
    PART("counterclockwise_slant_special", SPECIAL, counterclockwise),
    PART("fallback_bend_special", SPECIAL, bend),
    PART("fallback_four_way_intersection_special", SPECIAL, four_way),
    PART("fallback_three_way_intersection_special", SPECIAL, three_way),
    PART("bends", SPECIALS, bends),
    PART("four_way_intersections", SPECIALS, four_ways),
    PART("three_way_intersections", SPECIALS, three_ways),
    PART("interchanges", SPECIALS, interchanges),
    UNUSED("road_connections", SPECIALS),
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
