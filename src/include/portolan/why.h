/*
 * Why a special is, or is not, where one looks for it; and how it grew. A chunk is a pure
 * function of its inputs, so both are answered by making the chunk again, listening.
 */
#ifndef PORTOLAN_WHY_H
#define PORTOLAN_WHY_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a chunk's rule asked for the special, or why not. */
typedef enum ptl_verdict {
    PTL_VERDICT_ASKED,
    PTL_VERDICT_NO_OCCURRENCES, /* its occurrences leave it to other specials or steps */
    PTL_VERDICT_NO_OMTS,        /* a mod has switched it off */
    PTL_VERDICT_NO_CITIES,      /* it wants a city, and the world has none */
    PTL_VERDICT_EXCLUDED,       /* by the feature flags of the region */
    PTL_VERDICT_NO_WATER,       /* it wants lake, ocean or river; the chunk has none */
    PTL_VERDICT_CHANCE,         /* its chance did not come up in this chunk */
    PTL_VERDICT_NOT_HOME,       /* at most one in a world, and its chunk is another */
    PTL_VERDICT_AMOUNT,         /* the number drawn for this chunk is 0 */
    PTL_VERDICT_CONDITION,      /* its effect_on_condition asks for other mods than there are */
    PTL_VERDICT_BUILDING        /* a city building: cities take it from the region's bins */
} ptl_verdict;

/* What an origin must pass, in this order: see ptl_why. */
typedef enum ptl_why_test {
    PTL_WHY_GROUND,
    PTL_WHY_LINKED,
    PTL_WHY_CITY,
    PTL_WHY_ROOM
} ptl_why_test;
enum { PTL_WHY_TESTS = PTL_WHY_ROOM + 1 };

/* Who places a special beside the rule, in the world's region. */
enum {
    PTL_WAY_HOUSE = 1u << 0, /* cities, from the region's bins: these four */
    PTL_WAY_SHOP = 1u << 1,
    PTL_WAY_PARK = 1u << 2,
    PTL_WAY_FINALE = 1u << 3,
    PTL_WAY_TRAILHEAD = 1u << 4,    /* at the ends of trails */
    PTL_WAY_NESTED = 1u << 5,       /* another special brings it along */
    PTL_WAY_HIGHWAY_ROAD = 1u << 6, /* highways, for their road: segments, ramps, bridges */
    PTL_WAY_HIGHWAY_END = 1u << 7,  /* where one ends */
    PTL_WAY_HIGHWAY_BEND = 1u << 8,
    PTL_WAY_HIGHWAY_THREE = 1u << 9, /* where three meet, or four */
    PTL_WAY_HIGHWAY_FOUR = 1u << 10,
    PTL_WAY_INTERCHANGE = 1u << 11,  /* now and then along them */
    PTL_WAY_HIGHWAYS_OFF = 1u << 12, /* the region has highways, the world makes none */
    PTL_WAY_LIMITED =
        1u << 13, /* cities see that a city, or overmap, has it once: by its flags */
    PTL_WAYS_CITY = PTL_WAY_HOUSE | PTL_WAY_SHOP | PTL_WAY_PARK | PTL_WAY_FINALE,
    PTL_WAYS_HIGHWAY = PTL_WAY_HIGHWAY_ROAD | PTL_WAY_HIGHWAY_END | PTL_WAY_HIGHWAY_BEND |
                       PTL_WAY_HIGHWAY_THREE | PTL_WAY_HIGHWAY_FOUR | PTL_WAY_INTERCHANGE
};

/* How it is decided that a unique special is due in a chunk; in its home, if a world has at
 * most one. */
typedef enum ptl_roll {
    PTL_ROLL_NONE,   /* it is not unique, or cities decide */
    PTL_ROLL_CHANCE, /* a chance of x in y, its occurrences */
    PTL_ROLL_DECK,   /* x of y overmaps have it, in squares of so many */
    PTL_ROLL_SURE    /* it is due at home, without a roll */
} ptl_roll;

/* What a world has once was due in the chunk, and is not there. */
typedef enum ptl_dropped {
    PTL_DROPPED_NOT,     /* it was not due, or is there */
    PTL_DROPPED_RULE,    /* the rule asked for it: the counts say what was in the way */
    PTL_DROPPED_NO_CITY, /* a building: no city of the chunk is of a size for it */
    PTL_DROPPED_CITY     /* a building: its city had no place for it */
} ptl_dropped;

/* How the search for places of a mutable special ended, where fewer stand than were asked for.
 */
typedef enum ptl_tried {
    PTL_TRIED_ALL,   /* all origins were tried that the rule may try */
    PTL_TRIED_ENDED, /* too much was undone: some origins were not tried */
    PTL_TRIED_GROUND /* the chunk has no ground for a piece that must come: none could grow */
} ptl_tried;

enum { PTL_WHY_NAME_SIZE = 80 };

/* What became of one special in one chunk. Origins are counted after each test, in this order;
 * one counts if any rotation passes. */
typedef struct ptl_why {
    size_t size;
    ptl_verdict verdict;
    int32_t asked;  /* how many; 0 unless the verdict is PTL_VERDICT_ASKED */
    int32_t ground; /* origins at which all its OMTs lie on their locations */
    int32_t linked; /* and its connections' points are as they must be */
    int32_t city;   /* and the nearest city is as it must be */
    int32_t room;   /* and other specials leave room; rule sectors: sectors with an origin */
    int32_t failed; /* growths that were undone */
    int32_t placed; /* by the rule */
    int32_t others; /* placed otherwise: in another special, at a trail's end, by a city */
    ptl_chunk_pos home; /* GLOBALLY_UNIQUE: the one chunk that may have it */
    /* Where ground is 0: the OMT or check that the fewest cells of its level take, relative to
     * the origin. */
    bool has_need;
    int32_t need_x, need_y, need_z;
    int32_t need_cells; /* 0..32,400 */
    uint32_t ways;      /* PTL_WAY_ bits: who else may place it */
    ptl_roll roll;      /* of a unique one; it came up if the rule asked for it */
    ptl_dropped dropped;
    int32_t dropped_x, dropped_y; /* PTL_DROPPED_CITY: the city that was to have it */
    int32_t cities;               /* of the chunk */
    /* The join that stood in a mutable special's way: which the most growths left open, or,
     * where ground is 0 and the need is that of a side of its root, that one's. "" if none did.
     * Names are cut if they are long. */
    char join[PTL_WHY_NAME_SIZE];
    char join_ground[PTL_WHY_NAME_SIZE]; /* overmap terrain where it leads, or what its level
                                          * has most of; "": the border, or another special */
    int32_t join_x, join_y, join_z;      /* where, from the origin */
    int32_t join_undone;                 /* growths that left it open */
    ptl_tried tried;
} ptl_why;

#define PTL_WHY_INIT PTL_SIZED(ptl_why)

/*
 * Finds out what became of a special in a chunk. The chunk is made again, saved or not, and
 * nothing is written. PTL_ERR_NOT_FOUND if the content has no such special; PTL_ERR_MISMATCH
 * where the content is not the one that the chunk, or if it is not saved the world, was made
 * with (ptl_world_open_options: as_chunk).
 *
 * passed may be NULL; else it says of each origin how many of the tests it passes, in any
 * rotation: passed[y * 180 + x] is 0..PTL_WHY_TESTS, and the cells at PTL_WHY_GROUND + 1 or
 * above are out->ground, and so on; where rooms are counted in sectors (rule sectors) room has
 * no cells of its own, and whatever passes the city has 4. All are 0 unless the verdict is
 * PTL_VERDICT_ASKED. passed is the caller's, 32,400 bytes, filled if the call returns PTL_OK.
 */
PTL_API ptl_status ptl_why_get(ptl_why *out, uint8_t passed[PTL_LEVEL_CELLS], ptl_world *world,
                               const char *special, ptl_chunk_pos pos, ptl_error *err);

typedef enum ptl_growth_event {
    PTL_GROWTH_BEGINS,    /* x, y, z, rotation; count: which growth here, from 0 */
    PTL_GROWTH_PHASE,     /* phase, from 0 */
    PTL_GROWTH_PIECE,     /* piece, oter, x, y, z, rotation; phase and rule (-1: the root) */
    PTL_GROWTH_POSTPONED, /* x, y, z: no rule of the phase closes what points there */
    PTL_GROWTH_DONE,      /* count: pieces */
    PTL_GROWTH_UNDONE     /* count: pieces; rule: below 0 if it had too many (-1) or took too
                           * much work (-2); else x, y, z: where a mandatory join stayed open */
} ptl_growth_event;

/* Positions are chunk-local OMTs. */
typedef struct ptl_growth_step {
    size_t size;
    ptl_growth_event event;
    const char *special; /* borrowed, as the next two */
    const char *piece;   /* its id inside the special; "" if none */
    ptl_oter oter;       /* what the piece puts there */
    int32_t x, y, z;
    int32_t rotation; /* 0..3 = N, E, S, W */
    int32_t phase, rule, count;
} ptl_growth_step;

/* Returning false stops; the call then returns PTL_ERR_CANCELLED. */
typedef bool (*ptl_growth_callback)(void *payload, const ptl_growth_step *step);

/*
 * Grows a saved chunk's special again: number is that of the table special_placement. A fixed
 * special has a step for each OMT. The growths that were undone before it succeeded come
 * first. PTL_ERR_NOT_FOUND: no such chunk or number; PTL_ERR_MISMATCH: the chunk was not made
 * by this content and version, so that it can't be grown again.
 */
PTL_API ptl_status ptl_growth_each(ptl_world *world, ptl_chunk_pos pos, int32_t number,
                                   ptl_growth_callback on_step, void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
