/* Compiled for AVX-512 where the target is x86; run only where the processor has it. */
#define SITE_KERNELS site_kernels_avx512
#include "gen/sites/sites_kernels.h"
