/* Macros for the public calls that describe one entry of a catalogue in a struct of the
 * caller's. */
#pragma once

#include "core/sized.h"

/* The return value of a call that has found its entry: copies `local` to *out. The first member
 * of *out is the size of the struct that the caller knows; no more than that is copied. */
#define ENTRY_GIVE(type, out, local) ENTRY_RESULT(type, out, local, PTL_OK)
/* The return value of a call whose entry does not exist: *out gets the values that the
 * further arguments initialise, and the call returns PTL_ERR_NOT_FOUND. */
#define ENTRY_NONE(type, out, ...)                                                             \
    ENTRY_RESULT(type, out, (&(const type){__VA_ARGS__}), PTL_ERR_NOT_FOUND)
#define ENTRY_RESULT(type, out, local, result)                                                 \
    (SIZED_CHECK(type, out, NULL) != PTL_OK ? PTL_ERR_ARGUMENT                                 \
                                            : (SIZED_FILL(type, out, local), (result)))
