/* Where things lie in a picture, and what is drawn around and over the map's cells: texts and
 * boxes, painted row by row. Coordinates are pixels of the whole picture. */
#ifndef RENDER_DRAWING_H
#define RENDER_DRAWING_H

#include "render/lettering.h"
#include "render/paint.h"
#include "render/viewport.h"

#include <stdbool.h>

/*
 * A picture's geometry: where the map lies, how wide the bands of coordinates around it are,
 * and where title, legend and scale bar go. All lengths are pixels. A picture without parts is
 * the map alone.
 */

/* PAGE_GAP_OMTS: space between the levels of a strip, in OMTs. */
enum { PAGE_GAP_OMTS = 2, PAGE_ZOOM_MAX = 8 };

typedef struct page {
    uint32_t parts; /* a sum of ptl_render_part */
    int32_t scale;  /* pixels per OMT */
    int32_t zoom;   /* pixels per dot of the font; all distances are multiples of it */
    int64_t width, height;
    int64_t map_x, map_y; /* north-west corner of the first level */
    int64_t map_width, map_height;
    /* Width of one level; distance from one level to the next. */
    int64_t panel_width, panel_step;
    size_t panel_count;
    int64_t left, right, top, bottom; /* widths of the bands of coordinates around the map */
    /* Height of the line above them that names a strip's levels. */
    int64_t heading;
    int64_t title_y, title_height;
    int64_t legend_x, legend_width;
    int64_t scale_y, scale_height; /* scale bar and the texts with it */
} page;

/* Sets the map's size and the zoom of texts. Nothing has its place yet. */
void page_measure(page *p, const viewport *v, int32_t scale, uint32_t parts);

/* Gives everything its place. The widths of bands, heading and legend and the heights of title
 * and scale must be set. legend_height: 0 if there is no legend. */
void page_place(page *p, int64_t legend_height);

/* Returns the width that map, bands and legend need, without margins. Title and scale have to
 * fit into it, so it has a minimum if there are any. */
int64_t page_inner_width(const page *p);

/* Does the picture have one of these parts? */
static inline bool page_has(const page *p, uint32_t part)
{
    return (p->parts & part) != 0;
}

enum { DRAWN_LETTERS_MAX = 120 };

/* A text at its place. */
typedef struct drawn_text {
    int64_t x, y; /* top left corner of the first letter */
    int32_t zoom;
    uint8_t ink;
    uint8_t edge; /* colour around the letters; PALETTE_NONE: none */
    char text[DRAWN_LETTERS_MAX];
} drawn_text;

/* A filled rectangle at its place. */
typedef struct drawn_box {
    int64_t x, y, width, height;
    uint8_t ink;
    /* Borrowed; if not NULL, a cell of width x width pixels is drawn with its symbol. */
    const look *cell;
} drawn_box;

/* Texts and boxes to draw. All zero means that there are none. */
typedef struct drawing {
    drawn_text *texts; /* owned */
    size_t text_count, text_room;
    drawn_box *boxes; /* owned; later boxes cover earlier ones, texts cover all boxes */
    size_t box_count, box_room;
    bool failed; /* memory is out */
} drawing;

void drawing_dispose(drawing *d);

/* Adds a text, which must be in letters of the font (lettering_fold). */
void drawing_add_text(drawing *d, const drawn_text *text);
void drawing_add_box(drawing *d, const drawn_box *box);

/* Paints the parts of all texts and boxes that lie in row y. */
void drawing_row(const drawing *d, const letter_line *line, int64_t y);

#endif
