/*
 * The catalogue: a file's content, compiled for use. It never changes once made, so any number
 * of threads may share one. Ids become dense indices; tables are sorted by id, never by file
 * order, so that equal content gives equal numbers. gen/ and render/ know content by this
 * header alone. Enums that clients need, too, are in portolan/catalogue.h.
 */
#pragma once

#include "portolan/catalogue.h"
#include "portolan/style.h"
#include "portolan/world.h"

typedef struct ptl_catalogue catalogue;

enum { CAT_NONE = PTL_CONTENT_NONE }; /* stands for "none": no entry has this index */

/* The terrain flags that generation uses. Content may have further flags. */
enum {
    CAT_FLAG_NO_ROTATE = 1u << 0,
    CAT_FLAG_LINEAR = 1u << 1,
    CAT_FLAG_RIVER = 1u << 2,
    CAT_FLAG_LAKE = 1u << 3,
    CAT_FLAG_LAKE_SHORE = 1u << 4,
    CAT_FLAG_OCEAN = 1u << 5,
    CAT_FLAG_RAVINE = 1u << 6,
    CAT_FLAG_RAVINE_EDGE = 1u << 7,
    CAT_FLAG_BRIDGE = 1u << 8,
    CAT_FLAG_ROAD = 1u << 9,
    CAT_FLAG_OCEAN_SHORE = 1u << 10,
    CAT_FLAG_HIGHWAY = 1u << 11,
    /* Local maps of this terrain depend on the terrain that stood on the OMT before. */
    CAT_FLAG_PREDECESSOR = 1u << 12,
    /* Riots damage local maps of this terrain: content gives the terrain a flag for that, or
     * lists post-process generators for it (cat_terrain.processes). */
    CAT_FLAG_RIOTS = 1u << 13,
    CAT_FLAGS_OCEAN = CAT_FLAG_OCEAN | CAT_FLAG_OCEAN_SHORE,
    CAT_FLAGS_STILL = CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE | CAT_FLAGS_OCEAN,
    CAT_FLAGS_WATER = CAT_FLAG_RIVER | CAT_FLAGS_STILL
};

/* An overmap terrain: one definition of the content, from which 1, 4 or 16 oters are made. */
struct cat_shoals;
typedef struct cat_terrain {
    const char *id;
    const char *name;  /* name in the singular; "" if the content gives none */
    const char *color; /* the content's colour name, e.g. "light_green"; "" if none */
    uint32_t symbol;   /* Unicode code point of the symbol (`sym` in JSON); 0 if none */
    uint32_t flags;    /* CAT_FLAG_* */
    /* The type's oters have the numbers first .. first + count - 1. */
    ptl_oter first;
    /* Number of the type's oters. 1: it has the flag NO_ROTATE. 4: it is rotatable; the oters
     * are those for the north, east, south and west. 16: it has the flag LINEAR; oter number
     * first + m is the line whose connected sides are the bits of m (bit 0 north, 1 east, 2
     * south, 3 west). */
    uint16_t count;
    uint16_t flag_count;
    const char *const *flag_names; /* all flags of the content, in strcmp order */
    /* Density of monsters that an OMT of this terrain adds to local maps around it, in
     * hundredths. */
    int32_t mondensity;
    /* Id of a set of map extras in the region's settings; local maps of the terrain get their
     * map extras from it. NULL or "": none. */
    const char *extras;
    const char *spawn_group; /* monster group for the terrain's local maps; NULL or "": none */
    /* How many monsters of spawn_group spawn on a local map, and the chance in percent that
     * any do. */
    int32_t spawn_min, spawn_max, spawn_chance;
    /* Id of the tile terrain that fills the whole local map of an OMT; NULL or "": none. */
    const char *uniform;
    /* Name of the mapgen that games have for the terrain as program code; NULL or "": none. */
    const char *builtin;
    /* The ids of post-process generators, which change its local maps after they are made, in
     * the content's order. */
    const char *const *processes;
    uint16_t process_count;
    /* Settings of the mapgen `shoals`; NULL: the type does not name that mapgen. */
    const struct cat_shoals *shoals;
    /* A ptl_map_class: what the terrain is on maps (model/map_class.h). */
    uint8_t map_class;
} cat_terrain;

/* An oter: a terrain type as it stands on the map, with its rotation or line shape. */
typedef struct cat_oter {
    const char *id;   /* full id with the suffix: "road_ns", "house_north" */
    uint16_t terrain; /* index into catalogue.terrains */
    /* For a linear oter: bit 0 north, 1 east, 2 south, 3 west, set for the connected sides;
     * otherwise 0. */
    uint8_t line;
    uint8_t rotation; /* 0..3 = N, E, S, W; 0 if not rotatable */
    uint32_t symbol;  /* the type's symbol, rotated; or a line-drawing character */
    uint32_t flags;   /* CAT_FLAG_* of the oter's terrain */
} cat_oter;

/* Is the terrain in the set? The set belongs to a catalogue, and must not be NULL. */
static inline bool cat_terrain_in(ptl_terrain_set set, uint16_t terrain)
{
    return terrain != CAT_NONE && (set[terrain / 64] >> (terrain % 64) & 1);
}

/* An overmap_location: the set of all terrain types that the location names itself or by
 * flags. */
typedef struct cat_location {
    const char *id;
    ptl_terrain_set terrains;
} cat_location;

enum { CAT_COST_MAX = 10000, CAT_SUBTYPES_MAX = 32 };

/* A subtype: one way to build a connection, on OMTs with certain terrains. */
typedef struct cat_subtype {
    uint16_t terrain; /* the overmap terrain that the connection gets */
    uint8_t shape;    /* ptl_terrain_shape of `terrain` */
    /* ORTHOGONAL: of several paths with equal costs, the one with the fewest turns is taken. */
    bool orthogonal;
    /* PERPENDICULAR_CROSSING: the connection does not turn on a cell of this subtype. */
    bool perpendicular;
    /* True: the content names no locations for the subtype, so it is used only on OMTs that
     * have its terrain already. */
    bool in_place;
    /* 0..CAT_COST_MAX. When a path is searched, an OMT on which the connection gets this
     * subtype costs 5 plus this number. */
    int32_t basic_cost;
    /* The weight by which a subtype is chosen at random, among those subtypes of the
     * connection that may be used on an OMT (see `allows`). 0: chance does not choose the
     * subtype; the order of `subtypes` does. */
    int32_t weight;
    /* The overmap terrains on which the subtype may be used: those of its locations, and its
     * own terrain. */
    ptl_terrain_set allows;
} cat_subtype;

typedef struct cat_connection {
    const char *id;
    /* Terrain that the content states as default; CAT_NONE: it states none. */
    uint16_t default_terrain;
    bool p2p; /* true: the content states the layout "p2p"; false: "city" */
    /* In the content's order: of two subtypes that may be used on an OMT, the first is
     * preferred. */
    const cat_subtype *subtypes;
    size_t subtype_count; /* 1..CAT_SUBTYPES_MAX */
    /* The terrains of all subtypes: a cell with one of them belongs to the connection. */
    ptl_terrain_set terrains;
} cat_connection;

/* An OMT of a fixed special or city building. x, y, z is its place relative to the origin when
 * the special is not rotated. */
typedef struct cat_omt {
    int16_t x, y;
    int8_t z;
    bool own; /* the content gives this OMT locations of its own, in place of the special's */
    /* The oter of this OMT for the special rotated to N, E, S, W. Line shapes are rotated,
     * too. */
    ptl_oter oters[4];
    /* The terrains on which this OMT may be put: those of all its locations. */
    ptl_terrain_set allows;
} cat_omt;

/* A connection of a fixed special: the point where it ends, outside of the special's OMTs. */
typedef struct cat_link {
    int16_t x, y;
    int8_t z;
    /* The direction, 0..3, that leads away from the special to the point; -1: not stated. */
    int8_t direction;
    /* True: an OMT of the connection must lie at this point already, and no connection is built
     * to it. */
    bool existing;
    uint16_t connection; /* index into catalogue.connections */
    /* If an OMT has one of these terrains, the connection is there already: the terrains that
     * the connection draws, and the terrain that the special states for this point. */
    ptl_terrain_set carries;
} cat_link;

/* A special that is placed together with another special, which names it. Its origin lies at
 * (x, y, z) relative to the origin of that other special. */
typedef struct cat_nested {
    int16_t x, y;
    int8_t z;
    /* The nested special's index in catalogue.specials. No special is nested in itself, at
     * any depth. */
    uint16_t special;
} cat_nested;

/* ---- mutable specials (schema/generation.md 9) ---- */

/* The sides of a piece, PTL_SIDES in all: 0..3 are the directions N, E, S, W, followed by
 * above and below. */
enum { CAT_ABOVE = 4, CAT_BELOW = 5 };

/* A join of a mutable special. Its index in the special is its priority; 0 is the most
 * urgent. */
typedef struct cat_join {
    const char *id;
    /* Index of the join that must face this one; often the join's own index. */
    uint16_t opposite;
    /* The terrains to which the join may point as long as no piece is there. */
    ptl_terrain_set into;
    /* True: the content states for this join at which terrains it may point; false: `into`
     * has the terrains of the special's locations. */
    bool own;
} cat_join;

typedef struct cat_side {
    int16_t join; /* index into cat_mutable.joins; -1: the side has no join */
    uint8_t type; /* a ptl_join_type: whether the join is mandatory, may stay free, ... */
    uint16_t alternative_count;
    /* Indices of further joins that may take the place of `join` when the piece is placed. */
    const uint16_t *alternatives;
} cat_side;

typedef struct cat_piece {
    const char *id; /* id of the piece, unique only inside its special */
    /* The piece's oters when it is rotated to the north, east, south and west. */
    ptl_oter oters[4];
    ptl_terrain_set allows; /* the terrains on which the piece may be put */
    cat_side sides[PTL_SIDES];
    /* For each side, the connection that is drawn from it once the whole special is placed;
     * CAT_NONE: none. */
    uint16_t connections[PTL_SIDES];
} cat_piece;

/* The largest `trials` of a ptl_amount of the kind PTL_AMOUNT_BINOMIAL. */
enum { CAT_TRIALS_MAX = 10000 };

typedef struct cat_rule_piece {
    uint16_t piece; /* index into cat_mutable.pieces */
    int16_t x, y;
    int8_t z;
    uint8_t rotation; /* 0..3 = N, E, S, W */
} cat_rule_piece;

typedef struct cat_rule {
    const char *name; /* the rule's name; "" if the content gives none */
    /* The pieces that the rule places, all at once and in fixed places relative to each
     * other; at least one. */
    const cat_rule_piece *pieces;
    size_t piece_count;
    ptl_amount max;
    int32_t weight; /* the rule's weight; -1: the number of uses that are left is the weight */
    /* Index of the join that must be open somewhere, and that the pieces of this rule must
     * close; -1: any open join. */
    int16_t join;
    /* Index into cat_mutable.shared of the random number by which `max` is multiplied; -1:
     * none. */
    int16_t scale;
    ptl_height z;
    bool rotate;
    /* True: the rule is used only on the overmap (overmap_x, overmap_y). */
    bool has_overmap;
    int32_t overmap_x, overmap_y;
} cat_rule;

typedef struct cat_phase {
    const cat_rule *rules;
    size_t rule_count;
} cat_phase;

/* A condition that the map must fulfil before the special is placed: all cells of a box must
 * have terrains of the set `allows`. */
typedef struct cat_check {
    int16_t x0, y0, x1, y1;
    int8_t z0, z1;
    /* True: the content states locations for this box. Always true for a mutable special. */
    bool own;
    ptl_terrain_set allows;
} cat_check;

typedef struct cat_mutable {
    const cat_join *joins;
    size_t join_count;
    const cat_piece *pieces; /* sorted by id */
    size_t piece_count;
    uint16_t root; /* index in `pieces` of the piece with which each growth begins */
    const ptl_amount *shared;
    size_t shared_count;
    /* Phases without rules are left out, because they would change nothing. */
    const cat_phase *phases;
    size_t phase_count;
} cat_mutable;

/* The monster group that comes with a special. */
typedef struct cat_spawns {
    const char *group; /* NULL: none */
    int32_t population_min, population_max;
    int32_t radius_min, radius_max; /* radius of the monster group, in submaps */
} cat_spawns;

/* A fixed or mutable special, a city building, or a single terrain that a region lists among
 * its buildings (its id is then "FakeSpecial_<type>"). */
typedef struct cat_special {
    const char *id;
    uint64_t key;  /* hash_string(id) */
    bool building; /* a city building, or a terrain that a region lists among buildings */
    bool rotate;
    uint32_t flags;      /* the special's flags, as bits PTL_SPECIAL_... */
    const cat_omt *omts; /* OMTs of a fixed special, in the content's order */
    /* Number of `omts`; 0 for a mutable special, and for a special that a mod has switched
     * off. */
    size_t omt_count;
    int16_t x0, y0, x1, y1; /* bounding box without rotation, both ends included */
    int8_t z0, z1;
    /* The pieces, joins and phases of a mutable special; NULL for a fixed one. */
    const cat_mutable *layout;
    /* Conditions that the map must fulfil before the special is placed. A mutable special has
     * the checks that the content states or, if it states none, one for the OMT of its root
     * piece. A fixed special has checks for points on which it places nothing, but whose
     * terrain must fit. */
    const cat_check *checks;
    size_t check_count;
    int32_t occurrences_min, occurrences_max;
    ptl_range city_distance, city_sizes;
    int32_t priority; /* specials of higher priority are placed first */
    /* True: the special has an effect_on_condition whose condition is not met, so the
     * special is never placed. */
    bool conditional;
    cat_spawns spawns;
    const cat_link *links;
    size_t link_count;
    const cat_nested *nested;
    size_t nested_count;
} cat_special;

/* A list of specials from which one is chosen at random by weight. specials[i] has the
 * weight upto[i] - upto[i - 1]; specials of weight 0 are left out. If `count` is 0, no
 * special can be chosen. */
typedef struct cat_bin {
    const uint16_t *specials; /* indices into catalogue.specials, in order of their ids */
    /* The weights added up: upto[i] is the sum of the weights of specials[0] to specials[i]. */
    const uint32_t *upto;
    size_t count;
} cat_bin;

/* region_settings.city (schema/generation.md 5.6 and 6). Radii and sigmas are percentages of
 * the city's size. */
typedef struct cat_city_settings {
    int32_t size, spacing; /* -1: the world's setting is used */
    int32_t shop_radius, shop_sigma, park_radius, park_sigma;
    cat_bin houses, shops, parks, finales;
    /* Used in place of `houses` and `shops` in larger cities. */
    cat_bin urban_houses, urban_shops;
} cat_city_settings;

/* region_settings.forest_trail_settings (schema/generation.md 5.7, 5.9 and 6). */
typedef struct cat_trail_settings {
    int32_t chance; /* one in so many forests has trails; 0: no forest has */
    int32_t border_point_chance, minimum_forest_size;
    int32_t random_point_min, random_point_max, random_point_size_scalar;
    int32_t trailhead_chance, trailhead_road_distance;
    cat_bin trailheads;
} cat_trail_settings;

/* region_settings.highways (schema/generation.md 5.13). Specials and terrains are indices,
 * CAT_NONE where the content has none. */
typedef struct cat_highway {
    double straightness; /* 0..1 */
    /* The terrain of cells that are kept for a highway, and that of a highway's supports. */
    uint16_t reserved, supports;
    uint16_t flat, ramp, bridge, road_bridge, column, onramp, clockwise, counterclockwise;
    /* Specials for bends and for crossings of four or three highways. One of them is used if
     * the list of the same kind in the next line (bends, four_ways, three_ways) is empty, or if
     * no special of that list fits. */
    uint16_t bend, four_way, three_way;
    cat_bin bends, four_ways, three_ways, interchanges;
} cat_highway;

/* Weighted texts of one kind; `upto` holds running sums of the weights, as in cat_bin. count
 * may be 0. */
typedef struct cat_texts {
    const char *const *texts; /* UTF-8 */
    const uint32_t *upto;
    size_t count;
} cat_texts;

enum { CAT_SIDES = 4 }; /* for settings that differ by side: north, east, south, west */

/* Rivers in the form that DDA has since 2025 (schema/generation.md 4.1). A chance n means
 * one in n; 0 means never. */
typedef struct cat_rivers {
    /* How often rivers come. 0: rivers are made as in the games' version 0.F, and the other
     * members are not used. */
    double frequency;
    double branch_chance, remerge_chance, scale_decrease;
} cat_rivers;

/* Where the ocean of a region begins, and what it is like (schema/generation.md 4.7). */
typedef struct cat_ocean {
    double threshold;
    int32_t size_min; /* the fewest cells of an ocean; 1..1,000 */
    int32_t depth;    /* z of the sea bed, -10..0 */
    /* Number of the game's turns in one step of the tide; 0 counts as 1. */
    int32_t tide_turns;
    bool begins[CAT_SIDES]; /* for each side: whether an ocean begins there */
    /* For each side: how many chunks away from chunk (0, 0) the ocean begins, at least 0. */
    int32_t start[CAT_SIDES];
} cat_ocean;

/* Hordes of cities in today's games (schema/generation.md 11). */
typedef struct cat_hordes {
    /* Cities whose size is above this number have a horde. If it is below 0, no city has a
     * horde. */
    int32_t threshold;
    /* One in `chance` of the cities whose size is not above the threshold has a horde. */
    int32_t chance;
    /* City size times `spread` is the horde's radius in OMTs; city size times `scalar` is its
     * population. */
    double spread, scalar;
} cat_hordes;

/* A monster group. Of its monsters only the sum of their chances is kept, in thousandths. In
 * waters, the population that generation draws for a group is multiplied by that sum. */
typedef struct cat_monstergroup {
    const char *id;
    int32_t total;
} cat_monstergroup;

/* The largest size of a city, and the largest number of cities in one overmap. */
enum { CAT_CITY_SIZE_MAX = 180, CAT_CITIES_MAX = 4801 };

/* A city whose place the content gives. */
typedef struct cat_city {
    const char *id, *name;
    int32_t database_id, population;
    ptl_chunk_pos chunk;
    int16_t x, y; /* the city's centre: an OMT, relative to its chunk */
    int16_t size;
} cat_city;

/* A block of a region's settings, as JSON text. Local maps are made with these settings. */
typedef struct cat_block {
    const char *name, *json;
} cat_block;

/* The region settings that drive generation (schema/generation.md 6). Options of the content
 * that set values of a region are already applied (schema/generation.md 1.3). */
typedef struct cat_region {
    const char *id;
    /* Id of a terrain, or of one of its oters, that fills the level z = 0. */
    const char *default_oter;
    ptl_oter default_ter; /* the oter that default_oter names */
    /* True: the region states in `levels` what fills each level, as regions of DDA do since
     * 0.I. */
    bool levelled;
    ptl_oter levels[PTL_LEVELS]; /* the oter of level z is at the index z + 10 */
    /* True: the region refers to parts of its settings by ids, as regions of DDA do since
     * 2026. */
    bool parts;
    double river_scale;    /* scale of rivers, as the region states it; 0: no rivers */
    double lake_threshold; /* a cell is lake where the noise of lakes is above this number */
    int32_t lake_size_min; /* a lake with fewer cells is left out; 1..1,000 */
    int32_t lake_depth;    /* z of the lake's bed, -10..0 */
    double forest_threshold, forest_thick_threshold;
    double swamp_adjacent_threshold, swamp_isolated_threshold;
    /* Bounds of the width of floodplains, in OMTs, 0..15. */
    int32_t floodplain_min, floodplain_max;
    int32_t ravine_count;               /* number of ravines in a chunk */
    int32_t ravine_range, ravine_width; /* OMTs */
    int32_t ravine_depth;               /* z of the ravine's floor, -10..-1 */
    cat_city_settings city;
    cat_trail_settings trails;
    /* The members from here on are set only for regions of some games. */
    /* For each side: how much is added to the forest noise with each overmap farther to that
     * side. */
    double forest_increase[CAT_SIDES];
    /* forest_increase adds at most (forest_limit - forest threshold) to the forest noise in
     * all. */
    double forest_limit;
    /* For each side: how much the number that the games call urbanity grows with each
     * overmap farther to that side, in tenths; may be negative. */
    int32_t urbanity_increase[CAT_SIDES];
    int32_t urbanity_max;
    cat_rivers rivers;
    cat_ocean ocean;
    cat_hordes hordes;
    bool highways;  /* the game makes highways in this region */
    bool railroads; /* every world with this region has railroads */
    /* railroads_first: railroads are built before roads. */
    bool no_roads, no_specials, railroads_first;
    bool closed;   /* no roads cross the chunk's edges */
    bool megacity; /* five cities in each overmap, in place of random ones */
    /* Distances between the intersections of highways, which form a grid, in overmaps. */
    int32_t highway_columns, highway_rows;
    /* How many overmaps an intersection of highways may lie away from its place in the grid. */
    int32_t highway_variance;
    const cat_highway *highway; /* NULL: the region has no settings of highways */
    /* The specials that the region's feature flags exclude: bit s % 64 of word s / 64.
     * NULL: none. */
    const uint64_t *excluded;
    /* Blocks of settings that are needed when local maps are made, as JSON texts; sorted by
     * name. */
    const cat_block *blocks;
    size_t block_count;
} cat_region;

/* A name by which a world can choose its region: a dimension, or a world type. */
typedef struct cat_dimension {
    const char *id, *kind; /* kind: type of the JSON object that defines the name */
    /* NULL: the dimension has several regions, so no world can be made for it. */
    const char *region;
} cat_dimension;

/* What replaces an old id, of an oter or a special, that a save may have. */
typedef struct cat_migration {
    const char *old_id;
    const char *final_id; /* the new id; NULL: the old id was removed without a replacement */
} cat_migration;

/*
 * The catalogue itself. Generation places only the content's own terrains and oters: those
 * with numbers below terrain_count and oter_count. Behind them come "past" terrains and oters:
 * those of other contents that the file held earlier, which saved chunks may still have. Past
 * oters can be read, drawn and counted, and sets have room for them.
 */
struct ptl_catalogue {
    char digest[65]; /* digest of the content, in hexadecimal digits */
    int64_t content_id;
    const cat_terrain *terrains; /* sorted by id (strcmp) */
    size_t terrain_count;
    /* How many past terrains there are (those of contents that the file held earlier). In
     * `terrains` they come after the present content's own. Their member `first` is CAT_NONE,
     * because some of their oters may be missing in the catalogue. */
    size_t past_terrain_count;
    /* In the order of `terrains`; the oters of one terrain lie together. */
    const cat_oter *oters;
    size_t oter_count;         /* together with past_oter_count at most 65,534 */
    size_t past_oter_count;    /* past oters come last in `oters`, sorted by id */
    const cat_region *regions; /* sorted by id */
    size_t region_count;
    /* Id of the region for a world that names none; the region may not exist. */
    const char *default_region;
    const cat_dimension *dimensions; /* sorted by id */
    size_t dimension_count;
    const cat_monstergroup *monstergroups; /* sorted by id */
    size_t monstergroup_count;
    /* The cities whose places the content gives, sorted by y and x of their chunks, then by id.
     * If the content gives no cities, this is NULL, and cities are random. */
    const cat_city *cities;
    size_t city_count;
    /* oter_migrations and special_migrations are sorted by old_id. */
    const cat_migration *oter_migrations;
    size_t oter_migration_count;
    const cat_migration *special_migrations;
    size_t special_migration_count;
    const char *game, *game_version; /* "dda" or "bn"; "" where the content does not say */
    ptl_placement placement;         /* the rule of placement for new worlds */
    const cat_location *locations;   /* sorted by id, and so are connections and specials */
    size_t location_count;
    const cat_connection *connections;
    size_t connection_count;
    const cat_special *specials; /* at most 65,534 */
    size_t special_count;
    /* Names of towns: objects with the usage "city", and snippets of the category
     * "portolan_town". */
    cat_texts town_names;
    cat_texts radio_texts;       /* what radios send: snippets (ready texts) of the category
                                    "radio_archive" */
    const uint16_t *oters_by_id; /* numbers of the content's own oters, sorted by id (strcmp) */
    struct arena *memory;        /* owned; holds all else that the catalogue points to */
};

/* Frees the catalogue with everything in it; NULL is fine. */
void catalogue_free(catalogue *cat);

/* Return the number of all terrains or oters, those of other contents included. */
static inline size_t catalogue_all_terrains(const catalogue *cat)
{
    return cat->terrain_count + cat->past_terrain_count;
}

static inline size_t catalogue_all_oters(const catalogue *cat)
{
    return cat->oter_count + cat->past_oter_count;
}

/* Returns the index of one of the content's own terrain types by id; CAT_NONE if absent. Binary
 * search. */
uint16_t catalogue_terrain(const catalogue *cat, const char *id);
/* Returns one of the content's own oters by its full id; CAT_NONE if absent. */
ptl_oter catalogue_oter(const catalogue *cat, const char *id);
/* Returns an oter by its full id, also an oter of another content that the file held; CAT_NONE
 * if absent. */
ptl_oter catalogue_any_oter(const catalogue *cat, const char *id);
/* Returns the oter of a full id, or the first oter of a type's id; CAT_NONE if absent. */
ptl_oter catalogue_oter_or_first(const catalogue *cat, const char *id);

/* Does the content say of any terrain that riots damage its local maps? */
static inline bool catalogue_has_riots(const catalogue *cat)
{
    bool found = false;
    for (size_t i = 0; i < cat->terrain_count && !found; i++)
        found = (cat->terrains[i].flags & CAT_FLAG_RIOTS) != 0;
    return found;
}

/* Returns the settings of the mapgen `shoals` for the whole sea, which the definition of the
 * terrain "ocean_surface" states; NULL if the content has none. */
static inline const struct cat_shoals *catalogue_shoals(const catalogue *cat)
{
    const uint16_t sea = catalogue_terrain(cat, "ocean_surface");
    return sea == CAT_NONE ? NULL : cat->terrains[sea].shoals;
}
/* Returns the index of a connection or special by id; CAT_NONE if absent. */
uint16_t catalogue_connection(const catalogue *cat, const char *id);
uint16_t catalogue_special(const catalogue *cat, const char *id);
/* Return the id that today's games have for an id of an old save: the same id unless the
 * content migrates it. NULL for a special that was removed. */
const char *catalogue_oter_now(const catalogue *cat, const char *id);
const char *catalogue_special_now(const catalogue *cat, const char *id);
/* Returns the index of an id in a table, or CAT_NONE if absent. Entries have `size` bytes,
 * begin with their id (a const char *) and are sorted by it. */
uint16_t catalogue_find_id(const void *table, size_t count, size_t size, const char *id);
/* Returns the monster group of an id; NULL if the content has no such group. */
static inline const cat_monstergroup *catalogue_monstergroup(const catalogue *cat,
                                                             const char *id)
{
    const uint16_t at = catalogue_find_id(cat->monstergroups, cat->monstergroup_count,
                                          sizeof *cat->monstergroups, id);
    return at == CAT_NONE ? NULL : &cat->monstergroups[at];
}
/* Returns the first of the content's cities in a chunk, and sets *count to their number. */
const cat_city *catalogue_cities(const catalogue *cat, ptl_chunk_pos pos, size_t *count);
/* Returns the region with this id, or NULL if absent. */
const cat_region *catalogue_region(const catalogue *cat, const char *id);
