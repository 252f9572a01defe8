/* What the calls share that describe one entry of a catalogue in a struct of the caller's. */
#ifndef WORLD_ENTRIES_H
#define WORLD_ENTRIES_H

#include "core/sized.h"

/* The result of such a call: copies `local` to *out, as far as the size in *out says that the
 * caller knows the struct, and tells whether the entry was found. Where `found` is false,
 * `local` still holds its empty initial values. */
#define ENTRY_GIVE(type, out, local, found)                                                    \
    (SIZED_CHECK(type, out, NULL) != PTL_OK                                                    \
         ? PTL_ERR_ARGUMENT                                                                    \
         : (SIZED_FILL(type, out, local), (found) ? PTL_OK : PTL_ERR_NOT_FOUND))

#endif
