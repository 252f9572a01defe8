/*
 * Rivers. Reads: the chunk's four edges. Writes: z = 0, river_center. Guarantees: every
 * crossing of an edge is painted in its strip and linked, inside the chunk, to another
 * crossing or to a spring; cells that belong to no strip stay at least R from every border. A
 * chunk with inflows only (foreign edges can ask for that) ends them in a pond, with an event.
 * A region without rivers ends foreign rivers in their strips.
 */
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

#include <string.h>

enum {
    MOUTHS_MAX = 4 * EDGE_CROSSINGS_MAX, /* all that four edges can bring */
    LAKE_TRIES = 16
};

/* The ends of inner rivers, at the inner ends of the strips. */
typedef struct mouths {
    river_end in[MOUTHS_MAX], out[MOUTHS_MAX];
    size_t in_count, out_count;
} mouths;

static bool is_curved(const generator *g)
{
    return g->config->river_form == RIVERS_CURVED;
}

/* Returns the place at a distance from the border of a side (0..3 = N, E, S, W). */
static point behind(int direction, int32_t along, int32_t depth)
{
    switch (direction) {
    case 0:
        return (point){along, depth};
    case 1:
        return (point){SIZE - 1 - depth, along};
    case 2:
        return (point){along, SIZE - 1 - depth};
    default:
        return (point){depth, along};
    }
}

/* Returns where and in which direction a curve continues behind a crossing's strip. */
static river_end curved_end(const generator *g, int direction, const crossing *c)
{
    const edge *e = g->edges[direction];
    const bool own = direction == 1 || direction == 2;
    river_end out = {.straightness = 1};
    int32_t along, slope = 0;
    if (e->origin == EDGE_FOREIGN) {
        river_span span;
        plan_foreign_span(&span, g->config, e, c);
        along = (span.from[REACH - 1] + span.to[REACH - 1]) / 2;
    } else {
        river_course course;
        plan_river_course(&course, g->config, e, c);
        along = course.centre[own ? 0 : 1][REACH - 1];
        slope = own ? -course.slope : course.slope;
    }
    out.at = behind(direction, along, REACH - 1);
    const int32_t inward = own ? -COURSE_ONE : COURSE_ONE;
    out.lean = direction % 2 ? (point){inward, slope} : (point){slope, inward};
    return out;
}

/* Returns the inner end of a crossing's strip, where a walk begins. */
static point inner_end(const generator *g, int direction, const crossing *c)
{
    const edge *e = g->edges[direction];
    int32_t along, depth;
    if (e->origin == EDGE_FOREIGN) {
        river_span span;
        plan_foreign_span(&span, g->config, e, c);
        along = (span.from[REACH - 1] + span.to[REACH - 1]) / 2;
        depth = REACH + g->config->river_width;
    } else {
        river_course course;
        plan_river_course(&course, g->config, e, c);
        int own_side = direction == 1 || direction == 2 ? 0 : 1;
        along = course.centre[own_side][REACH - 1];
        depth = REACH + c->width;
    }
    return river_inner(g, behind(direction, along, depth));
}

/* Sorts the river crossings of the edges into inflows and outflows. Directions of crossings
 * are given from the side of the edge's own chunk. */
static void collect_mouths(const generator *g, mouths *m)
{
    m->in_count = m->out_count = 0;
    for (int direction = 0; direction < 4; direction++) {
        const edge *e = g->edges[direction];
        bool own = direction == 1 || direction == 2; /* the edge is this chunk's own */
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

/* Paints the part of an edge's strip that lies in the chunk. */
static void paint_strip(generator *g, int direction)
{
    const ptl_oter river = g->config->oters->river_center;
    const bool after = direction == 0 || direction == 3; /* the border comes first */
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

/* Returns a random inner place: a spring if there are no inflows, a pond if no outflows. */
static river_end inner_place(rng *r)
{
    const int32_t x = rng_range(r, SIZE / 4, SIZE * 3 / 4 - 1);
    const int32_t y = rng_range(r, SIZE / 4, SIZE * 3 / 4 - 1);
    return (river_end){.at = {x, y}, .straightness = 4};
}

/* Returns the number of rivers. Inflows and outflows are paired in order; the shorter list is
 * repeated. */
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

/* Draws walks between the mouths. Returns the spring or pond, as does draw_curves. */
static river_end draw_walks(generator *g, const mouths *m)
{
    rng r = step_stream(g, "rivers"), braid = step_stream(g, "river braids");
    const river_end inner = inner_place(&r);
    for (size_t i = 0; i < pair_count(m); i++) {
        const point from = pair_from(m, i, &inner)->at, to = pair_to(m, i, &inner)->at;
        river_walk(g, &r, from, to);
        /* Some rivers are drawn twice. That gives the share of river that the games have,
         * whose rivers run over one another, without more crossings than theirs. */
        if (rng_one_in(&braid, 3))
            river_walk(g, &braid, from, to);
    }
    return inner;
}

static river_end draw_curves(generator *g, const mouths *m)
{
    rng r = step_stream(g, "river curves");
    river_end inner = {.straightness = 1};
    if (m->in_count == 0 || m->out_count == 0) {
        /* Search a place for a spring: in a lake if one lies where a spring may be. */
        const river_end first = inner_place(&r);
        inner = first;
        int i = 0;
        for (; i < LAKE_TRIES && !lake_is(g, inner.at.x, inner.at.y); i++)
            inner = inner_place(&r);
        if (i == LAKE_TRIES)
            inner = first;
    }
    for (size_t i = 0; i < pair_count(m); i++)
        river_curve(g, &r, pair_from(m, i, &inner), pair_to(m, i, &inner),
                    g->config->river_width);
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
