/*
 * A small bitmap font for the symbols of terrains and for texts. Printable ASCII (and U+2248)
 * has bitmaps of 5 x 7 dots. Line-drawing characters are sets of arms, which the painter draws
 * from the cell's middle.
 */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <stdbool.h>
#include <stdint.h>

enum { FONT_WIDTH = 5, FONT_HEIGHT = 7 };

/* Running text, whose g and y reach two rows below the base line. It has two letters besides
 * ASCII: a box for what the font lacks, and a dot to separate items. */
enum { FONT_TEXT_HEIGHT = 9, FONT_BOX = 0x7f, FONT_DOT = 0x01 };

/* Returns the seven rows of a symbol from the top, or NULL if the font lacks it. Bit 4 is the
 * leftmost dot. */
const uint8_t *font_glyph(uint32_t symbol);

/* Gives the nine rows of a letter of running text from the top. Bit 4 is the leftmost dot. A
 * letter that the font lacks becomes FONT_BOX. */
void font_letter(char letter, uint8_t rows[FONT_TEXT_HEIGHT]);

/* Returns the arms of a line-drawing character: bit 0 north, 1 east, 2 south, 3 west; 0 if it
 * is no such character. */
uint8_t font_line_mask(uint32_t symbol);

#endif
