/* In place of png.c in a library that is built without libpng (PORTOLAN_RENDER=OFF). */
#include "portolan/render.h"

#include "core/error.h"

ptl_status ptl_render_png(ptl_world *world, const ptl_render_options *options, ptl_sink sink,
                          void *payload, ptl_error *err)
{
    (void)world;
    (void)options;
    (void)sink;
    (void)payload;
    error_clear(err);
    return error_set(err, PTL_ERR_UNSUPPORTED,
                     "this library was built without pictures: build it with "
                     "-DPORTOLAN_RENDER=ON, which needs libpng");
}
