/* This file is compiled with -mavx2 where the target is x86. Its code runs only on processors
 * that have AVX2. */
#define FIELD_SEARCH field_search_avx2
#include "gen/connect/connect_field_kernel.h"
