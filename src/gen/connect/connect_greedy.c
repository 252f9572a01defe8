/*
 * The search of the games, for worlds with the setting `compat`: greedy best-first search. It
 * takes the cell with the least value next; the value of a cell is the basic_cost of the
 * subtype there plus the distance to the end of the search, five times this distance where the
 * connection has no OMT yet. Distances are counted in steps where the subtype is ORTHOGONAL,
 * and as the crow flies elsewhere. Costs are not added up along the path, so the search keeps
 * to existing roads, walks round whatever is dear, and finds paths that are neither the
 * shortest nor the cheapest (generation.md 7.2).
 *
 * A cell's value does not depend on the way to it, so a cell joins the queue once, from the
 * first cell beside it from which a path may enter it. Of cells of equal value the one that
 * joined last is taken first. Known cells are kept in connector.states, in layer 0. A cell may
 * have a lower value than the cell before it on the path. When such a cell is added, the search
 * goes on with the cells of that lower value.
 */
#include "gen/connect/connect_queue.h"

#include <stdlib.h>

enum { NEW_FACTOR = 5 };

/* A cell, by its number and its place. */
typedef struct greedy_cell {
    int32_t cell, x, y;
} greedy_cell;

static greedy_cell cell_at(int32_t cell)
{
    return (greedy_cell){cell, cell % SIZE, cell / SIZE};
}

/* Returns the value of a cell in a search that ends at `end`; the search takes cells of a lower
 * value first (see the head of this file). */
static uint32_t value_of(const generator *g, const path_task *task, ptl_oter ground,
                         greedy_cell at, greedy_cell end)
{
    const oter_class class = connect_class(g, task->connection, ground);
    const cat_subtype *s =
        class.subtype < 0 ? NULL
                          : &compiled(g, task->connection)->connection->subtypes[class.subtype];
    const int32_t dx = end.x - at.x, dy = end.y - at.y;
    const int32_t rest = s && s->orthogonal ? abs(dx) + abs(dy) : connect_distance(dx, dy);
    const bool is_new = (class.step & STEP_COST) > 1;
    return (uint32_t)((is_new ? NEW_FACTOR : 1) * rest + (s ? s->basic_cost : 0));
}

/* Returns whether the search may go from a cell, which it entered in the direction `came`, in
 * the direction d. The search runs from the end of the path to its start, so its first step is
 * opposite to task->last, the last move of the path. */
static bool leads_on(const connector *k, const path_task *task, int32_t cell, int came, int d)
{
    if (came == START_CAME)
        return task->last == CONNECT_ANY || d == opposite(task->last);
    return !(k->view->grid[cell] & STEP_RIGID) || d == came;
}

/* Returns whether the greedy search may enter the cell `next` in the direction d. */
static bool may_enter(const connector *k, const path_task *task, int32_t next, int d)
{
    if (k->states[next] >> WORD_STAMP == k->stamp)
        return false;
    if (next == task->from)
        return task->first == CONNECT_ANY || d == opposite(task->first);
    return k->view->grid[next] >> STEP_ENTER_SHIFT >> d & 1;
}

/* Writes the path from task->from to the end at which the search began to connector.path. */
static void write_path(connector *k, const path_task *task)
{
    int32_t cell = task->from;
    for (k->path_count = 0;; k->path_count++) {
        const int came = (int)(k->states[cell] >> WORD_CAME & 7);
        path_node *node = &k->path[k->path_count];
        *node = (path_node){(int16_t)(cell % SIZE), (int16_t)(cell / SIZE), CONNECT_ANY};
        if (came == START_CAME)
            break;
        node->direction = (int8_t)opposite(came);
        cell -= STEP_DELTA[came];
    }
    k->path_count++;
}

/* Adds the cells to the queue that the search may enter from this one. */
static void look_around(generator *g, const path_task *task, const ptl_oter *cells,
                        int32_t cell)
{
    connector *k = g->connector;
    const greedy_cell end = cell_at(task->from);
    const int came = (int)(k->states[cell] >> WORD_CAME & 7);
    for (int d = 0; d < 4; d++) {
        const int32_t next = cell + STEP_DELTA[d];
        if (!inside(cell % SIZE + step_x(d), cell / SIZE + step_y(d)) ||
            !leads_on(k, task, cell, came, d) || !may_enter(k, task, next, d))
            continue;
        k->states[next] = (uint64_t)k->stamp << WORD_STAMP | (uint64_t)d << WORD_CAME;
        const uint32_t value = value_of(g, task, cells[next], cell_at(next), end);
        queue_push(k, value, (uint64_t)next);
        if (value < k->bucket)
            k->bucket = value;
    }
}

bool connect_greedy(generator *g, const path_task *task, const ptl_oter *cells)
{
    _Static_assert(CAT_COST_MAX + NEW_FACTOR * 2 * SIZE < BUCKETS, "a value has its own list");
    connector *k = g->connector;
    connect_new_stamp(k);
    queue_reset(k, 0, false);
    k->states[task->to] = (uint64_t)k->stamp << WORD_STAMP | START_CAME << WORD_CAME;
    uint32_t cell = (uint32_t)task->to;
    do {
        if (!queue_has_room(k, 4) && !queue_grow(g))
            return false;
        look_around(g, task, cells, (int32_t)cell);
        if (!queue_pop(k, &cell))
            return false;
    } while (cell != (uint32_t)task->from);
    write_path(k, task);
    return true;
}
