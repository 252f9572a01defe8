/* Compiled with -mavx2 where the target is x86; run only where the processor has it. */
#define SITE_KERNELS site_kernels_avx2
#include "gen/sites/sites_kernels.h"
