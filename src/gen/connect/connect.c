/*
 * The functions of the connection engine that other code calls: linking two ends, a special or
 * a list of points, and finding which OMTs of a connection are linked with each other.
 */
#include "gen/connect/connect_impl.h"

#include <string.h>

int connect_inward(connect_end end)
{
    if (end.heading != CONNECT_ANY)
        return end.heading;
    return end.y == 0 ? 2 : end.x == SIZE - 1 ? 3 : end.y == SIZE - 1 ? 0 : 1;
}

bool connect_is_exit(connect_end end)
{
    const int outward = opposite(connect_inward(end));
    return inside(end.x, end.y) && !inside(end.x + step_x(outward), end.y + step_y(outward));
}

static bool usable(const generator *g, size_t connection, const ptl_oter *cells,
                   const connect_end *end)
{
    if (!inside(end->x, end->y))
        return false;
    const oter_class class = connect_class(g, connection, cells[end->y * SIZE + end->x]);
    return class.step && class.end &&
           (end->exit ? connect_is_exit(*end) : inside_ring(end->x, end->y));
}

/* Returns `end`. If it is an exit (an end at which the path leaves the chunk), its heading
 * is set to the direction that leads into the chunk. */
static connect_end settled(connect_end end)
{
    if (end.exit)
        end.heading = (int8_t)connect_inward(end);
    return end;
}

static int32_t cell_of(const connect_end *end)
{
    return end->y * SIZE + end->x;
}

/* ---- two points ---- */

/* Links two ends by a cheapest path. With is_short, OMTs that already have the connection cost
 * SHORT_CUT_OMT. */
static connect_result link_two(generator *g, size_t connection, int32_t z, connect_end from,
                               connect_end to, bool is_short)
{
    g->connector->linked = CONNECT_NO_LEVEL;
    ptl_oter *cells = cells_at(g, z);
    if (!cells)
        return CONNECT_NO_PATH;
    if (from.x == to.x && from.y == to.y)
        return CONNECT_SAME;
    if (!inside(from.x, from.y) || !inside(to.x, to.y))
        return CONNECT_BLOCKED;
    from = settled(from);
    to = settled(to);
    connect_choose(g, connection, z, cell_of(&from), cell_of(&to));
    if (!usable(g, connection, cells, &from) || !usable(g, connection, cells, &to))
        return CONNECT_BLOCKED;
    connect_sync(g, connection, cells);
    const path_task task = {.connection = connection,
                            .from = cell_of(&from),
                            .to = cell_of(&to),
                            .first = from.heading,
                            .last = to.heading == CONNECT_ANY ? (int8_t)CONNECT_ANY
                                                              : (int8_t)opposite(to.heading)};
    /* For a short cut, OMTs that already have the connection cost more than usual: their costs
     * are raised in the connect_view of the level. `k->labels` lists them, so that they get
     * their usual cost back after the search. */
    connector *k = g->connector;
    size_t raised = 0;
    for (int32_t cell = 0; is_short && cell < CELLS; cell++)
        if ((k->view->grid[cell] & STEP_COST) == 1) {
            connect_set_step(k->view, cell, k->view->grid[cell] - 1 + SHORT_CUT_OMT);
            k->labels[raised++] = cell;
        }
    const bool found = connect_search(g, &task, cells);
    for (size_t i = 0; i < raised; i++)
        connect_set_step(k->view, k->labels[i],
                         k->view->grid[k->labels[i]] + 1 - SHORT_CUT_OMT);
    if (!found)
        return CONNECT_NO_PATH;
    connect_draw_path(g, connection, z, k->path, k->path_count, &from, &to);
    return CONNECT_DRAWN;
}

connect_result connect_ends(generator *g, size_t connection, int32_t z, connect_end from,
                            connect_end to)
{
    connect_forget(g->connector);
    return link_two(g, connection, z, from, to, false);
}

connect_result connect_short_cut(generator *g, size_t connection, int32_t z, connect_end from,
                                 connect_end to)
{
    connect_forget(g->connector);
    return link_two(g, connection, z, from, to, true);
}

connect_result connect_to_any(generator *g, size_t connection, int32_t z, connect_end from)
{
    ptl_oter *cells = cells_at(g, z);
    if (!cells)
        return CONNECT_NO_PATH;
    if (!inside(from.x, from.y))
        return CONNECT_BLOCKED;
    from = settled(from);
    const int32_t at = cell_of(&from);
    connect_choose(g, connection, z, at, at);
    if (!usable(g, connection, cells, &from))
        return CONNECT_BLOCKED;
    /* The goals are those OMTs of the connection that are not linked with the start and at
     * which a path may end. */
    connector *k = g->connector;
    connect_parts(g, connection, z, k->labels);
    for (int32_t i = 0; i < CELLS; i++)
        k->goals[i] = k->labels[i] > 0 && k->labels[i] != k->labels[at] && i != at &&
                      connect_class(g, connection, cells[i]).end;
    connect_forget(k);
    k->linked = CONNECT_NO_LEVEL;
    connect_sync(g, connection, cells);
    const path_task task = {.connection = connection,
                            .from = at,
                            .to = -1,
                            .first = from.heading,
                            .last = CONNECT_ANY};
    if (!connect_search(g, &task, cells))
        return CONNECT_NO_PATH;
    connect_draw_path(g, connection, z, k->path, k->path_count, &from, NULL);
    return CONNECT_DRAWN;
}

/* ---- links of specials ---- */
/* Computes, for each column (or row) of the chunk, the distance to the nearest column (or row)
 * that has an OMT of the connection. There must be at least one. */
static void measure_lines(int16_t *to, const bool *has)
{
    int16_t distance = SIZE;
    for (int i = 0; i < SIZE; i++) {
        distance = has[i] ? 0 : (int16_t)(distance + 1);
        to[i] = distance;
    }
    distance = SIZE;
    for (int i = SIZE; i-- > 0;) {
        distance = has[i] ? 0 : (int16_t)(distance + 1);
        to[i] = distance < to[i] ? distance : to[i];
    }
}

static uint64_t hopeless_bit(const connect_view *v, int32_t cell)
{
    return v->hopeless[cell / 64] >> cell % 64 & 1;
}

/* A cell is hopeless if no path from it leads to a goal. Marks the cells that a path can enter
 * from `cell` as hopeless, and adds them to the queue. Returns true if one of them is a goal,
 * so that they are not hopeless after all. */
static bool give_up_beside(connector *k, int32_t cell, size_t *count)
{
    connect_view *v = k->view;
    bool goal = false;
    for (int d = 0; d < 4; d++) {
        const int32_t next = cell + STEP_DELTA[d];
        if (!(v->grid[next] >> (STEP_ENTER_SHIFT + d) & 1) || hopeless_bit(v, next))
            continue;
        v->hopeless[next / 64] |= UINT64_C(1) << next % 64;
        k->queue[(*count)++] = (uint16_t)next;
        goal = goal || v->grid[next] & STEP_GOAL;
    }
    return goal;
}

/* Called after a search from a cell has found no path. If no goal is among the cells that a
 * path from there can enter, marks all of these cells as hopeless. (If a goal is among them,
 * the path was stopped by cells that a special closes, or by cells on which it can't turn.) */
static void give_up(connector *k, int32_t from)
{
    size_t count = 0;
    bool goal = give_up_beside(k, from, &count);
    for (size_t i = 0; i < count && !goal; i++)
        goal = give_up_beside(k, k->queue[i], &count);
    for (size_t i = 0; i < count && goal; i++)
        k->view->hopeless[k->queue[i] / 64] &= ~(UINT64_C(1) << k->queue[i] % 64);
}

/* Returns true if no goal can be reached from `from`: all cells that a path can enter from
 * there are marked in v->hopeless, because an earlier search found no path from them
 * (give_up). */
static bool is_hopeless(const connect_view *v, int32_t from)
{
    for (int d = 0; d < 4; d++) {
        const int32_t next = from + STEP_DELTA[d];
        if (v->grid[next] >> (STEP_ENTER_SHIFT + d) & 1 && !hopeless_bit(v, next))
            return false;
    }
    return true;
}

/* Searches a path to the nearest OMT of the connection. During the search the cells
 * `ground->closed` are blocked in the connect_view of the level. */
static bool search_nearest(generator *g, const path_task *task, const ptl_oter *cells,
                           const connect_ground *ground)
{
    connector *k = g->connector;
    if (k->view->bare_rows[SIZE] == SIZE || is_hopeless(k->view, task->from))
        return false; /* the level has no OMT of this connection, or none can be reached */
    connect_measure(k->view);
    if (!k->view->lines_measured) {
        measure_lines(k->view->to_column, k->view->column_has);
        measure_lines(k->view->to_row, k->view->row_has);
        k->view->lines_measured = true;
    }
    for (size_t i = 0; i < ground->closed_count; i++) {
        k->labels[i] = (int32_t)k->view->grid[ground->closed[i]];
        connect_set_step(k->view, ground->closed[i], 0);
    }
    path_task by_city = *task;
    by_city.to = ground->centre;
    by_city.first = CONNECT_ANY; /* unlike the path of *task, this one may come from any side,
                                  * as in the games */
    const bool found =
        (ground->centre > 0 && connect_is_greedy(g) &&
         compiled(g, task->connection)->looks[cells[ground->centre]] & LOOK_HAS &&
         connect_greedy(g, &by_city, cells)) ||
        connect_direct(g, task, cells) || connect_search(g, task, cells);
    for (size_t i = 0; i < ground->closed_count; i++)
        connect_set_step(k->view, ground->closed[i], (uint32_t)k->labels[i]);
    if (!found)
        give_up(k, task->from);
    return found;
}

void connect_wrote(generator *g, int32_t cell)
{
    connect_touch(g->connector, cell);
}

/* If this function returns CONNECT_DRAWN, connector.path is the path that connect_link would
 * draw. */
connect_result connect_seek(generator *g, size_t connection, int32_t z, connect_end from,
                            const connect_ground *ground)
{
    connector *k = g->connector;
    const ptl_oter *cells = cells_at(g, z);
    if (!ground->known || k->linked != z)
        connect_forget(k);
    k->linked = (int8_t)z;
    if (!cells || !inside_ring(from.x, from.y))
        return CONNECT_BLOCKED;
    const int32_t at = cell_of(&from);
    connect_choose(g, connection, z, at, at);
    const oter_class class = connect_class(g, connection, cells[at]);
    if (class.has)
        return CONNECT_SAME;
    if (!class.step || !class.end)
        return CONNECT_BLOCKED;
    connect_sync(g, connection, cells);
    const path_task task = {.connection = connection,
                            .from = at,
                            .to = -1,
                            .first = from.heading,
                            .last = CONNECT_ANY,
                            .nearest = true};
    return search_nearest(g, &task, cells, ground) ? CONNECT_DRAWN : CONNECT_NO_PATH;
}

connect_result connect_link(generator *g, size_t connection, int32_t z, connect_end from,
                            const connect_ground *ground)
{
    connector *k = g->connector;
    const int32_t at = cell_of(&from);
    /* With `exit`, the point at which the special connects gets an arm that leads back to the
     * special, just as an end on the border gets an arm that leads out of the chunk. */
    const int arm =
        from.exit && from.heading != CONNECT_ANY ? opposite(from.heading) : CONNECT_ANY;
    connect_result result = ground->told;
    from.exit = arm != CONNECT_ANY;
    if (ground->sought)
        connect_choose(g, connection, z, at, at);
    else
        result = connect_seek(g, connection, z, from, ground);
    if (result == CONNECT_DRAWN)
        connect_draw_path(g, connection, z, k->path, k->path_count, &from, NULL);
    /* Draw the arm that leads from the point to the special where no path was drawn. If the
     * point's OMT already had the connection, it can get an arm only if it is linear. */
    const gen_connections *all = g->config->connections;
    if (result == CONNECT_NO_PATH ||
        (result == CONNECT_SAME && all->lines[chunk_level(g->chunk, z)->cells[at]] & LINE_IS))
        connect_draw_end(g, connection, z, at, arm);
    return result;
}

/* ---- lists of points ---- */

/* Looks only at the ends behind ends[i] in the list, and returns the index of the one that is
 * nearest to ends[i], with distances truncated to whole numbers; of several, the first. */
static size_t nearest_later(const connect_end *ends, size_t count, size_t i)
{
    size_t best = i + 1;
    int32_t limit = INT32_MAX; /* square of the distance to ends[best]; the distance was cut to
                                * a whole number before it was squared */
    for (size_t j = i + 1; j < count && limit > 0; j++) {
        const int32_t dx = ends[j].x - ends[i].x, dy = ends[j].y - ends[i].y;
        const int32_t square = dx * dx + dy * dy;
        if (square >= limit)
            continue;
        const int32_t distance = connect_distance(dx, dy);
        best = j;
        limit = distance * distance;
    }
    return best;
}

/* Links the ends by a tree of least length, found by Prim's algorithm. results[i] becomes the
 * result of linking ends[i + 1] with the tree. DDA since 2023 also links one in ten of all
 * other pairs. That is left out: with it, ways between cities are more direct than in DDA 0.I's
 * worlds. */
static void link_tree(generator *g, size_t connection, int32_t z, const connect_end *ends,
                      size_t count, connect_result *results)
{
    /* The tree consists of the ends that are linked so far. nearest[i] is the end of the tree
     * that is nearest to ends[i], and square[i] is the square of the distance between them. If
     * ends[i] is in the tree itself, square[i] is -1. */
    int32_t *nearest = g->connector->labels, *square = nearest + count;
    for (size_t i = 0; i < count; i++)
        square[i] = i > 0 ? INT32_MAX : -1;
    for (size_t added = 0, left = count; left > 1; left--) {
        size_t next = 0;
        for (size_t i = 1; i < count; i++) {
            const int32_t dx = ends[i].x - ends[added].x, dy = ends[i].y - ends[added].y;
            if (dx * dx + dy * dy < square[i]) {
                square[i] = dx * dx + dy * dy;
                nearest[i] = (int32_t)added;
            }
            if (square[i] >= 0 && (next == 0 || square[i] < square[next]))
                next = i;
        }
        results[next - 1] = link_two(g, connection, z, ends[nearest[next]], ends[next], false);
        square[next] = -1;
        added = next;
    }
}

void connect_more_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                         size_t count, connect_result *results)
{
    if (connect_is_greedy(g) && g->config->region->levelled && count > 1) {
        link_tree(g, connection, z, ends, count, results);
        return;
    }
    for (size_t i = 0; i + 1 < count; i++)
        results[i] =
            link_two(g, connection, z, ends[i], ends[nearest_later(ends, count, i)], false);
}

void connect_points(generator *g, size_t connection, int32_t z, const connect_end *ends,
                    size_t count, connect_result *results)
{
    connect_forget(g->connector);
    connect_more_points(g, connection, z, ends, count, results);
}

/* ---- parts ---- */
typedef struct flood {
    const generator *g;
    size_t connection;
    const ptl_oter *cells;
    int32_t *labels;
    uint16_t *queue;
    /* The flood, a search over OMTs that are linked, gives each OMT a label that is `step` more
     * than the label of the OMT from which the search came to it. No label exceeds `limit`. */
    int32_t step, limit;
} flood;

/* Labels all OMTs that are linked with the start by arms, directly or over other OMTs. The
 * queue already holds `count` cells that were labelled before; returns the count with the cells
 * of this call added. */
static size_t label_part(const flood *f, int32_t start, int32_t label, size_t count)
{
    const uint32_t *looks = compiled(f->g, f->connection)->looks;
    size_t head = count, tail = count;
    f->labels[start] = label;
    f->queue[tail++] = (uint16_t)start;
    while (head < tail) {
        const int32_t cell = f->queue[head++], beyond = f->labels[cell] + f->step;
        if (beyond > f->limit)
            break;
        const int32_t x = cell % SIZE, y = cell / SIZE;
        const uint32_t arms = looks[f->cells[cell]] >> LOOK_ANSWERS_SHIFT;
        for (int d = 0; d < 4; d++) {
            if (!(arms >> d & 1) || !inside(x + step_x(d), y + step_y(d)))
                continue;
            const int32_t next = cell + STEP_DELTA[d];
            const uint32_t answers = looks[f->cells[next]] >> LOOK_ANSWERS_SHIFT;
            if (!(answers >> opposite(d) & 1) || f->labels[next])
                continue;
            f->labels[next] = beyond;
            f->queue[tail++] = (uint16_t)next;
        }
    }
    return tail;
}

/* Takes away the labels of OMTs that belong to another connection, which crosses a line of this
 * connection there (a road over rails). The search for linked OMTs has passed over them and
 * labelled them. */
static void clear_crossings(const flood *f, size_t count)
{
    const uint32_t *looks = compiled(f->g, f->connection)->looks;
    for (size_t i = 0; i < count; i++)
        if (!(looks[f->cells[f->queue[i]]] & LOOK_HAS))
            f->labels[f->queue[i]] = 0;
}

int32_t connect_parts(generator *g, size_t connection, int32_t z, int32_t *labels)
{
    memset(labels, 0, CELLS * sizeof *labels);
    const level *l = chunk_level(g->chunk, z);
    const oter_class *classes = compiled(g, connection)->classes;
    if (!l->cells && !classes[l->fill].has)
        return 0;
    const ptl_oter *cells = cells_at(g, z);
    if (!cells)
        return 0;
    const flood f = {g, connection, cells, labels, g->connector->queue, 0, INT32_MAX};
    const uint32_t *looks = compiled(g, connection)->looks;
    int32_t parts = 0;
    size_t count = 0;
    for (int32_t i = 0; i < CELLS; i++)
        if (looks[cells[i]] & LOOK_HAS && !labels[i])
            count = label_part(&f, i, ++parts, count);
    clear_crossings(&f, count);
    return parts;
}

bool connect_links_all(generator *g, size_t connection, int32_t z, const connect_end *ends,
                       size_t count, int32_t *labels)
{
    const ptl_oter *cells = cells_at(g, z);
    const int32_t first = cell_of(&ends[0]);
    if (!cells || !(compiled(g, connection)->looks[cells[first]] & LOOK_HAS))
        return false;
    memset(labels, 0, CELLS * sizeof *labels);
    const flood f = {g, connection, cells, labels, g->connector->queue, 0, INT32_MAX};
    clear_crossings(&f, label_part(&f, first, 1, 0));
    for (size_t i = 0; i < count; i++)
        if (labels[cell_of(&ends[i])] != 1)
            return false;
    return true;
}

int32_t connect_way(generator *g, size_t connection, int32_t z, connect_end from,
                    connect_end to, int32_t limit)
{
    connector *k = g->connector;
    const ptl_oter *cells = cells_at(g, z);
    const uint32_t *looks = compiled(g, connection)->looks;
    if (!cells || !(looks[cells[cell_of(&from)]] & LOOK_HAS))
        return limit;
    /* label_part gives each OMT that it reaches a label: here 1 + the number of steps from the
     * end `from` to the OMT. */
    const flood f = {g, connection, cells, k->labels, k->queue, 1, limit};
    memset(f.labels, 0, CELLS * sizeof *f.labels);
    label_part(&f, cell_of(&from), 1, 0);
    const int32_t label = f.labels[cell_of(&to)];
    return label > 0 ? label - 1 : limit;
}
