/*
 * Worlds as text: one character for each cell, one line for each row of OMTs. Colours are ANSI
 * escape sequences, written only where the colour changes. With coordinates, every tenth column
 * has its x and a bar above it, and every fifth row has its y at the left. For local maps a
 * line is a row of tiles.
 */
#include "portolan/render.h"

#include "core/bytes.h"
#include "core/error.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "render/sheet.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/* The terminal's present colours; 0 is its default. */
typedef struct pen {
    int foreground, background;
} pen;

static void set_pen(bytes *out, pen *now, pen want)
{
    if (now->foreground == want.foreground && now->background == want.background)
        return;
    if (want.foreground == 0)
        bytes_put_text(out, "\x1b[0m");
    else if (want.background == now->background)
        bytes_printf(out, "\x1b[%dm", want.foreground);
    else if (want.background == 0)
        bytes_printf(out, "\x1b[0;%dm", want.foreground);
    else
        bytes_printf(out, "\x1b[%d;%dm", want.foreground, want.background);
    *now = want;
}

static pen pen_of(const style *s)
{
    if (s->area == PALETTE_UNSAVED)
        return (pen){0, 0};
    return (pen){palette_ansi(s->ink),
                 s->paper == PALETTE_NONE ? 0 : palette_ansi(s->paper) + 10};
}

/* ---- coordinates ---- */

enum { NUMBER_ROOM = 24, EVERY_COLUMN = 10, EVERY_ROW = 5, GAP_COLUMNS = 2 };

static int number_text(char out[NUMBER_ROOM], int64_t number)
{
    return snprintf(out, NUMBER_ROOM, "%lld", (long long)number);
}

/* Returns how many columns the widest y coordinate takes, with a space after it. */
static int margin_of(const viewport *v)
{
    char text[NUMBER_ROOM];
    const int first = number_text(text, v->y0), last = number_text(text, v->y1);
    return (first > last ? first : last) + 1;
}

/* Returns whether this coordinate is printed. Multiples of `every` are; but if there are
 * fewer than `every` coordinates (`count`), all of them are. */
static bool is_marked(int64_t at, int64_t every, size_t count)
{
    return at % every == 0 || count < (size_t)every;
}

static void put_ruler(bytes *out, const viewport *v)
{
    bytes_printf(out, "%*s", margin_of(v), "");
    for (size_t nth = 0; nth < v->level_count; nth++) {
        if (nth > 0)
            bytes_printf(out, "%*s", GAP_COLUMNS, "");
        /* Puts the coordinates of one level, then blanks up to the width of the level, so that
         * the coordinates of the next level begin above its columns. */
        size_t free = 0; /* the first column of the line that has no text yet */
        for (size_t x = 0; x < v->width; x++) {
            const int64_t at = v->x0 + (int64_t)x;
            char text[NUMBER_ROOM];
            const size_t size = (size_t)number_text(text, at) + 1;
            if (x < free)
                continue;
            if (!is_marked(at, EVERY_COLUMN, v->width) ||
                (x + size > v->width && (x > 0 || v->level_count > 1))) {
                bytes_put_u8(out, ' ');
                continue;
            }
            bytes_printf(out, "|%s", text);
            free = x + size;
        }
    }
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->size--;
    bytes_put_u8(out, '\n');
}

/* Writes the numbers of the tiles, for maps that the caller gives in place of the world's.
 * Every sixth tile has a number. */
static void put_tile_ruler(bytes *out, const viewport *v)
{
    enum { EVERY = 6 };
    bytes_put_text(out, "   ");
    for (size_t nth = 0; nth < v->level_count; nth++) {
        if (nth > 0)
            bytes_printf(out, "%*s", GAP_COLUMNS, "");
        for (size_t x = 0; x < v->width * TILE_SIDE; x += EVERY)
            bytes_printf(out, "%-*d", EVERY, (int)(x % TILE_SIDE));
    }
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->size--;
    bytes_put_u8(out, '\n');
}

/* ---- rows of cells ---- */

static void put_symbol(bytes *out, pen *now, const look *l, bool colours)
{
    char symbol[5];
    if (colours)
        set_pen(out, now, pen_of(&l->colours));
    utf8_text(l->symbol, symbol);
    bytes_put_text(out, symbol);
}

/* Puts one row of cells, with the levels side by side. */
static void put_row(bytes *out, const viewport *v, const cell_view *t, size_t side, size_t row,
                    bool colours)
{
    pen now = {0, 0};
    for (size_t nth = 0; nth < v->level_count; nth++) {
        if (nth > 0) {
            set_pen(out, &now, (pen){0, 0});
            bytes_printf(out, "%*s", GAP_COLUMNS, "");
        }
        for (size_t x = 0; x < v->width * side; x++) {
            const look l = cell_view_look(t, nth, x, row);
            put_symbol(out, &now, &l, colours);
        }
    }
    set_pen(out, &now, (pen){0, 0});
    bytes_put_u8(out, '\n');
}

/* Puts the legend: for each entry a line with symbol, number of cells, and name. */
static ptl_status put_legend(bytes *out, const cell_view *t, bool colours, ptl_error *err)
{
    legend l;
    const ptl_status status = cell_view_legend(&l, t, true, err);
    if (status == PTL_OK) {
        for (size_t i = 0; i < l.entry_count; i++) {
            const legend_entry *e = &l.entries[i];
            pen now = {0, 0};
            if (i == 0 || e->group != l.entries[i - 1].group)
                bytes_printf(out, "%s\n", l.headings[e->group]);
            bytes_put_text(out, "  ");
            put_symbol(out, &now, e->look, colours);
            set_pen(out, &now, (pen){0, 0});
            bytes_printf(out, " %6ju  ", e->tiles);
            visible_put(out, e->name, strlen(e->name));
            bytes_put_u8(out, '\n');
        }
    }
    legend_dispose(&l);
    return status;
}

/* Where text is sent to, one line at a time. */
typedef struct outlet {
    bytes line; /* text that still waits to be passed to the sink */
    ptl_sink sink;
    void *payload;
} outlet;

static ptl_status send(outlet *o, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (o->line.failed)
        status = error_nomem(err);
    else if (!o->sink(o->payload, o->line.data, o->line.size))
        status = error_set(err, PTL_ERR_IO, "the receiver of the text refused it");
    bytes_clear(&o->line);
    return status;
}

/* Writes the whole map. If coordinates are wanted, every tenth column has its x above it, with
 * a bar, and every fifth row has its y at its left. */
static ptl_status put_all(outlet *out, viewport *v, const ptl_render_options *o, bool colours,
                          ptl_error *err)
{
    const size_t side = o->local ? TILE_SIDE : 1;
    const bool grid = !o->local && (o->parts & PTL_RENDER_GRID);
    const bool numbered = o->maps && (o->parts & PTL_RENDER_GRID);
    cell_view *t = NULL;
    ptl_status status = cell_view_new(&t, v, o, err);
    if (grid)
        put_ruler(&out->line, v);
    if (numbered)
        put_tile_ruler(&out->line, v);
    for (int64_t y = v->y0; y <= v->y1 && status == PTL_OK; y++) {
        status = cell_view_seek(t, y, err);
        for (size_t row = 0; row < side && status == PTL_OK; row++) {
            char text[NUMBER_ROOM] = "";
            if (is_marked(y, EVERY_ROW, v->height))
                number_text(text, y);
            if (numbered)
                bytes_printf(&out->line, "%2d ", (int)row);
            if (grid)
                bytes_printf(&out->line, "%*s ", margin_of(v) - 1, text);
            put_row(&out->line, v, t, side, row, colours);
            status = send(out, err);
        }
    }
    if (o->local && (o->parts & PTL_RENDER_LEGEND)) {
        THEN(status, put_legend(&out->line, t, colours, err));
        THEN(status, send(out, err));
    }
    cell_view_free(t);
    return status;
}

ptl_status ptl_render_text_write(ptl_world *world, const ptl_render_options *options,
                                 bool colours, ptl_sink sink, void *payload, ptl_error *err)
{
    error_clear(err);
    if (!world || !options || !sink)
        return error_set(err, PTL_ERR_ARGUMENT, "world, options and sink must be given");
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    TRY(SIZED_TAKE(ptl_render_options, &o, options, err));
    o.style = PTL_STYLE_TERMINAL;
    viewport v;
    outlet out = {.sink = sink, .payload = payload};
    ptl_status status = viewport_init(&v, world, &o, err);
    THEN(status, put_all(&out, &v, &o, colours, err));
    viewport_dispose(&v);
    bytes_dispose(&out.line);
    return status;
}
