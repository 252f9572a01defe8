/*
 * PNG pictures, row by row. The picture is indexed: terrains have a few dozen colours, and one
 * byte a pixel makes it three times quicker to compress than true colour.
 *
 * libpng reports errors by longjmp: everything it may jump over lives in one `picture`, so
 * that nothing is lost and no local variable changes between setjmp and the jump.
 */
#include "portolan/render.h"

#include "core/error.h"
#include "core/sized.h"
#include "core/visible.h"
#include "render/sheet.h"
#include "world/places.h"

#include <png.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NOTE_SIZE = 256, NOTES_MAX = 8 };

/* What a picture says of itself. */
typedef struct note {
    const char *key; /* a constant */
    char text[NOTE_SIZE];
} note;

typedef struct picture {
    sheet sheet;
    note notes[NOTES_MAX];
    size_t note_count;
    ptl_sink sink;
    void *payload;
    png_structp png;
    png_infop info;
    char message[160]; /* libpng's */
    ptl_status status;
    ptl_error *err;
} picture;

static void on_png_error(png_structp png, png_const_charp message)
{
    picture *p = png_get_error_ptr(png);
    size_t size = strlen(message);
    if (size >= sizeof p->message)
        size = sizeof p->message - 1;
    memcpy(p->message, message, size);
    p->message[size] = '\0';
    png_longjmp(png, 1);
}

static void on_png_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_png_write(png_structp png, png_bytep data, png_size_t size)
{
    picture *p = png_get_io_ptr(png);
    if (!p->sink(p->payload, data, size)) {
        p->status = PTL_ERR_IO;
        png_error(png, "the receiver of the picture refused it");
    }
}

static void on_png_flush(png_structp png)
{
    (void)png;
}

/* ---- notes ---- */

static void add_note(picture *p, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_note(picture *p, const char *key, const char *format, ...)
{
    note *n = &p->notes[p->note_count++];
    va_list list;
    n->key = key;
    va_start(list, format);
    vsnprintf(n->text, sizeof n->text, format, list);
    va_end(list);
    visible_one_line(n->text);
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

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

static void write_notes(picture *p)
{
    png_text texts[NOTES_MAX];
    char none[] = "";
    memset(texts, 0, sizeof texts);
    for (size_t i = 0; i < p->note_count; i++) {
        note *n = &p->notes[i];
        texts[i].key = (png_charp)(uintptr_t)n->key;
        texts[i].text = n->text;
        texts[i].text_length = strlen(n->text);
        texts[i].compression = PNG_TEXT_COMPRESSION_NONE;
        if (is_ascii(n->text))
            continue;
        texts[i].compression = PNG_ITXT_COMPRESSION_NONE;
        texts[i].itxt_length = texts[i].text_length;
        texts[i].text_length = 0;
        texts[i].lang = none;
        texts[i].lang_key = none;
    }
    png_set_text(p->png, p->info, texts, (int)p->note_count);
}

/* ---- the picture ---- */

static ptl_status picture_init(picture *p, ptl_world *world, const ptl_render_options *options,
                               ptl_error *err)
{
    ptl_status status = sheet_init(&p->sheet, world, options, err);
    if (status == PTL_OK)
        status = make_notes(p, world, err);
    if (status != PTL_OK)
        return status;
    p->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, p, on_png_error, on_png_warning);
    if (p->png)
        p->info = png_create_info_struct(p->png);
    return p->info ? PTL_OK : error_nomem(err);
}

static void picture_dispose(picture *p)
{
    if (p->png)
        png_destroy_write_struct(&p->png, &p->info);
    sheet_dispose(&p->sheet);
}

static void write_head(picture *p)
{
    png_color colours[PALETTE_SIZE];
    for (int i = 0; i < PALETTE_SIZE; i++) {
        rgb v = palette_rgb((uint8_t)i);
        colours[i] = (png_color){.red = v.r, .green = v.g, .blue = v.b};
    }
    png_set_write_fn(p->png, p, on_png_write, on_png_flush);
    png_set_user_limits(p->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(p->png, p->info, (png_uint_32)p->sheet.page.width,
                 (png_uint_32)p->sheet.page.height, 8, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(p->png, p->info, colours, PALETTE_SIZE);
    write_notes(p);
    png_set_filter(p->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(p->png, p->info);
}

static ptl_status write_all(picture *p)
{
    if (setjmp(png_jmpbuf(p->png))) {
        ptl_status status = p->status != PTL_OK ? p->status : PTL_ERR_NOMEM;
        return error_set(p->err, status, "writing the picture: %s", p->message);
    }
    write_head(p);
    for (int64_t y = 0; y < p->sheet.page.height; y++) {
        const uint8_t *row = NULL;
        p->status = sheet_row(&p->sheet, y, &row, p->err);
        if (p->status != PTL_OK)
            return p->status;
        png_write_row(p->png, row);
    }
    png_write_end(p->png, p->info);
    return PTL_OK;
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
    picture p = {.sink = sink, .payload = payload, .err = err};
    status = picture_init(&p, world, &o, err);
    if (status == PTL_OK)
        status = write_all(&p);
    picture_dispose(&p);
    return status;
}
