/*
 * The tiles of local maps behind a viewport, one row of OMTs at a time, and how each looks:
 * memory grows with the width alone. What stands on a tile is one kind of thing, the topmost:
 * a creature or vehicle, a trap, furniture, a field, an item on the bare ground, or terrain.
 */
#ifndef RENDER_TILE_VIEW_H
#define RENDER_TILE_VIEW_H

#include "render/legend.h"
#include "render/viewport.h"

enum { TILE_SIDE = 24 };

typedef struct tile_view tile_view;

/* The viewport is borrowed; the view moves it. *out is new. */
ptl_status tile_view_new(tile_view **out, viewport *v, const ptl_render_options *options,
                         ptl_error *err);
void tile_view_free(tile_view *t); /* NULL is fine */

/* Makes the tiles of the OMTs of absolute y readable; y grows from call to call. */
ptl_status tile_view_seek(tile_view *t, int64_t y, ptl_error *err);

/* Returns how tile (x, row) of the nth level looks: x counts tiles from the rectangle's west,
 * row 0..23 those of the OMTs that were sought. Walls have the arms that they have there. */
look tile_view_look(const tile_view *t, size_t nth, size_t x, size_t row);

/* What a legend says of all that was sought since the view was made; names are borrowed from
 * the view. Dispose it also after a failure. */
ptl_status tile_view_legend(legend *out, const tile_view *t, bool symbols, ptl_error *err);
/* Returns the looks that its entries have the numbers of: free it. NULL when memory is out. */
look *tile_view_looks(const tile_view *t);

#endif
