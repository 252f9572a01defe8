/*
 * Links without a search. Consider the OMTs nearest to a point by Manhattan distance. If one
 * can be reached without a detour, over nothing but the cheapest ground, the path costs no
 * more than the estimate of the search. No path can cost less, so it is a cheapest one. If the
 * connection wanders, stairs as in connect_wander.h are tried first. Then come straight paths,
 * paths around one corner, and paths around two. Each kind is tried for the OMTs in order
 * (row by row), along x before y, with the first corner as near as possible.
 */
#include "gen/connect/connect_wander.h"

#include <string.h>

static const int32_t DELTA[4] = {-SIZE, 1, SIZE, -1};

typedef struct direct {
    const generator *g;
    connector *k;
    const compiled_connection *c;
    const ptl_oter *cells;
    const path_task *task;
    int32_t x, y;
    int16_t goals[2 * SIZE][2]; /* nearest OMTs at which a path may end, from the point */
    size_t goal_count;
    /* The best path so far, as directions and lengths; legs is 0 if there is none. */
    int legs, direction[3];
    int32_t length[3];
} direct;

static bool is_end(const direct *s, int32_t cell)
{
    const oter_class *class = &s->c->classes[s->cells[cell]];
    return s->k->view->grid[cell] && class->has && class->end;
}

/* Does the path lead over `steps` cells of the cheapest ground? With `bend`, it must also be
 * able to turn on the last one. */
static bool runs(const direct *s, int32_t cell, int direction, int32_t steps, bool bend)
{
    const uint32_t *grid = s->k->view->grid;
    uint32_t step = 0;
    for (int32_t i = 0; i < steps; i++) {
        cell += DELTA[direction];
        step = grid[cell];
        if (!(step >> STEP_ENTER_SHIFT >> direction & 1) ||
            (int32_t)(step & STEP_COST) != s->c->cheapest)
            return false;
    }
    return !bend || !(step & STEP_RIGID);
}

static bool may_begin(const direct *s, int direction)
{
    const int first = s->task->first;
    return first == CONNECT_ANY || direction != opposite(first);
}

/* A way to a goal with one corner: `a` cells in the first direction, then `b` in the
 * second. */
typedef struct ell {
    int first, second;
    int32_t a, b;
} ell;

static ell ell_to(int32_t dx, int32_t dy, bool x_first)
{
    const int along_x = dx > 0 ? 1 : 3, along_y = dy > 0 ? 2 : 0;
    const int32_t across = dx < 0 ? -dx : dx, down = dy < 0 ? -dy : dy;
    return x_first ? (ell){along_x, along_y, across, down}
                   : (ell){along_y, along_x, down, across};
}

static bool keep(direct *s, int legs, const int direction[3], const int32_t length[3])
{
    s->legs = legs;
    memcpy(s->direction, direction, sizeof s->direction);
    memcpy(s->length, length, sizeof s->length);
    return true;
}

static bool enters(const direct *s, int32_t goal, int direction)
{
    return s->k->view->grid[goal] >> STEP_ENTER_SHIFT >> direction & 1;
}

/* Tries a path first along one axis, then along the other, onto the goal. */
static bool try_ell(direct *s, int32_t dx, int32_t dy, bool x_first)
{
    const ell w = ell_to(dx, dy, x_first);
    const int32_t start = s->y * SIZE + s->x, goal = start + dy * SIZE + dx;
    const int last = w.b > 0 ? w.second : w.first;
    if (w.a == 0 || !may_begin(s, w.first) || !enters(s, goal, last) ||
        !runs(s, start, w.first, w.b > 0 ? w.a : w.a - 1, w.b > 0))
        return false;
    if (w.b > 0 && !runs(s, start + w.a * DELTA[w.first], w.second, w.b - 1, false))
        return false;
    return keep(s, w.b > 0 ? 2 : 1, (const int[3]){w.first, w.second, 0},
                (const int32_t[3]){w.a, w.b, 0});
}

/* Tries a path with two corners: part of the way along one axis, all the way along the other,
 * then the rest of the first. */
static bool try_zed(direct *s, int32_t dx, int32_t dy, bool x_first)
{
    const ell w = ell_to(dx, dy, x_first);
    const int32_t start = s->y * SIZE + s->x, goal = start + dy * SIZE + dx;
    if (w.a < 2 || w.b == 0 || !may_begin(s, w.first) || !enters(s, goal, w.first))
        return false;
    for (int32_t i = 1; i < w.a; i++) {
        const int32_t before = start + (i - 1) * DELTA[w.first];
        const int32_t corner = before + DELTA[w.first];
        if (!runs(s, before, w.first, 1, false))
            return false;
        if (runs(s, before, w.first, 1, true) && runs(s, corner, w.second, w.b, true) &&
            runs(s, corner + w.b * DELTA[w.second], w.first, w.a - i - 1, false))
            return keep(s, 3, (const int[3]){w.first, w.second, w.first},
                        (const int32_t[3]){i, w.b, w.a - i});
    }
    return false;
}

/* Tries paths with this number of legs; one leg is a straight path. */
static bool try_goal(direct *s, int32_t dx, int32_t dy, int legs)
{
    const bool straight = dx == 0 || dy == 0;
    if (straight != (legs == 1))
        return false;
    if (legs == 3)
        return try_zed(s, dx, dy, true) || try_zed(s, dx, dy, false);
    return try_ell(s, dx, dy, true) || try_ell(s, dx, dy, false);
}

static void add_goal(direct *s, int32_t dx, int32_t dy)
{
    const int32_t x = s->x + dx, y = s->y + dy;
    if (x < 0 || x >= SIZE || s->k->view->omts[y * FAR_WIDTH + x] != 0 ||
        !is_end(s, y * SIZE + x))
        return;
    s->goals[s->goal_count][0] = (int16_t)dx;
    s->goals[s->goal_count++][1] = (int16_t)dy;
}

/* Returns the distance to the nearest OMT: from the view's `far`, or row by row beyond its
 * reach. */
static int32_t nearest_distance(const connector *k, int32_t x, int32_t y)
{
    int32_t least = k->view->far[y * FAR_WIDTH + x];
    if (least < FAR_MAX)
        return least;
    least = 2 * SIZE;
    for (int32_t row = 0; row < SIZE; row++) {
        const int32_t down = row < y ? y - row : row - y;
        const uint8_t *omts = &k->view->omts[row * FAR_WIDTH];
        for (int32_t dx = 0; k->view->row_has[row] && down + dx < least; dx++)
            if ((x >= dx && omts[x - dx] == 0) || (x + dx < SIZE && omts[x + dx] == 0))
                least = down + dx;
    }
    return least;
}

static void write_path(direct *s)
{
    connector *k = s->k;
    int32_t x = s->x, y = s->y;
    size_t count = 0;
    for (int leg = 0; leg < s->legs; leg++) {
        const int d = s->direction[leg];
        for (int32_t i = 0; i < s->length[leg]; i++) {
            k->path[count++] = (path_node){(int16_t)x, (int16_t)y, (int8_t)d};
            x += step_x(d);
            y += step_y(d);
        }
    }
    k->path[count++] = (path_node){(int16_t)x, (int16_t)y, CONNECT_ANY};
    k->path_count = count;
}

/* May the path begin with this cell, or pass it, leaving it in this direction? */
static bool goes_over(const direct *s, int32_t cell, int32_t from, int direction)
{
    const uint32_t step = s->k->view->grid[cell];
    if (cell == from)
        return may_begin(s, direction);
    return step && (int32_t)(step & STEP_COST) == s->c->cheapest && !(step & STEP_RIGID);
}

/* Returns the direction of the step onto the cell; CONNECT_ANY if it would be a detour. */
static int stairs_step(const direct *s, int32_t cell, int32_t from, int after)
{
    int order[4];
    connect_order(order, s->k->wander, cell, from, after);
    for (int i = 0; i < 2; i++) {
        const int d = order[i];
        const bool there = d & 1 ? cell % SIZE == from % SIZE : cell / SIZE == from / SIZE;
        if (!there && s->k->view->grid[cell] >> STEP_ENTER_SHIFT >> d & 1 &&
            goes_over(s, cell - DELTA[d], from, d))
            return d;
    }
    return CONNECT_ANY;
}

/* Writes the path in stairs, backwards from the goal, as the search does. False if there is
 * none. */
static bool write_stairs(direct *s, int32_t dx, int32_t dy)
{
    connector *k = s->k;
    const int32_t from = s->y * SIZE + s->x, goal = from + dy * SIZE + dx;
    const size_t count = (size_t)((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) + 1;
    int32_t cell = goal;
    int8_t after = CONNECT_ANY;
    for (size_t i = count; i-- > 0;) {
        k->path[i] = (path_node){(int16_t)(cell % SIZE), (int16_t)(cell / SIZE), after};
        if (i == 0)
            break;
        after = (int8_t)stairs_step(s, cell, from, after);
        if (after == CONNECT_ANY)
            return false;
        cell -= DELTA[after];
    }
    k->path_count = count;
    return true;
}

bool connect_direct(generator *g, const path_task *task, const ptl_oter *cells)
{
    connector *k = g->connector;
    direct s;
    s.g = g;
    s.k = k;
    s.c = compiled(g, task->connection);
    s.cells = cells;
    s.task = task;
    s.x = task->from % SIZE;
    s.y = task->from / SIZE;
    const int32_t distance = nearest_distance(k, s.x, s.y);
    if (distance == 0 || distance >= 2 * SIZE)
        return false;
    /* Find all OMTs at this distance, at most two in each row. */
    const int32_t first = s.y > distance ? s.y - distance : 0;
    const int32_t last = s.y + distance < SIZE ? s.y + distance : SIZE - 1;
    s.goal_count = 0;
    for (int32_t y = first; y <= last; y++) {
        const int32_t dy = y - s.y, dx = distance - (dy < 0 ? -dy : dy);
        if (!s.k->view->row_has[y])
            continue;
        add_goal(&s, -dx, dy);
        if (dx > 0)
            add_goal(&s, dx, dy);
    }
    for (size_t i = 0; s.c->wanders && i < s.goal_count; i++)
        if (write_stairs(&s, s.goals[i][0], s.goals[i][1]))
            return true;
    for (int legs = 1; legs <= 3; legs++)
        for (size_t i = 0; i < s.goal_count; i++)
            if (try_goal(&s, s.goals[i][0], s.goals[i][1], legs)) {
                write_path(&s);
                return true;
            }
    return false;
}
