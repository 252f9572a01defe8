/*
 * Islands in the sea of a world, as heights (schema/shoals.md, "A coast in a world"). They are
 * a pure function of the world's seed, the parameters and what the plan says of OMTs. The
 * method is that of ptl_shoals_generate, cut into OMTs: each OMT has islands of its own, drawn
 * from its own stream, which reach at most into its eight neighbours.
 *
 * OMTs and cells are absolute. A cell is a tile of a local map; an OMT has 24 x 24. Heights
 * have no unit; 0 is the sea's mean level. Offsets are whole numbers from a table, so that no
 * libm is needed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    COAST_SIDE = 24,        /* cells a side of an OMT */
    COAST_ISLANDS_MAX = 16, /* islands of one OMT */
    COAST_HILLS_MAX = 4,    /* hills of an island: the main one and up to 3 more */
    COAST_CLIFF_HILLS = 5,  /* the most hills of a cliff */
    COAST_REACH = 17,       /* how far a hill's points lie from its island's middle, in cells */
    COAST_RECT_MAX = 12 * COAST_SIDE, /* cells a side of the largest rectangle */
    COAST_SHARE_ALL = 255
};

/* The height from which a cell is shallow water, floor or rock when the tide is 0. The numbers
 * are the game's (PTL_SHOALS_OPTIONS_GAME). */
enum { COAST_SHALLOW_FROM = -30, COAST_FLOOR_FROM = 0, COAST_ROCK_FROM = 135 };

/* What the plan says that an OMT is. */
typedef enum coast_kind {
    COAST_OPEN,  /* deep sea: no islands */
    COAST_SEA,   /* the shelf */
    COAST_SHORE, /* sea beside land */
    COAST_LAND,
    COAST_KINDS
} coast_kind;

typedef struct coast_omt {
    uint8_t kind;  /* coast_kind */
    uint8_t share; /* share of the parameters' number of islands, 0..COAST_SHARE_ALL */
} coast_omt;

/* Parameters of a terrain that names the mapgen `shoals`. */
typedef struct coast_parameters {
    int32_t islands_min, islands_max; /* islands of an OMT with share COAST_SHARE_ALL; 0..16 */
    int32_t cliffs;                   /* percentage of OMTs with a cliff */
    int32_t plants;                   /* percentage of OMTs with a cluster of plants */
} coast_parameters;

/* A rectangle, in OMTs or in cells. */
typedef struct coast_rect {
    int64_t x, y;
    int32_t width, height;
} coast_rect;

/* Remembers the heights of OMTs, so that neighbouring grounds do not compute them again. For
 * one thread only. Zero it before use. */
enum { COAST_MEMO_WIDTH = 16, COAST_MEMO_HEIGHT = 8 };
typedef struct coast_memo_omt {
    bool known;
    int64_t x, y;
    int16_t heights[COAST_SIDE * COAST_SIDE];
} coast_memo_omt;
typedef struct coast_memo {
    coast_memo_omt omts[COAST_MEMO_WIDTH * COAST_MEMO_HEIGHT]; /* by the last bits of x and y */
} coast_memo;

/* The input of all functions here. `plan` fills out[j * width + i] for all OMTs of a
 * rectangle; it must give the same for an OMT in every rectangle. */
typedef struct coast {
    uint64_t seed;
    coast_parameters parameters;
    void (*plan)(const void *payload, coast_rect omts, coast_omt *out);
    const void *payload;
    coast_memo *memo; /* borrowed; NULL: nothing is kept */
} coast;

/* A hill: points at random distances 0..radius around its middle, each of which is raised. */
typedef struct coast_hill {
    int32_t x, y; /* cells from the north-west corner of the island's OMT; may lie beyond it */
    int32_t points, radius;
    int32_t low, high; /* by how much a point is raised */
    uint64_t key;      /* key of the stream that the points are drawn from */
} coast_hill;

/* What one OMT adds to the heights: the hills of its islands, then those of its cliff. */
typedef struct coast_hills {
    int32_t count;
    coast_hill hills[COAST_ISLANDS_MAX * COAST_HILLS_MAX + COAST_CLIFF_HILLS];
} coast_hills;

/* Computes the hills of an OMT. The overmap and the heights both use them. */
void coast_hills_of(coast_hills *out, const coast *c, int64_t x, int64_t y, coast_omt omt);

/* Gives the share of the parameters' islands for `width` OMTs from (x, y) eastwards. Shares
 * form archipelagos with open water between them; they are 0 in most of the sea. A function of
 * seed and place. */
void coast_shares(uint8_t *out, uint64_t seed, int64_t x, int64_t y, int32_t width);

/* Returns the height without islands of cell (x, y) (0..23) of an OMT, interpolated between
 * its four corners. A corner's height is the mean depth of the four OMTs that meet there.
 * `around` are the nine OMTs, row by row from the north-west. */
int32_t coast_base(const coast_omt around[9], int32_t x, int32_t y);

/* Returns the height of the corner where four OMTs meet, times 4. */
int32_t coast_corner(const coast_kind kinds[4]);

/* Interpolates the height of a cell (0..23) between the corners of its OMT: NW, NE, SW, SE,
 * each times 4. */
int32_t coast_between(const int32_t corners[4], int32_t x, int32_t y);

/* Makes the heights of cells before smoothing, at index y * width + x. Sides are at most
 * COAST_RECT_MAX + 2. */
void coast_raw(int32_t *out, const coast *c, coast_rect cells);

/* Makes the heights of cells, at index y * width + x, smoothed once from one buffer into
 * another. Sides are at most COAST_RECT_MAX; scratch has COAST_SCRATCH(width, height) numbers.
 * A cell gets the same height in whatever rectangle it is asked for. */
#define COAST_SCRATCH(width, height) (((size_t)(width) + 2) * ((size_t)(height) + 2))
void coast_heights(int16_t *out, int32_t *scratch, const coast *c, coast_rect cells);

/* Makes the heights of one OMT, 24 x 24 cells. Takes them from the memo or puts them into
 * it. */
void coast_omt_heights(int16_t out[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                       int64_t y);

/* Sets out[i] to the sort of plant that stands on cell i of an OMT with these heights, 0 where
 * none does. Plants come from the clusters of the OMT and of its eight neighbours. */
typedef enum coast_plant {
    COAST_BARE,
    COAST_MANGROVE, /* favours shallow water */
    COAST_BUSH      /* favours land */
} coast_plant;
void coast_plants(uint8_t out[COAST_SIDE * COAST_SIDE],
                  const int16_t heights[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                  int64_t y);

/*
 * Islands as the overmap sees them: by how much hills raise 25 places of an OMT on average.
 * The hills' points are not drawn for that.
 */

enum {
    COAST_SAMPLES = 5,                    /* samples along a side of an OMT */
    COAST_SAMPLE_ROWS = 3 * COAST_SAMPLES /* rows of samples in three rows of OMTs */
};

/* The cells of an OMT at which samples lie, along either side. */
extern const int32_t coast_sample_cells[COAST_SAMPLES];

/* Adds a hill's average raise to the samples of three rows of OMTs, each of `columns` OMTs.
 * The island's OMT is in the middle row at `column`, which may lie one column outside at
 * either end. */
void coast_samples_raise(int32_t *const rows[COAST_SAMPLE_ROWS], int32_t columns,
                         const coast_hill *hill, int32_t column);
