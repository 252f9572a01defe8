/*
 * PNG pictures, row by row. The picture is indexed: terrains have a few dozen colours, and one
 * byte a pixel makes it three times quicker to compress than true colour.
 *
 * libpng reports errors by longjmp: everything it may jump over lives in one `picture`, so
 * that nothing is lost and no local variable changes between setjmp and the jump.
 */
#include "portolan/render.h"

#include "core/error.h"
#include "render/font.h"
#include "render/paint.h"
#include "render/viewport.h"
#include "world/world.h"

#include <png.h>

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE_MAX = 32, GAP_OMTS = 2 };

typedef struct picture {
    viewport view;
    const catalogue *cat;
    look *looks;
    int32_t scale;
    bool symbols;
    size_t pixels, lines; /* the picture's size */
    uint8_t *line;        /* owned; one line of palette indices */
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

static ptl_status picture_size(picture *p, ptl_error *err)
{
    size_t levels = p->view.level_count, scale = (size_t)p->scale;
    size_t columns = p->view.width * levels + GAP_OMTS * (levels - 1);
    p->pixels = columns * scale;
    p->lines = p->view.height * scale;
    if (p->pixels > PNG_UINT_31_MAX || p->lines > PNG_UINT_31_MAX)
        return error_set(err, PTL_ERR_LIMIT,
                         "the picture would have %zu x %zu pixels; a PNG holds 2147483647 on a "
                         "side: choose a smaller part or scale",
                         p->pixels, p->lines);
    return PTL_OK;
}

static ptl_status picture_init(picture *p, ptl_world *world, const ptl_render_options *options,
                               ptl_error *err)
{
    p->scale = options->scale ? options->scale : 1;
    p->symbols = options->symbols;
    if (p->scale < 1 || p->scale > SCALE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "the scale lies in 1..%d", SCALE_MAX);
    if (p->symbols && p->scale <= FONT_HEIGHT)
        return error_set(err, PTL_ERR_ARGUMENT, "symbols need a scale of %d or more",
                         FONT_HEIGHT + 1);
    ptl_status status = viewport_init(&p->view, world, options, err);
    if (status == PTL_OK)
        status = picture_size(p, err);
    if (status != PTL_OK)
        return status;
    p->cat = world_catalogue(world);
    p->looks = looks_new(p->cat);
    p->line = malloc(p->pixels);
    if (!p->looks || !p->line)
        return error_nomem(err);
    memset(p->line, PALETTE_GAP, p->pixels);
    p->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, p, on_png_error, on_png_warning);
    if (p->png)
        p->info = png_create_info_struct(p->png);
    return p->info ? PTL_OK : error_nomem(err);
}

static void picture_dispose(picture *p)
{
    if (p->png)
        png_destroy_write_struct(&p->png, &p->info);
    viewport_dispose(&p->view);
    free(p->looks);
    free(p->line);
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
    png_set_IHDR(p->png, p->info, (png_uint_32)p->pixels, (png_uint_32)p->lines, 8,
                 PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(p->png, p->info, colours, PALETTE_SIZE);
    png_set_filter(p->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(p->png, p->info);
}

static void paint_line_of(picture *p, int64_t y, int32_t row)
{
    size_t scale = (size_t)p->scale;
    for (size_t nth = 0; nth < p->view.level_count; nth++) {
        const ptl_oter *cells = viewport_row(&p->view, nth, y);
        uint8_t *out = p->line + nth * (p->view.width + GAP_OMTS) * scale;
        for (size_t x = 0; x < p->view.width; x++)
            paint_cell_row(out + x * scale, look_of(p->looks, p->cat, cells[x]), p->scale, row,
                           p->symbols);
    }
}

static bool write_row(picture *p, int64_t y)
{
    p->status = viewport_seek(&p->view, y, p->err);
    if (p->status != PTL_OK)
        return false;
    for (int32_t row = 0; row < p->scale; row++) {
        if (p->symbols || row == 0)
            paint_line_of(p, y, row);
        png_write_row(p->png, p->line);
    }
    return true;
}

static ptl_status write_all(picture *p)
{
    if (setjmp(png_jmpbuf(p->png))) {
        ptl_status status = p->status != PTL_OK ? p->status : PTL_ERR_NOMEM;
        return error_set(p->err, status, "writing the picture: %s", p->message);
    }
    write_head(p);
    for (int64_t y = p->view.y0; y <= p->view.y1; y++)
        if (!write_row(p, y))
            return p->status;
    png_write_end(p->png, p->info);
    return PTL_OK;
}

ptl_status ptl_render_png(ptl_world *world, const ptl_render_options *options, ptl_sink sink,
                          void *payload, ptl_error *err)
{
    error_clear(err);
    if (!world || !options || !sink)
        return error_set(err, PTL_ERR_ARGUMENT, "world, options and sink must be given");
    picture p = {.sink = sink, .payload = payload, .err = err};
    ptl_status status = picture_init(&p, world, options, err);
    if (status == PTL_OK)
        status = write_all(&p);
    picture_dispose(&p);
    return status;
}
