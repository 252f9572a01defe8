/*
 * Worlds as text: one character a cell, one line a row of OMTs, colours as ANSI escape
 * sequences that change only where the colour does. With coordinates: above each tenth column
 * a bar and its x, at the left of each fifth row its y.
 */
#include "portolan/render.h"

#include "core/bytes.h"
#include "core/error.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "render/paint.h"
#include "render/viewport.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

/* What the terminal shows at present; 0 is its default. */
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

/* Counts the columns of the longest y, and a space. */
static int margin_of(const viewport *v)
{
    char text[NUMBER_ROOM];
    const int first = number_text(text, v->y0), last = number_text(text, v->y1);
    return (first > last ? first : last) + 1;
}

/* Multiples of `every`; all where there are fewer than that. */
static bool is_marked(int64_t at, int64_t every, size_t count)
{
    return at % every == 0 || count < (size_t)every;
}

static void put_margin(bytes *out, const viewport *v, int64_t y)
{
    const bool marked = is_marked(y, EVERY_ROW, v->height);
    char text[NUMBER_ROOM] = "";
    if (marked)
        number_text(text, y);
    bytes_printf(out, "%*s ", margin_of(v) - 1, text);
}

/* Puts one level's coordinates: its width exactly, so that the next one's stand where they
 * belong. */
static void put_ruler_part(bytes *out, const viewport *v)
{
    size_t free = 0; /* columns before this one are taken */
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

static void put_ruler(bytes *out, const viewport *v)
{
    bytes_printf(out, "%*s", margin_of(v), "");
    for (size_t nth = 0; nth < v->level_count; nth++) {
        if (nth > 0)
            bytes_printf(out, "%*s", GAP_COLUMNS, "");
        put_ruler_part(out, v);
    }
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->size--;
    bytes_put_u8(out, '\n');
}

/* ---- cells ---- */

static void put_row(bytes *out, const viewport *v, const look *looks, const catalogue *cat,
                    int64_t y, bool colours)
{
    pen now = {0, 0};
    for (size_t nth = 0; nth < v->level_count; nth++) {
        const ptl_oter *cells = viewport_row(v, nth, y);
        if (nth > 0) {
            set_pen(out, &now, (pen){0, 0});
            bytes_printf(out, "%*s", GAP_COLUMNS, "");
        }
        for (size_t x = 0; x < v->width; x++) {
            const look *l = look_of(looks, cat, cells[x]);
            char symbol[5];
            if (colours)
                set_pen(out, &now, pen_of(&l->colours));
            utf8_text(l->symbol, symbol);
            bytes_put_text(out, symbol);
        }
    }
    set_pen(out, &now, (pen){0, 0});
    bytes_put_u8(out, '\n');
}

ptl_status ptl_render_text(ptl_world *world, const ptl_render_options *options, bool colours,
                           ptl_sink sink, void *payload, ptl_error *err)
{
    error_clear(err);
    if (!world || !options || !sink)
        return error_set(err, PTL_ERR_ARGUMENT, "world, options and sink must be given");
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    ptl_status status = SIZED_TAKE(ptl_render_options, &o, options, err);
    if (status != PTL_OK)
        return status;
    viewport v;
    bytes line;
    look *looks = NULL;
    const catalogue *cat = ptl_world_catalogue(world);
    bytes_init(&line);
    status = viewport_init(&v, world, &o, err);
    if (status != PTL_OK)
        goto out;
    looks = looks_new(cat);
    if (!looks) {
        status = error_nomem(err);
        goto out;
    }
    const bool grid = (o.parts & PTL_RENDER_GRID) != 0;
    if (grid)
        put_ruler(&line, &v);
    for (int64_t y = v.y0; y <= v.y1 && status == PTL_OK; y++) {
        status = viewport_seek(&v, y, err);
        if (status != PTL_OK)
            break;
        if (grid)
            put_margin(&line, &v, y);
        put_row(&line, &v, looks, cat, y, colours);
        if (line.failed)
            status = error_nomem(err);
        else if (!sink(payload, line.data, line.size))
            status = error_set(err, PTL_ERR_IO, "the receiver of the text refused it");
        bytes_clear(&line);
    }
out:
    viewport_dispose(&v);
    bytes_dispose(&line);
    free(looks);
    return status;
}
