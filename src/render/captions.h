/* What is written around a picture's map: its title, its legend, its scale bar. */
#ifndef RENDER_CAPTIONS_H
#define RENDER_CAPTIONS_H

#include "render/drawing.h"
#include "render/legend.h"

enum { CAPTION_ITEMS_MAX = 6, CAPTION_LETTERS_MAX = 80 };

/* Short texts, letters of the font, that follow each other on as many lines as they need. */
typedef struct caption_items {
    char texts[CAPTION_ITEMS_MAX][CAPTION_LETTERS_MAX];
    size_t count;
} caption_items;

typedef struct captions {
    char heading[DRAWN_LETTERS_MAX]; /* the world's name */
    caption_items title, scale;
} captions;

/* What title and scale say of a world that is drawn from v. */
void captions_init(captions *c, ptl_world *world, const ptl_render_options *options,
                   const viewport *v, const page *p);

/* ---- legend ---- */

/* What of a legend is shown, and how wide that is. */
typedef struct legend_layout {
    size_t shown[GROUP_COUNT];
    int64_t height;
    int32_t name_width, number_width;
} legend_layout;

/* Chooses what fits beside the map; gives the page its legend's width. */
void captions_fit_legend(legend_layout *out, const legend *l, page *p);

void captions_draw_legend(const legend_layout *layout, const legend *l, const look *looks,
                          bool symbols, const page *p, drawing *d);

/* ---- title and scale ---- */

/* Gives the page the heights of both, once its other widths are known. */
void captions_measure(const captions *c, page *p);

void captions_draw_title(const captions *c, const page *p, drawing *d);
void captions_draw_scale(const captions *c, const page *p, drawing *d);

/* Writes a number with commas between thousands. */
void captions_number(char out[32], uint64_t number);

#endif
