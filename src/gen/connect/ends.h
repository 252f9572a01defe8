/*
 * Ends: the lists of points that a step links by a connection, and what the edges say about
 * them. The lists are large and kept in the generator, so that steps allocate nothing.
 */
#ifndef GEN_CONNECT_ENDS_H
#define GEN_CONNECT_ENDS_H

#include "gen/connect/connect.h"
#include "model/direction.h"

#include <string.h>

enum {
    EXITS_MAX = 4 * EDGE_CROSSINGS_MAX, /* of a chunk, all kinds and levels */
    ENDS_MAX = EXITS_MAX + CITY_SITES_MAX
};

typedef struct end_list {
    connect_end ends[ENDS_MAX]; /* exits first */
    connect_result results[ENDS_MAX];
    bool given_up[ENDS_MAX]; /* nothing that it could still be linked to */
    size_t count, exit_count;
} end_list;

/* Returns the border cell of a crossing, seen from the chunk: direction 0..3 = N, E, S, W. */
static inline connect_end exit_end(int direction, int32_t position)
{
    int32_t line = direction == 1 || direction == 2 ? SIZE - 1 : 0;
    bool along_x = direction == 0 || direction == 2;
    return (connect_end){.x = (int16_t)(along_x ? position : line),
                         .y = (int16_t)(along_x ? line : position),
                         .heading = (int8_t)opposite(direction),
                         .exit = true};
}

/* Is it neither river nor highway, and within the chunk's levels and border? */
static inline bool crossing_is_exit(const crossing *c)
{
    bool river = c->kind[0] == CROSSING_RIVER[0] && strcmp(c->kind, CROSSING_RIVER) == 0;
    return !river && !crossing_is_highway(c) && c->z >= PTL_Z_MIN && c->z <= PTL_Z_MAX &&
           c->position >= 0 && c->position < SIZE;
}

/* A connection on one level: what is linked at a time. */
typedef struct track {
    size_t connection;
    int32_t z;
    const char *kind; /* its id */
} track;

/* A walk over the ground, and what linking keeps beside it: scratch of the step that links. */
typedef struct ground_walk {
    uint8_t states[SIZE * SIZE]; /* WALK_ of each cell */
    int32_t cells[SIZE * SIZE];  /* those that were reached */
    int32_t labels[SIZE * SIZE]; /* which part of the connection a tile is of */
} ground_walk;

/*
 * The ground that the track can be drawn on and that can be walked to from the end, over such
 * ground and without the chunk's outermost cells: w->cells; their number comes back. w->states
 * is WALK_REACHED there, WALK_BLOCKED on what bounds them, else 0.
 */
enum { WALK_REACHED = 1, WALK_BLOCKED = 2 };
int32_t walk_ground(generator *g, ground_walk *w, track l, connect_end from);

/* Links the list's ends and answers for every exit in it (roads_link.c). */
void link_ends(generator *g, ground_walk *w, track l, end_list *list);

/* Draws short cuts between the list's cities that face each other across water, where the way
 * round is long (roads_link.c). All are linked already. */
void link_facing(generator *g, track l, const end_list *list);

/* roads_link.c marks g->reserved for the exits of the chunk's edges. */
void reserve_corridors(generator *g);

#endif
