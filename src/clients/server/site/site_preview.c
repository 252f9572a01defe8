/* The preview of a web site: a picture of its first world, which programs show that make a
 * preview of a link (Open Graph, og:image). */
#include "clients/server/site/site_impl.h"

#include "core/error.h"

/* The largest rectangle of OMTs that the preview shows, a pixel for each. */
enum { WIDTH_MAX = 1200, HEIGHT_MAX = 900 };

static bool take(void *payload, const void *data, size_t size)
{
    bytes *out = payload;
    bytes_put(out, data, size);
    return !out->failed;
}

/* Sets *from and *to to the middle of the OMTs of the chunks first..last, at most `most` of
 * them. */
static void middle(int64_t *from, int64_t *to, int32_t first, int32_t last, int64_t most)
{
    const int64_t all = ((int64_t)last - first + 1) * PTL_CHUNK_SIZE;
    const int64_t size = all < most ? all : most;
    *from = (int64_t)first * PTL_CHUNK_SIZE + (all - size) / 2;
    *to = *from + size - 1;
}

ptl_status site_preview(bool *made, site *s, ptl_error *err)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    const site_world *w = s->now;
    bytes png = {.size = 0};
    middle(&o.x0, &o.x1, w->west, w->east, WIDTH_MAX);
    middle(&o.y0, &o.y1, w->north, w->south, HEIGHT_MAX);
    const int32_t first = s->options->z_first, last = s->options->z_last;
    o.z_first = o.z_last = first > 0 ? first : last < 0 ? last : 0;
    o.scale = 1;
    o.style = s->options->style;
    o.parts = PTL_RENDER_NAMES;
    ptl_status status = ptl_render_png_write(s->world, &o, take, &png, err);
    *made = status == PTL_OK;
    if (*made)
        status = site_file(s, "preview.png", png.data, png.size, err);
    /* A build without libpng draws none, and damage is reported where the data is written. */
    if (status == PTL_ERR_UNSUPPORTED || status == PTL_ERR_CORRUPT) {
        error_clear(err);
        status = PTL_OK;
    }
    bytes_dispose(&png);
    return status;
}
