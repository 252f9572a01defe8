/* ptl_shoals_generate and its main steps: deep water, smoothing, random numbers. */
#include "core/sized.h"
#include "shoals/shoals.h"

#include <stdlib.h>
#include <string.h>

/* Deep water: it gets deeper with the distance from shallow water, and is deepest at the map's
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

/* State of a breadth-first search: it goes over the deep cells, in the order of their
 * distance from shallow water. */
typedef struct spread {
    int32_t *steps; /* for each cell, its number of steps from the nearest shallow water; UNSEEN
                       until the search has come to the cell */
    int64_t *queue; /* cells in the order in which the search has come to them */
    int64_t count;
} spread;

static void reach(spread *p, int64_t cell, int32_t steps)
{
    p->steps[cell] = steps;
    p->queue[p->count++] = cell;
}

enum { OWN_WEIGHT = 4 };

/* Gives the cell (x, y) a new height: a weighted mean of the heights of this cell and of the
 * eight cells around it, as far as they belong to the window `w`. A cell's weight is 4 less its
 * squared distance from (x, y). Cells that were smoothed before this one count with their new
 * heights. */
static void smooth_cell(shoals *s, const window *w, int32_t x, int32_t y)
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
    *shoals_at(s, (offset){x, y}) = (int32_t)(sum / weights);
}

/* Makes the deep cells in the two outermost rings so much deeper that no tide lays them dry.
 * Then smooths all deep cells but those of the outermost ring, using heights of deep cells
 * only, so that coasts do not move. */
static void finish_deep(shoals *s)
{
    const window deep = {0, 0, s->width - 1, s->height - 1, s->options->shallow};
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++) {
            const bool edge = x <= 1 || y <= 1 || x >= s->width - 2 || y >= s->height - 2;
            int32_t *height = shoals_at(s, (offset){x, y});
            *height -= edge && is_deep(s, *height) ? DEEPER_AT_EDGE : 0;
        }
    for (int32_t y = 1; y < s->height - 1; y++)
        for (int32_t x = 1; x < s->width - 1; x++)
            if (is_deep(s, *shoals_at(s, (offset){x, y})))
                smooth_cell(s, &deep, x, y);
}

ptl_status shoals_deepen(shoals *s, ptl_error *err)
{
    static const offset sides[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    const size_t cells = (size_t)s->width * (size_t)s->height;
    spread p = {malloc(cells * sizeof *p.steps), malloc(cells * sizeof *p.queue), 0};
    if (!p.steps || !p.queue) {
        free(p.steps);
        free(p.queue);
        return error_nomem(err);
    }
    /* Reach all deep cells, beginning with those beside shallow cells, and deepen them. */
    for (int64_t cell = 0; cell < (int64_t)cells; cell++) {
        const offset at = {(int32_t)(cell % s->width), (int32_t)(cell / s->width)};
        p.steps[cell] = UNSEEN;
        if (is_deep(s, s->heights[cell]) && touches_shallow(s, at))
            reach(&p, cell, 0);
    }
    for (int64_t i = 0; i < p.count; i++) {
        const int64_t cell = p.queue[i];
        const int64_t by = (int64_t)DEEPER_BY_STEP * p.steps[cell];
        for (size_t side = 0; side < sizeof sides / sizeof sides[0]; side++) {
            const offset at = {(int32_t)(cell % s->width) + sides[side].x,
                               (int32_t)(cell / s->width) + sides[side].y};
            const int64_t next = (int64_t)at.y * s->width + at.x;
            if (shoals_holds(s, at) && p.steps[next] == UNSEEN && is_deep(s, s->heights[next]))
                reach(&p, next, p.steps[cell] + 1);
        }
        s->heights[cell] -= by < PTL_SHOALS_HEIGHT_MAX ? (int32_t)by : PTL_SHOALS_HEIGHT_MAX;
    }
    finish_deep(s);
    free(p.steps);
    free(p.queue);
    return PTL_OK;
}

void shoals_smooth(shoals *s)
{
    const window all = {0, 0, s->width - 1, s->height - 1, INT32_MAX};
    if (s->options->parts & PTL_SHOALS_FROM_MIDDLE) {
        const window w = {1, 1, s->width - 2, s->height - 2, INT32_MAX};
        for (int32_t j = 0; (s->height - 1) / 2 - j > 0; j++)
            for (int32_t i = 0; (s->width - 1) / 2 - i > 0; i++) {
                /* Smooths the four cells that mirror each other across the two middle lines of
                 * the map. Where a middle line is one cell wide, there are only two such cells,
                 * or one. */
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
    /* Compute MULTIPLIER * word mod 2^31 - 1, by Schrage's method. For seeds from 2^31 on the
     * word is negative. */
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

/* The islands of the published program (schema/shoals.md), and two additions: atolls and
 * cliffs. */

enum { MARGIN = 10, TRIES_BEFORE_LOOKING = 2 * DEGREES };
/* Numbers for the main hill of an island: how many points it has, and the lowest and highest
 * radius that it may get at random. */
enum { MAIN_POINTS = 50, MAIN_RADIUS_LOW = 3, MAIN_RADIUS_HIGH = 10 };
enum { MAIN_LOW = 40, MAIN_HIGH = 60 };
/* Numbers for the smaller hills beside an island's main hill: how many there may be, and by how
 * much each raises a point, at least and at most. */
enum { EXTRA_MAX = 3, EXTRA_LOW = 25, EXTRA_HIGH = 35 };
enum { EXTRA_DISTANCE_LOW = 2, EXTRA_DISTANCE_HIGH = 10 };
enum { EXTRA_POINTS_LOW = 25, EXTRA_POINTS_HIGH = 45 };
enum { EXTRA_RADIUS_LOW = 2, EXTRA_RADIUS_HIGH = 7 };
enum { ATOLL_ONE_IN = 10, ATOLL_WIDER = 3 };
/* Numbers for cliffs, which are lines of hills: how many there may be, how far from the map's
 * edge, how many cells from hill to hill, and how far a hill is moved at random. */
enum { CLIFFS_MAX = 6, CLIFF_MARGIN = 12, CLIFF_STEP = 3, CLIFF_JITTER = 2 };
enum { CLIFF_LENGTH_LOW = 6, CLIFF_LENGTH_HIGH = 15 };
enum { CLIFF_POINTS_LOW = 40, CLIFF_POINTS_HIGH = 60 };
enum { CLIFF_RADIUS = 3, CLIFF_LOW = 100, CLIFF_HIGH = 130 };

static int32_t draw_along(shoals *s, int32_t margin, int32_t side)
{
    const int32_t most = (side - 1) / 2;
    const int32_t m = margin < most ? margin : most;
    return random_between(&s->random, m, side - 1 - m);
}

/* Chooses at random a cell with a margin to the map's edges, or with the largest margin that
 * there is room for. With y_first the random number for y comes before that for x, as the
 * published program does for islands. */
static offset shoals_draw_cell(shoals *s, int32_t margin, bool y_first)
{
    offset at = {0, 0};
    if (y_first)
        at.y = draw_along(s, margin, s->height);
    at.x = draw_along(s, margin, s->width);
    if (!y_first)
        at.y = draw_along(s, margin, s->height);
    return at;
}

static offset around(offset center, int32_t radius, int32_t degrees)
{
    const offset o = offset_at(radius, degrees);
    return (offset){center.x + o.x, center.y + o.y};
}

/* Chooses points of the circle around `center` at random until one lies inside the map.
 * False if no point does. */
static bool shoals_point_near(shoals *s, offset center, int32_t radius, offset *out)
{
    for (int32_t tries = 1;; tries++) {
        *out = around(center, radius, random_below(&s->random, DEGREES));
        if (shoals_holds(s, *out))
            return true;
        /* On a map that is too small the published program would try for ever. So test from
         * time to time whether any point of the circle around `center` lies inside the map. */
        bool meets = tries % TRIES_BEFORE_LOOKING != 0;
        for (int32_t degrees = 0; !meets && degrees < DEGREES; degrees++)
            meets = shoals_holds(s, around(center, radius, degrees));
        if (!meets)
            return false;
    }
}

/* Raises (sign 1) or lowers (sign -1) the points of a hill. For each point it takes random
 * numbers for the distance, then for angles until the point is inside the map, then for the
 * amount. */
static void scatter(shoals *s, const hill *h, int32_t radius, int32_t sign)
{
    for (int32_t i = 0; i < h->points; i++) {
        offset at;
        const int32_t distance = random_below(&s->random, radius + 1);
        if (shoals_point_near(s, h->center, distance, &at))
            *shoals_at(s, at) += sign * random_between(&s->random, h->low, h->high);
    }
}

static void shoals_raise_hill(shoals *s, const hill *h)
{
    int32_t radius = h->radius;
    if ((s->options->parts & PTL_SHOALS_ATOLLS) &&
        random_below(&s->random, ATOLL_ONE_IN) == 0) {
        scatter(s, h, radius, -1);
        radius += ATOLL_WIDER;
    }
    scatter(s, h, radius, 1);
}

static void shoals_raise_cliffs(shoals *s)
{
    for (int32_t left = random_middling(&s->random, 0, CLIFFS_MAX); left > 0; left--) {
        /* Raise hills at every third cell of a line. The middle of the line is a random cell.
         */
        const offset middle = shoals_draw_cell(s, CLIFF_MARGIN, false);
        const int32_t length = random_between(&s->random, CLIFF_LENGTH_LOW, CLIFF_LENGTH_HIGH);
        const int32_t degrees = random_below(&s->random, DEGREES);
        for (int32_t i = 0; i < length; i += CLIFF_STEP) {
            hill h = {.radius = CLIFF_RADIUS, .low = CLIFF_LOW, .high = CLIFF_HIGH};
            const int32_t along = i - length / 2;
            const offset o = offset_at(along < 0 ? -along : along, degrees);
            h.center.x = middle.x + (along < 0 ? -o.x : o.x);
            h.center.y = middle.y + (along < 0 ? -o.y : o.y);
            h.center.x += random_between(&s->random, -CLIFF_JITTER, CLIFF_JITTER);
            h.center.y += random_between(&s->random, -CLIFF_JITTER, CLIFF_JITTER);
            h.points = random_between(&s->random, CLIFF_POINTS_LOW, CLIFF_POINTS_HIGH);
            shoals_raise_hill(s, &h);
        }
    }
}

/*
 * Plants: mangroves around the middle of patches of shallow water, and plants behind rocks,
 * sheltered from the wind. Both stand in clusters: a large cluster and some small ones beside
 * it.
 */

/* TRIES is how often a random place for a plant is tried before the plant is given up. */
enum { PLANTS_MAX = 180, PLANTS_MARGIN = 6, TRIES = 5 };
/* The number of plants in a large cluster, and its radius. */
enum { LARGE_LOW = 10, LARGE_HIGH = 17, LARGE_RADIUS_LOW = 3, LARGE_RADIUS_HIGH = 9 };
/* The number of plants in a small cluster, and the largest number of small clusters beside a
 * large one. The number of small clusters is a random number from -1 to SMALL_MAX; -1 and 0
 * both mean none. */
enum { SMALL_LOW = 5, SMALL_HIGH = 12, SMALL_MAX = 4 };
enum { SMALL_DISTANCE_LOW = 2, SMALL_DISTANCE_HIGH = 12 };
enum { SMALL_RADIUS_LOW = 2, SMALL_RADIUS_HIGH = 7 };
enum { MANGROVES_MAX = 6, SHELTERS_MIN = -2, SHELTERS_MAX = 2 };
enum { PATCH_ENOUGH = 6, PATCH_MAX = 9, PATCH_TRIES = 20 };
/* The wind moves WIND_LENGTH / WIND_CELL of a cell, which is half a cell, in each step. */
enum { WIND_LENGTH = 32, WIND_CELL = 64 };

typedef struct planting {
    shoals *s;
    uint8_t *plants;
    uint8_t *windy;             /* by cell: 1 if the wind blows there; NULL: not computed yet */
    ptl_shoals_ground favoured; /* the ground on which the present cluster prefers to stand */
    int32_t count;
} planting;

static ptl_shoals_ground ground_at(const shoals *s, offset at)
{
    return ptl_shoals_ground_of(s->options, *shoals_at(s, at));
}

static int64_t cell_of(const shoals *s, offset at)
{
    return (int64_t)at.y * s->width + at.x;
}

static bool may_stand(const planting *p, offset at)
{
    const shoals *s = p->s;
    const ptl_shoals_ground ground = ground_at(s, at);
    return at.x >= PLANTS_MARGIN && at.y >= PLANTS_MARGIN && at.x < s->width - PLANTS_MARGIN &&
           at.y < s->height - PLANTS_MARGIN && !p->plants[cell_of(s, at)] &&
           (ground == PTL_SHOALS_FLOOR || ground == PTL_SHOALS_SHALLOW) &&
           !(p->windy && p->windy[cell_of(s, at)]);
}

/* Plants up to `count` plants around the centre. A place on other ground than p->favoured is
 * refused with a chance of one in two. */
static void plant_cluster(planting *p, offset center, int32_t count, int32_t radius)
{
    for (; count > 0; count--)
        for (int32_t i = 0; i < TRIES && p->count < PLANTS_MAX; i++) {
            offset at;
            const int32_t distance = random_below(&p->s->random, radius + 1);
            if (!shoals_point_near(p->s, center, distance, &at) || !may_stand(p, at) ||
                (ground_at(p->s, at) != p->favoured && random_below(&p->s->random, 2) == 0))
                continue;
            p->plants[cell_of(p->s, at)] = 1;
            p->count++;
            break;
        }
}

static void plant_around(planting *p, offset center)
{
    glibc_random *r = &p->s->random;
    int32_t count = random_middling(r, LARGE_LOW, LARGE_HIGH);
    plant_cluster(p, center, count, random_between(r, LARGE_RADIUS_LOW, LARGE_RADIUS_HIGH));
    for (int32_t left = random_middling(r, -1, SMALL_MAX); left > 0; left--) {
        offset beside;
        const int32_t distance = random_between(r, SMALL_DISTANCE_LOW, SMALL_DISTANCE_HIGH);
        const bool found = shoals_point_near(p->s, center, distance, &beside);
        count = random_middling(r, SMALL_LOW, SMALL_HIGH);
        const int32_t radius = random_between(r, SMALL_RADIUS_LOW, SMALL_RADIUS_HIGH);
        if (found)
            plant_cluster(p, beside, count, radius);
    }
}

static bool is_shallow(const planting *p, offset at)
{
    return ground_at(p->s, at) == PTL_SHOALS_SHALLOW;
}

typedef bool (*cell_test)(const planting *p, offset at);

static int32_t count_cells(const planting *p, cell_test test)
{
    int32_t count = 0;
    for (offset at = {0, 0}; at.y < p->s->height; at.y++)
        for (at.x = 0; at.x < p->s->width; at.x++)
            count += test(p, at);
    return count;
}

/* Chooses at random one of the cells that pass a test; there are `count` of them. False if
 * there are none. */
static bool draw_passing(planting *p, cell_test test, int32_t count, offset *out)
{
    int32_t before = random_below(&p->s->random, count);
    for (offset at = {0, 0}; at.y < p->s->height && count > 0; at.y++)
        for (at.x = 0; at.x < p->s->width; at.x++)
            if (test(p, at) && before-- == 0) {
                *out = at;
                return true;
            }
    return false;
}

typedef struct patch {
    offset cells[PATCH_MAX];
    int32_t count;
} patch;

/* Collects the shallow cells that are connected to `first`, in the order in which they are met,
 * up to PATCH_MAX. */
static void patch_grow(const planting *p, patch *a, offset first)
{
    a->cells[0] = first;
    a->count = 1;
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t n = 0; n < 9 && a->count < PATCH_MAX; n++) {
            const offset at = {a->cells[i].x + n % 3 - 1, a->cells[i].y + n / 3 - 1};
            bool is_new = shoals_holds(p->s, at) && is_shallow(p, at);
            for (int32_t k = 0; is_new && k < a->count; k++)
                is_new = a->cells[k].x != at.x || a->cells[k].y != at.y;
            if (is_new)
                a->cells[a->count++] = at;
        }
}

/* Returns the patch's cell nearest to its centre of mass; of several such cells the first. */
static offset patch_middle(const patch *a)
{
    int64_t x = 0, y = 0, least = INT64_MAX;
    offset middle = a->cells[0];
    for (int32_t i = 0; i < a->count; i++) {
        x += a->cells[i].x;
        y += a->cells[i].y;
    }
    for (int32_t i = 0; i < a->count; i++) {
        const int64_t dx = (int64_t)a->count * a->cells[i].x - x;
        const int64_t dy = (int64_t)a->count * a->cells[i].y - y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            middle = a->cells[i];
        }
    }
    return middle;
}

static bool is_sheltered(const planting *p, offset at)
{
    if (ground_at(p->s, at) != PTL_SHOALS_FLOOR || p->windy[cell_of(p->s, at)])
        return false;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const offset near = {at.x + dx, at.y + dy};
            if (shoals_holds(p->s, near) && ground_at(p->s, near) >= PTL_SHOALS_HIGH)
                return true;
        }
    return false;
}

/* Marks the cells along a ray of wind from the edge of the map, up to the first cell of rock,
 * high ground or wall. */
static void blow(planting *p, offset from, offset wind)
{
    int64_t x = (int64_t)from.x * WIND_CELL + WIND_CELL / 2;
    int64_t y = (int64_t)from.y * WIND_CELL + WIND_CELL / 2;
    while (x >= 0 && y >= 0) {
        const offset at = {(int32_t)(x / WIND_CELL), (int32_t)(y / WIND_CELL)};
        if (!shoals_holds(p->s, at) || ground_at(p->s, at) >= PTL_SHOALS_HIGH)
            return;
        p->windy[cell_of(p->s, at)] = 1;
        x += wind.x;
        y += wind.y;
    }
}

static ptl_status plant_shelters(planting *p, ptl_error *err)
{
    const size_t cells = (size_t)p->s->width * (size_t)p->s->height;
    p->windy = calloc(cells, 1);
    if (!p->windy)
        return error_nomem(err);
    p->favoured = PTL_SHOALS_FLOOR;
    const offset wind = offset_at(WIND_LENGTH, random_below(&p->s->random, DEGREES));
    const shoals *s = p->s;
    for (int32_t y = 0; y < s->height && wind.x != 0; y++)
        blow(p, (offset){wind.x > 0 ? 0 : s->width - 1, y}, wind);
    for (int32_t x = 0; x < s->width && wind.y != 0; x++)
        blow(p, (offset){x, wind.y > 0 ? 0 : s->height - 1}, wind);
    const int32_t sheltered = count_cells(p, is_sheltered);
    int32_t left = random_middling(&p->s->random, SHELTERS_MIN, SHELTERS_MAX);
    offset center;
    for (; left > 0 && draw_passing(p, is_sheltered, sheltered, &center); left--)
        plant_around(p, center);
    free(p->windy);
    p->windy = NULL;
    return PTL_OK;
}

/* Chooses at random where plants stand: sets `plants` to 1 for each cell with a plant. */
static ptl_status shoals_plant(shoals *s, uint8_t *plants, ptl_error *err)
{
    planting p = {.s = s, .plants = plants};
    const int32_t shallow = count_cells(&p, is_shallow);
    p.favoured = PTL_SHOALS_SHALLOW;
    for (int32_t left = random_middling(&p.s->random, -1, MANGROVES_MAX); left > 0; left--) {
        patch a = {.count = 0};
        offset first;
        for (int32_t i = 0; i < PATCH_TRIES && a.count < PATCH_ENOUGH; i++)
            if (draw_passing(&p, is_shallow, shallow, &first))
                patch_grow(&p, &a, first);
        if (a.count >= PATCH_ENOUGH)
            plant_around(&p, patch_middle(&a));
    }
    return plant_shelters(&p, err);
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
    /* The order matters: plants take their random numbers after everything else, and where they
     * stand depends on the heights of the sea before it is deepened. */
    if (plants && (parts & PTL_SHOALS_PLANTS))
        TRY(shoals_plant(&s, plants, err));
    return (parts & PTL_SHOALS_DEEPEN) ? shoals_deepen(&s, err) : PTL_OK;
}

void shoals_raise_islands(shoals *s)
{
    for (int32_t i = 0; i < s->options->islands; i++) {
        hill h = {.points = MAIN_POINTS, .low = MAIN_LOW, .high = MAIN_HIGH};
        h.center = shoals_draw_cell(s, MARGIN, true);
        h.radius = random_between(&s->random, MAIN_RADIUS_LOW, MAIN_RADIUS_HIGH);
        shoals_raise_hill(s, &h);
        for (int32_t more = random_below(&s->random, EXTRA_MAX + 1); more > 0; more--) {
            /* Take the random number for the radius before that for the number of points: in
             * the published program both are arguments of one call, which its compiler
             * evaluates from right to left. */
            hill beside = {.low = EXTRA_LOW, .high = EXTRA_HIGH};
            const int32_t distance =
                random_between(&s->random, EXTRA_DISTANCE_LOW, EXTRA_DISTANCE_HIGH);
            const bool found = shoals_point_near(s, h.center, distance, &beside.center);
            beside.radius = random_between(&s->random, EXTRA_RADIUS_LOW, EXTRA_RADIUS_HIGH);
            beside.points = random_between(&s->random, EXTRA_POINTS_LOW, EXTRA_POINTS_HIGH);
            if (found)
                shoals_raise_hill(s, &beside);
        }
    }
}
