/*
 * Strips: the course of a river on both sides of its crossing, and the cells that are painted
 * there (generation.md 4.2).
 */
#include "gen/plan/plan_impl.h"

#include <string.h>

enum {
    SIZE = PTL_CHUNK_SIZE,
    R = PLAN_REACH,
    LEAN = 3 * COURSE_ONE / 4 /* the most that a curved river leans at a border */
};

void plan_course_bounds(const gen_config *config, int32_t width, int32_t *lo, int32_t *hi)
{
    *lo = R + width + 1 + (config->river_form == RIVERS_CURVED); /* jitter goes both ways */
    *hi = SIZE - 1 - *lo;
}

/*
 * Draws the line of a curved river. It leans only so far that its ends stay within bounds, and
 * it crosses the border without a bend. Random steps of the discs (wobble and ahead) keep the
 * painted river from looking straight.
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
            const int32_t moved = (2 * i + 1) * out->slope; /* in 1 / (2 COURSE_ONE) cells */
            const int32_t cells =
                (moved + (moved < 0 ? -COURSE_ONE : COURSE_ONE)) / (2 * COURSE_ONE);
            out->centre[s][i] = (int16_t)(s == 0 ? at - cells : at + cells);
            /* On the border the river must be as wide as the crossing says, so it has no
             * jitter there. */
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

/* Paints a disc, or else a square, around a place of the strip. */
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
