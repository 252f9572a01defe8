/*
 * Colour names. The 16 base names are those of a text terminal; older spellings ("ltgreen",
 * "dkgray") are read too. The RGB values are our own. Content speaks of a terminal's colours on
 * black; a map of one colour a cell wants others, those of a printed map: what covers the land
 * (brown fields, green woods, blue and cyan waters) pale and calm, so that the thin dark grey
 * of roads and the small bright cells of buildings stand out. Where symbols are drawn, ink and
 * ground come from the terminal's colours.
 */
#include "render/palette.h"

#include <stddef.h>
#include <string.h>

/* Order: the eight dark colours in ANSI order, then the eight bright ones. */
static const struct base_colour {
    const char *name, *old_name;
    rgb area;  /* of a cell without a symbol */
    rgb glyph; /* of a symbol: lightened; of the ground behind it: dimmed */
} base_colours[PALETTE_BASE] = {
    {"black", "", {24, 24, 28}, {0, 0, 0}},
    {"red", "", {176, 48, 40}, {178, 34, 30}},
    {"green", "", {98, 148, 86}, {28, 118, 40}},
    {"brown", "", {212, 198, 160}, {128, 100, 56}},
    {"blue", "", {64, 108, 172}, {26, 50, 186}},
    {"magenta", "", {150, 60, 140}, {150, 34, 148}},
    {"cyan", "", {118, 168, 150}, {20, 136, 146}},
    {"light_gray", "ltgray", {170, 168, 164}, {180, 180, 176}},
    {"dark_gray", "dkgray", {60, 56, 60}, {86, 86, 90}},
    {"light_red", "ltred", {226, 104, 84}, {248, 102, 88}},
    {"light_green", "ltgreen", {148, 190, 108}, {110, 214, 96}},
    {"yellow", "", {240, 214, 96}, {246, 232, 98}},
    {"light_blue", "ltblue", {126, 168, 214}, {92, 130, 248}},
    {"pink", "", {226, 140, 204}, {248, 134, 236}},
    {"light_cyan", "ltcyan", {140, 206, 214}, {112, 224, 232}},
    {"white", "", {250, 250, 246}, {250, 250, 246}},
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

enum { LIGHT_GRAY = 7 };

static bool matches(const char *name, size_t length, const char *base)
{
    return base[0] && strlen(base) == length && memcmp(name, base, length) == 0;
}

/* The index of the base colour that is exactly name[0..length), or PALETTE_NONE. */
static uint8_t base_index(const char *name, size_t length)
{
    for (int i = 0; i < PALETTE_BASE; i++)
        if (matches(name, length, base_colours[i].name) ||
            matches(name, length, base_colours[i].old_name))
            return (uint8_t)i;
    if (matches(name, length, "gray") || matches(name, length, "grey") ||
        matches(name, length, "light_grey") || matches(name, length, "unset"))
        return LIGHT_GRAY;
    if (matches(name, length, "dark_grey"))
        return LIGHT_GRAY + 1;
    if (matches(name, length, "light_magenta"))
        return 13;
    return PALETTE_NONE;
}

/* Reads "INK_PAPER", where both halves are base names, which may contain underscores
 * themselves. */
static bool two_colours(style *out, const char *name)
{
    for (const char *cut = strchr(name, '_'); cut; cut = strchr(cut + 1, '_')) {
        uint8_t ink = base_index(name, (size_t)(cut - name));
        uint8_t paper = base_index(cut + 1, strlen(cut + 1));
        if (ink != PALETTE_NONE && paper != PALETTE_NONE) {
            *out = (style){.area = ink, .ink = ink, .paper = paper};
            return true;
        }
    }
    return false;
}

bool palette_style(style *out, const char *name)
{
    char prefix = 'c';
    if (name[0] == '\0')
        name = "light_gray";
    if ((name[0] == 'c' || name[0] == 'i' || name[0] == 'h') && name[1] == '_') {
        prefix = name[0];
        name += 2;
    }
    uint8_t base = base_index(name, strlen(name));
    if (base == PALETTE_NONE) {
        if (two_colours(out, name))
            return true;
        *out = (style){PALETTE_UNKNOWN, PALETTE_UNKNOWN, PALETTE_NONE};
        return false;
    }
    if (prefix == 'i')
        *out = (style){base, base == PALETTE_BLACK ? PALETTE_WHITE : PALETTE_BLACK, base};
    else if (prefix == 'h')
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
