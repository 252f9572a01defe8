/* Arithmetic of whole numbers: division that rounds down, since coordinates may be negative,
 * and a value kept within bounds. */
#pragma once

#include <stdint.h>

/* Divides and rounds down. b must be above 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Returns v, or the nearer bound if v is outside of low..high. low must not be above high. */
static inline int32_t clamp(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}
