/* Pictures of worlds as PNG, row by row. */
#include "portolan/render.h"

#include "core/error.h"
#include "core/sized.h"
#include "core/visible.h"
#include "render/png_stream.h"
#include "render/sheet.h"
#include "world/places.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { NOTE_SIZE = 256, NOTES_MAX = 8 };

typedef struct picture {
    sheet sheet;
    png_note notes[NOTES_MAX];
    char texts[NOTES_MAX][NOTE_SIZE];
    size_t note_count;
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

static ptl_status make_notes(picture *p, ptl_world *world, ptl_error *err)
{
    const viewport *v = &p->sheet.view;
    const page *g = &p->sheet.page;
    const int32_t last = v->z_first + (int32_t)(v->level_count - 1) * v->z_step;
    ptl_world_options made_of = PTL_WORLD_OPTIONS_INIT;
    (void)ptl_world_get_options(&made_of, world, NULL);
    char digest[65];
    ptl_status status = world_content_digest(world, digest, err);
    add_note(p, "Title", "%.100s, seed %" PRIu64, ptl_world_name(world), made_of.seed);
    add_note(p, "Software", "portolan %s", ptl_version());
    add_note(p, "World", "%.200s", ptl_world_name(world));
    add_note(p, "Seed", "%" PRIu64, made_of.seed);
    add_note(p, "Rectangle", "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, v->x0, v->y0,
             v->x1, v->y1);
    add_note(p, "Levels", "%d..%d", (int)v->z_first, (int)last);
    add_note(p, "Content", "%s", digest);
    add_note(p, "Map", "%" PRId64 ",%" PRId64 ",%d,%" PRId64, g->map_x, g->map_y, (int)g->scale,
             g->panel_step);
    return status;
}

/* ---- the picture ---- */

static ptl_status next_row(void *payload, int64_t y, const uint8_t **row, ptl_error *err)
{
    picture *p = payload;
    return sheet_row(&p->sheet, y, row, err);
}

static ptl_status write_picture(picture *p, ptl_sink sink, void *payload, ptl_error *err)
{
    rgb colours[PALETTE_SIZE];
    for (int i = 0; i < PALETTE_SIZE; i++)
        colours[i] = palette_rgb((uint8_t)i);
    const png_source source = {.width = p->sheet.page.width,
                               .height = p->sheet.page.height,
                               .bits = 8,
                               .colours = colours,
                               .colour_count = PALETTE_SIZE,
                               .notes = p->notes,
                               .note_count = p->note_count,
                               .next_row = next_row,
                               .payload = p};
    return png_stream_write(&source, sink, payload, err);
}

ptl_status ptl_render_png(ptl_world *world, const ptl_render_options *options, ptl_sink sink,
                          void *payload, ptl_error *err)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    error_clear(err);
    if (!world || !options || !sink)
        return error_set(err, PTL_ERR_ARGUMENT, "world, options and sink must be given");
    ptl_status status = SIZED_TAKE(ptl_render_options, &o, options, err);
    if (status != PTL_OK)
        return status;
    picture p = {.note_count = 0};
    status = sheet_init(&p.sheet, world, &o, err);
    if (status == PTL_OK)
        status = make_notes(&p, world, err);
    if (status == PTL_OK)
        status = write_picture(&p, sink, payload, err);
    sheet_dispose(&p.sheet);
    return status;
}
