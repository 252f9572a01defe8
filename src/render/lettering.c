#include "render/drawing.h"

#include "core/utf8.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { SPACE_WIDTH = 3 };

/* ---- folding ---- */

/* Plain forms of U+00A0..U+017F, 32 in a line. '_': there is no plain form of one letter. */
static const char latin[] = " !c___|_\"ca___r-o_23'u_\x01"
                            ",1o_____"
                            "AAAAAA_CEEEEIIIIDNOOOOOxOUUUUY__"
                            "aaaaaa_ceeeeiiiidnooooo_ouuuuy_y"
                            "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
                            "GgGgHhHhIiIiIiIiIi__JjKkkLlLlLlL"
                            "lLlNnNnNnnNnOoOoOo__RrRrRrSsSsSs"
                            "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
static_assert(sizeof latin == 0x180 - 0xa0 + 1, "a letter for each code point");

/* Characters that become several letters, or are not in the table above. */
static const struct folded {
    uint32_t from;
    char to[4]; /* ended by a NUL */
} folded[] = {
    {0xab, "<<"},   {0xbb, ">>"},   {0xb1, "+-"},   {0xbc, "1/4"},    {0xbd, "1/2"},
    {0xbe, "3/4"},  {0xbf, "?"},    {0xc6, "AE"},   {0xe6, "ae"},     {0xde, "Th"},
    {0xfe, "th"},   {0xdf, "ss"},   {0xf7, "/"},    {0x132, "IJ"},    {0x133, "ij"},
    {0x152, "OE"},  {0x153, "oe"},  {0x218, "S"},   {0x219, "s"},     {0x21a, "T"},
    {0x21b, "t"},   {0x1e9e, "SS"}, {0x2010, "-"},  {0x2011, "-"},    {0x2012, "-"},
    {0x2013, "-"},  {0x2014, "-"},  {0x2018, "'"},  {0x2019, "'"},    {0x201a, ","},
    {0x201c, "\""}, {0x201d, "\""}, {0x201e, "\""}, {0x2022, "\x01"}, {0x2026, "..."},
    {0x2032, "'"},  {0x2212, "-"},
};

static void fold(uint32_t c, char out[4])
{
    memset(out, 0, 4);
    if (c >= 0x300 && c <= 0x36f)
        return; /* a combining accent: the letter stands before it */
    for (size_t i = 0; i < sizeof folded / sizeof folded[0]; i++) {
        if (folded[i].from == c) {
            memcpy(out, folded[i].to, 4);
            return;
        }
    }
    if (c >= 0x20 && c < 0x7f)
        out[0] = (char)c;
    else if (c >= 0xa0 && c < 0x180 && latin[c - 0xa0] != '_')
        out[0] = latin[c - 0xa0];
    else
        out[0] = FONT_BOX;
}

void lettering_fold(char *out, size_t room, const char *utf8)
{
    size_t used = 0;
    for (size_t left = strlen(utf8); left > 0;) {
        uint32_t c;
        char letters[5] = {0};
        size_t length = utf8_decode(utf8, left, &c);
        fold(c, letters);
        size_t size = strlen(letters);
        if (used + size >= room) {
            for (size_t i = 0; i < 2 && i < used; i++)
                out[used - 1 - i] = '.';
            break;
        }
        memcpy(out + used, letters, size);
        used += size;
        utf8 += length;
        left -= length;
    }
    out[used] = '\0';
}

/* ---- measuring ---- */

/* The columns that a letter uses of its raster. */
typedef struct extent {
    int32_t left, width;
} extent;

static extent extent_of(const uint8_t rows[FONT_TEXT_HEIGHT])
{
    const unsigned leftmost = 1u << (FONT_WIDTH - 1);
    unsigned all = 0;
    int32_t left = 0, right = FONT_WIDTH - 1;
    for (int i = 0; i < FONT_TEXT_HEIGHT; i++)
        all |= rows[i];
    if (all == 0)
        return (extent){0, SPACE_WIDTH};
    while (!(all & (leftmost >> left)))
        left++;
    while (!(all & (leftmost >> right)))
        right--;
    return (extent){left, right - left + 1};
}

int32_t lettering_width(const char *text, int32_t zoom)
{
    int32_t width = 0;
    for (const char *at = text; *at; at++) {
        uint8_t rows[FONT_TEXT_HEIGHT];
        font_letter(*at, rows);
        width += extent_of(rows).width + 1;
    }
    return width > 0 ? (width - 1) * zoom : 0;
}

void lettering_fit(char *text, int32_t zoom, int32_t width)
{
    size_t length = strlen(text);
    if (lettering_width(text, zoom) <= width)
        return;
    while (length >= 2) {
        memcpy(text + length - 2, "..", 3);
        if (lettering_width(text, zoom) <= width)
            return;
        length--;
    }
    text[0] = '\0';
}

/* ---- painting ---- */

void line_fill(const letter_line *line, int64_t from, int64_t to, uint8_t ink)
{
    from = from < line->from ? line->from : from;
    to = to > line->to ? line->to : to;
    if (from < to)
        memset(line->pixels + (from - line->from), ink, (size_t)(to - from));
}

/* Paints the dots of one row, each wider by `reach` pixels at both sides. */
static void paint(const letter_line *line, int64_t x, int64_t row, const char *text,
                  int32_t zoom, int32_t reach, uint8_t ink)
{
    if (row < 0 || row >= (int64_t)FONT_TEXT_HEIGHT * zoom)
        return;
    for (; *text && x - reach < line->to; text++) {
        uint8_t rows[FONT_TEXT_HEIGHT];
        font_letter(*text, rows);
        const extent e = extent_of(rows);
        const unsigned bits = rows[row / zoom];
        for (int32_t i = 0; i < e.width; i++) {
            int64_t at = x + (int64_t)i * zoom;
            if (bits & (1u << (FONT_WIDTH - 1 - e.left - i)))
                line_fill(line, at - reach, at + zoom + reach, ink);
        }
        x += (int64_t)(e.width + 1) * zoom;
    }
}

void lettering_paint(const letter_line *line, int64_t x, int64_t row, const char *text,
                     int32_t zoom, uint8_t ink)
{
    paint(line, x, row, text, zoom, 0, ink);
}

void lettering_paint_edged(const letter_line *line, int64_t x, int64_t row, const char *text,
                           int32_t zoom, const uint8_t inks[2])
{
    for (int32_t shift = -1; shift <= 1; shift++)
        paint(line, x, row + (int64_t)shift * zoom, text, zoom, zoom, inks[1]);
    paint(line, x, row, text, zoom, 0, inks[0]);
}
