/*
 * A small bitmap font for the symbols of terrains and for text: printable ASCII (and U+2248) as
 * 5 x 7 bitmaps, and line-drawing characters as sets of arms that the painter draws from the
 * cell's middle.
 */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <stdbool.h>
#include <stdint.h>

enum { FONT_WIDTH = 5, FONT_HEIGHT = 7 };

/* Of running text, where g and y reach two rows below the line. Two more letters than ASCII: a
 * box for what the font lacks, and a dot between two items. */
enum { FONT_TEXT_HEIGHT = 9, FONT_BOX = 0x7f, FONT_DOT = 0x01 };

/* Seven rows from the top, bit 4 is the leftmost pixel; NULL if the font has no such symbol. */
const uint8_t *font_glyph(uint32_t symbol);

/* Gives a letter of running text in nine rows from the top; bit 4 is the leftmost pixel. What
 * is neither ASCII nor FONT_DOT is FONT_BOX. */
void font_letter(char letter, uint8_t rows[FONT_TEXT_HEIGHT]);

/* Returns the arms of a line-drawing character: bit 0 north, 1 east, 2 south, 3 west; 0 if it
 * is none. */
uint8_t font_line_mask(uint32_t symbol);

#endif
