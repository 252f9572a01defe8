/*
 * Reads what a content defines, without SQL: terrains, locations, connections, specials and
 * regions, in the form in which generation uses them.
 *
 * A catalogue never changes, so that any number of threads may read it. The entries of each
 * kind are numbered from 0; the same content always gives the same numbers. Texts are UTF-8
 * and never NULL unless a comment says so. Texts, lists and sets belong to the catalogue and
 * are valid until it is freed.
 *
 * Structs that a call fills carry their size: initialise them with their _INIT macro
 * (status.h). A call returns PTL_ERR_ARGUMENT if the size was not set.
 */
#ifndef PORTOLAN_CATALOGUE_H
#define PORTOLAN_CATALOGUE_H

#include "portolan/style.h"
#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_catalogue ptl_catalogue;

/* Loads the present content of a file. *out is the caller's: free it with ptl_catalogue_free.
 * The catalogue does not depend on the store afterwards. PTL_ERR_CONTENT if the file has no
 * content yet. */
PTL_API ptl_status ptl_catalogue_load(ptl_catalogue **out, ptl_store *store, ptl_error *err);
PTL_API void ptl_catalogue_free(ptl_catalogue *catalogue); /* freeing NULL does nothing */

/*
 * Returns the content that the world was opened with (ptl_world_open). Borrowed until the
 * world is closed, or until a call moves the world to another content (ptl_regenerate, or
 * generating after accept_content). The catalogue lists the content's own terrains and oters
 * first, then those that occur only in saved chunks of the world and come from contents that
 * the file held earlier. The latter can be shown, but generation never places them.
 */
PTL_API const ptl_catalogue *ptl_world_catalogue(const ptl_world *world);

/* Returns the content's digest, 64 hexadecimal digits: see ptl_import_report. */
PTL_API const char *ptl_catalogue_digest(const ptl_catalogue *catalogue);

/* The kinds of entries of a catalogue. The comment at each kind says in which order its
 * entries are numbered. */
typedef enum ptl_content_kind {
    PTL_CONTENT_TERRAIN,    /* overmap terrains, sorted by id; those of earlier contents come
                             * last */
    PTL_CONTENT_OTER,       /* oters: terrains with a rotation or line shape. An OMT holds the
                             * number of its oter. The oters of one terrain follow each other;
                             * oters of earlier contents come last */
    PTL_CONTENT_LOCATION,   /* named sets of terrains, sorted by id */
    PTL_CONTENT_CONNECTION, /* roads and other lines, sorted by id */
    PTL_CONTENT_SPECIAL,    /* specials, city buildings, and single terrains that a region
                             * lists like buildings (with the id "FakeSpecial_<terrain>"),
                             * sorted by id */
    PTL_CONTENT_REGION      /* region settings, sorted by id */
} ptl_content_kind;

enum { PTL_CONTENT_NONE = 0xffff }; /* in place of an entry's number: there is no entry */

/* Returns how many entries of a kind there are; 0 if `kind` is no ptl_content_kind. */
PTL_API size_t ptl_catalogue_count(const ptl_catalogue *catalogue, ptl_content_kind kind);
/* Finds the number of an entry by its id, with a binary search. PTL_ERR_NOT_FOUND if no entry
 * has this id; *out is PTL_CONTENT_NONE then. */
PTL_API ptl_status ptl_catalogue_find(size_t *out, const ptl_catalogue *catalogue,
                                      ptl_content_kind kind, const char *id);

/*
 * All calls in the rest of this header return PTL_ERR_NOT_FOUND if the catalogue has no entry
 * with the given number. Calls for a part of an entry (an OMT, piece, subtype and so on) also
 * return it if the entry has no part with the given number. *out is empty then: texts are "",
 * numbers 0, lists and sets NULL.
 */

/* ---- terrains ---- */

typedef enum ptl_terrain_shape {
    PTL_TERRAIN_FIXED,     /* the terrain has one oter */
    PTL_TERRAIN_ROTATABLE, /* the terrain has four oters, one for each rotation */
    PTL_TERRAIN_LINE       /* the terrain has sixteen oters, one for each set of directions in
                            * which a line leads on: roads, railroads, tunnels */
} ptl_terrain_shape;

/* An overmap terrain. Each oter belongs to one overmap terrain. */
typedef struct ptl_terrain_type {
    size_t size;
    const char *id;
    const char *name;         /* name for people, in the singular; "" if the content gives
                               * none */
    const char *color;        /* the content's colour name, e.g. "light_green"; "" if none */
    uint32_t symbol;          /* symbol as a Unicode code point; 0 if none */
    const char *const *flags; /* the content's flags, in strcmp order, e.g. "RIVER",
                               * "SIDEWALK" */
    size_t flag_count;
    ptl_terrain_shape shape;
    size_t first; /* number of the terrain's first oter. The terrain has the oters first ..
                     first + count - 1, ordered by rotation (north, east, south, west) or, for a
                     line, by ptl_terrain.arms. PTL_CONTENT_NONE for a terrain of an earlier
                     content, because some of its oters may be missing */
    size_t count;
    ptl_map_class map_class; /* what the terrain is on maps */
} ptl_terrain_type;

/* An oter: a terrain with its rotation or line shape, as it stands in an OMT. */
typedef struct ptl_terrain {
    size_t size;
    const char *id;   /* id of the oter, with its rotation or line shape: "house_north",
                       * "road_ns" */
    const char *type; /* id of the oter's overmap terrain: "house", "road" */
    const char *name; /* name and color are those of the oter's overmap terrain */
    const char *color;
    /* Symbol as a Unicode code point; it is that of the oter's rotation. 0: none. */
    uint32_t symbol;
    const char *const *flags; /* flags of the oter's overmap terrain */
    size_t flag_count;
    size_t type_number; /* number of the oter's overmap terrain, of kind PTL_CONTENT_TERRAIN */
    ptl_terrain_shape shape;
    int32_t rotation; /* 0 north, 1 east, 2 south, 3 west; 0 if the terrain is not rotatable */
    uint32_t arms;    /* directions in which a line leads on: bit 0 north, 1 east, 2 south, 3
                       * west; 0 unless the oter is a line */
    uint32_t past;    /* 1 if the oter comes from an earlier content, not from the catalogue's
                       * own; else 0 */
    ptl_map_class map_class; /* what the oter's overmap terrain is on maps */
} ptl_terrain;

#define PTL_TERRAIN_TYPE_INIT PTL_SIZED(ptl_terrain_type)
#define PTL_TERRAIN_INIT      PTL_SIZED(ptl_terrain)

/* Describes an overmap terrain by its number. */
PTL_API ptl_status ptl_catalogue_terrain(ptl_terrain_type *out, const ptl_catalogue *catalogue,
                                         size_t number);
/* Describes an oter by its number. An OMT of a chunk has this number as its ptl_oter. The call
 * takes constant time. */
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

/* A location: a named set of terrains, which the content gives by ids or by flags. */
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
    size_t default_terrain; /* number of the terrain that the connection has by default;
                             * PTL_CONTENT_NONE if the content states none */
    bool p2p;               /* true: the `layout` of the connection is "p2p" (from point to
                             * point); false: it is "city" */
    size_t subtype_count;
    ptl_terrain_set terrains; /* the terrains that the subtypes draw: an OMT with one of these
                               * terrains is part of a line of the connection */
} ptl_connection;

/* One way of drawing a connection on some set of terrains. The subtypes are in the content's
 * order, because an OMT is drawn with the first subtype that allows its terrain. */
typedef struct ptl_connection_subtype {
    size_t size;
    size_t terrain; /* the number of the terrain that is drawn */
    ptl_terrain_shape shape;
    bool orthogonal;        /* the flag ORTHOGONAL: of ways with equal costs, the way with the
                             * fewest turns is taken */
    bool perpendicular;     /* the flag PERPENDICULAR_CROSSING: the line makes no turn on an
                             * OMT of this subtype */
    bool in_place;          /* the subtype names no locations, so that it is drawn only on OMTs
                             * that have its terrain already */
    int32_t basic_cost;     /* what an OMT of this subtype adds to the cost of a way, beside the
                             * 5 that each new OMT of the way costs */
    int32_t weight;         /* if above 0: of the subtypes that allow an OMT's terrain, one is
                             * chosen at random by weight */
    ptl_terrain_set allows; /* terrains on which the subtype can be drawn: those of its
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
    PTL_SPECIAL_FIXED,   /* a special whose definition lists its OMTs */
    PTL_SPECIAL_MUTABLE, /* a special that grows from pieces that fit together at joins */
    PTL_SPECIAL_BUILDING /* a building of cities: its definition lists its OMTs, and cities
                          * choose it at random by weight from the lists of the region
                          * (ptl_region_bin) */
} ptl_special_kind;

/* The flags of specials that change how generation places them, as bits. The content's
 * OVERMAP_UNIQUE counts as UNIQUE. */
enum {
    /* An overmap has at most one of the special; its occurrences (min, max) state that min of
     * max overmaps have one. */
    PTL_SPECIAL_UNIQUE = 1u << 0,
    PTL_SPECIAL_GLOBALLY_UNIQUE = 1u << 1, /* a world has at most one of the special */
    PTL_SPECIAL_LAKE = 1u << 2,
    PTL_SPECIAL_RIVER = 1u << 3,
    PTL_SPECIAL_OCEAN = 1u << 4,
    /* The special gets further OMTs, which are spread at random around the OMTs of its
     * definition. */
    PTL_SPECIAL_BLOB = 1u << 5,
    PTL_SPECIAL_ENDGAME = 1u << 6,    /* the special is placed before all others, in the
                                       * overmap (0, 0) */
    PTL_SPECIAL_SAFE = 1u << 7,       /* the flag SAFE_AT_WORLDGEN: the special's OMTs get no
                                       * monster groups */
    PTL_SPECIAL_CITY_UNIQUE = 1u << 8 /* a city has at most one of the special */
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
    bool rotate; /* true: the special may be rotated */
    /* True: the special's effect_on_condition has a condition that the content's mods do not
     * meet, so that the rule of placement never places it. Conditions that only the running
     * game can judge count as met. */
    bool conditional;
    uint32_t flags; /* the special's flags as bits: PTL_SPECIAL_UNIQUE and so on */
    /* How many of the special an overmap has. A UNIQUE special is in `min` of `max` overmaps.
     */
    ptl_range occurrences;
    ptl_range city_distance;   /* allowed distances to the nearest city, in OMTs */
    ptl_range city_sizes;      /* allowed sizes of the city that is nearest to the special */
    int32_t priority;          /* specials with a higher priority are placed first */
    const char *monster_group; /* id of the monster group that comes with the special; "":
                                * none */
    ptl_range monsters;        /* how many monsters the special's monster group may have */
    ptl_range monster_radius;  /* radius of the special's monster group, in submaps (half
                                * OMTs) */
    int32_t x0, y0, x1, y1;    /* bounding box of the special's OMTs, both ends included */
    int32_t z0, z1;            /* lowest and highest level of the bounding box. A mutable
                                * special has no box: x0 to z1 have no meaning */
    size_t omt_count;          /* number of the special's OMTs; 0 for a mutable special, and
                                * for a special that a mod has switched off */
    size_t piece_count;        /* number of kinds of pieces of a mutable special, else 0 */
    size_t root;               /* number of the piece that a mutable special begins with */
    size_t join_count;         /* number of joins of a mutable special, else 0 */
    size_t link_count;         /* number of lines that are drawn to a fixed special
                                * (ptl_special_link) */
    size_t nested_count;       /* number of other specials that are placed together with this
                                * one */
    /* Number of conditions that the terrain must meet before the special is placed
     * (ptl_special_check). */
    size_t check_count;
    size_t phase_count;  /* number of phases of growth of a mutable special, else 0 */
    size_t shared_count; /* how many random numbers (ptl_special_shared) the rules of a mutable
                            special share, else 0 */
} ptl_special;

#define PTL_SPECIAL_INIT PTL_SIZED(ptl_special)

/* Describes a special by its number. Further calls describe its OMTs, connections, pieces and
 * so on, which are numbered from 0 within each kind. */
PTL_API ptl_status ptl_catalogue_special(ptl_special *out, const ptl_catalogue *catalogue,
                                         size_t number);

/* An OMT of a fixed special or city building. */
typedef struct ptl_special_omt {
    size_t size;
    int32_t x, y, z;
    ptl_oter oters[4];  /* the oter that is placed if the special is rotated to the north,
                         * east, south, west */
    bool own_locations; /* true: the content states locations for this OMT, from which `allows`
                           follows; false: `allows` follows from the locations of the whole
                           special */
    ptl_terrain_set allows; /* terrains that an OMT may have before the oter is placed on it */
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
    int32_t direction; /* the direction from the special to the point, 0..3 = north, east,
                        * south, west; -1: not stated */
    bool existing; /* true: a line of the connection must already be at the point, so no line is
                      drawn */
    size_t connection;       /* number of the connection that is drawn */
    ptl_terrain_set carries; /* the terrains of which a line of the connection may consist */
} ptl_special_link;

/* Another special that is placed together with a special. Its origin lies at x, y, z, relative
 * to the origin of the special that it belongs to. */
typedef struct ptl_special_nested {
    size_t size;
    int32_t x, y, z;
    size_t special; /* number of the other special, which is placed together with this one */
} ptl_special_nested;

/* A condition that must be met before a special is placed: all cells of a box (both ends
 * included) must have one of the terrains `allows`. A fixed special has such checks for points
 * beside its own OMTs. A mutable special for which the content states no checks has one check,
 * for its root piece. */
typedef struct ptl_special_check {
    size_t size;
    int32_t x0, y0, z0, x1, y1, z1;
    bool own_locations;     /* true: `allows` follows from locations that the content states
                             * for this check; false: from the locations of the whole special */
    ptl_terrain_set allows; /* The check is passed if all cells x0..x1, y0..y1, z0..z1 have
                               terrains of this set. */
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
    PTL_JOIN_MANDATORY, /* when growth has ended, another piece must face the side that has this
                         * join, with the opposite join */
    PTL_JOIN_OPTIONAL,  /* another piece may face the side that has this join, with the opposite
                           join; growth places pieces there */
    PTL_JOIN_AVAILABLE, /* another piece may face the side that has this join, with the opposite
                           join, but growth does not place a piece there for this */
    PTL_JOIN_REJECT     /* the side that has this join must not face a side of another piece
                         * with the opposite join */
} ptl_join_type;

/* The number of sides of a piece. Sides are numbered in the order north, east, south, west,
 * above, below. */
enum { PTL_SIDES = 6 };

/* One side of a piece. */
typedef struct ptl_piece_side {
    int32_t join; /* number of the side's join among the joins of the special; -1: the side has
                   * no join, and the other members of this struct have no meaning */
    ptl_join_type type;
    size_t alternative_count;
    /* Numbers of other joins of the special; this side of the piece may also be placed
     * beside a piece that has one of these. */
    const uint16_t *alternatives;
} ptl_piece_side;

/* A kind of piece of a mutable special. A special's pieces are sorted by id; phases and rules
 * say in which order they are placed. */
typedef struct ptl_special_piece {
    size_t size;
    const char *id;         /* id of the piece, unique inside the special */
    ptl_oter oters[4];      /* the oter that is placed if the piece is rotated to the north,
                             * east, south, west */
    ptl_terrain_set allows; /* terrains that an OMT may have before the oter is placed on it */
    ptl_piece_side sides[PTL_SIDES];
    size_t connections[PTL_SIDES]; /* number of the connection that is drawn from this side of
                                      the piece, once all of the special is placed;
                                      PTL_CONTENT_NONE: none */
} ptl_special_piece;

/* A join of a mutable special. Its number is its priority: while the special grows, the open
 * join with the smallest number is the next that gets a piece. */
typedef struct ptl_special_join {
    size_t size;
    const char *id;       /* id of the join, unique inside the special */
    size_t opposite;      /* number of the join that the facing side of a neighbouring piece
                           * must have; often this join's own number */
    ptl_terrain_set into; /* the terrains that the OMT beyond the join may have as long as no
                           * piece is there */
} ptl_special_join;

/* How a random number is chosen. */
typedef enum ptl_amount_kind {
    PTL_AMOUNT_UNLIMITED,
    PTL_AMOUNT_FIXED,   /* the number is always `low` */
    PTL_AMOUNT_RANGE,   /* each number from low to high has the same chance */
    PTL_AMOUNT_POISSON, /* Poisson distribution with the mean `mean` */
    PTL_AMOUNT_CHANCE,  /* 1 with the probability `mean`, else 0 */
    PTL_AMOUNT_BINOMIAL /* number of successes in `trials` trials, each with the probability
                         * `mean` */
} ptl_amount_kind;

typedef struct ptl_amount {
    ptl_amount_kind kind;
    int32_t low, high; /* bounds of the random number, low <= high; 0 if `kind` does not use
                        * them */
    double mean; /* the mean of a Poisson distribution, or the probability for PTL_AMOUNT_CHANCE
                    and PTL_AMOUNT_BINOMIAL; finite, not negative */
    int32_t trials;
    bool bounded; /* true: a random number outside of low..high is replaced by the nearer
                   * bound; only for Poisson and binomial */
} ptl_amount;

/* How the levels on which a rule may be applied are given. */
typedef enum ptl_height_kind {
    PTL_HEIGHT_ANY,
    PTL_HEIGHT_RANGE,  /* the levels low..high, both included */
    PTL_HEIGHT_TOP,    /* the rule's origin lies at or above the highest OMT that the growth
                        * has placed so far */
    PTL_HEIGHT_BOTTOM, /* the rule's origin lies at or below the lowest OMT that the growth has
                        * placed so far */
    PTL_HEIGHT_OFFSET  /* the rule's origin lies exactly `top` levels above the highest OMT that
                          the growth has placed so far, or `bottom` levels above the lowest one;
                          negative numbers: below it */
} ptl_height_kind;

typedef struct ptl_height {
    ptl_height_kind kind;
    int32_t low, high, top, bottom; /* levels, or distances in levels; which of them are used
                                       depends on `kind`, and the others are 0 */
    bool has_top, has_bottom;       /* for PTL_HEIGHT_OFFSET: whether `top` and `bottom` have a
                                     * meaning; at least one of them has */
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
    const char *name;   /* the rule's name; "" if the content gives none */
    size_t piece_count; /* number of pieces that the rule places together, at least 1 */
    ptl_amount max;     /* how many times the rule may be applied in a phase; the number is
                         * chosen at random when the phase begins */
    int32_t shared;     /* number of the ptl_special_shared by which max is multiplied; -1:
                         * none */
    /* Weight with which the rule is chosen at random among the rules that fit, but at most the
     * number of times that the rule may still be applied in the present phase. -1: the weight
     * is that number. */
    int32_t weight;
    int32_t join;     /* number of the open join that the rule's pieces must close when the
                       * rule is applied; -1: any open join */
    ptl_height z;     /* the levels on which the rule's origin may lie */
    bool rotate;      /* true: the rule may be rotated */
    bool has_overmap; /* true: growth applies the rule only in the overmap (overmap_x,
                         overmap_y) */
    int32_t overmap_x, overmap_y;
} ptl_special_rule;

/* A piece of a rule. Its position is relative to the rule's origin, and its rotation is given
 * for the rule without rotation. */
typedef struct ptl_special_rule_piece {
    size_t size;
    size_t piece; /* number of the piece among the special's pieces */
    int32_t x, y, z;
    int32_t rotation; /* 0..3 = north, east, south, west */
} ptl_special_rule_piece;

/* A random number that is chosen once for each growth. The `max` of each rule that names it
 * is multiplied by it. */
typedef struct ptl_special_shared {
    size_t size;
    ptl_amount amount; /* how the number is chosen; its kind is never PTL_AMOUNT_UNLIMITED */
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

/* The lists of a region from which specials and buildings are chosen at random by weight. */
typedef enum ptl_region_bin {
    PTL_BIN_HOUSES,
    PTL_BIN_SHOPS,
    PTL_BIN_PARKS,
    PTL_BIN_FINALES,      /* finales: remarkable buildings, of which a large city gets one */
    PTL_BIN_TRAILHEADS,   /* specials that are placed where forest trails begin */
    PTL_BIN_URBAN_HOUSES, /* used in larger cities in place of PTL_BIN_HOUSES;
                             PTL_BIN_URBAN_SHOPS is used there in place of PTL_BIN_SHOPS */
    PTL_BIN_URBAN_SHOPS
} ptl_region_bin;

/* A region: settings of generation. schema/generation.md 6 says what each of them does. */
typedef struct ptl_region {
    size_t size;
    const char *id;
    size_t default_oter;   /* number of the oter that fills level 0 before anything is
                            * placed */
    double river_scale;    /* half width of rivers in OMTs; below 1, rivers are rarer; 0: there
                            * are no rivers */
    double lake_threshold; /* a place is in a lake if the noise function for lakes has a value
                              above this number there */
    int32_t lake_size_min; /* the fewest cells that a lake has */
    int32_t lake_depth;    /* z of the lake bed */
    double forest_threshold, forest_thick_threshold;
    double swamp_adjacent_threshold, swamp_isolated_threshold;
    int32_t floodplain_min, floodplain_max; /* least and greatest reach of a floodplain from
                                             * its river, in OMTs */
    /* Ravines: how many a chunk has, the greatest distance between the two ends of a ravine,
     * and half the width of a ravine, both in OMTs. */
    int32_t ravine_count, ravine_range, ravine_width;
    int32_t ravine_depth; /* z of the ravine's floor */
    /* Size and spacing of cities; -1: the settings of the world apply. */
    int32_t city_size, city_spacing;
    /* Shops are built within a random radius around a city's centre, and parks within another
     * random radius. These members are the mean and the standard deviation (sigma) of both
     * radii, in percent of the city's size. */
    int32_t shop_radius, shop_sigma, park_radius, park_sigma;
    int32_t trail_chance;     /* one in this many forests has trails; 0: no forest has
                               * trails */
    int32_t trailhead_chance; /* one in this many ends of forest trails has a trailhead (a
                               * special where the trail begins) */
} ptl_region;

#define PTL_REGION_INIT PTL_SIZED(ptl_region)

PTL_API ptl_status ptl_catalogue_region(ptl_region *out, const ptl_catalogue *catalogue,
                                        size_t number);

/* One entry of a bin (ptl_region_bin): a special or building that a region may choose. */
typedef struct ptl_region_choice {
    size_t size;
    size_t special; /* number of the special or building */
    uint64_t weight;
} ptl_region_choice;

#define PTL_REGION_CHOICE_INIT PTL_SIZED(ptl_region_choice)

/* Gives an entry of one of the region's weighted lists (ptl_region_bin). Entries are numbered
 * in the order in which the catalogue numbers their specials. Entries of weight 0 are left out.
 */
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
