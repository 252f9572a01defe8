/*
 * A picture's geometry: where the map lies, how wide the bands of coordinates around it are,
 * where title, legend and scale bar go. All lengths are pixels of the whole picture. A bare
 * picture is the map alone.
 */
#ifndef RENDER_PAGE_H
#define RENDER_PAGE_H

#include "render/viewport.h"

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

#endif
