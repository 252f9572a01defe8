/*
 * PNG, row by row. A picture is indexed, one byte a pixel, which makes it three times quicker
 * to compress than true colour; or grey with 16 bits a pixel; or, where colours are mixed, true
 * colour.
 */
#ifndef RENDER_PNG_STREAM_H
#define RENDER_PNG_STREAM_H

#include "portolan/render.h"
#include "render/paint.h"

/* What a picture says of itself. */
typedef struct png_note {
    const char *key;
    const char *text; /* UTF-8, one line */
} png_note;

enum { PNG_NOTES_MAX = 9, PNG_COLOURS_MAX = 256 };

typedef struct png_source {
    int64_t width, height; /* pixels, 1 .. 2^31 - 1 */
    int bits; /* of a pixel; 8: indices into colours; 16: grey, the higher byte first; 32: red,
               * green, blue and how opaque */
    const rgb *colours;
    int colour_count; /* 1..PNG_COLOURS_MAX */
    const png_note *notes;
    size_t note_count; /* 0..PNG_NOTES_MAX */
    /* Gives row y, from 0; the bytes are good until the next call. */
    ptl_status (*next_row)(void *payload, int64_t y, const uint8_t **row, ptl_error *err);
    void *payload;
} png_source;

/* PTL_ERR_IO where the sink refuses, PTL_ERR_NOMEM where libpng has no memory; else what
 * next_row returned. */
ptl_status png_stream_write(const png_source *source, ptl_sink sink, void *payload,
                            ptl_error *err);

/* Animated PNG (APNG): pictures of one size after each other, for ever. */

typedef struct apng_source {
    const png_source *picture; /* of each frame; what next_row gives differs */
    uint32_t frames;           /* 1 or more */
    /* Called before each frame; number from 0. */
    ptl_status (*next_frame)(void *payload, uint32_t number, ptl_error *err);
    void *payload;
} apng_source;

/* Errors as of png_stream_write, and what next_frame returned. A frame is kept in memory while
 * it is written. */
ptl_status apng_write(const apng_source *source, ptl_sink sink, void *payload, ptl_error *err);

#endif
