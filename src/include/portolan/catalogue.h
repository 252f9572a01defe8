/*
 * What a content defines, for reading without SQL: terrains, locations, connections, specials
 * and regions, in the form in which generation uses them.
 *
 * A catalogue never changes, so that any number of threads may read it. The entries of each
 * kind are numbered from 0; the same content always gives the same numbers. Texts are UTF-8
 * and never NULL unless a comment says so. Texts, lists and sets belong to the catalogue and
 * are valid until it is freed.
 *
 * Structs that a call fills carry their size: initialise them with their _INIT macro
 * (status.h). PTL_ERR_ARGUMENT if the size was not set.
 */
#ifndef PORTOLAN_CATALOGUE_H
#define PORTOLAN_CATALOGUE_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_catalogue ptl_catalogue;

/* Loads the present content of a file. *out is the caller's: free it with ptl_catalogue_free.
 * It does not depend on the store afterwards. PTL_ERR_CONTENT if the file has no content
 * yet. */
PTL_API ptl_status ptl_catalogue_load(ptl_catalogue **out, ptl_store *store, ptl_error *err);
PTL_API void ptl_catalogue_free(ptl_catalogue *catalogue); /* NULL is fine */

/*
 * Returns the content that the world was opened with (ptl_world_open). Borrowed until the
 * world is closed, or until a call moves the world to another content (ptl_regenerate, or
 * generating after accept_content). After the content's own terrains and oters follow those
 * that occur only in saved chunks of the world and come from contents that the file held
 * earlier. They can be shown, but generation never places them.
 */
PTL_API const ptl_catalogue *ptl_world_catalogue(const ptl_world *world);

/* Returns the content's digest, 64 hexadecimal digits: see ptl_import_report. */
PTL_API const char *ptl_catalogue_digest(const ptl_catalogue *catalogue);

/* Kinds of entries, and the order of their numbers. */
typedef enum ptl_content_kind {
    PTL_CONTENT_TERRAIN,    /* overmap terrains, sorted by id; then those of earlier
                             * contents */
    PTL_CONTENT_OTER,       /* oters: terrains with a rotation or line shape. Their numbers are
                             * what OMTs hold. The oters of one terrain are consecutive; those
                             * of earlier contents come last */
    PTL_CONTENT_LOCATION,   /* named sets of terrains, sorted by id */
    PTL_CONTENT_CONNECTION, /* roads and other lines, sorted by id */
    PTL_CONTENT_SPECIAL,    /* specials, city buildings, and single terrains that a region
                             * lists like buildings (with the id "FakeSpecial_<terrain>"),
                             * sorted by id */
    PTL_CONTENT_REGION      /* region settings, sorted by id */
} ptl_content_kind;

enum { PTL_CONTENT_NONE = 0xffff }; /* stands for a number where there is no entry */

/* Returns how many entries of a kind there are; 0 if the kind is none of the above. */
PTL_API size_t ptl_catalogue_count(const ptl_catalogue *catalogue, ptl_content_kind kind);
/* Finds the number of an entry by its id, with a binary search. PTL_ERR_NOT_FOUND if there is
 * none; *out is PTL_CONTENT_NONE then. */
PTL_API ptl_status ptl_catalogue_find(size_t *out, const ptl_catalogue *catalogue,
                                      ptl_content_kind kind, const char *id);

/*
 * All calls from here on return PTL_ERR_NOT_FOUND if the catalogue, or the entry that was
 * named, has nothing of that number. *out is empty then: texts are "", numbers 0, lists and
 * sets NULL.
 */

/* ---- terrains ---- */

typedef enum ptl_terrain_shape {
    PTL_TERRAIN_FIXED,     /* the terrain has one oter */
    PTL_TERRAIN_ROTATABLE, /* four oters, one for each rotation */
    PTL_TERRAIN_LINE       /* sixteen oters, one for each set of arms: roads, railroads,
                            * tunnels */
} ptl_terrain_shape;

/* An overmap terrain. Each oter belongs to one. */
typedef struct ptl_terrain_type {
    size_t size;
    const char *id;
    const char *name;         /* for people, in the singular; "" if the content gives none */
    const char *color;        /* the content's colour name, e.g. "light_green"; "" if none */
    uint32_t symbol;          /* Unicode code point; 0 if none */
    const char *const *flags; /* the content's flags, in strcmp order, e.g. "RIVER",
                               * "SIDEWALK" */
    size_t flag_count;
    ptl_terrain_shape shape;
    size_t first; /* its oters are first .. first + count - 1, in the order north, east, south,
                   * west or by arms. PTL_CONTENT_NONE for a terrain of an earlier content, of
                   * which not all oters need be present */
    size_t count;
} ptl_terrain_type;

/* An oter: a terrain with its rotation or line shape, as it stands in an OMT. */
typedef struct ptl_terrain {
    size_t size;
    const char *id;   /* with rotation or line shape: "house_north", "road_ns" */
    const char *type; /* id of its overmap terrain: "house", "road" */
    const char *name; /* name and color are those of the overmap terrain */
    const char *color;
    uint32_t symbol;          /* Unicode code point, already rotated like the oter; 0 if
                               * none */
    const char *const *flags; /* the type's */
    size_t flag_count;
    size_t type_number; /* the number of its overmap terrain, of kind PTL_CONTENT_TERRAIN */
    ptl_terrain_shape shape;
    int32_t rotation; /* 0..3 = north, east, south, west; 0 unless rotatable */
    uint32_t arms;    /* where a line leads on: bit 0 north, 1 east, 2 south, 3 west; 0 unless
                       * it is a line */
    uint32_t past;    /* 1 if it comes from an earlier content, not the catalogue's; else 0 */
} ptl_terrain;

#define PTL_TERRAIN_TYPE_INIT PTL_SIZED(ptl_terrain_type)
#define PTL_TERRAIN_INIT      PTL_SIZED(ptl_terrain)

/* Describes an overmap terrain by its number. */
PTL_API ptl_status ptl_catalogue_terrain(ptl_terrain_type *out, const ptl_catalogue *catalogue,
                                         size_t number);
/* Describes an oter by its number, which is the ptl_oter of an OMT. Takes constant time. */
PTL_API ptl_status ptl_catalogue_oter(ptl_terrain *out, const ptl_catalogue *catalogue,
                                      size_t number);
/* Returns whether the oter's terrain has the flag, with a binary search. */
PTL_API bool ptl_terrain_has_flag(const ptl_terrain *terrain, const char *flag);

/* A set of overmap terrains: terrain number t belongs to it if bit t % 64 of word t / 64 is
 * set. NULL is the empty set. */
typedef const uint64_t *ptl_terrain_set;

/* Returns whether a set of this catalogue contains the terrain of that number. */
PTL_API bool ptl_catalogue_set_has(const ptl_catalogue *catalogue, ptl_terrain_set set,
                                   size_t terrain);

/* A location: a named set of terrains, of those that its list or its flags name. */
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
    bool p2p;               /* its layout is "p2p", from point to point; else "city" */
    size_t subtype_count;
    ptl_terrain_set terrains; /* the terrains that its subtypes draw: an OMT of one of them is
                               * part of such a line */
} ptl_connection;

/* One way of drawing a connection on some kind of ground. The subtypes keep the content's
 * order, since the first that allows the ground is drawn. */
typedef struct ptl_connection_subtype {
    size_t size;
    size_t terrain; /* the number of the terrain that is drawn */
    ptl_terrain_shape shape;
    bool orthogonal;        /* ORTHOGONAL: of ways with equal costs, the one with the fewest
                             * turns is taken */
    bool perpendicular;     /* PERPENDICULAR_CROSSING: the line makes no turn on an OMT of this
                             * subtype */
    bool in_place;          /* it names no locations: it is drawn only where its terrain is
                             * already */
    int32_t basic_cost;     /* cost of an OMT, added to the 5 that each new OMT costs */
    int32_t weight;         /* if above 0, one of the subtypes that allow the ground is drawn
                             * at random by weight */
    ptl_terrain_set allows; /* the ground on which it can be drawn: the terrains of its
                             * locations, and its own */
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
    PTL_SPECIAL_FIXED,   /* its OMTs are listed in its definition */
    PTL_SPECIAL_MUTABLE, /* it grows from pieces that fit together at joins */
    PTL_SPECIAL_BUILDING /* a city building: its OMTs are listed, and cities draw it from the
                          * region's bins */
} ptl_special_kind;

/* Those flags of specials that generation takes notice of. The content's OVERMAP_UNIQUE counts
 * as UNIQUE. */
enum {
    PTL_SPECIAL_UNIQUE = 1u << 0,          /* at most one in an overmap, with the chance min in
                                            * max of its occurrences */
    PTL_SPECIAL_GLOBALLY_UNIQUE = 1u << 1, /* at most one in a world */
    PTL_SPECIAL_LAKE = 1u << 2,
    PTL_SPECIAL_RIVER = 1u << 3,
    PTL_SPECIAL_OCEAN = 1u << 4,
    PTL_SPECIAL_BLOB = 1u << 5,       /* more of its OMTs are spread around it */
    PTL_SPECIAL_ENDGAME = 1u << 6,    /* placed before all other specials, in the overmap (0,
                                       * 0) */
    PTL_SPECIAL_SAFE = 1u << 7,       /* SAFE_AT_WORLDGEN: no monster groups on its OMTs */
    PTL_SPECIAL_CITY_UNIQUE = 1u << 8 /* at most one in a city */
};

enum { PTL_UNBOUNDED = INT32_MAX };

/* A range with both ends included. max PTL_UNBOUNDED: there is no upper bound. */
typedef struct ptl_range {
    int32_t min, max;
} ptl_range;

/* A special. Positions inside it are OMTs relative to its origin, for the special as it lies
 * without rotation. */
typedef struct ptl_special {
    size_t size;
    const char *id;
    ptl_special_kind kind;
    bool rotate; /* it may be rotated */
    /* True: its effect_on_condition has a condition that the content's mods do not meet, so
     * that no rule ever asks for it. Conditions that only the running game can judge count as
     * met. */
    bool conditional;
    uint32_t flags;            /* bits: PTL_SPECIAL_UNIQUE and so on */
    ptl_range occurrences;     /* how many an overmap has; of a UNIQUE special: min in max
                                * overmaps have one */
    ptl_range city_distance;   /* allowed distances to the nearest city, in OMTs */
    ptl_range city_sizes;      /* allowed sizes of the nearest city */
    int32_t priority;          /* higher ones are placed first */
    const char *monster_group; /* id of the monster group that it brings along; "": none */
    ptl_range monsters;        /* population of that group */
    ptl_range monster_radius;  /* radius of that group in submaps (half OMTs) */
    int32_t x0, y0, x1, y1;    /* bounding box of its OMTs, both ends included */
    int32_t z0, z1;            /* levels of that box. A mutable special has no box: all six
                                * members are without meaning */
    size_t omt_count;          /* number of its OMTs; 0 for a mutable special, and if a mod has
                                * switched it off */
    size_t piece_count;        /* kinds of pieces of a mutable special, else 0 */
    size_t root;               /* number of the piece that a mutable special begins with */
    size_t join_count;         /* joins of a mutable special, else 0 */
    size_t link_count;         /* connections of a fixed special */
    size_t nested_count;       /* other specials that are placed together with it */
    size_t check_count;        /* checks of ground (ptl_special_check) */
    size_t phase_count;        /* phases of growth, and shared numbers, of a mutable special;
                                * else 0 */
    size_t shared_count;
} ptl_special;

#define PTL_SPECIAL_INIT PTL_SIZED(ptl_special)

/* Describes a special by its number. The calls below describe its parts; they are numbered
 * from 0 inside the special. */
PTL_API ptl_status ptl_catalogue_special(ptl_special *out, const ptl_catalogue *catalogue,
                                         size_t number);

/* An OMT of a fixed special or city building. */
typedef struct ptl_special_omt {
    size_t size;
    int32_t x, y, z;
    ptl_oter oters[4];      /* the oter that is placed if the special is rotated to the north,
                             * east, south, west */
    bool own_locations;     /* it states its own locations; else those of the special count */
    ptl_terrain_set allows; /* the terrains on which it may be placed */
} ptl_special_omt;

#define PTL_SPECIAL_OMT_INIT PTL_SIZED(ptl_special_omt)

PTL_API ptl_status ptl_catalogue_special_omt(ptl_special_omt *out,
                                             const ptl_catalogue *catalogue, size_t special,
                                             size_t number);

/* A connection of a fixed special: a line that is drawn to the special. x, y, z is the point,
 * outside of the special's OMTs, at which the line ends. */
typedef struct ptl_special_link {
    size_t size;
    int32_t x, y, z;
    int32_t direction;       /* the direction from the special to the point, 0..3 = north, east,
                              * south, west; -1: not stated */
    bool existing;           /* true: the place must already have such a line; none is drawn */
    size_t connection;       /* number of the connection */
    ptl_terrain_set carries; /* the terrains that count as the connection */
} ptl_special_link;

/* A special that is placed together with this one, with its origin at x, y, z. */
typedef struct ptl_special_nested {
    size_t size;
    int32_t x, y, z;
    size_t special; /* number of the other special */
} ptl_special_nested;

/* A condition on the ground before a special is placed: all cells of a box, both ends
 * included, must be of some terrains. A fixed special has such checks for points beside its
 * own OMTs. A mutable special whose content states none has one for its root piece. */
typedef struct ptl_special_check {
    size_t size;
    int32_t x0, y0, z0, x1, y1, z1;
    bool own_locations;     /* it states its own locations; else those of the special count */
    ptl_terrain_set allows; /* the terrains that the cells may have */
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

/* ---- what mutable specials grow from ---- */

typedef enum ptl_join_type {
    PTL_JOIN_MANDATORY, /* the opposite join of another piece must face it in the end */
    PTL_JOIN_OPTIONAL,  /* the opposite join may face it, and pieces are placed for it */
    PTL_JOIN_AVAILABLE, /* the opposite join may face it, but no piece is placed for it */
    PTL_JOIN_REJECT     /* the opposite join must not face it */
} ptl_join_type;

enum {
    PTL_SIDES = 6
}; /* sides of a piece, in the order north, east, south, west, above,
    * below */

/* One side of a piece. */
typedef struct ptl_piece_side {
    int32_t join; /* number of the join in the special; -1: there is none, and the other
                   * members have no meaning */
    ptl_join_type type;
    size_t alternative_count;
    const uint16_t *alternatives; /* numbers of other joins that this side may also be matched
                                   * with while the piece is being placed */
} ptl_piece_side;

/* A kind of piece of a mutable special. A special's pieces are sorted by id; phases and rules
 * say in which order they are placed. */
typedef struct ptl_special_piece {
    size_t size;
    const char *id;         /* unique inside the special */
    ptl_oter oters[4];      /* the oter that is placed if the piece is rotated to the north,
                             * east, south, west */
    ptl_terrain_set allows; /* the terrains on which it may be placed */
    ptl_piece_side sides[PTL_SIDES];
    size_t connections[PTL_SIDES]; /* number of the connection that is drawn from the side when
                                    * the whole special is placed; PTL_CONTENT_NONE: none */
} ptl_special_piece;

/* A join of a mutable special. Its number is its priority: open joins with the smallest number
 * are served first. */
typedef struct ptl_special_join {
    size_t size;
    const char *id;       /* unique inside the special */
    size_t opposite;      /* number of the join that must face it; often its own number */
    ptl_terrain_set into; /* the terrains that the OMT beyond the join may have as long as no
                           * piece stands there */
} ptl_special_join;

/* How a random number is drawn. */
typedef enum ptl_amount_kind {
    PTL_AMOUNT_UNLIMITED,
    PTL_AMOUNT_FIXED,   /* always `low` */
    PTL_AMOUNT_RANGE,   /* low..high, each with the same chance */
    PTL_AMOUNT_POISSON, /* Poisson distribution with that mean */
    PTL_AMOUNT_CHANCE,  /* 1 with probability mean, else 0 */
    PTL_AMOUNT_BINOMIAL /* how many of `trials` succeed, each with probability mean */
} ptl_amount_kind;

typedef struct ptl_amount {
    ptl_amount_kind kind;
    int32_t low, high; /* low <= high; 0 if the kind does not use them */
    double mean;       /* finite, not negative */
    int32_t trials;
    bool bounded; /* for Poisson and binomial: a number outside of low..high is set to the
                   * nearer end */
} ptl_amount;

/* How the levels on which a rule may be applied are given. */
typedef enum ptl_height_kind {
    PTL_HEIGHT_ANY,
    PTL_HEIGHT_RANGE,  /* the levels low..high, both included */
    PTL_HEIGHT_TOP,    /* at or above the highest OMT that the growth has placed so far */
    PTL_HEIGHT_BOTTOM, /* at or below the lowest OMT that the growth has placed so far */
    PTL_HEIGHT_OFFSET  /* exactly `top` levels from the highest or `bottom` levels from the
                        * lowest OMT placed so far */
} ptl_height_kind;

typedef struct ptl_height {
    ptl_height_kind kind;
    int32_t low, high, top, bottom; /* in levels; 0 if the kind does not use them */
    bool has_top, has_bottom;       /* for PTL_HEIGHT_OFFSET: at least one of them is true */
} ptl_height;

/*
 * A phase of growth. Growth goes through a special's phases in their order; each phase has
 * rules, which are applied one at a time (schema/generation.md 9). Phases without rules would
 * change nothing and are left out.
 */
typedef struct ptl_special_phase {
    size_t size;
    size_t rule_count;
} ptl_special_phase;

/* A rule: one or more pieces that are placed together as a rigid body. */
typedef struct ptl_special_rule {
    size_t size;
    const char *name;   /* "" if the content gives none */
    size_t piece_count; /* at least 1 */
    ptl_amount max;     /* how often it may be applied in a phase; the number is drawn when the
                         * phase begins */
    int32_t shared;     /* index of the special's shared number that max is multiplied with;
                         * -1: none */
    int32_t weight;     /* weight for drawing among the rules that fit, but never more than
                         * what is left of max; -1: what is left of max is the weight */
    int32_t join;       /* number of the join that placing the rule must close; -1: any join */
    ptl_height z;       /* the levels on which the rule's origin may lie */
    bool rotate;        /* it may be rotated */
    bool has_overmap;   /* it is only applied in the overmap (overmap_x, overmap_y) */
    int32_t overmap_x, overmap_y;
} ptl_special_rule;

/* A piece of a rule. Its position is relative to the rule's origin, and its rotation is that
 * for the rule facing north. */
typedef struct ptl_special_rule_piece {
    size_t size;
    size_t piece; /* number among the special's pieces */
    int32_t x, y, z;
    int32_t rotation; /* 0..3 = north, east, south, west */
} ptl_special_rule_piece;

/* A number that is drawn once for each growth. The `max` of each rule that names it is
 * multiplied with it. */
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

/* The lists of a region from which specials and buildings are drawn by weight. */
typedef enum ptl_region_bin {
    PTL_BIN_HOUSES,
    PTL_BIN_SHOPS,
    PTL_BIN_PARKS,
    PTL_BIN_FINALES,      /* one is placed in each city */
    PTL_BIN_TRAILHEADS,   /* placed where forest trails begin */
    PTL_BIN_URBAN_HOUSES, /* used in larger cities in place of PTL_BIN_HOUSES, and the next in
                           * place of PTL_BIN_SHOPS */
    PTL_BIN_URBAN_SHOPS
} ptl_region_bin;

/* A region: settings of generation. schema/generation.md 6 says what each of them does. */
typedef struct ptl_region {
    size_t size;
    const char *id;
    size_t default_oter;   /* number of the oter that fills level 0 before anything is
                            * placed */
    double river_scale;    /* 0: no rivers */
    double lake_threshold; /* there is a lake where the lake noise is above it */
    int32_t lake_size_min; /* the fewest cells that a lake has */
    int32_t lake_depth;    /* z of the lake bed */
    double forest_threshold, forest_thick_threshold;
    double swamp_adjacent_threshold, swamp_isolated_threshold;
    int32_t floodplain_min, floodplain_max; /* OMTs */
    /* How many ravines a chunk has; how far their ends may lie apart, and half their width, in
     * OMTs. */
    int32_t ravine_count, ravine_range, ravine_width;
    int32_t ravine_depth; /* z of the ravine's floor */
    /* -1: the world's settings count. */
    int32_t city_size, city_spacing;
    /* Percent of the city's size. */
    int32_t shop_radius, shop_sigma, park_radius, park_sigma;
    int32_t trail_chance;     /* one in this many forests has trails; 0: no forest has */
    int32_t trailhead_chance; /* one in this many ends of trails has a trailhead */
} ptl_region;

#define PTL_REGION_INIT PTL_SIZED(ptl_region)

PTL_API ptl_status ptl_catalogue_region(ptl_region *out, const ptl_catalogue *catalogue,
                                        size_t number);

/* One entry of a bin. */
typedef struct ptl_region_choice {
    size_t size;
    size_t special; /* number of the special */
    uint64_t weight;
} ptl_region_choice;

#define PTL_REGION_CHOICE_INIT PTL_SIZED(ptl_region_choice)

/* Gives an entry of a bin. Entries are numbered in the order of their specials; those of
 * weight 0 are left out. */
PTL_API ptl_status ptl_catalogue_region_choice(ptl_region_choice *out,
                                               const ptl_catalogue *catalogue, size_t region,
                                               ptl_region_bin bin, size_t number);
/* Returns whether the region's feature flags exclude the special; false if there is no such
 * region. */
PTL_API bool ptl_catalogue_special_is_excluded(const ptl_catalogue *catalogue, size_t region,
                                               size_t special);

#ifdef __cplusplus
}
#endif
#endif
