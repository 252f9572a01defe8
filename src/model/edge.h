/*
 * Edges: what two neighbouring chunks agree on along their border. Each edge has one record,
 * which never changes once a chunk has used it.
 */
#pragma once

#include "portolan/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edge (x, y, EDGE_EAST) lies between chunks (x, y) and (x + 1, y); EDGE_SOUTH between
 * (x, y) and (x, y + 1). */
typedef enum edge_side { EDGE_EAST = 0, EDGE_SOUTH = 1 } edge_side;

typedef enum edge_origin {
    /* Computed from the world's seed and settings, the position and the content. */
    EDGE_PLANNED = 0,
    EDGE_FOREIGN = 1 /* taken from a chunk that Portolan did not make */
} edge_origin;

#define CROSSING_RIVER   "river"
#define CROSSING_HIGHWAY "highway"

/* Something linear that passes from one chunk into the other. */
typedef struct crossing {
    /* What passes: "river"; "highway", with a width above 0; or the id of an
     * overmap_connection, which has the width 0. Borrowed. */
    const char *kind;
    int16_t position; /* 0..179 along the edge: y on an east edge, x on a south edge */
    int8_t z;         /* level */
    /* For a river, half its width in OMTs: the river takes the border cells from position -
     * width to position + width. For a highway, its full width: it takes the cells from
     * position to position + width - 1. Other crossings have the width 0. */
    uint8_t width;
    /* Which way a river flows. +1: from the chunk (x, y) to its east or south neighbour; -1:
     * the other way; 0: the crossing does not flow. */
    int8_t direction;
} crossing;

enum { EDGE_CROSSINGS_MAX = 180 };

typedef struct edge {
    int32_t x, y;
    edge_side side;
    edge_origin origin;
    crossing *crossings; /* owned; sorted by (z, kind, position) */
    size_t count;
    /* For a chunk that Portolan did not make: the 180 oters along its border at z = 0, in the
     * order of position. [0] is for the chunk (x, y), [1] for its east or south neighbour; NULL
     * for a chunk that Portolan made. Owned. */
    ptl_oter *border[2];
} edge;

/* Frees what the edge owns, but not the struct. */
void edge_dispose(edge *e);

/* Is the crossing a highway? A connection may be called "highway", too, but its crossings have
 * no width. */
bool crossing_is_highway(const crossing *c);

/* Returns the letter by which a side is stored and printed: "E" or "S". */
const char *edge_side_text(edge_side side);
