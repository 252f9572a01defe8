/* Inside of relations: the parsed form, and what a finder holds. */
#ifndef ANALYSIS_SEARCH_RELATION_IMPL_H
#define ANALYSIS_SEARCH_RELATION_IMPL_H

#include "analysis/search/relation.h"
#include "core/arena.h"

enum {
    REL_THINGS_MAX = 64,
    REL_DEPTH_MAX = 40,
    REL_DISTANCE_MAX = 1000000, /* OMTs */
    REL_COUNT_MAX = 1000000000,
    REL_BESIDE = -1,   /* in place of a distance */
    REL_ANYWHERE = -2, /* likewise */
    REL_LAKE_FLAGS = CAT_FLAGS_STILL
};

typedef enum rel_kind {
    REL_SPECIAL, /* placements */
    REL_BUILDING,
    REL_CITY,
    REL_LAKE, /* areas: connected cells */
    REL_RIVER,
    REL_ROAD, /* cells */
    REL_TERRAIN
} rel_kind;

typedef struct rel_thing {
    rel_kind kind;
    uint32_t index;      /* in relation.things */
    const uint64_t *ids; /* bits: of specials (REL_SPECIAL, REL_BUILDING), of oters (cells and
                          * areas); NULL for cities */
    int32_t size_min, size_max;            /* of cities */
    const struct rel_condition *condition; /* NULL: none */
} rel_thing;

typedef enum rel_test { REL_AND, REL_OR, REL_NOT, REL_NEAR, REL_LEVEL } rel_test;

typedef struct rel_condition {
    rel_test test;
    const struct rel_condition *left, *right; /* REL_NOT: left alone */
    const rel_thing *thing;                   /* REL_NEAR: min..max of it within distance */
    int32_t distance;
    int32_t min, max; /* of REL_LEVEL: of z */
} rel_condition;

struct relation {
    arena *memory;
    const catalogue *cat;
    rel_thing *things[REL_THINGS_MAX]; /* [0] is the subject */
    uint32_t thing_count;
    bool bodies; /* "beside" occurs: tiles of specials are wanted */
};

/* ---- text: relation_names.c ---- */

typedef enum rel_token_kind {
    REL_END,
    REL_WORD,
    REL_QUOTED,
    REL_NUMBER,
    REL_SIGN /* ( ) , < <= = >= > */
} rel_token_kind;

typedef struct rel_token {
    rel_token_kind kind;
    size_t column, length; /* of what it stands for: without quotes */
    int64_t number;
} rel_token;

typedef struct rel_text {
    const char *text;
    size_t at;
    rel_token token; /* the next one */
    ptl_search_fault *fault;
} rel_text;

bool rel_text_begin(rel_text *t, const char *text, ptl_search_fault *fault);
/* Reads the next token. False with a fault. */
bool rel_text_next(rel_text *t);
/* Is the next token this word (whatever its case) or sign? */
bool rel_text_is(const rel_text *t, const char *word);
/* Returns the token after the next one; its kind is REL_END also where that can't be read. */
rel_token rel_text_peek(const rel_text *t);
bool rel_token_is(const rel_text *t, const rel_token *token, const char *word);
/* Always false. The fault is at the next token: "expected WHAT", and what is there. */
bool rel_text_expected(rel_text *t, const char *what);
bool rel_text_fault(rel_text *t, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- names: relation_names.c ---- */

/* The bits of the ids that a token means. False with a fault, or when memory is out
 * (*no_memory). */
bool rel_find_ids(const uint64_t **out, relation *r, rel_text *t, const rel_token *name,
                  rel_kind kind, bool *no_memory);
/* Of oters with any of these CAT_FLAG_*, with CAT_FLAG_ROAD of what counts as road
 * (measure_is_road); what is lake is no river. NULL when memory is out. */
const uint64_t *rel_find_flags(relation *r, uint32_t flags);

static inline bool rel_bit(const uint64_t *bits, size_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

/* ---- finders ---- */

/* Cells x0..x1 of a row, absolute. */
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
    int64_t key; /* the same for the same thing in another list */
    int32_t x, y, z;
    int32_t radius;      /* of a city */
    size_t first, count; /* its tiles: finder.spans */
    box box;             /* of them */
    const char *what;
    bool out; /* its own conditions don't hold */
} rel_item;

enum { PLANE_WORDS = 3 };

/* One level of a chunk. */
typedef struct plane {
    uint64_t rows[PTL_CHUNK_SIZE][PLANE_WORDS];
} plane;

/* All of one thing's kind in the overmaps at hand. */
typedef struct rel_set {
    const rel_thing *thing;
    rel_item *items; /* owned; of placements and cities chunk by chunk */
    size_t count, room;
    size_t *firsts; /* owned; by chunk: its first item */
    size_t first_room;
    int32_t radius; /* the greatest */
    plane **planes; /* owned list; of cells and areas: chunk * levels + level, NULL: empty */
    size_t plane_room;
    bool any;   /* something was added */
    bool ready; /* areas are put together, and the conditions have been applied */
} rel_set;

struct finder {
    const relation *relation;
    ptl_chunk_pos *chunks; /* owned; in order of (y, x) */
    size_t chunk_count, chunk_room;
    rel_set sets[REL_THINGS_MAX];
    span_list spans;
    plane **spare; /* owned, and what it points to */
    size_t spare_count, spare_room;
    plane mask;              /* scratch */
    relation_match *matches; /* owned */
    size_t match_count, match_room;
    bool found; /* finder_find was the last call */
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

/* Levels of a set's planes, and the z of the first. */
static inline int32_t rel_levels(const rel_thing *thing)
{
    return thing->kind == REL_TERRAIN ? PTL_LEVELS : 1;
}

static inline int32_t rel_first_z(const rel_thing *thing)
{
    return thing->kind == REL_TERRAIN ? PTL_Z_MIN : 0;
}

/* False when memory is out. */
bool span_add(span_list *list, span s);
rel_item *rel_item_add(rel_set *set);

/* What looks around itself: some cells, and how far they reach. */
typedef struct probe {
    const span *spans;
    size_t count;
    box box;
    int32_t radius;
    int64_t key; /* of an item; -1: a cell */
} probe;

/* relation_near.c counts how many of the set, other than the probe itself, are within the
 * distance (or beside); counting stops at `enough`. */
int32_t rel_count_near(const finder *f, const rel_set *set, const probe *p, int32_t distance,
                       int32_t enough);
/* The first chunk that is not before (x, y) in order; chunk_count if there is none. */
size_t rel_chunk_from(const finder *f, int32_t x, int32_t y);
/* Is the cell one of a set of cells? */
bool rel_has_cell(const finder *f, const rel_set *set, const span *cell);

#endif
