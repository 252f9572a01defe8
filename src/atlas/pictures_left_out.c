/* Replaces mbtiles.c and tiled.c in libraries that are built without libpng
 * (PORTOLAN_RENDER=OFF).
 */
#include "atlas/atlas_impl.h"

#include "core/error.h"

ptl_status atlas_pictures(atlas *a, ptl_error *err)
{
    (void)a;
    return error_set(err, PTL_ERR_UNSUPPORTED,
                     "this library was built without pictures: build it with "
                     "-DPORTOLAN_RENDER=ON, which needs libpng");
}
