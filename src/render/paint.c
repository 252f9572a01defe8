/*
 * Paints cells. Without symbols a cell is a square of one colour, the *area colour* of its
 * terrain. With symbols it shows the terrain's symbol in the colours that the content names:
 * the ink on the paper behind it. If the content names no paper, the ink is lightened and drawn
 * on the dimmed area colour, so that woods and waters are still seen as areas from a distance.
 */
#include "render/paint.h"

#include "core/utf8.h"
#include "core/visible.h"
#include "model/color.h"
#include "portolan/render.h"

#include <stdlib.h>
#include <string.h>

look *looks_new(const catalogue *cat)
{
    look *looks = calloc(catalogue_all_oters(cat) + 1, sizeof *looks);
    if (!looks)
        return NULL;
    for (size_t i = 0; i < catalogue_all_oters(cat); i++) {
        const cat_oter *o = &cat->oters[i];
        /* Control characters, and characters that do not take exactly one column, would break
         * the lines of a map. */
        const bool printable = !visible_unsafe(o->symbol) && utf8_columns(o->symbol) == 1;
        look l = {.symbol = printable ? o->symbol : '?'};
        const char *name =
            o->terrain < catalogue_all_terrains(cat) ? cat->terrains[o->terrain].color : "";
        (void)palette_style(&l.colours, name ? name : "");
        if (o->flags & CAT_FLAG_LINEAR)
            l.line = o->line & 0xf;
        if (l.line == 0)
            l.line = font_line_mask(o->symbol);
        looks[i] = l;
    }
    looks[catalogue_all_oters(cat)] =
        (look){.colours = {PALETTE_UNSAVED, PALETTE_UNSAVED, PALETTE_UNSAVED}, .symbol = ' '};
    return looks;
}

void looks_on_paper(look *looks, const catalogue *cat)
{
    for (size_t i = 0; i < catalogue_all_oters(cat); i++) {
        const uint16_t terrain = cat->oters[i].terrain;
        const int class = terrain < catalogue_all_terrains(cat)
                              ? cat->terrains[terrain].map_class
                              : PTL_MAP_OTHER;
        const uint8_t area = (uint8_t)(PALETTE_CLASS + 3 * class);
        looks[i].colours = (style){.area = area, .ink = (uint8_t)(area + 1), .paper = area};
    }
}

static void fill(uint8_t *out, int32_t from, int32_t to, uint8_t value)
{
    if (to > from)
        memset(out + from, value, (size_t)(to - from));
}

static void paint_glyph(uint8_t *out, const uint8_t *glyph, int32_t scale, int32_t row,
                        uint8_t ink)
{
    int32_t zoom = scale / (FONT_HEIGHT + 1);
    int32_t top = (scale - FONT_HEIGHT * zoom) / 2, left = (scale - FONT_WIDTH * zoom) / 2;
    if (row < top || row >= top + FONT_HEIGHT * zoom)
        return;
    uint8_t bits = glyph[(row - top) / zoom];
    for (int32_t i = 0; i < FONT_WIDTH; i++)
        if (bits & (1u << (FONT_WIDTH - 1 - i)))
            fill(out, left + i * zoom, left + (i + 1) * zoom, ink);
}

/* Paints a row of a symbol. If the font lacks the symbol, a filled square in the middle of the
 * cell is drawn instead. */
static void paint_symbol(uint8_t *out, uint32_t symbol, int32_t scale, int32_t row, uint8_t ink)
{
    const uint8_t *glyph = font_glyph(symbol);
    if (glyph)
        paint_glyph(out, glyph, scale, row, ink);
    else if (row >= scale / 3 && row < scale - scale / 3)
        fill(out, scale / 3, scale - scale / 3, ink);
}

void paint_cell_row(uint8_t *out, const look *l, int32_t scale, int32_t row, bool symbols)
{
    const style *s = &l->colours;
    const bool plain_cell = s->area >= PALETTE_UNSAVED && s->area < PALETTE_CLASS;
    if (!symbols || plain_cell || scale <= FONT_HEIGHT) {
        memset(out, s->area, (size_t)scale);
        return;
    }
    bool plain = s->paper == PALETTE_NONE;
    uint8_t paper = plain ? (uint8_t)(s->area + PALETTE_DIM) : s->paper;
    uint8_t ink = plain ? (uint8_t)(s->ink + PALETTE_LIGHT) : s->ink;
    memset(out, paper, (size_t)scale);
    if (l->line) {
        /* Lines are drawn from the middle to the cell's sides, so that the lines of
         * neighbouring cells meet. */
        const uint8_t mask = l->line;
        int32_t thick = scale >= 12 ? scale / 6 : 1;
        int32_t from = (scale - thick) / 2, to = from + thick;
        bool middle = row >= from && row < to;
        if (middle)
            fill(out, mask & 8 ? 0 : from, mask & 2 ? scale : to, ink);
        else if ((row < from && (mask & 1)) || (row >= to && (mask & 4)))
            fill(out, from, to, ink);
    } else
        paint_symbol(out, l->symbol, scale, row, ink);
}

bool paint_symbol_row(uint8_t *out, uint32_t symbol, int32_t scale, int32_t row)
{
    if (symbol == ' ' || scale <= FONT_HEIGHT)
        return false;
    memset(out, 0, (size_t)scale);
    paint_symbol(out, symbol, scale, row, 1);
    return memchr(out, 1, (size_t)scale) != NULL;
}

/*
 * The RGB values of colours, which Portolan chooses itself. Content names the colours of a
 * terminal with black background. A map with one colour for each cell needs other colours, like
 * a printed map. What covers the land (brown fields, green woods, blue and cyan waters) is pale
 * and calm, so that thin dark grey roads and the small bright cells of buildings are easily
 * seen. Symbols and the ground behind them use the terminal's colours.
 */

/* The 16 colours of a text terminal (model/color.h). */
static const struct base_colour {
    rgb area; /* colour of a cell that is drawn without a symbol */
    /* A lighter form of this colour is used for symbols, a darker form for the ground behind
     * symbols. */
    rgb glyph;
} base_colours[PALETTE_BASE] = {
    [COLOR_BLACK] = {{24, 24, 28}, {0, 0, 0}},
    [COLOR_RED] = {{176, 48, 40}, {178, 34, 30}},
    [COLOR_GREEN] = {{98, 148, 86}, {28, 118, 40}},
    [COLOR_BROWN] = {{212, 198, 160}, {128, 100, 56}},
    [COLOR_BLUE] = {{64, 108, 172}, {26, 50, 186}},
    [COLOR_MAGENTA] = {{150, 60, 140}, {150, 34, 148}},
    [COLOR_CYAN] = {{118, 168, 150}, {20, 136, 146}},
    [COLOR_LIGHT_GRAY] = {{170, 168, 164}, {180, 180, 176}},
    [COLOR_DARK_GRAY] = {{60, 56, 60}, {86, 86, 90}},
    [COLOR_LIGHT_RED] = {{226, 104, 84}, {248, 102, 88}},
    [COLOR_LIGHT_GREEN] = {{148, 190, 108}, {110, 214, 96}},
    [COLOR_YELLOW] = {{240, 214, 96}, {246, 232, 98}},
    [COLOR_LIGHT_BLUE] = {{126, 168, 214}, {92, 130, 248}},
    [COLOR_PINK] = {{226, 140, 204}, {248, 134, 236}},
    [COLOR_LIGHT_CYAN] = {{140, 206, 214}, {112, 224, 232}},
    [COLOR_WHITE] = {{250, 250, 246}, {250, 250, 246}},
};

/* The colours that content can't name, with the indices from PALETTE_UNSAVED on. */
static const rgb other_colours[PALETTE_SIZE - PALETTE_UNSAVED] = {
    [0] = {30, 30, 34},
    [PALETTE_GAP - PALETTE_UNSAVED] = {12, 12, 14},
    [PALETTE_UNKNOWN - PALETTE_UNSAVED] = {255, 0, 255},
    [PALETTE_PAPER - PALETTE_UNSAVED] = {247, 243, 233},
    [PALETTE_TEXT - PALETTE_UNSAVED] = {44, 40, 36},
    [PALETTE_FAINT - PALETTE_UNSAVED] = {126, 116, 102},
    [PALETTE_FRAME - PALETTE_UNSAVED] = {84, 74, 62},
    [PALETTE_GRID - PALETTE_UNSAVED] = {104, 78, 60},
    [PALETTE_NAME - PALETTE_UNSAVED] = {26, 22, 20},
    [PALETTE_NAME_EDGE - PALETTE_UNSAVED] = {253, 251, 245},
};

bool palette_style(style *out, const char *name)
{
    color_name color;
    if (!color_parse(&color, name)) {
        *out = (style){PALETTE_UNKNOWN, PALETTE_UNKNOWN, PALETTE_NONE};
        return false;
    }
    const uint8_t base = color.ink;
    if (color.paper != COLOR_NONE)
        *out = (style){.area = base, .ink = base, .paper = color.paper};
    else if (color.prefix == 'i')
        *out = (style){base, base == PALETTE_BLACK ? PALETTE_WHITE : PALETTE_BLACK, base};
    else if (color.prefix == 'h')
        *out = (style){base, base, PALETTE_BLUE};
    else
        *out = (style){base, base, PALETTE_NONE};
    return true;
}

static uint8_t dimmed(uint8_t value)
{
    return (uint8_t)(value * 45 / 100);
}

static uint8_t lightened(uint8_t value)
{
    return (uint8_t)(value + (255 - value) * 30 / 100);
}

rgb palette_rgb(uint8_t index)
{
    if (index < PALETTE_BASE)
        return base_colours[index].area;
    if (index < PALETTE_LIGHT) {
        rgb v = base_colours[index - PALETTE_DIM].glyph;
        return (rgb){dimmed(v.r), dimmed(v.g), dimmed(v.b)};
    }
    if (index < PALETTE_UNSAVED) {
        rgb v = base_colours[index - PALETTE_LIGHT].glyph;
        return (rgb){lightened(v.r), lightened(v.g), lightened(v.b)};
    }
    return index < PALETTE_SIZE ? other_colours[index - PALETTE_UNSAVED]
                                : other_colours[PALETTE_UNKNOWN - PALETTE_UNSAVED];
}

static rgb rgb_of(uint32_t colour)
{
    return (rgb){(uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour};
}

rgb palette_of_style(uint8_t index, ptl_map_style kind)
{
    /* What is around the map and over it, from PALETTE_UNSAVED on, on both papers. */
    static const rgb papers[PTL_STYLE_TERMINAL][PALETTE_SIZE - PALETTE_UNSAVED] = {
        {[0] = {222, 215, 202},
         [PALETTE_GAP - PALETTE_UNSAVED] = {247, 243, 233},
         [PALETTE_UNKNOWN - PALETTE_UNSAVED] = {255, 0, 255},
         [PALETTE_PAPER - PALETTE_UNSAVED] = {247, 243, 233},
         [PALETTE_TEXT - PALETTE_UNSAVED] = {44, 40, 36},
         [PALETTE_FAINT - PALETTE_UNSAVED] = {112, 102, 90},
         [PALETTE_FRAME - PALETTE_UNSAVED] = {84, 74, 62},
         [PALETTE_GRID - PALETTE_UNSAVED] = {104, 78, 60},
         [PALETTE_NAME - PALETTE_UNSAVED] = {26, 22, 20},
         [PALETTE_NAME_EDGE - PALETTE_UNSAVED] = {253, 251, 245}},
        {[0] = {16, 17, 19},
         [PALETTE_GAP - PALETTE_UNSAVED] = {29, 31, 34},
         [PALETTE_UNKNOWN - PALETTE_UNSAVED] = {255, 0, 255},
         [PALETTE_PAPER - PALETTE_UNSAVED] = {29, 31, 34},
         [PALETTE_TEXT - PALETTE_UNSAVED] = {228, 223, 212},
         [PALETTE_FAINT - PALETTE_UNSAVED] = {156, 149, 138},
         [PALETTE_FRAME - PALETTE_UNSAVED] = {140, 130, 116},
         [PALETTE_GRID - PALETTE_UNSAVED] = {158, 132, 110},
         [PALETTE_NAME - PALETTE_UNSAVED] = {250, 247, 240},
         [PALETTE_NAME_EDGE - PALETTE_UNSAVED] = {20, 19, 18}}};
    if (index >= PALETTE_TILE && index < PALETTE_ALL) {
        ptl_tile_look l = PTL_TILE_LOOK_INIT;
        const int at = index - PALETTE_TILE;
        (void)ptl_tile_look_describe(&l, (ptl_tile_class)(at / 2), kind);
        return rgb_of(at % 2 == 0 ? l.area : l.ink);
    }
    if (index >= PALETTE_CLASS && index < PALETTE_TILE) {
        ptl_map_look l = PTL_MAP_LOOK_INIT;
        const int at = index - PALETTE_CLASS;
        (void)ptl_map_look_describe(&l, (ptl_map_class)(at / 3), kind);
        return rgb_of(at % 3 == 0 ? l.area : at % 3 == 1 ? l.ink : l.edge);
    }
    if (kind >= PTL_STYLE_TERMINAL || index < PALETTE_UNSAVED || index >= PALETTE_SIZE)
        return palette_rgb(index);
    return papers[kind][index - PALETTE_UNSAVED];
}

int palette_ansi(uint8_t index)
{
    if (index < 8) {
        /* The base colours have the order of the ANSI codes: black, red, green, brown, blue,
         * magenta, cyan, gray. */
        return 30 + index;
    }
    if (index < PALETTE_BASE)
        return 90 + index - 8;
    return 95;
}

static void give_rgb(uint8_t index, uint8_t out[3])
{
    const rgb v = palette_rgb(index);
    out[0] = v.r;
    out[1] = v.g;
    out[2] = v.b;
}

bool ptl_color_find(uint8_t area[3], uint8_t ink[3], uint8_t paper[3], const char *name)
{
    style s;
    const bool known = palette_style(&s, name);
    const bool plain = s.paper == PALETTE_NONE && s.area < PALETTE_BASE;
    give_rgb(s.area, area);
    give_rgb(plain ? (uint8_t)(s.ink + PALETTE_LIGHT) : s.ink, ink);
    give_rgb(plain ? (uint8_t)(s.area + PALETTE_DIM) : s.paper, paper);
    return known;
}

/*
 * The font. Its glyphs were drawn for Portolan on a raster of 5 x 7 dots, and are legible at
 * one pixel for each dot. Line-drawing characters have no bitmaps: the painter draws their
 * lines, so that they meet at the cells' sides at every scale. Some letters have a second form
 * for running text, with a part below the base line; a cell has no room there.
 */

/* The characters of ASCII from 0x20 to 0x7e. */
static const uint8_t glyphs[][FONT_HEIGHT] = {
    {0, 0, 0, 0, 0, 0, 0},                      /* space */
    {0x04, 0x04, 0x04, 0x04, 0x00, 0x04, 0x00}, /* ! */
    {0x0a, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00}, /* " */
    {0x0a, 0x0a, 0x1f, 0x0a, 0x1f, 0x0a, 0x0a}, /* # */
    {0x04, 0x0e, 0x14, 0x0e, 0x05, 0x0e, 0x04}, /* $ */
    {0x19, 0x1a, 0x02, 0x04, 0x08, 0x0b, 0x13}, /* % */
    {0x0c, 0x12, 0x12, 0x0c, 0x13, 0x12, 0x0d}, /* & */
    {0x04, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00}, /* ' */
    {0x02, 0x04, 0x08, 0x08, 0x08, 0x04, 0x02}, /* ( */
    {0x08, 0x04, 0x02, 0x02, 0x02, 0x04, 0x08}, /* ) */
    {0x00, 0x15, 0x0e, 0x1f, 0x0e, 0x15, 0x00}, /* star */
    {0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00}, /* + */
    {0x00, 0x00, 0x00, 0x00, 0x0c, 0x04, 0x08}, /* , */
    {0x00, 0x00, 0x00, 0x1f, 0x00, 0x00, 0x00}, /* - */
    {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c}, /* . */
    {0x01, 0x02, 0x02, 0x04, 0x08, 0x08, 0x10}, /* slash */
    {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}, /* 0 */
    {0x04, 0x0c, 0x14, 0x04, 0x04, 0x04, 0x1f}, /* 1 */
    {0x0e, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1f}, /* 2 */
    {0x1e, 0x01, 0x01, 0x0e, 0x01, 0x01, 0x1e}, /* 3 */
    {0x12, 0x12, 0x12, 0x1f, 0x02, 0x02, 0x02}, /* 4 */
    {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e}, /* 5 */
    {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}, /* 6 */
    {0x1f, 0x01, 0x02, 0x02, 0x04, 0x04, 0x04}, /* 7 */
    {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}, /* 8 */
    {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}, /* 9 */
    {0x00, 0x0c, 0x0c, 0x00, 0x0c, 0x0c, 0x00}, /* : */
    {0x00, 0x0c, 0x0c, 0x00, 0x0c, 0x04, 0x08}, /* ; */
    {0x02, 0x04, 0x08, 0x10, 0x08, 0x04, 0x02}, /* < */
    {0x00, 0x00, 0x1f, 0x00, 0x1f, 0x00, 0x00}, /* = */
    {0x08, 0x04, 0x02, 0x01, 0x02, 0x04, 0x08}, /* > */
    {0x0e, 0x11, 0x02, 0x04, 0x04, 0x00, 0x04}, /* ? */
    {0x0e, 0x11, 0x17, 0x15, 0x16, 0x10, 0x0e}, /* @ */
    {0x04, 0x0a, 0x11, 0x11, 0x1f, 0x11, 0x11}, /* A */
    {0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e}, /* B */
    {0x0f, 0x10, 0x10, 0x10, 0x10, 0x10, 0x0f}, /* C */
    {0x1c, 0x12, 0x11, 0x11, 0x11, 0x12, 0x1c}, /* D */
    {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f}, /* E */
    {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10}, /* F */
    {0x0f, 0x10, 0x10, 0x13, 0x11, 0x11, 0x0f}, /* G */
    {0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11}, /* H */
    {0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x1f}, /* I */
    {0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0c}, /* J */
    {0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11}, /* K */
    {0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f}, /* L */
    {0x11, 0x1b, 0x15, 0x15, 0x11, 0x11, 0x11}, /* M */
    {0x11, 0x19, 0x19, 0x15, 0x13, 0x13, 0x11}, /* N */
    {0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e}, /* O */
    {0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10}, /* P */
    {0x0e, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0d}, /* Q */
    {0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11}, /* R */
    {0x0f, 0x10, 0x10, 0x0e, 0x01, 0x01, 0x1e}, /* S */
    {0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04}, /* T */
    {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e}, /* U */
    {0x11, 0x11, 0x11, 0x0a, 0x0a, 0x0a, 0x04}, /* V */
    {0x11, 0x11, 0x11, 0x15, 0x15, 0x1b, 0x11}, /* W */
    {0x11, 0x0a, 0x0a, 0x04, 0x0a, 0x0a, 0x11}, /* X */
    {0x11, 0x11, 0x0a, 0x04, 0x04, 0x04, 0x04}, /* Y */
    {0x1f, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1f}, /* Z */
    {0x0e, 0x08, 0x08, 0x08, 0x08, 0x08, 0x0e}, /* [ */
    {0x10, 0x08, 0x08, 0x04, 0x02, 0x02, 0x01}, /* backslash */
    {0x0e, 0x02, 0x02, 0x02, 0x02, 0x02, 0x0e}, /* ] */
    {0x04, 0x0a, 0x11, 0x00, 0x00, 0x00, 0x00}, /* ^ */
    {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f}, /* _ */
    {0x08, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00}, /* ` */
    {0x00, 0x00, 0x0e, 0x01, 0x0f, 0x11, 0x0f}, /* a */
    {0x10, 0x10, 0x1e, 0x11, 0x11, 0x11, 0x1e}, /* b */
    {0x00, 0x00, 0x0f, 0x10, 0x10, 0x10, 0x0f}, /* c */
    {0x01, 0x01, 0x0f, 0x11, 0x11, 0x11, 0x0f}, /* d */
    {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0f}, /* e */
    {0x06, 0x08, 0x1e, 0x08, 0x08, 0x08, 0x08}, /* f */
    {0x00, 0x0f, 0x11, 0x11, 0x0f, 0x01, 0x0e}, /* g */
    {0x10, 0x10, 0x1e, 0x11, 0x11, 0x11, 0x11}, /* h */
    {0x04, 0x00, 0x0c, 0x04, 0x04, 0x04, 0x0e}, /* i */
    {0x02, 0x00, 0x06, 0x02, 0x02, 0x12, 0x0c}, /* j */
    {0x10, 0x10, 0x12, 0x14, 0x18, 0x14, 0x12}, /* k */
    {0x0c, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e}, /* l */
    {0x00, 0x00, 0x1a, 0x15, 0x15, 0x15, 0x15}, /* m */
    {0x00, 0x00, 0x1e, 0x11, 0x11, 0x11, 0x11}, /* n */
    {0x00, 0x00, 0x0e, 0x11, 0x11, 0x11, 0x0e}, /* o */
    {0x00, 0x00, 0x1e, 0x11, 0x1e, 0x10, 0x10}, /* p */
    {0x00, 0x00, 0x0f, 0x11, 0x0f, 0x01, 0x01}, /* q */
    {0x00, 0x00, 0x16, 0x18, 0x10, 0x10, 0x10}, /* r */
    {0x00, 0x00, 0x0f, 0x10, 0x0e, 0x01, 0x1e}, /* s */
    {0x08, 0x08, 0x1e, 0x08, 0x08, 0x08, 0x06}, /* t */
    {0x00, 0x00, 0x11, 0x11, 0x11, 0x11, 0x0f}, /* u */
    {0x00, 0x00, 0x11, 0x11, 0x0a, 0x0a, 0x04}, /* v */
    {0x00, 0x00, 0x11, 0x11, 0x15, 0x15, 0x0a}, /* w */
    {0x00, 0x00, 0x11, 0x0a, 0x04, 0x0a, 0x11}, /* x */
    {0x00, 0x00, 0x11, 0x11, 0x0f, 0x01, 0x0e}, /* y */
    {0x00, 0x00, 0x1f, 0x02, 0x04, 0x08, 0x1f}, /* z */
    {0x06, 0x08, 0x08, 0x10, 0x08, 0x08, 0x06}, /* { */
    {0x04, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04}, /* | */
    {0x0c, 0x02, 0x02, 0x01, 0x02, 0x02, 0x0c}, /* } */
    {0x00, 0x00, 0x09, 0x15, 0x12, 0x00, 0x00}, /* ~ */
};

/* The symbol that Portolan's own content uses for lakes. */
static const uint8_t almost_equal[FONT_HEIGHT] = {0x09, 0x15, 0x12, 0x00, 0x09, 0x15, 0x12};

const uint8_t *font_glyph(uint32_t symbol)
{
    if (symbol == 0x2248)
        return almost_equal;
    if (symbol < 0x20 || symbol > 0x7e)
        return NULL;
    return glyphs[symbol - 0x20];
}

/* Letters that reach below the base line in running text. All other letters look the same as in
 * cells. */
static const struct low_letter {
    char letter;
    uint8_t rows[FONT_TEXT_HEIGHT];
} low_letters[] = {
    {',', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x04, 0x08, 0x00}},
    {';', {0x00, 0x00, 0x0c, 0x0c, 0x00, 0x0c, 0x04, 0x08, 0x00}},
    {'g', {0x00, 0x00, 0x0f, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x0e}},
    {'j', {0x02, 0x00, 0x06, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0c}},
    {'p', {0x00, 0x00, 0x1e, 0x11, 0x11, 0x11, 0x1e, 0x10, 0x10}},
    {'q', {0x00, 0x00, 0x0f, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x01}},
    {'y', {0x00, 0x00, 0x11, 0x11, 0x11, 0x11, 0x0f, 0x01, 0x0e}},
    {FONT_BOX, {0x1f, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1f, 0x00, 0x00}},
    {FONT_DOT, {0x00, 0x00, 0x00, 0x0c, 0x0c, 0x00, 0x00, 0x00, 0x00}},
};

void font_letter(char letter, uint8_t rows[FONT_TEXT_HEIGHT])
{
    for (size_t i = 0; i < sizeof low_letters / sizeof low_letters[0]; i++) {
        if (low_letters[i].letter == letter) {
            memcpy(rows, low_letters[i].rows, FONT_TEXT_HEIGHT);
            return;
        }
    }
    const uint8_t *glyph = font_glyph((unsigned char)letter);
    memset(rows, 0, FONT_TEXT_HEIGHT);
    if (glyph)
        memcpy(rows, glyph, FONT_HEIGHT);
    else
        font_letter(FONT_BOX, rows);
}

/* Box-drawing characters from U+2500 on. Each entry has the light, the heavy and the double
 * form of one shape. */
static const struct line_symbol {
    uint32_t symbols[3];
    uint8_t mask;
} line_symbols[] = {
    {{0x2502, 0x2503, 0x2551}, 0x5}, {{0x2500, 0x2501, 0x2550}, 0xa},
    {{0x2514, 0x2517, 0x255a}, 0x3}, {{0x250c, 0x250f, 0x2554}, 0x6},
    {{0x2510, 0x2513, 0x2557}, 0xc}, {{0x2518, 0x251b, 0x255d}, 0x9},
    {{0x251c, 0x2523, 0x2560}, 0x7}, {{0x2524, 0x252b, 0x2563}, 0xd},
    {{0x252c, 0x2533, 0x2566}, 0xe}, {{0x2534, 0x253b, 0x2569}, 0xb},
    {{0x253c, 0x254b, 0x256c}, 0xf},
};

uint8_t font_line_mask(uint32_t symbol)
{
    for (size_t i = 0; i < sizeof line_symbols / sizeof line_symbols[0]; i++)
        for (size_t j = 0; j < 3; j++)
            if (line_symbols[i].symbols[j] == symbol)
                return line_symbols[i].mask;
    return 0;
}
