/* Functions that fill the caller's error record. All of them accept err == NULL. */
#pragma once

#include "portolan/status.h"

/* Sets the record unless it already holds an error (the first error wins); returns status. */
ptl_status error_set(ptl_error *err, ptl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Does what error_set does for a system call that failed with errno `code`: the message is
 * what the format says, ": " and the system's words for `code`. ENOMEM gives PTL_ERR_NOMEM,
 * whatever the status. */
ptl_status error_system(ptl_error *err, ptl_status status, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Copies another record's error into err, unless err already holds one; returns the status
 * of `from`. */
ptl_status error_copy(ptl_error *err, const ptl_error *from);

/* Puts the text that the format makes, and ": ", in front of the message; returns `status`. */
ptl_status error_prefix(ptl_error *err, ptl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports that memory is out. Inline, so that static analysis sees that it never returns
 * PTL_OK. */
static inline ptl_status error_nomem(ptl_error *err)
{
    (void)error_set(err, PTL_ERR_NOMEM, "out of memory");
    return PTL_ERR_NOMEM;
}

/* Makes a call and, unless the call gives PTL_OK, returns its status from the function that
 * uses TRY. Only for places where nothing must be released on the way out. Variadic, since
 * compound literals contain commas. */
#define TRY(...)                                                                               \
    do {                                                                                       \
        const ptl_status tried = (__VA_ARGS__);                                                \
        if (tried != PTL_OK)                                                                   \
            return tried;                                                                      \
    } while (0)

/* Makes a call if `status` is PTL_OK, and keeps the status that the call returns. For
 * functions that must release something at their end. */
#define THEN(status, ...)                                                                      \
    do {                                                                                       \
        if ((status) == PTL_OK)                                                                \
            (status) = (__VA_ARGS__);                                                          \
    } while (0)

/* Clears the record to PTL_OK, as every public call does at its start. */
void error_clear(ptl_error *err);
