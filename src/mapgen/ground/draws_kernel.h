/* The kernel of draws.h, compiled once for each instruction set. */
#ifndef MAPGEN_GROUND_DRAWS_KERNEL_H
#define MAPGEN_GROUND_DRAWS_KERNEL_H

#include "mapgen/ground/draws.h"

static inline void find_draws(uint64_t out[DRAWS], uint64_t state)
{
    rng r = {state};
    for (int i = 0; i < DRAWS; i++)
        out[i] = rng_next(&r);
}

#endif
