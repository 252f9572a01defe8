/*
 * Draws OMTs like a printed map, by the classes of their terrains: areas with rounded corners,
 * shore lines, and ways as smooth lines over the ground around them. An OMT's picture (its
 * *stamp*) depends on few things about itself and its eight neighbours, so each stamp is
 * painted once and then copied. Edges are smoothed in linear light. Below SMALLEST pixels, an
 * OMT shows the mean of its larger stamp, so that pictures of all scales have the same colours.
 */
#pragma once

#include "model/catalogue.h"
#include "render/paint.h"

enum { STAMP_BYTES = 3 }; /* bytes of a pixel: red, green, blue */

typedef struct stamper stamper;

/* Makes a stamper for a style of paper. The caller must free it; NULL when memory is out. */
stamper *stamper_new(const catalogue *cat, ptl_map_style kind, int32_t scale, bool symbols);
void stamper_free(stamper *s); /* NULL is fine */

/* A row of OMTs that is to be drawn. */
typedef struct stamp_row {
    /* The row before it, the row itself, and the row after it. Each has an OMT more at both
     * ends, so that its index -1 and `width` may be read, too. CAT_NONE: not saved. */
    const ptl_oter *rows[3];
    const ptl_oter *ground; /* the same OMTs on the ground, if the level is another; or NULL */
    size_t width;
    int64_t x, y; /* the absolute place of its first OMT, on which textures depend */
} stamp_row;

/* Draws a row: `scale` rows of pixels, each `stride` bytes after the one before it. Returns
 * false when memory is out. */
bool stamper_draw(stamper *s, uint8_t *out, size_t stride, const stamp_row *row);
