/* Stands in for the server and the writer of web sites in builds with PORTOLAN_SERVE=OFF. */
#include "clients/server/server.h"
#include "clients/server/site/site.h"

#include "core/error.h"

static const char left_out[] =
    "this portolan was built without its server (PORTOLAN_SERVE=OFF)";

ptl_status server_run(const server_options *options, ptl_error *err)
{
    (void)options;
    return error_set(err, PTL_ERR_UNSUPPORTED, "%s", left_out);
}

ptl_status site_write(const site_options *options, site_report *report, ptl_error *err)
{
    (void)options;
    *report = (site_report){0};
    return error_set(err, PTL_ERR_UNSUPPORTED, "%s", left_out);
}
