/* The cells of a picture, one row of chunks at a time. Memory holds width x 180 x levels
 * oters, however high the picture is. */
#ifndef RENDER_VIEWPORT_H
#define RENDER_VIEWPORT_H

#include "model/catalogue.h"
#include "portolan/render.h"

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

/* Makes the row with absolute y readable. y must not decrease from call to call. */
ptl_status viewport_seek(viewport *v, int64_t y, ptl_error *err);

/* Returns the nth level's cells in row y: width oters, CAT_NONE where no chunk is saved.
 * Borrowed until the next seek. */
const ptl_oter *viewport_row(const viewport *v, size_t nth, int64_t y);

#endif
