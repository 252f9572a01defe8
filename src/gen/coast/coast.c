/* Draws the islands and cliffs of each OMT of the sea, and computes the heights of its
 * tiles. */
#include "gen/coast/coast.h"
#include "core/hash.h"
#include "core/offsets.h"
#include "core/whole.h"

#include <assert.h>
#include <string.h>

enum {
    HALF = COAST_SIDE / 2,
    TURN = 360,
    ALL = 100, /* percent */
    /* The most columns and rows of OMTs whose plan coast_raw needs: those of its rectangle of
     * tiles, and those around it. */
    OMTS_MAX = COAST_RECT_MAX / COAST_SIDE + 2 + 2
};

/* ---- which islands there are ---- */

static rng stream_of(const coast *c, const char *what, int64_t x, int64_t y)
{
    uint64_t key = hash_add(c->seed, hash_string(what));
    key = hash_add(key, (uint64_t)x);
    return rng_from_key(hash_add(key, (uint64_t)y));
}

/* An OMT's share says how large a part of the islands stated in coast_parameters it gets. The
 * sea is divided into squares of SHARE_SQUARE x SHARE_SQUARE OMTs, whose corners have hashed
 * numbers from 0 to SHARE_ONE; for an OMT inside a square the number is interpolated. The share
 * is 0 if the OMT's number is at most SHARE_FROM, and grows with the number above that. */
enum {
    SHARE_SQUARE = 16,
    SHARE_ONE = 1 << 16,
    SHARE_FROM = SHARE_ONE * 3 / 4,
    SHARE_SLOPE = 8
};

static int64_t share_corner(uint64_t seed, int64_t x, int64_t y)
{
    const uint64_t key =
        hash_add(hash_add(hash_mix(seed ^ UINT64_C(0x73686f616c73)), (uint64_t)x), (uint64_t)y);
    return (int64_t)(key >> 48);
}

/* For the numbers by which coast_shares finds how many islands OMTs get. The sea is divided
 * into squares of SHARE_SQUARE x SHARE_SQUARE OMTs, and each corner of a square has a hashed
 * number. Interpolates along the western side of the square (u, v), at dy OMTs south of its
 * north-western corner. Returns the result times SHARE_SQUARE. */
static int64_t share_side(uint64_t seed, int64_t u, int64_t v, int64_t dy)
{
    return share_corner(seed, u, v) * (SHARE_SQUARE - dy) + share_corner(seed, u, v + 1) * dy;
}

void coast_shares(uint8_t *out, uint64_t seed, int64_t x, int64_t y, int32_t width)
{
    const int64_t v = floor_div(y, SHARE_SQUARE), dy = y - v * SHARE_SQUARE;
    int64_t u = floor_div(x, SHARE_SQUARE), dx = x - u * SHARE_SQUARE;
    int64_t west = share_side(seed, u, v, dy), east = share_side(seed, u + 1, v, dy);
    for (int32_t i = 0; i < width; i++, dx++) {
        if (dx == SHARE_SQUARE) {
            dx = 0;
            west = east;
            east = share_side(seed, ++u + 1, v, dy);
        }
        const int64_t mean =
            (west * (SHARE_SQUARE - dx) + east * dx) / (SHARE_SQUARE * SHARE_SQUARE);
        const int64_t share = (mean - SHARE_FROM) * SHARE_SLOPE * COAST_SHARE_ALL / SHARE_ONE;
        out[i] = (uint8_t)(share < 0 ? 0 : share > COAST_SHARE_ALL ? COAST_SHARE_ALL : share);
    }
}

/* Moves the place (*x, *y) by `distance` tiles in the direction `degrees`. */
static void away(int32_t *x, int32_t *y, int32_t distance, int32_t degrees)
{
    const offset o = offset_at(distance, degrees);
    *x += o.x;
    *y += o.y;
}

static coast_hill *new_hill(coast_hills *out, rng *r)
{
    coast_hill *h = &out->hills[out->count++];
    h->key = rng_next(r);
    return h;
}

/* Draws a cliff: steep hills at every third tile along a line, each moved a little at
 * random. */
static void draw_cliff(coast_hills *out, rng *r)
{
    const int32_t x = rng_range(r, 0, COAST_SIDE - 1), y = rng_range(r, 0, COAST_SIDE - 1);
    const int32_t length = rng_range(r, 6, 15), degrees = rng_range(r, 0, TURN - 1);
    for (int32_t step = 0; step < length; step += 3) {
        coast_hill *h = new_hill(out, r);
        const int32_t distance = step - length / 2;
        h->x = x + rng_range(r, -2, 2);
        h->y = y + rng_range(r, -2, 2);
        away(&h->x, &h->y, distance < 0 ? -distance : distance,
             distance < 0 ? (degrees + TURN / 2) % TURN : degrees);
        h->points = rng_range(r, 40, 60);
        h->radius = 3;
        h->low = 100;
        h->high = 130;
    }
}

void coast_hills_of(coast_hills *out, const coast *c, int64_t x, int64_t y, coast_omt omt)
{
    out->count = 0;
    if (omt.kind == COAST_OPEN || omt.kind == COAST_LAND)
        return;
    rng r = stream_of(c, "coast islands", x, y);
    /* The number of islands of this OMT: a random number times the OMT's share, rounded up
     * or down at random. */
    const coast_parameters *p = &c->parameters;
    const int32_t least = clamp(p->islands_min, 0, COAST_ISLANDS_MAX);
    const int32_t most = clamp(p->islands_max, least, COAST_ISLANDS_MAX);
    const int32_t parts = rng_range(&r, least, most) * omt.share;
    const int32_t islands = parts / COAST_SHARE_ALL +
                            ((int32_t)rng_below(&r, COAST_SHARE_ALL) < parts % COAST_SHARE_ALL);
    for (int32_t i = 0; i < islands; i++) {
        /* Draw an island: a main hill and up to three smaller ones around its middle. The
         * numbers are those of the game. */
        coast_hill *first = new_hill(out, &r);
        first->x = rng_range(&r, 0, COAST_SIDE - 1);
        first->y = rng_range(&r, 0, COAST_SIDE - 1);
        first->points = rng_range(&r, 50, 60);
        first->radius = rng_range(&r, 3, 10);
        first->low = 80;
        first->high = 110;
        const int32_t more = rng_range(&r, 0, COAST_HILLS_MAX - 1);
        for (int32_t j = 0; j < more; j++) {
            coast_hill *h = new_hill(out, &r);
            const int32_t distance = rng_range(&r, 2, 10);
            h->x = first->x;
            h->y = first->y;
            away(&h->x, &h->y, distance, rng_range(&r, 0, TURN - 1));
            h->points = rng_range(&r, 25, 45);
            h->radius = rng_range(&r, 2, 7);
            h->low = 50;
            h->high = 65;
        }
    }
    /* A cliff stands only near land: on the shore, or in an OMT that has islands. */
    if (omt.kind != COAST_SHORE && islands == 0)
        return;
    rng of_cliff = stream_of(c, "coast cliffs", x, y);
    if ((int32_t)rng_below(&of_cliff, ALL) < c->parameters.cliffs)
        draw_cliff(out, &of_cliff);
}

/* ---- heights ---- */

/* Height of the ground, without islands, in the middle of a large area of OMTs of one kind:
 * three depths of the sea, then land. Heights have no unit. */
static const int32_t depths[COAST_KINDS] = {-81, -33, -12, 40};

int32_t coast_corner(const coast_kind kinds[4])
{
    return depths[kinds[0]] + depths[kinds[1]] + depths[kinds[2]] + depths[kinds[3]];
}

/* Returns 4 times the height of the corner where four OMTs of a grid meet. `at` is the
 * north-western one of these OMTs; `pitch` is the length of the grid's rows. */
static int32_t corner_at(const coast_omt *at, int32_t pitch)
{
    const coast_kind kinds[4] = {at[0].kind, at[1].kind, at[pitch].kind, at[pitch + 1].kind};
    return coast_corner(kinds);
}

/* Calculates in whole numbers and divides last, so that all machines round alike. */
int32_t coast_between(const int32_t corners[4], int32_t x, int32_t y)
{
    enum { SPAN = 2 * COAST_SIDE, PARTS = 4 * SPAN * SPAN };
    const int32_t u = 2 * x + 1, v = 2 * y + 1;
    const int32_t sum = corners[0] * (SPAN - u) * (SPAN - v) + corners[1] * u * (SPAN - v) +
                        corners[2] * (SPAN - u) * v + corners[3] * u * v;
    return sum / PARTS - (sum % PARTS < 0);
}

int32_t coast_base(const coast_omt around[9], int32_t x, int32_t y)
{
    const int32_t corners[4] = {corner_at(around, 3), corner_at(around + 1, 3),
                                corner_at(around + 3, 3), corner_at(around + 4, 3)};
    return coast_between(corners, x, y);
}

/* The rectangle of tiles that coast_raw makes, with the plan of the OMTs in and around it. */
typedef struct work {
    int32_t *out;
    coast_rect cells;
    int64_t x, y; /* absolute coordinates of the first (north-western) OMT in omts[] */
    int32_t columns, rows;
    coast_omt omts[OMTS_MAX * OMTS_MAX];
} work;

static int32_t later(int64_t a, int64_t b)
{
    return (int32_t)(a > b ? a : b);
}

static int32_t earlier(int64_t a, int64_t b)
{
    return (int32_t)(a < b ? a : b);
}

/* Raises those tiles of the rectangle on which points of the hill lie. (left, top) is the
 * north-western tile of the hill's OMT, in coordinates of the rectangle. */
static void raise_hill(work *w, const coast_hill *h, int64_t left, int64_t top)
{
    const int64_t x = left + h->x, y = top + h->y;
    if (x + h->radius < 0 || x - h->radius >= w->cells.width || y + h->radius < 0 ||
        y - h->radius >= w->cells.height)
        return;
    rng r = rng_from_key(h->key);
    for (int32_t i = 0; i < h->points; i++) {
        const int32_t distance = rng_range(&r, 0, h->radius);
        const offset o = offset_at(distance, rng_range(&r, 0, TURN - 1));
        const int32_t amount = rng_range(&r, h->low, h->high);
        const int64_t u = x + o.x, v = y + o.y;
        if (u >= 0 && u < w->cells.width && v >= 0 && v < w->cells.height)
            w->out[v * w->cells.width + u] += amount;
    }
}

void coast_raw(int32_t *out, const coast *c, coast_rect cells)
{
    work w;
    w.out = out;
    w.cells = cells;
    /* w.omts has the plan of all OMTs with tiles in the rectangle, and of a ring of OMTs around
     * these. */
    const coast_rect *r = &w.cells;
    assert(r->width <= COAST_RECT_MAX + 2 && r->height <= COAST_RECT_MAX + 2);
    w.x = floor_div(r->x, COAST_SIDE) - 1;
    w.y = floor_div(r->y, COAST_SIDE) - 1;
    w.columns = (int32_t)(floor_div(r->x + r->width - 1, COAST_SIDE) + 2 - w.x);
    w.rows = (int32_t)(floor_div(r->y + r->height - 1, COAST_SIDE) + 2 - w.y);
    c->plan(c->payload, (coast_rect){w.x, w.y, w.columns, w.rows}, w.omts);
    for (int32_t j = 1; j < w.rows - 1; j++)
        for (int32_t i = 1; i < w.columns - 1; i++) {
            /* Fill in the heights that the tiles of one OMT have without islands. */
            const coast_omt *nw = &w.omts[(j - 1) * w.columns + i - 1];
            const int32_t pitch = w.columns;
            const int32_t corners[4] = {corner_at(nw, pitch), corner_at(nw + 1, pitch),
                                        corner_at(nw + pitch, pitch),
                                        corner_at(nw + pitch + 1, pitch)};
            const int64_t x0 = (w.x + i) * COAST_SIDE - w.cells.x;
            const int64_t y0 = (w.y + j) * COAST_SIDE - w.cells.y;
            const int32_t x1 = earlier(x0 + COAST_SIDE, w.cells.width);
            const int32_t y1 = earlier(y0 + COAST_SIDE, w.cells.height);
            for (int32_t y = later(y0, 0); y < y1; y++)
                for (int32_t x = later(x0, 0); x < x1; x++)
                    w.out[y * w.cells.width + x] =
                        coast_between(corners, (int32_t)(x - x0), (int32_t)(y - y0));
        }
    for (int32_t j = 0; j < w.rows; j++)
        for (int32_t i = 0; i < w.columns; i++) {
            coast_hills all;
            coast_hills_of(&all, c, w.x + i, w.y + j, w.omts[j * w.columns + i]);
            for (int32_t k = 0; k < all.count; k++)
                raise_hill(&w, &all.hills[k], (w.x + i) * COAST_SIDE - w.cells.x,
                           (w.y + j) * COAST_SIDE - w.cells.y);
        }
}

/* Returns the weighted mean of the heights of a tile (weight 4), its four neighbours (weight 3
 * each) and its four diagonal neighbours (weight 2 each), truncated towards zero. `pitch` is
 * the number of tiles in a row. */
static int32_t mean_around(const int32_t *at, size_t pitch)
{
    enum { MIDDLE = 4, SIDE = 3, DIAGONAL = 2, WEIGHTS = 24 };
    const int32_t *north = at - pitch, *south = at + pitch;
    return (MIDDLE * at[0] + SIDE * (north[0] + south[0] + at[-1] + at[1]) +
            DIAGONAL * (north[-1] + north[1] + south[-1] + south[1])) /
           WEIGHTS;
}

void coast_heights(int16_t *out, int32_t *scratch, const coast *c, coast_rect cells)
{
    const coast_rect wider = {cells.x - 1, cells.y - 1, cells.width + 2, cells.height + 2};
    const size_t pitch = (size_t)wider.width;
    coast_raw(scratch, c, wider);
    for (int32_t y = 0; y < cells.height; y++)
        for (int32_t x = 0; x < cells.width; x++)
            out[y * cells.width + x] = (int16_t)clamp(
                mean_around(&scratch[((size_t)y + 1) * pitch + (size_t)x + 1], pitch),
                INT16_MIN, INT16_MAX);
}

void coast_omt_heights(int16_t out[COAST_SIDE * COAST_SIDE], const coast *c, int64_t x,
                       int64_t y)
{
    const coast_rect cells = {x * COAST_SIDE, y * COAST_SIDE, COAST_SIDE, COAST_SIDE};
    int32_t scratch[COAST_SCRATCH(COAST_SIDE, COAST_SIDE)];
    if (!c->memo) {
        coast_heights(out, scratch, c, cells);
        return;
    }
    const uint64_t column = (uint64_t)x % COAST_MEMO_WIDTH,
                   row = (uint64_t)y % COAST_MEMO_HEIGHT;
    coast_memo_omt *m = &c->memo->omts[row * COAST_MEMO_WIDTH + column];
    if (!m->known || m->x != x || m->y != y) {
        coast_heights(m->heights, scratch, c, cells);
        m->known = true;
        m->x = x;
        m->y = y;
    }
    memcpy(out, m->heights, sizeof m->heights);
}

const int32_t coast_sample_cells[COAST_SAMPLES] = {2, 7, 12, 16, 21};

/* A hill is made of random points. All distances of a point from the hill's middle are equally
 * likely, so the farther out a tile is, the fewer points fall on it: a tile gets 1 / (2 pi
 * distance) of the points at its distance. `cell_share` has this fraction, multiplied by 2^16,
 * for tiles up to the largest radius; the index is the square of the tile's distance from the
 * middle. The distance of the middle tile itself counts as one half. */
enum { RADIUS_MAX = 10, SHARE_BITS = 16 };
static const uint16_t cell_share[RADIUS_MAX * RADIUS_MAX + 1] = {
    20861, 10430, 7375, 6022, 5215, 4665, 4258, 3942, 3688, 3477, 3298, 3145, 3011, 2893, 2788,
    2693,  2608,  2530, 2458, 2393, 2332, 2276, 2224, 2175, 2129, 2086, 2046, 2007, 1971, 1937,
    1904,  1873,  1844, 1816, 1789, 1763, 1738, 1715, 1692, 1670, 1649, 1629, 1609, 1591, 1572,
    1555,  1538,  1521, 1505, 1490, 1475, 1461, 1446, 1433, 1419, 1406, 1394, 1382, 1370, 1358,
    1347,  1335,  1325, 1314, 1304, 1294, 1284, 1274, 1265, 1256, 1247, 1238, 1229, 1221, 1213,
    1204,  1196,  1189, 1181, 1174, 1166, 1159, 1152, 1145, 1138, 1131, 1125, 1118, 1112, 1106,
    1099,  1093,  1087, 1082, 1076, 1070, 1065, 1059, 1054, 1048, 1043,
};

/* An OMT becomes an island if hills raise enough of its sample tiles above the sea. An OMT's
 * sample tiles form a square grid. The table `sample_cells` has their positions along x, or
 * along y, for three OMTs in a row, counted from the first tile of the middle OMT. before[c -
 * FIRST] is the number of sample tiles at positions less than c. */
enum { SIDE_SAMPLES = 3 * COAST_SAMPLES, FIRST = -2 * COAST_SIDE, SIDE_CELLS = 6 * COAST_SIDE };
static const int8_t sample_cells[SIDE_SAMPLES] = {-22, -17, -12, -8, -3, 2,  7, 12,
                                                  16,  21,  26,  31, 36, 40, 45};
static const uint8_t before[SIDE_CELLS] = {
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
    0,  0,  0,  0,  0,  0,  1,  1,  1,  1,  1,  2,  2,  2,  2,  2,  3,  3,  3,  3,  4,
    4,  4,  4,  4,  5,  5,  5,  5,  5,  6,  6,  6,  6,  6,  7,  7,  7,  7,  7,  8,  8,
    8,  8,  9,  9,  9,  9,  9,  10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 12, 12, 12, 12,
    12, 13, 13, 13, 13, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
_Static_assert(COAST_REACH + RADIUS_MAX < COAST_SIDE + COAST_SIDE,
               "all cells in reach are there");

/* half_widths[r][d] is half the width of a circle of radius r in the row that is d tiles from
 * its middle: the square root of r * r - d * d, rounded down. */
static const uint8_t half_widths[RADIUS_MAX + 1][RADIUS_MAX + 1] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0},
    {4, 3, 3, 2, 0, 0, 0, 0, 0, 0, 0}, {5, 4, 4, 4, 3, 0, 0, 0, 0, 0, 0},
    {6, 5, 5, 5, 4, 3, 0, 0, 0, 0, 0}, {7, 6, 6, 6, 5, 4, 3, 0, 0, 0, 0},
    {8, 7, 7, 7, 6, 6, 5, 3, 0, 0, 0}, {9, 8, 8, 8, 8, 7, 6, 5, 4, 0, 0},
    {10, 9, 9, 9, 9, 8, 8, 7, 6, 4, 0}};

void coast_samples_raise(int32_t *const rows[COAST_SAMPLE_ROWS], int32_t columns,
                         const coast_hill *hill, int32_t column)
{
    const int32_t r = hill->radius, x = hill->x, y = hill->y;
    const int32_t first = (column - 1) * COAST_SAMPLES;
    const int32_t least = first < 0 ? -first : 0, end = columns * COAST_SAMPLES - first;
    const int32_t bottom = before[y + r + 1 - FIRST];
    /* Each point of a hill raises a tile at a random distance 0..r from the hill's middle. This
     * is the sum of what the points of any one distance add to their tiles, on average. */
    const int32_t mass = hill->points * (hill->low + hill->high) / 2 / (r + 1);
    for (int32_t j = before[y - r - FIRST]; j < bottom; j++) {
        const int32_t down = sample_cells[j] - y, square = down * down;
        const int32_t half = half_widths[r][down < 0 ? -down : down];
        const int32_t from = before[x - half - FIRST], to = before[x + half + 1 - FIRST];
        const int32_t right = to < end ? to : end;
        for (int32_t i = from > least ? from : least; i < right; i++) {
            const int32_t across = sample_cells[i] - x;
            rows[j][first + i] += mass * cell_share[square + across * across] >> SHARE_BITS;
        }
    }
}
