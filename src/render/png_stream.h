/*
 * PNG files, written row by row. A picture has one of three forms: indexed with one byte for
 * each pixel, which compresses three times faster than true colour; grey with 16 bits for each
 * pixel; or true colour with transparency, if colours are mixed. It may be animated.
 */
#pragma once

#include "core/bytes.h"
#include "portolan/render.h"
#include "render/paint.h"

/* A note about the picture, which is stored in its file as a PNG chunk with text. */
typedef struct png_note {
    const char *key;
    const char *text; /* UTF-8, one line */
} png_note;

enum { PNG_NOTES_MAX = 9, PNG_COLOURS_MAX = 256 };

/* A picture to write. */
typedef struct png_source {
    int64_t width, height; /* pixels, 1 .. 2^31 - 1 */
    /* Number of bits per pixel. 8: an index into `colours`; 16: grey, high byte first; 24: red,
     * green, blue; 32: the same and opacity. */
    int bits;
    const rgb *colours; /* NULL: the colours of palette_rgb */
    int colour_count;   /* 1..PNG_COLOURS_MAX */
    const png_note *notes;
    size_t note_count; /* 0..PNG_NOTES_MAX */
    /* Gives row y of pixels, counted from 0. *row must stay valid until the next call. */
    ptl_status (*next_row)(void *payload, int64_t y, const uint8_t **row, ptl_error *err);
    /* 2 or more: an animation (APNG) of so many frames of the same size, repeated for ever;
     * otherwise a single picture. */
    uint32_t frames;
    /* Called before each frame (also before a single picture) with its number, counted from 0.
     * next_row then gives the rows of this frame. NULL: nothing has to be prepared. */
    ptl_status (*next_frame)(void *payload, uint32_t number, ptl_error *err);
    void *payload;
    /* How long each frame of an animation is shown, and how long the last one, in tenths of a
     * second; 0: 1. */
    uint16_t tenths, last_tenths;
} png_source;

/* Writes the picture to the sink. PTL_ERR_IO: the sink refuses data. PTL_ERR_NOMEM: libpng has
 * no memory. Other errors are those of next_row or next_frame. If the picture is an animation,
 * memory holds only one of its compressed frames at a time. */
ptl_status png_stream_write(const png_source *source, ptl_sink sink, void *payload,
                            ptl_error *err);
/* Appends the picture to out. */
ptl_status png_stream_put(bytes *out, const png_source *source, ptl_error *err);
