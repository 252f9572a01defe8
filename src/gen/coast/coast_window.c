/* Heights of the OMTs around one, adjusted to the overmap and changed by works. */
#include "gen/coast/coast_plan.h"
#include "gen/coast/coast_water.h"

#include <assert.h>
#include <string.h>

/* Returns the index in the window of an OMT's first cell. */
static int32_t first_cell(const coast_window *w, int32_t column, int32_t row)
{
    return (row * w->side * COAST_SIDE + column) * COAST_SIDE;
}

/* ---- what the overmap moves ---- */

/* Shifts the cells of an OMT with its corners, and marks those that are sea. */
static void settle(coast_window *w, const coast_square *s, int32_t column, int32_t row)
{
    int32_t was[4], is[4];
    /* Compute the four corners of the OMT, as planned and as they are: NW, NE, SW, SE. */
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
    /* Make the heights as planned, in one piece or from remembered OMTs. */
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

/* ---- what works change ---- */

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

/* ---- what is no open sea ---- */

/* A body of sea cells that are connected over eight neighbours. */
typedef struct body {
    int32_t wide; /* side of the window, in cells */
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

/* Collects the body that a cell belongs to, and removes it from `rest`. */
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

/* Might the body go on beyond the window, although what is seen of it is small? */
static bool is_cut(const body *b)
{
    return b->left == 0 || b->top == 0 || b->right == b->wide - 1 || b->bottom == b->wide - 1;
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
        whole = whole && !is_cut(&b);
        for (int32_t i = 0; i < b.count && !is_cut(&b); i++)
            w->sea[b.cells[i]] = 0;
    }
    return whole || w->side == COAST_WINDOW_MAX;
}
