/*
 * Bridges (generation.md 5.11). Reads: z = 0, and the OMTs that foreign chunks have at the
 * borders. Writes: on z = 1 the roadway of each bridge and its two ramps; on z = 0 the feet at
 * the bridge's ends and, if the content has an oter for it, what lies under the roadway. A
 * bridge of a single OMT becomes flat road. Afterwards the arms of roads that lead onto a
 * bridge meet its feet, which lie along these arms.
 */
#include "gen/connect/connect_impl.h"
#include "gen/steps/steps.h"

/* The step's own memory. */
typedef struct bridges_scratch {
    /* Cells of all OMTs of the kind of bridge that is being raised. */
    int32_t omts[SIZE * SIZE];
    /* By cell: the oter that is to replace the bridge's OMT on z = 0. */
    ptl_oter raised[SIZE * SIZE];
} bridges_scratch;

enum { OVER = 1 }; /* level of the bridges' roadways */

typedef struct span {
    generator *g;
    const bridge_kind *kind;
    const ptl_oter *cells; /* level 0, with its bridges as roads were drawn: what replaces the
                            * OMTs of this kind of bridge is written only when all of them have
                            * been looked at */
} span;

/* Returns whether the next cell from (x, y) in direction d continues the bridge: it must hold
 * an OMT that runs along d and belongs to this kind of bridge (or, beyond the border, to its
 * connection). */
static bool goes_on(const span *s, int32_t x, int32_t y, int d)
{
    const catalogue *cat = s->g->config->cat;
    const int32_t nx = x + step_x(d), ny = y + step_y(d);
    const bool here = inside(nx, ny);
    /* An OMT of a foreign chunk beyond the border is known from the edge, which stores the
     * border cells of both its sides. Seen from an edge in the east or south, the foreign chunk
     * is on the second side. */
    const edge *e = s->g->edges ? s->g->edges[d] : NULL;
    const ptl_oter *border = e ? e->border[d == 1 || d == 2] : NULL;
    const ptl_oter n = here     ? s->cells[ny * SIZE + nx]
                       : border ? border[d & 1 ? y : x]
                                : (ptl_oter)CAT_NONE;
    if (n == CAT_NONE || axis_of(cat->oters[n].rotation) != axis_of(d))
        return false;
    if (cat->oters[n].terrain == s->kind->terrain)
        return true;
    const oter_class *class = &s->g->config->connections->list[s->kind->connection].classes[n];
    return !here && class->has && class->subtype == DRAW_KEEP;
}

/* The oters that replace an OMT of a bridge on z = 0 (`ground`) and on z = 1 (`over`);
 * CAT_NONE: the cell keeps its oter. */
typedef struct raised {
    ptl_oter ground, over;
} raised;

/* Decides what becomes of a bridge's OMT. An OMT between two others of the bridge becomes
 * roadway above the ground; an OMT at an end becomes a foot with a ramp above; an OMT that is
 * the whole bridge becomes flat road. */
static raised raise(const span *s, int32_t x, int32_t y, int direction)
{
    const bridge_kind *k = s->kind;
    const bool ahead = goes_on(s, x, y, direction);
    const bool behind = goes_on(s, x, y, opposite(direction));
    if (ahead && behind)
        return (raised){k->under == CAT_NONE ? CAT_NONE : (ptl_oter)(k->under + direction),
                        (ptl_oter)(k->deck + direction)};
    if (ahead || behind) {
        const int ramp = ahead ? opposite(direction) : direction;
        return (raised){(ptl_oter)(k->foot + ramp), (ptl_oter)(k->ramp + ramp)};
    }
    if (k->flat == CAT_NONE)
        return (raised){CAT_NONE, CAT_NONE};
    /* The OMT of flat road gets arms towards neighbours that have an arm back, and arms that
     * lead out of the chunk. */
    const oter_class *classes = s->g->config->connections->list[k->connection].classes;
    int arms = 0;
    for (int d = 0; d < 4; d++) {
        const int32_t nx = x + step_x(d), ny = y + step_y(d);
        if (axis_of(direction) >> d & 1 &&
            (!inside(nx, ny) || classes[s->cells[ny * SIZE + nx]].answers >> opposite(d) & 1))
            arms |= 1 << d;
    }
    return (raised){(ptl_oter)(k->flat + arms), CAT_NONE};
}

static void run(generator *g)
{
    const gen_connections *all = g->config->connections;
    bridges_scratch *scratch = g->scratch;
    for (size_t i = 0; i < all->bridge_count; i++) {
        /* Raise one kind of bridge at a time. What becomes of its OMTs is decided for all
         * before the first is changed. */
        const bridge_kind *kind = &all->bridges[i];
        const catalogue *cat = g->config->cat;
        const ptl_oter first = cat->terrains[kind->terrain].first;
        const span s = {g, kind, g->ground};
        const int32_t count = level_find(scratch->omts, g->ground, first, 4);
        ptl_oter *over = count > 0 ? cells_at(g, OVER) : NULL;
        if (!over)
            continue;
        for (int32_t n = 0; n < count; n++) {
            const int32_t j = scratch->omts[n];
            const raised r = raise(&s, j % SIZE, j / SIZE, g->ground[j] - first);
            if (r.over != CAT_NONE)
                over[j] = r.over;
            scratch->raised[j] = r.ground == CAT_NONE ? g->ground[j] : r.ground;
        }
        for (int32_t n = 0; n < count; n++)
            g->ground[scratch->omts[n]] = scratch->raised[scratch->omts[n]];
    }
}

const gen_step step_bridges = {
    .info = {"bridges", 0, false},
    .run = run,
    .scratch = sizeof(bridges_scratch),
};
