#include "render/sheet.h"

#include "core/error.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "portolan/tide.h"
#include "render/png_stream.h"
#include "render/sprite_rows.h"
#include "world/places.h"
#include "world/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE_MAX = 32, SIDE_MAX = INT32_MAX, LETTERS_MAX = 8 };

static ptl_status check_size(int64_t width, int64_t height, ptl_error *err)
{
    if (width <= SIDE_MAX && height <= SIDE_MAX)
        return PTL_OK;
    return error_set(err, PTL_ERR_LIMIT,
                     "the picture would have %lld x %lld pixels; a PNG holds %d on a side: "
                     "choose a smaller part or scale",
                     (long long)width, (long long)height, SIDE_MAX);
}

/* ---- reading cells ---- */

/* Counts a row of OMTs as read, and reports progress: once for each row of chunks, or for each
 * row of OMTs if local maps are shown. */
static ptl_status count_row(sheet *s, int64_t y, ptl_error *err)
{
    const ptl_render_options *o = s->options;
    s->rows_done++;
    if (!o->on_progress || (y % PTL_CHUNK_SIZE != 0 && y != s->view.y1 && s->side == 1))
        return PTL_OK;
    return o->on_progress(o->payload, s->rows_done, s->rows_total)
               ? PTL_OK
               : error_set(err, PTL_ERR_CANCELLED, "stopped");
}

ptl_status sheet_seek(sheet *s, int64_t y, ptl_error *err)
{
    TRY(cell_view_seek(s->source, y, err));
    return count_row(s, y, err);
}

ptl_status sheet_read_legend(sheet *s, legend *out, ptl_error *err)
{
    *out = (legend){.entries = NULL};
    ptl_status status = cell_view_count(s->source, err);
    for (int64_t y = s->view.y0; y <= s->view.y1 && status == PTL_OK; y++)
        status = sheet_seek(s, y, err);
    THEN(status, cell_view_legend(out, s->source, s->symbols, err));
    return status;
}

static void offer_city(void *payload, const world_city *city)
{
    names_offer(payload, city->x, city->y, city->size, city->name);
}

/* ---- laying out ---- */

/* Computes the layout of the picture. First frame and legend set the widths of their parts. The
 * heights of title and scale depend on these widths. Only then each part gets its place. */
static ptl_status lay_out(sheet *s, ptl_world *world, ptl_error *err)
{
    legend found = {.entries = NULL};
    legend_layout layout = {.height = 0};
    captions c;
    ptl_status status = PTL_OK;
    frame_init(&s->frame, &s->page, &s->view);
    if (page_has(&s->page, PTL_RENDER_LEGEND)) {
        status = sheet_read_legend(s, &found, err);
        if (status == PTL_OK)
            captions_fit_legend(&layout, &found, &s->page);
    }
    if (status == PTL_OK) {
        captions_init(&c, world, s->options, &s->view, &s->page);
        captions_measure(&c, &s->page);
        page_place(&s->page, layout.height);
        if (page_has(&s->page, PTL_RENDER_LEGEND))
            captions_draw_legend(&layout, s->symbols, &s->page, &s->around);
        if (page_has(&s->page, PTL_RENDER_TITLE))
            captions_draw_title(&c, &s->page, &s->around);
        if (page_has(&s->page, PTL_RENDER_SCALE_BAR))
            captions_draw_scale(&c, &s->page, &s->around);
        if (s->options->maps && page_has(&s->page, PTL_RENDER_NAMES)) {
            maps_labels_place(s->options, &s->page, &s->view, &s->over);
        } else if (page_has(&s->page, PTL_RENDER_NAMES)) {
            const viewport *v = &s->view;
            const int64_t rect[4] = {v->x0, v->y0, v->x1, v->y1};
            name_list names;
            status = names_init(&names, err);
            THEN(status, world_cities(world, rect, offer_city, &names, err));
            if (status == PTL_OK)
                names_place(&names, &s->page, v, &s->over);
            names_dispose(&names);
        }
    }
    legend_dispose(&found);
    THEN(status, marks_place(s->options, &s->page, &s->view, &s->over, err));
    THEN(status, s->around.failed || s->over.failed ? error_nomem(err) : PTL_OK);
    return status;
}

/* Gets ready to draw on paper. The gaps between levels get the colour of the paper. */
static ptl_status init_stamps(sheet *s, ptl_world *world, ptl_error *err)
{
    const size_t row = (size_t)s->page.map_width * STAMP_BYTES;
    s->stamper =
        stamper_new(ptl_world_catalogue(world), s->options->style, s->page.scale, s->symbols);
    s->block = calloc((size_t)s->page.scale, row);
    if (!s->stamper || !s->block)
        return error_nomem(err);
    for (size_t i = 0; i < row * (size_t)s->page.scale; i += STAMP_BYTES)
        memcpy(s->block + i, &s->palette[PALETTE_GAP], STAMP_BYTES);
    return PTL_OK;
}

/* Gets ready for a map whose pixels are no palette indices. */
static ptl_status init_mixed(sheet *s, ptl_world *world, ptl_error *err)
{
    TRY(s->view.margin ? init_stamps(s, world, err) : PTL_OK);
    memset(s->cells, PALETTE_NONE, (size_t)s->page.map_width);
    s->mixed = malloc((size_t)s->page.width * STAMP_BYTES);
    if (!s->mixed)
        return error_nomem(err);
    return s->options->tileset ? sprite_rows_new(&s->sprites, s, err) : PTL_OK;
}

ptl_status sheet_init(sheet *s, ptl_world *world, const ptl_render_options *options,
                      ptl_error *err)
{
    memset(s, 0, sizeof *s);
    const int32_t side = options->local ? TILE_SIDE : 1;
    if (options->scale < 0 || options->scale > SCALE_MAX * side || options->scale % side != 0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         options->local ? "the scale of local maps is a multiple of %d up to %d"
                                        : "the scale lies in %d..%d",
                         (int)side, (int)(SCALE_MAX * side));
    if (options->symbols && options->scale / side <= FONT_HEIGHT)
        return error_set(err, PTL_ERR_ARGUMENT, "symbols need a scale of %d or more",
                         (FONT_HEIGHT + 1) * (int)side);
    if (options->parts & ~(uint32_t)PTL_RENDER_ALL)
        return error_set(err, PTL_ERR_ARGUMENT, "parts 0x%x has bits that mean nothing",
                         (unsigned)options->parts);
    if (options->font_scale < 0 || options->font_scale > LETTERS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "the font scale lies in 0..%d", LETTERS_MAX);
    TRY(viewport_init(&s->view, world, options, err));
    s->view.font_scale = options->font_scale;
    s->options = options;
    s->side = side;
    s->symbols = options->symbols;
    s->cells_row = -1;
    s->rows_total = s->view.height * (options->parts & PTL_RENDER_LEGEND ? 2 : 1);
    TRY(cell_view_new(&s->source, &s->view, options, err));
    page_measure(&s->page, &s->view, options->scale ? options->scale : side, options->parts);
    TRY(check_size(s->page.map_width, s->page.map_height, err));
    TRY(lay_out(s, world, err));
    TRY(check_size(s->page.width, s->page.height, err));
    if (options->layout) {
        const ptl_render_layout found = {.size = sizeof found,
                                         .width = s->page.width,
                                         .height = s->page.height,
                                         .map_x = s->page.map_x,
                                         .map_y = s->page.map_y,
                                         .level_step = s->page.panel_step,
                                         .scale = s->page.scale};
        SIZED_FILL(ptl_render_layout, options->layout, &found);
    }
    s->cells = malloc((size_t)s->page.map_width);
    s->line = malloc((size_t)s->page.width);
    if (!s->cells || !s->line)
        return error_nomem(err);
    memset(s->cells, s->page.parts ? PALETTE_PAPER : PALETTE_GAP, (size_t)s->page.map_width);
    for (int i = 0; i < PALETTE_ALL; i++)
        s->palette[i] = palette_of_style((uint8_t)i, options->style);
    return s->view.margin || options->tileset ? init_mixed(s, world, err) : PTL_OK;
}

void sheet_dispose(sheet *s)
{
    cell_view_free(s->source);
    viewport_dispose(&s->view);
    drawing_dispose(&s->around);
    drawing_dispose(&s->over);
    sprite_rows_free(s->sprites);
    free(s->cells);
    free(s->line);
    stamper_free(s->stamper);
    free(s->block);
    free(s->mixed);
}

/* ---- painting ---- */

/* Draws the loaded row of OMTs of all levels on paper. */
static ptl_status draw_block(sheet *s, ptl_error *err)
{
    const size_t stride = (size_t)s->page.map_width * STAMP_BYTES;
    for (size_t nth = 0; nth < s->view.level_count; nth++) {
        stamp_row row;
        cell_view_stamps(&row, s->source, nth);
        uint8_t *out = s->block + nth * (size_t)s->page.panel_step * STAMP_BYTES;
        if (!stamper_draw(s->stamper, out, stride, &row))
            return error_nomem(err);
    }
    return PTL_OK;
}

/* Puts the colours of palette indices, and the map's own pixels where there is none, into
 * s->mixed. */
static void mix(sheet *s, const uint8_t *indices, int64_t width, int64_t map_x)
{
    for (int64_t x = 0; x < width; x++)
        memcpy(s->mixed + x * STAMP_BYTES,
               indices[x] != PALETTE_NONE ? (const uint8_t *)&s->palette[indices[x]]
                                          : s->map_row + (x - map_x) * STAMP_BYTES,
               STAMP_BYTES);
}

/* Fills s->cells with one row of pixels of the map. OMTs are read only when the row of OMTs
 * changes. Cells are painted again only if the row of pixels differs from the previous one. */
static ptl_status seek_cells(sheet *s, int64_t row, ptl_error *err)
{
    const int64_t y = s->view.y0 + row / s->page.scale;
    const int32_t scale = s->page.scale / s->side, inside = (int32_t)(row % s->page.scale);
    const bool next = s->cells_row < 0 || s->view.y0 + s->cells_row / s->page.scale != y;
    ptl_status status = PTL_OK;
    if (next)
        status = s->sprites ? count_row(s, y, err) : sheet_seek(s, y, err);
    if (s->sprites) {
        THEN(status, sprite_rows_get(&s->map_row, s->sprites, row, err));
    } else if (s->stamper) {
        THEN(status, next ? draw_block(s, err) : PTL_OK);
        s->map_row = s->block + (size_t)inside * (size_t)s->page.map_width * STAMP_BYTES;
    } else if (status == PTL_OK && (next || s->symbols || inside % scale == 0))
        for (size_t nth = 0; nth < s->view.level_count; nth++) {
            uint8_t *out = s->cells + nth * (size_t)s->page.panel_step;
            for (size_t x = 0; x < s->view.width * (size_t)s->side; x++) {
                const look l = cell_view_look(s->source, nth, x, (size_t)(inside / scale));
                paint_cell_row(out + x * (size_t)scale, &l, scale, inside % scale, s->symbols);
            }
        }
    s->cells_row = row;
    return status;
}

ptl_status sheet_row(sheet *s, int64_t y, const uint8_t **out, ptl_error *err)
{
    const page *p = &s->page;
    const int64_t row = y - p->map_y;
    const bool on_map = row >= 0 && row < p->map_height;
    ptl_status status = on_map ? seek_cells(s, row, err) : PTL_OK;
    *out = s->cells;
    if (status == PTL_OK && p->parts == 0 && s->mixed) {
        mix(s, s->cells, p->map_width, 0);
        *out = s->mixed;
    }
    if (status != PTL_OK || p->parts == 0)
        return status;
    const letter_line line = {.pixels = s->line, .from = 0, .to = p->width};
    *out = s->line;
    memset(s->line, PALETTE_PAPER, (size_t)p->width);
    if (on_map)
        memcpy(s->line + p->map_x, s->cells, (size_t)p->map_width);
    if (on_map && s->view.block_width > 0)
        maps_grid_row(&s->frame, &line, row);
    else if (on_map && page_has(p, PTL_RENDER_GRID))
        frame_grid_row(&s->frame, &line, y);
    frame_row(&s->frame, &line, y);
    drawing_row(&s->around, &line, y);
    if (on_map)
        drawing_row(&s->over, &line, y);
    if (s->mixed) {
        mix(s, s->line, p->width, p->map_x);
        *out = s->mixed;
    }
    return PTL_OK;
}

/* Pictures of worlds as PNG, written row by row, and animations of tides and of steps. */

/* How long a step of a growing world is shown, and the world as it is, in tenths of a second.
 */
enum { STEP_TENTHS = 9, LAST_TENTHS = 40 };

enum { NOTE_SIZE = 256, NOTES_MAX = PNG_NOTES_MAX };

typedef struct picture {
    sheet sheet;
    png_note notes[NOTES_MAX];
    char texts[NOTES_MAX][NOTE_SIZE];
    size_t note_count;
    ptl_world *world; /* borrowed, as is `options` */
    /* The caller's options. In an animation, first_turn is increased for each frame. */
    ptl_render_options *options;
    uint32_t frames;
} picture;

static void add_note(picture *p, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_note(picture *p, const char *key, const char *format, ...)
{
    char *text = p->texts[p->note_count];
    va_list list;
    va_start(list, format);
    vsnprintf(text, NOTE_SIZE, format, list);
    va_end(list);
    visible_one_line(text);
    p->notes[p->note_count++] = (png_note){key, text};
}

/* Composes notes on how the picture was made: world, seed, rectangle, content, and where in the
 * picture the map lies. */
static ptl_status make_notes(picture *p, ptl_world *world, ptl_error *err)
{
    const viewport *v = &p->sheet.view;
    const page *g = &p->sheet.page;
    const int32_t last = v->z_first + (int32_t)(v->level_count - 1) * v->z_step;
    ptl_world_options made_of = PTL_WORLD_OPTIONS_INIT;
    (void)ptl_world_settings(&made_of, world, NULL);
    char content[65];
    ptl_status status = world_content_digest(world, content, err);
    if (p->options->title)
        add_note(p, "Title", "%.*s", UTF8_CUT(p->options->title, 200));
    else
        add_note(p, "Title", "%.*s, seed %ju", UTF8_CUT(ptl_world_name(world), 100),
                 made_of.seed);
    add_note(p, "Software", "portolan %s", ptl_version());
    add_note(p, "World", "%.*s", UTF8_CUT(ptl_world_name(world), 200));
    add_note(p, "Seed", "%ju", made_of.seed);
    add_note(p, "Rectangle", "%jd,%jd,%jd,%jd", v->x0, v->y0, v->x1, v->y1);
    add_note(p, "Levels", "%d..%d", (int)v->z_first, (int)last);
    add_note(p, "Content", "%s", content);
    add_note(p, "Map", "%jd,%jd,%d,%jd", g->map_x, g->map_y, (int)g->scale, g->panel_step);
    if (p->options->tide)
        add_note(p, "Turns", "%jd..%jd", p->options->first_turn, p->options->last_turn);
    return status;
}

/* ---- the picture ---- */

static ptl_status next_row(void *payload, int64_t y, const uint8_t **row, ptl_error *err)
{
    picture *p = payload;
    return sheet_row(&p->sheet, y, row, err);
}

static int64_t step_of(const ptl_render_options *o)
{
    return o->turn_step > 0 ? o->turn_step : 1;
}

/* Prepares frame `number` of an animation. All frames have the same size, because an animation
 * shows only the map, without texts around it. */
static ptl_status next_frame(void *payload, uint32_t number, ptl_error *err)
{
    picture *p = payload;
    if (number > 0) {
        p->options->first_turn += step_of(p->options);
        sheet_dispose(&p->sheet);
        TRY(sheet_init(&p->sheet, p->world, p->options, err));
    }
    if (p->options->steps)
        growth_begin(&p->sheet, number);
    return p->sheet.over.failed ? error_nomem(err) : PTL_OK;
}

/* Checks the options for tides and steps, and counts the picture's frames. */
static ptl_status count_frames(uint32_t *out, const ptl_render_options *o, ptl_error *err)
{
    *out = o->steps ? growth_frames() : 1;
    if (o->steps && (o->local || o->tide || o->maps))
        return error_set(err, PTL_ERR_ARGUMENT, "steps are shown of worlds, not of local maps");
    if (o->steps && o->parts & ~(uint32_t)PTL_RENDER_NAMES)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "an animation of steps has names at most beside the map");
    if (!o->tide)
        return PTL_OK;
    if (!o->local)
        return error_set(err, PTL_ERR_ARGUMENT, "a tide is shown on local maps alone");
    if (o->first_turn < 0 || o->last_turn < o->first_turn || o->turn_step < 0 ||
        (o->last_turn - o->first_turn) / step_of(o) >= PTL_TIDE_FRAMES_MAX)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "turns %jd to %jd by %jd: a picture has 1 to %d, from 0 on",
                         o->first_turn, o->last_turn, o->turn_step, PTL_TIDE_FRAMES_MAX);
    *out = (uint32_t)((o->last_turn - o->first_turn) / step_of(o) + 1);
    if (*out > 1 && o->parts)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "an animation is the map alone: parts must be 0");
    return PTL_OK;
}

ptl_status ptl_render_png_write(ptl_world *world, const ptl_render_options *options,
                                ptl_sink sink, void *payload, ptl_error *err)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    error_clear(err);
    if (!world || !options || !sink)
        return error_set(err, PTL_ERR_ARGUMENT, "world, options and sink must be given");
    TRY(SIZED_TAKE(ptl_render_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_render_layout, o.layout, err));
    picture p = {.world = world, .options = &o};
    TRY(count_frames(&p.frames, &o, err));
    ptl_status status = sheet_init(&p.sheet, world, &o, err);
    THEN(status, make_notes(&p, world, err));
    if (status == PTL_OK) {
        const png_source source = {.width = p.sheet.page.width,
                                   .height = p.sheet.page.height,
                                   .bits = p.sheet.mixed ? 24 : 8,
                                   .colours = p.sheet.palette,
                                   .colour_count = o.style == PTL_STYLE_TERMINAL ? PALETTE_SIZE
                                                                                 : PALETTE_ALL,
                                   .notes = p.notes,
                                   .note_count = p.note_count,
                                   .next_row = next_row,
                                   .frames = p.frames,
                                   .next_frame = next_frame,
                                   .tenths = o.steps ? STEP_TENTHS : 1,
                                   .last_tenths = o.steps ? LAST_TENTHS : 1,
                                   .payload = &p};
        status = png_stream_write(&source, sink, payload, err);
    }
    sheet_dispose(&p.sheet);
    return status;
}
