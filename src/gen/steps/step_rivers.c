/*
 * Rivers. Reads: the chunk's four edges. Writes: z = 0, river_center. The REACH = PLAN_REACH
 * outermost rows of cells along an edge are its strip, in which rivers are painted as the edge
 * plans them (plan.h). Guarantees: every crossing of a river is painted in its strip and
 * linked, inside the chunk, to another crossing or to a spring; no other river cell lies in a
 * strip. If rivers only flow into the chunk (foreign edges can cause that), they end in a pond,
 * and an event tells of it. In a region without rivers, foreign rivers end in their strips.
 */
#include "core/whole.h"
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOUTHS_MAX = 4 * EDGE_CROSSINGS_MAX, /* the most river crossings that four edges can have */
    LAKE_TRIES = 16
};

/* The places at which planned rivers come in from, or go out to, the REACH outermost rows of
 * cells of the chunk. In these rows rivers are painted as the edges plan them. */
typedef struct mouths {
    river_end in[MOUTHS_MAX], out[MOUTHS_MAX];
    size_t in_count, out_count;
} mouths;

static bool is_curved(const generator *g)
{
    return g->config->river_form == RIVERS_CURVED;
}

/* Returns a place near a side of the chunk (0..3 = N, E, S, W): `along` is the place's
 * coordinate along that side, `depth` its distance from the side, both in cells. */
static point behind(int direction, int32_t along, int32_t depth)
{
    const int32_t across = direction == 1 || direction == 2 ? SIZE - 1 - depth : depth;
    return direction % 2 ? (point){across, along} : (point){along, across};
}

/* The river of a crossing is planned in the first REACH rows of cells from the edge. Returns
 * the river's position along the edge in the last of these rows. *slope becomes how far the
 * river moves aside from there with each further row, in 1 / COURSE_ONE of a cell. */
static int32_t strip_end(const generator *g, int direction, const crossing *c, int32_t *slope)
{
    const edge *e = g->edges[direction];
    const bool own = direction == 1 || direction == 2;
    *slope = 0;
    if (e->origin == EDGE_FOREIGN) {
        river_span span;
        plan_foreign_span(&span, g->config, e, c);
        return (span.from[REACH - 1] + span.to[REACH - 1]) / 2;
    }
    river_course course;
    plan_river_course(&course, g->config, e, c);
    *slope = own ? -course.slope : course.slope;
    return course.centre[own ? 0 : 1][REACH - 1];
}

/* Returns where a curved river begins or ends in the chunk, and its direction there. The place
 * is the last cell of the course that is planned for the river's crossing. */
static river_end curved_end(const generator *g, int direction, const crossing *c)
{
    const int32_t inward = direction == 1 || direction == 2 ? -COURSE_ONE : COURSE_ONE;
    int32_t slope;
    const point at = behind(direction, strip_end(g, direction, c, &slope), REACH - 1);
    return (river_end){.straightness = 1,
                       .at = at,
                       .lean = direction % 2 ? (point){inward, slope} : (point){slope, inward}};
}

/* Returns the place at which a walked river (one drawn by a random walk) begins or ends in this
 * chunk. That place lies just beyond the cells near the edge whose river cells the edge itself
 * plans. */
static point inner_end(const generator *g, int direction, const crossing *c)
{
    const bool foreign = g->edges[direction]->origin == EDGE_FOREIGN;
    const int32_t depth = REACH + (foreign ? g->config->river_width : c->width);
    int32_t slope;
    return river_inner(g, behind(direction, strip_end(g, direction, c, &slope), depth));
}

/* Sorts the river crossings of the edges into those by which a river flows into the chunk and
 * those by which one flows out. A crossing stores its direction as the chunk to the north or
 * west of the edge sees it. */
static void collect_mouths(const generator *g, mouths *m)
{
    m->in_count = m->out_count = 0;
    for (int direction = 0; direction < 4; direction++) {
        const edge *e = g->edges[direction];
        bool own = direction == 1 || direction == 2; /* this chunk is the edge's own: it lies to
                                                      * the west or north of the edge */
        for (size_t i = 0; i < e->count; i++) {
            const crossing *c = &e->crossings[i];
            if (strcmp(c->kind, CROSSING_RIVER) != 0 || c->z != 0)
                continue;
            bool leaves = own ? c->direction > 0 : c->direction < 0;
            river_end at = is_curved(g) ? curved_end(g, direction, c)
                                        : (river_end){.at = inner_end(g, direction, c)};
            if (leaves && m->out_count < MOUTHS_MAX)
                m->out[m->out_count++] = at;
            else if (!leaves && m->in_count < MOUTHS_MAX)
                m->in[m->in_count++] = at;
        }
    }
}

/* Paints the rivers that an edge plans, in the REACH rows of cells beside it that lie in the
 * chunk. */
static void paint_strip(generator *g, int direction)
{
    const ptl_oter river = g->config->oters->river_center;
    /* The plan has rows of cells on both sides of the edge. If the chunk lies to the south or
     * east of the edge, its rows are the second half, and the first of them is at the border.
     */
    const bool after = direction == 0 || direction == 3;
    const uint8_t *row = g->strips[direction] + (after ? REACH * SIZE : 0);
    for (int32_t i = 0; i < REACH; i++, row += SIZE) {
        const int32_t across = after ? i : SIZE - REACH + i;
        const uint8_t *end = row + SIZE, *at = row;
        for (; (at = memchr(at, 1, (size_t)(end - at))) != NULL; at++) {
            const int32_t along = (int32_t)(at - row);
            g->ground[direction % 2 ? along * SIZE + across : across * SIZE + along] = river;
        }
    }
}

/* Returns a random place in the middle of the chunk: the place of a spring if no river flows
 * into the chunk, or of a pond if none flows out. */
static river_end inner_place(rng *r)
{
    const int32_t x = rng_range(r, SIZE / 4, SIZE * 3 / 4 - 1);
    const int32_t y = rng_range(r, SIZE / 4, SIZE * 3 / 4 - 1);
    return (river_end){.at = {x, y}, .straightness = 4};
}

/* Returns the number of rivers to be drawn. The first inflow is paired with the first outflow,
 * the second with the second, and so on. When the shorter of the two lists ends, it begins
 * again. */
static size_t pair_count(const mouths *m)
{
    return m->in_count > m->out_count ? m->in_count : m->out_count;
}

static const river_end *pair_from(const mouths *m, size_t i, const river_end *inner)
{
    return m->in_count ? &m->in[i % m->in_count] : inner;
}

static const river_end *pair_to(const mouths *m, size_t i, const river_end *inner)
{
    return m->out_count ? &m->out[i % m->out_count] : inner;
}

/* Draws walked rivers (by random walks, the games' older form) between the mouths. Returns
 * the place of the spring or pond, if there is one; draw_curves does the same for curved
 * rivers. */
static river_end draw_walks(generator *g, const mouths *m)
{
    rng r = step_stream(g, "rivers"), braid = step_stream(g, "river braids");
    const river_end inner = inner_place(&r);
    for (size_t i = 0; i < pair_count(m); i++) {
        const point from = pair_from(m, i, &inner)->at, to = pair_to(m, i, &inner)->at;
        river_walk(g, &r, from, to);
        /* One river in three is walked and painted a second time, so that a chunk has as many
         * river cells as in the games. In the games these cells come from further rivers, which
         * run over one another; here further rivers would give borders more crossings than the
         * games have. */
        if (rng_one_in(&braid, 3))
            river_walk(g, &braid, from, to);
    }
    return inner;
}

/*
 * A curved river inside a chunk, as DDA has them since 2025 (generation.md 5.1): a cubic
 * Bezier curve, discs painted along it, and branches that leave it. Only whole numbers are
 * used; coordinates on the curve are in parts of a cell.
 */

enum {
    PART = 256, /* parts into which a cell is divided */
    STILL = 4,  /* near both ends of a curve, this number of cells is painted without random
                 * shifts */
    PATH_MAX = 3 * SIZE, /* the greatest number of cells of a curve */
    BRANCHES_MAX = 64,   /* the greatest number of branches of one river; with usual content a
                          * river has two or three */
    /* How deep branches may nest: a branch of a branch is the second level. */
    BRANCH_LEVELS = 4,
    BRANCH_LEAST = 12, /* the least distance between the two ends of a branch, in cells */
    BRANCH_FROM = 32,  /* a branch ends in its own river or, if not, BRANCH_FROM to BRANCH_TO
                        * cells from the branch's start, along x and along y */
    BRANCH_TO = 64
};

/* The cells of a curve. Each cell touches the cell before it, at a side or a corner. */
typedef struct curve {
    int32_t count;
    point cells[PATH_MAX];
} curve;

/* Returns the straight distance of two places, with an error of at most 12 %. */
static int32_t distance(point a, point b)
{
    const int32_t dx = abs(a.x - b.x), dy = abs(a.y - b.y);
    return dx > dy ? dx + dy / 2 : dy + dx / 2;
}

/* A point with the coordinate `at` moves on, by `lean` for each PART of its way. Returns how
 * long the way can be before the coordinate leaves the range lo .. hi. */
static int64_t free_way(int32_t at, int32_t lean, int32_t lo, int32_t hi)
{
    if (lean == 0)
        return INT32_MAX;
    const int64_t room = lean > 0 ? (int64_t)hi - at : (int64_t)at - lo;
    return room > 0 ? room * PART / abs(lean) : 0;
}

/* Returns the curve's control point beside an end, in units of 1 / PART of a cell. If the end
 * has a direction (`lean`), the control point lies in that direction. Otherwise it lies about a
 * third of the way to the other end, moved at random. */
static point control(rng *r, const river_end *end, const river_end *other, int32_t room)
{
    /* A disc that is `room` cells wide, painted around a control point, must stay outside of
     * the REACH outermost rows of the chunk. */
    const int32_t lo = (REACH + room) * PART, hi = (SIZE - 1) * PART - lo;
    const int32_t far = distance(end->at, other->at) * PART;
    point c = {end->at.x * PART + PART / 2, end->at.y * PART + PART / 2};
    if (end->lean.x == 0 && end->lean.y == 0) {
        const int32_t stray = far / end->straightness;
        c.x += (other->at.x - end->at.x) * PART / 3 + rng_range(r, -stray, stray);
        c.y += (other->at.y - end->at.y) * PART / 3 + rng_range(r, -stray, stray);
        return (point){clamp(c.x, lo, hi), clamp(c.y, lo, hi)};
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

/* Computes the cells of a curve, a cubic Bezier curve of n steps. One step moves at most 3 / n
 * of the greatest distance between neighbouring control points. With the n that is computed
 * here, each step leads to an adjacent cell or stays in the same cell. */
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

/* Paints discs around the cells first .. last - 1 of a curve. */
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
            const int32_t from = clamp(p.x - reach, REACH, SIZE - REACH);
            const int32_t to = clamp(p.x + reach, REACH - 1, SIZE - 1 - REACH);
            ptl_oter *at = &g->ground[y * SIZE + from];
            for (; at <= &g->ground[y * SIZE + to]; at++)
                if (*at != river && !(oters[*at].flags & (CAT_FLAG_LAKE | CAT_FLAGS_OCEAN)))
                    *at = river;
        }
    }
}

/* A curved river while its branches are drawn. */
typedef struct branching {
    generator *g;
    rng *r;
    int32_t count; /* number of branches drawn so far for this river */
} branching;

static bool is_wet(const generator *g, point p)
{
    const uint32_t wet = CAT_FLAG_RIVER | CAT_FLAG_LAKE | CAT_FLAG_OCEAN;
    return inside(p.x, p.y) && g->config->cat->oters[g->ground[p.y * SIZE + p.x]].flags & wet;
}

/* Decides where a branch that begins at cell `at` of the curve ends: in the same river, farther
 * along the curve, or somewhere downhill. False if there is no branch. */
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

/* Draws branches along a curve, testing every second cell: the content's chance is for each
 * point of the games' curves, which have one point for two cells. */
static void draw_branches(branching *b, const curve *c, int32_t radius, int32_t generation)
{
    const cat_rivers *rivers = &b->g->config->region->rivers;
    const int32_t narrower = radius - (int32_t)rivers->scale_decrease;
    const int32_t chance = (int32_t)rivers->branch_chance;
    if (narrower <= 0 || narrower > radius || chance <= 0 || generation >= BRANCH_LEVELS)
        return;
    const int32_t lo = REACH + radius + 1, hi = SIZE - 1 - lo;
    int32_t merged = -1;
    for (int32_t i = 0; i < c->count && b->count < BRANCHES_MAX; i += 2) {
        const point p = c->cells[i];
        if (p.x < lo || p.x > hi || p.y < lo || p.y > hi || !rng_one_in(b->r, chance))
            continue;
        river_end from = {.at = p, .straightness = 2}, to = from;
        if (!branch_end(b, c, i, &merged, &to.at))
            continue;
        /* Draw a branch from the river's bank to where it meets water again, unless it would
         * run in water for its first third. */
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

static river_end draw_curves(generator *g, const mouths *m)
{
    rng r = step_stream(g, "river curves");
    river_end inner = {.straightness = 1};
    if (m->in_count == 0 || m->out_count == 0) {
        /* Choose at random the place inside the chunk where the river springs or ends in a
         * pond. Of the first LAKE_TRIES places, one that lies in a lake is preferred. */
        const river_end first = inner_place(&r);
        inner = first;
        int i = 0;
        for (; i < LAKE_TRIES && !lake_is(g, inner.at.x, inner.at.y); i++)
            inner = inner_place(&r);
        if (i == LAKE_TRIES)
            inner = first;
    }
    for (size_t i = 0; i < pair_count(m); i++) {
        const int32_t radius = g->config->river_width;
        curve c;
        trace(&c, &r, pair_from(m, i, &inner), pair_to(m, i, &inner), radius + 1);
        paint(g, &r, &c, 0, c.count, radius);
        branching b = {g, &r, 0};
        draw_branches(&b, &c, radius, 0);
    }
    return inner;
}

static void run(generator *g)
{
    if (g->config->oters->river_center == CAT_NONE || ocean_here(g) == OCEAN_ALL)
        return;
    mouths m;
    collect_mouths(g, &m);
    if (m.in_count + m.out_count == 0 && (g->config->river_width == 0 || is_curved(g)))
        return;
    for (int direction = 0; direction < 4; direction++)
        paint_strip(g, direction);
    if (g->config->river_width == 0) {
        add_event(g, "river_pond", -1, -1, 0, "a region without rivers: foreign ones end here");
        return;
    }
    const river_end inner = is_curved(g) ? draw_curves(g, &m) : draw_walks(g, &m);
    if (m.in_count > 0 && m.out_count == 0)
        add_event(g, "river_pond", inner.at.x, inner.at.y, 0,
                  "rivers flow in and none flows out");
}

const gen_step step_rivers = {
    .info = {"rivers", 0, true},
    .run = run,
    .needs = {&water_fields_part},
};

static_assert((int)PATH_MAX >= 3 * (int)SIZE, "legs are shorter than a chunk");

void river_link(generator *g, rng *r, point from, point to)
{
    const river_end a = {.at = from, .straightness = 4}, b = {.at = to, .straightness = 4};
    curve c;
    trace(&c, r, &a, &b, 1);
    paint(g, r, &c, 0, c.count, 1);
}

/*
 * A walked river inside a chunk: a random walk that drifts towards its end, as in the games
 * (generation.md 5.1). The games' walk may take any number of steps. Here the drift becomes
 * certain after WALK_BUDGET steps.
 */
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

static void paint_walk(generator *g, point p)
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

/* A walked river goes on cell by cell. `at` is its coordinate along one axis. Returns the
 * coordinate after one step: one cell nearer to `to`, or the same, with the odds of the games.
 * (The numbers 215 = 1.2 * 180 - 1 and 35 = 0.2 * 180 - 1 are theirs.) `across` is the distance
 * still to go along the other axis. */
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
    paint_walk(g, p);
    for (int step = 0; p.x != b.x || p.y != b.y; step++) {
        bool certain = step >= WALK_BUDGET;
        if (!certain) {
            p = jitter(g, r, p);
            paint_walk(g, p);
        }
        p.x = drift(r, p.x, b.x, b.y - p.y, certain);
        p.y = drift(r, p.y, b.y, b.x - p.x, certain);
        paint_walk(g, p); /* paint each step, so that the river is connected */
        if (!certain && step % 2 == 0) {
            p = jitter(g, r, p);
            paint_walk(g, p);
        }
    }
    paint_walk(g, b);
}
