/* The ending of a noun behind a number. */
#pragma once

#include <stdint.h>

/* Returns the ending of a plural: "" for 1, else "s". */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
