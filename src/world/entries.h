/* Macros for the public calls that describe one thing of a catalogue, such as a terrain or a
 * special, in a struct of the caller's. */
#pragma once

#include "core/sized.h"

/* A macro for the return value of a call that has found the thing in the catalogue: copies the
 * struct `local`, of this type, to *out, and is PTL_OK. The first member of *out is the size of
 * the struct that the caller knows; no more than that is copied. */
#define ENTRY_GIVE(type, out, local) ENTRY_RESULT(type, out, local, PTL_OK)
/* A macro for the return value of a call when the catalogue has no such thing:
 * PTL_ERR_NOT_FOUND. *out, which is a struct of this type, gets the values that the further
 * arguments initialise. */
#define ENTRY_NONE(type, out, ...)                                                             \
    ENTRY_RESULT(type, out, (&(const type){__VA_ARGS__}), PTL_ERR_NOT_FOUND)
#define ENTRY_RESULT(type, out, local, result)                                                 \
    (SIZED_CHECK(type, out, NULL) != PTL_OK ? PTL_ERR_ARGUMENT                                 \
                                            : (SIZED_FILL(type, out, local), (result)))
