/* The names of statuses, and the library's version. */
#include "portolan/status.h"

const char *ptl_status_name(ptl_status status)
{
    switch (status) {
    case PTL_OK:
        return "ok";
    case PTL_ERR_INTERNAL:
        return "internal error";
    case PTL_ERR_NOMEM:
        return "out of memory";
    case PTL_ERR_ARGUMENT:
        return "bad argument";
    case PTL_ERR_NOT_FOUND:
        return "not found";
    case PTL_ERR_EXISTS:
        return "exists already";
    case PTL_ERR_CONTENT:
        return "bad content";
    case PTL_ERR_CORRUPT:
        return "corrupt";
    case PTL_ERR_FORMAT:
        return "not a world file";
    case PTL_ERR_NEWER:
        return "made by a newer version";
    case PTL_ERR_BUSY:
        return "busy";
    case PTL_ERR_IO:
        return "input or output failed";
    case PTL_ERR_READONLY:
        return "read-only";
    case PTL_ERR_MISMATCH:
        return "other content";
    case PTL_ERR_CANCELLED:
        return "cancelled";
    case PTL_ERR_UNSUPPORTED:
        return "left out of this library";
    case PTL_ERR_LIMIT:
        return "limit passed";
    }
    return "unknown status";
}

const char *ptl_version(void)
{
    return PORTOLAN_VERSION;
}
