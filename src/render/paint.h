/* From oters to pixels and characters: what a terrain looks like, worked out once per oter. */
#ifndef RENDER_PAINT_H
#define RENDER_PAINT_H

#include "model/catalogue.h"
#include "render/palette.h"

/* How one oter is drawn. */
typedef struct look {
    style colours;
    uint8_t line;    /* arms to draw: bit 0 north, 1 east, 2 south, 3 west; 0: the symbol */
    uint32_t symbol; /* a printable code point; ' ' if there is none */
} look;

/* One look per oter, and a last one (index catalogue_all_oters) for cells without one. new:
 * free it. NULL when memory is out. */
look *looks_new(const catalogue *cat);

/* The look of an oter, CAT_NONE and out of range included. */
static inline const look *look_of(const look *looks, const catalogue *cat, ptl_oter oter)
{
    const size_t count = catalogue_all_oters(cat);
    return &looks[oter < count ? oter : count];
}

/* Paints row `row` (0..scale-1) of one cell: `scale` palette indices to `out`. */
void paint_cell_row(uint8_t *out, const look *l, int32_t scale, int32_t row, bool symbols);

#endif
