/*
 * Highways in a chunk (generation.md 5.13): they lead from the crossings of its edges over
 * pieces that lie behind each other, two cells wide. A piece is named by its anchor, the
 * north-western of its two cells, and its heading, the direction in which its path goes.
 *
 * Laying out only notes which cells are taken and does not change the chunk. Drawing writes
 * what is final, and reserved terrain where a segment on the ground will be: roads may cross
 * that terrain, and specials that ask for it stand there.
 */
#pragma once

#include "gen/work/generator.h"

enum {
    HIGHWAY_PIECES_MAX = 2048, /* even paths that wind through the whole chunk have fewer */
    HIGHWAY_PATHS_MAX = 5,     /* one from each side, and one between two intersections */
    HIGHWAY_DEVIATION = 12     /* nearer paths are joined by slants, without bends */
};

typedef enum highway_kind {
    HIGHWAY_SEGMENT, /* one cell long */
    HIGHWAY_SLANT,   /* shifts the path by one cell */
    HIGHWAY_HUB,     /* a bend or an intersection, around its anchor */
    HIGHWAY_ONRAMP   /* ends the highway: roads lead on from there */
} highway_kind;

typedef enum highway_ramp { HIGHWAY_LEVEL, HIGHWAY_UP, HIGHWAY_DOWN } highway_ramp;

typedef struct highway_piece {
    uint8_t kind;     /* highway_kind */
    uint8_t heading;  /* 0..3; for a hub, its rotation */
    int8_t aside;     /* for a slant: -1 or 1 along x or y */
    uint8_t ramp;     /* highway_ramp, in the direction of the heading */
    bool water;       /* whether one of its cells is water */
    bool raised;      /* whether it lies on z = 1 */
    int16_t x, y;     /* anchor */
    uint16_t special; /* CAT_NONE: a segment, whose special depends on its place */
} highway_piece;

/* A path: pieces first .. first + count - 1. Intersections belong to no path. */
typedef struct highway_path {
    size_t first, count;
} highway_path;

typedef struct highway_layout {
    highway_piece pieces[HIGHWAY_PIECES_MAX];
    size_t count;
    highway_path paths[HIGHWAY_PATHS_MAX];
    size_t path_count;
    uint8_t taken[SIZE * SIZE];
} highway_layout;

/* The end of the chunk's highway on one side. */
typedef struct highway_end {
    bool there, raised;
    int16_t position;
} highway_end;

/* highway_draw.c: pieces and the cells that they cover. */

typedef struct highway_cells {
    int16_t x[256], y[256];
    size_t count;
} highway_cells;

/* The special that a piece is made of, with its origin and rotation. */
typedef struct highway_spot {
    uint16_t special;
    int16_t x, y;
    uint8_t rotation;
} highway_spot;
/* Returns where a path goes on beyond a hub: the anchor outside of it on that side. */
point highway_port(const gen_config *config, const highway_piece *hub, int side);
/* Adds a piece if its cells are free and inside the chunk, and sets its `water`. False if they
 * are not. */
bool highway_add(generator *g, const highway_piece *piece);
/* Is there room for the piece? Sets piece->water. */
bool highway_fits(const generator *g, highway_piece *piece);
/* Removes all pieces from index `first` on. */
void highway_take_back(generator *g, size_t first);

/* highway_layout.c: paths. */

/* A path from one anchor with its heading to another, at which the path has that heading. The
 * pieces at both anchors belong to it. highway_lay returns false if there is no way; the
 * layout is then unchanged. */
typedef struct highway_way {
    point from, to;
    int heading, end_heading;
} highway_way;

/* highway_layout.c: lays out all highways of the chunk in g->highways. False if it has
 * none. */
bool highway_lay_out(generator *g);

/* highway_draw.c: decides which pieces of a path are raised and where it has ramps. False if
 * the path would end above an intersection on the ground. */
bool highway_level(generator *g, const highway_path *path, bool first_raised, bool last_raised,
                   bool ends_on_ground);

/* highway_draw.c: writes the layout into the chunk. */

/* Writes the layout; it runs before the cities. */
void highway_draw(generator *g);
/* Writes what had to wait for the specials; it runs after them. */
void highway_finish(generator *g);

extern const gen_part highways_part;
