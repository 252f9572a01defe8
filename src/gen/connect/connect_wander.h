/*
 * Chooses one of the cheapest paths: one that goes in stairs along the straight line between
 * its ends, as roads of the games do. A path is found backwards from its goal. Sometimes both a
 * step along x and a step along y are on a cheapest path; then a hash of the cell decides which
 * is taken. Steps along the shorter axis get such chances that they are spread evenly over the
 * path, mostly as single steps. The result depends only on costs, the seed, and places.
 */
#pragma once

#include "core/hash.h"
#include "gen/connect/connect_impl.h"

/* A path wanders: on each cell a hash chooses its next step. On about this many of every 256
 * cells the choice also depends on the step that was chosen before, so that the path's stairs
 * are more even. */
enum { WANDER_EVEN = 205 };

/* A path is found backwards, from its goal to its start `from`. Returns true if the step onto
 * `cell` along its row is to be tried before the step along its column. `after` is the
 * direction in which the path goes on from the cell. */
static inline bool wanders_along_x(uint64_t key, int32_t cell, int32_t from, int after)
{
    const int32_t dx = from % SIZE - cell % SIZE, dy = from / SIZE - cell / SIZE;
    const uint64_t across = (uint64_t)(dx < 0 ? -dx : dx), down = (uint64_t)(dy < 0 ? -dy : dy);
    const bool x_is_short = across < down;
    const uint64_t few = x_is_short ? across : down, many = x_is_short ? down : across;
    const uint64_t hash = hash_add(key, (uint64_t)cell), draw = hash >> 32;
    bool take_short = (draw * (few + many)) >> 32 < few;
    if (after != CONNECT_ANY && (hash & 255) < WANDER_EVEN) {
        const bool was_short = (after & 1) == x_is_short;
        take_short = !was_short && (draw * many) >> 32 < few;
    }
    return take_short == x_is_short;
}

/* The search finds a path backwards, from its goal to its start `from`. Computes in which order
 * directions are tried for the step of the path that comes onto `cell`. First come the two
 * directions that lead away from `from`; the cell's hash says which of the two is first. */
static inline void connect_order(int order[4], uint64_t key, int32_t cell, int32_t from,
                                 int after)
{
    const int along_x = from % SIZE > cell % SIZE ? 3 : 1;
    const int along_y = from / SIZE > cell / SIZE ? 0 : 2;
    const bool x_first = wanders_along_x(key, cell, from, after);
    order[0] = x_first ? along_x : along_y;
    order[1] = x_first ? along_y : along_x;
    order[2] = opposite(order[1]);
    order[3] = opposite(order[0]);
}
