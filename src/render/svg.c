/*
 * Pictures of worlds as SVG: what sheet.c paints as pixels, with the same layout, as paths and
 * texts. What stands around the map (coordinates, ticks, borders of chunks) is recorded while
 * frame.c paints it row by row. The ground is written row by row of cells, a path for each
 * colour; the lines of ways follow over their own row. So memory grows with the width of the
 * map and with what stands around it, not with the height of the map.
 */
#include "render/sheet.h"

#include "core/bytes.h"
#include "core/error.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CELL = FONT_HEIGHT + 1, TITLE_SIZE = 160 };

/* A font's capitals are about 0.7 of its size; those of our letters are FONT_HEIGHT dots. */
#define CAPITALS 0.7

typedef struct svg {
    sheet sheet;
    bytes out;
    ptl_sink sink;
    void *payload;
    drawing frame;   /* coordinates, ticks and borders of chunks */
    uint8_t *ground; /* owned; colour of each cell of a row, of one level */
    look *looks;     /* owned; likewise */
    ptl_map_look classes[PTL_MAP_CLASSES]; /* what the classes of terrains are on paper */
} svg;

/* ---- texts of XML ---- */

static void put_colour(svg *s, const char *name, uint8_t ink)
{
    const rgb c = s->sheet.palette[ink];
    bytes_printf(&s->out, " %s=\"#%02x%02x%02x\"", name, c.r, c.g, c.b);
}

static void put_code(bytes *out, uint32_t c)
{
    char text[5];
    if (c == '&' || c == '<' || c == '>' || c == '"') {
        bytes_printf(out, "&#%u;", (unsigned)c);
        return;
    }
    utf8_text(c < ' ' ? 0xfffd : c, text);
    bytes_put_text(out, text);
}

/* Writes letters of the font of pictures. */
static void put_letters(bytes *out, const char *letters)
{
    for (; *letters; letters++)
        put_code(out, *letters == FONT_BOX   ? 0x25a1
                      : *letters == FONT_DOT ? 0xb7
                                             : (uint32_t)(uint8_t)*letters);
}

static ptl_status svg_flush(svg *s, ptl_error *err)
{
    if (s->out.failed)
        return error_nomem(err);
    if (s->out.size > 0 && !s->sink(s->payload, s->out.data, s->out.size))
        return error_set(err, PTL_ERR_IO, "the receiver of the picture refused it");
    bytes_clear(&s->out);
    return PTL_OK;
}

/* ---- what stands around and over the map ---- */

static void put_text(svg *s, const drawn_text *t)
{
    bytes *out = &s->out;
    bytes_printf(out,
                 "<text x=\"%" PRId64 "\" y=\"%" PRId64 "\" font-size=\"%.1f\" "
                 "textLength=\"%d\"",
                 t->x, t->y + (int64_t)FONT_HEIGHT * t->zoom,
                 (double)FONT_HEIGHT * t->zoom / CAPITALS,
                 (int)lettering_width(t->text, t->zoom));
    put_colour(s, "fill", t->ink);
    if (t->edge != PALETTE_NONE) {
        put_colour(s, "stroke", t->edge);
        bytes_printf(out, " stroke-width=\"%d\"", (int)(2 * t->zoom));
    }
    bytes_put_u8(out, '>');
    put_letters(out, t->text);
    bytes_put_text(out, "</text>\n");
}

static void put_symbol(svg *s, double x, double y, double side, const look *l)
{
    bytes *out = &s->out;
    bytes_printf(out, "<text x=\"%g\" y=\"%g\" font-size=\"%g\" text-anchor=\"middle\"",
                 x + side / 2, y + side * 0.85, side);
    put_colour(s, "fill",
               (uint8_t)(l->colours.paper == PALETTE_NONE ? l->colours.ink + PALETTE_LIGHT
                                                          : l->colours.ink));
    bytes_put_u8(out, '>');
    put_code(out, l->symbol);
    bytes_put_text(out, "</text>\n");
}

static ptl_status put_drawing(svg *s, const drawing *d, ptl_error *err)
{
    for (size_t i = 0; i < d->box_count; i++) {
        const drawn_box *b = &d->boxes[i];
        uint8_t ink[CELL] = {b->ink};
        if (b->is_cell)
            paint_cell_row(ink, &b->cell, CELL, 0, true);
        bytes_printf(&s->out,
                     "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64
                     "\" height=\"%" PRId64 "\"",
                     b->x, b->y, b->width, b->height);
        put_colour(s, "fill", ink[0]);
        bytes_put_text(&s->out, "/>\n");
        if (b->is_cell && b->cell.symbol > ' ')
            put_symbol(s, (double)b->x, (double)b->y, (double)b->width, &b->cell);
        TRY(svg_flush(s, err));
    }
    for (size_t i = 0; i < d->text_count; i++) {
        put_text(s, &d->texts[i]);
        TRY(svg_flush(s, err));
    }
    return PTL_OK;
}

/* Records what frame.c paints. */
static ptl_status record_frame(svg *s, ptl_error *err)
{
    const sheet *m = &s->sheet;
    const page *p = &m->page;
    for (int64_t y = 0; y < p->height && p->parts; y++) {
        const letter_line line = {.to = p->width, .record = &s->frame, .y = y};
        const int64_t row = y - p->map_y;
        const bool on_map = row >= 0 && row < p->map_height;
        if (on_map && page_has(p, PTL_RENDER_GRID))
            frame_grid_row(&m->frame, &line, y);
        frame_row(&m->frame, &line, y);
    }
    return s->frame.failed ? error_nomem(err) : PTL_OK;
}

/* ---- the map ---- */

/* Returns the number of a cell's class on paper; -1: its colours are those of the content. */
static int class_of(const look *l)
{
    const uint8_t area = l->colours.area;
    return area >= PALETTE_CLASS && area < PALETTE_TILE ? (area - PALETTE_CLASS) / 3 : -1;
}

/* Returns whether a cell is drawn as a line of its colour over the ground beside it: ways on
 * paper and, without symbols, all lines of the content. */
static bool is_way(const svg *s, const look *l)
{
    const int class = class_of(l);
    if (class >= 0)
        return l->line && s->classes[class].shape == PTL_MAP_WAY;
    return l->line && !s->sheet.symbols && l->colours.area < PALETTE_UNSAVED;
}

static bool has_symbol(const svg *s, const look *l)
{
    const int class = class_of(l);
    if (!s->sheet.symbols || l->symbol <= ' ')
        return false;
    return class >= 0 ? class_has_symbols((uint8_t) class) : l->colours.area < PALETTE_UNSAVED;
}

/* Returns the colour of a cell's ground, where a way lies on it that goes on beside it. On
 * paper that is none for specials, and for buildings the ground of towns. */
static uint8_t ground_of(const svg *s, const look *l)
{
    const int class = class_of(l);
    uint8_t cell[CELL];
    if (class == PTL_MAP_SITE)
        return PALETTE_NONE;
    if (class == PTL_MAP_BUILDING || class == PTL_MAP_TOWN_OPEN)
        return PALETTE_CLASS + 3 * PTL_MAP_TOWN;
    paint_cell_row(cell, l, CELL, 0, s->sheet.symbols);
    return cell[0];
}

/* Reads the looks of a row of cells, and finds the colour of the ground of each. A bridge lies
 * on water, any other way on the ground to the west of it, else to the east. */
static void read_row(svg *s, size_t nth, size_t row, size_t count)
{
    uint8_t beside = PALETTE_NONE;
    for (size_t x = 0; x < count; x++) {
        const look *l = &s->looks[x];
        s->looks[x] = cell_view_look(s->sheet.source, nth, x, row);
        const int class = class_of(l);
        const bool way = is_way(s, l);
        const uint8_t found = way ? PALETTE_NONE : ground_of(s, l);
        beside = found == PALETTE_NONE ? beside : found;
        if (way && class >= 0 && s->classes[class].under != PTL_MAP_OTHER)
            s->ground[x] = (uint8_t)(PALETTE_CLASS + 3 * (int)s->classes[class].under);
        else
            s->ground[x] = way ? beside : class >= 0 ? l->colours.area : found;
    }
    beside = PALETTE_NONE;
    for (size_t x = count; x > 0; x--) {
        const look *l = &s->looks[x - 1];
        if (s->ground[x - 1] == PALETTE_NONE)
            s->ground[x - 1] = beside == PALETTE_NONE ? l->colours.area : beside;
        else if (!is_way(s, l) && ground_of(s, l) != PALETTE_NONE)
            beside = ground_of(s, l);
    }
}

/* Writes the ground of a row: for each colour a path of all its runs. Runs reach a little into
 * the next row, which covers that, so that no gap is seen between rows. */
static void put_ground(svg *s, size_t count, int64_t y)
{
    bool has[PALETTE_ALL] = {false};
    for (size_t x = 0; x < count; x++)
        has[s->ground[x]] = true;
    for (size_t c = 0; c < PALETTE_ALL; c++) {
        if (!has[c])
            continue;
        bytes_put_text(&s->out, "<path");
        put_colour(s, "fill", (uint8_t)c);
        bytes_put_text(&s->out, " d=\"");
        for (size_t x = 0, from; x < count; x++) {
            for (from = x; x < count && s->ground[x] == c; x++)
                continue;
            if (x > from)
                bytes_printf(&s->out, "M%zu %" PRId64 "h%zuv1.1h-%zuz", from, y, x - from,
                             x - from);
        }
        bytes_put_text(&s->out, "\"/>\n");
    }
}

/* Writes the arms of the ways of one colour in a row. */
static void put_arms(svg *s, size_t count, int64_t y, uint8_t colour)
{
    for (size_t x = 0; x < count; x++) {
        const look *l = &s->looks[x];
        if (!is_way(s, l) || l->colours.area != colour)
            continue;
        const int west = l->line >> 3 & 1, east = l->line >> 1 & 1;
        if (west || east)
            bytes_printf(&s->out, "M%zu%s %" PRId64 ".5H%zu%s", x, west ? "" : ".4", y,
                         x + (size_t)east, east ? "" : ".6");
        if (l->line & 1)
            bytes_printf(&s->out, "M%zu.5 %" PRId64 "v.6", x, y);
        if (l->line & 4)
            bytes_printf(&s->out, "M%zu.5 %" PRId64 ".4v.6", x, y);
    }
}

/* Returns the width of a way, in cells. Ways are at least 1.6 pixels wide, so that they are
 * seen, but no wider than a cell. */
static double width_of(const svg *s, const look *l)
{
    const int class = class_of(l);
    const double wanted = class >= 0 ? s->classes[class].width / 100.0 : 0.4;
    const double least = 1.6 * s->sheet.side / (double)s->sheet.page.scale;
    return wanted > least ? wanted : least < 1 ? least : 1;
}

static void put_ways(svg *s, size_t count, int64_t y)
{
    const look *of[PALETTE_ALL] = {NULL}; /* by colour: a way */
    for (size_t x = 0; x < count; x++)
        if (is_way(s, &s->looks[x]))
            of[s->looks[x].colours.area] = &s->looks[x];
    for (size_t c = 0; c < PALETTE_ALL; c++) {
        if (!of[c])
            continue;
        bytes_put_text(&s->out, "<path class=\"way\"");
        put_colour(s, "stroke", (uint8_t)c);
        bytes_printf(&s->out, " stroke-width=\"%g\" d=\"", width_of(s, of[c]));
        put_arms(s, count, y, (uint8_t)c);
        bytes_put_text(&s->out, "\"/>\n");
    }
}

static ptl_status put_level_row(svg *s, size_t nth, int64_t omt_row, ptl_error *err)
{
    const sheet *m = &s->sheet;
    const size_t count = m->view.width * (size_t)m->side;
    bytes_printf(&s->out, "<g transform=\"translate(%" PRId64 " %" PRId64 ") scale(%d)\">\n",
                 m->page.map_x + (int64_t)nth * m->page.panel_step, m->page.map_y,
                 (int)(m->page.scale / m->side));
    for (size_t row = 0; row < (size_t)m->side; row++) {
        const int64_t y = omt_row * m->side + (int64_t)row;
        read_row(s, nth, row, count);
        put_ground(s, count, y);
        put_ways(s, count, y);
        for (size_t x = 0; x < count; x++)
            if (has_symbol(s, &s->looks[x]))
                put_symbol(s, (double)x, (double)y, 1, &s->looks[x]);
        TRY(svg_flush(s, err));
    }
    bytes_put_text(&s->out, "</g>\n");
    return PTL_OK;
}

static ptl_status put_map(svg *s, ptl_error *err)
{
    sheet *m = &s->sheet;
    const size_t count = m->view.width * (size_t)m->side;
    s->ground = malloc(count);
    s->looks = malloc(count * sizeof *s->looks);
    if (!s->ground || !s->looks)
        return error_nomem(err);
    for (int i = 0; i < PTL_MAP_CLASSES; i++) {
        s->classes[i] = (ptl_map_look)PTL_MAP_LOOK_INIT;
        (void)ptl_map_look_describe(&s->classes[i], (ptl_map_class)i, m->options->style);
    }
    bytes_put_text(&s->out, "<g shape-rendering=\"crispEdges\" clip-path=\"url(#map)\" "
                            "text-rendering=\"geometricPrecision\">\n");
    for (int64_t row = 0; row < (int64_t)m->view.height; row++) {
        TRY(sheet_seek(m, m->view.y0 + row, err));
        for (size_t nth = 0; nth < m->view.level_count; nth++)
            TRY(put_level_row(s, nth, row, err));
    }
    bytes_put_text(&s->out, "</g>\n");
    return svg_flush(s, err);
}

/* ---- the picture ---- */

static void put_head(svg *s, ptl_world *world)
{
    const page *p = &s->sheet.page;
    char title[TITLE_SIZE];
    lettering_fold(title, sizeof title, ptl_world_name(world));
    bytes_printf(&s->out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64
                 "\" height=\"%" PRId64 "\" viewBox=\"0 0 %" PRId64 " %" PRId64 "\">\n<title>",
                 p->width, p->height, p->width, p->height);
    put_letters(&s->out, title);
    bytes_printf(&s->out,
                 "</title>\n<style>text{font-family:'DejaVu Sans',Verdana,Arial,sans-serif;"
                 "paint-order:stroke;stroke-linejoin:round;white-space:pre}"
                 ".way{fill:none;shape-rendering:auto}</style>\n"
                 "<clipPath id=\"map\"><rect x=\"%" PRId64 "\" y=\"%" PRId64
                 "\" width=\"%" PRId64 "\" height=\"%" PRId64 "\"/></clipPath>\n"
                 "<rect width=\"100%%\" height=\"100%%\"",
                 p->map_x, p->map_y, p->map_width, p->map_height);
    put_colour(s, "fill", p->parts ? PALETTE_PAPER : PALETTE_GAP);
    bytes_put_text(&s->out, "/>\n");
}

static ptl_status put_all(svg *s, ptl_world *world, ptl_error *err)
{
    put_head(s, world);
    TRY(record_frame(s, err));
    TRY(put_map(s, err));
    TRY(put_drawing(s, &s->frame, err));
    TRY(put_drawing(s, &s->sheet.around, err));
    TRY(put_drawing(s, &s->sheet.over, err));
    bytes_put_text(&s->out, "</svg>\n");
    return svg_flush(s, err);
}

ptl_status ptl_render_svg_write(ptl_world *world, const ptl_render_options *options,
                                ptl_sink sink, void *payload, ptl_error *err)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    error_clear(err);
    if (!world || !options || !sink)
        return error_set(err, PTL_ERR_ARGUMENT, "world, options and sink must be given");
    TRY(SIZED_TAKE(ptl_render_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_render_layout, o.layout, err));
    if (o.tileset)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "an SVG has no pictures of a tile set: write a PNG");
    if (o.maps || o.steps || (o.tide && o.last_turn > o.first_turn))
        return error_set(
            err, PTL_ERR_ARGUMENT,
            "an SVG shows a world at one turn: no maps that are given, no turns, no "
            "steps");
    svg s = {.sink = sink, .payload = payload};
    ptl_status status = sheet_init(&s.sheet, world, &o, err);
    THEN(status, put_all(&s, world, err));
    sheet_dispose(&s.sheet);
    drawing_dispose(&s.frame);
    bytes_dispose(&s.out);
    free(s.ground);
    free(s.looks);
    return status;
}
