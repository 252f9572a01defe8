#include "mapgen/ground/draws.h"
#include "core/cpu.h"

void draws_find_base(uint64_t out[DRAWS], uint64_t state)
{
    draws_find(out, state);
}

draws_kernel *draws_best(void)
{
    return CPU_IF(CPU_AVX512_F_VL_BW_DQ, draws_find_avx512, draws_find_base);
}

void draws_refill(draws *d)
{
    draws_best()(d->values, d->behind.state);
    rng_pass(&d->behind, DRAWS);
    d->at = 0;
}
