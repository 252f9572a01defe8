/* This file is compiled with -mavx2 where the target is x86. Its code runs only on processors
 * that have AVX2. */
#define NEAR_KERNELS near_kernels_avx2
#include "gen/cities/city_near_kernels.h"
