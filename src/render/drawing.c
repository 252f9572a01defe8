#include "render/drawing.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

void drawing_dispose(drawing *d)
{
    free(d->texts);
    free(d->boxes);
    *d = (drawing){.failed = d->failed};
}

void drawing_add_text(drawing *d, const drawn_text *text)
{
    if (!ARRAY_ROOM(d->texts, d->text_room, d->text_count + 1)) {
        d->failed = true;
        return;
    }
    d->texts[d->text_count++] = *text;
}

void drawing_add_box(drawing *d, const drawn_box *box)
{
    if (!ARRAY_ROOM(d->boxes, d->box_room, d->box_count + 1)) {
        d->failed = true;
        return;
    }
    d->boxes[d->box_count++] = *box;
}

static void paint_box(const drawn_box *b, const letter_line *line, int64_t y)
{
    if (y < b->y || y >= b->y + b->height)
        return;
    if (b->cell && b->x >= line->from && b->x + b->width <= line->to)
        paint_cell_row(line->pixels + (b->x - line->from), b->cell, (int32_t)b->width,
                       (int32_t)(y - b->y), true);
    else
        line_fill(line, b->x, b->x + b->width, b->ink);
}

static void paint_text(const drawn_text *t, const letter_line *line, int64_t y)
{
    const int64_t row = y - t->y;
    if (row < -t->zoom || row >= (int64_t)(FONT_TEXT_HEIGHT + 1) * t->zoom)
        return;
    if (t->edge == PALETTE_NONE)
        lettering_paint(line, t->x, row, t->text, t->zoom, t->ink);
    else
        lettering_paint_edged(line, t->x, row, t->text, t->zoom,
                              (const uint8_t[2]){t->ink, t->edge});
}

void drawing_row(const drawing *d, const letter_line *line, int64_t y)
{
    for (size_t i = 0; i < d->box_count; i++)
        paint_box(&d->boxes[i], line, y);
    for (size_t i = 0; i < d->text_count; i++)
        paint_text(&d->texts[i], line, y);
}
