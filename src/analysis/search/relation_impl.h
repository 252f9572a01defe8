/* The inside of relations: their parsed form, and what a finder holds. */
#pragma once

#include "analysis/search/relation.h"
#include "core/arena.h"

enum {
    REL_THINGS_MAX = 64,
    REL_DEPTH_MAX = 40,
    REL_DISTANCE_MAX = 1000000, /* OMTs */
    REL_COUNT_MAX = 1000000000,
    REL_BESIDE = -1,   /* stands for a distance: on a neighbouring cell */
    REL_ANYWHERE = -2, /* stands for a distance: in any of the overmaps */
    REL_LAKE_FLAGS = CAT_FLAGS_STILL
};

typedef enum rel_kind {
    /* Specials and buildings are the placements of a chunk. */
    REL_SPECIAL,
    REL_BUILDING,
    REL_CITY,
    /* Lakes and rivers are areas: connected cells. */
    REL_LAKE,
    REL_RIVER,
    /* Roads and terrains are single cells. */
    REL_ROAD,
    REL_TERRAIN
} rel_kind;

typedef struct rel_thing {
    rel_kind kind;
    uint32_t index; /* in relation.things */
    /* A set of bits: the specials (REL_SPECIAL, REL_BUILDING) or oters (cells, areas) that
     * are meant; NULL for cities. */
    const uint64_t *ids;
    int32_t size_min, size_max;            /* of cities */
    const struct rel_condition *condition; /* NULL: none */
} rel_thing;

typedef enum rel_test { REL_AND, REL_OR, REL_NOT, REL_NEAR, REL_LEVEL } rel_test;

typedef struct rel_condition {
    rel_test test;
    const struct rel_condition *left, *right; /* REL_NOT has left alone */
    const rel_thing *thing; /* REL_NEAR: min .. max of these within the distance */
    int32_t distance;
    int32_t min, max; /* REL_LEVEL: the range of z */
} rel_condition;

struct relation {
    arena *memory;
    const catalogue *cat;
    rel_thing *things[REL_THINGS_MAX]; /* [0] is the subject */
    uint32_t thing_count;
    /* "beside" occurs in it, so the OMTs of specials are needed. */
    bool bodies;
};

/* Is the bit of this number set? */
static inline bool rel_bit(const uint64_t *bits, size_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

/* ---- names ---- */

/* Returns the set of oters with any of these CAT_FLAG_*. CAT_FLAG_ROAD means whatever
 * counts as a road (measure_is_road); what is a lake is no river. NULL when memory is out. */
const uint64_t *rel_find_flags(relation *r, uint32_t flags);
/* Marks the specials, or the buildings, that a name means, and returns their number; bits may
 * be NULL. rel_mark_oters does the same with oters. */
size_t rel_mark_specials(uint64_t *bits, const catalogue *cat, const char *name, bool quoted,
                         bool buildings);
size_t rel_mark_oters(uint64_t *bits, const catalogue *cat, const char *name, bool quoted);

/* ---- finders ---- */

/* The cells x0 .. x1 of a row, in absolute OMTs. */
typedef struct span {
    int32_t x0, x1, y, z;
} span;

typedef struct span_list {
    span *list; /* owned */
    size_t count, room;
} span_list;

typedef struct box {
    int32_t x0, y0, x1, y1; /* both ends included */
} box;

/* A special, a building, a city, a lake or a river. */
typedef struct rel_item {
    int64_t key; /* identifies the thing across the sets of a finder */
    int32_t x, y, z;
    int32_t radius;      /* of a city; else 0 */
    size_t first, count; /* its cells in finder.spans */
    box box;             /* around these cells */
    const char *what;
    bool out; /* its conditions do not hold */
} rel_item;

enum { PLANE_WORDS = 3 };

/* A bit for each cell of one level of a chunk. */
typedef struct plane {
    uint64_t rows[PTL_CHUNK_SIZE][PLANE_WORDS];
} plane;

/* All things of one kind in the collected overmaps. */
typedef struct rel_set {
    const rel_thing *thing;
    rel_item *items; /* owned; placements and cities are sorted by chunk */
    size_t count, room;
    size_t *firsts; /* owned; the first item of each chunk */
    size_t first_room;
    int32_t radius; /* the greatest of all items */
    /* An owned list, for cells and areas: index chunk * levels + level; NULL for an empty
     * plane. */
    plane **planes;
    size_t plane_room;
    bool any;   /* the set is not empty */
    bool ready; /* areas were made, and conditions were applied */
} rel_set;

struct finder {
    const relation *relation;
    ptl_chunk_pos *chunks; /* owned; in order of (y, x) */
    size_t chunk_count, chunk_room;
    rel_set sets[REL_THINGS_MAX];
    span_list spans;
    relation_match *matches; /* owned */
    size_t match_count, match_room;
    bool found; /* finder_find was called last */
    bool no_memory;
};

static inline bool rel_is_cells(rel_kind kind)
{
    return kind == REL_ROAD || kind == REL_TERRAIN;
}

static inline bool rel_is_area(rel_kind kind)
{
    return kind == REL_LAKE || kind == REL_RIVER;
}

/* rel_levels returns how many planes a set has in each chunk, rel_first_z the level of the
 * first. */
static inline int32_t rel_levels(const rel_thing *thing)
{
    return thing->kind == REL_TERRAIN ? PTL_LEVELS : 1;
}

static inline int32_t rel_first_z(const rel_thing *thing)
{
    return thing->kind == REL_TERRAIN ? PTL_Z_MIN : 0;
}

/* Appends a span. False when memory is out. */
bool span_add(span_list *list, span s);
/* Returns a new item of the set, whose members are not set yet; NULL when memory is out. */
rel_item *rel_item_add(rel_set *set);
