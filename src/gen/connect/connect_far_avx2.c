/* This file is compiled with -mavx2 where the target is x86. Its code runs only on processors
 * that have AVX2. */
#define CONNECT_MEASURE connect_measure_avx2
#include "gen/connect/connect_far_kernel.h"
