#include "core/error.h"

#include "core/visible.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_clear(ptl_error *err)
{
    if (err)
        memset(err, 0, sizeof *err);
}

ptl_status error_set(ptl_error *err, ptl_status status, const char *format, ...)
{
    if (!err || err->status != PTL_OK)
        return status;
    err->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    visible_one_line(err->message);
    return status;
}

ptl_status error_system(ptl_error *err, ptl_status status, int code, const char *format, ...)
{
    char what[PTL_ERROR_MESSAGE_SIZE];
    if (code == ENOMEM)
        return error_nomem(err);
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (err && err->status == PTL_OK)
        err->system_code = code;
    return error_set(err, status, "%s: %s", what, strerror(code));
}

ptl_status error_copy(ptl_error *err, const ptl_error *from)
{
    if (err && err->status == PTL_OK)
        *err = *from;
    return from->status;
}

ptl_status error_prefix(ptl_error *err, ptl_status status, const char *format, ...)
{
    if (!err)
        return status;
    char old[PTL_ERROR_MESSAGE_SIZE];
    memcpy(old, err->message, sizeof old);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    size_t used = n < 0 ? 0 : (size_t)n;
    if (used > sizeof old - 3)
        used = sizeof old - 3;
    memcpy(err->message + used, ": ", 2);
    used += 2;
    size_t left = sizeof old - used - 1, length = strlen(old);
    if (length > left)
        length = left; /* a message that is too long loses its end */
    memcpy(err->message + used, old, length);
    err->message[used + length] = '\0';
    visible_one_line(err->message);
    return status;
}

/* ---- the names of statuses, and the library's version ---- */

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
