/*
 * Checks borders: the chunk must have what its edges record, and its rivers must go on in the
 * neighbours.
 */
#include "gen/seams/dead_ends_impl.h"

#include <string.h>

/* Returns the connection that a crossing names as its kind; NULL if the content has no such
 * connection. */
static const cat_connection *crossing_connection(const catalogue *cat, const crossing *c)
{
    uint16_t index = catalogue_connection(cat, c->kind);
    return index == CAT_NONE ? NULL : &cat->connections[index];
}

bool dead_ends_edge_has(const dead_ends *d, const edge *e, int32_t position, int32_t z,
                        uint16_t terrain)
{
    for (size_t i = 0; i < e->count; i++) {
        const crossing *c = &e->crossings[i];
        if (c->z != z || c->position != position)
            continue;
        const cat_connection *connection = crossing_connection(d->cat, c);
        if (connection && cat_terrain_in(connection->terrains, terrain))
            return true;
    }
    return false;
}

/* Gives the cell at a position along the border on one side of the chunk. */
static void border_cell(int direction, int32_t position, int32_t *x, int32_t *y)
{
    *x = direction & 1 ? (direction == 1 ? SIDE - 1 : 0) : position;
    *y = direction & 1 ? position : (direction == 2 ? SIDE - 1 : 0);
}

/* Checks a crossing of a connection: the connection's OMT at the crossing must have an arm that
 * leads out of the chunk. An OMT that has no arms, such as a bridge, must lie along that
 * direction instead, if it has a rotation. */
static void check_crossing(dead_ends *d, int direction, const crossing *c)
{
    const cat_connection *connection = crossing_connection(d->cat, c);
    int32_t x, y;
    if (!connection || c->position < 0 || c->position >= SIDE)
        return;
    border_cell(direction, c->position, &x, &y);
    ptl_oter oter = dead_ends_oter(d, x, y, c->z, NULL);
    if (oter == CAT_NONE)
        return;
    dead_end_counts *counts = dead_ends_tally(d, (size_t)(connection - d->cat->connections));
    counts->crossings++;
    const cat_oter *o = &d->cat->oters[oter];
    bool leads_out = is_linear(d->cat, o->terrain) && o->line >> direction & 1;
    bool along = !is_linear(d->cat, o->terrain) &&
                 (!is_rotatable(d->cat, o->terrain) || (o->rotation & 1) == (direction & 1));
    if (cat_terrain_in(connection->terrains, o->terrain) && (leads_out || along))
        return;
    const dead_end_problem problem = {.kind = connection->id,
                                      .what = "the edge's crossing has no arm that leads out",
                                      .oter = o->id,
                                      .x = x,
                                      .y = y,
                                      .z = c->z,
                                      .direction = direction};
    counts->missing++;
    dead_ends_report(d, &problem);
}

/* Reports a problem at a position along a border, with the oter of the OMT that is there. */
static void border_problem(dead_ends *d, const char *kind, const char *what, int direction,
                           int32_t position, int32_t z)
{
    dead_end_problem problem = {
        .kind = kind, .what = what, .oter = "", .z = z, .direction = direction};
    border_cell(direction, position, &problem.x, &problem.y);
    const ptl_oter oter = dead_ends_oter(d, problem.x, problem.y, z, NULL);
    if (oter != CAT_NONE)
        problem.oter = d->cat->oters[oter].id;
    d->rivers.problems++;
    dead_ends_report(d, &problem);
}

/* Checks a planned highway: all of its cells on the border must be of highway terrain, if the
 * content has such terrain. */
static void check_highway_crossing(dead_ends *d, int direction, const crossing *c)
{
    d->rivers.highways++;
    for (int32_t i = c->position; i < c->position + c->width; i++) {
        int32_t x, y;
        if (i < 0 || i >= SIDE || !d->has_highways)
            continue;
        border_cell(direction, i, &x, &y);
        const ptl_oter here = dead_ends_oter(d, x, y, c->z, NULL);
        if (here == CAT_NONE)
            continue;
        if (!(d->cat->oters[here].flags & CAT_FLAG_HIGHWAY))
            border_problem(d, CROSSING_HIGHWAY, "the edge's highway is not there", direction, i,
                           c->z);
    }
}

/* Returns whether the OMT belongs to a bridge over water that lies along the border.
 * Whatever the OMT's flags are, water flows under it across the border. */
static bool spans_border(const dead_ends *d, const cat_oter *o, int direction)
{
    const uint16_t whole = d->companion_of[o->terrain];
    const uint16_t bridge = whole != CAT_NONE ? whole : o->terrain;
    return is_rotatable(d->cat, o->terrain) && (o->rotation & 1) != (direction & 1) &&
           d->cat->terrains[bridge].flags & (CAT_FLAG_RIVER | CAT_FLAG_BRIDGE);
}

/* Returns the flags (CAT_FLAG_*) of the oter in a cell of the border line at z = 0 or, with
 * `beyond`, of the neighbour's cell beside it. */
static uint32_t border_flags(const dead_ends *d, int direction, int32_t position, bool beyond)
{
    int32_t x, y;
    border_cell(direction, position, &x, &y);
    if (beyond) {
        x += step_x(direction);
        y += step_y(direction);
    }
    ptl_oter oter = dead_ends_oter(d, x, y, 0, NULL);
    if (oter == CAT_NONE)
        return 0;
    const cat_oter *o = &d->cat->oters[oter];
    return spans_border(d, o, direction) ? CAT_FLAG_RIVER : o->flags;
}

static const uint32_t WATER = CAT_FLAGS_WATER | CAT_FLAG_BRIDGE;

/* Checks each row of adjacent water cells along the border that has a river cell: all of its
 * cells must have water beside them in the neighbour chunk. Lakes count as water as well,
 * because swamps and shores may hide where a river leaves a lake. */
static void check_river_runs(dead_ends *d, int direction)
{
    if (!d->views[direction].chunk || (d->views[HERE].foreign && d->views[direction].foreign))
        return;
    for (int32_t i = 0; i < SIDE; i++) {
        const int32_t first = i;
        uint32_t flags, all = 0;
        bool goes_on = false;
        for (; i < SIDE && (flags = border_flags(d, direction, i, false) & WATER); i++) {
            all |= flags & CAT_FLAG_BRIDGE ? 0 : flags;
            goes_on |= (border_flags(d, direction, i, true) & WATER) != 0;
        }
        if (!(all & CAT_FLAG_RIVER))
            continue;
        d->rivers.runs++;
        if (!goes_on)
            border_problem(d, CROSSING_RIVER, "a river ends at the border", direction, first,
                           0);
    }
}

/* Checks that a planned river is painted over the whole width that the edge records. At the
 * edge to a foreign chunk only the middle cell of the crossing is checked, since the edge
 * records widths as odd numbers of cells, and a foreign river may have an even width. */
static void check_river_crossing(dead_ends *d, int direction, const edge *e, const crossing *c)
{
    const int32_t width = e->origin == EDGE_FOREIGN ? 0 : c->width;
    int32_t middle = c->position;
    bool painted = true;
    d->rivers.crossings++;
    if (e->origin == EDGE_FOREIGN) { /* foreign rivers have no cells in a chunk's corners */
        middle += middle == 0 ? 1 : middle == SIDE - 1 ? -1 : 0;
        if (middle != c->position && c->width == 0)
            return;
    }
    for (int32_t i = middle - width; i <= middle + width; i++)
        if (i >= 0 && i < SIDE)
            painted = painted && border_flags(d, direction, i, false) & WATER;
    if (!painted)
        border_problem(d, CROSSING_RIVER, "the edge's river is not painted", direction,
                       c->position, 0);
}

/* SHORE_STRAIGHT, the length from which a straight shore is a mistake, is a fifth of a chunk's
 * side. In a test of 7,000 rows of cells within overmaps of coasts, the longest straight piece
 * of shore had 14 cells, or 27 where the sea's threshold is low. Where the sea had been cut off
 * at a line by mistake, straight pieces had 41 to 180 cells. */
enum { SHORE_STRAIGHT = SIDE / 5, SHORE_DEPTH = 2 };

/* Is the cell at this depth sea? Depth 0 is the row of cells at the border, depth 1 the next
 * one into the chunk, depth -1 the neighbour's row at the border. */
static bool is_sea(const dead_ends *d, int direction, int32_t position, int32_t depth)
{
    int32_t x, y;
    border_cell(direction, position, &x, &y);
    const ptl_oter oter = dead_ends_oter(d, x - depth * step_x(direction),
                                         y - depth * step_y(direction), 0, NULL);
    return oter != CAT_NONE && d->cat->oters[oter].flags & CAT_FLAGS_OCEAN;
}

/* Compares two rows of cells along the border: the row at this depth, and the next row towards
 * the border. Where one of two cells that lie side by side is sea and the other is not, a shore
 * runs between the rows. Returns the length of the longest piece of such a shore that has the
 * sea on the same side all along. *first is the position where the piece begins. */
static int32_t straight_shore(const dead_ends *d, int direction, int32_t depth, int32_t *first)
{
    int32_t longest = 0, run = 0;
    int last = 0;
    for (int32_t i = 0; i < SIDE; i++) {
        const int side = is_sea(d, direction, i, depth) - is_sea(d, direction, i, depth - 1);
        run = side == 0 ? 0 : side == last ? run + 1 : 1;
        last = side;
        if (run > longest) {
            longest = run;
            *first = i - run + 1;
        }
    }
    return longest;
}

/* Looks for shores that run straight along the border, between any two of the outermost rows of
 * cells (as far as SHORE_DEPTH). If it is the eastern or southern border, looks also for shores
 * right on the border; so each border is checked only once. Nothing is checked at the border of
 * a foreign chunk: where its land ends there, the shore has to follow the border. */
static void check_shores(dead_ends *d, int direction)
{
    const dead_end_view *here = &d->views[HERE], *other = &d->views[direction];
    const bool border = other->chunk && (direction == 1 || direction == 2);
    const int32_t depths = here->foreign || other->foreign ? -1 : SHORE_DEPTH;
    for (int32_t depth = border ? 0 : 1; depth <= depths; depth++) {
        int32_t first = 0;
        if (straight_shore(d, direction, depth, &first) < SHORE_STRAIGHT)
            continue;
        d->rivers.straight++;
        if (here->older || (depth == 0 && other->older))
            continue;
        dead_end_problem problem = {.kind = "shore",
                                    .what = "the sea ends in a straight line",
                                    .oter = "",
                                    .direction = direction};
        border_cell(direction, first, &problem.x, &problem.y);
        d->rivers.problems++;
        dead_ends_report(d, &problem);
    }
}

void dead_ends_borders(dead_ends *d)
{
    for (int direction = 0; direction < 4; direction++) {
        const edge *e = d->edges[direction];
        bool foreign = d->views[HERE].foreign;
        for (size_t i = 0; e && !foreign && i < e->count; i++) {
            if (strcmp(e->crossings[i].kind, CROSSING_RIVER) == 0)
                check_river_crossing(d, direction, e, &e->crossings[i]);
            else if (crossing_is_highway(&e->crossings[i]))
                check_highway_crossing(d, direction, &e->crossings[i]);
            else
                check_crossing(d, direction, &e->crossings[i]);
        }
        check_river_runs(d, direction);
        check_shores(d, direction);
    }
}
