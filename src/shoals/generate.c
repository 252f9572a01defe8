/* ptl_shoals_generate and its main steps: deep water, smoothing, random numbers. */
#include "core/error.h"
#include "core/sized.h"
#include "shoals/shoals.h"

#include <stdlib.h>
#include <string.h>

/* Deep water: it gets deeper with the distance from the shelf, and is deepest at the map's
 * edge. */

enum { DEEPER_BY_STEP = 7, DEEPER_AT_EDGE = 1000, UNSEEN = -1 };

static bool is_deep(const shoals *s, int32_t height)
{
    return height < s->options->shallow;
}

static bool touches_shallow(const shoals *s, offset at)
{
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const offset near = {at.x + dx, at.y + dy};
            if (shoals_holds(s, near) &&
                ptl_shoals_ground_of(s->options, *shoals_at(s, near)) == PTL_SHOALS_SHALLOW)
                return true;
        }
    return false;
}

/* A breadth-first search over deep cells, by the distance from the shelf. */
typedef struct spread {
    int32_t *steps; /* of each cell; UNSEEN before it is reached */
    int64_t *queue; /* cells in the order in which they are reached */
    int64_t count;
} spread;

static void reach(spread *p, int64_t cell, int32_t steps)
{
    p->steps[cell] = steps;
    p->queue[p->count++] = cell;
}

/* Deepens the outermost two rings; the tide does not change the outermost one. Then smooths
 * deep cells only, and by deep cells only, so that coasts do not move. */
static void finish_deep(shoals *s)
{
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++) {
            const bool edge = x <= 1 || y <= 1 || x >= s->width - 2 || y >= s->height - 2;
            int32_t *height = shoals_at(s, (offset){x, y});
            if (edge && is_deep(s, *height))
                *height -= DEEPER_AT_EDGE;
        }
    const window deep = {0, 0, s->width - 1, s->height - 1, s->options->shallow};
    for (int32_t y = 1; y < s->height - 1; y++)
        for (int32_t x = 1; x < s->width - 1; x++) {
            int32_t *height = shoals_at(s, (offset){x, y});
            if (is_deep(s, *height))
                *height = shoals_mean(s, &deep, x, y);
        }
}

/* Reaches all deep cells, beginning with those beside shallow ones. */
static void spread_depth(const shoals *s, spread *p)
{
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++) {
            const int64_t cell = (int64_t)y * s->width + x;
            p->steps[cell] = UNSEEN;
            if (is_deep(s, s->heights[cell]) && touches_shallow(s, (offset){x, y}))
                reach(p, cell, 0);
        }
    static const offset sides[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t cell = p->queue[i];
        for (size_t side = 0; side < sizeof sides / sizeof sides[0]; side++) {
            const offset at = {(int32_t)(cell % s->width) + sides[side].x,
                               (int32_t)(cell / s->width) + sides[side].y};
            const int64_t next = (int64_t)at.y * s->width + at.x;
            if (shoals_holds(s, at) && p->steps[next] == UNSEEN && is_deep(s, s->heights[next]))
                reach(p, next, p->steps[cell] + 1);
        }
    }
}

ptl_status shoals_deepen(shoals *s, ptl_error *err)
{
    const size_t cells = (size_t)s->width * (size_t)s->height;
    spread p = {malloc(cells * sizeof *p.steps), malloc(cells * sizeof *p.queue), 0};
    ptl_status status = p.steps && p.queue ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        spread_depth(s, &p);
        for (int64_t i = 0; i < p.count; i++) {
            const int64_t by = (int64_t)DEEPER_BY_STEP * p.steps[p.queue[i]];
            s->heights[p.queue[i]] -=
                by < PTL_SHOALS_HEIGHT_MAX ? (int32_t)by : PTL_SHOALS_HEIGHT_MAX;
        }
        finish_deep(s);
    }
    free(p.steps);
    free(p.queue);
    return status;
}

/* Smoothing works in place, so neighbours that come earlier have their new heights already. */

enum { OWN_WEIGHT = 4 };

/* The weight of a cell is 4 less its squared distance. */
int32_t shoals_mean(const shoals *s, const window *w, int32_t x, int32_t y)
{
    int64_t sum = 0, weights = 0;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const offset at = {x + dx, y + dy};
            if (at.x < w->x0 || at.x > w->x1 || at.y < w->y0 || at.y > w->y1 ||
                *shoals_at(s, at) >= w->below)
                continue;
            const int32_t weight = OWN_WEIGHT - dx * dx - dy * dy;
            sum += (int64_t)weight * *shoals_at(s, at);
            weights += weight;
        }
    return (int32_t)(sum / weights);
}

static void smooth_cell(shoals *s, const window *w, int32_t x, int32_t y)
{
    *shoals_at(s, (offset){x, y}) = shoals_mean(s, w, x, y);
}

void shoals_smooth(shoals *s)
{
    const window all = {0, 0, s->width - 1, s->height - 1, INT32_MAX};
    if (s->options->parts & PTL_SHOALS_FROM_MIDDLE) {
        const window w = {1, 1, s->width - 2, s->height - 2, INT32_MAX};
        for (int32_t j = 0; (s->height - 1) / 2 - j > 0; j++)
            for (int32_t i = 0; (s->width - 1) / 2 - i > 0; i++) {
                /* The four cells that mirror each other; only two or one where a middle
                 * line is one cell wide. */
                const int32_t left = (s->width - 1) / 2 - i, right = s->width / 2 + i;
                const int32_t up = (s->height - 1) / 2 - j, down = s->height / 2 + j;
                smooth_cell(s, &w, left, up);
                if (right != left)
                    smooth_cell(s, &w, right, up);
                if (down != up)
                    smooth_cell(s, &w, left, down);
                if (right != left && down != up)
                    smooth_cell(s, &w, right, down);
            }
        return;
    }
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++)
            smooth_cell(s, &all, x, y);
}

enum { FRONT = 3, WARM_UP = 310, MULTIPLIER = 16807, QUOTIENT = 127773, REMAINDER = 2836 };

void glibc_random_seed(glibc_random *r, uint32_t seed)
{
    /* MULTIPLIER * word mod 2^31 - 1, by Schrage's method. For seeds from 2^31 on the word
     * is negative. */
    int64_t word = seed ? (int32_t)seed : 1;
    r->words[0] = (uint32_t)word;
    for (uint32_t i = 1; i < GLIBC_RANDOM_WORDS; i++) {
        word = MULTIPLIER * (word % QUOTIENT) - REMAINDER * (word / QUOTIENT);
        if (word < 0)
            word += INT32_MAX;
        r->words[i] = (uint32_t)word;
    }
    r->front = FRONT;
    r->back = 0;
    for (int i = 0; i < WARM_UP; i++)
        (void)glibc_random_next(r);
    r->drawn = 0;
}

uint32_t glibc_random_next(glibc_random *r)
{
    const uint32_t sum = r->words[r->front] += r->words[r->back];
    r->front = r->front + 1 < GLIBC_RANDOM_WORDS ? r->front + 1 : 0;
    r->back = r->back + 1 < GLIBC_RANDOM_WORDS ? r->back + 1 : 0;
    r->drawn++;
    return sum >> 1;
}

int32_t random_below(glibc_random *r, int32_t n)
{
    return n <= 1 ? 0 : (int32_t)(glibc_random_next(r) % (uint32_t)n);
}

int32_t random_between(glibc_random *r, int32_t low, int32_t high)
{
    return low <= high ? low + random_below(r, high - low + 1)
                       : high + random_below(r, low - high + 1);
}

int32_t random_middling(glibc_random *r, int32_t low, int32_t high)
{
    const int32_t n = high - low + 1;
    const int32_t first = random_below(r, n), second = random_below(r, n + 1);
    return low + (first + second) / 2;
}

static bool within(int32_t value, int32_t low, int32_t high)
{
    return value >= low && value <= high;
}

static bool is_height(int32_t value)
{
    return within(value, -PTL_SHOALS_HEIGHT_MAX, PTL_SHOALS_HEIGHT_MAX);
}

ptl_status shoals_check(const ptl_shoals_options *o, ptl_error *err)
{
    if (!within(o->islands, 1, PTL_SHOALS_ISLANDS_MAX))
        return error_set(err, PTL_ERR_ARGUMENT, "%d islands: 1 to %d can be made",
                         (int)o->islands, PTL_SHOALS_ISLANDS_MAX);
    if (!within(o->width, 1, PTL_SHOALS_SIDE_MAX) || !within(o->height, 1, PTL_SHOALS_SIDE_MAX))
        return error_set(err, PTL_ERR_ARGUMENT, "a map of %d x %d cells: a side has 1 to %d",
                         (int)o->width, (int)o->height, PTL_SHOALS_SIDE_MAX);
    if (!is_height(o->start) || !is_height(o->shallow) || !is_height(o->floor) ||
        !is_height(o->high) || (o->wall != INT32_MAX && !is_height(o->wall)))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "the start and the thresholds lie within -%d..%d",
                         PTL_SHOALS_HEIGHT_MAX, PTL_SHOALS_HEIGHT_MAX);
    if (o->shallow > o->floor || o->floor > o->high || o->high > o->wall)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "thresholds rise: shallow %d, floor %d, high %d, wall %d",
                         (int)o->shallow, (int)o->floor, (int)o->high, (int)o->wall);
    if (o->parts & ~(uint32_t)PTL_SHOALS_ALL_PARTS)
        return error_set(err, PTL_ERR_ARGUMENT, "parts has bits of no ptl_shoals_part");
    return PTL_OK;
}

ptl_shoals_ground ptl_shoals_ground_of(const ptl_shoals_options *options, int32_t height)
{
    if (height < options->floor)
        return height < options->shallow ? PTL_SHOALS_DEEP : PTL_SHOALS_SHALLOW;
    if (height < options->high)
        return PTL_SHOALS_FLOOR;
    return height < options->wall || options->wall == INT32_MAX ? PTL_SHOALS_HIGH
                                                                : PTL_SHOALS_WALL;
}

ptl_status ptl_shoals_generate(int32_t *heights, uint8_t *plants,
                               const ptl_shoals_options *options, ptl_error *err)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    error_clear(err);
    if (!heights)
        return error_set(err, PTL_ERR_ARGUMENT, "heights must be given");
    TRY(SIZED_TAKE(ptl_shoals_options, &o, options, err));
    TRY(shoals_check(&o, err));
    shoals s = {.options = &o, .width = o.width, .height = o.height, .heights = heights};
    const uint32_t parts = s.options->parts;
    const size_t cells = (size_t)s.width * (size_t)s.height;
    glibc_random_seed(&s.random, s.options->seed);
    for (size_t i = 0; i < cells; i++)
        s.heights[i] = s.options->start;
    shoals_raise_islands(&s);
    if (parts & PTL_SHOALS_CLIFFS)
        shoals_raise_cliffs(&s);
    shoals_smooth(&s);
    if (plants)
        memset(plants, 0, cells);
    /* Plants are the last to draw random numbers, but they must see the sea as it is before
     * it is deepened. */
    if (plants && (parts & PTL_SHOALS_PLANTS))
        TRY(shoals_plant(&s, plants, err));
    return (parts & PTL_SHOALS_DEEPEN) ? shoals_deepen(&s, err) : PTL_OK;
}
