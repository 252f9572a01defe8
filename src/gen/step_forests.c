/*
 * Forests. Reads: forest noise of the chunk's own cells. Writes: z = 0, only where the ground
 * is still the region's default terrain. Noise is world-wide, so forests cross borders.
 */
#include "gen/generator.h"

/* Eight cells from (x, y) on. */
static void forest_block(generator *g, int32_t x, int32_t y)
{
    const gen_oters *o = g->config->oters;
    const ptl_oter ground = g->config->region->default_ter;
    const int32_t n = SIZE - x < NOISE_BLOCK ? SIZE - x : NOISE_BLOCK;
    ptl_oter *cell = &g->ground[y * SIZE + x];
    bool free_ground = false;
    for (int32_t i = 0; i < n; i++)
        free_ground |= cell[i] == ground;
    if (!free_ground)
        return;
    const ptl_oter kinds[3] = {ground, o->forest, o->forest_thick};
    uint8_t class[NOISE_BLOCK];
    noise_forest_at(g, x, y, class);
    for (int32_t i = 0; i < n; i++)
        cell[i] = cell[i] == ground ? kinds[class[i]] : cell[i];
}

void step_forests(generator *g)
{
    noise_forest_rows(g);
    for (int32_t x = 0; x < SIZE; x += NOISE_BLOCK) {
        noise_forest_column(g, x);
        for (int32_t y = 0; y < SIZE; y++)
            forest_block(g, x, y);
    }
}
