/* Compiled for AVX-512 where the target is x86; run only where the processor has it. */
#ifdef __AVX512F__
#define NOISE_WIDE
#endif
#define NOISE_COLUMNS noise_columns_avx512
#include "gen/noise/noise_columns.h"
