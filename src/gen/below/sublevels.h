/*
 * Inside step sublevels: what a terrain asks for on the level below it (generation.md 10),
 * compiled from the catalogue, and the scratch of one chunk.
 *
 * The content decides. Something is asked for where the content has the terrains that it takes
 * and no mutable special grows them itself; it comes to a cell only if the level still has its
 * default there. So whatever a special says about what lies below stays as it is.
 */
#ifndef GEN_BELOW_SUBLEVELS_H
#define GEN_BELOW_SUBLEVELS_H

#include "core/lanes.h"
#include "gen/connect/connect_impl.h"
#include "model/catalogue.h"

/* What a terrain asks for. Those from SUB_CONNECTOR on concern its own level, the others the
 * level below it. Of three or two of a kind the order is that of the arrays in sub_content. */
typedef enum sub_kind {
    SUB_NONE,
    SUB_MANHOLE, /* and sewage treatment */
    SUB_STATION, /* a stop of the subway: two levels */
    SUB_ANTHILL,
    SUB_ACID_ANTHILL,
    SUB_SLIME,
    SUB_HIDDEN_STAIRS, /* into a lab */
    SUB_LAB_CORE,
    SUB_ICE_LAB_CORE,
    SUB_CENTRAL_LAB_CORE,
    SUB_LAB_STAIRS,
    SUB_ICE_LAB_STAIRS,
    SUB_CENTRAL_LAB_STAIRS,
    SUB_MINE_ENTRANCE,
    SUB_MINE_SHAFT,
    SUB_MINE_FINALE,
    SUB_SILO,
    SUB_CAVE,
    SUB_CAVE_RAT,
    SUB_CONNECTOR,
    SUB_SUBWAY_CONNECTOR = SUB_CONNECTOR,
    SUB_SEWER_CONNECTOR
} sub_kind;

enum { SUB_LABS = 3, SUB_CENTRAL = 2 }; /* "", "ice_", "central_" */
enum { SUB_SEWERS = 0, SUB_SUBWAYS = 1, SUB_LINES = 2 };
enum { SUB_POINTS_MAX = 4096, SUB_ENDS_MAX = 2 * SUB_POINTS_MAX }; /* of a line on one level */

/* CAT_NONE where the content has none. */
typedef struct sub_lab {
    ptl_oter lab, stairs, core, finale, depot;
} sub_lab;

typedef struct sub_content {
    uint8_t *kinds; /* owned; sub_kind of each oter */
    sub_lab labs[SUB_LABS];
    ptl_oter escape_cells, escape_entrance;
    ptl_oter ants, ants_food, ants_larvae[2], ants_queen[2]; /* usual, acid */
    bool ants_merge;                                         /* ants are LINEAR */
    ptl_oter rock, slimepit, slimepit_down;
    ptl_oter mine, mine_shaft, mine_down, mine_finale, spiral, spiral_hub;
    ptl_oter silo, silo_finale, cave, cave_rat;
    ptl_oter hall, platform;   /* of a station, on the first and second level */
    uint16_t lines[SUB_LINES]; /* connections; CAT_NONE */
} sub_content;

typedef struct sub_point {
    int16_t x, y;
    int8_t arm;     /* that it gets beside those of its paths; CONNECT_ANY: none */
    int8_t through; /* of a station: how many cells north of it are its tiles, too */
    bool before;    /* the first of them is the station's middle */
} sub_point;

typedef struct sub_points {
    sub_point list[SUB_POINTS_MAX];
    size_t count;
} sub_points;

typedef struct sub_trigger {
    uint16_t cell;
    uint8_t kind;
} sub_trigger;

/* Two tiles of different parts, and the steps between them. */
typedef struct sub_pair {
    uint16_t steps, from, to;
} sub_pair;

enum { SUB_APART_MAX = 64 }; /* pairs of parts that can't be linked */

/* A generator's scratch. */
struct sublevels {
    sub_points points[SUB_LINES];
    sub_trigger triggers[CELLS];
    size_t trigger_count;
    uint16_t stations[CELLS]; /* cells below which a platform is asked for */
    size_t station_count;
    uint8_t marks[CELLS]; /* SUB_HERE, SUB_ABOVE, SUB_TAKEN */
    bool marked;
    connect_end ends[SUB_ENDS_MAX];
    bool given_up[SUB_ENDS_MAX];
    int32_t closed[SUB_POINTS_MAX]; /* the middles of stations: paths keep off them */
    int32_t labels[CELLS];
    bool wanted[CELLS + 1]; /* by label: parts that are to be linked */
    /* What sublevels_parts.c floods. */
    int32_t roots[CELLS + 1];
    uint16_t origins[CELLS], queue[CELLS], steps[CELLS];
    sub_pair pairs[2 * CELLS], apart[SUB_APART_MAX];
};

/* Written by this step: on the level in work, on the one above it. A line's point. */
enum { SUB_HERE = 1, SUB_ABOVE = 2, SUB_TAKEN = 4 };

/* The level in work. */
typedef struct sub_level {
    generator *g;
    const sub_content *content;
    struct sublevels *s;
    int32_t z;
    ptl_oter *cells;
    int32_t train_odds; /* a depot to so many labs; 0: none */
} sub_level;

/* The first group of LANES cells from i on (a group's first) that are not all alike; CELLS
 * behind the last. Most of a level holds its default, which asks for nothing. */
static inline int32_t sub_next_group(const ptl_oter *cells, int32_t i, lanes alike)
{
    enum { FOUR = 4 * LANES };
    for (; i + FOUR <= CELLS; i += FOUR) {
        const lanes a = lanes_equal(lanes_load(cells + i), alike);
        const lanes b = lanes_equal(lanes_load(cells + i + LANES), alike);
        const lanes c = lanes_equal(lanes_load(cells + i + 2 * LANES), alike);
        const lanes d = lanes_equal(lanes_load(cells + i + 3 * LANES), alike);
        if (!lanes_same(lanes_and(lanes_and(a, b), lanes_and(c, d)), lanes_all(UINT16_MAX)))
            break;
    }
    while (i < CELLS && lanes_same(lanes_load(cells + i), alike))
        i += LANES;
    return i;
}
_Static_assert((int)CELLS % (int)LANES == 0, "a level is whole lanes");

/* Does a cell inside the border ring still have the level's default? */
static inline bool sub_default(const sub_level *l, int32_t x, int32_t y)
{
    return x >= 1 && x <= SIZE - 2 && y >= 1 && y <= SIZE - 2 &&
           l->cells[y * SIZE + x] == l->g->config->defaults[l->z - PTL_Z_MIN];
}

/* And is nothing to be drawn there later? */
static inline bool sub_free(const sub_level *l, int32_t x, int32_t y)
{
    return sub_default(l, x, y) && !(l->s->marks[y * SIZE + x] & SUB_TAKEN);
}

static inline void sub_put(const sub_level *l, int32_t x, int32_t y, ptl_oter oter)
{
    cell_set(l->g, l->cells, l->z, y * SIZE + x, oter);
    l->s->marks[y * SIZE + x] |= SUB_HERE;
    l->s->marked = true;
}

static inline bool sub_own(const sub_level *l, int32_t x, int32_t y)
{
    return inside(x, y) && (l->s->marks[y * SIZE + x] & SUB_HERE);
}

/* sublevels_parts.c. Its stream for what grows at the cell. */
rng sub_stream(const sub_level *l, const char *what, int32_t x, int32_t y);
/* Returns the oter on the level below; CAT_NONE below the last. */
ptl_oter sub_below(const sub_level *l, int32_t x, int32_t y);

/* sublevels_parts.c, sublevels_ants.c, sublevels_labs.c: what grows from a cell, which already
 * is of its kind. kind counts from the first of its kind. */
void sub_slime(const sub_level *l, int32_t x, int32_t y);
void sub_mine(const sub_level *l, int32_t x, int32_t y);
void sub_spiral(const sub_level *l, int32_t x, int32_t y);
void sub_ants(const sub_level *l, int32_t x, int32_t y, int kind);
/* When all of a level's hills are there: which of their tunnels lead where. */
void sub_ants_finish(const sub_level *l);
void sub_lab_grow(const sub_level *l, int32_t x, int32_t y, int kind);

/* sublevels_links.c: adds a point to a line; what is too many is an event. */
void sub_add_point(const sub_level *l, int line, sub_point point);
/* Links a line's points, then what specials ask for. */
void sub_link_points(const sub_level *l, int line);
/* All others that specials ask for on the level. */
void sub_link_others(const sub_level *l);

/* sublevels_parts.c links those of the parts (as connect_parts numbers them in s->labels) that
 * are wanted (by label) with each other, the nearest first. Labels are then the earlier ones.
 */
void sub_link_near(const sub_level *l, size_t connection, int32_t parts, const bool *wanted);

extern const gen_part sublevels_part;

/* Step sublevels, as gen_config and the generator see it; the rest is in sublevels.h. */

struct sub_content;
/* What the catalogue's terrains ask for below them; new, NULL when memory is out. */
struct sub_content *sub_content_new(const catalogue *cat);
void sub_content_free(struct sub_content *content);

#endif
