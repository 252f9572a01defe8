/*
 * The frames are made as PNGs of their own, of which the parts are handed on: the first one's
 * with what an animation has in front of it, the others' data under another name.
 */
#include "render/apng.h"

#include "core/bytes.h"
#include "core/error.h"

#include <png.h>

#include <setjmp.h>
#include <string.h>

enum {
    SIGNATURE = 8,
    PART_HEAD = 8, /* its length and name */
    PART_CRC = 4,
    NAME = 4,
    CONTROL_SIZE = 26, /* of fcTL */
    TENTHS = 10        /* frames a second */
};

typedef struct animation {
    const apng_source *source;
    ptl_sink sink;
    void *payload;
    png_structp png;   /* writes parts: libpng knows their checksum */
    uint32_t sequence; /* of parts of the animation */
    uint32_t number;   /* of the frame */
    bytes frame;       /* as a PNG */
    bytes part;
    bool refused; /* by the sink */
    bool begun;   /* of this frame: its control was written */
    ptl_status status;
    ptl_error *err;
} animation;

static void on_error(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep data, png_size_t size)
{
    animation *a = png_get_io_ptr(png);
    a->refused = !a->sink(a->payload, data, size);
    if (a->refused)
        png_error(png, "refused");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static bool to_memory(void *payload, const void *data, size_t size)
{
    bytes *b = payload;
    bytes_put(b, data, size);
    return !b->failed;
}

/* Numbers of PNG have their highest byte first. */
static void put_big(bytes *b, uint32_t v, int size)
{
    for (int i = size - 1; i >= 0; i--)
        bytes_put_u8(b, (uint8_t)(v >> 8 * i));
}

static uint32_t big(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
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

/* One part of a frame's PNG. */
static void hand_on(animation *a, const uint8_t *name, const uint8_t *data, size_t size)
{
    const bool is_data = memcmp(name, "IDAT", NAME) == 0;
    const bool is_end = memcmp(name, "IEND", NAME) == 0;
    char text[NAME + 1] = "";
    memcpy(text, name, NAME);
    if (is_data && !a->begun) {
        /* What a frame begins with, and the animation before the first. */
        if (a->number == 0) {
            put_big(&a->part, a->source->frames, 4);
            put_big(&a->part, 0, 4); /* for ever */
            write_part(a, "acTL");
        }
        put_big(&a->part, a->sequence++, 4);
        put_big(&a->part, (uint32_t)a->source->picture->width, 4);
        put_big(&a->part, (uint32_t)a->source->picture->height, 4);
        put_big(&a->part, 0, 4); /* x and y */
        put_big(&a->part, 0, 4);
        put_big(&a->part, 1, 2);
        put_big(&a->part, TENTHS, 2);
        put_big(&a->part, 0, 2); /* it replaces what was there */
        write_part(a, "fcTL");
        a->begun = true;
    }
    if (is_data && a->number > 0) {
        put_big(&a->part, a->sequence++, 4);
        memcpy(text, "fdAT", NAME);
    } else if (is_end ? a->number + 1 < a->source->frames : !is_data && a->number > 0) {
        return; /* the whole has one head and one end */
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
    if (a->frame.failed) /* else it would say that its receiver refused it: us */
        return error_nomem(a->err);
    return local.status != PTL_OK ? error_copy(a->err, &local) : status;
}

static ptl_status write_all(animation *a)
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
            const size_t size = big(f->data + at);
            hand_on(a, f->data + at + NAME, f->data + at + PART_HEAD, size);
            at += PART_HEAD + size + PART_CRC;
        }
    }
    return PTL_OK;
}

ptl_status apng_write(const apng_source *source, ptl_sink sink, void *payload, ptl_error *err)
{
    animation a = {.source = source, .sink = sink, .payload = payload, .err = err};
    bytes_init(&a.frame);
    bytes_init(&a.part);
    a.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &a, on_error, on_warning);
    ptl_status status = a.png ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        png_set_write_fn(a.png, &a, on_write, on_flush);
        status = write_all(&a);
    }
    if (a.png)
        png_destroy_write_struct(&a.png, NULL);
    bytes_dispose(&a.frame);
    bytes_dispose(&a.part);
    return status;
}
