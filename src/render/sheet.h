/*
 * A picture as rows of palette indices. It consists of the map's cells (OMTs, or tiles of
 * local maps), grid and names over them, and captions around them. It knows nothing of files.
 */
#ifndef RENDER_SHEET_H
#define RENDER_SHEET_H

#include "render/captions.h"
#include "render/frame.h"
#include "render/names.h"
#include "render/tile_view.h"

/* A picture that was laid out. */
typedef struct sheet {
    viewport view;
    const catalogue *cat; /* borrowed */
    tile_view *tiles;     /* owned; NULL: the cells are OMTs */
    look *looks;          /* owned; of oters, or of the kinds of tiles in the legend */
    bool symbols;
    page page;
    frame frame;
    drawing around, over; /* captions beside the map; names on it */
    uint8_t *cells;       /* owned; the map's part of a row, without grid and names */
    uint8_t *line;        /* owned; a whole row of the picture */
    int64_t cells_row;    /* which row of the map `cells` holds; -1: none */
    const ptl_render_options *options; /* borrowed */
    /* Rows of OMTs that were read and will be, for on_progress. */
    uint64_t rows_done, rows_total;
} sheet;

/*
 * Lays the picture out; if it has a legend, all cells are read for that. PTL_ERR_ARGUMENT: an
 * option is out of range. The sheet and the options must stay where they are. To be disposed
 * of also after an error.
 */
ptl_status sheet_init(sheet *s, ptl_world *world, const ptl_render_options *options,
                      ptl_error *err);
void sheet_dispose(sheet *s);

/* Counts the cells of all levels that are shown. The legend is to be disposed of also after an
 * error. */
ptl_status sheet_read_legend(sheet *s, legend *out, ptl_error *err);

/* Gives row y of the picture: page.width indices, borrowed until the next call. y must not
 * decrease from call to call. */
ptl_status sheet_row(sheet *s, int64_t y, const uint8_t **out, ptl_error *err);

#endif
