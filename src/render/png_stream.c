/*
 * The library libpng reports errors by longjmp. All data that must be freed after such a jump
 * is in one struct, `stream`, and no local variable changes between setjmp and the jump.
 */
#include "render/png_stream.h"

#include "core/error.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum {
    SIGNATURE = 8, /* number of bytes of the signature at the beginning of a PNG file */
    PART_HEAD = 8, /* number of bytes of a PNG chunk's length and name */
    PART_CRC = 4,
    NAME = 4,
    TENTHS = 10 /* in a second */
};

typedef struct stream {
    const png_source *source;
    ptl_sink sink;
    void *payload;
    png_structp png;
    png_infop info;
    uint32_t frame;    /* number of the animation's frame that is being written */
    uint32_t sequence; /* number of the animation's next PNG chunk of type fcTL or fdAT */
    bytes packed;      /* a frame of the animation after the first one, as a PNG of its own */
    bytes part;        /* data of a PNG chunk that this file writes itself, without libpng */
    char message[160]; /* the message of libpng */
    ptl_status status;
    ptl_error *err;
} stream;

static void on_png_error(png_structp png, png_const_charp message)
{
    stream *s = png_get_error_ptr(png);
    (void)snprintf(s->message, sizeof s->message, "%s", message);
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

/* Removes const for libpng, which takes pointers to char but does not write through them. */
static png_charp lent(const char *text)
{
    return (png_charp)(uintptr_t)text;
}

/* Writes everything that comes before the rows of pixels. Notes with characters beyond ASCII
 * need PNG chunks of the type iTXt, whose texts are UTF-8. */
static void write_head(stream *s)
{
    const int bits = s->source->bits;
    const bool grey = bits == 16, mixed = bits >= 24;
    png_set_write_fn(s->png, s, on_png_write, on_png_flush);
    png_set_user_limits(s->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(s->png, s->info, (png_uint_32)s->source->width, (png_uint_32)s->source->height,
                 mixed ? 8 : bits,
                 grey         ? PNG_COLOR_TYPE_GRAY
                 : bits == 24 ? PNG_COLOR_TYPE_RGB
                 : mixed      ? PNG_COLOR_TYPE_RGB_ALPHA
                              : PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (!grey && !mixed) {
        png_color colours[PNG_COLOURS_MAX];
        for (int i = 0; i < s->source->colour_count; i++) {
            const rgb v = s->source->colours ? s->source->colours[i] : palette_rgb((uint8_t)i);
            colours[i] = (png_color){.red = v.r, .green = v.g, .blue = v.b};
        }
        png_set_PLTE(s->png, s->info, colours, s->source->colour_count);
    }
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

static ptl_status write_rows(stream *s)
{
    for (int64_t y = 0; y < s->source->height; y++) {
        const uint8_t *row = NULL;
        s->status = s->source->next_row(s->source->payload, y, &row, s->err);
        if (s->status != PTL_OK)
            return s->status;
        png_write_row(s->png, row);
    }
    return PTL_OK;
}

/* ---- animations ---- */

/* Appends numbers of 4 bytes to the PNG chunk in s->part. Numbers in PNG are big-endian. */
static void put_numbers(stream *s, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes_put_u8(&s->part, (uint8_t)(numbers[i] >> shift));
}

static void write_part(stream *s, const char name[NAME + 1])
{
    png_byte type[NAME + 1];
    memcpy(type, name, NAME + 1);
    if (s->part.failed)
        png_error(s->png, "out of memory");
    png_write_chunk(s->png, type, s->part.data, s->part.size);
    bytes_clear(&s->part);
}

/* Writes the PNG chunk with the control data of a frame. Before the first frame, it also writes
 * the PNG chunk with the control data of the whole animation. */
static void write_control(stream *s)
{
    const png_source *o = s->source;
    if (s->frame == 0) {
        /* The number of frames, and how often the animation is repeated; 0: for ever. */
        put_numbers(s, (const uint32_t[]){o->frames, 0}, 2);
        write_part(s, "acTL");
    }
    /* The last one of the numbers below is the time for which the frame is shown: a fraction of
     * two 16-bit numbers, in seconds. The two bytes after the numbers say that the frame
     * replaces the previous one. */
    const uint32_t shown = s->frame + 1 == o->frames ? o->last_tenths : o->tenths;
    const uint32_t numbers[] = {s->sequence++,
                                (uint32_t)o->width,
                                (uint32_t)o->height,
                                0,
                                0,
                                (shown > 0 ? shown : 1) << 16 | TENTHS};
    put_numbers(s, numbers, sizeof numbers / sizeof numbers[0]);
    bytes_put(&s->part, "\0", 2);
    write_part(s, "fcTL");
}

/* Writes a frame after the first one: makes a PNG of it in memory, and writes its image data as
 * PNG chunks of the type fdAT. */
static ptl_status write_later_frame(stream *s)
{
    png_source one = *s->source;
    one.frames = 1;
    one.next_frame = NULL;
    bytes_clear(&s->packed);
    s->status = png_stream_put(&s->packed, &one, s->err);
    for (size_t at = SIGNATURE; s->status == PTL_OK && at < s->packed.size;) {
        const uint8_t *head = s->packed.data + at;
        const size_t size = png_get_uint_32(head);
        if (memcmp(head + NAME, "IDAT", NAME) == 0) {
            put_numbers(s, &s->sequence, 1);
            s->sequence++;
            bytes_put(&s->part, head + PART_HEAD, size);
            write_part(s, "fdAT");
        }
        at += PART_HEAD + size + PART_CRC;
    }
    return s->status;
}

/* ---- writing the whole picture ---- */

/* Writes the picture. If libpng reports an error, it jumps back to setjmp, which then returns a
 * value other than 0. */
static ptl_status write_all(stream *s)
{
    const png_source *o = s->source;
    if (setjmp(png_jmpbuf(s->png))) {
        ptl_status status = s->status != PTL_OK ? s->status : PTL_ERR_NOMEM;
        return error_set(s->err, status, "writing the picture: %s", s->message);
    }
    write_head(s);
    for (; s->frame == 0 || s->frame < o->frames; s->frame++) {
        s->status = o->next_frame ? o->next_frame(o->payload, s->frame, s->err) : PTL_OK;
        TRY(s->status);
        if (o->frames > 1)
            write_control(s);
        TRY(s->frame == 0 ? write_rows(s) : write_later_frame(s));
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
    bytes_dispose(&s.packed);
    bytes_dispose(&s.part);
    return status;
}

static bool to_memory(void *payload, const void *data, size_t size)
{
    bytes_put(payload, data, size);
    return !((const bytes *)payload)->failed;
}

ptl_status png_stream_put(bytes *out, const png_source *source, ptl_error *err)
{
    ptl_error own = {.status = PTL_OK};
    const ptl_status status = png_stream_write(source, to_memory, out, &own);
    /* If memory is out, to_memory refuses the data, and png_stream_write reports another error
     * for it. So this is checked first. */
    if (out->failed)
        return error_nomem(err);
    return status == PTL_OK ? status : error_copy(err, &own);
}
