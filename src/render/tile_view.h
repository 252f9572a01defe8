/*
 * The tiles of local maps in a viewport and how each looks, one row of OMTs at a time, so that
 * memory grows with the width only. A tile shows the topmost thing on it: a creature or
 * vehicle, a trap, furniture, a field, an item on bare ground, or else terrain.
 */
#ifndef RENDER_TILE_VIEW_H
#define RENDER_TILE_VIEW_H

#include "render/legend.h"
#include "render/viewport.h"

enum { TILE_SIDE = 24 };

typedef struct tile_view tile_view;

/* Makes a view; *out is new, and to be freed also after an error. The viewport is borrowed,
 * and the view moves it. */
ptl_status tile_view_new(tile_view **out, viewport *v, const ptl_render_options *options,
                         ptl_error *err);
void tile_view_free(tile_view *t); /* NULL is fine */

/* Makes the tiles of one row of OMTs readable. y is absolute and must not decrease from call
 * to call. */
ptl_status tile_view_seek(tile_view *t, int64_t y, ptl_error *err);

/*
 * Returns the look of a tile on the nth level. x counts tiles from the rectangle's west side;
 * row 0..23 counts within the present row of OMTs. Walls get the arms that connect them to
 * their neighbours.
 */
look tile_view_look(const tile_view *t, size_t nth, size_t x, size_t row);

/* Makes a legend of all tiles that were read since the view was made. Names are borrowed from
 * the view. To be disposed of also after an error. */
ptl_status tile_view_legend(legend *out, const tile_view *t, bool symbols, ptl_error *err);
/* Returns an array of the looks that the legend's entries refer to, to be freed by the caller.
 * NULL when memory is out. */
look *tile_view_looks(const tile_view *t);

#endif
