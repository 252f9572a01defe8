/* The inside of relations: their parsed form, and the struct of a finder. */
#pragma once

#include "analysis/search/relation.h"
#include "core/arena.h"

enum {
    REL_THINGS_MAX = 64,
    REL_DEPTH_MAX = 40,
    REL_DISTANCE_MAX = 1000000, /* the largest distance, in OMTs */
    REL_COUNT_MAX = 1000000000,
    REL_BESIDE = -1, /* in place of a distance: the things must be beside each other */
    /* In place of a distance: the thing may lie anywhere in the overmaps that finder_add has
     * collected. */
    REL_ANYWHERE = -2,
    REL_LAKE_FLAGS = CAT_FLAGS_STILL
};

typedef enum rel_kind {
    /* Specials and buildings: each placement of a chunk is one thing, with all its OMTs. */
    REL_SPECIAL,
    REL_BUILDING,
    REL_CITY,
    /* Lakes and rivers are areas of cells that are connected by their sides. */
    REL_LAKE,
    REL_RIVER,
    /* Roads and terrains are single cells. */
    REL_ROAD,
    REL_TERRAIN
} rel_kind;

typedef struct rel_thing {
    rel_kind kind;
    uint32_t index; /* index of this thing in relation.things */
    /* A bit for each special (REL_SPECIAL, REL_BUILDING), or for each oter (single cells and
     * areas): is it wanted? NULL for cities. */
    const uint64_t *ids;
    int32_t size_min, size_max; /* for cities: the least and the greatest size */
    /* The condition that the thing must fulfil; NULL: none. */
    const struct rel_condition *condition;
} rel_thing;

typedef enum rel_test { REL_AND, REL_OR, REL_NOT, REL_NEAR, REL_LEVEL } rel_test;

typedef struct rel_condition {
    rel_test test;
    /* For AND and OR: the two conditions that are combined. For NOT: `left` is the condition
     * that must not hold. */
    const struct rel_condition *left, *right;
    /* REL_NEAR: the thing of which at least `min` and at most `max` must lie within
     * `distance`. */
    const rel_thing *thing;
    int32_t distance;
    int32_t min, max; /* REL_NEAR: how many things there must be, at least and at most;
                         REL_LEVEL: the lowest and the highest z */
} rel_condition;

struct relation {
    arena *memory;
    const catalogue *cat;
    /* The things that the relation names; things[0] is the subject, whose places are
     * searched. */
    rel_thing *things[REL_THINGS_MAX];
    uint32_t thing_count;
    /* True if the relation uses "beside", which needs the OMTs of specials. */
    bool bodies;
};

/* Returns whether the set of numbers, in which each number has one bit, contains i. */
static inline bool rel_bit(const uint64_t *bits, size_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

/* ---- names in relations ---- */

/* Returns the set of oters with any of these CAT_FLAG_*. CAT_FLAG_ROAD means whatever
 * measure_is_road counts as a road; an oter that counts as lake does not count as river. NULL
 * when memory is out. */
const uint64_t *rel_find_flags(relation *r, uint32_t flags);
/* Finds the specials, or the buildings, that a name in a relation stands for. Sets the bit of
 * each of them in `bits` (which may be NULL), and returns how many there are. rel_mark_oters
 * does the same for oters. */
size_t rel_mark_specials(uint64_t *bits, const catalogue *cat, const char *name, bool quoted,
                         bool buildings);
size_t rel_mark_oters(uint64_t *bits, const catalogue *cat, const char *name, bool quoted);

/* ---- finders ---- */

/* A run of cells in a row, x0 .. x1, in absolute OMTs. */
typedef struct span {
    int32_t x0, x1, y, z;
} span;

typedef struct span_list {
    span *list; /* owned */
    size_t count, room;
} span_list;

typedef struct box {
    /* The first and the last column and row of the rectangle, in absolute OMTs; all of them
     * belong to it. */
    int32_t x0, y0, x1, y1;
} box;

/* A special, a building, a city, a lake or a river. */
typedef struct rel_item {
    int64_t key; /* identifies the thing across all sets of a finder */
    int32_t x, y, z;
    int32_t radius;      /* radius of a city; 0 for other things */
    size_t first, count; /* where the item's cells are in finder.spans */
    box box;             /* the smallest box that has all cells of the item */
    const char *what;
    bool out; /* true: the item was sorted out, as it does not fulfil the conditions */
} rel_item;

enum { PLANE_WORDS = 3 };

/* A bit for each cell of one level of a chunk. */
typedef struct plane {
    uint64_t rows[PTL_CHUNK_SIZE][PLANE_WORDS];
} plane;

/* All things of one kind in the overmaps that finder_add has collected. */
typedef struct rel_set {
    const rel_thing *thing;
    rel_item *items; /* owned; for things that are placements or cities: the list of them,
                        sorted by chunk */
    size_t count, room;
    size_t *firsts; /* owned; firsts[chunk] is the index in `items` of the chunk's first item */
    size_t first_room;
    int32_t radius; /* the greatest radius of all items */
    /* Owned; used if the things are single cells or areas. planes[chunk * levels + level] has
     * the cells on one level of a chunk; NULL if there are none. */
    plane **planes;
    size_t plane_room;
    bool any;   /* the set has at least one thing */
    bool ready; /* the set is complete: areas were made of its cells, and its conditions were
                 * applied */
} rel_set;

struct finder {
    const relation *relation;
    ptl_chunk_pos *chunks; /* owned; the collected overmaps in order of (y, x) */
    size_t chunk_count, chunk_room;
    rel_set sets[REL_THINGS_MAX];
    span_list spans;
    relation_match *matches; /* owned */
    size_t match_count, match_room;
    bool found; /* finder_find was called after the last finder_add */
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

/* In a set (rel_set) of things that are single cells or areas, each chunk has one bitmap
 * (plane) for each level on which the thing can be. rel_levels returns how many these are,
 * rel_first_z returns the lowest of these levels. */
static inline int32_t rel_levels(const rel_thing *thing)
{
    return thing->kind == REL_TERRAIN ? PTL_LEVELS : 1;
}

static inline int32_t rel_first_z(const rel_thing *thing)
{
    return thing->kind == REL_TERRAIN ? PTL_Z_MIN : 0;
}

/* Appends a span (a run of cells in a row). False when memory is out. */
bool span_add(span_list *list, span s);
/* Appends an item to the set and returns it; its members are not set yet. NULL when memory is
 * out. */
rel_item *rel_item_add(rel_set *set);
