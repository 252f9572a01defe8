/* The four directions: 0 north, 1 east, 2 south, 3 west. y grows to the south. */
#pragma once

#include <stdint.h>

static inline int opposite(int direction)
{
    return direction ^ 2;
}

/* step_x and step_y are the step by one cell in a direction, along x and along y. */
static inline int32_t step_x(int direction)
{
    return direction == 1 ? 1 : direction == 3 ? -1 : 0;
}

static inline int32_t step_y(int direction)
{
    return direction == 2 ? 1 : direction == 0 ? -1 : 0;
}
