/*
 * The connection engine. Roads, rails, trails and tunnels are all overmap_connection objects;
 * the engine draws any of them on one level of the chunk in work (generation.md 7).
 *
 * Costs. A new OMT costs 5 + basic_cost of its subtype, or a part of basic_cost where it is
 * not linear. An OMT that already belongs to the connection costs 1. The search is optimal for
 * these costs. It is A* where all subtypes are ORTHOGONAL; ties then go to the path with the
 * fewest turns. Otherwise it is that of connect_field_kernel.h, where the path wanders
 * (connect_wander.h). A path keeps off the border ring of the chunk, except for ends that are
 * exits. It does not turn on OMTs of a shape that is not linear, nor on
 * PERPENDICULAR_CROSSING ones, and passes rotated OMTs along their axis only.
 *
 * Every arm that is drawn is answered by the OMT it points to; an exit's arm points out of
 * the chunk. A connection is named by its index in catalogue.connections.
 */
#pragma once

#include "gen/work/generator.h"

typedef enum connect_result {
    CONNECT_DRAWN,
    CONNECT_SAME,    /* both ends are one cell: nothing to draw */
    CONNECT_BLOCKED, /* an end lies on ground that the connection can't use */
    CONNECT_NO_PATH  /* no path between the ends over ground that it can use */
} connect_result;

/* A step of a drawn path. */
typedef struct path_node {
    int16_t x, y;
    int8_t direction; /* 0..3 towards the next node; CONNECT_ANY at the last node */
} path_node;

/* Does the ground belong to the connection? May the connection be drawn on it? Is the OMT
 * that would be drawn linear, so that a path may start and turn there? */
bool connect_has(const generator *g, size_t connection, ptl_oter ground);
bool connect_allows(const generator *g, size_t connection, ptl_oter ground);
bool connect_turns(const generator *g, size_t connection, ptl_oter ground);

/* Finds the cheapest path and draws it. */
connect_result connect_ends(generator *g, size_t connection, int32_t z, connect_end from,
                            connect_end to);

/* Does the same, but an existing OMT costs 3 instead of 1. So a long existing way does not
 * keep a short one from being drawn (generation.md 7.5). */
connect_result connect_short_cut(generator *g, size_t connection, int32_t z, connect_end from,
                                 connect_end to);

/* Draws the cheapest path from the end to an OMT of the connection that is not linked to the
 * end yet. CONNECT_NO_PATH where there is none. */
connect_result connect_to_any(generator *g, size_t connection, int32_t z, connect_end from);

/*
 * Links a special's point to the nearest (by cost) OMT of the connection. The path keeps off
 * the closed cells, which are the special's own (indices y * 180 + x, each once). If the
 * heading, which leads away from the special, is known, the path does not start against it.
 * With `exit` the point gets an arm back to the special, whether or not a path is found.
 *
 * Of the cheapest paths, one to an OMT that is nearest as the crow walks is taken if the
 * ground in between is open. Otherwise it is the path that is found in a third of the time
 * that the fewest turns would take, even for ORTHOGONAL. CONNECT_SAME: the point already
 * carries the connection. CONNECT_NO_PATH: there is no OMT that it could be linked to; the
 * point gets an end piece with nothing but the arm back.
 */
typedef struct connect_ground {
    const int32_t *closed;
    size_t closed_count;
    bool known;  /* since the last link, on this level, only this engine and callers of
                  * connect_wrote have written */
    bool sought; /* the last call was connect_seek for this link, which returned `told`
                  * (CONNECT_DRAWN or CONNECT_NO_PATH); since then only closed cells were
                  * written */
    connect_result told;
} connect_ground;
connect_result connect_link(generator *g, size_t connection, int32_t z, connect_end from,
                            const connect_ground *ground);
/* Returns what connect_link would return, without drawing. The closed cells may be those on
 * which a special is about to stand. */
connect_result connect_seek(generator *g, size_t connection, int32_t z, connect_end from,
                            const connect_ground *ground);
/* Tells the engine that other code has written this cell (y * 180 + x) on the level of the
 * last link. */
void connect_wrote(generator *g, int32_t cell);

/* Draws adjacent nodes in order, without a search; used for streets. The ground of each node
 * must allow the connection; returns false and draws nothing if one does not. */
bool connect_draw(generator *g, size_t connection, int32_t z, const path_node *nodes,
                  size_t count);

/* Draws the connection's end piece at an exit: only the arm that points out, on any ground. It
 * is a rotated piece where the ground's subtype is not linear. */
void connect_stub(generator *g, size_t connection, int32_t z, connect_end end);

/*
 * Links the ends as the games do (generation.md 7.4): each to the nearest later one, by
 * distance truncated to a whole number; the first one on ties. results[i] is the result of
 * ends[i]'s link, for i < count - 1.
 */
void connect_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                    size_t count, connect_result *results);
/* Does the same if nothing but the engine has written on the level since a list of points was
 * linked there, and that was the engine's last action. Then the engine need not look for
 * changes. */
void connect_more_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                         size_t count, connect_result *results);

/*
 * Labels the connected parts of the connection on the level, following the arms of OMTs.
 * labels[y * 180 + x] is 0 for OMTs that do not belong to it, else 1, 2, ... in order of the
 * parts' first cells. Returns the number of parts.
 */
int32_t connect_parts(generator *g, size_t connection, int32_t z, int32_t *labels);
/* Are all the ends (at least one) in one part? If so, its label is 1 and that of other OMTs
 * 0; if not, the labels are meaningless. Takes half the time of connect_parts. */
bool connect_links_all(generator *g, size_t connection, int32_t z, const connect_end *ends,
                       size_t count, int32_t *labels);

/* Returns the number of steps from one end to the other along the connection's OMTs, arm to
 * arm. Returns limit if it is that many or more, or if there is no way. */
int32_t connect_way(generator *g, size_t connection, int32_t z, connect_end from,
                    connect_end to, int32_t limit);

/* Tables compiled from the catalogue's connections. They are held by gen_config. */
typedef struct gen_connections gen_connections;
/* Compiles the tables into the arena; NULL when memory is out. `exact`: no connection wanders,
 * and an OMT that is not linear costs all of its basic_cost. */
gen_connections *connect_compile(arena *memory, const catalogue *cat, bool exact);
typedef struct connector connector;

extern const gen_part connector_part; /* for steps that draw connections */
