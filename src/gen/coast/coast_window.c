/* Makes the heights of one OMT and of the OMTs around it. They are adjusted to the overmap, and
 * changed by what was built or dug there. Also finds which tides flood that OMT. */
#include "gen/coast/coast_window.h"

#include "gen/coast/coast.h"
#include "gen/coast/coast_plan.h"

#include <assert.h>
#include <string.h>

/* Returns the index in the window of an OMT's first tile. */
static int32_t first_cell(const coast_window *w, int32_t column, int32_t row)
{
    return (row * w->side * COAST_SIDE + column) * COAST_SIDE;
}

/* ---- the overmap ---- */

/* Lifts or lowers the heights of an OMT's tiles where the overmap has land and the plan has
 * sea, or the other way round, and marks the tiles that are sea. */
static void settle(coast_window *w, const coast_square *s, int32_t column, int32_t row)
{
    int32_t was[4], is[4];
    /* Compute the heights of the OMT's four corners, as they follow from the plan (`was`) and
     * from the overmap (`is`). */
    bool moved = false;
    for (int32_t i = 0; i < 4; i++) {
        const int32_t at = (row + i / 2) * s->side + column + i % 2;
        const int32_t meet[4] = {at, at + 1, at + s->side, at + s->side + 1};
        coast_kind before[4], now[4];
        for (int32_t k = 0; k < 4; k++) {
            before[k] = s->planned[meet[k]].kind;
            now[k] = coast_actual(before[k], s->wet[meet[k]]);
        }
        was[i] = coast_corner(before);
        is[i] = coast_corner(now);
        moved = moved || was[i] != is[i];
    }
    const int32_t omt = (row + 1) * s->side + column + 1;
    const bool sea = s->planned[omt].kind != COAST_LAND && s->wet[omt];
    for (int32_t y = 0; y < COAST_SIDE; y++)
        for (int32_t x = 0; x < COAST_SIDE; x++) {
            const int32_t at = first_cell(w, column, row) + y * w->side * COAST_SIDE + x;
            if (moved)
                w->heights[at] = (int16_t)(w->heights[at] + coast_between(is, x, y) -
                                           coast_between(was, x, y));
            w->sea[at] = sea && w->heights[at] < COAST_EBB;
        }
}

void coast_window_of(coast_window *out, const coast *c, int64_t x, int64_t y,
                     const coast_square *square)
{
    out->side = square->side - 2;
    assert(out->side > 0 && out->side <= COAST_WINDOW_MAX);
    /* Make the heights of the window's tiles as the plan gives them: for all OMTs at once, or
     * OMT by OMT if the coast has a cache of heights (`c->memo`). */
    int32_t
        scratch[COAST_SCRATCH(COAST_WINDOW_MAX * COAST_SIDE, COAST_WINDOW_MAX * COAST_SIDE)];
    int16_t heights[COAST_SIDE * COAST_SIDE];
    const int32_t half = out->side / 2, cells = out->side * COAST_SIDE;
    if (!c->memo)
        coast_heights(
            out->heights, scratch, c,
            (coast_rect){(x - half) * COAST_SIDE, (y - half) * COAST_SIDE, cells, cells});
    for (int32_t i = 0; i < out->side * out->side && c->memo; i++) {
        const int32_t column = i % out->side, row = i / out->side;
        int16_t *to = &out->heights[first_cell(out, column, row)];
        coast_omt_heights(heights, c, x + column - half, y + row - half);
        for (int32_t v = 0; v < COAST_SIDE; v++)
            memcpy(&to[v * cells], &heights[v * COAST_SIDE], COAST_SIDE * sizeof *heights);
    }
    for (int32_t row = 0; row < out->side; row++)
        for (int32_t column = 0; column < out->side; column++)
            settle(out, square, column, row);
}

/* ---- works ---- */

void coast_window_get(int16_t heights[COAST_SIDE * COAST_SIDE], const coast_window *w,
                      int32_t column, int32_t row)
{
    const int16_t *from = &w->heights[first_cell(w, column, row)];
    for (int32_t y = 0; y < COAST_SIDE; y++)
        memcpy(&heights[y * COAST_SIDE], &from[y * w->side * COAST_SIDE],
               COAST_SIDE * sizeof *heights);
}

void coast_window_put(coast_window *w, int32_t column, int32_t row,
                      const int16_t heights[COAST_SIDE * COAST_SIDE])
{
    for (int32_t i = 0; i < COAST_SIDE * COAST_SIDE; i++) {
        const int32_t at =
            first_cell(w, column, row) + i / COAST_SIDE * w->side * COAST_SIDE + i % COAST_SIDE;
        w->heights[at] = heights[i];
        w->sea[at] = w->sea[at] && heights[i] < COAST_EBB;
    }
}

/* ---- open sea ---- */

/* A body of sea tiles that are connected over eight neighbours. */
typedef struct body {
    int32_t wide; /* side of the window, in tiles */
    int32_t count;
    int32_t left, right, top, bottom;
    int16_t cells[COAST_WINDOW_CELLS];
} body;
_Static_assert((int)COAST_WINDOW_CELLS <= (int)INT16_MAX, "cells of a window are int16_t");

static void add_cell(body *b, uint8_t *rest, int32_t at)
{
    const int32_t x = at % b->wide, y = at / b->wide;
    rest[at] = 0;
    b->left = b->count > 0 && b->left < x ? b->left : x;
    b->right = b->count > 0 && b->right > x ? b->right : x;
    b->top = b->count > 0 && b->top < y ? b->top : y;
    b->bottom = b->count > 0 && b->bottom > y ? b->bottom : y;
    b->cells[b->count++] = (int16_t)at;
}

/* Collects the body of sea that the tile `at` belongs to. `rest` marks the sea tiles that
 * belong to no body collected so far; the tiles of this body are removed from it. */
static void take_body(body *b, uint8_t *rest, int32_t at)
{
    const int32_t wide = b->wide;
    b->count = 0;
    add_cell(b, rest, at);
    for (int32_t i = 0; i < b->count; i++) {
        const int32_t x = b->cells[i] % wide, y = b->cells[i] / wide;
        for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < wide; v++)
            for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < wide; u++)
                if (rest[v * wide + u])
                    add_cell(b, rest, v * wide + u);
    }
}

bool coast_window_close(coast_window *w)
{
    uint8_t rest[COAST_WINDOW_CELLS];
    body b = {.wide = w->side * COAST_SIDE};
    bool whole = true;
    memcpy(rest, w->sea, (size_t)b.wide * (size_t)b.wide);
    for (int32_t at = 0; at < b.wide * b.wide; at++) {
        if (!rest[at])
            continue;
        take_body(&b, rest, at);
        if (b.right - b.left >= COAST_SIDE || b.bottom - b.top >= COAST_SIDE)
            continue;
        /* A body of sea that touches the window's border may go on outside of the window. */
        const bool cut =
            b.left == 0 || b.top == 0 || b.right == b.wide - 1 || b.bottom == b.wide - 1;
        whole = whole && !cut;
        for (int32_t i = 0; i < b.count && !cut; i++)
            w->sea[b.cells[i]] = 0;
    }
    return whole || w->side == COAST_WINDOW_MAX;
}

/* ---- tides: coast_window.h says what a spill is ---- */

enum {
    AROUND = COAST_AROUND, /* side of an OMT with its eight neighbours, in tiles */
    /* Side of a square of AROUND x AROUND tiles with one more ring of tiles around it, which
     * the sea never reaches. */
    PITCH = AROUND + 2
};
_Static_assert((int)COAST_STEPS <= (int)COAST_SIDE, "the neighbours are all that is in reach");

typedef struct flood {
    /* The height of each tile; COAST_SPILL_NEVER for a tile of rock. */
    int16_t heights[AROUND * AROUND];
    int16_t spills[PITCH * PITCH], across[PITCH * PITCH];
} flood;

static int16_t least(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

/* Lets the water of the sea come one tile farther inland. Tiles of the sea stay sea. */
static void spread(flood *f)
{
    /* First find, for each tile, the least spill among itself and its western and eastern
     * neighbours. */
    for (int32_t i = 1; i < PITCH * PITCH - 1; i++)
        f->across[i] = least(f->spills[i], least(f->spills[i - 1], f->spills[i + 1]));
    for (int32_t y = 0; y < AROUND; y++) {
        const int16_t *row = &f->across[(y + 1) * PITCH + 1];
        const int16_t *heights = &f->heights[y * AROUND];
        int16_t *spills = &f->spills[(y + 1) * PITCH + 1];
        for (int32_t x = 0; x < AROUND; x++) {
            const int16_t from = least(row[x], least(row[x - PITCH], row[x + PITCH]));
            const int16_t over = from > heights[x] ? from : heights[x];
            /* Tiles of the sea stay sea; all others get `over`, the height of the lowest way
             * over a neighbour or their own height, if that is greater. A mask chooses between
             * the two, since gcc 12 fails to compile the conditional operator here for
             * processors with AVX-512. */
            const int16_t sea = (int16_t) - (spills[x] == COAST_SPILL_SEA);
            spills[x] = (int16_t)((sea & COAST_SPILL_SEA) | (~sea & over));
        }
    }
}

/* Copies the spills of the middle OMT out of the flood. */
static void take_middle(int16_t out[COAST_SIDE * COAST_SIDE], const flood *f)
{
    for (int32_t row = 0; row < COAST_SIDE; row++)
        memcpy(&out[row * COAST_SIDE],
               &f->spills[(COAST_SIDE + row + 1) * PITCH + COAST_SIDE + 1],
               COAST_SIDE * sizeof out[0]);
}

void coast_flood(coast_ground *out, const coast_window *w, const uint8_t *raise)
{
    flood f;
    assert(w->side == 3 || w->side == COAST_WINDOW_MAX);
    coast_window_get(out->heights, w, w->side / 2, w->side / 2);
    /* Fill in the heights of the nine OMTs in the middle of the window, and which of their
     * tiles are sea. */
    const int32_t pitch = w->side * COAST_SIDE, first = (w->side - 3) / 2 * COAST_SIDE;
    for (int32_t i = 0; i < PITCH * PITCH; i++)
        f.spills[i] = f.across[i] = COAST_SPILL_NEVER;
    for (int32_t i = 0; i < AROUND * AROUND; i++) {
        const int32_t x = i % AROUND, y = i / AROUND;
        const int32_t at = (first + y) * pitch + first + x;
        const int16_t height = w->heights[at];
        if (w->sea[at])
            f.spills[(y + 1) * PITCH + x + 1] = COAST_SPILL_SEA;
        f.heights[i] = height >= COAST_ROCK_FROM ? (int16_t)COAST_SPILL_NEVER : height;
    }
    memset(out->raise, 0, sizeof out->raise);
    if (raise) {
        /* Raising the water is the same as lowering the ground: so where local tides raise the
         * water, the ground counts as lower by that amount. */
        for (int32_t i = 0; i < AROUND * AROUND; i++)
            if (f.heights[i] != COAST_SPILL_NEVER)
                f.heights[i] = (int16_t)(f.heights[i] - raise[i]);
        for (int32_t row = 0; row < COAST_SIDE; row++)
            memcpy(&out->raise[row * COAST_SIDE],
                   &raise[(COAST_SIDE + row) * AROUND + COAST_SIDE], COAST_SIDE);
    }
    take_middle(out->within[0], &f);
    for (int32_t step = 1; step <= COAST_STEPS; step++) {
        spread(&f);
        take_middle(out->within[step], &f);
    }
    memcpy(out->spills, out->within[COAST_STEPS], sizeof out->spills);
}

int32_t coast_level(int32_t spill, int32_t tide)
{
    if (spill < tide)
        return tide;
    return spill < 0 ? spill : 0;
}

coast_feature coast_stands(int32_t height, int32_t level, bool full)
{
    if (height >= COAST_ROCK_FROM)
        return COAST_ROCK;
    if (full ? height - level < COAST_SHALLOW_FROM : height < COAST_SHALLOW_FROM)
        return COAST_DEEP;
    return height < level ? COAST_SHALLOW : COAST_DRY;
}

coast_feature coast_feature_of(int32_t height, int32_t spill, int32_t tide, bool full)
{
    return coast_stands(height, coast_level(spill, tide), full);
}

int32_t coast_level_now(int32_t *lag, const coast_ground *ground, int32_t cell,
                        const coast_moment *moment)
{
    int32_t before = COAST_SPILL_NEVER;
    for (int32_t k = 0; k <= COAST_STEPS; k++) {
        const int32_t spill = ground->within[k][cell];
        if (spill < before && spill < moment->tide[k]) {
            *lag = k;
            return moment->tide[k] + ground->raise[cell];
        }
        before = spill;
    }
    *lag = -1;
    return ground->spills[cell] < 0 ? ground->spills[cell] : 0;
}
