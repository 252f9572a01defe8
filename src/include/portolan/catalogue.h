/*
 * What a content defines, for reading without SQL: terrains, locations, connections, specials
 * and regions, as generation has them.
 *
 * A catalogue never changes: any number of threads may read one. Entries of a kind have numbers
 * from 0; the same content gives the same numbers. Texts are UTF-8, never NULL unless something
 * else is said, and borrowed, as all lists and sets are, until the catalogue goes.
 *
 * Structs that a call fills carry their size and begin with their _INIT (status.h):
 * PTL_ERR_ARGUMENT where nobody set it.
 */
#ifndef PORTOLAN_CATALOGUE_H
#define PORTOLAN_CATALOGUE_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_catalogue ptl_catalogue;

/* Gives the present content of a file. *out is new: free it with ptl_catalogue_free; it does
 * not depend on the store afterwards. PTL_ERR_CONTENT if the file has no content yet. */
PTL_API ptl_status ptl_catalogue_load(ptl_catalogue **out, ptl_store *store, ptl_error *err);
PTL_API void ptl_catalogue_free(ptl_catalogue *catalogue); /* NULL is fine */

/*
 * The content that the world was opened with (ptl_world_open). Borrowed until the world is
 * closed, or until a call takes it over to another content (ptl_regenerate, generating after
 * accept_content). Behind the content's own terrains and oters stand those that saved chunks
 * have beside it, of contents that the file held before: they can be seen, and nothing places
 * them.
 */
PTL_API const ptl_catalogue *ptl_world_catalogue(const ptl_world *world);

/* Returns the content's digest, 64 hexadecimal digits: see ptl_import_report. */
PTL_API const char *ptl_catalogue_digest(const ptl_catalogue *catalogue);

/* Kinds of entries, and the order of their numbers. */
typedef enum ptl_content_kind {
    PTL_CONTENT_TERRAIN,    /* overmap terrains, by id; then those of other contents */
    PTL_CONTENT_OTER,       /* terrains as placed, those of one terrain together: the numbers of
                             * OMTs; then those of other contents */
    PTL_CONTENT_LOCATION,   /* sets of terrains, by id */
    PTL_CONTENT_CONNECTION, /* roads and the like, by id */
    PTL_CONTENT_SPECIAL,    /* specials, city buildings, and bare terrains of a region's bins
                             * ("FakeSpecial_<terrain>"), by id */
    PTL_CONTENT_REGION      /* region settings, by id */
} ptl_content_kind;

enum { PTL_CONTENT_NONE = 0xffff }; /* no such entry */

/* How many there are; 0 of no kind. */
PTL_API size_t ptl_catalogue_count(const ptl_catalogue *catalogue, ptl_content_kind kind);
/* The number of an entry by its id; binary search. PTL_ERR_NOT_FOUND if there is none:
 * *out is PTL_CONTENT_NONE then. */
PTL_API ptl_status ptl_catalogue_find(size_t *out, const ptl_catalogue *catalogue,
                                      ptl_content_kind kind, const char *id);

/*
 * All calls from here on: PTL_ERR_NOT_FOUND if there is no entry of that number, of the
 * catalogue or of its part; *out is empty then: texts "", numbers 0, lists and sets NULL.
 */

/* ---- terrains ---- */

typedef enum ptl_terrain_shape {
    PTL_TERRAIN_FIXED,     /* one oter */
    PTL_TERRAIN_ROTATABLE, /* four, by rotation */
    PTL_TERRAIN_LINE       /* sixteen, by arms: roads, rails, tunnels */
} ptl_terrain_shape;

/* An overmap terrain: what oters are of. */
typedef struct ptl_terrain_type {
    size_t size;
    const char *id;
    const char *name;         /* for people, in the singular; "" if the content gives none */
    const char *color;        /* the content's colour name, e.g. "light_green"; "" if none */
    uint32_t symbol;          /* Unicode code point; 0 if none */
    const char *const *flags; /* the content's, in strcmp order, e.g. "RIVER", "SIDEWALK" */
    size_t flag_count;
    ptl_terrain_shape shape;
    size_t first; /* its oters are first .. first + count - 1: north, east, south, west; or by
                   * arms. PTL_CONTENT_NONE of other contents, whose oters need not be all there
                   */
    size_t count;
} ptl_terrain_type;

/* An oter: a terrain as placed. */
typedef struct ptl_terrain {
    size_t size;
    const char *id;   /* with rotation or line shape: "house_north", "road_ns" */
    const char *type; /* the overmap terrain that it is one of: "house", "road" */
    const char *name; /* the type's, as the next one */
    const char *color;
    uint32_t symbol;          /* Unicode code point, rotated with it; 0 if none */
    const char *const *flags; /* the type's */
    size_t flag_count;
    size_t type_number; /* the type's among PTL_CONTENT_TERRAIN */
    ptl_terrain_shape shape;
    int32_t rotation; /* 0..3 = north, east, south, west; 0 unless rotatable */
    uint32_t arms;    /* bit 0 north, 1 east, 2 south, 3 west leads on; 0 unless a line */
    uint32_t past;    /* 1: of another content than the catalogue's; else 0 */
} ptl_terrain;

#define PTL_TERRAIN_TYPE_INIT PTL_SIZED(ptl_terrain_type)
#define PTL_TERRAIN_INIT      PTL_SIZED(ptl_terrain)

PTL_API ptl_status ptl_catalogue_terrain(ptl_terrain_type *out, const ptl_catalogue *catalogue,
                                         size_t number);
/* Describes an oter in constant time: number is a ptl_oter, as OMTs have it. */
PTL_API ptl_status ptl_catalogue_oter(ptl_terrain *out, const ptl_catalogue *catalogue,
                                      size_t number);
/* Does it have the flag? Binary search. */
PTL_API bool ptl_terrain_has_flag(const ptl_terrain *terrain, const char *flag);

/* A set of terrains, by their numbers: bit t % 64 of word t / 64. NULL is the empty one. */
typedef const uint64_t *ptl_terrain_set;

/* Is a terrain of the catalogue in a set of it? */
PTL_API bool ptl_catalogue_set_has(const ptl_catalogue *catalogue, ptl_terrain_set set,
                                   size_t terrain);

/* The terrains that a location's list and flags name. */
typedef struct ptl_location {
    size_t size;
    const char *id;
    ptl_terrain_set terrains;
} ptl_location;

#define PTL_LOCATION_INIT PTL_SIZED(ptl_location)

PTL_API ptl_status ptl_catalogue_location(ptl_location *out, const ptl_catalogue *catalogue,
                                          size_t number);

/* ---- connections ---- */

typedef struct ptl_connection {
    size_t size;
    const char *id;
    size_t default_terrain; /* PTL_CONTENT_NONE if the content gives none */
    bool p2p;               /* layout p2p, else city */
    size_t subtype_count;
    ptl_terrain_set terrains; /* that belong to it: what its subtypes draw */
} ptl_connection;

/* One way of drawing a connection. Their order is the content's, and decides. */
typedef struct ptl_connection_subtype {
    size_t size;
    size_t terrain; /* what is drawn */
    ptl_terrain_shape shape;
    bool orthogonal;        /* ORTHOGONAL: among equal costs the fewest turns */
    bool perpendicular;     /* PERPENDICULAR_CROSSING: no turn on a cell of it */
    bool in_place;          /* no locations: only where its terrain already is */
    int32_t basic_cost;     /* on top of 5 for a new OMT */
    int32_t weight;         /* above 0: drawn by weight among those that allow the ground */
    ptl_terrain_set allows; /* the ground: its locations' terrains and its own */
} ptl_connection_subtype;

#define PTL_CONNECTION_INIT         PTL_SIZED(ptl_connection)
#define PTL_CONNECTION_SUBTYPE_INIT PTL_SIZED(ptl_connection_subtype)

PTL_API ptl_status ptl_catalogue_connection(ptl_connection *out, const ptl_catalogue *catalogue,
                                            size_t number);
PTL_API ptl_status ptl_catalogue_connection_subtype(ptl_connection_subtype *out,
                                                    const ptl_catalogue *catalogue,
                                                    size_t connection, size_t number);

/* ---- specials ---- */

typedef enum ptl_special_kind {
    PTL_SPECIAL_FIXED,   /* its OMTs are listed */
    PTL_SPECIAL_MUTABLE, /* grows of pieces that join */
    PTL_SPECIAL_BUILDING /* of cities: its OMTs are listed, and cities take it from the
                          * region's bins */
} ptl_special_kind;

/* Flags of specials that generation asks for. The content's OVERMAP_UNIQUE means UNIQUE. */
enum {
    PTL_SPECIAL_UNIQUE = 1u << 0,          /* at most one in an overmap, by chance min in max */
    PTL_SPECIAL_GLOBALLY_UNIQUE = 1u << 1, /* at most one in a world */
    PTL_SPECIAL_LAKE = 1u << 2,
    PTL_SPECIAL_RIVER = 1u << 3,
    PTL_SPECIAL_OCEAN = 1u << 4,
    PTL_SPECIAL_BLOB = 1u << 5,       /* spreads its OMTs around them */
    PTL_SPECIAL_ENDGAME = 1u << 6,    /* first of all at overmap (0, 0) */
    PTL_SPECIAL_SAFE = 1u << 7,       /* SAFE_AT_WORLDGEN: no monster groups on its OMTs */
    PTL_SPECIAL_CITY_UNIQUE = 1u << 8 /* at most one in a city */
};

enum { PTL_UNBOUNDED = INT32_MAX };

/* Both ends included; max PTL_UNBOUNDED: no upper bound. */
typedef struct ptl_range {
    int32_t min, max;
} ptl_range;

/* Places in a special are relative to its origin, with north up. */
typedef struct ptl_special {
    size_t size;
    const char *id;
    ptl_special_kind kind;
    bool rotate;               /* it may be rotated */
    bool conditional;          /* its effect_on_condition has a condition that the content's
                                * mods don't meet: never asked for. What only play can tell
                                * counts as met */
    uint32_t flags;            /* PTL_SPECIAL_UNIQUE and the like */
    ptl_range occurrences;     /* in an overmap; of a unique one: min in max overmaps */
    ptl_range city_distance;   /* OMTs */
    ptl_range city_sizes;      /* of the nearest city */
    int32_t priority;          /* higher ones are placed first */
    const char *monster_group; /* that it brings along; "": none */
    ptl_range monsters;        /* its population */
    ptl_range monster_radius;  /* submaps: half OMTs */
    int32_t x0, y0, x1, y1;    /* bounding box of the OMTs, both ends included */
    int32_t z0, z1;            /* of a mutable one without meaning, as the line before */
    size_t omt_count;          /* 0 of a mutable one, and where a mod switched it off */
    size_t piece_count;        /* kinds of pieces of a mutable one, else 0 */
    size_t root;               /* the piece that a mutable one begins with */
    size_t join_count;         /* of a mutable one, else 0 */
    size_t link_count;         /* connections of a fixed one */
    size_t nested_count;       /* specials that are placed with it */
    size_t check_count;        /* ground that must be there */
    size_t phase_count;        /* of a mutable one, else 0, as the next */
    size_t shared_count;
} ptl_special;

#define PTL_SPECIAL_INIT PTL_SIZED(ptl_special)

PTL_API ptl_status ptl_catalogue_special(ptl_special *out, const ptl_catalogue *catalogue,
                                         size_t number);

/* An OMT of a fixed special or city building. */
typedef struct ptl_special_omt {
    size_t size;
    int32_t x, y, z;
    ptl_oter oters[4];      /* for the special rotated to the north, east, south, west */
    bool own_locations;     /* it states them itself; else they are the special's */
    ptl_terrain_set allows; /* what it may be put on */
} ptl_special_omt;

#define PTL_SPECIAL_OMT_INIT PTL_SIZED(ptl_special_omt)

PTL_API ptl_status ptl_catalogue_special_omt(ptl_special_omt *out,
                                             const ptl_catalogue *catalogue, size_t special,
                                             size_t number);

/* A connection of a fixed special: where it ends, outside of the special's OMTs. */
typedef struct ptl_special_link {
    size_t size;
    int32_t x, y, z;
    int32_t direction; /* 0..3: leads away from the special to the point; -1: not stated */
    bool existing;     /* a condition on the place; nothing is drawn */
    size_t connection; /* number */
    ptl_terrain_set carries; /* ground that counts as the connection */
} ptl_special_link;

/* A special that is placed with another one. */
typedef struct ptl_special_nested {
    size_t size;
    int32_t x, y, z;
    size_t special; /* number */
} ptl_special_nested;

/* Ground that must be there before the special is placed: all cells of a box, both ends
 * included. Of a fixed special they are points that are looked at beside its OMTs; of a
 * mutable one, where the content states none, ground for its root. */
typedef struct ptl_special_check {
    size_t size;
    int32_t x0, y0, z0, x1, y1, z1;
    bool own_locations;     /* it states them itself; else they are the special's */
    ptl_terrain_set allows; /* what must lie there */
} ptl_special_check;

#define PTL_SPECIAL_LINK_INIT   PTL_SIZED(ptl_special_link)
#define PTL_SPECIAL_NESTED_INIT PTL_SIZED(ptl_special_nested)
#define PTL_SPECIAL_CHECK_INIT  PTL_SIZED(ptl_special_check)

PTL_API ptl_status ptl_catalogue_special_link(ptl_special_link *out,
                                              const ptl_catalogue *catalogue, size_t special,
                                              size_t number);
PTL_API ptl_status ptl_catalogue_special_nested(ptl_special_nested *out,
                                                const ptl_catalogue *catalogue, size_t special,
                                                size_t number);
PTL_API ptl_status ptl_catalogue_special_check(ptl_special_check *out,
                                               const ptl_catalogue *catalogue, size_t special,
                                               size_t number);

/* ---- what mutable specials grow of ---- */

typedef enum ptl_join_type {
    PTL_JOIN_MANDATORY, /* must be met */
    PTL_JOIN_OPTIONAL,  /* may be met */
    PTL_JOIN_AVAILABLE, /* may be met, and asks for nothing */
    PTL_JOIN_REJECT     /* must not be met */
} ptl_join_type;

enum { PTL_SIDES = 6 }; /* of a piece: north, east, south, west, above, below */

/* What a side of a piece has. */
typedef struct ptl_piece_side {
    int32_t join; /* number in the special; -1: none, and nothing else here has a meaning */
    ptl_join_type type;
    size_t alternative_count;
    const uint16_t *alternatives; /* joins that it may match with when the piece is placed */
} ptl_piece_side;

/* A kind of piece. Sorted by id. How they follow each other is said by phases and rules. */
typedef struct ptl_special_piece {
    size_t size;
    const char *id;         /* inside the special */
    ptl_oter oters[4];      /* rotated to the north, east, south, west */
    ptl_terrain_set allows; /* what it may be put on */
    ptl_piece_side sides[PTL_SIDES];
    size_t connections[PTL_SIDES]; /* drawn from the side when all is placed, or
                                    * PTL_CONTENT_NONE */
} ptl_special_piece;

/* A join. Its number is its priority, 0 is the most urgent. */
typedef struct ptl_special_join {
    size_t size;
    const char *id;       /* inside the special */
    size_t opposite;      /* the join that must face it; often its own */
    ptl_terrain_set into; /* what it may point into while nothing is there */
} ptl_special_join;

/* How a number is drawn. */
typedef enum ptl_amount_kind {
    PTL_AMOUNT_UNLIMITED,
    PTL_AMOUNT_FIXED,   /* low */
    PTL_AMOUNT_RANGE,   /* uniform in low..high */
    PTL_AMOUNT_POISSON, /* of the mean */
    PTL_AMOUNT_CHANCE,  /* 1 with probability mean, else 0 */
    PTL_AMOUNT_BINOMIAL /* so many of `trials` come true, each with probability mean */
} ptl_amount_kind;

typedef struct ptl_amount {
    ptl_amount_kind kind;
    int32_t low, high; /* low <= high; 0 where they mean nothing */
    double mean;       /* finite, not negative */
    int32_t trials;
    bool bounded; /* poisson, binomial: what is drawn is brought within low..high */
} ptl_amount;

/* On which levels a rule may be applied. */
typedef enum ptl_height_kind {
    PTL_HEIGHT_ANY,
    PTL_HEIGHT_RANGE,  /* low..high, both included */
    PTL_HEIGHT_TOP,    /* at or above the highest OMT so far */
    PTL_HEIGHT_BOTTOM, /* at or below the lowest OMT so far */
    PTL_HEIGHT_OFFSET  /* exactly `top` from the highest or `bottom` from the lowest OMT so far
                        */
} ptl_height_kind;

typedef struct ptl_height {
    ptl_height_kind kind;
    int32_t low, high, top, bottom; /* levels; 0 where they mean nothing */
    bool has_top, has_bottom;       /* of an offset: at least one */
} ptl_height;

/*
 * Growth goes through the phases in their order, and each has rules, of which one is applied at
 * a time (schema/generation.md 9). Phases without rules change nothing, and are left out.
 */
typedef struct ptl_special_phase {
    size_t size;
    size_t rule_count;
} ptl_special_phase;

/* A rule: pieces that are placed together, as a rigid body. */
typedef struct ptl_special_rule {
    size_t size;
    const char *name;   /* "" if the content gives none */
    size_t piece_count; /* at least 1 */
    ptl_amount max;     /* how often it may be applied in a phase, drawn when that begins */
    int32_t shared;     /* the special's shared number that multiplies max; -1: none */
    int32_t weight;     /* among the rules that fit, at most what is left of max; -1: that */
    int32_t join;       /* that placing must resolve, by its number; -1: any */
    ptl_height z;       /* the levels for the rule's origin */
    bool rotate;        /* it may be turned */
    bool has_overmap;   /* it exists on the overmap (overmap_x, overmap_y) alone */
    int32_t overmap_x, overmap_y;
} ptl_special_rule;

/* A piece of a rule, relative to the rule's origin, with the rule turned to the north. */
typedef struct ptl_special_rule_piece {
    size_t size;
    size_t piece; /* number among the special's pieces */
    int32_t x, y, z;
    int32_t rotation; /* 0..3 = north, east, south, west */
} ptl_special_rule_piece;

/* A number that is drawn once for a growth, and multiplies what rules name it. */
typedef struct ptl_special_shared {
    size_t size;
    ptl_amount amount; /* never unlimited */
} ptl_special_shared;

#define PTL_SPECIAL_PIECE_INIT      PTL_SIZED(ptl_special_piece)
#define PTL_SPECIAL_JOIN_INIT       PTL_SIZED(ptl_special_join)
#define PTL_SPECIAL_PHASE_INIT      PTL_SIZED(ptl_special_phase)
#define PTL_SPECIAL_RULE_INIT       PTL_SIZED(ptl_special_rule)
#define PTL_SPECIAL_RULE_PIECE_INIT PTL_SIZED(ptl_special_rule_piece)
#define PTL_SPECIAL_SHARED_INIT     PTL_SIZED(ptl_special_shared)

PTL_API ptl_status ptl_catalogue_special_piece(ptl_special_piece *out,
                                               const ptl_catalogue *catalogue, size_t special,
                                               size_t number);
PTL_API ptl_status ptl_catalogue_special_join(ptl_special_join *out,
                                              const ptl_catalogue *catalogue, size_t special,
                                              size_t number);
PTL_API ptl_status ptl_catalogue_special_phase(ptl_special_phase *out,
                                               const ptl_catalogue *catalogue, size_t special,
                                               size_t number);
PTL_API ptl_status ptl_catalogue_special_rule(ptl_special_rule *out,
                                              const ptl_catalogue *catalogue, size_t special,
                                              size_t phase, size_t number);
PTL_API ptl_status ptl_catalogue_special_rule_piece(ptl_special_rule_piece *out,
                                                    const ptl_catalogue *catalogue,
                                                    size_t special, size_t phase, size_t rule,
                                                    size_t number);
PTL_API ptl_status ptl_catalogue_special_shared(ptl_special_shared *out,
                                                const ptl_catalogue *catalogue, size_t special,
                                                size_t number);

/* ---- regions ---- */

/* What is drawn by weight from a region's lists. */
typedef enum ptl_region_bin {
    PTL_BIN_HOUSES,
    PTL_BIN_SHOPS,
    PTL_BIN_PARKS,
    PTL_BIN_FINALES,      /* one for each city */
    PTL_BIN_TRAILHEADS,   /* where forest trails begin */
    PTL_BIN_URBAN_HOUSES, /* of larger cities, in place of the houses */
    PTL_BIN_URBAN_SHOPS
} ptl_region_bin;

/* Settings of generation: schema/generation.md 6 says what each of them does. */
typedef struct ptl_region {
    size_t size;
    const char *id;
    size_t default_oter;   /* fills level 0 */
    double river_scale;    /* 0: no rivers */
    double lake_threshold; /* lake where the lake noise is above it */
    int32_t lake_size_min; /* cells */
    int32_t lake_depth;    /* z of the bed */
    double forest_threshold, forest_thick_threshold;
    double swamp_adjacent_threshold, swamp_isolated_threshold;
    int32_t floodplain_min, floodplain_max;                   /* OMTs */
    int32_t ravine_count, ravine_range, ravine_width;         /* of a chunk; OMTs; OMTs */
    int32_t ravine_depth;                                     /* z of the floor */
    int32_t city_size, city_spacing;                          /* -1: the world's options */
    int32_t shop_radius, shop_sigma, park_radius, park_sigma; /* percent of the city's size */
    int32_t trail_chance;     /* one in so many forests has trails; 0: none */
    int32_t trailhead_chance; /* one in so many ends of trails has a trailhead */
} ptl_region;

#define PTL_REGION_INIT PTL_SIZED(ptl_region)

PTL_API ptl_status ptl_catalogue_region(ptl_region *out, const ptl_catalogue *catalogue,
                                        size_t number);

/* An entry of a bin. */
typedef struct ptl_region_choice {
    size_t size;
    size_t special; /* number */
    uint64_t weight;
} ptl_region_choice;

#define PTL_REGION_CHOICE_INIT PTL_SIZED(ptl_region_choice)

/* Gives a bin's choices in order of the specials; entries of weight 0 are left out. */
PTL_API ptl_status ptl_catalogue_region_choice(ptl_region_choice *out,
                                               const ptl_catalogue *catalogue, size_t region,
                                               ptl_region_bin bin, size_t number);
/* Do the region's feature flags keep the special out? false if there is no such region. */
PTL_API bool ptl_catalogue_special_is_excluded(const ptl_catalogue *catalogue, size_t region,
                                               size_t special);

#ifdef __cplusplus
}
#endif
#endif
