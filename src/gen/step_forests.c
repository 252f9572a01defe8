/*
 * Forests. Reads: forest noise of the chunk's own cells. Writes: z = 0, only where the ground
 * is still the region's default terrain. Noise is world-wide, so forests cross borders.
 */
#include "gen/generator.h"

void step_forests(generator *g)
{
    const gen_oters *o = g->config->oters;
    const ptl_oter ground = g->config->region->default_ter;
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x += NOISE_BLOCK) {
            int32_t n = SIZE - x < NOISE_BLOCK ? SIZE - x : NOISE_BLOCK;
            ptl_oter *cell = &g->ground[y * SIZE + x];
            bool free_ground = false;
            for (int32_t i = 0; i < n; i++)
                free_ground |= cell[i] == ground;
            if (!free_ground)
                continue;
            uint8_t class[NOISE_BLOCK];
            noise_forest(g, x, y, class);
            for (int32_t i = 0; i < n; i++)
                if (class[i] && cell[i] == ground)
                    cell[i] = class[i] == 2 ? o->forest_thick : o->forest;
        }
}
