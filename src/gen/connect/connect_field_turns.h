/*
 * Finds, among the cheapest paths of connect_field_kernel.h, one with the fewest turns. It
 * serves connections whose turns count on some cells only. States are visited from the goal
 * backwards, those with the fewest turns first. Of states with equally many turns the one that
 * was found last comes first. Of the steps into one cell the one without a turn is tried first.
 * So mostly the first path that is tried is the result.
 *
 * A state is a cell and, if the cell is rigid or turns count on it, the direction of the path's
 * step from it. A cell is rigid if a path must not turn on it.
 */
#pragma once

#include "gen/connect/connect_field_rows.h"
#include "gen/connect/connect_queue.h"

typedef struct turn_state {
    int32_t cell;
    int after; /* direction in which the path goes on from the cell; START_CAME at the goal */
    uint32_t turns;
    uint32_t index;
} turn_state;

/* A step in direction d leads to the cell of *s. If this step is on a cheapest path, adds the
 * state before it. It is on a cheapest path if the budget that is left in the state before it
 * (as the search has kept it), minus what the step costs, is what is left at *s. */
static void take_back(const field_task *t, const turn_state *s, uint32_t step, int32_t left,
                      int d)
{
    connector *k = t->k;
    const bool turns = s->after != START_CAME && d != s->after;
    if (!(step >> STEP_ENTER_SHIFT >> d & 1) || (turns && step & STEP_RIGID))
        return;
    const int32_t before = s->cell - STEP_DELTA[d];
    if (left_for(t, before, d) != left + (int32_t)(step & STEP_COST))
        return;
    const bool layered = k->view->grid[before] & (STEP_RIGID | STEP_TURN_COUNTS);
    const uint32_t index = (uint32_t)(before + (layered ? d * LAYER : 0));
    const uint32_t all = s->turns + (turns && step & STEP_TURN_COUNTS);
    const uint64_t word = (uint64_t)k->stamp << WORD_STAMP | (uint64_t)all << WORD_TURNS |
                          (uint64_t)d << WORD_CAME | s->index / LAYER;
    if (k->states[index] >> WORD_PRICE <= word >> WORD_PRICE)
        return;
    k->states[index] = word;
    queue_push(k, all, index);
}

static void take_all_back(const field_task *t, const turn_state *s)
{
    const bool goal = s->after == START_CAME;
    const uint32_t step = goal ? t->goal_step : t->k->view->grid[s->cell];
    const int32_t left = goal ? t->best : left_for(t, s->cell, s->after);
    for (int d = 3; d >= 0; d--)
        if (d != s->after)
            take_back(t, s, step, left, d);
    if (!goal)
        take_back(t, s, step, left, s->after);
}

/* Writes the path from its start, whose state is given, to the goal. */
static void write_path(connector *k, uint32_t index)
{
    size_t count = 0;
    for (;;) {
        const int32_t cell = (int32_t)(index % LAYER);
        const uint64_t word = k->states[index];
        const int after = word >> WORD_CAME & 7;
        const int8_t direction = (int8_t)(after == START_CAME ? CONNECT_ANY : after);
        k->path[count++] =
            (path_node){(int16_t)(cell % SIZE), (int16_t)(cell / SIZE), direction};
        if (after == START_CAME || count == CELLS)
            break;
        index = (uint32_t)((int32_t)(word & 3) * LAYER + cell + STEP_DELTA[after]);
    }
    k->path_count = count;
}

/* Finds the path with the fewest turns and writes it to connector.path. False if there is no
 * path, or memory is out. */
static bool trace_few_turns(generator *g, const field_task *t)
{
    connector *k = t->k;
    const uint32_t goal = (uint32_t)t->task->to;
    connect_new_stamp(k);
    queue_reset(k, 0, false);
    if (!queue_has_room(k, 1) && !queue_grow(g))
        return false;
    k->states[goal] = (uint64_t)k->stamp << WORD_STAMP | START_CAME << WORD_CAME;
    queue_push(k, 0, goal);
    uint32_t index;
    while (queue_pop(k, &index)) {
        const uint64_t word = k->states[index];
        if (word >> WORD_CLOSED & 1)
            continue;
        k->states[index] = word | 1u << WORD_CLOSED;
        if (index == (uint32_t)t->task->from) {
            write_path(k, index);
            return true;
        }
        if (!queue_has_room(k, 4) && !queue_grow(g))
            return false;
        take_all_back(t, &(turn_state){(int32_t)(index % LAYER), word >> WORD_CAME & 7,
                                       word >> WORD_TURNS & ((1u << TURN_BITS) - 1), index});
    }
    return false;
}
