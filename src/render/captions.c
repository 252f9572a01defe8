#include "portolan/local_tide.h"
#include "render/sheet.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 12, TILES_PER_OMT = 24 };

/* ---- composing the texts of title and scale ---- */

static void add_item(caption_items *items, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_item(caption_items *items, const char *format, ...)
{
    char text[CAPTION_LETTERS_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    lettering_fold(items->texts[items->count++], CAPTION_LETTERS_MAX, text);
}

/* Adds the text for a rectangle, or for a single OMT if the rectangle has only one. */
static void add_rect(caption_items *items, const char *what, ptl_omt from, ptl_omt to)
{
    if (from.x == to.x && from.y == to.y)
        add_item(items, "%s %jd,%jd", what, from.x, from.y);
    else
        add_item(items, "%ss %jd,%jd to %jd,%jd", what, from.x, from.y, to.x, to.y);
}

/* Adds the height of the sea that the picture shows, if the world has tides. */
static void add_tide(caption_items *items, const ptl_world *world, int64_t turn)
{
    const int64_t turns = ptl_local_tide_turns(world);
    int32_t tide;
    if (turns <= 0 || ptl_local_tide(&tide, world, turn, NULL) != PTL_OK)
        return;
    const int64_t step = turn / turns;
    if (tide == 0)
        add_item(items, "tide step %jd: mean sea", step);
    else
        add_item(items, "tide step %jd: sea %d %s mean", step, tide < 0 ? -tide : tide,
                 tide < 0 ? "below" : "above");
}

void captions_level(char out[CAPTION_LETTERS_MAX], int32_t z)
{
    static const char *const words[] = {"ground", "first basement", "second basement",
                                        "third basement"};
    enum { ROOM = CAPTION_LETTERS_MAX, DEEPEST = 3 };
    if (z <= 0 && z >= -DEEPEST)
        snprintf(out, ROOM, "%s", words[-z]);
    else
        snprintf(out, ROOM, "%d level%s %s the ground", (int)(z < 0 ? -z : z),
                 z == 1 ? "" : "s", z < 0 ? "below" : "above");
}

void captions_init(captions *c, ptl_world *world, const ptl_render_options *options,
                   const viewport *v, const page *p)
{
    const int32_t last = v->z_first + (int32_t)(v->level_count - 1) * v->z_step;
    const ptl_omt from = {v->x0, v->y0, 0}, to = {v->x1, v->y1, 0};
    const ptl_chunk_pos first_chunk = ptl_omt_chunk(from), last_chunk = ptl_omt_chunk(to);
    ptl_world_options made_of = PTL_WORLD_OPTIONS_INIT;
    (void)ptl_world_settings(&made_of, world, NULL);
    *c = (captions){.heading = ""};
    lettering_fold(c->heading, sizeof c->heading,
                   options->title ? options->title : ptl_world_name(world));
    if (options->maps) {
        add_item(&c->title, "Portolan %s", ptl_version());
        add_item(&c->scale, "1 OMT is %d x %d tiles", TILES_PER_OMT, TILES_PER_OMT);
        return;
    }
    add_item(&c->title, "seed %ju", made_of.seed);
    char level[CAPTION_LETTERS_MAX];
    captions_level(level, v->z_first);
    if (v->level_count == 1 && v->z_first == 0)
        add_item(&c->title, "%s", level);
    else if (v->level_count == 1)
        add_item(&c->title, "level %d: %s", (int)v->z_first, level);
    else
        add_item(&c->title, "levels %d to %d", (int)v->z_first, (int)last);
    add_rect(&c->title, "OMT", from, to);
    add_rect(&c->title, "chunk", (ptl_omt){first_chunk.x, first_chunk.y, 0},
             (ptl_omt){last_chunk.x, last_chunk.y, 0});
    if (options->tide)
        add_tide(&c->title, world, options->first_turn);
    add_item(&c->title, "Portolan %s", ptl_version());
    add_item(&c->scale, "1 OMT is %d x %d tiles", TILES_PER_OMT, TILES_PER_OMT);
    if (!page_has(p, PTL_RENDER_GRID))
        return;
    add_item(&c->scale, "dashed: chunks of %d x %d OMTs", PTL_CHUNK_SIZE, PTL_CHUNK_SIZE);
    add_item(&c->scale, "above and left: chunks");
    add_item(&c->scale, "below and right: OMTs");
}

void captions_number(char out[32], uint64_t number)
{
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < count; i++) {
        *out++ = digits[i];
        if ((count - i - 1) % 3 == 0 && i + 1 < count)
            *out++ = ',';
    }
    *out = '\0';
}

/* ---- distributing texts on lines ---- */

/*
 * Writes items into one line, with dots between them, until the width is used up. *at is the
 * index of the first of them; it becomes the index of the first item that is left. The first
 * item is taken even if it alone is too wide. Returns false if there was no item.
 */
static bool next_line(const caption_items *items, size_t *at, int32_t zoom, int64_t width,
                      char out[DRAWN_LETTERS_MAX])
{
    size_t used = 0;
    out[0] = '\0';
    for (; *at < items->count; (*at)++) {
        char text[DRAWN_LETTERS_MAX];
        const int size = snprintf(text, sizeof text, "%s%s%s", out, used ? "  \x01  " : "",
                                  items->texts[*at]);
        const bool fits = size < (int)sizeof text && lettering_width(text, zoom) <= width;
        if (used > 0 && !fits)
            return true;
        memcpy(out, text, sizeof text);
        used++;
    }
    return used > 0;
}

static int32_t heading_zoom(const page *p)
{
    return p->zoom + (p->zoom + 1) / 2;
}

static int64_t lines_height(const caption_items *items, const page *p)
{
    char text[DRAWN_LETTERS_MAX];
    int64_t height = 0;
    for (size_t at = 0; next_line(items, &at, p->zoom, page_inner_width(p), text);)
        height += (int64_t)LINE * p->zoom;
    return height;
}

void captions_measure(const captions *c, page *p)
{
    if (page_has(p, PTL_RENDER_TITLE))
        p->title_height = (int64_t)LINE * heading_zoom(p) + lines_height(&c->title, p);
    if (page_has(p, PTL_RENDER_SCALE_BAR))
        p->scale_height = (int64_t)LINE * p->zoom + lines_height(&c->scale, p);
}

static void add_text(drawing *d, int64_t x, int64_t y, int32_t zoom, uint8_t ink,
                     const char *letters)
{
    drawn_text text = {.x = x, .y = y, .zoom = zoom, .ink = ink, .edge = PALETTE_NONE};
    snprintf(text.text, sizeof text.text, "%.*s", DRAWN_LETTERS_MAX - 1, letters);
    drawing_add_text(d, &text);
}

static void add_lines(drawing *d, const caption_items *items, const page *p, int64_t y)
{
    char text[DRAWN_LETTERS_MAX];
    for (size_t at = 0; next_line(items, &at, p->zoom, page_inner_width(p), text);) {
        lettering_fit(text, p->zoom, (int32_t)page_inner_width(p));
        add_text(d, (p->width - page_inner_width(p)) / 2, y, p->zoom, PALETTE_FAINT, text);
        y += (int64_t)LINE * p->zoom;
    }
}

void captions_draw_title(const captions *c, const page *p, drawing *d)
{
    char text[DRAWN_LETTERS_MAX];
    memcpy(text, c->heading, sizeof text);
    lettering_fit(text, heading_zoom(p), (int32_t)page_inner_width(p));
    add_text(d, (p->width - page_inner_width(p)) / 2, p->title_y, heading_zoom(p), PALETTE_TEXT,
             text);
    add_lines(d, &c->title, p, p->title_y + (int64_t)LINE * heading_zoom(p));
}

/* ---- scale bar ---- */

/* Returns a round number of units, at least 1: the largest whose bar on the scale is no longer
 * than `most` pixels. `pixels` is the length of one unit. */
static int64_t bar_length(int64_t pixels, int64_t most)
{
    int64_t count = 1;
    for (int64_t next; (next = frame_round_up(count + 1)) * pixels <= most;)
        count = next;
    return count;
}

/* Writes the text beside a scale bar of at most `most` pixels, and returns the bar's length.
 * The unit is an OMT, or a tile if one OMT is longer than the bar may be. */
static int64_t describe_bar(char out[DRAWN_LETTERS_MAX], const page *p, int64_t most)
{
    char number[32];
    const int64_t tile = p->scale / TILES_PER_OMT;
    if (tile > 0 && p->scale > most) {
        const int64_t tiles = bar_length(tile, most);
        snprintf(out, DRAWN_LETTERS_MAX, "%" PRId64 " tile%s", tiles, tiles == 1 ? "" : "s");
        return tiles * tile;
    }
    const int64_t omts = bar_length(p->scale, most);
    captions_number(number, (uint64_t)omts * TILES_PER_OMT);
    snprintf(out, DRAWN_LETTERS_MAX, "%" PRId64 " OMT%s = %s tiles", omts, omts == 1 ? "" : "s",
             number);
    return omts * p->scale;
}

static void add_box(drawing *d, int64_t x, int64_t y, int64_t width, int64_t height,
                    uint8_t ink)
{
    const drawn_box box = {.x = x, .y = y, .width = width, .height = height, .ink = ink};
    drawing_add_box(d, &box);
}

void captions_draw_scale(const captions *c, const page *p, drawing *d)
{
    const int32_t zoom = p->zoom, edge = (zoom + 1) / 2;
    const int64_t x = (p->width - page_inner_width(p)) / 2, y = p->scale_y + zoom;
    const int64_t least = (int64_t)50 * zoom, quarter = p->panel_width / 4;
    char text[DRAWN_LETTERS_MAX];
    const int64_t length = describe_bar(text, p, quarter > least ? quarter : least);
    const int64_t height = (int64_t)5 * zoom;
    add_box(d, x, y, length, height, PALETTE_FRAME);
    /* The scale bar is dark; its light parts are drawn over it. */
    for (int64_t i = 0; i < 4; i += 2) {
        const int64_t from = length * i / 4 + edge, to = length * (i + 1) / 4;
        if (to - from > 2 * zoom)
            add_box(d, x + from, y + edge, to - from, height - 2 * edge, PALETTE_PAPER);
    }
    add_text(d, x + length + 6 * zoom, p->scale_y, zoom, PALETTE_TEXT, text);
    add_lines(d, &c->scale, p, p->scale_y + (int64_t)LINE * zoom);
}

/* The legend beside the map. It has a heading for each group and a line for each entry
 * (colour, name, number of cells), and a line for the entries that are left out. */

enum { SWATCH = 10, GROUPS_APART = 5, LINES_MIN = 20, NAME_WIDTH = 140 };

/* Adds a line to the legend, and makes the legend wide enough for it. */
static void add_legend_line(legend_layout *out, int32_t zoom, const char *name, uint64_t tiles,
                            const look *swatch, uint8_t ink)
{
    legend_line *line = &out->lines[out->line_count++];
    char number[32];
    *line = (legend_line){.tiles = tiles, .swatch = swatch, .ink = ink};
    lettering_fold(line->name, sizeof line->name, name);
    lettering_fit(line->name, zoom, NAME_WIDTH * zoom);
    captions_number(number, tiles);
    const int32_t name_width = lettering_width(line->name, zoom);
    const int32_t number_width = lettering_width(number, zoom);
    out->name_width = name_width > out->name_width ? name_width : out->name_width;
    out->number_width = number_width > out->number_width ? number_width : out->number_width;
}

void captions_fit_legend(legend_layout *out, const legend *l, page *p)
{
    static const look unsaved = {
        .colours = {PALETTE_UNSAVED, PALETTE_UNSAVED, PALETTE_UNSAVED}};
    const int32_t zoom = p->zoom;
    const int64_t line = (int64_t)LINE * zoom, apart = (int64_t)GROUPS_APART * zoom;
    const int64_t room = p->map_height + p->top + p->bottom - GROUP_COUNT * apart;
    int64_t lines = room / line;
    lines = lines < LINES_MIN ? LINES_MIN : lines > LEGEND_LINES_MAX ? LEGEND_LINES_MAX : lines;
    *out = (legend_layout){.height = 0};
    out->height = (int64_t)legend_choose(l, (size_t)lines, out->shown) * line;
    for (int g = 0; g < GROUP_COUNT; g++) {
        const size_t shown = out->shown[g], size = l->first[g + 1] - l->first[g];
        if (shown == 0)
            continue;
        add_legend_line(out, zoom, l->headings[g], 0, NULL, PALETTE_FAINT);
        for (size_t i = 0; i < shown; i++) {
            const legend_entry *e = &l->entries[l->first[g] + i];
            add_legend_line(out, zoom, e->name, e->tiles, e->look, PALETTE_TEXT);
        }
        char rest[32];
        snprintf(rest, sizeof rest, "and %zu more", size - shown);
        if (shown < size)
            add_legend_line(out, zoom, rest, legend_rest(l, g, shown), NULL, PALETTE_FAINT);
        out->lines[out->line_count - 1].ends_group = true;
        out->height += apart;
    }
    if (l->unsaved > 0) {
        add_legend_line(out, zoom, "not saved", l->unsaved, &unsaved, PALETTE_TEXT);
        out->height += apart;
    }
    p->legend_width = (int64_t)(SWATCH + 4 + 10) * zoom + out->name_width + out->number_width;
}

void captions_draw_legend(const legend_layout *layout, bool symbols, const page *p, drawing *d)
{
    const int64_t zoom = p->zoom, side = SWATCH * zoom;
    int64_t y = p->map_y - p->top;
    for (const legend_line *l = layout->lines; l < layout->lines + layout->line_count; l++) {
        if (l->swatch) {
            /* Draws the sample of a legend's entry: a frame filled with the entry's colour,
             * or the whole cell with its symbol if the map shows symbols. */
            add_box(d, p->legend_x, y - zoom, side, side, PALETTE_FRAME);
            const drawn_box inside = {.x = p->legend_x + zoom,
                                      .y = y,
                                      .width = side - 2 * zoom,
                                      .height = side - 2 * zoom,
                                      .ink = l->swatch->colours.area,
                                      .is_cell = symbols,
                                      .cell = *l->swatch};
            drawing_add_box(d, &inside);
        }
        add_text(d, p->legend_x + (l->tiles > 0 ? side + 4 * zoom : 0), y, p->zoom, l->ink,
                 l->name);
        char number[32];
        captions_number(number, l->tiles);
        if (l->tiles > 0)
            add_text(d, p->legend_x + p->legend_width - lettering_width(number, p->zoom), y,
                     p->zoom, PALETTE_FAINT, number);
        y += LINE * zoom + (l->ends_group ? GROUPS_APART * zoom : 0);
    }
}
