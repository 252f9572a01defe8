/* What the calls share that describe one entry of a catalogue in a struct of the caller's. */
#pragma once

#include "core/sized.h"

/* The result of such a call: copies `local` to *out, as far as the size in *out says that the
 * caller knows the struct. */
#define ENTRY_GIVE(type, out, local) ENTRY_RESULT(type, out, local, PTL_OK)
/* The result where there is no such entry: *out gets the empty values that are named. */
#define ENTRY_NONE(type, out, ...)                                                             \
    ENTRY_RESULT(type, out, (&(const type){__VA_ARGS__}), PTL_ERR_NOT_FOUND)
#define ENTRY_RESULT(type, out, local, result)                                                 \
    (SIZED_CHECK(type, out, NULL) != PTL_OK ? PTL_ERR_ARGUMENT                                 \
                                            : (SIZED_FILL(type, out, local), (result)))
