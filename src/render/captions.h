/* The texts around a picture's map: title, legend and scale bar. */
#ifndef RENDER_CAPTIONS_H
#define RENDER_CAPTIONS_H

#include "render/drawing.h"
#include "render/legend.h"

enum { CAPTION_ITEMS_MAX = 6, CAPTION_LETTERS_MAX = 80 };

/* Short texts in letters of the font. They are set one after the other, on as many lines as
 * they need. */
typedef struct caption_items {
    char texts[CAPTION_ITEMS_MAX][CAPTION_LETTERS_MAX];
    size_t count;
} caption_items;

/* The texts of title and scale. */
typedef struct captions {
    char heading[DRAWN_LETTERS_MAX]; /* name of the world */
    caption_items title, scale;
} captions;

/* Composes the texts of title and scale for a picture of v. */
void captions_init(captions *c, ptl_world *world, const ptl_render_options *options,
                   const viewport *v, const page *p);

/* ---- legend ---- */

/* Which part of a legend is shown (entries of each group), and its size. */
typedef struct legend_layout {
    size_t shown[GROUP_COUNT];
    int64_t height;
    int32_t name_width, number_width;
} legend_layout;

/* Chooses the entries that fit beside the map, and sets the legend's width in the page. */
void captions_fit_legend(legend_layout *out, const legend *l, page *p);

/* Adds the legend to the drawing, beside the map. */
void captions_draw_legend(const legend_layout *layout, const legend *l, const look *looks,
                          bool symbols, const page *p, drawing *d);

/* ---- title and scale ---- */

/* Sets the heights of title and scale in the page; its other widths must be known. */
void captions_measure(const captions *c, page *p);

void captions_draw_title(const captions *c, const page *p, drawing *d);
void captions_draw_scale(const captions *c, const page *p, drawing *d);

/* Writes a number with commas between thousands. */
void captions_number(char out[32], uint64_t number);

#endif
