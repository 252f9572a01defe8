/*
 * Rivers. Reads: the chunk's four edges. Writes: z = 0, river_center. Guarantees: every
 * crossing of an edge is painted in its strip and linked, inside the chunk, to another
 * crossing or to a spring; cells that belong to no strip stay at least R from every border.
 * A chunk with inflows only (foreign edges can ask for that) ends them in a pond, with an
 * event; a region without rivers ends foreign ones in their strips.
 */
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

#include <string.h>

enum { MOUTHS_MAX = 4 * EDGE_CROSSINGS_MAX }; /* all that four edges can bring */

/* Where inner rivers begin and end: the inner ends of the strips. */
typedef struct mouths {
    point in[MOUTHS_MAX], out[MOUTHS_MAX];
    size_t in_count, out_count;
} mouths;

/* The inner end of a crossing's strip, seen from the chunk: direction 0..3 = N, E, S, W. */
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

static void collect_mouths(const generator *g, mouths *m)
{
    m->in_count = m->out_count = 0;
    for (int direction = 0; direction < 4; direction++) {
        const edge *e = g->edges[direction];
        bool own = direction == 1 || direction == 2; /* the edge's own chunk is this one */
        for (size_t i = 0; i < e->count; i++) {
            const crossing *c = &e->crossings[i];
            if (strcmp(c->kind, CROSSING_RIVER) != 0 || c->z != 0)
                continue;
            bool leaves = own ? c->direction > 0 : c->direction < 0;
            point at = river_inner(g, inner_end(g, direction, c));
            if (leaves && m->out_count < MOUTHS_MAX)
                m->out[m->out_count++] = at;
            else if (!leaves && m->in_count < MOUTHS_MAX)
                m->in[m->in_count++] = at;
        }
    }
}

/* Within the chunk a strip's first row is REACH before the border, or on it. */
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

static void paint_strips(generator *g)
{
    for (int direction = 0; direction < 4; direction++)
        paint_strip(g, direction);
}

static void run(generator *g)
{
    if (g->config->oters->river_center == CAT_NONE || ocean_here(g) == OCEAN_ALL)
        return;
    mouths m;
    collect_mouths(g, &m);
    if (g->config->river_width == 0 && m.in_count + m.out_count == 0)
        return;
    paint_strips(g);
    if (g->config->river_width == 0) {
        add_event(g, "river_pond", -1, -1, 0, "a region without rivers: foreign ones end here");
        return;
    }
    rng r = step_stream(g, "rivers"), braid = step_stream(g, "river braids");
    point inner = {rng_range(&r, SIZE / 4, SIZE * 3 / 4 - 1),
                   rng_range(&r, SIZE / 4, SIZE * 3 / 4 - 1)};
    size_t pairs = m.in_count > m.out_count ? m.in_count : m.out_count;
    for (size_t i = 0; i < pairs; i++) {
        /* Without inflows `inner` is a spring, without outflows a pond. */
        point from = m.in_count ? m.in[i % m.in_count] : inner;
        point to = m.out_count ? m.out[i % m.out_count] : inner;
        river_walk(g, &r, from, to);
        /* Some rivers braid: that gives the share of river that the games have, whose rivers
         * run over one another, without more crossings than theirs. */
        if (rng_one_in(&braid, 2))
            river_walk(g, &braid, from, to);
    }
    if (m.in_count > 0 && m.out_count == 0)
        add_event(g, "river_pond", inner.x, inner.y, 0, "rivers flow in and none flows out");
}

const gen_step step_rivers = {
    .info = {"rivers", 0, false},
    .run = run,
    .needs = {&water_fields_part},
};
