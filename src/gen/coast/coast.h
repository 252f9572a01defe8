/*
 * Islands in the sea of a world, as heights (schema/shoals.md, "A coast in a world"). Heights
 * are a pure function of the world's seed, the parameters and the plan, which says what each
 * OMT of the sea is. The method is that of ptl_shoals_generate, cut into OMTs: each OMT has
 * islands of its own, made with a random stream of its own. These islands reach at most into
 * the eight OMTs around.
 *
 * Coordinates of OMTs and tiles are absolute; an OMT has 24 x 24 tiles. Where names in this
 * folder say `cell`, a tile is meant. Heights have no unit; 0 is the sea's mean level. A point
 * at a distance and angle is found by a table of whole numbers. Trigonometric functions are not
 * used, since their results differ between machines.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    COAST_SIDE = 24,        /* side of an OMT, in tiles */
    COAST_ISLANDS_MAX = 16, /* the most islands whose middle lies in the same OMT */
    COAST_HILLS_MAX = 4,    /* the most hills of an island: the main one and 3 more */
    COAST_CLIFF_HILLS = 5,  /* the most hills of which a cliff is made */
    /* The greatest distance from an island's middle to the points of its hills, in tiles. */
    COAST_REACH = 17,
    COAST_RECT_MAX = 12 * COAST_SIDE, /* the most tiles along a side for coast_heights */
    COAST_SHARE_ALL = 255 /* value of coast_omt.share for an OMT that gets all islands that
                           * coast_parameters states */
};

/* The least heights of tiles that are shallow water, dry floor or rock while the tide is 0. The
 * numbers are those of the game (PTL_SHOALS_OPTIONS_GAME). */
enum { COAST_SHALLOW_FROM = -30, COAST_FLOOR_FROM = 0, COAST_ROCK_FROM = 135 };

/* What the plan says that an OMT is. */
typedef enum coast_kind {
    COAST_OPEN,  /* deep sea: no islands */
    COAST_SEA,   /* sea in which islands may lie */
    COAST_SHORE, /* sea beside land */
    COAST_LAND,
    COAST_KINDS
} coast_kind;

typedef struct coast_omt {
    uint8_t kind; /* coast_kind */
    /* The share of the islands stated in coast_parameters that the OMT gets: from 0 (none) to
     * COAST_SHARE_ALL. */
    uint8_t share;
} coast_omt;

/* Least and greatest number of islands, 0..16, of an OMT that gets all islands (whose
 * coast_omt.share is COAST_SHARE_ALL). */
typedef struct coast_parameters {
    /* Least and greatest number of islands, 0..16, of an OMT whose share is
     * COAST_SHARE_ALL. */
    int32_t islands_min, islands_max;
    int32_t cliffs; /* percentage of OMTs with a cliff */
    int32_t plants; /* percentage of OMTs with a cluster of plants */
} coast_parameters;

/* A rectangle, in OMTs or in tiles. */
typedef struct coast_rect {
    int64_t x, y;
    int32_t width, height;
} coast_rect;

/* A cache of the heights of OMTs, so that they are not computed again for each neighbouring
 * OMT. Only one thread may use it. Zero it before use. */
enum { COAST_MEMO_WIDTH = 16, COAST_MEMO_HEIGHT = 8 };
typedef struct coast_memo_omt {
    bool known;
    int64_t x, y;
    int16_t heights[COAST_SIDE * COAST_SIDE];
} coast_memo_omt;
typedef struct coast_memo {
    /* The index at which an OMT's heights are kept is made of the low bits of its x and y, so
     * later ones replace those of an earlier OMT with the same bits. */
    coast_memo_omt omts[COAST_MEMO_WIDTH * COAST_MEMO_HEIGHT];
} coast_memo;

/* The input of all functions of this header. `plan` fills out[j * width + i] for the OMT at
 * column i and row j of a rectangle; the result for an OMT must not depend on the rectangle. */
typedef struct coast {
    uint64_t seed;
    coast_parameters parameters;
    void (*plan)(const void *payload, coast_rect omts, coast_omt *out);
    const void *payload;
    coast_memo *memo; /* borrowed: keeps heights that were computed; NULL: they are computed
                         anew each time */
} coast;

/* A hill: points at random distances 0..radius around its middle. Each point raises its
 * tile. */
typedef struct coast_hill {
    int32_t x, y; /* the middle, in tiles from the north-west corner of the island's OMT; it may
                   * lie outside of this OMT */
    int32_t points, radius;
    int32_t low, high; /* the least and the greatest height that one random point of the hill
                        * adds to its tile */
    uint64_t key;      /* key of the random stream by which the points are chosen */
} coast_hill;

/* The hills of one OMT: first those of its islands, then those of its cliff. */
typedef struct coast_hills {
    int32_t count;
    coast_hill hills[COAST_ISLANDS_MAX * COAST_HILLS_MAX + COAST_CLIFF_HILLS];
} coast_hills;

/* Computes the hills of an OMT. Both the islands on the overmap and the heights of tiles are
 * made from these hills. */
void coast_hills_of(coast_hills *out, const coast *c, int64_t x, int64_t y, coast_omt omt);

/* Computes coast_omt.share for `width` OMTs from (x, y) eastwards. Shares are 0 in most of the
 * sea, so that islands form archipelagos with open water between them. They are a function of
 * seed and place. */
void coast_shares(uint8_t *out, uint64_t seed, int64_t x, int64_t y, int32_t width);

/* Returns the height, without islands, of a tile of an OMT; x and y of the tile are 0..23. The
 * height is interpolated between the OMT's four corners. A corner's height is the mean depth of
 * the four OMTs that meet there. `around` has the OMT and its eight neighbours, row by row from
 * the north-west. */
int32_t coast_base(const coast_omt around[9], int32_t x, int32_t y);

/* Returns 4 times the height of the corner where four OMTs of these kinds meet. */
int32_t coast_corner(const coast_kind kinds[4]);

/* Returns the height of a tile of an OMT, interpolated between the OMT's corners; x and y of
 * the tile are 0..23. `corners` has, for the north-west, north-east, south-west and south-east
 * corner, 4 times the height, as coast_corner returns it. */
int32_t coast_between(const int32_t corners[4], int32_t x, int32_t y);

/* Makes the heights of a rectangle's tiles before smoothing, at index y * width + x. Its sides
 * are at most COAST_RECT_MAX + 2. */
void coast_raw(int32_t *out, const coast *c, coast_rect cells);

/* Makes the smoothed heights of a rectangle's tiles, at index y * width + x. Its sides are at
 * most COAST_RECT_MAX; scratch has COAST_SCRATCH(width, height) numbers. The height of a tile
 * does not depend on the rectangle. */
#define COAST_SCRATCH(width, height) (((size_t)(width) + 2) * ((size_t)(height) + 2))
void coast_heights(int16_t *out, int32_t *scratch, const coast *c, coast_rect cells);

/* Makes the heights of one OMT, 24 x 24 tiles. If c has a memo, the heights are taken from it,
 * or computed and kept in it. */
void coast_omt_heights(int16_t out[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                       int64_t y);

/* Sets out[i] to the kind of plant (a coast_plant) that stands on tile i of an OMT with
 * these heights. Plants grow in clusters; those of the OMT and of its eight neighbours are
 * used. */
typedef enum coast_plant {
    COAST_BARE,     /* no plant */
    COAST_MANGROVE, /* a mangrove, which grows mostly in shallow water */
    COAST_BUSH      /* a bush, which grows mostly on land */
} coast_plant;
void coast_plants(uint8_t out[COAST_SIDE * COAST_SIDE],
                  const int16_t heights[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                  int64_t y);

/*
 * Islands on the overmap. An OMT becomes an island if hills raise enough of 25 sample tiles in
 * it above the sea's mean level. For this only the average by which a hill raises each sample
 * tile is computed; the hills' random points are not chosen.
 */

enum {
    COAST_SAMPLES = 5,                    /* columns of sample tiles in an OMT */
    COAST_SAMPLE_ROWS = 3 * COAST_SAMPLES /* rows of sample tiles in three rows of OMTs */
};

/* Indices of the columns of an OMT's 24 x 24 tiles in which sample tiles lie. The indices of
 * the rows are the same. */
extern const int32_t coast_sample_cells[COAST_SAMPLES];

/* Adds a hill to the heights of sample tiles: to each sample, by how much hills of this size
 * raise such a tile on average. `rows` are the samples of three rows of OMTs, each of `columns`
 * OMTs. The hill's own OMT is in the middle row at `column`, which may also be -1 or `columns`.
 */
void coast_samples_raise(int32_t *const rows[COAST_SAMPLE_ROWS], int32_t columns,
                         const coast_hill *hill, int32_t column);
