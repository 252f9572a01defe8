/* Division that rounds down: of coordinates, which go below 0. */
#ifndef CORE_FLOOR_DIV_H
#define CORE_FLOOR_DIV_H

#include <stdint.h>

/* b is above 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

#endif
