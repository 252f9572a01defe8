/*
 * Tells why a special is, or is not, in a chunk, and how it grew. Since a chunk is a pure
 * function of its inputs, the calls find out both by generating the chunk again and observing
 * what happens.
 */
#ifndef PORTOLAN_WHY_H
#define PORTOLAN_WHY_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the rule of placement asked for the special in a chunk, or why it did not. */
typedef enum ptl_verdict {
    PTL_VERDICT_ASKED,
    PTL_VERDICT_NO_OCCURRENCES, /* the special's occurrences are 0: only other specials or
                                 * steps of generation place it */
    PTL_VERDICT_NO_OMTS,        /* the special has no OMTs, since a mod has switched it off */
    PTL_VERDICT_NO_CITIES,      /* the special needs a city, and the world has none */
    PTL_VERDICT_EXCLUDED,       /* the feature flags of the region exclude the special */
    PTL_VERDICT_NO_WATER,       /* the special needs lake, ocean or river, and the chunk has
                                 * none */
    PTL_VERDICT_CHANCE,    /* the special was not due in this chunk; its chance decided so */
    PTL_VERDICT_NOT_HOME,  /* a world has at most one of this special, and another chunk is its
                              home */
    PTL_VERDICT_AMOUNT,    /* how many of the special the chunk gets is chosen at
                            * random, and the number was 0 */
    PTL_VERDICT_CONDITION, /* the special has an effect_on_condition that requires mods, and
                              these are not in the content */
    PTL_VERDICT_BUILDING   /* the special is a city building: cities take it from the lists
                            * of the region (ptl_region_bin) */
} ptl_verdict;

/* The tests that an origin must pass, in this order. ptl_why describes them. */
typedef enum ptl_why_test {
    PTL_WHY_GROUND,
    PTL_WHY_LINKED,
    PTL_WHY_CITY,
    PTL_WHY_ROOM
} ptl_why_test;
enum { PTL_WHY_TESTS = PTL_WHY_ROOM + 1 };

/* Bits for the ways, other than the rule of placement, in which a special may get onto the map
 * in the world's region. */
enum {
    PTL_WAY_HOUSE = 1u << 0, /* PTL_WAY_HOUSE, _SHOP, _PARK and _FINALE: cities place the
                              * special, since a list of the region with this name has it
                              * (ptl_region_bin) */
    PTL_WAY_SHOP = 1u << 1,
    PTL_WAY_PARK = 1u << 2,
    PTL_WAY_FINALE = 1u << 3,
    PTL_WAY_TRAILHEAD = 1u << 4,    /* forest trails place the special at their ends */
    PTL_WAY_NESTED = 1u << 5,       /* a special in which this one is nested places it */
    PTL_WAY_HIGHWAY_ROAD = 1u << 6, /* highways place the special as a part of their road: a
                                     * segment, ramp or bridge */
    PTL_WAY_HIGHWAY_END = 1u << 7,  /* highways place the special where a highway ends */
    PTL_WAY_HIGHWAY_BEND = 1u << 8,
    PTL_WAY_HIGHWAY_THREE = 1u << 9, /* highways place the special where three highways meet;
                                        PTL_WAY_HIGHWAY_FOUR: where four meet */
    PTL_WAY_HIGHWAY_FOUR = 1u << 10,
    PTL_WAY_INTERCHANGE = 1u << 11,  /* highways place the special here and there along their
                                      * way */
    PTL_WAY_HIGHWAYS_OFF = 1u << 12, /* the special is a part of highways; the region has
                                        highways, but the world was made without them */
    PTL_WAY_LIMITED = 1u << 13, /* the special's flags say that a city or an overmap may have
                                 * it only once */
    PTL_WAYS_CITY = PTL_WAY_HOUSE | PTL_WAY_SHOP | PTL_WAY_PARK | PTL_WAY_FINALE,
    PTL_WAYS_HIGHWAY = PTL_WAY_HIGHWAY_ROAD | PTL_WAY_HIGHWAY_END | PTL_WAY_HIGHWAY_BEND |
                       PTL_WAY_HIGHWAY_THREE | PTL_WAY_HIGHWAY_FOUR | PTL_WAY_INTERCHANGE
};

/* How generation decides whether a unique special is due in a chunk, that is, should be placed
 * there. A special of which a world has at most one can only be due in its home chunk. */
typedef enum ptl_roll {
    PTL_ROLL_NONE,   /* nothing is chosen at random: the special has no flag UNIQUE or
                        GLOBALLY_UNIQUE, or cities decide whether to place it */
    PTL_ROLL_CHANCE, /* the special is due with a chance: the x in y that its definition states
                      * as occurrences */
    PTL_ROLL_DECK,   /* overmaps are grouped in squares, and each square gets a fixed number of
                        the special; so the special is in x of y overmaps, where x and y are its
                        occurrences (schema/generation.md 8.2) */
    PTL_ROLL_SURE    /* the special is always due in its home chunk */
} ptl_roll;

/* Why a special of which a world has at most one is missing although it was due in the
 * chunk. */
typedef enum ptl_dropped {
    PTL_DROPPED_NOT,  /* the special is not missing: either it was not due, or the chunk has it
                       */
    PTL_DROPPED_RULE, /* the rule of placement asked for the special; the counts of ptl_why
                       * say what was in the way */
    PTL_DROPPED_NO_CITY, /* the special is a building, and no city of the chunk has a size that
                          * allows it */
    PTL_DROPPED_CITY     /* the special is a building, and the city that should have it had no
                          * place for it */
} ptl_dropped;

/* How the search for places of a mutable special ended, if fewer were placed than asked
 * for. */
typedef enum ptl_tried {
    PTL_TRIED_ALL,   /* every origin that the rule of placement may try was tried */
    PTL_TRIED_ENDED, /* too many growths were undone, so that some origins were not tried */
    PTL_TRIED_GROUND /* the chunk has no terrain on which a piece that every growth needs may
                      * lie */
} ptl_tried;

enum { PTL_WHY_NAME_SIZE = 80 };

/* What became of one special in one chunk. The members ground, linked, city and room are
 * numbers of origins that pass the test of this name and all tests before it, in at least one
 * rotation. */
typedef struct ptl_why {
    size_t size;
    ptl_verdict verdict;
    int32_t asked;  /* how many of the special the rule of placement asked for; 0 unless the
                       verdict is PTL_VERDICT_ASKED */
    int32_t ground; /* number of origins at which every OMT of the special would lie on a
                     * terrain of its locations */
    int32_t linked; /* how many of the origins that `ground` counts have the right terrain at
                       the points at which the special's connections end */
    int32_t city;   /* how many of the origins that `linked` counts have a nearest city of the
                       right distance and size */
    /* How many of the origins that `city` counts have room for the special beside all other
     * specials. With the rule sectors: how many sectors have such an origin. */
    int32_t room;
    int32_t failed; /* how many growths of the special were given up, and undone */
    int32_t placed; /* how many of the special the rule of placement placed */
    int32_t others; /* how many of the special were not placed by the rule of placement, but as
                       a part of another special, at the end of a trail or by a city */
    ptl_chunk_pos home; /* for a GLOBALLY_UNIQUE special: the only chunk that may have it */
    /* If `ground` is 0, has_need is true, and the following members say which OMT of the
     * special (or point of a ptl_special_check) is the hardest to place: the one for which the
     * fewest cells of the chunk's level are suitable. need_x, need_y, need_z is its place
     * relative to the origin, need_cells the number of suitable cells. */
    bool has_need;
    int32_t need_x, need_y, need_z;
    int32_t need_cells; /* number of cells that are suitable for the OMT at need_x, need_y,
                         * need_z, on its level of the chunk, 0..32,400 */
    uint32_t ways; /* in which other ways, besides the rule of placement, the special may get
                      onto the map: PTL_WAY_ bits */
    ptl_roll roll; /* for a unique special: what decides at random whether it is due. It was due
                      if the rule asked for the special */
    ptl_dropped dropped;
    int32_t dropped_x, dropped_y; /* for PTL_DROPPED_CITY: place of the city that should have
                                   * the special */
    int32_t cities;               /* number of cities in the chunk */
    /* For a mutable special: id of the join because of which the special could not be placed;
     * "" if there is none. In most cases this is the join that the most growths left open. But
     * if no origin has the right ground (`ground` is 0), and the place need_x, need_y, need_z
     * lies beside the root piece, it is the join on the side of the root piece towards that
     * place. A long id is cut off. */
    char join[PTL_WHY_NAME_SIZE];
    char join_ground[PTL_WHY_NAME_SIZE]; /* id of the overmap terrain on the OMT to which the
                                            open join leads; "" if the join leads over the
                                            border or to another special. If `ground` is 0, it
                                            is the id of the most frequent terrain on the level
                                            of that OMT instead */
    int32_t join_x, join_y, join_z;      /* place of the join, relative to the origin */
    int32_t join_undone;                 /* number of growths that left the join open */
    ptl_tried tried;
} ptl_why;

#define PTL_WHY_INIT PTL_SIZED(ptl_why)

/*
 * Finds out what became of a special in a chunk. The chunk is generated again in memory, saved
 * or not, and nothing is written. PTL_ERR_NOT_FOUND: the content has no such special.
 * PTL_ERR_MISMATCH: the chunk, or, if it is not saved, the world, was made with another
 * content; open the world with as_chunk of ptl_world_open_options.
 *
 * passed is NULL or an array of the caller with 32,400 elements, which is filled if the call
 * returns PTL_OK. passed[y * 180 + x] is the number of tests, 0..PTL_WHY_TESTS, that the
 * origin (x, y) passes in some rotation. So out->ground is the number of elements that are at
 * least PTL_WHY_GROUND + 1, and so on. With the rule sectors, room is not counted by cells: an
 * origin that passes the first three tests has the number 4. All elements are 0 unless the
 * verdict is PTL_VERDICT_ASKED.
 */
PTL_API ptl_status ptl_why_get(ptl_why *out, uint8_t passed[PTL_LEVEL_CELLS], ptl_world *world,
                               const char *special, ptl_chunk_pos pos, ptl_error *err);

/* What the tests say of a special whose origin would lie at one OMT of a chunk. */
typedef struct ptl_why_place {
    size_t size;
    int32_t passed; /* how many tests, 0..PTL_WHY_TESTS, the origin passes in some rotation, as
                     * in `passed` of ptl_why_get */
    /* If the origin fails the first or the second test: in the rotation in which the fewest
     * cells are not as the special needs them, `wrong` of the `cells` that it needs are not.
     * For the second test these are the points at which its connections end. Both are 0 if the
     * special was not asked for, or has no OMTs. */
    int32_t rotation; /* 0..3 = north, east, south, west */
    int32_t wrong, cells;
    int32_t x, y, z; /* the first wrong cell, relative to the origin, in that rotation */
    bool outside;    /* that cell lies outside of the chunk, or in its outermost row of OMTs */
    bool taken;      /* another special stands on that cell */
    char ground[PTL_WHY_NAME_SIZE]; /* id of the overmap terrain on that cell; "" if it lies
                                     * outside. A long id is cut off */
    /* Ids of up to three terrains that the special needs there, separated by ", "; and how many
     * terrains there are in all. */
    char wants[3 * PTL_WHY_NAME_SIZE];
    int32_t want_count;
    /* The city that counts for the special at the origin: the distance of its edge in OMTs, and
     * its size. has_city is false if no city is in reach, or the special was not asked for. */
    bool has_city;
    int32_t city_distance, city_size;
    /* The nearest origin of the chunk that passes all tests, as an absolute OMT. has_nearest is
     * false if there is none. */
    bool has_nearest;
    int64_t nearest_x, nearest_y;
} ptl_why_place;

#define PTL_WHY_PLACE_INIT PTL_SIZED(ptl_why_place)

/*
 * Finds out what became of a special in the chunk of an OMT, as ptl_why_get does, and what the
 * tests say of an origin at that OMT, whatever its level. `passed` may be NULL, and so may
 * `chunk`, which gets what ptl_why_get gives. Errors as for ptl_why_get.
 */
PTL_API ptl_status ptl_why_place_get(ptl_why_place *out, ptl_why *chunk,
                                     uint8_t passed[PTL_LEVEL_CELLS], ptl_world *world,
                                     const char *special, ptl_omt at, ptl_error *err);

typedef enum ptl_growth_event {
    PTL_GROWTH_BEGINS, /* a growth begins at x, y, z, with `rotation`; growths at this place are
                        * numbered from 0, and count is the number of this growth */
    PTL_GROWTH_PHASE,  /* phase number `phase` begins; the first phase has the number 0 */
    PTL_GROWTH_PIECE,  /* a piece was placed: see the members piece, oter, x, y, z and
                        * rotation; phase and rule say by which rule (rule -1: it is the root
                        * piece) */
    PTL_GROWTH_POSTPONED, /* no rule of the phase can close the joins that point to x, y, z */
    PTL_GROWTH_DONE,      /* the growth succeeded with `count` pieces */
    PTL_GROWTH_UNDONE     /* the growth was undone after `count` pieces. rule -1: too many
                           * pieces; -2: too much work; else a mandatory join stayed open at x,
                           * y, z */
} ptl_growth_event;

/* One step of a growth. Positions are OMTs relative to the chunk. */
typedef struct ptl_growth_step {
    size_t size;
    ptl_growth_event event;
    const char *special; /* id of the special; borrowed until the callback returns, like
                          * piece */
    const char *piece;   /* id of the piece, unique inside the special; "" if the step has no
                          * piece */
    ptl_oter oter;       /* number of the oter that the piece puts on the OMT x, y, z */
    int32_t x, y, z;
    int32_t rotation; /* 0..3 = north, east, south, west */
    int32_t phase, rule, count;
} ptl_growth_step;

/* Called for each step of a growth. Returning false stops the call with PTL_ERR_CANCELLED. */
typedef bool (*ptl_growth_callback)(void *payload, const ptl_growth_step *step);

/*
 * Grows a special of a saved chunk again and calls on_step for each step. number is the
 * special's number in the table special_placement. The growths that were undone before the
 * successful one come first. A fixed special has one step for each OMT. PTL_ERR_NOT_FOUND: the
 * chunk is not saved, or it has no special of that number. PTL_ERR_MISMATCH: the chunk was
 * made with another content or generator version, so that the growth can't be repeated.
 */
PTL_API ptl_status ptl_growth_each(ptl_world *world, ptl_chunk_pos pos, int32_t number,
                                   ptl_growth_callback on_step, void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
