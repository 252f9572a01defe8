/*
 * The connection engine. Roads, rails, trails and tunnels are all overmap_connection objects of
 * the content; the engine draws any of them on one level of the chunk that is being made
 * (generation.md 7). Functions take a connection as its index in catalogue.connections.
 *
 * Costs. A connection has subtypes: the terrains that it draws on different grounds. A new OMT
 * costs 5 plus the basic_cost of its subtype; if the OMT is not linear (a bridge), only a
 * fraction of basic_cost is added. An OMT that already belongs to the connection costs 1. The
 * search finds a path of least cost. Where all subtypes are ORTHOGONAL the search is A*, which
 * prefers the path with the fewest turns among equals. Otherwise it is the search of
 * connect_field_kernel.h, and the path wanders (connect_wander.h). A path keeps off the border
 * ring of the chunk, except for exits: ends at which it leaves the chunk. It does not turn on
 * OMTs that are not linear or are of a subtype with PERPENDICULAR_CROSSING, and passes rotated
 * OMTs along their axis only.
 *
 * The arms of a linear OMT lead to its neighbours. Each arm that is drawn is answered: the OMT
 * that it points to has an arm back. The arm of an exit points out of the chunk.
 */
#pragma once

#include "gen/work/generator.h"

typedef enum connect_result {
    CONNECT_DRAWN,
    CONNECT_SAME,    /* both ends are the same cell, so that there is nothing to draw */
    CONNECT_BLOCKED, /* an end lies on ground that the connection can't use */
    CONNECT_NO_PATH  /* the ends are not joined by ground that the connection can use */
} connect_result;

/* A step of a drawn path. */
typedef struct path_node {
    int16_t x, y;
    /* Direction towards the next node of the path, 0..3; CONNECT_ANY at the last node. */
    int8_t direction;
} path_node;

/* connect_has: does the oter `ground` belong to the connection? connect_allows: may the
 * connection be drawn on it? connect_turns: may it be drawn there as a linear OMT, so that a
 * path may start and turn there? */
bool connect_has(const generator *g, size_t connection, ptl_oter ground);
bool connect_allows(const generator *g, size_t connection, ptl_oter ground);
bool connect_turns(const generator *g, size_t connection, ptl_oter ground);

/* Finds a cheapest path between two ends and draws it. */
connect_result connect_ends(generator *g, size_t connection, int32_t z, connect_end from,
                            connect_end to);

/* Does the same as connect_ends, but an OMT that already has the connection costs 3 instead of
 * 1. So a short path may be drawn even if a long one links the two ends already (generation.md
 * 7.5). */
connect_result connect_short_cut(generator *g, size_t connection, int32_t z, connect_end from,
                                 connect_end to);

/* Returns whether the world's settings ask for paths between two points as the games find them
 * (connect_greedy.c): with `compat`, unless roads are exact. */
static inline bool connect_is_greedy(const generator *g)
{
    return g->config->options.compat && g->config->options.roads != PTL_ROADS_EXACT;
}

/* Draws a cheapest path from the end to any OMT of the connection that is not linked to the end
 * yet. CONNECT_NO_PATH if there is no such path. */
connect_result connect_to_any(generator *g, size_t connection, int32_t z, connect_end from);

/*
 * Links the point `from`, at which a special connects, to the OMT of the connection that is
 * nearest by cost. The path keeps off the closed cells, which are the special's own (indices y
 * * 180 + x, each once). `from.heading`, if known, is the direction away from the special; the
 * path does not start in the opposite direction. With `from.exit` the point gets an arm back to
 * the special, whether or not a path is found.
 *
 * If the ground is open, the path leads to an OMT whose Manhattan distance is least. Otherwise
 * the path is any of the cheapest ones, even for ORTHOGONAL connections: to find one with the
 * fewest turns would take three times as long. The result CONNECT_SAME means that the point
 * already has the connection. CONNECT_NO_PATH means that the point can be linked to no OMT; a
 * lone OMT of the connection is then drawn there, which has no arm but that to the special.
 */
typedef struct connect_ground {
    const int32_t *closed;
    size_t closed_count;
    /* The cell of the nearest city's centre; 0: there is no city. The games draw the link from
     * there. So if connect_is_greedy is true, the link becomes the path that the greedy search
     * finds from this cell, if it finds one. */
    int32_t centre;
    /* True if, since the last link, all writes to this level were done by the connection engine
     * or reported by connect_wrote. */
    bool known;
    /* True if the last call of the engine was connect_seek for the link that is to be drawn
     * now, and since then only the closed cells have been written. */
    bool sought;
    /* If `sought` is set: what connect_seek returned for the link, CONNECT_DRAWN or
     * CONNECT_NO_PATH. */
    connect_result told;
} connect_ground;
connect_result connect_link(generator *g, size_t connection, int32_t z, connect_end from,
                            const connect_ground *ground);
/* Returns what connect_link would return, without drawing. The closed cells may be cells on
 * which a special is to be placed later. */
connect_result connect_seek(generator *g, size_t connection, int32_t z, connect_end from,
                            const connect_ground *ground);
/* Reports to the connection engine that other code has written this cell (y * 180 + x) on the
 * level of the engine's last link. */
void connect_wrote(generator *g, int32_t cell);

/* Draws the nodes of a path, each beside the one before, without a search; used for streets.
 * The ground of each node must allow the connection; if one does not, returns false and draws
 * nothing. */
bool connect_draw(generator *g, size_t connection, int32_t z, const path_node *nodes,
                  size_t count);

/* Draws one OMT of the connection at an exit (an end at which the connection leaves the
 * chunk), on any ground. If the subtype for the ground is linear, the OMT has only the arm that
 * points out of the chunk; otherwise it is rotated to that direction. */
void connect_stub(generator *g, size_t connection, int32_t z, connect_end end);

/*
 * Links the ends of a list as the games do (generation.md 7.4). Each end is linked to the
 * nearest of those that come later in the list; of several equally near ends, to the first.
 * Distances are cut to whole numbers. results[i] is the result for ends[i], for i < count - 1.
 */
void connect_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                    size_t count, connect_result *results);
/* Does the same as connect_points, but does not look for cells that other code has written.
 * Call it only if the engine's last action was to link a list of points on this level, and no
 * other code has written on the level since. */
void connect_more_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                         size_t count, connect_result *results);

/*
 * Numbers the networks of the connection on the level. A network is a set of OMTs that are
 * linked with each other by arms. labels[y * 180 + x] is the number of the OMT's network; 0 for
 * an OMT that does not belong to the connection. Networks are numbered from 1 on, in the order
 * of their first cells. Returns the number of networks.
 */
int32_t connect_parts(generator *g, size_t connection, int32_t z, int32_t *labels);
/* Are all the ends (at least one) linked with each other by arms? If so, labels becomes 1 for
 * the OMTs that are linked with them and 0 for all others; if not, labels is undefined. Takes
 * half the time of connect_parts. */
bool connect_links_all(generator *g, size_t connection, int32_t z, const connect_end *ends,
                       size_t count, int32_t *labels);

/* Returns the number of steps from one end to the other along the arms of the connection's
 * OMTs. Returns `limit` if there are as many steps or more, or if the two ends are not
 * linked. */
int32_t connect_way(generator *g, size_t connection, int32_t z, connect_end from,
                    connect_end to, int32_t limit);

/* Visits the oters that step bridges may put in place of the connection's bridges: those of a
 * bridge on two levels, and the oter that replaces a bridge too short for a second level. The
 * config must be compiled. */
void connect_bridges_visit(const gen_config *config, size_t connection, gen_oter_visit *visit,
                           void *payload);
/* Tables compiled from the catalogue's connections. gen_config holds them. */
typedef struct gen_connections gen_connections;
/* Compiles the tables of all connections into the arena; NULL when memory is out. `exact` is
 * the setting of exact roads, with which roads are drawn as the games draw them: then no path
 * wanders, and an OMT that is not linear costs 5 plus its whole basic_cost. */
gen_connections *connect_compile(arena *memory, const catalogue *cat, bool exact);
typedef struct connector connector;

/* Memory that a generator needs for steps that draw connections. */
extern const gen_part connector_part;
