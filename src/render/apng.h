/* Animated PNG (APNG): pictures of one size after each other, for ever. */
#ifndef RENDER_APNG_H
#define RENDER_APNG_H

#include "render/png_stream.h"

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
