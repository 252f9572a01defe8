/* Walks over the cells of a straight line (Bresenham's), both ends included:
 *     for (line l = line_begin(x, y, x2, y2); line_next(&l);)
 * All coordinates must lie in -2^29..2^29. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>

typedef struct line {
    int x, y; /* the cell that was reached last */
    int x2, y2, width, height, error;
    bool started;
} line;

/* Begins a line; line_next must be called before x and y are read. */
static inline line line_begin(int x, int y, int x2, int y2)
{
    const int width = abs(x2 - x), height = abs(y2 - y);
    return (line){x, y, x2, y2, width, height, width - height, false};
}

/* Goes on to the next cell, at first to (x, y) itself. Returns false when the present cell is
 * the end. */
static inline bool line_next(line *l)
{
    if (!l->started) {
        l->started = true;
        return true;
    }
    if (l->x == l->x2 && l->y == l->y2)
        return false;
    const int twice = 2 * l->error;
    if (twice >= -l->height) {
        l->error -= l->height;
        l->x += l->x < l->x2 ? 1 : -1;
    }
    if (twice <= l->width) {
        l->error += l->width;
        l->y += l->y < l->y2 ? 1 : -1;
    }
    return true;
}
