/*
 * Islands in the sea of a world, as heights (schema/shoals.md, "A coast in a world"): a pure
 * function of the world's seed, the parameters and what the plan says of OMTs. In the manner of
 * ptl_shoals_generate, with what it has in one piece cut into OMTs: each has islands of its
 * own, drawn from a stream of its own, and they reach no further than its eight neighbours.
 *
 * OMTs and cells are absolute; a cell is a tile of a local map, 24 a side of an OMT. Heights
 * have no unit, 0 is the sea's mean level. Offsets are whole numbers of a table, no libm.
 */
#ifndef GEN_COAST_COAST_H
#define GEN_COAST_COAST_H

#include <stdbool.h>
#include <stdint.h>

enum {
    COAST_SIDE = 24,        /* cells a side of an OMT */
    COAST_ISLANDS_MAX = 16, /* of one OMT */
    COAST_HILLS_MAX = 4,    /* of an island: the main one and 0..3 more */
    COAST_CLIFF_HILLS = 5,  /* at most, of a cliff */
    COAST_REACH = 17,       /* of a hill's points, in cells from its island's middle */
    COAST_RECT_MAX = 12 * COAST_SIDE, /* cells a side of what is made in one piece */
    COAST_SHARE_ALL = 255
};

/* What a height is, tide 0: those of the game (PTL_SHOALS_OPTIONS_GAME). */
enum { COAST_SHALLOW_FROM = -30, COAST_FLOOR_FROM = 0, COAST_ROCK_FROM = 135 };

/* What an OMT is by the plan. */
typedef enum coast_kind {
    COAST_OPEN,  /* deep sea: no islands */
    COAST_SEA,   /* the shelf */
    COAST_SHORE, /* sea beside land */
    COAST_LAND,
    COAST_KINDS
} coast_kind;

typedef struct coast_omt {
    uint8_t kind;  /* coast_kind */
    uint8_t share; /* of the parameters' islands, 0..COAST_SHARE_ALL */
} coast_omt;

/* Of a terrain that names the mapgen `shoals`. */
typedef struct coast_parameters {
    int32_t islands_min, islands_max; /* of an OMT whose share is all of it; 0..16 */
    int32_t cliffs;                   /* OMTs with a cliff, percent */
    int32_t plants;                   /* OMTs with a cluster of plants, percent */
} coast_parameters;

/* A rectangle: of OMTs, or of cells. */
typedef struct coast_rect {
    int64_t x, y;
    int32_t width, height;
} coast_rect;

/* Heights of OMTs as they were made, so that grounds side by side don't make them anew; for one
 * thread. Zero it before use. */
enum { COAST_MEMO_WIDTH = 16, COAST_MEMO_HEIGHT = 8 };
typedef struct coast_memo_omt {
    bool known;
    int64_t x, y;
    int16_t heights[COAST_SIDE * COAST_SIDE];
} coast_memo_omt;
typedef struct coast_memo {
    coast_memo_omt omts[COAST_MEMO_WIDTH * COAST_MEMO_HEIGHT]; /* by the last bits of x and y */
} coast_memo;

/* Where islands are asked for. The plan fills out[j * width + i] for all OMTs of a rectangle;
 * it must say the same of an OMT in any. */
typedef struct coast {
    uint64_t seed;
    coast_parameters parameters;
    void (*plan)(const void *payload, coast_rect omts, coast_omt *out);
    const void *payload;
    coast_memo *memo; /* borrowed; NULL: nothing is kept */
} coast;

/* A hill: points around its middle, at random distances 0..radius, each of which is raised. */
typedef struct coast_hill {
    int32_t x, y; /* cells from the north-west corner of the island's OMT; may lie beyond it */
    int32_t points, radius;
    int32_t low, high; /* by how much */
    uint64_t key;      /* of the stream that its points are drawn from */
} coast_hill;

/* What an OMT raises: the hills of its islands, then those of its cliff. */
typedef struct coast_hills {
    int32_t count;
    coast_hill hills[COAST_ISLANDS_MAX * COAST_HILLS_MAX + COAST_CLIFF_HILLS];
} coast_hills;

/* The islands of an OMT: what overmap and heights both read. */
void coast_hills_of(coast_hills *out, const coast *c, int64_t x, int64_t y, coast_omt omt);

/* How much of the parameters' islands OMTs side by side have, from (x, y) on to the east:
 * archipelagos, and open water between them. A function of seed and place; 0 in most of the
 * sea. */
void coast_shares(uint8_t *out, uint64_t seed, int64_t x, int64_t y, int32_t width);

/* The height before there are islands, of a cell of an OMT (0..23), between those of the OMT's
 * four corners: a corner's is the mean of the depths of the four OMTs that meet there. around
 * are the nine OMTs, row by row from the north-west. */
int32_t coast_base(const coast_omt around[9], int32_t x, int32_t y);

/* The height of the corner where four OMTs meet, times 4. */
int32_t coast_corner(const coast_kind kinds[4]);

/* The height of a cell (0..23) between the corners of its OMT: NW, NE, SW, SE, each times 4. */
int32_t coast_between(const int32_t corners[4], int32_t x, int32_t y);

/* Makes the heights of cells as they are before smoothing, index y * width + x. Sides are at
 * most COAST_RECT_MAX + 2. */
void coast_raw(int32_t *out, const coast *c, coast_rect cells);

/* Makes the heights of cells, index y * width + x: smoothed once, from one buffer into another.
 * Sides are at most COAST_RECT_MAX; scratch has COAST_SCRATCH(width, height) numbers. Equal for
 * a cell in whatever rectangle, alone or together. */
#define COAST_SCRATCH(width, height) (((size_t)(width) + 2) * ((size_t)(height) + 2))
void coast_heights(int16_t *out, int32_t *scratch, const coast *c, coast_rect cells);

/* The same of one OMT: 24 x 24 cells, out of the memo or into it. */
void coast_omt_heights(int16_t out[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                       int64_t y);

/* Sets out[i] to a sort of plant where one stands on an OMT of these heights, else to 0: those
 * of the OMT's own clusters and of its eight neighbours'. */
typedef enum coast_plant {
    COAST_BARE,
    COAST_MANGROVE, /* they favour shallow water */
    COAST_BUSH      /* they favour land */
} coast_plant;
void coast_plants(uint8_t out[COAST_SIDE * COAST_SIDE],
                  const int16_t heights[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                  int64_t y);

/*
 * Islands as the overmap sees them: how much hills raise 25 places of an OMT on average,
 * without their points being drawn.
 */

enum {
    COAST_SAMPLES = 5,                    /* a side of an OMT */
    COAST_SAMPLE_ROWS = 3 * COAST_SAMPLES /* of three rows of OMTs */
};

/* The cells of an OMT, along either side, at which samples lie. */
extern const int32_t coast_sample_cells[COAST_SAMPLES];

/* Adds what a hill raises on average to the samples of three rows of OMTs, of so many columns;
 * the island's OMT is in the middle row, in this column, which may lie one beyond either end.
 */
void coast_samples_raise(int32_t *const rows[COAST_SAMPLE_ROWS], int32_t columns,
                         const coast_hill *hill, int32_t column);

#endif
