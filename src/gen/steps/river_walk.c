/*
 * A river inside a chunk: a random walk that drifts towards its end, as in the games
 * (generation.md 5.1). The games' walk is unbounded. Here the drift becomes certain after a
 * number of steps.
 */
#include "core/whole.h"
#include "gen/steps/waters.h"

#include <stdlib.h>

enum { WALK_BUDGET = 2000 };

point river_inner(const generator *g, point p)
{
    int32_t lo = REACH + g->config->river_width;
    return (point){clamp(p.x, lo, SIZE - 1 - lo), clamp(p.y, lo, SIZE - 1 - lo)};
}

static point jitter(const generator *g, rng *r, point p)
{
    p.x += rng_range(r, -1, 1);
    p.y += rng_range(r, -1, 1);
    return river_inner(g, p);
}

static void paint(generator *g, point p)
{
    const ptl_oter river = g->config->oters->river_center;
    const cat_oter *oters = g->config->cat->oters;
    const int32_t w = g->config->river_width;
    for (int32_t y = p.y - w; y <= p.y + w; y++) {
        ptl_oter *row = &g->ground[y * SIZE + p.x];
        for (int32_t x = -w; x <= w; x++)
            if (row[x] != river && !(oters[row[x]].flags & (CAT_FLAG_LAKE | CAT_FLAGS_OCEAN)))
                row[x] = river;
    }
}

/* Returns the drift of one coordinate: towards `to` with the games' odds (215 = 1.2 * 180 - 1,
 * 35 = 0.2 * 180 - 1). `across` is the distance in the other coordinate. */
static int32_t drift(rng *r, int32_t at, int32_t to, int32_t across, bool certain)
{
    int32_t distance = abs(to - at);
    if (distance == 0)
        return at;
    bool go = certain || rng_range(r, 0, 215) < distance ||
              (rng_range(r, 0, 35) > distance && rng_range(r, 0, 35) > abs(across));
    return go ? at + (to > at ? 1 : -1) : at;
}

void river_walk(generator *g, rng *r, point a, point b)
{
    point p = river_inner(g, a);
    b = river_inner(g, b);
    paint(g, p);
    for (int step = 0; p.x != b.x || p.y != b.y; step++) {
        bool certain = step >= WALK_BUDGET;
        if (!certain) {
            p = jitter(g, r, p);
            paint(g, p);
        }
        p.x = drift(r, p.x, b.x, b.y - p.y, certain);
        p.y = drift(r, p.y, b.y, b.x - p.x, certain);
        paint(g, p); /* each step is painted, so that the river is connected */
        if (!certain && step % 2 == 0) {
            p = jitter(g, r, p);
            paint(g, p);
        }
    }
    paint(g, b);
}
