/*
 * The catalogue: a file's content, compiled for use. Immutable once made, so any number of
 * threads may share one. Ids are interned to dense indices; tables are sorted by id, never by
 * file order, so that equal content gives equal numbers. This header is all that gen/ and
 * render/ see of content; the enums that clients see, too, are in portolan/catalogue.h.
 */
#ifndef MODEL_CATALOGUE_H
#define MODEL_CATALOGUE_H

#include "portolan/catalogue.h"
#include "portolan/world.h"

typedef struct ptl_catalogue catalogue;

enum { CAT_NONE = PTL_CONTENT_NONE }; /* no such terrain or oter */

/* Terrain flags that generation asks for; content may have any others. */
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
    CAT_FLAG_PREDECESSOR = 1u << 12, /* what it covers is remembered, local maps ask for it */
    CAT_FLAGS_OCEAN = CAT_FLAG_OCEAN | CAT_FLAG_OCEAN_SHORE,
    CAT_FLAGS_STILL = CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE | CAT_FLAGS_OCEAN,
    CAT_FLAGS_WATER = CAT_FLAG_RIVER | CAT_FLAGS_STILL
};

/* An overmap_terrain type: one definition, expanded to 1, 4 or 16 oters. */
struct cat_shoals;
typedef struct cat_terrain {
    const char *id;
    const char *name;  /* singular; "" if the content gives none */
    const char *color; /* the content's colour name, e.g. "light_green"; "" if none */
    uint32_t symbol;   /* Unicode code point of `sym`; 0 if none */
    uint32_t flags;    /* CAT_FLAG_* */
    ptl_oter first;    /* its oters are first .. first + count - 1 */
    uint16_t count;    /* 1 NO_ROTATE; 4 rotatable: N, E, S, W; 16 LINEAR: index = line mask */
    uint16_t flag_count;
    const char *const *flag_names; /* all that the content gives, in strcmp order */
    int32_t mondensity;            /* of local maps around; hundredths */
    const char *extras;            /* a set of the region's map extras; NULL or "": none */
    const char *spawn_group;       /* of monsters on its local map; NULL or "": none */
    int32_t spawn_min, spawn_max, spawn_chance; /* how many; in percent */
    const char *uniform; /* terrain that all of its local map is; NULL or "": nothing of it */
    const char *builtin; /* the games' own mapgen that it names; NULL or "": none */
    const struct cat_shoals *shoals; /* NULL: it does not name the mapgen `shoals` */
} cat_terrain;

/* A concrete terrain. */
typedef struct cat_oter {
    const char *id;   /* with its suffix: "road_ns", "house_north" */
    uint16_t terrain; /* index into catalogue.terrains */
    uint8_t line;     /* bit 0 north, 1 east, 2 south, 3 west is connected; 0 if not linear */
    uint8_t rotation; /* 0..3 = N, E, S, W; 0 if not rotatable */
    uint32_t symbol;  /* rotated, or the line-drawing character */
    uint32_t flags;   /* the type's */
} cat_oter;

/* Sets are borrowed from the catalogue, and never NULL here. */
static inline bool cat_terrain_in(ptl_terrain_set set, uint16_t terrain)
{
    return terrain != CAT_NONE && (set[terrain / 64] >> (terrain % 64) & 1);
}

/* overmap_location: the types that its terrains and flags name. */
typedef struct cat_location {
    const char *id;
    ptl_terrain_set terrains;
} cat_location;

enum { CAT_COST_MAX = 10000, CAT_SUBTYPES_MAX = 32 };

/* One way of drawing a connection. */
typedef struct cat_subtype {
    uint16_t terrain;       /* what is drawn */
    uint8_t shape;          /* ptl_terrain_shape of that */
    bool orthogonal;        /* ORTHOGONAL: among equal costs the fewest turns */
    bool perpendicular;     /* PERPENDICULAR_CROSSING: no turn on a cell of this subtype */
    bool in_place;          /* no locations: only where its terrain already is */
    int32_t basic_cost;     /* 0..CAT_COST_MAX, on top of 5 for a new tile */
    int32_t weight;         /* above 0: drawn by weight among those that allow the ground */
    ptl_terrain_set allows; /* its locations' types and its own terrain */
} cat_subtype;

typedef struct cat_connection {
    const char *id;
    uint16_t default_terrain;    /* CAT_NONE if not given */
    bool p2p;                    /* layout p2p, else city */
    const cat_subtype *subtypes; /* in the content's order, which decides */
    size_t subtype_count;        /* 1..CAT_SUBTYPES_MAX */
    ptl_terrain_set terrains;    /* the subtypes' own terrains: what belongs to it */
} cat_connection;

/* A tile of a fixed special or city building, relative to its origin, for north up. */
typedef struct cat_tile {
    int16_t x, y;
    int8_t z;
    bool own;               /* it states locations of its own */
    ptl_oter oters[4];      /* for the special rotated to N, E, S, W; masks of lines, too */
    ptl_terrain_set allows; /* what it may be put on: any of its locations */
} cat_tile;

/* A connection of a fixed special: where it ends, outside of the special's tiles. */
typedef struct cat_link {
    int16_t x, y;
    int8_t z;
    int8_t direction;    /* 0..3: leads away from the special to the point; -1: not stated */
    bool existing;       /* a condition on the place; nothing is drawn */
    uint16_t connection; /* index into catalogue.connections */
    ptl_terrain_set carries; /* ground that counts as the connection: its own terrains and the
                              * one that the special names */
} cat_link;

/* A special that is placed with this one. */
typedef struct cat_nested {
    int16_t x, y;
    int8_t z;
    uint16_t special; /* never this one, nor one that it is nested in */
} cat_nested;

/* ---- mutable specials (schema/generation.md 9) ---- */

/* Sides of a piece: 0..3 = N, E, S, W as directions, then these: PTL_SIDES in all. */
enum { CAT_ABOVE = 4, CAT_BELOW = 5 };

/* Its index in the special is its priority, 0 is the most urgent. */
typedef struct cat_join {
    const char *id;
    uint16_t opposite;    /* index of the join that must face it; often its own */
    ptl_terrain_set into; /* what it may point into while nothing is there */
    bool own; /* it states that itself: else it is what the special's locations are */
} cat_join;

typedef struct cat_side {
    int16_t join; /* index into cat_mutable.joins; -1: none */
    uint8_t type; /* ptl_join_type */
    uint16_t alternative_count;
    const uint16_t *alternatives; /* joins that it may match with when the piece is placed */
} cat_side;

typedef struct cat_piece {
    const char *id;         /* inside the special */
    ptl_oter oters[4];      /* rotated to N, E, S, W */
    ptl_terrain_set allows; /* what it may be put on */
    cat_side sides[PTL_SIDES];
    uint16_t connections[PTL_SIDES]; /* drawn from the side when all is placed; CAT_NONE */
} cat_piece;

enum { CAT_TRIALS_MAX = 10000 }; /* of a ptl_amount */

typedef struct cat_rule_piece {
    uint16_t piece; /* index into cat_mutable.pieces */
    int16_t x, y;
    int8_t z;
    uint8_t rotation; /* 0..3 = N, E, S, W */
} cat_rule_piece;

typedef struct cat_rule {
    const char *name;             /* "" if the content gives none */
    const cat_rule_piece *pieces; /* a rigid body; at least one */
    size_t piece_count;
    ptl_amount max;
    int32_t weight; /* -1: unlimited */
    int16_t join;   /* that this placement must resolve; -1: any */
    int16_t scale;  /* index into cat_mutable.shared; -1: none */
    ptl_height z;
    bool rotate;
    bool has_overmap; /* exists on the overmap (overmap_x, overmap_y) alone */
    int32_t overmap_x, overmap_y;
} cat_rule;

typedef struct cat_phase {
    const cat_rule *rules;
    size_t rule_count;
} cat_phase;

/* Ground that must be there before the special is placed: all cells of a box. */
typedef struct cat_check {
    int16_t x0, y0, x1, y1;
    int8_t z0, z1;
    bool own; /* it states locations of its own; always of a mutable special */
    ptl_terrain_set allows;
} cat_check;

typedef struct cat_mutable {
    const cat_join *joins;
    size_t join_count;
    const cat_piece *pieces; /* sorted by id */
    size_t piece_count;
    uint16_t root; /* index into pieces */
    const ptl_amount *shared;
    size_t shared_count;
    const cat_phase *phases; /* without those that have no rules, which change nothing */
    size_t phase_count;
} cat_mutable;

/* Monsters that a special brings along. */
typedef struct cat_spawns {
    const char *group; /* NULL: none */
    int32_t population_min, population_max;
    int32_t radius_min, radius_max; /* submaps */
} cat_spawns;

/* A special of either kind, a city building, or a bare terrain of a bin
 * ("FakeSpecial_<type>"). */
typedef struct cat_special {
    const char *id;
    uint64_t key;  /* hash_string(id) */
    bool building; /* city_building or bare terrain */
    bool rotate;
    uint32_t flags;         /* PTL_SPECIAL_* */
    const cat_tile *tiles;  /* of a fixed one, in the content's order */
    size_t omt_count;       /* 0 where a mod switched the special off, and of a mutable one */
    int16_t x0, y0, x1, y1; /* bounding box of the tiles for north up, both ends included */
    int8_t z0, z1;
    const cat_mutable *layout; /* of a mutable one, else NULL */
    /* Of a mutable one the root's tile alone where the content gives none; of a fixed one
     * points that are only looked at. */
    const cat_check *checks;
    size_t check_count;
    int32_t occurrences_min, occurrences_max;
    ptl_range city_distance, city_sizes;
    int32_t priority; /* higher ones come first */
    bool conditional; /* its effect_on_condition has a condition that is not met */
    cat_spawns spawns;
    const cat_link *links;
    size_t link_count;
    const cat_nested *nested;
    size_t nested_count;
} cat_special;

/* A weighted choice: entry i has weight upto[i] - upto[i - 1]. Entries of weight 0 are left
 * out. count == 0: an empty bin, from which nothing can be taken. */
typedef struct cat_bin {
    const uint16_t *specials; /* indices into catalogue.specials, in order of their ids */
    const uint32_t *upto;     /* running sums of the weights; the last one is the total */
    size_t count;
} cat_bin;

/* region_settings.city (schema/generation.md 5.6 and 6). Radii and sigmas in percent of the
 * city's size. */
typedef struct cat_city_settings {
    int32_t size, spacing; /* -1: the world's options */
    int32_t shop_radius, shop_sigma, park_radius, park_sigma;
    cat_bin houses, shops, parks, finales;
    cat_bin urban_houses, urban_shops; /* of larger cities, in place of the others */
} cat_city_settings;

/* region_settings.forest_trail_settings (schema/generation.md 5.7, 5.9 and 6). */
typedef struct cat_trail_settings {
    int32_t chance; /* one in so many forests; 0: no trails */
    int32_t border_point_chance, minimum_forest_size;
    int32_t random_point_min, random_point_max, random_point_size_scalar;
    int32_t trailhead_chance, trailhead_road_distance;
    cat_bin trailheads;
} cat_trail_settings;

/* region_settings.highways (schema/generation.md 5.13): specials and terrains by their numbers,
 * CAT_NONE where the content has none. */
typedef struct cat_highway {
    double straightness;         /* 0..1 */
    uint16_t reserved, supports; /* terrains */
    uint16_t flat, ramp, bridge, road_bridge, column, onramp, clockwise, counterclockwise;
    uint16_t bend, four_way, three_way; /* where bins have none, or theirs don't fit */
    cat_bin bends, four_ways, three_ways, interchanges;
} cat_highway;

/* Texts of one kind, weighted as in the content: see cat_bin for upto. count may be 0. */
typedef struct cat_texts {
    const char *const *texts; /* UTF-8 */
    const uint32_t *upto;
    size_t count;
} cat_texts;

enum { CAT_SIDES = 4 }; /* north, east, south, west, for settings by sides */

/* Rivers of the form that DDA has since 2025 (schema/generation.md 4.1). Of chances: one in so
 * many, 0: never. */
typedef struct cat_rivers {
    double frequency; /* 0: they are as in 0.F, and the rest means nothing */
    double branch_chance, remerge_chance, scale_decrease;
} cat_rivers;

/* Where an ocean begins (schema/generation.md 4.7). */
typedef struct cat_ocean {
    double threshold;
    int32_t size_min;         /* cells; 1..1,000 */
    int32_t depth;            /* z of the bed, -10..0 */
    int32_t tide_turns;       /* game turns in one turn of the tide, from 1; 0: as 1 */
    bool begins[CAT_SIDES];   /* none: there is no ocean */
    int32_t start[CAT_SIDES]; /* chunks from the origin, from 0 */
} cat_ocean;

/* Hordes of today's cities (schema/generation.md 11). */
typedef struct cat_hordes {
    int32_t threshold;     /* larger cities have one; below 0: there are none at all */
    int32_t chance;        /* of the others one in so many */
    double spread, scalar; /* times the city's size: the radius in OMTs, and the population */
} cat_hordes;

/* Of how many the chances of a monster group are: that many in thousand of what is asked for
 * come to live in waters. */
typedef struct cat_monstergroup {
    const char *id;
    int32_t total;
} cat_monstergroup;

/* A city that the content places. */
enum { CAT_CITY_SIZE_MAX = 180, CAT_CITIES_MAX = 4801 }; /* how many an overmap may have */
typedef struct cat_city {
    const char *id, *name;
    int32_t database_id, population; /* as the content has them */
    ptl_chunk_pos chunk;
    int16_t x, y; /* centre, chunk-local OMTs */
    int16_t size;
} cat_city;

/* A block of a region's settings that local maps are made by, as the content has it. */
typedef struct cat_block {
    const char *name, *json;
} cat_block;

/* The region settings that drive generation (schema/generation.md 6). Options of the content
 * that are a region's settings are in them already (1.3 there). */
typedef struct cat_region {
    const char *id;
    const char *default_oter;    /* a concrete or type id that fills z = 0 */
    ptl_oter default_ter;        /* the oter it stands for */
    bool levelled;               /* it states what fills each level, as DDA does since 0.I: */
    ptl_oter levels[PTL_LEVELS]; /* index z + 10 */
    bool parts;                  /* it names parts, as DDA does since 2026 */
    double river_scale;          /* 0: no rivers */
    double lake_threshold;       /* lake where the lake noise is above it */
    int32_t lake_size_min;       /* cells; 1..1,000 */
    int32_t lake_depth;          /* z of the bed, -10..0 */
    double forest_threshold, forest_thick_threshold;
    double swamp_adjacent_threshold, swamp_isolated_threshold;
    int32_t floodplain_min, floodplain_max; /* OMTs, 0..15 */
    int32_t ravine_count;                   /* per chunk */
    int32_t ravine_range, ravine_width;     /* OMTs */
    int32_t ravine_depth;                   /* z of the floor, -10..-1 */
    cat_city_settings city;
    cat_trail_settings trails;
    /* What only some games have. */
    double forest_increase[CAT_SIDES];    /* of the forest's noise, for each overmap that way */
    double forest_limit;                  /* that threshold and increase do not go beyond */
    int32_t urbanity_increase[CAT_SIDES]; /* in tenths for each overmap; may be negative */
    int32_t urbanity_max;
    cat_rivers rivers;
    cat_ocean ocean;
    cat_hordes hordes;
    bool highways;  /* the same of highways, where the game makes any */
    bool railroads; /* of every world */
    bool no_roads, no_specials, railroads_first; /* before roads */
    bool closed;                                 /* no roads cross borders */
    bool megacity; /* five cities in each overmap, in place of random ones */
    int32_t highway_columns, highway_rows; /* grid of intersections, in overmaps */
    int32_t highway_variance;   /* overmaps that an intersection may be off the grid's place */
    const cat_highway *highway; /* NULL: the region says nothing of any */
    const uint64_t *excluded;   /* specials that the region's feature flags keep out: bit s % 64
                                 * of word s / 64; NULL: none */
    const cat_block *blocks;    /* sorted by name */
    size_t block_count;
} cat_region;

/* A name under which worlds can be made with a region: a dimension, or a world type. */
typedef struct cat_dimension {
    const char *id, *kind; /* kind: the JSON type */
    const char *region;    /* NULL: it has several, which no world has */
} cat_dimension;

/* What an earlier id means in a save. */
typedef struct cat_migration {
    const char *old_id;
    const char *final_id; /* NULL: it is gone */
} cat_migration;

/*
 * What generation may place is the content's own: terrains below terrain_count, oters below
 * oter_count. Behind them come those that saved chunks have beside it, of other contents that
 * the file held (past_*): they can be read, drawn and counted, and sets have room for them.
 */
struct ptl_catalogue {
    char digest[65]; /* the content's, hex */
    int64_t content_id;
    const cat_terrain *terrains; /* sorted by id (strcmp) */
    size_t terrain_count;
    size_t past_terrain_count; /* their `first` is CAT_NONE: not all of their oters are there */
    const cat_oter *oters;     /* grouped by terrain, in terrain order */
    size_t oter_count;         /* at most 65,534 with the next */
    size_t past_oter_count;    /* sorted by id */
    const cat_region *regions; /* sorted by id */
    size_t region_count;
    const char *default_region; /* of a world that names none; there may be no such region */
    const cat_dimension *dimensions; /* sorted by id */
    size_t dimension_count;
    const cat_monstergroup *monstergroups; /* sorted by id */
    size_t monstergroup_count;
    const cat_city *cities; /* sorted by y, x of their chunks, then by id; none: random ones */
    size_t city_count;
    const cat_migration *oter_migrations; /* sorted by old_id, as the next */
    size_t oter_migration_count;
    const cat_migration *special_migrations;
    size_t special_migration_count;
    const char *game, *game_version; /* "dda", "bn"; "" where nothing tells it */
    ptl_placement placement;         /* of new worlds */
    const cat_location *locations;   /* sorted by id, as the next two */
    size_t location_count;
    const cat_connection *connections;
    size_t connection_count;
    const cat_special *specials; /* at most 65,534 */
    size_t special_count;
    cat_texts town_names;  /* objects with usage "city"; snippets of category "portolan_town" */
    cat_texts radio_texts; /* snippets of category "radio_archive" */
    const uint16_t *oters_by_id; /* the content's own, in strcmp order of their ids */
    struct arena *memory;        /* owned: all that the others point to */
};

void catalogue_free(catalogue *cat);

/* How many terrains there are, those of other contents too: for readers. */
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
/* Returns one of its own concrete oters by its full id; CAT_NONE if absent. */
ptl_oter catalogue_oter(const catalogue *cat, const char *id);
/* Returns the same, or an oter of other contents. */
ptl_oter catalogue_any_oter(const catalogue *cat, const char *id);
/* A concrete id, or a type's id, which then means its first oter; CAT_NONE if absent. */
ptl_oter catalogue_oter_or_first(const catalogue *cat, const char *id);
/* Returns what the sea's surface says of the mapgen `shoals`, which counts for all of the sea;
 * NULL: nothing. */
static inline const struct cat_shoals *catalogue_shoals(const catalogue *cat)
{
    const uint16_t sea = catalogue_terrain(cat, "ocean_surface");
    return sea == CAT_NONE ? NULL : cat->terrains[sea].shoals;
}
/* Returns the index of a connection or special by id; CAT_NONE if absent. */
uint16_t catalogue_connection(const catalogue *cat, const char *id);
uint16_t catalogue_special(const catalogue *cat, const char *id);
/* What the games make of an earlier id in a save: itself where they say nothing; NULL of a
 * special that is gone. */
const char *catalogue_oter_now(const catalogue *cat, const char *id);
const char *catalogue_special_now(const catalogue *cat, const char *id);
/* Index of an id in a table of entries of that size, sorted by id, each beginning with it;
 * CAT_NONE if absent. */
uint16_t catalogue_find_id(const void *table, size_t count, size_t size, const char *id);
/* NULL: the content has no such monster group. */
static inline const cat_monstergroup *catalogue_monstergroup(const catalogue *cat,
                                                             const char *id)
{
    const uint16_t at = catalogue_find_id(cat->monstergroups, cat->monstergroup_count,
                                          sizeof *cat->monstergroups, id);
    return at == CAT_NONE ? NULL : &cat->monstergroups[at];
}
/* Gives the first of the content's cities in a chunk, and their number. */
const cat_city *catalogue_cities(const catalogue *cat, ptl_chunk_pos pos, size_t *count);
/* Returns the region's settings, or NULL if absent. */
const cat_region *catalogue_region(const catalogue *cat, const char *id);

#endif
