/* Replaces mbtiles.c, mbtiles.c and tiled.c in libraries that are built without libpng
 * (PORTOLAN_RENDER=OFF). */
#include "atlas/atlas_impl.h"

#include "core/error.h"

static ptl_status left_out(ptl_error *err)
{
    return error_set(err, PTL_ERR_UNSUPPORTED,
                     "this library was built without pictures: build it with "
                     "-DPORTOLAN_RENDER=ON, which needs libpng");
}

ptl_status atlas_mbtiles(atlas *a, ptl_error *err)
{
    (void)a;
    return left_out(err);
}

ptl_status atlas_pmtiles(atlas *a, ptl_error *err)
{
    (void)a;
    return left_out(err);
}

ptl_status atlas_tiled(atlas *a, ptl_error *err)
{
    (void)a;
    return left_out(err);
}
