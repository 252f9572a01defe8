/* Public calls that need no store: the names of statuses, the library's version, and the chunk
 * of an OMT. */
#include "core/whole.h"
#include "portolan/types.h"

const char *ptl_status_name(ptl_status status)
{
    static const char *const names[] = {[-PTL_OK] = "ok",
                                        [-PTL_ERR_INTERNAL] = "internal error",
                                        [-PTL_ERR_NOMEM] = "out of memory",
                                        [-PTL_ERR_ARGUMENT] = "bad argument",
                                        [-PTL_ERR_NOT_FOUND] = "not found",
                                        [-PTL_ERR_EXISTS] = "exists already",
                                        [-PTL_ERR_CONTENT] = "bad content",
                                        [-PTL_ERR_CORRUPT] = "corrupt",
                                        [-PTL_ERR_FORMAT] = "not a world file",
                                        [-PTL_ERR_NEWER] = "made by a newer version",
                                        [-PTL_ERR_BUSY] = "busy",
                                        [-PTL_ERR_IO] = "input or output failed",
                                        [-PTL_ERR_READONLY] = "read-only",
                                        [-PTL_ERR_MISMATCH] = "other content",
                                        [-PTL_ERR_CANCELLED] = "cancelled",
                                        [-PTL_ERR_UNSUPPORTED] = "left out of this library",
                                        [-PTL_ERR_LIMIT] = "limit passed"};
    const int count = (int)(sizeof names / sizeof names[0]);
    return status <= PTL_OK && status > -count ? names[-status] : "unknown status";
}

const char *ptl_version(void)
{
    return PORTOLAN_VERSION;
}

ptl_chunk_pos ptl_omt_chunk(ptl_omt omt)
{
    return (ptl_chunk_pos){(int32_t)floor_div(omt.x, PTL_CHUNK_SIZE),
                           (int32_t)floor_div(omt.y, PTL_CHUNK_SIZE)};
}
