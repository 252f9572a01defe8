/*
 * A small bitmap font for the symbols of terrains: printable ASCII as 5 x 7 bitmaps, and
 * line-drawing characters as sets of arms that the painter draws from the cell's middle.
 */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <stdbool.h>
#include <stdint.h>

enum { FONT_WIDTH = 5, FONT_HEIGHT = 7 };

/* Seven rows from the top, bit 4 is the leftmost pixel; NULL if the font has no such symbol. */
const uint8_t *font_glyph(uint32_t symbol);

/* The arms of a line-drawing character: bit 0 north, 1 east, 2 south, 3 west; 0 if it is none.
 */
uint8_t font_line_mask(uint32_t symbol);

#endif
