/*
 * Paints cells. Without symbols a cell is a square of its area colour. With symbols it is the
 * symbol in its ink on its paper. If the content names no paper, the lightened ink is drawn on
 * the dimmed area colour, so that woods and waters still appear as areas from a distance.
 */
#include "render/paint.h"

#include "core/utf8.h"
#include "core/visible.h"
#include "model/color.h"
#include "portolan/render.h"
#include "render/font.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* May the symbol be printed? Control characters, and characters that do not take exactly one
 * column, would destroy the lines of a map. */
static bool is_printable(uint32_t symbol)
{
    return !visible_unsafe(symbol) && utf8_columns(symbol) == 1;
}

look *looks_new(const catalogue *cat)
{
    look *looks = calloc(catalogue_all_oters(cat) + 1, sizeof *looks);
    if (!looks)
        return NULL;
    for (size_t i = 0; i < catalogue_all_oters(cat); i++) {
        const cat_oter *o = &cat->oters[i];
        look l = {.symbol = is_printable(o->symbol) ? o->symbol : '?'};
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

void paint_cell_row(uint8_t *out, const look *l, int32_t scale, int32_t row, bool symbols)
{
    const style *s = &l->colours;
    if (!symbols || s->area >= PALETTE_UNSAVED || scale <= FONT_HEIGHT) {
        memset(out, s->area, (size_t)scale);
        return;
    }
    bool plain = s->paper == PALETTE_NONE;
    uint8_t paper = plain ? (uint8_t)(s->area + PALETTE_DIM) : s->paper;
    uint8_t ink = plain ? (uint8_t)(s->ink + PALETTE_LIGHT) : s->ink;
    memset(out, paper, (size_t)scale);
    const uint8_t *glyph = font_glyph(l->symbol);
    if (l->line) {
        /* Arms go from the middle to the cell's sides, so that those of neighbours meet. */
        const uint8_t mask = l->line;
        int32_t thick = scale >= 12 ? scale / 6 : 1;
        int32_t from = (scale - thick) / 2, to = from + thick;
        bool middle = row >= from && row < to;
        if (middle)
            fill(out, mask & 8 ? 0 : from, mask & 2 ? scale : to, ink);
        else if ((row < from && (mask & 1)) || (row >= to && (mask & 4)))
            fill(out, from, to, ink);
    } else if (glyph)
        paint_glyph(out, glyph, scale, row, ink);
    else if (row >= scale / 3 && row < scale - scale / 3)
        /* A block for symbols that the font lacks. */
        fill(out, scale / 3, scale - scale / 3, ink);
}

/*
 * The colours as RGB values, which are Portolan's own. Content names colours of a terminal on
 * black. A map of one colour per cell needs others, as on a printed map. What covers the land
 * (brown fields, green woods, blue and cyan waters) is pale and calm, so that thin dark grey
 * roads and the small bright cells of buildings stand out. Symbols and the ground behind them
 * use the terminal's colours.
 */

/* The 16 colours of a text terminal (model/color.h). */
static const struct base_colour {
    rgb area;  /* of a cell drawn without a symbol */
    rgb glyph; /* lightened for a symbol, dimmed for the ground behind it */
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

/* The other colours, from PALETTE_UNSAVED on. */
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

int palette_ansi(uint8_t index)
{
    if (index < 8) {
        /* In ANSI order: black, red, green, brown, blue, magenta, cyan, gray. */
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
