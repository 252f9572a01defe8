/*
 * The library libpng reports errors by longjmp. Everything that the jump may pass over lives in
 * one struct, `stream`, so that nothing leaks, and no local variable changes between setjmp and
 * the jump.
 */
#include "render/png_stream.h"

#include "core/bytes.h"
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
    char message[160]; /* the message of libpng */
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

/* Casts const away for libpng, which takes char pointers but does not write through them. */
static png_charp lent(const char *text)
{
    return (png_charp)(uintptr_t)text;
}

/* Writes all that stands before the rows. Notes that are not ASCII need the chunk iTXt, which
 * is UTF-8. */
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
    if (!grey && !mixed) {
        png_color colours[PNG_COLOURS_MAX];
        for (int i = 0; i < s->source->colour_count; i++) {
            const rgb v = s->source->colours[i];
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

/* Writes the picture. After an error in libpng, setjmp returns a second time. */
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

/*
 * Animations. Each frame is first written as a PNG of its own in memory. Then its chunks are
 * passed on: the first frame's with the control chunks of an animation in front, those of the
 * others with their data under another name.
 */

enum {
    SIGNATURE = 8,
    PART_HEAD = 8, /* length and name of a chunk */
    PART_CRC = 4,
    NAME = 4,
    CONTROL_SIZE = 26, /* size of the data of fcTL */
    TENTHS = 10        /* delay of a frame: 1 / TENTHS seconds */
};

typedef struct animation {
    const apng_source *source;
    ptl_sink sink;
    void *payload;
    png_structp png;   /* writes chunks, with their checksums */
    uint32_t sequence; /* number of the next fcTL or fdAT */
    uint32_t number;   /* of the present frame */
    bytes frame;       /* the present frame as a PNG */
    bytes part;
    bool refused; /* the sink has refused data */
    bool begun;   /* the control chunk of the present frame was written */
    ptl_status status;
    ptl_error *err;
} animation;

static void on_error(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void on_write(png_structp png, png_bytep data, png_size_t size)
{
    animation *a = png_get_io_ptr(png);
    a->refused = !a->sink(a->payload, data, size);
    if (a->refused)
        png_error(png, "refused");
}

static bool to_memory(void *payload, const void *data, size_t size)
{
    bytes *b = payload;
    bytes_put(b, data, size);
    return !b->failed;
}

/* Numbers in PNG are big-endian. */
static void put_big(bytes *b, uint32_t v, int size)
{
    for (int i = size - 1; i >= 0; i--)
        bytes_put_u8(b, (uint8_t)(v >> 8 * i));
}

static void write_part(animation *a, const char name[NAME + 1])
{
    png_byte type[NAME + 1];
    memcpy(type, name, NAME + 1);
    if (a->part.failed)
        png_error(a->png, "no memory");
    png_write_chunk(a->png, type, a->part.data, a->part.size);
    bytes_clear(&a->part);
}

/* Passes on one chunk of a frame's PNG. */
static void hand_on(animation *a, const uint8_t *name, const uint8_t *data, size_t size)
{
    const bool is_data = memcmp(name, "IDAT", NAME) == 0;
    const bool is_end = memcmp(name, "IEND", NAME) == 0;
    char text[NAME + 1] = "";
    memcpy(text, name, NAME);
    if (is_data && !a->begun) {
        /* The control chunk comes before a frame's data. Before the first one comes that of
         * the whole animation. */
        if (a->number == 0) {
            put_big(&a->part, a->source->frames, 4);
            put_big(&a->part, 0, 4); /* repeat for ever */
            write_part(a, "acTL");
        }
        put_big(&a->part, a->sequence++, 4);
        put_big(&a->part, (uint32_t)a->source->picture->width, 4);
        put_big(&a->part, (uint32_t)a->source->picture->height, 4);
        put_big(&a->part, 0, 4); /* position x and y */
        put_big(&a->part, 0, 4);
        put_big(&a->part, 1, 2);
        put_big(&a->part, TENTHS, 2);
        put_big(&a->part, 0, 2); /* each frame replaces the previous one */
        write_part(a, "fcTL");
        a->begun = true;
    }
    if (is_data && a->number > 0) {
        put_big(&a->part, a->sequence++, 4);
        memcpy(text, "fdAT", NAME);
    } else if (is_end ? a->number + 1 < a->source->frames : !is_data && a->number > 0) {
        return; /* the file has only one head and one end */
    }
    bytes_put(&a->part, data, size);
    write_part(a, text);
}

static ptl_status write_frame(animation *a)
{
    ptl_error local = {.status = PTL_OK};
    bytes_clear(&a->frame);
    ptl_status status = a->source->next_frame(a->source->payload, a->number, a->err);
    THEN(status, png_stream_write(a->source->picture, to_memory, &a->frame, &local));
    if (a->frame.failed) /* then the message would blame the receiver, which is this file */
        return error_nomem(a->err);
    return local.status != PTL_OK ? error_copy(a->err, &local) : status;
}

static ptl_status write_frames(animation *a)
{
    if (setjmp(png_jmpbuf(a->png)))
        return a->refused ? error_set(a->err, PTL_ERR_IO,
                                      "writing the picture: the receiver refused it")
                          : error_nomem(a->err);
    for (a->number = 0; a->number < a->source->frames; a->number++) {
        a->status = write_frame(a);
        if (a->status != PTL_OK)
            return a->status;
        const bytes *f = &a->frame;
        a->begun = false;
        if (a->number == 0)
            png_write_sig(a->png);
        for (size_t at = SIGNATURE; at + PART_HEAD + PART_CRC <= f->size;) {
            const size_t size = (uint32_t)(f->data + at)[0] << 24 |
                                (uint32_t)(f->data + at)[1] << 16 |
                                (uint32_t)(f->data + at)[2] << 8 | (f->data + at)[3];
            hand_on(a, f->data + at + NAME, f->data + at + PART_HEAD, size);
            at += PART_HEAD + size + PART_CRC;
        }
    }
    return PTL_OK;
}

ptl_status apng_write(const apng_source *source, ptl_sink sink, void *payload, ptl_error *err)
{
    animation a = {.source = source, .sink = sink, .payload = payload, .err = err};
    bytes_init(&a.part);
    a.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &a, on_error, on_png_warning);
    ptl_status status = a.png ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        png_set_write_fn(a.png, &a, on_write, on_png_flush);
        status = write_frames(&a);
    }
    if (a.png)
        png_destroy_write_struct(&a.png, NULL);
    bytes_dispose(&a.frame);
    bytes_dispose(&a.part);
    return status;
}
