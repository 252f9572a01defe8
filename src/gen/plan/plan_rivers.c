/*
 * Planned rivers: which edges they cross, and where (generation.md 4.1); and their strips, that
 * is, the course of a river on both sides of its crossing and the cells that are painted there
 * (4.2).
 */
#include "core/whole.h"
#include "gen/plan/plan.h"

#include <string.h>

enum { SIZE = PTL_CHUNK_SIZE, R = PLAN_REACH };

/* ---- drainage: blocks of C x C chunks ---- */

typedef struct tilt {
    int32_t dx, dy; /* in which direction the world slopes downwards along x and along y: 1
                       (east, south) or -1 (west, north) */
} tilt;

static tilt world_tilt(const gen_config *config)
{
    uint64_t h = hash_add(config->seed, hash_string("river tilt"));
    return (tilt){h & 1 ? 1 : -1, h & 2 ? 1 : -1};
}

int plan_river_downhill(const gen_config *config, edge_side side)
{
    tilt t = world_tilt(config);
    return side == EDGE_EAST ? t.dx : t.dy;
}

/* Does block (bx, by) of chunks drain along x? If not, it drains along y. It has two neighbours
 * downhill, one along each axis, and drains to the lower of them. */
static bool drains_along_x(const gen_config *config, tilt t, int32_t bx, int32_t by)
{
    return plan_key(config, "river height", bx + t.dx, by) <
           plan_key(config, "river height", bx, by + t.dy);
}

typedef struct chunk_xy {
    int32_t x, y;
} chunk_xy;

/* Returns the chunk of block (bx, by) from which the river leaves the block. */
static chunk_xy exit_chunk(const gen_config *config, tilt t, int32_t bx, int32_t by)
{
    /* The river leaves the block on the side to which the block drains: if the block drains
     * along x, in a random row of chunks, otherwise in a random column. */
    rng r = rng_from_key(plan_key(config, "river exit", bx, by));
    const int32_t c = config->river_sparsity, offset = rng_range(&r, 0, c - 1);
    chunk_xy out = {bx * c, by * c};
    if (drains_along_x(config, t, bx, by)) {
        out.x += t.dx > 0 ? c - 1 : 0;
        out.y += offset;
    } else {
        out.x += offset;
        out.y += t.dy > 0 ? c - 1 : 0;
    }
    return out;
}

/* A river runs from the chunk `from` along x until it is in the column of chunk `to`, and then
 * along y to `to`. Returns whether it passes from chunk a to its neighbour b. */
static bool run_passes(chunk_xy from, chunk_xy to, chunk_xy a, chunk_xy b)
{
    if (a.y == b.y) {
        bool in_row = a.y == from.y;
        bool right_way = (to.x > from.x && b.x == a.x + 1) || (to.x < from.x && b.x == a.x - 1);
        int32_t lo = from.x < to.x ? from.x : to.x, hi = from.x < to.x ? to.x : from.x;
        return in_row && right_way && a.x >= lo && a.x <= hi && b.x >= lo && b.x <= hi;
    }
    bool in_column = a.x == to.x;
    bool right_way = (to.y > from.y && b.y == a.y + 1) || (to.y < from.y && b.y == a.y - 1);
    int32_t lo = from.y < to.y ? from.y : to.y, hi = from.y < to.y ? to.y : from.y;
    return in_column && right_way && a.y >= lo && a.y <= hi && b.y >= lo && b.y <= hi;
}

/* Does a river that drains from block to block run from chunk a into its neighbour b? */
static bool drains(const gen_config *config, tilt t, chunk_xy a, chunk_xy b)
{
    int32_t c = config->river_sparsity;
    const int32_t ax = (int32_t)floor_div(a.x, c), ay = (int32_t)floor_div(a.y, c);
    const int32_t bx = (int32_t)floor_div(b.x, c), by = (int32_t)floor_div(b.y, c);
    chunk_xy out = exit_chunk(config, t, ax, ay);
    if (ax != bx || ay != by) {
        bool along_x = drains_along_x(config, t, ax, ay);
        return out.x == a.x && out.y == a.y && b.x == a.x + (along_x ? t.dx : 0) &&
               b.y == a.y + (along_x ? 0 : t.dy);
    }
    /* The chunks a and b are in the same block of chunks. Two blocks lie uphill of it. If a
     * river of one of them drains into this block, it runs on inside the block to the chunk
     * `out`, where the block's river leaves. Find out whether such a river runs from a to b. */
    for (int along_x = 1; along_x >= 0; along_x--) {
        const int32_t dx = along_x ? t.dx : 0, dy = along_x ? 0 : t.dy;
        if (drains_along_x(config, t, ax - dx, ay - dy) != along_x)
            continue;
        const chunk_xy in = exit_chunk(config, t, ax - dx, ay - dy);
        if (run_passes((chunk_xy){in.x + dx, in.y + dy}, out, a, b))
            return true;
    }
    return false;
}

/* Does a river run from chunk a into its neighbour b? */
static bool river_runs(const gen_config *config, tilt t, chunk_xy a, chunk_xy b)
{
    if (drains(config, t, a, b))
        return true;
    /* A chunk into which nothing drains gets its river from a neighbour uphill, whose river
     * then parts in two; but one in SPRING_ODDS of these chunks has a spring instead. */
    enum { SPRING_ODDS = 4 };
    if (config->river_sparsity > 1 || drains(config, t, (chunk_xy){b.x - t.dx, b.y}, b) ||
        drains(config, t, (chunk_xy){b.x, b.y - t.dy}, b))
        return false;
    rng r = rng_from_key(plan_key(config, "river source", b.x, b.y));
    const bool along_x = rng_below(&r, 2) == 0;
    return rng_below(&r, SPRING_ODDS) > 0 &&
           (along_x ? a.x == b.x - t.dx && a.y == b.y : a.x == b.x && a.y == b.y - t.dy);
}

/* ---- curved rivers: springs in some chunks ---- */

enum { RIVER_LENGTH = 32 }; /* the most chunk borders that water of one spring crosses */

/* What the functions for curved rivers read: the settings, the direction in which the world
 * tilts, and hash keys. */
typedef struct upstream {
    const gen_config *config;
    tilt t;
    /* Hash keys for the random heights of chunks, by which they drain, and for springs. The
     * chunk's coordinates are added to them later. */
    uint64_t heights, springs;
} upstream;

static uint64_t place_key(uint64_t key, int32_t x, int32_t y)
{
    return hash_add(hash_add(key, (uint32_t)x), (uint32_t)y);
}

static bool leaves_along_x(const upstream *u, chunk_xy c)
{
    return place_key(u->heights, c.x + u->t.dx, c.y) <
           place_key(u->heights, c.x, c.y + u->t.dy);
}

/* Returns whether a river leaves the chunk. One does if a spring lies in this chunk, or in a
 * chunk that drains through this one and is less than RIVER_LENGTH borders away. The search is
 * short, since on average only one chunk at each distance drains through a given chunk. */
static bool river_leaves(const upstream *u, chunk_xy c)
{
    /* A stack of the chunks still to be looked at. It never holds more than RIVER_LENGTH + 1
     * chunks. */
    chunk_xy open[RIVER_LENGTH + 1];
    int32_t away[RIVER_LENGTH + 1], count = 1;
    open[0] = c;
    away[0] = 0;
    while (count > 0) {
        const chunk_xy at = open[--count];
        const int32_t distance = away[count] + 1;
        if (place_key(u->springs, at.x, at.y) >> 32 < u->config->river_springs)
            return true;
        if (distance >= RIVER_LENGTH)
            continue;
        const chunk_xy from_x = {at.x - u->t.dx, at.y}, from_y = {at.x, at.y - u->t.dy};
        away[count] = distance;
        if (leaves_along_x(u, from_x))
            open[count++] = from_x;
        away[count] = distance;
        if (!leaves_along_x(u, from_y))
            open[count++] = from_y;
    }
    return false;
}

/* Gives the least and the greatest position, along the edge, that the centre of a river of this
 * half width may have in the strip of cells along the edge. If the centre stays between these
 * two positions, all painted cells keep PLAN_REACH cells from the corners. */
static void plan_course_bounds(const gen_config *config, int32_t width, int32_t *lo,
                               int32_t *hi)
{
    /* The discs of a curved river are moved by up to one cell at random, so its centre must
     * keep one cell more from the corners. */
    *lo = R + width + 1 + (config->river_form == RIVERS_CURVED);
    *hi = SIZE - 1 - *lo;
}

/* Appends the crossing of a curved river, if the chunk uphill drains over the edge and has a
 * river. */
static size_t plan_curved(crossing *out, const gen_config *config, const edge *e)
{
    const uint64_t seed = config->seed;
    const upstream u = {config, world_tilt(config), hash_add(seed, hash_string("river height")),
                        hash_add(seed, hash_string("river spring"))};
    const bool east = e->side == EDGE_EAST;
    const int32_t downhill = east ? u.t.dx : u.t.dy;
    /* The edge lies between the chunk (e->x, e->y) and the next one to the east or south.
     * `step` is 0 if rivers flow from the first to the second of these chunks, so that the
     * first lies uphill; else 1. */
    const int32_t step = downhill < 0;
    const chunk_xy from = {e->x + (east ? step : 0), e->y + (east ? 0 : step)};
    if (leaves_along_x(&u, from) != east || !river_leaves(&u, from))
        return 0;
    rng r = rng_from_key(
        hash_add(plan_key(config, "river crossing", e->x, e->y), (uint64_t)e->side));
    int32_t lo, hi;
    plan_course_bounds(config, config->river_width, &lo, &hi);
    *out = (crossing){.kind = CROSSING_RIVER,
                      .position = (int16_t)rng_range(&r, lo, hi),
                      .width = (uint8_t)config->river_width,
                      .direction = (int8_t)downhill};
    return 1;
}

/* A table: how many of a million edges curved rivers cross, for each chance of springs. Each
 * row was counted over 640,000 chunks. */
static const struct {
    /* How many of a million edges are crossed by a curved river, if `springs` of a million
     * chunks have a spring. */
    uint32_t crossings, springs;
} SPRINGS[] = {{0, 0},           {40700, 3000},    {62700, 5000},    {83500, 7500},
               {100000, 10000},  {125000, 15000},  {142100, 20000},  {167000, 30000},
               {199000, 50000},  {228100, 80000},  {258400, 120000}, {301200, 200000},
               {371700, 400000}, {444300, 700000}, {500000, 1000000}};

uint32_t plan_river_crossings(double frequency)
{
    /* At a river frequency of 1.5, `usual` of a million edges are crossed. The number is fitted
     * to worlds that DDA 0.I made (generation.md 4.1). */
    const double usual = 185000, most = 500000, crossings = usual * 1.5 / frequency;
    return (uint32_t)(crossings < most ? crossings : most);
}

uint64_t plan_river_springs(uint32_t crossings)
{
    const size_t count = sizeof SPRINGS / sizeof SPRINGS[0];
    size_t i = 1;
    while (i < count && SPRINGS[i].crossings < crossings)
        i++;
    if (i == count)
        return UINT64_C(1) << 32;
    const uint64_t part = crossings - SPRINGS[i - 1].crossings;
    const uint64_t all = SPRINGS[i].crossings - SPRINGS[i - 1].crossings;
    const uint64_t springs = SPRINGS[i].springs - SPRINGS[i - 1].springs;
    /* Interpolate, between two rows of SPRINGS, how many of a million chunks have a spring.
     * `fine` is 2^10 times this number. */
    const uint64_t fine =
        ((uint64_t)SPRINGS[i - 1].springs << 10) + (springs << 10) * part / all;
    return (fine << 22) / 1000000;
}

size_t plan_rivers(crossing *out, const gen_config *config, const edge *e)
{
    if (config->river_width == 0)
        return 0;
    if (config->river_form == RIVERS_CURVED)
        return plan_curved(out, config, e);
    tilt t = world_tilt(config);
    chunk_xy own = {e->x, e->y};
    chunk_xy other = {e->x + (e->side == EDGE_EAST), e->y + (e->side == EDGE_SOUTH)};
    int direction = river_runs(config, t, own, other) ? 1 : 0;
    if (!direction && river_runs(config, t, other, own))
        direction = -1;
    if (!direction)
        return 0;

    rng r = rng_from_key(
        hash_add(plan_key(config, "river crossing", e->x, e->y), (uint64_t)e->side));
    /* Where a river leaves a chunk it has two arms in one case of three, else one. That gives
     * the share of river cells that the games' own overmaps have. A river that begins in the
     * chunk has one arm. */
    static const int32_t arms[] = {1, 1, 2};
    const chunk_xy from = direction > 0 ? own : other;
    int32_t count = arms[rng_below(&r, sizeof arms / sizeof arms[0])];
    if (config->river_sparsity > 1 ||
        (!river_runs(config, t, (chunk_xy){from.x - t.dx, from.y}, from) &&
         !river_runs(config, t, (chunk_xy){from.x, from.y - t.dy}, from)))
        count = 1;
    int32_t lo, hi;
    plan_course_bounds(config, config->river_width, &lo, &hi);
    int32_t span = (hi - lo) / count, gap = count > 1 ? 2 * config->river_width + 2 : 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t low = lo + i * span, high = low + span - gap;
        out[i] = (crossing){.kind = CROSSING_RIVER,
                            .position = (int16_t)rng_range(&r, low, high),
                            .z = 0,
                            .width = (uint8_t)config->river_width,
                            .direction = (int8_t)direction};
    }
    return (size_t)count;
}

enum {
    LEAN = 3 * COURSE_ONE / 4 /* how far a curved river's line moves aside, at most, with each
                               * row of cells, in 1 / COURSE_ONE of a cell */
};

/*
 * Computes the course of a curved river through its strip, the rows of cells on both sides of
 * the border. The centres of the river's discs lie on a straight line, so there is no bend at
 * the border. The line leans only so much that both of its ends stay between the positions that
 * plan_course_bounds allows. Each disc is then moved by -1 .. 1 cells along and across the
 * border (wobble, ahead), so that the river does not look straight.
 */
static void curved_course(river_course *out, const gen_config *config, uint64_t key,
                          const crossing *c)
{
    int32_t lo, hi;
    plan_course_bounds(config, c->width, &lo, &hi);
    rng r = rng_from_key(hash_add(key, 2));
    const int32_t at = c->position < lo ? lo : c->position > hi ? hi : c->position;
    const int32_t free = at - lo < hi - at ? at - lo : hi - at;
    const int32_t most = free * COURSE_ONE / R;
    const int32_t lean = rng_range(&r, -LEAN, LEAN);
    out->slope = lean < -most ? -most : lean > most ? most : lean;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < R; i++) {
            /* How far the river has moved aside at this distance from the border, in 1 / (2 *
             * COURSE_ONE) of a cell. */
            const int32_t moved = (2 * i + 1) * out->slope;
            const int32_t cells =
                (moved + (moved < 0 ? -COURSE_ONE : COURSE_ONE)) / (2 * COURSE_ONE);
            out->centre[s][i] = (int16_t)(s == 0 ? at - cells : at + cells);
            /* A river is painted as discs, one for each row, which are moved at random. The
             * disc at the border is not moved, since there the river must be exactly as wide as
             * the crossing says. */
            out->wobble[s][i] = (int8_t)(i > 0 ? rng_range(&r, -1, 1) : 0);
            out->ahead[s][i] = (int8_t)(i > 0 ? rng_range(&r, -1, 1) : 0);
        }
}

void plan_river_course(river_course *out, const gen_config *config, const edge *e,
                       const crossing *c)
{
    *out = (river_course){.slope = 0};
    uint64_t key = hash_add(plan_key(config, "river course", e->x, e->y), (uint64_t)e->side);
    key = hash_add(key, (uint64_t)c->position);
    if (config->river_form == RIVERS_CURVED) {
        curved_course(out, config, key, c);
        return;
    }
    int32_t lo, hi;
    plan_course_bounds(config, c->width, &lo, &hi);
    for (int s = 0; s < 2; s++) {
        rng r = rng_from_key(hash_add(key, (uint64_t)s));
        int32_t at = c->position;
        for (int i = 0; i < R; i++) {
            if (i > 0)
                at += rng_range(&r, -1, 1);
            at = at < lo ? lo : at;
            at = at > hi ? hi : at;
            out->centre[s][i] = (int16_t)at;
            out->wobble[s][i] = (int8_t)rng_range(&r, -1, 1);
        }
    }
}

int32_t plan_disc_row(int32_t radius, int32_t dy)
{
    int32_t reach = radius;
    while (reach > 0 && reach * reach + dy * dy >= (radius + 1) * (radius + 1))
        reach--;
    return reach;
}

/* Paints a disc or, without `disc`, a square of cells around a cell near the edge. */
static void paint(uint8_t mask[STRIP_CELLS], int32_t distance, int32_t position, int32_t radius,
                  bool disc)
{
    for (int32_t d = distance - radius; d <= distance + radius; d++) {
        const int32_t reach = disc ? plan_disc_row(radius, d - distance) : radius;
        for (int32_t p = position - reach; p <= position + reach; p++)
            if (d >= -R && d < R && p >= 0 && p < SIZE)
                mask[(d + R) * SIZE + p] = 1;
    }
}

void plan_river_strip(uint8_t mask[STRIP_CELLS], const gen_config *config, const edge *e)
{
    if (e->origin == EDGE_FOREIGN) {
        plan_foreign_strip(mask, config, e);
        return;
    }
    for (size_t i = 0; i < e->count; i++) {
        const crossing *c = &e->crossings[i];
        if (strcmp(c->kind, CROSSING_RIVER) != 0 || c->z != 0)
            continue;
        river_course course;
        plan_river_course(&course, config, e, c);
        for (int s = 0; s < 2; s++)
            for (int depth = 0; depth < R; depth++) {
                const int32_t distance = s == 0 ? -1 - depth : depth;
                const int32_t centre = course.centre[s][depth];
                const int32_t moved = centre + course.wobble[s][depth];
                if (config->river_form == RIVERS_CURVED) {
                    paint(mask, distance + course.ahead[s][depth], moved, c->width, true);
                    continue;
                }
                paint(mask, distance, centre, c->width, false);
                paint(mask, distance, moved, c->width, false);
            }
    }
}
