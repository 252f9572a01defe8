/*
 * Checks arms and their answers, OMT by OMT. Footprints of placements are in
 * dead_ends_cover.c, edges and rivers in dead_ends_border.c.
 */
#include "gen/seams/dead_ends_impl.h"
#include "model/bridge_parts.h"

#include <stdlib.h>
#include <string.h>

enum { CROSSINGS_IN_A_ROW = 8 };

/* The arm that is being checked. */
typedef struct arm {
    int32_t x, y, z;
    int direction;
    uint16_t terrain;
    ptl_oter oter;
    dead_end_counts *counts;
    const char *kind;
} arm;

typedef enum answer {
    ANSWER_NONE,
    ANSWER_LINE,
    ANSWER_PARALLEL,
    ANSWER_BUILDING,
    ANSWER_UNBOUND,
    ANSWER_UNKNOWN /* no chunk is there to answer */
} answer;

/* Do both terrains belong to one connection? */
static bool share(const catalogue *cat, uint16_t a, uint16_t b)
{
    for (size_t i = 0; i < cat->connection_count; i++)
        if (cat_terrain_in(cat->connections[i].terrains, a) &&
            cat_terrain_in(cat->connections[i].terrains, b))
            return true;
    return false;
}

/* Returns the first connection that the terrain belongs to; connection_count if there is
 * none. */
static size_t connection_of(const catalogue *cat, uint16_t terrain)
{
    size_t i = 0;
    while (i < cat->connection_count && !cat_terrain_in(cat->connections[i].terrains, terrain))
        i++;
    return i;
}

dead_ends *dead_ends_new(const catalogue *cat)
{
    dead_ends *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->cat = cat;
    d->companion_of = malloc((catalogue_all_terrains(cat) + 1) * sizeof *d->companion_of);
    d->counts = calloc(cat->connection_count + 1, sizeof *d->counts);
    bool ok = d->companion_of && d->counts && dead_ends_find_groups(d);
    for (int i = 0; i < 5; i++) {
        d->covered[i] = malloc(WORDS * sizeof **d->covered);
        ok = ok && d->covered[i];
    }
    if (!ok) {
        dead_ends_free(d);
        return NULL;
    }
    /* Map the terrains that raising a bridge makes of its OMTs to that bridge. */
    for (size_t t = 0; t < catalogue_all_terrains(cat); t++)
        d->companion_of[t] = CAT_NONE;
    for (size_t t = 0; t < cat->terrain_count; t++) {
        const uint16_t bridge = (uint16_t)t;
        if (!is_rotatable(cat, bridge) || connection_of(cat, bridge) == cat->connection_count)
            continue;
        for (int p = 0; p < BRIDGE_PARTS; p++) {
            const uint16_t part = bridge_part_of(cat, bridge, (bridge_part)p);
            if (part != CAT_NONE)
                d->companion_of[part] = bridge;
        }
    }
    for (size_t i = 0; i < cat->terrain_count && !d->has_highways; i++)
        d->has_highways = cat->terrains[i].flags & CAT_FLAG_HIGHWAY;
    d->stops[0] = catalogue_terrain(cat, "underground_sub_station");
    d->stops[1] = catalogue_terrain(cat, "lab_train_depot");
    d->stops[2] = catalogue_terrain(cat, "central_lab_train_depot");
    return d;
}

void dead_ends_free(dead_ends *d)
{
    if (!d)
        return;
    for (int i = 0; i < 5; i++)
        free(d->covered[i]);
    dead_ends_free_groups(d);
    free(d->companion_of);
    free(d->counts);
    free(d->stated);
    free(d);
}

const dead_end_counts *dead_ends_counts(const dead_ends *d, size_t connection)
{
    return dead_ends_tally(d, connection);
}

const dead_end_river_counts *dead_ends_rivers(const dead_ends *d)
{
    return &d->rivers;
}

uint64_t dead_ends_problems(const dead_ends *d)
{
    uint64_t sum = d->rivers.problems;
    for (size_t i = 0; i <= d->cat->connection_count; i++)
        sum += d->counts[i].dead + d->counts[i].loose + d->counts[i].missing;
    return sum;
}

/* Returns how an OMT answers that belongs to the arm's own connection, or to no connection. */
static answer answer_of(const dead_ends *d, const arm *a, ptl_oter oter, bool building)
{
    const cat_oter *o = &d->cat->oters[oter];
    bool same = o->terrain == a->terrain || share(d->cat, o->terrain, a->terrain);
    uint16_t bridge = d->companion_of[o->terrain];
    bool part = bridge != CAT_NONE && a->z == 0 && share(d->cat, bridge, a->terrain);
    bool along = (o->rotation & 1) == (a->direction & 1);
    if (same && is_linear(d->cat, o->terrain) && o->line >> opposite(a->direction) & 1)
        return ANSWER_LINE;
    if ((same || part) && is_rotatable(d->cat, o->terrain) && along)
        return ANSWER_PARALLEL;
    if (same && d->cat->terrains[o->terrain].count == 1)
        return ANSWER_PARALLEL;
    /* A stop of trains below the ground is reached from any side. No special places it, so
     * that it counts as no building. */
    if (building || (a->z < 0 && (o->terrain == d->stops[0] || o->terrain == d->stops[1] ||
                                  o->terrain == d->stops[2])))
        return ANSWER_BUILDING;
    bool bound = connection_of(d->cat, a->terrain) < d->cat->connection_count;
    return bound || same ? ANSWER_NONE : ANSWER_UNBOUND;
}

/* Finds how the arm is answered, looking beyond level crossings. */
static answer find_answer(const dead_ends *d, const arm *a, bool *crossed)
{
    int32_t x = a->x, y = a->y;
    *crossed = false;
    for (int i = 0; i <= CROSSINGS_IN_A_ROW; i++) {
        bool building;
        x += step_x(a->direction);
        y += step_y(a->direction);
        ptl_oter oter = dead_ends_oter(d, x, y, a->z, &building);
        if (oter == CAT_NONE)
            return ANSWER_UNKNOWN;
        answer found = answer_of(d, a, oter, building);
        /* Only a rotated OMT of some other line, which the arm meets at a right angle, is
         * looked beyond. */
        const cat_oter *o = &d->cat->oters[oter];
        if (found != ANSWER_NONE || !is_rotatable(d->cat, o->terrain) ||
            (o->rotation & 1) == (a->direction & 1) ||
            connection_of(d->cat, o->terrain) == d->cat->connection_count)
            return found;
        *crossed = true;
    }
    return ANSWER_NONE;
}

static bool on_border(int32_t x, int32_t y, int direction)
{
    int32_t nx = x + step_x(direction), ny = y + step_y(direction);
    return nx < 0 || nx >= SIDE || ny < 0 || ny >= SIDE;
}

void dead_ends_report(const dead_ends *d, const dead_end_problem *problem)
{
    if (d->on_problem)
        d->on_problem(d->payload, problem);
}

/* Reports an arm; the caller has to count it. */
static void report_arm(const dead_ends *d, const arm *a, const char *what)
{
    const dead_end_problem problem = {.kind = a->kind,
                                      .what = what,
                                      .oter = d->cat->oters[a->oter].id,
                                      .x = a->x,
                                      .y = a->y,
                                      .z = a->z,
                                      .direction = a->direction};
    dead_ends_report(d, &problem);
}

/* Is an arm that leaves the chunk wrong? The edge must record it, and the neighbour must
 * answer. */
static bool border_is_wrong(const dead_ends *d, const arm *a)
{
    const edge *e = d->edges[a->direction];
    bool bound = connection_of(d->cat, a->terrain) < d->cat->connection_count;
    int32_t position = a->direction & 1 ? a->y : a->x;
    return e && bound && !dead_ends_edge_has(d, e, position, a->z, a->terrain);
}

static void count_dead(const dead_ends *d, const arm *a, const char *what)
{
    a->counts->dead++;
    report_arm(d, a, what);
}

/* Decides how an arm is answered and counts it. */
static void check_arm(const dead_ends *d, const arm *a)
{
    bool crossed, border = on_border(a->x, a->y, a->direction);
    const dead_end_view *other = border ? &d->views[a->direction] : &d->views[HERE];
    a->counts->arms++;
    if (d->views[HERE].foreign && (!border || other->foreign || !other->chunk)) {
        a->counts->foreign++;
    } else if (dead_ends_own(d, a->x, a->y, a->z, a->direction)) {
        a->counts->own++;
    } else if (border && border_is_wrong(d, a)) {
        count_dead(d, a, "leaves the chunk where the edge has no crossing");
    } else {
        answer found = find_answer(d, a, &crossed);
        dead_end_counts *c = a->counts;
        if (found == ANSWER_NONE)
            count_dead(d, a, "a dead end");
        else if (found == ANSWER_UNKNOWN && !d->edges[a->direction])
            count_dead(d, a, "leaves the chunk where no edge is known");
        else if (found == ANSWER_UNKNOWN)
            c->border++;
        else if (found == ANSWER_UNBOUND)
            c->unbound++;
        else if (crossed)
            c->crossed++;
        else if (found == ANSWER_LINE)
            c->line++;
        else if (found == ANSWER_PARALLEL)
            c->parallel++;
        else
            c->building++;
    }
}

/* An OMT that does not merge, such as a bridge, must lead on at both of its ends. The
 * exception is a stub at an exit to which no path was found: the border rules ask for it. */
static void check_piece(const dead_ends *d, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    const cat_oter *o = &d->cat->oters[oter];
    uint16_t whole = d->companion_of[o->terrain];
    uint16_t terrain = whole != CAT_NONE && z == 0 ? whole : o->terrain;
    size_t connection = connection_of(d->cat, terrain);
    bool building, crossed;
    if (connection == d->cat->connection_count || d->views[HERE].foreign)
        return;
    dead_ends_oter(d, x, y, z, &building);
    arm a = {.x = x, .y = y, .z = z, .terrain = terrain, .oter = oter};
    a.counts = dead_ends_tally(d, connection);
    a.kind = dead_ends_kind(d, connection);
    for (a.direction = o->rotation & 1; a.direction < 4 && !building; a.direction += 2) {
        a.counts->ends++;
        bool stub = on_border(x, y, opposite(a.direction));
        if (stub || find_answer(d, &a, &crossed) != ANSWER_NONE)
            continue;
        a.counts->loose++;
        report_arm(d, &a, "a piece that leads nowhere");
    }
}

/* Checks all arms and rotated pieces of a level. */
static void check_level(const dead_ends *d, int32_t z)
{
    const level *l = &d->views[HERE].chunk->levels[z - PTL_Z_MIN];
    for (int32_t i = 0; i < CELLS; i++) {
        ptl_oter oter = l->cells ? l->cells[i] : l->fill;
        if (oter < catalogue_all_oters(d->cat) && d->cat->oters[oter].line) {
            const int32_t x = i % SIDE, y = i / SIDE;
            const cat_oter *o = &d->cat->oters[oter];
            size_t connection = connection_of(d->cat, o->terrain);
            arm a = {.x = x, .y = y, .z = z, .terrain = o->terrain, .oter = oter};
            a.counts = dead_ends_tally(d, connection);
            a.kind = connection < d->cat->connection_count ? dead_ends_kind(d, connection)
                                                           : d->cat->terrains[o->terrain].id;
            for (a.direction = 0; a.direction < 4; a.direction++)
                if (o->line >> a.direction & 1)
                    check_arm(d, &a);
        } else if (oter < catalogue_all_oters(d->cat) &&
                   is_rotatable(d->cat, d->cat->oters[oter].terrain))
            check_piece(d, i % SIDE, i / SIDE, z, oter);
    }
}

bool dead_ends_check(dead_ends *d, const dead_end_view *view, const dead_end_view neighbours[4],
                     const edge *const edges[4], dead_end_callback on_problem, void *payload)
{
    d->stated_count = 0;
    d->edges = edges;
    d->on_problem = on_problem;
    d->payload = payload;
    d->views[HERE] = *view;
    memcpy(d->views, neighbours, 4 * sizeof *neighbours);
    for (int i = 0; i < 5; i++)
        if (!dead_ends_cover(d, i))
            return false;
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        check_level(d, z);
    dead_ends_borders(d);
    return true;
}
