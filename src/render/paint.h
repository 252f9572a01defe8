/* Turns oters into pixels and characters. The look of each oter is computed once. */
#pragma once

#include "model/catalogue.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Colours. Content names a colour by one of 16 base colours, with an optional prefix (c_ plain,
 * i_ inverse, h_ highlighted) or with a second colour for the background, as in
 * "light_green_red".
 */

typedef struct rgb {
    uint8_t r, g, b;
} rgb;

/* Indices into the colour table of pictures. 0..15 are the base colours; 16..31 are the same
 * colours dimmed, for the ground behind symbols; 32..47 are the same lightened, for symbols. */
enum {
    PALETTE_BLACK = 0,
    PALETTE_BLUE = 4,
    PALETTE_WHITE = 15,
    PALETTE_BASE = 16,
    /* A base colour has a darker form for the ground behind symbols; its index is PALETTE_DIM
     * plus the index of the base colour. */
    PALETTE_DIM = PALETTE_BASE,
    PALETTE_LIGHT = 2 * PALETTE_BASE,
    PALETTE_UNSAVED = 3 * PALETTE_BASE, /* cells of chunks that are not saved */
    PALETTE_GAP,                        /* space between levels that are shown side by side */
    PALETTE_UNKNOWN,                    /* shown for a colour name that does not exist */
    PALETTE_PAPER,                      /* the paper around the map */
    PALETTE_TEXT,
    PALETTE_FAINT, /* for less important text */
    PALETTE_FRAME, /* for the frames around the map and around the scale bar */
    PALETTE_GRID,  /* borders of chunks on the map */
    /* Names of cities on the map; PALETTE_NAME_EDGE is the outline of their letters. */
    PALETTE_NAME,
    PALETTE_NAME_EDGE,
    PALETTE_SIZE, /* number of colours that pictures in the style of a terminal have */
    /* Area, ink and edge of each class of terrains follow, in this order. */
    PALETTE_CLASS = PALETTE_SIZE,
    /* Area and ink of each class of tiles of local maps. */
    PALETTE_TILE = PALETTE_CLASS + 3 * PTL_MAP_CLASSES,
    PALETTE_ALL = PALETTE_TILE + 2 * PTL_TILE_CLASSES,
    PALETTE_NONE = 255 /* no colour: the definition of the terrain states no background */
};

/* The colours in which a terrain is drawn. */
typedef struct style {
    uint8_t area; /* colour of a cell without a symbol */
    uint8_t ink;  /* colour of the symbol */
    /* Colour behind the symbol; PALETTE_NONE: a darker shade of the colour `area`. */
    uint8_t paper;
} style;

/* Gives the style for a colour name; "" means light_gray. If the name does not exist, returns
 * false and gives the style of unknown colours. */
bool palette_style(style *out, const char *name);

/* Returns the colour of a palette index. */
rgb palette_rgb(uint8_t index);
/* Returns the colour of a palette index in pictures of a style. */
rgb palette_of_style(uint8_t index, ptl_map_style kind);

/* Returns the ANSI code that makes the colour with this palette index the colour of text
 * (30..37, 90..97). That code plus 10 makes it the colour of the background. */
int palette_ansi(uint8_t index);

/* How one oter is drawn. */
typedef struct look {
    style colours;
    /* A linear terrain is drawn as lines from the middle of the cell to its sides: bit 0 north,
     * 1 east, 2 south, 3 west. 0: the symbol is drawn instead. */
    uint8_t line;
    uint32_t symbol; /* a printable code point; ' ' if the terrain has no symbol */
} look;

/* Makes a look for each oter, and as the last element (index catalogue_all_oters) one for cells
 * without an oter. The caller must free the array; NULL when memory is out. */
look *looks_new(const catalogue *cat);

/* Gives the looks of oters the colours of their classes in place of the content's. */
void looks_on_paper(look *looks, const catalogue *cat);

/* Are symbols drawn on this class (ptl_map_class) on paper? They are on buildings and other
 * places, and not on ground, water and ways. */
bool class_has_symbols(uint8_t class);

/* Returns the look of an oter. For CAT_NONE and other unknown numbers it is the last look. */
static inline const look *look_of(const look *looks, const catalogue *cat, ptl_oter oter)
{
    const size_t count = catalogue_all_oters(cat);
    return &looks[oter < count ? oter : count];
}

/* Paints row `row` (0..scale - 1) of one cell: writes `scale` palette indices to out. */
void paint_cell_row(uint8_t *out, const look *l, int32_t scale, int32_t row, bool symbols);

/* Sets each of `scale` bytes to whether a pixel of row `row` of a symbol has ink. Returns
 * false, and sets nothing, if none has; a symbol that the font lacks is a square. */
bool paint_symbol_row(uint8_t *out, uint32_t symbol, int32_t scale, int32_t row);

enum { FONT_WIDTH = 5, FONT_HEIGHT = 7 };

/* The letters of running text, in which g and y reach two rows below the base line. The font
 * has two letters besides ASCII: a box for characters that the font lacks, and a dot to
 * separate items. */
enum { FONT_TEXT_HEIGHT = 9, FONT_BOX = 0x7f, FONT_DOT = 0x01 };

/* Returns the seven rows of a symbol from the top, or NULL if the font lacks it. Bit 4 is the
 * leftmost dot. */
const uint8_t *font_glyph(uint32_t symbol);

/* Gives the nine rows of a letter of running text from the top. Bit 4 is the leftmost dot. A
 * letter that the font lacks becomes FONT_BOX. */
void font_letter(char letter, uint8_t rows[FONT_TEXT_HEIGHT]);

/* Returns the lines of a line-drawing character, from the middle to the sides: bit 0 north, 1
 * east, 2 south, 3 west; 0 if the symbol is no such character. */
uint8_t font_line_mask(uint32_t symbol);
