/*
 * Noise that has the same bits on every machine with IEEE floating point.
 *
 * It is simplex noise in three dimensions (Perlin 2001; the common public form: twelve
 * gradients, skew 1/3, unskew 1/6, radius 0.6, output times 32), cut by a plane z = constant
 * that the seed chooses for each octave. Lattice cells and fractions are integers in fixed
 * point, computed from 64-bit absolute coordinates of OMTs, so that nothing is lost far from
 * the origin. Gradients come from a hash of the lattice cell (no permutation table). The few
 * float operations are single IEEE additions and multiplications in a fixed order, never fused.
 * Each octave stays within [-1, 1] (its largest possible value is 0.98). The code relies on
 * that where it leaves octaves out because they can't change the result.
 *
 * Noise is evaluated for eight OMTs at once: a block along x, or a patch of 4 x 2. The same
 * source is compiled for any processor, for AVX2 and (columns of patches) for AVX-512; all
 * versions give the same bits (test_noise compares them).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { NOISE_BLOCK = 8, NOISE_OCTAVES_MAX = 8, NOISE_FRACTION_BITS = 24 };

/* One octave of a layer. Octave i has frequency f * 2^i and amplitude 2^-i, where f is the
 * layer's frequency. */
typedef struct noise_octave {
    int64_t step;  /* 2^24 times the frequency in cycles per OMT; at most 4 * 2^24 */
    int64_t plane; /* the noise is a section through noise in three dimensions; this is 2^24
                      times the z of its plane */
    uint32_t key;  /* key of the hash that chooses the gradients of this octave */
} noise_octave;

typedef struct noise_layer {
    int octaves;
    noise_octave octave[NOISE_OCTAVES_MAX];
    float rest[NOISE_OCTAVES_MAX + 1]; /* rest[i]: sum of the amplitudes from octave i on */
    float scale;                       /* 1 / rest[0] */
} noise_layer;

/* Sets up the layer of lakes, which is used for the sea as well. */
void noise_lake_layer_init(noise_layer *layer, uint64_t seed);

/* What the sum of a layer's octaves in a cell tells about whether the cell belongs to a class,
 * such as lake. */
typedef struct noise_bounds {
    float needed; /* below this sum of octaves a cell does not belong to the class */
    float enough; /* above this sum a cell belongs to the class */
} noise_bounds;

/* A cell belongs to a class if oct^4 is above a threshold; oct is the sum of the layer's
 * octaves in the cell, scaled to [0, 1]. All that is known of the threshold is that it lies
 * between `least` and `most`. Returns two sums: a cell with a lower sum than the first is
 * certainly not in the class, a cell with a higher sum than the second certainly is. */
noise_bounds noise_fourth_bounds(const noise_layer *layer, double least, double most);
/*
 * The ramp: a number that is added to the forest's noise before it is compared with thresholds.
 * It grows with the distance from the world's origin (generation.md 4.8): it is the sum, over
 * the four directions, of a gain times the distance in that direction. It is computed in fixed
 * point, in units of RAMP_UNIT, so that all machines agree.
 */
typedef struct noise_ramp {
    bool any; /* false: the ramp is 0 everywhere */
    /* By how much the ramp (the number that is added to the forest's noise) grows with each
     * 360th of an overmap to the north, east, south and west. */
    int64_t side[4];
    int64_t most; /* the greatest value of the ramp */
} noise_ramp;
enum { RAMP_PARTS = 1000000, RAMP_STEPS = 360 };
#define RAMP_UNIT (1.0 / RAMP_PARTS / RAMP_STEPS)

/* The noise of lakes, forests and floodplains, with the thresholds that divide cells into
 * classes. */
typedef struct noise_land {
    noise_layer lake, forest_wide, forest_fine, floodplain;
    /* A cell is lake if oct^4 is above this; oct is the sum of the octaves of `lake`, scaled to
     * [0, 1]. */
    float lake_threshold;
    /* A cell is forest if max(0, oct(forest_wide)^2 - oct(forest_fine)^3 / 2) is above this;
     * oct is the sum of a layer's octaves, scaled to [0, 1]. */
    float forest_threshold;
    /* A cell is thick forest if the value that is compared with forest_threshold is above this,
     * too. */
    float thick_threshold;
    noise_bounds lake_bounds;
    /* If there is no ramp: the least sum of the octaves of `forest_wide` with which a cell can
     * be forest. */
    float forest_needed;
    noise_ramp ramp;
} noise_land;

void noise_land_init(noise_land *land, uint64_t seed, double lake_threshold,
                     double forest_threshold, double thick_threshold);

/* Gives the land a ramp, a number that is added to the forest's noise. `increase` has what
 * the ramp grows by per overmap towards north, east, south, west, each within -10..10; `most`
 * is the greatest value of the ramp. */
void noise_land_set_ramp(noise_land *land, const double increase[4], double most);

/* Returns the ramp (the number that is added to the forest's noise) at an OMT, in units of
 * RAMP_UNIT. */
int64_t noise_ramp_at(const noise_ramp *ramp, int64_t x, int64_t y);

/* Computes the ramp (the number that is added to the forest's noise) for the eight OMTs from
 * (x, y) eastwards. *needed becomes the least sum of the octaves of `land->forest_wide` with
 * which any of the eight can be forest. Call this only if the land has a ramp. */
void noise_ramp_block(float out[8], float *needed, const noise_land *land, int64_t x,
                      int64_t y);

/*
 * Whole squares of OMTs can be classified by their corners. Within a square, an octave differs
 * from the bilinear interpolation of its values at the corners by a bounded amount. The bound
 * is side^2 / 8 times the sum of the largest second derivatives along x and y, which are below
 * NOISE_CURVATURE (per cycle^2), plus NOISE_JUMPS. The latter bounds small jumps from one
 * simplex to the next, which occur because the radius 0.6 reaches a little beyond a simplex. An
 * interpolation never exceeds its largest corner. test_noise derives both numbers from the
 * formula of a simplex corner.
 */
/* The side of a square in OMTs, and how many squares side by side are classified at once. */
enum { NOISE_SQUARE = 8, NOISE_SQUARES = 7 };
enum { NOISE_MIXED, NOISE_ALL_BELOW, NOISE_ALL_ABOVE };
#define NOISE_CURVATURE 45.0f
#define NOISE_JUMPS     0.02f

/* Returns by how much an octave (of amplitude 1) may differ from the interpolation of its
 * values at a square's corners. */
static inline float noise_bend(const noise_octave *o, int side)
{
    const float cycles = (float)o->step / (float)(1 << NOISE_FRACTION_BITS) * (float)side;
    return cycles * cycles * (NOISE_CURVATURE / 4.0f) + NOISE_JUMPS;
}

/*
 * Large areas are evaluated in patches of NOISE_PATCH_X by NOISE_PATCH_Y OMTs. It takes fewer
 * octaves in some OMTs than in others to decide their class (no forest, forest, thick forest),
 * and OMTs that need few mostly lie together. A patch is more compact than NOISE_BLOCK OMTs in
 * one row, so it is less often a mixture of OMTs that need few and OMTs that need many. Lane i
 * of a vector holds the patch's OMT at column i / NOISE_PATCH_Y and row i % NOISE_PATCH_Y; the
 * classes of a patch's OMTs are stored row by row.
 *
 * The coordinates of an OMT in the skewed lattice are sums of a part for its column and a part
 * for its row. A grid has the parts for NOISE_GRID_ROWS rows and for one column of patches, for
 * a few octaves.
 */
enum { NOISE_PATCH_X = 4, NOISE_PATCH_Y = 2 };
enum { NOISE_GRID_ROWS = 184, NOISE_GRID_OCTAVES = 10 };
enum { NOISE_GRID_PATCHES = NOISE_GRID_ROWS / NOISE_PATCH_Y };
_Static_assert(NOISE_PATCH_X *NOISE_PATCH_Y == NOISE_BLOCK,
               "a patch is a block of another form");

/* For one octave: what each row of OMTs adds to the coordinates of its OMTs in the lattice
 * of the noise. */
typedef struct noise_lines {
    /* For each axis of the noise's lattice and each row of OMTs: what the row adds to the
     * position that its OMTs have inside a cell of the lattice, along this axis. */
    int32_t fraction[3][NOISE_GRID_ROWS];
    /* By axis and row: number of the lattice cell times a prime number of the axis. The hash
     * that chooses gradients is made from it. */
    uint32_t hash[3][NOISE_GRID_ROWS];
} noise_lines;

/* For one octave and one column of patches (4 x 2 OMTs each): what each column of OMTs adds to
 * the three coordinates that its OMTs have in the noise's lattice. The second index is the
 * OMT's number in its patch. */
typedef struct noise_lanes {
    int32_t fraction[3][NOISE_BLOCK];
    uint32_t hash[3][NOISE_BLOCK];
} noise_lanes;

typedef struct noise_grid {
    noise_lanes column[NOISE_GRID_OCTAVES];
    noise_lines rows[NOISE_GRID_OCTAVES];
} noise_grid;

/*
 * A column of patches (4 x 2 OMTs each) that are evaluated together, octave by octave. A
 * processor can hardly predict whether a patch needs one more octave, and a wrong prediction
 * costs as much time as an octave. So each octave is computed for all patches of the column,
 * and only then it is found out which of them need one more.
 */
typedef struct noise_column {
    /* Before the evaluation: the number of patches to evaluate. The floodplain's evaluation
     * sets it to the number of patches in which a value may exceed `needed`. */
    int count;
    uint8_t patches[NOISE_GRID_PATCHES]; /* which patches of the column are evaluated: `count`
                                            indices, ascending */
    /* By OMT: sum of the octaves computed so far. */
    float sum[NOISE_GRID_PATCHES][NOISE_BLOCK];
    /* Set before the evaluation: for each OMT, the noise of the floodplain above which the OMT
     * can become a swamp. */
    float needed[NOISE_GRID_PATCHES][NOISE_BLOCK];
    /* Result: the floodplain's noise for each OMT. */
    float value[NOISE_GRID_PATCHES][NOISE_BLOCK];
    uint8_t class[NOISE_GRID_PATCHES][NOISE_BLOCK]; /* result: each OMT's class of forest */
    /* Set before the evaluation, if the land has a ramp: the ramp (the number that is added to
     * the forest's noise) at each OMT. */
    float ramp[NOISE_GRID_PATCHES][NOISE_BLOCK];
    /* Set before the evaluation, if the land has a ramp: the least sum of the octaves of
     * noise_land.forest_wide with which any OMT of the column can be forest. */
    float forest_needed;
} noise_column;

/*
 * The kernels compute classes and values of eight OMTs (x .. x + 7, y).
 *
 * `lake` gives 1 where the lake noise is above its threshold, else 0. `forest` gives 0 for no
 * forest, 1 for forest, 2 for thick forest. `fourth` gives oct^4 of a layer. But it gives
 * NOISE_LITTLE for all eight OMTs if none of them can be in the class that the bounds describe,
 * and NOISE_MUCH if all must be in it.
 *
 * `squares` classifies NOISE_SQUARES squares side by side, the first of which has its
 * north-western corner at (x, y). A square gets NOISE_ALL_ABOVE if all of its OMTs are in the
 * class that the bounds describe, NOISE_ALL_BELOW if none is, and NOISE_MIXED if neither is
 * certain.
 */
#define NOISE_LITTLE (-1.0f)
#define NOISE_MUCH   2.0f
typedef struct noise_kernels {
    void (*fourth)(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                   float out[NOISE_BLOCK]);
    void (*lake)(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
    void (*forest)(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
    /* Adds up all octaves of a layer and scales the sum to [0, 1]. */
    void (*octaves)(const noise_layer *layer, int64_t x, int64_t y, float out[NOISE_BLOCK]);
    void (*squares)(const noise_layer *layer, noise_bounds bounds, int64_t x, int64_t y,
                    uint8_t out[NOISE_SQUARES]);
    /* Compute the octaves of a layer for a grid, and store them as the grid's octaves from
     * number `index` on. An OMT's coordinates in the lattice of the noise are sums of a part
     * that depends on its row and one that depends on its column: grid_rows computes the parts
     * for the rows from y on, grid_column those for the four columns from x on. */
    void (*grid_rows)(noise_grid *grid, int index, const noise_layer *layer, int64_t y);
    void (*grid_column)(noise_grid *grid, int index, const noise_layer *layer, int64_t x);
} noise_kernels;

extern const noise_kernels noise_kernels_base;
/* The same as noise_kernels_base if this build has no AVX2. */
extern const noise_kernels noise_kernels_avx2;

/* Fills in the ramp (the number that is added to the forest's noise) and `forest_needed` for
 * a column of patches (4 x 2 OMTs each), if the land has a ramp. (x, y) is the first OMT of
 * patch 0. */
void noise_ramp_column(noise_column *c, const noise_land *land, int64_t x, int64_t y);

/*
 * Kernels for a column of patches (4 x 2 OMTs each). They read the OMTs' coordinates in the
 * noise's lattice from a grid, which must be filled before, octave by octave. For `forest`, the
 * octaves of land->forest_wide are in it from index 0 on, then those of land->forest_fine; for
 * `floodplain`, those of land->floodplain.
 */
typedef struct noise_columns {
    void (*forest)(const noise_land *land, const noise_grid *grid, noise_column *c);
    void (*floodplain)(const noise_land *land, const noise_grid *grid, noise_column *c);
} noise_columns;

extern const noise_columns noise_columns_base;
/* In a build without AVX2, noise_columns_avx2 is the same as noise_columns_base; in a build
 * without AVX-512, noise_columns_avx512 is. */
extern const noise_columns noise_columns_avx2, noise_columns_avx512;

/* Return the fastest kernels that this processor can run. */
const noise_kernels *noise_kernels_best(void);
const noise_columns *noise_columns_best(void);
