/*
 * Internals of step sublevels: what each terrain asks for on the level below it (generation.md
 * 10), compiled from the catalogue, and the scratch memory for one chunk.
 *
 * The content decides. A terrain asks for something only if the content has the terrains for
 * it and no mutable special grows them itself. It is placed in a cell only if the level still
 * has its default there. So whatever a special states about the levels below it stays as it
 * is.
 */
#pragma once

#include "core/lanes.h"
#include "gen/connect/connect_impl.h"
#include "model/catalogue.h"

/* What a terrain asks for. The kinds from SUB_CONNECTOR on ask on their own level, the others
 * on the level below. Where there are two or three of a kind, their order is that of the
 * arrays in sub_content. */
typedef enum sub_kind {
    SUB_NONE,
    SUB_MANHOLE, /* a manhole, or sewage treatment */
    SUB_STATION, /* a stop of the subway, on two levels */
    SUB_ANTHILL,
    SUB_ACID_ANTHILL,
    SUB_SLIME,
    SUB_HIDDEN_STAIRS, /* stairs into a lab */
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

enum { SUB_LABS = 3, SUB_CENTRAL = 2 }; /* kinds of lab: "", "ice_", "central_" */
enum { SUB_SEWERS = 0, SUB_SUBWAYS = 1, SUB_LINES = 2 };
enum { SUB_POINTS_MAX = 4096, SUB_ENDS_MAX = 2 * SUB_POINTS_MAX }; /* of a line on one level */

/* The oters of one kind of lab; CAT_NONE where the content has none. */
typedef struct sub_lab {
    ptl_oter lab, stairs, core, finale, depot;
} sub_lab;

typedef struct sub_content {
    uint8_t *kinds; /* sub_kind by oter */
    sub_lab labs[SUB_LABS];
    ptl_oter escape_cells, escape_entrance;
    ptl_oter ants, ants_food, ants_larvae[2], ants_queen[2]; /* [0] usual, [1] acid */
    bool ants_merge;                                         /* the terrain of ants is LINEAR */
    ptl_oter rock, slimepit, slimepit_down;
    ptl_oter mine, mine_shaft, mine_down, mine_finale, spiral, spiral_hub;
    ptl_oter silo, silo_finale, cave, cave_rat;
    ptl_oter hall, platform;   /* of a station, on its first and its second level */
    uint16_t lines[SUB_LINES]; /* indices of connections; CAT_NONE */
} sub_content;

typedef struct sub_point {
    int16_t x, y;
    int8_t arm;     /* arm beside those of its paths; CONNECT_ANY: none */
    int8_t through; /* of a station: how many cells to the north belong to it, too */
    bool before;    /* the first of these cells is the station's middle */
} sub_point;

typedef struct sub_points {
    sub_point list[SUB_POINTS_MAX];
    size_t count;
} sub_points;

typedef struct sub_trigger {
    uint16_t cell;
    uint8_t kind;
} sub_trigger;

/* Two OMTs of different parts of a line, and the number of steps between them. */
typedef struct sub_pair {
    uint16_t steps, from, to;
} sub_pair;

enum { SUB_APART_MAX = 64 }; /* remembered pairs of parts that can't be linked */

/* A generator's scratch memory for this step. */
struct sublevels {
    sub_points points[SUB_LINES];
    sub_trigger triggers[CELLS];
    size_t trigger_count;
    uint16_t stations[CELLS]; /* cells below which a platform is wanted */
    size_t station_count;
    uint8_t marks[CELLS]; /* by cell: SUB_HERE, SUB_ABOVE, SUB_TAKEN */
    bool marked;
    connect_end ends[SUB_ENDS_MAX];
    bool given_up[SUB_ENDS_MAX];
    int32_t closed[SUB_POINTS_MAX]; /* the middles of stations, which paths avoid */
    int32_t labels[CELLS];
    bool wanted[CELLS + 1]; /* by label: the part is to be linked */
    /* Scratch of the flood in sublevels_parts.c. */
    int32_t roots[CELLS + 1];
    uint16_t origins[CELLS], queue[CELLS], steps[CELLS];
    sub_pair pairs[2 * CELLS], apart[SUB_APART_MAX];
};

/* Marks of a cell. SUB_HERE: this step wrote it on the level in work; SUB_ABOVE: it did so on
 * the level above. SUB_TAKEN: a line's point lies there. */
enum { SUB_HERE = 1, SUB_ABOVE = 2, SUB_TAKEN = 4 };

/* The level in work. */
typedef struct sub_level {
    generator *g;
    const sub_content *content;
    struct sublevels *s;
    int32_t z;
    ptl_oter *cells;
    int32_t train_odds; /* one lab in this many gets a depot; 0: none does */
} sub_level;

/* Returns the first group of LANES cells, from i (the start of a group) on, that are not all
 * equal to `alike`; CELLS if there is none. Most of a level holds its default, which asks for
 * nothing, and is skipped fast. */
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
    return inside_ring(x, y) &&
           l->cells[y * SIZE + x] == l->g->config->defaults[l->z - PTL_Z_MIN];
}

/* Does the cell have the default, and is no line's point planned there? */
static inline bool sub_free(const sub_level *l, int32_t x, int32_t y)
{
    return sub_default(l, x, y) && !(l->s->marks[y * SIZE + x] & SUB_TAKEN);
}

/* Writes a cell of the level in work and marks it as this step's own. */
static inline void sub_put(const sub_level *l, int32_t x, int32_t y, ptl_oter oter)
{
    cell_set(l->g, l->cells, l->z, y * SIZE + x, oter);
    l->s->marks[y * SIZE + x] |= SUB_HERE;
    l->s->marked = true;
}

/* Did this step write the cell on the level in work? */
static inline bool sub_own(const sub_level *l, int32_t x, int32_t y)
{
    return inside(x, y) && (l->s->marks[y * SIZE + x] & SUB_HERE);
}

/* sublevels_parts.c. Returns a random stream for what grows at the cell. */
rng sub_stream(const sub_level *l, const char *what, int32_t x, int32_t y);
/* Returns the oter of the cell on the level below; CAT_NONE below the last level. */
ptl_oter sub_below(const sub_level *l, int32_t x, int32_t y);

/* sublevels_parts.c, sublevels_ants.c, sublevels_labs.c. Each lets something grow from a cell
 * that already holds the oter that asked for it. `kind` is 0 for the first of several
 * kinds. */
void sub_slime(const sub_level *l, int32_t x, int32_t y);
void sub_mine(const sub_level *l, int32_t x, int32_t y);
void sub_spiral(const sub_level *l, int32_t x, int32_t y);
void sub_ants(const sub_level *l, int32_t x, int32_t y, int kind);
/* Gives ant tunnels their arms, when all hills of the level are dug. */
void sub_ants_finish(const sub_level *l);
void sub_lab_grow(const sub_level *l, int32_t x, int32_t y, int kind);

/* sublevels_links.c. Adds a point to a line. Writes an event when there are too many. */
void sub_add_point(const sub_level *l, int line, sub_point point);
/* Links the points of a line, then the ends that specials wish to have linked to it. */
void sub_link_points(const sub_level *l, int line);
/* Links what specials ask for on the level by all other connections. */
void sub_link_others(const sub_level *l);

/* sublevels_parts.c. Links the wanted parts with each other, the nearest first. Parts are as
 * connect_parts numbered them in s->labels; `wanted` is by label. The labels are not
 * updated. */
void sub_link_near(const sub_level *l, size_t connection, int32_t parts, const bool *wanted);

extern const gen_part sublevels_part;

/* What gen_config and the generator see of step sublevels; the rest is in sublevels.h. */

struct sub_content;
/* Finds what the catalogue's terrains ask for below them. The result lies in the arena; NULL
 * when memory is out. */
struct sub_content *sub_content_new(arena *memory, const catalogue *cat);
