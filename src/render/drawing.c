#include "render/drawing.h"

#include "core/array.h"

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

void drawing_row(const drawing *d, const letter_line *line, int64_t y)
{
    for (size_t i = 0; i < d->box_count; i++) {
        /* A cell with a symbol is painted only if all of it may be painted; otherwise just its
         * colour is. */
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

enum { MARGIN = 8, WIDTH_MIN = 270, PIXELS_PER_ZOOM = 700, FRAMES_APART = 10 };

/* Returns the zoom for a map of this size. It grows with the side of a square of the map's
 * area: text gets larger at 800 pixels and again every 700. */
static int32_t zoom_for(int64_t width, int64_t height)
{
    int32_t zoom = 1;
    for (; zoom < PAGE_ZOOM_MAX; zoom++) {
        const int64_t side = (int64_t)PIXELS_PER_ZOOM * zoom + 100;
        /* Side * side <= width * height, written so that it cannot overflow. */
        if (width / side * height < side)
            break;
    }
    return zoom;
}

void page_measure(page *p, const viewport *v, int32_t scale, uint32_t parts)
{
    const int64_t width = (int64_t)v->width * scale, height = (int64_t)v->height * scale;
    const int64_t levels = (int64_t)v->level_count;
    int64_t gap = (int64_t)PAGE_GAP_OMTS * scale;
    *p = (page){.parts = parts,
                .scale = scale,
                .map_height = height,
                .panel_width = width,
                .panel_count = v->level_count};
    p->zoom = zoom_for(width * levels + gap * (levels - 1), height);
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
