/* A part of the map as a PNG, with title, coordinates, names, scale and legend: what `portolan
 * render` draws. */
#include "clients/server/answer.h"

#include "core/error.h"

enum {
    SIDE_MAX = 8000, /* pixels of the map along a side */
    SCALE_MAX = 768,
    SYMBOLS_FROM = 8 /* pixels of an OMT, from which its symbol is drawn */
};

static bool take(void *payload, const void *data, size_t size)
{
    bytes *out = payload;
    bytes_put(out, data, size);
    return !out->failed;
}

ptl_status answer_picture(const asked *q, reply *out, ptl_error *err)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    int64_t width, height, scale, local = 0;
    bytes png = {.size = 0};
    TRY(asked_int(q, "width", 1, SIDE_MAX, &width, err));
    TRY(asked_int(q, "height", 1, SIDE_MAX, &height, err));
    TRY(asked_int(q, "scale", 1, SCALE_MAX, &scale, err));
    if (target_text(q->values, "local"))
        TRY(asked_int(q, "local", 0, 1, &local, err));
    if (width * scale > SIDE_MAX || height * scale > SIDE_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "a picture has at most %d pixels a side",
                         (int)SIDE_MAX);
    o.x0 = q->omt.x;
    o.y0 = q->omt.y;
    o.x1 = o.x0 + width - 1;
    o.y1 = o.y0 + height - 1;
    o.z_first = o.z_last = q->omt.z;
    o.scale = (int32_t)scale;
    o.symbols = scale >= SYMBOLS_FROM && local == 0;
    o.local = local == 1;
    o.parts = PTL_RENDER_ALL;
    const ptl_status status = ptl_render_png_write(q->world, &o, take, &png, err);
    if (status == PTL_OK) {
        png_put_with_dots(&out->body, &png);
        out->type = "image/png";
    }
    bytes_dispose(&png);
    return status;
}
