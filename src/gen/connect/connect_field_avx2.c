/* Compiled with -mavx2 where the target is x86; run only where the processor has it. */
#define FIELD_SEARCH field_search_avx2
#include "gen/connect/connect_field_kernel.h"
