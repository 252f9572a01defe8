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
