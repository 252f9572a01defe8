/*
 * The search where turns don't count, between two points or for the nearest tile. A traveller
 * sets out with a budget and pays for each cell that he enters; for every cell it is found what
 * he has left there at most, eight cells at a time: row by row down and up again, from a row to
 * the next and then along it, for as long as anything changes. Where less is left than what
 * the rest of the way costs at least (the estimate of connect_path.c), he need not go on;
 * once there is a way, neither where it can't become a cheaper one. So most rows and most of
 * their cells are never looked at. Where a budget does not do, it is tried with a greater one.
 *
 * What is left on the cells of all the cheapest paths is exact: none of them is given up. The
 * path is read off backwards, straight on where that is one of the cheapest, else in a fixed
 * order. So it depends on the costs alone and not on how they were gone through.
 *
 * A rigid cell is left as it was entered: what is left when it is passed along columns and when
 * it is passed along rows are two numbers, which are one on free cells.
 *
 * Compiled once for any processor and once for those with AVX2 (connect_field_base.c and
 * connect_field_avx2.c, which name FIELD_SEARCH).
 */
#include "gen/connect_field.h"
#include "gen/lanes.h"

#include <stdlib.h>

enum {
    WIDTH = FIELD_WIDTH,
    STRETCHES = (1 << (SIZE + LANES - 1) / LANES) - 1, /* a bit each */
    BLOCKED = UINT16_MAX,
    BUDGET_MAX = 32000, /* comparisons are signed */
    EXTRA_MAX = 60      /* a greater one is not made use of: the estimate keeps its bits */
};

/* Numbers of bits; one is set. */
static inline uint32_t lowest_bit_of(uint32_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(bits);
#else
    return lowest_bit(bits);
#endif
}

static inline uint32_t highest_bit_of(uint32_t bits)
{
#if defined(__GNUC__)
    return 31 - (uint32_t)__builtin_clz(bits);
#else
    uint32_t bit = 31;
    while (!(bits >> bit & 1))
        bit--;
    return bit;
#endif
}

/* ---- the ground ---- */

/* Which of these tiles a path may end at. */
static void read_goals(field_search *s, const connector *k, const oter_class *classes,
                       const ptl_oter *cells, int32_t x, int32_t y)
{
    for (int32_t i = x; i < x + LANES && i < SIZE; i++) {
        const oter_class *class = &classes[cells[y * SIZE + i]];
        if ((k->grid[y * SIZE + i] & STEP_COST) == 1 && class->has && class->end) {
            s->goal[y * WIDTH + i] = UINT16_MAX;
            s->goals[y] = true;
        }
    }
}

/* A stretch of the grid as costs. What is read beyond the row's end is blocked. */
static void read_ground(field_search *s, const connector *k, const oter_class *classes,
                        const ptl_oter *cells, int32_t x, int32_t y)
{
    enum { UPRIGHT = 5, ALONG = 10, RIGID = STEP_RIGID >> STEP_ENTER_SHIFT };
    const lanes none = lanes_all(0), all = lanes_all(UINT16_MAX);
    const uint32_t *grid = &k->grid[y * SIZE + x];
    const int32_t at = y * WIDTH + x;
    const lanes here = lanes_below(SIZE - x), cost = lanes_narrow(grid, 0, STEP_COST);
    const lanes flags = lanes_and(lanes_narrow(grid, STEP_ENTER_SHIFT, 0x1f), here);
    const lanes upright = lanes_above(lanes_and(flags, lanes_all(UPRIGHT)), none);
    const lanes along = lanes_above(lanes_and(flags, lanes_all(ALONG)), none);
    const lanes rigid = lanes_above(lanes_and(flags, lanes_all(RIGID)), none);
    lanes_store(&s->cost[0][at], lanes_or(cost, lanes_and_not(all, upright)));
    lanes_store(&s->cost[1][at], lanes_or(cost, lanes_and_not(all, along)));
    lanes_store(&s->open[at], lanes_and_not(lanes_above(flags, none), rigid));
    lanes_store(&s->goal[at], none);
    if (lanes_any(lanes_equal(cost, lanes_all(1))))
        read_goals(s, k, classes, cells, x, y);
}

/* ---- a search ---- */
typedef struct field_task {
    field_search *s;
    connector *k;
    const compiled_connection *c;
    const path_task *task;
    const ptl_oter *cells;
    uint32_t goal_step; /* of the one goal; it is off the grid meanwhile */
    int32_t extra;      /* of the least cost of a new tile above that of another */
    int32_t budget;
    int32_t best;        /* left at the best goal so far; 0: none yet */
    int32_t dearest;     /* no cell costs more */
    lanes given_up;      /* not 0 where a greater budget might have led on */
    int32_t top, bottom; /* rows that it was in */
} field_task;

/* See connect_path.c. For one goal the distances to tiles are left out: to keep them up to date
 * would cost more than it saves. */
static inline lanes estimate(const field_task *t, int32_t x, int32_t y)
{
    const field_search *s = t->s;
    const lanes one = lanes_all(1), extra = lanes_all((uint16_t)t->extra);
    const lanes distance = lanes_add(lanes_load(&s->to_column[x]), lanes_all(s->to_row[y]));
    if (t->task->nearest) {
        const lanes near = lanes_most(lanes_widen(&t->k->far[y * FAR_WIDTH + x]), distance);
        const lanes others = lanes_less(near, one);
        return lanes_add(lanes_least(near, one), lanes_add(others, lanes_times(others, extra)));
    }
    const lanes bare = lanes_add(lanes_load(&s->bare_columns[x]), lanes_all(s->bare_rows[y]));
    return lanes_add(distance, lanes_times(bare, extra));
}

/* A stretch that the search has not been at before. */
static void meet(field_task *t, int32_t x, int32_t y)
{
    field_search *s = t->s;
    const uint32_t bit = UINT32_C(1) << x / LANES;
    const uint32_t stale = UINT32_C(1) << x / STALE_COLUMNS;
    const int32_t at = y * WIDTH + x;
    if (t->k->stale[y] & stale) {
        const int32_t first = x / STALE_COLUMNS * STALE_COLUMNS;
        t->k->stale[y] &= ~stale;
        for (int32_t i = first; i < first + STALE_COLUMNS; i += LANES)
            read_ground(s, t->k, t->c->classes, t->cells, i, y);
    }
    lanes_store(&s->left[0][at], lanes_all(0));
    lanes_store(&s->left[1][at], lanes_all(0));
    lanes_store(&s->need[at], lanes_add(estimate(t, x, y), lanes_all(1)));
    s->met[y] |= bit;
    t->top = y < t->top ? y : t->top;
    t->bottom = y > t->bottom ? y : t->bottom;
}

static inline void be_at(field_task *t, int32_t x, int32_t y)
{
    if (!(t->s->met[y] >> x / LANES & 1))
        meet(t, x, y);
}

/* ---- going on ---- */

/* What is alike for all stretches of one go: so it stays in registers. */
typedef struct field_bounds {
    lanes bar, dearest, given_up;
} field_bounds;

static inline field_bounds bounds_now(const field_task *t)
{
    return (field_bounds){lanes_all((uint16_t)(t->best > 0 ? t->best - 1 : 0)),
                          lanes_all((uint16_t)t->dearest), lanes_all(0)};
}

static inline void note_bounds(field_task *t, const field_bounds *b)
{
    t->given_up = lanes_or(t->given_up, b->given_up);
}

/* What may go on: others have less than they need, or than a cheaper way would leave them. */
static inline lanes keep(field_bounds *b, lanes left, const uint16_t *need)
{
    const lanes dead = lanes_above(lanes_add_small(lanes_load(need), b->bar), left);
    const lanes last = lanes_above(b->dearest, left);
    b->given_up = lanes_or(b->given_up, lanes_and(left, lanes_or(dead, last)));
    return lanes_and_not(left, dead);
}

static bool may_begin(const path_task *task, int d)
{
    if (task->first == CONNECT_ANY)
        return true;
    return task->nearest ? d != opposite(task->first) : d == task->first;
}

/* What is left on a cell for a step in this direction. */
static int32_t left_for(const field_task *t, int32_t cell, int d)
{
    const int32_t x = cell % SIZE, y = cell / SIZE;
    if (cell == t->task->from)
        return may_begin(t->task, d) ? t->budget + 1 : 0;
    if (!(t->s->met[y] >> x / LANES & 1))
        return 0;
    return t->s->left[d & 1][y * WIDTH + x];
}

/* The one goal is off the grid: is there a better way onto it now? */
static void look_at_goal(field_task *t)
{
    const int32_t cost = (int32_t)(t->goal_step & STEP_COST);
    for (int d = 0; d < 4; d++)
        if (t->goal_step >> STEP_ENTER_SHIFT >> d & 1) {
            const int32_t left = left_for(t, t->task->to - STEP_DELTA[d], d) - cost;
            t->best = left > t->best ? left : t->best;
        }
}

/* The first stretch of those from x on; WIDTH: none. */
static inline int32_t next_stretch(uint32_t stretches, int32_t x)
{
    const uint32_t rest = stretches >> x / LANES;
    return rest ? x + LANES * (int32_t)lowest_bit_of(rest) : WIDTH;
}

/* What is left at the goals of a stretch. */
static inline lanes left_at_goals(const field_search *f, int32_t at)
{
    const lanes left = lanes_most(lanes_load(&f->left[0][at]), lanes_load(&f->left[1][at]));
    return lanes_and(left, lanes_load(&f->goal[at]));
}

static void look_at_goals(field_task *t, int32_t y, uint32_t changed)
{
    for (int32_t x = next_stretch(changed, 0); x < SIZE; x = next_stretch(changed, x + LANES)) {
        const lanes left = left_at_goals(t->s, y * WIDTH + x);
        uint16_t each[LANES];
        if (!lanes_any(lanes_above(left, lanes_all((uint16_t)t->best))))
            continue;
        lanes_store(each, left);
        for (int i = 0; i < LANES; i++)
            t->best = each[i] > t->best ? each[i] : t->best;
    }
}

/* Of eight cells each takes from the one before it, from the second and from the fourth: so
 * from all of them; then from the last of the eight before; then from what is carried, which is
 * left on the cell before the stretch. */
#define FLOW(from_where, from_eight)                                                           \
    const lanes two = lanes_add(one, from_where(one, 1));                                      \
    const lanes four = lanes_add(two, from_where(two, 2));                                     \
    const lanes eight = lanes_add(four, from_where(four, 4));                                  \
    const lanes all = LANES > 8 ? lanes_add(eight, from_eight(eight)) : eight;                 \
    lanes n = lanes_most(old, lanes_less(from_where(old, 1), one));                            \
    n = lanes_most(n, lanes_less(from_where(n, 2), two));                                      \
    n = lanes_most(n, lanes_less(from_where(n, 4), four));                                     \
    if (LANES > 8)                                                                             \
        n = lanes_most(n, lanes_less(from_eight(n), eight));                                   \
    n = lanes_most(n, lanes_less(carried, all))

/* Along the row to the east, from what changed for as far as that changes anything. */
static uint32_t flow_east(field_task *t, int32_t y, uint32_t changed)
{
    field_search *f = t->s;
    field_bounds b = bounds_now(t);
    lanes carried = lanes_all(0);
    bool carries = false;
    for (uint32_t rest = changed; rest;) {
        const int32_t x = LANES * (int32_t)lowest_bit_of(rest);
        const uint32_t bit = UINT32_C(1) << x / LANES;
        be_at(t, x, y);
        const int32_t at = y * WIDTH + x;
        const lanes old = lanes_load(&f->left[1][at]), one = lanes_load(&f->cost[1][at]);
        carried = carries ? carried : lanes_all(0);
        FLOW(LANES_FROM_BEFORE, lanes_eight_before);
        n = keep(&b, n, &f->need[at]);
        lanes_store(&f->left[1][at], n);
        changed |= lanes_same(n, old) ? 0 : bit;
        carried = lanes_last(n);
        carries = changed & bit && lanes_any(carried);
        rest = (rest ^ bit) | (carries ? bit << 1 & STRETCHES : 0);
    }
    note_bounds(t, &b);
    return changed;
}

/* The same to the west. This comes last, and sees to it that free cells have one number. */
static uint32_t flow_west(field_task *t, int32_t y, uint32_t changed)
{
    field_search *f = t->s;
    field_bounds b = bounds_now(t);
    lanes carried = lanes_all(0);
    bool carries = false;
    for (uint32_t rest = changed; rest;) {
        const int32_t x = LANES * (int32_t)highest_bit_of(rest);
        const uint32_t bit = UINT32_C(1) << x / LANES;
        be_at(t, x, y);
        const int32_t at = y * WIDTH + x;
        const lanes old = lanes_load(&f->left[1][at]), one = lanes_load(&f->cost[1][at]);
        carried = carries ? carried : lanes_all(0);
        FLOW(LANES_FROM_BEHIND, lanes_eight_behind);
        n = keep(&b, n, &f->need[at]);
        const lanes open = lanes_load(&f->open[at]), upright = lanes_load(&f->left[0][at]);
        lanes_store(&f->left[1][at], n);
        lanes_store(&f->left[0][at],
                    lanes_or(lanes_and_not(upright, open), lanes_and(n, open)));
        changed |= lanes_same(n, old) ? 0 : bit;
        carried = lanes_first(n);
        carries = changed & bit && lanes_any(carried);
        rest = (rest ^ bit) | (carries ? bit >> 1 : 0);
    }
    note_bounds(t, &b);
    return changed;
}

static void go_along(field_task *t, int32_t y, uint32_t changed)
{
    field_search *f = t->s;
    changed = flow_west(t, y, flow_east(t, y, changed));
    f->down[y] |= changed;
    f->up[y] |= changed;
    if (t->task->nearest) {
        if (f->goals[y])
            look_at_goals(t, y, changed);
    } else if (abs(y - t->task->to / SIZE) <= 1) {
        look_at_goal(t);
    }
}

/* From what changed in a row to the next one. */
static void hand_on(field_task *t, int32_t from, int32_t y, uint32_t moved)
{
    field_search *f = t->s;
    field_bounds b = bounds_now(t);
    uint32_t changed = 0;
    for (uint32_t rest = moved; rest; rest &= rest - 1) {
        const int32_t x = LANES * (int32_t)lowest_bit_of(rest);
        be_at(t, x, y);
        const int32_t at = y * WIDTH + x;
        const lanes old = lanes_load(&f->left[0][at]);
        lanes n =
            lanes_less(lanes_load(&f->left[0][from * WIDTH + x]), lanes_load(&f->cost[0][at]));
        n = lanes_most(keep(&b, n, &f->need[at]), old);
        /* Mostly nobody could foretell whether it changes: no branch. */
        changed |= (uint32_t)!lanes_same(n, old) << x / LANES;
        const lanes open = lanes_load(&f->open[at]), along = lanes_load(&f->left[1][at]);
        lanes_store(&f->left[0][at], n);
        lanes_store(&f->left[1][at], lanes_or(lanes_and_not(along, open), lanes_and(n, open)));
    }
    note_bounds(t, &b);
    if (changed)
        go_along(t, y, changed);
}

/* The first step in this direction. */
static void set_out(field_task *t, int d)
{
    field_search *f = t->s;
    const int32_t cell = t->task->from + STEP_DELTA[d], x = cell % SIZE, y = cell / SIZE;
    be_at(t, x / LANES * LANES, y);
    const int32_t at = y * WIDTH + x, cost = f->cost[d & 1][at];
    if (cost == BLOCKED)
        return;
    const int32_t left = t->budget + 1 - cost;
    if (left < f->need[at]) {
        t->given_up = lanes_all(1);
        return;
    }
    f->left[d & 1][at] = (uint16_t)left;
    if (f->open[at])
        f->left[!(d & 1)][at] = (uint16_t)left;
    go_along(t, y, UINT32_C(1) << x / LANES);
}

/* From row to row downwards, or upwards; was there anything to hand on? */
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
            hand_on(t, y, y + step, handed);
        moved = moved || handed;
    }
    return moved;
}

/* First towards the goal. */
static void go_on(field_task *t)
{
    const bool first = t->task->nearest || t->task->to >= t->task->from;
    bool down = first;
    for (bool moved = true; moved || down != first; down = !down)
        moved = sweep(t, down) || (down != first && moved);
}

/* ---- the path ---- */

/* The direction of the step onto a cell with so much left there; `after` is that of the step
 * from it, which a rigid cell keeps. */
static int step_onto(const field_task *t, int32_t cell, int32_t left, int after, uint32_t step)
{
    const int32_t wanted = left + (int32_t)(step & STEP_COST);
    const bool kept = after != CONNECT_ANY && step & STEP_RIGID;
    for (int i = -1; i < 4; i++) {
        const int d = i < 0 ? after : i;
        if (d == CONNECT_ANY || (kept && d != after) || !(step >> STEP_ENTER_SHIFT >> d & 1))
            continue;
        if (left_for(t, cell - STEP_DELTA[d], d) == wanted)
            return d;
    }
    return CONNECT_ANY;
}

/* From the goal backwards, at the end of connector.path; then moved to its beginning. */
static bool trace(const field_task *t, int32_t goal)
{
    connector *k = t->k;
    size_t at = CELLS;
    int32_t cell = goal, left = t->best;
    int after = CONNECT_ANY;
    uint32_t step = t->task->nearest ? k->grid[goal] : t->goal_step;
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
        step = k->grid[cell];
        after = d;
    }
    k->path_count = CELLS - at;
    memmove(k->path, k->path + at, k->path_count * sizeof *k->path);
    return cell == t->task->from;
}

/* The first of the best goals. */
static int32_t best_goal(const field_task *t)
{
    const field_search *f = t->s;
    const lanes best = lanes_all((uint16_t)t->best);
    for (int32_t y = t->top; y <= t->bottom; y++)
        for (int32_t x = next_stretch(f->goals[y] ? f->met[y] : 0, 0); x < SIZE;
             x = next_stretch(f->met[y], x + LANES)) {
            uint16_t each[LANES];
            const lanes found = lanes_equal(left_at_goals(f, y * WIDTH + x), best);
            lanes_store(each, found);
            for (int32_t i = 0; lanes_any(found) && i < LANES; i++)
                if (each[i])
                    return y * SIZE + x + i;
        }
    return t->task->from;
}

/* ---- budgets ---- */

/* The cost of the way round one corner; INT32_MAX where it can't be gone. */
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
        if (length[axis] > 0 && cell != from && k->grid[cell] & STEP_RIGID)
            return INT32_MAX;
        for (int32_t i = 0; i < length[axis]; i++) {
            cell += STEP_DELTA[d];
            const uint32_t step = cell == to ? t->goal_step : k->grid[cell];
            if (!(step >> STEP_ENTER_SHIFT >> d & 1))
                return INT32_MAX;
            cost += (int32_t)(step & STEP_COST);
        }
    }
    return cost;
}

static int32_t first_budget(const field_task *t)
{
    const int32_t x = t->task->from % SIZE, y = t->task->from / SIZE;
    uint16_t needs[LANES];
    lanes_store(needs, estimate(t, x / LANES * LANES, y));
    const int32_t need = needs[x % LANES];
    /* Where all new tiles cost the same the way is hardly ever much dearer than that. */
    if (t->task->nearest)
        return t->c->cheapest == t->dearest ? need + 20 : need + need / 2 + 20;
    const int32_t a = bend_cost(t, true), b = bend_cost(t, false), least = a < b ? a : b;
    /* Where neither can be gone a small budget rarely does. */
    const int32_t small = 2 * need + 50, large = 9 * small;
    return least < BUDGET_MAX ? least : large <= BUDGET_MAX ? large : small;
}

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

/* To where: the goal, or the nearest column and row with a tile. */
static void measure(field_task *t)
{
    field_search *s = t->s;
    const connector *k = t->k;
    for (int32_t i = 0; t->task->nearest && i < SIZE; i++) {
        s->to_column[i] = (uint16_t)k->to_column[i];
        s->to_row[i] = (uint16_t)k->to_row[i];
    }
    if (t->task->nearest)
        return;
    measure_lines(s->to_column, s->bare_columns, k->bare_columns, t->task->to % SIZE);
    measure_lines(s->to_row, s->bare_rows, k->bare_rows, t->task->to / SIZE);
}

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
        look_at_goal(t); /* it may lie beside the start */
    go_on(t);
}

field_result FIELD_SEARCH(generator *g, const path_task *task, const ptl_oter *cells)
{
    connector *k = g->connector;
    const compiled_connection *c = compiled(g, task->connection);
    field_task t = {.s = k->field, .k = k, .c = c, .task = task, .cells = cells};
    const int32_t to = task->nearest ? task->from : task->to;
    t.extra = c->cheapest - 1 < EXTRA_MAX ? c->cheapest - 1 : EXTRA_MAX;
    t.dearest = c->dearest;
    t.goal_step = k->grid[to];
    connect_set_step(k, to, 0);
    measure(&t);
    field_result result = FIELD_NO_PATH;
    for (t.budget = first_budget(&t);; t.budget *= 3) {
        if (t.budget > BUDGET_MAX) {
            result = FIELD_TOO_DEAR;
            break;
        }
        try_budget(&t);
        if (t.best > 0) {
            const bool traced = trace(&t, task->nearest ? best_goal(&t) : to);
            result = traced ? FIELD_FOUND : FIELD_NO_PATH;
        }
        if (t.best > 0 || !lanes_any(t.given_up))
            break;
    }
    connect_set_step(k, to, t.goal_step);
    return result;
}
