/*
 * The path search where turns count on all cells, or where the goals are only some of a
 * connection's OMTs (connect_field_kernel.h serves the other cases). It is A* over cells; the
 * direction in which a cell was entered is part of the state only where it matters. States are
 * ordered by cost so far plus an estimate of the rest, then by turns; connect_queue.h says
 * which of equal states comes first.
 *
 * The estimate is a lower bound of the cost of a path from cell p to cell t. Let m be their
 * Manhattan distance, and far(c) the distance from a cell c to the nearest OMT of the
 * connection. A path has at least m steps, each of which costs at least 1. A step onto a new
 * OMT costs at least `extra` more. The number of such steps is at least the greater of:
 *
 * (1) min(m, max(0, far(p) - 1) + far(t)), since the cells less than far(p) steps from p, and
 * the cells less than far(t) steps before t, are no OMTs of the connection;
 *
 * (2) the number of columns and rows between p and t that have no OMT of the connection (bare
 * ones).
 *
 * Rings: let ring r be the cells at distance r from t. A path enters each ring r < m. The cells
 * of rings with r < far(t) are no OMTs of the connection. So each path must pay, for each such
 * ring, the difference between its cheapest cell and the cheapest new OMT. The estimate uses
 * this for the six innermost rings.
 *
 * The estimate is consistent. A step onto a new OMT lowers m and each of the two counts by at
 * most 1, and enters at most one of the rings that it leaves. A step onto an OMT of the
 * connection lowers m only: this OMT lies at least far(t) from t, so in none of the rings that
 * count; before the step far(p) was at most 1; and the column and the row of the OMT are not
 * bare. So when a state is first taken from the queue, its cost is the least.
 *
 * Where every OMT of the connection is a goal, the estimate is the cost of n - 1 new OMTs and
 * one existing OMT. Here n is the greater of two numbers: far(p), which is at most FAR_MAX, and
 * the sum of the distances to the next column and the next row that have an OMT.
 */
#include "core/cpu.h"
#include "gen/connect/connect_field.h"
#include "gen/connect/connect_queue.h"

#include <stdlib.h>
#include <string.h>

/*
 * The functions of the queue (connect_queue.h) that are not inline: they make room, keep the
 * heap, and find the next list that is not empty.
 */

void queue_reset(connector *k, uint32_t cost, bool by_rank)
{
    k->by_rank = by_rank;
    k->pushed = k->queued = k->heap_count = 0;
    k->bucket = cost % BUCKETS;
    memset(k->filled, 0, sizeof k->filled);
}

bool queue_grow(generator *g)
{
    connector *k = g->connector;
    const size_t room = k->room ? 2 * k->room : 4096;
    queue_entry *entries = realloc(k->entries, room * sizeof *entries);
    if (entries)
        k->entries = entries;
    uint64_t *heap = entries ? realloc(k->heap, room * sizeof *heap) : NULL;
    if (!heap) {
        g->failed = true;
        return false;
    }
    k->heap = heap;
    k->room = room;
    return true;
}

static void sift_up(connector *k, uint64_t rank)
{
    size_t i = k->heap_count++;
    for (; i > 0 && rank < k->heap[(i - 1) / 4]; i = (i - 1) / 4)
        k->heap[i] = k->heap[(i - 1) / 4];
    k->heap[i] = rank;
}

void queue_push_heap(connector *k, uint64_t rank)
{
    k->pushed++;
    sift_up(k, rank);
}

uint64_t queue_pop_heap(connector *k)
{
    const uint64_t top = k->heap[0], last = k->heap[--k->heap_count];
    size_t i = 0;
    for (;;) {
        size_t least = 4 * i + 1;
        if (least >= k->heap_count)
            break;
        const size_t end = least + 4 < k->heap_count ? least + 4 : k->heap_count;
        for (size_t child = least + 1; child < end; child++)
            if (k->heap[child] < k->heap[least])
                least = child;
        if (k->heap[least] >= last)
            break;
        k->heap[i] = k->heap[least];
        i = least;
    }
    k->heap[i] = last;
    return top;
}

void queue_advance(connector *k)
{
    /* Find the next bucket that has states. Behind the last bucket the search goes on with the
     * first one. */
    uint32_t word = k->bucket / 64;
    uint64_t bits = k->filled[word] >> (k->bucket % 64) << (k->bucket % 64);
    for (uint32_t i = 0; !bits && i <= BUCKETS / 64; i++) {
        word = (word + 1) % (BUCKETS / 64);
        bits = k->filled[word];
    }
    k->bucket = word * 64 + (uint32_t)__builtin_ctzll(bits);
    while (k->by_rank && queue_list_filled(k))
        sift_up(k, queue_pop_list(k));
}

enum { DETOURS_MAX = 8 };

static void clear_states(connector *k)
{
    memset(k->states, 0xff, SEARCH_STATES * sizeof *k->states);
    k->stamp = STAMP_MAX;
}

/* Makes the memory of the search of connect_field_kernel.h, and chooses the fastest version of
 * that search that this processor can run. NULL when memory is out. */
static field_search *field_search_new(generator *g)
{
    enum { LINE = 64 }; /* size of a cache line, in bytes */
    field_search *s = generator_memory(g, 1, sizeof *s);
    uint16_t *block = generator_memory(g, FIELD_CELLS * sizeof *block + LINE, 1);
    if (!s || !block)
        return NULL;
    s->kernel = CPU_IF(CPU_AVX2, field_search_avx2, field_search_base);
    s->cells = block + (LINE - (uintptr_t)block % LINE) / sizeof *block;
    return s;
}

static void make_connector(generator *g)
{
    connector *k = g->connector = generator_memory(g, 1, sizeof *k);
    if (!k)
        return;
    k->states = generator_memory(g, SEARCH_STATES, sizeof *k->states);
    k->path = generator_memory(g, CELLS, sizeof *k->path);
    k->queue = generator_memory(g, CELLS, sizeof *k->queue);
    k->labels = generator_memory(g, CELLS, sizeof *k->labels);
    k->goals = generator_memory(g, CELLS, sizeof *k->goals);
    k->field = field_search_new(g);
    for (size_t i = 0; i < VIEWS; i++) {
        connect_view *v = &k->views[i];
        v->seen = generator_memory(g, CELLS, sizeof *v->seen);
        /* The grid is read in whole vectors, so it gets some room beyond its last cell. */
        v->grid = generator_memory(g, CELLS + STALE_COLUMNS, sizeof *v->grid);
        v->far = generator_memory(g, SIZE, FAR_WIDTH);
        v->omts = generator_memory(g, SIZE, FAR_WIDTH);
    }
    if (g->failed)
        return;
    clear_states(k);
    k->view = &k->views[0];
    k->linked = CONNECT_NO_LEVEL;
}

/* ---- the search ---- */
typedef struct search {
    generator *g;
    connector *k;
    const path_task *task;
    const compiled_connection *c;
    int32_t goal_x, goal_y, goal_far;
    /* How much more the cheapest new OMT of a path costs than an OMT that has the connection
     * already. */
    int32_t extra;
    bool plain; /* whether the search of connect_field_kernel.h may be used */
    /* True if there are several goals. Then the estimate of the rest of a path's cost is 0,
     * unless the goals are all OMTs of the connection. */
    bool any;
    const ptl_oter *cells;
    ring_costs rings;
} search;

/* Returns the least number of turns from a cell to the goal on open ground, if the path entered
 * the cell in this direction. The goal lies (dx, dy) from the cell. */
static uint32_t turns_left(int32_t dx, int32_t dy, int direction)
{
    if (dx == 0 && dy == 0)
        return 0;
    int32_t along = direction & 1 ? dx * step_x(direction) : dy * step_y(direction);
    int32_t beside = direction & 1 ? dy : dx;
    return along < 0 ? 2 : along > 0 ? beside != 0 : 1;
}

/* Returns how many columns (or rows) without an OMT of the connection are entered on the way
 * from column (or row) `from` to `to`. */
static inline int32_t between(const int16_t *bare, int32_t from, int32_t to)
{
    return to > from ? bare[to + 1] - bare[from + 1] : bare[from] - bare[to];
}

/* Returns the estimate of the cost of a path from the cell (x, y) to the goal: a lower bound.
 */
static inline uint32_t estimate(const search *s, int32_t x, int32_t y)
{
    const connector *k = s->k;
    if (s->any) {
        if (!s->task->nearest)
            return 0;
        const int32_t far = k->view->far[y * FAR_WIDTH + x],
                      lines = k->view->to_column[x] + k->view->to_row[y];
        const int32_t near = far > lines ? far : lines;
        return near > 0 ? (uint32_t)((near - 1) * s->c->cheapest + 1) : 0;
    }
    const int32_t m = abs(s->goal_x - x) + abs(s->goal_y - y);
    const int32_t far = k->view->far[y * FAR_WIDTH + x];
    const int32_t apart = s->goal_far + (far > 0 ? far - 1 : 0), most = apart < m ? apart : m;
    const int32_t bare = between(k->view->bare_columns, x, s->goal_x) +
                         between(k->view->bare_rows, y, s->goal_y);
    return (uint32_t)(m + s->extra * (bare > most ? bare : most) +
                      s->rings.cost[m < s->rings.count ? m : s->rings.count]);
}

/* Returns, as bits, the directions in which the search may go on from a state that was entered
 * in the direction `came`. From the path's start it may go on in the directions that the
 * search's task allows. `here` has the bits STEP_* of the state's cell. */
static uint32_t ways_out(const search *s, int came, uint32_t here)
{
    const int first = s->task->first;
    if (came == START_CAME && s->task->nearest)
        return first == CONNECT_ANY ? 15 : 15 & ~(1u << opposite(first));
    if (came == START_CAME)
        return first == CONNECT_ANY ? 15 : 1u << first;
    return here & STEP_RIGID ? 1u << came : 15 & ~(1u << opposite(came));
}

/* The state whose next steps the search is looking at. */
typedef struct leaving {
    /* What the search knows of a state is kept in one number, the state's word (see
     * WORD_PRICE). This is the part that is common to the words of all next states: the cost
     * and the number of turns of the path up to this state, and this state's layer. The step to
     * a next state adds the rest. */
    uint64_t paid;
    int32_t cell, x, y;
    uint32_t ways;
    /* The direction of a step that would go straight on from this state, so that it is no turn;
     * CONNECT_ANY: turns do not count. */
    int straight;
} leaving;

/* Lets the search step from the state `at` in direction d, if a path may step there, and stores
 * what that finds. `ranked` tells whether turns count, see connect_queue.h. `d` and `ranked`
 * are constants wherever this function is inlined. */
static inline void take_way(search *s, const leaving *at, int d, bool ranked)
{
    connector *k = s->k;
    const int32_t next = at->cell + STEP_DELTA[d];
    if (!(at->ways >> d & 1))
        return;
    const uint32_t step = k->view->grid[next];
    if (!(step >> STEP_ENTER_SHIFT >> d & 1))
        return;
    const int32_t layered = next + (step & (STEP_RIGID | STEP_TURN_COUNTS) ? d * LAYER : 0);
    uint64_t word =
        at->paid + ((uint64_t)(step & STEP_COST) << WORD_COST) + ((uint64_t)d << WORD_CAME);
    if (ranked && at->straight != CONNECT_ANY && at->straight != d)
        word += UINT64_C(1) << WORD_TURNS;
    if (k->states[layered] >> WORD_PRICE <= word >> WORD_PRICE)
        return;
    k->states[layered] = word;
    const int32_t x = at->x + step_x(d), y = at->y + step_y(d);
    const uint32_t rest = estimate(s, x, y);
    const uint32_t cost = rest + (uint32_t)(word >> WORD_COST & ((1u << COST_BITS) - 1));
    if (!ranked) {
        queue_push(k, cost, (uint64_t)layered);
        return;
    }
    uint32_t turns = (uint32_t)(word >> WORD_TURNS & ((1u << TURN_BITS) - 1));
    if (s->c->all_turns_count && !s->any)
        turns += turns_left(s->goal_x - x, s->goal_y - y, d);
    queue_push_ranked(k, cost, queue_rank(turns, rest, (uint32_t)layered));
}

static inline void take_ways(search *s, const leaving *at, bool ranked)
{
    take_way(s, at, 0, ranked);
    take_way(s, at, 1, ranked);
    take_way(s, at, 2, ranked);
    take_way(s, at, 3, ranked);
}

/* Takes all steps that are possible from a state. */
static void expand(search *s, uint32_t index, uint64_t word)
{
    const uint32_t layer = index / LAYER;
    const int32_t cell = (int32_t)(index % LAYER);
    const uint32_t here = s->k->view->grid[cell];
    const int came = word >> WORD_CAME & 7;
    const bool counts = came != START_CAME && here & STEP_TURN_COUNTS;
    const leaving at = {.paid = word >> WORD_PRICE << WORD_PRICE | layer,
                        .cell = cell,
                        .x = cell % SIZE,
                        .y = cell / SIZE,
                        .ways = ways_out(s, came, here),
                        .straight = counts ? came : CONNECT_ANY};
    if (s->k->by_rank)
        take_ways(s, &at, true);
    else
        take_ways(s, &at, false);
}

/* For each ring around the goal that does not contain the start (a ring has all cells at one
 * distance from the goal), finds the least cost of entering a cell of it. Returns false if no
 * cell of some ring can be entered, so that there is no path. */
static bool measure_rings(search *s)
{
    const int32_t from = s->task->from, x = from % SIZE, y = from / SIZE;
    const int32_t m = abs(s->goal_x - x) + abs(s->goal_y - y);
    s->rings.count = 0;
    for (int32_t r = 0; !s->any && r < m && r < s->goal_far && r < RINGS_MAX; r++) {
        /* The least cost of entering any cell at distance r from the goal. */
        int32_t least = INT32_MAX;
        for (int32_t i = -r; i <= r; i++)
            for (int side = -1; side <= 1; side += 2) {
                const int32_t cx = s->goal_x + i, cy = s->goal_y + side * (r - abs(i));
                const uint32_t step = inside(cx, cy) ? s->k->view->grid[cy * SIZE + cx] : 0;
                const int32_t cost = (int32_t)(step & STEP_COST);
                if (step && cost < least)
                    least = cost;
            }
        if (least == INT32_MAX)
            return false;
        s->rings.cost[++s->rings.count] = s->rings.cost[r] + least - s->c->cheapest;
    }
    return true;
}

static bool is_goal(const search *s, uint32_t index)
{
    size_t cell = index % LAYER;
    if (s->task->nearest) {
        const oter_class *class = &s->c->classes[s->cells[cell]];
        return s->k->view->grid[cell] && class->has && class->end;
    }
    return s->task->to < 0 ? s->k->goals[cell] : cell == (size_t)s->task->to;
}

static uint32_t state_before(uint32_t index, uint64_t word)
{
    return (uint32_t)((int32_t)(word & 3) * LAYER + (int32_t)(index % LAYER) -
                      STEP_DELTA[word >> WORD_CAME & 3]);
}

/* Writes the path that ends in this state to k->path. False if the path has more nodes than a
 * level has cells. */
static bool trace(connector *k, uint32_t index)
{
    size_t count = 0;
    for (uint32_t s = index; (k->states[s] >> WORD_CAME & 7) != START_CAME; count++) {
        if (count == CELLS)
            return false;
        s = state_before(s, k->states[s]);
    }
    if (count == CELLS)
        return false;
    k->path_count = count + 1;
    int8_t direction = CONNECT_ANY;
    for (uint32_t s = index, i = (uint32_t)count;; i--) {
        const int32_t cell = (int32_t)(s % LAYER);
        k->path[i] = (path_node){(int16_t)(cell % SIZE), (int16_t)(cell / SIZE), direction};
        if (i == 0)
            return true;
        direction = (int8_t)(k->states[s] >> WORD_CAME & 3);
        s = state_before(s, k->states[s]);
    }
}

void connect_new_stamp(connector *k)
{
    if (k->stamp == 0)
        clear_states(k);
    k->stamp--;
}

/* Runs the A* search from the start until a goal is taken from the queue. False if there is no
 * path, or memory is out. */
static bool run(search *s)
{
    connector *k = s->k;
    connect_new_stamp(k);
    const int32_t from = s->task->from, x = from % SIZE, y = from / SIZE;
    queue_reset(k, estimate(s, x, y), s->c->turns_count);
    if (!queue_has_room(k, 1) && !queue_grow(s->g))
        return false;
    k->states[from] = (uint64_t)k->stamp << WORD_STAMP | START_CAME << WORD_CAME;
    queue_push(k, estimate(s, x, y), (uint64_t)from);
    uint32_t index;
    while (queue_pop(k, &index)) {
        const uint64_t at = k->states[index];
        if (at >> WORD_CLOSED & 1)
            continue;
        k->states[index] = at | 1u << WORD_CLOSED;
        if (is_goal(s, index))
            return trace(k, index);
        if (!queue_has_room(k, 4) && !queue_grow(s->g))
            return false;
        expand(s, index, at);
    }
    return false;
}

static bool find(search *s)
{
    if (s->plain) {
        const field_result result = s->k->field->kernel(s->g, s->task);
        if (result != FIELD_TOO_DEAR)
            return result == FIELD_FOUND;
    }
    connect_measure(s->k->view);
    s->goal_far = s->k->view->far[s->goal_y * FAR_WIDTH + s->goal_x];
    return measure_rings(s) && run(s);
}

/* Checks whether the path crosses itself, which it can do on a cell where it must not turn,
 * such as a bridge over water. If so, returns true and closes this cell in the connect_view,
 * for the direction in which the path passes it the second time. */
static bool forbid_crossing(connector *k)
{
    connect_new_stamp(k);
    for (size_t i = 0; i < k->path_count; i++) {
        const int32_t cell = k->path[i].y * SIZE + k->path[i].x;
        if (!(k->view->grid[cell] & STEP_RIGID))
            continue; /* on this cell a path may turn, so a cheapest path never comes here
                       * twice: turning would be shorter */
        if (k->states[cell] >> WORD_STAMP == k->stamp) {
            const uint32_t axis = (uint32_t)axis_of(k->path[i].direction);
            connect_set_step(k->view, cell, k->view->grid[cell] & ~(axis << STEP_ENTER_SHIFT));
            return true;
        }
        k->states[cell] = (uint64_t)k->stamp << WORD_STAMP;
    }
    return false;
}

/* During the search connect_view.grid has 0 for the start, so that the path does not enter it
 * again. For the goal it has bits STEP_*, even if the goal is an exit on the border ring. The
 * goal can be entered only in the direction task->last. */
bool connect_search(generator *g, const path_task *task, const ptl_oter *cells)
{
    connector *k = g->connector;
    if (task->to >= 0 && connect_is_greedy(g) && connect_greedy(g, task, cells))
        return true;
    search s = {.g = g, .k = k, .task = task, .c = compiled(g, task->connection)};
    s.cells = cells;
    const int32_t from = task->from, to = task->to < 0 ? from : task->to;
    const uint32_t saved[2] = {k->view->grid[from], k->view->grid[to]};
    const uint32_t enter = task->last == CONNECT_ANY ? 15 : 1u << task->last;
    const uint32_t step = connect_class(g, task->connection, cells[to]).step;
    connect_set_step(k->view, to, step & ~((15 & ~enter) << STEP_ENTER_SHIFT));
    connect_set_step(k->view, from, 0);
    s.goal_x = to % SIZE;
    s.goal_y = to / SIZE;
    s.extra = s.c->cheapest - 1;
    s.any = task->to < 0;
    /* For a path to the nearest OMT turns are not counted, because to find one with the fewest
     * turns would take three times as long. */
    s.plain = task->nearest || (!s.any && !s.c->all_turns_count);
    bool found = find(&s);
    for (int i = 0; found && forbid_crossing(k); i++) {
        k->view->valid = false;
        found = i < DETOURS_MAX && find(&s);
    }
    connect_set_step(k->view, to, saved[1]);
    connect_set_step(k->view, from, saved[0]);
    return found;
}

/* ---- as a part of a generator ---- */

static void drop_connector(generator *g)
{
    if (!g->connector)
        return;
    free(g->connector->entries);
    free(g->connector->heap);
}

static void reset_connector(generator *g)
{
    connect_drop_views(g->connector);
}

const gen_part connector_part = {make_connector, drop_connector, reset_connector};
