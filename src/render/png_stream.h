/*
 * PNG, written row by row. A picture is indexed with one byte a pixel, which compresses three
 * times faster than true colour; or grey with 16 bits a pixel; or true colour with
 * transparency, if colours are mixed. It may be animated.
 */
#pragma once

#include "core/bytes.h"
#include "portolan/render.h"
#include "render/paint.h"

/* A text chunk: something that the picture says about itself. */
typedef struct png_note {
    const char *key;
    const char *text; /* UTF-8, one line */
} png_note;

enum { PNG_NOTES_MAX = 9, PNG_COLOURS_MAX = 256 };

/* A picture to write. */
typedef struct png_source {
    int64_t width, height; /* pixels, 1 .. 2^31 - 1 */
    /* Of a pixel. 8: index into colours; 16: grey, high byte first; 32: red, green, blue,
     * opacity. */
    int bits;
    const rgb *colours; /* NULL: those of palette_rgb */
    int colour_count;   /* 1..PNG_COLOURS_MAX */
    const png_note *notes;
    size_t note_count; /* 0..PNG_NOTES_MAX */
    /* Gives row y, counted from 0. *row must stay valid until the next call. */
    ptl_status (*next_row)(void *payload, int64_t y, const uint8_t **row, ptl_error *err);
    /* 2 or more: an animation (APNG) of frames of one size, repeated for ever; else a single
     * picture. */
    uint32_t frames;
    /* Called before each frame, and so before a single picture, with its number from 0.
     * next_row then gives the rows of this frame. NULL: there is nothing to prepare. */
    ptl_status (*next_frame)(void *payload, uint32_t number, ptl_error *err);
    void *payload;
} png_source;

/* Writes the picture to the sink. PTL_ERR_IO: the sink refuses data. PTL_ERR_NOMEM: libpng has
 * no memory. Otherwise what next_row or next_frame returned. Of an animation one packed frame
 * is held in memory at a time. */
ptl_status png_stream_write(const png_source *source, ptl_sink sink, void *payload,
                            ptl_error *err);
/* Appends the picture to out. */
ptl_status png_stream_put(bytes *out, const png_source *source, ptl_error *err);
