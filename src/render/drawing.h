/*
 * What is drawn on a picture beside the map's cells: texts and boxes at their places, painted
 * row by row. Coordinates are pixels of the whole picture.
 */
#ifndef RENDER_DRAWING_H
#define RENDER_DRAWING_H

#include "render/lettering.h"
#include "render/paint.h"

#include <stdbool.h>

enum { DRAWN_LETTERS_MAX = 120 };

typedef struct drawn_text {
    int64_t x, y; /* of the first letter's top left corner */
    int32_t zoom;
    uint8_t ink;
    uint8_t edge; /* PALETTE_NONE: no edge around the letters */
    char text[DRAWN_LETTERS_MAX];
} drawn_text;

typedef struct drawn_box {
    int64_t x, y, width, height;
    uint8_t ink;
    const look *cell; /* borrowed; not NULL: a cell of width x width pixels with its symbol */
} drawn_box;

/* Zero it before its first use. */
typedef struct drawing {
    drawn_text *texts; /* owned */
    size_t text_count, text_room;
    drawn_box *boxes; /* owned; a later one covers an earlier one, texts cover all */
    size_t box_count, box_room;
    bool failed; /* memory is out */
} drawing;

void drawing_dispose(drawing *d);

/* Adds text in letters of the font (lettering_fold); what is too long is cut. */
void drawing_add_text(drawing *d, const drawn_text *text);
void drawing_add_box(drawing *d, const drawn_box *box);

/* Paints what lies in row y. */
void drawing_row(const drawing *d, const letter_line *line, int64_t y);

#endif
