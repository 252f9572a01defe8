/* What stands in for the server where PORTOLAN_SERVE is off. */
#include "clients/server/server.h"
#include "clients/server/site.h"

#include "core/error.h"

static ptl_status left_out(ptl_error *err)
{
    return error_set(err, PTL_ERR_UNSUPPORTED,
                     "this portolan was built without its server (PORTOLAN_SERVE=OFF)");
}

ptl_status server_run(const server_options *options, ptl_error *err)
{
    (void)options;
    return left_out(err);
}

ptl_status site_write(const site_options *options, site_report *report, ptl_error *err)
{
    (void)options;
    *report = (site_report){0};
    return left_out(err);
}
