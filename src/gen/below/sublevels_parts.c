/*
 * Makes slime pits and mines. Also links the networks of a line, such as sewers, with each
 * other, the nearest pair first; a network is a set of OMTs of the line that are linked
 * already. One breadth-first search, which begins at all networks at once, finds which networks
 * lie near each other and between which OMTs. A search from each network would cross most of
 * the level each time.
 */
#include "core/array.h"
#include "gen/below/sublevels.h"

#include <stdlib.h>
#include <string.h>

/*
 * Makes slime pits, mines, and the spirals below the finale of a mine. They are drawn only on
 * cells that have the level's default oter, so that they replace nothing that was made before.
 */

enum { SPIRAL_POPULATION = 200, SPIRAL_RADIUS = 2 };

rng sub_stream(const sub_level *l, const char *what, int32_t x, int32_t y)
{
    return cell_stream(l->g, hash_add(step_key(l->g, what), (uint64_t)(l->z - PTL_Z_MIN)), x,
                       y);
}

ptl_oter sub_below(const sub_level *l, int32_t x, int32_t y)
{
    if (l->z == PTL_Z_MIN || !inside(x, y))
        return CAT_NONE;
    return cell_oter(l->g, l->z - 1, y * SIZE + x);
}

static void slime_cell(const sub_level *l, rng *r, int32_t x, int32_t y)
{
    for (int d = 0; d < 4 && l->content->rock != CAT_NONE; d++)
        if (sub_free(l, x + step_x(d), y + step_y(d)))
            sub_put(l, x + step_x(d), y + step_y(d), l->content->rock);
    const bool down = rng_one_in(r, 8) && sub_below(l, x, y) != CAT_NONE;
    sub_put(l, x, y, down ? l->content->slimepit_down : l->content->slimepit);
}

void sub_slime(const sub_level *l, int32_t x, int32_t y)
{
    const ptl_oter rock = l->content->rock;
    rng r = sub_stream(l, "sublevels/slime", x, y);
    const int32_t radius = rng_range(&r, 1, 2) + l->z + 1;
    for (int32_t dy = -radius; dy <= radius; dy++)
        for (int32_t dx = -radius; dx <= radius; dx++) {
            const int32_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
            const bool grows = rng_one_in(&r, 2 * (ax > ay ? ax : ay));
            /* Slime may grow into cells that are still free, and into rock that this step made
             * around a slime pit. */
            const int32_t cx = x + dx, cy = y + dy;
            if (!grows || (!sub_free(l, cx, cy) &&
                           !(sub_own(l, cx, cy) && l->cells[cy * SIZE + cx] == rock)))
                continue;
            slime_cell(l, &r, cx, cy);
        }
}

/* Digs one level of a mine: a random walk that never crosses itself. At the walk's end the mine
 * goes down to the next level or, if this level is its last one, gets its finale. */
void sub_mine(const sub_level *l, int32_t x, int32_t y)
{
    rng r = sub_stream(l, "sublevels/mine", x, y);
    const int32_t size = rng_range(&r, 6 + l->z, 10 + l->z);
    const bool last = size <= rng_range(&r, 1, 3) || l->z == PTL_Z_MIN;
    for (int32_t left = size > 2 ? size : 2; left > 0; left--) {
        int ways[4], count = 0;
        for (int d = 0; d < 4; d++)
            if (sub_free(l, x + step_x(d), y + step_y(d)))
                ways[count++] = d;
        if (count == 0)
            break;
        const int d = ways[rng_below(&r, (uint64_t)count)];
        x += step_x(d);
        y += step_y(d);
        sub_put(l, x, y, l->content->mine);
    }
    sub_put(l, x, y, last ? l->content->mine_finale : l->content->mine_down);
}

void sub_spiral(const sub_level *l, int32_t x, int32_t y)
{
    for (int32_t i = 0; i < 9; i++)
        if (sub_free(l, x + i % 3 - 1, y + i / 3 - 1))
            sub_put(l, x + i % 3 - 1, y + i / 3 - 1, l->content->spiral);
    sub_put(l, x, y, l->content->spiral_hub);
    add_group(l->g, (gen_group){.type = "GROUP_SPIRAL",
                                .x = (int16_t)(2 * x),
                                .y = (int16_t)(2 * y),
                                .z = (int8_t)l->z,
                                .radius = SPIRAL_RADIUS,
                                .population = SPIRAL_POPULATION});
}

/* Values of sublevels.origins for cells that sub_link_near has not reached, or cannot enter, in
 * its search from all networks at once. */
enum { UNREACHED = 0xffff, CLOSED = 0xfffe };
_Static_assert((int)CELLS <= (int)CLOSED, "no cell is taken for one of these");

typedef struct linking {
    generator *g;
    struct sublevels *s;
    const sub_level *l;
    size_t connection;
    size_t pair_count;
    size_t failed_count;
} linking;

/* Starts a breadth-first search from all OMTs of the networks for which `wanted` is set, and
 * returns the number of these OMTs. For each cell that the search reaches, it keeps the OMT
 * from which it came (the cell's origin) and the number of steps from there. */
static size_t seed_flood(const linking *k, const bool *wanted)
{
    struct sublevels *s = k->s;
    size_t count = 0;
    memset(s->origins, 0xff, sizeof s->origins); /* sets each cell to UNREACHED */
    for (int32_t i = 0; i < SIZE; i++) {
        s->origins[i] = s->origins[CELLS - 1 - i] = CLOSED;
        s->origins[i * SIZE] = s->origins[i * SIZE + SIZE - 1] = CLOSED;
    }
    for (int32_t i = 0; i < CELLS; i++) {
        if (s->labels[i] <= 0 || !wanted[s->labels[i]] || s->origins[i] == CLOSED ||
            !connect_turns(k->g, k->connection, k->l->cells[i]))
            continue;
        s->origins[i] = (uint16_t)i;
        s->steps[i] = 0;
        s->queue[count++] = (uint16_t)i;
    }
    return count;
}

/* Notes the two OMTs from which the breadth-first search came to the neighbouring cells a and
 * b, if these OMTs are of different networks. The same pair is often found several times in
 * succession; only its least number of steps is kept. */
static void add_pair(linking *k, int32_t a, int32_t b)
{
    const struct sublevels *s = k->s;
    const uint16_t from = s->origins[a], to = s->origins[b];
    if (from >= CELLS || to >= CELLS || s->labels[from] == s->labels[to])
        return;
    const sub_pair pair = {
        .steps = (uint16_t)(s->steps[a] + s->steps[b] + 1),
        .from = from < to ? from : to,
        .to = from < to ? to : from,
    };
    sub_pair *last = k->pair_count > 0 ? &k->s->pairs[k->pair_count - 1] : NULL;
    if (!last || last->from != pair.from || last->to != pair.to)
        k->s->pairs[k->pair_count++] = pair;
    else if (pair.steps < last->steps)
        last->steps = pair.steps;
}

static int compare_pairs(const void *a, const void *b)
{
    const sub_pair *p = a, *q = b;
    return ORDER_BY(p->steps, q->steps, p->from, q->from, p->to, q->to);
}

static int32_t root_of(int32_t *roots, int32_t label)
{
    while (roots[label] != label) {
        roots[label] = roots[roots[label]];
        label = roots[label];
    }
    return label;
}

static connect_end end_at(int32_t cell)
{
    return (connect_end){(int16_t)(cell % SIZE), (int16_t)(cell / SIZE), CONNECT_ANY, false};
}

/* k->pairs lists pairs of OMTs of different networks that lie near each other. Links each pair
 * whose networks are still apart, the nearest pair first. `roots` is a union-find forest, which
 * tells which networks are linked by now. */
static void link_pairs(linking *k, int32_t *roots)
{
    struct sublevels *s = k->s;
    for (size_t i = 0; i < k->pair_count && !k->g->failed; i++) {
        const sub_pair *p = &s->pairs[i];
        const int32_t a = s->labels[p->from], b = s->labels[p->to];
        const int32_t ra = root_of(roots, a), rb = root_of(roots, b);
        bool tried = false; /* whether linking the networks a and b was tried before */
        for (size_t n = 0; n < k->failed_count && !tried; n++)
            tried = s->apart[n].from == a && s->apart[n].to == b;
        if (ra == rb || tried)
            continue;
        const connect_result result =
            connect_ends(k->g, k->connection, k->l->z, end_at(p->from), end_at(p->to));
        if (result == CONNECT_DRAWN)
            roots[ra < rb ? rb : ra] = ra < rb ? ra : rb;
        else if (k->failed_count < SUB_APART_MAX)
            s->apart[k->failed_count++] = (sub_pair){.from = (uint16_t)a, .to = (uint16_t)b};
        else
            return; /* the list `apart` of pairs that could not be linked is full; link_parts
                       finds the others later */
    }
}

void sub_link_near(const sub_level *l, size_t connection, int32_t parts, const bool *wanted)
{
    linking k = {.g = l->g, .s = l->s, .l = l, .connection = connection};
    int32_t *roots = l->s->roots;
    for (int32_t i = 0; i <= parts; i++)
        roots[i] = i;
    size_t count = seed_flood(&k, wanted);
    const oter_class *classes = compiled(k.g, k.connection)->classes;
    struct sublevels *s = k.s;
    for (size_t head = 0; head < count; head++) {
        const int32_t from = s->queue[head];
        for (int d = 0; d < 4; d++) {
            const int32_t to = from + STEP_DELTA[d];
            if (s->origins[to] != UNREACHED)
                continue;
            if (!classes[k.l->cells[to]].step) {
                s->origins[to] = CLOSED;
                continue;
            }
            s->origins[to] = s->origins[from];
            s->steps[to] = (uint16_t)(s->steps[from] + 1);
            s->queue[count++] = (uint16_t)to;
        }
    }
    /* Find neighbouring cells that the search reached from different networks. `origins` has,
     * for each cell, the OMT of a network from which the search came to it; mostly neighbours
     * have the same one. Each cell is compared with its eastern and its southern neighbour. The
     * search does not enter the chunk's outermost ring of cells. */
    for (int32_t i = SIZE; i < CELLS - SIZE; i++) {
        if (s->origins[i] != s->origins[i + 1])
            add_pair(&k, i, i + 1);
        if (s->origins[i] != s->origins[i + SIZE])
            add_pair(&k, i, i + SIZE);
    }
    qsort(l->s->pairs, k.pair_count, sizeof *l->s->pairs, compare_pairs);
    link_pairs(&k, roots);
}
