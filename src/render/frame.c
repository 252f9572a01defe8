#include "core/utf8.h"
#include "core/whole.h"
#include "render/sheet.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_ROOM = 24, TICK = 3, BAND = 14, APART = 12 };

int64_t frame_round_up(int64_t least)
{
    static const int64_t digits[] = {1, 2, 5};
    for (int64_t power = 1; power <= INT64_MAX / 100; power *= 10)
        for (size_t i = 0; i < 3; i++)
            if (digits[i] * power >= least)
                return digits[i] * power;
    return least;
}

int64_t frame_omt_step(int64_t least)
{
    static const int64_t inside[] = {1, 2, 5, 10, 20, 30, 60, 90, 180};
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++)
        if (inside[i] >= least)
            return inside[i];
    return PTL_CHUNK_SIZE * frame_round_up((least + PTL_CHUNK_SIZE - 1) / PTL_CHUNK_SIZE);
}

/* ---- numbers ---- */

static int64_t chunk_of(int64_t omt)
{
    return floor_div(omt, PTL_CHUNK_SIZE);
}

static int64_t number_width(int64_t number, int32_t zoom)
{
    char text[NUMBER_ROOM];
    snprintf(text, sizeof text, "%" PRId64, number);
    return lettering_width(text, zoom);
}

/* Returns the width of the widest number between two numbers: one of the two ends is the
 * longest. */
static int64_t widest(int64_t from, int64_t to, int32_t zoom)
{
    const int64_t a = number_width(from, zoom), b = number_width(to, zoom);
    return a > b ? a : b;
}

void frame_init(frame *f, page *p, const viewport *v)
{
    const int32_t zoom = p->zoom;
    *f = (frame){.page = p, .view = v};
    if (p->panel_count > 1 && page_has(p, PTL_RENDER_GRID | PTL_RENDER_TITLE))
        p->heading = (int64_t)BAND * zoom;
    if (!page_has(p, PTL_RENDER_GRID))
        return;
    const int64_t apart = (int64_t)APART * zoom, high = (int64_t)FONT_HEIGHT * zoom;
    f->omt_step_x =
        frame_omt_step(((widest(v->x0, v->x1, zoom) + apart) + p->scale - 1) / p->scale);
    f->omt_step_y = frame_omt_step(((high + 3 * apart) + p->scale - 1) / p->scale);
    const int64_t chunk = (int64_t)PTL_CHUNK_SIZE * p->scale;
    const int64_t wide = widest(chunk_of(v->x0), chunk_of(v->x1), zoom) + apart;
    f->chunk_step_x = frame_round_up((wide + chunk - 1) / chunk);
    f->chunk_step_y = frame_round_up((high + apart + chunk - 1) / chunk);
    p->top = (int64_t)BAND * zoom;
    p->bottom = (int64_t)(BAND + TICK) * zoom;
    p->left = widest(chunk_of(v->y0), chunk_of(v->y1), zoom) + (int64_t)TICK * zoom * 2;
    p->right = widest(v->y0, v->y1, zoom) + (int64_t)TICK * zoom * 3;
}

/* ---- rows of the frame ---- */

/* Paints a number around the column place[0], shifted so that it stays within place[1] ..
 * place[2]. If it is too wide for that, nothing is painted. */
static void paint_number(const frame *f, const letter_line *line, int64_t row, int64_t number,
                         const int64_t place[3])
{
    char text[NUMBER_ROOM];
    snprintf(text, sizeof text, "%" PRId64, number);
    const int64_t width = lettering_width(text, f->page->zoom);
    int64_t x = place[0] - width / 2;
    if (width > place[2] - place[1])
        return;
    x = x + width > place[2] ? place[2] - width : x;
    x = x < place[1] ? place[1] : x;
    lettering_paint(line, x, row, text, f->page->zoom, PALETTE_TEXT);
}

/* Gives the visible part of chunk c along one axis, in pixels from the panel's beginning.
 * first and last are the visible OMTs. */
static void seen_part(const frame *f, int64_t c, int64_t first, int64_t last, int64_t out[2])
{
    const int64_t from = c * PTL_CHUNK_SIZE, to = from + PTL_CHUNK_SIZE;
    out[0] = ((from < first ? first : from) - first) * f->page->scale;
    out[1] = ((to > last + 1 ? last + 1 : to) - first) * f->page->scale;
}

static void chunks_above(const frame *f, const letter_line *line, int64_t row, int64_t panel)
{
    const viewport *v = f->view;
    for (int64_t c = -floor_div(-chunk_of(v->x0), f->chunk_step_x) * f->chunk_step_x;
         c <= chunk_of(v->x1); c += f->chunk_step_x) {
        int64_t part[2];
        seen_part(f, c, v->x0, v->x1, part);
        const int64_t middle = panel + (part[0] + part[1]) / 2;
        const int64_t place[3] = {middle, panel + part[0], panel + part[1]};
        paint_number(f, line, row, c, place);
    }
}

static void omts_below(const frame *f, const letter_line *line, int64_t row, int64_t panel)
{
    const viewport *v = f->view;
    const page *p = f->page;
    const int64_t tick = (int64_t)TICK * p->zoom;
    for (int64_t x = -floor_div(-v->x0, f->omt_step_x) * f->omt_step_x; x <= v->x1;
         x += f->omt_step_x) {
        const int64_t middle = panel + (x - v->x0) * p->scale + p->scale / 2;
        const int64_t place[3] = {middle, panel - p->left, panel + p->panel_width + 2 * tick};
        if (row < tick)
            line_fill(line, middle, middle + p->zoom, PALETTE_FRAME);
        else
            paint_number(f, line, row - tick - p->zoom, x, place);
    }
}

static int64_t panel_x(const page *p, size_t nth)
{
    return p->map_x + (int64_t)nth * p->panel_step;
}

static void heading_row(const frame *f, const letter_line *line, int64_t row)
{
    const page *p = f->page;
    for (size_t nth = 0; nth < p->panel_count; nth++) {
        const int32_t z = f->view->z_first + (int32_t)nth * f->view->z_step;
        const int64_t from = panel_x(p, nth), room = p->panel_step - p->zoom;
        char text[NUMBER_ROOM];
        snprintf(text, sizeof text, "level %d", (int)z);
        if (lettering_width(text, p->zoom) > room)
            snprintf(text, sizeof text, "%d", (int)z);
        if (lettering_width(text, p->zoom) <= room)
            lettering_paint(line, from + (p->panel_width - lettering_width(text, p->zoom)) / 2,
                            row, text, p->zoom, PALETTE_TEXT);
    }
}

/* Paints a row of the numbers of OMTs at the right. Each row belongs to the nearest multiple
 * of the step. */
static void omt_beside(const frame *f, const letter_line *line, int64_t row, int64_t half)
{
    const page *p = f->page;
    const viewport *v = f->view;
    const int64_t tick = (int64_t)TICK * p->zoom;
    const int64_t y = v->y0 + floor_div(row, p->scale), step = f->omt_step_y;
    const int64_t nearest = floor_div(y + step / 2, step) * step;
    if (nearest < v->y0 || nearest > v->y1)
        return;
    const int64_t middle = (nearest - v->y0) * p->scale + p->scale / 2;
    const int64_t end = panel_x(p, p->panel_count - 1) + p->panel_width;
    const int64_t place[3] = {end, end + 2 * tick, end + p->right};
    if (row >= middle && row < middle + p->zoom)
        line_fill(line, end, end + tick, PALETTE_FRAME);
    paint_number(f, line, row - middle + half, nearest, place);
}

/* Paints numbers of chunks at the left and of OMTs at the right. row counts from the map's
 * first row. */
static void side_row(const frame *f, const letter_line *line, int64_t row)
{
    const int64_t half = (int64_t)FONT_HEIGHT * f->page->zoom / 2, height = f->page->map_height;
    if (row >= 0 && row < height) {
        const page *p = f->page;
        const viewport *v = f->view;
        const int64_t c = chunk_of(v->y0 + row / p->scale);
        const int64_t end = p->map_x - (int64_t)TICK * p->zoom;
        const int64_t place[3] = {end, end - p->left, end};
        int64_t part[2];
        seen_part(f, c, v->y0, v->y1, part);
        if (c % f->chunk_step_y == 0 && part[1] - part[0] >= 2 * half)
            paint_number(f, line, row - (part[0] + part[1]) / 2 + half, c, place);
    }
    if (row >= -2 * half && row < height + 2 * half)
        omt_beside(f, line, row, half);
}

void frame_row(const frame *f, const letter_line *line, int64_t y)
{
    const page *p = f->page;
    const int64_t row = y - p->map_y, gap = 4 * (int64_t)p->zoom;
    if (p->heading > 0)
        heading_row(f, line, row + p->top + p->heading);
    if (!page_has(p, PTL_RENDER_GRID))
        return;
    /* The lines around each level; row counts from the map's first row. */
    const bool beside = row >= 0 && row < p->map_height;
    const bool level = row >= -p->zoom && row < p->map_height + p->zoom && !beside;
    for (size_t nth = 0; nth < p->panel_count; nth++) {
        const int64_t west = panel_x(p, nth), east = west + p->panel_width;
        if (level || beside)
            line_fill(line, west - p->zoom, level ? east + p->zoom : west, PALETTE_FRAME);
        if (beside)
            line_fill(line, east, east + p->zoom, PALETTE_FRAME);
    }
    for (size_t nth = 0; nth < p->panel_count && row < 0; nth++)
        chunks_above(f, line, row + p->top - gap / 2, panel_x(p, nth));
    for (size_t nth = 0; nth < p->panel_count && row >= p->map_height; nth++)
        omts_below(f, line, row - p->map_height, panel_x(p, nth));
    side_row(f, line, row);
}

void frame_grid_row(const frame *f, const letter_line *line, int64_t y)
{
    const page *p = f->page;
    const viewport *v = f->view;
    const int64_t row = y - p->map_y, period = 6 * (int64_t)p->zoom;
    const int64_t thick = p->zoom < p->scale ? p->zoom : p->scale;
    const bool dot = row % period < period / 2;
    const int64_t omt_y = v->y0 + row / p->scale;
    const bool along = omt_y % PTL_CHUNK_SIZE == 0 && row % p->scale < thick && row > 0;
    for (size_t nth = 0; nth < p->panel_count && (dot || along); nth++) {
        const int64_t west = panel_x(p, nth), east = west + p->panel_width;
        const letter_line part = {line->pixels + (west - line->from), west, east};
        for (int64_t x = west; along && x < east; x += period)
            line_fill(&part, x, x + period / 2, PALETTE_GRID);
        for (int64_t c = chunk_of(v->x0) + 1; dot && c <= chunk_of(v->x1); c++) {
            const int64_t x = west + (c * PTL_CHUNK_SIZE - v->x0) * p->scale;
            line_fill(&part, x, x + thick, PALETTE_GRID);
        }
    }
}

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
