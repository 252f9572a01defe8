/*
 * Internals of step sublevels, which makes what is below the ground: what each terrain asks for
 * on the level below it (generation.md 10), compiled from the catalogue, and the scratch memory
 * for one chunk.
 *
 * The content decides what is made. A terrain asks for a thing (a sewer, a mine, ...) only if
 * the content has the terrains that the thing is made of, and no mutable special grows those
 * terrains itself. The thing is placed only on cells that still have their level's default
 * oter. So whatever a special has placed below the ground stays as it is.
 */
#pragma once

#include "core/lanes.h"
#include "gen/connect/connect_impl.h"
#include "model/catalogue.h"

/* What a terrain asks for. Things up to SUB_CAVE_RAT are made on the level below the
 * terrain; things from SUB_CONNECTOR on are made on the terrain's own level. Ant hills, labs
 * and caves come in several kinds. The kinds of labs have the order of sub_content.labs,
 * those of ant hills the order of sub_content.ants_queen. */
typedef enum sub_kind {
    SUB_NONE,
    SUB_MANHOLE, /* a sewer, asked for by a manhole or a sewage treatment plant */
    SUB_STATION, /* a station of the subway, on the two levels below the terrain */
    SUB_ANTHILL,
    SUB_ACID_ANTHILL,
    SUB_SLIME,
    SUB_HIDDEN_STAIRS, /* a lab, asked for by stairs that are hidden in a building */
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

/* Indices of sub_content.labs: 0 is the usual lab, 1 the ice lab, 2 (SUB_CENTRAL) the central
 * lab. */
enum { SUB_LABS = 3, SUB_CENTRAL = 2 };
enum { SUB_SEWERS = 0, SUB_SUBWAYS = 1, SUB_LINES = 2 };
/* Bounds for one line (sewers or subways) on one level. SUB_POINTS_MAX: the most points (cells
 * that step sublevels itself wants to link). SUB_ENDS_MAX: the most cells to be linked in all:
 * the points, and the cells at which specials connect to the line. */
enum { SUB_POINTS_MAX = 4096, SUB_ENDS_MAX = 2 * SUB_POINTS_MAX };

/* The oters of one kind of lab; CAT_NONE where the content has none. */
typedef struct sub_lab {
    ptl_oter lab, stairs, core, finale, depot;
} sub_lab;

typedef struct sub_content {
    uint8_t *kinds; /* by oter: what its terrain asks for (a sub_kind) */
    sub_lab labs[SUB_LABS];
    ptl_oter escape_cells, escape_entrance;
    /* Oters of ant hills. Where there are two, [0] is for usual ants, [1] for acid ants. */
    ptl_oter ants, ants_food, ants_larvae[2], ants_queen[2];
    bool ants_merge; /* the terrain of ant tunnels is linear, so that tunnels get arms */
    ptl_oter rock, slimepit, slimepit_down;
    ptl_oter mine, mine_shaft, mine_down, mine_finale, spiral, spiral_hub;
    ptl_oter silo, silo_finale, cave, cave_rat;
    /* Oters of a subway station: `hall` on its upper level, `platform` on its lower level. */
    ptl_oter hall, platform;
    /* Indices of the connections of sewers (lines[SUB_SEWERS]) and subways
     * (lines[SUB_SUBWAYS]); CAT_NONE if the content has no such connection. */
    uint16_t lines[SUB_LINES];
} sub_content;

/* Visits the oters that step sublevels may make, on any level, because an oter of the terrain
 * is on the map. OMTs of connections are not among them. */
void sub_products_visit(const gen_config *config, uint16_t terrain, gen_oter_visit *visit,
                        void *payload);

typedef struct sub_point {
    int16_t x, y;
    /* Direction of an arm that this point gets even if it can't be linked; CONNECT_ANY: there
     * is no such arm. */
    int8_t arm;
    /* How many cells to the north of this point belong to the same subway station; 0: the point
     * belongs to no station. */
    int8_t through;
    bool before; /* true: this point lies just south of the middle of a subway station */
} sub_point;

typedef struct sub_points {
    sub_point list[SUB_POINTS_MAX];
    size_t count;
} sub_points;

typedef struct sub_trigger {
    uint16_t cell;
    uint8_t kind;
} sub_trigger;

/* Two OMTs of different networks of a line (of sewers, say), and the number of steps from one
 * to the other. */
typedef struct sub_pair {
    uint16_t steps, from, to;
} sub_pair;

/* The most pairs of networks that are remembered because they could not be linked. */
enum { SUB_APART_MAX = 64 };

/* A generator's scratch memory for step sublevels. */
struct sublevels {
    sub_points points[SUB_LINES];
    sub_trigger triggers[CELLS];
    size_t trigger_count;
    /* Cells of subway stations whose platform, one level deeper, must still be made. */
    uint16_t stations[CELLS];
    size_t station_count;
    uint8_t marks[CELLS]; /* bits of each cell: SUB_HERE, SUB_ABOVE, SUB_TAKEN */
    bool marked;
    connect_end ends[SUB_ENDS_MAX];
    bool given_up[SUB_ENDS_MAX];
    /* Cells in the middle of subway stations, which paths keep off. */
    int32_t closed[SUB_POINTS_MAX];
    int32_t labels[CELLS];
    /* For each number of a network, as in `labels`: whether this network is one of those
     * that must be linked with each other. */
    bool wanted[CELLS + 1];
    /* Scratch memory of sub_link_near. */
    int32_t roots[CELLS + 1];
    uint16_t origins[CELLS], queue[CELLS], steps[CELLS];
    sub_pair pairs[2 * CELLS], apart[SUB_APART_MAX];
};

/* Bits of sublevels.marks for each cell. SUB_HERE: step sublevels wrote the cell on the level
 * that it makes now. SUB_ABOVE: the step wrote the cell on the level above. SUB_TAKEN: the step
 * wants to link the cell with a sewer or subway (sub_add_point). */
enum { SUB_HERE = 1, SUB_ABOVE = 2, SUB_TAKEN = 4 };

/* The level that step sublevels makes at present. */
typedef struct sub_level {
    generator *g;
    const sub_content *content;
    struct sublevels *s;
    int32_t z;
    ptl_oter *cells;
    int32_t train_odds; /* one lab in this many gets a depot of the subway; 0: no lab does */
} sub_level;

/* Returns the first cell of the next group of LANES cells that are not all equal to `alike`;
 * CELLS if there is no such group. The search begins at `i`, the first cell of a group. Most
 * cells of a level have its default oter, below which nothing is made; this skips them fast. */
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

/* Is the cell of this level outside of the chunk's outermost ring of cells, and does it still
 * have the level's default oter? */
static inline bool sub_default(const sub_level *l, int32_t x, int32_t y)
{
    return inside_ring(x, y) &&
           l->cells[y * SIZE + x] == l->g->config->defaults[l->z - PTL_Z_MIN];
}

/* Returns whether the cell is still free: it has the level's default oter, and is not meant for
 * a sewer or subway (SUB_TAKEN). */
static inline bool sub_free(const sub_level *l, int32_t x, int32_t y)
{
    return sub_default(l, x, y) && !(l->s->marks[y * SIZE + x] & SUB_TAKEN);
}

/* Writes a cell of the level that the step makes now, and marks it SUB_HERE. */
static inline void sub_put(const sub_level *l, int32_t x, int32_t y, ptl_oter oter)
{
    cell_set(l->g, l->cells, l->z, y * SIZE + x, oter);
    l->s->marks[y * SIZE + x] |= SUB_HERE;
    l->s->marked = true;
}

/* Did step sublevels write the cell on the level that it makes now? */
static inline bool sub_own(const sub_level *l, int32_t x, int32_t y)
{
    return inside(x, y) && (l->s->marks[y * SIZE + x] & SUB_HERE);
}

/* Returns a random stream that depends on the seed, the cell, the level and the name `what`
 * (sublevels_parts.c). */
rng sub_stream(const sub_level *l, const char *what, int32_t x, int32_t y);
/* Returns the oter of the cell on the level below; CAT_NONE below the last level. */
ptl_oter sub_below(const sub_level *l, int32_t x, int32_t y);

/* These functions make a slime pit, mine, spiral, ant hill or lab around the cell (x, y), on
 * the level that the step makes now (sublevels_parts.c, sublevels_ants.c, sublevels_labs.c).
 * For ants, `kind` is 0 (usual) or 1 (acid); for labs it is an index of sub_content.labs. */
void sub_slime(const sub_level *l, int32_t x, int32_t y);
void sub_mine(const sub_level *l, int32_t x, int32_t y);
void sub_spiral(const sub_level *l, int32_t x, int32_t y);
void sub_ants(const sub_level *l, int32_t x, int32_t y, int kind);
/* Gives each ant tunnel of the level arms towards its neighbours. Call this after all ant hills
 * of the level are dug. */
void sub_ants_finish(const sub_level *l);
void sub_lab_grow(const sub_level *l, int32_t x, int32_t y, int kind);

/* Adds a point, which is to be linked later, to one of the lines SUB_SEWERS and SUB_SUBWAYS
 * (sublevels_links.c). Writes an event when the line has too many points. */
void sub_add_point(const sub_level *l, int line, sub_point point);
/* Links the points of a line (sewers or subways) with each other, and with the cells of the
 * level at which specials connect to the line. */
void sub_link_points(const sub_level *l, int line);
/* On some cells of the level specials ask for a connection that is neither sewer nor subway;
 * links these cells with each other. */
void sub_link_others(const sub_level *l);

/* Links some networks of a connection with each other, the nearest pair first
 * (sublevels_parts.c): those for which wanted[number] is true. A network is a set of OMTs that
 * are linked already. `s->labels` holds the number of each cell's network, as set by
 * connect_parts, and is not updated. */
void sub_link_near(const sub_level *l, size_t connection, int32_t parts, const bool *wanted);

extern const gen_part sublevels_part;

/* Finds what the catalogue's terrains ask for on the levels below them. The result lies in the
 * arena; NULL when memory is out. */
struct sub_content *sub_content_new(arena *memory, const catalogue *cat);
