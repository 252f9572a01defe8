/* Division that rounds down, for coordinates, which may be negative. */
#ifndef CORE_FLOOR_DIV_H
#define CORE_FLOOR_DIV_H

#include <stdint.h>

/* b must be above 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

#endif
