/* From oters to pixels and characters: what a terrain looks like, worked out once per oter. */
#ifndef RENDER_PAINT_H
#define RENDER_PAINT_H

#include "model/catalogue.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The content's colour names as colours. A name is one of 16 base colours, with an optional
 * prefix (c_ plain, i_ inverse, h_ highlighted) or a second colour for the background, as in
 * "light_green_red".
 */

typedef struct rgb {
    uint8_t r, g, b;
} rgb;

/* Indices into the pictures' colour table. 0..15 are the base colours; under a symbol lies the
 * same colour dimmed (16..31), and the symbol is drawn in it lightened (32..47). */
enum {
    PALETTE_BLACK = 0,
    PALETTE_BLUE = 4,
    PALETTE_WHITE = 15,
    PALETTE_BASE = 16,
    PALETTE_DIM = PALETTE_BASE, /* base + PALETTE_DIM is its dimmed form */
    PALETTE_LIGHT = 2 * PALETTE_BASE,
    PALETTE_UNSAVED = 3 * PALETTE_BASE, /* where no chunk is saved */
    PALETTE_GAP,                        /* between the levels of a strip */
    PALETTE_UNKNOWN,                    /* a colour name that is none */
    PALETTE_PAPER,                      /* around the map */
    PALETTE_TEXT,
    PALETTE_FAINT, /* text of less weight */
    PALETTE_FRAME, /* the map's frame, and the scale bar's */
    PALETTE_GRID,  /* borders of chunks on the map */
    PALETTE_NAME,  /* names on the map, and the edge around their letters */
    PALETTE_NAME_EDGE,
    PALETTE_SIZE,
    PALETTE_NONE = 255 /* no background of its own */
};

/* How a terrain looks. */
typedef struct style {
    uint8_t area;  /* the colour of a cell drawn without a symbol */
    uint8_t ink;   /* the symbol's colour */
    uint8_t paper; /* the background behind the symbol; PALETTE_NONE: the dimmed area colour */
} style;

/* Gives the style of a colour name; false, and the unknown style, for a name that is none. ""
 * is light_gray. */
bool palette_style(style *out, const char *name);

rgb palette_rgb(uint8_t index);

/* Returns the ANSI foreground code (30..37, 90..97) of a palette index; add 10 for the
 * background. */
int palette_ansi(uint8_t index);

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
