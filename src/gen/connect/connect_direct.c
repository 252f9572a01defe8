/*
 * Links a point to the nearest OMT of a connection without a search. The connection's OMTs at
 * the least Manhattan distance from the point are the goals. If a goal can be reached without a
 * detour, over cells of the least cost only, no path can cost less. If the connection wanders,
 * a path in stairs as in connect_wander.h is tried for each goal first. Then straight paths are
 * tried, then paths with one corner, then paths with two. Within each kind the goals come row
 * by row. For each goal, paths that begin along x are tried before those that begin along y,
 * and first corners near the point before those that are farther away.
 */
#include "gen/connect/connect_wander.h"

#include <stdlib.h>

typedef struct direct {
    const generator *g;
    connector *k;
    const compiled_connection *c;
    const ptl_oter *cells;
    const path_task *task;
    int32_t x, y;
    /* The OMTs of the connection to which the point may be linked (goals): x and y of each,
     * counted from the point. */
    int16_t goals[2 * SIZE][2];
    size_t goal_count;
} direct;

static bool is_end(const direct *s, int32_t cell)
{
    const oter_class *class = &s->c->classes[s->cells[cell]];
    return s->k->view->grid[cell] && class->has && class->end;
}

/* Have the next `steps` cells in this direction the least cost, and can they be entered in this
 * direction? With `bend`, a path must also be able to turn on the last of them. */
static bool runs(const direct *s, int32_t cell, int direction, int32_t steps, bool bend)
{
    const uint32_t *grid = s->k->view->grid;
    uint32_t step = 0;
    for (int32_t i = 0; i < steps; i++) {
        cell += STEP_DELTA[direction];
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

static bool enters(const direct *s, int32_t goal, int direction)
{
    return s->k->view->grid[goal] >> STEP_ENTER_SHIFT >> direction & 1;
}

/* Tries a path of three straight legs: `turn` cells along one axis, then all the way along the
 * other axis, then the rest along the first axis. A leg may be empty. Writes the path to
 * connector.path if it is possible. */
static bool try_way(direct *s, int32_t dx, int32_t dy, bool x_first, int32_t turn)
{
    const int along_x = dx > 0 ? 1 : 3, along_y = dy > 0 ? 2 : 0;
    const int first = x_first ? along_x : along_y;
    const int direction[3] = {first, x_first ? along_y : along_x, first};
    const int32_t across = abs(dx), down = abs(dy);
    const int32_t length[3] = {turn, x_first ? down : across, (x_first ? across : down) - turn};
    const int last = length[2] > 0 ? 2 : length[1] > 0 ? 1 : 0;
    const int32_t start = s->y * SIZE + s->x, goal = start + dy * SIZE + dx;
    int32_t cell = start;
    if (!may_begin(s, first) || !enters(s, goal, direction[last]))
        return false;
    for (int leg = 0; leg <= last; cell += length[leg] * STEP_DELTA[direction[leg]], leg++)
        if (!runs(s, cell, direction[leg], length[leg] - (leg == last), leg < last))
            return false;
    connector *k = s->k;
    k->path_count = 0;
    cell = start;
    for (int leg = 0; leg <= last; leg++)
        for (int32_t i = 0; i < length[leg]; i++, cell += STEP_DELTA[direction[leg]])
            k->path[k->path_count++] = (path_node){
                (int16_t)(cell % SIZE), (int16_t)(cell / SIZE), (int8_t)direction[leg]};
    k->path[k->path_count++] =
        (path_node){(int16_t)(goal % SIZE), (int16_t)(goal / SIZE), CONNECT_ANY};
    return true;
}

/* Tries paths of `legs` straight legs, 1 to 3, from the point to the goal that lies (dx, dy)
 * from it. */
static bool try_goal(direct *s, int32_t dx, int32_t dy, int legs)
{
    if ((dx == 0 || dy == 0) != (legs == 1))
        return false;
    for (int axis = 0; axis < 2; axis++) {
        const int32_t all = axis == 0 ? abs(dx) : abs(dy);
        for (int32_t turn = legs == 3 ? 1 : all; turn > 0 && turn < all + (legs < 3); turn++)
            if (try_way(s, dx, dy, axis == 0, turn))
                return true;
    }
    return false;
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

/* Returns the Manhattan distance to the nearest OMT of the connection. The distance is read
 * from connect_view.far; if `far` can't hold so great a distance, the rows are searched. */
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

/* May a path of the cheapest possible cost leave this cell in this direction? If the cell is
 * the start `from`, the path must be allowed to begin in the direction. Any other cell must
 * have the least cost and allow turns. */
static bool goes_over(const direct *s, int32_t cell, int32_t from, int direction)
{
    const uint32_t step = s->k->view->grid[cell];
    if (cell == from)
        return may_begin(s, direction);
    return step && (int32_t)(step & STEP_COST) == s->c->cheapest && !(step & STEP_RIGID);
}

/* A path in stairs alternates between steps along x and steps along y. Returns the direction of
 * the step by which such a path comes to the cell; CONNECT_ANY if it could come only by a
 * detour. */
static int stairs_step(const direct *s, int32_t cell, int32_t from, int after)
{
    int order[4];
    connect_order(order, s->k->wander, cell, from, after);
    for (int i = 0; i < 2; i++) {
        const int d = order[i];
        const bool there = d & 1 ? cell % SIZE == from % SIZE : cell / SIZE == from / SIZE;
        if (!there && s->k->view->grid[cell] >> STEP_ENTER_SHIFT >> d & 1 &&
            goes_over(s, cell - STEP_DELTA[d], from, d))
            return d;
    }
    return CONNECT_ANY;
}

/* Writes a path in stairs (steps along x and along y by turns) to connector.path, backwards
 * from the goal, as the search of connect_field_kernel.h does. False if there is no such path.
 */
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
        cell -= STEP_DELTA[after];
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
    /* Find all goals: OMTs of the connection at this distance from the point, at most two in
     * each row. */
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
            if (try_goal(&s, s.goals[i][0], s.goals[i][1], legs))
                return true;
    return false;
}
