/* This file is compiled for AVX-512 where the target is x86. Its code runs only on processors
 * that have AVX-512. */
#define SITE_KERNELS site_kernels_avx512
#include "gen/sites/sites_kernels.h"
