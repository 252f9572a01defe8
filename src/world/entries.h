/* Macros for the public calls that describe one thing of a catalogue, such as a terrain or a
 * special, in a struct of the caller's. */
#pragma once

#include "core/sized.h"

/* A macro for the last statement of a call that has found a thing in the catalogue: it copies
 * the struct `local` to *out and returns PTL_OK. Both are of the type `type`. The first member
 * of *out says how large the struct is that the caller knows; no more than that is copied. */
#define ENTRY_GIVE(type, out, local) ENTRY_RESULT(type, out, local, PTL_OK)
/* A macro for the value that a call returns if the catalogue has no such thing:
 * PTL_ERR_NOT_FOUND. It sets *out, a struct of this type, to the values that the further
 * arguments state. */
#define ENTRY_NONE(type, out, ...)                                                             \
    ENTRY_RESULT(type, out, (&(const type){__VA_ARGS__}), PTL_ERR_NOT_FOUND)
#define ENTRY_RESULT(type, out, local, result)                                                 \
    (SIZED_CHECK(type, out, NULL) != PTL_OK ? PTL_ERR_ARGUMENT                                 \
                                            : (SIZED_FILL(type, out, local), (result)))
