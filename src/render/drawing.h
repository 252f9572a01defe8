/* Where things lie in a picture, and what is drawn around and over the map's cells: texts and
 * boxes, painted row by row. Coordinates are pixels of the whole picture. */
#ifndef RENDER_DRAWING_H
#define RENDER_DRAWING_H

#include "model/catalogue.h"
#include "portolan/render.h"
#include "render/paint.h"

#include <stdbool.h>
#include <stddef.h>

/* The cells of a picture, one row of chunks at a time. Memory holds width x 180 x levels
 * oters, however high the picture is. */

/* A rectangle of OMTs on some levels, of which one band is loaded. */
typedef struct viewport {
    ptl_world *world;
    int64_t x0, y0, x1, y1;  /* the rectangle in absolute OMTs, both ends included */
    int32_t z_first, z_step; /* the nth level is z_first + n * z_step */
    size_t width, height;    /* of one level, in OMTs */
    size_t level_count;
    ptl_oter *band;  /* owned; index: (nth * PTL_CHUNK_SIZE + row) * width + x */
    ptl_oter *cells; /* owned; one level of one chunk */
    int64_t band_y;  /* absolute y of the band's row 0; a multiple of 180 */
    bool band_loaded;
} viewport;

/* Sets the rectangle. PTL_ERR_ARGUMENT: it is empty or not in the world. PTL_ERR_LIMIT: it is
 * too wide. To be disposed of also after an error. */
ptl_status viewport_init(viewport *v, ptl_world *world, const ptl_render_options *options,
                         ptl_error *err);
void viewport_dispose(viewport *v);

/*
 * Text in pictures. Names from the world's content are turned into letters of the font,
 * measured, cut, and painted row by row. Letters have their own widths (an i is narrow). With
 * a zoom of n each dot of the font is n x n pixels.
 */

/*
 * Turns UTF-8 into at most room - 1 letters of the font, ended by NUL; if it is cut, ".." is
 * at the end. Accented Latin letters lose their accents, and typographic signs become plain
 * ones. A character that the font lacks, a control character, or a byte that is not UTF-8
 * becomes FONT_BOX.
 */
void lettering_fold(char *out, size_t room, const char *utf8);

/* Returns the width in pixels; 0 for an empty text. */
int32_t lettering_width(const char *text, int32_t zoom);

/* Cuts a text to a width, with ".." at its end; "" if not even ".." fits. */
void lettering_fit(char *text, int32_t zoom, int32_t width);

/*
 * The part of a pixel row that may be painted, as palette indices. pixels[0] is column `from`.
 */
typedef struct letter_line {
    uint8_t *pixels;
    int64_t from, to; /* columns from <= x < to */
} letter_line;

/* Fills the columns from <= x < to with ink, as far as they may be painted. */
void line_fill(const letter_line *line, int64_t from, int64_t to, uint8_t ink);

/* Paints one row of a text whose first letter begins at column x. Row 0 is the top row. Rows
 * outside of 0 .. FONT_TEXT_HEIGHT * zoom - 1 paint nothing. */
void lettering_paint(const letter_line *line, int64_t x, int64_t row, const char *text,
                     int32_t zoom, uint8_t ink);

/*
 * As lettering_paint, in inks[0], with an edge of `zoom` pixels in inks[1] around each letter,
 * so that text is legible on a map. Rows go from -zoom to (FONT_TEXT_HEIGHT + 1) * zoom - 1.
 */
void lettering_paint_edged(const letter_line *line, int64_t x, int64_t row, const char *text,
                           int32_t zoom, const uint8_t inks[2]);

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
    /* A cell of width x width pixels is drawn with this look, with its symbol. */
    bool is_cell;
    look cell;
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
