/*
 * A curved river inside a chunk, as DDA has them since 2025 (generation.md 5.1): a cubic
 * Bezier curve, discs painted along it, and branches that leave it. Only whole numbers are
 * used; coordinates on the curve are in parts of a cell.
 */
#include "gen/steps/waters.h"

#include <assert.h>
#include <stdlib.h>

enum {
    PART = 256,          /* parts of a cell */
    STILL = 4,           /* cells at either end without jitter */
    PATH_MAX = 3 * SIZE, /* the most cells of a curve */
    BRANCHES_MAX = 64,   /* of a river with branches; usual content has two or three */
    BRANCH_LEVELS = 4,   /* a branch of a branch .. */
    BRANCH_LEAST = 12,   /* least cells from end to end of a branch */
    BRANCH_FROM = 32,    /* least distance of a branch's end, along x and y */
    BRANCH_TO = 64
};

/* The cells of a curve. Each touches the one before, at a side or a corner. */
typedef struct curve {
    int32_t count;
    point cells[PATH_MAX];
} curve;

/* Gives the range of centres for what a chunk draws inside: `room` cells off the strips. */
static void bounds(int32_t room, int32_t *lo, int32_t *hi)
{
    *lo = REACH + room;
    *hi = SIZE - 1 - *lo;
}

static int32_t within(int32_t v, int32_t lo, int32_t hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Returns about the straight distance, within 12 % of it. */
static int32_t distance(point a, point b)
{
    const int32_t dx = abs(a.x - b.x), dy = abs(a.y - b.y);
    return dx > dy ? dx + dy / 2 : dy + dx / 2;
}

/* Returns how far one may go along a lean before the coordinate leaves the bounds, in
 * parts. */
static int64_t free_way(int32_t at, int32_t lean, int32_t lo, int32_t hi)
{
    if (lean == 0)
        return INT32_MAX;
    const int64_t room = lean > 0 ? (int64_t)hi - at : (int64_t)at - lo;
    return room > 0 ? room * PART / abs(lean) : 0;
}

/* Returns the control point beside an end, in parts of a cell. It lies along the end's lean.
 * Without a lean it lies about a third of the way to the other end, strayed at random. */
static point control(rng *r, const river_end *end, const river_end *other, int32_t room)
{
    int32_t lo, hi;
    bounds(room, &lo, &hi);
    lo *= PART;
    hi *= PART;
    const int32_t far = distance(end->at, other->at) * PART;
    point c = {end->at.x * PART + PART / 2, end->at.y * PART + PART / 2};
    if (end->lean.x == 0 && end->lean.y == 0) {
        const int32_t stray = far / end->straightness;
        c.x += (other->at.x - end->at.x) * PART / 3 + rng_range(r, -stray, stray);
        c.y += (other->at.y - end->at.y) * PART / 3 + rng_range(r, -stray, stray);
        return (point){within(c.x, lo, hi), within(c.y, lo, hi)};
    }
    int64_t way = rng_range(r, far / 6, far / 3);
    const int64_t way_x = free_way(c.x, end->lean.x, lo, hi);
    const int64_t way_y = free_way(c.y, end->lean.y, lo, hi);
    way = way < way_x ? way : way_x;
    way = way < way_y ? way : way_y;
    return (point){c.x + (int32_t)(way * end->lean.x / PART),
                   c.y + (int32_t)(way * end->lean.y / PART)};
}

static int32_t leg(point a, point b)
{
    const int32_t dx = abs(a.x - b.x), dy = abs(a.y - b.y);
    return (dx > dy ? dx : dy) / PART;
}

/* Returns one coordinate of the curve at step i of n, in cells. */
static int32_t bezier(int64_t i, int64_t n, int32_t a, int32_t b, int32_t c, int32_t d)
{
    const int64_t k = n - i;
    const int64_t sum = k * k * (k * a + 3 * i * b) + i * i * (3 * k * c + i * d);
    return (int32_t)(sum / (n * n * n * PART));
}

/* Computes the cells of a curve. A cubic Bezier moves at most three times its longest leg, so
 * with this many steps each step leads to an adjacent cell or stays. */
static void trace(curve *out, rng *r, const river_end *from, const river_end *to, int32_t room)
{
    const point a = {from->at.x * PART + PART / 2, from->at.y * PART + PART / 2};
    const point d = {to->at.x * PART + PART / 2, to->at.y * PART + PART / 2};
    const point b = control(r, from, to, room), c = control(r, to, from, room);
    int32_t longest = leg(a, b);
    longest = leg(b, c) > longest ? leg(b, c) : longest;
    longest = leg(c, d) > longest ? leg(c, d) : longest;
    const int32_t n = 3 * (longest + 1);
    out->count = 0;
    for (int32_t i = 0; i <= n && out->count < PATH_MAX; i++) {
        const point p = {bezier(i, n, a.x, b.x, c.x, d.x), bezier(i, n, a.y, b.y, c.y, d.y)};
        const point *last = out->count > 0 ? &out->cells[out->count - 1] : NULL;
        if (!last || last->x != p.x || last->y != p.y)
            out->cells[out->count++] = p;
    }
}
static_assert((int)PATH_MAX >= 3 * (int)SIZE, "legs are shorter than a chunk");

/* Paints discs around the cells first .. last - 1. */
static void paint(generator *g, rng *r, const curve *c, int32_t first, int32_t last,
                  int32_t radius)
{
    const ptl_oter river = g->config->oters->river_center;
    const cat_oter *oters = g->config->cat->oters;
    const uint32_t work = 1 + (uint32_t)(radius * radius);
    for (int32_t i = first; i < last && work_on(g, work); i++) {
        point p = c->cells[i];
        if (radius > 1 && i - first >= STILL && last - i > STILL) {
            p.x += rng_range(r, -1, 1);
            p.y += rng_range(r, -1, 1);
        }
        for (int32_t dy = -radius; dy <= radius; dy++) {
            const int32_t y = p.y + dy, reach = plan_disc_row(radius, dy);
            if (y < REACH || y >= SIZE - REACH)
                continue;
            const int32_t from = within(p.x - reach, REACH, SIZE - REACH);
            const int32_t to = within(p.x + reach, REACH - 1, SIZE - 1 - REACH);
            ptl_oter *at = &g->ground[y * SIZE + from];
            for (; at <= &g->ground[y * SIZE + to]; at++)
                if (*at != river && !(oters[*at].flags & (CAT_FLAG_LAKE | CAT_FLAGS_OCEAN)))
                    *at = river;
        }
    }
}

static bool is_wet(const generator *g, point p)
{
    const uint32_t wet = CAT_FLAG_RIVER | CAT_FLAG_LAKE | CAT_FLAG_OCEAN;
    return inside(p.x, p.y) && g->config->cat->oters[g->ground[p.y * SIZE + p.x]].flags & wet;
}

/* A river in work, with its branches. */
typedef struct branching {
    generator *g;
    rng *r;
    int32_t count; /* number of branches so far */
} branching;

/* Decides where a branch from a cell of the curve ends: in the river farther on, or somewhere
 * downhill. False if there is no branch. */
static bool branch_end(branching *b, const curve *c, int32_t at, int32_t *merged, point *end)
{
    const gen_config *config = b->g->config;
    const int32_t remerge = (int32_t)config->region->rivers.remerge_chance;
    const int32_t least = c->count / 5 > 4 ? c->count / 5 : 4;
    if (at > *merged && remerge > 0 && rng_one_in(b->r, remerge)) {
        const int32_t back = at + rng_range(b->r, least, 2 * least);
        if (back >= c->count)
            return false;
        *merged = back;
        *end = c->cells[back];
        return true;
    }
    const int32_t dx = rng_range(b->r, BRANCH_FROM, BRANCH_TO);
    const int32_t dy = rng_range(b->r, BRANCH_FROM, BRANCH_TO);
    *end = river_inner(b->g,
                       (point){c->cells[at].x + dx * plan_river_downhill(config, EDGE_EAST),
                               c->cells[at].y + dy * plan_river_downhill(config, EDGE_SOUTH)});
    return distance(*end, c->cells[at]) >= BRANCH_LEAST;
}

/* Draws branches along a curve. The games' curves have one point for two cells, and a chance
 * is meant per point. */
static void draw_branches(branching *b, const curve *c, int32_t radius, int32_t generation)
{
    const cat_rivers *rivers = &b->g->config->region->rivers;
    const int32_t narrower = radius - (int32_t)rivers->scale_decrease;
    const int32_t chance = (int32_t)rivers->branch_chance;
    if (narrower <= 0 || narrower > radius || chance <= 0 || generation >= BRANCH_LEVELS)
        return;
    int32_t lo, hi, merged = -1;
    bounds(radius + 1, &lo, &hi);
    for (int32_t i = 0; i < c->count && b->count < BRANCHES_MAX; i += 2) {
        const point p = c->cells[i];
        if (p.x < lo || p.x > hi || p.y < lo || p.y > hi || !rng_one_in(b->r, chance))
            continue;
        river_end from = {.at = p, .straightness = 2}, to = from;
        if (!branch_end(b, c, i, &merged, &to.at))
            continue;
        /* Draw a branch from the river's bank to where it meets water again. Draw nothing if it
         * would run in water for its first third. */
        curve own;
        trace(&own, b->r, &from, &to, narrower + 1);
        int32_t first = 0;
        while (first < own.count && is_wet(b->g, own.cells[first]))
            first++;
        if (first > own.count / 3)
            continue;
        int32_t last = first;
        while (last < own.count && !is_wet(b->g, own.cells[last]))
            last++;
        b->count++;
        paint(b->g, b->r, &own, first > 0 ? first - 1 : 0, last < own.count ? last + 1 : last,
              narrower);
        own.count = last;
        draw_branches(b, &own, narrower, generation + 1);
    }
}

void river_curve(generator *g, rng *r, const river_end *from, const river_end *to,
                 int32_t radius)
{
    curve c;
    trace(&c, r, from, to, radius + 1);
    paint(g, r, &c, 0, c.count, radius);
    branching b = {g, r, 0};
    draw_branches(&b, &c, radius, 0);
}

void river_link(generator *g, rng *r, point from, point to)
{
    const river_end a = {.at = from, .straightness = 4}, b = {.at = to, .straightness = 4};
    curve c;
    trace(&c, r, &a, &b, 1);
    paint(g, r, &c, 0, c.count, 1);
}
