/*
 * What is drawn on a picture beside the map's cells: texts and boxes at their places, painted
 * row by row. Coordinates are pixels of the whole picture.
 */
#ifndef RENDER_DRAWING_H
#define RENDER_DRAWING_H

#include "render/lettering.h"
#include "render/paint.h"
#include "render/viewport.h"

#include <stdbool.h>

/*
 * A picture's geometry: where the map lies, how wide the bands of coordinates around it are,
 * where title, legend and scale bar go. All lengths are pixels of the whole picture. A bare
 * picture is the map alone.
 */

/* Between the levels of a strip, in OMTs. */
enum { PAGE_GAP_OMTS = 2, PAGE_ZOOM_MAX = 8 };

typedef struct page {
    uint32_t parts; /* ptl_render_part */
    int32_t scale;  /* pixels per OMT */
    int32_t zoom;   /* pixels per dot of the font; distances are multiples of it */
    int64_t width, height;
    int64_t map_x, map_y; /* the first level's north-west corner */
    int64_t map_width, map_height;
    int64_t panel_width, panel_step; /* of one level; from one level to the next */
    size_t panel_count;
    int64_t left, right, top, bottom; /* bands of coordinates around the map */
    int64_t heading;                  /* above them: a strip's levels */
    int64_t title_y, title_height;
    int64_t legend_x, legend_width;
    int64_t scale_y, scale_height; /* the scale bar and what is said beside it */
} page;

/* The map's size, and how large text is. Nothing has its place yet. */
void page_measure(page *p, const viewport *v, int32_t scale, uint32_t parts);

/* Bands, heading and legend have their widths, title and scale their heights: everything gets
 * its place. legend_height: 0 for none. */
void page_place(page *p, int64_t legend_height);

/* The page's width without title and scale, which fit into it. */
int64_t page_inner_width(const page *p);

static inline bool page_has(const page *p, uint32_t part)
{
    return (p->parts & part) != 0;
}

enum { DRAWN_LETTERS_MAX = 120 };

typedef struct drawn_text {
    int64_t x, y; /* of the first letter's top left corner */
    int32_t zoom;
    uint8_t ink;
    uint8_t edge; /* PALETTE_NONE: no edge around the letters */
    char text[DRAWN_LETTERS_MAX];
} drawn_text;

typedef struct drawn_box {
    int64_t x, y, width, height;
    uint8_t ink;
    const look *cell; /* borrowed; not NULL: a cell of width x width pixels with its symbol */
} drawn_box;

/* Zero it before its first use. */
typedef struct drawing {
    drawn_text *texts; /* owned */
    size_t text_count, text_room;
    drawn_box *boxes; /* owned; a later one covers an earlier one, texts cover all */
    size_t box_count, box_room;
    bool failed; /* memory is out */
} drawing;

void drawing_dispose(drawing *d);

/* Adds text in letters of the font (lettering_fold); what is too long is cut. */
void drawing_add_text(drawing *d, const drawn_text *text);
void drawing_add_box(drawing *d, const drawn_box *box);

/* Paints what lies in row y. */
void drawing_row(const drawing *d, const letter_line *line, int64_t y);

#endif
