/* Replaces the writer of sites in builds with PORTOLAN_SERVE=OFF. */
#include "clients/server/site/site.h"

#include "core/error.h"

ptl_status site_write(const site_options *options, site_report *report, ptl_error *err)
{
    (void)options;
    *report = (site_report){0};
    return error_set(err, PTL_ERR_UNSUPPORTED,
                     "this portolan was built without its server (PORTOLAN_SERVE=OFF)");
}
