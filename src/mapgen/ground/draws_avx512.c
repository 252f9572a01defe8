#include "mapgen/ground/draws.h"

void draws_find_avx512(uint64_t out[DRAWS], uint64_t state)
{
    draws_find(out, state);
}
