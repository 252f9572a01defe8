#include "model/map_class.h"

#include "model/bridge_parts.h"

#include <stdio.h>
#include <string.h>

/* ---- what words suggest ---- */

typedef struct word_class {
    const char *word;
    ptl_map_class class;
} word_class;

static ptl_map_class find(const word_class *list, size_t count, const char *word)
{
    for (size_t i = 0; word && i < count; i++)
        if (strcmp(list[i].word, word) == 0)
            return list[i].class;
    return PTL_MAP_OTHER;
}

#define FIND(list, word) find(list, sizeof(list) / sizeof *(list), word)

/* Kinds of travel, which the code of DDA names since 2025. A city's house is a "structure", and
 * so are most specials. */
static const word_class travels[] = {
    {"road", PTL_MAP_ROAD},       {"highway", PTL_MAP_HIGHWAY}, {"dirt_road", PTL_MAP_TRACK},
    {"trail", PTL_MAP_TRAIL},     {"field", PTL_MAP_FIELD},     {"crop_field", PTL_MAP_FARM},
    {"forest", PTL_MAP_FOREST},   {"swamp", PTL_MAP_SWAMP},     {"air", PTL_MAP_AIR},
    {"impassable", PTL_MAP_ROCK}, {"tunnel", PTL_MAP_TUNNEL},   {"water", PTL_MAP_STREAM},
    {"shore", PTL_MAP_STREAM}};

/* Land use of the games' content and of Portolan's own. */
static const word_class uses[] = {
    {"open_land", PTL_MAP_FIELD},      {"forest", PTL_MAP_FOREST}, {"woodland", PTL_MAP_FOREST},
    {"wetland_forest", PTL_MAP_SWAMP}, {"wetland", PTL_MAP_SWAMP}, {"farmland", PTL_MAP_FARM},
    {"water", PTL_MAP_STREAM},         {"park", PTL_MAP_TOWN_OPEN}};

/* Ids that stand in `looks_like`: terrains that the games' code names, and the definitions from
 * which the content of all versions copies its tracks. */
static const word_class alike[] = {{"\"generic_rural_road\"", PTL_MAP_TRACK},
                                   {"\"generic_dirt_road\"", PTL_MAP_TRACK},
                                   {"\"lake_shore\"", PTL_MAP_STREAM},
                                   {"\"river_center\"", PTL_MAP_STREAM},
                                   {"\"solid_earth\"", PTL_MAP_EARTH},
                                   {"\"empty_rock\"", PTL_MAP_ROCK},
                                   {"\"deep_rock\"", PTL_MAP_ROCK}};

static ptl_map_class find_alike(const char *looks_like)
{
    for (size_t i = 0; looks_like && i < sizeof alike / sizeof *alike; i++)
        if (strstr(looks_like, alike[i].word))
            return alike[i].class;
    return PTL_MAP_OTHER;
}

/* Is it a line-drawing character? */
static bool is_line(uint32_t symbol)
{
    return symbol >= 0x2500 && symbol < 0x2580;
}

ptl_map_class map_class_of_words(const map_words *words)
{
    enum { HOUSE = '^' }; /* the symbol of houses in all content */
    ptl_map_class found = find_alike(words->looks_like);
    if (found == PTL_MAP_OTHER && words->extras && strcmp(words->extras, "agricultural") == 0)
        found = PTL_MAP_FARM;
    if (found == PTL_MAP_OTHER) {
        const ptl_map_class travel = FIND(travels, words->travel);
        const ptl_map_class use = FIND(uses, words->land_use);
        /* The land use is the more exact of the two for ground: a meadow costs as much as a
         * wood. */
        const bool by_use = travel == PTL_MAP_OTHER || travel == PTL_MAP_FOREST;
        found = by_use && use != PTL_MAP_OTHER ? use : travel;
    }
    /* A lodge in the woods costs as much as a wood, and so does a clearing. */
    if (found == PTL_MAP_FOREST &&
        !(words->looks_like && strstr(words->looks_like, "forest\"")))
        return PTL_MAP_OTHER;
    if (found >= PTL_MAP_ROAD && found <= PTL_MAP_TRAIL)
        return words->linear || is_line(words->symbol) ? found : PTL_MAP_OTHER;
    return words->symbol == HOUSE ? PTL_MAP_OTHER : found;
}

/* ---- what the rest of the content says ---- */

/* Terrains that the games' code and Portolan's name by their ids, and what they are. */
static const word_class named[] = {{"open_air", PTL_MAP_AIR},
                                   {"empty_rock", PTL_MAP_ROCK},
                                   {"deep_rock", PTL_MAP_ROCK},
                                   {"rock", PTL_MAP_ROCK},
                                   {"solid_earth", PTL_MAP_EARTH},
                                   {"field", PTL_MAP_FIELD},
                                   {"forest", PTL_MAP_FOREST},
                                   {"forest_thick", PTL_MAP_THICK_FOREST},
                                   {"special_forest_thick", PTL_MAP_THICK_FOREST},
                                   {"forest_water", PTL_MAP_SWAMP},
                                   {"lake_surface", PTL_MAP_LAKE},
                                   {"lake_shore", PTL_MAP_SHORE},
                                   {"lake_bed", PTL_MAP_DEEP},
                                   {"lake_water_cube", PTL_MAP_DEEP},
                                   {"lake_underwater_shore", PTL_MAP_DEEP},
                                   {"ocean_surface", PTL_MAP_SEA},
                                   {"ocean_shore", PTL_MAP_SHORE},
                                   {"ocean_bed", PTL_MAP_DEEP},
                                   {"ocean_water_cube", PTL_MAP_DEEP},
                                   {"shoals_island", PTL_MAP_FIELD},
                                   {"shoals_beach", PTL_MAP_BEACH},
                                   {"shoals_cliff", PTL_MAP_ROUGH},
                                   {"crater", PTL_MAP_ROUGH},
                                   {"road_nesw_manhole", PTL_MAP_ROAD}};

/* How the ids begin of what the code of older games makes below the ground. */
static const char *const made[] = {
    "ants",     "acid_ants", "cave",     "central_lab",
    "ice_lab",  "lab",       "mine",     "sewer_sub_station",
    "slimepit", "silo",      "spiral",   "underground_sub_station",
    "triffid",  "rift",      "hellmouth"};

/* Connections that the games' code names. */
static const word_class connections[] = {{"local_road", PTL_MAP_ROAD},
                                         {"local_railroad", PTL_MAP_RAIL},
                                         {"forest_trail", PTL_MAP_TRAIL},
                                         {"sewer_tunnel", PTL_MAP_SEWER},
                                         {"subway_tunnel", PTL_MAP_SUBWAY}};

typedef struct settler {
    cat_terrain *terrains;
    const catalogue *cat;
} settler;

static void give(const settler *s, uint16_t terrain, ptl_map_class class)
{
    if (terrain < catalogue_all_terrains(s->cat))
        s->terrains[terrain].map_class = (uint8_t) class;
}

static bool has_flag(const cat_terrain *t, const char *flag)
{
    for (size_t i = 0; i < t->flag_count; i++)
        if (strcmp(t->flag_names[i], flag) == 0)
            return true;
    return false;
}

/* While classes are settled, these bits of cat_terrain.map_class say which specials have the
 * terrain; the bits below them are the class that words suggest. */
enum { OF_PARK = 0x20, OF_SPECIAL = 0x40, OF_CITY = 0x80, SUGGESTED = OF_PARK - 1 };

_Static_assert((int)PTL_MAP_CLASSES <= (int)OF_PARK, "a class leaves room for the bits");

/* Is the class ground on which specials and natural terrain look the same? Solid earth isn't
 * among them, because fields of crops look like it in some content. */
static bool is_ground(ptl_map_class class)
{
    return class == PTL_MAP_FIELD || class == PTL_MAP_FOREST || class == PTL_MAP_THICK_FOREST ||
           class == PTL_MAP_SWAMP || class == PTL_MAP_ROCK;
}

/* Returns the class of a natural terrain that has the same symbol and colour, so that a player
 * can't tell the two apart: content has copies of field and forest on which specials stand.
 * PTL_MAP_SITE if there is none. */
static ptl_map_class class_of_twin(const catalogue *cat, const cat_terrain *t)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const uint16_t twin = catalogue_terrain(cat, named[i].word);
        if (twin != CAT_NONE && is_ground(named[i].class) && t->symbol != 0 &&
            cat->terrains[twin].symbol == t->symbol &&
            strcmp(cat->terrains[twin].color, t->color) == 0)
            return named[i].class;
    }
    return PTL_MAP_SITE;
}

static ptl_map_class class_in_special(const catalogue *cat, const cat_terrain *t,
                                      ptl_map_class suggested)
{
    if (has_flag(t, "WATER") || (suggested == PTL_MAP_FIELD && strstr(t->color, "blue")))
        return PTL_MAP_STREAM;
    if ((suggested == PTL_MAP_FIELD || suggested == PTL_MAP_FOREST) &&
        has_flag(t, "SOURCE_FARMING"))
        return PTL_MAP_FARM;
    if (suggested != PTL_MAP_OTHER && suggested != PTL_MAP_TOWN_OPEN)
        return suggested;
    return t->flags & CAT_FLAG_LINEAR ? PTL_MAP_TUNNEL : class_of_twin(cat, t);
}

static ptl_map_class class_in_city(ptl_map_class suggested)
{
    switch (suggested) {
    case PTL_MAP_FIELD:
    case PTL_MAP_FARM:
    case PTL_MAP_FOREST:
    case PTL_MAP_SWAMP:
    case PTL_MAP_STREAM:
    case PTL_MAP_TOWN_OPEN:
        return PTL_MAP_TOWN_OPEN;
    case PTL_MAP_AIR:
        return PTL_MAP_AIR;
    default:
        return PTL_MAP_BUILDING;
    }
}

static ptl_map_class class_of_flags(uint32_t flags, ptl_map_class class)
{
    static const struct {
        uint32_t flag;
        ptl_map_class class;
    } list[] = {{CAT_FLAG_BRIDGE, PTL_MAP_BRIDGE},    {CAT_FLAG_HIGHWAY, PTL_MAP_HIGHWAY},
                {CAT_FLAG_ROAD, PTL_MAP_ROAD},        {CAT_FLAG_RIVER, PTL_MAP_RIVER},
                {CAT_FLAG_LAKE_SHORE, PTL_MAP_SHORE}, {CAT_FLAG_OCEAN_SHORE, PTL_MAP_SHORE},
                {CAT_FLAG_LAKE, PTL_MAP_LAKE},        {CAT_FLAG_OCEAN, PTL_MAP_SEA},
                {CAT_FLAG_RAVINE, PTL_MAP_ROUGH},     {CAT_FLAG_RAVINE_EDGE, PTL_MAP_ROUGH}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (flags & list[i].flag)
            return list[i].class;
    return class;
}

static ptl_map_class class_of_terrain(const catalogue *cat, const cat_terrain *t)
{
    const ptl_map_class suggested = (ptl_map_class)(t->map_class & SUGGESTED);
    if (has_flag(t, "IS_BRIDGE")) /* a flag of Bright Nights */
        return PTL_MAP_BRIDGE;
    if (t->map_class & OF_PARK)
        return PTL_MAP_TOWN_OPEN;
    if (t->map_class & OF_CITY)
        return class_in_city(suggested);
    if (t->map_class & OF_SPECIAL) {
        /* What stands in water has the water's flags, too. */
        const ptl_map_class found = class_in_special(cat, t, suggested);
        const uint32_t flags =
            found == PTL_MAP_STREAM ? t->flags : t->flags & ~(uint32_t)CAT_FLAGS_WATER;
        return class_of_flags(flags, found);
    }
    if (suggested == PTL_MAP_OTHER && t->flags & CAT_FLAG_LINEAR)
        return PTL_MAP_TUNNEL;
    for (size_t i = 0; suggested == PTL_MAP_OTHER && i < sizeof made / sizeof *made; i++)
        if (strncmp(t->id, made[i], strlen(made[i])) == 0)
            return PTL_MAP_SITE;
    return class_of_flags(t->flags, suggested);
}

static void mark(const settler *s, ptl_oter oter, unsigned bit)
{
    if (oter < catalogue_all_oters(s->cat)) {
        cat_terrain *t = &s->terrains[s->cat->oters[oter].terrain];
        t->map_class = (uint8_t)(t->map_class | bit);
    }
}

static void mark_special(const settler *s, const cat_special *special, unsigned bit)
{
    for (size_t i = 0; i < special->omt_count; i++)
        mark(s, special->omts[i].oters[0], bit);
    for (size_t i = 0; special->layout && i < special->layout->piece_count; i++)
        mark(s, special->layout->pieces[i].oters[0], bit);
}

static void mark_all(const settler *s)
{
    const catalogue *cat = s->cat;
    for (size_t i = 0; i < cat->special_count; i++)
        mark_special(s, &cat->specials[i], cat->specials[i].building ? OF_CITY : OF_SPECIAL);
    for (size_t r = 0; r < cat->region_count; r++) {
        const cat_bin *parks = &cat->regions[r].city.parks;
        for (size_t i = 0; i < parks->count; i++)
            mark_special(s, &cat->specials[parks->specials[i]], OF_PARK);
    }
}

/* Gives the parts of a bridge, which are known by their ids, the bridge's class. */
static void give_bridge(const settler *s, uint16_t bridge, ptl_map_class class)
{
    static const char *const suffixes[] = {"",      "_under",      "_center_under",
                                           "_road", "head_ground", "head_ramp"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char id[256];
        const int length =
            snprintf(id, sizeof id, "%s%s", s->cat->terrains[bridge].id, suffixes[i]);
        if (length > 0 && (size_t)length < sizeof id)
            give(s, catalogue_terrain(s->cat, id), class);
    }
}

static void settle_connection(const settler *s, const cat_connection *c)
{
    ptl_map_class class = FIND(connections, c->id);
    for (size_t i = 0; i < c->subtype_count; i++) {
        const uint16_t terrain = c->subtypes[i].terrain;
        if (terrain >= catalogue_all_terrains(s->cat))
            continue;
        const cat_terrain *t = &s->terrains[terrain];
        const bool linear = c->subtypes[i].shape == PTL_TERRAIN_LINE;
        /* A connection that only a mod has is what its first line is, or else a road. */
        if (class == PTL_MAP_OTHER && linear)
            class = t->map_class == PTL_MAP_TUNNEL ? PTL_MAP_ROAD : (ptl_map_class)t->map_class;
        if (bridge_spans_water(s->cat, &c->subtypes[i]))
            give_bridge(s, terrain,
                        class == PTL_MAP_RAIL ? PTL_MAP_RAIL_BRIDGE : PTL_MAP_BRIDGE);
        else if (class != PTL_MAP_OTHER && (linear || t->count == 4))
            give(s, terrain, class);
    }
}

static void settle_region(const settler *s, const cat_region *r)
{
    if (r->default_ter < catalogue_all_oters(s->cat)) {
        const uint16_t terrain = s->cat->oters[r->default_ter].terrain;
        if (s->terrains[terrain].map_class == PTL_MAP_OTHER)
            give(s, terrain, PTL_MAP_FIELD);
    }
    for (int i = 0; r->levelled && i < PTL_LEVELS; i++) {
        const ptl_oter oter = r->levels[i];
        if (oter >= catalogue_all_oters(s->cat))
            continue;
        const uint16_t terrain = s->cat->oters[oter].terrain;
        if (s->terrains[terrain].map_class == PTL_MAP_OTHER)
            give(s, terrain, i > PTL_LEVELS / 2 ? PTL_MAP_AIR : PTL_MAP_ROCK);
    }
    if (r->highway) {
        give(s, r->highway->flat, PTL_MAP_HIGHWAY);
        give(s, r->highway->road_bridge, PTL_MAP_HIGHWAY);
    }
}

void map_class_settle(cat_terrain *terrains, const catalogue *cat)
{
    const settler s = {terrains, cat};
    const size_t count = catalogue_all_terrains(cat);
    mark_all(&s);
    for (size_t i = 0; i < count; i++)
        terrains[i].map_class = (uint8_t)class_of_terrain(cat, &terrains[i]);
    for (size_t i = 0; i < cat->connection_count; i++)
        settle_connection(&s, &cat->connections[i]);
    for (size_t i = 0; i < cat->region_count; i++)
        settle_region(&s, &cat->regions[i]);
    /* Those of earlier contents, too. */
    for (size_t i = 0; i < count; i++) {
        const ptl_map_class class = FIND(named, terrains[i].id);
        if (class != PTL_MAP_OTHER)
            terrains[i].map_class = (uint8_t) class;
    }
}
