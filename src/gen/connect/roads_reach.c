/*
 * Why an end is out of reach: a walk from it over the ground that its connection can use, and
 * a look at what bounds that. Only made when there is something to report.
 */
#include "gen/connect/ends.h"

#include <stdio.h>

enum { WALK_BUILDING = 4 }; /* not seen yet, and to be walked through */

/* Steps onto a cell, if it is new; returns the number of cells in the list. */
static int32_t visit(generator *g, ground_walk *w, track l, const ptl_oter *cells, int32_t at,
                     int32_t count)
{
    if (w->states[at] == WALK_REACHED || w->states[at] == WALK_BLOCKED)
        return count;
    const bool open =
        w->states[at] == WALK_BUILDING || connect_allows(g, l.connection, cells[at]);
    w->states[at] = open ? WALK_REACHED : WALK_BLOCKED;
    if (open)
        w->cells[count++] = at;
    return count;
}

/* Walks over what the states do not hold yet. */
static int32_t walk(generator *g, ground_walk *w, track l, connect_end from)
{
    const ptl_oter *cells = cells_at(g, l.z);
    if (!cells)
        return 0;
    int32_t count = visit(g, w, l, cells, from.y * SIZE + from.x, 0);
    for (int32_t head = 0; head < count; head++) {
        int32_t x = w->cells[head] % SIZE, y = w->cells[head] / SIZE;
        for (int d = 0; d < 4; d++) {
            int32_t nx = x + step_x(d), ny = y + step_y(d);
            if (nx >= 1 && nx < SIZE - 1 && ny >= 1 && ny < SIZE - 1)
                count = visit(g, w, l, cells, ny * SIZE + nx, count);
        }
    }
    return count;
}

int32_t walk_ground(generator *g, ground_walk *w, track l, connect_end from)
{
    memset(w->states, 0, sizeof w->states);
    return walk(g, w, l, from);
}

/* What bounds the ground that was walked. */
typedef struct bounds {
    int32_t water, buildings, other;
} bounds;

/* Turning the walk's cells of one kind on a level into another. */
typedef struct marking {
    ground_walk *walk;
    int32_t z, count; /* how many were turned */
    uint8_t from, to;
} marking;

static void mark_tile(marking *m, int32_t x, int32_t y, int32_t z)
{
    if (z != m->z || !inside(x, y) || m->walk->states[y * SIZE + x] != m->from)
        return;
    m->walk->states[y * SIZE + x] = m->to;
    m->count++;
}

/* Those on which buildings or specials stand; how many. */
static int32_t mark_buildings(const generator *g, ground_walk *w, int32_t z, uint8_t from,
                              uint8_t to)
{
    const gen_features *f = &g->features;
    marking m = {.walk = w, .z = z, .from = from, .to = to};
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const cat_special *special = &g->config->cat->specials[p->special];
        for (size_t t = 0; t < special->tile_count; t++) {
            int32_t dx, dy;
            feature_rotate(special->tiles[t].x, special->tiles[t].y, p->rotation, &dx, &dy);
            mark_tile(&m, p->x + dx, p->y + dy, p->z + special->tiles[t].z);
        }
    }
    for (size_t i = 0; i < f->piece_count; i++)
        mark_tile(&m, f->pieces[i].x, f->pieces[i].y, f->pieces[i].z);
    return m.count;
}

static bounds count_bounds(const generator *g, ground_walk *w, track l)
{
    const ptl_oter *cells = chunk_level(g->chunk, l.z)->cells;
    bounds b = {.buildings = mark_buildings(g, w, l.z, WALK_BLOCKED, 0)};
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        if (w->states[i] == WALK_BLOCKED) {
            const bool water = g->config->cat->oters[cells[i]].flags & CAT_FLAGS_WATER;
            b.water += water;
            b.other += !water;
        }
    return b;
}

static bool walked_to(const ground_walk *w, int32_t main)
{
    for (int32_t i = 0; main && i < SIZE * SIZE; i++)
        if (w->labels[i] == main && w->states[i] == WALK_REACHED)
            return true;
    return false;
}

/* What keeps the end apart. Buildings do only if it could be linked without them. */
static bounds true_bounds(generator *g, ground_walk *w, track l, connect_end end, int32_t main)
{
    const bounds seen = count_bounds(g, w, l);
    if (seen.buildings == 0)
        return seen;
    memset(w->states, 0, sizeof w->states);
    mark_buildings(g, w, l.z, 0, WALK_BUILDING);
    walk(g, w, l, end);
    return walked_to(w, main) ? seen : count_bounds(g, w, l);
}

static void write_reason(char *out, size_t room, track l, bounds b, bool at_all)
{
    if (b.water > 0 && b.buildings + b.other == 0)
        snprintf(out, room, at_all ? "water all round" : "lies on water");
    else if (b.buildings > 0 && b.water + b.other == 0)
        snprintf(out, room, at_all ? "enclosed by buildings" : "lies under a building");
    else if (b.buildings > 0 && b.other == 0)
        snprintf(out, room, "enclosed by water and buildings");
    else if (b.water + b.buildings + b.other == 0)
        snprintf(out, room, "nothing else that %.30s could lead to", l.kind);
    else
        snprintf(out, room, "no ground that %.50s can use", l.kind);
}

void unreached_event(generator *g, ground_walk *w, track l, connect_end end, int32_t main)
{
    char text[sizeof g->events->detail];
    bool at_all = walk_ground(g, w, l, end) > 0;
    if (walked_to(w, main))
        snprintf(text, sizeof text, "only with a turn where %.40s can't turn", l.kind);
    else
        write_reason(text, sizeof text, l, true_bounds(g, w, l, end, main), at_all);
    add_event(g, "unreached", end.x, end.y, l.z, text);
}
