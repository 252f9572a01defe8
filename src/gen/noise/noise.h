/*
 * Noise that every IEEE machine evaluates to the same bits.
 *
 * Simplex noise in three dimensions (Perlin 2001; the common public form: twelve gradients,
 * skew 1/3, unskew 1/6, radius 0.6, output times 32), cut by a plane z = constant that the
 * seed chooses per octave. Lattice cell and fraction are integers in fixed point, taken from
 * 64-bit absolute OMTs, so that nothing is lost far from the origin; gradients come from a
 * hash of the lattice cell (no permutation table). The few float operations are single IEEE
 * additions and multiplications in a fixed order, never fused; each octave stays within
 * [-1, 1] (the largest possible value is 0.98), which the early-outs rely on.
 *
 * Everything is evaluated in blocks of eight OMTs along x. The same source is compiled for the
 * baseline, for AVX2 and (columns of blocks) for AVX-512; all give the same bits (test_noise
 * compares them).
 */
#ifndef GEN_NOISE_NOISE_H
#define GEN_NOISE_NOISE_H

#include <stdbool.h>
#include <stdint.h>

enum { NOISE_BLOCK = 8, NOISE_OCTAVES_MAX = 8, NOISE_FRACTION_BITS = 24 };

/* Octave i has frequency f * 2^i and amplitude 2^-i. */
typedef struct noise_octave {
    int64_t step;  /* frequency, cycles per OMT, times 2^24; at most 4 * 2^24 */
    int64_t plane; /* z of the cutting plane, times 2^24 */
    uint32_t key;  /* of the gradient hash */
} noise_octave;

typedef struct noise_layer {
    int octaves;
    noise_octave octave[NOISE_OCTAVES_MAX];
    float rest[NOISE_OCTAVES_MAX + 1]; /* rest[i]: sum of the amplitudes from octave i on */
    float scale;                       /* 1 / rest[0] */
} noise_layer;

/* The layer of lakes, which is the sea's, too. */
void noise_lake_layer_init(noise_layer *layer, uint64_t seed);

/* What the sum of a layer's octaves tells of a class. */
typedef struct noise_bounds {
    float needed; /* a sum below it can't be in the class */
    float enough; /* above it, it must be */
} noise_bounds;

/* Of the class of cells where oct^4 is above a threshold that is `least` at least and `most` at
 * most. */
noise_bounds noise_fourth_bounds(const noise_layer *layer, double least, double most);
/*
 * What is added to the forest's value before it is compared: it grows with the distance from
 * the origin (generation.md 4.8). In fixed point, so that all machines agree: the sum over the
 * sides of what one gives times the distance towards it, in units of RAMP_UNIT.
 */
typedef struct noise_ramp {
    bool any;        /* else it is 0 everywhere */
    int64_t side[4]; /* of an overmap's 360th towards north, east, south, west */
    int64_t most;
} noise_ramp;
enum { RAMP_PARTS = 1000000, RAMP_STEPS = 360 };
#define RAMP_UNIT (1.0 / RAMP_PARTS / RAMP_STEPS)

/* The land's three layers with the thresholds that their classes are cut at. */
typedef struct noise_land {
    noise_layer lake, forest_wide, forest_fine, floodplain;
    float lake_threshold;   /* lake where oct(lake)^4 is above */
    float forest_threshold; /* forest where max(0, oct(wide)^2 - oct(fine)^3 / 2) is above */
    float thick_threshold;
    noise_bounds lake_bounds;
    float forest_needed; /* a sum of the wide octaves below it can't be forest, without ramp */
    noise_ramp ramp;
} noise_land;

void noise_land_init(noise_land *land, uint64_t seed, double lake_threshold,
                     double forest_threshold, double thick_threshold);

/* Gives the land a ramp: increases of an overmap towards north, east, south, west, each within
 * -10..10, and the most that they add up to. */
void noise_land_set_ramp(noise_land *land, const double increase[4], double most);

/* The ramp at an OMT, in the unit of most. */
int64_t noise_ramp_at(const noise_ramp *ramp, int64_t x, int64_t y);

/* The ramp of eight OMTs along x, and what their wide octaves need, if the land has a ramp. */
void noise_ramp_block(float out[8], float *needed, const noise_land *land, int64_t x,
                      int64_t y);

/*
 * Squares of OMTs are decided from their corners. Within a square one octave differs from the
 * bilinear interpolation of its corners by at most side^2 / 8 times the sum of the largest
 * second derivatives along x and along y, which are below NOISE_CURVATURE (per cycle^2), and
 * by the small jumps from one simplex to the next, since the radius 0.6 reaches a little
 * farther than a simplex does: NOISE_JUMPS. An interpolation is never above its largest
 * corner. test_noise derives both numbers from the corners' formula.
 */
enum { NOISE_SQUARE = 8, NOISE_SQUARES = 7 /* in a row, from eight columns of corners */ };
enum { NOISE_MIXED, NOISE_ALL_BELOW, NOISE_ALL_ABOVE };
#define NOISE_CURVATURE 45.0f
#define NOISE_JUMPS     0.02f

static inline float noise_bend(const noise_octave *o, int side)
{
    const float cycles = (float)o->step / (float)(1 << NOISE_FRACTION_BITS) * (float)side;
    return cycles * cycles * (NOISE_CURVATURE / 4.0f) + NOISE_JUMPS;
}

/*
 * Many OMTs are evaluated in tiles of NOISE_TILE_X by NOISE_TILE_Y OMTs, of which fewer are
 * crossed by a line between what is decided and what is not than of blocks, which are as large
 * but longer. Lane i of a tile is the OMT at i / NOISE_TILE_Y, i % NOISE_TILE_Y;
 * its classes lie row by row.
 *
 * Skewed lattice coordinates are sums of a column's and a row's part. A grid has the parts of
 * NOISE_GRID_ROWS rows and of one column of tiles, for a few octaves.
 */
enum { NOISE_TILE_X = 4, NOISE_TILE_Y = 2 };
enum { NOISE_GRID_ROWS = 184, NOISE_GRID_OCTAVES = 10 };
enum { NOISE_GRID_TILES = NOISE_GRID_ROWS / NOISE_TILE_Y };
_Static_assert(NOISE_TILE_X *NOISE_TILE_Y == NOISE_BLOCK, "a tile is a block of another form");

typedef struct noise_lines {
    int32_t fraction[3][NOISE_GRID_ROWS]; /* of the lattice cell, on each axis */
    uint32_t hash[3][NOISE_GRID_ROWS];    /* lattice cell times the axis' prime */
} noise_lines;

typedef struct noise_lanes {
    int32_t fraction[3][NOISE_BLOCK];
    uint32_t hash[3][NOISE_BLOCK];
} noise_lanes;

typedef struct noise_grid {
    noise_lanes column[NOISE_GRID_OCTAVES];
    noise_lines rows[NOISE_GRID_OCTAVES];
} noise_grid;

/*
 * Tiles one above the other that are evaluated octave by octave, all together: whether a tile
 * needs one more octave is hard to foretell, and costs as much as an octave where it is guessed
 * wrong, so it is asked between the octaves, not within.
 */
typedef struct noise_column {
    int count; /* in: of the tiles that are asked for; out: of the floodplain's that count */
    uint8_t tiles[NOISE_GRID_TILES]; /* their numbers, in ascending order */
    float sum[NOISE_GRID_TILES][NOISE_BLOCK];
    float needed[NOISE_GRID_TILES][NOISE_BLOCK];  /* in: by the floodplain */
    float value[NOISE_GRID_TILES][NOISE_BLOCK];   /* out: of the floodplain */
    uint8_t class[NOISE_GRID_TILES][NOISE_BLOCK]; /* out: of the forest */
    float ramp[NOISE_GRID_TILES][NOISE_BLOCK]; /* in, where the land has one: of the forest */
    float forest_needed;                       /* in, likewise: by its wide octaves */
} noise_column;

/*
 * The classes and values of eight OMTs (x .. x + 7, y):
 * lake: 1 where the lake noise is above its threshold, else 0.
 * fourth: oct^4 of a layer; or NOISE_LITTLE in all of them, where no sum can be in the class of
 * the bounds, and NOISE_MUCH, where each must be.
 * forest: 0 none, 1 forest, 2 thick forest.
 * floodplain: oct^2, in [0, 1]; or false and nothing, if no OMT is above what it `needed`.
 * squares: what a layer is in NOISE_SQUARES squares side by side; (x, y) is the first one's
 * corner. NOISE_MIXED: either, or not known.
 */
#define NOISE_LITTLE (-1.0f)
#define NOISE_MUCH   2.0f
typedef struct noise_kernels {
    void (*fourth)(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                   float out[NOISE_BLOCK]);
    void (*lake)(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
    void (*forest)(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
    bool (*floodplain)(const noise_land *land, const float needed[NOISE_BLOCK], int64_t x,
                       int64_t y, float out[NOISE_BLOCK]);
    /* Adds up all octaves, without early-outs: scaled to [0, 1]. */
    void (*octaves)(const noise_layer *layer, int64_t x, int64_t y, float out[NOISE_BLOCK]);
    void (*squares)(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                    uint8_t out[NOISE_SQUARES]);
    /* Put a layer's octaves at `index` and on: rows from y on, the column from x on. */
    void (*grid_rows)(noise_grid *grid, int index, const noise_layer *layer, int64_t y);
    void (*grid_column)(noise_grid *grid, int index, const noise_layer *layer, int64_t x);
} noise_kernels;

extern const noise_kernels noise_kernels_base;
extern const noise_kernels noise_kernels_avx2; /* equal to base where the build has no AVX2 */

/* Fills the column's ramp and forest_needed for the tiles that are asked for, if the land has a
 * ramp; (x, y) is the first OMT of tile 0. */
void noise_ramp_column(noise_column *c, const noise_land *land, int64_t x, int64_t y);

/*
 * In a column of a grid whose octaves from 0 on are those of the wide and then the fine forest,
 * or those of the floodplain.
 * lake_square: the same as noise_kernels.lake, of NOISE_SQUARE rows from y on.
 * fourth_square: likewise of fourth, but what is said of all is said of parts of the square.
 */
typedef struct noise_columns {
    void (*lake_square)(const noise_land *land, int64_t x, int64_t y,
                        uint8_t out[NOISE_SQUARE][NOISE_SQUARE]);
    void (*fourth_square)(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                          float out[NOISE_SQUARE][NOISE_SQUARE]);
    void (*forest)(const noise_land *land, const noise_grid *grid, noise_column *c);
    void (*floodplain)(const noise_land *land, const noise_grid *grid, noise_column *c);
} noise_columns;

extern const noise_columns noise_columns_base;
/* Equal to base where the build has no such instructions. */
extern const noise_columns noise_columns_avx2, noise_columns_avx512;

/* The fastest kernels that this processor can run. */
const noise_kernels *noise_kernels_best(void);
const noise_columns *noise_columns_best(void);

#endif
