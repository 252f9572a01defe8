/* The legend beside the map: a heading for each group, a line for each entry with its colour,
 * its name and its tiles, and a line for what is not shown. */
#include "render/captions.h"

#include <stdio.h>
#include <string.h>

enum {
    LINE = 12,
    SWATCH = 10,
    GROUPS_APART = 5,
    LINES_MIN = 20,
    LINES_MAX = 64,
    NAME_WIDTH = 140
};

static void entry_name(char out[DRAWN_LETTERS_MAX], const legend_entry *e, int32_t zoom)
{
    lettering_fold(out, DRAWN_LETTERS_MAX, e->name);
    lettering_fit(out, zoom, NAME_WIDTH * zoom);
}

static void rest_name(char out[DRAWN_LETTERS_MAX], size_t count)
{
    snprintf(out, DRAWN_LETTERS_MAX, "and %zu more", count);
}

static const char unsaved_name[] = "not saved";

static size_t group_size(const legend *l, int g)
{
    return l->first[g + 1] - l->first[g];
}

static void widen(legend_layout *out, const char *name, uint64_t tiles, int32_t zoom)
{
    char number[32];
    captions_number(number, tiles);
    const int32_t name_width = lettering_width(name, zoom);
    const int32_t number_width = lettering_width(number, zoom);
    out->name_width = name_width > out->name_width ? name_width : out->name_width;
    out->number_width = number_width > out->number_width ? number_width : out->number_width;
}

void captions_fit_legend(legend_layout *out, const legend *l, page *p)
{
    const int64_t line = (int64_t)LINE * p->zoom, apart = (int64_t)GROUPS_APART * p->zoom;
    const int64_t room = p->map_height + p->top + p->bottom - GROUP_COUNT * apart;
    int64_t lines = room / line;
    lines = lines < LINES_MIN ? LINES_MIN : lines > LINES_MAX ? LINES_MAX : lines;
    *out = (legend_layout){.height = 0};
    out->height = (int64_t)legend_choose(l, (size_t)lines, out->shown) * line;
    for (int g = 0; g < GROUP_COUNT; g++) {
        if (out->shown[g] == 0)
            continue;
        out->height += apart;
        const int32_t zoom = p->zoom;
        char name[DRAWN_LETTERS_MAX];
        const size_t shown = out->shown[g];
        widen(out, l->headings[g], 0, zoom);
        for (size_t i = 0; i < shown; i++) {
            const legend_entry *e = &l->entries[l->first[g] + i];
            entry_name(name, e, zoom);
            widen(out, name, e->tiles, zoom);
        }
        if (shown < group_size(l, g)) {
            rest_name(name, group_size(l, g) - shown);
            widen(out, name, legend_rest(l, g, shown), zoom);
        }
    }
    if (l->unsaved > 0) {
        out->height += apart;
        widen(out, unsaved_name, l->unsaved, p->zoom);
    }
    p->legend_width =
        (int64_t)(SWATCH + 4 + 10) * p->zoom + out->name_width + out->number_width;
}

/* Where the next line goes. */
typedef struct writing {
    const legend_layout *layout;
    const page *page;
    drawing *drawing;
    int64_t y;
} writing;

static void write_line(writing *w, const char *name, uint64_t tiles, uint8_t ink)
{
    const page *p = w->page;
    const int32_t zoom = p->zoom;
    const int64_t x = p->legend_x + (int64_t)(SWATCH + 4) * zoom;
    char number[32];
    drawn_text text = {.x = x, .y = w->y, .zoom = zoom, .ink = ink, .edge = PALETTE_NONE};
    snprintf(text.text, sizeof text.text, "%s", name);
    drawing_add_text(w->drawing, &text);
    captions_number(number, tiles);
    text.x = p->legend_x + p->legend_width - lettering_width(number, zoom);
    text.ink = PALETTE_FAINT;
    snprintf(text.text, sizeof text.text, "%s", number);
    drawing_add_text(w->drawing, &text);
    w->y += (int64_t)LINE * zoom;
}

/* Draws a frame and in it the colour; with symbols the cell itself. */
static void draw_swatch(const writing *w, const look *l, bool symbols)
{
    const page *p = w->page;
    const int32_t zoom = p->zoom;
    drawn_box box = {.x = p->legend_x,
                     .y = w->y - zoom,
                     .width = (int64_t)SWATCH * zoom,
                     .height = (int64_t)SWATCH * zoom,
                     .ink = PALETTE_FRAME};
    drawing_add_box(w->drawing, &box);
    box.x += zoom;
    box.y += zoom;
    box.width -= 2 * (int64_t)zoom;
    box.height -= 2 * (int64_t)zoom;
    box.ink = l->colours.area;
    box.cell = symbols ? l : NULL;
    drawing_add_box(w->drawing, &box);
}

static void write_group(writing *w, const legend *l, int g, const look *looks, bool symbols)
{
    char name[DRAWN_LETTERS_MAX];
    const int32_t zoom = w->page->zoom;
    const size_t shown = w->layout->shown[g];
    const page *p = w->page;
    drawn_text text = {.x = p->legend_x,
                       .y = w->y,
                       .zoom = p->zoom,
                       .ink = PALETTE_FAINT,
                       .edge = PALETTE_NONE};
    snprintf(text.text, sizeof text.text, "%s", l->headings[g]);
    drawing_add_text(w->drawing, &text);
    w->y += (int64_t)LINE * p->zoom;
    for (size_t i = 0; i < shown; i++) {
        const legend_entry *e = &l->entries[l->first[g] + i];
        draw_swatch(w, &looks[e->look], symbols);
        entry_name(name, e, zoom);
        write_line(w, name, e->tiles, PALETTE_TEXT);
    }
    if (shown < group_size(l, g)) {
        rest_name(name, group_size(l, g) - shown);
        write_line(w, name, legend_rest(l, g, shown), PALETTE_FAINT);
    }
    w->y += (int64_t)GROUPS_APART * zoom;
}

void captions_draw_legend(const legend_layout *layout, const legend *l, const look *looks,
                          bool symbols, const page *p, drawing *d)
{
    writing w = {layout, p, d, p->map_y - p->top};
    for (int g = 0; g < GROUP_COUNT; g++)
        if (layout->shown[g] > 0)
            write_group(&w, l, g, looks, symbols);
    if (l->unsaved == 0)
        return;
    const look unsaved = {.colours = {PALETTE_UNSAVED, PALETTE_UNSAVED, PALETTE_UNSAVED}};
    draw_swatch(&w, &unsaved, false);
    write_line(&w, unsaved_name, l->unsaved, PALETTE_TEXT);
}
