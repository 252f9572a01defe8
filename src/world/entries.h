/* What the calls share that describe one entry of a list in a struct of the caller's. */
#ifndef WORLD_ENTRIES_H
#define WORLD_ENTRIES_H

#include "core/sized.h"

/* Fills the caller's struct, of which the size says how much, and is the call's result: what is
 * not found is local as it was before. */
#define ENTRY_GIVE(type, out, local, found)                                                    \
    (SIZED_CHECK(type, out, NULL) != PTL_OK                                                    \
         ? PTL_ERR_ARGUMENT                                                                    \
         : (SIZED_FILL(type, out, local), (found) ? PTL_OK : PTL_ERR_NOT_FOUND))

#endif
