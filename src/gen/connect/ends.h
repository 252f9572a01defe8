/*
 * Ends: the lists of points that a step of generation links by a connection. Some of them are
 * exits, the places where the chunk's edges say that a connection crosses them. The lists are
 * large and are kept in the generator, so that steps need not allocate memory.
 */
#pragma once

#include "gen/connect/connect.h"
#include "model/direction.h"

#include <string.h>

enum {
    /* The most exits (places where a connection leaves the chunk) that a chunk can have, on
     * all levels and of all connections together. */
    EXITS_MAX = 4 * EDGE_CROSSINGS_MAX,
    ENDS_MAX = EXITS_MAX + CITY_SITES_MAX
};

typedef struct end_list {
    connect_end ends[ENDS_MAX]; /* the exits of the connection, then ends at cities */
    connect_result results[ENDS_MAX];
    /* By end: true if it is known that no path leads from the end to an OMT with which it is
     * not linked yet. */
    bool given_up[ENDS_MAX];
    size_t count, exit_count;
} end_list;

/* Returns the exit (the cell by which a connection leaves the chunk) on a side of the chunk
 * (0..3 = north, east, south, west) at a position along this side. */
static inline connect_end exit_end(int direction, int32_t position)
{
    int32_t line = direction == 1 || direction == 2 ? SIZE - 1 : 0;
    bool along_x = direction == 0 || direction == 2;
    return (connect_end){.x = (int16_t)(along_x ? position : line),
                         .y = (int16_t)(along_x ? line : position),
                         .heading = (int8_t)opposite(direction),
                         .exit = true};
}

/* Returns whether the crossing of an edge is the exit of a road, a rail or another
 * connection: it is neither a river's nor a highway's, and its level and position exist in the
 * chunk. */
static inline bool crossing_is_exit(const crossing *c)
{
    bool river = c->kind[0] == CROSSING_RIVER[0] && strcmp(c->kind, CROSSING_RIVER) == 0;
    return !river && !crossing_is_highway(c) && c->z >= PTL_Z_MIN && c->z <= PTL_Z_MAX &&
           c->position >= 0 && c->position < SIZE;
}

/* A track: a connection together with the level on which it is drawn. Ends are linked for
 * one track at a time. */
typedef struct track {
    size_t connection;
    int32_t z;
    const char *kind; /* its id */
} track;

/* Scratch memory of a step that links ends. It holds a walk over the ground that a connection
 * can use (which cells the walk reaches), and the networks of the connection. */
typedef struct ground_walk {
    uint8_t states[SIZE * SIZE]; /* by cell: WALK_REACHED, WALK_BLOCKED or 0 */
    int32_t cells[SIZE * SIZE];  /* list of the cells that the walk has reached */
    int32_t labels[SIZE * SIZE]; /* by cell: number of its network, see connect_parts */
} ground_walk;

/*
 * Finds the cells that can be reached from the end over ground on which the connection can be
 * built, without the chunk's outermost cells. Lists them in w->cells and returns their number.
 * w->states becomes WALK_REACHED for these cells, WALK_BLOCKED for the cells at which the walk
 * stops, else 0.
 */
enum { WALK_REACHED = 1, WALK_BLOCKED = 2 };
int32_t walk_ground(generator *g, ground_walk *w, track l, connect_end from);

/* Links the ends of the list, and ensures that an arm out of the chunk is drawn at each exit of
 * the list (roads_link.c). */
void link_ends(generator *g, ground_walk *w, track l, end_list *list);

/* Draws short cuts (roads_link.c) between cities of the list that face each other across water
 * and between which the way along existing roads is long. link_ends must have been called for
 * the list. */
void link_facing(generator *g, track l, const end_list *list);

/* Reserves, in g->reserved, strips of ground behind the exits on the chunk's edges, so that
 * cities leave room for their roads (roads_link.c). */
void reserve_corridors(generator *g);
