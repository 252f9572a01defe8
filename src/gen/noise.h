/*
 * Noise that every IEEE machine evaluates to the same bits.
 *
 * Simplex noise in three dimensions (Perlin 2001; the common public form: twelve gradients,
 * skew 1/3, unskew 1/6, radius 0.6, output times 32), cut by a plane z = constant that the
 * seed chooses per octave. Lattice cell and fraction are integers in fixed point, taken from
 * 64-bit absolute OMTs, so that nothing is lost far from the origin; gradients come from a
 * hash of the lattice cell (no permutation table). The few float operations are single IEEE
 * additions and multiplications in a fixed order, never fused; each octave is clamped to
 * [-1, 1], which makes the bounds of the early-outs exact.
 *
 * Everything is evaluated in blocks of eight OMTs along x. The same source is compiled twice,
 * for the baseline and for AVX2; both give the same bits (test_noise compares them).
 */
#ifndef GEN_NOISE_H
#define GEN_NOISE_H

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

/* A layer of octaves; name keys its stream. frequency: of the first octave, per OMT. */
void noise_layer_init(noise_layer *layer, uint64_t seed, const char *name, int octaves,
                      double frequency);

/* The land's three layers with the thresholds that their classes are cut at. */
typedef struct noise_land {
    noise_layer lake, forest_wide, forest_fine, floodplain;
    float lake_threshold;   /* lake where oct(lake)^4 is above */
    float forest_threshold; /* forest where max(0, oct(wide)^2 - oct(fine)^3 / 2) is above */
    float thick_threshold;
    float lake_needed; /* a sum below it can't be lake, above lake_enough it must be */
    float lake_enough;
} noise_land;

void noise_land_init(noise_land *land, uint64_t seed, double lake_threshold,
                     double forest_threshold, double thick_threshold);

/*
 * The classes and values of eight OMTs (x .. x + 7, y):
 * lake: 1 where the lake noise is above its threshold, else 0.
 * forest: 0 none, 1 forest, 2 thick forest.
 * floodplain: oct^2, in [0, 1]; or 0 for all eight if none of them is above `needed`.
 */
typedef struct noise_kernels {
    void (*lake)(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
    void (*forest)(const noise_land *land, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK]);
    void (*floodplain)(const noise_land *land, float needed, int64_t x, int64_t y,
                       float out[NOISE_BLOCK]);
    /* All octaves, no early-outs: scaled to [0, 1]. */
    void (*octaves)(const noise_layer *layer, int64_t x, int64_t y, float out[NOISE_BLOCK]);
} noise_kernels;

extern const noise_kernels noise_kernels_base;
extern const noise_kernels noise_kernels_avx2; /* equal to base where the build has no AVX2 */

/* The fastest kernels that this processor can run. */
const noise_kernels *noise_kernels_best(void);

#endif
