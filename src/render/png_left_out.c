/* Replaces sheet.c, svg.c, shoals_png.c and the room tileset in libraries that are built
 * without libpng (PORTOLAN_RENDER=OFF): the calls return an error. */
#include "portolan/tide.h"
#include "portolan/tileset.h"

#include "core/error.h"

static ptl_status left_out(ptl_error *err)
{
    error_clear(err);
    return error_set(err, PTL_ERR_UNSUPPORTED,
                     "this library was built without pictures: build it with "
                     "-DPORTOLAN_RENDER=ON, which needs libpng");
}

ptl_status ptl_render_png_write(ptl_world *world, const ptl_render_options *options,
                                ptl_sink sink, void *payload, ptl_error *err)
{
    (void)world;
    (void)options;
    (void)sink;
    (void)payload;
    return left_out(err);
}

ptl_status ptl_render_svg_write(ptl_world *world, const ptl_render_options *options,
                                ptl_sink sink, void *payload, ptl_error *err)
{
    return ptl_render_png_write(world, options, sink, payload, err);
}

ptl_status ptl_shoals_png_write(const ptl_shoals_options *options,
                                const ptl_shoals_picture *picture, ptl_sink sink, void *payload,
                                ptl_error *err)
{
    (void)options;
    (void)picture;
    (void)sink;
    (void)payload;
    return left_out(err);
}

ptl_status ptl_tide_png_write(const ptl_shoals_options *options,
                              const ptl_tide_picture *picture, ptl_sink sink, void *payload,
                              ptl_error *err)
{
    (void)options;
    (void)picture;
    (void)sink;
    (void)payload;
    return left_out(err);
}

ptl_status ptl_tileset_open(ptl_tileset **out, const char *folder, ptl_error *err)
{
    (void)folder;
    if (out)
        *out = NULL;
    return left_out(err);
}

void ptl_tileset_close(ptl_tileset *tileset)
{
    (void)tileset;
}

ptl_status ptl_tileset_describe(ptl_tileset_info *out, const ptl_tileset *tileset)
{
    (void)out;
    (void)tileset;
    return PTL_ERR_UNSUPPORTED;
}
