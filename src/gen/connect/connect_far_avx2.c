/* Compiled with -mavx2 where the target is x86; run only where the processor has it. */
#define CONNECT_MEASURE connect_measure_avx2
#include "gen/connect/connect_far_kernel.h"
