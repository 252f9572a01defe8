/* Stands in for the map if Portolan is built with PORTOLAN_VIEW=OFF. */
#include "clients/cli/view/viewer.h"

#include "core/error.h"

ptl_status viewer_run(const viewer_options *options, ptl_error *err)
{
    (void)options;
    return error_set(err, PTL_ERR_UNSUPPORTED,
                     "this portolan was built without its map (PORTOLAN_VIEW=OFF)");
}
