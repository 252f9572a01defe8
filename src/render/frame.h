/*
 * Coordinates around a picture's map, and borders of chunks on it. Chunks are numbered above
 * and at the left, OMTs below and at the right. Everything is computed anew for each row, so
 * that memory does not grow with the picture's height.
 */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include "render/drawing.h"
#include "render/lettering.h"

/* The frame of a page: the steps between its numbers. */
typedef struct frame {
    const page *page;                   /* borrowed */
    const viewport *view;               /* borrowed */
    int64_t omt_step_x, omt_step_y;     /* OMTs between two numbers */
    int64_t chunk_step_x, chunk_step_y; /* chunks between two numbers */
} frame;

/* Prepares the frame, and sets the page's bands and heading. Page and viewport must stay where
 * they are. */
void frame_init(frame *f, page *p, const viewport *v);

/* Paints the parts of the frame in row y of the picture: coordinates, heading, lines. */
void frame_row(const frame *f, const letter_line *line, int64_t y);

/* Paints the borders of chunks over row y, which must be one of the map's. */
void frame_grid_row(const frame *f, const letter_line *line, int64_t y);

/* Returns the least of 1, 2, 5, 10, 20, 30, 60, 90, 180 and round multiples of 180 that is not
 * below `least`. Such steps always meet the borders of chunks. */
int64_t frame_omt_step(int64_t least);

/* Returns the least of 1, 2, 5, 10, 20, 50, ... that is not below `least`. */
int64_t frame_round_up(int64_t least);

#endif
