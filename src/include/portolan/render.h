/*
 * Drawing worlds: PNG pictures and terminal text.
 */
#ifndef PORTOLAN_RENDER_H
#define PORTOLAN_RENDER_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_render_options {
    int64_t x0, y0, x1, y1; /* absolute OMTs, both ends included */
    int32_t z_first,
        z_last;    /* one level, or a strip of levels side by side, from first to last */
    int32_t scale; /* pixels per OMT, 1..32; 0: 1 */
    bool symbols;  /* draw each terrain's symbol too; needs scale >= 8 */
} ptl_render_options;

#define PTL_RENDER_OPTIONS_INIT                                                                \
    {                                                                                          \
        0, 0, 0, 0, 0, 0, 1, false                                                             \
    }

/* Takes the PNG's bytes in order; false stops with PTL_ERR_IO. */
typedef bool (*ptl_sink)(void *payload, const void *data, size_t size);

/*
 * Writes a PNG of saved chunks, row by row: memory grows with the width alone. Chunks that are
 * not saved are drawn dark. Colours are the content's own.
 *
 * A library that was built without libpng (PORTOLAN_RENDER=OFF, the default inside of another
 * project) has this function, too: every call fails with PTL_ERR_UNSUPPORTED.
 */
PTL_API ptl_status ptl_render_png(ptl_world *world, const ptl_render_options *options,
                                  ptl_sink sink, void *payload, ptl_error *err);

/*
 * Writes text, one line per row of OMTs: the content's symbols, lines drawn as lines. With
 * colours, ANSI escape sequences. options->scale and symbols are not used.
 */
PTL_API ptl_status ptl_render_text(ptl_world *world, const ptl_render_options *options,
                                   bool colours, ptl_sink sink, void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
