/*
 * Laboratories. A level of a lab grows outwards from its core, and the farther a cell is from
 * the core, the less likely it becomes a cell of the lab. If no stairs lead down to this level
 * of the lab from the one above, stairs are added there. Then this level gets stairs to the
 * next level below, or, if it gets none, a finale. It may also get a depot of the subway, or
 * prison cells with a way out (the terrain lab_escape_cells).
 */
#include "gen/below/sublevels.h"

#include <string.h>

enum {
    REACH_MAX = 16, /* twice the largest size of a lab */
    SPAN = 2 * REACH_MAX + 1,
    /* The most stairs that are tried for one level. After each attempt, the chance that it was
     * the last one is 1 in 6. */
    STAIRS_MAX = 64,
    SPOT_TRIES = 15,
    OUTER_TRIES = 50,
    ESCAPE_LEVEL = -4
};

typedef struct lab {
    const sub_level *l;
    const sub_lab *t;
    int kind;
    int32_t x, y, size;
    rng random;
    /* Cells of the lab on this level, in the order in which they were added. */
    uint16_t cells[SPAN * SPAN];
    int32_t count;
} lab;

static ptl_oter at(const lab *b, int32_t x, int32_t y)
{
    return inside(x, y) ? b->l->cells[y * SIZE + x] : (ptl_oter)CAT_NONE;
}

/* Returns whether step sublevels made this cell the core of the lab or a plain OMT of it
 * (with the oter b->t->lab). Only these OMTs may become stairs, a finale or an entrance. */
static bool is_plain_part(const lab *b, int32_t x, int32_t y)
{
    const ptl_oter o = at(b, x, y);
    return (o == b->t->lab || o == b->t->core) && sub_own(b->l, x, y);
}

static int32_t distance(int32_t dx, int32_t dy)
{
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

/* Cells into which a level of a lab may grow next. They are tried column by column. If the lab
 * does not grow into a cell, the cell may be added again when the lab reaches another neighbour
 * of it. The lab only grows away from its core, so the growth ends. */
typedef struct candidates {
    bool wanted[SPAN * SPAN]; /* for each cell around the core, column by column: whether the
                               * lab may grow into it */
    int32_t first;            /* no element of `wanted` before this index is true */
} candidates;

static void want_around(lab *b, candidates *c, int32_t dx, int32_t dy)
{
    const int32_t here = distance(dx, dy);
    for (int d = 0; d < 4; d++) {
        const int32_t nx = dx + step_x(d), ny = dy + step_y(d), far = distance(nx, ny);
        if (far <= here || far > 2 * b->size || at(b, b->x + nx, b->y + ny) == b->t->lab)
            continue;
        const int32_t i = (nx + REACH_MAX) * SPAN + ny + REACH_MAX;
        c->wanted[i] = true;
        if (i < c->first)
            c->first = i;
    }
}

/* Makes stairs on the level above that lead down to this level of the lab, unless there are
 * some already. The stairs replace a random plain OMT of the lab on the level above, one with
 * an OMT of the lab below it. If there is none, they replace the core of the lab on the level
 * above. Only OMTs that this step wrote are replaced. */
static void add_way_up(lab *b)
{
    level *above = chunk_level(b->l->g->chunk, b->l->z + 1);
    const int32_t core = b->y * SIZE + b->x;
    int32_t chosen = -1, seen = 0;
    bool reached = !above->cells;
    for (int32_t i = 0; i < b->count && !reached; i++) {
        const ptl_oter o = above->cells[b->cells[i]];
        reached = o == b->t->stairs || b->l->content->kinds[o] == SUB_HIDDEN_STAIRS;
    }
    if (reached)
        return;
    for (int32_t i = 0; i < b->count; i++) {
        const uint16_t cell = b->cells[i];
        if (above->cells[cell] == b->t->lab && (b->l->s->marks[cell] & SUB_ABOVE) &&
            rng_below(&b->random, (uint64_t)++seen) == 0)
            chosen = cell;
    }
    if (chosen < 0 && above->cells[core] == b->t->core && (b->l->s->marks[core] & SUB_ABOVE))
        chosen = core;
    if (chosen >= 0)
        cell_set(b->l->g, above->cells, b->l->z + 1, chosen, b->t->stairs);
}

/* ---- stairs and finale ---- */
/* Returns a random cell near the core that is a plain OMT of the lab, one without a purpose
 * of its own; -1 if none was found. With for_stairs, the cell must not be the core, and the
 * cell below it must still have the default oter of the level below. */
static int32_t find_plain_part(lab *b, bool for_stairs)
{
    for (int32_t i = 0; i < SPOT_TRIES; i++) {
        const int32_t x = b->x + rng_range(&b->random, -b->size, b->size);
        const int32_t y = b->y + rng_range(&b->random, -b->size, b->size);
        if (!is_plain_part(b, x, y) || (for_stairs && at(b, x, y) == b->t->core))
            continue;
        const ptl_oter below = sub_below(b->l, x, y);
        if (!for_stairs ||
            (below != CAT_NONE && below == b->l->g->config->defaults[b->l->z - 1 - PTL_Z_MIN]))
            return y * SIZE + x;
    }
    return -1;
}

static int32_t add_stairs(lab *b)
{
    int32_t count = 0, rounds = 0;
    while (b->size > 0 && rounds < STAIRS_MAX && !rng_one_in(&b->random, 6)) {
        const int32_t cell = find_plain_part(b, true);
        rounds++;
        if (cell < 0)
            continue;
        sub_put(b->l, cell % SIZE, cell / SIZE, b->t->stairs);
        count++;
    }
    if (rounds == STAIRS_MAX)
        add_event(b->l->g, "too_many", b->x, b->y, b->l->z, "stairs of a laboratory");
    return count;
}

static void add_finale(lab *b)
{
    int32_t cell = find_plain_part(b, false);
    if (cell < 0 && is_plain_part(b, b->x, b->y))
        cell = b->y * SIZE + b->x;
    if (cell >= 0)
        sub_put(b->l, cell % SIZE, cell / SIZE, b->t->finale);
}

/* ---- what lies around ---- */
/* Returns the direction in which an OMT of the lab lies beside the cell; CONNECT_ANY if none or
 * more than one of the cell's four neighbours belongs to the lab. */
static int only_part(const lab *b, int32_t x, int32_t y)
{
    const sub_lab *t = b->t;
    int found = CONNECT_ANY, count = 0;
    for (int d = 0; d < 4; d++) {
        const ptl_oter o = at(b, x + step_x(d), y + step_y(d));
        if (o != CAT_NONE &&
            (o == t->lab || o == t->stairs || o == t->core || o == t->finale)) {
            found = d;
            count++;
        }
    }
    return count == 1 ? found : CONNECT_ANY;
}

static void outer_spot(lab *b, int32_t *x, int32_t *y)
{
    const int32_t reach = 3 * b->size / 2 + 1;
    *x = b->x + rng_range(&b->random, -reach, reach);
    *y = b->y + rng_range(&b->random, -reach, reach);
}

/* Adds a depot beside the lab, and a point of the subway beside the depot, on the side away
 * from the lab. */
static void add_depot(lab *b)
{
    const uint16_t subway = b->l->content->lines[SUB_SUBWAYS];
    if (b->t->depot == CAT_NONE || subway == CAT_NONE || b->l->train_odds == 0 ||
        !rng_one_in(&b->random, b->l->train_odds))
        return;
    for (int32_t i = 0; i < OUTER_TRIES; i++) {
        int32_t x, y;
        outer_spot(b, &x, &y);
        const int part = sub_free(b->l, x, y) ? only_part(b, x, y) : CONNECT_ANY;
        if (part == CONNECT_ANY)
            continue;
        const int32_t px = x - step_x(part), py = y - step_y(part);
        if (!sub_free(b->l, px, py) || !connect_turns(b->l->g, subway, at(b, px, py)))
            continue;
        sub_put(b->l, x, y, b->t->depot);
        sub_add_point(b->l, SUB_SUBWAYS,
                      (sub_point){(int16_t)px, (int16_t)py, (int8_t)part, 0, false});
        return;
    }
}

/* Adds the terrain lab_escape_cells just north of an OMT of the lab that has no purpose of
 * its own. That OMT becomes the entrance (the terrain `escape_entrance` of sub_content). */
static void add_escape(lab *b)
{
    const sub_content *r = b->l->content;
    if (r->escape_cells == CAT_NONE || r->escape_entrance == CAT_NONE)
        return;
    for (int32_t i = 0; i < OUTER_TRIES; i++) {
        int32_t x, y;
        outer_spot(b, &x, &y);
        if (!sub_free(b->l, x, y) || only_part(b, x, y) != 2 || at(b, x, y + 1) != b->t->lab ||
            !is_plain_part(b, x, y + 1))
            continue;
        sub_put(b->l, x, y, r->escape_cells);
        sub_put(b->l, x, y + 1, r->escape_entrance);
        return;
    }
}

void sub_lab_grow(const sub_level *l, int32_t x, int32_t y, int kind)
{
    static const char *const names[SUB_LABS] = {"sublevels/lab", "sublevels/ice_lab",
                                                "sublevels/central_lab"};
    lab b = {.l = l, .t = &l->content->labs[kind], .kind = kind, .x = x, .y = y};
    b.random = sub_stream(l, names[kind], x, y);
    const int32_t least = 7 + l->z > 1 ? 7 + l->z : 1;
    b.size = kind == SUB_CENTRAL ? rng_range(&b.random, least, 9 + l->z)
                                 : rng_range(&b.random, 1, 5 + l->z);
    candidates c = {.first = SPAN * SPAN};
    const int32_t thinning = b.size > 3 ? 3 : 2;
    b.cells[b.count++] = (uint16_t)(b.y * SIZE + b.x);
    want_around(&b, &c, 0, 0);
    while (c.first < SPAN * SPAN) {
        const int32_t i = c.first++;
        if (!c.wanted[i])
            continue;
        c.wanted[i] = false;
        const int32_t dx = i / SPAN - REACH_MAX, dy = i % SPAN - REACH_MAX;
        if (!rng_one_in(&b.random, distance(dx, dy) / thinning + 1) ||
            !sub_free(b.l, b.x + dx, b.y + dy))
            continue;
        sub_put(b.l, b.x + dx, b.y + dy, b.t->lab);
        b.cells[b.count++] = (uint16_t)((b.y + dy) * SIZE + b.x + dx);
        want_around(&b, &c, dx, dy);
    }
    add_way_up(&b);
    sub_put(l, x, y, b.t->core);
    const int32_t stairs = add_stairs(&b);
    if (stairs == 0 || (kind == SUB_CENTRAL && rng_one_in(&b.random, -l->z - 1)))
        add_finale(&b);
    add_depot(&b);
    if (kind == 0 && l->z == ESCAPE_LEVEL && l->train_odds == 0 && stairs > 0)
        add_escape(&b);
    /* Below the OMT that is the core of a lab's level lies the next level of the lab. This
     * level has got no stairs, so there must be no level below it. So its core is replaced by
     * an ordinary OMT of the lab. */
    if (stairs == 0 && at(&b, x, y) == b.t->core)
        sub_put(l, x, y, b.t->lab);
}
