/* Compiled for AVX2 where the target is x86; run only where the processor has it. */
#define NOISE_COLUMNS noise_columns_avx2
#include "gen/noise/noise_columns.h"
