/*
 * A picture's map as rows of pixels, drawn with a tile set. Sprites may reach beyond their
 * cell. So a row of cells is finished only when the rows below it are painted, too; a window of
 * some rows of cells is in memory.
 */
#pragma once

#include "render/sheet.h"

typedef struct sprite_rows sprite_rows;

/* Makes the rows of a sheet's map; *out is new, and the caller must free it, also after an
 * error. The sheet is borrowed, and must be complete but for these rows. From now on only this
 * object may seek rows in its cell_view. */
ptl_status sprite_rows_new(sprite_rows **out, sheet *s, ptl_error *err);
void sprite_rows_free(sprite_rows *s); /* NULL is fine */

/* Gives row `row` of the map: page.map_width pixels of STAMP_BYTES bytes, borrowed until the
 * next call. Rows must be asked for in ascending order. */
ptl_status sprite_rows_get(const uint8_t **out, sprite_rows *s, int64_t row, ptl_error *err);
