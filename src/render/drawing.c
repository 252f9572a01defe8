/* Texts and boxes that lie around and over the cells of a map. */
#include "core/array.h"
#include "render/sheet.h"

#include <stdlib.h>

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

void drawing_add_row(drawing *d, const drawn_box *row)
{
    /* The row above was added a little while ago: at most ROW_PARTS boxes lie in a row. */
    enum { ROW_PARTS = 256 };
    for (size_t i = d->box_count; i > 0 && d->box_count - i < ROW_PARTS; i--) {
        drawn_box *b = &d->boxes[i - 1];
        if (b->x == row->x && b->width == row->width && b->ink == row->ink &&
            b->y + b->height == row->y) {
            b->height += row->height;
            return;
        }
    }
    drawing_add_box(d, row);
}

void drawing_row(const drawing *d, const letter_line *line, int64_t y)
{
    for (size_t i = 0; i < d->box_count; i++) {
        /* A box may be a cell of the map. If all of its columns may be painted, it is painted
         * with its symbol. Otherwise only its colour is painted, in those columns that may be
         * painted. */
        const drawn_box *b = &d->boxes[i];
        if (y < b->y || y >= b->y + b->height)
            continue;
        if (b->is_cell && b->x >= line->from && b->x + b->width <= line->to)
            paint_cell_row(line->pixels + (b->x - line->from), &b->cell, (int32_t)b->width,
                           (int32_t)(y - b->y), true);
        else
            line_fill(line, b->x, b->x + b->width, b->ink);
    }
    for (size_t i = 0; i < d->text_count; i++) {
        const drawn_text *t = &d->texts[i];
        const int64_t row = y - t->y;
        if (row < -t->zoom || row >= (int64_t)(FONT_TEXT_HEIGHT + 1) * t->zoom)
            continue;
        if (t->edge == PALETTE_NONE)
            lettering_paint(line, t->x, row, t->text, t->zoom, t->ink);
        else
            lettering_paint_edged(line, t->x, row, t->text, t->zoom,
                                  (const uint8_t[2]){t->ink, t->edge});
    }
}
