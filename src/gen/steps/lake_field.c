/*
 * The lake field: which cells are lake, for a chunk and its surroundings. A cell is lake if
 * its 4-connected component of the infinite noise field has at least lake_size_min cells; the
 * flood stops at that count, so each answer needs lake_size_min cells around it at most, and
 * two neighbours always agree. Noise is evaluated square by square when first asked for.
 *
 * The two lines of cells that meet at a border are made equal (lake if either is; at a corner,
 * if any of the four is): a lake whose rim happens to run along a border then still has water
 * opposite.
 */
#include "gen/steps/waters.h"

#include <stdlib.h>
#include <string.h>

enum {
    LAKE_KNOWN = 1, /* the noise has been evaluated */
    LAKE_ABOVE = 2, /* it is above the threshold */
    LAKE_YES = 4,   /* its component is large enough */
    LAKE_NO = 8,    /* it is not */
    LAKE_SEEN = 16  /* visited by the flood that is running */
};

enum { SQUARE_UNKNOWN = 255, RUN = NOISE_SQUARES * NOISE_SQUARE /* OMTs, a row of squares */ };

/* Squares in a row of the window, rounded up to whole runs. */
static int32_t squares_wide(const lake_field *f)
{
    return (f->width + RUN - 1) / RUN * NOISE_SQUARES;
}

static size_t square_count(const lake_field *f)
{
    return (size_t)squares_wide(f) * (size_t)(f->width / NOISE_SQUARE);
}

static bool lake_field_make(generator *g)
{
    const int32_t lake_size_min = g->config->region->lake_size_min;
    lake_field *f = &g->lakes;
    f->margin = (REACH + 1 + lake_size_min + NOISE_BLOCK) / NOISE_BLOCK * NOISE_BLOCK;
    f->width = (SIZE + 2 * f->margin + NOISE_BLOCK - 1) / NOISE_BLOCK * NOISE_BLOCK;
    f->cells = malloc((size_t)f->width * (size_t)f->width);
    f->queue = malloc((size_t)lake_size_min * sizeof *f->queue);
    f->squares = malloc(square_count(f));
    return f->cells && f->queue && f->squares;
}

static void lake_field_drop(generator *g)
{
    free(g->lakes.cells);
    free(g->lakes.queue);
    free(g->lakes.squares);
}

void lake_field_reset(generator *g)
{
    lake_field *f = &g->lakes;
    memset(f->cells, 0, (size_t)f->width * (size_t)f->width);
    memset(f->squares, SQUARE_UNKNOWN, square_count(f));
}

const gen_part lake_field_part = {"lake field", lake_field_make, lake_field_drop,
                                  lake_field_reset};

/* What the square of a cell is; x, y in the window. */
static uint8_t square_at(generator *g, int32_t x, int32_t y)
{
    lake_field *f = &g->lakes;
    const int32_t row = y / NOISE_SQUARE * squares_wide(f);
    uint8_t *square = &f->squares[row + x / NOISE_SQUARE];
    if (*square != SQUARE_UNKNOWN)
        return *square;
    uint8_t *run = &f->squares[row + x / RUN * NOISE_SQUARES];
    if (!noise_lake_squares(g, x / RUN * RUN - f->margin,
                            y / NOISE_SQUARE * NOISE_SQUARE - f->margin, run))
        memset(run, NOISE_MIXED, NOISE_SQUARES);
    return *square;
}

/* Evaluates a square's cells; x, y is its corner. */
static void evaluate(generator *g, int32_t x, int32_t y)
{
    lake_field *f = &g->lakes;
    const uint8_t square = square_at(g, x, y);
    uint8_t above[NOISE_SQUARE][NOISE_SQUARE];
    if (square == NOISE_MIXED)
        noise_lake_square(g, x - f->margin, y - f->margin, above);
    else
        memset(above, square == NOISE_ALL_ABOVE, sizeof above);
    for (int row = 0; row < NOISE_SQUARE; row++) {
        uint8_t *cells = &f->cells[(y + row) * f->width + x];
        for (int i = 0; i < NOISE_SQUARE; i++)
            cells[i] = (uint8_t)(LAKE_KNOWN | (above[row][i] ? LAKE_ABOVE : LAKE_NO));
    }
}

/* The cell with its noise evaluated; index in the window. */
static uint8_t cell_with_noise(generator *g, int32_t index)
{
    lake_field *f = &g->lakes;
    if (!(f->cells[index] & LAKE_KNOWN))
        evaluate(g, index % f->width / NOISE_SQUARE * NOISE_SQUARE,
                 index / f->width / NOISE_SQUARE * NOISE_SQUARE);
    return f->cells[index];
}

/* Decides the component of `start`, which is above the threshold and undecided. */
static bool flood(generator *g, int32_t start)
{
    lake_field *f = &g->lakes;
    const int32_t needed = g->config->region->lake_size_min;
    const int32_t step[4] = {-f->width, 1, f->width, -1};
    int32_t head = 0, count = 0;
    bool large = needed <= 1;
    f->queue[count++] = start;
    f->cells[start] |= LAKE_SEEN;
    while (head < count && !large) {
        int32_t at = f->queue[head++];
        for (int i = 0; i < 4 && !large; i++) {
            int32_t next = at + step[i];
            uint8_t cell = cell_with_noise(g, next);
            if (!(cell & LAKE_ABOVE) || cell & LAKE_SEEN)
                continue;
            /* A decided neighbour of the same component decides this one too. */
            large = cell & LAKE_YES || count + 1 >= needed;
            if (!large) {
                f->cells[next] |= LAKE_SEEN;
                f->queue[count++] = next;
            }
        }
    }
    for (int32_t i = 0; i < count; i++) {
        uint8_t *cell = &f->cells[f->queue[i]];
        *cell = (uint8_t)((*cell & ~LAKE_SEEN) | (large ? LAKE_YES : LAKE_NO));
    }
    return large;
}

static bool field_is(generator *g, int32_t x, int32_t y)
{
    lake_field *f = &g->lakes;
    int32_t index = (y + f->margin) * f->width + x + f->margin;
    uint8_t cell = cell_with_noise(g, index);
    if (cell & LAKE_NO)
        return false;
    return cell & LAKE_YES || flood(g, index);
}

/* The cell across the border from v, or v itself if it is on no border line. */
static int32_t across(int32_t v)
{
    switch (v) {
    case -1:
        return 0;
    case 0:
        return -1;
    case SIZE - 1:
        return SIZE;
    case SIZE:
        return SIZE - 1;
    default:
        return v;
    }
}

/* What a foreign neighbour has along the chunk's border; NULL where it is not foreign. */
static const ptl_oter *foreign_border(const generator *g, int direction)
{
    return g->edges[direction]->border[direction == 1 || direction == 2];
}

static bool is_lake(const generator *g, ptl_oter oter)
{
    const uint32_t lake = CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE | CAT_FLAG_OCEAN;
    return oter != CAT_NONE && (g->config->cat->oters[oter].flags & lake) != 0;
}

/* Where a region has no lakes its content may lack what they are made of. */
static bool can_draw(const generator *g)
{
    const gen_oters *o = g->config->oters;
    return o->lake_surface != CAT_NONE && o->lake_shore != CAT_NONE &&
           o->lake_water_cube != CAT_NONE && o->lake_bed != CAT_NONE;
}

/* The border that a cell lies beyond, or on; -1 where there is none, or two. */
static int border_beyond(int32_t x, int32_t y)
{
    bool x_inside = x >= 0 && x < SIZE, y_inside = y >= 0 && y < SIZE;
    if (x_inside == y_inside)
        return -1;
    return x < 0 ? 3 : x >= SIZE ? 1 : y < 0 ? 0 : 2;
}

static int border_on(int32_t x, int32_t y)
{
    bool x_on = x == 0 || x == SIZE - 1, y_on = y == 0 || y == SIZE - 1;
    if (x_on == y_on)
        return -1;
    return x == 0 ? 3 : x == SIZE - 1 ? 1 : y == 0 ? 0 : 2;
}

static bool is_water(const generator *g, ptl_oter oter)
{
    return is_lake(g, oter) ||
           (oter != CAT_NONE && (g->config->cat->oters[oter].flags & CAT_FLAG_RIVER) != 0);
}

/*
 * Beyond a foreign border the cells are what they are: known on the border line, taken for
 * land farther out. The chunk's own line has lake where the foreign one has it, and no lake
 * before land, so that a lake never ends at a border. Corners belong to two edges and follow
 * the noise alone.
 */
static bool lake_at_foreign(generator *g, int32_t x, int32_t y, ptl_oter opposite)
{
    if (!inside(x, y))
        return is_lake(g, opposite);
    if (!can_draw(g))
        return false;
    return is_lake(g, opposite) || (is_water(g, opposite) && field_is(g, x, y));
}

bool lake_is(generator *g, int32_t x, int32_t y)
{
    if (x > 0 && x < SIZE - 1 && y > 0 && y < SIZE - 1)
        return field_is(g, x, y);
    int32_t ax = across(x), ay = across(y);
    int direction = inside(x, y) ? border_on(x, y) : border_beyond(x, y);
    const ptl_oter *border = direction >= 0 ? foreign_border(g, direction) : NULL;
    if (border)
        return (ax != x || ay != y) && lake_at_foreign(g, x, y, border[direction % 2 ? y : x]);
    if (field_is(g, x, y))
        return true;
    if (ax == x && ay == y)
        return false;
    return field_is(g, ax, y) || field_is(g, x, ay) || field_is(g, ax, ay);
}

/* Is any cell of a square of the window above the threshold? (x, y) is its corner. */
static bool square_above(generator *g, int32_t x, int32_t y)
{
    const lake_field *f = &g->lakes;
    const int32_t first = (y + f->margin) * f->width + x + f->margin;
    const uint8_t square = square_at(g, x + f->margin, y + f->margin);
    if (square != NOISE_MIXED)
        return square == NOISE_ALL_ABOVE;
    uint8_t bits = cell_with_noise(g, first);
    for (int row = 0; row < NOISE_SQUARE; row++)
        for (int i = 0; i < NOISE_SQUARE; i++)
            bits |= f->cells[first + row * f->width + i];
    return bits & LAKE_ABOVE;
}

bool lake_possible(generator *g, int32_t x, int32_t y)
{
    /* On a border line the other side has a say, which may be a foreign one. The squares of
     * the last column and row have the cells beyond as well. */
    const bool first_x = x == 0, first_y = y == 0;
    if (first_x || first_y || x + NOISE_SQUARE >= SIZE || y + NOISE_SQUARE >= SIZE)
        for (int direction = 0; direction < 4; direction++)
            if (foreign_border(g, direction))
                return true;
    return square_above(g, x, y) || (first_x && square_above(g, -NOISE_SQUARE, y)) ||
           (first_y && square_above(g, x, -NOISE_SQUARE)) ||
           (first_x && first_y && square_above(g, -NOISE_SQUARE, -NOISE_SQUARE));
}
_Static_assert(SIZE % NOISE_SQUARE != 0, "a chunk's last square holds cells beyond the border");
_Static_assert((int)NOISE_SQUARE == (int)NOISE_BLOCK, "a block is a row of a square");
