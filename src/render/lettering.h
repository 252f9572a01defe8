/*
 * Text in pictures. Names from the world's content are turned into letters of the font,
 * measured, cut, and painted row by row. Letters have their own widths (an i is narrow). With
 * a zoom of n each dot of the font is n x n pixels.
 */
#ifndef RENDER_LETTERING_H
#define RENDER_LETTERING_H

#include "render/font.h"

#include <stddef.h>

/*
 * Turns UTF-8 into at most room - 1 letters of the font, ended by NUL; if it is cut, ".." is
 * at the end. Accented Latin letters lose their accents, and typographic signs become plain
 * ones. A character that the font lacks, a control character, or a byte that is not UTF-8
 * becomes FONT_BOX.
 */
void lettering_fold(char *out, size_t room, const char *utf8);

/* Returns the width in pixels; 0 for an empty text. */
int32_t lettering_width(const char *text, int32_t zoom);

/* Cuts a text to a width, with ".." at its end; "" if not even ".." fits. */
void lettering_fit(char *text, int32_t zoom, int32_t width);

/*
 * The part of a pixel row that may be painted, as palette indices. pixels[0] is column `from`.
 */
typedef struct letter_line {
    uint8_t *pixels;
    int64_t from, to; /* columns from <= x < to */
} letter_line;

/* Fills the columns from <= x < to with ink, as far as they may be painted. */
void line_fill(const letter_line *line, int64_t from, int64_t to, uint8_t ink);

/* Paints one row of a text whose first letter begins at column x. Row 0 is the top row. Rows
 * outside of 0 .. FONT_TEXT_HEIGHT * zoom - 1 paint nothing. */
void lettering_paint(const letter_line *line, int64_t x, int64_t row, const char *text,
                     int32_t zoom, uint8_t ink);

/*
 * As lettering_paint, in inks[0], with an edge of `zoom` pixels in inks[1] around each letter,
 * so that text is legible on a map. Rows go from -zoom to (FONT_TEXT_HEIGHT + 1) * zoom - 1.
 */
void lettering_paint_edged(const letter_line *line, int64_t x, int64_t row, const char *text,
                           int32_t zoom, const uint8_t inks[2]);

#endif
