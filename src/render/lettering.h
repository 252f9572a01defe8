/*
 * Text in pictures: names from the world's content become what the font can draw, are measured
 * and cut, and painted row by row. Letters are as wide as they are (an i is narrow); a zoom of
 * n draws each dot of the font as n x n pixels.
 */
#ifndef RENDER_LETTERING_H
#define RENDER_LETTERING_H

#include "render/font.h"

#include <stddef.h>

/*
 * Turns UTF-8 into letters of the font, ended by NUL, at most room - 1 of them (".." at the end
 * of what was cut): accented Latin letters lose their accents, typographic signs become plain
 * ones. A character that the font lacks, a control, and a byte that is no UTF-8 becomes
 * FONT_BOX.
 */
void lettering_fold(char *out, size_t room, const char *utf8);

/* Pixels from the first column to the last; 0 for no text. */
int32_t lettering_width(const char *text, int32_t zoom);

/* Cuts text to a width, ".." at the end of what was cut; "" where not even that fits. */
void lettering_fit(char *text, int32_t zoom, int32_t width);

/* Where a painted row of text goes: palette indices, the first one is column `from`. */
typedef struct letter_line {
    uint8_t *pixels;
    int64_t from, to; /* columns that may be painted: from <= x < to */
} letter_line;

/* Columns from <= x < to become ink, as far as they may be painted. */
void line_fill(const letter_line *line, int64_t from, int64_t to, uint8_t ink);

/*
 * Paints row `row` of text whose first letter begins at column x; rows outside of
 * 0 .. FONT_TEXT_HEIGHT * zoom - 1 paint nothing.
 */
void lettering_paint(const letter_line *line, int64_t x, int64_t row, const char *text,
                     int32_t zoom, uint8_t ink);

/* Paints the same with an edge of `zoom` pixels around each letter, in another ink: for text on
 * a map. Paints rows -zoom .. (FONT_TEXT_HEIGHT + 1) * zoom - 1. */
void lettering_paint_edged(const letter_line *line, int64_t x, int64_t row, const char *text,
                           int32_t zoom, const uint8_t inks[2]);

#endif
