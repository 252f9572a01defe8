/*
 * What colours look like. The RGB values are our own. Content speaks of a terminal's colours on
 * black; a map of one colour a cell wants others, those of a printed map: what covers the land
 * (brown fields, green woods, blue and cyan waters) pale and calm, so that the thin dark grey
 * of roads and the small bright cells of buildings stand out. Where symbols are drawn, ink and
 * ground come from the terminal's colours.
 */
#include "render/palette.h"

#include "model/color.h"
#include "portolan/render.h"

#include <stddef.h>
#include <string.h>

/* Those of a text terminal (model/color.h). */
static const struct base_colour {
    rgb area;  /* of a cell without a symbol */
    rgb glyph; /* of a symbol: lightened; of the ground behind it: dimmed */
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

/* From PALETTE_UNSAVED on. */
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
        /* Terminals count black, red, green, brown, blue, magenta, cyan, gray. */
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

bool ptl_color_shown(const char *name, uint8_t area[3], uint8_t ink[3], uint8_t paper[3])
{
    style s;
    const bool known = palette_style(&s, name);
    const bool plain = s.paper == PALETTE_NONE && s.area < PALETTE_BASE;
    give_rgb(s.area, area);
    give_rgb(plain ? (uint8_t)(s.ink + PALETTE_LIGHT) : s.ink, ink);
    give_rgb(plain ? (uint8_t)(s.area + PALETTE_DIM) : s.paper, paper);
    return known;
}
