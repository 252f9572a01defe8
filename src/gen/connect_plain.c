/*
 * The search where turns don't count, between two points or for the nearest tile: the A* of
 * connect_path.c with its estimate and the same order (of those with one key the newest first),
 * so that both find the same path; but with as little work for a state as can be. A label is a
 * word of 32 bits. There are no stamps: labels that were written are wiped after the search. No
 * state is marked as closed: since the estimate is consistent, one that comes up again has
 * nothing to offer. Which neighbours get a better label is found without branches, since nobody
 * could foretell them.
 *
 * Where the search has to go round a lake it sees most of the chunk, whatever the estimate: it
 * was tried from both ends at once, which saw no fewer states.
 */
#include "gen/connect_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    LABEL_COST = 2,      /* a shift; below it is the direction into the state */
    LISTS = 2048,        /* more than a key rises: by a step, and the change of the estimate,
                          * which are at most PLAIN_DEAREST each */
    ENTRIES = 4 * CELLS, /* a state gets a better label at most once for each way into it */
    NO_ENTRY = -1
};
#define UNSEEN UINT32_MAX

static const int32_t DELTA[4] = {-SIZE, 1, SIZE, -1};

typedef struct plain_entry {
    int32_t state, older; /* the next one of its list */
} plain_entry;

/* States: free cells, and (1 + direction) * LAYER + cell where a rigid one is passed. */
struct plain_search {
    uint32_t *labels;
    plain_entry *entries;
    int32_t count;
    /* towards the goal: distance, and bare ones << 16 */
    int32_t columns[SIZE], rows[SIZE];
    int32_t newest[LISTS];
};

plain_search *plain_search_new(void)
{
    plain_search *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->labels = malloc(5 * LAYER * sizeof *s->labels);
    s->entries = malloc(ENTRIES * sizeof *s->entries);
    if (!s->labels || !s->entries) {
        plain_search_free(s);
        return NULL;
    }
    memset(s->labels, 0xff, 5 * LAYER * sizeof *s->labels);
    memset(s->newest, 0xff, sizeof s->newest);
    return s;
}

void plain_search_free(plain_search *s)
{
    if (!s)
        return;
    free(s->labels);
    free(s->entries);
    free(s);
}

/* ---- the estimate ---- */

/* Of each column or row: the way to one of them, and the bare ones that are entered on it. */
static void measure_lines(int32_t *out, const int16_t *bare, int32_t to)
{
    for (int32_t i = 0; i <= to; i++)
        out[i] = to - i + (bare[to + 1] - bare[i + 1]) * 65536;
    for (int32_t i = to + 1; i < SIZE; i++)
        out[i] = i - to + (bare[i] - bare[to]) * 65536;
}

/* What the search works with, as a local variable: stores into arrays can't change it. */
typedef struct plain_view {
    const uint32_t *grid;
    const uint8_t *far;
    uint32_t *labels;
    plain_entry *entries;
    const int32_t *columns, *rows, *rings_cost;
    int32_t *newest;
    int32_t extra, goal_far, rings, rings_total;
    int32_t count, popped, key;
    const oter_class *classes; /* of a search for the nearest tile, else NULL */
    const ptl_oter *cells;
} plain_view;

static inline int32_t estimate(const plain_view *v, int32_t x, int32_t y)
{
    const int32_t sum = v->columns[x] + v->rows[y], distance = sum & 0xffff, bare = sum >> 16;
    const int32_t far = v->far[y * FAR_WIDTH + x];
    if (v->classes) {
        const int32_t near = far > sum ? far : sum;
        return near > 0 ? (near - 1) * (v->extra + 1) + 1 : 0;
    }
    const int32_t apart = v->goal_far + far - (far > 0);
    const int32_t most = apart < distance ? apart : distance;
    const int32_t rings = distance < v->rings ? v->rings_cost[distance] : v->rings_total;
    return distance + v->extra * (bare > most ? bare : most) + rings;
}

/* ---- the queue ---- */

static inline void push(plain_view *v, int32_t key, int32_t state)
{
    const uint32_t list = (uint32_t)key % LISTS;
    v->entries[v->count] = (plain_entry){state, v->newest[list]};
    v->newest[list] = v->count++;
}

/* Of those with the least key the newest; the queue is not empty. */
static inline int32_t pop(plain_view *v)
{
    uint32_t list = (uint32_t)v->key % LISTS;
    while (v->newest[list] == NO_ENTRY)
        list = (uint32_t)++v->key % LISTS;
    const plain_entry entry = v->entries[v->newest[list]];
    v->newest[list] = entry.older;
    v->popped++;
    return entry.state;
}

/* ---- the search ---- */

/* May the next cell be entered, and is that a better way to it? The label of a free cell is
 * that of its state; that of a rigid one is never written, and take() has to find out. */
static inline uint32_t is_better(const plain_view *v, int32_t next, uint32_t cost)
{
    const uint32_t step = v->grid[next];
    return (v->labels[next] >> LABEL_COST > cost + (step & STEP_COST)) & (step > 0);
}

/* Takes a direction of which is_better() says so; cost is up to the cell before. */
static inline void take(plain_view *v, int32_t cell, uint32_t cost, int d)
{
    const int32_t next = cell + DELTA[d];
    const uint32_t step = v->grid[next], sum = cost + (step & STEP_COST);
    int32_t state = next;
    if (step & STEP_RIGID) {
        state += (d + 1) * LAYER;
        if (!(step >> STEP_ENTER_SHIFT >> d & 1) || v->labels[state] >> LABEL_COST <= sum)
            return;
    }
    v->labels[state] = sum << LABEL_COST | (uint32_t)d;
    push(v, (int32_t)sum + estimate(v, next % SIZE, next / SIZE), state);
}

/* A free cell is left in all directions: what lies behind has a better label already. */
static inline void expand(plain_view *v, int32_t cell, uint32_t cost)
{
    uint32_t better = is_better(v, cell - SIZE, cost);
    better |= is_better(v, cell + 1, cost) << 1;
    better |= is_better(v, cell + SIZE, cost) << 2;
    better |= is_better(v, cell - 1, cost) << 3;
    if (better & 1)
        take(v, cell, cost, 0);
    if (better & 2)
        take(v, cell, cost, 1);
    if (better & 4)
        take(v, cell, cost, 2);
    if (better & 8)
        take(v, cell, cost, 3);
}

static void take_only(plain_view *v, int32_t cell, uint32_t cost, int d)
{
    if (is_better(v, cell + DELTA[d], cost))
        take(v, cell, cost, d);
}

/* A tile that the nearest may be; a cost of 1 is but theirs, and that of others, which stay. */
static bool ends_here(const plain_view *v, int32_t cell)
{
    if ((v->grid[cell] & STEP_COST) != 1)
        return false;
    const oter_class *class = &v->classes[v->cells[cell]];
    return class->has && class->end;
}

static bool may_begin(const path_task *task, int d)
{
    if (task->first == CONNECT_ANY)
        return true;
    return task->nearest ? d != opposite(task->first) : d == task->first;
}

/* The state of the goal; -1 where there is no way. */
static int32_t search(plain_search *s, plain_view v, const path_task *task)
{
    int32_t found = -1;
    v.key = estimate(&v, task->from % SIZE, task->from / SIZE);
    for (int d = 0; d < 4; d++)
        if (may_begin(task, d))
            take_only(&v, task->from, 0, d);
    while (found < 0 && v.popped < v.count && v.count <= ENTRIES - 4) {
        const int32_t state = pop(&v);
        const uint32_t cost = v.labels[state] >> LABEL_COST;
        if (state % LAYER == task->to || (v.classes && ends_here(&v, state % LAYER)))
            found = state;
        else if (state < LAYER)
            expand(&v, state, cost);
        else
            take_only(&v, state % LAYER, cost, state / LAYER - 1);
    }
    s->count = v.count;
    return found;
}

static int32_t state_before(const connector *k, int32_t state, int direction)
{
    const int32_t cell = state % LAYER - DELTA[direction];
    return k->grid[cell] & STEP_RIGID ? cell + (direction + 1) * LAYER : cell;
}

static int direction_into(const plain_search *s, int32_t state)
{
    return (int)(s->labels[state] & 3);
}

/* Writes the path that ends in the state. False if it is longer than there are cells. */
static bool trace(const plain_search *s, connector *k, const path_task *task, int32_t last)
{
    size_t count = 0;
    for (int32_t at = last; at % LAYER != task->from; count++) {
        if (count == CELLS - 1)
            return false;
        at = state_before(k, at, direction_into(s, at));
    }
    k->path_count = count + 1;
    int8_t direction = CONNECT_ANY;
    for (int32_t at = last;; count--) {
        const int32_t cell = at % LAYER;
        k->path[count] = (path_node){(int16_t)(cell % SIZE), (int16_t)(cell / SIZE), direction};
        if (count == 0)
            return true;
        direction = (int8_t)direction_into(s, at);
        at = state_before(k, at, direction);
    }
}

static void wipe(plain_search *s)
{
    for (int32_t i = 0; i < s->count; i++)
        s->labels[s->entries[i].state] = UNSEEN;
    memset(s->newest, 0xff, sizeof s->newest);
}

/* To where: the goal, or the nearest column and row with a tile. */
static void measure(plain_search *s, const connector *k, const path_task *task)
{
    for (int32_t i = 0; task->nearest && i < SIZE; i++) {
        s->columns[i] = k->to_column[i];
        s->rows[i] = k->to_row[i];
    }
    if (task->nearest)
        return;
    measure_lines(s->columns, k->bare_columns, task->to % SIZE);
    measure_lines(s->rows, k->bare_rows, task->to / SIZE);
}

bool connect_plain(generator *g, const path_task *task, const ptl_oter *cells,
                   const ring_costs *rings)
{
    connector *k = g->connector;
    plain_search *s = k->plain;
    const compiled_connection *c = compiled(g, task->connection);
    const int32_t to = task->nearest ? task->from : task->to;
    if (!task->nearest)
        k->grid[to] |= STEP_RIGID; /* not to be entered in every direction */
    measure(s, k, task);
    const plain_view view = {.grid = k->grid,
                             .far = k->far,
                             .labels = s->labels,
                             .entries = s->entries,
                             .columns = s->columns,
                             .rows = s->rows,
                             .rings_cost = rings->cost,
                             .newest = s->newest,
                             .extra = c->cheapest - 1,
                             .goal_far = k->far[to / SIZE * FAR_WIDTH + to % SIZE],
                             .rings = rings->count,
                             .rings_total = rings->cost[rings->count],
                             .classes = task->nearest ? c->classes : NULL,
                             .cells = cells};
    const int32_t last = search(s, view, task);
    const bool found = last >= 0 && trace(s, k, task, last);
    wipe(s);
    return found;
}
