#include "gen/noise/noise.h"

#include "core/cpu.h"
#include "core/hash.h"

#include <math.h>

void noise_layer_init(noise_layer *layer, uint64_t seed, const char *name, int octaves,
                      double frequency)
{
    uint64_t key = hash_add(hash_add(seed, hash_string("noise")), hash_string(name));
    /* Adding 1/2 and truncating does: no libm, and exact for the few constants that occur. */
    int64_t step = (int64_t)(frequency * (double)(1 << NOISE_FRACTION_BITS) + 0.5);
    layer->octaves = octaves;
    float amplitude = 1.0f;
    for (int i = 0; i < octaves; i++) {
        uint64_t octave_key = hash_add(key, (uint64_t)i);
        layer->octave[i].step = step << i;
        layer->octave[i].plane = (int64_t)(octave_key >> 32) & ((1 << NOISE_FRACTION_BITS) - 1);
        layer->octave[i].key = (uint32_t)octave_key;
        layer->rest[i] = 2.0f * amplitude; /* the last amplitude is taken off below */
        amplitude *= 0.5f;
    }
    for (int i = 0; i < octaves; i++)
        layer->rest[i] -= 2.0f * amplitude;
    layer->rest[octaves] = 0.0f;
    layer->scale = 1.0f / layer->rest[0];
}

/* For the octave noise oct, oct^4 > t with oct in [0, 1] means oct > sqrt(sqrt(t)), and oct =
 * (sum * scale + 1) / 2. sqrt is exact to the last bit by IEEE 754. */
static double fourth_sum(const noise_layer *layer, double threshold)
{
    const double root = threshold > 0 ? sqrt(sqrt(threshold)) : -1.0;
    return (2.0 * root - 1.0) * (double)layer->rest[0];
}

noise_bounds noise_fourth_bounds(const noise_layer *layer, double least, double most)
{
    const double margin = 0.001; /* covers all rounding before */
    return (noise_bounds){(float)(fourth_sum(layer, least) - margin),
                          (float)(fourth_sum(layer, most) + margin)};
}

void noise_land_init(noise_land *land, uint64_t seed, double lake_threshold,
                     double forest_threshold, double thick_threshold)
{
    noise_layer_init(&land->lake, seed, "lake", 8, 0.002);
    noise_layer_init(&land->forest_wide, seed, "forest wide", 4, 0.03);
    noise_layer_init(&land->forest_fine, seed, "forest fine", 6, 0.07);
    noise_layer_init(&land->floodplain, seed, "floodplain", 4, 0.05);
    land->lake_threshold = (float)lake_threshold;
    /* What is thick is forest too: a class is then the number of thresholds that are passed. */
    land->thick_threshold = (float)thick_threshold;
    land->forest_threshold =
        (float)(forest_threshold < thick_threshold ? forest_threshold : thick_threshold);
    land->lake_bounds = noise_fourth_bounds(&land->lake, lake_threshold, lake_threshold);
    /* Likewise oct^2 > t; every sum is above where the threshold is negative. */
    const double root =
        land->forest_threshold >= 0 ? sqrt((double)land->forest_threshold) : -1.0;
    land->forest_needed =
        (float)((2.0 * root - 1.0) * (double)land->forest_wide.rest[0] - 0.001);
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
