/*
 * Two fields tell which cells in and around a chunk are lake, and which are sea. Cells whose
 * noise is above a threshold and that are linked by their sides form a body of water. A cell is
 * water if its body, which may reach into other chunks, has at least as many cells as the
 * region says. Counting stops at that number, so that an answer depends only on noise up to a
 * limited distance, and two neighbouring chunks always agree. Noise is evaluated in squares, on
 * demand.
 *
 * The two rows of cells on either side of a border are made equal: if one of two facing cells
 * is water, both are; at a corner, if one of the four cells is water, all are. So a lake that
 * ends exactly at a border has water on the other side as well.
 */
#include "gen/steps/waters.h"

#include <string.h>

enum {
    WATER_KNOWN = 1, /* the cell's noise was evaluated */
    WATER_ABOVE = 2, /* the cell's noise is above the field's threshold */
    WATER_YES = 4,   /* the body of water that the cell belongs to is large enough */
    /* The cell's body of water is too small, or its noise is not above the threshold. */
    WATER_NO = 8,
    WATER_SEEN = 16 /* the search that is under way has visited the cell */
};

/* A run is a row of squares whose noise is evaluated at once. RUN is its length in OMTs. */
enum { SQUARE_UNKNOWN = 255, RUN = NOISE_SQUARES * NOISE_SQUARE };

/* Returns the number of squares in a row of the field's window, rounded up to a multiple of
 * NOISE_SQUARES, because the noise of so many squares is evaluated at once. */
static int32_t squares_wide(const water_field *f)
{
    return (f->width + RUN - 1) / RUN * NOISE_SQUARES;
}

static size_t square_count(const water_field *f)
{
    return (size_t)squares_wide(f) * (size_t)(f->width / NOISE_SQUARE);
}

static void field_make(generator *g, water_field *f, int32_t size_min)
{
    f->size_min = size_min;
    f->share = OCEAN_MIXED;
    f->margin = (REACH + 1 + size_min + NOISE_BLOCK) / NOISE_BLOCK * NOISE_BLOCK;
    f->width = (SIZE + 2 * f->margin + NOISE_BLOCK - 1) / NOISE_BLOCK * NOISE_BLOCK;
    f->cells = generator_memory(g, (size_t)f->width, (size_t)f->width);
    f->queue = generator_memory(g, (size_t)size_min, sizeof *f->queue);
    f->squares = generator_memory(g, square_count(f), sizeof *f->squares);
}

static void field_reset(water_field *f)
{
    memset(f->cells, 0, (size_t)f->width * (size_t)f->width);
    memset(f->squares, SQUARE_UNKNOWN, square_count(f));
}

static void fields_make(generator *g)
{
    const cat_ocean *ocean = g->config->ocean.settings;
    g->oceans.sea = true;
    if (ocean)
        field_make(g, &g->oceans, ocean->size_min);
    field_make(g, &g->lakes, g->config->region->lake_size_min);
}

void water_fields_reset(generator *g)
{
    field_reset(&g->lakes);
    water_field *f = &g->oceans;
    const ocean_plan *plan = &g->config->ocean;
    f->share = OCEAN_NONE;
    if (!g->chunk || !plan->settings)
        return;
    const int64_t x = (int64_t)g->chunk->pos.x * SIZE, y = (int64_t)g->chunk->pos.y * SIZE;
    /* Steps of generation also ask whether cells beyond the chunk's border are sea, but no
     * farther from the border than this. */
    const int32_t around = REACH + 2;
    f->share =
        ocean_in(plan, x - around, y - around, x + SIZE - 1 + around, y + SIZE - 1 + around);
    if (f->share == OCEAN_MIXED)
        field_reset(f);
}

const gen_part water_fields_part = {.make = fields_make, .reset = water_fields_reset};

/* Tells whether the noise of a cell's square is all above the threshold, all below it, or mixed
 * (NOISE_ALL_ABOVE, NOISE_ALL_BELOW, NOISE_MIXED). x and y are counted from the north-western
 * corner of the field's window. */
static uint8_t square_at(generator *g, water_field *f, int32_t x, int32_t y)
{
    const int32_t row = y / NOISE_SQUARE * squares_wide(f);
    uint8_t *square = &f->squares[row + x / NOISE_SQUARE];
    if (*square != SQUARE_UNKNOWN)
        return *square;
    uint8_t *run = &f->squares[row + x / RUN * NOISE_SQUARES];
    const int32_t x0 = x / RUN * RUN - f->margin;
    const int32_t y0 = y / NOISE_SQUARE * NOISE_SQUARE - f->margin;
    if (!noise_water_squares(g, f->sea, x0, y0, run))
        memset(run, NOISE_MIXED, NOISE_SQUARES);
    return *square;
}

/* Returns the bits WATER_... of the cell with this index in the field's window, after
 * evaluating its noise. */
static uint8_t cell_with_noise(generator *g, water_field *f, int32_t index)
{
    if (!(f->cells[index] & WATER_KNOWN)) {
        /* Evaluate the noise of all cells in the square to which the cell belongs; (x, y) is
         * the square's north-western corner. */
        const int32_t x = index % f->width / NOISE_SQUARE * NOISE_SQUARE;
        const int32_t y = index / f->width / NOISE_SQUARE * NOISE_SQUARE;
        const uint8_t square = square_at(g, f, x, y);
        uint8_t above[NOISE_SQUARE][NOISE_SQUARE];
        if (square == NOISE_MIXED)
            noise_water_square(g, f->sea, x - f->margin, y - f->margin, above);
        else
            memset(above, square == NOISE_ALL_ABOVE, sizeof above);
        for (int row = 0; row < NOISE_SQUARE; row++) {
            uint8_t *cells = &f->cells[(y + row) * f->width + x];
            for (int i = 0; i < NOISE_SQUARE; i++)
                cells[i] = (uint8_t)(WATER_KNOWN | (above[row][i] ? WATER_ABOVE : WATER_NO));
        }
    }
    return f->cells[index];
}

/* Decides whether the body of water that the cell `start` belongs to is large enough. The noise
 * of `start` must be above the threshold, and its body must not be decided yet. */
static bool flood(generator *g, water_field *f, int32_t start)
{
    const int32_t needed = f->size_min;
    /* What must be added to a cell's index for its four neighbours. First come the neighbours
     * in the north and west, since these are mostly decided already. */
    const int32_t step[4] = {-f->width, -1, f->width, 1};
    int32_t head = 0, count = 0;
    bool large = needed <= 1;
    f->queue[count++] = start;
    f->cells[start] |= WATER_SEEN;
    while (head < count && !large) {
        int32_t at = f->queue[head++];
        for (int i = 0; i < 4 && !large; i++) {
            int32_t next = at + step[i];
            uint8_t cell = cell_with_noise(g, f, next);
            if (!(cell & WATER_ABOVE) || cell & WATER_SEEN)
                continue;
            /* If the neighbour is known to be water that is put on the map, its body of water,
             * which is also that of `start`, is large enough. */
            large = cell & WATER_YES || count + 1 >= needed;
            if (!large) {
                f->cells[next] |= WATER_SEEN;
                f->queue[count++] = next;
            }
        }
    }
    for (int32_t i = 0; i < count; i++) {
        uint8_t *cell = &f->cells[f->queue[i]];
        *cell = (uint8_t)((*cell & ~WATER_SEEN) | (large ? WATER_YES : WATER_NO));
    }
    return large;
}

static bool field_is(generator *g, water_field *f, int32_t x, int32_t y)
{
    if (f->share != OCEAN_MIXED)
        return f->share == OCEAN_ALL;
    int32_t index = (y + f->margin) * f->width + x + f->margin;
    uint8_t cell = cell_with_noise(g, f, index);
    if (cell & WATER_NO)
        return false;
    return cell & WATER_YES || flood(g, f, index);
}

/* v is the coordinate of a cell along x or y. If a border of the chunk is right beside the
 * cell, returns the coordinate of the neighbouring cell on the border's other side; else
 * returns v. */
static int32_t across(int32_t v)
{
    return v == -1 || v == 0 ? -1 - v : v == SIZE - 1 || v == SIZE ? 2 * SIZE - 1 - v : v;
}

/* Returns the oters that a foreign neighbour has along the border; NULL if the neighbour is not
 * foreign. */
static const ptl_oter *foreign_border(const generator *g, int direction)
{
    return g->edges[direction]->border[direction == 1 || direction == 2];
}

/* Can the water that `f` tells about, lake or sea, be put on the map? The content may lack
 * the terrains for it if the region has no such water. */
static bool can_draw(const generator *g, const water_field *f)
{
    const gen_oters *o = g->config->oters;
    if (f->sea)
        return g->config->ocean.settings != NULL;
    return o->lake_surface != CAT_NONE && o->lake_shore != CAT_NONE &&
           o->lake_water_cube != CAT_NONE && o->lake_bed != CAT_NONE;
}

/* Returns whether the oter is water of the kind that `f` is about: lake or sea. In a region
 * without an ocean, sea counts as lake, since a neighbour's sea goes on as a lake here. */
static bool is_of(const generator *g, const water_field *f, ptl_oter oter)
{
    uint32_t flags = CAT_FLAGS_OCEAN;
    if (!f->sea)
        flags = can_draw(g, &g->oceans) ? CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE : CAT_FLAGS_STILL;
    return oter != CAT_NONE && (g->config->cat->oters[oter].flags & flags) != 0;
}

/* Returns the direction of the border beyond which the cell lies. If `ring` is 1, the chunk's
 * outermost row or column of cells there counts as beyond the border, too. Returns -1 if the
 * cell lies beyond no border or, at a corner, beyond two. */
static int border_of(int32_t x, int32_t y, int32_t ring)
{
    const bool x_out = x < ring || x >= SIZE - ring, y_out = y < ring || y >= SIZE - ring;
    if (x_out == y_out)
        return -1;
    return x < ring ? 3 : x_out ? 1 : y < ring ? 0 : 2;
}

static bool is_water(const generator *g, ptl_oter oter)
{
    return oter != CAT_NONE && (g->config->cat->oters[oter].flags & CAT_FLAGS_WATER) != 0;
}

/*
 * Tells whether a cell at a foreign border is water; `opposite` is the foreign chunk's oter
 * there. Cells beyond the border are what the foreign chunk has. A cell inside the chunk at the
 * border is lake if the foreign cell beside it is lake, and no lake if the foreign cell is
 * land. So no lake ends at such a border.
 */
static bool water_at_foreign(generator *g, water_field *f, int32_t x, int32_t y,
                             ptl_oter opposite)
{
    if (!inside(x, y))
        return is_of(g, f, opposite);
    if (!can_draw(g, f))
        return false;
    return is_of(g, f, opposite) || (is_water(g, opposite) && field_is(g, f, x, y));
}

/* Returns whether the cell is lake or, if `f` is the field of the sea, sea. A cell at a
 * border counts as water also if the cell across the border is water by its noise and the size
 * of its body of water. If the neighbour is a foreign chunk, the neighbour's own cells decide
 * instead. */
static bool water_is(generator *g, water_field *f, int32_t x, int32_t y)
{
    if (x > 0 && x < SIZE - 1 && y > 0 && y < SIZE - 1)
        return field_is(g, f, x, y);
    int32_t ax = across(x), ay = across(y);
    const int direction = border_of(x, y, inside(x, y));
    const ptl_oter *border = direction >= 0 ? foreign_border(g, direction) : NULL;
    if (border)
        return (ax != x || ay != y) &&
               water_at_foreign(g, f, x, y, border[direction % 2 ? y : x]);
    if (field_is(g, f, x, y))
        return true;
    if (ax == x && ay == y)
        return false;
    return field_is(g, f, ax, y) || field_is(g, f, x, ay) || field_is(g, f, ax, ay);
}

bool lake_is(generator *g, int32_t x, int32_t y)
{
    return water_is(g, &g->lakes, x, y);
}

bool ocean_is(generator *g, int32_t x, int32_t y)
{
    return g->config->ocean.settings && water_is(g, &g->oceans, x, y);
}

/* Is the noise of any cell of the square above the field's threshold? (x, y) is the square's
 * north-western corner, relative to the chunk. */
static bool square_above(generator *g, water_field *f, int32_t x, int32_t y)
{
    const int32_t first = (y + f->margin) * f->width + x + f->margin;
    const uint8_t square = square_at(g, f, x + f->margin, y + f->margin);
    if (square != NOISE_MIXED)
        return square == NOISE_ALL_ABOVE;
    uint8_t bits = cell_with_noise(g, f, first);
    for (int row = 0; row < NOISE_SQUARE; row++)
        for (int i = 0; i < NOISE_SQUARE; i++)
            bits |= f->cells[first + row * f->width + i];
    return bits & WATER_ABOVE;
}

static bool any_foreign(const generator *g)
{
    for (int direction = 0; direction < 4; direction++)
        if (foreign_border(g, direction))
            return true;
    return false;
}

/* Can a square of cells at the chunk's border hold water? A cell there counts as water also if
 * the cell across the border is water. So the squares across the border are looked at, too. (A
 * square in the last column or row of squares needs no such look, since it reaches beyond the
 * border itself.) Beside a foreign chunk the answer is always yes. */
static bool possible_on_border(generator *g, water_field *f, int32_t x, int32_t y)
{
    const bool first_x = x == 0, first_y = y == 0;
    if (any_foreign(g))
        return true;
    if (f->share != OCEAN_MIXED)
        return f->share == OCEAN_ALL;
    return square_above(g, f, x, y) || (first_x && square_above(g, f, -NOISE_SQUARE, y)) ||
           (first_y && square_above(g, f, x, -NOISE_SQUARE)) ||
           (first_x && first_y && square_above(g, f, -NOISE_SQUARE, -NOISE_SQUARE));
}

/* Tells how much of a square is lake, or sea. If the noise of all its cells is above the
 * threshold, they belong to one body of water. Such a body is water or not as a whole, so that
 * one cell of the square decides for all. */
water_share water_share_of(generator *g, water_field *f, int32_t x, int32_t y)
{
    if (x == 0 || y == 0 || x + NOISE_SQUARE >= SIZE || y + NOISE_SQUARE >= SIZE)
        return possible_on_border(g, f, x, y) ? WATER_SOME : WATER_NONE;
    const bool whole = f->share != OCEAN_MIXED ||
                       square_at(g, f, x + f->margin, y + f->margin) == NOISE_ALL_ABOVE;
    if (whole) {
        const bool is = field_is(g, f, x, y);
        if (is && f->share == OCEAN_MIXED)
            for (int32_t row = y; row < y + NOISE_SQUARE; row++)
                memset(&f->cells[(row + f->margin) * f->width + x + f->margin],
                       WATER_KNOWN | WATER_ABOVE | WATER_YES, NOISE_SQUARE);
        return is ? WATER_ALL : WATER_NONE;
    }
    return square_above(g, f, x, y) ? WATER_SOME : WATER_NONE;
}

/* Tells for each cell of a square whether it is water. water_is is called only for cells at a
 * border, since only these depend on cells across it. */
void water_square_of(generator *g, water_field *f, int32_t x0, int32_t y0, water_square out)
{
    const int32_t x1 = x0 + NOISE_SQUARE < SIZE ? x0 + NOISE_SQUARE : SIZE;
    const int32_t y1 = y0 + NOISE_SQUARE < SIZE ? y0 + NOISE_SQUARE : SIZE;
    const int32_t first = (y0 + f->margin) * f->width + x0 + f->margin;
    const bool mixed = f->share == OCEAN_MIXED;
    if (mixed)
        cell_with_noise(g, f, first);
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++) {
            const int32_t index = first + (y - y0) * f->width + x - x0;
            if (!mixed || x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1)
                out[y - y0][x - x0] = water_is(g, f, x, y);
            else if (f->cells[index] & (WATER_NO | WATER_YES))
                out[y - y0][x - x0] = (f->cells[index] & WATER_YES) != 0;
            else
                out[y - y0][x - x0] = flood(g, f, index);
        }
}

ocean_share ocean_here(const generator *g)
{
    const ocean_share share = g->oceans.share;
    return g->config->ocean.settings && any_foreign(g) ? OCEAN_MIXED : share;
}
_Static_assert(SIZE % NOISE_SQUARE != 0, "a chunk's last square holds cells beyond the border");
_Static_assert((int)NOISE_SQUARE == (int)NOISE_BLOCK, "a block is a row of a square");
