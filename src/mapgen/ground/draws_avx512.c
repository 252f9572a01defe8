#include "mapgen/ground/draws_kernel.h"

void draws_find_avx512(uint64_t out[DRAWS], uint64_t state)
{
    find_draws(out, state);
}
