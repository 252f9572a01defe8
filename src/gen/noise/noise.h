/*
 * Noise that every IEEE machine evaluates to the same bits.
 *
 * It is simplex noise in three dimensions (Perlin 2001; the common public form: twelve
 * gradients, skew 1/3, unskew 1/6, radius 0.6, output times 32), cut by a plane z = constant
 * that the seed chooses for each octave. Lattice cells and fractions are integers in fixed
 * point, computed from 64-bit absolute OMTs, so that nothing is lost far from the origin.
 * Gradients come from a hash of the lattice cell (no permutation table). The few float
 * operations are single IEEE additions and multiplications in a fixed order, never fused. Each
 * octave stays within [-1, 1] (its largest possible value is 0.98); the early-outs rely on
 * that.
 *
 * Everything is evaluated in blocks of eight OMTs along x. The same source is compiled for the
 * baseline, for AVX2 and (columns of blocks) for AVX-512; all give the same bits (test_noise
 * compares them).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { NOISE_BLOCK = 8, NOISE_OCTAVES_MAX = 8, NOISE_FRACTION_BITS = 24 };

/* Octave i has frequency f * 2^i and amplitude 2^-i. */
typedef struct noise_octave {
    int64_t step;  /* frequency, cycles per OMT, times 2^24; at most 4 * 2^24 */
    int64_t plane; /* z of the cutting plane, times 2^24 */
    uint32_t key;  /* key of the gradient hash */
} noise_octave;

typedef struct noise_layer {
    int octaves;
    noise_octave octave[NOISE_OCTAVES_MAX];
    float rest[NOISE_OCTAVES_MAX + 1]; /* rest[i]: sum of the amplitudes from octave i on */
    float scale;                       /* 1 / rest[0] */
} noise_layer;

/* Sets up the layer of lakes, which serves the sea as well. */
void noise_lake_layer_init(noise_layer *layer, uint64_t seed);

/* What a partial sum of a layer's octaves tells about a class of cells. */
typedef struct noise_bounds {
    float needed; /* a cell with a sum below it can't be in the class */
    float enough; /* a cell with a sum above it must be in the class */
} noise_bounds;

/* Returns the bounds of the class of cells where oct^4 is above a threshold, when the
 * threshold lies between `least` and `most`. */
noise_bounds noise_fourth_bounds(const noise_layer *layer, double least, double most);
/*
 * The ramp: what is added to the forest's value before it is compared. It grows with the
 * distance from the origin (generation.md 4.8). It is computed in fixed point, so that all
 * machines agree: the sum over the four sides of the side's gain times the distance towards
 * it, in units of RAMP_UNIT.
 */
typedef struct noise_ramp {
    bool any;        /* false: the ramp is 0 everywhere */
    int64_t side[4]; /* gain per 360th of an overmap towards north, east, south, west */
    int64_t most;
} noise_ramp;
enum { RAMP_PARTS = 1000000, RAMP_STEPS = 360 };
#define RAMP_UNIT (1.0 / RAMP_PARTS / RAMP_STEPS)

/* The layers of the land, with the thresholds that cut them into classes. */
typedef struct noise_land {
    noise_layer lake, forest_wide, forest_fine, floodplain;
    float lake_threshold;   /* lake where oct(lake)^4 is above */
    float forest_threshold; /* forest where max(0, oct(wide)^2 - oct(fine)^3 / 2) is above */
    float thick_threshold;
    noise_bounds lake_bounds;
    float forest_needed; /* without ramp: a lower sum of wide octaves is no forest */
    noise_ramp ramp;
} noise_land;

void noise_land_init(noise_land *land, uint64_t seed, double lake_threshold,
                     double forest_threshold, double thick_threshold);

/* Gives the land a ramp. increase has the gain per overmap towards north, east, south, west,
 * each within -10..10; `most` is the greatest sum of them that counts. */
void noise_land_set_ramp(noise_land *land, const double increase[4], double most);

/* Returns the ramp at an OMT, in the unit of ramp->most. */
int64_t noise_ramp_at(const noise_ramp *ramp, int64_t x, int64_t y);

/* Computes the ramp of eight OMTs along x, and the sum that their wide octaves need. Does
 * nothing if the land has no ramp. */
void noise_ramp_block(float out[8], float *needed, const noise_land *land, int64_t x,
                      int64_t y);

/*
 * Squares of OMTs are decided from their corners. Within a square, an octave differs from the
 * bilinear interpolation of its corners by a bounded amount. The bound is side^2 / 8 times the
 * sum of the largest second derivatives along x and y, which are below NOISE_CURVATURE (per
 * cycle^2), plus NOISE_JUMPS. Those are small jumps from one simplex to the next, because the
 * radius 0.6 reaches a little beyond a simplex. An interpolation never exceeds its largest
 * corner. test_noise derives both numbers from the formula of a simplex corner.
 */
enum { NOISE_SQUARE = 8, NOISE_SQUARES = 7 /* in a row, from eight columns of corners */ };
enum { NOISE_MIXED, NOISE_ALL_BELOW, NOISE_ALL_ABOVE };
#define NOISE_CURVATURE 45.0f
#define NOISE_JUMPS     0.02f

/* Returns how far an octave (of amplitude 1) may differ from the interpolation of a square's
 * corners; see above. */
static inline float noise_bend(const noise_octave *o, int side)
{
    const float cycles = (float)o->step / (float)(1 << NOISE_FRACTION_BITS) * (float)side;
    return cycles * cycles * (NOISE_CURVATURE / 4.0f) + NOISE_JUMPS;
}

/*
 * Many OMTs are evaluated in patches of NOISE_PATCH_X by NOISE_PATCH_Y OMTs. A boundary between
 * decided and undecided OMTs crosses fewer of these patches than of blocks, which are as large
 * but longer. Lane i of a patch is the OMT at column i / NOISE_PATCH_Y, row i % NOISE_PATCH_Y;
 * its classes are stored row by row.
 *
 * A skewed lattice coordinate is the sum of a column's part and a row's part. A grid holds the
 * parts of NOISE_GRID_ROWS rows and of one column of patches, for a few octaves.
 */
enum { NOISE_PATCH_X = 4, NOISE_PATCH_Y = 2 };
enum { NOISE_GRID_ROWS = 184, NOISE_GRID_OCTAVES = 10 };
enum { NOISE_GRID_PATCHES = NOISE_GRID_ROWS / NOISE_PATCH_Y };
_Static_assert(NOISE_PATCH_X *NOISE_PATCH_Y == NOISE_BLOCK,
               "a patch is a block of another form");

typedef struct noise_lines {
    int32_t fraction[3][NOISE_GRID_ROWS]; /* fraction of the lattice cell, by axis */
    uint32_t hash[3][NOISE_GRID_ROWS];    /* lattice cell times the axis' prime, by axis */
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
 * A column of patches that are evaluated together, octave by octave. Whether a patch needs one
 * more octave is hard to predict, and a wrong prediction costs as much as an octave. So the
 * question is asked between the octaves, not within them.
 */
typedef struct noise_column {
    int count; /* in: number of patches to evaluate; out: number of the floodplain's patches
                * that count */
    uint8_t patches[NOISE_GRID_PATCHES]; /* numbers of the patches, ascending */
    float sum[NOISE_GRID_PATCHES][NOISE_BLOCK];
    float needed[NOISE_GRID_PATCHES][NOISE_BLOCK];  /* in: what the floodplain must exceed */
    float value[NOISE_GRID_PATCHES][NOISE_BLOCK];   /* out: the floodplain's value */
    uint8_t class[NOISE_GRID_PATCHES][NOISE_BLOCK]; /* out: the forest's class */
    float ramp[NOISE_GRID_PATCHES][NOISE_BLOCK];    /* in, if the land has one: its ramp */
    float forest_needed; /* in, if the land has a ramp: what the wide octaves need */
} noise_column;

/*
 * The kernels compute classes and values of eight OMTs (x .. x + 7, y).
 *
 * lake: 1 where the lake noise is above its threshold, else 0. fourth: oct^4 of a layer; or
 * NOISE_LITTLE for all of them if no sum can be in the class of the bounds, NOISE_MUCH if each
 * must be. forest: 0 none, 1 forest, 2 thick forest. squares: what a layer
 * is in NOISE_SQUARES adjacent squares; (x, y) is the first one's corner. NOISE_MIXED means
 * either, or unknown.
 */
#define NOISE_LITTLE (-1.0f)
#define NOISE_MUCH   2.0f
typedef struct noise_kernels {
    void (*fourth)(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                   float out[NOISE_BLOCK]);
    void (*lake)(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
    void (*forest)(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
    /* Adds up all octaves without early-outs, scaled to [0, 1]. */
    void (*octaves)(const noise_layer *layer, int64_t x, int64_t y, float out[NOISE_BLOCK]);
    void (*squares)(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                    uint8_t out[NOISE_SQUARES]);
    /* Put a layer's octaves at `index` and after it: the rows from y on, the column from x
     * on. */
    void (*grid_rows)(noise_grid *grid, int index, const noise_layer *layer, int64_t y);
    void (*grid_column)(noise_grid *grid, int index, const noise_layer *layer, int64_t x);
} noise_kernels;

extern const noise_kernels noise_kernels_base;
extern const noise_kernels noise_kernels_avx2; /* equal to base where the build has no AVX2 */

/* Fills the ramp and forest_needed of the column for its patches, if the land has a ramp. (x,
 * y) is the first OMT of patch 0. */
void noise_ramp_column(noise_column *c, const noise_land *land, int64_t x, int64_t y);

/*
 * Kernels for a column of a grid. The grid's octaves, from 0 on, are those of the wide and
 * then the fine forest, or those of the floodplain.
 */
typedef struct noise_columns {
    void (*forest)(const noise_land *land, const noise_grid *grid, noise_column *c);
    void (*floodplain)(const noise_land *land, const noise_grid *grid, noise_column *c);
} noise_columns;

extern const noise_columns noise_columns_base;
/* Both are equal to base where the build has no such instructions. */
extern const noise_columns noise_columns_avx2, noise_columns_avx512;

/* Return the fastest kernels that this processor can run. */
const noise_kernels *noise_kernels_best(void);
const noise_columns *noise_columns_best(void);
