#include "gen/coast/coast_plan.h"
#include "core/hash.h"
#include "core/offsets.h"
#include "core/whole.h"
#include "gen/coast/coast.h"

#include <assert.h>
#include <string.h>

/* Room for a row of OMTs and one more OMT at either end, rounded up to whole blocks of noise
 * (NOISE_BLOCK OMTs). */
enum { ROW = COAST_PLAN_WIDTH + 2 + NOISE_BLOCK };

static void look_at_row(const coast_plan *plan, uint8_t row[ROW], int64_t x, int64_t y,
                        int32_t width)
{
    const ocean_share share = ocean_in(plan->ocean, x, y, x + width - 1, y);
    if (share != OCEAN_MIXED) {
        memset(row, share == OCEAN_ALL, (size_t)width);
        return;
    }
    for (int32_t i = 0; i < width; i += NOISE_BLOCK)
        ocean_block(plan->ocean, x + i, y, &row[i]);
}

/* Returns the kind of the OMT at index i + 1 of the middle row. The kind depends on which of
 * the OMTs around it are sea; in rows[][] sea is 1. */
static coast_kind kind_of(uint8_t *const rows[3], int32_t i, uint8_t share)
{
    int sea = 0;
    if (!rows[1][i + 1])
        return COAST_LAND;
    for (int row = 0; row < 3; row++)
        sea += rows[row][i] + rows[row][i + 1] + rows[row][i + 2];
    if (sea < 9)
        return COAST_SHORE;
    return share > 0 ? COAST_SEA : COAST_OPEN;
}

void coast_plan_omts(const void *payload, coast_rect omts, coast_omt *out)
{
    const coast_plan *plan = payload;
    uint8_t cells[3][ROW], shares[COAST_PLAN_WIDTH], *rows[3] = {cells[0], cells[1], cells[2]};
    const int32_t wide = omts.width + 2;
    assert(omts.width <= COAST_PLAN_WIDTH);
    look_at_row(plan, rows[1], omts.x - 1, omts.y - 1, wide);
    look_at_row(plan, rows[2], omts.x - 1, omts.y, wide);
    for (int32_t j = 0; j < omts.height; j++) {
        uint8_t *first = rows[0];
        rows[0] = rows[1];
        rows[1] = rows[2];
        rows[2] = first;
        look_at_row(plan, rows[2], omts.x - 1, omts.y + j + 1, wide);
        coast_shares(shares, plan->seed, omts.x, omts.y + j, omts.width);
        for (int32_t i = 0; i < omts.width; i++)
            out[j * omts.width + i] =
                (coast_omt){(uint8_t)kind_of(rows, i, shares[i]), shares[i]};
    }
}

coast coast_of_plan(const coast_plan *plan, const cat_shoals *shoals)
{
    return (coast){.seed = plan->seed,
                   .parameters = {.islands_min = shoals->islands_min,
                                  .islands_max = shoals->islands_max,
                                  .cliffs = shoals->cliffs,
                                  .plants = shoals->plants},
                   .plan = coast_plan_omts,
                   .payload = plan};
}

coast_kind coast_actual(coast_kind planned, bool wet)
{
    if (!wet)
        return COAST_LAND;
    return planned == COAST_LAND ? COAST_SHORE : planned;
}

/*
 * Plants on islands. An OMT may have a large cluster of plants with small clusters around it,
 * as in the game. Where they stand depends only on random numbers of the OMT itself, not on its
 * ground, so the plants of an OMT can be made without its neighbours.
 */

enum { TURN = 360, ALL = 100, MANGROVES = 70 /* percentage of clusters that are mangroves */ };

typedef struct cluster {
    int32_t x, y; /* tiles from the north-west corner of the OMT being planted */
    int32_t plants, radius;
    coast_plant sort;
} cluster;

static void plant(uint8_t *out, const int16_t *heights, const cluster *c, rng *r)
{
    for (int32_t i = 0; i < c->plants; i++) {
        const int32_t distance = rng_range(r, 0, c->radius);
        const offset o = offset_at(distance, rng_range(r, 0, TURN - 1));
        const bool hardy = rng_one_in(r, 2);
        const int32_t x = c->x + o.x, y = c->y + o.y;
        if (x < 0 || x >= COAST_SIDE || y < 0 || y >= COAST_SIDE)
            continue;
        /* Mangroves grow in shallow water, bushes on land. Every second plant is hardy and
         * grows on both. */
        const int32_t at = y * COAST_SIDE + x, height = heights[at];
        const bool favoured = (height < COAST_FLOOR_FROM) == (c->sort == COAST_MANGROVE);
        if (out[at] == COAST_BARE && height >= COAST_SHALLOW_FROM && height < COAST_ROCK_FROM &&
            (favoured || hardy))
            out[at] = (uint8_t)c->sort;
    }
}

void coast_plants(uint8_t out[COAST_SIDE * COAST_SIDE],
                  const int16_t heights[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                  int64_t y)
{
    memset(out, COAST_BARE, COAST_SIDE * COAST_SIDE);
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            /* Add the plants that belong to the OMT dx columns and dy rows away from this
             * one. */
            uint64_t key = hash_add(c->seed, hash_string("coast plants"));
            key = hash_add(key, (uint64_t)(x + dx));
            rng r = rng_from_key(hash_add(key, (uint64_t)(y + dy)));
            if ((int32_t)rng_below(&r, ALL) >= c->parameters.plants)
                continue;
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
}

enum {
    CELLS = COAST_SIDE * COAST_SIDE,
    STEP = 7, /* height that an island's land gains with each step from one tile to the next,
                 away from water */
    /* The number of steps for a tile that can't be reached. No path has as many steps. */
    FAR = CELLS
};

/* Computes how many steps each tile of an OMT is from the nearest tile with one of the features
 * in `from`. The bit 1 << feature of `from` is set for each of these features. */
static void find_steps(int16_t steps[CELLS], const uint8_t features[CELLS], unsigned from)
{
    int16_t queue[CELLS];
    int32_t count = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        const bool source = from >> features[i] & 1;
        steps[i] = source ? 0 : FAR;
        if (source)
            queue[count++] = (int16_t)i;
    }
    for (int32_t head = 0; head < count; head++) {
        const int32_t at = queue[head], x = at % COAST_SIDE, y = at / COAST_SIDE;
        for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < COAST_SIDE; v++)
            for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < COAST_SIDE; u++) {
                const int32_t next = v * COAST_SIDE + u;
                if (steps[next] != FAR || features[next] == COAST_ROCK)
                    continue;
                steps[next] = (int16_t)(steps[at] + 1);
                queue[count++] = (int16_t)next;
            }
    }
}

/* Returns the height of a tile of shallow water that is `deep` steps from deep water and `land`
 * steps from land; if neither can be reached, the height `was` that it had before. */
static int32_t shallow_height(int32_t was, int32_t deep, int32_t land)
{
    int32_t height = was;
    if (deep < FAR && land < FAR)
        height = COAST_SHALLOW_FROM - COAST_SHALLOW_FROM * deep / (deep + land);
    else if (deep < FAR)
        height = COAST_SHALLOW_FROM + STEP * deep;
    else if (land < FAR)
        height = COAST_FLOOR_FROM - STEP * land;
    return clamp(height, COAST_SHALLOW_FROM, COAST_FLOOR_FROM - 1);
}

void coast_works(int16_t heights[CELLS], const uint8_t features[CELLS], const bool own[CELLS])
{
    const unsigned sea = 1U << COAST_DEEP, flat = 1U << COAST_SHALLOW, dry = 1U << COAST_DRY;
    int16_t deep[CELLS], land[CELLS], water[CELLS];
    unsigned which = 0;
    for (int32_t i = 0; i < CELLS; i++)
        which |= own[i] ? 1U << features[i] : 0;
    if (which & flat) {
        find_steps(deep, features, sea);
        find_steps(land, features, dry);
    }
    if (which & dry)
        find_steps(water, features, sea | flat);
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t height = heights[i];
        if (own[i] && features[i] == COAST_DEEP)
            height = COAST_SHALLOW_FROM - 1;
        else if (own[i] && features[i] == COAST_SHALLOW)
            height = shallow_height(height, deep[i], land[i]);
        else if (own[i] && features[i] == COAST_DRY)
            height = water[i] == FAR
                         ? COAST_ROCK_FROM - 1
                         : clamp(STEP * (water[i] - 1), COAST_FLOOR_FROM, COAST_ROCK_FROM - 1);
        else if (own[i])
            height = COAST_ROCK_FROM;
        heights[i] = (int16_t)height;
    }
}
