/*
 * Roads, and all other connections that cross borders. Reads: the chunk's four edges, its
 * cities, its ground. Writes: the connections' OMTs on their levels. Guarantees: every exit has
 * the arm that leads out of the chunk; every exit and city of a network is linked to all
 * others, or an "unreached" event says why not.
 *
 * The config's networks (gen_config.networks) are drawn first, in their order. Edges of foreign
 * chunks may also have crossings of connections that are in no network. The lines of these
 * connections are drawn last, in the order of connections and levels.
 */
#include "core/utf8.h"
#include "gen/connect/ends.h"
#include "gen/steps/steps.h"

#include <stdio.h>

/* The scratch memory of step roads. A track is a connection together with the level on which it
 * is drawn. */
typedef struct roads_scratch {
    /* Scratch memory. First point_near keeps in it the list of cells of which it chooses one at
     * random; then link_ends uses it. */
    ground_walk walk;
    end_list ends; /* the cells that the connection is to link */
} roads_scratch;

enum { TRIES = 32 };

/* ---- what the edges bring ---- */

static void collect_exits(const generator *g, track l, end_list *list)
{
    list->count = list->exit_count = 0;
    for (int direction = 0; direction < 4; direction++) {
        const edge *e = g->edges[direction];
        for (size_t i = 0; i < e->count && list->exit_count < EXITS_MAX; i++) {
            const crossing *c = &e->crossings[i];
            if (c->z == l.z && crossing_is_exit(c) && strcmp(c->kind, l.kind) == 0)
                list->ends[list->exit_count++] = exit_end(direction, c->position);
        }
    }
    list->count = list->exit_count;
}

/* ---- points of cities ---- */

static bool point_fits(const generator *g, track l, const ptl_oter *cells, int32_t x, int32_t y)
{
    return inside_ring(x, y) && connect_turns(g, l.connection, cells[y * SIZE + x]);
}

/* Can the connection lie on the cell and on all cells around it? A yard between houses
 * hardly ever passes this test. */
static bool lies_open(const generator *g, track l, const ptl_oter *cells, int32_t x, int32_t y)
{
    for (int32_t i = 0; i < 9; i++)
        if (!point_fits(g, l, cells, x + i % 3 - 1, y + i / 3 - 1))
            return false;
    return true;
}

/* Chooses at random a cell near the city at which lines of the track may begin. A few random
 * cells are tried first, of which one in the open is taken; if there is none, any cell near the
 * city will do on which the connection can be drawn. */
static bool point_near(generator *g, track l, const gen_city *city, rng *r, connect_end *out)
{
    const ptl_oter *cells = cells_at(g, l.z);
    if (!cells)
        return false;
    int32_t reach = 4 * city->size, x0 = city->x - reach, y0 = city->y - reach;
    int32_t x = -1, y = -1, found = 0, *cells_near = ((roads_scratch *)g->scratch)->walk.cells;
    for (int32_t i = 0; i < TRIES && !lies_open(g, l, cells, x, y); i++) {
        x = x0 + rng_range(r, 0, 2 * reach);
        y = y0 + rng_range(r, 0, 2 * reach);
    }
    if (!lies_open(g, l, cells, x, y)) {
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            int32_t dx = i % SIZE - city->x, dy = i / SIZE - city->y;
            bool near = dx >= -reach && dx <= reach && dy >= -reach && dy <= reach;
            if (near && point_fits(g, l, cells, i % SIZE, i / SIZE))
                cells_near[found++] = i;
        }
        if (found == 0)
            return false;
        int32_t at = cells_near[rng_below(r, (uint64_t)found)];
        x = at % SIZE;
        y = at / SIZE;
    }
    *out = (connect_end){.x = (int16_t)x, .y = (int16_t)y, .heading = CONNECT_ANY};
    return true;
}

/* ---- foreign crossings ---- */

static bool is_network(const generator *g, const crossing *c)
{
    for (size_t i = 0; i < g->config->network_count; i++)
        if (c->z == g->config->networks[i].z &&
            strcmp(c->kind, g->config->networks[i].kind) == 0)
            return true;
    return false;
}

static void unknown_crossing(generator *g, int direction, const crossing *c)
{
    char text[sizeof g->events->detail];
    bool has_level = c->z >= PTL_Z_MIN && c->z <= PTL_Z_MAX;
    bool position = c->position >= 0 && c->position < SIZE;
    connect_end end = exit_end(direction, position ? c->position : 0);
    snprintf(text, sizeof text, "%.*s: %s", UTF8_CUT(c->kind, 30),
             !has_level  ? "no such level"
             : !position ? "no such position"
                         : "the content has no such connection");
    add_event(g, "unknown_crossing", position ? end.x : -1, position ? end.y : -1,
              has_level ? c->z : 0, text);
}

/* Lists the pairs of a connection and a level for which foreign edges have crossings, except
 * those of gen_config.networks. The list is sorted, has each pair once, and its length is
 * returned. */
static size_t foreign_lines(generator *g, int32_t numbers[EXITS_MAX])
{
    size_t count = 0;
    for (int direction = 0; direction < 4; direction++) {
        const edge *e = g->edges[direction];
        for (size_t i = 0; i < e->count; i++) {
            const crossing *c = &e->crossings[i];
            if (strcmp(c->kind, CROSSING_RIVER) == 0 || crossing_is_highway(c))
                continue;
            if (crossing_is_exit(c) && is_network(g, c))
                continue;
            uint16_t connection = catalogue_connection(g->config->cat, c->kind);
            if (connection == CAT_NONE || !crossing_is_exit(c)) {
                unknown_crossing(g, direction, c);
                continue;
            }
            /* The list is sorted by this number, which is made of the connection and the
             * level. */
            int32_t number = connection * PTL_LEVELS + c->z - PTL_Z_MIN;
            size_t at = 0;
            while (at < count && numbers[at] < number)
                at++;
            if (at < count && numbers[at] == number)
                continue;
            memmove(numbers + at + 1, numbers + at, (count - at) * sizeof *numbers);
            numbers[at] = number;
            count++;
        }
    }
    return count;
}

static void draw_foreign_lines(generator *g)
{
    int32_t numbers[EXITS_MAX];
    roads_scratch *s = g->scratch;
    const size_t count = foreign_lines(g, numbers);
    for (size_t i = 0; i < count && !g->failed; i++) {
        size_t connection = (size_t)(numbers[i] / PTL_LEVELS);
        track l = {.connection = connection,
                   .z = numbers[i] % PTL_LEVELS + PTL_Z_MIN,
                   .kind = g->config->cat->connections[connection].id};
        collect_exits(g, l, &s->ends);
        link_ends(g, &s->walk, l, &s->ends);
    }
}

static void run(generator *g)
{
    roads_scratch *s = g->scratch;
    end_list *list = &s->ends;
    for (size_t i = 0; i < g->config->network_count && !g->failed; i++) {
        const gen_network *network = &g->config->networks[i];
        track l = {.connection = network->connection, .z = network->z, .kind = network->kind};
        collect_exits(g, l, list);
        if (network->cities) {
            /* Roads begin at the centres of cities, because a city's streets belong to the same
             * connection as roads. For other connections, points near the cities are chosen. */
            bool centres = l.connection == g->config->road && l.z == 0;
            rng r = step_stream(g, l.kind);
            for (size_t j = 0; j < g->features.city_count && list->count < ENDS_MAX; j++) {
                const gen_city *city = &g->features.cities[j];
                connect_end end = {.x = city->x, .y = city->y, .heading = CONNECT_ANY};
                if (centres || point_near(g, l, city, &r, &end))
                    list->ends[list->count++] = end;
                else
                    add_event(g, "no_point_near_city", city->x, city->y, l.z, l.kind);
            }
        }
        link_ends(g, &s->walk, l, list);
        if (l.connection == g->config->road && !g->failed)
            link_facing(g, l, list);
    }
    if (!g->failed)
        draw_foreign_lines(g);
    memset(g->reserved, 0, SIZE * SIZE);
}

const gen_step step_roads = {
    .info = {"roads", 0, false},
    .run = run,
    .scratch = sizeof(roads_scratch),
    .needs = {&connector_part},
};
