#include "gen/noise/noise.h"

#include "core/cpu.h"
#include "core/hash.h"

#include <math.h>

/* Sets up a layer of noise, which is a sum of octaves. The layer's random numbers depend on the
 * seed and `name`. `frequency`, in cycles per OMT, is that of the first octave. */
static void noise_layer_init(noise_layer *layer, uint64_t seed, const char *name, int octaves,
                             double frequency)
{
    uint64_t key = hash_add(hash_add(seed, hash_string("noise")), hash_string(name));
    /* Round by adding 1/2 and truncating: this needs no mathematical library, and is exact for
     * the few constants that are used. */
    int64_t step = (int64_t)(frequency * (double)(1 << NOISE_FRACTION_BITS) + 0.5);
    layer->octaves = octaves;
    float amplitude = 1.0f;
    for (int i = 0; i < octaves; i++) {
        uint64_t octave_key = hash_add(key, (uint64_t)i);
        layer->octave[i].step = step << i;
        layer->octave[i].plane = (int64_t)(octave_key >> 32) & ((1 << NOISE_FRACTION_BITS) - 1);
        layer->octave[i].key = (uint32_t)octave_key;
        /* First, rest[i] becomes the sum of the amplitudes of octave i and all later ones, as
         * if there were endlessly many. The next loop subtracts the amplitudes of the octaves
         * that the layer does not have. */
        layer->rest[i] = 2.0f * amplitude;
        amplitude *= 0.5f;
    }
    for (int i = 0; i < octaves; i++)
        layer->rest[i] -= 2.0f * amplitude;
    layer->rest[octaves] = 0.0f;
    layer->scale = 1.0f / layer->rest[0];
}

void noise_lake_layer_init(noise_layer *layer, uint64_t seed)
{
    noise_layer_init(layer, seed, "lake", 8, 0.002);
}

/* The noise oct^4 is compared with a threshold t, where oct is the sum of a layer's octaves,
 * scaled to [0, 1]. Returns the sum of octaves with which oct^4 equals t. It follows from oct =
 * sqrt(sqrt(t)) and oct = (sum * scale + 1) / 2. IEEE 754 makes sqrt exact to the last bit. */
static double fourth_sum(const noise_layer *layer, double threshold)
{
    const double root = threshold > 0 ? sqrt(sqrt(threshold)) : -1.0;
    return (2.0 * root - 1.0) * (double)layer->rest[0];
}

noise_bounds noise_fourth_bounds(const noise_layer *layer, double least, double most)
{
    /* The margin is greater than all rounding errors of a sum of octaves together can be. */
    const double margin = 0.001;
    return (noise_bounds){(float)(fourth_sum(layer, least) - margin),
                          (float)(fourth_sum(layer, most) + margin)};
}

/* A cell can be forest only if oct^2 + ramp exceeds the forest's threshold. Here oct is the
 * sum of the octaves of `forest_wide`, scaled to [0, 1], and the ramp is a number that grows
 * with the distance from the world's origin. Returns the least sum with which a cell can be
 * forest. If the ramp alone exceeds the threshold, the result is below every sum. */
static float forest_needed(const noise_land *land, float ramp)
{
    const double least = (double)land->forest_threshold - (double)ramp;
    const double root = least >= 0 ? sqrt(least) : -1.0;
    return (float)((2.0 * root - 1.0) * (double)land->forest_wide.rest[0] - 0.001);
}

void noise_land_init(noise_land *land, uint64_t seed, double lake_threshold,
                     double forest_threshold, double thick_threshold)
{
    noise_lake_layer_init(&land->lake, seed);
    noise_layer_init(&land->forest_wide, seed, "forest wide", 4, 0.03);
    noise_layer_init(&land->forest_fine, seed, "forest fine", 6, 0.07);
    noise_layer_init(&land->floodplain, seed, "floodplain", 4, 0.05);
    land->lake_threshold = (float)lake_threshold;
    /* Thick forest counts as forest too. So a cell's class (0 none, 1 forest, 2 thick) is the
     * number of thresholds that the noise exceeds. */
    land->thick_threshold = (float)thick_threshold;
    land->forest_threshold =
        (float)(forest_threshold < thick_threshold ? forest_threshold : thick_threshold);
    land->lake_bounds = noise_fourth_bounds(&land->lake, lake_threshold, lake_threshold);
    land->forest_needed = forest_needed(land, 0);
    land->ramp = (noise_ramp){0};
}

/* ---- the ramp ---- */

void noise_land_set_ramp(noise_land *land, const double increase[4], double most)
{
    noise_ramp *ramp = &land->ramp;
    ramp->any = false;
    for (int i = 0; i < 4; i++) {
        ramp->side[i] = (int64_t)floor(increase[i] * RAMP_PARTS + 0.5);
        ramp->any = ramp->any || ramp->side[i] != 0;
    }
    ramp->most = (int64_t)floor(most * RAMP_PARTS + 0.5) * RAMP_STEPS;
}

/* Returns how much the x of an OMT, or its y, adds to the ramp: the number that is added to the
 * forest's noise. `at` is that x or y. Distances are in 360ths of an overmap from the middle of
 * overmap (0, 0). So each overmap has in its middle the value that the games use for the whole
 * overmap. */
static int64_t ramp_along(const noise_ramp *ramp, int back, int ahead, int64_t at)
{
    const int64_t distance = 2 * at - (RAMP_STEPS / 2 - 1);
    const int64_t away = -2 * at + (RAMP_STEPS / 2 - 1);
    return (distance > 0 ? distance * ramp->side[ahead] : 0) +
           (away > 0 ? away * ramp->side[back] : 0);
}

int64_t noise_ramp_at(const noise_ramp *ramp, int64_t x, int64_t y)
{
    const int64_t sum = ramp_along(ramp, 3, 1, x) + ramp_along(ramp, 0, 2, y);
    return sum < ramp->most ? sum : ramp->most;
}

static float ramp_float(int64_t value)
{
    return (float)((double)value * RAMP_UNIT);
}

void noise_ramp_block(float out[NOISE_BLOCK], float *needed, const noise_land *land, int64_t x,
                      int64_t y)
{
    float most = 0;
    for (int i = 0; i < NOISE_BLOCK; i++) {
        out[i] = ramp_float(noise_ramp_at(&land->ramp, x + i, y));
        most = i == 0 || out[i] > most ? out[i] : most;
    }
    *needed = forest_needed(land, most);
}

void noise_ramp_column(noise_column *c, const noise_land *land, int64_t x, int64_t y)
{
    const noise_ramp *ramp = &land->ramp;
    if (!ramp->any)
        return;
    int64_t along[NOISE_PATCH_X], most = INT64_MIN;
    for (int i = 0; i < NOISE_PATCH_X; i++)
        along[i] = ramp_along(ramp, 3, 1, x + i);
    for (int n = 0; n < c->count; n++) {
        const int64_t top = y + c->patches[n] * NOISE_PATCH_Y;
        for (int i = 0; i < NOISE_BLOCK; i++) {
            const int64_t across = ramp_along(ramp, 0, 2, top + i % NOISE_PATCH_Y);
            const int64_t sum = along[i / NOISE_PATCH_Y] + across;
            const int64_t value = sum < ramp->most ? sum : ramp->most;
            c->ramp[c->patches[n]][i] = ramp_float(value);
            most = value > most ? value : most;
        }
    }
    c->forest_needed = forest_needed(land, ramp_float(most));
}

const noise_kernels *noise_kernels_best(void)
{
    return CPU_IF(CPU_AVX2, &noise_kernels_avx2, &noise_kernels_base);
}

const noise_columns *noise_columns_best(void)
{
    const noise_columns *best = CPU_IF(CPU_AVX2, &noise_columns_avx2, &noise_columns_base);
    return CPU_IF(CPU_AVX512_F_VL_BW_DQ, &noise_columns_avx512, best);
}
