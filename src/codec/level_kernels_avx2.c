/* Compiled with -mavx2 where the target is x86; run only where the processor has it. */
#define LEVEL_KERNELS level_kernels_avx2
#include "codec/level_kernels.h"
