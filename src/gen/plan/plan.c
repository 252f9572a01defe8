#include "gen/plan/plan.h"
#include "core/error.h"
#include "gen/plan/plan_strip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * What changes with an overmap's distance from the origin (generation.md 4.8): how urban it
 * is, and how much its forest keeps cities apart. The growth of the forest itself is in the
 * noise, which has no steps at borders.
 */

/* Returns how far an overmap lies towards a side (north, east, south, west); 0 if it lies the
 * other way. */
static int32_t towards(ptl_chunk_pos pos, int side)
{
    const int32_t along = side == 0 ? -pos.y : side == 1 ? pos.x : side == 2 ? pos.y : -pos.x;
    return along > 0 ? along : 0;
}

/* Each division also applies to what the earlier sides have added: the games compute it so,
 * and in this order of sides. */
int32_t plan_urbanity(const cat_region *region, ptl_chunk_pos pos)
{
    static const int order[4] = {0, 1, 3, 2};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const int side = order[i];
        const int32_t distance = towards(pos, side);
        if (region->urbanity_increase[side] == 0 || distance == 0)
            continue;
        sum += (double)distance * region->urbanity_increase[side] / 10.0;
        for (int turn = 1; turn <= 3; turn += 2) {
            const int beside = (side + turn) % 4;
            const double apart = towards(pos, beside) / 2.0;
            if (region->urbanity_increase[beside] == 0 && apart > 1)
                sum /= apart;
        }
    }
    return (int32_t)trunc(sum);
}

/* Returns 25 times what the forest gains in the overmap's middle, ignoring its limit. In
 * millionths, in which the games' own numbers are whole. */
int32_t plan_forestosity(const cat_region *region, ptl_chunk_pos pos)
{
    double sum = 0;
    for (int side = 0; side < 4; side++)
        sum += floor(region->forest_increase[side] * 1e6 + 0.5) * towards(pos, side);
    return (int32_t)trunc(sum * 25 / 1e6);
}

enum { SIZE = PTL_CHUNK_SIZE, R = PLAN_REACH };

/* Are the eight columns dry, as the noise at the corners of their squares tells? They are if
 * it is far below that of lakes and of the sea. False if it is not, or if this was tried
 * already. */
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
    /* Squares lie side by side along x; on an east edge they cover the whole strip. */
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
            /* Test a column of an east edge: blocks of noise run along the column. */
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
            /* Test the eight columns of a south edge that include this one: a block of noise
             * runs along the edge. */
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
    /* A column with a river is known to be wet without noise. */
    for (int32_t p = 0; p < SIZE; p++)
        s->known[p] = s->water[p];
}

void plan_edge_of_chunk(ptl_chunk_pos pos, int direction, int32_t *x, int32_t *y,
                        edge_side *side)
{
    *x = pos.x - (direction == 3);
    *y = pos.y - (direction == 0);
    *side = direction == 1 || direction == 3 ? EDGE_EAST : EDGE_SOUTH;
}

static bool crossing_before(const crossing *a, const crossing *b)
{
    int kinds = strcmp(a->kind, b->kind);
    if (a->z != b->z)
        return a->z < b->z;
    return kinds != 0 ? kinds < 0 : a->position < b->position;
}

ptl_status plan_edge(edge *out, const gen_config *config, int32_t x, int32_t y, edge_side side,
                     ptl_error *err)
{
    *out = (edge){.x = x, .y = y, .side = side, .origin = EDGE_PLANNED};
    crossing list[RIVER_ARMS_MAX + 1 + EXITS_PER_EDGE];
    edge planned = *out;
    planned.crossings = list;
    planned.count = plan_rivers(list, config, out);
    planned.count += plan_highways(list + planned.count, config, &planned);
    size_t count = planned.count + plan_exits(list + planned.count, config, &planned);
    if (count == 0)
        return PTL_OK;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && crossing_before(&list[k], &list[k - 1]); k--) {
            crossing swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    out->crossings = malloc(count * sizeof *list);
    if (!out->crossings)
        return error_nomem(err);
    memcpy(out->crossings, list, count * sizeof *list);
    out->count = count;
    return PTL_OK;
}
