/*
 * What the steps "lakes" and "oceans" share: finding which cells of a chunk are open water and
 * which are shore, and drawing the rivers (links) that lead to lakes and sea inside the chunk.
 */
#include "gen/steps/waters.h"

#include <string.h>

enum { CURVED_LINK = 90 }; /* the longest link of a curved river, in OMTs, as in the games */

/* Returns whether the cell is lake, sea or river. In the chunk, w->kind tells where lakes or
 * sea are, so call this before they are drawn. Beyond the border, the plans of lakes, sea and
 * rivers decide. */
static bool wet(generator *g, const still_water *w, int32_t x, int32_t y)
{
    if (!inside(x, y))
        return water_is_planned(g, x, y);
    return w->kind[y * SIZE + x] != WATER_DRY ||
           g->ground[y * SIZE + x] == g->config->oters->river_center || still_water_is(g, x, y);
}

/* Finds the cells of a square that are water, marks them all as shore at first, and appends
 * them to w->cells, which has `count` cells already. Returns the new length of that list. */
static int32_t find_square(generator *g, still_water *w, water_share share, int32_t count,
                           int32_t x0, int32_t y0)
{
    const int32_t x1 = x0 + NOISE_SQUARE < SIZE ? x0 + NOISE_SQUARE : SIZE;
    const int32_t y1 = y0 + NOISE_SQUARE < SIZE ? y0 + NOISE_SQUARE : SIZE;
    water_square is;
    if (share == WATER_ALL)
        memset(is, 1, sizeof is);
    else
        water_square_of(g, w->field, x0, y0, is);
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            if (is[y - y0][x - x0]) {
                w->kind[y * SIZE + x] = WATER_SHORE;
                w->cells[count++] = y * SIZE + x;
            }
    return count;
}

/* Turns shore cells in the rows y0 .. y1 into surface if all eight cells around are lake, sea
 * or river. w->along must be set for these rows and the rows beside them. */
static void find_surface(still_water *w, int32_t y0, int32_t y1)
{
    const uint8_t *restrict along = w->along;
    uint8_t *restrict kind = w->kind;
    const int32_t first = y0 > 1 ? y0 : 1, last = y1 < SIZE - 2 ? y1 : SIZE - 2;
    for (int32_t y = first; y <= last; y++)
        for (int32_t i = y * SIZE + 1; i < (y + 1) * SIZE - 1; i++) {
            const uint8_t around = along[i - SIZE] & along[i] & along[i + SIZE];
            kind[i] = (uint8_t)(kind[i] + (kind[i] & around));
        }
}
_Static_assert(WATER_SHORE == 1 && WATER_SURFACE == 2, "shore and one more is surface");

/* Turns cells of shore into surface if all cells around them are water. Does so for cells that
 * find_surface has left out: those on the chunk's border, and those where lake and sea may
 * meet. */
static void find_open(generator *g, still_water *w, int32_t count)
{
    const bool sea = ocean_here(g) != OCEAN_NONE;
    for (int32_t i = 0; i < count; i++) {
        const int32_t at = w->cells[i], x = at % SIZE, y = at / SIZE;
        const bool asked = sea || x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
        bool open = asked && w->kind[at] == WATER_SHORE;
        /* The cell and the eight cells around it must all be lake, sea or river. */
        for (int32_t k = 0; open && k < 9; k++)
            open = wet(g, w, x + k % 3 - 1, y + k / 3 - 1);
        if (open)
            w->kind[at] = WATER_SURFACE;
    }
}

int32_t still_water_find(generator *g, still_water *w)
{
    /* `first` and `last`: the first and the last row of squares of cells with water. */
    int32_t count = 0, first = SIZE, last = 0;
    memset(w->kind, WATER_DRY, SIZE * SIZE);
    for (int32_t y = 0; y < SIZE; y += NOISE_SQUARE) {
        const int32_t before = count;
        for (int32_t x = 0; x < SIZE; x += NOISE_SQUARE) {
            const water_share share = water_share_of(g, w->field, x, y);
            if (share != WATER_NONE)
                count = find_square(g, w, share, count, x, y);
        }
        first = count > before && first == SIZE ? y : first;
        last = count > before ? y + NOISE_SQUARE - 1 : last;
    }
    if (count == 0)
        return 0;
    last = last < SIZE - 1 ? last : SIZE - 1;
    /* Find which cells of the rows y0 .. y1 are lake, sea or river (wet), and for which both
     * neighbours in their row are wet as well. */
    const int32_t y0 = first > 0 ? first - 1 : 0;
    const int32_t y1 = last < SIZE - 1 ? last + 1 : last;
    const ptl_oter river = g->config->oters->river_center;
    const ptl_oter *restrict ground = g->ground;
    const uint8_t *restrict kind = w->kind;
    uint8_t *restrict wet = w->wet, *restrict along = w->along;
    const int32_t end = (y1 + 1) * SIZE;
    for (int32_t i = y0 * SIZE; i < end; i++)
        wet[i] = (uint8_t)((kind[i] != WATER_DRY) | (ground[i] == river));
    for (int32_t i = y0 * SIZE + 1; i < end - 1; i++)
        along[i] = wet[i - 1] & wet[i] & wet[i + 1];
    find_surface(w, first, last);
    find_open(g, w, count);
    return count;
}

/* If w->kind says that the cell is water, appends it to w->cells and clears it in w->kind.
 * Returns the new length of w->cells. */
static inline int32_t take_cell(still_water *w, int32_t count, int32_t cell)
{
    if (w->kind[cell] == WATER_DRY)
        return count;
    w->kind[cell] = WATER_DRY;
    w->cells[count] = cell;
    return count + 1;
}

/* Takes the lake or part of the sea to which the cell `start` belongs: cells of the chunk that
 * are linked by their sides. They are listed in w->cells and cleared in w->kind; *length
 * becomes their number. Returns the southmost cell; of several, the last one in the list. */
static int32_t take_component(still_water *w, int32_t start, int32_t *length)
{
    int32_t count = take_cell(w, 0, start), south = start;
    for (int32_t head = 0; head < count; head++) {
        const int32_t at = w->cells[head], x = at % SIZE;
        south = at > south ? at : south;
        if (at >= SIZE)
            count = take_cell(w, count, at - SIZE);
        if (x < SIZE - 1)
            count = take_cell(w, count, at + 1);
        if (at < (SIZE - 1) * SIZE)
            count = take_cell(w, count, at + SIZE);
        if (x > 0)
            count = take_cell(w, count, at - 1);
    }
    *length = count;
    return south;
}

/* Returns the first cell of the water, from a cell on; SIZE * SIZE if there is none. Most of a
 * chunk is land, which is skipped eight cells at a time. */
static int32_t next_cell(const still_water *w, int32_t from)
{
    while (from < SIZE * SIZE) {
        uint64_t eight = 1;
        if (from % (int32_t)sizeof eight == 0)
            memcpy(&eight, &w->kind[from], sizeof eight);
        if (eight != 0 && w->kind[from] != WATER_DRY)
            break;
        from += eight == 0 ? (int32_t)sizeof eight : 1;
    }
    return from;
}
_Static_assert(WATER_DRY == 0 && SIZE * SIZE % sizeof(uint64_t) == 0, "land is zeros");

/* Returns whether a river that is drawn by a random walk may begin or end at the point, that
 * is, whether the point is so far from all borders that river_inner does not move it. */
static bool is_inner(const generator *g, int32_t x, int32_t y)
{
    point p = river_inner(g, (point){x, y});
    return p.x == x && p.y == y;
}

/* May a link (a river that leads to a lake or the sea) begin at this cell? It must be a river
 * cell and far enough from all borders. */
static bool is_inner_river(const generator *g, int32_t x, int32_t y)
{
    return is_inner(g, x, y) &&
           g->config->cat->oters[g->ground[y * SIZE + x]].flags & CAT_FLAG_RIVER;
}

/* The ring number `ring` around `at` is the border of the square that reaches this number of
 * cells to each side. Returns the first river cell on the ring at which a link may begin,
 * column by column as in the games; -1 if there is none. */
static int32_t river_on_ring(const generator *g, point at, int32_t ring)
{
    const point low = river_inner(g, (point){at.x - ring, at.y - ring});
    const point high = river_inner(g, (point){at.x + ring, at.y + ring});
    for (int32_t x = low.x; x <= high.x; x++) {
        const bool side = x == at.x - ring || x == at.x + ring;
        for (int32_t y = low.y; side && y <= high.y; y++)
            if (is_inner_river(g, x, y))
                return y * SIZE + x;
        for (int32_t y = at.y - ring; !side && y <= at.y + ring; y += 2 * ring)
            if (is_inner_river(g, x, y))
                return y * SIZE + x;
    }
    return -1;
}

/* Draws a river from the nearest river to a cell of a lake or sea, if possible. Returns whether
 * it was drawn. */
static bool link_to_river(generator *g, rng *r, int32_t cell)
{
    point to = {cell % SIZE, cell / SIZE};
    if (!is_inner(g, to.x, to.y))
        return false; /* the cell lies on or close to a border */
    /* The river cell, nearest to the lake or sea, at which a link may begin. */
    int32_t distance = 0, river = -1;
    while (distance < SIZE && (river = river_on_ring(g, to, distance)) < 0)
        distance++;
    const bool curved = g->config->river_form == RIVERS_CURVED;
    if (river < 0 || distance == 0 || (curved && distance > CURVED_LINK))
        return false;
    const point from = {river % SIZE, river / SIZE};
    if (curved)
        river_link(g, r, from, to);
    else
        river_walk(g, r, from, to);
    return true;
}

static bool any_river(const generator *g)
{
    const cat_oter *oters = g->config->cat->oters;
    bool any = false;
    for (int32_t i = 0; i < SIZE * SIZE && !any; i++)
        any = oters[g->ground[i]].flags & CAT_FLAG_RIVER;
    return any;
}

bool still_water_link(generator *g, still_water *w, rng *r, bool anywhere)
{
    bool linked = false;
    if (!any_river(g)) /* there is no river to which a link could lead */
        return false;
    for (int32_t i = next_cell(w, 0); i < SIZE * SIZE; i = next_cell(w, i)) {
        int32_t count;
        /* Here `i` is the northmost cell of the lake or sea. */
        const int32_t south = take_component(w, i, &count);
        if (anywhere) {
            linked |= link_to_river(g, r, w->cells[rng_below(r, (uint64_t)count)]);
            continue;
        }
        linked |= link_to_river(g, r, i);
        linked |= link_to_river(g, r, south);
    }
    return linked;
}

int32_t still_water_mouths(generator *g, still_water *w, rng *r, bool anywhere, int32_t count)
{
    if (!any_river(g))
        return count;
    memcpy(w->found_kind, w->kind, sizeof w->kind);
    memcpy(w->found_cells, w->cells, (size_t)count * sizeof *w->cells);
    const bool linked = still_water_link(g, w, r, anywhere);
    memcpy(w->kind, w->found_kind, sizeof w->kind);
    memcpy(w->cells, w->found_cells, (size_t)count * sizeof *w->cells);
    return linked ? still_water_find(g, w) : count;
}
