#include "gen/plan/plan.h"

#include "core/error.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = PTL_CHUNK_SIZE, R = PLAN_REACH };

static int32_t floor_div(int32_t a, int32_t b)
{
    int32_t q = a / b;
    return q - (a % b != 0 && a < 0);
}

static uint64_t plan_key(const gen_config *config, const char *what, int32_t x, int32_t y)
{
    uint64_t key = hash_add(config->seed, hash_string(what));
    return hash_add(hash_add(key, (uint32_t)x), (uint32_t)y);
}

void plan_edge_of_chunk(ptl_chunk_pos pos, int direction, int32_t *x, int32_t *y,
                        edge_side *side)
{
    *x = pos.x - (direction == 3);
    *y = pos.y - (direction == 0);
    *side = direction == 1 || direction == 3 ? EDGE_EAST : EDGE_SOUTH;
}

/* ---- drainage: blocks of C x C chunks ---- */

typedef struct tilt {
    int32_t dx, dy; /* each -1 or 1: downhill along x and along y */
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

/* True if block (bx, by) drains along x, false if along y: to the lower neighbour downhill. */
static bool drains_along_x(const gen_config *config, tilt t, int32_t bx, int32_t by)
{
    return plan_key(config, "river height", bx + t.dx, by) <
           plan_key(config, "river height", bx, by + t.dy);
}

/* Where in the block its outflow leaves: the row (draining along x) or column, 0..C-1. */
static int32_t exit_offset(const gen_config *config, int32_t bx, int32_t by)
{
    rng r = rng_from_key(plan_key(config, "river exit", bx, by));
    return rng_range(&r, 0, config->river_sparsity - 1);
}

typedef struct chunk_xy {
    int32_t x, y;
} chunk_xy;

/* The block's chunk that its outflow leaves from. */
static chunk_xy exit_chunk(const gen_config *config, tilt t, int32_t bx, int32_t by)
{
    int32_t c = config->river_sparsity, offset = exit_offset(config, bx, by);
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

/* Does the run from `from` to `to`, first along x and then along y, pass from a to b, two
 * chunks that touch? */
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

/* Does a river run from chunk a into its neighbour b? */
static bool river_runs(const gen_config *config, tilt t, chunk_xy a, chunk_xy b)
{
    int32_t c = config->river_sparsity;
    int32_t ax = floor_div(a.x, c), ay = floor_div(a.y, c);
    int32_t bx = floor_div(b.x, c), by = floor_div(b.y, c);
    chunk_xy out = exit_chunk(config, t, ax, ay);
    if (ax != bx || ay != by) {
        bool along_x = drains_along_x(config, t, ax, ay);
        return out.x == a.x && out.y == a.y && b.x == a.x + (along_x ? t.dx : 0) &&
               b.y == a.y + (along_x ? 0 : t.dy);
    }
    /* Inside a block, what came in from the two blocks uphill runs to the exit. */
    if (drains_along_x(config, t, ax - t.dx, ay)) {
        chunk_xy in = exit_chunk(config, t, ax - t.dx, ay);
        in.x += t.dx;
        if (run_passes(in, out, a, b))
            return true;
    }
    if (!drains_along_x(config, t, ax, ay - t.dy)) {
        chunk_xy in = exit_chunk(config, t, ax, ay - t.dy);
        in.y += t.dy;
        if (run_passes(in, out, a, b))
            return true;
    }
    return false;
}

/* Does any river run into chunk c from uphill? */
static bool has_inflow(const gen_config *config, tilt t, chunk_xy c)
{
    return river_runs(config, t, (chunk_xy){c.x - t.dx, c.y}, c) ||
           river_runs(config, t, (chunk_xy){c.x, c.y - t.dy}, c);
}

/* How many arms a river has where it leaves a chunk: one, or in one case of three two, or in
 * one of six three, which gives the share of river that the game's own overmaps have; a single
 * one from its spring. */
static int32_t arms(const gen_config *config, tilt t, chunk_xy from, rng *r)
{
    static const int32_t odds[] = {1, 1, 1, 2, 2, 3};
    int32_t count = odds[rng_below(r, sizeof odds / sizeof odds[0])];
    bool one = config->river_sparsity > 1 || !has_inflow(config, t, from);
    return one ? 1 : count;
}

/* Centres of a river strip lie in lo..hi, so that what is painted keeps R from the corners. */
static void course_bounds(int32_t width, int32_t *lo, int32_t *hi)
{
    *lo = R + width + 1;
    *hi = SIZE - 1 - *lo;
}

enum { ARMS_MAX = 3 };

/* Appends the edge's rivers; out has room for ARMS_MAX. */
static size_t plan_rivers(crossing *out, const gen_config *config, const edge *e)
{
    if (config->river_width == 0)
        return 0;
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
    int32_t count = arms(config, t, direction > 0 ? own : other, &r);
    int32_t lo, hi;
    course_bounds(config->river_width, &lo, &hi);
    int32_t span = (hi - lo) / count, gap = count > 1 ? 2 * config->river_width + 2 : 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t from = lo + i * span, to = from + span - gap;
        out[i] = (crossing){.kind = CROSSING_RIVER,
                            .position = (int16_t)rng_range(&r, from, to),
                            .z = 0,
                            .width = (uint8_t)config->river_width,
                            .direction = (int8_t)direction};
    }
    return (size_t)count;
}

static bool crossing_before(const crossing *a, const crossing *b)
{
    int kinds = strcmp(a->kind, b->kind);
    if (a->z != b->z)
        return a->z < b->z;
    return kinds != 0 ? kinds < 0 : a->position < b->position;
}

static void sort_crossings(crossing *list, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && crossing_before(&list[k], &list[k - 1]); k--) {
            crossing swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
}

ptl_status plan_edge(edge *out, const gen_config *config, int32_t x, int32_t y, edge_side side,
                     ptl_error *err)
{
    *out = (edge){.x = x, .y = y, .side = side, .origin = EDGE_PLANNED};
    crossing list[ARMS_MAX + 1 + EXITS_PER_EDGE];
    edge planned = *out;
    planned.crossings = list;
    planned.count = plan_rivers(list, config, out);
    planned.count += plan_highways(list + planned.count, config, &planned);
    size_t count = planned.count + plan_exits(list + planned.count, config, &planned);
    if (count == 0)
        return PTL_OK;
    sort_crossings(list, count);
    out->crossings = malloc(count * sizeof *list);
    if (!out->crossings)
        return error_nomem(err);
    memcpy(out->crossings, list, count * sizeof *list);
    out->count = count;
    return PTL_OK;
}

void plan_river_course(river_course *out, const gen_config *config, const edge *e,
                       const crossing *c)
{
    uint64_t key = hash_add(plan_key(config, "river course", e->x, e->y), (uint64_t)e->side);
    key = hash_add(key, (uint64_t)c->position);
    int32_t lo, hi;
    course_bounds(c->width, &lo, &hi);
    for (int s = 0; s < 2; s++) {
        rng r = rng_from_key(hash_add(key, (uint64_t)s));
        int32_t at = c->position;
        for (int i = 0; i < R; i++) {
            if (i > 0)
                at += rng_range(&r, -1, 1);
            if (at < lo)
                at = lo;
            if (at > hi)
                at = hi;
            out->centre[s][i] = (int16_t)at;
            out->wobble[s][i] = (int8_t)rng_range(&r, -1, 1);
        }
    }
}

static void paint(uint8_t mask[STRIP_CELLS], int32_t distance, int32_t position, int32_t width)
{
    for (int32_t d = distance - width; d <= distance + width; d++)
        for (int32_t p = position - width; p <= position + width; p++)
            if (d >= -R && d < R && p >= 0 && p < SIZE)
                mask[(d + R) * SIZE + p] = 1;
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
                int32_t distance = s == 0 ? -1 - depth : depth;
                int32_t centre = course.centre[s][depth];
                paint(mask, distance, centre, c->width);
                paint(mask, distance, centre + course.wobble[s][depth], c->width);
            }
    }
}
