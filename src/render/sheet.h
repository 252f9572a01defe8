/*
 * A picture, row by row, as palette indices: the map's cells, OMTs or the tiles inside them,
 * over them the grid and the names, around them the captions. Knows nothing of files.
 */
#ifndef RENDER_SHEET_H
#define RENDER_SHEET_H

#include "render/captions.h"
#include "render/frame.h"
#include "render/names.h"
#include "render/tile_view.h"

typedef struct sheet {
    viewport view;
    const catalogue *cat; /* borrowed */
    tile_view *tiles;     /* owned; NULL: cells are OMTs */
    look *looks;          /* owned; of OMTs, or of the legend's tiles */
    bool symbols;
    page page;
    frame frame;
    drawing around, over; /* beside the map; on it */
    uint8_t *cells;       /* owned; the map's part of a row, without what lies over it */
    uint8_t *line;        /* owned; a whole row */
    int64_t cells_row;    /* which of the map's rows `cells` has; -1: none */
    const ptl_render_options *options; /* borrowed */
    uint64_t rows_done, rows_total;    /* of OMTs, for on_progress */
} sheet;

/*
 * Lays the picture out; for a legend it reads all cells. PTL_ERR_ARGUMENT names an option that
 * is out of its range. The sheet and the options must stay where they are. Dispose it also
 * after a failure.
 */
ptl_status sheet_init(sheet *s, ptl_world *world, const ptl_render_options *options,
                      ptl_error *err);
void sheet_dispose(sheet *s);

/* Counts all cells, of all levels that are shown. Dispose the legend also after a failure. */
ptl_status sheet_read_legend(sheet *s, legend *out, ptl_error *err);

/* Gives row y of the picture, page.width indices, borrowed until the next call; y grows from
 * call to call. */
ptl_status sheet_row(sheet *s, int64_t y, const uint8_t **out, ptl_error *err);

#endif
