/*
 * Exits: where roads, rails and tunnels cross an edge by plan. They are a function of the seed,
 * the edge and the connection, and read only noise and the edge's own rivers and highway, so
 * that both neighbours compute the same. A few positions are tried at random. If none of them
 * fits, the whole edge is searched, and one of the positions that fit is chosen at random. So
 * each position that fits is equally likely, and no exit is missed by bad luck. As exits keep
 * out of the ocean, the plan of the ocean is in this file, too.
 */
#include "core/whole.h"
#include "gen/plan/plan_strip.h"

#include <string.h>

/*
 * The ocean's plan. A cell is sea if noise + 0.0005 * d is above the region's threshold. Here d
 * is the distance, in OMTs, at which the cell lies beyond a line of the region, as seen from
 * the origin; of several lines the one with the greatest distance counts. A cell that lies
 * beyond no line is not sea. The noise is the fourth power of the scaled sum of the lakes'
 * octaves, as in the games, so that beyond a line the sea covers the places where lakes would
 * be.
 *
 * With noise alone, sea would begin right at a line. That would make a straight shore if the
 * threshold of the sea is below that of lakes, and otherwise a straight border between lake and
 * sea. So the sea begins at a bent line, which lies up to BEND_MAX OMTs beyond the straight
 * one.
 */

enum {
    SIZE = PTL_CHUNK_SIZE,
    R = PLAN_REACH,
    /* First position along an edge that an exit may have; LAST is the last one. */
    FIRST = R + 1,
    LAST = SIZE - 2 - R,
    TRIES = 6
};

/* Does a fixed city lie in the corridor that is kept free for the exit's road, or right
 * beside it, on either side of the edge? */
static bool meets_city(const gen_config *config, const edge *e, int32_t position)
{
    enum { ASIDE = 2 };
    const bool east = e->side == EDGE_EAST;
    for (int side = 0; side < 2; side++) {
        const ptl_chunk_pos pos = {e->x + (east && side), e->y + (!east && side)};
        const int32_t first = side ? 0 : SIZE - EXIT_CORRIDOR, last = first + EXIT_CORRIDOR - 1;
        const int32_t low = position - ASIDE, high = position + ASIDE;
        if (east ? plan_city_within(config, pos, first, low, last, high)
                 : plan_city_within(config, pos, low, first, high, last))
            return true;
    }
    return false;
}

static bool fits(edge_strip *s, int32_t position, const crossing *taken, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t gap = position - taken[i].position;
        if (gap < EXIT_GAP && gap > -EXIT_GAP)
            return false;
    }
    /* No exit lies near a place at which a highway crosses the edge. */
    for (size_t i = 0; i < s->edge->count; i++) {
        const crossing *c = &s->edge->crossings[i];
        if (crossing_is_highway(c) && position > c->position - HIGHWAY_EXIT_GAP &&
            position < c->position + c->width - 1 + HIGHWAY_EXIT_GAP)
            return false;
    }
    return !meets_city(s->config, s->edge, position) && edge_strip_is_dry(s, position) &&
           edge_strip_is_dry(s, position - 1) && edge_strip_is_dry(s, position + 1);
}

/* Chooses at random one of the positions along the edge that an exit may have; -1 if there
 * is none. */
static int32_t find_position(edge_strip *s, rng *r, const crossing *taken, size_t count)
{
    for (int32_t i = 0; i < TRIES; i++) {
        int32_t position = rng_range(r, FIRST, LAST);
        if (fits(s, position, taken, count))
            return position;
    }
    int16_t list[SIZE];
    size_t found = 0;
    for (int32_t position = FIRST; position <= LAST; position++)
        if (fits(s, position, taken, count))
            list[found++] = (int16_t)position;
    return found > 0 ? list[rng_below(r, found)] : -1;
}

size_t plan_exits(crossing *out, const gen_config *config, const edge *planned)
{
    edge_strip s = {.config = config, .edge = planned};
    bool marked = false;
    const bool east = planned->side == EDGE_EAST;
    const int64_t x = ((int64_t)planned->x + east) * SIZE;
    const int64_t y = ((int64_t)planned->y + !east) * SIZE;
    /* Is it certain that all cells within PLAN_REACH of the border are sea, whatever their
     * noise is? Then the edge gets no exits. */
    const bool sea =
        ocean_in(&config->ocean, east ? x - R : x, east ? y : y - R, x + (east ? R : SIZE) - 1,
                 y + (east ? SIZE : R) - 1) == OCEAN_ALL;
    const size_t networks = sea ? 0 : config->network_count;
    size_t count = 0;
    for (size_t i = 0; i < networks; i++) {
        const gen_network *network = &config->networks[i];
        const uint64_t key = plan_key(config, "exits", planned->x, planned->y);
        rng r = rng_from_key(
            hash_add(hash_add(key, (uint64_t)planned->side), hash_string(network->kind)));
        uint32_t roll = rng_below(&r, 100);
        size_t wanted = 0;
        while (wanted < 2 && roll >= network->chances[wanted])
            roll -= network->chances[wanted++];

        if (wanted > 0 && !marked)
            edge_strip_mark_rivers(&s);
        marked = marked || wanted > 0;
        for (size_t k = 0; k < wanted; k++) {
            int32_t position = find_position(&s, &r, out, count);
            if (position < 0)
                break;
            out[count++] = (crossing){
                .kind = network->kind, .position = (int16_t)position, .z = network->z};
        }
    }
    return count;
}

enum {
    SIDES = 4,
    BENDS = 4, /* how many functions are added up to bend a line of the ocean */
    BEND_MAX = 52
};

/* A line at which the ocean may begin is bent by the sum of these functions. Each has a
 * random number in 0 .. reach at every span-th OMT along the line, and is interpolated in
 * between. The slopes are like those of shores that noise alone makes. */
static const struct {
    int32_t span, reach;
} bends[BENDS] = {{64, 24}, {32, 14}, {16, 9}, {8, 5}};

static const double GRADIENT = 0.0005;

void ocean_plan_init(ocean_plan *out, uint64_t seed, const cat_ocean *settings,
                     const noise_kernels *kernels)
{
    const bool *begins = settings->begins;
    const bool any = begins[0] || begins[1] || begins[2] || begins[3];
    out->settings = any ? settings : NULL;
    out->bend_key = hash_add(seed, hash_string("ocean bend"));
    out->kernels = kernels;
    if (out->settings)
        noise_lake_layer_init(&out->noise, seed);
}

/* The ocean may begin at a line on each side (north, east, south, west) of the world's origin.
 * Returns how far the cell lies beyond the line of this side. */
static int64_t behind_side(const cat_ocean *o, int side, int64_t x, int64_t y)
{
    const int64_t start = (int64_t)SIZE * o->start[side], at = side % 2 == 0 ? y : x;
    return side == 0 || side == 3 ? SIZE - start - at : at - start;
}

/* Returns the greatest distance that the cell lies beyond any of the lines at which the ocean
 * may begin; 0 if it lies beyond none. */
static int64_t behind(const cat_ocean *o, int64_t x, int64_t y)
{
    int64_t most = 0;
    for (int side = 0; side < SIDES; side++) {
        const int64_t d = o->begins[side] ? behind_side(o, side, x, y) : 0;
        most = d > most ? d : most;
    }
    return most;
}

enum { BEND_ONE = 1 << 16 };

static int64_t bend_number(uint64_t key, int64_t at)
{
    return (int64_t)(hash_add(key, (uint64_t)at) >> 48);
}

/* The line at which the ocean may begin on this side is bent. Returns how many OMTs farther
 * from the world's origin it lies at the coordinate `along` than a straight line would. */
static int64_t bend_at(const ocean_plan *plan, int side, int64_t along)
{
    int64_t sum = 0;
    for (int i = 0; i < BENDS; i++) {
        const uint64_t key = hash_add(plan->bend_key, (uint64_t)(side * BENDS + i));
        const int64_t span = bends[i].span;
        const int64_t first = floor_div(along, span), part = along - first * span;
        sum += (bend_number(key, first) * (span - part) + bend_number(key, first + 1) * part) *
               bends[i].reach / span;
    }
    return sum / BEND_ONE;
}

/* Does the cell lie beyond the line at which the ocean may begin, bends included, on any side?
 * Only such a cell may be sea. */
static bool is_behind_bend(const ocean_plan *plan, int64_t x, int64_t y)
{
    for (int side = 0; side < SIDES; side++) {
        const int64_t d =
            plan->settings->begins[side] ? behind_side(plan->settings, side, x, y) : 0;
        if (d > 0 && d > bend_at(plan, side, side % 2 == 0 ? x : y))
            return true;
    }
    return false;
}

/* Returns the noise that a cell must exceed to be sea. `distance` says how far the cell lies
 * beyond a line at which the region lets the ocean begin. NEVER, which no noise exceeds, is
 * used elsewhere for cells where there can be no sea. */
enum { NEVER = 2 };
static double threshold_behind(const cat_ocean *o, int64_t distance)
{
    return o->threshold - GRADIENT * (double)distance;
}

/* Finds bounds, *low and *high, for the noise that the cells of a rectangle must exceed to be
 * sea; this number differs from cell to cell. */
static void thresholds_in(const ocean_plan *plan, int64_t x0, int64_t y0, int64_t x1,
                          int64_t y1, double *low, double *high)
{
    /* How far a cell lies behind the lines of the ocean is the greatest of its distances behind
     * any one of them. For all cells of the rectangle this number is from `least` to `most`. */
    int64_t least = 0, most = 0;
    for (int side = 0; side < SIDES; side++) {
        if (!plan->settings->begins[side])
            continue;
        const int64_t one = behind_side(plan->settings, side, x0, y0);
        const int64_t other = behind_side(plan->settings, side, x1, y1);
        const int64_t near = one < other ? one : other, far = one < other ? other : one;
        least = near > least ? near : least;
        most = far > most ? far : most;
    }
    *low = most > 0 ? threshold_behind(plan->settings, most) : NEVER;
    *high = least > BEND_MAX ? threshold_behind(plan->settings, least) : NEVER;
}

ocean_share ocean_in(const ocean_plan *plan, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    if (!plan->settings)
        return OCEAN_NONE;
    double low, high;
    thresholds_in(plan, x0, y0, x1, y1, &low, &high);
    return low >= 1.0 ? OCEAN_NONE : high < 0.0 ? OCEAN_ALL : OCEAN_MIXED;
}

ocean_share ocean_in_chunk(const ocean_plan *plan, ptl_chunk_pos pos)
{
    const int64_t x = (int64_t)pos.x * SIZE, y = (int64_t)pos.y * SIZE;
    return ocean_in(plan, x, y, x + SIZE - 1, y + SIZE - 1);
}

/* (x0, y0) .. (x1, y1) is a rectangle of cells, both ends included. Returns two bounds: with a
 * noise below the lower one no cell of the rectangle is sea, with a noise above the greater one
 * each is. Between the bounds it depends on the cell, so that noise kernels must compute such
 * noise exactly. */
static noise_bounds bounds_in(const ocean_plan *plan, int64_t x0, int64_t y0, int64_t x1,
                              int64_t y1)
{
    double low, high;
    thresholds_in(plan, x0, y0, x1, y1, &low, &high);
    return noise_fourth_bounds(&plan->noise, low, high);
}

/* Returns whether a cell is planned as sea. `noise` is the cell's noise as a kernel computed
 * it; the kernel must have been called with the bounds that bounds_in gives for a rectangle in
 * which the cell lies. */
static bool is_above(const ocean_plan *plan, float noise, int64_t x, int64_t y)
{
    if (noise == NOISE_LITTLE || noise == NOISE_MUCH)
        return noise == NOISE_MUCH;
    const int64_t d = behind(plan->settings, x, y);
    const bool sea = d > BEND_MAX || (d > 0 && is_behind_bend(plan, x, y));
    return (double)noise > (sea ? threshold_behind(plan->settings, d) : NEVER);
}

void ocean_block(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_BLOCK])
{
    const ocean_share share = ocean_in(plan, x, y, x + NOISE_BLOCK - 1, y);
    for (int i = 0; i < NOISE_BLOCK; i++)
        out[i] = share == OCEAN_ALL;
    if (share != OCEAN_MIXED)
        return;
    float noise[NOISE_BLOCK];
    plan->kernels->fourth(&plan->noise, bounds_in(plan, x, y, x + NOISE_BLOCK - 1, y), x, y,
                          noise);
    for (int i = 0; i < NOISE_BLOCK; i++)
        out[i] = is_above(plan, noise[i], x + i, y);
}

bool ocean_at(const ocean_plan *plan, int64_t x, int64_t y)
{
    uint8_t lanes[NOISE_BLOCK];
    ocean_block(plan, x, y, lanes);
    return lanes[0];
}

void ocean_squares(const ocean_plan *plan, int64_t x, int64_t y, uint8_t out[NOISE_SQUARES])
{
    const int64_t x1 = x + NOISE_SQUARES * NOISE_SQUARE - 1, y1 = y + NOISE_SQUARE - 1;
    const ocean_share share = ocean_in(plan, x, y, x1, y1);
    if (share != OCEAN_MIXED) {
        for (int i = 0; i < NOISE_SQUARES; i++)
            out[i] = share == OCEAN_ALL ? NOISE_ALL_ABOVE : NOISE_ALL_BELOW;
        return;
    }
    plan->kernels->squares(&plan->noise, bounds_in(plan, x, y, x1, y1), x, y, out);
}

bool ocean_deep(const ocean_plan *plan, int64_t x, int64_t y)
{
    const double factor = 1.25, needed = factor * plan->settings->threshold;
    const double above = GRADIENT * (double)behind(plan->settings, x, y);
    if (above > needed)
        return true; /* so far behind the line of the ocean, each cell is deep sea, whatever its
                        noise is */
    float noise[NOISE_BLOCK];
    plan->kernels->fourth(&plan->noise,
                          noise_fourth_bounds(&plan->noise, needed - above, needed - above), x,
                          y, noise);
    return (double)noise[0] + above > needed;
}
