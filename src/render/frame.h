/*
 * Coordinates along a picture's map, and the borders of chunks on it: chunks are numbered above
 * and at the left, OMTs below and at the right. Worked out for each row, so that nothing grows
 * with the picture's height.
 */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include "render/drawing.h"
#include "render/lettering.h"

typedef struct frame {
    const page *page;                   /* borrowed */
    const viewport *view;               /* borrowed */
    int64_t omt_step_x, omt_step_y;     /* OMTs from one coordinate to the next */
    int64_t chunk_step_x, chunk_step_y; /* chunks */
} frame;

/* Gives the page its bands and its heading; the page must stay where it is. */
void frame_init(frame *f, page *p, const viewport *v);

/* What lies in row y of the picture: coordinates, the heading, the frame's lines. */
void frame_row(const frame *f, const letter_line *line, int64_t y);

/* Draws the borders of chunks over a row of the map. */
void frame_grid_row(const frame *f, const letter_line *line, int64_t y);

/* The least of 1, 2, 5, 10, 20, 30, 60, 90, 180 and round multiples of 180 that is at least
 * `least`: steps that meet the borders of chunks. */
int64_t frame_omt_step(int64_t least);

/* The least of 1, 2, 5, 10, 20, 50 and so on that is at least `least`. */
int64_t frame_round_up(int64_t least);

#endif
