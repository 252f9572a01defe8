/*
 * What changes from overmap to overmap with the distance from the origin (generation.md 4.8):
 * how urban one is, and how much its forest keeps cities apart. The forest itself grows in
 * noise, without steps at borders.
 */
#include "gen/plan/plan_gradients.h"

#include <math.h>

/* How far an overmap lies towards a side: north, east, south, west; 0 where it does not. */
static int32_t towards(ptl_chunk_pos pos, int side)
{
    const int32_t along = side == 0 ? -pos.y : side == 1 ? pos.x : side == 2 ? pos.y : -pos.x;
    return along > 0 ? along : 0;
}

/* What the sides before have added is divided, too: so do the games, whose order this is. */
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

/* 25 times what the forest gains in the overmap's middle, whatever its limit; in millionths, in
 * which the games' own numbers are whole. */
int32_t plan_forestosity(const cat_region *region, ptl_chunk_pos pos)
{
    double sum = 0;
    for (int side = 0; side < 4; side++)
        sum += floor(region->forest_increase[side] * 1e6 + 0.5) * towards(pos, side);
    return (int32_t)trunc(sum * 25 / 1e6);
}
