/*
 * The connection engine: roads, rails, trails and tunnels are all overmap_connection objects,
 * and this draws any of them on one level of the chunk in work (generation.md 7).
 *
 * Costs: a new tile costs 5 + basic_cost of its subtype, or a part of that where it is no line,
 * a tile that already belongs to the connection 1. The search is optimal for these costs: A*
 * where all subtypes are ORTHOGONAL, in which ties go to the fewest turns; else
 * connect_field_kernel.h, where the path wanders (connect_wander.h). A path keeps off the
 * border ring of the chunk, but for ends that are exits. It does not turn on tiles of a shape
 * that is not linear, nor on PERPENDICULAR_CROSSING ones, and passes rotated tiles along their
 * axis only.
 *
 * Every arm that is drawn is answered by the tile it points to; an exit's arm points out of the
 * chunk. A connection is named by its index in catalogue.connections.
 */
#ifndef GEN_CONNECT_CONNECT_H
#define GEN_CONNECT_CONNECT_H

#include "gen/work/generator.h"

typedef enum connect_result {
    CONNECT_DRAWN,
    CONNECT_SAME,    /* both ends are one cell: nothing to draw */
    CONNECT_BLOCKED, /* an end lies on ground that the connection can't use */
    CONNECT_NO_PATH  /* no ground between the ends that it can use */
} connect_result;

/* A step of a drawn path. */
typedef struct path_node {
    int16_t x, y;
    int8_t direction; /* 0..3 towards the next node; CONNECT_ANY at the last */
} path_node;

/* Does the ground belong to the connection? May the connection be drawn on it? Is what would be
 * drawn there linear, so that a path may start and turn? */
bool connect_has(const generator *g, size_t connection, ptl_oter ground);
bool connect_allows(const generator *g, size_t connection, ptl_oter ground);
bool connect_turns(const generator *g, size_t connection, ptl_oter ground);

/* Finds the cheapest path and draws it. */
connect_result connect_ends(generator *g, size_t connection, int32_t z, connect_end from,
                            connect_end to);

/* The same, but a tile that is there costs 3 in place of 1: so a long way that is there does
 * not keep a short one from being drawn (generation.md 7.5). */
connect_result connect_short_cut(generator *g, size_t connection, int32_t z, connect_end from,
                                 connect_end to);

/* From the end to the nearest (by cost) tile of the connection that is not linked to it yet.
 * CONNECT_NO_PATH where there is none. */
connect_result connect_to_any(generator *g, size_t connection, int32_t z, connect_end from);

/*
 * A special's connection: from its point to the nearest (by cost) tile of the connection. The
 * path keeps off the closed cells (indices y * 180 + x, each once), which are the special's
 * own. Where the heading, which leads away from the special, is known, the path does not set
 * out against it; with `exit` the point gets an arm back to the special, whatever becomes of
 * the path. Of the cheapest paths it takes one to one of the tiles that are nearest as the crow
 * walks, if the ground in between is open; else the one that is found in a third of the time
 * that the fewest turns would take, even for ORTHOGONAL. CONNECT_SAME: the point carries the
 * connection already. CONNECT_NO_PATH: there is no tile that it could be linked to; the point
 * got an end piece with nothing but the arm back.
 */
typedef struct connect_ground {
    const int32_t *closed;
    size_t closed_count;
    bool known;  /* since the last link, on this level, nobody wrote but this engine and those
                  * who told connect_wrote */
    bool sought; /* connect_seek was called last, for this link, and said `told`: CONNECT_DRAWN
                  * or CONNECT_NO_PATH; since then nobody wrote but on closed cells */
    connect_result told;
} connect_ground;
connect_result connect_link(generator *g, size_t connection, int32_t z, connect_end from,
                            const connect_ground *ground);
/* What connect_link would give, without drawing anything: the closed cells may be those on
 * which a special is about to stand. */
connect_result connect_seek(generator *g, size_t connection, int32_t z, connect_end from,
                            const connect_ground *ground);
/* Other code has written this cell (y * 180 + x) of the level of the last link. */
void connect_wrote(generator *g, int32_t cell);

/* Draws nodes that touch one another, in order, without a search: streets. The ground of each
 * must allow the connection; false (and nothing drawn) if one does not. */
bool connect_draw(generator *g, size_t connection, int32_t z, const path_node *nodes,
                  size_t count);

/* The connection's end piece at an exit: only the arm that points out, whatever the ground is.
 * A rotated piece where the ground's subtype is not linear. */
void connect_stub(generator *g, size_t connection, int32_t z, connect_end end);

/*
 * Links the ends as the games do (generation.md 7.4): each to the nearest later one, by
 * distance truncated to a whole number, the first on ties. results[i] is that of ends[i]'s
 * link, i < count - 1.
 */
void connect_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                    size_t count, connect_result *results);
/* The same where nobody else wrote on the level since such a list of it was linked, the last
 * thing that the engine did: so it need not look what has changed. */
void connect_more_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                         size_t count, connect_result *results);

/*
 * Labels the connected parts of the connection on the level, by the arms of the tiles: labels[y
 * * 180
 * + x] = 0 for tiles that do not belong to it, else 1, 2, ... in order of their first cell.
 * Returns the number of parts.
 */
int32_t connect_parts(generator *g, size_t connection, int32_t z, int32_t *labels);
/* Are all the ends (one at least) in one part? Then its label is 1, that of other tiles 0; else
 * the labels mean nothing. It takes half the time. */
bool connect_links_all(generator *g, size_t connection, int32_t z, const connect_end *ends,
                       size_t count, int32_t *labels);

/* Returns the number of steps from one to the other along the connection's tiles, arm to arm;
 * the limit where it is that many or more, or there is no way. */
int32_t connect_way(generator *g, size_t connection, int32_t z, connect_end from,
                    connect_end to, int32_t limit);

/* Tables compiled from the catalogue's connections, in gen_config; and a generator's scratch.
 */
typedef struct gen_connections gen_connections;
/* New; NULL when memory is out. Exact: no connection wanders, and what is no line costs all of
 * its basic_cost. */
gen_connections *connect_compile(const catalogue *cat, bool exact);
void connect_compiled_free(gen_connections *c);
typedef struct connector connector;

extern const gen_part connector_part; /* for who draws connections */

#endif
