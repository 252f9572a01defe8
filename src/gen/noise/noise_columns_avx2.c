/* This file is compiled for AVX2 where the target is x86. Its code runs only on processors that
 * have AVX2. */
#define NOISE_COLUMNS noise_columns_avx2
#include "gen/noise/noise_columns.h"
