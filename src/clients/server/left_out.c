/* Replaces the server in builds with PORTOLAN_SERVE=OFF. */
#include "clients/server/server.h"

#include "core/error.h"

ptl_status server_run(const server_options *options, ptl_error *err)
{
    (void)options;
    return error_set(err, PTL_ERR_UNSUPPORTED,
                     "this portolan was built without its server (PORTOLAN_SERVE=OFF)");
}
