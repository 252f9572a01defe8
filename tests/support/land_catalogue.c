#include "support/land_catalogue.h"

#include <stdlib.h>
#include <string.h>

#define RIVER CAT_FLAG_RIVER
#define T(index, id_, color_, flags_)                                                          \
    [index] = {.id = id_,                                                                      \
               .name = id_,                                                                    \
               .color = color_,                                                                \
               .symbol = '?',                                                                  \
               .flags = flags_,                                                                \
               .first = index,                                                                 \
               .count = 1}

/* Sorted by id; one oter each (the bank pieces that the games make by rotation, too). */
static const cat_terrain TERRAINS[] = {
    T(0, "empty_rock", "dark_gray", 0),
    T(1, "field", "brown", 0),
    T(2, "forest", "green", 0),
    T(3, "forest_thick", "green", 0),
    T(4, "forest_water", "cyan", 0),
    T(5, "lake_bed", "blue", CAT_FLAG_LAKE),
    T(6, "lake_shore", "light_gray", CAT_FLAG_LAKE_SHORE),
    T(7, "lake_surface", "blue", CAT_FLAG_LAKE),
    T(8, "lake_water_cube", "blue", CAT_FLAG_LAKE),
    T(9, "ocean_bed", "blue", CAT_FLAG_OCEAN),
    T(10, "ocean_shore", "yellow", CAT_FLAG_OCEAN_SHORE),
    T(11, "ocean_surface", "blue", CAT_FLAG_OCEAN),
    T(12, "ocean_water_cube", "blue", CAT_FLAG_OCEAN),
    T(13, "open_air", "blue", 0),
    T(14, "ravine", "brown", CAT_FLAG_RAVINE),
    T(15, "ravine_edge", "brown", CAT_FLAG_RAVINE_EDGE),
    T(16, "ravine_floor", "brown", CAT_FLAG_RAVINE),
    T(17, "ravine_floor_edge", "brown", CAT_FLAG_RAVINE_EDGE),
    T(18, "river_c_not_ne", "light_blue", RIVER),
    T(19, "river_c_not_nw", "light_blue", RIVER),
    T(20, "river_c_not_se", "light_blue", RIVER),
    T(21, "river_c_not_sw", "light_blue", RIVER),
    T(22, "river_center", "blue", RIVER),
    T(23, "river_east", "light_blue", RIVER),
    T(24, "river_ne", "light_blue", RIVER),
    T(25, "river_north", "light_blue", RIVER),
    T(26, "river_nw", "light_blue", RIVER),
    T(27, "river_se", "light_blue", RIVER),
    T(28, "river_south", "light_blue", RIVER),
    T(29, "river_sw", "light_blue", RIVER),
    T(30, "river_west", "light_blue", RIVER),
};
enum { COUNT = sizeof TERRAINS / sizeof TERRAINS[0] };

#define REGION(id_, scale, lake, size, ravines)                                                \
    {                                                                                          \
        .id = id_, .default_oter = "field", .default_ter = 1, .river_scale = scale,            \
        .lake_threshold = lake, .lake_size_min = size, .lake_depth = -5,                       \
        .forest_threshold = 0.2, .forest_thick_threshold = 0.25,                               \
        .swamp_adjacent_threshold = 0.3, .swamp_isolated_threshold = 0.6, .floodplain_min = 3, \
        .floodplain_max = 15, .ravine_count = ravines, .ravine_range = 45, .ravine_width = 3,  \
        .ravine_depth = -3                                                                     \
    }

#define COAST(id_, scale)                                                                      \
    {                                                                                          \
        .id = id_, .default_oter = "field", .default_ter = 1, .river_scale = scale,            \
        .lake_threshold = 0.2, .lake_size_min = 20, .lake_depth = -5, .forest_threshold = 0.2, \
        .forest_thick_threshold = 0.25, .swamp_adjacent_threshold = 0.3,                       \
        .swamp_isolated_threshold = 0.6, .floodplain_min = 3, .floodplain_max = 15,            \
        .ravine_range = 45, .ravine_width = 3, .ravine_depth = -3, .ocean = {                  \
            .threshold = 0.25,                                                                 \
            .size_min = 100,                                                                   \
            .depth = -9,                                                                       \
            .begins = {true, true, false, true},                                               \
            .start = {3, 1, 0, 500}                                                            \
        }                                                                                      \
    }

#define CURVES(id_, scale, frequency_)                                                         \
    {                                                                                          \
        .id = id_, .default_oter = "field", .default_ter = 1, .river_scale = scale,            \
        .lake_threshold = 0.25, .lake_size_min = 20, .lake_depth = -5,                         \
        .forest_threshold = 0.2, .forest_thick_threshold = 0.25,                               \
        .swamp_adjacent_threshold = 0.3, .swamp_isolated_threshold = 0.6, .floodplain_min = 3, \
        .floodplain_max = 15, .ravine_range = 45, .ravine_width = 3, .ravine_depth = -3,       \
        .rivers = {                                                                            \
            .frequency = frequency_,                                                           \
            .branch_chance = 64,                                                               \
            .remerge_chance = 2,                                                               \
            .scale_decrease = 1                                                                \
        }                                                                                      \
    }

static const cat_region REGIONS[] = {
    REGION("default", 1.0, 0.25, 20, 0),
    REGION("dry", 0.0, 0.25, 20, 0),
    REGION("thin", 0.3, 0.25, 20, 0),
    REGION("wet", 3.0, 0.16, 60, 4),
    COAST("coast", 1.0),
    CURVES("curves", 1.0, 1.5),
    CURVES("rare curves", 4.0, 4.5),
};

static cat_oter oters[COUNT];
static catalogue cat = {.terrains = TERRAINS,
                        .terrain_count = COUNT,
                        .oters = oters,
                        .oter_count = COUNT,
                        .regions = REGIONS,
                        .region_count = sizeof REGIONS / sizeof REGIONS[0]};

const catalogue *land_catalogue(void)
{
    for (size_t i = 0; i < COUNT; i++)
        oters[i] = (cat_oter){.id = TERRAINS[i].id,
                              .terrain = (uint16_t)i,
                              .symbol = '?',
                              .flags = TERRAINS[i].flags};
    return &cat;
}

ptl_oter catalogue_oter(const catalogue *c, const char *id)
{
    for (size_t i = 0; i < c->oter_count; i++)
        if (strcmp(c->oters[i].id, id) == 0)
            return (ptl_oter)i;
    return CAT_NONE;
}

uint16_t catalogue_terrain(const catalogue *c, const char *id)
{
    for (size_t i = 0; i < c->terrain_count; i++)
        if (strcmp(c->terrains[i].id, id) == 0)
            return (uint16_t)i;
    return CAT_NONE;
}

ptl_oter catalogue_any_oter(const catalogue *c, const char *id)
{
    return catalogue_oter(c, id); /* there are no other contents */
}

/* Of a copy whose lists are static. */
void catalogue_free(catalogue *c)
{
    free(c);
}

ptl_oter catalogue_oter_or_first(const catalogue *c, const char *id)
{
    ptl_oter oter = catalogue_oter(c, id);
    uint16_t terrain = oter == CAT_NONE ? catalogue_terrain(c, id) : CAT_NONE;
    return terrain == CAT_NONE ? oter : c->terrains[terrain].first;
}

const cat_region *catalogue_region(const catalogue *c, const char *id)
{
    for (size_t i = 0; i < c->region_count; i++)
        if (strcmp(c->regions[i].id, id) == 0)
            return &c->regions[i];
    return NULL;
}

uint16_t catalogue_connection(const catalogue *c, const char *id)
{
    for (size_t i = 0; i < c->connection_count; i++)
        if (strcmp(c->connections[i].id, id) == 0)
            return (uint16_t)i;
    return CAT_NONE;
}

uint16_t catalogue_special(const catalogue *c, const char *id)
{
    for (size_t i = 0; i < c->special_count; i++)
        if (strcmp(c->specials[i].id, id) == 0)
            return (uint16_t)i;
    return CAT_NONE;
}
