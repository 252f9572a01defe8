/*
 * Highways in a chunk (generation.md 5.13). They begin where the chunk's edges say that a
 * highway crosses them, and are two cells wide. A path of a highway is a row of pieces. A piece
 * is placed by its anchor, the north-western of its two cells, and its heading, the direction
 * in which its path goes.
 *
 * First the highways are laid out: this only notes the pieces and the cells that they take, and
 * does not change the chunk. Then, before the cities, all pieces are drawn but the flat
 * segments. On the cells of flat segments a terrain is written that keeps them reserved: roads
 * may cross it, and specials that ask for it may stand there.
 */
#pragma once

#include "gen/work/generator.h"

enum {
    /* The most pieces of highways in a chunk. Even paths that wind through the whole chunk have
     * fewer pieces. */
    HIGHWAY_PIECES_MAX = 2048,
    /* The most paths of highways in a chunk: one from each of its sides, and one between two
     * intersections. */
    HIGHWAY_PATHS_MAX = 5,
    /* A path gets to its end by slants (HIGHWAY_SLANT) if the end lies fewer cells than this to
     * the side of its straight course; otherwise it needs bends. */
    HIGHWAY_DEVIATION = 12
};

typedef enum highway_kind {
    HIGHWAY_SEGMENT, /* a straight piece of a path, one cell long */
    HIGHWAY_SLANT,   /* shifts the path sideways by one cell */
    HIGHWAY_HUB,     /* a bend or an intersection; its place (x, y) is in its middle */
    HIGHWAY_ONRAMP   /* the end of a highway, from which roads lead on */
} highway_kind;

typedef enum highway_ramp { HIGHWAY_LEVEL, HIGHWAY_UP, HIGHWAY_DOWN } highway_ramp;

typedef struct highway_piece {
    uint8_t kind;    /* what the piece is, as a value of highway_kind */
    uint8_t heading; /* direction of the path, 0..3 = N, E, S, W; of a hub: its rotation */
    int8_t aside;    /* for a slant: by how much the path's x or y shifts there, -1 or 1 */
    /* A value of highway_ramp: whether the piece leads up or down, seen in the direction of its
     * heading. */
    uint8_t ramp;
    bool water;   /* whether one of the piece's cells is water */
    bool raised;  /* whether the piece lies on z = 1 */
    int16_t x, y; /* the piece's place, called its anchor */
    /* Index of the piece's special; CAT_NONE for a segment, as `ramp` and `raised` decide its
     * special. */
    uint16_t special;
} highway_piece;

/* A path of a highway: the pieces of the layout from index `first` to first + count - 1.
 * Intersections belong to no path. */
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

/* Whether, and where, a highway crosses one side of the chunk. */
typedef struct highway_end {
    bool there, raised;
    int16_t position;
} highway_end;

/* highway_draw.c: the cells on z = 0 that a piece of a highway covers. */

typedef struct highway_cells {
    int16_t x[256], y[256];
    size_t count;
} highway_cells;

/* The special that a piece of a highway is made of, with the special's origin and rotation. */
typedef struct highway_spot {
    uint16_t special;
    int16_t x, y;
    uint8_t rotation;
} highway_spot;
/* Returns the place (the anchor) of the first piece of the path that leaves a bend or
 * intersection (`hub`) on its side `side`. */
point highway_port(const gen_config *config, const highway_piece *hub, int side);
/* Adds a copy of the piece to the layout if its cells are inside the chunk and no other piece
 * takes them, and sets the copy's `water`. False if the piece does not fit. */
bool highway_add(generator *g, const highway_piece *piece);
/* Are the piece's cells inside the chunk, and does no piece of the layout take them? Sets
 * piece->water. */
bool highway_fits(const generator *g, highway_piece *piece);
/* Removes all pieces from index `first` on from the layout. */
void highway_take_back(generator *g, size_t first);

/* highway_layout.c: what is asked of a path that is to be laid. Its first piece is placed at
 * `from`, in the direction `heading`; its last piece is placed at `to`, in the direction
 * `end_heading`. */
typedef struct highway_way {
    point from, to;
    int heading, end_heading;
} highway_way;

/* highway_layout.c: lays out all highways of the chunk in g->highways, without drawing them.
 * False if the chunk has no highway. */
bool highway_lay_out(generator *g);

/* Decides which pieces of a path are raised to z = 1 and which are ramps (highway_draw.c).
 * `first_raised` and `last_raised` tell whether the path is raised at its beginning and at its
 * end. With `ends_on_ground`, returns false if the path's last piece is raised. */
bool highway_level(generator *g, const highway_path *path, bool first_raised, bool last_raised,
                   bool ends_on_ground);

/* highway_draw.c: draws the laid-out highways into the chunk, before the cities are made. Cells
 * of segments on the ground get reserved terrain. */
void highway_draw(generator *g);
/* Draws the highways' segments on the ground and places interchanges, after specials have been
 * placed. */
void highway_finish(generator *g);

extern const gen_part highways_part;
