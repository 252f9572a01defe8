/* This file is compiled for AVX-512 where the target is x86. Its code runs only on processors
 * that have AVX-512. */
#ifdef __AVX512F__
#define NOISE_WIDE
#endif
#define NOISE_COLUMNS noise_columns_avx512
#include "gen/noise/noise_columns.h"
