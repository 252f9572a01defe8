#include "gen/plan/plan_strip.h"

#include <string.h>

enum { SIZE = PTL_CHUNK_SIZE, R = PLAN_REACH };

/* Eight columns are dry where the noise at the corners of their squares is far below that of
 * lakes, and of the sea; false where it isn't, or where that has been asked already. */
static bool look_at_corners(edge_strip *s, int32_t position)
{
    bool *tried = &s->corners[position / NOISE_SQUARE];
    bool dry = !*tried;
    *tried = true;
    const gen_config *config = s->config;
    const bool east = s->edge->side == EDGE_EAST;
    const int32_t first = position / NOISE_SQUARE * NOISE_SQUARE;
    const int64_t border = ((int64_t)(east ? s->edge->x : s->edge->y) + 1) * SIZE;
    const int64_t along = (int64_t)(east ? s->edge->y : s->edge->x) * SIZE + first;
    /* Squares lie side by side along x: on an east edge they are the whole strip. */
    for (int32_t distance = -R; dry && distance < R; distance += east ? 2 * R : NOISE_SQUARE) {
        const int64_t x = east ? border + distance : along;
        const int64_t y = east ? along : border + distance;
        uint8_t squares[NOISE_SQUARES], sea[NOISE_SQUARES];
        config->kernels->squares(&config->noise.lake, config->noise.lake_bounds, x, y, squares);
        ocean_squares(&config->ocean, x, y, sea);
        for (int32_t i = 0; i < (east ? 2 * R / NOISE_SQUARE : 1); i++)
            dry = dry && squares[i] == NOISE_ALL_BELOW && sea[i] == NOISE_ALL_BELOW;
    }
    for (int32_t i = first; dry && i < first + NOISE_SQUARE; i++)
        s->known[i] = 1;
    return dry;
}
_Static_assert((int)R % (int)NOISE_SQUARE == 0 && 2 * (int)R <= NOISE_SQUARES * NOISE_SQUARE,
               "a strip's width is a few squares");

bool edge_strip_is_dry(edge_strip *s, int32_t position)
{
    if (!s->known[position] && !look_at_corners(s, position)) {
        if (s->edge->side == EDGE_EAST) {
            /* Looks at a column of an east edge: blocks of noise run along the column. */
            const gen_config *config = s->config;
            int64_t y = (int64_t)s->edge->y * SIZE + position;
            int64_t border = ((int64_t)s->edge->x + 1) * SIZE;
            for (int32_t distance = -R; distance < R; distance += NOISE_BLOCK) {
                uint8_t lake[NOISE_BLOCK], sea[NOISE_BLOCK];
                config->kernels->lake(&config->noise, border + distance, y, lake);
                ocean_block(&config->ocean, border + distance, y, sea);
                for (int32_t i = 0; i < NOISE_BLOCK; i++)
                    s->water[position] |= lake[i] | sea[i];
            }
            s->known[position] = 1;
        } else {
            /* The eight columns of a south edge that hold this one: a block of noise runs along
             * the edge.
             */
            const gen_config *config = s->config;
            int32_t first = position / NOISE_BLOCK * NOISE_BLOCK;
            int64_t x = (int64_t)s->edge->x * SIZE + first,
                    border = ((int64_t)s->edge->y + 1) * SIZE;
            for (int32_t distance = -R; distance < R; distance++) {
                uint8_t lake[NOISE_BLOCK], sea[NOISE_BLOCK];
                config->kernels->lake(&config->noise, x, border + distance, lake);
                ocean_block(&config->ocean, x, border + distance, sea);
                for (int32_t i = 0; i < NOISE_BLOCK; i++)
                    s->water[first + i] |= lake[i] | sea[i];
            }
            memset(s->known + first, 1, NOISE_BLOCK);
        }
    }
    return !s->water[position];
}

void edge_strip_mark_rivers(edge_strip *s)
{
    if (s->edge->count == 0)
        return;
    plan_river_strip(s->rivers, s->config, s->edge);
    for (int32_t row = 0; row < 2 * R; row++)
        for (int32_t p = 0; p < SIZE; p++)
            s->water[p] |= s->rivers[row * SIZE + p];
    /* A column with a river needs no noise. */
    for (int32_t p = 0; p < SIZE; p++)
        s->known[p] = s->water[p];
}
