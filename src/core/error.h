/* Filling the caller's error record. All functions accept err == NULL. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include "portolan/status.h"

/* Sets the record unless it already holds an error (the first error wins); returns status. */
ptl_status error_set(ptl_error *err, ptl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a call of the system's that failed with this errno: ": " and what it means
 * follow what the format says. ENOMEM gives PTL_ERR_NOMEM, whatever the status. */
ptl_status error_system(ptl_error *err, ptl_status status, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Takes over what another record says, unless err already holds an error; returns that one's
 * status. */
ptl_status error_copy(ptl_error *err, const ptl_error *from);

/* Puts "context: " in front of the message; returns the record's status. */
ptl_status error_prefix(ptl_error *err, ptl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Inline, so that static analysis sees that it never returns PTL_OK. */
static inline ptl_status error_nomem(ptl_error *err)
{
    (void)error_set(err, PTL_ERR_NOMEM, "out of memory");
    return PTL_ERR_NOMEM;
}

/* Makes a call and ends this function with its status unless that is PTL_OK: where there is
 * nothing to give back on the way out. Variadic for the commas of compound literals. */
#define TRY(...)                                                                               \
    do {                                                                                       \
        const ptl_status tried = (__VA_ARGS__);                                                \
        if (tried != PTL_OK)                                                                   \
            return tried;                                                                      \
    } while (0)

/* Makes a call if all has gone well so far, and keeps its status: where there is something to
 * be freed at the end. */
#define THEN(status, ...)                                                                      \
    do {                                                                                       \
        if ((status) == PTL_OK)                                                                \
            (status) = (__VA_ARGS__);                                                          \
    } while (0)

/* Clears the record to PTL_OK, as every public call does at its start. */
void error_clear(ptl_error *err);

#endif
