/*
 * Pictures of local maps that the caller gives, in place of maps of a world: draws lines
 * between the maps, the numbers of tiles around them, and their labels over them.
 */
#include "render/sheet.h"

#include <stdio.h>
#include <string.h>

enum { NUMBERED = 6 }; /* every sixth tile has its number, from 0 on */

static int64_t west_of(const page *p, size_t nth)
{
    return p->map_x + (int64_t)nth * p->panel_step;
}

/* Returns whether the numbers of tiles have room beside the map. */
static bool has_numbers(const page *p)
{
    return p->scale * NUMBERED / TILE_SIDE >= lettering_width("18", p->zoom) + p->zoom;
}

void maps_frame_init(page *p)
{
    const int64_t gap = 2 * (int64_t)p->zoom;
    if (!has_numbers(p))
        return;
    p->top = (int64_t)FONT_TEXT_HEIGHT * p->zoom + gap;
    p->left = lettering_width("18", p->zoom) + 2 * gap;
}

static void number_text(char out[8], int64_t tile)
{
    snprintf(out, 8, "%d", (int)(tile % TILE_SIDE));
}

void maps_frame_row(const frame *f, const letter_line *line, int64_t row)
{
    const page *p = f->page;
    const int32_t tile = p->scale / TILE_SIDE;
    const int64_t gap = 2 * (int64_t)p->zoom, step = (int64_t)tile * NUMBERED;
    const int64_t tall = (int64_t)FONT_TEXT_HEIGHT * p->zoom;
    char text[8];
    if (!has_numbers(p))
        return;
    for (size_t nth = 0; nth < p->panel_count && row < 0; nth++)
        for (int64_t x = 0; x < p->panel_width; x += step) {
            number_text(text, x / tile);
            lettering_paint(line,
                            west_of(p, nth) + x + tile / 2 - lettering_width(text, p->zoom) / 2,
                            row + tall + gap - p->zoom, text, p->zoom, PALETTE_TEXT);
        }
    /* The number beside a row is centred on its tile. */
    for (int64_t y = 0; y < p->map_height; y += step) {
        const int64_t top = y + tile / 2 - tall / 2;
        if (row < top || row >= top + tall)
            continue;
        number_text(text, y / tile);
        lettering_paint(line, p->map_x - gap - lettering_width(text, p->zoom), row - top, text,
                        p->zoom, PALETTE_TEXT);
    }
}

/* Paints a line between two rows of tiles or OMTs of one level, along a row of pixels. If
 * `whole` is true, it is solid, because it lies between two blocks; otherwise it is dotted. */
static void line_along(const page *p, const letter_line *line, int64_t west, bool whole)
{
    const int64_t period = 6 * (int64_t)p->zoom, length = whole ? period : period / 2;
    for (int64_t x = 0; x < p->panel_width; x += period)
        line_fill(line, west + x,
                  west + (x + length < p->panel_width ? x + length : p->panel_width),
                  whole ? PALETTE_FRAME : PALETTE_GRID);
}

/* Paints those parts of the grid's lines that lie in one row of pixels of the map. Between the
 * blocks of OMTs that were rendered side by side lines are whole; with the part PTL_RENDER_GRID
 * there are dotted lines between OMTs. */
void maps_grid_row(const frame *f, const letter_line *line, int64_t row)
{
    const page *p = f->page;
    const viewport *v = f->view;
    const bool grid = page_has(p, PTL_RENDER_GRID);
    const int64_t thick = p->zoom, period = 6 * (int64_t)p->zoom;
    const bool dot = grid && row % period < period / 2;
    const int64_t omt = row / p->scale;
    const bool border = row % p->scale < thick && omt > 0, parted = omt % v->block_height == 0;
    for (size_t nth = 0; nth < p->panel_count; nth++) {
        const int64_t west = west_of(p, nth);
        if (border && (parted || grid))
            line_along(p, line, west, parted);
        for (int64_t k = 1; k < (int64_t)v->width; k++) {
            const bool whole = k % v->block_width == 0;
            const int64_t x = west + k * p->scale;
            if (whole || dot)
                line_fill(line, x, x + thick, whole ? PALETTE_FRAME : PALETTE_GRID);
        }
    }
}

void maps_labels_place(const ptl_render_options *o, const page *p, const viewport *v,
                       drawing *d)
{
    size_t number = 0;
    for (int64_t y = 0; o->labels && y < (int64_t)v->height; y += v->block_height)
        for (int64_t x = 0; x < (int64_t)v->width; x += v->block_width, number++) {
            drawn_text text = {.x = p->map_x + x * p->scale + 2 * p->zoom,
                               .y = p->map_y + y * p->scale + 2 * p->zoom,
                               .zoom = p->zoom,
                               .ink = PALETTE_NAME,
                               .edge = PALETTE_NAME_EDGE};
            lettering_fold(text.text, sizeof text.text, o->labels[number]);
            lettering_fit(text.text, p->zoom, v->block_width * p->scale - 4 * p->zoom);
            drawing_add_text(d, &text);
        }
}
