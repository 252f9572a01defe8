/*
 * The library libpng reports errors by longjmp: everything it may jump over lives in one
 * `stream`, so that nothing is lost and no local variable changes between setjmp and the jump.
 */
#include "render/png_stream.h"

#include "core/error.h"

#include <png.h>

#include <setjmp.h>
#include <string.h>

typedef struct stream {
    const png_source *source;
    ptl_sink sink;
    void *payload;
    png_structp png;
    png_infop info;
    int64_t y;
    char message[160]; /* libpng's */
    ptl_status status;
    ptl_error *err;
} stream;

static void on_png_error(png_structp png, png_const_charp message)
{
    stream *s = png_get_error_ptr(png);
    size_t size = strlen(message);
    if (size >= sizeof s->message)
        size = sizeof s->message - 1;
    memcpy(s->message, message, size);
    s->message[size] = '\0';
    png_longjmp(png, 1);
}

static void on_png_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_png_write(png_structp png, png_bytep data, png_size_t size)
{
    stream *s = png_get_io_ptr(png);
    if (!s->sink(s->payload, data, size)) {
        s->status = PTL_ERR_IO;
        png_error(png, "the receiver of the picture refused it");
    }
}

static void on_png_flush(png_structp png)
{
    (void)png;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

/* Returns a text as libpng takes it: one that it could change, and does not. */
static png_charp lent(const char *text)
{
    return (png_charp)(uintptr_t)text;
}

static void write_colours(stream *s)
{
    png_color colours[PNG_COLOURS_MAX];
    for (int i = 0; i < s->source->colour_count; i++) {
        const rgb v = s->source->colours[i];
        colours[i] = (png_color){.red = v.r, .green = v.g, .blue = v.b};
    }
    png_set_PLTE(s->png, s->info, colours, s->source->colour_count);
}

static void write_head(stream *s)
{
    const bool grey = s->source->bits == 16, mixed = s->source->bits == 32;
    png_set_write_fn(s->png, s, on_png_write, on_png_flush);
    png_set_user_limits(s->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(s->png, s->info, (png_uint_32)s->source->width, (png_uint_32)s->source->height,
                 mixed ? 8 : s->source->bits,
                 grey    ? PNG_COLOR_TYPE_GRAY
                 : mixed ? PNG_COLOR_TYPE_RGB_ALPHA
                         : PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (!grey && !mixed)
        write_colours(s);
    png_text texts[PNG_NOTES_MAX];
    char none[] = "";
    memset(texts, 0, sizeof texts);
    for (size_t i = 0; i < s->source->note_count; i++) {
        const png_note *n = &s->source->notes[i];
        texts[i].key = lent(n->key);
        texts[i].text = lent(n->text);
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
    png_set_text(s->png, s->info, texts, (int)s->source->note_count);
    png_set_filter(s->png, PNG_FILTER_TYPE_BASE, grey ? PNG_FILTER_SUB : PNG_FILTER_NONE);
    png_write_info(s->png, s->info);
}

static ptl_status write_all(stream *s)
{
    if (setjmp(png_jmpbuf(s->png))) {
        ptl_status status = s->status != PTL_OK ? s->status : PTL_ERR_NOMEM;
        return error_set(s->err, status, "writing the picture: %s", s->message);
    }
    write_head(s);
    for (s->y = 0; s->y < s->source->height; s->y++) {
        const uint8_t *row = NULL;
        s->status = s->source->next_row(s->source->payload, s->y, &row, s->err);
        if (s->status != PTL_OK)
            return s->status;
        png_write_row(s->png, row);
    }
    png_write_end(s->png, s->info);
    return PTL_OK;
}

ptl_status png_stream_write(const png_source *source, ptl_sink sink, void *payload,
                            ptl_error *err)
{
    stream s = {.source = source, .sink = sink, .payload = payload, .err = err};
    ptl_status status = PTL_OK;
    s.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &s, on_png_error, on_png_warning);
    if (s.png)
        s.info = png_create_info_struct(s.png);
    status = s.info ? write_all(&s) : error_nomem(err);
    if (s.png)
        png_destroy_write_struct(&s.png, &s.info);
    return status;
}
