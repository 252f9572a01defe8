/*
 * Rivers of foreign edges: how a river of a chunk that Portolan did not make goes on in a chunk
 * that Portolan makes. plan.h states the rule. Everything here is a function of the edge record
 * and the settings.
 */
#include "gen/plan/plan.h"
#include "model/bridge_parts.h"

#include <string.h>

enum { SIZE = PTL_CHUNK_SIZE, R = PLAN_REACH };

static int32_t at_most(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t at_least(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

void plan_foreign_span(river_span *out, const gen_config *config, const edge *e,
                       const crossing *c)
{
    uint64_t key = plan_key(config, "foreign river", e->x, e->y);
    key = hash_add(hash_add(key, (uint64_t)e->side), (uint64_t)c->position);
    rng r = rng_from_key(key);
    const int32_t wanted = 2 * at_least(config->river_width, 1) + 1;
    int32_t from = at_least(c->position - c->width, 1);
    int32_t to = at_most(c->position + c->width, SIZE - 2);
    /* A river one cell wide would disappear when river banks are put on the map, so widen it
     * to two. */
    if (from <= to && from == to) {
        to += to < SIZE - 2;
        from -= from == to;
    }
    int32_t most = 1 + at_least(to - from + 1 - wanted, 0) / (2 * (R - 1));
    for (int i = 0; i < R; i++) {
        if (i > 0 && from <= to) {
            int32_t drift = rng_range(&r, -1, 1);
            /* Set the river's width in the next row away from the border. It is to become
             * `wanted` cells, but at each end it shrinks by at most `most` cells and grows by
             * at most 1. */
            const int32_t excess = to - from + 1 - wanted;
            if (excess > 0) {
                from += at_most(most, (excess + 1) / 2);
                to -= at_most(most, excess / 2);
            } else if (excess < 0) {
                from -= excess < -1;
                to += 1;
            }
            from += drift;
            to += drift;
            /* In this row the river must lie in i..hi. If it is narrow enough for that, move it
             * there by whole cells; otherwise cut off what lies outside. */
            const int32_t hi = SIZE - 1 - i;
            int32_t push = at_least(i - from, 0) - at_least(to - hi, 0);
            if (from + push >= i && to + push <= hi) {
                from += push;
                to += push;
            }
            from = at_least(from, i);
            to = at_most(to, hi);
        }
        out->from[i] = (int16_t)from;
        out->to[i] = (int16_t)to;
    }
}

static bool is_river(const gen_config *config, ptl_oter oter)
{
    return oter != CAT_NONE && config->cat->oters[oter].flags & CAT_FLAG_RIVER;
}

/* Tells which border cells of the foreign chunk are water, for one river. The feet of a bridge
 * hide the water in which they stand. If fewer than two cells of water show, which is too
 * little for a river, the feet count as water, too. */
typedef struct border_water {
    const gen_config *config;
    const edge *e;
    /* The foreign chunk's cells along the edge; NULL: they are not known. */
    const ptl_oter *border;
    const river_span *span;
    bool feet;
} border_water;

static bool shows(const border_water *w, int32_t position)
{
    const ptl_oter oter = w->border[position];
    if (!w->feet || oter == CAT_NONE || is_river(w->config, oter))
        return is_river(w->config, oter);
    /* Is the OMT the foot of a bridge whose axis lies along the border? */
    const cat_oter *o = &w->config->cat->oters[oter];
    return o->rotation % 2 == (w->e->side == EDGE_EAST ? 0 : 1) &&
           bridge_is_foot(w->config->cat, o->terrain);
}

/* Returns whether the foreign chunk's border cell that touches our chunk's border cell at this
 * position is river. One crossing may cover two stretches of water with land between them.
 * Where nothing is known of the foreign chunk, all cells of the crossing count as river. */
static bool answers(const border_water *w, int32_t position)
{
    const river_span *span = w->span;
    if (!w->border || shows(w, position))
        return true;
    /* A single cell of water does not make a river, so plan_foreign_span makes it two cells
     * wide. Therefore, if the river is two cells wide here and one of them has water, both
     * count as river. */
    bool before = position - 1 >= span->from[0] && shows(w, position - 1);
    bool after = position + 1 <= span->to[0] && shows(w, position + 1);
    return span->to[0] - span->from[0] == 1 && (before || after);
}

/* Paints a foreign river on one side of the edge. In the row at the border, only cells opposite
 * to water are painted. */
static void paint_side(uint8_t *mask, const gen_config *config, const edge *e,
                       const crossing *c, int side)
{
    river_span span;
    plan_foreign_span(&span, config, e, c);
    border_water water = {config, e, e->border[(1 - side)], &span, false};
    int32_t rivers = 0;
    for (int32_t p = span.from[0]; p <= span.to[0] && water.border; p++)
        rivers += is_river(config, water.border[p]);
    water.feet = rivers < 2;
    for (int depth = 0; depth < R; depth++) {
        int32_t distance = side == 0 ? -1 - depth : depth;
        for (int32_t p = span.from[depth]; p <= span.to[depth]; p++)
            if (depth > 0 || answers(&water, p))
                mask[(distance + R) * SIZE + p] = 1;
    }
}

void plan_foreign_strip(uint8_t *mask, const gen_config *config, const edge *e)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < e->count && !e->border[side]; i++) {
            const crossing *c = &e->crossings[i];
            if (strcmp(c->kind, CROSSING_RIVER) == 0 && c->z == 0)
                paint_side(mask, config, e, c, side);
        }
        uint8_t *line = mask + (side == 0 ? R - 1 : R) * SIZE;
        for (int32_t p = 0; p < SIZE && e->border[side]; p++)
            line[p] = is_river(config, e->border[side][p]);
    }
}
