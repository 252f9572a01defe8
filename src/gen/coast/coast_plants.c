/*
 * Plants on islands. An OMT has a cluster, or none: a large one and small ones around it, as in
 * the game. What its points are depends on the OMT's stream alone, never on the ground that
 * they fall on: so each OMT can be planted without the others.
 */
#include "core/hash.h"
#include "core/offsets.h"
#include "gen/coast/coast.h"

#include <string.h>

enum { TURN = 360, ALL = 100, MANGROVES = 70 /* of the clusters, percent */ };

typedef struct cluster {
    int32_t x, y; /* cells from the north-west corner of the OMT that is planted */
    int32_t plants, radius;
    coast_plant sort;
} cluster;

/* Does a plant of the sort take the ground? Of what it does not favour, one time in two. */
static bool takes(coast_plant sort, int32_t height, bool hardy)
{
    if (height < COAST_SHALLOW_FROM || height >= COAST_ROCK_FROM)
        return false;
    return (height < COAST_FLOOR_FROM) == (sort == COAST_MANGROVE) || hardy;
}

static void plant(uint8_t *out, const int16_t *heights, const cluster *c, rng *r)
{
    for (int32_t i = 0; i < c->plants; i++) {
        const int32_t distance = rng_range(r, 0, c->radius);
        const offset o = offset_at(distance, rng_range(r, 0, TURN - 1));
        const bool hardy = rng_one_in(r, 2);
        const int32_t x = c->x + o.x, y = c->y + o.y;
        if (x < 0 || x >= COAST_SIDE || y < 0 || y >= COAST_SIDE)
            continue;
        const int32_t at = y * COAST_SIDE + x;
        if (out[at] == COAST_BARE && takes(c->sort, heights[at], hardy))
            out[at] = (uint8_t)c->sort;
    }
}

/* The clusters of the OMT that lies (dx, dy) OMTs away. */
static void plant_from(uint8_t *out, const int16_t *heights, const coast *c, int64_t x,
                       int64_t y, int32_t dx, int32_t dy)
{
    uint64_t key = hash_add(c->seed, hash_string("coast plants"));
    key = hash_add(key, (uint64_t)(x + dx));
    rng r = rng_from_key(hash_add(key, (uint64_t)(y + dy)));
    if ((int32_t)rng_below(&r, ALL) >= c->parameters.plants)
        return;
    cluster large;
    large.sort = rng_below(&r, ALL) < MANGROVES ? COAST_MANGROVE : COAST_BUSH;
    large.x = dx * COAST_SIDE + rng_range(&r, 0, COAST_SIDE - 1);
    large.y = dy * COAST_SIDE + rng_range(&r, 0, COAST_SIDE - 1);
    large.plants = rng_range(&r, 20, 34);
    large.radius = rng_range(&r, 3, 9);
    plant(out, heights, &large, &r);
    for (int32_t more = rng_range(&r, 0, 4); more > 0; more--) {
        cluster small = large;
        const int32_t distance = rng_range(&r, 2, 12);
        const offset o = offset_at(distance, rng_range(&r, 0, TURN - 1));
        small.x += o.x;
        small.y += o.y;
        small.plants = rng_range(&r, 10, 24);
        small.radius = rng_range(&r, 2, 7);
        plant(out, heights, &small, &r);
    }
}

void coast_plants(uint8_t out[COAST_SIDE * COAST_SIDE],
                  const int16_t heights[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                  int64_t y)
{
    memset(out, COAST_BARE, COAST_SIDE * COAST_SIDE);
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            plant_from(out, heights, c, x, y, dx, dy);
}
