/* Compiled with -mavx2 on x86; only used on processors that have AVX2. */
#define LEVEL_KERNELS level_kernels_avx2
#include "codec/level_kernels.h"
