/*
 * Links the ends of one track (a connection on one level). First each end is linked to the
 * nearest of the ends behind it in the list, as the games do. Then ends that are still apart
 * are linked, as far as the ground allows, to the main network of the track: the set of linked
 * OMTs that has the most ends. An exit that gets no path is drawn as a stub, so that the arm of
 * the neighbouring chunk is answered all the same.
 */
#include "core/utf8.h"
#include "gen/connect/ends.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Draws short cuts between cities that face each other across water. Two cities do so if the
 * straight line between them crosses water, and no third city lies in the circle with this line
 * as its diameter. If the way along roads is over twice as long as the direct way, the cities
 * are linked once more by a short way, over a new bridge or an existing one.
 *
 * Short cuts are drawn only where rivers are curved. Such rivers are few and long, so that
 * without short cuts a road would hardly ever cross one: a long way over existing OMTs costs
 * less than a bridge. With the option of exact roads, which are those of the games, there are
 * no short cuts.
 */

enum {
    /* Cities get a short cut if the way along roads is more than this many times as long as
     * the direct way. */
    TOO_LONG = 2,
    LEAST_APART = 10 /* the least distance between two cities with a short cut, in OMTs */
};

/* Returns the x or y of the point that lies i / n of the way from `from` to `to`, rounded to a
 * cell. */
static int32_t on_line(int32_t from, int32_t to, int32_t i, int32_t n)
{
    return (2 * (from * (n - i) + to * i) + n) / (2 * n);
}

static bool face_each_other(const generator *g, const end_list *list, size_t i, size_t j)
{
    const connect_end a = list->ends[i], b = list->ends[j];
    for (size_t k = list->exit_count; k < list->count; k++) {
        /* The ends a and b do not face each other if another end, c, lies between them: in the
         * circle whose diameter is the line from a to b. */
        const connect_end c = list->ends[k];
        if (k != i && k != j && (c.x - a.x) * (c.x - b.x) + (c.y - a.y) * (c.y - b.y) <= 0)
            return false;
    }
    const int32_t across = abs(a.x - b.x), down = abs(a.y - b.y);
    const int32_t n = across > down ? across : down;
    for (int32_t k = 1; k < n; k++)
        if (g->config->cat
                ->oters[g->ground[on_line(a.y, b.y, k, n) * SIZE + on_line(a.x, b.x, k, n)]]
                .flags &
            CAT_FLAGS_WATER)
            return true;
    return false;
}

void link_facing(generator *g, track l, const end_list *list)
{
    const bool exact = g->config->options.roads == PTL_ROADS_EXACT;
    if (exact || connect_is_greedy(g) || g->config->river_form != RIVERS_CURVED || l.z != 0)
        return;
    for (size_t i = list->exit_count; i < list->count; i++)
        for (size_t j = i + 1; j < list->count && !g->failed; j++)
            if (face_each_other(g, list, i, j)) {
                const connect_end a = list->ends[i], b = list->ends[j];
                const int32_t apart = abs(a.x - b.x) + abs(a.y - b.y);
                const int32_t limit = TOO_LONG * apart + 1;
                if (apart >= LEAST_APART &&
                    connect_way(g, l.connection, l.z, a, b, limit) == limit)
                    connect_short_cut(g, l.connection, l.z, a, b);
            }
}

/*
 * Finds out why an end can't be linked, for the event that reports it: walks from the end over
 * the ground that its connection can use, and counts the kinds of cells that bound this ground.
 */

/* State of a building's cell: the walk may pass it but has not reached it. */
enum { WALK_BUILDING = 4 };

/* Visits the cell `at`, unless the walk has been there already. If the connection can be built
 * there, the cell is added to w->cells, which has `count` cells. Returns the new number of
 * cells in the list. */
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

/* Walks from an end over all cells that can be reached, except for cells that are WALK_REACHED
 * or WALK_BLOCKED before the walk. Returns the number of cells that it reaches. */
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
            if (inside_ring(nx, ny))
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

/* The walk stops at cells that it can't enter. This is how many of them have water, how many
 * have buildings, and how many have something else. */
typedef struct bounds {
    int32_t water, buildings, other;
} bounds;

/* A change of w->states: cells on one level whose state is `from` get the state `to`. */
typedef struct marking {
    ground_walk *walk;
    int32_t z, count; /* the level on which cells are changed; how many of its cells were
                         changed so far */
    uint8_t from, to;
} marking;

static void mark_omt(marking *m, int32_t x, int32_t y, int32_t z)
{
    if (z != m->z || !inside(x, y) || m->walk->states[y * SIZE + x] != m->from)
        return;
    m->walk->states[y * SIZE + x] = m->to;
    m->count++;
}

/* In all cells on which buildings or specials stand, changes the state `from` to the state
 * `to`. Returns how many cells were changed. */
static int32_t mark_buildings(const generator *g, ground_walk *w, int32_t z, uint8_t from,
                              uint8_t to)
{
    const gen_features *f = &g->features;
    marking m = {.walk = w, .z = z, .from = from, .to = to};
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const cat_special *special = &g->config->cat->specials[p->special];
        for (size_t t = 0; t < special->omt_count; t++) {
            const cat_omt *omt = &special->omts[t];
            const point at = turned(omt->x, omt->y, p->rotation, p->x, p->y);
            mark_omt(&m, at.x, at.y, p->z + omt->z);
        }
    }
    for (size_t i = 0; i < f->piece_count; i++)
        mark_omt(&m, f->pieces[i].x, f->pieces[i].y, f->pieces[i].z);
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

/* Counts the cells that keep the end of a road apart from the main network of roads, by what is
 * on them. If the end could not be reached even without the buildings, buildings are left out
 * of the counts. */
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
        snprintf(out, room, "nothing else that %.*s could lead to", UTF8_CUT(l.kind, 30));
    else
        snprintf(out, room, "no ground that %.*s can use", UTF8_CUT(l.kind, 50));
}

enum {
    /* A hub (a second end, for an exit that is the only end) lies in columns and rows of the
     * chunk from HUB_FIRST to HUB_LAST. */
    HUB_FIRST = 45,
    HUB_LAST = 135,
    HUB_TRIES = 8
};

static int32_t cell_of(connect_end end)
{
    return end.y * SIZE + end.x;
}

/* Has the OMT at this exit an arm that leads out of the chunk? */
static bool leads_out(const generator *g, track l, connect_end end)
{
    const cat_oter *oter =
        &g->config->cat->oters[chunk_level(g->chunk, l.z)->cells[cell_of(end)]];
    int outward = opposite(end.heading);
    if (!connect_has(g, l.connection, (ptl_oter)(oter - g->config->cat->oters)))
        return false;
    switch (g->config->cat->terrains[oter->terrain].count) {
    case 16:
        return oter->line >> outward & 1;
    case 4:
        return oter->rotation % 2 == outward % 2;
    default:
        return true;
    }
}

/* ---- a lone exit ---- */

/* A hub is a cell inside the chunk to which a road is led from an exit, if the exit would
 * otherwise be the road's only end. w->cells lists the cells that can be reached from the exit.
 * Keeps in the list only those that may be a hub, and returns their number. */
static int32_t keep_hubs(const generator *g, ground_walk *w, track l, const ptl_oter *cells,
                         int32_t count)
{
    for (int pass = 0; pass < 2; pass++) {
        /* The first pass keeps only cells in the middle of the chunk. If there are none, it
         * leaves the list of cells unchanged, and the second pass allows more cells. */
        int32_t left = 0, first = pass == 0 ? HUB_FIRST : REACH;
        const int32_t last = pass == 0 ? HUB_LAST : SIZE - 1 - REACH;
        for (int32_t i = 0; i < count; i++) {
            const int32_t at = w->cells[i], x = at % SIZE, y = at / SIZE;
            if (x >= first && x <= last && y >= first && y <= last &&
                connect_turns(g, l.connection, cells[at]))
                w->cells[left++] = at;
        }
        if (left > 0)
            return left;
    }
    return 0;
}

/* Links the only end of the list, an exit, with a second end at a random place inside the chunk
 * (a hub), because a road should lead somewhere. */
static void add_hub(generator *g, ground_walk *w, track l, end_list *list)
{
    const ptl_oter *cells = cells_at(g, l.z);
    if (!cells)
        return;
    rng r = rng_from_key(hash_add(hash_string("hub"), step_stream(g, l.kind).state));
    for (int i = 0; i < HUB_TRIES; i++) {
        int32_t count = walk_ground(g, w, l, list->ends[0]);
        count = keep_hubs(g, w, l, cells, count);
        if (count == 0)
            return;
        int32_t at = w->cells[rng_below(&r, (uint64_t)count)];
        connect_end hub = {.x = (int16_t)(at % SIZE), .y = (int16_t)(at / SIZE), CONNECT_ANY};
        if (connect_ends(g, l.connection, l.z, list->ends[0], hub) == CONNECT_DRAWN) {
            list->ends[list->count++] = hub;
            return;
        }
    }
}

/* ---- linking what is apart ---- */

/* Returns the number of the network (set of linked OMTs) that has the most ends, the first of
 * several; 0 if no end has an OMT of the connection. */
static int32_t main_part(const end_list *list, const int32_t *labels, int32_t *tally,
                         int32_t part_count)
{
    int32_t best = 0;
    part_count = part_count < SIZE * SIZE ? part_count : SIZE * SIZE - 1;
    memset(tally, 0, (size_t)(part_count + 1) * sizeof *tally);
    for (size_t i = 0; i < list->count; i++)
        tally[labels[cell_of(list->ends[i])]]++;
    for (int32_t part = 1; part <= part_count; part++)
        if (tally[part] > 0 && (best == 0 || tally[part] > tally[best]))
            best = part;
    return best;
}

/* Gives up linking the end i. If a search found no path from it (`searched`), all later ends
 * that are linked with it are given up, too, because a search from them would find no path
 * either. */
static void give_up(end_list *list, const int32_t *labels, size_t i, bool searched)
{
    int32_t part = searched ? labels[cell_of(list->ends[i])] : 0;
    list->given_up[i] = true;
    for (size_t k = i + 1; part && k < list->count; k++)
        if (labels[cell_of(list->ends[k])] == part)
            list->given_up[k] = true;
}

/*
 * Links each end that is apart to the nearest OMT that it is not linked with, until all ends
 * are in one network (set of linked OMTs) or are given up. Each round either links two networks
 * or gives an end up, and a link never makes more networks. So the rounds end; their number is
 * bounded only as a guard against mistakes in the engine. Returns the number of the main
 * network; w->labels has the number of each cell's network.
 */
static int32_t link_parts(generator *g, ground_walk *w, track l, end_list *list)
{
    int32_t *labels = w->labels;
    if (connect_links_all(g, l.connection, l.z, list->ends, list->count, labels))
        return 1; /* this is the usual case, since connect_points has tried to link all ends */
    memset(list->given_up, 0, list->count * sizeof *list->given_up);
    int32_t parts = connect_parts(g, l.connection, l.z, labels);
    size_t bound = 2 * list->count + (size_t)parts + 8;
    for (size_t round = 0;; round++) {
        int32_t main = main_part(list, labels, w->cells, parts);
        /* Find the first end that is not in the main network and not given up; i becomes
         * list->count if there is none. */
        size_t i = 0;
        while (i < list->count &&
               (list->given_up[i] || (main && labels[cell_of(list->ends[i])] == main)))
            i++;
        if (i == list->count || g->failed)
            return main;
        if (round == bound) {
            add_event(g, "joining_stopped", list->ends[i].x, list->ends[i].y, l.z, l.kind);
            return main;
        }
        connect_result result = connect_to_any(g, l.connection, l.z, list->ends[i]);
        if (result == CONNECT_DRAWN)
            parts = connect_parts(g, l.connection, l.z, labels);
        else
            give_up(list, labels, i, result == CONNECT_NO_PATH);
    }
}

/* ---- what remains ---- */

void link_ends(generator *g, ground_walk *w, track l, end_list *list)
{
    if (list->count == 0 || !cells_at(g, l.z))
        return;
    if (list->count == 1 && list->exit_count == 1)
        add_hub(g, w, l, list);
    else
        connect_points(g, l.connection, l.z, list->ends, list->count, list->results);
    if (g->failed)
        return;
    const int32_t main = link_parts(g, w, l, list);
    for (size_t i = 0; i < list->count; i++)
        if (!main || w->labels[cell_of(list->ends[i])] != main) {
            /* Report an end that is not linked with the main network, and why: which cells
             * bound the ground that can be reached from it. */
            const connect_end end = list->ends[i];
            char text[sizeof g->events->detail];
            bool at_all = walk_ground(g, w, l, end) > 0;
            if (walked_to(w, main))
                snprintf(text, sizeof text, "only with a turn where %.*s can't turn",
                         UTF8_CUT(l.kind, 40));
            else
                write_reason(text, sizeof text, l, true_bounds(g, w, l, end, main), at_all);
            add_event(g, "unreached", end.x, end.y, l.z, text);
        }
    for (size_t i = 0; i < list->exit_count; i++)
        if (!leads_out(g, l, list->ends[i]))
            connect_stub(g, l.connection, l.z, list->ends[i]);
}

/*
 * Corridors: strips of ground behind exits that are kept free for the roads from there, three
 * cells wide and EXIT_CORRIDOR cells long. Streets and buildings of cities keep off them; steps
 * of generation that run after the roads may use them. The games keep no ground free for roads,
 * and their cities near borders have a seventh more buildings. So a corridor is PLAN_REACH
 * cells long with `compat`; hardly any road fails to leave its chunk then that would leave it
 * else.
 */

static void reserve(generator *g, connect_end end)
{
    int32_t dx = step_x(end.heading), dy = step_y(end.heading);
    const int32_t length = g->config->options.compat ? PLAN_REACH : EXIT_CORRIDOR;
    for (int32_t depth = 0; depth < length; depth++)
        for (int32_t aside = -1; aside <= 1; aside++) {
            int32_t x = end.x + depth * dx + aside * dy, y = end.y + depth * dy + aside * dx;
            if (inside(x, y))
                g->reserved[y * SIZE + x] = 1;
        }
}

void reserve_corridors(generator *g)
{
    for (int direction = 0; direction < 4; direction++) {
        const edge *e = g->edges[direction];
        for (size_t i = 0; i < e->count; i++)
            if (e->crossings[i].z == 0 && crossing_is_exit(&e->crossings[i]))
                reserve(g, exit_end(direction, e->crossings[i].position));
    }
}
