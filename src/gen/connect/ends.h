/*
 * Ends: the lists of points that a step links by a connection, and what the edges say about
 * them. The lists are large and are kept in the generator, so that steps need not allocate.
 */
#pragma once

#include "gen/connect/connect.h"
#include "model/direction.h"

#include <string.h>

enum {
    EXITS_MAX = 4 * EDGE_CROSSINGS_MAX, /* exits of a chunk, of all kinds and levels */
    ENDS_MAX = EXITS_MAX + CITY_SITES_MAX
};

typedef struct end_list {
    connect_end ends[ENDS_MAX]; /* the exits come first */
    connect_result results[ENDS_MAX];
    bool given_up[ENDS_MAX]; /* there is nothing left that the end could be linked to */
    size_t count, exit_count;
} end_list;

/* Returns the border cell of a crossing on a side of the chunk (0..3 = N, E, S, W) as an
 * exit. */
static inline connect_end exit_end(int direction, int32_t position)
{
    int32_t line = direction == 1 || direction == 2 ? SIZE - 1 : 0;
    bool along_x = direction == 0 || direction == 2;
    return (connect_end){.x = (int16_t)(along_x ? position : line),
                         .y = (int16_t)(along_x ? line : position),
                         .heading = (int8_t)opposite(direction),
                         .exit = true};
}

/* Is the crossing neither river nor highway, and within the chunk's levels and border? */
static inline bool crossing_is_exit(const crossing *c)
{
    bool river = c->kind[0] == CROSSING_RIVER[0] && strcmp(c->kind, CROSSING_RIVER) == 0;
    return !river && !crossing_is_highway(c) && c->z >= PTL_Z_MIN && c->z <= PTL_Z_MAX &&
           c->position >= 0 && c->position < SIZE;
}

/* A connection on one level. Ends are linked one track at a time. */
typedef struct track {
    size_t connection;
    int32_t z;
    const char *kind; /* its id */
} track;

/* A walk over the ground, and what linking keeps beside it: scratch memory of the step that
 * links. */
typedef struct ground_walk {
    uint8_t states[SIZE * SIZE]; /* WALK_* of each cell */
    int32_t cells[SIZE * SIZE];  /* the cells that were reached */
    int32_t labels[SIZE * SIZE]; /* the part of the connection that an OMT belongs to */
} ground_walk;

/*
 * Finds the ground on which the track can be drawn and that can be walked to from the end over
 * such ground, without the chunk's outermost cells. Lists it in w->cells and returns the
 * number of cells. w->states is WALK_REACHED there, WALK_BLOCKED on what bounds them, else 0.
 */
enum { WALK_REACHED = 1, WALK_BLOCKED = 2 };
int32_t walk_ground(generator *g, ground_walk *w, track l, connect_end from);

/* Links the list's ends and ensures that every exit in it is drawn (roads_link.c). */
void link_ends(generator *g, ground_walk *w, track l, end_list *list);

/* Draws short cuts between cities of the list that face each other across water, if the way
 * around is long (roads_link.c). All must be linked already. */
void link_facing(generator *g, track l, const end_list *list);

/* Marks in g->reserved the corridors of the exits on the chunk's edges (roads_link.c). */
void reserve_corridors(generator *g);
