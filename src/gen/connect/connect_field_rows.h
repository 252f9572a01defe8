/*
 * The search of connect_field_kernel.h processes rows of cells. This file finds what entering
 * each cell of a row costs, and what the rest of the way to a goal costs at least. It also
 * finds what is left of the search's budget on each cell when paths come from the row north or
 * south and go on along the row. A stretch of eight or sixteen cells is processed at once.
 *
 * A row is visited only if the row north or south of it has changed. Paths may also turn back
 * from the visited row to that other row; it is visited again only if they have more of the
 * budget left there than the paths known before, which is rare.
 */
#pragma once

#include "core/lanes.h"
#include "gen/connect/connect_field.h"

#include <stdlib.h>

enum {
    WIDTH = FIELD_WIDTH,
    /* The set of all stretches of a row. A stretch is LANES cells and has one bit in the set.
     */
    STRETCHES = (1 << (SIZE + LANES - 1) / LANES) - 1,
    BLOCKED = UINT16_MAX,
    /* The greatest budget (the cost that a path may have). With it, budgets can still be
     * compared as signed numbers of 16 bits. */
    BUDGET_MAX = 32000,
    /* The greatest values of field_task.extra and field_task.goal_extra. They are limited so
     * that the least cost of a path, which is computed from them, fits into 16 bits. */
    EXTRA_MAX = 60,
    GOAL_EXTRA_MAX = 8000
};

/* ---- the ground ---- */

/* Fills in, for a stretch of LANES cells from (x, y) on, the costs of entering the cells, where
 * a path may turn, and which cells are goals. They are read from the grid of `k->view` (a
 * connect_view). Cells beyond the row's end count as blocked. */
static void read_ground(field_search *s, const connector *k, int32_t x, int32_t y)
{
    enum {
        UPRIGHT = 5,
        ALONG = 10,
        RIGID = STEP_RIGID >> STEP_ENTER_SHIFT,
        GOAL = STEP_GOAL >> STEP_ENTER_SHIFT,
        ALL = (STEP_BITS >> STEP_ENTER_SHIFT) & ~(STEP_TURN_COUNTS >> STEP_ENTER_SHIFT)
    };
    const lanes none = lanes_all(0), all = lanes_all(UINT16_MAX);
    const uint32_t *grid = &k->view->grid[y * SIZE + x];
    uint16_t *const at = &s->cells[field_place(x, y)];
    const lanes here = lanes_below(SIZE - x), cost = lanes_narrow(grid, 0, STEP_COST);
    const lanes flags = lanes_and(lanes_narrow(grid, STEP_ENTER_SHIFT, ALL), here);
    const lanes upright = lanes_above(lanes_and(flags, lanes_all(UPRIGHT)), none);
    const lanes along = lanes_above(lanes_and(flags, lanes_all(ALONG)), none);
    const lanes rigid = lanes_above(lanes_and(flags, lanes_all(RIGID)), none);
    lanes_store(&at[FIELD_COST], lanes_or(cost, lanes_and_not(all, upright)));
    lanes_store(&at[FIELD_COST + FIELD_GROUP], lanes_or(cost, lanes_and_not(all, along)));
    lanes_store(&at[FIELD_OPEN], lanes_and_not(lanes_above(flags, none), rigid));
    const lanes goal = lanes_above(lanes_and(flags, lanes_all(GOAL)), none);
    lanes_store(&s->goal[y * WIDTH + x], goal);
    s->goals[y] = s->goals[y] || lanes_any(goal);
}

/* ---- a search ---- */
typedef struct field_task {
    field_search *s;
    connector *k;
    const compiled_connection *c;
    const path_task *task;
    /* In a search between two points: the number (see STEP_COST) that says how the goal can be
     * entered. In connect_view.grid the goal has 0 during the search. */
    uint32_t goal_step;
    int32_t extra; /* How much more the cheapest new OMT of a path costs than an existing OMT of
                      the connection, at most EXTRA_MAX. */
    int32_t budget;
    /* What is left of the search's budget (the cost that a path may have) at the best goal
     * so far; 0: no goal is reached yet. */
    int32_t best;
    int32_t dearest; /* no cell costs more than this to enter */
    lanes given_up;  /* not 0 if some path was given up because its budget was spent, so that a
                        search with a greater budget might reach more cells */
    /* In a search between two points: what it costs to enter the goal, minus the cost of the
     * cheapest cell on which the connection is newly drawn. At most GOAL_EXTRA_MAX. */
    int32_t goal_extra;
    /* The northernmost and the southernmost row that the search has visited. */
    int32_t top, bottom;
} field_task;

/* Returns, for each cell of a stretch, a cost that the rest of the way to a goal can't fall
 * below (the estimate that the head of connect_path.c describes). If there is a single goal,
 * two parts of that estimate are left out: the distances of cells to OMTs of the connection,
 * because updating them would cost more than it saves; and the rings around the goal, except
 * for the goal itself. */
static inline lanes estimate(const field_task *t, int32_t x, int32_t y)
{
    const field_search *s = t->s;
    const lanes one = lanes_all(1), extra = lanes_all((uint16_t)t->extra);
    const lanes distance = lanes_add(lanes_load(&s->to_column[x]), lanes_all(s->to_row[y]));
    if (t->task->nearest) {
        const lanes near =
            lanes_most(lanes_widen(&t->k->view->far[y * FAR_WIDTH + x]), distance);
        const lanes others = lanes_less(near, one);
        return lanes_add(lanes_least(near, one), lanes_add(others, lanes_times(others, extra)));
    }
    const lanes bare = lanes_add(lanes_load(&s->bare_columns[x]), lanes_all(s->bare_rows[y]));
    const lanes all = lanes_add(distance, lanes_all((uint16_t)t->goal_extra));
    return lanes_add(all, lanes_times(bare, extra));
}

/* Fills in field_search.cells for the stretch of LANES cells from (x, y) on, when the search
 * comes there for the first time. */
static void meet(field_task *t, int32_t x, int32_t y)
{
    field_search *s = t->s;
    const uint32_t bit = UINT32_C(1) << x / LANES;
    const uint32_t stale = UINT32_C(1) << x / STALE_COLUMNS;
    uint16_t *const at = &s->cells[field_place(x, y)];
    if (t->k->view->stale[y] & stale) {
        const int32_t first = x / STALE_COLUMNS * STALE_COLUMNS;
        t->k->view->stale[y] &= ~stale;
        for (int32_t i = first; i < first + STALE_COLUMNS; i += LANES)
            read_ground(s, t->k, i, y);
    }
    lanes_store(at, lanes_all(0));
    lanes_store(&at[FIELD_GROUP], lanes_all(0));
    lanes_store(&at[FIELD_NEED], lanes_add(estimate(t, x, y), lanes_all(1)));
    s->met[y] |= bit;
    t->top = y < t->top ? y : t->top;
    t->bottom = y > t->bottom ? y : t->bottom;
}

/* Fills in field_search.cells for the stretch of LANES cells from (x, y) on, unless the search
 * has been there before. */
static inline void be_at(field_task *t, int32_t x, int32_t y)
{
    if (!(t->s->met[y] >> x / LANES & 1))
        meet(t, x, y);
}

/* ---- going on ---- */

/* Three limits that are the same for a whole visit to a row, so that they stay in registers.
 * `bar`: a path is better than the best one so far if it reaches the goal with at least this
 * much of the search's budget left. `dearest` and `given_up` are as in field_task. */
typedef struct field_bounds {
    lanes bar, dearest, given_up;
} field_bounds;

/* What a visit to a row needs. A row is visited because the row north or south of it (called
 * the other row) has changed. */
typedef struct row_visit {
    /* `y` is the number of the visited row. `beside` is what must be added to the index, in
     * field_search.cells, of a cell in row y to get that of the cell beside it in the other
     * row. */
    int32_t y, beside;
    /* A bit for each stretch of LANES cells of the other row, the one that `beside` leads to:
     * set if the stretch has changed. */
    uint32_t moved;
    uint32_t changed; /* a bit for each stretch of LANES cells of row y, set if the stretch has
                       * changed */
    /* A bit for each stretch of LANES cells of row y: set if paths that step from the stretch
     * back to the other row have more of the search's budget left there than any path before,
     * so that the other row must be visited again. */
    uint32_t returning;
    field_bounds bounds;
} row_visit;

/* `left` says how much of the search's budget is left on each cell of a vector. `need` says how
 * much is needed there to reach a goal. A cell is given up if no path through it can reach a
 * goal with more of the budget left than the best path so far has. Returns `left` with 0 for
 * cells that are given up. */
static inline lanes keep(field_bounds *b, lanes left, lanes need)
{
    const lanes dead = lanes_above(lanes_add_small(need, b->bar), left);
    const lanes last = lanes_above(b->dearest, left);
    b->given_up = lanes_or(b->given_up, lanes_and(left, lanes_or(dead, last)));
    return lanes_and_not(left, dead);
}

/* May a path begin in this direction? */
static bool may_begin(const path_task *task, int d)
{
    if (task->first == CONNECT_ANY)
        return true;
    return task->nearest ? d != opposite(task->first) : d == task->first;
}

/* Returns 0 if the path can't go on from the cell in direction d. Otherwise returns 1 + what is
 * left of the search's budget on the cell if the path then goes on in this direction. */
static int32_t left_for(const field_task *t, int32_t cell, int d)
{
    const int32_t x = cell % SIZE, y = cell / SIZE;
    if (cell == t->task->from)
        return may_begin(t->task, d) ? t->budget + 1 : 0;
    if (!(t->s->met[y] >> x / LANES & 1))
        return 0;
    return t->s->cells[field_place(x, y) + (d & 1) * FIELD_GROUP];
}

/* In a search between two points: looks from the goal at the cells beside it, and keeps in
 * t->best what is left of the budget on the best path to the goal. Visits of rows never do
 * this, since the goal's cost in the grid is 0, which means that no path can enter it. */
static void look_at_goal(field_task *t)
{
    const int32_t cost = (int32_t)(t->goal_step & STEP_COST);
    for (int d = 0; d < 4; d++)
        if (t->goal_step >> STEP_ENTER_SHIFT >> d & 1) {
            const int32_t left = left_for(t, t->task->to - STEP_DELTA[d], d) - cost;
            t->best = left > t->best ? left : t->best;
        }
}

/* A stretch is LANES cells of a row. Returns the first column, at x or east of it, of a stretch
 * whose bit is set in `stretches`; WIDTH if there is none. */
static inline int32_t next_stretch(uint32_t stretches, int32_t x)
{
    const uint32_t rest = stretches >> x / LANES;
    return rest ? x + LANES * __builtin_ctz(rest) : WIDTH;
}

/* Returns what is left of the search's budget on those cells of a stretch of LANES cells
 * that are goals, and 0 for its other cells. */
static inline lanes left_at_goals(const field_search *f, int32_t x, int32_t y)
{
    const uint16_t *at = &f->cells[field_place(x, y)];
    const lanes left = lanes_most(lanes_load(at), lanes_load(&at[FIELD_GROUP]));
    return lanes_and(left, lanes_load(&f->goal[y * WIDTH + x]));
}

/* Updates t->best from the goals in those stretches (of LANES cells each) of row y that have
 * changed. */
static void look_at_goals(field_task *t, int32_t y, uint32_t changed)
{
    for (int32_t x = next_stretch(changed, 0); x < SIZE; x = next_stretch(changed, x + LANES)) {
        const lanes left = left_at_goals(t->s, x, y);
        uint16_t each[LANES];
        if (!lanes_any(lanes_above(left, lanes_all((uint16_t)t->best))))
            continue;
        lanes_store(each, left);
        for (int i = 0; i < LANES; i++)
            t->best = each[i] > t->best ? each[i] : t->best;
    }
}

/*
 * A macro that defines two functions for paths that go along a row in one direction; its first
 * two arguments are their names. They work on the numbers of a stretch of cells, one in each
 * lane of a vector, in halves of eight cells. from_where(n, k) moves the numbers by k cells in
 * that direction, within each half. from_eight(n) gives each cell of a half the last number of
 * the half before it. `spread` returns the most of the search's budget that is left on each
 * cell of a stretch if paths go on from any other cell of the stretch. `arrive` returns what is
 * left on each cell if paths come from the cell before the stretch, where `carried` is left.
 * The costs of entering several cells are summed by doubling: each cell takes the sum from the
 * cell 1 before it, then from the cell 2 before it, then 4, and so has the costs of eight
 * cells. In vectors of sixteen it then takes the sum from the last of the eight cells before
 * those.
 */
#define ALONG(spread, arrive, from_where, from_eight)                                          \
    static inline lanes spread(lanes n, lanes one)                                             \
    {                                                                                          \
        const lanes two = lanes_add(one, from_where(one, 1));                                  \
        const lanes four = lanes_add(two, from_where(two, 2));                                 \
        const lanes eight = lanes_add(four, from_where(four, 4));                              \
        n = lanes_most(n, lanes_less(from_where(n, 1), one));                                  \
        n = lanes_most(n, lanes_less(from_where(n, 2), two));                                  \
        n = lanes_most(n, lanes_less(from_where(n, 4), four));                                 \
        return LANES > 8 ? lanes_most(n, lanes_less(from_eight(n), eight)) : n;                \
    }                                                                                          \
    static inline lanes arrive(lanes carried, lanes one)                                       \
    {                                                                                          \
        const lanes two = lanes_add(one, from_where(one, 1));                                  \
        const lanes four = lanes_add(two, from_where(two, 2));                                 \
        const lanes eight = lanes_add(four, from_where(four, 4));                              \
        return lanes_less(carried, LANES > 8 ? lanes_add(eight, from_eight(eight)) : eight);   \
    }

ALONG(spread_east, arrive_east, LANES_FROM_BEFORE, lanes_eight_before)
ALONG(spread_west, arrive_west, LANES_FROM_BEHIND, lanes_eight_behind)

/* New paths enter LANES cells of the visited row, from x on. `upright` says how much of the
 * search's budget is left there if they enter along the column, `along` if they enter along the
 * row. Stores these numbers, and returns whether any of them is greater than the number before.
 * Sets a bit of `v->returning` if paths that step from here back to the other row (the one
 * whose changes led to this visit) have more left there, too. */
static inline bool put_left(row_visit *v, uint16_t *at, int32_t x, lanes upright, lanes along)
{
    const lanes open = lanes_load(&at[FIELD_OPEN]), need = lanes_load(&at[FIELD_NEED]);
    const lanes kept = keep(&v->bounds, along, need);
    const lanes both = lanes_or(lanes_and_not(upright, open), lanes_and(kept, open));
    const lanes more = lanes_or(lanes_less(kept, lanes_load(&at[FIELD_GROUP])),
                                lanes_less(both, lanes_load(at)));
    lanes_store(at, both);
    lanes_store(&at[FIELD_GROUP], kept);
    const uint16_t *const beside = at + v->beside;
    const lanes returned = lanes_less(both, lanes_load(&beside[FIELD_COST]));
    const bool returns = lanes_any(lanes_above(returned, lanes_load(beside)));
    v->returning |= (uint32_t)returns << x / LANES;
    return lanes_any(more);
}

/* Fills in field_search.cells for those stretches of LANES cells in a row that the search has
 * not visited before. */
static inline void meet_all(field_task *t, int32_t y, uint32_t stretches)
{
    for (uint32_t rest = stretches & ~t->s->met[y]; rest; rest &= rest - 1)
        meet(t, LANES * __builtin_ctz(rest), y);
}

/* Returns whether a path can gain by going on eastwards from the last cell of this stretch (of
 * LANES cells) to the first cell of the next one: whether more of the search's budget is left
 * there than by the ways that are known so far. */
static inline bool reaches_east(field_task *t, const uint16_t *at, int32_t x, int32_t y)
{
    const int32_t last = at[FIELD_GROUP + LANES - 1];
    if (last == 0)
        return false;
    be_at(t, x + LANES, y);
    const uint16_t *const next = &t->s->cells[field_place(x + LANES, y)];
    return last - next[FIELD_COST + FIELD_GROUP] > next[FIELD_GROUP];
}

/* Finds, for each cell of the visited row, the most of the budget that can be left there: first
 * by paths that come from the row north or south of it, then by paths that go on along a
 * stretch of LANES cells, and then by paths from each stretch to the next one in the east, as
 * long as that changes a cell there. */
static void take_row(field_task *t, row_visit *v)
{
    field_search *f = t->s;
    uint32_t carries = 0;
    lanes carried = lanes_all(0);
    meet_all(t, v->y, v->moved);
    for (uint32_t rest = v->moved | v->changed; rest;) {
        const int32_t x = LANES * __builtin_ctz(rest);
        const uint32_t bit = rest & (0 - rest), next = bit << 1 & STRETCHES;
        uint16_t *const at = &f->cells[field_place(x, v->y)];
        rest ^= bit;
        const lanes old = lanes_load(at), open = lanes_load(&at[FIELD_OPEN]);
        const lanes from =
            lanes_and(lanes_load(at + v->beside), lanes_all(v->moved & bit ? UINT16_MAX : 0));
        const lanes down = lanes_less(from, lanes_load(&at[FIELD_COST]));
        const lanes upright =
            lanes_most(keep(&v->bounds, down, lanes_load(&at[FIELD_NEED])), old);
        if (!(bit & (carries | v->changed)) && lanes_same(upright, old))
            continue;
        const lanes one = lanes_load(&at[FIELD_COST + FIELD_GROUP]);
        const lanes along = lanes_or(lanes_and_not(lanes_load(&at[FIELD_GROUP]), open),
                                     lanes_and(upright, open));
        const lanes west = spread_west(along, one);
        const lanes east = lanes_most(spread_east(along, one), arrive_east(carried, one));
        carried = lanes_all(0);
        if (!put_left(v, at, x, upright, lanes_most(east, west)) && !(v->changed & bit))
            continue;
        v->changed |= bit;
        if (rest & next || (next && reaches_east(t, at, x, v->y))) {
            rest |= next;
            carries |= next;
            carried = lanes_last(lanes_load(&at[FIELD_GROUP]));
        }
    }
}

/* Lets paths on the visited row go on to the west, from the first cell of each changed
 * stretch (LANES cells) to the stretch west of it. */
static void give_west(field_task *t, row_visit *v)
{
    field_search *f = t->s;
    for (uint32_t rest = v->changed & ~1u; rest;) {
        const uint32_t bit = UINT32_C(1) << (31 - __builtin_clz(rest)), before = bit >> 1;
        rest ^= bit;
        const int32_t x = LANES * __builtin_ctz(before);
        const uint16_t carried = f->cells[field_place(x + LANES, v->y) + FIELD_GROUP];
        if (!carried)
            continue;
        be_at(t, x, v->y);
        uint16_t *const at = &f->cells[field_place(x, v->y)];
        if (carried - at[FIELD_COST + FIELD_GROUP + LANES - 1] <= at[FIELD_GROUP + LANES - 1])
            continue;
        const lanes upright = lanes_load(at), old = lanes_load(&at[FIELD_GROUP]);
        const lanes one = lanes_load(&at[FIELD_COST + FIELD_GROUP]);
        const lanes along = lanes_most(old, arrive_west(lanes_all(carried), one));
        if (put_left(v, at, x, upright, along)) {
            v->changed |= before;
            rest |= before & ~1u;
        }
    }
}

/* Computes the costs of row y of the search again, after costs of other cells have changed.
 * `moved` has a bit for each stretch of LANES cells of row `from`, the row north or south of y,
 * in which a cost has changed: from these stretches paths may lead into row y. `changed` has
 * the same bits for row y itself: from these stretches paths may lead on inside the row. */
static void visit_row(field_task *t, int32_t from, int32_t y, uint32_t moved, uint32_t changed)
{
    field_search *f = t->s;
    row_visit v = {.y = y,
                   .beside = field_place(0, from) - field_place(0, y),
                   .moved = moved,
                   .changed = changed,
                   .bounds = {lanes_all((uint16_t)(t->best > 0 ? t->best - 1 : 0)),
                              lanes_all((uint16_t)t->dearest), lanes_all(0)}};
    take_row(t, &v);
    give_west(t, &v);
    t->given_up = lanes_or(t->given_up, v.bounds.given_up);
    if (!v.changed)
        return;
    const uint32_t back = v.changed & (v.returning | ~f->met[from]);
    f->down[y] |= from == y + 1 ? back : v.changed;
    f->up[y] |= from == y - 1 ? back : v.changed;
    if (t->task->nearest) {
        if (f->goals[y])
            look_at_goals(t, y, v.changed);
    } else if (abs(y - t->task->to / SIZE) <= 1) {
        look_at_goal(t);
    }
}

/* Takes the first step of the search, from the start in direction d. */
static void set_out(field_task *t, int d)
{
    field_search *f = t->s;
    const int32_t cell = t->task->from + STEP_DELTA[d], x = cell % SIZE, y = cell / SIZE;
    be_at(t, x / LANES * LANES, y);
    uint16_t *const at = &f->cells[field_place(x, y)];
    const int32_t cost = at[FIELD_COST + (d & 1) * FIELD_GROUP];
    if (cost == BLOCKED)
        return;
    const int32_t left = t->budget + 1 - cost;
    if (left < at[FIELD_NEED]) {
        t->given_up = lanes_all(1);
        return;
    }
    at[(d & 1) * FIELD_GROUP] = (uint16_t)left;
    if (at[FIELD_OPEN])
        at[!(d & 1) * FIELD_GROUP] = (uint16_t)left;
    visit_row(t, y, y, 0, UINT32_C(1) << x / LANES);
}
