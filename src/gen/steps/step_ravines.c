/*
 * Ravines (generation.md 5.5), only if the region asks for them. Reads: the chunk. Writes:
 * ravine terrain from z = 0 down to the floor of ravines. Ravines stay one OMT inside the
 * chunk's borders and leave water as it is. A ravine's line is found by a best-first search
 * whose estimate is a coin toss; that makes the line wander. The search is greedy on purpose.
 */
#include "gen/steps/steps.h"
#include "gen/work/generator.h"

#include <string.h>

/* The step's own memory. */
typedef struct ravines_scratch {
    /* For each cell: what the search knows of it, and the direction back to the cell from which
     * the search reached it. */
    uint8_t states[SIZE * SIZE];
    uint8_t cells[SIZE * SIZE];  /* by cell: 1 if it belongs to the ravine that is being made */
    int32_t queues[SIZE * SIZE]; /* memory of two queues of cells: one grows from the beginning,
                                  * the other from the end */
} ravines_scratch;

enum { UNSEEN = 0, OPEN = 1, CLOSED = 2, BACK_SHIFT = 2 };

static const point DIRECTION[4] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

static bool in_bounds(int32_t x, int32_t y, int32_t clearance)
{
    return x >= clearance && x < SIZE - clearance && y >= clearance && y < SIZE - clearance;
}

/*
 * Searches a path for a ravine from a towards b. A cell that is reached is put at random into
 * one of two queues. Cells of the first queue are taken before those of the second; within a
 * queue, the cell that was reached first is taken first. The two queues share s->queues and
 * grow from its two ends. s->states[cell] gets the cell's state and the direction back to the
 * cell from which it was reached. False if b was not reached.
 */
static bool search(generator *g, rng *r, point a, point b)
{
    ravines_scratch *s = g->scratch;
    int32_t first_head = 0, first_tail = 0, second_head = SIZE * SIZE,
            second_tail = SIZE * SIZE;
    memset(s->states, UNSEEN, SIZE * SIZE);
    s->queues[first_tail++] = a.y * SIZE + a.x;
    s->states[a.y * SIZE + a.x] = OPEN;
    while (first_head < first_tail || second_tail < second_head) {
        int32_t at =
            first_head < first_tail ? s->queues[first_head++] : s->queues[--second_head];
        int32_t x = at % SIZE, y = at / SIZE;
        s->states[at] = (uint8_t)((s->states[at] & ~3) | CLOSED);
        if (x == b.x && y == b.y)
            return true;
        for (int d = 0; d < 4; d++) {
            int32_t nx = x + DIRECTION[d].x, ny = y + DIRECTION[d].y, n = ny * SIZE + nx;
            if (!inside(nx, ny) || s->states[n] != UNSEEN)
                continue;
            s->states[n] = (uint8_t)(OPEN | (d ^ 2) << BACK_SHIFT);
            if (rng_range(r, 1, 2) == 1)
                s->queues[first_tail++] = n;
            else
                s->queues[--second_tail] = n;
        }
    }
    return false;
}

enum { IN_RAVINE = 1 };

/* Marks as ravine the cells whose distance from (x, y), a cell of the ravine's line, is below
 * `width` along x and along y. */
static void widen(uint8_t *cells, int32_t x, int32_t y, int32_t width)
{
    for (int32_t dy = 1 - width; dy < width; dy++)
        for (int32_t dx = 1 - width; dx < width; dx++)
            if (in_bounds(x + dx, y + dy, 1))
                cells[(y + dy) * SIZE + x + dx] = IN_RAVINE;
}

static bool is_edge(const uint8_t *cells, int32_t x, int32_t y)
{
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if (!cells[(y + dy) * SIZE + x + dx])
                return true;
    return false;
}

/* Writes the ravine's cells, except water, on all levels down to its floor. */
static void dig(generator *g, const uint8_t *cells)
{
    const uint32_t water = CAT_FLAGS_WATER;
    const gen_oters *o = g->config->oters;
    const cat_oter *oters = g->config->cat->oters;
    uint8_t *const states = ((ravines_scratch *)g->scratch)->states;
    memset(states, 0, SIZE * SIZE);
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        states[i] = cells[i] && !(oters[g->ground[i]].flags & water);
    int32_t depth = g->config->region->ravine_depth;
    for (int32_t z = 0; z >= depth; z--) {
        ptl_oter *cell = cells_at(g, z);
        for (int32_t i = 0; cell && i < SIZE * SIZE; i++) {
            if (!states[i])
                continue;
            if (is_edge(cells, i % SIZE, i / SIZE))
                cell[i] = z == depth ? o->ravine_floor_edge : o->ravine_edge;
            else
                cell[i] = z == depth ? o->ravine_floor : o->ravine;
        }
    }
}

static void run(generator *g)
{
    int32_t count = g->config->region->ravine_count;
    if (count <= 0)
        return;
    ravines_scratch *s = g->scratch;
    uint8_t *const cells = s->cells;
    rng r = step_stream(g, "ravines");
    for (int32_t i = 0; i < count; i++) {
        const cat_region *region = g->config->region;
        int32_t range = region->ravine_range;
        point a, b;
        a.x = rng_range(&r, 0, SIZE - 1);
        a.y = rng_range(&r, 0, SIZE - 1);
        b.x = a.x + rng_range(&r, -range, range);
        b.y = a.y + rng_range(&r, -range, range);
        if (!in_bounds(b.x, b.y, 3 * region->ravine_width) || !search(g, &r, a, b))
            continue;
        memset(cells, 0, SIZE * SIZE);
        point p = b;
        while (p.x != a.x || p.y != a.y) {
            widen(cells, p.x, p.y, region->ravine_width);
            int back = s->states[p.y * SIZE + p.x] >> BACK_SHIFT;
            p.x += DIRECTION[back].x;
            p.y += DIRECTION[back].y;
        }
        widen(cells, a.x, a.y, region->ravine_width);
        dig(g, cells);
    }
}

const gen_step step_ravines = {
    .info = {"ravines", 0, false},
    .run = run,
    .scratch = sizeof(ravines_scratch),
};
