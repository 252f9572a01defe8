/* Pictures of worlds as PNG, written row by row, and animations of tides. */
#include "portolan/render.h"

#include "core/error.h"
#include "core/sized.h"
#include "core/visible.h"
#include "portolan/tide.h"
#include "render/png_stream.h"
#include "render/sheet.h"
#include "world/places.h"

#include <stdarg.h>
#include <stdio.h>

enum { NOTE_SIZE = 256, NOTES_MAX = PNG_NOTES_MAX };

typedef struct picture {
    sheet sheet;
    png_note notes[NOTES_MAX];
    char texts[NOTES_MAX][NOTE_SIZE];
    size_t note_count;
    ptl_world *world;            /* borrowed, as the options */
    ptl_render_options *options; /* first_turn is moved on for each frame */
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

/* Notes how the picture was made: world, seed, rectangle, content, and where the map lies in
 * it. */
static ptl_status make_notes(picture *p, ptl_world *world, ptl_error *err)
{
    const viewport *v = &p->sheet.view;
    const page *g = &p->sheet.page;
    const int32_t last = v->z_first + (int32_t)(v->level_count - 1) * v->z_step;
    ptl_world_options made_of = PTL_WORLD_OPTIONS_INIT;
    (void)ptl_world_settings(&made_of, world, NULL);
    char digest[65];
    ptl_status status = world_content_digest(world, digest, err);
    add_note(p, "Title", "%.100s, seed %ju", ptl_world_name(world), made_of.seed);
    add_note(p, "Software", "portolan %s", ptl_version());
    add_note(p, "World", "%.200s", ptl_world_name(world));
    add_note(p, "Seed", "%ju", made_of.seed);
    add_note(p, "Rectangle", "%jd,%jd,%jd,%jd", v->x0, v->y0, v->x1, v->y1);
    add_note(p, "Levels", "%d..%d", (int)v->z_first, (int)last);
    add_note(p, "Content", "%s", digest);
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

/* Prepares frame `number`. All frames have the same size, because they are the map alone. */
static ptl_status next_frame(void *payload, uint32_t number, ptl_error *err)
{
    picture *p = payload;
    if (number == 0)
        return PTL_OK;
    p->options->first_turn += step_of(p->options);
    sheet_dispose(&p->sheet);
    return sheet_init(&p->sheet, p->world, p->options, err);
}

/* Checks the options of tides, and counts the picture's frames. */
static ptl_status count_frames(uint32_t *out, const ptl_render_options *o, ptl_error *err)
{
    *out = 1;
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
    picture p = {.world = world, .options = &o};
    TRY(count_frames(&p.frames, &o, err));
    ptl_status status = sheet_init(&p.sheet, world, &o, err);
    THEN(status, make_notes(&p, world, err));
    if (status == PTL_OK) {
        rgb colours[PALETTE_SIZE];
        for (int i = 0; i < PALETTE_SIZE; i++)
            colours[i] = palette_rgb((uint8_t)i);
        const png_source source = {.width = p.sheet.page.width,
                                   .height = p.sheet.page.height,
                                   .bits = 8,
                                   .colours = colours,
                                   .colour_count = PALETTE_SIZE,
                                   .notes = p.notes,
                                   .note_count = p.note_count,
                                   .next_row = next_row,
                                   .payload = &p};
        const apng_source animation = {&source, p.frames, next_frame, &p};
        status = p.frames > 1 ? apng_write(&animation, sink, payload, err)
                              : png_stream_write(&source, sink, payload, err);
    }
    sheet_dispose(&p.sheet);
    return status;
}
