/*
 * The town catalogue: land, ways of every kind, a few buildings, and bins that name them. Lists
 * as a content writer would give them are compiled here into the catalogue's form, once.
 */
#include "support/land_catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES_MAX = 80, OTERS_MAX = 360, WORDS = 2, NAMES_MAX = 8 };

typedef struct type_def {
    const char *id;
    int count; /* 1, 4, 16 */
    uint32_t flags;
} type_def;

#define RIVER  CAT_FLAG_RIVER
#define WATER  CAT_FLAG_LAKE
#define BRIDGE (CAT_FLAG_RIVER | CAT_FLAG_BRIDGE)

static const type_def TYPES[] = {
    {"empty_rock", 1, 0},
    {"field", 1, 0},
    {"forest", 1, 0},
    {"forest_thick", 1, 0},
    {"forest_water", 1, 0},
    {"lake_bed", 1, WATER},
    {"lake_shore", 1, CAT_FLAG_LAKE_SHORE},
    {"lake_surface", 1, WATER},
    {"lake_water_cube", 1, WATER},
    {"open_air", 1, 0},
    {"ravine", 1, CAT_FLAG_RAVINE},
    {"ravine_edge", 1, CAT_FLAG_RAVINE_EDGE},
    {"ravine_floor", 1, CAT_FLAG_RAVINE},
    {"ravine_floor_edge", 1, CAT_FLAG_RAVINE_EDGE},
    {"river_c_not_ne", 1, RIVER},
    {"river_c_not_nw", 1, RIVER},
    {"river_c_not_se", 1, RIVER},
    {"river_c_not_sw", 1, RIVER},
    {"river_center", 1, RIVER},
    {"river_east", 1, RIVER},
    {"river_ne", 1, RIVER},
    {"river_north", 1, RIVER},
    {"river_nw", 1, RIVER},
    {"river_se", 1, RIVER},
    {"river_south", 1, RIVER},
    {"river_sw", 1, RIVER},
    {"river_west", 1, RIVER},
    {"rock", 1, 0},
    {"road", 16, CAT_FLAG_LINEAR | CAT_FLAG_ROAD},
    {"road_nesw_manhole", 1, CAT_FLAG_ROAD},
    {"forest_trail", 16, CAT_FLAG_LINEAR},
    {"sewer", 16, CAT_FLAG_LINEAR},
    {"railroad", 16, CAT_FLAG_LINEAR},
    {"subway", 16, CAT_FLAG_LINEAR},
    {"railroad_level_crossing", 4, 0},
    {"railroad_bridge", 4, BRIDGE},
    {"bridge", 4, BRIDGE},
    {"bridge_road", 4, 0},
    {"bridgehead_ground", 4, 0},
    {"bridgehead_ramp", 4, 0},
    {"house", 4, 0},
    {"house_cellar", 4, 0},
    {"house_roof", 4, 0},
    {"shop", 4, 0},
    {"park", 1, 0},
    {"hall_west", 4, 0},
    {"hall_middle", 4, 0},
    {"hall_east", 4, 0},
    {"mall_nw", 4, 0},
    {"mall_ne", 4, 0},
    {"mall_sw", 4, 0},
    {"mall_se", 4, 0},
    {"mall_store", 4, 0},
    {"mall_roof", 4, 0},
    {"radio_tower", 4, 0},
    {"trailhead", 4, 0},
};
enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0] };

static const char *const LINES[16] = {
    "isolated", "end_south", "end_west", "ne",  "end_north", "ns",  "es",  "nes",
    "end_east", "wn",        "ew",       "new", "sw",        "nsw", "esw", "nesw"};
static const char *const SIDES[4] = {"north", "east", "south", "west"};

/* Sorted by id. */
typedef struct location_def {
    const char *id;
    const char *types[16];
} location_def;

static const location_def LOCATIONS[] = {
    {"above", {"open_air"}},
    {"field", {"field"}},
    {"forest_center", {"forest_thick"}},
    {"forest_edge", {"forest"}},
    {"forest_trail", {"forest_trail"}},
    {"land", {"field", "forest", "forest_thick", "forest_water", "forest_trail"}},
    {"railroad", {"railroad"}},
    {"road", {"road", "road_nesw_manhole"}},
    {"road_line", {"road"}},
    {"subterranean", {"empty_rock", "rock", "sewer", "subway"}},
    {"swamp", {"forest_water"}},
    {"water",
     {"river_c_not_ne", "river_c_not_nw", "river_c_not_se", "river_c_not_sw", "river_center",
      "river_east", "river_ne", "river_north", "river_nw", "river_se", "river_south",
      "river_sw", "river_west"}},
    {"wood", {"forest", "forest_thick"}},
};
enum { LOCATION_COUNT = sizeof LOCATIONS / sizeof LOCATIONS[0] };

typedef struct subtype_def {
    const char *terrain, *locations[3];
    int32_t cost, weight;
    bool orthogonal, perpendicular;
} subtype_def;

typedef struct connection_def {
    const char *id, *terrain;
    bool p2p;
    subtype_def subtypes[8];
} connection_def;

/* Sorted by id. */
static const connection_def CONNECTIONS[] = {
    {"forest_trail",
     "forest_trail",
     true,
     {{.terrain = "forest_trail", .locations = {"forest_trail"}},
      {.terrain = "forest_trail", .locations = {"forest_edge"}, .cost = 100},
      {.terrain = "forest_trail", .locations = {"forest_center"}},
      {.terrain = "forest_trail", .locations = {"swamp"}, .cost = 40}}},
    {"local_railroad",
     "railroad",
     true,
     {{.terrain = "railroad", .locations = {"railroad"}, .cost = 1, .orthogonal = true},
      {.terrain = "railroad", .locations = {"land"}, .cost = 1, .orthogonal = true},
      {.terrain = "railroad_level_crossing",
       .locations = {"road_line"},
       .cost = 1,
       .perpendicular = true},
      {.terrain = "railroad_bridge", .locations = {"water"}, .cost = 1, .orthogonal = true}}},
    {"local_road",
     "road",
     false,
     {{.terrain = "road", .locations = {"field", "road"}},
      {.terrain = "road", .locations = {"wood"}, .cost = 20},
      {.terrain = "road", .locations = {"forest_trail"}, .cost = 25},
      {.terrain = "road", .locations = {"swamp"}, .cost = 40},
      {.terrain = "road_nesw_manhole"},
      {.terrain = "bridge", .locations = {"water"}, .cost = 120}}},
    {"sewer_tunnel",
     "sewer",
     false,
     {{.terrain = "sewer", .locations = {"subterranean"}, .orthogonal = true}}},
    {"subway_tunnel",
     "subway",
     true,
     {{.terrain = "subway", .locations = {"subterranean"}, .orthogonal = true}}},
};
enum { CONNECTION_COUNT = sizeof CONNECTIONS / sizeof CONNECTIONS[0], SUBTYPES = 8 };

typedef struct omt_def {
    int x, y, z;
    const char *terrain;
} omt_def;

typedef struct special_def {
    const char *id;
    bool building;
    omt_def omts[12];
} special_def;

/* Sorted by id. */
static const special_def SPECIALS[] = {
    {"FakeSpecial_house", true, {{0, 0, 0, "house"}}},
    {"FakeSpecial_park", true, {{0, 0, 0, "park"}}},
    {"FakeSpecial_radio_tower", true, {{0, 0, 0, "radio_tower"}}},
    {"FakeSpecial_shop", true, {{0, 0, 0, "shop"}}},
    {"hall", true, {{0, 0, 0, "hall_west"}, {1, 0, 0, "hall_middle"}, {2, 0, 0, "hall_east"}}},
    {"house_deep",
     true,
     {{0, 0, 0, "house"}, {0, 0, -1, "house_cellar"}, {0, 0, 1, "house_roof"}}},
    {"mall",
     true,
     {{0, 0, 0, "mall_nw"},
      {1, 0, 0, "mall_ne"},
      {0, 1, 0, "mall_sw"},
      {1, 1, 0, "mall_se"},
      {0, 0, -1, "mall_store"},
      {1, 0, -1, "mall_store"},
      {0, 1, -1, "mall_store"},
      {1, 1, -1, "mall_store"},
      {0, 0, 1, "mall_roof"},
      {1, 0, 1, "mall_roof"},
      {0, 1, 1, "mall_roof"},
      {1, 1, 1, "mall_roof"}}},
    {"trailhead_hut", false, {{0, 0, 0, "trailhead"}}},
};
enum { SPECIAL_COUNT = sizeof SPECIALS / sizeof SPECIALS[0], OMTS = 12 };

static cat_terrain terrains[TYPE_COUNT];
static cat_oter oters[OTERS_MAX];
static char ids[OTERS_MAX][40];
static uint64_t location_sets[LOCATION_COUNT][WORDS];
static cat_location locations[LOCATION_COUNT];
static uint64_t subtype_sets[CONNECTION_COUNT][SUBTYPES][WORDS];
static uint64_t connection_sets[CONNECTION_COUNT][WORDS];
static cat_subtype subtypes[CONNECTION_COUNT][SUBTYPES];
static cat_connection connections[CONNECTION_COUNT];
static cat_omt omts[SPECIAL_COUNT][OMTS];
static cat_special specials[SPECIAL_COUNT];

/* Bins: indices into SPECIALS. */
static const uint16_t HOUSES[] = {0, 5}, SHOPS[] = {2, 3, 6}, PARKS[] = {1}, FINALES[] = {4},
                      TRAILHEADS[] = {7};
static const uint32_t HOUSES_UPTO[] = {60, 100}, SHOPS_UPTO[] = {10, 100, 120}, ONE[] = {1};

static const char *const NAMES[] = {"Aldmoor", "Brackwater", "Cole's Ford", "Dunmere",
                                    "Eastholt"};
static const uint32_t NAMES_UPTO[] = {2, 3, 4, 6, 7};
static const char *const RADIO[] = {"The ferry does not run today.", "Boil your water.",
                                    "Nobody answers at the mill."};
static const uint32_t RADIO_UPTO[] = {1, 3, 4};

#define REGION(id_, scale, lake, lake_size, ravines)                                           \
    {                                                                                          \
        .id = id_, .default_oter = "field", .river_scale = scale, .lake_threshold = lake,      \
        .lake_size_min = lake_size, .lake_depth = -5, .forest_threshold = 0.2,                 \
        .forest_thick_threshold = 0.25, .swamp_adjacent_threshold = 0.3,                       \
        .swamp_isolated_threshold = 0.6, .floodplain_min = 3, .floodplain_max = 15,            \
        .ravine_count = ravines, .ravine_range = 45, .ravine_width = 3, .ravine_depth = -3,    \
        .city = {.size = -1,                                                                   \
                 .spacing = -1,                                                                \
                 .shop_radius = 30,                                                            \
                 .shop_sigma = 20,                                                             \
                 .park_radius = 60,                                                            \
                 .park_sigma = 50,                                                             \
                 .houses = {HOUSES, HOUSES_UPTO, 2},                                           \
                 .shops = {SHOPS, SHOPS_UPTO, 3},                                              \
                 .parks = {PARKS, ONE, 1},                                                     \
                 .finales = {FINALES, ONE, 1}},                                                \
        .trails = {                                                                            \
            .chance = 2,                                                                       \
            .border_point_chance = 2,                                                          \
            .minimum_forest_size = 50,                                                         \
            .random_point_min = 4,                                                             \
            .random_point_max = 50,                                                            \
            .random_point_size_scalar = 100,                                                   \
            .trailhead_chance = 1,                                                             \
            .trailhead_road_distance = 6,                                                      \
            .trailheads = {TRAILHEADS, ONE, 1},                                                \
        },                                                                                     \
    }

static cat_region regions[] = {
    REGION("default", 1.0, 0.25, 20, 0),
    REGION("dry", 0.0, 0.25, 20, 0),
    REGION("thin", 0.3, 0.25, 20, 0),
    REGION("wet", 3.0, 0.16, 60, 4),
};

static catalogue town = {.terrains = terrains,
                         .oters = oters,
                         .regions = regions,
                         .region_count = sizeof regions / sizeof regions[0],
                         .locations = locations,
                         .connections = connections,
                         .specials = specials,
                         .town_names = {NAMES, NAMES_UPTO, 5},
                         .radio_texts = {RADIO, RADIO_UPTO, 3}};

static int by_id(const void *a, const void *b)
{
    return strcmp(((const type_def *)a)->id, ((const type_def *)b)->id);
}

static void make_oters(void)
{
    type_def sorted[TYPE_COUNT];
    memcpy(sorted, TYPES, sizeof TYPES);
    qsort(sorted, TYPE_COUNT, sizeof sorted[0], by_id);
    size_t n = 0;
    for (size_t t = 0; t < TYPE_COUNT; t++) {
        const type_def *d = &sorted[t];
        terrains[t] = (cat_terrain){.id = d->id,
                                    .name = d->id,
                                    .color = "green",
                                    .symbol = '?',
                                    .flags = d->flags,
                                    .first = (ptl_oter)n,
                                    .count = (uint16_t)d->count};
        for (int i = 0; i < d->count; i++, n++) {
            const char *suffix = d->count == 16 ? LINES[i] : d->count == 4 ? SIDES[i] : "";
            snprintf(ids[n], sizeof ids[n], "%s%s%s", d->id, *suffix ? "_" : "", suffix);
            oters[n] = (cat_oter){.id = ids[n],
                                  .terrain = (uint16_t)t,
                                  .line = (uint8_t)(d->count == 16 ? i : 0),
                                  .rotation = (uint8_t)(d->count == 4 ? i : 0),
                                  .symbol = '?',
                                  .flags = d->flags};
        }
    }
    town.terrain_count = TYPE_COUNT;
    town.oter_count = n;
}

static uint16_t type(const char *id)
{
    uint16_t t = catalogue_terrain(&town, id);
    if (t == CAT_NONE)
        abort();
    return t;
}

static void include(uint64_t set[WORDS], uint16_t terrain)
{
    set[terrain / 64] |= UINT64_C(1) << (terrain % 64);
}

static const cat_location *location(const char *id)
{
    for (size_t i = 0; i < LOCATION_COUNT; i++)
        if (strcmp(locations[i].id, id) == 0)
            return &locations[i];
    abort();
}

static void make_locations(void)
{
    for (size_t i = 0; i < LOCATION_COUNT; i++) {
        for (size_t t = 0; t < 16 && LOCATIONS[i].types[t]; t++)
            include(location_sets[i], type(LOCATIONS[i].types[t]));
        locations[i] = (cat_location){LOCATIONS[i].id, location_sets[i]};
    }
    town.location_count = LOCATION_COUNT;
}

static void make_subtype(size_t connection, size_t i)
{
    const subtype_def *d = &CONNECTIONS[connection].subtypes[i];
    uint64_t *set = subtype_sets[connection][i];
    const uint16_t t = type(d->terrain);
    for (size_t l = 0; l < 3 && d->locations[l]; l++)
        for (size_t w = 0; w < WORDS; w++)
            set[w] |= location(d->locations[l])->terrains[w];
    include(set, t);
    include(connection_sets[connection], t);
    subtypes[connection][i] =
        (cat_subtype){.terrain = t,
                      .shape = terrains[t].count == 16  ? PTL_TERRAIN_LINE
                               : terrains[t].count == 4 ? PTL_TERRAIN_ROTATABLE
                                                        : PTL_TERRAIN_FIXED,
                      .orthogonal = d->orthogonal,
                      .perpendicular = d->perpendicular,
                      .in_place = !d->locations[0],
                      .basic_cost = d->cost,
                      .weight = d->weight,
                      .allows = set};
}

static void make_connections(void)
{
    for (size_t c = 0; c < CONNECTION_COUNT; c++) {
        size_t n = 0;
        for (; n < SUBTYPES && CONNECTIONS[c].subtypes[n].terrain; n++)
            make_subtype(c, n);
        connections[c] = (cat_connection){.id = CONNECTIONS[c].id,
                                          .default_terrain = type(CONNECTIONS[c].terrain),
                                          .p2p = CONNECTIONS[c].p2p,
                                          .subtypes = subtypes[c],
                                          .subtype_count = n,
                                          .terrains = connection_sets[c]};
    }
    town.connection_count = CONNECTION_COUNT;
}

static void make_special(size_t s)
{
    const special_def *d = &SPECIALS[s];
    cat_special *out = &specials[s];
    *out = (cat_special){.id = d->id, .building = d->building, .rotate = true};
    out->omts = omts[s];
    size_t n = 0;
    for (; n < OMTS && d->omts[n].terrain; n++) {
        const omt_def *from = &d->omts[n];
        const cat_terrain *t = &terrains[type(from->terrain)];
        cat_omt *omt = &omts[s][n];
        *omt = (cat_omt){.x = (int16_t)from->x, .y = (int16_t)from->y, .z = (int8_t)from->z};
        for (int r = 0; r < 4; r++)
            omt->oters[r] = (ptl_oter)(t->first + (t->count == 4 ? r : 0));
        const char *where = from->z < 0 ? "subterranean" : from->z > 0 ? "above" : "land";
        omt->allows = location(where)->terrains;
        out->x1 = omt->x > out->x1 ? omt->x : out->x1;
        out->y1 = omt->y > out->y1 ? omt->y : out->y1;
        out->z0 = omt->z < out->z0 ? omt->z : out->z0;
        out->z1 = omt->z > out->z1 ? omt->z : out->z1;
    }
    out->omt_count = n;
}

const catalogue *town_catalogue(void)
{
    if (town.terrain_count)
        return &town;
    make_oters();
    make_locations();
    make_connections();
    for (size_t s = 0; s < SPECIAL_COUNT; s++)
        make_special(s);
    town.special_count = SPECIAL_COUNT;
    for (size_t r = 0; r < town.region_count; r++)
        regions[r].default_ter = catalogue_oter(&town, regions[r].default_oter);
    return &town;
}
