/* Compiled with -mavx2 where the target is x86; run only where the processor has it. */
#define NEAR_KERNELS near_kernels_avx2
#include "gen/cities/city_near_kernels.h"
