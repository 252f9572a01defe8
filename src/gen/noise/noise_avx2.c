/* Compiled with -mavx2 where the target is x86; run only where the processor has it. */
#define NOISE_KERNELS noise_kernels_avx2
#include "gen/noise/noise_kernels.h"
