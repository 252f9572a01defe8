/* This file is compiled with -mavx2 where the target is x86. Its code runs only on processors
 * that have AVX2. */
#define NOISE_KERNELS noise_kernels_avx2
#include "gen/noise/noise_kernels.h"
