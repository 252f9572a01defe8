/* What is drawn around and over the cells of a map: letters, texts and boxes, coordinates,
 * borders of chunks and names of cities. It also computes the layout of the picture. */
#include "core/array.h"
#include "core/error.h"
#include "core/utf8.h"
#include "core/whole.h"
#include "render/sheet.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- letters ---- */

enum { SPACE_WIDTH = 3 };

/* For each of the letters U+00A0..U+017F a letter of the font that replaces it, 32 in a line.
 * '_': no single letter can replace it. */
static const char latin[] = " !c___|_\"ca___r-o_23'u_\x01"
                            ",1o_____"
                            "AAAAAA_CEEEEIIIIDNOOOOOxOUUUUY__"
                            "aaaaaa_ceeeeiiiidnooooo_ouuuuy_y"
                            "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
                            "GgGgHhHhIiIiIiIiIi__JjKkkLlLlLlL"
                            "lLlNnNnNnnNnOoOoOo__RrRrRrSsSsSs"
                            "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
static_assert(sizeof latin == 0x180 - 0xa0 + 1, "a letter for each code point");

/* Characters that are replaced by several letters, or are not in the table `latin`. */
static const struct folded {
    uint32_t from;
    char to[4]; /* what replaces the character `from`; ended by a NUL */
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
        /* A combining accent is left out. The letter to which it belongs has already been
         * written. */
        return;
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

/* Which columns of dots a letter takes in the font: the first column, and how many. */
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

void line_fill(const letter_line *line, int64_t from, int64_t to, uint8_t ink)
{
    from = from < line->from ? line->from : from;
    to = to > line->to ? line->to : to;
    if (from < to && line->record)
        drawing_add_row(
            line->record,
            &(drawn_box){.x = from, .y = line->y, .width = to - from, .height = 1, .ink = ink});
    else if (from < to)
        memset(line->pixels + (from - line->from), ink, (size_t)(to - from));
}

/* Paints one row of a text's dots. Each dot is widened by `reach` pixels to the left and to
 * the right. */
static void paint(const letter_line *line, int64_t x, int64_t row, const char *text,
                  int32_t zoom, int32_t reach, uint8_t ink)
{
    if (row < 0 || row >= (int64_t)FONT_TEXT_HEIGHT * zoom)
        return;
    if (line->record) {
        drawn_text all = {.x = x, .y = line->y, .zoom = zoom, .ink = ink, .edge = PALETTE_NONE};
        snprintf(all.text, sizeof all.text, "%s", text);
        if (row == 0)
            drawing_add_text(line->record, &all);
        return;
    }
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

/* ---- the layout of the page ---- */

enum { MARGIN = 8, WIDTH_MIN = 270, PIXELS_PER_ZOOM = 700, FRAMES_APART = 10 };

/* Returns the zoom of texts for a map of this size. It depends on the side of a square that has
 * the same area as the map. The zoom grows by 1 at a side of 800 pixels, and then again after
 * every 700 pixels. */
static int32_t zoom_for(int64_t width, int64_t height)
{
    int32_t zoom = 1;
    for (; zoom < PAGE_ZOOM_MAX; zoom++) {
        const int64_t side = (int64_t)PIXELS_PER_ZOOM * zoom + 100;
        /* This is side * side > width * height, in a form that can't overflow. */
        if (width / side * height < side)
            break;
    }
    return zoom;
}

void page_measure(page *p, const viewport *v, int32_t scale, uint32_t parts)
{
    const int64_t width = (int64_t)v->width * scale, height = (int64_t)v->height * scale;
    const int64_t levels = (int64_t)v->level_count;
    /* If the maps come from the caller, a level is much larger, so the gap between levels is
     * smaller. */
    int64_t gap = v->block_width > 0 ? scale / 4 : (int64_t)PAGE_GAP_OMTS * scale;
    *p = (page){.parts = parts,
                .scale = scale,
                .map_height = height,
                .panel_width = width,
                .panel_count = v->level_count};
    p->zoom = zoom_for(width * levels + gap * (levels - 1), height);
    p->zoom *= v->font_scale > 0 ? v->font_scale : 1;
    const int64_t apart = (int64_t)FRAMES_APART * p->zoom;
    if (page_has(p, PTL_RENDER_GRID))
        gap = gap > apart ? gap : apart;
    p->panel_step = width + gap;
    p->map_width = p->panel_step * (levels - 1) + width;
}

static int64_t margin(const page *p)
{
    return p->parts & ~(uint32_t)PTL_RENDER_NAMES ? (int64_t)MARGIN * p->zoom : 0;
}

int64_t page_inner_width(const page *p)
{
    const int64_t least = (int64_t)WIDTH_MIN * p->zoom;
    int64_t width = p->left + p->map_width + p->right;
    if (p->legend_width > 0)
        width += margin(p) + p->legend_width;
    if (page_has(p, PTL_RENDER_TITLE | PTL_RENDER_SCALE_BAR))
        width = width > least ? width : least;
    return width;
}

void page_place(page *p, int64_t legend_height)
{
    const int64_t edge = margin(p);
    int64_t y = edge;
    p->title_y = y;
    if (p->title_height > 0)
        y += p->title_height + edge;
    p->map_x = edge + p->left;
    p->map_y = y + p->heading + p->top;
    p->legend_x = p->map_x + p->map_width + p->right + edge;
    const int64_t map_end = p->map_y + p->map_height + p->bottom;
    const int64_t legend_end = y + p->heading + legend_height;
    y = map_end > legend_end ? map_end : legend_end;
    p->scale_y = y + edge;
    if (p->scale_height > 0)
        y += edge + p->scale_height;
    p->height = y + edge;
    p->width = page_inner_width(p) + 2 * edge;
}

/* ---- coordinates ---- */

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

/* Returns how many pixels wide the numbers from `from` to `to` are as texts at most. The widest
 * one is always the first or the last. */
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
    if (v->block_width > 0) {
        maps_frame_init(p);
        return;
    }
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

/* Paints a number centred on the column place[0], but shifted so that it stays within place[1]
 * .. place[2]. If it is too wide for that, nothing is painted. */
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

/* Gives which pixels along x, or along y, show the chunk with the number c; pixels are counted
 * from where the level's map begins. `first` and `last` are the first and the last OMT that the
 * map shows. */
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
        char text[CAPTION_LETTERS_MAX];
        captions_level(text, z);
        if (lettering_width(text, p->zoom) > room)
            snprintf(text, sizeof text, "%d", (int)z);
        if (lettering_width(text, p->zoom) <= room)
            lettering_paint(line, from + (p->panel_width - lettering_width(text, p->zoom)) / 2,
                            row, text, p->zoom, PALETTE_TEXT);
    }
}

/* The numbers at the right side of the map are coordinates of OMTs. Paints those of their
 * pixels that lie in one row. Only the number of the OMT that is nearest to the row can have
 * pixels in it. */
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

/* Paints a row of pixels with the numbers of chunks at the left side and of OMTs at the right
 * side. row counts from the map's first row of pixels. */
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
    /* Paints the lines around the map of each level. The variable `row` counts from the first
     * row of pixels of the map. */
    const bool beside = row >= 0 && row < p->map_height;
    const bool level = row >= -p->zoom && row < p->map_height + p->zoom && !beside;
    for (size_t nth = 0; nth < p->panel_count; nth++) {
        const int64_t west = panel_x(p, nth), east = west + p->panel_width;
        if (level || beside)
            line_fill(line, west - p->zoom, level ? east + p->zoom : west, PALETTE_FRAME);
        if (beside)
            line_fill(line, east, east + p->zoom, PALETTE_FRAME);
    }
    if (f->view->block_width > 0) {
        maps_frame_row(f, line, row);
        return;
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
        letter_line part = {line->pixels, west, east, line->record, line->y};
        if (!line->record)
            part.pixels += west - line->from;
        for (int64_t x = west; along && x < east; x += period)
            line_fill(&part, x, x + period / 2, PALETTE_GRID);
        for (int64_t c = chunk_of(v->x0) + 1; dot && c <= chunk_of(v->x1); c++) {
            const int64_t x = west + (c * PTL_CHUNK_SIZE - v->x0) * p->scale;
            line_fill(&part, x, x + thick, PALETTE_GRID);
        }
    }
}

/* ---- names of cities ---- */

/* Twice as many names as are kept in the end, so that the list needs to be sorted only rarely.
 */
enum { NAMES_ROOM = 2 * NAMES_MAX };

ptl_status names_init(name_list *list, ptl_error *err)
{
    *list = (name_list){.names = calloc(NAMES_ROOM, sizeof(map_name))};
    return list->names ? PTL_OK : error_nomem(err);
}

void names_dispose(name_list *list)
{
    free(list->names);
    *list = (name_list){.names = NULL};
}

/* Compares for sorting: larger cities first, then by name and place. No two different cities
 * are equal, so that the result does not depend on the order in the file. */
static int compare_names(const void *left, const void *right)
{
    const map_name *a = left, *b = right;
    int order = (b->size > a->size) - (b->size < a->size);
    order = order ? order : strcmp(a->text, b->text);
    order = order ? order : (a->y > b->y) - (a->y < b->y);
    return order ? order : (a->x > b->x) - (a->x < b->x);
}

/* Sorts the names by the size of their cities, and drops all but the first NAMES_MAX. */
static void keep_largest(name_list *list)
{
    qsort(list->names, list->count, sizeof *list->names, compare_names);
    list->count = list->count > NAMES_MAX ? NAMES_MAX : list->count;
}

void names_offer(name_list *list, int64_t x, int64_t y, int32_t size, const char *utf8)
{
    map_name name = {.x = x, .y = y, .size = size};
    lettering_fold(name.text, sizeof name.text, utf8);
    if (name.text[0] == '\0')
        return;
    list->names[list->count++] = name;
    if (list->count == NAMES_ROOM)
        keep_largest(list);
}

/* A city whose radius on the map, in pixels, is less than RADIUS_MIN dots of the font gets no
 * name. */
enum { RADIUS_MIN = 10 };

/* A rectangle of the picture, in pixels, without the column x1 and the row y1. */
typedef struct area {
    int64_t x0, y0, x1, y1;
} area;

/* State of placing the cities' names: the picture, and the areas that have a name already. */
typedef struct placing {
    const page *page;
    int32_t zoom;
    area panel;
    area *taken; /* owned; the areas that have a name already; has room for NAMES_MAX */
    size_t count;
} placing;

/* Is the area within the map, and far enough from all other names? */
static bool is_free(const placing *p, const area *a)
{
    const int64_t zoom = p->zoom;
    const area wide = {a->x0 - 10 * zoom, a->y0 - 6 * zoom, a->x1 + 10 * zoom,
                       a->y1 + 6 * zoom};
    if (a->x0 < p->panel.x0 || a->y0 < p->panel.y0 || a->x1 > p->panel.x1 ||
        a->y1 > p->panel.y1)
        return false;
    for (size_t i = 0; i < p->count; i++) {
        const area *b = &p->taken[i];
        if (wide.x0 < b->x1 && b->x0 < wide.x1 && wide.y0 < b->y1 && b->y0 < wide.y1)
            return false;
    }
    return true;
}

/* Finds an area for a name. It tries, in this order, above, below, right of, left of, and on
 * the city. */
static bool find_place(const placing *p, const map_name *name, int64_t x, int64_t y, area *out)
{
    const int32_t zoom = p->zoom;
    const int64_t width = lettering_width(name->text, zoom) + 2 * zoom;
    const int64_t height = (int64_t)(FONT_TEXT_HEIGHT + 2) * zoom;
    const int64_t radius = (int64_t)name->size * p->page->scale;
    const int64_t from[][2] = {{x - width / 2, y - radius - height},
                               {x - width / 2, y + radius},
                               {x + radius, y - height / 2},
                               {x - radius - width, y - height / 2},
                               {x - width / 2, y - height / 2}};
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        *out = (area){from[i][0], from[i][1], from[i][0] + width, from[i][1] + height};
        if (is_free(p, out))
            return true;
    }
    return false;
}

size_t names_place(name_list *list, const page *p, const viewport *v, drawing *d)
{
    /* Names are put on the level z = 0, or on the first level if z = 0 is not shown. The
     * letters get larger with the picture, as those of its other texts; those of small cities
     * are a step smaller. Which cities have a name depends on the scale of the map, not on the
     * size of the picture. */
    const int32_t nth = -v->z_first * v->z_step;
    const int64_t level = nth >= 0 && (size_t)nth < v->level_count ? nth : 0;
    const int64_t west = p->map_x + level * p->panel_step;
    const int32_t times = v->font_scale > 0 ? v->font_scale : 1;
    const int32_t by_scale = p->scale < 4 ? 1 : p->scale < 16 ? 2 : 3;
    const int32_t least = by_scale < p->zoom / times ? by_scale : p->zoom / times;
    placing taken = {.page = p,
                     .zoom = p->zoom,
                     .panel = {west, p->map_y, west + p->panel_width, p->map_y + p->map_height},
                     .taken = calloc(NAMES_MAX, sizeof(area))};
    if (!taken.taken) {
        d->failed = true;
        return 0;
    }
    keep_largest(list);
    for (size_t i = 0; i < list->count; i++) {
        /* Adds a name to the drawing if its city is large enough and there is room for the
         * name. */
        const map_name *name = &list->names[i];
        const int32_t scale = taken.page->scale;
        const bool small =
            (int64_t)name->size * scale < (int64_t)2 * RADIUS_MIN * (p->zoom / times);
        const int32_t zoom = taken.zoom = small && p->zoom > times ? p->zoom - times : p->zoom;
        const int64_t x = taken.panel.x0 + (name->x - v->x0) * scale + scale / 2;
        const int64_t y = taken.panel.y0 + (name->y - v->y0) * scale + scale / 2;
        area found;
        if ((int64_t)name->size * scale < (int64_t)RADIUS_MIN * least ||
            !find_place(&taken, name, x, y, &found))
            continue;
        drawn_text text = {.x = found.x0 + zoom,
                           .y = found.y0 + zoom,
                           .zoom = zoom,
                           .ink = PALETTE_NAME,
                           .edge = PALETTE_NAME_EDGE};
        memcpy(text.text, name->text, sizeof name->text);
        drawing_add_text(d, &text);
        taken.taken[taken.count++] = found;
    }
    free(taken.taken);
    return taken.count;
}
