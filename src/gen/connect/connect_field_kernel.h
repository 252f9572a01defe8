/*
 * The path search between two points, or for the nearest OMT of a connection, where turns do
 * not count, or count on some cells only. Think of travellers who set out with a budget and pay
 * for each cell that they enter. The search finds, for every cell, the most of the budget that
 * can be left there, for a vector of cells at a time. It sweeps over the rows southwards and
 * northwards, from each row to the next and then along that row, as long as anything changes. A
 * traveller stops where less is left than the rest of the way must cost at least (the estimate
 * of connect_path.c). When some path to the goal is known, travellers who can't find a cheaper
 * one stop, too. So most rows, and most cells of a row, are never looked at. If the budget is
 * too small, the search is repeated with a greater one.
 *
 * What is left is exact for the cells of all cheapest paths, since no traveller on such a path
 * stops. The path is found backwards from the goal. If the connection wanders, the path is
 * chosen as connect_wander.h says. Otherwise it goes straight on where that is a cheapest step,
 * and else takes the first cheapest step in a fixed order of directions; where some turns
 * count, it has the fewest of them (connect_field_turns.h). So the path does not depend on the
 * order in which costs were computed.
 *
 * A cell is rigid if a path must leave it in the direction in which it entered. For a rigid
 * cell the search keeps two numbers of what is left of the budget: when the cell is passed
 * along its column, and along its row. For other cells both numbers are the same.
 *
 * This file is compiled once for any processor and once for those with AVX2
 * (connect_field_base.c and connect_field_avx2.c, which define FIELD_SEARCH).
 */
#include "gen/connect/connect_field_rows.h"
#include "gen/connect/connect_field_turns.h"
#include "gen/connect/connect_wander.h"

/* ---- the search ---- */

/* Goes over the rows of cells once, southwards (down) or northwards. Each row takes over what
 * has changed in the row visited just before it. Returns whether there were any changes. */
static bool sweep(field_task *t, bool down)
{
    field_search *f = t->s;
    const int32_t end = down ? SIZE - 1 : 0, step = down ? 1 : -1;
    bool moved = false;
    for (int32_t y = down ? t->top : t->bottom; y != end && y >= t->top && y <= t->bottom;
         y += step) {
        uint32_t *const changed = down ? &f->down[y] : &f->up[y];
        const uint32_t handed = *changed;
        *changed = 0;
        if (handed)
            visit_row(t, y, y + step, handed, 0);
        moved = moved || handed;
    }
    return moved;
}

/* Goes over the rows of cells again and again until nothing changes, by turns southwards and
 * northwards, first in the direction of the goal. */
static void go_on(field_task *t)
{
    const bool first = t->task->nearest || t->task->to >= t->task->from;
    bool down = first;
    for (bool moved = true; moved || down != first; down = !down)
        moved = sweep(t, down) || (down != first && moved);
}

/* ---- the path ---- */

/* Returns the direction of the step by which the path comes to a cell where `left` of the
 * budget is left. `after` is the direction of the path's next step; on a rigid cell, where a
 * path must not turn, both must be equal. */
static int step_onto(const field_task *t, int32_t cell, int32_t left, int after, uint32_t step)
{
    const int32_t wanted = left + (int32_t)(step & STEP_COST);
    const bool kept = after != CONNECT_ANY && step & STEP_RIGID;
    int order[5] = {after, 0, 1, 2, 3};
    if (t->c->wanders)
        connect_order(order + 1, t->k->wander, cell, t->task->from, after);
    for (int i = t->c->wanders; i < 5; i++) {
        const int d = order[i];
        if (d == CONNECT_ANY || (kept && d != after) || !(step >> STEP_ENTER_SHIFT >> d & 1))
            continue;
        if (left_for(t, cell - STEP_DELTA[d], d) == wanted)
            return d;
    }
    return CONNECT_ANY;
}

/* Writes the path backwards from the goal, at the end of the array connector.path, then moves
 * it to the array's beginning. */
static bool trace(const field_task *t, int32_t goal)
{
    connector *k = t->k;
    size_t at = CELLS;
    int32_t cell = goal, left = t->best;
    int after = CONNECT_ANY;
    uint32_t step = t->task->nearest ? k->view->grid[goal] : t->goal_step;
    for (;;) {
        k->path[--at] =
            (path_node){(int16_t)(cell % SIZE), (int16_t)(cell / SIZE), (int8_t)after};
        if (cell == t->task->from || at == 0)
            break;
        const int d = step_onto(t, cell, left, after, step);
        if (d == CONNECT_ANY)
            return false;
        left += (int32_t)(step & STEP_COST);
        cell -= STEP_DELTA[d];
        step = k->view->grid[cell];
        after = d;
    }
    k->path_count = CELLS - at;
    memmove(k->path, k->path + at, k->path_count * sizeof *k->path);
    return cell == t->task->from;
}

/* Returns the goal at which the most of the search's budget is left, so that the path to it
 * is the cheapest; of several, the first. */
static int32_t best_goal(const field_task *t)
{
    const field_search *f = t->s;
    const lanes best = lanes_all((uint16_t)t->best);
    for (int32_t y = t->top; y <= t->bottom; y++)
        for (int32_t x = next_stretch(f->goals[y] ? f->met[y] : 0, 0); x < SIZE;
             x = next_stretch(f->met[y], x + LANES)) {
            uint16_t each[LANES];
            const lanes found = lanes_equal(left_at_goals(f, x, y), best);
            lanes_store(each, found);
            for (int32_t i = 0; lanes_any(found) && i < LANES; i++)
                if (each[i])
                    return y * SIZE + x + i;
        }
    return t->task->from;
}

/* ---- budgets ---- */

/* Returns the cost of the path from start to goal with one corner, which begins along x
 * (x_first) or along y; INT32_MAX if that path is not possible. */
static int32_t bend_cost(const field_task *t, bool x_first)
{
    const connector *k = t->k;
    const int32_t from = t->task->from, to = t->task->to;
    const int32_t dx = to % SIZE - from % SIZE, dy = to / SIZE - from / SIZE;
    const int way[2] = {dx > 0 ? 1 : 3, dy > 0 ? 2 : 0};
    const int32_t length[2] = {abs(dx), abs(dy)};
    int32_t cell = from, cost = 0;
    for (int leg = 0; leg < 2; leg++) {
        const int axis = leg == (x_first ? 1 : 0), d = way[axis];
        if (length[axis] > 0 && cell == from && !may_begin(t->task, d))
            return INT32_MAX;
        if (length[axis] > 0 && cell != from && k->view->grid[cell] & STEP_RIGID)
            return INT32_MAX;
        for (int32_t i = 0; i < length[axis]; i++) {
            cell += STEP_DELTA[d];
            const uint32_t step = cell == to ? t->goal_step : k->view->grid[cell];
            if (!(step >> STEP_ENTER_SHIFT >> d & 1))
                return INT32_MAX;
            cost += (int32_t)(step & STEP_COST);
        }
    }
    return cost;
}

/* Returns the budget (the cost that a path may have) for the first run of the search. Between
 * two points it is the cost of a path with one corner, if there is one; otherwise it is a
 * number that usually suffices. */
static int32_t first_budget(const field_task *t)
{
    const int32_t x = t->task->from % SIZE, y = t->task->from / SIZE;
    uint16_t needs[LANES];
    lanes_store(needs, estimate(t, x / LANES * LANES, y));
    const int32_t need = needs[x % LANES];
    /* `need` is the least cost that a path can have. In a search for the nearest OMT a path
     * hardly ever costs much more, if the connection costs the same on all grounds on which it
     * can be newly drawn. So the first budget is not much greater. */
    if (t->task->nearest)
        return t->c->cheapest == t->dearest ? need + 20 : need + need / 2 + 20;
    const int32_t a = bend_cost(t, true), b = bend_cost(t, false), least = a < b ? a : b;
    /* If no path with only one corner is possible, a small budget (the cost that a path may
     * have) rarely suffices. */
    const int32_t small = 2 * need + 50, large = 9 * small;
    return least < BUDGET_MAX ? least : large <= BUDGET_MAX ? large : small;
}

/* Computes for each column (or row) how far it is from the goal's column (or row), and how many
 * of the columns (or rows) that a path enters on its way to the goal have no OMT of the
 * connection. */
static void measure_lines(uint16_t *to, uint16_t *bare_to, const int16_t *bare, int32_t goal)
{
    for (int32_t i = 0; i <= goal; i++) {
        to[i] = (uint16_t)(goal - i);
        bare_to[i] = (uint16_t)(bare[goal + 1] - bare[i + 1]);
    }
    for (int32_t i = goal + 1; i < SIZE; i++) {
        to[i] = (uint16_t)(i - goal);
        bare_to[i] = (uint16_t)(bare[i] - bare[goal]);
    }
}

/* Fills in the distances to the goal's column and row or, in a search for the nearest OMT, to
 * the nearest column and row with an OMT. */
static void measure(field_task *t)
{
    field_search *s = t->s;
    const connector *k = t->k;
    for (int32_t i = 0; t->task->nearest && i < SIZE; i++) {
        s->to_column[i] = (uint16_t)k->view->to_column[i];
        s->to_row[i] = (uint16_t)k->view->to_row[i];
    }
    if (t->task->nearest)
        return;
    measure_lines(s->to_column, s->bare_columns, k->view->bare_columns, t->task->to % SIZE);
    measure_lines(s->to_row, s->bare_rows, k->view->bare_rows, t->task->to / SIZE);
}

/* Searches paths that cost no more than the present budget. Afterwards t->best is above 0 if
 * a goal was reached. */
static void try_budget(field_task *t)
{
    field_search *s = t->s;
    memset(s->met, 0, sizeof s->met);
    memset(s->down, 0, sizeof s->down);
    memset(s->up, 0, sizeof s->up);
    t->given_up = lanes_all(0);
    t->best = 0;
    t->top = SIZE;
    t->bottom = -1;
    for (int d = 0; d < 4; d++)
        if (may_begin(t->task, d))
            set_out(t, d);
    if (!t->task->nearest)
        look_at_goal(t); /* this finds a path of a single step, if the goal lies right beside
                            the start */
    go_on(t);
}

/* Returns what it costs to enter the goal, minus the cost of the cheapest cell on which the
 * connection is newly drawn. The result is at most GOAL_EXTRA_MAX; 0 in a search for the
 * nearest OMT. */
static int32_t goal_extra(const field_task *t)
{
    const int32_t extra = (int32_t)(t->goal_step & STEP_COST) - 1 - t->extra;
    return extra < 0 || t->task->nearest ? 0 : extra < GOAL_EXTRA_MAX ? extra : GOAL_EXTRA_MAX;
}

/* Finds a cheapest path. The budget (the cost that a path may have) is tripled until it
 * suffices, until a greater budget could not help, or until it exceeds BUDGET_MAX. */
field_result FIELD_SEARCH(generator *g, const path_task *task)
{
    connector *k = g->connector;
    const compiled_connection *c = compiled(g, task->connection);
    field_task t = {.s = k->field, .k = k, .c = c, .task = task};
    const int32_t to = task->nearest ? task->from : task->to;
    t.extra = c->cheapest - 1 < EXTRA_MAX ? c->cheapest - 1 : EXTRA_MAX;
    t.dearest = c->dearest;
    t.goal_step = k->view->grid[to];
    t.goal_extra = goal_extra(&t);
    connect_set_step(k->view, to, 0);
    measure(&t);
    field_result result = FIELD_NO_PATH;
    for (t.budget = first_budget(&t);; t.budget *= 3) {
        if (t.budget > BUDGET_MAX) {
            result = FIELD_TOO_DEAR;
            break;
        }
        try_budget(&t);
        if (t.best > 0) {
            const bool few = c->turns_count && !c->wanders && !task->nearest;
            const bool traced =
                few ? trace_few_turns(g, &t) : trace(&t, task->nearest ? best_goal(&t) : to);
            result = traced ? FIELD_FOUND : FIELD_NO_PATH;
        }
        if (t.best > 0 || !lanes_any(t.given_up))
            break;
    }
    connect_set_step(k->view, to, t.goal_step);
    return result;
}
