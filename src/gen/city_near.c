/*
 * Nearest cities. Which one is nearest is told block by block: cities that are farther from
 * every cell of a block than another city is from any of them are left out, for large blocks
 * first, then for small ones. Most small blocks have one or two left; where it is one, no cell
 * is looked at.
 */
#include "gen/city_near_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE = 36, /* sides of blocks; each divides the one above */
    SMALL = NEAR_SMALL,
    KEY_SHIFT = NEAR_KEY_SHIFT
};

const near_kernels *near_kernels_best(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx2"))
        return &near_kernels_avx2;
#endif
    return &near_kernels_base;
}

/* Order of the nearest: by the distance from the edge, then by that from the centre. */
static inline int32_t make_key(int32_t square, int32_t size)
{
    const int32_t distance = (int32_t)sqrtf((float)square) - size;
    return (distance < 0 ? 0 : distance) << KEY_SHIFT | square;
}

int32_t near_distance(const near_city *city, int32_t x, int32_t y)
{
    const int32_t dx = x - city->x, dy = y - city->y;
    return make_key(dx * dx + dy * dy, city->size) >> KEY_SHIFT;
}

int32_t near_one(const near_cities *of, int32_t x, int32_t y, int32_t reach)
{
    int32_t best = (reach + 1) << KEY_SHIFT, nearest = NEAR_NONE;
    for (int32_t i = 0; i < of->count; i++) {
        const int32_t dx = x - of->cities[i].x, dy = y - of->cities[i].y;
        const int32_t radius = (best >> KEY_SHIFT) + of->cities[i].size + 1;
        if (dx * dx + dy * dy >= radius * radius)
            continue; /* farther from its edge: no square root is needed to tell */
        const int32_t key = make_key(dx * dx + dy * dy, of->cities[i].size);
        if (key < best && near_among(of, i)) {
            best = key;
            nearest = i;
        }
    }
    return nearest;
}

bool near_seems_met(const near_cities *of, int32_t i, const site_bits *cells, int32_t aside,
                    int32_t reach)
{
    const near_city *c = &of->cities[i];
    for (int way = 0; way < 5; way++) {
        const int32_t x = c->x + (way == 1 ? aside : way == 2 ? -aside : 0);
        const int32_t y = c->y + (way == 3 ? aside : way == 4 ? -aside : 0);
        if (inside(x, y) && site_has(cells, x, y) && near_one(of, x, y, reach) == i)
            return true;
    }
    return false;
}

/* The bits below x of a word that holds cells 64 * word ... */
static inline uint64_t below(int32_t x, int32_t word)
{
    const int32_t bits = x - 64 * word;
    return bits <= 0 ? 0 : bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

static inline void fill(uint64_t *row, int32_t x0, int32_t x1)
{
    const uint64_t left = ~UINT64_C(0) << x0 % 64, right = ~UINT64_C(0) >> (63 - (x1 - 1) % 64);
    const int32_t first = x0 / 64, last = (x1 - 1) / 64;
    if (first == last) {
        row[first] |= left & right;
        return;
    }
    row[first] |= left;
    row[last] |= right;
    if (last - first == 2)
        row[1] = ~UINT64_C(0);
}

void near_fill(uint64_t *row, int32_t x0, int32_t x1)
{
    if (x0 < x1)
        fill(row, x0, x1);
}

void near_wipe(uint64_t *row, int32_t x0, int32_t x1)
{
    for (int32_t w = 0; w < SITE_WORDS; w++)
        row[w] &= ~(below(x1, w) & ~below(x0, w));
}

bool near_any(const uint64_t *row, int32_t x0, int32_t x1)
{
    uint64_t any = 0;
    for (int32_t w = 0; w < SITE_WORDS; w++)
        any |= row[w] & below(x1, w) & ~below(x0, w);
    return any != 0;
}

static int32_t clamp(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* From a coordinate to the chunk, and to its far side. */
static int32_t to_chunk(int32_t v)
{
    return v < 0 ? -v : v >= SIZE ? v - SIZE + 1 : 0;
}

static int32_t to_far_side(int32_t v)
{
    return v < SIZE - 1 - v ? SIZE - 1 - v : v;
}

/* The cells less than radius from the centre. */
static void fill_disc(site_bits *out, const near_city *city, int32_t radius)
{
    const int32_t most = radius * radius - 1, aside = to_chunk(city->x);
    if (most < aside * aside)
        return;
    const int32_t rows = (int32_t)sqrtf((float)(most - aside * aside));
    const int32_t y0 = clamp(city->y - rows, 0, SIZE), y1 = clamp(city->y + rows + 1, 0, SIZE);
    int32_t halves[SIZE];
    if (y0 >= y1)
        return;
    near_kernels_best()->halves(halves, y1 - y0, most, y0 - city->y);
    for (int32_t y = y0; y < y1; y++) {
        const int32_t x0 = clamp(city->x - halves[y - y0], 0, SIZE - 1);
        const int32_t x1 = clamp(city->x + halves[y - y0] + 1, 1, SIZE);
        fill(&out->words[y * SITE_WORDS], x0, x1);
    }
}

bool near_in_row(const near_city *city, int32_t y, int32_t distance, int32_t *x0, int32_t *x1)
{
    const int32_t radius = distance + city->size + 1, dy = y - city->y;
    const int32_t square = radius * radius - 1 - dy * dy;
    if (distance < 0 || square < 0)
        return false;
    const int32_t half = (int32_t)sqrtf((float)square);
    *x0 = clamp(city->x - half, 0, SIZE);
    *x1 = clamp(city->x + half + 1, 0, SIZE);
    return *x0 < *x1;
}

/* Does the disc hold the whole chunk? */
static bool covers_all(const near_city *city, int32_t radius)
{
    const int32_t far_x = to_far_side(city->x), far_y = to_far_side(city->y);
    return far_x * far_x + far_y * far_y < radius * radius;
}

void near_within(site_bits *out, const near_cities *of, int32_t distance)
{
    *out = (site_bits){{0}};
    for (int32_t i = 0; i < of->count && distance >= 0; i++)
        if (near_among(of, i) &&
            covers_all(&of->cities[i], distance + of->cities[i].size + 1)) {
            for (int32_t y = 0; y < SIZE; y++)
                fill(&out->words[y * SITE_WORDS], 0, SIZE);
            return;
        }
    for (int32_t i = 0; i < of->count && distance >= 0; i++)
        if (near_among(of, i)) /* trunc(d) - size <= distance */
            fill_disc(out, &of->cities[i], distance + of->cities[i].size + 1);
}

/* What the making of runs has at hand. */
typedef struct maker {
    const near_kernels *kernels;
    int32_t reach;
    near_pick all, some, large[SIZE / LARGE], small; /* some: of the whole chunk */
    int32_t *least, *greatest;
    int32_t single[SIZE / SMALL]; /* of a row of small blocks: the one city, or SEVERAL */
    int32_t owner[SMALL][SIZE];   /* the cells of those that have several */
} maker;

enum { SEVERAL = -2, PICK_WORDS = 4 };

static void add_pick(near_pick *p, float x, float y, int32_t size, int32_t city)
{
    p->x[p->count] = x;
    p->y[p->count] = y;
    p->size[p->count] = size;
    p->city[p->count++] = city;
}

/* Those of the cities that may be the nearest of a cell of the block. True if no cell of it
 * has any other than the one that is left, or none. */
static bool prune(maker *m, near_pick *out, const near_pick *in, const near_block *b)
{
    const int32_t beyond = (m->reach + 1) << KEY_SHIFT;
    int32_t best = beyond - 1;
    m->kernels->bounds(m->least, m->greatest, in, b);
    for (int32_t i = 0; i < in->count; i++)
        best = m->greatest[i] < best ? m->greatest[i] : best;
    out->count = 0;
    for (int32_t i = 0; i < in->count; i++)
        if (m->least[i] <= best)
            add_pick(out, in->x[i], in->y[i], in->size[i], in->city[i]);
    return out->count == 0 || (out->count == 1 && best < beyond - 1);
}

/* The nearest of the cities that a small block has left, for all of its cells. */
static void nearest_in_block(maker *m, int32_t x, int32_t y)
{
    int32_t found[SMALL * SMALL];
    m->kernels->nearest(found, &m->small, x, y, (m->reach + 1) << KEY_SHIFT);
    for (int row = 0; row < SMALL; row++)
        memcpy(&m->owner[row][x], &found[row * SMALL], SMALL * sizeof found[0]);
}

static void fill_small(maker *m, int32_t x, int32_t y)
{
    const near_block b = {x, y, SMALL};
    if (prune(m, &m->small, &m->large[x / LARGE], &b)) {
        m->single[x / SMALL] = m->small.count > 0 ? m->small.city[0] : NEAR_NONE;
        return;
    }
    m->single[x / SMALL] = SEVERAL;
    nearest_in_block(m, x, y);
}

/* Room for another row's runs. */
static bool reserve_row(near_runs *r)
{
    if (r->count + SIZE <= r->room)
        return true;
    const size_t room = r->room ? 2 * r->room : 16 * (size_t)SIZE;
    near_run *runs = realloc(r->runs, room * sizeof *runs);
    if (!runs)
        return false;
    r->runs = runs;
    r->room = room;
    return true;
}

/* The cells before x are the city's. */
static inline void extend(near_runs *out, size_t first, int32_t city, int32_t end)
{
    if (out->count == first || out->runs[out->count - 1].city != city)
        out->runs[out->count++].city = city;
    out->runs[out->count - 1].end = end;
}

/* Bit i: cell i of a small block's row is the last one of its run. */
static inline uint32_t find_ends(const int32_t *owner)
{
    uint32_t ends = UINT32_C(1) << (SMALL - 1);
    for (int32_t i = 0; i < SMALL - 1; i++)
        ends |= (uint32_t)(owner[i] != owner[i + 1]) << i;
    return ends;
}

static void add_row(near_runs *out, const maker *m, int32_t y)
{
    const size_t first = out->rows[y] = out->count;
    for (int32_t x = 0; x < SIZE; x += SMALL) {
        const int32_t *owner = &m->owner[y % SMALL][x], single = m->single[x / SMALL];
        if (single != SEVERAL)
            extend(out, first, single, x + SMALL);
        for (uint32_t ends = single == SEVERAL ? find_ends(owner) : 0; ends; ends &= ends - 1) {
            const int32_t i = __builtin_ctz(ends);
            extend(out, first, owner[i], x + i + 1);
        }
    }
}

/* The cities that a large block has left are kept for the rows of small ones in it. */
static bool make_runs(near_runs *out, maker *m)
{
    const near_block whole = {0, 0, SIZE};
    prune(m, &m->some, &m->all, &whole);
    for (int32_t y = 0; y < SIZE; y += SMALL) {
        for (int32_t i = 0; y % LARGE == 0 && i < SIZE / LARGE; i++) {
            const near_block b = {i * LARGE, y, LARGE};
            prune(m, &m->large[i], &m->some, &b);
        }
        for (int32_t x = 0; x < SIZE; x += SMALL)
            fill_small(m, x, y);
        for (int32_t row = 0; row < SMALL; row++) {
            if (!reserve_row(out))
                return false;
            add_row(out, m, y + row);
        }
    }
    out->rows[SIZE] = out->count;
    return true;
}

/* Cuts a pick with room for so many out of the scratch memory. */
static near_pick cut_pick(near_runs *r, size_t *used, size_t room)
{
    float *floats = r->floats + *used / 2;
    int32_t *numbers = r->numbers + *used / 2;
    *used += PICK_WORDS * room;
    return (near_pick){floats, floats + room, numbers, numbers + room, 0};
}

static bool reserve_scratch(near_runs *r, size_t words)
{
    if (r->scratch_room >= words)
        return true;
    free(r->floats);
    free(r->numbers);
    r->floats = malloc(words * sizeof *r->floats);
    r->numbers = malloc(words * sizeof *r->numbers);
    r->scratch_room = r->floats && r->numbers ? words : 0;
    return r->scratch_room > 0;
}

bool near_runs_make(near_runs *out, const near_cities *of, int32_t reach)
{
    const size_t room = (size_t)of->count + 1, picks = 3 + SIZE / LARGE;
    size_t used = 0;
    if (!reserve_scratch(out, room * (picks * PICK_WORDS / 2 + 2)))
        return false;
    maker m = {.kernels = near_kernels_best(), .reach = reach};
    m.all = cut_pick(out, &used, room);
    m.some = cut_pick(out, &used, room);
    m.small = cut_pick(out, &used, room);
    for (int i = 0; i < SIZE / LARGE; i++)
        m.large[i] = cut_pick(out, &used, room);
    m.least = out->numbers + used / 2;
    m.greatest = m.least + room;
    for (int32_t i = 0; i < of->count; i++) {
        const near_city *c = &of->cities[i];
        if (near_among(of, i))
            add_pick(&m.all, c->x, c->y, c->size, i);
    }
    out->count = 0;
    return make_runs(out, &m);
}

void near_runs_dispose(near_runs *r)
{
    free(r->runs);
    free(r->floats);
    free(r->numbers);
    *r = (near_runs){0};
}
